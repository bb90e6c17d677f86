# SPDX-License-Identifier: Apache-2.0
"""The line to a Neo4j server: the only file that imports its driver.

Whatever can go wrong on it becomes one error of smemkit here, and nowhere else.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from smemkit.errors import (
    BadRequest,
    MissingExtra,
    NotAMemory,
    SmemError,
    StoreBusy,
    StoreClosed,
    StoreNotFound,
    StoreNotReadable,
    StoreNotWritable,
    StoreUnreachable,
    WriteFailed,
    WrongToken,
)

if TYPE_CHECKING:
    import neo4j

Row = list[Any]
Answer = tuple[list[str], list[Row], str]
Auth = tuple[str, str] | None

CONNECT_TIMEOUT = 5.0
"""Seconds in which a server must take a connection."""

_DECLARED = 20
"""How often a declaration is tried that others make at the same moment."""

ACQUIRE_TIMEOUT = 15.0
"""Seconds in which a connection must be ready, its handshake included."""

READING: Mapping[str, type[SmemError]] = {
    "GqlError": StoreNotReadable,
    "AuthError": WrongToken,
    "ClientError": BadRequest,
    "ConfigurationError": BadRequest,
    "ConnectionPoolError": StoreUnreachable,
    "ConstraintError": WriteFailed,
    "DatabaseUnavailable": StoreUnreachable,
    "Forbidden": StoreNotReadable,
    "ForbiddenOnReadOnlyDatabase": StoreNotWritable,
    "NotALeader": StoreUnreachable,
    "ServiceUnavailable": StoreUnreachable,
    "SessionExpired": StoreUnreachable,
    "TransientError": StoreBusy,
    "UnsupportedServerProduct": NotAMemory,
}
"""What an exception of the driver means, by the nearest class that is listed."""

WRITING: Mapping[str, type[SmemError]] = {
    **READING,
    "GqlError": WriteFailed,
    "Forbidden": StoreNotWritable,
}

CODES: Mapping[str, type[SmemError]] = {
    "Neo.ClientError.Database.DatabaseNotFound": StoreNotFound,
    "Neo.ClientError.Security.AuthenticationRateLimit": WrongToken,
    "Neo.ClientError.Security.CredentialsExpired": WrongToken,
    "Neo.ClientError.Security.Forbidden": StoreNotWritable,
    "Neo.ClientError.Transaction.LockClientStopped": StoreBusy,
    "Neo.ClientError.Transaction.TransactionTimedOut": StoreBusy,
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": StoreBusy,
}
"""What only the server's own code tells."""

IN_A_SHELL = "in a shell set SCIENCE_AGENT_MEMORY_GRAPH_NEO4J_USER and …_NEO4J_PASSWORD"

ADVICE: Mapping[type[SmemError], str] = {
    StoreBusy: "try again",
    StoreUnreachable: "is the server running?",
    WrongToken: f"give auth=(user, password); {IN_A_SHELL}",
}


def meaning(error: Exception, *, writing: bool) -> type[SmemError]:
    """Return which error of smemkit an exception of the driver is."""
    by_code = CODES.get(getattr(error, "code", None) or "")
    if by_code is not None:
        return by_code
    table = WRITING if writing else READING
    return next(table[c.__name__] for c in type(error).__mro__ if c.__name__ in table)


class Line:
    """A driver, opened on first use, and what is asked over it.

    Parameters
    ----------
    url : str
        ``neo4j://`` or ``bolt://``, also with ``+s`` or ``+ssc``.
    auth : tuple of str, optional
        User and password.
    database : str
        The database's name on the server.
    """

    def __init__(self, url: str, auth: Auth, database: str) -> None:
        try:
            import neo4j
            from neo4j import exceptions
        except ImportError as error:
            raise MissingExtra("neo4j", "neo4j") from error
        self.url = _checked(url)
        self.database = database
        self._errors = exceptions
        self._bookmarks: Any = None
        try:
            self._driver: neo4j.Driver | None = neo4j.GraphDatabase.driver(
                self.url,
                auth=None if auth is None else (auth[0], auth[1]),
                connection_timeout=CONNECT_TIMEOUT,
                connection_acquisition_timeout=ACQUIRE_TIMEOUT,
                notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
                telemetry_disabled=True,
            )
        except (ValueError, TypeError, exceptions.ConfigurationError) as error:
            raise BadRequest(f"open {self.url!r}", found=str(error)) from error

    def close(self) -> None:
        """Let the connections go; further questions are refused."""
        if self._driver is not None:
            self._driver.close()
        self._driver = None

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._driver is None

    def look(self) -> str:
        """Return the bookmark of an empty read: it moves with every commit."""
        from smemkit.stores._cypher import LOOK

        return self.read(LOOK)[1]

    def read(
        self, query: str, values: Mapping[str, object] | None = None
    ) -> tuple[list[Row], str]:
        """Return the rows of a query and the bookmark it ended on."""
        return self._read(query, values or {})[1:]

    def ask(
        self, query: str, values: Mapping[str, object]
    ) -> tuple[list[str], list[Row]]:
        """Return the columns and rows of somebody else's question.

        The server refuses it should it write.
        """
        return self._read(query, values)[:2]

    def _read(self, query: str, values: Mapping[str, object]) -> Answer:
        """Return columns, rows and bookmark.

        A connection that broke while nobody used it is replaced by a new one.
        """
        with self.translated(writing=False):
            try:
                return self._read_once(query, values)
            except self.lost:
                return self._read_once(query, values)

    def _read_once(self, query: str, values: Mapping[str, object]) -> Answer:
        with self._session("READ") as session:
            result = session.run(query, dict(values))
            rows = [list(record) for record in result]
            columns = list(result.keys())
            result.consume()
            return columns, rows, _only(session.last_bookmarks().raw_values)

    def declare(self, statement: str) -> None:
        """Create a constraint or an index; another program may be about to do so."""
        errors = self._errors
        with self.translated(writing=True):
            for _ in range(_DECLARED):
                try:
                    with self._session("WRITE") as session:
                        session.run(statement).consume()
                except errors.TransientError:
                    continue
                except errors.ClientError as error:
                    if not (error.code or "").startswith("Neo.ClientError.Schema."):
                        raise
                return

    @contextlib.contextmanager
    def transaction(self, timeout: float) -> Iterator[Transaction]:
        """Yield a transaction; unless the block commits it, nothing of it is kept."""
        with self._session("WRITE") as session:
            tx = session.begin_transaction(timeout=timeout)
            try:
                yield Transaction(session, tx)
            finally:
                tx.close()
            self._bookmarks = session.last_bookmarks()

    def _session(self, mode: str) -> neo4j.Session:
        if self._driver is None:
            raise StoreClosed(self.url, found="it was closed", do="open it again")
        return self._driver.session(
            database=self.database,
            default_access_mode=mode,
            bookmarks=self._bookmarks,
            fetch_size=10_000,
        )

    @contextlib.contextmanager
    def translated(self, *, writing: bool) -> Iterator[None]:
        """Turn the driver's exceptions into errors of smemkit."""
        try:
            yield
        except self._errors.GqlError as error:
            raise self.translate(error, writing=writing) from error
        except (ValueError, OSError) as error:
            if isinstance(error, SmemError):
                raise
            # A name that does not resolve, or a handshake with something else.
            raise StoreUnreachable(
                self.url, found=str(error)[:200], do="is the address right?"
            ) from error

    def translate(self, error: Exception, *, writing: bool) -> SmemError:
        """Return the error of smemkit that says what the driver's says."""
        kind = meaning(error, writing=writing)
        text = getattr(error, "message", None) or str(error) or type(error).__name__
        first = str(text).strip().splitlines()[0][:300]
        return kind(self.url, found=first, do=ADVICE.get(kind, ""))

    def may_pass(self, error: Exception) -> bool:
        """Tell whether the same transaction may succeed when it is run again."""
        errors = self._errors
        if isinstance(error, errors.IncompleteCommit):
            return False
        if isinstance(error, errors.ConstraintError):
            return False
        retryable = getattr(error, "is_retryable", None)
        return bool(retryable and retryable())

    @property
    def failures(self) -> type[Exception]:
        """The root of the driver's exceptions."""
        return self._errors.GqlError

    @property
    def lost(self) -> tuple[type[Exception], ...]:
        """What is raised when the connection breaks."""
        return (self._errors.ServiceUnavailable, self._errors.SessionExpired)

    @property
    def unsure(self) -> type[Exception]:
        """What is raised when the connection breaks during a commit."""
        return self._errors.IncompleteCommit


class Transaction:
    """A transaction that is open."""

    def __init__(self, session: neo4j.Session, tx: neo4j.Transaction) -> None:
        self._session = session
        self._tx = tx

    def run(self, query: str, **values: object) -> list[Row]:
        """Run a statement and return its rows."""
        return [list(record) for record in self._tx.run(query, values)]

    def commit(self) -> str:
        """Commit and return the bookmark."""
        self._tx.commit()
        return _only(self._session.last_bookmarks().raw_values)


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        user, _ = parts.username or parts.password, parts.port
    except ValueError as error:
        raise BadRequest(f"open {url!r}", found=str(error)) from error
    if user:
        raise BadRequest(
            f"a url on host {parts.hostname!r}",
            found="a password in it",
            do=f"give auth=(user, password) instead; {IN_A_SHELL}",
        )
    return url.rstrip("/")


def _only(bookmarks: frozenset[str]) -> str:
    return ",".join(sorted(bookmarks))


_SIZES = {0xC8: 1, 0xC9: 2, 0xCA: 4, 0xCB: 8}


def counted(bookmark: str) -> tuple[bytes, int] | None:
    """Return the database and the number of the commit that a bookmark names.

    A store that reads them sees whether others committed in between. None for a
    form that is not known, such as a later server's: then nothing is concluded.

    Examples
    --------
    >>> counted("FB:kcwQsWynpNU3TQSdynZPa6IZIMkBNJA=")[1], counted("later")
    (308, None)
    """
    try:
        raw = base64.b64decode(bookmark.removeprefix("FB:"), validate=True)
    except (binascii.Error, ValueError):
        return None
    head, database, rest = raw[:3], raw[3:19], raw[19:-1]
    if head != b"\x91\xcc\x10" or raw[-1:] != b"\x90" or not rest:
        return None
    if len(rest) == 1 and rest[0] < 0x80:
        return database, rest[0]
    if _SIZES.get(rest[0]) != len(rest) - 1:
        return None
    return database, int.from_bytes(rest[1:], "big", signed=True)
