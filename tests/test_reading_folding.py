# SPDX-License-Identifier: Apache-2.0
"""A scope's folded products, and what unfolding a scope or a stack shows."""

from __future__ import annotations

import pytest

from smemkit.errors import BadRequest, NodeNotFound
from smemkit.reading.expansion import group_expansion, scope_expansion
from smemkit.reading.subgraph import subgraph
from tests.reading_graphs import Built


def child(built: Built, name: str, scope: str = "A", **props) -> Built:
    return built.call(name, parent_subtask_id=scope, **props)


@pytest.fixture
def scope():
    """The example of contract/query.md §3: two artifacts of one child, one paper."""
    built = Built().goal().node("Task", "A", task_type="subagent")
    child(child(built, "k1", seq=1), "k2", seq=2).code("e1")
    built.artifact("a#v1").artifact("b#v1").node("Paper", "p")
    built.edges("goal next A", "A contains k1").edges(
        "k1 next k2", method="scope_chain", inferred=True
    )
    return built.edges(
        "k1 produces e1", "e1 produces a#v1", "e1 produces b#v1", "k2 produces p"
    )


def surrogates(answer) -> list[tuple]:
    return [
        (e.source, e.target, e.props["via_child"])
        for e in answer.edges
        if e.props.get("surrogate")
    ]


def test_the_contracts_example_is_drawn(scope):
    """One stack of two artifacts via k1, one edge to the paper via k2."""
    found = subgraph(scope.graph, "s1")
    assert surrogates(found) == [("A", "_group:A:Artifact", "k1"), ("A", "p", "k2")]
    assert found.nodes[-1].graph_form() == {
        "label": "Artifact",
        "id": "_group:A:Artifact",
        "session_id": "s1",
        "extra": {
            "aggregated": True,
            "count": 2,
            "members": ["a#v1", "b#v1"],
            "scope": "A",
            "kind": "Artifact",
        },
        "created_at": None,
    }
    assert found.edges[-2].props == {
        "surrogate": True,
        "aggregated": True,
        "via_child": "k1",
    }
    assert list(found.edges[-1].props) == ["surrogate", "via_child"]
    assert found.total == found.available + 1 == 9
    assert not found.truncated


def test_one_product_of_two_children_is_one_member(scope):
    """Corrected by design §5.4: a product made twice is no stack of two."""
    child(scope, "k3").edges("k2 next k3", method="scope_chain")
    scope.edges("k3 produces p")
    assert ("A", "p", "k2") in surrogates(subgraph(scope.graph, "s1"))


def test_what_lies_outside_the_scope_is_not_drawn(scope):
    """Other lines, other scopes, other sessions and deleted products stay out."""
    child(scope, "x", scope="B").node("Paper", "px").node("Paper", "py")
    child(scope, "y").node("Paper", "pz", session_id="s2")
    scope.node("Paper", "gone", deleted_session=True)
    scope.edges("k2 next x", method="scope_chain").edges("x produces px")
    scope.edges("k2 next y", method="temporal_chain").edges("y produces py")
    scope.edges("k2 produces pz", "k2 produces gone")
    found = subgraph(scope.graph, "s1")
    assert surrogates(found) == [("A", "_group:A:Artifact", "k1"), ("A", "p", "k2")]


def test_a_circle_of_children_ends(scope):
    """Children are visited once, however their line runs."""
    scope.edges("k2 next k1", method="scope_chain")
    assert len(surrogates(subgraph(scope.graph, "s1"))) == 2


def test_a_real_edge_is_not_drawn_again(scope):
    """A scope that really produces its one paper has that edge alone."""
    scope.edges("A produces p")
    found = subgraph(scope.graph, "s1")
    assert [e.props for e in found.edges if e.target == "p" and e.source == "A"] == [{}]


def test_a_scope_unfolds_into_its_children_and_what_they_made(scope):
    """contract/query.md §7.1: children in order, then what the edges touch."""
    found = scope_expansion(scope.graph, "A", session_id="s1")
    assert [view.id for view in found.nodes][:2] == ["k1", "k2"]
    assert {view.id for view in found.nodes} == {
        "k1",
        "k2",
        "A",
        "e1",
        "a#v1",
        "b#v1",
        "p",
    }
    assert [(e.source, e.type, e.target) for e in found.edges] == [
        ("A", "contains", "k1"),
        ("k1", "next", "k2"),
        ("k1", "produces", "e1"),
        ("e1", "produces", "a#v1"),
        ("e1", "produces", "b#v1"),
        ("k2", "produces", "p"),
    ]
    wire = found.to_dict()
    assert list(wire) == ["nodes", "edges", "total", "truncated"]
    assert list(wire["nodes"][0])[2:5] == ["session_id", "session_title", "excerpt"]


def test_a_scope_shows_three_steps_of_what_can_be_shown(scope):
    """Not the fourth step; no deleted children or products, none of other sessions."""
    child(scope, "k3", deleted_session=True).code("e2").artifact("far#v1").code("e3")
    scope.artifact("gone#v1", deleted_session=True).node("Paper", "q", session_id="s2")
    scope.edges("a#v1 produces e2", "e2 produces far#v1")
    scope.edges("k1 produces gone#v1", "k1 produces q", "k3 produces e3")
    shown = {view.id for view in scope_expansion(scope.graph, "A").nodes}
    assert shown == {"A", "k1", "k2", "e1", "a#v1", "b#v1", "p", "e2"}


def test_children_come_by_seq_then_by_the_instant_they_finished(scope):
    """A time with an offset is compared as an instant; none comes last."""
    built = Built().node("Task", "B", task_type="subagent")
    child(built, "open", "B")
    child(built, "late", "B", finished_at="2026-10-02T09:30:00Z")
    child(built, "early", "B", finished_at="2026-10-02T10:00:00+02:00")
    child(built, "second", "B", seq=2)
    found = scope_expansion(built.graph, "B")
    assert [view.id for view in found.nodes] == ["early", "late", "open", "second"]


def test_a_scope_without_children_is_empty():
    """Not even the scope is shown."""
    built = Built().node("Task", "A", task_type="subagent")
    assert scope_expansion(built.graph, "A").to_dict()["nodes"] == []


def test_a_stack_unfolds_into_its_members(scope):
    """contract/query.md §7.2: the products, an edge for each and its child."""
    found = group_expansion(scope.graph, "_group:A:Artifact", session_id="s1")
    assert [view.id for view in found.nodes] == ["a#v1", "b#v1"]
    assert [e.chain_form() for e in found.edges] == [
        {
            "source": "A",
            "target": target,
            "type": "produces",
            "extra": {"surrogate": True, "via_child": "k1"},
        }
        for target in ("a#v1", "b#v1")
    ]


def test_a_stack_shows_an_edge_for_each_child_that_made_a_product(scope):
    """Two children of one paper: one node, two edges."""
    scope.edges("k1 produces p")
    found = group_expansion(scope.graph, "_group:A:Paper")
    assert [view.id for view in found.nodes] == ["p"]
    assert [edge.props["via_child"] for edge in found.edges] == ["k1", "k2"]


def test_a_scope_id_may_hold_colons():
    """The kind is what follows the last colon."""
    built = Built().node("Task", "subtask:subagent:q", task_type="subagent")
    assert not group_expansion(built.graph, "_group:subtask:subagent:q:Paper")


@pytest.mark.parametrize(
    "group_id",
    ["A:Paper", "_group:A", "_group::Paper", "_group:A:Code", "_group:B:Paper"],
)
def test_what_is_no_stack_is_not_found(scope, group_id):
    """A wrong form, kind or scope is a missing node."""
    with pytest.raises(NodeNotFound, match="group"):
        group_expansion(scope.graph, group_id)


@pytest.mark.parametrize(("scope_id", "session"), [("k1", "s1"), ("A", "s2")])
def test_what_is_no_scope_is_not_found(scope, scope_id, session):
    """A call is no scope, nor is a scope of another session."""
    with pytest.raises(NodeNotFound, match="scope"):
        scope_expansion(scope.graph, scope_id, session_id=session)


def test_blank_ids_are_refused(scope):
    """Blank is a bad request."""
    with pytest.raises(BadRequest):
        scope_expansion(scope.graph, " ")
    with pytest.raises(BadRequest):
        group_expansion(scope.graph, "")
