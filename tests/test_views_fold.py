# SPDX-License-Identifier: Apache-2.0
"""A scene too large for a screen is folded, and says so."""

from __future__ import annotations

from smemkit.answers import Reason
from smemkit.views import fold as folding
from smemkit.views.layout import by_layer
from smemkit.views.outline import outline
from smemkit.views.scene import Arrow, Box, Scene, Stop
from smemkit.views.strings import strings


def star(count: int) -> Scene:
    """Return a start, `count` papers behind it, and a goal behind the last paper."""
    papers = [
        Box(f"p{n}", "Paper", f"paper {n}", layer=1, origin="start")
        for n in range(count)
    ]
    goal = Box(
        "g", "ResearchGoal", "goal", layer=2, mark="goal", origin=f"p{count - 1}"
    )
    arrows = [Arrow(paper.key, "start", "supports") for paper in papers]
    arrows.append(Arrow("g", papers[-1].key, "next"))
    start = Box("start", "Artifact", "fig#v1", mark="start")
    boxes = (start, *papers, goal)
    return Scene("t", "complete", "", boxes, tuple(arrows), None, len(boxes), True)


def test_a_scene_that_fits_is_left_as_it_is():
    scene = star(20)
    assert folding.fold(scene) is scene


def test_a_folded_scene_keeps_the_way_to_the_goal_and_counts_the_rest():
    scene = folding.fold(star(2_500))
    kept = {box.key for box in scene.boxes}
    assert {"start", "p2499", "g"} <= kept
    assert scene.shown == folding.KEPT
    assert sum(box.stands_for for box in scene.boxes) == scene.total == 2_502
    assert len({(box.x, box.y) for box in by_layer(scene).boxes}) == len(scene.boxes)


def test_a_folded_scene_says_how_many_of_how_many_it_shows():
    text = outline(folding.fold(star(2_500)), strings("en"))
    assert "showing 300 of 2,502 nodes" in text
    assert "2,202 more Paper" in text


def test_arrows_of_what_is_folded_lead_to_the_stack_once():
    scene = folding.fold(star(2_500))
    keys = {box.key for box in scene.boxes}
    assert all({a.source, a.target} <= keys for a in scene.arrows)
    assert sum(a.source == "s1" for a in scene.arrows) == 1


def test_a_break_at_folded_boxes_is_marked_at_their_stack():
    broken = star(2_500)
    papers = [box for box in broken.boxes if box.label == "Paper"]
    stop = Stop("broken", Reason("trace.broken"), tuple(p.key for p in papers))
    scene = Scene(
        "t",
        "broken",
        "no upstream",
        broken.boxes[:-1],
        broken.arrows[:-1],
        stop,
        2_501,
        True,
    )
    folded = folding.fold(scene)
    assert folded.stop is not None
    assert set(folded.stop.at) <= {box.key for box in folded.boxes}
