# SPDX-License-Identifier: Apache-2.0
"""What a trace costs over HTTP, against a bare FastAPI route with a ready answer.

Both servers are processes of their own, run by uvicorn in the same way. They
are asked in turn over one connection each, by a client that does next to
nothing, so that its own time does not flatter the ratio.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Response

from smemkit.server.models import Trace
from tests.benchmarks.measure import Row, median
from tests.serving import free_port

ASKED = 1_500
"""Requests of each kind that are timed."""


def bare(path: str, ready: bytes) -> FastAPI:
    """Return one route that takes a trace's request and gives a ready answer."""
    app = FastAPI()

    def route(asked: Trace) -> Response:
        return Response(ready, media_type="application/json")

    # The annotation is the name of a class, which FastAPI would look up here.
    route.__annotations__ = {"asked": Trace, "return": Response}
    app.post(path)(route)
    return app


@contextmanager
def running(port: int, *command: str) -> Iterator[tuple[socket.socket, int]]:
    """Yield a connection to a server that this command starts, and its process id."""
    with tempfile.TemporaryDirectory(prefix="smemkit-bench-logs-") as logs:
        env = {**os.environ, "SCIENCE_AGENT_LOG_DIR": logs}
        process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.DEVNULL, env=env
        )
        try:
            yield _connected(port, process), process.pid
        finally:
            process.terminate()
            process.wait(30)


def _connected(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    for _ in range(600):
        try:
            return connected(port)
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    raise RuntimeError("the server to be measured did not start")


def connected(port: int) -> socket.socket:
    """Return a connection that sends small requests at once."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def request(path: str, body: object) -> bytes:
    """Return a whole POST request."""
    text = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n"
    return head.encode() + text


def ask(connection: socket.socket, question: bytes) -> bytes:
    """Send a request and return the body of its answer."""
    connection.sendall(question)
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(65_536)
    head, _, body = got.partition(b"\r\n\r\n")
    if b" 200 " not in head[:20]:
        raise RuntimeError(f"answered {head[:200]!r} {body[:200]!r}")
    size = next(
        int(line.partition(b":")[2])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    while len(body) < size:
        body += connection.recv(65_536)
    return body


def tracing(store: Path, folder: Path) -> list[Row]:
    """Trace the last artifact of a session of 200 calls and of one of 2,500."""
    return [
        _traced(store, folder / f"{session}.json", session, calls)
        for session, calls in (("short", 200), ("long", 2_500))
    ]


def question_of(path: str, session: str, calls: int) -> bytes:
    """Return the request for the trace of a session's last artifact."""
    body = {"node_id": f"{session}-e{calls}-out", "session_id": session}
    return request(path, body)


def _traced(store: Path, ready: Path, session: str, calls: int) -> Row:
    question = question_of("/trace/provenance", session, calls)
    ours, floor = free_port(), free_port()
    serve = ("-m", "smemkit", "serve", str(store), "--port", str(ours))
    with running(ours, *serve) as (connection, _):
        ready.write_bytes(ask(connection, question))
        beside = ("-m", "tests.benchmarks.http", str(floor), str(ready))
        with running(floor, *beside) as (other, _):
            times: dict[bool, list[float]] = {True: [], False: []}
            for k in range(2 * (ASKED + 100)):
                mine = bool(k % 2)
                start = time.perf_counter()
                ask(connection if mine else other, question)
                times[mine].append(time.perf_counter() - start)
    what = f"/trace/provenance, session of {calls:,} calls"
    return against_bare(what, times[True][100:], times[False][100:])


def against_bare(what: str, traces: list[float], bare_route: list[float]) -> Row:
    """Return the row of two lists of times taken in turn."""
    mine, floor = median(traces), median(bare_route)
    ratio = mine / floor
    return Row(
        what,
        f"{mine * 1e3:.2f} ms (p50)",
        f"{floor * 1e3:.2f} ms, a bare route, ready answer",
        ratio,
        "≤ 2 ×",
        ratio <= 2,
    )


if __name__ == "__main__":
    uvicorn.run(
        bare("/trace/provenance", Path(sys.argv[2]).read_bytes()),
        port=int(sys.argv[1]),
        log_level="error",
        access_log=False,
    )
