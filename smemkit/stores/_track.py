# SPDX-License-Identifier: Apache-2.0
"""How far one of the two files was read, and what its end holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from smemkit.records import Problem
from smemkit.stores import _files
from smemkit.stores._files import Sight
from smemkit.stores._lines import EdgeRow, NodeRow
from smemkit.stores._reading import PROBE, TORN, Held, Reading

RowT = TypeVar("RowT", NodeRow, EdgeRow)


class Found(NamedTuple):
    """The new bytes of a file."""

    data: bytes
    seen: Sight | None
    replaced: bool
    """What was read before is no longer what the file begins with."""


class Track(Generic[RowT]):
    """One file: its place, how far it was read, what lies at its end.

    Attributes
    ----------
    seen : Sight or None
        What the file looked like when it was last read.
    stop, line : int
        Everything before this byte, and this many lines, was taken in.
    tail, held, again, unseen
        As `Reading` says.
    waited : Sight or None
        The state of the file in which the app was waited for in vain.
    """

    def __init__(self, path: Path, shapes: Callable[..., Callable[[Any], RowT]]):
        self.path = path
        self.seen: Sight | None = None
        self.stop = self.line = self.count = self.foreign = 0
        self.tail = ""
        self.again = False
        self.held: list[Held] = []
        self.unseen: dict[str, None] = {}
        self.problems: list[Problem] = []
        self.loose: list[Problem] = []
        self.waited: Sight | None = None
        self._probe = b""
        self._shapes: Callable[..., Callable[[Any], RowT]] = shapes

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def now(self) -> Sight | None:
        """Return what the file looks like at this moment."""
        return _files.sight(self.path)

    def read(self, *, fresh: bool) -> Found:
        """Read the new bytes, or all of them."""
        if fresh or self.seen is None:
            data, seen = _files.read_from(self.path, 0)
            return Found(data, seen, False)
        probe = self._probe
        data, seen = _files.read_from(self.path, self.stop - len(probe))
        new = data[len(probe) :]
        # Something glued to a record that had no newline yet spoils its line.
        glued = probe[-1:] not in (b"", b"\n") and new.lstrip(b" \r")[:1] > b"\n"
        same = (
            seen is not None
            and seen[:2] == self.seen[:2]
            and seen.size >= self.stop
            and data.startswith(probe)
        )
        return Found(new, seen, glued or not same)

    def reading(self, found: Found, *, fresh: bool, limit: int) -> Reading[RowT]:
        """Return the pass over what was read."""
        return Reading(
            self.name,
            found.data,
            self._shapes,
            start=0 if fresh else self.stop,
            line=0 if fresh else self.line,
            limit=limit,
            unseen={} if fresh else self.unseen,
        )

    def taken(self, reading: Reading[RowT], seen: Sight | None, *, fresh: bool) -> None:
        """Note that a pass is over and its rows were taken in."""
        before = b"" if fresh else self._probe
        self._probe = (before + reading.last)[-PROBE:]
        self.seen = seen
        self.stop, self.line = reading.stop, reading.line
        self.tail, self.held, self.again = reading.tail, reading.held, reading.again
        self.unseen = reading.unseen
        self.problems = ([] if fresh else self.problems) + reading.problems
        self.loose = reading.loose
        self.count = reading.count + (0 if fresh else self.count)
        self.foreign = reading.foreign + (0 if fresh else self.foreign)

    def passed(self, data: bytes, seen: Sight | None) -> None:
        """Note that bytes of ours were added behind all that was read."""
        self.seen = seen
        self.stop += len(data)
        count = data.count(b"\n")
        self.line += count
        self.count += count
        self._probe = (self._probe + data)[-PROBE:]

    @property
    def plain(self) -> bool:
        """Tell whether all was taken in and the next line may simply follow."""
        closed = self._probe[-1:] in (b"", b"\n")
        return not self.held and self.stop == self.size and closed

    @property
    def size(self) -> int:
        """The file's length when it was last read."""
        return self.seen.size if self.seen else 0

    def cut_at(self) -> int | None:
        """Return where the lines of ours begin that end the file and do not count."""
        start = None
        for held in reversed(self.held):
            if not held.batch:
                break
            start = held.start
        return start

    def to_undo(self) -> tuple[int, list[str]]:
        """Return the hidden batch that something counted lies behind, and its ids.

        An id that has a later line of its own keeps that one and is left out.
        """
        cut = self.cut_at()
        kept = [held for held in self.held if cut is None or held.start < cut]
        last = {held.record_id: held.batch for held in kept if held.record_id}
        batch = max((held.batch for held in kept), default=0)
        return max(batch, 0), [i for i, b in last.items() if b not in (0, TORN)]
