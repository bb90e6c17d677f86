# SPDX-License-Identifier: Apache-2.0
"""Whatever Neo4j's driver raises becomes one error of smemkit; servers that are not there."""

from __future__ import annotations

import inspect
import socket
import subprocess
import sys
import threading

import pytest
from neo4j import exceptions

import smemkit
from smemkit.errors import (
    BadRequest,
    NotAMemory,
    SmemError,
    StoreBusy,
    StoreNotFound,
    StoreNotReadable,
    StoreNotWritable,
    StoreUnreachable,
    WriteFailed,
    WrongToken,
)
from smemkit.stores._bolt import Line, counted, meaning
from tests import server_story as story
from tests.serving import free_port, serving

MEANINGS = {
    "AuthConfigurationError": BadRequest,
    "AuthError": WrongToken,
    "BrokenRecordError": StoreNotReadable,
    "CertificateConfigurationError": BadRequest,
    "ClientError": BadRequest,
    "ConfigurationError": BadRequest,
    "ConnectionAcquisitionTimeoutError": StoreUnreachable,
    "ConnectionPoolError": StoreUnreachable,
    "ConstraintError": WriteFailed,
    "CypherSyntaxError": BadRequest,
    "CypherTypeError": BadRequest,
    "DatabaseError": StoreNotReadable,
    "DatabaseUnavailable": StoreUnreachable,
    "DriverError": StoreNotReadable,
    "Forbidden": StoreNotReadable,
    "ForbiddenOnReadOnlyDatabase": StoreNotWritable,
    "GqlError": StoreNotReadable,
    "IncompleteCommit": StoreUnreachable,
    "Neo4jError": StoreNotReadable,
    "NotALeader": StoreUnreachable,
    "ReadServiceUnavailable": StoreUnreachable,
    "ResultConsumedError": StoreNotReadable,
    "ResultError": StoreNotReadable,
    "ResultFailedError": StoreNotReadable,
    "ResultNotSingleError": StoreNotReadable,
    "RoutingServiceUnavailable": StoreUnreachable,
    "ServiceUnavailable": StoreUnreachable,
    "SessionError": StoreNotReadable,
    "SessionExpired": StoreUnreachable,
    "TokenExpired": WrongToken,
    "TransactionError": StoreNotReadable,
    "TransactionNestingError": StoreNotReadable,
    "TransientError": StoreBusy,
    "UnsupportedServerProduct": NotAMemory,
    "WriteServiceUnavailable": StoreUnreachable,
}
"""What each exception means while reading; while writing, see below."""

WRITING = {StoreNotReadable: WriteFailed}


def driver_exceptions() -> dict[str, type[Exception]]:
    """Return every exception class that the installed driver defines."""
    return {
        name: each
        for name, each in vars(exceptions).items()
        if inspect.isclass(each)
        and issubclass(each, Exception)
        and each.__module__.startswith("neo4j")
    }


def made(kind: type[Exception], *args: object) -> Exception:
    """Return an exception; some also take what it happened to."""
    of_something = (
        exceptions.SessionError,
        exceptions.TransactionError,
        exceptions.ResultError,
    )
    return kind(None, *args) if issubclass(kind, of_something) else kind(*args)


def test_every_exception_of_the_driver_has_a_meaning():
    """A driver that brings a new exception makes this fail until it is thought about."""
    found = {
        name: meaning(made(each), writing=False)
        for name, each in driver_exceptions().items()
    }
    assert set(found) - set(MEANINGS) == set(), "say what it means, in MEANINGS"
    assert found == {name: MEANINGS[name] for name in found}


def test_while_writing_a_failure_says_that_nothing_was_kept():
    """What reads as "not readable" is a failed write; a refusal is "not writable"."""
    for name, each in driver_exceptions().items():
        wanted = WRITING.get(MEANINGS[name], MEANINGS[name])
        wanted = StoreNotWritable if name == "Forbidden" else wanted
        assert meaning(made(each), writing=True) is wanted, name


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("Neo.ClientError.Database.DatabaseNotFound", StoreNotFound),
        ("Neo.ClientError.Security.Unauthorized", WrongToken),
        ("Neo.ClientError.Security.AuthenticationRateLimit", WrongToken),
        ("Neo.ClientError.Security.CredentialsExpired", WrongToken),
        ("Neo.ClientError.Transaction.TransactionTimedOut", StoreBusy),
        ("Neo.ClientError.Statement.SyntaxError", BadRequest),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", WriteFailed),
        ("Neo.TransientError.Transaction.DeadlockDetected", StoreBusy),
        ("Neo.TransientError.General.DatabaseUnavailable", StoreUnreachable),
        ("Neo.DatabaseError.General.UnknownError", WriteFailed),
        ("Neo.Made.Up", WriteFailed),
    ],
)
def test_the_code_of_the_server_decides(code, wanted):
    """An error as the driver makes it from what a server sends."""
    error = exceptions.Neo4jError._basic_hydrate(neo4j_code=code, message="m")
    assert meaning(error, writing=True) is wanted


def test_what_a_line_raises_is_of_smemkit_and_names_the_server():
    """The driver's exception is the cause; its text is kept, its class is not."""
    line = Line("bolt://localhost:7687", None, "neo4j")
    for each in driver_exceptions().values():
        with (
            pytest.raises(SmemError, match="bolt://localhost:7687") as caught,
            line.translated(writing=False),
        ):
            raise made(each, "what the driver says")
        assert isinstance(caught.value.__cause__, each)
    line.close()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_where_nothing_listens_the_store_is_unreachable(scheme):
    """Opening says so at once, in Python."""
    with pytest.raises(StoreUnreachable, match="is the server running"):
        smemkit.open(f"{scheme}://127.0.0.1:{free_port()}", auth=("neo4j", "x"))


def test_something_that_is_no_neo4j_is_told():
    """A web server at the address answers with something no driver understands."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def refuse() -> None:
            for _ in range(2):
                with listening.accept()[0] as connection:
                    connection.recv(100)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        with pytest.raises(StoreUnreachable):
            smemkit.open(f"bolt://127.0.0.1:{port}", auth=("neo4j", "x"))


def test_over_http_an_unreachable_server_reads_empty_and_keeps_nothing(tmp_path):
    """Reads answer empty with the reason; a write says it was not kept."""
    down = f"http://127.0.0.1:{free_port()}"
    bolt = f"bolt://127.0.0.1:{free_port()}"
    choices = {"backend": "neo4j", "neo4j_http": down, "neo4j_bolt": bolt}
    with serving(tmp_path, **choices, neo4j_password="x") as client:
        assert client.get("/health").json()["status"] == "degraded"
        read = client.post("/query/match", json={"query": "x"}).json()
        assert (read["hits"], read["reason"]) == ([], "memory_graph_unreachable")
        kept = client.post("/observe/execution", json=story.EXECUTION).json()
        assert (kept["status"], kept["written"]) == ("degraded", 0)


def test_without_the_driver_the_extra_is_named():
    """The rest of smemkit works without it; a Neo4j address then says what to install."""
    code = (
        "import sys; sys.modules['neo4j'] = None\n"
        "import smemkit\n"
        "smemkit.open(':memory:')\n"
        "try: smemkit.open('bolt://localhost')\n"
        "except smemkit.MissingExtra as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'smemkit[neo4j]'" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("bookmark", "number"),
    [
        ("FB:kcwQsWynpNU3TQSdynZPa6IZIAOQ", 3),
        ("FB:kcwQsWynpNU3TQSdynZPa6IZIMkBNJA=", 308),
    ],
)
def test_a_bookmark_of_the_server_is_counted(bookmark, number):
    """Two that a server gave after its 3rd and 308th commit, of one database."""
    database, found = counted(bookmark)
    assert found == number
    assert database.hex() == "b16ca7a4d5374d049dca764f6ba21920"


@pytest.mark.parametrize("text", ["", "FB:", "FB:kcwQ", "neo4j:bookmark:v1:tx12", "é"])
def test_another_form_of_bookmark_is_not_counted(text):
    """Then nothing is concluded from it, and all is read anew."""
    assert counted(text) is None
