# SPDX-License-Identifier: Apache-2.0
"""The steps before a step of a session's line, which are asked for again and again.

An audit traces dozens of nodes of one session and a server those of several,
and each trace walks a line up to its goal. Lines once walked are remembered: a
line that grew is walked on from its end, and one that was cut or branched is
walked anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import overload

from smemkit._adjacency import Slot
from smemkit.graph import Graph

STRIDE = 1024
"""Steps that are walked before they are looked at."""

NEAR = 32
"""Steps that are looked at one by one: most lines grew by one since the last walk."""

MOST_LINES, MOST_STEPS = 16, 100_000
"""Remembered; the line that was not asked for the longest is forgotten."""

MEMO = "reading.lines"


@dataclass(slots=True)
class _Line:
    """A line from its first step on, and each step's place in it."""

    steps: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def grow(self, steps: list[str]) -> None:
        places = range(len(self.steps), len(self.steps) + len(steps))
        self.steps += steps
        self.places.update(zip(steps, places, strict=True))


@dataclass(slots=True)
class _Lines:
    """The lines of a Graph as of one state of its `line_cuts`."""

    cuts: int
    lines: list[_Line] = field(default_factory=list)

    def with_step(self, step: str) -> _Line | None:
        return next((line for line in self.lines if step in line.places), None)

    def last_used(self, line: _Line) -> None:
        if self.lines and self.lines[-1] is line:
            return
        self.lines = [*(known for known in self.lines if known is not line), line]
        while len(self.lines) > MOST_LINES or (
            len(self.lines) > 1 and sum(len(k.steps) for k in self.lines) > MOST_STEPS
        ):
            del self.lines[0]


class Before(Sequence[str]):
    """The steps of a line before one of them, the nearest first; nothing is copied.

    It stays what it is while the line grows at its end.
    """

    __slots__ = ("_line", "_place")

    def __init__(self, line: _Line, place: int) -> None:
        self._line = line
        self._place = place

    def __len__(self) -> int:
        return self._place

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(self._place))]
        return self._line.steps[self._place - 1 - range(self._place)[index]]

    def __iter__(self) -> Iterator[str]:
        steps = self._line.steps
        return map(steps.__getitem__, range(self._place - 1, -1, -1))

    def __contains__(self, step: object) -> bool:
        return self._line.places.get(str(step), self._place) < self._place

    def among(self, wanted: AbstractSet[str]) -> list[str]:
        """Return those of some steps that are here, the nearest first."""
        if len(wanted) > self._place:
            return [step for step in self if step in wanted]
        found = filter(self.__contains__, wanted)
        return sorted(found, key=self._line.places.__getitem__, reverse=True)


_NONE = Before(_Line(), 0)


def plain_line(graph: Graph, node_id: str) -> Before | None:
    """Follow `next` back from a node; None if the line branches, circles or has gaps.

    What makes a line plain is asked of many steps at once: a question at each
    would cost as much as the step.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_id : str
        Where to start; it is not part of the answer.

    Returns
    -------
    Before or None
        A sequence of storage ids, the nearest first.

    Examples
    --------
    >>> from smemkit.records import Edge
    >>> graph = Graph()
    >>> graph.put_edge(Edge("r1", "next", "n1", "n2", {}, 1))
    >>> list(plain_line(graph, "n2"))
    []
    """
    before = graph.adjacency("next", into=True)
    if node_id not in before:
        return _NONE
    known = graph.memo.get(MEMO)
    if not isinstance(known, _Lines) or known.cuts != graph.line_cuts:
        known = graph.memo[MEMO] = _Lines(graph.line_cuts)
    # Something may have been put before what was the first step of all.
    known.lines = [line for line in known.lines if line.steps[0] not in before]
    line = known.with_step(node_id) or _walked_on(known, before, node_id)
    if line is None:
        return None
    known.last_used(line)
    order = Before(line, line.places[node_id])
    return None if order.among(graph.nameless) else order


def _walked_on(known: _Lines, before: Mapping[str, Slot], node_id: str) -> _Line | None:
    """Return a line with this step: a known one that grew, or one walked now."""
    new = [node_id]
    for _ in range(NEAR):
        slot = before.get(new[-1])
        if slot is None or isinstance(slot, list):
            break
        line = known.with_step(slot.src)
        if line is not None:
            return _grown(line, slot.src, new)
        new.append(slot.src)
    order = _walked(before, node_id)
    if order is None:
        return None
    line = _Line()
    line.grow([*reversed(order), node_id])
    return line


def _grown(line: _Line, joint: str, new: list[str]) -> _Line:
    new.reverse()
    if line.steps[-1] != joint:  # another line leaves it here
        fork = _Line()
        fork.grow(line.steps[: line.places[joint] + 1])
        line = fork
    line.grow(new)
    return line


def _walked(before: Mapping[str, Slot], node_id: str) -> list[str] | None:
    order: list[str] = []
    here = node_id
    while True:
        try:
            for _ in range(max(STRIDE, len(order))):
                here = before[here].src  # type: ignore[union-attr]
                order.append(here)
        except KeyError:  # nothing is before it
            return None if _circles(node_id, order) else order
        except AttributeError:  # several are
            return None
        if _circles(node_id, order):
            return None


def _circles(node_id: str, order: list[str]) -> bool:
    return len({node_id, *order}) <= len(order)
