# SPDX-License-Identifier: Apache-2.0
"""What a killed server keeps, and what a busy one costs."""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import server_load
from tests import server_story as story
from tests.server_load import CLIENTS, run_clients
from tests.serving import Server, free_port, start


def tool_call(session: str, name: str) -> dict[str, Any]:
    return {
        **story.TOOL_CALL,
        "task_id": f"subtask:mcp:{name}",
        "session_id": session,
        "products": [
            {**story.TOOL_CALL["products"][0], "link": f"https://a.example/{name}"}
        ],
    }


def writer(url: str, number: int, answered: list[str], stop: threading.Event) -> None:
    """Write calls and runs until the server is gone; note what was answered 200."""
    names = (f"{time.monotonic_ns()}-{number}-{k}" for k in itertools.count())
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        for name in names:
            if stop.is_set():
                return
            # Half of the writers share one session, half have one of their own.
            session = "shared" if number % 2 else f"own-{number}"
            try:
                if number % 4 < 2:
                    answer = client.post(
                        "/observe/tool-call", json=tool_call(session, name)
                    )
                else:
                    body = story.execution(name, f"a-{name}", session_id=session)
                    answer = client.post("/observe/execution", json=body)
            except httpx.TransportError:
                return
            if answer.status_code == 200 and answer.json()["status"] == "healthy":
                kind = "mcp:" if number % 4 < 2 else ""
                answered.append(f"subtask:{kind}{name}")


def ids_of(server: Server, label: str) -> list[str]:
    """Return every id of a label, page by page."""
    found: list[str] = []
    while True:
        body = {"node_types": [label], "limit": 5_000, "offset": len(found)}
        answer = server.client.post("/query/by-node-type", json=body).json()
        found += [hit["id"] for hit in answer["hits"]]
        if len(found) >= answer["available"]:
            return found


def kill_rounds(folder: Path, rounds: int, seed: int) -> int:
    """Kill the server under eight writers, start it again, count what was promised."""
    chance = random.Random(seed)
    port = free_port()
    promised: set[str] = set()
    for _ in range(rounds):
        server = start(folder, port=port)
        stop = threading.Event()
        threads, answered = run_clients(server.url, writer, stop)
        time.sleep(chance.uniform(0.05, 0.6))
        server.stop(signal.SIGKILL)
        stop.set()
        for thread in threads:
            thread.join(30)
        server.process.stdout.close()
        promised.update(*answered)
        again = start(folder, port=port)
        kept = ids_of(again, "ToolCall")
        again.stop()
        again.process.stdout.close()
        assert len(kept) == len(set(kept))
        assert promised <= set(kept)
    return len(promised)


def test_a_killed_server_keeps_what_it_answered(tmp_path):
    """SIGKILL at a random moment under eight writers: every 200 is there afterwards."""
    assert kill_rounds(tmp_path, 6, seed=1) > 0


@pytest.mark.slow
def test_a_server_killed_fifty_times_keeps_what_it_answered(tmp_path):
    """The same, fifty times on one store."""
    assert kill_rounds(tmp_path, 50, seed=2) > 50


def load(folder: Path, seconds: float, settle: float) -> None:
    """Run eight clients; no error, and no memory beyond the data they wrote."""
    server = start(folder)
    try:
        cost = server_load.load(server.url, server.process.pid, folder, seconds, settle)
        assert cost.errors == []
        assert cost.rounds > CLIENTS
        assert cost.beside_data <= 1.1 * cost.settled, cost
    finally:
        assert server.stop() == 0
        server.process.stdout.close()


def test_eight_clients_get_no_error(tmp_path):
    """Reads and writes for six seconds, health in between."""
    load(tmp_path, seconds=6, settle=2)


@pytest.mark.slow
def test_eight_clients_for_a_minute_cost_what_they_wrote(tmp_path):
    """Sixty seconds; resident memory at the end against that at ten seconds."""
    load(tmp_path, seconds=60, settle=10)
