# SPDX-License-Identifier: Apache-2.0
"""A trace and a chain become scenes that show the same nodes, at the right places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.reading.trace import trace_provenance
from smemkit.schema import LABELS
from smemkit.views.scene import Scene
from smemkit.views.staging import scene_of
from tests.reading_graphs import Built
from tests.strategies import graphs


@st.composite
def traces(draw):
    graph = draw(graphs(max_nodes=16, max_edges=40))
    starts = sorted({n.public_id for n in graph.nodes() if n.public_id})
    if not starts:
        return None
    target = draw(st.sampled_from(["ResearchGoal", *LABELS]))
    hops = draw(st.integers(1, 9))
    start = draw(st.sampled_from(starts))
    return graph, trace_provenance(graph, start, target_label=target, max_hops=hops)


@given(traces())
def test_the_nodes_of_a_trace_and_of_its_scene_are_the_same(drawn):
    if drawn is None:
        return
    graph, trace = drawn
    for known in (None, graph):
        scene = scene_of(trace, known)
        assert sorted(box.id for box in scene.boxes) == sorted(
            view.id for view in trace.nodes
        )


@given(traces())
def test_each_layer_of_a_trace_stands_left_of_the_one_before(drawn):
    if drawn is None:
        return
    scene = scene_of(drawn[1], drawn[0])
    columns: dict[int, list[float]] = {}
    for box in scene.boxes:
        columns.setdefault(box.layer, []).append(box.x)
    for layer in range(1, len(columns)):
        assert max(columns[layer]) < min(columns[layer - 1])


@given(traces())
def test_no_two_boxes_stand_in_one_place(drawn):
    if drawn is None:
        return
    scene = scene_of(drawn[1], drawn[0])
    assert len({(box.x, box.y) for box in scene.boxes}) == len(scene.boxes)


@given(traces())
def test_every_box_but_the_start_tells_where_the_walk_came_from(drawn):
    if drawn is None:
        return
    trace = drawn[1]
    scene = scene_of(trace, drawn[0])
    boxes = {box.key: box for box in scene.boxes}
    told = sorted(
        (box.layer, box.via, boxes[box.origin].id, box.id)
        for box in scene.boxes
        if box.origin
    )
    walked = sorted(
        (hop.hop, hop.via_edge, hop.from_id, hop.node.id) for hop in trace.chain
    )
    assert told == walked


@given(traces())
def test_with_the_graph_every_arrow_of_a_hop_is_stored_or_stands_for_several(drawn):
    if drawn is None:
        return
    graph, trace = drawn
    names = {n.id: n.public_id for n in graph.nodes()}
    stored = {
        (names.get(e.src), names.get(e.dst), e.type) for e in graph.edges() if e.src
    }
    scene = scene_of(trace, graph)
    boxes = {box.key: box.id for box in scene.boxes}
    for arrow in scene.arrows:
        ends = (boxes[arrow.source], boxes[arrow.target], arrow.type)
        assert arrow.type == "next" or ends in stored


def line_of(count: int) -> Graph:
    """Return a session's line of `count` calls behind a goal."""
    built = Built().goal()
    before = "goal"
    for n in range(count):
        built.call(f"subtask:c{n}", tool_name=f"step {n}")
        built.edges(f"{before} next subtask:c{n}")
        before = f"subtask:c{n}"
    return built.graph


def test_a_walk_along_the_line_is_drawn_step_by_step():
    graph = line_of(5)
    trace = trace_provenance(graph, "subtask:c4", target_label="Paper")
    scene = scene_of(trace, graph)
    boxes = {box.key: box.id for box in scene.boxes}
    drawn = {(boxes[a.source], boxes[a.target]) for a in scene.arrows}
    assert ("subtask:c3", "subtask:c4") in drawn
    assert ("subtask:c0", "subtask:c1") in drawn
    assert ("subtask:c0", "subtask:c4") not in drawn


def test_a_broken_trace_is_marked_left_of_its_last_boxes(cases):
    with smemkit.open(cases / "app-store") as mem:
        scene = mem.show(mem.trace_provenance("orphan#v1")).scene
    assert scene.stop is not None
    assert scene.stop.kind == "broken"
    assert [scene.boxes[0].key] == list(scene.stop.at)
    assert scene.stop.x < scene.boxes[0].x


def test_a_trace_that_reaches_the_goal_marks_it_and_no_break(cases):
    with smemkit.open(cases / "app-store") as mem:
        scene = mem.show(mem.trace_provenance("report#v1")).scene
    assert scene.stop is None
    assert [box.label for box in scene.boxes if box.mark == "goal"] == ["ResearchGoal"]
    assert [box.id for box in scene.boxes if box.mark == "start"] == ["report#v1"]


def chain_scene(cases, kind: str) -> tuple[Scene, object]:
    with smemkit.open(cases / "app-store") as mem:
        chain = mem.chain("report#v1", kind)
        return mem.show(chain).scene, chain


def test_a_chain_is_drawn_with_all_its_nodes_and_edges(cases):
    scene, chain = chain_scene(cases, "viewCitedPaper")
    assert scene.ids == {view.id for view in chain.nodes}
    boxes = {box.key: box.id for box in scene.boxes}
    drawn = {(boxes[a.source], boxes[a.target], a.type) for a in scene.arrows}
    assert drawn == {(e.source, e.target, e.type) for e in chain.edges}


def test_in_a_chain_every_arrow_points_to_the_right(cases):
    scene, _ = chain_scene(cases, "viewCitedPaper")
    x = {box.key: box.x for box in scene.boxes}
    assert all(x[a.source] < x[a.target] for a in scene.arrows)


def test_a_chain_that_reaches_nothing_shows_its_start():
    mem = smemkit.open(":memory:")
    mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    scene = mem.show(mem.chain("fig", "viewProducingCode")).scene
    assert [(box.id, box.mark) for box in scene.boxes] == [("fig#v1", "start")]
    assert scene.reason == "nothing was reached"


def test_what_is_no_answer_cannot_be_drawn():
    with pytest.raises(BadRequest, match="trace_provenance"):
        scene_of("fig#v1")  # type: ignore[arg-type]


def test_an_audit_is_sent_to_what_shows_it() -> None:
    """A figure or the report view; both exist."""
    mem = smemkit.open(":memory:")
    mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    audit = mem.audit("report", text="Nothing.")

    with pytest.raises(BadRequest, match=r"an Audit; mem\.figure\(audit\).*ReportView"):
        mem.show(audit)
    assert mem.figure(audit).save
