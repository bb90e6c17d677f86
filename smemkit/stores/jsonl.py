# SPDX-License-Identifier: Apache-2.0
"""A memory in a folder: `nodes.jsonl` and `edges.jsonl`, shared with the app.

The Graph of the whole folder is kept in main memory; a write reaches the disk
first and the Graph after it. How batches lie on disk, and what happens to half a
batch, is `_log`'s business (design §4).
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from smemkit.errors import NotAMemory, StoreBusy, StoreClosed
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value
from smemkit.stores import Plan
from smemkit.stores._folder import check_place, check_writable, folder_of
from smemkit.stores._lines import EDGES, NODES, edge_object, gone, node_object
from smemkit.stores._loading import follow, loaded
from smemkit.stores._log import Log, Object
from smemkit.stores._planning import Planning
from smemkit.stores.memory import find_edges, find_nodes, settle

LOCK_TIMEOUT = 60.0
"""Seconds a write waits for other writers by default."""

TRIES = 20
"""How often a write is planned anew because another program wrote meanwhile."""


class JsonlStore:
    """A store in a folder; see `smemkit.stores.Store` for the verbs.

    Opening and reading change no byte and make no file; the first write makes
    what is missing, readable by its owner alone.

    Parameters
    ----------
    path : str or path-like
        The folder. ``~`` is expanded. A folder that does not exist is an empty
        memory.
    must_exist : bool, default False
        Refuse a folder that does not exist.
    lock_timeout : float, default 60
        Seconds a write waits for other writers.

    Raises
    ------
    StoreNotFound
        `must_exist`, and there is no such folder.
    NotAMemory
        Something else is at this place.
    StoreNotReadable
        The files may not be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = JsonlStore(folder)
    ...     plan = lambda graph: Batch(nodes=(Node("n1", ("Code",), {"code_id": "e"}),))
    ...     batch = store.write(plan)
    ...     JsonlStore(folder).graph().by_key("Code", "e").id
    'n1'
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        must_exist: bool = False,
        lock_timeout: float = LOCK_TIMEOUT,
    ) -> None:
        folder = folder_of(path)
        check_place(folder, must_exist=must_exist)
        self.location = str(folder)
        self.folder = folder
        self._log = Log(folder)
        self._graph = Graph()
        self._lock = threading.RLock()
        self._lock_timeout = lock_timeout
        self._planning = Planning(self.location, self._lock)
        self._closed = False
        self._take_in()
        if self._log.foreign:
            problem = self._log.problems()[0]
            raise NotAMemory(
                f"open {self.location!r}",
                found=f"no record in it; {problem.file}, line {problem.line}: {problem.reason}",
                do="name the folder of a memory",
            )

    # -- reading ---------------------------------------------------------------

    def lock(self) -> AbstractContextManager[object]:
        """Return the lock that keeps writes of other threads away."""
        return self._lock

    def graph(self, session_id: str | None = None) -> Graph:
        """Return the live Graph of the whole folder."""
        self._refuse_if_closed()
        return self._graph

    def find(
        self,
        label: str | None = None,
        *,
        session_id: str | None = None,
        where: Mapping[str, Value] | None = None,
        limit: int | None = None,
    ) -> list[Node]:
        """Return nodes in creation order whose properties equal `where`."""
        with self._lock:
            return find_nodes(
                self.graph(), label, session_id=session_id, where=where, limit=limit
            )

    def find_edges(
        self,
        edge_type: str | None = None,
        *,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Edge]:
        """Return edges in creation order; with a session both ends are in it."""
        with self._lock:
            return find_edges(
                self.graph(), edge_type, session_id=session_id, limit=limit
            )

    def revision(self) -> object:
        """Return device, inode and size of both files as they are on disk now."""
        self._refuse_if_closed()
        return self._log.revision()

    def refresh(self) -> bool:
        """Take in what other programs wrote; True if there was anything.

        Only what is new is read, unless a file was replaced. The batch of another
        thread counts once it is whole; it is not waited for.
        """
        with self._lock:
            self._refuse_if_closed()
            if self._planning.sending:
                if self._log.ours_alone():
                    return False
                self._planning.wait()
            return self._take_in()

    def problems(self) -> list[Problem]:
        """Return what could not be read, and edges whose end is missing."""
        with self._lock:
            graph = self.graph()
            dangling = {edge.id: edge for edge in graph.dangling()}
            lines = self._log.lines_of(EDGES, set(dangling)) if dangling else {}
            return [
                *self._log.problems(),
                *(_dangling(graph, e, lines.get(e.id)) for e in dangling.values()),
            ]

    @property
    def missing(self) -> bool:
        """True while the folder does not exist: the first write makes it."""
        return not self.folder.exists()

    @property
    def records(self) -> int:
        """How many records the files hold, superseded ones and tombstones included."""
        return self._log.records

    def close(self) -> None:
        """Let the memory go; no file is open between calls."""
        self._closed = True

    # -- writing ---------------------------------------------------------------

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Run the plan on the newest Graph, under the lock; keep its batch whole.

        Both files are on disk when this returns. An empty batch writes nothing.

        Raises
        ------
        StoreBusy
            Another writer held the lock for too long.
        StoreNotWritable, WriteFailed
            Nothing of the batch was kept, in memory or on disk.
        """
        with self._lock:
            self._refuse_if_closed()
            with self._planning.alone():
                if not self._log.has_lock:
                    # The plan may refuse; until it has not, nothing is made.
                    self._take_in()
                    batch = settle(self._graph, plan(self._graph))
                    if not len(batch):
                        return batch
                with contextlib.ExitStack() as held:
                    with self._planning.without_lock():
                        held.enter_context(self._log.locked(self._lock_timeout))
                    return self._write(plan)

    def compact(self) -> None:
        """Rewrite both files with what is live, in the order of creation.

        Superseded states, tombstones and edges without an end go; unreadable
        lines are kept in ``*.damaged``. A tombstone at the highest id keeps ids
        from being used again. Never done at opening (design §4).

        Raises
        ------
        StoreNotFound
            There is no such folder.
        StoreNotWritable, WriteFailed
            The old files are still in place.
        """
        from smemkit.stores._repair import rewrite_live

        with self.settled() as still:
            if any(problem.kind == "end-lost" for problem in self._log.problems()):
                # A crash between the two renames must not hide these batches.
                self._log.append(
                    [], [gone(f"r{self._graph.edge_mark + 1}")], self._state
                )
                self._take_in(writing=True)
            still()
            rewrite_live(self.folder, self._graph)
            self._take_in()

    @contextlib.contextmanager
    def settled(self) -> Iterator[Callable[[], None]]:
        """Hold every lock with nothing pending on disk, to write the files anew.

        Yields
        ------
        callable
            To be called right before: refuses if another program wrote meanwhile.
        """
        with self._lock:
            self._refuse_if_closed()
            check_place(self.folder, must_exist=True)
            for name in (NODES, EDGES):
                check_writable(self.folder / name)
            with self._planning.alone(), self._log.locked(self._lock_timeout):
                self._take_in(writing=True)
                self._log.append([], [], self._state)
                self._take_in(writing=True)
                yield self._still

    def _still(self) -> None:
        if not self._log.unmoved():
            raise StoreBusy(
                f"rewrite {self.location!r}",
                found="another program wrote at the same moment",
                do="stop it, then try again",
            )

    def _write(self, plan: Plan) -> Batch:
        for _ in range(TRIES):
            self._take_in(writing=True)
            batch = settle(self._graph, plan(self._graph))
            if not len(batch):
                return batch
            if self._log.unmoved():
                break
        else:
            raise StoreBusy(
                f"write to {self.location!r}",
                found="another program writes here all the time",
                do="stop it, then write again",
            )
        nodes = [*map(gone, batch.dropped_nodes), *map(node_object, batch.nodes)]
        edges = [*map(gone, batch.dropped_edges), *map(edge_object, batch.edges)]
        with self._planning.on_its_way():
            added = self._log.append(nodes, edges, self._state)
        if added is None:
            self._take_in()
        else:
            self._graph.apply(batch)
            self._log.passed(added)
        return batch

    def _state(self, file: str, record_id: str) -> Object:
        if file == NODES:
            node = self._graph.node(record_id)
            return node_object(node) if node else gone(record_id)
        edge = self._graph.kept_edge(record_id)
        return edge_object(edge) if edge else gone(record_id)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreClosed(self.location, found="it was closed", do="open it again")

    # -- from the files into memory ----------------------------------------------

    def _take_in(self, *, writing: bool = False) -> bool:
        changed = self._take_news(writing=writing)
        while writing and self._log.wait_for_app():
            changed |= self._take_news(writing=True)
        return changed

    def _take_news(self, *, writing: bool) -> bool:
        news = self._log.look(writing=writing)
        if news is None:
            return False
        before = self._graph.changes
        if news.fresh:
            graph = loaded(news)
            graph.node_mark = max(graph.node_mark, self._graph.node_mark)
            graph.edge_mark = max(graph.edge_mark, self._graph.edge_mark)
            # Whoever caches by `changes` must not take the new Graph for the old.
            graph.changes += before
            self._graph = graph
        else:
            follow(self._graph, news)
        self._log.taken(news)
        return self._graph.changes != before


def _dangling(graph: Graph, edge: Edge, line: int | None) -> Problem:
    ends = [graph.node(edge.src), graph.node(edge.dst)]
    session = next((n.session_id for n in ends if n and n.session_id), None)
    missing = [i for i in (edge.src, edge.dst) if graph.node(i) is None]
    return Problem(
        EDGES,
        line,
        f"edge {edge.id} ({edge.type[:40]}) needs {' and '.join(m[:40] for m in missing)}, "
        "which is not there",
        "dangling-edge",
        session,
    )
