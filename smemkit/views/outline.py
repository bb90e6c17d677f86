# SPDX-License-Identifier: Apache-2.0
"""The scene as text: what a screen reader, a terminal and a bare file show."""

from __future__ import annotations

from collections.abc import Mapping

from smemkit.display import plain
from smemkit.views.captions import wrap
from smemkit.views.scene import Box, Scene

TEXT = 100
"""Columns of a node's caption in the outline."""


def outline(scene: Scene, words: Mapping[str, str]) -> str:
    """Return the scene as indented text, the start first, layer by layer.

    Examples
    --------
    >>> from smemkit.views.strings import strings
    >>> from smemkit.views.scene import Box, Scene
    >>> box = Box("b0", "Claim", "c1", caption="It fits.", mark="start")
    >>> print(outline(Scene("Claim c1", "", "", (box,), (), None, 1), strings("en")))
    Claim c1
      Claim c1: It fits. (start)
    """
    lines = [plain(scene.title)]
    names = {box.key: plain(box.id or box.caption) for box in scene.boxes}
    if scene.verdict:
        lines.append(headline(scene, words))
    for box in in_order(scene):
        lines.append(f"  {_hop(box, names, words)}{_line(box, words)}")
        lines += [f"      {relation}" for relation in _onward(box, scene, names)]
    if scene.stop is not None:
        mark = "✕" if scene.stop.kind == "broken" else "…"
        word = words["break" if scene.stop.kind == "broken" else "stopped"]
        lines.append(f"  {mark} {word}: {plain(scene.stop.why.said(words))}")
    if scene.shown < scene.total:
        lines.append(counted(scene, words))
    return "\n".join(lines)


def headline(scene: Scene, words: Mapping[str, str]) -> str:
    """Return the verdict in a sentence, or an empty text."""
    if not scene.verdict:
        return words["why.chain.empty"] if scene.reason else ""
    reason = "" if scene.stop is None else plain(scene.stop.why.said(words))
    sentence = words[f"{scene.verdict}.words"].format(reason=reason)
    return f"{words[scene.verdict]}: {sentence}"


def counted(scene: Scene, words: Mapping[str, str]) -> str:
    """Return how many nodes are drawn of how many."""
    return words["shown"].format(shown=f"{scene.shown:,}", total=f"{scene.total:,}")


def in_order(scene: Scene) -> list[Box]:
    """Return the boxes as they are read: by layer, from top to bottom."""
    return sorted(scene.boxes, key=lambda box: (box.layer, box.y, box.x))


def _line(box: Box, words: Mapping[str, str]) -> str:
    if box.stands_for > 1:
        return plain(box.caption)
    caption = " ".join(wrap(box.caption, TEXT, 1))
    name = " ".join(filter(None, (plain(box.label) or "node", plain(box.id))))
    marks = [words[box.mark]] if box.mark else []
    if box.state in ("failed", "cancelled", "open"):
        marks.append(words[f"state.{box.state}"])
    return f"{name}: {caption}" + (f" ({', '.join(marks)})" if marks else "")


def _hop(box: Box, names: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Return how a trace came to this box: the hop, the edge, and from where."""
    if not box.origin:
        return ""
    hop = words["hop"].format(n=box.layer)
    via = plain(box.via)
    if box.several:
        via = words["several"].format(type=via)
    return f"{hop} · {via} · {names[box.origin]} ← "


def _onward(box: Box, scene: Scene, names: Mapping[str, str]) -> list[str]:
    """Return the edges that lead on from a box, where a scene has no hops."""
    return [
        f"→ {plain(arrow.type)} {names[arrow.target]}"
        for arrow in scene.arrows
        if arrow.source == box.key and not scene.leftwards
    ]
