# SPDX-License-Identifier: Apache-2.0
"""What came after what? The `next` line of a session and of a scope (design §5.6).

A line is ordered by finish time as an instant, then `seq`, then creation. It is
never re-sorted: a call goes behind the last member with a smaller or equal key,
looked for from the end. Only neighbours are touched, so a call costs the same
however long its session is. What a crash of the app left unlinked is put on
when it is met.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain

from smemkit import instants, schema
from smemkit.records import NO_PROPS, Edge, Node, Props
from smemkit.writing.draft import Draft

Key = tuple[bool, datetime, int, int]

STEPS = ("Task", "ToolCall")
"""The labels that stand on a line."""

PREFIX = "subtask:"
"""How the task_id of a member of the main line begins."""

_INFERRED: dict[str, Props] = {
    method: {"method": method, "inferred": True, "basis": "finish_time"}
    for method in (schema.MAIN_LINE, schema.SCOPE_LINE)
}
"""What the edges of either line say of themselves, one object for all of them."""

_NEVER = datetime.max.replace(tzinfo=UTC)


def key(node: Node) -> Key:
    """Return what a line is ordered by; no finish time or an odd one comes last.

    Examples
    --------
    >>> done = Node("n1", ("ToolCall",), {"finished_at": "2026-10-02T08:00:00Z"}, 1)
    >>> key(done) < key(Node("n0", ("Task",), {"seq": 1}, 0))
    True
    """
    finished = instants.parse(node.props.get("finished_at"))
    seq = node.props.get("seq")
    number = seq if isinstance(seq, int) and not isinstance(seq, bool) else 0
    return (finished is None, finished or _NEVER, number, node.n)


def goal_of(draft: Draft, session_id: str) -> Node | None:
    """Return the goal a session's line starts at, or None."""
    own = draft.find("ResearchGoal", schema.goal_id(session_id))
    if own is not None:
        return own if own.session_id == session_id else None
    stored = draft.graph.nodes("ResearchGoal", session_id=session_id)
    first = next(chain(stored, draft.made("ResearchGoal", session_id)), None)
    return None if first is None else draft.state(first)


def update_main_line(
    draft: Draft, session_id: str, node: Node | None = None, before: Node | None = None
) -> None:
    """Give a call or scope its place on its session's line, and the line its goal.

    Parameters
    ----------
    draft : Draft
        The write this is a part of.
    session_id : str
        The session.
    node : Node, optional
        The member written; None when only the goal is new. One that does not
        belong on this line is passed over.
    before : Node, optional
        The member before this write, if it existed.
    """
    line = _MainLine(draft, session_id, goal_of(draft, session_id))
    line.update(node if node is not None and line.belongs(node) else None, before)


def update_scope_line(
    draft: Draft,
    session_id: str,
    scope: str,
    node: Node | None = None,
    before: Node | None = None,
) -> None:
    """Give a child its place in its scope, and the scope its first child.

    The same as `update_main_line`, for the calls whose `parent_subtask_id` is
    `scope`; the scope itself may be missing yet.
    """
    task = draft.find("Task", scope)
    if task is not None and task.session_id != session_id:
        task = None
    line = _ScopeLine(draft, session_id, scope, task)
    line.update(node if node is not None and line.belongs(node) else None, before)


class _Line(ABC):
    """One line in a draft: where it starts, who is on it, who comes next."""

    method = ""
    start_type = "next"

    def __init__(self, draft: Draft, session_id: str, start: Node | None) -> None:
        self.draft = draft
        self.session_id = session_id
        self.start = start

    # -- what the two lines differ in ------------------------------------------

    @abstractmethod
    def belongs(self, node: Node) -> bool:
        """Return whether a node is one of the line's steps."""

    @abstractmethod
    def by_age(self, *, newest: bool) -> Iterator[Node]:
        """Yield the line's steps in order of creation, or the newest first."""

    @abstractmethod
    def start_edges(self) -> list[Edge]:
        """Return the edges that lead from the start onto the line."""

    # -- the rule --------------------------------------------------------------

    def update(self, node: Node | None, before: Node | None) -> None:
        if node is None:
            self.put_on(None)
        elif before is None or key(before) != key(node) or not self.linked(node):
            self.take_out(node)
            self.put_on(node)
        self.hang()

    def put_on(self, node: Node | None) -> None:
        loose = [] if node is None else [node]
        end: Node | None = None
        for member in self.members(newest=True):
            if node is not None and member.id == node.id:
                continue
            if self.linked(member):
                end = self.end_from(member)
                break
            loose.append(member)
        for each in sorted(loose, key=lambda member: member.n):
            end = self.insert(each, end)

    def insert(self, node: Node, end: Node | None) -> Node:
        """Put a node on the line that ends at `end`; return the new end."""
        place, follower = end, None
        passed: set[str] = set()
        while place is not None and key(place) > key(node):
            passed.add(place.id)
            place, follower = self.before(place, passed), place
        if place is None:
            self.start_at(node)
        else:
            if follower is not None:
                for edge in self.edges(place.id, follower.id):
                    self.draft.drop_edge(edge)
            self.link(place, node)
        if follower is not None:
            self.link(node, follower)
        return node if end is None or follower is None else end

    def take_out(self, node: Node) -> None:
        into, out = self.edges_into(node), self.edges_out(node)
        starts = [e for e in self.start_edges() if e.dst == node.id]
        after = [self.draft.node(edge.dst) for edge in out]
        for edge in (*into, *out, *starts):
            self.draft.drop_edge(edge)
        for follower in after:
            if follower is None:
                continue
            if starts:
                self.start_at(follower)
            for edge in into:
                leader = self.draft.node(edge.src)
                if leader is not None and self.belongs(leader):
                    self.link(leader, follower)

    def hang(self) -> None:
        """Let the start lead to the first member, if it leads to none."""
        if self.start is None:
            return
        if any(self.is_member(edge.dst) for edge in self.start_edges()):
            return
        # The start lost its edge, and with it perhaps the first members theirs.
        loose: list[Node] = []
        for member in self.members(newest=False):
            if self.linked(member):
                self.start_at(self.first_from(member))
                end = self.end_from(member)
                for each in loose:
                    end = self.insert(each, end)
                return
            loose.append(member)

    # -- walking ---------------------------------------------------------------

    def members(self, *, newest: bool) -> Iterator[Node]:
        for each in self.by_age(newest=newest):
            node = self.draft.state(each)
            if self.belongs(node):
                yield node

    def is_member(self, node_id: str) -> bool:
        node = self.draft.node(node_id)
        return node is not None and self.belongs(node)

    def linked(self, node: Node) -> bool:
        return bool(
            self.edges_into(node)
            or self.edges_out(node)
            or any(edge.dst == node.id for edge in self.start_edges())
        )

    def end_from(self, node: Node) -> Node:
        passed = {node.id}
        while True:
            ahead = (self.draft.node(edge.dst) for edge in self.edges_out(node))
            after = self._member(ahead, passed)
            if after is None:
                return node
            passed.add(after.id)
            node = after

    def first_from(self, node: Node) -> Node:
        passed = {node.id}
        while (before := self.before(node, passed)) is not None:
            passed.add(before.id)
            node = before
        return node

    def before(self, node: Node, passed: set[str]) -> Node | None:
        behind = (self.draft.node(edge.src) for edge in self.edges_into(node))
        return self._member(behind, passed)

    def _member(self, nodes: Iterable[Node | None], passed: set[str]) -> Node | None:
        # A store damaged by two writers may hold forks and circles.
        for node in nodes:
            if node is not None and node.id not in passed and self.belongs(node):
                return node
        return None

    # -- edges -----------------------------------------------------------------

    def edges_into(self, node: Node) -> list[Edge]:
        return list(filter(self.ours, self.draft.into(node.id, "next")))

    def edges_out(self, node: Node) -> list[Edge]:
        return list(filter(self.ours, self.draft.out(node.id, "next")))

    def edges(self, src: str, dst: str) -> list[Edge]:
        return list(filter(self.ours, self.draft.between(src, dst, "next")))

    def ours(self, edge: Edge) -> bool:
        return edge.props.get("method") == self.method

    def link(self, src: Node, dst: Node) -> None:
        if not self.edges(src.id, dst.id):
            self.draft.add_edge("next", src, dst, _INFERRED[self.method])

    def start_at(self, node: Node) -> None:
        if self.start is None:
            return
        kept = False
        for edge in self.start_edges():
            if edge.dst == node.id and not kept:
                kept = True
            else:
                self.draft.drop_edge(edge)
        if not kept:
            props = _INFERRED[self.method] if self.start_type == "next" else NO_PROPS
            self.draft.add_edge(self.start_type, self.start, node, props)


class _MainLine(_Line):
    method = schema.MAIN_LINE

    def belongs(self, node: Node) -> bool:
        return (
            node.label in STEPS
            and node.session_id == self.session_id
            and str(node.props.get("task_id", "")).startswith(PREFIX)
            and node.props.get("parent_subtask_id") is None
        )

    def by_age(self, *, newest: bool) -> Iterator[Node]:
        graph, session_id = self.draft.graph, self.session_id
        if newest:
            lists = [graph.newest(label, session_id) for label in STEPS]
        else:
            lists = [graph.nodes(label, session_id=session_id) for label in STEPS]
        # Lazily: a scope's thousand children are passed only if nothing else is left.
        return heapq.merge(*lists, key=lambda node: node.n, reverse=newest)

    def start_edges(self) -> list[Edge]:
        return [] if self.start is None else self.edges_out(self.start)


class _ScopeLine(_Line):
    method = schema.SCOPE_LINE
    start_type = "contains"

    def __init__(
        self, draft: Draft, session_id: str, scope: str, task: Node | None
    ) -> None:
        super().__init__(draft, session_id, task)
        self.scope = scope

    def belongs(self, node: Node) -> bool:
        return (
            node.label in STEPS
            and node.session_id == self.session_id
            and node.props.get("parent_subtask_id") == self.scope
        )

    def by_age(self, *, newest: bool) -> Iterator[Node]:
        graph = self.draft.graph
        if newest:
            return graph.newest_children(self.scope)
        return iter(graph.children(self.scope))

    def start_edges(self) -> list[Edge]:
        if self.start is None:
            return []
        found = self.draft.out(self.start.id, "contains")
        return [edge for edge in found if self._leads_to_a_step(edge)]

    def _leads_to_a_step(self, edge: Edge) -> bool:
        node = self.draft.node(edge.dst)
        return node is not None and node.label in STEPS
