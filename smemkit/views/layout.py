# SPDX-License-Identifier: Apache-2.0
"""Where each box of a scene stands: columns from left to right, no two in one place."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TypeAlias

from smemkit.views.scene import Box, Scene

STEP_X = 195.0
"""Pixels from one column to the next, at scale 1: a caption and an edge's type fit."""

STEP_Y = 112.0
"""Pixels from one row to the next: a shape and three lines of caption fit."""

COLUMN = 8
"""Boxes in one column; a layer with more stands in several, as tiles on a roof."""

ROW = 14
"""Columns in one row of a chain; a longer one goes on below, in rows of equal length."""

_Block: TypeAlias = tuple[list[Box], int, list[tuple[int, float]]]
"""One layer: its boxes, how many columns they take, and their places in them."""


def by_layer(scene: Scene) -> Scene:
    """Return a trace's scene with places: the start at the right, the goal at the left.

    In a column the boxes follow the boxes they were met from, so that no two
    arrows of the walk cross.
    """
    layers: dict[int, list[Box]] = {}
    for box in scene.boxes:
        layers.setdefault(box.layer, []).append(box)
    rows: dict[str, float] = {}
    placed: list[Box] = []
    x = 0.0
    for number in sorted(layers):
        boxes = layers[number]
        boxes.sort(key=lambda box: rows.get(box.origin, 0.0))
        columns, places = _tiles(len(boxes))
        for box, (column, y) in zip(boxes, places, strict=True):
            rows[box.key] = y
            placed.append(replace(box, x=x - column * STEP_X, y=y))
        x -= columns * STEP_X
    return _with_stop(replace(scene, boxes=tuple(placed)))


def ranked(scene: Scene) -> Scene:
    """Return a chain's scene with layers: each box behind everything that leads to it.

    An edge that closes a cycle is passed over; `supersedes` counts from the old
    version to the new one, so that time runs from left to right.
    """
    ahead: dict[str, list[str]] = {box.key: [] for box in scene.boxes}
    for arrow in scene.arrows:
        if arrow.source != arrow.target:
            ends = (arrow.source, arrow.target)
            first, then = ends[::-1] if arrow.type == "supersedes" else ends
            ahead[first].append(then)
    rank = dict.fromkeys(ahead, 0)
    order = _in_order(ahead)
    for key in order:
        for then in ahead[key]:
            rank[then] = max(rank[then], rank[key] + 1)
    for key in reversed(order):  # as far right as what follows allows: short arrows
        if ahead[key]:
            rank[key] = min(rank[then] for then in ahead[key]) - 1
    boxes = tuple(replace(box, layer=rank[box.key]) for box in scene.boxes)
    return replace(scene, boxes=boxes)


def in_rows(scene: Scene) -> Scene:
    """Return a chain's scene with places, at most `ROW` columns to a row."""
    layers: dict[int, list[Box]] = {}
    for box in scene.boxes:
        layers.setdefault(box.layer, []).append(box)
    near = _neighbours(scene)
    rows: dict[str, float] = {}
    blocks: list[_Block] = []
    for number in sorted(layers):
        boxes = layers[number]
        boxes.sort(key=lambda box: _height(box, near, rows))
        columns, places = _tiles(len(boxes))
        rows.update((b.key, y) for b, (_, y) in zip(boxes, places, strict=True))
        blocks.append((boxes, columns, places))
    placed: list[Box] = []
    top = 0.0
    for line in _lines(blocks):
        middle = top + max(places[-1][1] for _, _, places in line)
        x = 0.0
        for boxes, columns, places in line:
            for box, (column, y) in zip(boxes, places, strict=True):
                placed.append(replace(box, x=x + column * STEP_X, y=middle + y))
            x += columns * STEP_X
        top = max(box.y for box in placed) + 1.5 * STEP_Y
    return replace(scene, boxes=tuple(placed))


def _lines(blocks: list[_Block]) -> list[list[_Block]]:
    """Cut the layers into rows of about equal length, none longer than `ROW`."""
    width = sum(columns for _, columns, _ in blocks)
    length = width / -(-width // ROW)
    made: list[list[_Block]] = []
    used = 0
    for block in blocks:
        if not made or used >= len(made) * length - 1e-9:
            made.append([])
        made[-1].append(block)
        used += block[1]
    return made


def _tiles(count: int) -> tuple[int, list[tuple[int, float]]]:
    """Return how many columns a layer takes, and a place in them for each box.

    Neighbours stand in different columns, half a step lower, so that a layer
    twice as long is not twice as high and no caption meets another.
    """
    columns = -(-count // COLUMN)
    step = STEP_Y / columns
    return columns, [(k % columns, (k - (count - 1) / 2) * step) for k in range(count)]


def _in_order(ahead: dict[str, list[str]]) -> list[str]:
    """Return the keys so that each stands before those ahead of it.

    Depth first without recursion; what closes a cycle is taken out of `ahead`.
    """
    finished: list[str] = []
    state: dict[str, int] = {}
    for root in ahead:
        if root in state:
            continue
        state[root] = 1
        path = [(root, iter(tuple(ahead[root])))]
        while path:
            key, rest = path[-1]
            then = next(rest, None)
            if then is None:
                state[key] = 2
                finished.append(key)
                path.pop()
            elif state.get(then) == 1:
                ahead[key] = [other for other in ahead[key] if other != then]
            elif then not in state:
                state[then] = 1
                path.append((then, iter(tuple(ahead[then]))))
    return finished[::-1]


def _neighbours(scene: Scene) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for arrow in scene.arrows:
        if arrow.walked:
            found.setdefault(arrow.source, []).append(arrow.target)
            found.setdefault(arrow.target, []).append(arrow.source)
    return found


def _height(box: Box, near: dict[str, list[str]], rows: dict[str, float]) -> float:
    """Return the mean height of the neighbours that have a place."""
    known = [rows[key] for key in near.get(box.key, ()) if key in rows]
    return mean(known) if known else 0.0


def _with_stop(scene: Scene) -> Scene:
    """Put the mark of a break left of the boxes at which the walk ended."""
    if scene.stop is None:
        return scene
    ends = [box for box in scene.boxes if box.key in scene.stop.at]
    stop = replace(
        scene.stop,
        x=min(box.x for box in ends) - STEP_X,
        y=mean(box.y for box in ends),
    )
    return replace(scene, stop=stop)
