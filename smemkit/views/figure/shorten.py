# SPDX-License-Identifier: Apache-2.0
"""What stays of a layer that is too tall for a page; the rest is counted by label."""

from __future__ import annotations

from dataclasses import replace

from smemkit.views.scene import Arrow, Box, Scene

_URGENT = ("unknown alias", "unlinked claim", "broken", "truncated", "superseded")


def shortened(scene: Scene, most: int) -> Scene:
    """Return the scene with at most so many boxes in a layer, and stacks for the rest.

    What is marked, the way to it, what failed or is at fault, and where the
    chain breaks stay first; then what more lines lead to.

    Parameters
    ----------
    scene : Scene
        The boxes need layers.
    most : int
        Boxes of a layer, stacks included where there is one label.
    """
    moved, stacks = _stacks(scene, most)
    boxes = [box for box in scene.boxes if box.key not in moved]
    stop = scene.stop
    if stop is not None:
        at = dict.fromkeys(moved.get(key, key) for key in stop.at)
        stop = replace(stop, at=tuple(at))
    arrows: dict[tuple[str, str, str, bool], Arrow] = {}
    for arrow in scene.arrows:
        ends = (
            moved.get(arrow.source, arrow.source),
            moved.get(arrow.target, arrow.target),
        )
        if ends[0] != ends[1]:
            new = replace(arrow, source=ends[0], target=ends[1])
            arrows.setdefault((*ends, arrow.type, arrow.walked), new)
    return replace(
        scene, boxes=(*boxes, *stacks), arrows=tuple(arrows.values()), stop=stop
    )


def _stacks(scene: Scene, most: int) -> tuple[dict[str, str], list[Box]]:
    """Return which box goes into which stack, and the stacks."""
    layers: dict[int, list[Box]] = {}
    for box in scene.boxes:
        layers.setdefault(box.layer, []).append(box)
    rank = _ranks(scene)
    moved: dict[str, str] = {}
    stacks: list[Box] = []
    for layer, boxes in layers.items():
        if len(boxes) <= most:
            continue
        chosen = sorted(boxes, key=lambda box: rank[box.key])[: max(1, most - 1)]
        kept = {box.key for box in chosen}
        rest: dict[str, list[Box]] = {}
        for box in boxes:
            if box.key not in kept:
                rest.setdefault(box.label, []).append(box)
        labels = {box.label for box in chosen}
        for label in sorted(rest):
            key = f"s{layer}.{label}"
            count = sum(box.stands_for for box in rest[label])
            if len(rest[label]) == 1:
                continue
            mark = "more" if label in labels else ""
            stacks.append(Box(key, label, layer=layer, mark=mark, stands_for=count))
            moved.update((box.key, key) for box in rest[label])
    return moved, stacks


def _ranks(scene: Scene) -> dict[str, tuple[int, int, int]]:
    """Return for each box how soon it may go: the lowest stay longest."""
    boxes = {box.key: box for box in scene.boxes}
    first: set[str] = set()
    ends = [box.key for box in scene.boxes if box.mark]
    ends += scene.stop.at[:2] if scene.stop is not None else ()
    for key in ends:
        while key and key not in first:
            first.add(key)
            key = boxes[key].origin
    lines = dict.fromkeys(boxes, 0)
    for arrow in scene.arrows:
        lines[arrow.source] += 1
        lines[arrow.target] += 1
    found = {}
    for n, box in enumerate(scene.boxes):
        urgent = box.state == "failed" or box.verdict in _URGENT
        grade = 0 if box.key in first else 1 if urgent or box.stands_for > 1 else 2
        found[box.key] = (grade, -lines[box.key], n)
    return found
