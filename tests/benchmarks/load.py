# SPDX-License-Identifier: Apache-2.0
"""Eight clients for a minute: errors, memory, and what a trace costs meanwhile.

The server is ours with a bare route beside it, in one process: whoever asks
either one waits behind the same eight clients, so that the ratio is still that
of the two routes. A ninth client, a process of its own, asks both in turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from smemkit.server.app import create_app
from smemkit.server.backends import Backends
from smemkit.server.logs import Log
from smemkit.settings import Settings
from tests import server_load
from tests.benchmarks import http, stores
from tests.benchmarks.measure import Row
from tests.serving import free_port

SECONDS, SETTLE = 60.0, 10.0

SESSIONS = {"short": 200, "long": 2_500}

TRACE = "/trace/provenance"

Times = dict[str, list[float]]
"""Seconds of each answer, by the path asked and the session."""


def rows(folder: Path) -> list[Row]:
    """Load a server whose store has a session of 200 calls and one of 2,500."""
    lines = stores.Lines()
    for session, calls in SESSIONS.items():
        stores.add_session(lines, session, calls)
    lines.write(folder / "memory")
    port = free_port()
    command = ("-m", "tests.benchmarks.load", "serve", str(port), str(folder))
    with http.running(port, *command) as (connection, pid):
        for session, calls in SESSIONS.items():
            ready = http.ask(connection, http.question_of(TRACE, session, calls))
            (folder / f"{session}.json").write_bytes(ready)
        ninth = [sys.executable, "-m", "tests.benchmarks.load", "ask", str(port)]
        # Done before the clients are, so that all it asked was asked under load.
        asking = subprocess.Popen([*ninth, str(SECONDS - 5)], stdout=subprocess.PIPE)
        url = f"http://127.0.0.1:{port}"
        cost = server_load.load(url, pid, folder, SECONDS, SETTLE)
        busy: Times = json.loads(asking.communicate()[0])
        quiet = asked(port, 5)
    return [
        *_costs(cost),
        *_traced(busy, "meanwhile"),
        *_traced(quiet, "afterwards"),
    ]


def _costs(cost: server_load.Cost) -> list[Row]:
    mb = 1e-6
    ratio = cost.beside_data / cost.settled
    return [
        Row(
            f"8 clients for {SECONDS:.0f} s: errors in {6 * cost.rounds:,} requests",
            f"{len(cost.errors)}",
            "",
            None,
            "0",
            not cost.errors,
        ),
        Row(
            "resident at the end, without the data written",
            f"{cost.final * mb:.1f} − {cost.data * mb:.1f} MB"
            f" ({cost.written * mb:.1f} MB on disk)",
            f"{cost.settled * mb:.1f} MB at {SETTLE:.0f} s",
            ratio,
            "≤ 1.1 ×",
            ratio <= 1.1,
        ),
    ]


def _traced(times: Times, when: str) -> list[Row]:
    return [
        http.against_bare(
            f"/trace/provenance, session of {calls:,} calls, {when}",
            times[TRACE + session],
            times["/bare/" + session],
        )
        for session, calls in SESSIONS.items()
    ]


def asked(port: int, seconds: float) -> Times:
    """Ask for both traces and both bare answers in turn, for so long."""
    connection = http.connected(port)
    questions = {
        path + session: http.question_of(path.rstrip("/") + beside, session, calls)
        for session, calls in SESSIONS.items()
        for path, beside in ((TRACE, ""), ("/bare/", f"/{session}"))
    }
    times: Times = {name: [] for name in questions}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, question in questions.items():
            start = time.perf_counter()
            http.ask(connection, question)
            times[name].append(time.perf_counter() - start)
    connection.close()
    return times


def beside_bare(app: ASGIApp, folder: Path) -> ASGIApp:
    """Return the app with a bare route for each session; its answer lies in a file."""
    bare: dict[str, ASGIApp] = {}

    async def both(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if not path.startswith("/bare/"):
            await app(scope, receive, send)
            return
        if path not in bare:
            ready = (folder / path.replace("/bare/", "")).with_suffix(".json")
            bare[path] = http.bare(path, ready.read_bytes())
        await bare[path](scope, receive, send)

    return both


def serve(port: int, folder: Path) -> None:
    """Serve the store in this folder as ``smemkit serve`` does, and the bare routes."""
    settings = Settings.from_environment()
    settings = Settings(
        store=str(folder / "memory"), port=port, log_dir=settings.log_dir
    )
    app = create_app(settings, Backends(settings), Log(settings))
    uvicorn.run(beside_bare(app, folder), port=port, log_config=None, access_log=False)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.stdout.write(json.dumps(asked(int(sys.argv[2]), float(sys.argv[3]))))
