# SPDX-License-Identifier: Apache-2.0
"""What came after what: the `next` line of a session and of a scope."""

from __future__ import annotations

import pytest

import smemkit
from smemkit.memory import Memory
from smemkit.records import Batch, Edge, Node
from tests.lines import (
    CountingStore,
    agent,
    app_line,
    at,
    goal,
    main_line,
    run,
    scope_line,
    step,
)

A = "subtask:subagent:A"
B = "subtask:subagent:B"


def empty() -> Memory:
    return smemkit.open(":memory:")


def test_w1_calls_follow_the_goal_in_the_order_of_their_ends() -> None:
    """Contract/writes.md W1."""
    mem = empty()
    goal(mem)
    run(mem, "e1", 1)
    mem.observe_tool_call(
        "subtask:mcp:1", session_id="s", tool_name="t", finished_at=at(2)
    )
    run(mem, "e2", 3)

    assert main_line(mem) == ["subtask:e1", "subtask:mcp:1", "subtask:e2"]


def test_w2_a_running_scope_stands_last_and_takes_its_place_when_it_ends() -> None:
    """W2, by finish time; the goal arrives last and is linked at once."""
    mem = empty()
    run(mem, "e1", 1)
    agent(mem, "A")
    run(mem, "c1", 2, parent="A")
    run(mem, "e2", 4)
    run(mem, "c2", 3, parent="A")
    assert main_line(mem) == ["subtask:e1", "subtask:e2", A]

    agent(mem, "A", 5)
    run(mem, "e3", 6)
    goal(mem)

    assert main_line(mem) == ["subtask:e1", "subtask:e2", A, "subtask:e3"]
    assert scope_line(mem, A) == [f"{A}:exec:c1", f"{A}:exec:c2"]
    assert [step(mem, t).props["seq"] for t in main_line(mem)] == [1, 4, 2, 6]


def test_w3_a_goal_that_comes_late_leads_to_the_only_call() -> None:
    """W3, as the newest app has it."""
    mem = empty()
    run(mem, "e1", 1)
    goal(mem)
    assert main_line(mem) == ["subtask:e1"]

    run(mem, "e2", 2)
    assert main_line(mem) == ["subtask:e1", "subtask:e2"]


def test_w4_a_goal_without_calls_leads_nowhere() -> None:
    """W4: the blank node of the app's null head is not made."""
    mem = empty()
    goal(mem)
    goal(mem)

    assert len(mem) == 1
    assert mem.store.find_edges() == []


def test_w5_a_scope_that_comes_after_its_only_child_contains_it() -> None:
    """W5, corrected: also without a second child."""
    mem = empty()
    run(mem, "c1", 1, parent="A")
    assert scope_line(mem, A) == [f"{A}:exec:c1"]

    agent(mem, "A")

    assert scope_line(mem, A) == [f"{A}:exec:c1"]
    assert len(mem.store.find_edges("contains")) == 1
    assert main_line(mem) == [A]


def test_w6_equal_numbers_are_told_apart_by_their_ends() -> None:
    """W6: three nodes with seq 3, the unfinished last."""
    mem = empty()
    plan = app_line("s", {"task_id": "subtask:y", "seq": 3, "finished_at": at(2)})
    mem.store.write(plan)
    agent(mem, "Z")
    run(mem, "x", 5)

    assert main_line(mem) == ["subtask:y", "subtask:x", "subtask:subagent:Z"]


def test_w7_a_call_without_a_number_stands_where_its_end_puts_it() -> None:
    """W7, corrected: it does not jump to the head of the line."""
    mem = empty()
    mem.store.write(
        app_line(
            "s",
            {"task_id": "subtask:e1", "seq": 1, "finished_at": at(1)},
            {"task_id": "subtask:evolve:1", "finished_at": at(2)},
        )
    )
    run(mem, "e2", 3)
    run(mem, "tie", 2)

    assert main_line(mem) == [
        "subtask:e1",
        "subtask:evolve:1",
        "subtask:tie",
        "subtask:e2",
    ]


def test_w8_a_scope_started_inside_a_scope_stands_on_the_main_line() -> None:
    """W8: nothing links inner and outer scope."""
    mem = empty()
    for name in ("A", "B"):
        agent(mem, name)
    run(mem, "k1", 1, parent="B")
    run(mem, "k2", 2, parent="A")

    assert main_line(mem) == [A, B]
    assert scope_line(mem, A) == [f"{A}:exec:k2"]
    assert scope_line(mem, B) == [f"{B}:exec:k1"]


def test_w9_a_ticket_sent_twice_writes_nothing() -> None:
    """W9: the line is not even touched."""
    store = CountingStore()
    mem = Memory(store)
    goal(mem)
    for minute, name in enumerate(("e1", "e2", "e3")):
        run(mem, name, minute)
    agent(mem, "A", 4)
    run(mem, "c1", 1, parent="A")
    before = len(store.batches)

    run(mem, "e2", 1)
    run(mem, "c1", 1, parent="A")
    agent(mem, "A", 4)
    goal(mem)

    assert [len(batch) for batch in store.batches[before:]] == [0, 0, 0, 0]


def test_w10_who_stands_on_the_line_is_told_by_prefix_and_parent() -> None:
    """W10: an id with `:exec:` does, one without `subtask:` does not."""
    mem = empty()
    goal(mem)
    mem.observe_tool_call("odd", session_id="s", tool_name="t", finished_at=at(1))
    run(mem, "a:exec:b", 2)

    assert main_line(mem) == ["subtask:a:exec:b"]
    assert mem.store.find_edges("next")[0].dst == step(mem, "subtask:a:exec:b").id


def test_w11_a_call_of_another_session_stays_on_its_own_line() -> None:
    """W11: the new session's line does not get it."""
    mem = empty()
    for session in ("s", "t"):
        goal(mem, session)
    run(mem, "e1", 1)
    mem.observe_execution("e1", session_id="t", finished_at=at(2))

    assert main_line(mem) == ["subtask:e1"]
    assert main_line(mem, "t") == []
    assert step(mem, "subtask:e1").props["finished_at"] == at(1)


def test_a_goal_with_an_id_of_its_own_is_linked_at_once() -> None:
    """Not only at the next call."""
    mem = empty()
    run(mem, "e1", 1)
    mem.observe_session_first_message("s", core_objective="Why?", goal_id="g")

    assert main_line(mem) == ["subtask:e1"]


def test_a_goal_of_another_session_gets_nothing_of_this_one() -> None:
    """An id used twice does not tie two sessions together."""
    mem = empty()
    mem.observe_session_first_message("t", core_objective="Why?", goal_id="g")
    run(mem, "e1", 1)
    mem.observe_upload_file("f", session_id="s", path="raw.csv")
    mem.observe_session_first_message("s", core_objective="What?", goal_id="g")

    assert mem.store.find_edges("feeds") == []
    assert mem.store.find_edges("next") == []


@pytest.mark.parametrize("parent", [None, "A"])
def test_ends_are_compared_as_instants(parent: str | None) -> None:
    """Zones and fractions count; no zone is UTC."""
    mem = empty()
    times = {
        "e4": "2026-10-02T09:00:03",
        "e2": "2026-10-02T12:00:01+03:00",
        "e5": "2026-10-02T08:00:04-01:00",
        "e1": "2026-10-02T09:00:00.999Z",
        "e3": "2026-10-02 09:00:02Z",
    }
    for name, text in times.items():
        mem.observe_execution(
            name, session_id="s", finished_at=text, parent_subagent_id=parent
        )

    line = main_line(mem) if parent is None else scope_line(mem, A)
    assert [task[-2:] for task in line] == ["e1", "e2", "e3", "e4", "e5"]


def test_a_line_of_the_app_is_never_re_sorted() -> None:
    """A call goes behind the last member with a smaller or equal key."""
    mem = empty()
    ends = {"e1": 0, "e2": 30, "e3": 10}
    mem.store.write(
        app_line(
            "s",
            *(
                {"task_id": f"subtask:{name}", "seq": i, "finished_at": at(minute)}
                for i, (name, minute) in enumerate(ends.items(), 1)
            ),
        )
    )
    old = {edge.id: edge for edge in mem.store.find_edges("next")}

    run(mem, "x", 20)
    assert main_line(mem) == ["subtask:e1", "subtask:e2", "subtask:e3", "subtask:x"]
    assert old.items() <= {e.id: e for e in mem.store.find_edges("next")}.items()

    run(mem, "y", 5)
    assert main_line(mem) == [f"subtask:{n}" for n in ("e1", "y", "e2", "e3", "x")]
    kept = {e.id for e in mem.store.find_edges("next")} & old.keys()
    assert kept == {"r1", "r3"}, "only the edge the call came between is gone"


def test_a_repeat_moves_nothing_on_a_line_of_the_app() -> None:
    """It stays where the app had put it, unless its own end is another."""
    store = CountingStore()
    mem = Memory(store)
    ends = enumerate((("e1", 30), ("e2", 10), ("e3", 20)), 1)
    store.write(
        app_line(
            "s",
            *(
                {"task_id": f"subtask:{name}", "seq": i, "finished_at": at(minute)}
                for i, (name, minute) in ends
            ),
        )
    )

    run(mem, "e2", 10)
    assert main_line(mem) == ["subtask:e1", "subtask:e2", "subtask:e3"]
    assert store.batches[-1].dropped_edges == ()

    run(mem, "e2", 40)
    assert main_line(mem) == ["subtask:e1", "subtask:e3", "subtask:e2"]


def test_ends_at_one_instant_are_ordered_by_number_not_by_creation() -> None:
    """Design §5.6: `seq` comes before creation."""
    mem = empty()
    mem.store.write(
        app_line(
            "s",
            {"task_id": "subtask:x", "seq": 3, "finished_at": at(5)},
            {"task_id": "subtask:y", "seq": 1},
        )
    )
    run(mem, "y", 5)

    assert main_line(mem) == ["subtask:y", "subtask:x"]


def test_the_edges_say_what_they_are_ordered_by() -> None:
    """The three properties of the app, with our own basis; `contains` has none."""
    mem = empty()
    goal(mem)
    agent(mem, "A")
    for name in ("c1", "c2"):
        run(mem, name, 1, parent="A")

    said = {str(e.props["method"]): dict(e.props) for e in mem.store.find_edges("next")}
    rest = {"inferred": True, "basis": "finish_time"}
    assert said == {
        "temporal_chain": {"method": "temporal_chain", **rest},
        "scope_chain": {"method": "scope_chain", **rest},
    }


def test_a_scope_of_another_session_contains_nothing_of_this_one() -> None:
    """An id used twice does not tie two sessions together."""
    mem = empty()
    mem.observe_subagent("A", session_id="t")
    mem.observe_execution("c0", session_id="t", parent_subagent_id="B")
    run(mem, "c1", 1, parent="A")
    run(mem, "c2", 2, parent="B")
    mem.observe_subagent("A", session_id="s")

    assert mem.store.find_edges() == mem.store.find_edges("produces")


CALLS = [
    {"task_id": f"subtask:e{i}", "seq": i, "finished_at": at(i)} for i in range(1, 5)
]


@pytest.mark.parametrize("lost", range(5))
@pytest.mark.parametrize("from_the_goal", [True, False])
def test_what_a_crash_of_the_app_left_unlinked_is_put_on(
    lost: int, from_the_goal: bool
) -> None:
    """The app deletes the line and builds it anew, each from the goal on."""
    mem = empty()
    mem.store.write(app_line("s", *CALLS))
    numbers = range(1, lost + 1) if from_the_goal else range(5 - lost, 5)
    gone = tuple(f"r{i}" for i in numbers)
    mem.store.write(lambda graph: Batch(dropped_edges=gone))

    run(mem, "e5", 5)

    assert main_line(mem) == [f"subtask:e{i}" for i in range(1, 6)]


def test_the_blank_node_of_the_app_s_null_head_is_left_behind() -> None:
    """The goal leads to the first call instead (contract/writes.md §6.6)."""
    mem = empty()
    mem.store.write(app_line("s"))
    props = {"method": "temporal_chain", "inferred": True, "basis": "seq"}
    blank = Batch((Node("n2", (), {}, 2),), (Edge("r1", "next", "n1", "n2", props, 1),))
    mem.store.write(lambda graph: blank)

    run(mem, "e1", 1)

    ends = [(edge.src, edge.dst) for edge in mem.store.find_edges("next")]
    assert ends == [("n1", step(mem, "subtask:e1").id)]


@pytest.mark.parametrize("minute", [0, 2, 9, None])
@pytest.mark.parametrize("into", ["n2", "n3"])
def test_a_line_that_two_writers_bent_into_a_circle_ends_no_write(
    minute: int | None, into: str
) -> None:
    """The call gets a place, and the write comes to an end."""
    mem = empty()
    mem.store.write(app_line("s", *CALLS))
    back = Edge("r9", "next", "n5", into, {"method": "temporal_chain"}, 9)
    bent = Batch(edges=(back,), dropped_edges=("r1",))
    mem.store.write(lambda graph: bent)

    run(mem, "x", minute)
    run(mem, "e3", 8)

    node = step(mem, "subtask:x")
    edges = mem.store.find_edges("next")
    assert any(node.id in (edge.src, edge.dst) for edge in edges)
