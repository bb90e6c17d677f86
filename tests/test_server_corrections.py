# SPDX-License-Identifier: Apache-2.0
"""Where the server answers better than the app: the rows of docs/http.md, asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests import server_story as story
from tests.serving import Client, serving

GOAL = "goal:session:s1"


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("corrections"), browser=True) as client:
        client.told = story.tell(client)
        yield client


@pytest.fixture
def empty(tmp_path) -> Iterator[Client]:
    with serving(tmp_path) as client:
        yield client


def ask(client: Client, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def chain_of(client: Client, node_id: str) -> list[str]:
    body = ask(client, "/trace/provenance", node_id=node_id, session_id="s1")
    assert body["reason"] == "reached terminal node ResearchGoal"
    return [hop["node"]["id"] for hop in body["chain"]]


def test_the_line_is_ordered_by_finish_time(client):
    """§5.6: the app wrote `seq` there; the goal is at its head."""
    body = ask(client, "/query/by-edge-type", edge_types=["next"], session_id="s1")
    extras = [edge["extra"] for edge in body["edges"]]
    main = {"method": "temporal_chain", "inferred": True, "basis": "finish_time"}
    assert extras.count(main) == len(extras)
    assert GOAL in {edge["source"] for edge in body["edges"]}


def test_a_trace_goes_through_files_and_scopes(client):
    """§5.1: an uploaded file beside the call, a subagent's product up to the goal."""
    assert story.RAW in chain_of(client, "a-1")
    child, scope = "subtask:subagent:sa1:exec:e-7", "subtask:subagent:sa1"
    assert chain_of(client, "a-7") == ["e-7", child, scope, GOAL]


def test_a_version_or_a_file_may_be_the_start(client):
    """§5.2: the app said 404 to both."""
    assert chain_of(client, "a-1#v1") == chain_of(client, "a-1")
    assert chain_of(client, story.RAW) == [GOAL]


def test_the_first_step_has_no_step_before_it(client):
    """§5.3: the app showed the goal."""
    first = {"node_id": "subtask:e-1", "session_id": "s1"}
    body = ask(client, "/query/chain", kind="viewPrevTask", **first)
    assert (body["nodes"], body["edges"], body["total"]) == ([], [], 0)
    goal = ask(client, "/query/chain", kind="viewGoal", **first)
    assert GOAL in {node["id"] for node in goal["nodes"]}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("A. One", "https://doi.org/10.1000/demo.1"),
        ("Table 2", "evidence"),
        ("ldl.csv", "a-1#v1"),
        ("demo.1", "https://doi.org/10.1000/demo.1"),
        ("mcp__arxiv__search", "subtask:mcp:5d1e"),
    ],
)
def test_a_search_also_reads_these(client, query, found):
    """§5.5: authors, locator, logical_name, link, tool_name."""
    if found == "evidence":
        found = client.told["evidence"].json()["evidence_id"]
    body = ask(client, "/query/match", query=query, mode="all_terms", session_id="s1")
    assert found in {hit["id"] for hit in body["hits"]}


def test_a_long_session_keeps_its_goal_on_the_first_page(empty):
    """§5.4: the oldest record is the first node of a page of two."""
    empty.post("/observe/session-first-message", json=story.FIRST_MESSAGE)
    for k in range(3):
        empty.post("/observe/execution", json=story.execution(f"e-{k}", f"a-{k}"))
    page = empty.get("/subgraph", params={"session_id": "s1", "limit": 2}).json()
    assert page["nodes"][0]["id"] == GOAL
    assert (page["total"], page["truncated"], page["available"]) == (2, True, 10)


def test_evidence_needs_a_paper_of_its_own_session(client):
    """§5.7: the app said ok, with an id that did not exist."""
    body = {**story.EVIDENCE, "session_id": "another"}
    answer = client.post("/persist/evidence", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"]["code"] == "source_paper_not_found"


def test_what_another_session_holds_is_not_cited(client):
    """§5: gates are per session; the app took all of these."""
    known = client.told["evidence"].json()["evidence_id"]
    nothing = {"cites_evidence_aliases": {}, "cites_artifact_aliases": {}}
    for cited, code in (
        ({"cites_evidence_aliases": {"e": known}}, "evidence_not_found"),
        ({"cites_artifact_aliases": {"a": "a-1"}}, "artifact_version_not_found"),
        ({"cites_source_file_aliases": {"f": story.RAW}}, "source_file_not_found"),
    ):
        body = {**story.claim(""), **nothing, **cited, "session_id": "another"}
        answer = client.post("/persist/claim", json=body)
        assert (answer.status_code, answer.json()["detail"]["code"]) == (422, code)
    report = {"artifact_id": "a-9", "artifact_version": 1, "session_id": "another"}
    answer = client.post("/persist/stated_in", json={**report, "claim_ids": []})
    assert answer.status_code == 422
    assert answer.json()["detail"]["code"] == "artifact_not_found"


def test_two_aliases_on_two_versions_keep_both(empty):
    """§5.7: the app showed one version in both chips."""
    for version in (1, 2):
        run = story.execution(f"e-{version}", "a-1")
        run["produced_artifacts"][0]["version"] = version
        empty.post("/observe/execution", json=run)
    claim = {
        **story.claim(""),
        "cites_evidence_aliases": {},
        "cites_artifact_aliases": {"old": "a-1", "new": "a-1"},
        "cites_artifact_versions": {"old": 1, "new": 2},
    }
    made = ask(empty, "/persist/claim", **claim)
    chips = {alias: chip["version"] for alias, chip in made["chip_map"].items()}
    assert chips == {"old": 1, "new": 2}
    assert {target["version"] for target in made["cited_targets"]} == {1, 2}


def test_a_line_without_a_goal_leads_to_none(empty):
    """§5.3: the app showed the steps before as if they were the goal."""
    for name in ("e-1", "e-2"):
        empty.post("/observe/execution", json=story.execution(name, f"a-{name}"))
    for start, kind in (("subtask:e-2", "viewGoal"), ("a-e-2", "viewRelatedTask")):
        assert ask(empty, "/query/chain", node_id=start, kind=kind)["nodes"] == []


def test_a_goal_with_an_id_of_its_own_is_its_session_s(empty):
    """The app looks for `goal:session:<session>` only, after the first message."""
    empty.post(
        "/observe/session-first-message", json={**story.FIRST_MESSAGE, "goal_id": "g"}
    )
    empty.post("/observe/upload-file", json=story.UPLOAD)
    empty.post("/observe/execution", json=story.execution("e-1"))
    types = {"edge_types": ["feeds", "next"]}
    edges = ask(empty, "/query/by-edge-type", **types)["edges"]
    assert {(e["source"], e["type"], e["target"]) for e in edges} == {
        (story.RAW, "feeds", "g"),
        ("g", "next", "subtask:e-1"),
    }


def test_a_cut_chain_has_the_edges_between_its_nodes(empty):
    """§5.3: the app also named the ends it had left out."""
    empty.post("/observe/execution", json=story.execution("e-1", "a-1", "a-2", "a-3"))
    body = ask(empty, "/query/chain", node_id="e-1", kind="viewOutput", limit=2)
    kept = {node["id"] for node in body["nodes"]}
    assert (len(kept), body["truncated"], body["available"]) == (2, True, 4)
    ends = [{edge["source"], edge["target"]} for edge in body["edges"]]
    assert ends == [kept]


def test_a_file_that_two_calls_made_is_one_member(empty):
    """§5.4: the app stacked it upon itself."""
    empty.post("/observe/subagent", json=story.SUBAGENT)
    for name in ("e-1", "e-2"):
        run = story.execution(name, "a-1", parent_subagent_id="sa1")
        empty.post("/observe/execution", json=run)
    body = empty.get("/subgraph", params={"session_id": "s1"}).json()
    folded = [e for e in body["edges"] if e.get("extra", {}).get("surrogate")]
    assert [edge["target"] for edge in folded] == ["a-1#v1"]
    assert not [n for n in body["nodes"] if n["id"].startswith("_group:")]


def test_an_end_that_arrives_first_is_kept_whole(empty):
    """§5: the app lost what was said at the end."""
    empty.post("/observe/subagent", json=story.SUBAGENT_END)
    node = empty.get("/nodes/Task/subtask%3Asubagent%3Asa1").json()["extra"]
    assert (node["status"], node["failure_reason"]) == ("failed", "timed_out")
    assert node["summary"] == "wall clock"


def test_a_late_end_of_an_edge_brings_the_edge(empty):
    """§5: a version before the one it replaces, a run before what it read."""
    late = story.execution("e-2", "a-1")
    late["produced_artifacts"][0] |= {
        "version": 2,
        "input_artifact_versions": [{"artifact_id": "a-0", "version": 1}],
    }
    types = {"edge_types": ["supersedes", "input"]}
    empty.post("/observe/execution", json=late)
    assert ask(empty, "/query/by-edge-type", **types)["edges"] == []
    extra = empty.get("/nodes/Code/e-2").json()["extra"]
    assert extra["missing_inputs"] == ["a-0#v1"]

    empty.post("/observe/execution", json=story.execution("e-1", "a-0", "a-1"))
    edges = ask(empty, "/query/by-edge-type", **types)["edges"]
    assert {(e["source"], e["type"], e["target"]) for e in edges} == {
        ("a-1#v2", "supersedes", "a-1#v1"),
        ("a-0#v1", "input", "e-2"),
    }
    assert "missing_inputs" not in empty.get("/nodes/Code/e-2").json()["extra"]


def test_a_run_told_again_is_filled(empty):
    """§5: a new outcome and what was missing; what was known stays."""
    first = story.execution("e-1", status="running", exit_code=None, language=None)
    empty.post("/observe/execution", json=first)
    empty.post("/observe/execution", json=story.execution("e-1", turn_id="r2"))
    extra = empty.get("/nodes/Code/e-1").json()["extra"]
    assert (extra["status"], extra["exit_code"]) == ("completed", 0)
    assert (extra["language"], extra["turn_id"]) == ("python", "r1")


def test_a_late_start_does_not_undo_an_end(empty):
    """§5.7: `running` after the end changes nothing."""
    for body in (story.SUBAGENT_END, story.SUBAGENT):
        empty.post("/observe/subagent", json=body)
    node = empty.get("/nodes/Task/subtask%3Asubagent%3Asa1").json()["extra"]
    assert (node["status"], node["failure_reason"]) == ("failed", "timed_out")
    assert node["summary"] == "wall clock"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("10.1038/ABC", "https://doi.org/10.1038/abc"),
        ("http://a.org:443/Path/", "https://a.org/Path"),
        ("https://a.org/view?id=1#part", "https://a.org/view?id=1"),
        ("https://a.org/view?id=2", "https://a.org/view?id=2"),
        ("https://user:word@A.org/x", "https://a.org/x"),
        ("europepmc.org/article/1", "https://europepmc.org/article/1"),
    ],
)
def test_a_link_keeps_what_tells_two_pages_apart(empty, told, kept):
    """§5.9: query and the case of the path stay; the app dropped both."""
    paper = {"product_type": "paper", "link": told, "title": "T"}
    ask(empty, "/observe/tool-call", **{**story.TOOL_CALL, "products": [paper]})
    body = ask(empty, "/query/by-node-type", node_types=["Paper"])
    assert [hit["id"] for hit in body["hits"]] == [kept]
