# SPDX-License-Identifier: Apache-2.0
"""What is left out of a scene that holds more than a screen can show."""

from __future__ import annotations

from dataclasses import replace

from smemkit.views.scene import Arrow, Box, Scene, stack

MOST = 2_000
"""Nodes that are drawn one by one; a scene with more is folded."""

KEPT = 300
"""Nodes of a folded scene that stay."""


def fold(scene: Scene, most: int = MOST, kept: int = KEPT) -> Scene:
    """Return the scene with the rest of each layer in one stack, if it is too large.

    The start, what was looked for, the ways between them and the boxes where a
    chain breaks stay first, then the nearest layers. Nothing is lost without a
    word: the stacks count what they stand for.

    Parameters
    ----------
    scene : Scene
        The boxes need layers, and no places yet.
    most : int, default 2000
        A scene of so many nodes or fewer is left as it is.
    kept : int, default 300
        How many stay.
    """
    if len(scene.boxes) <= most:
        return scene
    chosen = _chosen(scene, kept)
    hidden: dict[int, list[Box]] = {}
    for box in scene.boxes:
        if box.key not in chosen:
            hidden.setdefault(box.layer, []).append(box)
    stacks = [stack(f"s{layer}", boxes) for layer, boxes in hidden.items()]
    moved = {box.key: f"s{layer}" for layer, boxes in hidden.items() for box in boxes}
    boxes = sorted(
        [*(b for b in scene.boxes if b.key in chosen), *stacks],
        key=lambda box: box.layer,
    )
    boxes = [replace(b, origin=moved.get(b.origin, b.origin)) for b in boxes]
    stop = scene.stop
    if stop is not None:
        at = dict.fromkeys(moved.get(key, key) for key in stop.at)
        stop = replace(stop, at=tuple(at))
    return replace(
        scene, boxes=tuple(boxes), arrows=_moved(scene.arrows, moved), stop=stop
    )


def _chosen(scene: Scene, kept: int) -> set[str]:
    """Return the keys that stay: ways to marked boxes, then the nearest layers."""
    toward: dict[str, str] = {}
    layers = {box.key: box.layer for box in scene.boxes}
    for arrow in scene.arrows:
        if arrow.walked:
            ends = (arrow.source, arrow.target)
            near, far = sorted(ends, key=lambda key: layers[key])
            toward.setdefault(far, near)
    ends_first = [box.key for box in scene.boxes if box.mark]
    ends_first += (scene.stop.at if scene.stop else ())[:20]
    chosen: set[str] = set()
    for key in ends_first:
        step: str | None = key
        while step is not None and step not in chosen and len(chosen) < kept:
            chosen.add(step)
            step = toward.get(step)
    for box in sorted(scene.boxes, key=lambda box: box.layer):
        if len(chosen) >= kept:
            break
        chosen.add(box.key)
    return chosen


def _moved(arrows: tuple[Arrow, ...], moved: dict[str, str]) -> tuple[Arrow, ...]:
    """Return the arrows between what is left, each once."""
    found: dict[tuple[str, str, str], Arrow] = {}
    for arrow in arrows:
        source = moved.get(arrow.source, arrow.source)
        target = moved.get(arrow.target, arrow.target)
        if source != target:
            ends = (source, target, arrow.type)
            found.setdefault(ends, replace(arrow, source=source, target=target))
    return tuple(found.values())
