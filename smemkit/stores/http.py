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
from typing import TYPE_CHECKING

from smemkit.errors import (
    BadRequest,
    MissingExtra,
    NotAMemory,
    SmemError,
    StoreClosed,
    StoreNotWritable,
    StoreUnreachable,
    WrongToken,
)
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value
from smemkit.stores import Plan
from smemkit.stores._gather import Gathering
from smemkit.stores.memory import find_edges, find_nodes

if TYPE_CHECKING:
    import httpx

TIMEOUT = 30.0
"""Seconds that one answer may take."""

Row = Mapping[str, object]

IN_A_SHELL = "in a shell set SCIENCE_AGENT_MEMORY_GRAPH_INTERNAL_TOKEN"

_REFUSED = " refused"


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


class Wire:
    """A connection to a server: every way it can fail is one error of ours."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra("httpx", "server") from error
        try:
            parts = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise BadRequest(f"url={url!r}", found=str(error)) from error
        if parts.scheme not in {"http", "https"} or not parts.host:
            raise BadRequest(
                f"url={url!r}", found="no http address", do="give http://host:port"
            )
        if parts.userinfo:
            raise BadRequest(
                f"a url on host {parts.host!r}",
                found="a password in it",
                do=f"give token= instead; {IN_A_SHELL}",
            )
        self.url = str(parts).rstrip("/")
        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        self._httpx = httpx
        self._client: httpx.Client | None = httpx.Client(
            base_url=self.url,
            headers=headers,
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
        )

    def check(self) -> None:
        """Ask whether a memory is there, and whether it lets us in."""
        health = self._ask("GET", "/health")
        if not isinstance(health.get("status"), str):
            raise NotAMemory(self.url, found="its /health has no status")
        if health["status"] != "healthy":
            raise StoreUnreachable(
                self.url,
                found=f"its store is {str(health['status'])[:40]!r}",
                do="look at the settings of the app, or at the server's log",
            )
        self.post("/query/chain-exists", {"node_id": "-", "kinds": ["viewOutput"]})

    def post(self, route: str, body: Mapping[str, object]) -> Row | None:
        """Return the answer to a question; None for a name the server does not know."""
        answer = self._ask("POST", route, body)
        if answer.get("reason") == "memory_graph_unreachable":
            raise StoreUnreachable(self.url, found="its store does not answer")
        return None if answer.get(_REFUSED) else answer

    def close(self) -> None:
        """Close the connection; further questions are refused."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def _ask(
        self, method: str, route: str, body: Mapping[str, object] | None = None
    ) -> Row:
        if self._client is None:
            raise StoreClosed(self.url, found="it was closed", do="open it again")
        try:
            answer = self._client.request(method, route, json=body)
        except self._httpx.TimeoutException as error:
            raise StoreUnreachable(
                f"{self.url}{route}",
                found="no answer in time",
                do="give a larger timeout",
            ) from error
        except self._httpx.HTTPError as error:
            raise StoreUnreachable(
                self.url, found=type(error).__name__, do="is the server running?"
            ) from error
        return self._read(route, answer)

    def _read(self, route: str, answer: httpx.Response) -> Row:
        if answer.status_code in {401, 403}:
            raise WrongToken(
                self.url,
                found=f"refused with {answer.status_code}",
                do=f"give its token=; {IN_A_SHELL}",
            )
        if answer.status_code == 400:
            return {_REFUSED: True}
        if answer.status_code >= 500:
            raise StoreUnreachable(
                f"{self.url}{route}", found=f"status {answer.status_code}"
            )
        try:
            found = answer.json() if answer.status_code == 200 else None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise NotAMemory(
                f"{self.url}{route}",
                found=f"status {answer.status_code} and no JSON object",
            )
        return found
