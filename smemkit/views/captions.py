# SPDX-License-Identifier: Apache-2.0
"""What is written beside a node: a short name for a person, in lines that fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from smemkit import schema
from smemkit.display import plain
from smemkit.display import width as width_of

NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "ResearchGoal": ("core_objective", "goal_id"),
    "Task": ("objective", "task_type", "task_id"),
    "ToolCall": ("tool_name", "tool_type", "task_type", "task_id"),
    "Paper": ("title", "identifier", "link"),
    "Evidence": ("content", "locator", "evidence_id"),
    "Claim": ("content", "locator", "claim_id"),
    "SourceFile": ("name", "path", "file_id"),
    "WebPage": ("title", "identifier", "url"),
    "DbRecord": ("title", "identifier"),
}
"""The properties a caption is taken from, first non-blank (contract/views.md §1.3)."""

WIDTH = 24
"""Columns of a caption's line; a Chinese character takes two."""

LINES = 3
"""Lines of a caption."""

_MORE = dict.fromkeys("WM@%ÆŒ—", 1.0) | dict.fromkeys("mw", 0.5)
"""What the widest letters need beyond the column that most of them fill."""

_LOOKED_AT = 400
"""Characters of a property that a caption may come from."""


def caption(label: str, props: Mapping[str, object]) -> str:
    """Return a node's short name, in one line, uncut up to a few hundred characters.

    Examples
    --------
    >>> caption("Artifact", {"artifact_id": "f", "version": 2, "path": "out/fig.png"})
    'fig.png v2'
    >>> caption("Code", {"code_id": "run-7", "tool": "run_python"})
    'run_python run-7'
    """
    if label == "Artifact":
        name = _first(props, ("path", "logical_name", "artifact_id"))
        tail = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
        version = props.get("version")
        return tail if version is None else f"{tail} v{version}"
    if label == "Code":  # its tool alone would name many runs alike
        return (
            " ".join(
                filter(None, (_first(props, ("tool",)), _first(props, ("code_id",))))
            )
            or label
        )
    found = _first(props, NAMED_BY.get(label, ("title", "name", "id")))
    return found or schema.public_id(label, props) or label or "node"


def _first(props: Mapping[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        value = props.get(name)
        if isinstance(value, str) and (text := " ".join(value[:_LOOKED_AT].split())):
            return plain(text)
    return ""


def wrap(text: str, width: int = WIDTH, lines: int = LINES) -> tuple[str, ...]:
    """Break a text into lines that fit, the last one with ``…`` if any is left.

    Parameters
    ----------
    text : str
        Any text; runs of blanks count as one.
    width : int
        Columns of a line.
    lines : int
        The most lines.

    Examples
    --------
    >>> wrap("bill depth and body mass of penguins", 16, 2)
    ('bill depth and', 'body mass of…')
    >>> wrap("企鹅的体重与喙的深度有关吗", 12, 2)
    ('企鹅的体重与', '喙的深度有…')
    """
    made: list[str] = []
    current = ""
    for piece in _pieces(text, width):
        joined = current + piece
        if _room(joined.rstrip()) <= width:
            current = joined if current or piece.strip() else ""
            continue
        made.append(current.rstrip())
        if len(made) == lines:
            return (*made[:-1], _ended(made[-1], width))
        current = piece.lstrip()
    return (*made, current.rstrip()) if current.strip() or not made else tuple(made)


def _pieces(text: str, width: int) -> Iterator[str]:
    """Give the words with the blank before each; wide characters one by one."""
    for word in re.findall(r"\s?[^\s]+", " ".join(text.split())):
        part = ""
        for character in word:
            if _room(part + character) > width or (part and _is_wide(character)):
                yield part
                part = ""
            part += character
            if _is_wide(character):
                yield part
                part = ""
        if part:
            yield part


def _room(text: str) -> float:
    """Return the columns a line may need in a proportional font, W and m included."""
    return width_of(text) + sum(_MORE.get(character, 0.0) for character in text)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _ended(line: str, width: int) -> str:
    while _room(line) > width - 1:
        line = line[:-1]
    return line.rstrip() + "…"
