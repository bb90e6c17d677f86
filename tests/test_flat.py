# SPDX-License-Identifier: Apache-2.0
"""A memory as GraphML and GEXF: networkx writes what `to_networkx(flat=True)` gives."""

from __future__ import annotations

import json

import networkx as nx
import pytest
from hypothesis import given

from smemkit.convert import to_networkx
from smemkit.graph import Graph
from smemkit.records import Edge, Node
from tests.hostile import hostile_memory
from tests.reading_graphs import CASES, load
from tests.strategies import graphs


@pytest.mark.parametrize("name", CASES)
def test_both_formats_keep_every_node_and_edge(cases, tmp_path, name) -> None:
    """Read back there are as many, under the same keys, with the same attributes."""
    graph = load(cases / name)
    made = to_networkx(graph, flat=True)
    nx.write_graphml(made, tmp_path / "memory.graphml")
    nx.write_gexf(made, tmp_path / "memory.gexf")

    read = nx.read_graphml(tmp_path / "memory.graphml", force_multigraph=True)
    gexf = nx.read_gexf(tmp_path / "memory.gexf")

    assert dict(read.nodes(data=True)) == dict(made.nodes(data=True))
    assert {(*e[:3], e[3]["label"]) for e in read.edges(keys=True, data=True)} == {
        (e.src, e.dst, e.id, e.type) for e in graph.edges()
    }
    # GEXF calls a node by its label unless told otherwise, so keys are compared.
    assert set(gexf) == set(made)
    assert gexf.number_of_edges() == nx.DiGraph(made).number_of_edges()


def test_lists_are_json_text_and_names_that_are_taken_step_aside() -> None:
    """The id is public_id, the type of an edge its label; both may be properties too."""
    graph = Graph()
    props = {"authors": ["李 明", "Ode"], "public_id": "mine", "link": "10.1/x"}
    graph.put_node(Node("n1", ("Paper",), {**props, "session_id": "s"}, 1))
    graph.put_edge(Edge("r1", "odd", "n1", "n1", {"label": "of the edge"}, 1))

    made = to_networkx(graph, flat=True)

    node = made.nodes["n1"]
    assert json.loads(node["authors"]) == ["李 明", "Ode"]
    assert (node["public_id"], node["prop:public_id"]) == ("10.1/x", "mine")
    (edge,) = [data for _, _, data in made.edges(data=True)]
    assert (edge["label"], edge["prop:label"]) == ("odd", "of the edge")


def test_characters_that_xml_cannot_hold_are_replaced(tmp_path) -> None:
    """Control characters would make a file no reader takes."""
    made = to_networkx(_hostile(), flat=True)
    nx.write_graphml(made, tmp_path / "memory.graphml")
    nx.write_gexf(made, tmp_path / "memory.gexf")

    assert len(nx.read_graphml(tmp_path / "memory.graphml")) == len(made)
    assert set(nx.read_gexf(tmp_path / "memory.gexf")) == set(made)


def _hostile() -> Graph:
    with hostile_memory().reading() as graph:
        return graph


@given(graphs())
def test_without_flat_nothing_is_changed(graph) -> None:
    """And with it there are the same nodes and edges, with plain values only."""
    plain, flat = to_networkx(graph), to_networkx(graph, flat=True)

    assert set(plain) == set(flat)
    assert set(plain.edges(keys=True)) == set(flat.edges(keys=True))
    values = [v for _, data in flat.nodes(data=True) for v in data.values()]
    values += [v for *_, data in flat.edges(data=True) for v in data.values()]
    assert all(isinstance(v, str | int | float | bool) for v in values)
