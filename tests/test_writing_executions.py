# SPDX-License-Identifier: Apache-2.0
"""Runs: the call, its Code, what it made and read, and what a repeat changes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from smemkit.memory import Memory
from tests.writing_records import (
    NOON,
    at,
    count,
    edges,
    everything,
    mem,
    props,
)

__all__ = ["mem"]

FILE = "source_file:session:s1:raw.csv"
LDL = {
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
RUN = {
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
    "produced_artifacts": [LDL],
    "stdout_hash": None,
    "stderr_hash": None,
    "env_hash": None,
    "parent_subagent_id": None,
    "input_source_files": [{"file_id": FILE}],
}
"""The worked example of contract/http.md §3.3."""


def made(artifact_id: str, version: int = 1, **fields: object) -> dict[str, object]:
    return {"artifact_id": artifact_id, "version": version, **fields}


def read(*inputs: object) -> list[dict[str, object]]:
    """Return what a run made that read these artifact versions."""
    return [made("out", input_artifact_versions=list(inputs))]


# -- what is kept ----------------------------------------------------------------


def test_a_run_keeps_what_the_contract_lists(mem: Memory) -> None:
    """The worked example, properties and order of contract/writes.md §1, §2."""
    mem.observe_upload_file(FILE, session_id="s1", path="raw.csv")
    done = mem.observe_execution(**RUN, created_at=at(8))

    assert done.to_dict() == {"status": "healthy", "written": 2}
    assert (done.task_id, done.code_id) == ("subtask:e-1", "e-1")
    assert done.artifacts == ("a-1#v1",)
    assert list(props(mem, "ToolCall", "subtask:e-1").items()) == [
        ("task_id", "subtask:e-1"),
        ("session_id", "s1"),
        ("status", "completed"),
        ("tool_type", "execution"),
        ("tool_name", "run_python"),
        ("created_at", at(8)),
        ("finished_at", "2026-10-01T08:01:05Z"),
        ("turn_id", "r1"),
        ("seq", 1),
    ]
    assert list(props(mem, "Code", "e-1").items()) == [
        ("code_id", "e-1"),
        ("session_id", "s1"),
        ("tool", "run_python"),
        ("language", "python"),
        ("code_hash", "ab12"),
        ("exit_code", 0),
        ("status", "completed"),
        ("started_at", "2026-10-01T08:01:00Z"),
        ("finished_at", "2026-10-01T08:01:05Z"),
        ("turn_id", "r1"),
    ]
    assert list(props(mem, "Artifact", "a-1", 1).items()) == [
        ("artifact_id", "a-1"),
        ("version", 1),
        ("session_id", "s1"),
        ("project_id", "p1"),
        ("path", "ldl.csv"),
        ("logical_name", "ldl.csv"),
        ("media_type", "text/csv"),
        ("created_at", at(8)),
        ("turn_id", "r1"),
        ("content_hash", "cd34"),
    ]
    assert edges(mem, "produces") == [("subtask:e-1", "e-1"), ("e-1", "a-1#v1")]
    assert edges(mem, "input") == [(FILE, "e-1")]
    assert {edge[1] for edge in everything(mem)[1]} == {"produces", "input"}


def test_a_run_needs_an_id_only(mem: Memory) -> None:
    """A notebook's run of the only session: completed, begun and ended now."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    mem.observe_execution("e1")

    call, code = props(mem, "ToolCall", "subtask:e1"), props(mem, "Code", "e1")
    assert set(call) == {
        *("task_id", "session_id", "status", "tool_type"),
        *("created_at", "finished_at", "seq"),
    }
    assert set(code) == {
        *("code_id", "session_id", "status", "started_at", "finished_at"),
    }
    assert call["session_id"] == code["session_id"] == "s1"
    assert call["status"] == code["status"] == "completed"


def test_a_word_other_than_succeeded_is_kept_as_given(mem: Memory) -> None:
    """contract/http.md §3.3; an empty one is a word too."""
    for k, word in enumerate(("failed", "odd word", "completed", "", " ")):
        mem.observe_execution(f"e{k}", session_id="s1", status=word)
        assert props(mem, "ToolCall", f"subtask:e{k}")["status"] == word
        assert props(mem, "Code", f"e{k}")["status"] == word


def test_a_run_in_a_scope_is_its_child(mem: Memory) -> None:
    """contract/writes.md §2.3 and §1: order, and the type is forced."""
    mem.observe_subagent("sa1", session_id="s1")
    child = {**RUN, "parent_subagent_id": "sa1", "tool_type": "other"}
    done = mem.observe_execution(**child, created_at=at(8))

    name = "subtask:subagent:sa1:exec:e-1"
    assert done.task_id == name
    assert list(props(mem, "ToolCall", name).items()) == [
        ("task_id", name),
        ("session_id", "s1"),
        ("status", "completed"),
        ("tool_type", "execution"),
        ("tool_name", "run_python"),
        ("parent_subtask_id", "subtask:subagent:sa1"),
        ("turn_id", "r1"),
        ("created_at", at(8)),
        ("finished_at", "2026-10-01T08:01:05Z"),
        ("seq", 2),
    ]
    assert edges(mem, "contains") == [("subtask:subagent:sa1", name)]
    assert edges(mem, "produces") == [(name, "e-1"), ("e-1", "a-1#v1")]
    assert edges(mem, "next") == []


def test_the_main_line_passes_the_children_of_a_scope(mem: Memory) -> None:
    """W2 of contract/writes.md §6.5, ordered by finish time (design §5.6)."""
    mem.observe_execution("e1", session_id="s1", finished_at=at(1))
    mem.observe_subagent("A", session_id="s1")
    for k, (name, parent) in enumerate([("c1", "A"), ("e2", None), ("c2", "A")]):
        mem.observe_execution(
            name, session_id="s1", parent_subagent_id=parent, finished_at=at(2 + k)
        )
    mem.observe_subagent("A", session_id="s1", status="completed", finished_at=at(5))
    mem.observe_execution("e3", session_id="s1", finished_at=at(6))
    mem.observe_session_first_message("s1", core_objective="Why?")

    scope = "subtask:subagent:A"
    line = ["goal:session:s1", "subtask:e1", "subtask:e2", scope, "subtask:e3"]
    ours = {(a, b) for a, b, how in edges(mem, "next", "method") if "temp" in how}
    assert ours == set(pairwise(line))
    assert edges(mem, "contains") == [(scope, f"{scope}:exec:c1")]
    inner = (f"{scope}:exec:c1", f"{scope}:exec:c2", "scope_chain")
    assert inner in edges(mem, "next", "method")
    seqs = [props(mem, "ToolCall", f"subtask:e{k}")["seq"] for k in (1, 2, 3)]
    assert seqs == [1, 4, 6]


# -- repeats ---------------------------------------------------------------------


def test_the_same_run_twice_changes_nothing(mem: Memory) -> None:
    """W9 of contract/writes.md §6.5."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    mem.observe_execution(**RUN)
    before = everything(mem)
    mem.observe_execution(**RUN)

    assert everything(mem) == before


def test_a_repeat_fills_and_refreshes_with_what_is_told(mem: Memory) -> None:
    """Design §5: non-null values are taken over, a null takes nothing away."""
    mem.observe_execution("e1", session_id="s1", status="failed", code_hash="ab")
    mem.observe_execution(
        "e1",
        session_id="s1",
        status="succeeded",
        tool="run_r",
        language="r",
        exit_code=0,
        stdout_hash="1",
        stderr_hash="2",
        env_hash="3",
        turn_id="r1",
        started_at=at(8),
        finished_at=at(9),
    )
    code = props(mem, "Code", "e1")
    assert code == {
        "code_id": "e1",
        "session_id": "s1",
        "status": "completed",
        "code_hash": "ab",
        "tool": "run_r",
        "language": "r",
        "exit_code": 0,
        "stdout_hash": "1",
        "stderr_hash": "2",
        "env_hash": "3",
        "turn_id": "r1",
        "started_at": at(8),
        "finished_at": at(9),
    }
    call = props(mem, "ToolCall", "subtask:e1")
    assert (call["status"], call["finished_at"]) == ("completed", at(9))
    assert (call["tool_name"], call["turn_id"]) == ("run_r", "r1")

    mem.observe_execution("e1", session_id="s1")
    assert props(mem, "Code", "e1") == code
    assert props(mem, "ToolCall", "subtask:e1") == call


def test_a_repeat_that_tells_no_status_keeps_it(mem: Memory) -> None:
    """Adding an artifact does not turn a failure into a success."""
    mem.observe_execution("e1", session_id="s1", status="failed")
    mem.observe_execution("e1", session_id="s1", produced_artifacts=[made("a")])

    assert props(mem, "ToolCall", "subtask:e1")["status"] == "failed"
    assert props(mem, "Code", "e1")["status"] == "failed"


@pytest.mark.parametrize("parent", [None, "sa1"])
def test_a_late_running_never_undoes_an_end(mem: Memory, parent: str | None) -> None:
    """The same in a scope as on the main line."""
    run = {"execution_id": "e1", "session_id": "s1", "parent_subagent_id": parent}
    mem.observe_execution(**run, status="failed", finished_at=NOON)
    before = everything(mem)
    mem.observe_execution(**run, status="running")

    assert everything(mem) == before


def test_a_run_that_ends_has_a_finish_time(mem: Memory) -> None:
    """While it runs it has none; an end without a time is now."""
    mem.observe_execution("e1", session_id="s1", status="running")
    assert "finished_at" not in props(mem, "ToolCall", "subtask:e1")
    assert "finished_at" not in props(mem, "Code", "e1")
    mem.observe_execution("e1", session_id="s1", status="failed")

    assert "finished_at" in props(mem, "ToolCall", "subtask:e1")
    assert "finished_at" in props(mem, "Code", "e1")


def test_a_child_takes_over_the_turn_of_a_repeat(mem: Memory) -> None:
    """contract/writes.md §2.3: C+M in a scope, C on the main line."""
    for parent, turn in ((None, "r1"), ("sa1", "r2")):
        run = {"session_id": "s1", "parent_subagent_id": parent}
        name = mem.observe_execution("e1", **run, turn_id="r1").task_id
        mem.observe_execution("e1", **run, turn_id="r2")
        assert props(mem, "ToolCall", name)["turn_id"] == turn


def test_a_run_of_another_session_is_left_as_it_is(mem: Memory) -> None:
    """W11 of contract/writes.md §6.5: the node keeps its session and its values."""
    mem.observe_execution("e1", session_id="s1", status="failed")
    before = props(mem, "ToolCall", "subtask:e1"), props(mem, "Code", "e1")
    mem.observe_execution("e1", session_id="s2", tool="else", exit_code=1)

    assert (props(mem, "ToolCall", "subtask:e1"), props(mem, "Code", "e1")) == before


# -- what it made ----------------------------------------------------------------


def test_artifact_fields_are_overwritten_when_told(mem: Memory) -> None:
    """C+M of contract/writes.md §2.5: a null removes; what is not told stays."""
    mem.observe_execution(**RUN, created_at=at(8))
    again = made("a-1", path="new.csv", media_type=None)
    mem.observe_execution(
        "e2", session_id="s2", produced_artifacts=[again], created_at=at(9)
    )

    expected = {name: LDL[name] for name in LDL if name != "input_artifact_versions"}
    expected |= {"path": "new.csv", "session_id": "s1", "created_at": at(8)}
    del expected["media_type"]
    assert props(mem, "Artifact", "a-1", 1) == expected
    assert count(mem, "Artifact") == 1


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_versions_supersede_in_any_order_of_arrival(
    mem: Memory, order: tuple[int, ...]
) -> None:
    """Repaired when the missing end arrives (design §5); gaps leave no edge."""
    for version in (*order, 9):
        mem.observe_execution(
            f"e{version}", session_id="s1", produced_artifacts=[made("fig", version)]
        )

    pairs = {("fig#v2", "fig#v1"), ("fig#v3", "fig#v2")}
    assert set(edges(mem, "supersedes")) == pairs
    assert len(edges(mem, "supersedes")) == 2


def test_an_artifact_named_twice_is_one_node_and_counted_twice(mem: Memory) -> None:
    """Written is counted from the request (contract/http.md §3)."""
    twice = [made("a", path="one"), made("a", path="two")]
    done = mem.observe_execution("e1", session_id="s1", produced_artifacts=twice)

    assert (done.written, done.artifacts) == (3, ("a#v1",))
    assert props(mem, "Artifact", "a", 1)["path"] == "two"
    assert edges(mem, "produces")[1:] == [("e1", "a#v1")]


# -- what it read ----------------------------------------------------------------


def test_a_run_is_linked_to_what_it_read(mem: Memory) -> None:
    """Ids and mappings say the same; so does a file's id alone."""
    mem.observe_upload_file(FILE, session_id="s1", path="raw.csv")
    both = [made("in", 1), made("in", 2)]
    mem.observe_execution("e1", session_id="s1", produced_artifacts=both)
    one = {"artifact_id": "in", "version": 1}
    mem.observe_execution(
        "e2",
        session_id="s1",
        produced_artifacts=read("in#v2", one),
        input_source_files=[FILE],
    )

    assert edges(mem, "input") == [("in#v2", "e2"), ("in#v1", "e2"), (FILE, "e2")]
    assert "missing_inputs" not in props(mem, "Code", "e2")


def test_missing_inputs_are_kept_and_linked_when_they_arrive(mem: Memory) -> None:
    """Design §5: the Code lists them; by run, by declaration, by upload."""
    inputs = {
        "produced_artifacts": read("a#v1", "b#v2"),
        "input_source_files": [{"file_id": FILE}, {"file_id": " "}, {}],
    }
    mem.observe_execution("e1", session_id="s1", **inputs)
    mem.observe_execution("e1", session_id="s1", **inputs)
    assert props(mem, "Code", "e1")["missing_inputs"] == ["a#v1", "b#v2", FILE]
    assert edges(mem, "input") == []

    mem.observe_execution("e2", session_id="s1", produced_artifacts=[made("a")])
    assert props(mem, "Code", "e1")["missing_inputs"] == ["b#v2", FILE]
    mem.declare_artifact("b.csv", session_id="s1", artifact_id="b", version=2)
    mem.observe_upload_file(FILE, session_id="s1", path="raw.csv")

    assert "missing_inputs" not in props(mem, "Code", "e1")
    assert edges(mem, "input") == [("a#v1", "e1"), ("b#v2", "e1"), (FILE, "e1")]
    mem.observe_execution("e1", session_id="s1", **inputs)
    assert len(edges(mem, "input")) == 3


def test_another_version_does_not_stand_in_for_a_missing_input(mem: Memory) -> None:
    """The run waits for the version it read."""
    mem.observe_execution("e1", session_id="s1", produced_artifacts=read("a#v2"))
    mem.observe_execution("e2", session_id="s1", produced_artifacts=[made("a", 1)])

    assert props(mem, "Code", "e1")["missing_inputs"] == ["a#v2"]
    assert edges(mem, "input") == []


def test_a_run_may_read_what_it_made_itself(mem: Memory) -> None:
    """Both ends come in one request, whatever their order."""
    listed = [*read("b#v1"), made("b")]
    mem.observe_execution("e1", session_id="s1", produced_artifacts=listed)

    assert edges(mem, "input") == [("b#v1", "e1")]
    assert "missing_inputs" not in props(mem, "Code", "e1")
