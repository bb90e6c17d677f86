# SPDX-License-Identifier: Apache-2.0
"""The graph's look-ups, against plain scans of the same records."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from smemkit import schema
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node
from tests.strategies import graphs


def _state(graph: Graph) -> tuple[object, ...]:
    return (
        [(n.id, n.labels, n.props) for n in graph.nodes()],
        sorted((e.id, e.type, e.src, e.dst) for e in graph.edges()),
        sorted(e.id for e in graph.dangling()),
    )


@given(graphs())
def test_edges_at_a_node_are_those_a_scan_finds_in_creation_order(graph: Graph) -> None:
    """Per type, over all types, and between two nodes."""
    every = list(graph.edges())
    for node in graph.nodes():
        assert list(graph.out(node.id)) == [e for e in every if e.src == node.id]
        assert list(graph.into(node.id)) == [e for e in every if e.dst == node.id]
        for kind in {e.type for e in every}:
            expected = [e for e in every if e.src == node.id and e.type == kind]
            assert list(graph.out(node.id, kind)) == expected
    for edge in every:
        expected = [
            e
            for e in every
            if (e.src, e.dst, e.type) == (edge.src, edge.dst, edge.type)
        ]
        assert list(graph.between(edge.src, edge.dst, edge.type)) == expected


@given(graphs())
def test_nodes_by_label_and_session_are_those_a_scan_finds(graph: Graph) -> None:
    """In creation order; the counts agree."""
    every = list(graph.nodes())
    labels = {n.label for n in every}
    for session in [None, *graph.sessions()]:
        mine = [n for n in every if session in (None, n.session_id)]
        assert list(graph.nodes(session_id=session)) == mine
        for label in labels:
            expected = [n for n in mine if n.label == label]
            assert list(graph.nodes(label, session_id=session)) == expected
            if session:
                assert list(graph.newest(label, session)) == expected[::-1]
            assert graph.counts(session).get(label, 0) == len(expected)


@given(graphs())
def test_a_node_is_found_by_its_key_and_by_every_name(graph: Graph) -> None:
    """The first created node of a key wins."""
    for node in graph.nodes():
        for name in schema.names(node.label, node.props):
            assert node in graph.named(name)
        fields = schema.KEYS.get(node.label)
        if fields and all(f in node.props for f in fields):
            key = [node.props[f] for f in fields]
            found = graph.by_key(node.label, *key)
            first = next(
                n
                for n in graph.nodes(node.label)
                if [n.props.get(f) for f in fields] == key
            )
            assert found == first


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_in_which_records_are_put_does_not_matter(
    graph: Graph, rng: random.Random
) -> None:
    """Edges put before their ends wait for them and then stand in their place."""
    edges = list(graph.edges())
    again = Graph()
    for edge in rng.sample(edges, len(edges)):
        again.put_edge(edge)
    for node in graph.nodes():
        again.put_node(node)

    assert _state(again) == _state(graph)
    for node in graph.nodes():
        assert list(again.out(node.id)) == list(graph.out(node.id))
        assert list(again.into(node.id)) == list(graph.into(node.id))


@given(graphs(), st.data())
def test_a_node_that_goes_and_comes_back_brings_its_edges_back(
    graph: Graph, data: st.DataObject
) -> None:
    """As when the files are read anew: only a tombstone ends an edge."""
    if not len(graph):
        return
    node = data.draw(st.sampled_from(list(graph.nodes())))
    before = sorted(e.id for e in graph.edges())

    graph.drop_node(node.id)
    assert not graph.out(node.id)
    assert not graph.into(node.id)
    assert node.id not in {e.src for e in graph.edges()} | {
        e.dst for e in graph.edges()
    }

    graph.put_node(node)
    assert sorted(e.id for e in graph.edges()) == before
    assert not list(graph.dangling())


@given(graphs(), st.data())
def test_a_node_that_moves_keeps_its_age_among_its_new_neighbours(
    graph: Graph, data: st.DataObject
) -> None:
    """A changed session or label moves the node in the indexes, not in time."""
    if not len(graph):
        return
    node = data.draw(st.sampled_from(list(graph.nodes())))
    moved = Node(node.id, ("Claim",), {"claim_id": "c", "session_id": "s2"}, node.n)

    graph.put_node(moved)

    ages = [n.n for n in graph.nodes("Claim", session_id="s2")]
    assert ages == sorted(ages)
    assert moved in graph.named("c")
    assert graph.node(node.id) == moved


@given(graphs())
def test_dropping_everything_leaves_every_index_empty(graph: Graph) -> None:
    """Nothing of a deleted session stays behind, in answers or in memory."""
    batch = Batch(
        dropped_nodes=tuple(n.id for n in graph.nodes()),
        dropped_edges=tuple(e.id for e in graph.edges()),
    )
    names = [name for n in graph.nodes() for name in schema.names(n.label, n.props)]

    graph.apply(batch)

    assert _state(graph) == ([], [], [])
    assert graph.sessions() == ()
    assert graph.counts() == {}
    assert not any(graph.named(name) for name in names)


@given(graphs())
def test_every_change_moves_the_counter(graph: Graph) -> None:
    """A cache that compares `changes` never shows what was."""
    before = graph.changes

    graph.put_node(Node("n99", ("Code",), {"code_id": "x"}, 99))

    assert graph.changes > before


def test_new_ids_lie_above_every_id_that_was_ever_there() -> None:
    """Also above those of edges that wait and of nodes that went."""
    graph = Graph()
    graph.put_node(Node("n7", (), {}, 1))
    graph.put_edge(Edge("r9", "next", "n7", "n12", {}, 1))
    graph.drop_node("n7")

    assert (graph.node_mark, graph.edge_mark) == (7, 9)


def test_seq_and_children_and_waiting_codes_are_indexed() -> None:
    """What a write needs to know is found without a scan."""
    graph = Graph()
    scope = {"parent_subtask_id": "subtask:subagent:a", "session_id": "s"}
    graph.put_node(Node("n1", ("ToolCall",), {"task_id": "t1", "seq": 4, **scope}, 1))
    graph.put_node(Node("n2", ("ToolCall",), {"task_id": "t2", "seq": 9, **scope}, 2))
    graph.put_node(
        Node("n3", ("Code",), {"code_id": "c", "missing_inputs": ["d#v1"]}, 3)
    )

    assert graph.max_seq("s") == 9
    assert [n.id for n in graph.children("subtask:subagent:a")] == ["n1", "n2"]
    assert [n.id for n in graph.newest_children("subtask:subagent:a")] == ["n2", "n1"]
    assert [n.id for n in graph.waiting_for("d#v1")] == ["n3"]

    graph.put_node(Node("n3", ("Code",), {"code_id": "c"}, 3))
    assert graph.waiting_for("d#v1") == []


def test_sessions_stand_in_the_order_of_their_oldest_nodes():
    """Also after a session lost its oldest node, as a fresh reading would have it."""
    graph = Graph()
    for number, session in enumerate(("s1", "s2", "s1"), 1):
        graph.put_node(Node(f"n{number}", ("Claim",), {"session_id": session}, number))
    assert graph.sessions() == ("s1", "s2")
    graph.drop_node("n1")
    assert graph.sessions() == ("s2", "s1")
