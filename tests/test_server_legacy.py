# SPDX-License-Identifier: Apache-2.0
"""What older clients and evolve searches send (contract/http.md §3.6, §7)."""

from __future__ import annotations

import pytest

from tests import server_story as story
from tests.serving import serving


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path) as client:
        yield client


SEARCH = {
    "invocation_id": "5d1e",
    "session_id": "s1",
    "turn_id": "r1",
    "source": "arxiv",
    "tool_type": "mcp__arxiv__search",
    "retrieved_at": "2026-10-01T08:00:00Z",
    "records": [
        {
            "url": "https://doi.org/10.1000/demo.1",
            "title": "Demo",
            "identifierType": "doi",
        },
        {"url": "10.1000/demo.2", "identifier_type": "doi", "authors": ["A. One"]},
    ],
}


def test_a_search_of_the_older_generation_is_kept(client):
    """Call and papers; both spellings of the identifier's type count."""
    answer = client.post("/observe/mcp-search", json=SEARCH)
    assert answer.json() == {"status": "healthy", "written": 3, "papers": 2}
    body = {"node_types": ["Paper"], "session_id": "s1"}
    papers = client.post("/query/by-node-type", json=body).json()["hits"]
    assert {paper["id"] for paper in papers} == {
        "https://doi.org/10.1000/demo.1",
        "https://doi.org/10.1000/demo.2",
    }
    assert [paper["extra"]["identifier_type"] for paper in papers] == ["doi", "doi"]
    found = client.get("/nodes/ToolCall/subtask%3Amcp%3A5d1e")
    assert found.status_code == 200


@pytest.mark.parametrize(
    ("fields", "tool_type"),
    [
        ({"task_type": "code_execution"}, "execution"),
        ({"task_type": "npu"}, "npu"),
        ({"task_type": "npu", "tool_type": "execution"}, "execution"),
        ({}, "execution"),
    ],
)
def test_the_older_name_of_a_call_s_type_is_understood(client, fields, tool_type):
    """`tool_type` wins; the older code_execution is today's execution."""
    body = {key: v for key, v in story.EXECUTION.items() if key != "tool_type"}
    client.post("/observe/execution", json={**body, **fields})
    node = client.get("/nodes/ToolCall/subtask%3Ae-1").json()
    assert node["extra"]["tool_type"] == tool_type


def test_the_older_chains_are_answered(client):
    """chain_kind full, task and artifact; `kind` wins where both are given."""
    story.tell(client)
    found = {}
    for kind in ("full", "task", "artifact"):
        body = {"node_id": "a-1", "session_id": "s1", "chain_kind": kind}
        answer = client.post("/query/chain", json=body)
        assert answer.status_code == 200
        found[kind] = {node["id"] for node in answer.json()["nodes"]}
    assert found["full"] == found["task"] | found["artifact"]
    assert "a-9#v1" in found["artifact"]
    both = {"node_id": "e-1", "kind": "viewOutput", "chain_kind": "full"}
    nodes = client.post("/query/chain", json=both).json()["nodes"]
    assert {node["id"] for node in nodes} == {"e-1", "a-1#v1"}


def test_a_plan_is_understood_and_not_kept(client):
    """The contract's shape; the goal stays as the first message made it."""
    client.post("/observe/session-first-message", json=story.FIRST_MESSAGE)
    plan = {
        "session_id": "s1",
        "goal_id": "goal:session:s1",
        "plan_id": "p",
        "scope": "Something else",
        "steps": [{"id": "1", "description": "read"}],
    }
    answer = client.post("/observe/session-plan", json=plan)
    assert answer.json() == {"status": "healthy", "written": 0, "goal_corrected": False}
    goal = client.get("/nodes/ResearchGoal/goal%3Asession%3As1").json()
    assert goal["excerpt"] == "Does drug X lower LDL?"


def test_evolve_searches_are_answered_and_not_kept(client):
    """§3.6 and §5.4 in the contract's shapes."""
    records = [{"sequence": 1, "createdAt": "t", "event": {"type": "seeded"}}]
    body = {"search_id": "x", "session_id": "s1", "records": records}
    answer = client.post("/observe/search-progress", json=body)
    assert answer.json() == {"applied": 0, "skipped": 1}
    body = {"search_id": "x", "session_id": "s1", "artifacts": []}
    assert client.post("/observe/search-artifacts", json=body).json() == {"linked": 0}
    answer = client.post("/query/search-graph", json={"search_id": "x"})
    assert answer.status_code == 404
    assert answer.json() == {
        "detail": {"code": "search_not_found", "message": "no search graph for x"}
    }


def test_the_hash_of_a_page_is_found_by_url_or_identifier(client):
    """§5.4: always both keys, no 404."""
    page = {
        "product_type": "web_page",
        "url": "https://a.example/x",
        "title": "X",
        "content_hash": "ab",
    }
    client.post("/observe/tool-call", json={**story.TOOL_CALL, "products": [page]})
    for name, digest in (("url:https://a.example/x", "ab"), ("url:nowhere", None)):
        params = {"session_id": "s1", "web_page_id": name}
        answer = client.get("/web-pages/content-hash", params=params)
        assert answer.json() == {"content_hash": digest, "reason": None}
