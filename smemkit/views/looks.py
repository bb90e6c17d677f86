# SPDX-License-Identifier: Apache-2.0
"""How a label, an edge type and a state look: colour, shape, line.

One table for the page, the picture and the figure. The fills come from the
palettes of Okabe and Ito (2008) and Tol (2021), which people with any colour
vision tell apart; shapes say the same without colour, so that a print in grey
can be read too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from smemkit import schema


@dataclass(frozen=True, slots=True)
class Look:
    """How the nodes of one label are drawn.

    Attributes
    ----------
    fill : str
        Colour of the inside.
    shape : str
        One of ``star hexagon triangle square diamond dot triangleDown``: the
        names vis-network gives its shapes.
    rim : str
        Colour of the line around it.
    """

    fill: str
    shape: str
    rim: str


@dataclass(frozen=True, slots=True)
class Line:
    """How the edges of one type are drawn: colour and dashes (empty: whole)."""

    colour: str
    dashes: tuple[int, ...] = ()


LOOKS: Mapping[str, Look] = {
    "ResearchGoal": Look("#d55e00", "star", "#8f3f00"),
    "Task": Look("#56b4e9", "hexagon", "#2176a5"),
    "ToolCall": Look("#e69f00", "triangle", "#946600"),
    "Code": Look("#aa4499", "square", "#6d2c62"),
    "Artifact": Look("#009e73", "diamond", "#00664a"),
    "Paper": Look("#cc79a7", "square", "#8c4a70"),
    "Evidence": Look("#999933", "dot", "#626221"),
    "Claim": Look("#cc3311", "triangleDown", "#85210b"),
    "SourceFile": Look("#332288", "diamond", "#1d1350"),
    "WebPage": Look("#88ccee", "square", "#42819f"),
    "DbRecord": Look("#7a6fc0", "hexagon", "#4d4586"),
}
"""The look of each label that smemkit knows by sight."""

OTHER = Look("#808890", "dot", "#545a60")
"""The look of any other label."""

LINES: Mapping[str, Line] = {
    "next": Line("#7f8790"),
    "produces": Line("#00735a"),
    "extracts": Line("#a85584"),
    "supports": Line("#b5561c"),
    "stated_in": Line("#4b5fa8"),
    "supersedes": Line("#8c6d1f", (2, 6)),
    "input": Line("#8a3d7c"),
    "contains": Line("#2f7fae"),
    "feeds": Line("#4a3aa0"),
}
"""The line of each edge type that smemkit knows."""

OTHER_LINE = Line("#7f8790")
INFERRED = (9, 5)
"""Dashes of an edge that was inferred, not observed."""

BREAK = "#c1121f"
"""Where a chain breaks."""

OPEN = frozenset({"running", "queued", "pending", "started"})


def look(label: str) -> Look:
    """Return the look of a label.

    Examples
    --------
    >>> look("Claim").shape, look("Odd") is OTHER
    ('triangleDown', True)
    """
    return LOOKS.get(label, OTHER)


def line(edge_type: str, props: Mapping[str, object]) -> Line:
    """Return the line of an edge; an inferred one is dashed.

    Examples
    --------
    >>> line("next", {"inferred": True}).dashes, line("supersedes", {}).dashes
    ((9, 5), (2, 6))
    """
    known = LINES.get(edge_type, OTHER_LINE)
    return Line(known.colour, INFERRED) if props.get("inferred") is True else known


def state(props: Mapping[str, object]) -> str:
    """Return how a step went: done, failed, cancelled or open; else an empty text.

    Examples
    --------
    >>> state({"status": "succeeded"}), state({"status": "timed_out"}), state({})
    ('done', 'failed', '')
    """
    status = props.get("status")
    if not isinstance(status, str):
        return ""
    word = status.lower()
    if word in schema.DONE_STATUSES:
        return "done"
    if word in schema.FAILED_STATUSES:
        return "failed"
    return "cancelled" if word == "cancelled" else "open"
