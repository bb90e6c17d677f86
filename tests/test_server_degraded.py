# SPDX-License-Identifier: Apache-2.0
"""A store that is down, or goes down under a request (contract/http.md §1.5)."""

from __future__ import annotations

import pytest

from smemkit.errors import StoreBusy, StoreUnreachable, WriteFailed
from tests import server_story as story
from tests.server_story import CHECKS
from tests.serving import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("degraded")) as client:
        story.tell(client)
        yield client


UNREACHABLE = "memory_graph_unreachable"
DOWN = {"status": "degraded", "reason": UNREACHABLE}
EMPTY = {"total": 0, "truncated": False, "available": 0, "reason": UNREACHABLE}
DEGRADED = [
    (
        "/observe/session-first-message",
        story.FIRST_MESSAGE,
        {"status": "degraded", "written": 0},
    ),
    ("/observe/upload-file", story.UPLOAD, {"status": "degraded", "written": 0}),
    ("/observe/execution", story.EXECUTION, {"status": "degraded", "written": 0}),
    ("/observe/tool-call", story.TOOL_CALL, {"status": "degraded", "written": 0}),
    ("/observe/subagent", story.SUBAGENT, {"status": "degraded", "written": 0}),
    ("/persist/evidence", story.EVIDENCE, {**DOWN, "evidence_id": None}),
    ("/persist/claim", story.claim("x"), {**DOWN, "claim_id": None, "chip_map": {}}),
    (
        "/persist/stated_in",
        {"artifact_id": "a", "artifact_version": 1, "session_id": "s"},
        {**DOWN, "linked": 0},
    ),
    ("/query/match", {"query": "x"}, {"hits": [], **EMPTY}),
    ("/query/by-node-type", {"node_types": ["Claim"]}, {"hits": [], **EMPTY}),
    (
        "/query/by-edge-type",
        {"edge_types": ["next"]},
        {"edges": [], "nodes": [], **EMPTY},
    ),
    (
        "/query/chain",
        {"node_id": "x", "kind": "viewGoal"},
        {"nodes": [], "edges": [], **EMPTY},
    ),
    (
        "/query/chain-exists",
        {"node_id": "x", "kinds": ["viewGoal"]},
        {"viewGoal": False},
    ),
    (
        "/query/scope-expansion",
        {"scope_task_id": "x", "session_id": "s"},
        {"nodes": [], "edges": [], **EMPTY},
    ),
    (
        "/query/group-expansion",
        {"group_id": "x", "session_id": "s"},
        {"nodes": [], "edges": [], **EMPTY},
    ),
    (
        "/trace/provenance",
        {"node_id": "x"},
        {
            "start_node": None,
            "chain": [],
            "broken": True,
            "truncated": False,
            "reason": UNREACHABLE,
        },
    ),
    (
        "/observe/search-progress",
        {"search_id": "x", "session_id": "s", "records": [{"sequence": 1}, {}]},
        {"applied": 0, "reason": UNREACHABLE, "skipped": 2},
    ),
    (
        "/observe/search-progress",
        {"search_id": "x", "session_id": "s", "records": []},
        {"applied": 0, "skipped": 0},
    ),
    (
        "/observe/search-artifacts",
        {"search_id": "x", "session_id": "s"},
        {"linked": 0, "reason": UNREACHABLE},
    ),
    (
        "/query/search-graph",
        {"search_id": "x"},
        {
            "cells": [],
            "edges": [],
            "nodes": [],
            "run": None,
            "truncated": False,
            "reason": UNREACHABLE,
        },
    ),
    ("/cleanup/session", {"session_id": "s"}, {**DOWN, "marked": 0, "deleted": 0}),
    ("/cleanup/project", {"project_id": "p"}, {**DOWN, "deleted": 0}),
]


@pytest.mark.parametrize(("path", "body", "answer"), DEGRADED)
def test_a_store_that_is_down_is_a_200(client, monkeypatch, path, body, answer):
    """§1.5: each route has its own degraded body."""
    monkeypatch.setattr(client.stores, "active", "neo4j")
    got = client.post(path, json=body)
    assert (got.status_code, got.json()) == (200, answer)


@pytest.mark.parametrize(
    ("path", "params", "answer"),
    [
        ("/subgraph", {"session_id": "s"}, {"nodes": [], "edges": [], **EMPTY}),
        (
            "/query/artifact-provenance",
            {"artifact_id": "a", "version": 1},
            {
                "artifact_id": "a",
                "version": 1,
                "logical_name": None,
                "dependencies": [],
                "reason": UNREACHABLE,
            },
        ),
        (
            "/web-pages/content-hash",
            {"session_id": "s", "web_page_id": "x"},
            {"content_hash": None, "reason": UNREACHABLE},
        ),
    ],
)
def test_a_get_on_a_store_that_is_down_is_a_200(
    client, monkeypatch, path, params, answer
):
    """The same for the routes without a body."""
    monkeypatch.setattr(client.stores, "active", "neo4j")
    got = client.get(path, params=params)
    assert (got.status_code, got.json()) == (200, answer)


def test_own_checks_come_before_the_question_whether_the_store_is_there(
    client, monkeypatch
):
    """A claim without any target is refused also while the store is down."""
    monkeypatch.setattr(client.stores, "active", "neo4j")
    body = {
        **story.claim("x"),
        "cites_evidence_aliases": {},
        "cites_artifact_aliases": {},
    }
    answer = client.post("/persist/claim", json=body)
    assert answer.json()["detail"]["code"] == "no_cites_target"
    for path, body, message in CHECKS:
        assert client.post(path, json=body).json()["detail"]["message"] == message


@pytest.mark.parametrize("error", [WriteFailed, StoreBusy])
@pytest.mark.parametrize(
    ("path", "body", "verb", "prefix"),
    [
        ("/observe/upload-file", story.UPLOAD, "observe_upload_file", "upsert failed"),
        (
            "/persist/evidence",
            story.EVIDENCE,
            "declare_evidence",
            "declare_evidence failed",
        ),
        ("/cleanup/session", {"session_id": "s"}, "cleanup_session", "cleanup failed"),
    ],
)
def test_a_write_that_was_not_kept_is_a_500_without_its_text(
    client, monkeypatch, error, path, body, verb, prefix
):
    """The prefix is the contract's; a caller must not take the write for delivered."""

    class Failing:
        def __getattr__(self, name):
            def fail(*args, **fields):
                raise error("/home/ada/secret.jsonl")

            return fail

    monkeypatch.setattr(client.stores, "memory", Failing)
    answer = client.post(path, json=body)
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith(f"{prefix}: ")
    assert "ada" not in answer.text


def test_a_store_that_goes_down_under_a_question_is_degraded(client, monkeypatch):
    """Not a 500: the next question may find it again."""

    class Gone:
        def __getattr__(self, name):
            def fail(*args, **fields):
                raise StoreUnreachable("neo4j")

            return fail

    monkeypatch.setattr(client.stores, "memory", Gone)
    assert (
        client.post("/query/match", json={"query": "x"}).json()["reason"] == UNREACHABLE
    )
    body = client.post("/observe/upload-file", json=story.UPLOAD).json()
    assert body == {"status": "degraded", "written": 0}
