# SPDX-License-Identifier: Apache-2.0
"""A drawing in millimetres becomes an SVG, PDF or PNG file, through matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from smemkit.views.figure.drawing import Drawing, Frame, Item, Mark, Stroke, Text
from smemkit.views.figure.font import pen, settings
from smemkit.views.picture import CORNERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MOST_PIXELS = 30_000
"""Pixels of a PNG's longer side; a larger one is drawn with fewer to the inch."""


def canvas(drawing: Drawing, dpi: float) -> Canvas:
    """Return matplotlib's figure with everything on it; call within `settings`."""
    from matplotlib.figure import Figure

    size = (drawing.width / 25.4, drawing.height / 25.4)
    made = Figure(figsize=size, dpi=dpi, facecolor="white")
    axes = made.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, drawing.width)
    axes.set_ylim(drawing.height, 0.0)
    for n, item in enumerate(drawing.items):
        _put(axes, item, n)
    return made


def rendered(
    drawing: Drawing, kind: str, metadata: Mapping[str, str | None], *, dpi: float
) -> bytes:
    """Return the bytes of a file of one format: svg, pdf or png."""
    out = io.BytesIO()
    longest = max(drawing.width, drawing.height) / 25.4
    dpi = min(dpi, MOST_PIXELS / longest)
    with settings():
        canvas(drawing, dpi).savefig(out, format=kind, dpi=dpi, metadata=dict(metadata))
    return out.getvalue()


def _put(axes: Axes, item: Item, order: int) -> None:
    """Put one item on the canvas."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    if isinstance(item, Text):
        axes.text(
            item.x,
            item.y,
            item.text,
            fontproperties=pen().properties(item.size, bold=item.bold),
            color=item.colour,
            ha={"start": "left", "middle": "center", "end": "right"}[item.anchor],
            va="baseline",
            zorder=order,
            parse_math=False,
        )
        return
    points, codes, closed = _outline(item)
    look = _paint(item)
    axes.add_patch(
        PathPatch(
            Outline(points, codes, closed=closed),
            zorder=order,
            capstyle="butt",
            joinstyle="round",
            **look,
        )
    )


def _paint(item: Frame | Mark | Stroke) -> Mapping[str, Any]:
    if isinstance(item, Stroke):
        dashes = (0.0, item.dashes) if item.dashes else "solid"
        return {
            "facecolor": "none",
            "edgecolor": item.colour,
            "linewidth": item.width,
            "linestyle": dashes,
        }
    dashes = (0.0, item.dashes) if isinstance(item, Frame) and item.dashes else "solid"
    hollow = isinstance(item, Mark) and item.shape.startswith(("hollow", "ring"))
    fill = "white" if hollow else item.fill
    if isinstance(item, Mark) and item.shape in ("open arrow", "cross", "bar"):
        fill = "none"
    return {
        "facecolor": fill or "none",
        "edgecolor": item.rim or "none",
        "linewidth": item.width if item.rim else 0.0,
        "linestyle": dashes,
    }


_M, _L, _C, _Z = 1, 2, 4, 79
_HEADS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "arrow": ((1.0, 0.0), (-1.0, -0.75), (-1.0, 0.75)),
}
_STROKES: Mapping[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "open arrow": (((-1.0, 0.0), (1.0, 0.0)), ((-0.6, -0.9), (1.0, 0.0), (-0.6, 0.9))),
    "bar": (((-1.0, 0.0), (1.0, 0.0)), ((0.9, -0.9), (0.9, 0.9))),
    "cross": (((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8))),
}


def _outline(
    item: Frame | Mark | Stroke,
) -> tuple[list[tuple[float, float]], list[int], bool]:
    """Return the points of an item and what joins them."""
    if isinstance(item, Stroke):
        points = list(item.points)
        rest = _C if len(points) == 4 else _L
        return points, [_M, *([rest] * (len(points) - 1))], False
    if isinstance(item, Frame):
        x, y, w, h = item.x, item.y, item.w, item.h
        return _polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    turn = -1.0 if item.angle == 180.0 else 1.0
    if item.shape in _STROKES:
        points, codes = [], []
        for stroke in _STROKES[item.shape]:
            points += [_at(item, turn * dx, dy) for dx, dy in stroke]
            codes += [_M, *([_L] * (len(stroke) - 1))]
        return points, codes, False
    corners = _corners(item.shape)
    return _polygon([_at(item, turn * dx, dy) for dx, dy in corners])


def _corners(shape: str) -> tuple[tuple[float, float], ...]:
    name = shape.removeprefix("hollow ")
    if name in _HEADS:
        return _HEADS[name]
    if shape in CORNERS:
        return CORNERS[shape]
    steps = 24
    turns = (2 * math.pi * n / steps for n in range(steps))
    return tuple((round(math.cos(t), 6), round(math.sin(t), 6)) for t in turns)


def _at(item: Mark, dx: float, dy: float) -> tuple[float, float]:
    return item.x + item.r * dx, item.y + item.r * dy


def _polygon(
    points: list[tuple[float, float]],
) -> tuple[list[tuple[float, float]], list[int], bool]:
    return [*points, points[0]], [_M, *([_L] * (len(points) - 1)), _Z], True
