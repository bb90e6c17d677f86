# SPDX-License-Identifier: Apache-2.0
"""The worked examples of contract/http.md §14 that give lists of nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests import server_story as story
from tests.serving import Client, serving

GOAL_HIT = {
    "label": "ResearchGoal",
    "id": "goal:session:s1",
    "session_id": "s1",
    "session_title": None,
    "excerpt": "Does drug X lower LDL?",
    "extra": {
        "goal_id": "goal:session:s1",
        "core_objective": "Does drug X lower LDL?",
        "domain": "Clinical",
        "topic_scope": [],
    },
    # The caller's time is kept (design §5), where the app wrote its own clock.
    "created_at": "2026-10-01T08:00:00Z",
}
FILE_HIT = {
    "label": "SourceFile",
    "id": story.RAW,
    "session_id": "s1",
    "session_title": None,
    "excerpt": "SourceFile",
    "extra": {
        "file_id": story.RAW,
        "name": "raw.csv",
        "path": "raw.csv",
        "media_type": "text/csv",
        "size": 2048,
        "content_hash": "9f",
        "origin": "user_upload",
    },
    "created_at": "2026-10-01T07:59:00.000Z",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("examples")) as client:
        client.told = story.tell(client)
        yield client


def ask(client: Client, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def by_id(nodes: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {node["id"]: node for node in nodes}
    assert len(found) == len(nodes)
    return found


def test_a_search_gives_hits(client):
    """§14: every word must be there; the goal holds both."""
    body = ask(
        client, "/query/match", query="LDL drug", session_id="s1", mode="all_terms"
    )
    claim_id = client.told["claim"].json()["claim_id"]
    hits = [hit for hit in body["hits"] if hit["id"] != claim_id]
    assert hits == [GOAL_HIT]
    assert (body["total"], body["truncated"], body["available"]) == (2, False, 2)


def test_edges_by_type_come_with_their_ends(client):
    """§14: the type comes first in an edge."""
    body = ask(client, "/query/by-edge-type", edge_types=["feeds"], session_id="s1")
    edge = {
        "type": "feeds",
        "source": story.RAW,
        "target": "goal:session:s1",
        "extra": {},
    }
    assert body["edges"] == [edge]
    assert list(body["edges"][0]) == ["type", "source", "target", "extra"]
    assert body["nodes"] == [FILE_HIT, GOAL_HIT]
    assert (body["total"], body["truncated"]) == (1, False)


def test_a_chain_reaches_what_the_code_made(client):
    """§14: both nodes as hits, the edge with its `extra`."""
    body = ask(
        client, "/query/chain", node_id="e-1", session_id="s1", kind="viewOutput"
    )
    nodes = by_id(body["nodes"])
    assert {name: node["label"] for name, node in nodes.items()} == {
        "a-1#v1": "Artifact",
        "e-1": "Code",
    }
    assert nodes["e-1"]["created_at"] is None
    assert body["edges"] == [
        {"source": "e-1", "target": "a-1#v1", "type": "produces", "extra": {}}
    ]
    assert (body["total"], body["truncated"]) == (2, False)


def test_a_chain_that_breaks_is_empty(client):
    """§14: the code read an uploaded file, which viewInput does not show (design §5.3)."""
    body = ask(client, "/query/chain", node_id="e-1", session_id="s1", kind="viewInput")
    assert body.pop("available") == 0
    assert body == {"nodes": [], "edges": [], "total": 0, "truncated": False}


def test_a_chain_from_nowhere_is_404(client):
    """§14: code not_found and the id as it was given."""
    answer = client.post("/query/chain", json={"node_id": "nope", "kind": "viewOutput"})
    assert answer.status_code == 404
    assert answer.json() == {
        "detail": {"code": "not_found", "message": "node not found: nope"}
    }


@pytest.mark.parametrize("suffix", [" 1", "+1", "01"])
def test_a_version_is_any_number_that_python_reads(client, suffix):
    """contract/query.md §6.1."""
    asked = {"node_id": f"a-1#v{suffix}", "kind": "viewProducingCode"}
    body = ask(client, "/query/chain", **asked)
    assert set(by_id(body["nodes"])) == {"a-1#v1", "e-1"}


def test_a_paper_is_there_for_every_session(client):
    """contract/query.md §8.2: also one that has no record, where its line breaks."""
    paper = "https://doi.org/10.1000/demo.1"
    path = "/trace/provenance"
    body = ask(client, path, node_id=paper, session_id="unknown")
    assert (body["start_node"]["id"], body["chain"]) == (paper, [])
    assert (body["broken"], body["truncated"]) == (True, False)
    assert body["reason"] == f"no upstream of Paper #{paper}"
    other = client.post(path, json={"node_id": "e-1", "session_id": "unknown"})
    assert other.status_code == 404


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_below_one_is_read_of_artifacts_alone(client, version):
    """No artifact has one: 404, and nothing exists; of other nodes it is not read."""
    asked = {"node_id": "a-1", "kind": "viewProducingCode", "version": version}
    assert client.post("/query/chain", json=asked).status_code == 404
    path, kinds = "/query/chain-exists", ["viewOutput", "viewProducingCode"]
    found = ask(client, path, node_id="a-1", kinds=kinds, version=version)
    assert found == {"viewOutput": False, "viewProducingCode": False}
    found = ask(client, path, node_id="e-1", kinds=kinds, version=version)
    assert found["viewOutput"] is True


def test_chain_exists_answers_in_the_order_asked(client):
    """§5.2: a flat object."""
    kinds = ["viewOutput", "viewInput"]
    answer = client.post("/query/chain-exists", json={"node_id": "e-1", "kinds": kinds})
    assert answer.text == '{"viewOutput":true,"viewInput":false}'


def test_a_scope_unfolds_into_what_the_subagent_did(client):
    """§14: the child call, its code and the edges between them."""
    scope, child = "subtask:subagent:sa1", "subtask:subagent:sa1:exec:e-7"
    body = ask(client, "/query/scope-expansion", scope_task_id=scope, session_id="s1")
    nodes = by_id(body["nodes"])
    assert body["nodes"][0]["id"] == child
    assert set(nodes) == {child, scope, "e-7", "a-7#v1", "a-8#v1"}
    contains = {"source": scope, "target": child, "type": "contains", "extra": {}}
    produces = {"source": child, "target": "e-7", "type": "produces", "extra": {}}
    assert contains in body["edges"]
    assert produces in body["edges"]
    assert (body["total"], body["truncated"]) == (5, False)


def test_a_stack_unfolds_into_its_members(client):
    """§14: one surrogate edge for each member."""
    group = "_group:subtask:subagent:sa1:Artifact"
    body = ask(client, "/query/group-expansion", group_id=group, session_id="s1")
    assert set(by_id(body["nodes"])) == {"a-7#v1", "a-8#v1"}
    extra = {"surrogate": True, "via_child": "subtask:subagent:sa1:exec:e-7"}
    assert {edge["target"]: edge for edge in body["edges"]} == {
        name: {
            "source": "subtask:subagent:sa1",
            "target": name,
            "type": "produces",
            "extra": extra,
        }
        for name in ("a-7#v1", "a-8#v1")
    }
    assert (body["total"], body["truncated"]) == (2, False)
