# SPDX-License-Identifier: Apache-2.0
"""The `next` lines a memory holds, walked and checked, and a store that counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from smemkit import schema
from smemkit.memory import Memory
from smemkit.records import Batch, Edge, Node, Value
from smemkit.stores import Plan
from smemkit.stores.memory import MemoryStore

DAY = "2026-10-02T"
STEPS = ("Task", "ToolCall")


class CountingStore(MemoryStore):
    """A store that keeps every batch it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[Batch] = []

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Write as always and remember what was written."""
        self.batches.append(super().write(plan, sessions))
        return self.batches[-1]


def at(minute: int) -> str:
    """Return a time as text."""
    return f"{DAY}10:{minute:02d}:00Z"


def goal(mem: Memory, session: str = "s") -> None:
    """Observe a session's first message."""
    mem.observe_session_first_message(session, core_objective="Why?")


def run(
    mem: Memory, name: str, minute: int | None, *, parent: str | None = None
) -> None:
    """Observe an execution; one without a minute still runs."""
    mem.observe_execution(
        name,
        session_id="s",
        status="running" if minute is None else "succeeded",
        finished_at=None if minute is None else at(minute),
        parent_subagent_id=parent,
    )


def agent(mem: Memory, name: str, minute: int | None = None) -> None:
    """Observe a subagent's start, or its end at a minute."""
    mem.observe_subagent(
        name,
        session_id="s",
        status="running" if minute is None else "completed",
        finished_at=None if minute is None else at(minute),
    )


def step(mem: Memory, task_id: str) -> Node:
    """Return the only Task or ToolCall with this id."""
    found = [n for n in mem.store.find() if n.props.get("task_id") == task_id]
    assert len(found) == 1, found
    return found[0]


def main_line(mem: Memory, session_id: str = "s") -> list[str]:
    """Return the task ids of a session's line, in order, and hold that it is one.

    Who belongs on it is told here anew, from contract/writes.md §6.2.
    """
    members = [
        node
        for node in mem.store.find(session_id=session_id)
        if node.label in STEPS
        and str(node.props.get("task_id")).startswith("subtask:")
        and "parent_subtask_id" not in node.props
    ]
    goals = mem.store.find("ResearchGoal", session_id=session_id)
    edges = _edges(mem, schema.MAIN_LINE, [*members, *goals])
    starts = [edge for edge in edges if edge.src in {goal.id for goal in goals}]
    assert len(starts) == (1 if goals and members else 0), starts
    return _walk(members, [e for e in edges if e not in starts], starts)


def scope_line(mem: Memory, scope: str, session_id: str = "s") -> list[str]:
    """Return the task ids of a scope's children, in order, and hold that it is one."""
    children = [
        node
        for node in mem.store.find(session_id=session_id)
        if node.label in STEPS and node.props.get("parent_subtask_id") == scope
    ]
    edges = _edges(mem, schema.SCOPE_LINE, children)
    tasks = [n for n in mem.store.find("Task") if n.props["task_id"] == scope]
    starts = [e for e in mem.store.find_edges("contains") if e.src in _ids(tasks)]
    assert len(starts) == (1 if tasks and children else 0), starts
    assert all(edge.props == {} for edge in starts)
    return _walk(children, edges, starts)


def _ids(nodes: list[Node]) -> set[str]:
    return {node.id for node in nodes}


def _edges(mem: Memory, method: str, ends: list[Node]) -> list[Edge]:
    """Return the `next` edges of a method at these nodes."""
    ids = _ids(ends)
    found = [
        edge
        for edge in mem.store.find_edges("next")
        if edge.props["method"] == method and (edge.src in ids or edge.dst in ids)
    ]
    assert all(edge.src in ids and edge.dst in ids for edge in found)
    assert all(edge.props["inferred"] is True for edge in found)
    return found


def _walk(members: list[Node], edges: list[Edge], starts: list[Edge]) -> list[str]:
    after = {edge.src: edge.dst for edge in edges}
    assert len(after) == len(edges) == len(set(after.values())), "a fork"
    assert len(edges) == max(0, len(members) - 1), "a gap or a circle"
    heads = _ids(members) - set(after.values())
    assert len(heads) == (1 if members else 0), "several heads"
    assert {edge.dst for edge in starts} <= heads
    names = {node.id: str(node.props["task_id"]) for node in members}
    line = []
    place: str | None = next(iter(heads), None)
    while place is not None:
        line.append(names[place])
        place = after.get(place)
    assert sorted(line) == sorted(names.values())
    return line


def app_line(session_id: str, *calls: dict[str, Value]) -> Plan:
    """Plan a goal and calls with the line as the app leaves it, in the given order."""
    goal = {"goal_id": schema.goal_id(session_id), "session_id": session_id}
    nodes = [Node("n1", ("ResearchGoal",), goal)]
    nodes += [
        Node(f"n{i}", ("ToolCall",), {"session_id": session_id, **call})
        for i, call in enumerate(calls, 2)
    ]
    props = {"method": "temporal_chain", "inferred": True, "basis": "seq"}
    edges = [
        Edge(f"r{i}", "next", src.id, dst.id, props)
        for i, (src, dst) in enumerate(pairwise(nodes), 1)
    ]
    return lambda graph: Batch(tuple(nodes), tuple(edges))
