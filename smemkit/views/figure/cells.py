# SPDX-License-Identifier: Apache-2.0
"""What of a session stands in which cell of a sheet, and what of it is only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from smemkit.views.explorer.session import Session
from smemkit.views.figure.canon import sorted_boxes
from smemkit.views.scene import Box

LANES = (
    "steps", "inside", "files", "code", "artifacts", "papers", "findings", "other"
)  # fmt: skip
"""The lanes of a sheet from top to bottom."""

NAMED = frozenset({"steps", "inside"})
"""Lanes whose stacks say what they hold."""


@dataclass(frozen=True, slots=True)
class Density:
    """How much is drawn one by one: lines of a name, cards of a cell, steps of a column."""

    lines: int
    cards: int
    steps: int


DENSITIES = (
    Density(3, 1_000, 1),
    Density(3, 4, 1),
    Density(2, 3, 1),
    Density(2, 2, 1),
    Density(2, 1, 1),
    *(Density(2, 1, n) for n in (2, 3, 4, 6, 8, 12, 16, 24, 40, 80, 160, 400)),
    *(Density(2, 1, 10**n) for n in (3, 4, 5, 6, 7)),
)
"""From the finest on; the first that fits a page is taken."""


@dataclass(slots=True)
class Cells:
    """The boxes of each cell, by column and lane, and the card that shows each node."""

    boxes: dict[tuple[int, str], list[Box]] = field(default_factory=dict)
    shown_by: dict[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[int]:
        """The columns that hold anything."""
        return sorted({column for column, _ in self.boxes})

    @property
    def alone(self) -> int:
        """How many nodes are drawn one by one."""
        return sum(b.stands_for == 1 for cell in self.boxes.values() for b in cell)


def cells(made: Session, density: Density) -> Cells:
    """Return the cells of a session, those with too many cards thinned.

    Parameters
    ----------
    made : Session
        The session, whole.
    density : Density
        How much is drawn one by one.
    """
    rank = {c: n for n, c in enumerate(sorted({spot.column for spot in made.spots}))}
    full: dict[tuple[int, str], list[Box]] = {}
    for spot in made.spots:
        n = rank[spot.column]
        # The goal's column is never merged with a step's.
        group = 0 if n == 0 else 1 + (n - 1) // density.steps
        lane = spot.lane if spot.lane in LANES else "other"
        full.setdefault((group, lane), []).append(spot.box)
    found = Cells()
    for place, inside in sorted(full.items()):
        cell = sorted_boxes(inside)
        found.shown_by.update((box.key, box.key) for box in cell)
        found.boxes[place] = _thinned(cell, density.cards, place, found.shown_by)
    return found


def _thinned(
    cell: list[Box], most: int, place: tuple[int, str], shown_by: dict[str, str]
) -> list[Box]:
    """Return a cell with so many cards; the rest is counted, label by label."""
    if len(cell) <= most:
        return cell
    # What failed is what a reader looks for: it stays, if there is little of it.
    failed = [box.key for box in cell if box.state == "failed"]
    kept = set(failed if len(failed) <= max(1, most - 1) else ())
    for box in cell:
        if len(kept) < most - 1:
            kept.add(box.key)
    rest: dict[str, list[Box]] = {}
    for box in cell:
        if box.key not in kept:
            rest.setdefault(box.label, []).append(box)
    kept |= {boxes[0].key for boxes in rest.values() if len(boxes) == 1}
    labels = {box.label for box in cell if box.key in kept}
    stacks = []
    for label in sorted(rest):
        if len(rest[label]) > 1:
            key = f"s{place[0]}.{place[1]}.{label}"
            shown_by.update((box.key, key) for box in rest[label])
            names = _names(rest[label]) if place[1] in NAMED else ""
            more = "more" if label in labels else ""
            stacks.append(_stack(key, label, names, len(rest[label]), more))
    return [*(box for box in cell if box.key in kept), *stacks]


def _stack(key: str, label: str, names: str, count: int, mark: str) -> Box:
    return Box(key, label, caption=names, text=names, mark=mark, stands_for=count)


def _names(boxes: list[Box]) -> str:
    counts: Mapping[str, int] = Counter(
        f"✕ {box.caption}" if box.state == "failed" else box.caption for box in boxes
    )
    return "; ".join(n if k == 1 else f"{n} × {k}" for n, k in counts.items())
