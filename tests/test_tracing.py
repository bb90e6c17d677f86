# SPDX-License-Identifier: Apache-2.0
"""trace_provenance of whatever holds a memory; networkx graphs are walked in place."""

from __future__ import annotations

import copy

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.convert import to_networkx
from smemkit.errors import BadRequest, NodeNotFound, UnknownLabel
from smemkit.reading import trace
from smemkit.tracing import trace_provenance
from tests.reading_graphs import CASES, Built, g1, load, questions
from tests.strategies import graphs


def foreign() -> nx.MultiDiGraph:
    """A graph of somebody else's: labels, types, and ids where it pleases them."""
    lab = nx.MultiDiGraph(name="lab")
    lab.add_node("why", label="ResearchGoal")
    lab.add_node(7, label="ToolCall", session_id="a")
    lab.add_node(
        ("run", 1), label="Code", code_id=np.int64(41), session_id=np.str_("a")
    )
    lab.add_node("out", label="Artifact", id="fig#v2", size=np.float64(1.5))
    lab.add_node("sample", label="Sample")
    lab.add_edge("why", 7, type="next")
    lab.add_edge(7, ("run", 1), type="produces")
    lab.add_edge(("run", 1), "out", "made", type="produces", weight=np.int8(3))
    lab.add_edge("sample", ("run", 1), type="input")
    return lab


def test_a_start_is_a_key_of_any_type_and_wins():
    """A number, a tuple, a key beside an equal id; then an ``id``."""
    lab = foreign()
    lab.add_node(2, label="Code", id="two")
    lab.add_node("other", label="Sample", id=2)
    lab.add_node("third", label="Sample", id=3)
    lab.add_edge("why", 2, type="next")
    assert trace_provenance(lab, 7).verdict == "complete"
    assert trace_provenance(lab, ("run", 1)).verdict == "complete"
    assert trace_provenance(lab, np.int64(7)).verdict == "complete"
    assert trace_provenance(lab, 2).to_dict() == trace_provenance(lab, "two").to_dict()
    assert (
        trace_provenance(lab, 3).to_dict() == trace_provenance(lab, "third").to_dict()
    )
    assert trace_provenance(lab, 7, session_id="a").start.id == "7"
    for wrong in (8, ("run", 2), 3.5, b"why", None, ("run", [1]), True):
        with pytest.raises(NodeNotFound, match="no node of the graph"):
            trace_provenance(lab, wrong)
    with pytest.raises(NodeNotFound, match="session 'b'"):
        trace_provenance(lab, 7, session_id="b")
    with pytest.raises(BadRequest):
        trace_provenance(lab, [7])
    with pytest.raises(UnknownLabel):
        trace_provenance(lab, 7, target_label="Nobody")


def same(source: object, other: object, node_id: str, **options) -> bool:
    """Return whether two sources give the same trace, or the same error."""
    found = []
    for each in (source, other):
        try:
            found.append(trace_provenance(each, node_id, **options).to_dict())
        except NodeNotFound:
            found.append("not found")
    return found[0] == found[1]


@pytest.mark.parametrize("name", CASES)
def test_every_case_traces_alike_in_networkx(cases, name):
    """All questions of the known answers, asked of `to_networkx()`."""
    graph = load(cases / name)
    other = to_networkx(graph)
    asked = questions(cases / name)
    assert asked
    assert [q[:2] for q in asked if not same(graph, other, q[0], **q[1])] == []


@given(graphs(), st.sampled_from([None, "s1"]))
def test_random_graphs_trace_alike_in_networkx(graph, session):
    """From every node, with and without a session."""
    other = to_networkx(graph)
    for node in graph.nodes():
        if node.public_id is not None:
            for target in ("ResearchGoal", "Code"):
                assert same(
                    graph,
                    other,
                    node.public_id,
                    session_id=session,
                    target_label=target,
                )


def test_first_arrival_is_told_by_the_age_of_the_edge():
    """Not by the order in which networkx came to know the neighbours."""
    built = Built().code("a").code("b").artifact("x#v1")
    built.edges("a odd_edge x#v1", "b produces x#v1", "a produces x#v1")
    found = trace_provenance(to_networkx(built.graph), "x")
    assert [hop.node.id for hop in found.chain] == ["b", "a"]


def test_a_foreign_graph_is_walked_by_label_and_type():
    """Keys and `id` are public ids; a label of its own has a key too."""
    found = trace_provenance(foreign(), "fig#v2")
    assert [(h.hop, h.node.id, h.via_edge, h.from_id) for h in found.chain] == [
        (1, "41", "produces", "fig#v2"),
        (2, "7", "produces", "41"),
        (2, "sample", "input", "41"),
        (3, "why", "next", "7"),
    ]
    assert found.verdict == "complete"


@pytest.mark.parametrize("start", ["out", "fig#v2", "fig"])
def test_a_start_is_a_key_or_an_id(start):
    """Both forms of the same node."""
    assert trace_provenance(foreign(), start).start.id == "fig#v2"


def test_a_foreign_graph_is_not_changed():
    """Tracing reads, and nothing else."""
    lab = foreign()
    before = copy.deepcopy(
        (dict(lab.nodes(data=True)), list(lab.edges(data=True, keys=True)))
    )
    trace_provenance(lab, "out")
    assert (dict(lab.nodes(data=True)), list(lab.edges(data=True, keys=True))) == before
    assert lab.graph == {"name": "lab"}


def test_a_session_is_the_attribute_of_that_name():
    """The goal has none, so a walk inside session a does not meet it."""
    found = trace_provenance(foreign(), "41", session_id="a")
    assert found.reason == "no upstream of ToolCall #7"


def test_a_graph_without_parallel_edges_is_walked_too():
    """A DiGraph has no edge keys."""
    lab = nx.DiGraph()
    lab.add_node("g", label="ResearchGoal")
    lab.add_node("t", label="ToolCall")
    lab.add_edge("g", "t", type="next")
    assert trace_provenance(lab, "t").reached


@pytest.mark.parametrize("kind", [nx.MultiDiGraph, nx.DiGraph])
def test_a_graph_that_names_its_labels_or_types_otherwise_is_refused(kind):
    """It would read as broken everywhere; the message says which attribute is missing."""
    lab = kind()
    lab.add_node("a", kind="ResearchGoal")
    lab.add_node("b", kind="ToolCall")
    with pytest.raises(BadRequest, match=r"no node has the attribute 'label'.*'kind'"):
        trace_provenance(lab, "b")
    nx.set_node_attributes(lab, {"a": "ResearchGoal", "b": "ToolCall"}, "label")
    lab.add_edge("a", "b", relation="next")
    with pytest.raises(
        BadRequest, match=r"no edge has the attribute 'type'.*'relation'"
    ):
        trace_provenance(lab, "b")
    lab.add_edge("a", "b", type="next")
    assert trace_provenance(lab, "b").reached


def test_a_node_without_attributes_breaks_among_others():
    """It is no target and no reason to fail; an empty graph has none to ask for."""
    lab = nx.MultiDiGraph()
    lab.add_node("g", label="ResearchGoal")
    lab.add_edge("a", "b", type="next")
    assert trace_provenance(lab, "b").broken
    with pytest.raises(NodeNotFound):
        trace_provenance(nx.MultiDiGraph(), "b")


def test_the_target_may_be_a_label_of_the_graphs_own():
    """What the graph holds is known; what it does not hold is refused."""
    assert trace_provenance(foreign(), "41", target_label="Sample").reached
    with pytest.raises(UnknownLabel):
        trace_provenance(foreign(), "41", target_label="Specimen")


def test_a_long_foreign_line_reaches_its_goal():
    """The walk over a line of a thousand steps finds its goal there too."""
    lab = nx.MultiDiGraph()
    lab.add_node(0, label="ResearchGoal")
    for k in range(1, 1000):
        lab.add_node(k, label="ToolCall")
        lab.add_edge(k - 1, k, type="next")
    found = trace_provenance(lab, "999")
    assert [(hop.node.id, hop.via_edge) for hop in found.chain] == [("0", "next")]


class Memory:
    """What a memory is to trace_provenance: something that can trace."""

    def trace_provenance(self, node_id, **options):
        return trace.trace_provenance(g1().graph, node_id, **options)


def test_a_memory_traces_by_itself():
    """The function and the method are the same."""
    assert (
        trace_provenance(Memory(), "fig").chain
        == trace_provenance(g1().graph, "fig").chain
    )


@pytest.mark.parametrize("thing", [None, "a/path", {}, nx.MultiGraph()])
def test_anything_else_is_refused(thing):
    """The message says what may be given."""
    with pytest.raises(BadRequest, match="networkx"):
        trace_provenance(thing, "x")


def test_an_id_that_is_not_there_is_not_found():
    """In a foreign graph as in a memory."""
    with pytest.raises(NodeNotFound, match=r"'nope'.*give the key of a node") as caught:
        trace_provenance(foreign(), "nope")
    assert "mem." not in str(caught.value)
