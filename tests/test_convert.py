# SPDX-License-Identifier: Apache-2.0
"""networkx there and back."""

from __future__ import annotations

import datetime

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from smemkit.convert import from_networkx, is_networkx, plain, to_networkx
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.records import Edge, Node
from tests.reading_graphs import CASES, Built, g1, load
from tests.strategies import graphs


def content(graph: Graph) -> tuple:
    """Return all that a graph holds, in order."""
    return (
        sorted(graph.nodes(), key=lambda node: node.n),
        sorted(graph.edges(), key=lambda edge: edge.n),
        sorted(graph.dangling(), key=lambda edge: edge.n),
        (graph.node_mark, graph.edge_mark, graph.node_age, graph.edge_age),
    )


@pytest.mark.parametrize("name", CASES)
def test_every_case_survives_the_round_trip(cases, name):
    """Nodes, edges, order and marks are the same."""
    graph = load(cases / name)
    assert content(from_networkx(to_networkx(graph))) == content(graph)


@given(graphs())
def test_any_graph_survives_the_round_trip(graph):
    """Also labels of nobody's, nodes without key, parallel edges."""
    assert content(from_networkx(to_networkx(graph))) == content(graph)


@pytest.mark.parametrize(
    "name",
    [
        "label",
        "id",
        "type",
        "labels",
        "prop:x",
        "prop:prop:id",
        "_smemkit_n",
        "key",
        "n",
    ],
)
def test_a_property_of_any_name_survives(name):
    """A name that is taken is set aside, on nodes and on edges."""
    graph = Graph()
    graph.put_node(Node("n1", ("Claim",), {"claim_id": "c", name: "kept"}, 1))
    graph.put_edge(Edge("r1", "supports", "n1", "n1", {name: ["a", "b"]}, 1))
    there = to_networkx(graph)
    assert there.nodes["n1"]["label"] == "Claim"
    assert there.nodes["n1"]["id"] == "c"
    assert there.edges["n1", "n1", "r1"]["type"] == "supports"
    assert content(from_networkx(there)) == content(graph)


@pytest.mark.parametrize("labels", [(), ("A", "B"), ("SubTask",)])
def test_labels_survive(labels):
    """None, several, and the older label of a call."""
    graph = Graph()
    graph.put_node(Node("n1", labels, {"task_id": "t"}, 1))
    assert content(from_networkx(to_networkx(graph))) == content(graph)


@pytest.mark.parametrize(
    "value", [None, {"a": [1, {"b": None}]}, [1, "x"], float("inf")]
)
def test_odd_values_from_disk_survive(value):
    """What a store may hold but nobody may write comes back as it was."""
    graph = Graph()
    graph.put_node(Node("n1", ("Code",), {"code_id": "e", "odd": value}, 1))
    assert content(from_networkx(to_networkx(graph))) == content(graph)


def test_edges_that_wait_for_an_end_survive():
    """A dangling edge is no node of networkx, and comes back waiting."""
    graph = Graph()
    graph.put_node(Node("n1", ("Code",), {"code_id": "e"}, 1))
    graph.put_edge(Edge("r9", "produces", "n1", "n7", {}, 4))
    there = to_networkx(graph)
    assert list(there.nodes) == ["n1"]
    assert content(from_networkx(there)) == content(graph)


def test_edges_are_added_in_creation_order():
    """Also an edge that waited for its end while younger ones were put."""
    graph = Graph()
    graph.put_node(Node("n1", ("Code",), {"code_id": "e"}, 1))
    graph.put_edge(Edge("r1", "produces", "n1", "n2", {}, 1))
    graph.put_edge(Edge("r2", "odd_edge", "n1", "n1", {}, 2))
    graph.put_node(Node("n2", ("Artifact",), {"artifact_id": "a", "version": 1}, 2))
    assert [key for _, _, key in to_networkx(graph).edges(keys=True)] == ["r1", "r2"]


def test_one_session_is_its_nodes_and_the_edges_between_them():
    """What leads out of the session is left out."""
    built = g1().code("other", session_id="s2").edges("data#v1 input other")
    there = to_networkx(built.graph, "s1")
    assert len(there.nodes) == 7
    assert "input" in {kind for _, _, kind in there.edges(data="type")}
    assert built.ids["other"] not in there


def test_a_foreign_graph_becomes_records():
    """Keys of labels are filled from the id; numpy's scalars become Python's."""
    lab = nx.MultiDiGraph()
    lab.add_node("out", label="Artifact", id="fig#v2", sizes=np.array([1, 2]))
    lab.add_node(3, label="Code", exit_code=np.int64(0), ok=np.bool_(True))
    lab.add_node(
        "x", label="Sample", when=datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
    )
    lab.add_edge(3, "out", type="produces", share=np.float32(0.5))
    lab.add_edge(3, "out", type="produces")
    graph = from_networkx(lab)
    assert [(n.label, n.public_id, n.n) for n in graph.nodes()] == [
        ("Artifact", "fig#v2", 1),
        ("Code", "3", 2),
        ("Sample", None, 3),
    ]
    values = [dict(node.props) for node in graph.nodes()]
    assert values[0]["sizes"] == [1, 2]
    assert (type(values[1]["exit_code"]), type(values[1]["ok"])) == (int, bool)
    assert values[2] == {"id": "x", "when": "2026-01-02T00:00:00.000Z"}
    assert [(e.type, dict(e.props)) for e in graph.edges()] == [
        ("produces", {"share": 0.5}),
        ("produces", {}),
    ]


def test_keys_that_look_alike_stay_apart():
    """The number 1 and the text 1 are two nodes."""
    lab = nx.MultiDiGraph()
    lab.add_node(1, label="Code")
    lab.add_node("1", label="Claim")
    assert [node.label for node in from_networkx(lab).nodes()] == ["Code", "Claim"]


def test_what_was_added_to_a_graph_of_ours_comes_last():
    """A node without creation order is the youngest."""
    there = to_networkx(g1().graph)
    there.add_node("new", label="Claim")
    assert list(from_networkx(there).nodes())[-1].public_id == "new"


def test_the_input_is_not_changed():
    """Lists are not shared to be written to, and nothing is added."""
    graph = Built().node("Paper", "p", authors=["A"]).graph
    before = content(graph)
    there = to_networkx(graph)
    there.nodes["n1"]["title"] = "new"
    assert content(graph) == before


@pytest.mark.parametrize("thing", [None, {}, nx.MultiGraph()])
def test_what_is_no_directed_graph_is_refused(thing):
    """The message says what to give."""
    with pytest.raises(BadRequest, match="MultiDiGraph"):
        from_networkx(thing)


def test_a_subclass_of_a_networkx_graph_is_one():
    """Told by where its classes come from."""

    class Mine(nx.MultiDiGraph):
        pass

    assert is_networkx(Mine())
    assert not is_networkx({})


def test_plain_values_stay_the_same_object():
    """What is plain already is not copied."""
    value = ["a", "b"]
    assert plain(value) is value
    assert plain(np.str_("x")) == "x"
    assert type(plain(np.str_("x"))) is str
    assert plain(datetime.date(2026, 1, 2)) == "2026-01-02"
