# SPDX-License-Identifier: Apache-2.0
"""The objects that reading verbs answer with: wire forms, frames, displays."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

import smemkit
from smemkit.answers import (
    WIRE_LIMIT,
    Chain,
    EdgeView,
    Expansion,
    Hops,
    NodeView,
    Reason,
    Subgraph,
    Trace,
)
from smemkit.reading.chains import chain
from smemkit.reading.expansion import scope_expansion
from smemkit.reading.listing import by_edge_type, by_node_type
from smemkit.reading.provenance import artifact_provenance
from smemkit.reading.search import match
from smemkit.reading.subgraph import subgraph
from smemkit.reading.trace import trace_provenance
from smemkit.records import Node
from tests.reading_graphs import Built, g1


def every_answer() -> list:
    graph = g1().node("Task", "A", task_type="subagent").graph
    return [
        trace_provenance(graph, "fig"),
        chain(graph, "fig", "viewRelatedTask"),
        subgraph(graph, "s1"),
        match(graph, "execution"),
        by_node_type(graph, "Code"),
        by_edge_type(graph, "produces"),
        scope_expansion(graph, "A"),
        artifact_provenance(graph, "fig"),
    ]


@pytest.fixture
def view() -> NodeView:
    props = {
        "code_id": "e1",
        "session_id": "s",
        "tool": "x" * 300,
        "code_hash": "ab",
        "started_at": "2026-10-02T08:00:00Z",
        "finished_at": "2026-10-02T10:00:00+02:00",
        "created_at": "soon",
    }
    return NodeView.of(Node("n1", ("Code",), props, 3))


def test_a_view_keeps_what_the_wire_leaves_out(view):
    """Full text, times and creation order; the hit has seven keys in order."""
    assert len(view.text) == 300
    assert view.finished == datetime(2026, 10, 2, 8, tzinfo=UTC)
    assert (view.created_at, view.created, view.n) == ("soon", None, 3)
    assert list(view.hit()) == [
        "label",
        "id",
        "session_id",
        "session_title",
        "excerpt",
        "extra",
        "created_at",
    ]
    assert list(view.extra) == ["code_id", "tool", "code_hash", "started_at"]
    assert list(view.graph_form()) == [
        "label",
        "id",
        "session_id",
        "extra",
        "created_at",
    ]


def test_the_trace_form_has_a_hash_where_there_is_one(view):
    """Code's hash is its code_hash; a Claim has none on the wire."""
    assert view.trace_form() == {
        "label": "Code",
        "id": "e1",
        "excerpt": "x" * 240,
        "content_hash": "ab",
    }
    claim = Node("n2", ("Claim",), {"claim_id": "c", "content_hash": "ab"})
    assert "content_hash" not in NodeView.of(claim).trace_form()


def test_an_older_label_is_shown_as_what_it_reads_as():
    """A SubTask is a ToolCall in every form."""
    old = NodeView.of(Node("n1", ("SubTask",), {"task_id": "t", "task_type": "code"}))
    assert (old.label, old.id, old.excerpt) == ("ToolCall", "t", "code")


def test_an_edge_has_three_forms():
    """The subgraph leaves an empty `extra` out, the others do not."""
    bare = EdgeView("a", "b", "next")
    full = EdgeView("a", "b", "next", {"method": "m"})
    assert list(bare.graph_form()) == ["source", "target", "type"]
    assert full.graph_form()["extra"] == {"method": "m"}
    assert bare.chain_form() == {
        "source": "a",
        "target": "b",
        "type": "next",
        "extra": {},
    }
    assert list(bare.typed_form()) == ["type", "source", "target", "extra"]


def test_hops_are_a_sequence():
    """Made when read: by index, from the end, by slice, in a loop."""
    hops = trace_provenance(g1().graph, "fig").chain
    assert [hop.node.id for hop in hops] == [hops[k].node.id for k in range(len(hops))]
    assert hops[-1].is_terminal
    assert hops[1:3] == (hops[1], hops[2])
    assert [hop.hop for hop in hops] == [1, 2, 2, 3]
    with pytest.raises(IndexError):
        hops[4]
    with pytest.raises(IndexError):
        hops[-5]
    assert hops == trace_provenance(g1().graph, "fig").chain
    assert hops != trace_provenance(g1().graph, "fig", max_hops=2).chain


def test_each_hop_is_what_the_list_says():
    """The quick wire form of all entries equals that of each."""
    hops = trace_provenance(g1().graph, "fig").chain
    assert hops.to_list() == [hop.to_dict() for hop in hops]


def test_a_path_leads_from_the_start():
    """Over the nodes each was met from."""
    trace = trace_provenance(g1().graph, "fig")
    path = trace.path_to("goal:session:s1")
    assert [hop.node.id for hop in path] == ["e2", "subtask:e2", "goal:session:s1"]
    assert [hop.from_id for hop in path] == ["fig#v1", "e2", "subtask:e2"]
    assert trace.path_to("fig#v1") == trace.path_to("nobody") == ()


def test_a_trace_draws_edges_as_they_are_stored():
    """From what came first to what followed; `feeds` runs to the goal."""
    built = Built().goal().node("SourceFile", "f").node("Claim", "c")
    built.edges("f feeds goal", "f supports c")
    trace = trace_provenance(built.graph, "c")
    assert [(e.source, e.type, e.target) for e in trace.edges] == [
        ("f", "supports", "c"),
        ("f", "feeds", "goal:session:s1"),
    ]
    assert [[hop.node.id for hop in layer] for layer in trace.layers] == [
        ["f"],
        ["goal:session:s1"],
    ]
    assert [view.id for view in trace.nodes] == ["c", "f", "goal:session:s1"]


@pytest.mark.parametrize(
    ("broken", "truncated", "word"),
    [
        (False, False, "complete"),
        (True, False, "broken"),
        (False, True, "truncated"),
    ],
)
def test_a_verdict_is_one_word(broken, truncated, word):
    """complete, broken, truncated."""
    node = Node("n1", ("Claim",), {"claim_id": "c"})
    trace = Trace(NodeView.of(node), Hops(node), broken, truncated, Reason("cut"))
    assert (trace.verdict, trace.reached) == (word, word == "complete")


def test_the_wire_flag_counts_rows_not_what_is_missing():
    """Exactly full says truncated; an expansion is never cut, yet the flag is set."""
    views = tuple(NodeView("Code", f"e{k}", "s", {}) for k in range(WIRE_LIMIT))
    full = Chain(nodes=views, available=WIRE_LIMIT, limit=WIRE_LIMIT)
    assert (full.truncated, full.to_dict()["truncated"]) == (False, True)
    uncut = Chain(nodes=views, available=WIRE_LIMIT)
    assert uncut.to_dict()["truncated"] is False
    scope = Expansion(nodes=views, available=WIRE_LIMIT)
    assert (scope.truncated, scope.to_dict()["truncated"]) == (False, True)


def test_a_page_is_cut_where_rows_follow():
    """Truncated speaks of what lies behind the page; drawn nodes are no rows."""
    views = tuple(NodeView("Code", f"e{k}", "s", {}) for k in range(3))
    assert Chain(nodes=views, available=9, offset=3, limit=3).truncated
    assert not Chain(nodes=views, available=6, offset=3, limit=3).truncated
    assert Subgraph(nodes=views, available=3, drawn=1, limit=2).truncated


@pytest.mark.parametrize("answer", every_answer(), ids=repr)
def test_every_answer_is_frozen_and_shows_itself(answer):
    """One line as repr, a table as text and as HTML, a frame."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(answer, dataclasses.fields(answer)[0].name, None)
    assert repr(answer).startswith(f"<{type(answer).__name__} ")
    assert str(answer).startswith(answer.title())
    assert "<table" in answer._repr_html_()
    frame = answer.to_frame()
    assert len(frame) == len(answer._rows()[1])
    assert list(frame.columns) == list(answer._rows()[0])


def test_a_node_shows_itself_as_a_table_and_as_a_frame(view):
    """Its properties one by one; the frame is that of any list of nodes."""
    frame = view.to_frame()
    assert list(frame["id"]) == [view.id]
    listed = by_node_type(g1().graph, "Code").to_frame()
    assert dict(frame.dtypes) == dict(listed.dtypes)
    page = view._repr_html_()
    assert page.count("<table") == 1
    assert all(f"<bdi>{name}</bdi>" in page for name in view.props)
    hostile = NodeView("Claim", "<i>", None, {"<b>": "<script>"})
    assert "<script>" not in hostile._repr_html_()
    assert "<i>" not in hostile._repr_html_()


def test_an_empty_answer_has_the_same_columns():
    """Fixed columns and dtypes, also without rows."""
    graph = g1().graph
    full, empty = match(graph, "execution"), match(graph, "nothing")
    assert len(full.to_frame()) == 2
    assert len(empty.to_frame()) == 0
    assert dict(empty.to_frame().dtypes) == dict(full.to_frame().dtypes)
    assert list(empty.edge_frame().columns) == ["type", "source", "target", "props"]


def test_a_display_is_short_and_escaped():
    """Thousands of rows are counted, markup is text, control characters are drawn."""
    built = Built()
    for k in range(100):
        built.node("Claim", f"c{k}", content="<script>alert(1)</script>\x1b[31m")
    found = by_node_type(built.graph, "Claim")
    assert "<script>" not in found._repr_html_()
    assert "and 60 more rows" in found._repr_html_()
    assert "\x1b" not in str(found)
    assert len(str(found).splitlines()) == 1 + 1 + 40 + 1
    hostile = chain(Built().node("Claim", "\x1b[31m").graph, "\x1b[31m", "viewOutput")
    assert "\x1b" not in repr(hostile)


def test_a_node_of_an_answer_is_found_by_its_id():
    """The first with that public id, or None."""
    found = chain(g1().graph, "fig", "viewRelatedTask")
    assert found.node("e2").label == "Code"
    assert found.node("nobody") is None
    assert [view.id for view in found] == [view.id for view in found.nodes]


def test_an_empty_chain_says_that_nothing_was_reached() -> None:
    """In one line, without columns over nothing; the frame keeps its columns."""
    mem = smemkit.open(":memory:")
    mem.observe_execution("e1", session_id="s")
    chain = mem.chain("e1", "viewOutput")

    assert str(chain) == "viewOutput of Code e1: nothing was reached"
    assert "nothing was reached" in chain._repr_html_()
    assert len(chain.to_frame()) == 0
    assert "id" in chain.to_frame().columns
    mem.observe_execution("e1", produced_artifacts=[{"artifact_id": "f", "version": 1}])
    page = mem.chain("e1", "viewOutput", limit=1, offset=9)
    assert (len(page), "nothing" in str(page)) == (0, False)
