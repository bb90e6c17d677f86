# SPDX-License-Identifier: Apache-2.0
"""What a killed server keeps, and what a busy one costs."""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests import server_story as story
from tests.serving import Server, free_port, start

CLIENTS = 8


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


def run_clients(
    url: str, work: Callable[..., None], stop: threading.Event
) -> tuple[list[threading.Thread], list[list[str]]]:
    answered: list[list[str]] = [[] for _ in range(CLIENTS)]
    threads = [
        threading.Thread(target=work, args=(url, k, answered[k], stop))
        for k in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    return threads, answered


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


def busy(errors: list[str]) -> Callable[[str, int, list[str], threading.Event], None]:
    """Return a client that writes a little and reads a lot, like a session does."""

    def work(url: str, number: int, answered: list[str], stop: threading.Event) -> None:
        session = f"busy-{number}"
        with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
            for k in itertools.count():
                if stop.is_set():
                    return
                name = f"{session}-{k}"
                questions = [
                    (
                        "/observe/execution",
                        story.execution(name, f"a-{name}", session_id=session),
                    ),
                    (
                        "/trace/provenance",
                        {"node_id": f"a-{name}", "session_id": session},
                    ),
                    (
                        "/query/match",
                        {"query": "python", "session_id": session, "limit": 20},
                    ),
                    ("/query/chain", {"node_id": name, "kind": "viewOutput"}),
                ]
                for path, body in questions:
                    answer = client.post(path, json=body)
                    if answer.status_code != 200:
                        errors.append(
                            f"{path}: {answer.status_code} {answer.text[:200]}"
                        )
                answer = client.get(
                    "/subgraph", params={"session_id": session, "limit": 20}
                )
                if (
                    answer.status_code != 200
                    or client.get("/health").json()["status"] != "healthy"
                ):
                    errors.append(f"/subgraph or /health: {answer.status_code}")
                answered.append(name)

    return work


def written(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "memory").glob("*.jsonl"))


def load(folder: Path, seconds: float, settle: float) -> None:
    """Run eight clients; no error, and no memory beyond the data they wrote."""
    server = start(folder)
    try:
        for number in range(CLIENTS):
            body = {**story.FIRST_MESSAGE, "session_id": f"busy-{number}"}
            body["goal_id"] = f"goal:session:busy-{number}"
            assert (
                server.client.post(
                    "/observe/session-first-message", json=body
                ).status_code
                == 200
            )
        errors: list[str] = []
        stop = threading.Event()
        process = psutil.Process(server.process.pid)
        threads, answered = run_clients(server.url, busy(errors), stop)
        time.sleep(settle)
        before, size = process.memory_info().rss, written(folder)
        time.sleep(seconds - settle)
        after, grown = process.memory_info().rss, written(folder) - size
        stop.set()
        for thread in threads:
            thread.join(60)
        assert errors == []
        assert sum(map(len, answered)) > CLIENTS
        # A line on disk is several objects in memory: keys, texts, indexes.
        assert after <= before * 1.1 + IN_MEMORY * grown, (before, after, grown)
    finally:
        assert server.stop() == 0
        server.process.stdout.close()


IN_MEMORY = 6
"""Bytes in memory for a byte on disk, at most (measured: 40 MB take 200 MB)."""


def test_eight_clients_get_no_error(tmp_path):
    """Reads and writes for six seconds, health in between."""
    load(tmp_path, seconds=6, settle=2)


@pytest.mark.slow
def test_eight_clients_for_a_minute_cost_what_they_wrote(tmp_path):
    """Sixty seconds; resident memory at the end against that at ten seconds."""
    load(tmp_path, seconds=60, settle=10)
