# SPDX-License-Identifier: Apache-2.0
"""A memory that a running server holds: ``smemkit.open("http://127.0.0.1:17674")``.

Read-only. The records are gathered over the routes that every generation of the
app has, per label and per edge type (contract/http.md §5), into one Graph; from
there on every answer is computed as for any other store. A server of smemkit
gives long answers in pages. The app's own cuts them at 500 rows: then each
session is asked for alone, and what is still cut is listed in `problems`.

The wire has no finish times and no storage ids, so ages follow `created_at`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from smemkit.errors import SmemError, StoreNotWritable
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value
from smemkit.stores import Plan
from smemkit.stores._gather import Gathering
from smemkit.stores._wire import Wire
from smemkit.stores.memory import find_edges, find_nodes

TIMEOUT = 30.0
"""Seconds that one answer may take."""


class HttpStore:
    """The reading side of a server; see `smemkit.stores.Store` for the verbs.

    Parameters
    ----------
    url : str
        Such as ``http://127.0.0.1:17674``.
    token : str, optional
        What the server asks for as its bearer token.
    timeout : float
        Seconds that one answer may take.

    Raises
    ------
    StoreUnreachable
        Nothing answers there, or its own store is down.
    WrongToken
        The server refused the token.
    NotAMemory
        Something answers there that is no memory.
    """

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = TIMEOUT
    ) -> None:
        self._wire = Wire(url, token, timeout)
        self.location = self._wire.url
        self._lock = threading.RLock()
        self._graph: Graph | None = None
        self._problems: list[Problem] = []
        self._gathered = 0
        try:
            self._wire.check()
        except SmemError:
            self._wire.close()
            raise

    def lock(self) -> AbstractContextManager[object]:
        """Return the lock that keeps a refresh of another thread away."""
        return self._lock

    def graph(self, session_id: str | None = None) -> Graph:
        """Return everything the server holds, as of the last refresh."""
        with self._lock:
            if self._graph is None:
                self._gather()
            return self._graph or Graph()

    def find(
        self,
        label: str | None = None,
        *,
        session_id: str | None = None,
        where: Mapping[str, Value] | None = None,
        limit: int | None = None,
    ) -> list[Node]:
        """Return nodes in creation order whose properties equal `where`."""
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
        return find_edges(self.graph(), edge_type, session_id=session_id, limit=limit)

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Refuse: over HTTP a memory is read only."""
        raise StoreNotWritable(
            f"writing to {self.location}",
            found="a memory behind HTTP is read only here",
            do="open the store's own directory, or let the app write",
        )

    def revision(self) -> object:
        """Return how often the server was read whole."""
        return self._gathered

    def refresh(self) -> bool:
        """Read the server anew; True if it holds something else than before."""
        with self._lock:
            before = self._graph
            self._gather()
            return before is None or not _same(before, self._graph or Graph())

    def problems(self) -> list[Problem]:
        """Return which answers were cut, and which records could not be read."""
        self.graph()
        return list(self._problems)

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _gather(self) -> None:
        gathering = Gathering(self._wire)
        self._graph = gathering.graph()
        self._problems = gathering.problems
        self._gathered += 1


def _same(one: Graph, other: Graph) -> bool:
    return list(one.nodes()) == list(other.nodes()) and list(one.edges()) == list(
        other.edges()
    )
