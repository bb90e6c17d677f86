# SPDX-License-Identifier: Apache-2.0
"""Cleanup: what goes with a session or a project, what stays, and what is counted."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import InvalidRecord
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch, Edge, Node
from smemkit.schema import LABELS
from smemkit.stores.memory import MemoryStore
from tests import app_loader
from tests.declaring import (
    DOI,
    contents,
    edges,
    evidence,
    figure,
    folder,
    mem,
    nodes,
    refused,
    told,
)
from tests.strategies import graphs

__all__ = ["folder", "mem", "told"]


def state(where: Path, session: str | None = None) -> list[Any]:
    """Return the nodes as the app loads them, of one session or all."""
    return [
        (node_id, *node)
        for node_id, node in app_loader.load(where)[0].items()
        if session in (None, node[1].get("session_id"))
    ]


def conclude(mem: Memory, session: str, project: str) -> None:
    """Give a session a subagent, two versions of a figure, a claim and a report."""
    mem.observe_subagent(f"sa-{session}", session_id=session, objective="Plot")
    mem.observe_execution(
        f"sub-{session}", session_id=session, parent_subagent_id=f"sa-{session}"
    )
    for _ in range(2):
        mem.declare_artifact(
            "fig.png",
            session_id=session,
            artifact_id=f"fig-{session}",
            code_id=f"run-{session}",
            project_id=project,
        )
    mem.declare_artifact(
        "r.md", session_id=session, artifact_id=f"report-{session}", project_id=project
    )
    mem.declare_claim(
        "Bills grow.",
        session_id=session,
        cites_evidence_aliases={"e": evidence(mem, session)},
        cites_artifact_aliases={"f": f"fig-{session}"},
        artifact_id=f"report-{session}#v1",
    )


# -- a session -------------------------------------------------------------------


def test_all_of_a_session_goes_but_its_artifacts_which_are_marked(
    mem: Memory, folder: Path
) -> None:
    """contract/http.md §6; the numbers are those of the nodes that were there."""
    conclude(mem, "s1", "p1")
    was = state(folder, "s1")
    artifacts = [node for node in was if node[1] == ("Artifact",)]
    assert {labels[0] for _, labels, _ in was} == {*LABELS, "WebPage", "DbRecord"}

    answer = mem.cleanup_session("s1")

    assert answer.to_dict() == {
        "status": "healthy",
        "marked": 3,
        "deleted": len(was) - 3,
    }
    assert state(folder, "s1") == [
        (node_id, labels, {**props, "deleted_session": True})
        for node_id, labels, props in artifacts
    ]


def test_of_a_sessions_edges_only_those_between_its_artifacts_stay(
    mem: Memory, folder: Path
) -> None:
    """No line of the edge file names a node that is gone."""
    conclude(mem, "s1", "p1")
    before = [e for e in edges(folder, "supersedes") if e[0].startswith("fig-s1")]

    mem.cleanup_session("s1")
    mem.cleanup_session("s2")

    assert before == [("fig-s1#v2", "fig-s1#v1")]
    assert edges(folder, "supersedes") == before
    live = app_loader.records(folder / "edges.jsonl")
    assert len(live) == len(before)
    assert mem.problems().empty


def test_another_session_keeps_every_byte_of_its_state(
    mem: Memory, folder: Path
) -> None:
    """Also its Paper of the same link, and the chain of what it declared."""
    conclude(mem, "s1", "p1")
    conclude(mem, "s2", "p1")
    was = state(folder, "s2")
    ours = app_loader.load(folder)
    mine = {node_id for node_id, _, _ in was}
    lines = {k: e for k, e in ours[1].items() if e[1] in mine and e[2] in mine}
    chain = mem.trace_provenance("report-s2#v1", session_id="s2").to_dict()

    mem.cleanup_session("s1")

    assert state(folder, "s2") == was
    assert app_loader.load(folder)[1].keys() >= lines.keys()
    assert list(nodes(folder, "Paper")) == [f"s2 {DOI}"]
    assert mem.trace_provenance("report-s2#v1", session_id="s2").to_dict() == chain
    assert [s for s, _ in edges(folder, "extracts")] == [f"s2 {DOI}"]


def test_a_marked_artifact_keeps_what_other_sessions_made_of_it(
    mem: Memory, folder: Path
) -> None:
    """An input edge into another session's run stays, and a new one can be made."""
    figure(mem, "s1", "fig")
    for run in ("before", "after"):
        if run == "after":
            mem.cleanup_session("s1")
        mem.observe_execution(
            run,
            session_id="s2",
            produced_artifacts=[
                {
                    "artifact_id": run,
                    "version": 1,
                    "input_artifact_versions": ["fig#v1"],
                }
            ],
        )

    assert edges(folder, "input") == [("fig#v1", "after"), ("fig#v1", "before")]
    assert nodes(folder, "Artifact")["fig#v1"]["deleted_session"] is True


def test_a_second_cleanup_marks_again_deletes_nothing_and_writes_no_byte(
    mem: Memory, folder: Path
) -> None:
    """contract/http.md §6: a repeat marks the same artifacts again."""
    figure(mem)
    mem.cleanup_session("s1")
    before = contents(folder)

    assert mem.cleanup_session("s1").to_dict() == {
        "status": "healthy",
        "marked": 1,
        "deleted": 0,
    }
    assert contents(folder) == before


def test_an_unknown_session_is_no_error_and_changes_nothing(
    mem: Memory, folder: Path
) -> None:
    """Nothing is there to forget."""
    before = contents(folder)

    assert mem.cleanup_session("s").to_dict() == {
        "status": "healthy",
        "marked": 0,
        "deleted": 0,
    }
    assert contents(folder) == before


def test_the_mark_stays_when_the_version_is_written_again(
    mem: Memory, folder: Path
) -> None:
    """contract/writes.md §2.5: it is never cleared."""
    figure(mem)
    mem.cleanup_session("s1")
    mem.declare_artifact("new.png", session_id="s1", artifact_id="fig#v1")

    kept = nodes(folder, "Artifact")["fig#v1"]
    assert (kept["path"], kept["deleted_session"]) == ("new.png", True)


def test_a_session_can_begin_anew_after_its_cleanup(mem: Memory, folder: Path) -> None:
    """Its line starts at one, and no id of what went is used for what comes."""
    ids = {node_id for node_id, _, _ in state(folder)}
    mem.cleanup_session("s1")

    mem.observe_session_first_message("s1", core_objective="Again?")
    mem.observe_execution("run-s1", session_id="s1")

    assert nodes(folder)["subtask:run-s1"]["seq"] == 1
    assert ("goal:session:s1", "subtask:run-s1") in edges(folder, "next")
    new = {node_id for node_id, _, _ in state(folder, "s1")}
    assert not new & ids


# -- a project -------------------------------------------------------------------


def test_a_project_goes_with_its_sessions_and_its_artifacts_elsewhere(
    mem: Memory, folder: Path
) -> None:
    """Each node counts once; another project's artifacts stay."""
    conclude(mem, "s1", "p1")
    mem.declare_artifact("x", session_id="s2", artifact_id="ours", project_id="p1")
    mem.declare_artifact("y", session_id="s2", artifact_id="theirs", project_id="p2")
    mine = state(folder, "s1")
    rest = [n for n in state(folder, "s2") if n[2].get("artifact_id") != "ours"]

    answer = mem.cleanup_project("p1", session_ids=["s1", "s1", "unknown"])

    assert answer.to_dict() == {"status": "healthy", "deleted": len(mine) + 1}
    assert state(folder) == rest
    assert mem.problems().empty


def test_what_an_earlier_cleanup_left_is_found_by_the_project(
    mem: Memory, folder: Path
) -> None:
    """contract/writes.md §10.2: without the sessions, too."""
    mem.declare_artifact("x", session_id="s1", artifact_id="fig", project_id="p1")
    mem.cleanup_session("s1")

    assert mem.cleanup_project("p1").deleted == 1
    assert state(folder) == state(folder, "s2")


def test_a_listed_session_goes_whole_whatever_its_artifacts_project(
    mem: Memory, folder: Path
) -> None:
    """Artifacts of no project or another one included."""
    conclude(mem, "s1", "p2")
    figure(mem)

    mem.cleanup_project("p1", session_ids=["s1"])

    assert state(folder) == state(folder, "s2")


def test_a_project_nobody_knows_is_no_error_and_changes_nothing(
    mem: Memory, folder: Path
) -> None:
    """An artifact without a project belongs to none."""
    figure(mem)
    before = contents(folder)

    assert mem.cleanup_project("p", session_ids=[]).deleted == 0
    assert contents(folder) == before


# -- for all memories, and what is refused ---------------------------------------


@given(graph=graphs(), project=st.booleans(), listed=st.sets(st.sampled_from("12")))
def test_exactly_what_the_contract_names_goes_in_any_memory(
    graph: Graph, project: bool, listed: set[str]
) -> None:
    """Nodes by the rule, edges by their ends, whatever points at whatever."""
    store = MemoryStore()
    every = tuple(graph.nodes())
    if project:
        every = tuple(
            Node(n.id, n.labels, {**n.props, "project_id": f"p{n.n % 2}"})
            for n in every
        )
    lines = tuple(Edge(e.id, e.type, e.src, e.dst, e.props) for e in graph.edges())
    store.write(lambda _: Batch(every, lines))
    mem = Memory(store)
    sessions = [f"s{each}" for each in sorted(listed)]

    if project:
        gone = [n for n in every if _of_project(n, sessions)]
        assert mem.cleanup_project("p1", session_ids=sessions).deleted == len(gone)
    else:
        gone = [n for n in every if n.session_id == "s1" and n.labels != ("Artifact",)]
        assert mem.cleanup_session("s1").deleted == len(gone)

    left = {n.id for n in every} - {n.id for n in gone}
    with mem.reading() as now:
        assert {n.id for n in now.nodes()} == left
        assert {e.id for e in now.edges()} == {
            e.id for e in lines if {e.src, e.dst} <= left
        }
        assert list(now.dangling()) == []
        marked = {n.id for n in now.nodes() if n.props.get("deleted_session") is True}
    assert marked == {
        n.id
        for n in every
        if not project and n.session_id == "s1" and n.labels == ("Artifact",)
    }


def _of_project(node: Node, sessions: Sequence[str]) -> bool:
    mine = node.labels == ("Artifact",) and node.props["project_id"] == "p1"
    return node.session_id in sessions or mine


def test_a_store_of_the_app_is_cleaned_as_the_app_would(
    cases: Path, tmp_path: Path
) -> None:
    """Every session of a store the app wrote, down to its artifacts."""
    shutil.copytree(cases / "app-store", tmp_path / "copy")
    where = tmp_path / "copy"
    was = state(where)
    assert was

    with smemkit.open(where) as mem:
        for session in {props.get("session_id") for _, _, props in was} - {None}:
            mem.cleanup_session(session)

    assert state(where) == [
        (node_id, labels, {**props, "deleted_session": True})
        if labels == ("Artifact",)
        else (node_id, labels, props)
        for node_id, labels, props in was
        if labels == ("Artifact",) or "session_id" not in props
    ]


def test_a_cleanup_of_a_memory_that_is_not_there_makes_no_folder(folder: Path) -> None:
    """There is nothing to forget, so nothing is written."""
    with smemkit.open(folder) as mem:
        mem.cleanup_session("s1")
        mem.cleanup_project("p1", session_ids=["s1"])

    assert not folder.exists()


@pytest.mark.parametrize("value", ["", " \t", None, 5, ["s1"], "\ud800"])
def test_an_id_that_is_none_is_refused(mem: Memory, folder: Path, value: Any) -> None:
    """One error, nothing written; a text alone is no list of sessions."""
    for error in (
        refused(folder, InvalidRecord, mem.cleanup_project, value),
        refused(
            folder, InvalidRecord, mem.cleanup_project, "p1", session_ids=["s1", value]
        ),
    ):
        assert "_id" in str(error)


@pytest.mark.parametrize("value", ["", " \t", 5, ["s1"], "\ud800"])
def test_a_session_id_that_is_none_is_refused(
    mem: Memory, folder: Path, value: Any
) -> None:
    """A session is never guessed from a blank one."""
    error = refused(folder, InvalidRecord, mem.cleanup_session, value)

    assert "session_id" in str(error)


@pytest.mark.parametrize("value", ["s1", None, 5, {"s1": "s2"}])
def test_sessions_that_are_no_list_are_refused(
    mem: Memory, folder: Path, value: Any
) -> None:
    """`"s1"` would otherwise be two sessions, `s` and `1`."""
    error = refused(folder, InvalidRecord, mem.cleanup_project, "p1", session_ids=value)

    assert "session_ids" in str(error)
