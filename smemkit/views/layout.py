# SPDX-License-Identifier: Apache-2.0
"""Where each box of a scene stands: columns from left to right, no two in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from statistics import mean

from smemkit.views.scene import Box, Scene

STEP_X = 195.0
"""Pixels from one column to the next, at scale 1: a caption and an edge's type fit."""

STEP_Y = 112.0
"""Pixels from one row to the next: a shape and three lines of caption fit."""

COLUMN = 12
"""Boxes in one column; a layer with more takes several columns."""

ROW = 14
"""Columns in one row of a chain; a longer one goes on below, in rows of equal length."""


def by_layer(scene: Scene) -> Scene:
    """Return a trace's scene with places: the start at the right, the goal at the left.

    In a column the boxes follow the boxes they were met from, so that no two
    arrows of the walk cross.
    """
    layers: dict[int, list[Box]] = {}
    for box in scene.boxes:
        layers.setdefault(box.layer, []).append(box)
    near = _neighbours(scene)
    rows: dict[str, float] = {}
    placed: list[Box] = []
    x = 0.0
    for number in sorted(layers):
        boxes = layers[number]
        boxes.sort(key=lambda box: _height(box, near, rows))
        blocks = [boxes[k : k + COLUMN] for k in range(0, len(boxes), COLUMN)]
        for block in blocks:
            for box, y in zip(block, _spread(len(block)), strict=True):
                rows[box.key] = y
                placed.append(replace(box, x=x, y=y))
            x -= STEP_X
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
    columns: list[list[Box]] = []
    rows: dict[str, float] = {}
    for number in sorted(layers):
        boxes = layers[number]
        boxes.sort(key=lambda box: _height(box, near, rows))
        columns += [boxes[k : k + COLUMN] for k in range(0, len(boxes), COLUMN)]
        for box, y in zip(boxes, _spread(len(boxes)), strict=True):
            rows[box.key] = y
    placed: list[Box] = []
    top = 0.0
    lines = -(-len(columns) // ROW)
    length = -(-len(columns) // lines)
    for k in range(0, len(columns), length):
        line = columns[k : k + length]
        height = max(map(len, line))
        middle = top + (height - 1) * STEP_Y / 2
        for n, column in enumerate(line):
            for box, y in zip(column, _spread(len(column)), strict=True):
                placed.append(replace(box, x=n * STEP_X, y=middle + y))
        top += height * STEP_Y + STEP_Y / 2
    return replace(scene, boxes=tuple(placed))


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


def _spread(count: int) -> Iterable[float]:
    return [(k - (count - 1) / 2) * STEP_Y for k in range(count)]


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
