# SPDX-License-Identifier: Apache-2.0
"""Which slot of which column: cards, and room for the lines that pass between them.

A line that leads over several columns has a slot of its own in each of them, so
it never runs through a card. In a column the slots are put in the order that
makes the fewest lines cross, and each as near to its neighbours as its place in
that order allows.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean

from smemkit.views.figure.cards import Card
from smemkit.views.scene import Arrow

GAP = 2.4
"""Millimetres between two cards of a column."""

NARROW = 1.3
"""Millimetres that a passing line takes."""

TAG = 3.4
"""Millimetres that a line's number takes where it goes on elsewhere."""

SWEEPS = 8


@dataclass(slots=True, eq=False)
class Slot:
    """A place in a column: a card's, or that of a line on its way."""

    column: int
    height: float
    card: Card | None = None
    tag: str = ""
    y: float = 0.0
    left: list[Slot] = field(default_factory=list, repr=False)
    right: list[Slot] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class Track:
    """One piece of a line, between slots of two columns side by side."""

    near: Slot
    far: Slot
    type: str
    walked: bool
    inferred: bool
    forward: bool


@dataclass(slots=True)
class Columns:
    """All slots, column by column, and the lines between them."""

    columns: list[list[Slot]]
    tracks: list[Track] = field(default_factory=list)
    loops: list[tuple[Slot, Slot, Arrow]] = field(default_factory=list)


def arranged(
    cards: Sequence[Sequence[Card]],
    arrows: Iterable[Arrow],
    margins: Sequence[int],
    *,
    fixed: bool = False,
) -> Columns:
    """Return the cards and lines in slots, in good order.

    Parameters
    ----------
    cards : sequence of sequence of Card
        The cards of each column, from left to right; empty for a margin.
    arrows : iterable of Arrow
        The edges between their boxes.
    margins : sequence of int
        The columns in which a line ends with a number, or goes on from one.
    fixed : bool, default False
        Keep the second column as it is given: it is read from top to bottom.
    """
    found = Columns([[] for _ in cards])
    slots: dict[str, Slot] = {}
    for n, column in enumerate(cards):
        for card in column:
            slots[card.box.key] = Slot(n, card.height, card)
            found.columns[n].append(slots[card.box.key])
    _thread(found, slots, arrows, frozenset(margins))
    _order(found.columns, 1 if fixed else -1)
    return found


def _thread(
    found: Columns,
    slots: dict[str, Slot],
    arrows: Iterable[Arrow],
    margins: frozenset[int],
) -> None:
    """Give each line its slots; lines of one kind from one card share theirs."""
    passing: dict[tuple[object, ...], Slot] = {}
    pieces: dict[tuple[object, ...], Track] = {}
    for arrow in arrows:
        source, target = slots[arrow.source], slots[arrow.target]
        if source.column == target.column:
            found.loops.append((source, target, arrow))
            continue
        forward = source.column < target.column
        first, last = (source, target) if forward else (target, source)
        kind = (arrow.type, arrow.walked, arrow.inferred, forward)
        before = first
        for n in range(first.column + 1, last.column + 1):
            if n == last.column:
                slot = last
            else:
                key = (id(first), *kind, n)
                if key not in passing:
                    height = TAG if n in margins else NARROW
                    passing[key] = Slot(n, height)
                    found.columns[n].append(passing[key])
                slot = passing[key]
            piece = (id(before), id(slot), *kind)
            if piece not in pieces:
                pieces[piece] = Track(before, slot, *kind)
                before.right.append(slot)
                slot.left.append(before)
            before = slot
    found.tracks += pieces.values()


def _order(columns: list[list[Slot]], fixed: int) -> None:
    """Sort each column by its neighbours, from left and right in turn."""
    best = [list(column) for column in columns]
    fewest = _crossings(columns)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        rightwards = sweep % 2 == 0
        walk = columns if rightwards else columns[::-1]
        for before, column in pairwise(walk):
            if column and column[0].column == fixed:
                continue
            rank = {id(slot): n for n, slot in enumerate(before)}
            here = {id(slot): n for n, slot in enumerate(column)}
            column.sort(
                key=lambda slot, rank=rank, here=here, side=rightwards: _centre(  # type: ignore[misc]
                    slot.left if side else slot.right, rank, here[id(slot)]
                )
            )
        crossed = _crossings(columns)
        if crossed < fewest:
            best, fewest = [list(column) for column in columns], crossed
    columns[:] = best


def _centre(beside: list[Slot], rank: dict[int, int], own: float) -> float:
    known = [rank[id(slot)] for slot in beside]
    return mean(known) if known else own


def _crossings(columns: list[list[Slot]]) -> int:
    """Count the pairs of lines that cross between columns side by side."""
    crossed = 0
    for column in columns[1:]:
        if not column:
            continue
        rank: dict[int, int] = {}
        before = {id(slot) for each in column for slot in each.left}
        left = columns[column[0].column - 1]
        rank = {id(slot): n for n, slot in enumerate(left) if id(slot) in before}
        pairs = sorted(
            (rank[id(slot)], n) for n, each in enumerate(column) for slot in each.left
        )
        seen: list[int] = []
        for _, n in pairs:
            crossed += len(seen) - bisect_right(seen, n)
            insort(seen, n)
    return crossed


def placed(columns: Sequence[Sequence[Slot]]) -> float:
    """Give the slots of one band their heights; return how high the band is."""
    high = max((_stacked(column) for column in columns), default=0.0)
    for column in columns:
        top = (high - _stacked(column)) / 2
        for slot, y in zip(column, _piled(column), strict=True):
            slot.y = y + top
    for sweep in range(4):
        walk = columns if sweep % 2 == 0 else columns[::-1]
        for column in walk:
            wanted = [_wanted(slot, left=sweep % 2 == 0) for slot in column]
            _settle(column, wanted, high)
    return high


def _wanted(slot: Slot, *, left: bool) -> float:
    beside = (slot.left or slot.right) if left else (slot.right or slot.left)
    return mean(other.y for other in beside) if beside else slot.y


def _between(upper: Slot, lower: Slot) -> float:
    """Return how far apart the middles of two slots must be at least."""
    gap = GAP if upper.card or lower.card else 0.0
    return (upper.height + lower.height) / 2 + gap


def _piled(column: Sequence[Slot]) -> list[float]:
    """Return the middles of a column's slots as close to each other as may be."""
    found: list[float] = []
    for n, slot in enumerate(column):
        above = found[-1] + _between(column[n - 1], slot) if n else slot.height / 2
        found.append(above)
    return found


def _stacked(column: Sequence[Slot]) -> float:
    return _piled(column)[-1] + column[-1].height / 2 if column else 0.0


def _settle(column: Sequence[Slot], wanted: Sequence[float], high: float) -> None:
    """Put slots as near to where they want to be as order and room allow.

    Slots that would overlap move together: their mean wish counts (the pool of
    adjacent violators, the least squares under an order).
    """
    if not column:
        return
    least = _piled(column)
    room = high - _stacked(column)
    blocks: list[list[float]] = []  # sum of wishes, count
    for y, floor in zip(wanted, least, strict=True):
        blocks.append([y - floor, 1.0])
        while len(blocks) > 1 and _level(blocks[-2]) > _level(blocks[-1]):
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    levels = [_level(block) for block in blocks for _ in range(int(block[1]))]
    for slot, floor, level in zip(column, least, levels, strict=True):
        slot.y = floor + min(max(level, 0.0), room)


def _level(block: list[float]) -> float:
    return block[0] / block[1]
