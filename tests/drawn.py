# SPDX-License-Identifier: Apache-2.0
"""What a drawing covers: boxes of texts, shapes and cards, and where lines run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

import smemkit
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Edge, Node
from smemkit.views.figure.canvas import canvas
from smemkit.views.figure.drawing import Drawing, Frame, Item, Mark, Stroke, Text
from smemkit.views.figure.font import pen, settings
from smemkit.views.figure.typeset import POINT

Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom, in millimetres."""

TOUCH = 0.05
"""Millimetres that count as touching, not as overlapping."""


def overlap(a: Bounds, b: Bounds) -> bool:
    return (
        min(a[2], b[2]) - max(a[0], b[0]) > TOUCH
        and min(a[3], b[3]) - max(a[1], b[1]) > TOUCH
    )


def within(a: Bounds, b: Bounds) -> bool:
    return (
        a[0] >= b[0] - TOUCH
        and a[1] >= b[1] - TOUCH
        and a[2] <= b[2] + TOUCH
        and a[3] <= b[3] + TOUCH
    )


def measured(drawing: Drawing) -> list[tuple[str, Bounds]]:
    """Return each text with the ink it covers, as matplotlib draws it."""
    from matplotlib.textpath import TextPath

    found = []
    with settings():
        for text in drawing.texts():
            font = pen().properties(text.size, bold=text.bold)
            ink = TextPath((0, 0), text.text, prop=font).get_extents()
            shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
            x = text.x - shift * pen().width(text.text, text.size, bold=text.bold)
            found.append(
                (
                    text.text,
                    (
                        x + ink.x0 * POINT,
                        text.y - ink.y1 * POINT,
                        x + ink.x1 * POINT,
                        text.y - ink.y0 * POINT,
                    ),
                )
            )
    return found


def extents(drawing: Drawing) -> list[tuple[str, Bounds]]:
    """Return each text with its box on the canvas, a second way of measuring."""
    with settings():
        made = canvas(drawing, 254.0)  # ten pixels to the millimetre
        made.canvas.draw()
        high = drawing.height
        boxes = [(t.get_text(), t.get_window_extent()) for t in made.axes[0].texts]
    return [
        (text, (b.x0 / 10, high - b.y1 / 10, b.x1 / 10, high - b.y0 / 10))
        for text, b in boxes
    ]


def estimated(drawing: Drawing) -> list[tuple[str, Bounds]]:
    """Return each text with the room a line of its size takes: quick."""
    found = []
    with settings():
        for text in drawing.texts():
            wide = pen().width(text.text, text.size, bold=text.bold)
            x = text.x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
            em = text.size * POINT
            found.append(
                (text.text, (x, text.y - 0.74 * em, x + wide, text.y + 0.2 * em))
            )
    return found


def shapes(drawing: Drawing) -> list[Bounds]:
    """Return the boxes of the shapes that stand for a label."""
    return [
        (m.x - 0.9 * m.r, m.y - 0.9 * m.r, m.x + 0.9 * m.r, m.y + 0.9 * m.r)
        for m in drawing.items
        if isinstance(m, Mark) and m.r > 1.0 and m.shape != "dot"
    ]


def cards(drawing: Drawing) -> list[tuple[str, Bounds]]:
    return [(c.key, (c.x, c.y, c.x + c.w, c.y + c.h)) for c in drawing.cards()]


def faults(drawing: Drawing, texts: list[tuple[str, Bounds]]) -> list[str]:
    """Return every overlap of texts, shapes, cards and the sheet's rim, in words."""
    page = (0.0, 0.0, drawing.width, drawing.height)
    frames = cards(drawing)
    found = [f"{name!r} leaves the sheet" for name, b in texts if not within(b, page)]
    found += [f"{key} leaves the sheet" for key, b in frames if not within(b, page)]
    found += [
        f"{a!r} on {b!r}" for (a, x), (b, y) in combinations(texts, 2) if overlap(x, y)
    ]
    found += [
        f"cards {a} and {b}"
        for (a, x), (b, y) in combinations(frames, 2)
        if overlap(x, y)
    ]
    found += [
        f"{name!r} on a shape"
        for name, b in texts
        for shape in shapes(drawing)
        if overlap(b, shape)
    ]
    found += [
        f"{name!r} crosses the rim of {key}"
        for name, b in texts
        for key, frame in frames
        if overlap(b, frame) and not within(b, frame)
    ]
    return found


def points_of(line: Stroke) -> Iterator[tuple[float, float]]:
    """Yield points along a line, also between its ends."""
    for n in range(1, 20):
        t = n / 20
        if len(line.points) == 4:
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        else:
            weights = (1 - t, t)
        xs = zip(weights, line.points, strict=True)
        x, y = 0.0, 0.0
        for weight, point in xs:
            x, y = x + weight * point[0], y + weight * point[1]
        yield x, y


def lines_through_cards(drawing: Drawing) -> list[str]:
    """Return the cards that a line runs through."""
    found = []
    for line in (item for item in drawing.items if isinstance(item, Stroke)):
        for x, y in points_of(line):
            for key, (left, top, right, bottom) in cards(drawing):
                if left + 0.1 < x < right - 0.1 and top + 0.1 < y < bottom - 0.1:
                    found.append(f"{key} at {x:.1f}, {y:.1f}")
    return found


def rewritten(graph: Graph, order: list[int]) -> Graph:
    """Return the same records as written down in another order, with other ids."""
    nodes = list(graph.nodes())
    edges = list(graph.edges())
    again = Graph()
    ids = {}
    for n, k in enumerate(sorted(range(len(nodes)), key=lambda k: order[k]), 1):
        node = nodes[k]
        ids[node.id] = f"m{n}"
        again.put_node(Node(f"m{n}", node.labels, node.props, n))
    mixed = sorted(range(len(edges)), key=lambda k: order[len(nodes) + k])
    for n, k in enumerate(mixed, 1):
        edge = edges[k]
        again.put_edge(
            Edge(f"q{n}", edge.type, ids[edge.src], ids[edge.dst], edge.props, n)
        )
    return again


def texts(drawing: Drawing) -> str:
    return "\n".join(t.text for t in drawing.items if isinstance(t, Text))


def long_session(steps: int = 50) -> Memory:
    """Return a memory of one session with six nodes to a step, some of them failed."""
    mem = smemkit.open(":memory:")
    noon = datetime(2026, 11, 2, 12, tzinfo=UTC)
    mem.observe_session_first_message(
        "long", core_objective="Which of the fifty models holds?", created_at=noon
    )
    for n in range(steps):
        at = noon + timedelta(minutes=3 * n + 1)
        if n % 3 == 2:
            links = [
                {"url": f"10.1/{n}.{k}", "title": f"Paper {n}.{k}"} for k in range(5)
            ]
            mem.observe_mcp_search(
                f"s{n}",
                source="arxiv",
                tool_type="search",
                records=links,
                retrieved_at=at,
            )
            mem.declare_evidence(
                f"Finding {n} of a paper",
                source_paper_link=f"10.1/{n}.0",
                created_at=at + timedelta(minutes=1),
            )
            continue
        mem.observe_execution(
            f"e{n}",
            tool="run_python",
            status="failed" if n % 10 == 7 else "succeeded",
            finished_at=at,
            created_at=at,
        )
        for k in range(4):
            mem.declare_artifact(
                f"out/{n}.{k}.csv",
                artifact_id=f"a{n}.{k}",
                code_id=f"e{n}",
                created_at=at,
            )
    return mem


def unnamed(drawing: Drawing) -> list[Item]:
    """Return all that reaches the file: everything but the keys of the cards."""
    return [
        replace(item, key="") if isinstance(item, Frame) else item
        for item in drawing.items
    ]
