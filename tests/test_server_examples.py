# SPDX-License-Identifier: Apache-2.0
"""Every worked example of contract/http.md §2–§6 and §14, as request and answer.

The questions that give lists of nodes are in test_server_questions.py.

Where an answer differs on purpose, the test says which section of the design it
follows; docs/http.md lists the same differences.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from smemkit import instants
from tests import server_story as story
from tests.serving import Client, serving


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


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("upload", {"status": "healthy", "written": 1}),
        ("message", {"status": "healthy", "written": 1}),
        ("execution", {"status": "healthy", "written": 2}),
        ("search", {"status": "healthy", "written": 3, "products": 2}),
        ("subagent", {"status": "healthy", "written": 1}),
        ("end", {"status": "healthy", "written": 1}),
    ],
)
def test_a_write_is_answered_as_in_the_contract(client, name, answer):
    """§3.1–§3.5 and §14: `written` is counted from the request, dropped ones too."""
    assert client.told[name].status_code == 200
    assert client.told[name].json() == answer


def test_health_of_a_local_store(client):
    """§2.1: status and backend, without a token."""
    assert client.get("/health").json() == {"status": "healthy", "backend": "local"}


def test_a_password_pushed_while_local_is_healthy(client):
    """§2.3: the probe is of the active store."""
    body = {
        "password": "s3cret",
        "http_uri": "http://127.0.0.1:7474",
        "user": "neo4j",
    }
    assert ask(client, "/internal/neo4j-password", **body) == {"status": "healthy"}


def test_a_timed_out_subagent_is_a_failed_node(client):
    """§14: status failed, failure_reason timed_out, the summary kept."""
    body = ask(client, "/query/by-node-type", node_types=["Task"], session_id="s1")
    (task,) = body["hits"]
    assert task["id"] == "subtask:subagent:sa1"
    assert task["extra"]["status"] == "failed"
    assert task["extra"]["failure_reason"] == "timed_out"
    assert task["extra"]["summary"] == "wall clock"
    assert task["created_at"] == "2026-10-01T08:02:00Z"


def test_evidence_is_answered_with_a_new_id(client):
    """§4.1: status ok and a UUID of version 4."""
    answer = client.told["evidence"].json()
    assert answer == {"status": "ok", "evidence_id": answer["evidence_id"]}
    assert uuid.UUID(answer["evidence_id"]).version == 4


def test_a_claim_is_answered_with_its_chips_and_targets(client):
    """§4.2: chip_map by alias, cited_targets in any order."""
    evidence_id = client.told["evidence"].json()["evidence_id"]
    answer = client.told["claim"].json()
    nothing = dict.fromkeys(
        ("evidence_id", "artifact_id", "version", "file_id", "source", "identifier")
    )
    targets = [
        {**nothing, "evidence_id": evidence_id, "labels": ["Evidence"]},
        {**nothing, "artifact_id": "a-1", "version": 1, "labels": ["Artifact"]},
    ]
    answer["cited_targets"].sort(key=lambda target: target["labels"], reverse=True)
    assert answer == {
        "status": "ok",
        "claim_id": answer["claim_id"],
        "chip_map": {
            "evidence1": {"kind": "evidence", "id": evidence_id, "label": "evidence1"},
            "artifact1": {
                "kind": "artifact",
                "id": "a-1",
                "label": "artifact1",
                "version": 1,
            },
        },
        "cited_targets": targets,
    }
    assert uuid.UUID(answer["claim_id"]).version == 4


def test_claims_are_linked_once_the_report_landed(client):
    """§4.3, §14: refused while the version is not there, then linked."""
    early, stated = client.told["early"], client.told["stated"]
    assert early.status_code == 422
    assert early.json() == {
        "detail": {
            "code": "artifact_not_found",
            "message": "Artifact version not found",
        }
    }
    assert stated.status_code == 200
    assert stated.json() == {"status": "ok", "artifact_id": "a-9", "linked": 1}


def test_the_subgraph_has_the_contract_s_nodes_and_edges(client):
    """§5.1: five keys a node, `extra` on an edge only if there is any."""
    body = client.get("/subgraph", params={"session_id": "s1"}).json()
    nodes = by_id(body["nodes"])
    call = nodes["subtask:e-1"]
    assert instants.parse(call.pop("created_at")) is not None
    assert call == {
        "label": "ToolCall",
        "id": "subtask:e-1",
        "session_id": "s1",
        "extra": {
            "task_id": "subtask:e-1",
            "status": "completed",
            "tool_type": "execution",
            "tool_name": "run_python",
            "turn_id": "r1",
            "seq": 1,
        },
    }
    code = nodes["e-1"]
    shown = {
        "code_id": "e-1",
        "tool": "run_python",
        "code_hash": "ab12",
        "exit_code": 0,
        "status": "completed",
        "started_at": "2026-10-01T08:01:00Z",
    }
    # The example leaves out what §1.8 also lists for a Code.
    assert code["extra"] == {**shown, "language": "python", "turn_id": "r1"}
    assert (code["label"], code["session_id"], code["created_at"]) == (
        "Code",
        "s1",
        None,
    )
    assert set(code) == {"label", "id", "session_id", "extra", "created_at"}
    assert {"source": "subtask:e-1", "target": "e-1", "type": "produces"} in body[
        "edges"
    ]
    first = {
        "source": "goal:session:s1",
        "target": "subtask:e-1",
        "type": "next",
        # The line is ordered by finish time (design §5.6).
        "extra": {"method": "temporal_chain", "inferred": True, "basis": "finish_time"},
    }
    assert first in body["edges"]
    assert body["total"] == len(body["nodes"])
    assert body["truncated"] is False


def test_an_unknown_session_is_an_empty_subgraph(client):
    """§5.1: empty, without a reason; `available` is design §2."""
    body = client.get("/subgraph", params={"session_id": "nobody"}).json()
    assert body == {
        "nodes": [],
        "edges": [],
        "total": 0,
        "truncated": False,
        "available": 0,
    }


def test_the_provenance_of_a_figure(client):
    """§5.3: nineteen keys in order, the inputs as dependencies."""
    answer = client.get(
        "/query/artifact-provenance",
        params={"artifact_id": "a-2", "version": 1, "session_id": "s1"},
    )
    expected = {
        "artifact_id": "a-2",
        "version": 1,
        "logical_name": "a-2.png",
        "media_type": "image/png",
        "content_hash": "ee",
        "turn_id": "r1",
        "code_hash": "ab",
        "stdout_hash": None,
        "stderr_hash": None,
        "env_hash": None,
        "exit_code": 0,
        "status": "completed",
        "finished_at": "2026-10-01T08:01:05Z",
        "started_at": "2026-10-01T08:01:00Z",
        "code_id": "e-2",
        "language": "python",
        "tool": "run_python",
        "messages_turn_id": "r1",
        "dependencies": [
            {
                "kind": "artifact",
                "artifact_id": "a-1",
                "version": 1,
                "logical_name": "ldl.csv",
                "media_type": "text/csv",
                "path": "ldl.csv",
            },
            {
                "kind": "source_file",
                "file_id": story.RAW,
                "name": "raw.csv",
                "path": "raw.csv",
                "media_type": "text/csv",
            },
        ],
    }
    assert answer.json() == expected
    assert list(answer.json()) == list(expected)


def test_a_version_nobody_made_is_200_with_a_reason(client):
    """§5.3: absent is no error here."""
    answer = client.get(
        "/query/artifact-provenance", params={"artifact_id": "a-2", "version": 7}
    )
    assert answer.status_code == 200
    assert answer.json() == {
        "artifact_id": "a-2",
        "version": 7,
        "logical_name": None,
        "dependencies": [],
        "reason": "node_not_found",
    }


TRACE = {
    "start_node": {
        "label": "Artifact",
        "id": "a-1#v1",
        "excerpt": "ldl.csv",
        "content_hash": "cd34",
    },
    "chain": [
        {
            "hop": 1,
            "node": {
                "label": "Code",
                "id": "e-1",
                "excerpt": "run_python",
                "content_hash": "ab12",
            },
            "via_edge": "produces",
            "from": "a-1#v1",
        },
        {
            "hop": 2,
            "node": {"label": "ToolCall", "id": "subtask:e-1", "excerpt": "execution"},
            "via_edge": "produces",
            "from": "e-1",
        },
    ],
    "broken": False,
    "truncated": False,
    "reason": "reached terminal node ResearchGoal",
}


def test_a_trace_reaches_the_goal(client):
    """§5.3; `from` and the uploaded file beside the call are design §5.1."""
    body = ask(client, "/trace/provenance", node_id="a-1", session_id="s1")
    start, end = body.pop("chain"), TRACE["chain"]
    assert body == {key: value for key, value in TRACE.items() if key != "chain"}
    assert start[0] == end[0]
    file = {"label": "SourceFile", "id": story.RAW, "excerpt": "SourceFile"}
    file["content_hash"] = "9f"
    assert start[1:3] == [
        end[1],
        {"hop": 2, "node": file, "via_edge": "input", "from": "e-1"},
    ]
    goal = {
        "label": "ResearchGoal",
        "id": "goal:session:s1",
        "excerpt": "Does drug X lower LDL?",
    }
    assert start[3:] == [
        {
            "hop": 3,
            "node": goal,
            "via_edge": "next",
            "from": "subtask:e-1",
            "is_terminal": True,
        }
    ]


def test_cleaning_a_session_keeps_its_artifacts_marked(tmp_path):
    """§6: artifacts are marked, everything else is deleted; a repeat marks again."""
    with serving(tmp_path) as client:
        story.tell(client)
        kept = ask(client, "/query/by-node-type", node_types=["Artifact"])["total"]
        first = ask(client, "/cleanup/session", session_id="s1")
        assert first == {
            "status": "healthy",
            "marked": kept,
            "deleted": first["deleted"],
        }
        assert first["deleted"] > kept == 5
        again = ask(client, "/cleanup/session", session_id="s1")
        assert again == {"status": "healthy", "marked": kept, "deleted": 0}
        gone = ask(client, "/cleanup/project", project_id="p1", session_ids=["s1"])
        assert gone == {"status": "healthy", "deleted": kept}
