# SPDX-License-Identifier: Apache-2.0
"""One session, told over HTTP: the invented data of contract/http.md §3, §4, §14."""

from __future__ import annotations

from typing import Any

RAW = "source_file:session:s1:raw.csv"

FIRST_MESSAGE = {
    "session_id": "s1",
    "goal_id": "goal:session:s1",
    "core_objective": "Does drug X lower LDL?",
    "domain": "Clinical",
    "topic_scope": [],
    "created_at": "2026-10-01T08:00:00Z",
}
UPLOAD = {
    "session_id": "s1",
    "file_id": RAW,
    "name": "raw.csv",
    "path": "raw.csv",
    "media_type": "text/csv",
    "size": 2048,
    "content_hash": "9f",
    "created_at": "2026-10-01T07:59:00.000Z",
}
EXECUTION = {
    "execution_id": "e-1",
    "session_id": "s1",
    "turn_id": "r1",
    "tool": "run_python",
    "language": "python",
    "code_hash": "ab12",
    "exit_code": 0,
    "status": "succeeded",
    "started_at": "2026-10-01T08:01:00Z",
    "finished_at": "2026-10-01T08:01:05Z",
    "tool_type": "execution",
    "tool_name": "run_python",
    "produced_artifacts": [
        {
            "artifact_id": "a-1",
            "path": "ldl.csv",
            "version": 1,
            "media_type": "text/csv",
            "logical_name": "ldl.csv",
            "project_id": "p1",
            "input_artifact_versions": [],
            "turn_id": "r1",
            "content_hash": "cd34",
        }
    ],
    "stdout_hash": None,
    "stderr_hash": None,
    "env_hash": None,
    "parent_subagent_id": None,
    "input_source_files": [{"file_id": RAW}],
}
TOOL_CALL = {
    "task_id": "subtask:mcp:5d1e",
    "session_id": "s1",
    "turn_id": "r1",
    "tool_name": "mcp__arxiv__search",
    "tool_type": "search",
    "source": "arxiv",
    "status": "completed",
    "result_count": 2,
    "products": [
        {
            "product_type": "paper",
            "link": "https://doi.org/10.1000/demo.1",
            "title": "Demo",
            "identifier": "10.1000/demo.1",
            "identifier_type": "doi",
            "year": "2025",
            "authors": ["A. One"],
            "abstract": "…",
            "source": "arxiv",
            "url": None,
            "snippet": None,
            "source_refs": None,
            "content_hash": None,
        },
        {"product_type": "paper", "link": None, "title": "No link"},
    ],
    "parent_subagent_id": None,
}
SUBAGENT = {
    "subagent_id": "sa1",
    "session_id": "s1",
    "turn_id": "r1",
    "objective": "Plot LDL",
    "task_type": "subagent",
    "subagent_type": "data-analyst",
    "created_at": "2026-10-01T08:02:00Z",
    "status": "running",
    "finished_at": None,
    "summary": None,
}
SUBAGENT_END = {
    **SUBAGENT,
    "status": "timed_out",
    "finished_at": "2026-10-01T08:12:00Z",
    "summary": "wall clock",
}
EVIDENCE = {
    "content": "LDL fell 12 %",
    "source_paper_link": "10.1000/demo.1",
    "locator": "Table 2",
    "evidence_type": "QUOTE",
    "confidence": "HIGH",
    "strength": "MODERATE",
    "session_id": "s1",
}


def execution(name: str, *artifacts: str, **fields: Any) -> dict[str, Any]:
    """Return an execution of the same form that made other files."""
    made = [
        {
            **EXECUTION["produced_artifacts"][0],
            "artifact_id": artifact,
            "path": f"{artifact}.png",
            "logical_name": f"{artifact}.png",
            "media_type": "image/png",
            "content_hash": "ee",
        }
        for artifact in artifacts
    ]
    return {
        **EXECUTION,
        "execution_id": name,
        "code_hash": "ab",
        "produced_artifacts": made,
        "input_source_files": [],
        **fields,
    }


def claim(evidence_id: str) -> dict[str, Any]:
    """Return a claim that rests on the evidence and on the table."""
    return {
        "content": "Drug X lowers LDL by 12 %.",
        "claim_type": "FINDING",
        "confidence": "HIGH",
        "locator": "Abstract",
        "session_id": "s1",
        "cites_evidence_aliases": {"evidence1": evidence_id},
        "cites_artifact_aliases": {"artifact1": "a-1"},
        "cites_artifact_versions": {"artifact1": 1},
    }


def tell(client: Any) -> dict[str, Any]:
    """Send the whole session and return every answer, by name."""
    answers: dict[str, Any] = {}

    def send(name: str, path: str, body: object) -> Any:
        answers[name] = client.post(path, json=body)
        return answers[name].json()

    send("upload", "/observe/upload-file", UPLOAD)
    send("message", "/observe/session-first-message", FIRST_MESSAGE)
    send("execution", "/observe/execution", EXECUTION)
    send("search", "/observe/tool-call", TOOL_CALL)
    send("subagent", "/observe/subagent", SUBAGENT)
    child = execution("e-7", "a-7", "a-8", parent_subagent_id="sa1")
    send("child", "/observe/execution", child)
    send("end", "/observe/subagent", SUBAGENT_END)
    second = execution("e-2", "a-2", input_source_files=[{"file_id": RAW}])
    inputs = [{"artifact_id": "a-1", "version": 1}]
    second["produced_artifacts"][0]["input_artifact_versions"] = inputs
    send("second", "/observe/execution", second)
    found = send("evidence", "/persist/evidence", EVIDENCE)
    made = send("claim", "/persist/claim", claim(found["evidence_id"]))
    link = {"artifact_id": "a-9", "artifact_version": 1, "session_id": "s1"}
    link["claim_ids"] = [made["claim_id"]]
    send("early", "/persist/stated_in", link)
    send("report", "/observe/execution", execution("e-9", "a-9"))
    send("stated", "/persist/stated_in", link)
    return answers


CHECKS: list[tuple[str, dict[str, Any], str]] = [
    ("/query/match", {"query": " "}, "query must be non-empty"),
    (
        "/query/match",
        {"query": "x", "mode": "y"},
        "mode must be 'any_term' or 'all_terms'",
    ),
    ("/query/by-node-type", {}, "node_types must be a non-empty list"),
    ("/query/by-node-type", {"node_types": ["Foo"]}, "unknown node types: ['Foo']"),
    ("/query/by-edge-type", {}, "edge_types must be a non-empty list"),
    (
        "/query/by-edge-type",
        {"edge_types": ["a", "b"]},
        "unknown edge types: ['a', 'b']",
    ),
    ("/query/chain", {"node_id": "", "kind": "viewGoal"}, "node_id must be non-empty"),
    ("/query/chain", {"node_id": "x", "kind": "K"}, "unknown chain kind: K"),
    (
        "/query/chain",
        {"node_id": "x", "chain_kind": "K"},
        "chain_kind must be 'full', 'task', or 'artifact'",
    ),
    ("/query/chain-exists", {"node_id": " ", "kinds": []}, "node_id must be non-empty"),
    (
        "/query/chain-exists",
        {"node_id": "x", "kinds": []},
        "kinds must be a non-empty list",
    ),
    (
        "/query/chain-exists",
        {"node_id": "x", "kinds": ["viewGoal", "K"]},
        "unknown chain kinds: ['K']",
    ),
    (
        "/query/scope-expansion",
        {"scope_task_id": "", "session_id": "s"},
        "scope_task_id must be non-empty",
    ),
    (
        "/query/group-expansion",
        {"group_id": "g", "session_id": " "},
        "session_id must be non-empty",
    ),
    ("/trace/provenance", {"node_id": ""}, "node_id must be non-empty"),
    (
        "/trace/provenance",
        {"node_id": "x", "target_label": "X"},
        "unknown target label: X",
    ),
    (
        "/trace/provenance",
        {"node_id": "x", "max_hops": 0},
        "max_hops must be in [1, 32]",
    ),
    (
        "/trace/provenance",
        {"node_id": "x", "max_hops": 33},
        "max_hops must be in [1, 32]",
    ),
]
"""Questions that make no sense, and what is said (contract/query.md §1.7)."""
