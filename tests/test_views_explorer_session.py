# SPDX-License-Identifier: Apache-2.0
"""A session as plain data: every node once, folds that add up, places that differ."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.reading.order import visible
from smemkit.views.explorer.carried import carried
from smemkit.views.explorer.session import session
from smemkit.views.fold import MOST
from smemkit.views.strings import strings
from tests.reading_graphs import Built
from tests.strategies import graphs


def scoped(products: int = 2) -> Built:
    """Return a session with a subagent whose two calls made some files."""
    built = Built().goal(core_objective="Why?").call("subtask:a")
    built.node("Task", "subtask:subagent:x", task_type="subagent")
    for n in (1, 2):
        built.call(f"c{n}", parent_subtask_id="subtask:subagent:x").code(f"e{n}")
    for n in range(products):
        built.artifact(f"f{n}#v1")
        built.edges(f"e{n % 2 + 1} produces f{n}#v1")
    return built.edges(
        "goal next subtask:a",
        "subtask:a next subtask:subagent:x",
        "subtask:subagent:x contains c1",
        "c1 produces e1",
        "c2 produces e2",
    ).edges("c1 next c2", method="scope_chain")


@given(graphs(), st.data())
def test_every_live_node_of_a_session_is_in_the_page_exactly_once(graph, data):
    for session_id in graph.sessions():
        made = session(graph, session_id)
        live = [n.id for n in graph.nodes(session_id=session_id) if visible(n)]
        own = [spot.view.storage_id for spot in made.spots if not spot.foreign]
        assert sorted(own) == sorted(live)
        page = carried(graph, made, words=strings("en"))
        assert len(page["nodes"]) == len(made.spots) == page["total"]
        opened = data.draw(
            st.sets(st.sampled_from(sorted(made.folds)))
            if made.folds
            else st.just(set())
        )
        scene = made.scene(opened)
        assert sum(box.stands_for for box in scene.boxes) == len(made.spots)
        assert len({box.key for box in scene.boxes}) == len(scene.boxes)


@given(graphs())
def test_with_every_fold_open_each_node_has_its_own_box(graph):
    for session_id in graph.sessions():
        made = session(graph, session_id)
        scene = made.scene(made.folds)
        assert {box.key for box in scene.boxes} == {s.box.key for s in made.spots}
        assert scene.shown == scene.total
        assert len(scene.arrows) == len(
            {(s, d, t) for s, d, t, _ in made.edges if s != d}
        )


@given(graphs(), st.data())
def test_no_two_boxes_stand_in_one_place(graph, data):
    for session_id in graph.sessions():
        made = session(graph, session_id)
        opened = made.folds if data.draw(st.booleans()) else ()
        places = [(box.x, box.y) for box in made.scene(opened).boxes]
        assert len(set(places)) == len(places)


@given(graphs(), st.data())
def test_opening_the_folds_around_a_node_shows_it(graph, data):
    for session_id in graph.sessions():
        made = session(graph, session_id)
        n = data.draw(st.integers(0, len(made.spots) - 1))
        keys = {box.key for box in made.scene(made.opening(n)).boxes}
        assert f"k{n}" in keys


def test_the_steps_stand_from_left_to_right_in_time():
    scene = session(scoped().graph, "s1").scene()
    x = {box.id: box.x for box in scene.boxes}
    assert x["goal:session:s1"] < x["subtask:a"] < x["subtask:subagent:x"]


def test_a_subagent_hides_its_calls_and_runs_until_it_is_opened():
    made = session(scoped().graph, "s1")
    folded = {box.id: box for box in made.scene().boxes}
    assert {"c1", "c2", "e1", "e2"}.isdisjoint(folded)
    assert folded["subtask:subagent:x"].stands_for == 5
    (scope,) = [key for key, fold in made.folds.items() if fold.kind == "scope"]
    opened = {box.id: box for box in made.scene({scope}).boxes}
    assert {"c1", "c2", "e1", "e2"} <= opened.keys()
    assert opened["subtask:subagent:x"].stands_for == 1


def test_what_a_folded_subagent_made_hangs_on_it():
    made = session(scoped(products=1).graph, "s1")
    keys = {box.key: box.id for box in made.scene().boxes}
    drawn = {
        (keys[a.source], keys[a.target], a.type, a.walked) for a in made.scene().arrows
    }
    assert ("subtask:subagent:x", "f0#v1", "produces", False) in drawn


def test_several_files_of_a_subagent_make_a_stack_that_opens_by_itself():
    made = session(scoped(products=3).graph, "s1")
    (stack,) = [key for key, fold in made.folds.items() if fold.kind == "stack"]
    box = next(box for box in made.scene().boxes if box.key == stack)
    assert (box.label, box.stands_for) == ("Artifact", 3)
    opened = {box.id for box in made.scene({stack}).boxes}
    assert {"f0#v1", "f1#v1", "f2#v1"} <= opened
    assert "c1" not in opened


@pytest.mark.parametrize(("count", "stacks"), [(1, 0), (2, 1)])
def test_two_files_of_a_subagent_are_a_stack_and_one_is_not(count, stacks):
    made = session(scoped(products=count).graph, "s1")
    assert sum(fold.kind == "stack" for fold in made.folds.values()) == stacks


@pytest.mark.parametrize(("count", "stacks"), [(3, 0), (4, 1)])
def test_four_claims_in_one_column_are_a_stack_and_three_are_not(count, stacks):
    built = Built().goal()
    for n in range(count):
        built.node("Claim", f"c{n}")
    made = session(built.graph, "s1")
    assert sum(fold.kind == "stack" for fold in made.folds.values()) == stacks


def test_a_scope_inside_a_scope_shows_only_if_both_are_open():
    built = Built().goal()
    for name, parent in (("x", None), ("y", "subtask:subagent:x")):
        built.node(
            "Task",
            f"subtask:subagent:{name}",
            task_type="subagent",
            parent_subtask_id=parent,
        )
    built.call("c", parent_subtask_id="subtask:subagent:y")
    made = session(built.graph, "s1")
    outer, inner = (f"k{made.number(f'subtask:subagent:{name}')}" for name in "xy")
    seen = lambda opened: "c" in {box.id for box in made.scene(opened).boxes}  # noqa: E731
    assert [seen(o) for o in ((), {outer}, {inner}, {outer, inner})] == [
        False,
        False,
        False,
        True,
    ]


def test_a_session_of_thousands_opens_folded_and_counts_all():
    built = Built().goal()
    names = [f"subtask:e{n}" for n in range(MOST + 500)]
    for name in names:
        built.call(name)
    built.edges("goal next subtask:e0")
    built.edges(*(f"{a} next {b}" for a, b in pairwise(names)))
    made = session(built.graph, "s1")
    scene = made.scene()
    assert len(scene.boxes) <= 300
    assert scene.total == MOST + 501
    assert sum(box.stands_for for box in scene.boxes) == scene.total
    assert {"goal:session:s1", names[-1]} <= {box.id for box in scene.boxes}
    assert made.scene(made.folds).shown == scene.total


def test_a_neighbour_in_another_session_is_shown_as_a_foreign_one():
    built = Built().goal().node("Evidence", "ev")
    built.node("Paper", "https://x.org/p", session_id="s2").edges(
        "https://x.org/p extracts ev"
    )
    made = session(built.graph, "s1")
    assert [s.view.id for s in made.spots if s.foreign] == ["https://x.org/p"]


def test_a_thousand_scopes_in_each_other_are_no_trouble():
    built = Built().goal()
    for n in range(1_200):
        parent = f"subtask:subagent:{n - 1}" if n else None
        built.node(
            "Task",
            f"subtask:subagent:{n}",
            task_type="subagent",
            parent_subtask_id=parent,
        )
    scene = session(built.graph, "s1").scene()
    assert sum(box.stands_for for box in scene.boxes) == 1_201


@pytest.mark.parametrize("opened", [False, True])
def test_the_demo_shows_what_its_table_counts(cases, opened):
    with smemkit.open(cases / "app-store") as mem:
        stored = mem.nodes()
        live = stored[(stored["session_id"] == "S-7")]
        with mem.reading() as graph:
            made = session(graph, "S-7")
        assert made.scene(made.folds if opened else ()).total == len(live)
