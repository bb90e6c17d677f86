# SPDX-License-Identifier: Apache-2.0
"""A session on a sheet: its steps from left to right in time, below each what it led to.

A row of steps that is too long goes on below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from smemkit.views.explorer.session import Session
from smemkit.views.figure.cards import SMALL, Card, card
from smemkit.views.figure.cells import LANES, Cells, Density, cells
from smemkit.views.figure.drawing import (
    QUIET,
    Drawing,
    Frame,
    Item,
    Mark,
    Point,
    Stroke,
    Text,
    head,
)
from smemkit.views.figure.layered import HEAD, line_of
from smemkit.views.figure.typeset import Pen
from smemkit.views.scene import Arrow, Box

SIDE = 4.0
CARD = 17.0
"""Millimetres of the narrowest card."""

WIDEST = 30.0
GUTTER = 5.0
GAP = 1.8
LANE_HEAD = 3.6
BAND_GAP = 5.0
MEET = 3.0
"""Millimetres from a card's top to where a step's line meets it."""

NEAR = 40.0
"""Millimetres within which two cards of one lane stand in the same row of columns."""

STRIPE = "#f3f4f6"
RAIL = "#9aa1a9"


@dataclass(slots=True)
class _Sheet:
    """A sheet under way, from behind to front: stripes, lines, cards."""

    width: float
    pen: Pen
    words: Mapping[str, str]
    lines: int
    height: float = 0.0
    behind: list[Item] = field(default_factory=list)
    middle: list[Item] = field(default_factory=list)
    front: list[Item] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=dict)

    def card(self, box: Box, width: float) -> Card:
        return card(box, width, self.pen, self.words, lines=self.lines)

    def drawing(self) -> Drawing:
        items = [*self.behind, *self.middle, *self.front]
        return Drawing(self.width, self.height, items)


def timeline(
    made: Session,
    width: float,
    pen: Pen,
    words: Mapping[str, str],
    *,
    density: Density,
) -> tuple[Drawing, list[Arrow], int]:
    """Return the drawing of a session, the lines drawn, and how many nodes stand alone.

    Parameters
    ----------
    made : Session
        The session, whole.
    width : float
        Millimetres.
    pen, words
        The font and the captions.
    density : Density
        How much is drawn one by one.
    """
    found = cells(made, density)
    columns = found.columns
    fit = max(1, int((width - 2 * SIDE + GUTTER) // (CARD + GUTTER)))
    rows = max(1, -(-len(columns) // fit))
    per = max(1, -(-len(columns) // rows))
    wide = min(WIDEST, (width - 2 * SIDE - (per - 1) * GUTTER) / per)
    sheet = _Sheet(width, pen, words, density.lines)
    for k in range(0, len(columns), per):
        band = columns[k : k + per]
        xs = {c: SIDE + n * (wide + GUTTER) for n, c in enumerate(band)}
        _band(sheet, found, xs, wide)
        sheet.height += BAND_GAP
    sheet.height = max(0.0, sheet.height - BAND_GAP)
    drawn = _line(sheet, made, found)
    return sheet.drawing(), drawn, found.alone


def _band(sheet: _Sheet, found: Cells, xs: Mapping[int, float], wide: float) -> None:
    """Draw one row of columns, lane by lane."""
    below: dict[int, list[float]] = {}
    lowest: dict[int, Frame] = {}
    for lane in LANES:
        stacks = {
            c: [sheet.card(box, wide) for box in found.boxes.get((c, lane), ())]
            for c in xs
        }
        high = max(sum(each.height + GAP for each in s) for s in stacks.values())
        if not high:
            continue
        top = sheet.height + (_stripe(sheet, lane, high) if lane != "steps" else 0.0)
        for c, stack in stacks.items():
            y = top
            for each in stack:
                sheet.front += each.draw(xs[c], y)
                frame = Frame(xs[c], y, wide, each.height, key=each.box.key)
                sheet.frames[each.box.key] = frame
                if c in lowest and lane not in ("steps", "inside"):
                    below.setdefault(c, []).append(y + each.height / 2)
                elif lane in ("steps", "inside"):
                    lowest[c] = frame
                y += each.height + GAP
        sheet.height = top + high + 0.8
    for c, middles in below.items():
        _rail(sheet, lowest[c], middles)


def _stripe(sheet: _Sheet, lane: str, high: float) -> float:
    """Draw a lane's ground and name; return how far below its cards begin."""
    wide = sheet.width - 2 * SIDE + 5.6
    name = sheet.words[f"figure.lane.{lane}"]
    sheet.behind.append(
        Frame(SIDE - 2.8, sheet.height, wide, high + LANE_HEAD - 0.4, "", STRIPE)
    )
    sheet.behind.append(Text(SIDE + 0.3, sheet.height + 1.9, name, SMALL, QUIET))
    return LANE_HEAD


def _rail(sheet: _Sheet, step: Frame, middles: Sequence[float]) -> None:
    """Draw the line from a step down along what its column holds."""
    x = step.x - 1.5
    start = step.y + step.h - 0.9
    corners: list[tuple[Point, ...]] = [
        ((step.x, start), (x, start)),
        ((x, start), (x, max(middles))),
        *(((x, y), (step.x, y)) for y in middles),
    ]
    sheet.middle += [Stroke(corner, RAIL, 0.6) for corner in corners]


def _line(sheet: _Sheet, made: Session, found: Cells) -> list[Arrow]:
    """Draw the session's line and the ways into scopes; return each kind drawn."""
    steps = {
        box.key
        for (_, lane), cell in found.boxes.items()
        if lane in ("steps", "inside")
        for box in cell
    }
    drawn: dict[tuple[str, str, str], bool] = {}
    for src, dst, kind, inferred in made.edges:
        ends = found.shown_by[f"k{src}"], found.shown_by[f"k{dst}"]
        if (
            kind in ("next", "contains")
            and steps.issuperset(ends)
            and len(set(ends)) > 1
        ):
            drawn[(*ends, kind)] = drawn.get((*ends, kind), True) and inferred
    order = {key: n for n, key in enumerate(sheet.frames)}
    kinds: dict[tuple[str, bool], Arrow] = {}
    for source, target, kind in sorted(
        drawn, key=lambda e: (order[e[0]], order[e[1]], e[2])
    ):
        inferred = drawn[source, target, kind]
        _step(
            sheet, sheet.frames[source], sheet.frames[target], kind, inferred=inferred
        )
        kinds.setdefault((kind, inferred), Arrow("", "", kind, True, inferred))
    return list(kinds.values())


def _top(frame: Frame) -> float:
    return frame.y


def _step(sheet: _Sheet, a: Frame, b: Frame, kind: str, *, inferred: bool) -> None:
    """Draw one line between two steps: straight, down into a scope, or to a new row."""
    line = line_of(kind, walked=True, inferred=inferred)
    tip = Mark(head(kind), b.x - HEAD / 2, b.y + MEET, HEAD / 2, line[0], line[0], 0.9)
    start, end = (a.x + a.w, a.y + MEET), (b.x - HEAD, b.y + MEET)
    rows_apart = b.y - a.y
    if abs(rows_apart) < 0.01 and b.x > a.x:
        ways: list[tuple[Point, ...]] = [(start, end)]
    elif kind == "contains" and b.x > a.x and 0 < rows_apart < a.h + 12.0:
        x = a.x + a.w - 2.0
        ways = [((x, a.y + a.h), (x, end[1])), ((x, end[1]), end)]
    elif 0 < b.x - start[0] < GUTTER + 0.1 and abs(rows_apart) < NEAR:
        x = (start[0] + b.x) / 2
        ways = [(start, (x, start[1]), (x, end[1]), end)]
    elif b.x == a.x and abs(rows_apart) < NEAR:  # a stack below what it was left by
        x, upper, lower = a.x + a.w / 2, min(a, b, key=_top), max(a, b, key=_top)
        ways = [((x, upper.y + upper.h), (x, lower.y))]
        tip = replace(tip, shape="dot", x=x, y=lower.y, r=0.4)
    else:  # it goes on in another row: a stub at either end
        ways = [(start, (start[0] + 2.6, start[1])), ((b.x - 3.4, end[1]), end)]
    sheet.middle += [Stroke(way, *line) for way in ways]
    sheet.middle.append(tip)
