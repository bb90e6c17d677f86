# SPDX-License-Identifier: Apache-2.0
"""Nodes by label, edges by type, one node by id."""

from __future__ import annotations

import pytest

from smemkit.errors import BadRequest, NodeNotFound, UnknownEdgeType, UnknownLabel
from smemkit.reading.listing import by_edge_type, by_node_type, node
from tests.reading_graphs import Built, g1


def ids(answer) -> list[str]:
    return [view.id for view in answer.nodes]


def test_nodes_come_newest_first_across_labels():
    """Several labels are one list; what has no time leads."""
    built = Built().node("Claim", "c1", created_at="2026-10-02T08:00:00.000Z")
    built.code("e").node("Evidence", "v", created_at="2026-10-02T09:00:00.000Z")
    assert ids(by_node_type(built.graph, ["Claim", "Evidence", "Code"])) == [
        "e",
        "v",
        "c1",
    ]


def test_one_label_may_be_given_bare():
    """A name does as well as a list of one."""
    assert ids(by_node_type(g1().graph, "Code")) == ids(
        by_node_type(g1().graph, ["Code"])
    )


def test_the_older_label_means_what_is_stored_under_it():
    """SubTask reads as ToolCall; asked by its own name it is told apart."""
    graph = Built().node("SubTask", "old").call("new").graph
    assert ids(by_node_type(graph, "ToolCall")) == ["old", "new"]
    assert ids(by_node_type(graph, "SubTask")) == ["old"]


def test_hidden_nodes_are_not_listed():
    """Deleted ones, those without id, those of other sessions."""
    built = Built().artifact("a#v1", deleted_session=True).artifact("b#v1")
    built.artifact("c#v1", session_id="s2").node("Artifact", "x", artifact_id=None)
    assert ids(by_node_type(built.graph, "Artifact", session_id="s1")) == ["b#v1"]


def test_a_page_of_nodes_has_the_wire_form():
    """hits, total, truncated; nothing else."""
    wire = by_node_type(g1().graph, "Code", limit=1).to_dict()
    assert list(wire) == ["hits", "total", "truncated"]
    assert (len(wire["hits"]), wire["total"], wire["truncated"]) == (1, 1, True)


def test_unknown_labels_are_refused_unless_the_memory_holds_them():
    """All unknown ones are named."""
    built = Built().node("Sample", "x")
    assert by_node_type(built.graph, "Sample").available == 0
    with pytest.raises(UnknownLabel, match=r"\['Foo', 'Bar'\]"):
        by_node_type(built.graph, ["Foo", "Claim", "Bar"])


@pytest.mark.parametrize("given", [[], "", [7], None])
def test_no_label_is_refused(given):
    """An empty list asks for nothing."""
    with pytest.raises(BadRequest, match="node_types"):
        by_node_type(Built().graph, given)


def test_edges_come_with_both_ends():
    """The example of contract/http.md §14: the type comes first."""
    built = Built().goal().node("SourceFile", "f").edges("f feeds goal")
    wire = by_edge_type(built.graph, ["feeds"], session_id="s1").to_dict()
    assert list(wire) == ["edges", "nodes", "total", "truncated"]
    assert [list(edge.items()) for edge in wire["edges"]] == [
        [
            ("type", "feeds"),
            ("source", "f"),
            ("target", "goal:session:s1"),
            ("extra", {}),
        ]
    ]
    assert [hit["id"] for hit in wire["nodes"]] == ["f", "goal:session:s1"]


def test_edges_are_ordered_by_their_source():
    """Newest source first, a source without time before all, ties by age."""
    built = Built().call("t").code("e1").code("e2")
    built.node("Claim", "old", created_at="2026-10-02T08:00:00.000Z")
    built.node("Claim", "new", created_at="2026-10-02T09:00:00.000Z").artifact("r#v1")
    built.edges(
        "old stated_in r#v1", "new stated_in r#v1", "t produces e2", "t produces e1"
    )
    found = by_edge_type(built.graph, ["stated_in", "produces"])
    assert [(e.source, e.target) for e in found.edges] == [
        ("t", "e2"),
        ("t", "e1"),
        ("new", "r#v1"),
        ("old", "r#v1"),
    ]


def test_edges_of_one_source_are_in_creation_order_across_types():
    """Whatever order the types are asked in."""
    built = Built().node("Claim", "c").artifact("r#v1").artifact("q#v1")
    built.edges("c odd_edge r#v1", "c stated_in r#v1", "c odd_edge q#v1")
    found = by_edge_type(built.graph, ["stated_in", "odd_edge"])
    assert [edge.type for edge in found.edges] == ["odd_edge", "stated_in", "odd_edge"]


def test_both_ends_must_be_shown():
    """An end of another session, deleted or without id hides the edge."""
    built = Built().code("e").artifact("a#v1").artifact("b#v1", session_id="s2")
    built.artifact("c#v1", deleted_session=True).node("Odd", "o")
    built.edges(*(f"e produces {x}" for x in ("a#v1", "b#v1", "c#v1", "o")))
    found = by_edge_type(built.graph, "produces", session_id="s1")
    assert [edge.target for edge in found.edges] == ["a#v1"]
    assert len(by_edge_type(built.graph, "produces").edges) == 2


def test_rows_of_an_edge_list_are_edges():
    """total, available and truncated count edges."""
    found = by_edge_type(g1().graph, "produces", limit=3)
    assert (found.total, found.available, found.truncated) == (3, 4, True)
    assert len(found) == 3


def test_unknown_edge_types_are_refused_unless_the_memory_holds_them():
    """The message names them."""
    built = g1().edges("e2 odd_edge fig#v1")
    assert len(by_edge_type(built.graph, "odd_edge")) == 1
    with pytest.raises(UnknownEdgeType, match="cites"):
        by_edge_type(built.graph, ["odd_edge", "cites"])


def test_one_node_has_its_full_text():
    """The view keeps what the wire cuts."""
    built = Built().node("Claim", "c", content="x" * 300)
    view = node(built.graph, "c", label="Claim")
    assert (len(view.text), len(view.to_dict()["excerpt"])) == (300, 240)


def test_a_node_is_asked_by_label_and_session():
    """A wrong label is unknown, a wrong session holds no such node."""
    graph = g1().graph
    with pytest.raises(UnknownLabel):
        node(graph, "e1", label="Foo")
    with pytest.raises(NodeNotFound):
        node(graph, "e1", label="Claim")
    with pytest.raises(NodeNotFound):
        node(graph, "e1", session_id="s2")
