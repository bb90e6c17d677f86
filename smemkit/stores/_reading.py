# SPDX-License-Identifier: Apache-2.0
"""One pass over the new bytes of one file: rows out, and where to go on next time.

Whatever the fast way refuses is looked at slowly, piece by piece. From the first
piece on that must not be shown yet, everything is remembered by its place, so
that the next writer knows what to cut and what to undo.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from smemkit.records import Problem, number
from smemkit.stores._lines import (
    NODES,
    EdgeRow,
    Malformed,
    NodeRow,
    Piece,
    Recovered,
    batch_of,
    fast_loads,
    is_mark,
    recover,
    why,
)

RowT = TypeVar("RowT", NodeRow, EdgeRow)

REFUSED = (ValueError, TypeError, KeyError)
"""What the fast way raises at anything unusual."""

PROBE = 64
"""Bytes before `stop` that must still be there when reading goes on."""

_IDS = re.compile(rb'"(id|src|dst)":"([a-z][0-9]{1,18})"')

TORN = -1
"""Stands for the batch of a torn line of ours, which may be cut like a hidden one."""


class Held(NamedTuple):
    """A piece from the first hidden one on.

    Attributes
    ----------
    start : int
        Where it begins in the file.
    batch : int
        Its batch if it is hidden, `TORN`, or 0 for anything that counts.
    record_id : str
        What it is about; empty if that cannot be told.
    """

    start: int
    batch: int
    record_id: str


class Reading(Generic[RowT]):
    """The new bytes of one file.

    Attributes
    ----------
    stop, line : int
        Where the next pass begins, and how many lines end before it.
    held : list of Held
        From the first piece on that was not shown.
    tail : str
        What stands behind the last newline: nothing, a ``whole`` record that
        counts, a torn line of ``ours``, or an unfinished one of the ``app``.
    again : bool
        Something behind `stop` was shown: the next pass must read it all anew.
    problems, loose : list of Problem
        Those before `stop`, and those behind it, which the next pass finds again.
    unseen : dict
        Ids whose last record only we can read; the app skips its line.
    marks : tuple of int
        The highest node and edge numbers in what was not taken in.
    count : int
        Records taken in.
    last : bytes
        The bytes before `stop`, by which the next pass knows the file again.
    foreign : int
        Lines that neither the app nor smemkit can have written, even torn.
    """

    def __init__(
        self,
        name: str,
        data: bytes,
        shapes: Callable[..., Callable[[Any], RowT]],
        *,
        start: int,
        line: int,
        limit: int,
        unseen: dict[str, None],
    ) -> None:
        self.name = name
        self.data = data
        self.stop, self.line = start, line
        self.unseen = unseen
        self.held: list[Held] = []
        self.tail = ""
        self.again = False
        self.problems: list[Problem] = []
        self.loose: list[Problem] = []
        self.marks = (0, 0)
        self.count = 0
        self.foreign = 0
        self.last = b""
        self._fast: Callable[[Any], RowT] = shapes()
        self._exact: Callable[[Any], RowT] = shapes(exact=True)
        self._limit = limit

    def rows(self, *, watch: bool) -> Iterator[RowT]:
        """Yield the rows that count, in order.

        Parameters
        ----------
        watch : bool
            Some batch in these bytes is hidden.
        """
        loads, shape, limit = fast_loads(), self._fast, self._limit
        held, unseen = self.held, self.unseen
        start, done = base, _ = self.stop, self.line
        line, slow, first = b"\n", 0, done
        for line in io.BytesIO(self.data):
            if not held and not (watch and batch_of(line) >= limit):
                try:
                    row = shape(loads(line))
                except REFUSED:
                    pass
                else:
                    if unseen:
                        unseen.pop(row[0], None)
                    yield row
                    start += len(line)
                    done += 1
                    continue
            slow += 1
            yield from self._slowly(line, start, done)
            start += len(line)
            done += 1
        self.count += done - first - slow
        if not line.endswith(b"\n"):
            done -= 1
            self.tail = self.tail or "whole"
        if not held and self.tail != "app":
            self.stop, self.line = start, done
        keep = self.stop - base
        self.last = self.data[max(0, keep - PROBE) : keep]
        self.data = b""  # the larger half of a store need not wait for the other

    def _slowly(self, line: bytes, start: int, done: int) -> Iterator[RowT]:
        found = recover(line)
        open_end = not line.endswith(b"\n")
        torn = open_end and found.torn < len(line)
        settled = not self.held
        self.foreign += _is_foreign(line, found, torn=torn)
        for piece in found.pieces:
            row = self._take(piece, start, done, alone=found.damage is None)
            if row is not None:
                self.again |= bool(self.held) or torn
                self._see(row[0], clean=found.damage is None)
                yield row
        if torn:
            self._end_open(line, start, done, found)
        elif self.held and not found.pieces:
            self.held.append(Held(start, 0, ""))
        if settled and self.held and not torn and self.held[0].start != start:
            self.again = True
        if settled and (self.held or torn):
            self._stop_at(start, done)
        if found.damage is not None:
            self._damaged(line, done, found.damage, ours=torn and self.tail == "ours")

    def _damaged(
        self, line: bytes, done: int, damage: Malformed, *, ours: bool
    ) -> None:
        for name, value in _IDS.findall(line):
            self._mark({name.decode(): value.decode()})
        if not ours:
            self._note(damage, done, None)

    def _take(self, piece: Piece, start: int, done: int, *, alone: bool) -> RowT | None:
        hidden = piece.batch >= self._limit
        row, problem = None, None
        try:
            row = self._exact(piece.record)
        except REFUSED as error:
            problem = why(error, piece.record)
        if hidden or self.held:
            record_id = _text(piece.record, "id")
            batch = piece.batch if hidden else 0
            self.held.append(Held(start + piece.start, batch, record_id))
        if hidden:
            self._mark(piece.record)
            reason = f"batch {piece.batch} has not ended: its writer is at work or died"
            self._note(Malformed("unfinished-batch", reason), done, piece.record)
            return None
        if problem is not None and not is_mark(piece.record):
            self._mark(piece.record)
            if alone:
                self._note(problem, done, piece.record)
        self.count += row is not None
        return row

    def _see(self, record_id: str, *, clean: bool) -> None:
        if clean:
            self.unseen.pop(record_id, None)
        else:
            self.unseen[record_id] = None

    def _end_open(self, line: bytes, start: int, done: int, found: Recovered) -> None:
        rest = line[found.torn :]
        self.tail = "ours" if rest.startswith(b'{"b') else "app"
        if self.tail == "ours":
            self.held.append(Held(start + found.torn, TORN, ""))
            reason = "a batch was cut off in the middle of a line"
            self._note(Malformed("torn-line", reason), done, None)
        elif self.held:
            self.held.append(Held(start + found.torn, 0, ""))

    def _stop_at(self, start: int, done: int) -> None:
        self.stop, self.line = start, done

    def _note(self, problem: Malformed, done: int, record: object) -> None:
        props = record.get("props") if isinstance(record, dict) else None
        session = _text(props, "session_id") or None
        entry = Problem(self.name, done + 1, problem.reason, problem.kind, session)
        unsure = self.held or self.tail
        (self.loose if unsure else self.problems).append(entry)

    def _mark(self, record: object) -> None:
        nodes, edges = self.marks
        own = number(_text(record, "id"))
        ends = max(number(_text(record, "src")), number(_text(record, "dst")))
        if self.name == NODES:
            self.marks = max(nodes, own), edges
        else:
            self.marks = max(nodes, ends), max(edges, own)


def _is_foreign(line: bytes, found: Recovered, *, torn: bool) -> bool:
    body = line.lstrip(b"\xef\xbb\xbf\x00 \t\r\n")
    if not body or body.startswith((b'{"id":"', b'{"b":')):
        return False
    if torn and body.startswith(b"{"):
        return False
    records = [piece.record for piece in found.pieces]
    return not any(isinstance(r, dict) and "props" in r for r in records)


def _text(record: object, name: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""
