# SPDX-License-Identifier: Apache-2.0
"""A still picture of a scene, as SVG: for a viewer that runs nothing.

An untrusted notebook removes frames and scripts and keeps an image; so the
picture stands in for the page. It holds no script, no link and no style sheet.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping

from smemkit.display import plain
from smemkit.views import looks
from smemkit.views.captions import wrap
from smemkit.views.outline import counted, headline
from smemkit.views.scene import Arrow, Box, Scene

R = 17.0
"""Pixels from a shape's middle to its rim."""

MARGIN = 120.0
HEAD = 58.0
LINE = 15.0

_FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"

CORNERS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    "diamond": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "triangle": ((0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
    "triangleDown": ((0, 1.1), (1.05, -0.8), (-1.05, -0.8)),
    "hexagon": ((-1.1, 0), (-0.55, -0.95), (0.55, -0.95), (1.1, 0), (0.55, 0.95), (-0.55, 0.95)),
    "star": ((0, -1.2), (0.28, -0.39), (1.14, -0.37), (0.46, 0.15), (0.71, 0.97),
             (0, 0.48), (-0.71, 0.97), (-0.46, 0.15), (-1.14, -0.37), (-0.28, -0.39)),
}  # fmt: skip
"""Corners of each shape of `looks` around (0, 0); what is not here is round."""


def picture(scene: Scene, words: Mapping[str, str]) -> str:
    """Return the scene as one SVG document on a white ground.

    Examples
    --------
    >>> from smemkit.views.scene import Box, Scene
    >>> from smemkit.views.strings import strings
    >>> box = Box("b0", "Claim", "c1", caption="<It fits>", mark="start")
    >>> "&lt;It fits&gt;" in picture(Scene("t", "", "", (box,), (), None, 1), strings("en"))
    True
    """
    points = [(box.x, box.y) for box in scene.boxes]
    if scene.stop is not None:
        points.append((scene.stop.x, scene.stop.y))
    left = min(x for x, _ in points) - MARGIN
    top = min(y for _, y in points) - 45.0
    width = max(max(x for x, _ in points) - left + MARGIN, 560.0)
    legend = _legend(scene, width)
    bottom = max(y for _, y in points) + 80.0
    height = bottom - top + HEAD + legend[1]
    places = {box.key: (box.x - left, box.y - top + HEAD) for box in scene.boxes}
    parts = [_arrow(arrow, places) for arrow in scene.arrows]
    parts += _stop(scene, places, left, top, words)
    parts += [_box(box, *places[box.key], words) for box in scene.boxes]
    parts.append(f'<g transform="translate(0 {bottom - top + HEAD:g})">{legend[0]}</g>')
    note = counted(scene, words) if scene.shown < scene.total else ""
    lines = [_text(14, 24, scene.title, size=15, bold=True, anchor="start")]
    lines.append(
        _text(14, 44, " · ".join(filter(None, (headline(scene, words), note))),
              colour=looks.BREAK if scene.verdict == "broken" else "#444", anchor="start")
    )  # fmt: skip
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{_FONT}" role="img">'
        f"<title>{_safe(scene.title)}</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(lines + parts)}</svg>'
    )


def _box(box: Box, x: float, y: float, words: Mapping[str, str]) -> str:
    look = looks.look(box.label)
    parts = []
    if box.mark:
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{R * 1.55:g}" fill="none" '
            f'stroke="{look.rim}" stroke-width="2"/>'
        )
    if box.stands_for > 1:
        parts.append(shape(look, x + 5, y - 5, state="stack"))
    parts.append(shape(look, x, y, state=box.state))
    mark = "✕ " if box.state == "failed" else ""
    for n, line in enumerate(wrap(mark + box.caption)):
        parts.append(_text(x, y + R + 18 + n * LINE, line))
    if box.mark == "goal":
        parts.append(_text(x, y - R - 14, words["goal"], size=11, colour="#444"))
    return f"<g><title>{_safe(f'{box.label} {box.id}')}</title>{''.join(parts)}</g>"


def shape(
    look: looks.Look, x: float, y: float, *, r: float = R, state: str = ""
) -> str:
    """Return one shape; what failed or is not done is drawn hollow."""
    solid = state in ("", "done", "stack")
    fill = look.fill if solid else "#fff"
    rim = looks.BREAK if state == "failed" else look.rim
    dashes = ' stroke-dasharray="4 3"' if state in ("open", "cancelled") else ""
    style = f'fill="{fill}" stroke="{rim}" stroke-width="2"{dashes}'
    corners = CORNERS.get(look.shape)
    if corners is None:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{r * 0.9:g}" {style}/>'
    points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {style}/>'


def _arrow(arrow: Arrow, places: Mapping[str, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = places[arrow.source], places[arrow.target]
    line = looks.line(arrow.type, {"inferred": arrow.inferred})
    # Within a column the arrow bends, so that it does not run through boxes.
    bend = 60.0 if x1 == x2 else 0.0
    mx, my = (x1 + x2) / 2 + bend, (y1 + y2) / 2
    ux, uy = _towards(x1, y1, mx, my)
    vx, vy = _towards(mx, my, x2, y2)
    ax, ay = x1 + ux * (R + 7), y1 + uy * (R + 7)
    bx, by = x2 - vx * (R + 12), y2 - vy * (R + 12)
    dashes = " ".join(map(str, line.dashes))
    faint = "" if arrow.walked else ' opacity="0.45"'
    head = " ".join(
        f"{px:.1f},{py:.1f}"
        for px, py in (
            (bx + vx * 7, by + vy * 7),
            (bx - vx * 3 - vy * 4, by - vy * 3 + vx * 4),
            (bx - vx * 3 + vy * 4, by - vy * 3 - vx * 4),
        )
    )
    style = f'stroke="{line.colour}" stroke-width="{2 if arrow.walked else 1.2}"'
    name = _text(mx - bend / 4, my - 5, arrow.type, size=10, colour=line.colour)
    return (
        f'<g{faint}><path d="M{ax:.1f} {ay:.1f}Q{mx:.1f} {my:.1f} {bx:.1f} {by:.1f}" {style} '
        f'fill="none" stroke-dasharray="{dashes or "none"}"/>'
        f'<polygon points="{head}" fill="{line.colour}"/>{name}</g>'
    )


def _towards(x1: float, y1: float, x2: float, y2: float) -> tuple[float, float]:
    length = max(math.hypot(x2 - x1, y2 - y1), 1.0)
    return (x2 - x1) / length, (y2 - y1) / length


def _stop(
    scene: Scene,
    places: Mapping[str, tuple[float, float]],
    left: float,
    top: float,
    words: Mapping[str, str],
) -> list[str]:
    stop = scene.stop
    if stop is None:
        return []
    x, y = stop.x - left, stop.y - top + HEAD
    dashed = f'stroke="{looks.BREAK}" stroke-width="2" stroke-dasharray="3 4"'
    parts = [
        f'<line x1="{x + 22:.1f}" y1="{y:.1f}" x2="{places[key][0] - R - 6:.1f}" '
        f'y2="{places[key][1]:.1f}" {dashed}/>'
        for key in stop.at[:8]
    ]
    broken = stop.kind == "broken"
    parts.append(
        f'<circle cx="{x:g}" cy="{y:g}" r="{R:g}" fill="#fff" {dashed}/>'
        + _text(
            x, y + 6, "✕" if broken else "…", size=17, colour=looks.BREAK, bold=True
        )
    )
    word = words["break" if broken else "stopped"]
    for n, line in enumerate(wrap(word)):
        parts.append(_text(x, y + R + 18 + n * LINE, line, colour=looks.BREAK))
    return parts


def _legend(scene: Scene, width: float) -> tuple[str, float]:
    """Return a row of shapes with the names of their labels, and its height."""
    parts = []
    x, y = 24.0, 10.0
    for label, count in scene.labels().items():
        name = f"{label or 'node'} ({count:,})"
        room = 34.0 + 7.0 * len(name)
        if x + room > width and x > 24.0:
            x, y = 24.0, y + 24.0
        parts.append(shape(looks.look(label), x, y, r=8))
        parts.append(_text(x + 14, y + 4, name, size=11, anchor="start"))
        x += room
    return "".join(parts), y + 24.0


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    colour: str = "#1b1f24",
    bold: bool = False,
    anchor: str = "middle",
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
        f'text-anchor="{anchor}"{weight} paint-order="stroke" stroke="#fff" stroke-width="3" '
        f'stroke-linejoin="round">{_safe(text)}</text>'
    )


def _safe(text: str) -> str:
    return html.escape(plain(text).encode("utf-8", "replace").decode())
