# SPDX-License-Identifier: Apache-2.0
"""A session's picture: its order, its pages, its edges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smemkit.reading.subgraph import subgraph
from tests.reading_graphs import Built, g1
from tests.strategies import graphs


def ids(answer) -> list[str]:
    return [view.id for view in answer.nodes]


def long_session(calls: int) -> Built:
    """A goal, a line of calls, and a claim between any two of them."""
    built = Built().goal(created_at="2026-10-02T07:00:00.000Z")
    for k in range(calls):
        at = f"2026-10-02T08:{k:02}:00.000Z"
        built.call(f"t{k}", created_at=at).node("Claim", f"cl{k}", created_at=at)
        built.edges(f"{f't{k - 1}' if k else 'goal'} next t{k}")
    return built


def test_the_wire_form_is_the_contracts():
    """Five keys per node, `extra` on edges that have any (contract/http.md §5.1)."""
    built = (
        Built().goal(core_objective="Why?").call("t", created_at="2026-10-01T08:00Z")
    )
    built.edges("goal next t", method="temporal_chain").code("e").edges("t produces e")
    assert subgraph(built.graph, "s1").to_dict() == {
        "nodes": [
            {
                "label": "ResearchGoal",
                "id": "goal:session:s1",
                "session_id": "s1",
                "extra": {"goal_id": "goal:session:s1", "core_objective": "Why?"},
                "created_at": None,
            },
            {
                "label": "ToolCall",
                "id": "t",
                "session_id": "s1",
                "extra": {"task_id": "t", "tool_type": "execution"},
                "created_at": "2026-10-01T08:00Z",
            },
            {
                "label": "Code",
                "id": "e",
                "session_id": "s1",
                "extra": {"code_id": "e", "tool": "run_python"},
                "created_at": None,
            },
        ],
        "edges": [
            {
                "source": "goal:session:s1",
                "target": "t",
                "type": "next",
                "extra": {"method": "temporal_chain"},
            },
            {"source": "t", "target": "e", "type": "produces"},
        ],
        "total": 3,
        "truncated": False,
    }


def test_the_goal_leads_then_the_line_then_the_newest():
    """Design §5.4, whatever the times say."""
    found = ids(subgraph(long_session(4).graph, "s1"))
    assert found == [
        "goal:session:s1",
        "t0",
        "t1",
        "t2",
        "t3",
        "cl3",
        "cl2",
        "cl1",
        "cl0",
    ]


def test_every_page_holds_the_goal():
    """No page loses a ResearchGoal; together the pages hold each node."""
    graph = long_session(6).graph
    pages = [subgraph(graph, "s1", limit=5, offset=k) for k in (0, 5, 10)]
    assert all("goal:session:s1" in ids(page) for page in pages)
    assert [page.available for page in pages] == [13, 13, 13]
    assert [page.truncated for page in pages] == [True, True, False]
    assert len(set().union(*map(ids, pages))) == 13
    assert ids(subgraph(graph, "s1", limit=5, offset=99)) == []


def test_edges_join_nodes_of_the_page_only():
    """An edge whose end is on another page is not shown."""
    page = subgraph(long_session(6).graph, "s1", limit=3)
    assert [(e.source, e.target) for e in page.edges] == [
        ("goal:session:s1", "t0"),
        ("t0", "t1"),
    ]


def test_a_page_that_is_exactly_full_is_truncated_on_the_wire_alone():
    """contract/query.md §1.3: the flag of the wire is length ≥ limit."""
    page = subgraph(long_session(2).graph, "s1", limit=5)
    assert (page.total, page.available, page.truncated) == (5, 5, False)
    assert page.to_dict()["truncated"] is True


def test_what_cannot_be_shown_is_not_counted():
    """Deleted nodes, nodes without id, search trees and other sessions are left out."""
    built = g1().artifact("gone#v1", deleted_session=True).code("x", code_id=None)
    built.node("SearchNode", "run", node_index=1).call("other", session_id="s2")
    found = subgraph(built.graph, "s1")
    assert found.available == found.total == 7
    assert subgraph(built.graph, "nobody").to_dict() == {
        "nodes": [],
        "edges": [],
        "total": 0,
        "truncated": False,
    }


def test_labels_and_edges_of_other_generations_are_shown():
    """An old graph's SubTask is a ToolCall; an unknown edge type is kept."""
    built = Built().node("SubTask", "o1").code("e").edges("o1 odd_edge e")
    found = subgraph(built.graph, "s1")
    assert [view.label for view in found.nodes] == ["ToolCall", "Code"]
    assert [edge.type for edge in found.edges] == ["odd_edge"]


@given(graphs(), st.integers(1, 6))
def test_pages_hold_each_node_of_a_session(graph, size):
    """On any graph the pages together are the uncut answer, goals repeated."""
    whole = subgraph(graph, "s1")
    stored = [view for view in whole.nodes if view.storage_id]
    met = []
    for offset in range(0, len(stored), size):
        page = subgraph(graph, "s1", limit=size, offset=offset)
        met += [view for view in page.nodes if view.storage_id]
    goals = {view.storage_id for view in stored if view.label == "ResearchGoal"}
    assert {view.storage_id for view in met} == {view.storage_id for view in stored}
    others = [view.storage_id for view in met if view.storage_id not in goals]
    assert others == [v.storage_id for v in stored if v.storage_id not in goals]
