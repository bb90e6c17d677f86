# SPDX-License-Identifier: Apache-2.0
"""Which memory answers: the local store or Neo4j, and how one is switched to the other.

Both are memories that `smemkit.open` opened; nothing here knows what a store is
made of. The app pushes Neo4j's HTTP address, smemkit speaks Bolt: `bolt_address`
maps one to the other and opens no address that was not allowed beforehand.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import smemkit
from smemkit.errors import BadRequest, SmemError, StoreError, short
from smemkit.memory import Memory
from smemkit.settings import Settings

UNREACHABLE = "memory_graph_unreachable"
BOLT_PORT = 7687
_PATIENCE = 3.0
_MAX_DOCUMENT = 65_536


@dataclass(frozen=True, slots=True)
class Neo4j:
    """A Neo4j connection as it was pushed; the password is never shown.

    Attributes
    ----------
    http : str
        The HTTP address, as the app knows it.
    user, password : str, str or None
        The account; without a password nothing is opened.
    """

    http: str
    user: str
    password: str | None

    def __repr__(self) -> str:
        return f"Neo4j(http={self.http!r}, user={self.user!r})"


def open_neo4j(bolt: str, user: str, password: str) -> Memory:
    """Open the Neo4j store: the one function that a Neo4j backend goes through."""
    return smemkit.open(bolt, auth=(user, password))


class Backends:
    """The two stores of a server and which of them is active.

    Parameters
    ----------
    settings : Settings
        Where the stores are.
    open_local, open_neo4j : callable, optional
        How each is opened; tests put their own here.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        open_local: Callable[[str], Memory] = smemkit.open,
        open_neo4j: Callable[[str, str, str], Memory] = open_neo4j,
    ) -> None:
        self._settings = settings
        self._open_local = open_local
        self._open_neo4j = open_neo4j
        self._lock = threading.Lock()
        self._local: Memory | None = None
        self._graph: Memory | None = None
        # Requests may still run on a connection that a push replaced.
        self._retired: list[Memory] = []
        self.neo4j = Neo4j(
            settings.neo4j_http, settings.neo4j_user, settings.neo4j_password
        )
        self.active = settings.backend

    def memory(self) -> Memory | None:
        """Return the active memory with all that others wrote, or None if it is down."""
        try:
            memory = self._opened()
            if memory is not None:
                memory.refresh()
        except SmemError:
            return None
        return memory

    def open_now(self) -> None:
        """Open the active store before the first request asks for it.

        Raises
        ------
        SmemError
            As `smemkit.open` says.
        """
        self._opened()

    def health(self) -> dict[str, object]:
        """Return the body of /health (contract/http.md §2.1)."""
        if self.active == "neo4j" and self.neo4j.password is None:
            return {"status": "needs-password"}
        status = "degraded" if self.memory() is None else "healthy"
        return {"status": status, "backend": self.active}

    def switch(self, backend: str) -> dict[str, object]:
        """Make a store the active one; nothing is copied (contract/http.md §2.2)."""
        self.active = backend
        return self.health()

    def push(
        self, password: str | None, *, http: str | None = None, user: str | None = None
    ) -> dict[str, object]:
        """Take a Neo4j connection over (contract/http.md §2.3).

        Raises
        ------
        BadRequest
            The address is neither on this machine nor listed in the
            environment; nothing was changed.
        """
        if http is not None:
            self._refuse_foreign(http)
        old = self.neo4j
        new = Neo4j(
            old.http if http is None else http,
            old.user if user is None else user,
            password,
        )
        if new != old:
            with self._lock:
                self.neo4j = new
                if self._graph is not None:
                    self._retired.append(self._graph)
                    self._graph = None
        return {"status": "degraded" if self.memory() is None else "healthy"}

    def close(self) -> None:
        """Close every store that was opened."""
        with self._lock:
            opened = [self._local, self._graph, *self._retired]
            self._local = self._graph = None
            self._retired = []
        for memory in opened:
            if memory is not None:
                memory.close()

    def _opened(self) -> Memory | None:
        if self.active == "neo4j":
            return self._graph or self._open_graph()
        # Read without the lock once it is there: this runs for every request.
        return self._local or self._open_store()

    def _open_store(self) -> Memory:
        with self._lock:
            if self._local is None:
                self._local = self._open_local(self._settings.store)
            return self._local

    def _open_graph(self) -> Memory | None:
        with self._lock:
            at = self.neo4j
            if self._graph is None and at.password is not None:
                bolt = self._settings.neo4j_bolt or bolt_address(
                    at.http, self._settings.neo4j_hosts
                )
                self._graph = self._open_neo4j(bolt, at.user, at.password)
            return self._graph

    def _refuse_foreign(self, http: str) -> None:
        if http == self._settings.neo4j_http:  # it came from the environment
            return
        parts = _address(http)
        if (
            parts is None
            or parts.scheme not in {"http", "https"}
            or parts.username is not None
        ):
            # Not repeated: it may hold a password, which is never shown.
            raise BadRequest(
                "http_uri",
                found="no http address, or one with a user in it",
                do="give http://host:port, and user and password as fields",
            )
        if not may_open(str(parts.hostname), self._settings.neo4j_hosts):
            raise BadRequest(
                f"http_uri={http[:200]!r}",
                found=f"host {short(parts.hostname)} is not this machine",
                do="list it in SMEMKIT_NEO4J_HOSTS before the server starts",
            )


def may_open(host: str, listed: tuple[str, ...]) -> bool:
    """Tell whether a host is this machine, or was listed by whoever runs the server.

    Examples
    --------
    >>> may_open("127.0.0.1", ()), may_open("db.example", ()), may_open("db.example", ("db.example",))
    (True, False, True)
    """
    host = host.lower()
    if host == "localhost" or host in {name.lower() for name in listed}:
        return True
    try:
        return "%" not in host and ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(url: str) -> SplitResult | None:
    """Return the parts of an address with a host, or None if it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # read, since only reading it finds that it is no number
    except ValueError:
        return None
    return parts if parts.hostname else None


def bolt_address(http: str, listed: tuple[str, ...] = ()) -> str:
    """Return the Bolt address behind Neo4j's HTTP address.

    Parameters
    ----------
    http : str
        Such as ``http://127.0.0.1:7474``; already found allowed.
    listed : tuple of str
        Hosts beyond this machine that may be opened.

    Returns
    -------
    str
        What the discovery document says for ``bolt_direct`` if that too may be
        opened, else port 7687 of the same host.

    Raises
    ------
    StoreError
        It is no address.
    """
    parts = _address(http)
    if parts is None or parts.hostname is None:
        raise StoreError("the HTTP address of Neo4j", found="no host or port in it")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    direct = _discovered(parts.scheme, parts.hostname, parts.port)
    there = None if direct is None else _address(direct)
    if direct is not None and there is not None and there.hostname is not None:
        # neo4j:// would have the server name further addresses to open.
        known = there.scheme.partition("+")[0] == "bolt"
        if known and may_open(there.hostname, (*listed, parts.hostname)):
            return direct
    return f"bolt://{host}:{BOLT_PORT}"


def _discovered(scheme: str, host: str, port: int | None) -> str | None:
    kind = (
        http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    )
    try:
        with closing(kind(host, port or 7474, timeout=_PATIENCE)) as connection:
            connection.request("GET", "/", headers={"Accept": "application/json"})
            answer = connection.getresponse()
            document = (
                json.loads(answer.read(_MAX_DOCUMENT)) if answer.status == 200 else None
            )
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None
    direct = document.get("bolt_direct") if isinstance(document, dict) else None
    return direct if isinstance(direct, str) else None
