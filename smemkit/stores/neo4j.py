# SPDX-License-Identifier: Apache-2.0
"""A memory on a Neo4j server: ``smemkit.open("neo4j://host:7687", auth=(…))``.

The Graph of the whole database is kept in main memory and compared, by one empty
read, with the server before each answer: its bookmark moves with every commit,
whoever made it. What other smemkit programs wrote is read from a short log they
leave; after any other commit everything is read anew.

Writers take turns through one lock node, as the keys of a memory (of artifacts,
runs, projects) are not a session's own (design §4).
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from smemkit.cypher.questions import Question
from smemkit.errors import StoreUnreachable
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value
from smemkit.stores import Plan, _asking, _cypher, _elements
from smemkit.stores._bolt import Auth, Line, counted
from smemkit.stores._elements import Places
from smemkit.stores._planning import Planning
from smemkit.stores._sending import send
from smemkit.stores.memory import settle

LOCK_TIMEOUT = 60.0
"""Seconds that one write may take, waiting for other writers included."""

KEPT_WRITES = 1_000
"""How many writes the log tells other programs of."""

TRIES = 3
"""How often the server is read again because it changed meanwhile."""

_MARKS = ("node_mark", "edge_mark", "node_age", "edge_age")


class Neo4jStore:
    """A store on a server; see `smemkit.stores.Store` for the verbs.

    Parameters
    ----------
    url : str
        Such as ``neo4j://localhost:7687`` or ``bolt://localhost:7687``.
    auth : tuple of str, optional
        User and password.
    database : str, default "neo4j"
        The database's name on the server.
    lock_timeout : float, default 60
        Seconds that one write may take, waiting for other writers included.

    Raises
    ------
    StoreUnreachable
        Nothing answers there.
    WrongToken
        The server refused user or password.

    Examples
    --------
    >>> Neo4jStore("neo4j://me:secret@localhost")
    Traceback (most recent call last):
        ...
    smemkit.errors.BadRequest: a url on host 'localhost': a password in it; \
give auth=(user, password) instead; ...
    """

    def __init__(
        self,
        url: str,
        auth: Auth = None,
        *,
        database: str = "neo4j",
        lock_timeout: float = LOCK_TIMEOUT,
    ) -> None:
        self._line = Line(url, auth, database)
        self.location = self._line.url
        self._lock = threading.RLock()
        self._lock_timeout = lock_timeout
        self._graph = Graph()
        self._places = Places()
        self._at: str | None = None
        self._writes: int | None = None
        self._ready = False
        self._planning = Planning(self.location, self._lock)
        with contextlib.ExitStack() as undo:
            undo.callback(self._line.close)
            self._line.look()
            undo.pop_all()

    # -- reading ---------------------------------------------------------------

    def lock(self) -> AbstractContextManager[object]:
        """Return the lock that keeps writes of other threads away."""
        return self._lock

    def graph(self, session_id: str | None = None) -> Graph:
        """Return the Graph of the whole database, as it is on the server now."""
        with self._lock:
            self._sync()
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
        where = where or {}
        values = {f"w{i}": value for i, value in enumerate(where.values())}
        values |= {"session_id": session_id, "limit": limit}  # type: ignore[dict-item]
        for limited in (True, False) if limit is not None else (False,):
            query = _cypher.find_nodes(
                label, where, in_session=session_id is not None, limited=limited
            )
            rows, _ = self._line.read(query, values)
            every = _elements.found_nodes(rows)
            found = [node for node in every if _is(node, label, where)]
            if not limited or _settled(every, found, limit):
                break
        with self._lock:
            known = [self._graph.node(node.id) for node in found]
            return _with_ages(found, known)[:limit]

    def find_edges(
        self,
        edge_type: str | None = None,
        *,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Edge]:
        """Return edges in creation order; with a session both ends are in it."""
        values = {"session_id": session_id, "limit": limit}
        for limited in (True, False) if limit is not None else (False,):
            query = _cypher.find_edges(
                edge_type, in_session=session_id is not None, limited=limited
            )
            rows, _ = self._line.read(query, values)
            found = _elements.found_edges(rows)
            if not limited or _settled(found, found, limit):
                break
        with self._lock:
            known = [self._graph.edge(edge.id) for edge in found]
            return _with_ages(found, known)[:limit]

    def cypher(self, asked: Question) -> tuple[list[str], list[list[Any]]]:
        """Return the columns and rows the server answers; it only reads."""
        columns, rows = self._line.ask(_asking.hidden(asked), asked.params)
        return columns, [[_asking.public(value) for value in row] for row in rows]

    def revision(self) -> object:
        """Return the bookmark of an empty read: it moves with every commit."""
        return self._line.look()

    def refresh(self) -> bool:
        """Take in what others wrote; True if there was anything."""
        with self._lock:
            return self._sync()

    def problems(self) -> list[Problem]:
        """Return an empty list: a server holds no record that cannot be read."""
        self._line.look()
        return []

    def close(self) -> None:
        """Close the connections."""
        self._line.close()

    # -- writing ---------------------------------------------------------------

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Run the plan on the newest Graph, under the server's lock; keep its batch whole.

        Raises
        ------
        InvalidRecord
            A value the server cannot hold; nothing was sent.
        StoreBusy
            Other writers held the lock for too long.
        StoreUnreachable, WriteFailed
            Nothing was kept, unless the error says that this is not known.
        """
        with self._lock, self._planning.alone():
            self._prepare()
            end = time.monotonic() + self._lock_timeout
            pause, lost = 0.01, False
            while True:
                token = uuid.uuid4().hex
                kept: list[tuple[int, Batch]] = []
                try:
                    return self._write(plan, token, kept)
                except self._line.unsure as error:
                    if kept and self._was_kept(kept[0][0], token, error):
                        self._sync()
                        return kept[0][1]
                    if time.monotonic() > end:
                        raise self._line.translate(error, writing=True) from error
                except self._line.failures as error:
                    broke = isinstance(error, self._line.lost)
                    passing = not lost if broke else self._line.may_pass(error)
                    if not passing or time.monotonic() > end:
                        raise self._line.translate(error, writing=True) from error
                    lost = lost or broke
                with self._planning.without_lock():
                    time.sleep(pause)
                pause = min(2 * pause, 1.0)

    def _write(self, plan: Plan, token: str, kept: list[tuple[int, Batch]]) -> Batch:
        with self._line.transaction(self._lock_timeout) as tx:
            with self._planning.without_lock():  # another program's write may be long
                ((lock,),) = tx.run(_cypher.TAKE)
            self._sync()
            graph = self._graph
            for name in _MARKS:
                setattr(graph, name, max(getattr(graph, name), lock.get(name, 0)))
            batch = settle(graph, plan(graph))
            _elements.check(batch)
            if not len(batch):
                return batch
            marks = _elements.marks(graph, batch)
            with self._planning.without_lock():
                sent = send(tx, graph, self._places, batch)
                tx.run(
                    _cypher.NOTE,
                    marks=marks,
                    write=lock["writes"],
                    token=token,
                    kept=KEPT_WRITES,
                    **sent.log,
                )
                kept.append((lock["writes"], batch))
                at = tx.commit()
        # A read may have taken in meanwhile what others committed, or this write.
        if _follows(self._at, at):
            self._graph.apply(batch)
            sent.into(self._places)
            self._at, self._writes = at, lock["writes"]
        else:  # the server's own bookkeeping, or a stranger, committed meanwhile
            self._sync()
        return batch

    def _was_kept(self, write: int, token: str, error: Exception) -> bool:
        try:
            rows, _ = self._line.read(
                _cypher.KEPT, {"token": token, "write": write - 1}
            )
        except StoreUnreachable:
            raise StoreUnreachable(
                f"write to {self.location}",
                found="the connection broke during the commit: whether it was kept is not known",
                do="look when the server answers again",
            ) from error
        return bool(rows[0][0])

    def _prepare(self) -> None:
        if self._ready:
            return
        wanted = _cypher.bootstrap()
        rows, _ = self._line.read(_cypher.SCHEMA)
        there = {row[0] for row in rows}
        for name, statement in wanted.items():
            if name not in there:
                self._line.declare(statement)
        self._ready = True

    # -- from the server into memory ---------------------------------------------

    def _sync(self) -> bool:
        mark = self._line.look()
        if mark == self._at:
            return False
        for _ in range(TRIES):
            done = self._follow(mark) or self._load(mark)
            after = self._line.look()
            if after == mark:
                return True
            mark = after
        # It changes all the time: this state may be newer than its bookmark, so
        # that the next look reads anew and counts on no log.
        self._writes = None
        return bool(done)

    def _load(self, mark: str) -> bool:
        node_rows, _ = self._line.read(_cypher.NODES)
        edge_rows, _ = self._line.read(_cypher.EDGES)
        graph, self._places, lock = _elements.whole(node_rows, edge_rows)
        graph.changes += self._graph.changes
        for name in _MARKS:
            setattr(graph, name, max(getattr(graph, name), lock.get(name, 0)))
        self._graph, self._at, self._writes = graph, mark, lock.get("writes", 0)
        return True

    def _follow(self, mark: str) -> bool:
        """Take in what the log of other programs names; False if it names not all."""
        before, now = counted(self._at or ""), counted(mark)
        if before is None or now is None or self._writes is None:
            return False
        gap = now[1] - before[1]
        if before[0] != now[0] or not 0 < gap <= KEPT_WRITES:
            return False
        rows, _ = self._line.read(_cypher.NEWS, {"write": self._writes})
        lock, logs = rows[0] if rows else ({}, [])
        if lock.get("writes", 0) - self._writes != gap or len(logs) != gap:
            return False
        if any(log["whole"] for log in logs):
            return False
        ids = [x for log in logs for x in log["nodes"]]
        nodes = self._line.read(_cypher.THESE_NODES, {"ids": ids})[0] if ids else []
        ids = [x for log in logs for x in log["edges"]]
        edges = self._line.read(_cypher.THESE_EDGES, {"ids": ids})[0] if ids else []
        if not _elements.follow(self._graph, self._places, logs, nodes, edges):
            return False
        self._at, self._writes = mark, lock["writes"]
        return True


def _follows(before: str | None, after: str) -> bool:
    """Tell whether no other commit lies between two bookmarks."""
    first, second = counted(before or ""), counted(after)
    if first is None or second is None:
        return False
    return first[0] == second[0] and second[1] == first[1] + 1


def _is(node: Node, label: str | None, where: Mapping[str, Value]) -> bool:
    return (label is None or node.label == label) and all(
        node.props.get(key) == value for key, value in where.items()
    )


def _settled(every: Sequence[Any], found: Sequence[Any], limit: int | None) -> bool:
    """Tell whether a question with a limit gave what one without would begin with."""
    if limit is None or len(every) < limit:
        return True
    # Records without an age come in an order that only their times tell.
    return len(found) == len(every) and all(record.n for record in every)


def _with_ages(found: Sequence[Any], known: Sequence[Any]) -> list[Any]:
    return [
        replace(record, n=there.n) if there and not record.n else record
        for record, there in zip(found, known, strict=True)
    ]
