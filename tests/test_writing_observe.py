# SPDX-License-Identifier: Apache-2.0
"""Goals, uploads and subagents: what is kept, and what a repeat changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from smemkit import instants
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
SCOPE = "subtask:subagent:sa1"


def is_now(value: object) -> bool:
    moment = instants.parse(value)
    return moment is not None and abs(datetime.now(UTC) - moment) < timedelta(hours=1)


# -- the goal --------------------------------------------------------------------


def test_a_goal_keeps_what_the_contract_lists(mem: Memory) -> None:
    """contract/writes.md §2.1, in its order; the caller's time is kept (design §5)."""
    done = mem.observe_session_first_message(
        session_id="s1",
        goal_id="goal:session:s1",
        core_objective="Does drug X lower LDL?",
        domain="Clinical",
        topic_scope=["lipids", "statins"],
        created_at="2026-10-01T08:00:00Z",
    )

    assert done.to_dict() == {"status": "healthy", "written": 1}
    assert done.goal_id == "goal:session:s1"
    found = props(mem, "ResearchGoal", "goal:session:s1")
    assert found == {
        "goal_id": "goal:session:s1",
        "session_id": "s1",
        "core_objective": "Does drug X lower LDL?",
        "domain": "Clinical",
        "topic_scope": ["lipids", "statins"],
        "created_at": "2026-10-01T08:00:00Z",
    }
    assert list(found)[2:] == ["core_objective", "domain", "topic_scope", "created_at"]


def test_a_goal_needs_a_session_and_its_words_only(mem: Memory) -> None:
    """The rest has defaults; a null is not stored."""
    mem.observe_session_first_message("s1", core_objective="Why?")

    found = props(mem, "ResearchGoal", "goal:session:s1")
    assert is_now(found.pop("created_at"))
    assert found == {
        "goal_id": "goal:session:s1",
        "session_id": "s1",
        "core_objective": "Why?",
        "topic_scope": [],
    }


def test_a_second_first_message_changes_nothing(mem: Memory) -> None:
    """contract/http.md §3.1; both are counted as written."""
    mem.observe_session_first_message("s1", core_objective="Why?", domain="Clinical")
    before = everything(mem)

    again = mem.observe_session_first_message(
        "s1", core_objective="Else?", domain=None, created_at=NOON
    )

    assert again.written == 1
    assert everything(mem) == before


def test_a_late_goal_gets_the_files_and_the_line_of_its_session(mem: Memory) -> None:
    """Design §5; another session's file stays with its own."""
    mem.observe_upload_file(FILE, session_id="s1", path="raw.csv")
    mem.observe_upload_file("other", session_id="s2", path="raw.csv")
    mem.observe_execution("e1", session_id="s1")
    assert edges(mem, "feeds") == edges(mem, "next") == []

    mem.observe_session_first_message("s1", core_objective="Why?")

    assert edges(mem, "feeds") == [(FILE, "goal:session:s1")]
    assert edges(mem, "next", "method", "inferred", "basis") == [
        ("goal:session:s1", "subtask:e1", "temporal_chain", True, "finish_time")
    ]


def test_a_goal_without_members_leads_nowhere(mem: Memory) -> None:
    """The app makes a blank node there (contract/writes.md §6.6)."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    mem.observe_session_first_message("s1", core_objective="Why?")

    nodes, links = everything(mem)
    assert len(nodes) == 1
    assert links == []


def test_the_files_of_a_session_do_not_feed_the_goal_of_another(mem: Memory) -> None:
    """A goal id that is taken stays where it is."""
    mem.observe_session_first_message("s1", core_objective="Why?", goal_id="g")
    mem.observe_upload_file("f", session_id="s2", path="raw.csv")
    mem.observe_session_first_message("s2", core_objective="Else?", goal_id="g")

    assert props(mem, "ResearchGoal", "g")["session_id"] == "s1"
    assert edges(mem, "feeds") == []


# -- uploads ---------------------------------------------------------------------


def test_an_upload_keeps_what_the_contract_lists(mem: Memory) -> None:
    """The worked example of contract/http.md §14; order of writes.md §2.9."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    done = mem.observe_upload_file(
        session_id="s1",
        file_id=FILE,
        name="raw.csv",
        path="raw.csv",
        media_type="text/csv",
        size=2048,
        content_hash="9f",
        created_at="2026-10-01T07:59:00.000Z",
    )

    assert done.to_dict() == {"status": "healthy", "written": 1}
    assert done.file_id == FILE
    assert list(props(mem, "SourceFile", FILE).items()) == [
        ("file_id", FILE),
        ("session_id", "s1"),
        ("name", "raw.csv"),
        ("path", "raw.csv"),
        ("media_type", "text/csv"),
        ("size", 2048),
        ("content_hash", "9f"),
        ("origin", "user_upload"),
        ("created_at", "2026-10-01T07:59:00.000Z"),
    ]
    assert edges(mem, "feeds") == [(FILE, "goal:session:s1")]


def test_an_upload_needs_an_id_and_a_path_only(mem: Memory) -> None:
    """Its name is the last part of the path."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    mem.observe_upload_file(FILE, path="in/raw.csv")

    found = props(mem, "SourceFile", FILE)
    assert is_now(found.pop("created_at"))
    assert found == {
        "file_id": FILE,
        "session_id": "s1",
        "name": "raw.csv",
        "path": "in/raw.csv",
        "origin": "user_upload",
    }


@pytest.mark.parametrize("path", ["", " "])
def test_an_upload_may_have_an_empty_path(mem: Memory, path: str) -> None:
    """Any text passes (contract/http.md §3.2): the file is known by its id."""
    mem.observe_upload_file(FILE, session_id="s1", path=path)

    found = props(mem, "SourceFile", FILE)
    assert (found["path"], found["name"]) == (path, path)


def test_a_second_upload_refreshes_and_keeps_the_type(mem: Memory) -> None:
    """A null removes size and hash, but not the media type (writes.md §2.9)."""
    first = {"media_type": "text/csv", "size": 1, "content_hash": "9f"}
    mem.observe_upload_file(FILE, session_id="s1", path="a", created_at=NOON, **first)
    mem.observe_upload_file(FILE, session_id="s1", path="b", name="n", size=2)

    assert props(mem, "SourceFile", FILE) == {
        "file_id": FILE,
        "session_id": "s1",
        "name": "n",
        "path": "b",
        "media_type": "text/csv",
        "size": 2,
        "origin": "user_upload",
        "created_at": NOON,
    }
    mem.observe_upload_file(FILE, session_id="s1", path="b", media_type="text/plain")
    assert props(mem, "SourceFile", FILE)["media_type"] == "text/plain"
    assert count(mem, "SourceFile") == 1


def test_a_file_of_another_session_does_not_feed_this_goal(mem: Memory) -> None:
    """A file id that is taken keeps its session."""
    mem.observe_upload_file(FILE, session_id="s1", path="raw.csv")
    mem.observe_session_first_message("s2", core_objective="Why?")
    mem.observe_upload_file(FILE, session_id="s2", path="raw.csv")

    assert props(mem, "SourceFile", FILE)["session_id"] == "s1"
    assert edges(mem, "feeds") == []


def test_the_same_upload_twice_is_one_file_and_one_edge(mem: Memory) -> None:
    """Nothing differs after the repeat."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    for _ in range(2):
        mem.observe_upload_file(FILE, path="raw.csv", size=1)
        last = everything(mem)
    mem.observe_upload_file(FILE, path="raw.csv", size=1)

    assert everything(mem) == last
    assert edges(mem, "feeds") == [(FILE, "goal:session:s1")]


# -- subagents -------------------------------------------------------------------

START = {
    "session_id": "s1",
    "objective": "Plot LDL",
    "subagent_type": "data-analyst",
    "turn_id": "r1",
    "created_at": at(8, 2),
}
BEGUN = {
    "task_id": SCOPE,
    "session_id": "s1",
    "objective": "Plot LDL",
    "task_type": "subagent",
    "subagent_type": "data-analyst",
    "created_at": at(8, 2),
    "turn_id": "r1",
    "status": "running",
    "seq": 1,
}


def test_a_subagent_that_starts_keeps_what_the_contract_lists(mem: Memory) -> None:
    """In the order of contract/writes.md §1; what an end would say is not read."""
    done = mem.observe_subagent("sa1", **START, finished_at=at(9), summary="no")

    assert done.to_dict() == {"status": "healthy", "written": 1}
    assert done.task_id == SCOPE
    assert list(props(mem, "Task", SCOPE).items()) == list(BEGUN.items())


ENDED = [
    ("completed", "completed", None),
    ("failed", "failed", "error"),
    ("cancelled", "cancelled", "aborted"),
    ("timed_out", "failed", "timed_out"),
]


@pytest.mark.parametrize(("word", "status", "reason"), ENDED)
@pytest.mark.parametrize("started", [True, False])
def test_an_end_sets_the_finish_fields_also_when_it_comes_first(
    mem: Memory, word: str, status: str, reason: str | None, started: bool
) -> None:
    """contract/writes.md §7.4; terminal-first is corrected (design §5)."""
    if started:
        mem.observe_subagent("sa1", **START)
    mem.observe_subagent("sa1", **START, status=word, finished_at=NOON, summary="Done.")

    expected = {**BEGUN, "status": status, "finished_at": NOON, "summary": "Done."}
    if reason:
        expected["failure_reason"] = reason
    assert props(mem, "Task", SCOPE) == expected


@pytest.mark.parametrize("word", [word for word, _, _ in ENDED])
def test_a_late_start_never_undoes_an_end(mem: Memory, word: str) -> None:
    """Design §5.7; what the end did not tell is filled."""
    mem.observe_subagent("sa1", session_id="s1", status=word, finished_at=NOON)
    end = props(mem, "Task", SCOPE)
    mem.observe_subagent("sa1", **START)

    late = props(mem, "Task", SCOPE)
    assert {name: late[name] for name in end} == end
    assert (late["objective"], late["turn_id"]) == ("Plot LDL", "r1")
    assert "running" not in late.values()


@pytest.mark.parametrize("summary", [None, "", " \n"])
def test_a_success_without_words_gets_the_fallback(
    mem: Memory, summary: str | None
) -> None:
    """The sentence of contract/writes.md §2.2; a failure gets none."""
    mem.observe_subagent("sa1", **START, status="completed", summary=summary)
    mem.observe_subagent("sa2", **START, status="failed", summary=None)

    fallback = "Subagent completed without a text response."
    assert props(mem, "Task", SCOPE)["summary"] == fallback
    assert "summary" not in props(mem, "Task", "subtask:subagent:sa2")


def test_a_success_after_a_failure_removes_the_reason(mem: Memory) -> None:
    """The first identity, time and number stay (contract/writes.md §7.4)."""
    mem.observe_subagent("sa1", **START, status="timed_out", summary="late")
    other = {**START, "objective": "Else", "turn_id": "r2", "created_at": NOON}
    mem.observe_subagent("sa1", **other, status="completed", finished_at=NOON)

    found = props(mem, "Task", SCOPE)
    assert "failure_reason" not in found
    kept = ("objective", "turn_id", "created_at", "seq")
    assert {name: found[name] for name in kept} == {name: BEGUN[name] for name in kept}


def test_an_end_without_a_time_is_now_and_the_first_one_stays(mem: Memory) -> None:
    """A finished subagent always has a finish time."""
    mem.observe_subagent("sa1", **START, status="failed")
    first = props(mem, "Task", SCOPE)["finished_at"]
    assert is_now(first)
    mem.observe_subagent("sa1", **START, status="completed", finished_at=NOON)
    mem.observe_subagent("sa1", **START, status="completed")

    assert props(mem, "Task", SCOPE)["finished_at"] == NOON


@pytest.mark.parametrize("word", ["waiting", "", " "])
def test_any_other_word_is_a_start_and_kept_as_given(mem: Memory, word: str) -> None:
    """contract/http.md §3.5; on a repeat it takes over word and turn."""
    mem.observe_subagent("sa1", **START)
    mem.observe_subagent("sa1", session_id="s1", status=word, turn_id="r2")
    mem.observe_subagent("sa1", session_id="s1", status=word)

    assert props(mem, "Task", SCOPE) == {**BEGUN, "status": word, "turn_id": "r2"}


def test_a_scope_that_comes_late_gets_its_line(mem: Memory) -> None:
    """W5 of contract/writes.md §6.5, corrected: contains its first child at once."""
    for name in ("c1", "c2"):
        mem.observe_execution(name, session_id="s1", parent_subagent_id="sa1")
    assert edges(mem, "contains") == []
    mem.observe_subagent("sa1", **START)

    first, second = (f"{SCOPE}:exec:{name}" for name in ("c1", "c2"))
    assert edges(mem, "contains") == [(SCOPE, first)]
    assert edges(mem, "next", "method") == [(first, second, "scope_chain")]


def test_a_subagent_of_another_session_is_left_as_it_is(mem: Memory) -> None:
    """W11 of contract/writes.md §6.5."""
    mem.observe_subagent("sa1", **START)
    before = everything(mem)
    mem.observe_subagent("sa1", session_id="s2", status="completed", summary="Mine.")

    assert everything(mem) == before


# -- times -----------------------------------------------------------------------


def test_times_may_be_texts_or_datetimes(mem: Memory) -> None:
    """A text is kept as given, a datetime in the app's form; no zone is UTC."""
    east = datetime(2026, 10, 2, 14, tzinfo=timezone(timedelta(hours=2)))
    naive = east.replace(tzinfo=None)
    for k, moment in enumerate([east, naive, "2026-10-02"]):
        mem.observe_session_first_message(
            f"s{k}", core_objective="Why?", created_at=moment
        )

    kept = [props(mem, "ResearchGoal", f"goal:session:s{k}") for k in range(3)]
    assert [each["created_at"] for each in kept] == [NOON, at(14), "2026-10-02"]
