# SPDX-License-Identifier: Apache-2.0
"""For each observing verb: what it needs, and what its parameters may not be."""

from __future__ import annotations

from tests.writing_records import NO_IDS, NO_LISTS, NO_NUMBERS, NO_TEXTS, TOO_LONG

PAPER = {"product_type": "paper", "link": "10.1/x"}
MADE = {"artifact_id": "a", "version": 1}

GOOD: dict[str, dict[str, object]] = {
    "observe_session_first_message": {"session_id": "s1", "core_objective": "Why?"},
    "observe_upload_file": {"session_id": "s1", "file_id": "f", "path": "raw.csv"},
    "observe_execution": {
        "session_id": "s1",
        "execution_id": "e1",
        "produced_artifacts": [MADE],
    },
    "observe_tool_call": {
        "session_id": "s1",
        "task_id": "subtask:mcp:1",
        "tool_name": "search",
        "products": [PAPER],
    },
    "observe_mcp_search": {
        "session_id": "s1",
        "invocation_id": "1",
        "source": "arxiv",
        "tool_type": "search",
        "records": [{"url": "10.1/x"}],
    },
    "observe_subagent": {"session_id": "s1", "subagent_id": "sa1"},
}
"""What each verb needs, and no more."""

BAD: dict[str, dict[str, tuple[object, ...]]] = {
    "observe_session_first_message": {
        "session_id": NO_IDS,
        "core_objective": (*NO_TEXTS, None),
        "goal_id": (*NO_TEXTS, "", " "),
        "domain": NO_TEXTS,
        "topic_scope": (*NO_LISTS, None, [1], [["a"]], [None]),
        "created_at": NO_TEXTS,
    },
    "observe_upload_file": {
        "session_id": NO_IDS,
        "file_id": NO_IDS,
        "path": (7, None, b"raw", ["x"], float("nan"), "\ud800", TOO_LONG),
        "name": NO_TEXTS,
        "media_type": NO_TEXTS,
        "content_hash": NO_TEXTS,
        "size": (*NO_NUMBERS, -1),
        "created_at": NO_TEXTS,
    },
    "observe_execution": {
        "session_id": NO_IDS,
        "execution_id": NO_IDS,
        "parent_subagent_id": (*NO_TEXTS, "", " "),
        "status": NO_TEXTS,
        "tool_type": (*NO_TEXTS, None),
        **dict.fromkeys(
            (
                *("tool", "tool_name", "language", "turn_id", "created_at"),
                *("started_at", "finished_at"),
                *("code_hash", "stdout_hash", "stderr_hash", "env_hash"),
            ),
            NO_TEXTS,
        ),
        "exit_code": NO_NUMBERS,
        "produced_artifacts": (*NO_LISTS, None, ["a"], [[MADE]], [{}], [None]),
        "input_source_files": (*NO_LISTS, [7], [["f"]], [{"id": "f"}], [None]),
    },
    "observe_tool_call": {
        "session_id": NO_IDS,
        "task_id": NO_IDS,
        "tool_name": (*NO_TEXTS, None),
        "tool_type": (*NO_TEXTS, None),
        "status": NO_TEXTS,
        "parent_subagent_id": (*NO_TEXTS, "", " "),
        **dict.fromkeys(("source", "turn_id", "created_at", "finished_at"), NO_TEXTS),
        "result_count": (*NO_NUMBERS, None),
        "products": (*NO_LISTS, None, ["10.1/x"], [{}], [[PAPER]], [None]),
    },
    "observe_mcp_search": {
        "session_id": NO_IDS,
        "invocation_id": NO_IDS,
        "source": (*NO_TEXTS, None),
        "tool_type": (*NO_TEXTS, None),
        "turn_id": NO_TEXTS,
        "retrieved_at": NO_TEXTS,
        "parent_subagent_id": (*NO_TEXTS, "", " "),
        "records": (*NO_LISTS, None, ["10.1/x"], [{}], [{"url": None}], [{"u": "x"}]),
    },
    "observe_subagent": {
        "session_id": NO_IDS,
        "subagent_id": NO_IDS,
        "status": (*NO_TEXTS, None),
        "task_type": (*NO_TEXTS, None),
        **dict.fromkeys(
            (
                *("objective", "subagent_type", "turn_id"),
                *("created_at", "finished_at", "summary"),
            ),
            NO_TEXTS,
        ),
    },
}
"""What each of its parameters may not be."""

ITEMS = [
    ("observe_execution", "produced_artifacts", MADE, "artifact_id", NO_IDS),
    (
        "observe_execution",
        "produced_artifacts",
        MADE,
        "version",
        (*NO_NUMBERS, None, 0, -1),
    ),
    *(
        ("observe_execution", "produced_artifacts", MADE, name, NO_TEXTS)
        for name in (
            *("path", "media_type", "logical_name"),
            *("project_id", "turn_id", "content_hash"),
        )
    ),
    (
        "observe_execution",
        "produced_artifacts",
        MADE,
        "input_artifact_versions",
        (*NO_LISTS, ["fig"], [""], [{}], [{"artifact_id": "a"}], [7], [{"v": 1}]),
    ),
    (
        "observe_tool_call",
        "products",
        PAPER,
        "product_type",
        ("book", "", None, 7, ["paper"], TOO_LONG),
    ),
    *(
        ("observe_tool_call", "products", PAPER, name, NO_TEXTS)
        for name in (
            *("link", "url", "title", "identifier", "identifier_type", "abstract"),
            *("source", "snippet", "content_hash"),
        )
    ),
    (
        "observe_tool_call",
        "products",
        PAPER,
        "year",
        (1.5, float("nan"), True, ["2020"]),
    ),
    ("observe_tool_call", "products", PAPER, "authors", (*NO_LISTS, [1], [["A"]])),
    ("observe_tool_call", "products", PAPER, "source_refs", (*NO_LISTS, [None])),
    ("observe_mcp_search", "records", {"url": "10.1/x"}, "title", NO_TEXTS),
]
"""The same for the fields of listed items."""
