# SPDX-License-Identifier: Apache-2.0
"""The two files of a memory as one log of batches: what is new, and adding to it.

The rules are those of design §4. A batch is its node lines, then its edge lines;
the last of them ends it and is its commit point. This module knows offsets,
lines and batches, and nothing of a graph: it hands out rows and takes objects.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from smemkit.errors import StoreError
from smemkit.records import Problem
from smemkit.stores import _adding, _batches, _files
from smemkit.stores._adding import Added, Step
from smemkit.stores._files import Sight
from smemkit.stores._lines import (
    EDGES,
    NODES,
    EdgeRow,
    NodeRow,
    edge_rows,
    lines,
    node_rows,
)
from smemkit.stores._reading import Reading
from smemkit.stores._track import Track

Object = dict[str, object]
Restore = Callable[[str, str], Object]
"""Gives the present state, or the tombstone, of a record: (file, id) -> object."""

TRIES = 8
"""How often a reader looks again while end lines may be on their way."""

APP_PAUSE = 2.0
"""Seconds an unfinished line of the app must rest before it is ended."""

_ID = re.compile(rb'"id"\s*:\s*"([^"\\]+)"')


class News(NamedTuple):
    """What there is to take in: every row of the nodes, then of the edges."""

    nodes: Reading[NodeRow]
    edges: Reading[EdgeRow]
    fresh: bool
    """Everything was read from the first byte on; what was known is void."""
    watch: bool
    """Some batch in the new bytes is hidden."""
    limit: int
    lost: tuple[Problem, ...]
    seen: tuple[Sight | None, Sight | None]

    def node_rows(self) -> Iterator[NodeRow]:
        """Yield node states and tombstones in order."""
        return self.nodes.rows(watch=self.watch)

    def edge_rows(self) -> Iterator[EdgeRow]:
        """Yield edge states and tombstones in order."""
        return self.edges.rows(watch=self.watch)


class Log:
    """The files `nodes.jsonl` and `edges.jsonl` of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._nodes: Track[NodeRow] = Track(folder / NODES, node_rows)
        self._edges: Track[EdgeRow] = Track(folder / EDGES, edge_rows)
        self._tracks = (self._nodes, self._edges)
        self._floor = 0
        self._fresh = True
        self._lost: list[Problem] = []
        self._undone: list[Problem] = []
        self._coming: Mapping[str, int] = {}

    # -- reading ---------------------------------------------------------------

    @property
    def records(self) -> int:
        """How many records were read, superseded ones and tombstones included."""
        return self._nodes.count + self._edges.count

    @property
    def foreign(self) -> bool:
        """Tell whether there are lines, and none that a memory could hold."""
        lines_like_ours = sum(len(t.problems) + len(t.loose) for t in self._tracks)
        others = self._nodes.foreign + self._edges.foreign
        return self.records == 0 and 0 < lines_like_ours == others

    def revision(self) -> tuple[tuple[int, int, int] | None, ...]:
        """Return device, inode and size of both files as they are now."""
        sights = [track.now() for track in self._tracks]
        return tuple(seen and (seen.device, seen.inode, seen.size) for seen in sights)

    def unmoved(self) -> bool:
        """Tell whether nobody changed the files since they were last read."""
        return not self._fresh and all(t.seen == t.now() for t in self._tracks)

    def ours_alone(self) -> bool:
        """Tell whether a batch on its way is all there may be to take in.

        Each file is then as it was last read, or longer by that batch exactly.
        """
        for track in self._tracks:
            now, seen = track.now(), track.seen
            if now == seen:
                continue
            if now is None or seen is None or now[:2] != seen[:2]:
                return False
            if now.size != seen.size + self._coming.get(track.name, 0):
                return False
        return True

    def look(self, *, writing: bool = False) -> News | None:
        """Read what is new; None if nothing is.

        Parameters
        ----------
        writing : bool
            The caller holds the lock, so no batch of ours can be on its way.
        """
        if self.unmoved():
            return None
        self._fresh |= self._nodes.again or self._edges.again
        limit = 1
        missing: tuple[int, ...] = ()
        for tries in range(1, TRIES + 1):
            # Edges first: whatever they show has its nodes on disk already.
            edges = self._edges.read(fresh=self._fresh)
            nodes = self._nodes.read(fresh=self._fresh)
            if edges.replaced or nodes.replaced:
                self._fresh = True
                edges, nodes = (
                    self._edges.read(fresh=True),
                    self._nodes.read(fresh=True),
                )
            scans = _batches.scan(edges.data), _batches.scan(nodes.data)
            verdict = _batches.judge(0 if self._fresh else self._floor, *scans)
            limit, missing = verdict.limit, verdict.doubtful
            if not missing:
                break
            now = self._edges.now(), self._nodes.now()
            if now == (edges.seen, nodes.seen) or (writing and tries == TRIES):
                limit = _batches.when_lost(verdict)
                break
            limit, missing = _batches.while_unsettled(verdict), ()
        return News(
            self._nodes.reading(nodes, fresh=self._fresh, limit=limit),
            self._edges.reading(edges, fresh=self._fresh, limit=limit),
            self._fresh,
            any(max(scan.present, default=0) >= limit for scan in scans),
            limit,
            tuple(
                _end_lost(b, EDGES if b in scans[0].present else NODES) for b in missing
            ),
            (nodes.seen, edges.seen),
        )

    def taken(self, news: News) -> None:
        """Note that every row of the news was taken in."""
        self._nodes.taken(news.nodes, news.seen[0], fresh=news.fresh)
        self._edges.taken(news.edges, news.seen[1], fresh=news.fresh)
        self._lost = ([] if news.fresh else self._lost) + list(news.lost)
        self._floor = news.limit - 1
        self._fresh = False
        self._coming = {}

    def problems(self) -> list[Problem]:
        """Return what could not be read, in the order of the lines of each file."""
        found = [p for t in self._tracks for p in (*t.problems, *t.loose)]
        return [*found, *self._lost, *self._undone]

    def lines_of(self, name: str, wanted: set[str]) -> Mapping[str, int]:
        """Return the line on which each of these records was last written."""
        track = self._nodes if name == NODES else self._edges
        data, _ = _files.read_from(track.path, 0)
        found = {}
        for count, line in enumerate(data.split(b"\n"), 1):
            for match in _ID.finditer(line):
                record_id = match[1].decode("utf-8", "replace")
                if record_id in wanted:
                    found[record_id] = count
        return found

    # -- writing ---------------------------------------------------------------

    @property
    def has_lock(self) -> bool:
        """Tell whether the folder and its lock file are there already."""
        return (self.folder / _files.LOCK).exists()

    @contextlib.contextmanager
    def locked(self, timeout: float) -> Iterator[None]:
        """Make the folder if it is missing and hold its lock."""
        if not self.folder.is_dir():
            try:
                _files.make_folder(self.folder)
            except OSError as error:
                raise _files.unwritable(error, self.folder) from error
        with _files.locked(self.folder, timeout):
            yield

    def wait_for_app(self) -> bool:
        """Wait for an unfinished line of the app; True if it grew meanwhile.

        After `APP_PAUSE` seconds without a change nobody is writing it any more.
        """
        for track in self._tracks:
            if track.tail != "app" or track.waited == track.seen:
                continue
            until = time.monotonic() + APP_PAUSE
            while time.monotonic() < until:
                if not self.unmoved():
                    return True
                time.sleep(0.02)
            track.waited = track.seen
        return False

    def append(
        self, nodes: list[Object], edges: list[Object], restore: Restore
    ) -> Added | None:
        """Add one batch, durable when this returns.

        What an earlier writer left unfinished is cut or undone first, and records
        that only we can read are written again on lines of their own.

        Returns
        -------
        Added or None
            To be handed to `passed` once memory holds the batch; None if there is
            more to take in than the batch, so that `look` is to find it all.

        Raises
        ------
        WriteFailed, StoreNotWritable
            The batch was taken back.
        """
        plain = all(track.plain for track in self._tracks)
        again = {t.name: _again(t, restore) for t in self._tracks}
        nodes = again[NODES] + nodes
        edges = again[EDGES] + edges
        undo = self._undoing(restore)
        number = max(self._floor, undo.batch) + 1
        steps = [undo.step, _step(nodes, edges, number)]
        cuts = {
            t.name: (t.size, c) for t in self._tracks if (c := t.cut_at()) is not None
        }
        self._coming = {name: len(data) for name, data in steps[-1].items()}
        try:
            added = _adding.add(
                self.folder,
                cuts,
                steps,
                sizes={track.name: track.size for track in self._tracks},
                pause=APP_PAUSE,
            )
        except StoreError:
            raise
        except OSError as error:
            raise _files.unwritable(error, self.folder) from error
        if undo.batch:
            self._fresh = True
            self._undone.append(undo.problem)
        alone = all(_alone(track, added) for track in self._tracks)
        if not plain or undo.batch or any(again.values()) or not alone:
            return None
        return added

    def passed(self, added: Added) -> None:
        """Note that memory holds a batch, which therefore need not be read."""
        for track in self._tracks:
            data = added.steps[-1][track.name]
            if data:
                track.passed(data, added.seen[track.name])
        self._floor += 1
        self._coming = {}

    def _undoing(self, restore: Restore) -> _Undo:
        nodes, edges = (track.to_undo() for track in self._tracks)
        batch = max(nodes[0], edges[0])
        if not batch:
            return _NOTHING
        back_nodes = [restore(NODES, record_id) for record_id in nodes[1]]
        back_edges = [restore(EDGES, record_id) for record_id in edges[1]]
        count = len(back_nodes) + len(back_edges)
        if not count:
            # The app has rewritten all of it: any line will do to end the batch.
            back_nodes = [{}] if nodes[0] else []
            back_edges = [] if nodes[0] else [{}]
        problem = Problem(
            NODES if nodes[0] else EDGES,
            None,
            f"batch {batch} was cut short and the app wrote behind it; "
            f"{count} of its records were set back",
            "undone-batch",
        )
        return _Undo(batch, _step(back_nodes, back_edges, batch), problem)


class _Undo(NamedTuple):
    """The lines that close an unfinished batch without effect."""

    batch: int
    step: Step
    problem: Problem


_NOTHING = _Undo(0, {NODES: b"", EDGES: b""}, Problem("", None, "", ""))


def _step(nodes: list[Object], edges: list[Object], batch: int) -> Step:
    return {
        NODES: lines(nodes, batch, ends=not edges),
        EDGES: lines(edges, batch, ends=True),
    }


def _again(track: Track[Any], restore: Restore) -> list[Object]:
    return [restore(track.name, record_id) for record_id in track.unseen]


def _alone(track: Track[Any], added: Added) -> bool:
    """Tell whether the file is what was read of it, and the batch."""
    seen = added.seen.get(track.name)
    if seen is None:
        return True
    same = track.seen is None or track.seen[:2] == seen[:2]
    return same and seen.size == track.size + len(added.steps[-1][track.name])


def _end_lost(batch: int, name: str) -> Problem:
    reason = (
        f"batch {batch} has lost the line that ends it; what is left of it is shown"
    )
    return Problem(name, None, reason, "end-lost")
