# SPDX-License-Identifier: Apache-2.0
"""Where do the boxes of a session's picture stand? Columns in time, lanes below each other.

A long session goes on in another band, as a text goes on in another line. The
page moves boxes by the same rule when a fold is opened (page/places.js); a
test holds the two against each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from smemkit.views.explorer.lanes import LANES
from smemkit.views.layout import STEP_X, STEP_Y
from smemkit.views.scene import Box, Scene

ROWS = 4
"""Boxes below each other in one cell; a cell with more grows to the right."""

LEAST = 12
"""Columns of the first band before a second one is begun."""

SLENDER = 2.1
"""How much wider than high: columns of a band per root of all columns."""

LANE_GAP = 26.0
BAND_GAP = 110.0


def place(scene: Scene, lanes: Mapping[str, str]) -> Scene:
    """Return the scene with a place for each box.

    Parameters
    ----------
    scene : Scene
        Each box's layer is its column.
    lanes : Mapping
        The lane of each box, by its key.

    Examples
    --------
    >>> boxes = (Box("a", "Task", layer=1), Box("b", "Code", layer=1))
    >>> made = place(Scene("t", "", "", boxes, (), None, 2), {"a": "steps", "b": "code"})
    >>> [(box.x, box.y) for box in made.boxes]
    [(0.0, 56.0), (0.0, 194.0)]
    """
    cells: dict[int, dict[str, list[Box]]] = {}
    for box in scene.boxes:
        cells.setdefault(box.layer, {}).setdefault(lanes[box.key], []).append(box)
    columns = sorted(cells)
    widths = {c: max(-(-len(b) // ROWS) for b in cells[c].values()) for c in columns}
    total = sum(widths.values())
    length = max(LEAST, round(SLENDER * math.sqrt(total)))
    at: dict[str, tuple[float, float]] = {}
    top = 0.0
    for band in _bands(columns, widths, length):
        for lane in LANES:
            rows = 0
            for column, x in band:
                cell = cells[column].get(lane, [])
                high = -(-len(cell) // widths[column])
                rows = max(rows, high)
                for k, box in enumerate(cell):
                    at[box.key] = (
                        (x + k // high) * STEP_X,
                        top + (k % high + 0.5) * STEP_Y,
                    )
            top += rows * STEP_Y + LANE_GAP if rows else 0.0
        top += BAND_GAP
    boxes = tuple(replace(b, x=at[b.key][0], y=at[b.key][1]) for b in scene.boxes)
    return replace(scene, boxes=boxes)


def _bands(
    columns: list[int], widths: Mapping[int, int], length: int
) -> list[list[tuple[int, int]]]:
    """Return bands of columns, each column with where it begins in its band."""
    bands: list[list[tuple[int, int]]] = [[]]
    used = 0
    for column in columns:
        if bands[-1] and used + widths[column] > length:
            bands.append([])
            used = 0
        bands[-1].append((column, used))
        used += widths[column]
    return bands
