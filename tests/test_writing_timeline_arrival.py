# SPDX-License-Identifier: Apache-2.0
"""The `next` lines after any order of arrival, and what one arrival writes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.memory import Memory
from tests.lines import (
    DAY,
    STEPS,
    CountingStore,
    agent,
    goal,
    main_line,
    run,
    scope_line,
    step,
)

A = "subtask:subagent:A"
B = "subtask:subagent:B"
ZONES = ("{}Z", "{}", "{}.000Z", "{}+00:00")


@dataclass(frozen=True)
class Event:
    """One thing told: which step, on which line, and its end if it has one."""

    name: str
    kind: str
    minute: int | None
    form: str = "{}Z"

    @property
    def parent(self) -> str | None:
        return self.name[0] if "c" in self.name else None

    @property
    def task_id(self) -> str:
        if self.kind == "subagent":
            return f"subtask:subagent:{self.name}"
        head = "" if self.parent is None else f"subagent:{self.parent}:exec:"
        return f"subtask:{head}{self.name}"

    def tell(self, mem: Memory) -> None:
        """Tell a memory, with the verb this is told with."""
        end = {
            "session_id": "s",
            "status": "running" if self.minute is None else "completed",
            "finished_at": None
            if self.minute is None
            else self.form.format(f"{DAY}10:{self.minute:02d}:00"),
        }
        if self.kind == "subagent":
            mem.observe_subagent(self.name, **end)
        elif self.kind == "search":
            task = self.name if self.parent else f"subtask:{self.name}"
            mem.observe_tool_call(
                task, tool_name="t", parent_subagent_id=self.parent, **end
            )
        else:
            mem.observe_execution(self.name, parent_subagent_id=self.parent, **end)


def expected(told: list[Event]) -> dict[str | None, list[str]]:
    """Return the lines as they are built at once: by end, then by first arrival."""
    first: dict[str, int] = {}
    ends: dict[str, int] = {}
    lines: dict[str | None, list[str]] = {None: [], A: [], B: []}
    for i, event in enumerate(told):
        if event.task_id not in first:
            first[event.task_id] = i
            scope = event.parent and f"subtask:subagent:{event.parent}"
            lines[scope].append(event.task_id)
        if event.minute is not None:
            ends[event.task_id] = event.minute
    for line in lines.values():
        line.sort(key=lambda task: (ends.get(task, 99), first[task]))
    return lines


def lines_of(mem: Memory) -> dict[str | None, list[str]]:
    return {None: main_line(mem), A: scope_line(mem, A), B: scope_line(mem, B)}


NAMES = [
    *[(f"m{i}", kind) for i, kind in enumerate(("run", "search") * 3)],
    *[(f"Ac{i}", kind) for i, kind in enumerate(("run", "search") * 2)],
    *[(f"Bc{i}", kind) for i, kind in enumerate(("search", "run"))],
    *[("A", "subagent"), ("B", "subagent")],
]
EVENTS = st.builds(
    lambda step, minute, form: Event(*step, minute, form),
    st.sampled_from(NAMES),
    st.one_of(st.none(), st.integers(0, 6)),
    st.sampled_from(ZONES),
)


@given(st.lists(EVENTS, max_size=14), st.integers(0, 14))
def test_after_every_arrival_the_lines_are_those_built_at_once(
    told: list[Event], goal_comes: int
) -> None:
    """Runs, searches, subagents and their ends, repeated and in any order."""
    mem = smemkit.open(":memory:")
    for i, event in enumerate(told, 1):
        if i == goal_comes:
            goal(mem)
        event.tell(mem)
        assert lines_of(mem) == expected(told[:i])
    goal(mem)
    assert lines_of(mem) == expected(told)

    numbers = [n.props["seq"] for label in STEPS for n in mem.store.find(label)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


@given(st.data())
def test_steps_with_different_ends_have_one_line_in_any_order_of_arrival(
    data: st.DataObject,
) -> None:
    """Each is told running first, or at its end only, or twice."""
    steps = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, unique=True))
    minutes = data.draw(st.permutations(range(len(steps))))
    ends = [Event(*s, minute) for s, minute in zip(steps, minutes, strict=True)]
    at_once = smemkit.open(":memory:")
    for event in sorted(ends, key=lambda event: event.minute or 0):
        event.tell(at_once)
    also = data.draw(st.lists(st.sampled_from([*ends, goal])))
    starts = [Event(*s, None) for s in data.draw(st.lists(st.sampled_from(steps)))]

    told = data.draw(st.permutations([*ends, *also, *starts, goal]))
    mem = smemkit.open(":memory:")
    for each in told:
        each(mem) if each is goal else each.tell(mem)

    assert lines_of(mem) == lines_of(at_once)


# -- what is written -------------------------------------------------------------


@pytest.mark.parametrize("parent", [None, "A"])
def test_what_a_call_writes_does_not_grow_with_its_session(parent: str | None) -> None:
    """Counted in records: the call, its code and the edges at it."""
    store = CountingStore()
    mem = Memory(store)
    goal(mem)
    agent(mem, "A")
    sizes = {}
    for i in range(1, 301):
        end = f"{DAY}10:{i // 60:02d}:{i % 60:02d}Z"
        for name in ("end", "late"):
            mem.observe_execution(
                f"{name}{i}",
                session_id="s",
                status="running" if name == "late" else "succeeded",
                finished_at=end if name == "end" else None,
                parent_subagent_id=parent,
            )
        mem.observe_execution(
            f"late{i}", session_id="s", finished_at=end, parent_subagent_id=parent
        )
        sizes[i] = [len(batch) for batch in store.batches[-3:]]

    assert sizes[2] == sizes[30] == sizes[300]
    # Call, code and their edge; A, which still runs, stands behind what has ended.
    assert sizes[300] == ([6, 4, 6] if parent is None else [4, 4, 2])


@pytest.mark.parametrize("place", [0, 150, 298])
def test_a_call_that_comes_late_touches_its_neighbours_only(place: int) -> None:
    """However far from the end of the line it belongs."""
    store = CountingStore()
    mem = Memory(store)
    goal(mem)
    for i in range(300):
        mem.observe_execution(
            f"e{i}", session_id="s", finished_at=f"{DAY}10:{i // 60:02d}:{i % 60:02d}Z"
        )

    end = f"{DAY}10:{place // 60:02d}:{place % 60:02d}.5Z"
    mem.observe_execution("late", session_id="s", finished_at=end)

    batch = store.batches[-1]
    assert [n.label for n in batch.nodes] == ["ToolCall", "Code"]
    assert len(batch.dropped_edges) == 1
    assert sum(edge.type == "next" for edge in batch.edges) == 2
    assert main_line(mem)[place + 1] == "subtask:late"


def test_an_end_told_later_moves_that_call_alone() -> None:
    """All edges that are not at it, or where it was and goes, stay as they are."""
    store = CountingStore()
    mem = Memory(store)
    goal(mem)
    run(mem, "late", None)
    for minute in range(10):
        run(mem, f"e{minute}", minute)
    before = {edge.id: edge for edge in store.find_edges()}

    run(mem, "late", 4)

    # It was the first to come, so it goes before the other that ended at 4.
    names = ["e0", "e1", "e2", "e3", "late", *(f"e{i}" for i in range(4, 10))]
    assert main_line(mem) == [f"subtask:{name}" for name in names]
    gone = before.keys() - {edge.id for edge in store.find_edges()}
    ends = {(before[i].src, before[i].dst) for i in gone}
    ids = {name: step(mem, f"subtask:{name}").id for name in names}
    assert ends == {(ids["e9"], ids["late"]), (ids["e3"], ids["e4"])}
    assert {
        n.props["task_id"] for n in store.batches[-1].nodes if n.label != "Code"
    } == {"subtask:late"}


def test_an_end_that_changes_no_place_writes_no_edge() -> None:
    """The last call ends last; one in the middle ends a little later."""
    store = CountingStore()
    mem = Memory(store)
    goal(mem)
    for minute, name in ((10, "e1"), (20, "e2"), (30, "e3"), (None, "e4")):
        run(mem, name, minute)

    for name, minute in (("e1", 11), ("e2", 21), ("e4", 40)):
        run(mem, name, minute)
        batch = store.batches[-1]
        assert (batch.edges, batch.dropped_edges) == ((), ())
        assert len(batch.nodes) == 2
