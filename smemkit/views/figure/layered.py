# SPDX-License-Identifier: Apache-2.0
"""A scene in columns from left to right, in rows of columns where one is too short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from smemkit.views import looks
from smemkit.views.figure.cards import SMALL, Card, card, stop_card
from smemkit.views.figure.columns import (
    TAG,
    Columns,
    Slot,
    Track,
    arranged,
    placed,
)
from smemkit.views.figure.drawing import (
    INK,
    PAPER,
    Drawing,
    Mark,
    Point,
    Stroke,
    Text,
    head,
    pale,
)
from smemkit.views.figure.typeset import Pen
from smemkit.views.scene import Arrow, Scene

SIDE = 4.0
"""Millimetres left and right of everything: lines within a column bend there."""

LEAST = 14.6
"""Millimetres of the narrowest card."""

MOST = 46.0
GUTTER = 4.6
WIDE_GUTTER = 14.0
BAND_GAP = 6.0
HEAD = 1.5
"""Millimetres of a line's head."""


@dataclass(frozen=True, slots=True)
class Grid:
    """How wide cards and gaps are, and which columns stand in one band."""

    card: float
    gutter: float
    bands: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, width: float, columns: int) -> Grid:
        """Return the grid for so many columns on so many millimetres."""
        room = width - 2 * SIDE
        fit = max(2, int((room + GUTTER) // (LEAST + GUTTER)))
        count = -(-columns // fit)
        if count > 1:  # a band's ends need room for the numbers of its lines
            fit = max(2, int((room - 2 * (TAG + GUTTER) + GUTTER) // (LEAST + GUTTER)))
            count = -(-columns // fit)
        per = -(-columns // count)
        bands = tuple(
            tuple(range(k, min(k + per, columns))) for k in range(0, columns, per)
        )
        ends = 2 * (TAG + GUTTER) if count > 1 else 0.0
        wanted = min(WIDE_GUTTER, max(GUTTER, 17.0 - 2.0 * per))
        card_width = min(MOST, (room - ends - (per - 1) * wanted) / per)
        card_width = max(card_width, min(LEAST, room))
        left = room - ends - per * card_width
        gutter = min(WIDE_GUTTER, left / (per - 1)) if per > 1 else GUTTER
        return cls(card_width, gutter, bands)


def layered(
    scene: Scene,
    width: float,
    pen: Pen,
    words: Mapping[str, str],
    *,
    lines: int = 4,
    fixed: bool = False,
) -> tuple[Drawing, bool]:
    """Return the drawing of a scene with layers, and whether its lines have numbers.

    Parameters
    ----------
    scene : Scene
        With `leftwards`, layer 0 stands at the right.
    width : float
        Millimetres.
    pen, words
        The font and the captions.
    lines : int, default 4
        The most lines of a name.
    fixed : bool, default False
        Keep the order of the second column.
    """
    numbers = sorted({box.layer for box in scene.boxes})
    if scene.stop is not None:
        numbers.append(numbers[-1] + 1)
    if scene.leftwards:
        numbers.reverse()
    grid = Grid.of(width, len(numbers))
    cards: list[list[Card]] = [
        [
            card(box, grid.card, pen, words, lines=lines)
            for box in scene.boxes
            if box.layer == number
        ]
        for number in numbers
    ]
    arrows = list(scene.arrows)
    if scene.stop is not None:
        last = 0 if scene.leftwards else -1
        reason = scene.stop.why.said(words)
        stop = stop_card(scene.stop.kind, reason, grid.card, pen, words)
        cards[last].append(stop)
        arrows += [Arrow("stop", key, "stop") for key in scene.stop.at[:8]]
    return _drawn(_banded(cards, arrows, grid, fixed=fixed), grid, width), len(
        grid.bands
    ) > 1


@dataclass(frozen=True, slots=True)
class _Bands:
    """The slots, and which columns of them make each band."""

    found: Columns
    rows: tuple[tuple[int, ...], ...]
    margins: frozenset[int]


def _banded(
    cards: list[list[Card]], arrows: Sequence[Arrow], grid: Grid, *, fixed: bool
) -> _Bands:
    """Put a margin column at each end of a band where lines leave it."""
    spread: list[Sequence[Card]] = []
    rows, margins = [], []
    for n, band in enumerate(grid.bands):
        begin = len(spread)
        if n:
            margins.append(len(spread))
            spread.append(())
        spread += [cards[k] for k in band]
        if n < len(grid.bands) - 1:
            margins.append(len(spread))
            spread.append(())
        rows.append(tuple(range(begin, len(spread))))
    found = arranged(spread, arrows, margins, fixed=fixed)
    return _Bands(found, tuple(rows), frozenset(margins))


def _drawn(bands: _Bands, grid: Grid, width: float) -> Drawing:
    drawing = Drawing(width)
    left = {}
    band_of = {n: k for k, row in enumerate(bands.rows) for n in row}
    for row in bands.rows:
        xs = _places(row, bands.margins, grid, width)
        left.update(xs)
        columns = [bands.found.columns[n] for n in row]
        _apart(columns, bands.margins)
        high = placed(columns)
        for slot in (slot for column in columns for slot in column):
            slot.y += drawing.height
        drawing.height += high + BAND_GAP
    drawing.height -= BAND_GAP
    sizes = {n: TAG if n in bands.margins else grid.card for n in range(len(band_of))}
    _lines(drawing, bands, left, sizes, grid, band_of)
    _numbers(drawing, bands, left, band_of)
    for column in bands.found.columns:
        for slot in column:
            if slot.card is not None:
                drawing.add(slot.card.draw(left[slot.column], slot.y - slot.height / 2))
    return drawing


def _places(
    row: Sequence[int], margins: frozenset[int], grid: Grid, width: float
) -> dict[int, float]:
    """Return the left edge of each column of a band, the band in the middle."""
    sizes = [TAG if n in margins else grid.card for n in row]
    gaps = [
        GUTTER if a in margins or b in margins else grid.gutter
        for a, b in pairwise(row)
    ]
    taken = sum(sizes) + sum(gaps)
    x = max(SIDE, (width - taken) / 2) if len(row) == 1 or not margins else SIDE
    found = {}
    for n, size, gap in zip(row, sizes, [*gaps, 0.0], strict=True):
        found[n] = x
        x += size + gap
    return found


def _apart(columns: list[list[Slot]], margins: frozenset[int]) -> None:
    """Forget neighbours in another band: they say nothing about the height here."""
    if not columns:
        return
    for slot in columns[0]:
        if slot.column in margins:
            slot.left = []
    for slot in columns[-1]:
        if slot.column in margins:
            slot.right = []


def _lines(
    drawing: Drawing,
    bands: _Bands,
    left: Mapping[int, float],
    sizes: Mapping[int, float],
    grid: Grid,
    band_of: Mapping[int, int],
) -> None:
    ports = _ports(bands.found.tracks)
    # What the answer rests on is drawn last, in front of the rest.
    for track in sorted(bands.found.tracks, key=lambda track: track.walked):
        near, far = track.near, track.far
        line = line_of(track.type, walked=track.walked, inferred=track.inferred)
        if band_of[near.column] != band_of[far.column]:
            continue
        x1 = left[near.column] + sizes[near.column]
        x2 = left[far.column]
        y1 = near.y + ports.get((id(near), "r", _kind(track)), 0.0)
        y2 = far.y + ports.get((id(far), "l", _kind(track)), 0.0)
        ends_at_far = far.card is not None and track.forward
        ends_at_near = near.card is not None and not track.forward
        a = x1 + (HEAD if ends_at_near else 0.0)
        b = x2 - (HEAD if ends_at_far else 0.0)
        drawing.add([_bezier((a, y1), (b, y2), line)])
        if ends_at_far:
            drawing.add([_head(track.type, x2, y2, 0.0, line)])
        if ends_at_near:
            drawing.add([_head(track.type, x1, y1, 180.0, line)])
        if near.card is None and near.column not in bands.margins:
            drawing.add([Stroke(((left[near.column], near.y), (x1, near.y)), *line)])
    for n, (source, target, arrow) in enumerate(bands.found.loops):
        line = line_of(arrow.type, walked=arrow.walked, inferred=arrow.inferred)
        x = left[source.column] + sizes[source.column]
        bend = min(grid.gutter, SIDE) * (0.55 + 0.15 * (n % 3))
        y1, y2 = source.y - 0.8, target.y + 0.8
        curve = ((x, y1), (x + bend, y1), (x + bend, y2), (x + HEAD * 0.6, y2))
        drawing.add([Stroke(curve, *line), _head(arrow.type, x, y2, 180.0, line)])


Line = tuple[str, float, tuple[float, ...]]


def line_of(edge_type: str, *, walked: bool, inferred: bool) -> Line:
    """Return colour, width in points and dashes of a line."""
    if edge_type == "stop":
        return looks.BREAK, 0.9, (1.6, 1.6)
    found = looks.line(edge_type, {"inferred": inferred})
    dashes = tuple(float(d) * 0.45 for d in found.dashes)
    if walked:
        return found.colour, 0.9, dashes
    return pale(found.colour, 0.4), 0.45, dashes


def _bezier(start: Point, end: Point, line: Line) -> Stroke:
    bend = (end[0] - start[0]) * 0.5
    middle = ((start[0] + bend, start[1]), (end[0] - bend, end[1]))
    return Stroke((start, *middle, end), *line)


def _head(edge_type: str, x: float, y: float, angle: float, line: Line) -> Mark:
    """Return the head whose tip is at a place, pointing right at 0 degrees."""
    shape = "cross" if edge_type == "stop" else head(edge_type)
    back = HEAD / 2 if angle == 0.0 else -HEAD / 2
    return Mark(
        shape, x - back, y, HEAD / 2, line[0], line[0], max(line[1], 0.6), angle
    )


def _kind(track: Track) -> tuple[str, bool, bool, bool]:
    return track.type, track.walked, track.inferred, track.forward


def _ports(tracks: Sequence[Track]) -> dict[tuple[object, ...], float]:
    """Return where on a card's side the lines of each kind meet it, from its middle."""
    sides: dict[tuple[int, str], dict[tuple[str, bool, bool, bool], list[float]]] = {}
    heights: dict[int, float] = {}
    for track in tracks:
        for slot, side, other in (
            (track.near, "r", track.far),
            (track.far, "l", track.near),
        ):
            if slot.card is not None:
                heights[id(slot)] = slot.height
                kinds = sides.setdefault((id(slot), side), {})
                kinds.setdefault(_kind(track), []).append(other.y)
    found: dict[tuple[object, ...], float] = {}
    for (slot_id, side), kinds in sides.items():
        order = sorted(
            kinds, key=lambda kind: (sum(kinds[kind]) / len(kinds[kind]), kind)
        )
        step = min(1.9, (heights[slot_id] - 1.6) / max(1, len(order)))
        for n, kind in enumerate(order):
            found[slot_id, side, kind] = (n - (len(order) - 1) / 2) * step
    return found


def _numbers(
    drawing: Drawing,
    bands: _Bands,
    left: Mapping[int, float],
    band_of: Mapping[int, int],
) -> None:
    """Number the lines that go on in the next band, at both of their ends."""
    crossing = [
        t for t in bands.found.tracks if band_of[t.near.column] != band_of[t.far.column]
    ]
    crossing.sort(key=lambda t: (t.near.column, t.near.y))
    for n, track in enumerate(crossing, 1):
        for slot in (track.near, track.far):
            colour = line_of(track.type, walked=track.walked, inferred=False)[0]
            x = left[slot.column] + TAG / 2
            drawing.add([Mark("dot", x, slot.y, TAG / 2 * 0.92, PAPER, colour)])
            size = SMALL if n < 100 else SMALL - 1.2
            drawing.add([Text(x, slot.y + 0.62, str(n), size, INK, False, "middle")])
