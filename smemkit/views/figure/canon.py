# SPDX-License-Identifier: Apache-2.0
"""A scene in an order of its own, so that the order of writing leaves no trace."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from smemkit import instants
from smemkit.views.scene import Arrow, Box, Scene


def canonical(scene: Scene) -> Scene:
    """Return the scene with boxes and arrows in an order that their content decides.

    Boxes are sorted by layer, time of creation, label and id, and numbered anew;
    arrows by their ends. Two memories that hold the same give the same scene,
    in whatever order it was written down.
    """
    boxes = sorted_boxes(scene.boxes)
    keys = {box.key: f"b{n}" for n, box in enumerate(boxes)}
    rank = {box.key: n for n, box in enumerate(boxes)}
    arrows = sorted(
        scene.arrows,
        key=lambda a: (rank[a.source], rank[a.target], a.type, a.walked, a.inferred),
    )
    stop = scene.stop
    if stop is not None:
        stop = replace(stop, at=tuple(keys[k] for k in sorted(stop.at, key=rank.get)))  # type: ignore[arg-type]
    return replace(
        scene,
        boxes=tuple(
            replace(box, key=keys[box.key], origin=keys.get(box.origin, ""))
            for box in boxes
        ),
        arrows=tuple(
            Arrow(keys[a.source], keys[a.target], a.type, a.walked, a.inferred)
            for a in arrows
        ),
        stop=stop,
    )


def sorted_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Return boxes in the order that their content decides."""
    return sorted(boxes, key=_order)


def moment(box: Box) -> str:
    """Return when a node was created, in a form that sorts; nodes without come last.

    Examples
    --------
    >>> moment(Box("b", "Claim", fields=(("created_at", "2026-10-02T08:00:00Z"),)))
    '2026-10-02T08:00:00+00:00'
    >>> moment(Box("b", "Code"))
    '~'
    """
    for name, value in box.fields:
        if name == "created_at":
            found = instants.parse(value)
            return "~" if found is None else found.isoformat()
    return "~"


def _order(box: Box) -> tuple[int, str, str, str, str, str, str]:
    return (
        box.layer,
        moment(box),
        box.label,
        (box.id or "~").rjust(9) if (box.id or "~").isdigit() else box.id or "~",
        box.session_id or "",
        box.text,
        json.dumps(sorted(box.fields)),
    )
