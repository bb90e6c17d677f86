# SPDX-License-Identifier: Apache-2.0
"""One call of a session: how its node is made, told of again, and put in line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit import instants, schema
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Value
from smemkit.stores.memory import MemoryStore
from smemkit.writing.draft import Draft, compose
from smemkit.writing.steps import RUNNING, ended, merge_step, told
from tests.lines import agent, at, main_line, run, scope_line, step

SCOPE = "subtask:subagent:A"
ENDS = ("completed", "failed", "cancelled", "timed_out", "error", "ok")

FULL: dict[str, Value] = {
    "session_id": "s",
    "status": "completed",
    "tool_type": "search",
    "tool_name": "t",
    "source": "arxiv",
    "created_at": at(1),
    "finished_at": at(2),
    "turn_id": "r1",
    "result_count": 3,
}


def tell(store: MemoryStore, name: str = "subtask:x", **props: Value | None) -> None:
    """Write one call of the main line, or of the scope with `scope`."""
    scope = props.pop("scope", None)
    compose(
        store,
        ("s",),
        lambda draft: merge_step(
            draft,
            name,
            {"session_id": "s", **props},
            scope=None if scope is None else str(scope),
            always=("result_count",) if "result_count" in props else (),
        ),
    )


def said(store: MemoryStore, name: str = "subtask:x") -> dict[str, Value]:
    """Return what is stored of a call."""
    return dict(step(Memory(store), name).props)


def test_a_call_of_the_main_line_has_the_app_s_properties_in_its_order() -> None:
    """Contract/writes.md §1; a null is not stored, the turn goes with the call."""
    store = MemoryStore()
    tell(store, **FULL)

    assert list(said(store)) == [
        *["task_id", "session_id", "status", "tool_type", "tool_name", "source"],
        *["created_at", "finished_at", "turn_id", "result_count", "seq"],
    ]
    tell(store, "subtask:y", **{**FULL, "source": None, "turn_id": None})
    assert {"source", "turn_id"} & said(store, "subtask:y").keys() == set()


def test_a_call_in_a_scope_names_it() -> None:
    """The order of a child tool call, contract/writes.md §1."""
    store = MemoryStore()
    tell(store, **FULL, scope=SCOPE)

    assert list(said(store)) == [
        *["task_id", "session_id", "status", "tool_type", "tool_name", "source"],
        *["parent_subtask_id", "turn_id", "created_at", "finished_at"],
        *["result_count", "seq"],
    ]
    assert said(store)["parent_subtask_id"] == SCOPE


def test_calls_children_and_scopes_draw_from_one_counter() -> None:
    """A repeat takes no number, and another session has its own."""
    mem = smemkit.open(":memory:")
    run(mem, "e1", 1)
    agent(mem, "A")
    run(mem, "c1", 2, parent="A")
    run(mem, "e1", 3)
    agent(mem, "A", 4)
    mem.observe_execution("f1", session_id="t")
    run(mem, "e2", 5)

    tasks = ["subtask:e1", SCOPE, f"{SCOPE}:exec:c1", "subtask:e2", "subtask:f1"]
    assert [step(mem, task).props["seq"] for task in tasks] == [1, 2, 3, 4, 1]


def test_a_number_goes_on_behind_the_highest_there_is() -> None:
    """The store may have been written by others, with gaps."""
    store = MemoryStore()
    tell(store, "subtask:a")
    node = step(Memory(store), "subtask:a")
    compose(store, ("s",), lambda draft: draft.set(node, {"seq": 41}))
    tell(store, "subtask:b")

    assert said(store, "subtask:b")["seq"] == 42


def test_what_is_not_told_of_a_new_call_is_now_and_completed() -> None:
    """Begun and ended at this moment, in the app's way to write it."""
    store = MemoryStore()
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    tell(store)

    node = said(store)
    assert node["status"] == "completed"
    for name in ("created_at", "finished_at"):
        moment = instants.parse(node[name])
        assert moment is not None
        assert before <= moment <= datetime.now(UTC)
        assert str(node[name]).endswith("Z")


def test_a_time_that_is_told_is_kept_to_the_letter() -> None:
    """Also the creation time, which the app replaces by its own clock."""
    store = MemoryStore()
    tell(store, created_at="2026-10-02 10:00", finished_at="2026-10-02T12:30+02:00")

    node = said(store)
    assert node["created_at"] == "2026-10-02 10:00"
    assert node["finished_at"] == "2026-10-02T12:30+02:00"


@pytest.mark.parametrize("word", RUNNING)
def test_what_still_runs_has_no_finish_time_until_it_ends(word: str) -> None:
    """An end without a time is now; a second end keeps the first time."""
    store = MemoryStore()
    tell(store, status=word)
    assert "finished_at" not in said(store)

    tell(store, status="completed")
    first = said(store)["finished_at"]
    tell(store, status="failed")

    assert instants.parse(first) is not None
    assert (said(store)["finished_at"], said(store)["status"]) == (first, "failed")


@pytest.mark.parametrize("late", RUNNING)
@pytest.mark.parametrize("word", ENDS)
def test_a_late_start_never_undoes_an_end(word: str, late: str) -> None:
    """Whatever word it ended with."""
    store = MemoryStore()
    tell(store, status=word, finished_at=at(1))
    before = said(store)
    tell(store, status=late)

    assert said(store) == before


def test_a_repeat_fills_what_was_missing_and_keeps_what_was_told() -> None:
    """Name, source and turn are filled once; outcome and counts are taken over."""
    store = MemoryStore()
    tell(store, status="running", tool_type="search", result_count=1)
    tell(store, tool_name="t", source="arxiv", turn_id="r1", result_count=2)
    tell(
        store,
        **{**FULL, "tool_name": "u", "source": "pubmed", "turn_id": "r2"},
    )
    node = said(store)

    assert [node[n] for n in ("tool_name", "source", "turn_id")] == ["t", "arxiv", "r1"]
    assert node["result_count"] == 3
    assert (node["status"], node["finished_at"]) == ("completed", at(2))
    assert node["seq"] == 1


def test_a_count_that_is_not_told_again_is_removed_only_when_it_always_counts() -> None:
    """What `always` names is overwritten whatever it is."""
    store = MemoryStore()
    tell(store, **FULL)
    tell(store)
    assert said(store)["result_count"] == 3

    tell(store, result_count=None)
    assert "result_count" not in said(store)


def test_in_a_scope_a_repeat_takes_over_the_turn() -> None:
    """On the main line the first turn stays (contract/writes.md §7.2)."""
    store = MemoryStore()
    for scope in (None, SCOPE):
        name = f"subtask:{scope}"
        tell(store, name, turn_id="r1", scope=scope)
        tell(store, name, turn_id="r2", scope=scope)
        tell(store, name, turn_id=None, scope=scope)

    assert said(store, "subtask:None")["turn_id"] == "r1"
    assert said(store, f"subtask:{SCOPE}")["turn_id"] == "r2"


def test_a_call_another_session_owns_is_left_as_it_is() -> None:
    """Nothing is written, neither on its line nor on the new one."""
    store = MemoryStore()
    tell(store, **FULL)
    before = said(store)

    draft = Draft(store.graph())
    props = {**FULL, "session_id": "t", "status": "failed"}
    node = merge_step(draft, "subtask:x", props, scope=None)

    assert dict(node.props) == before
    assert len(draft.batch()) == 0


def test_a_call_stands_on_the_line_it_was_told_for() -> None:
    """A child on its scope's line only."""
    store = MemoryStore()
    tell(store, "subtask:a", finished_at=at(2))
    tell(store, f"{SCOPE}:exec:c", finished_at=at(1), scope=SCOPE)
    tell(store, f"{SCOPE}:exec:b", finished_at=at(0), scope=SCOPE)
    tell(store, "subtask:b", finished_at=at(1))

    assert main_line(Memory(store)) == ["subtask:b", "subtask:a"]
    children = [f"{SCOPE}:exec:b", f"{SCOPE}:exec:c"]
    assert scope_line(Memory(store), SCOPE) == children


@given(
    st.lists(st.sampled_from(RUNNING), max_size=4),
    st.lists(st.sampled_from(ENDS), min_size=1, max_size=3),
    st.data(),
)
def test_starts_and_ends_in_any_order_leave_the_last_end(
    starts: list[str], ends: list[str], data: st.DataObject
) -> None:
    """However many starts come late, lost or twice."""
    tickets = data.draw(st.permutations([*starts, *ends]))
    store = MemoryStore()
    for minute, word in enumerate(tickets):
        tell(store, status=word, finished_at=None if word in RUNNING else at(minute))

    last = max(i for i, word in enumerate(tickets) if word in ENDS)
    node = said(store)
    assert (node["status"], node["finished_at"]) == (tickets[last], at(last))
    assert node["seq"] == 1


def test_only_what_is_given_is_taken_over() -> None:
    """The rule for a call and for its Code alike."""
    fields = {"status": "failed", "finished_at": None, "turn_id": "", "exit_code": 0}
    node, _ = Draft(Graph()).merge_node("Code", {"code_id": "c"}, created=FULL)

    assert told(fields, ("turn_id", "exit_code", "source"), node) == {
        "status": "failed",
        "turn_id": "",
        "exit_code": 0,
    }
    assert told({"finished_at": at(1)}, (), node) == {"finished_at": at(1)}
    assert told({}, (), None) == {}

    bare, _ = Draft(Graph()).merge_node("Code", {"code_id": "c"})
    assert told({"status": "running"}, (), bare) == {"status": "running"}


def test_when_a_step_ended_is_told_or_now_or_not_yet() -> None:
    """A time that was told counts even for one that runs."""
    assert ended({"finished_at": at(1), "status": "running"}, at(9)) == at(1)
    assert ended({"status": "running"}, at(9)) is None
    assert ended({"status": "odd"}, at(9)) == at(9)
    assert ended({}, at(9)) == at(9)
    assert not set(RUNNING) & set(schema.TERMINAL_STATUSES)
