# SPDX-License-Identifier: Apache-2.0
"""The sheet around a drawing: title and verdict above it, the legend below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smemkit.views import looks
from smemkit.views.figure.cards import SMALL, name_of
from smemkit.views.figure.drawing import (
    INK,
    QUIET,
    Drawing,
    Item,
    Mark,
    Stroke,
    Text,
    head,
)
from smemkit.views.figure.layered import HEAD, line_of
from smemkit.views.figure.typeset import Pen, broken, one_line
from smemkit.views.scene import Arrow

EDGE = 3.0
"""Millimetres of white around everything."""

TITLE = 8.0
LEAD = 6.5
LEGEND = 5.5
ROW = 3.4


@dataclass(frozen=True, slots=True)
class Caption:
    """What is written around a drawing.

    Attributes
    ----------
    title, lead : str
        Above it; the lead says the verdict.
    alarming : bool
        True if the lead is no good news.
    labels : Mapping of str to int
        The labels in it and how many nodes of each.
    arrows : sequence of Arrow
        One for each kind of line drawn.
    notes : sequence of str
        Below the legend.
    """

    title: str
    lead: str
    alarming: bool
    labels: Mapping[str, int]
    arrows: Sequence[Arrow]
    notes: Sequence[str]


def sheet(
    body: Drawing, caption: Caption, pen: Pen, words: Mapping[str, str]
) -> Drawing:
    """Return the whole figure; its height follows from what is on it."""
    made = Drawing(body.width)
    room = body.width - 2 * EDGE
    y = EDGE
    for line in broken(caption.title, room * 0.92, TITLE, pen, most=2):
        y += 3.2
        made.add([Text(EDGE, y, line, TITLE, INK, True)])
    y += 0.6
    colour = looks.BREAK if caption.alarming else QUIET
    for line in broken(caption.lead, room, LEAD, pen, most=3):
        y += 2.9
        made.add([Text(EDGE, y, line, LEAD, colour)])
    y += 4.0
    made.add(body.items, down=y)
    y += body.height + 5.0
    y = _legend(made, _entries(caption, pen, words), y, pen)
    for note in caption.notes:
        for line in broken(note, room, SMALL, pen, most=3):
            made.add([Text(EDGE, y + 1.0, line, SMALL, QUIET)])
            y += 2.5
    made.height = y + EDGE - 1.0
    return made


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the legend: what is drawn from the origin on, and its words."""

    items: tuple[Item, ...]
    indent: float
    text: str


def _entries(
    caption: Caption, pen: Pen, words: Mapping[str, str]
) -> list[list[_Entry]]:
    shapes = []
    for label, count in caption.labels.items():
        look = looks.look(label)
        mark = Mark(look.shape, 1.3, -0.65, 1.2, look.fill, look.rim)
        name = one_line(name_of(label, words), pen)[:60]
        shapes.append(_Entry((mark,), 3.4, f"{name} ({count:,})"))
    lines, seen = [], set()
    for arrow in caption.arrows:
        line = line_of(arrow.type, walked=True, inferred=False)
        if arrow.type in seen or not arrow.type:
            continue
        seen.add(arrow.type)
        stroke = Stroke(((0.0, -0.65), (5.6, -0.65)), *line)
        end = Mark(head(arrow.type), 6.3, -0.65, HEAD / 2, line[0], line[0], 0.9)
        lines.append(_Entry((stroke, end), 8.0, one_line(arrow.type, pen)[:60]))
    signs = []
    if any(arrow.inferred for arrow in caption.arrows):
        signs.append(_Entry((), 0.0, words["figure.inferred"]))
    if not all(arrow.walked for arrow in caption.arrows):
        signs.append(_Entry((), 0.0, words["figure.context"]))
    return [shapes, lines + signs]


def _legend(
    made: Drawing, groups: Sequence[Sequence[_Entry]], y: float, pen: Pen
) -> float:
    """Add the entries in rows; return where the next line goes."""
    for group in groups:
        x = EDGE
        for entry in group:
            text = pen.known(entry.text)
            wide = entry.indent + pen.width(text, LEGEND)
            if x > EDGE and x + wide > made.width - EDGE:
                x, y = EDGE, y + ROW
            made.add([_shifted(item, x) for item in entry.items], down=y)
            made.add([Text(x + entry.indent, y, text, LEGEND, INK)])
            x += wide + 3.6
        if group:
            y += ROW
    return y


def _shifted(item: Item, right: float) -> Item:
    match item:
        case Mark(shape, x, y, r, fill, rim, width, angle):
            return Mark(shape, x + right, y, r, fill, rim, width, angle)
        case Stroke(points, colour, width, dashes):
            shifted = tuple((x + right, y) for x, y in points)
            return Stroke(shifted, colour, width, dashes)
        case _:
            return item
