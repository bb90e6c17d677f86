# SPDX-License-Identifier: Apache-2.0
"""Eight clients at one server for a while: what they are told, and what it holds.

Used by the tests of the server and by the benchmarks, so that both speak of the
same load.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests import server_story as story

CLIENTS = 8


@dataclass(frozen=True)
class Cost:
    """What a load cost.

    Attributes
    ----------
    errors : list of str
        Every answer that was not what it should be.
    rounds : int
        Rounds that were answered, of six requests each.
    settled, final : int
        Resident bytes once the server had settled, and at the end.
    written : int
        Bytes the files grew by in between.
    data : float
        Bytes of main memory that what was written takes in a fresh process.
    """

    errors: list[str]
    rounds: int
    settled: int
    final: int
    written: int
    data: float

    @property
    def beside_data(self) -> float:
        """Resident bytes at the end without the data written in between."""
        return self.final - self.data


def load(url: str, pid: int, folder: Path, seconds: float, settle: float) -> Cost:
    """Let eight clients write a little and read a lot, each in its own session.

    Parameters
    ----------
    url, pid
        The server and its process.
    folder : Path
        Its store is ``memory`` in this folder.
    seconds, settle : float
        How long the load lasts, and after how long memory is first looked at.
    """
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        for number in range(CLIENTS):
            body = {**story.FIRST_MESSAGE, "session_id": f"busy-{number}"}
            body["goal_id"] = f"goal:session:busy-{number}"
            client.post("/observe/session-first-message", json=body).raise_for_status()
    errors: list[str] = []
    stop = threading.Event()
    process = psutil.Process(pid)
    threads, answered = run_clients(url, _busy(errors), stop)
    time.sleep(settle)
    settled, size = process.memory_info().rss, on_disk(folder)
    time.sleep(seconds - settle)
    final, end = process.memory_info().rss, on_disk(folder)
    stop.set()
    for thread in threads:
        thread.join(60)
    # A line on disk is several objects in memory: texts, keys, places in indexes.
    data = in_memory(folder / "memory") * (end - size) / on_disk(folder)
    return Cost(errors, sum(map(len, answered)), settled, final, end - size, data)


def run_clients(
    url: str, work: Callable[..., None], stop: threading.Event
) -> tuple[list[threading.Thread], list[list[str]]]:
    """Start the clients; each notes in a list of its own what was answered."""
    answered: list[list[str]] = [[] for _ in range(CLIENTS)]
    threads = [
        threading.Thread(target=work, args=(url, k, answered[k], stop))
        for k in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    return threads, answered


def on_disk(folder: Path) -> int:
    """Return the bytes of a store's files."""
    return sum(path.stat().st_size for path in (folder / "memory").glob("*.jsonl"))


def in_memory(store: Path) -> int:
    """Return the bytes that Python allocates in a fresh process to hold a store."""
    probe = (
        "import gc, sys, tracemalloc, smemkit\n"
        "len(smemkit.open(':memory:'))\n"
        "len(smemkit.open(sys.argv[1]))\n"  # what is imported on the way is not data
        "gc.collect()\n"
        "tracemalloc.start()\n"
        "mem = smemkit.open(sys.argv[1])\n"
        "len(mem)\n"
        "gc.collect()\n"
        "sys.stdout.write(str(tracemalloc.get_traced_memory()[0]))\n"
    )
    command = [sys.executable, "-c", probe, str(store)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def _busy(errors: list[str]) -> Callable[..., None]:
    """Return a client that writes a little and reads a lot, like a session does."""

    def work(url: str, number: int, answered: list[str], stop: threading.Event) -> None:
        session = f"busy-{number}"
        with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
            for k in itertools.count():
                if stop.is_set():
                    return
                for path, answer in _round(client, session, f"{session}-{k}"):
                    if answer.status_code != 200 or "degraded" in answer.text[:200]:
                        said = f"{path}: {answer.status_code} {answer.text[:200]}"
                        errors.append(said)
                answered.append(f"{session}-{k}")

    return work


def _round(
    client: httpx.Client, session: str, name: str
) -> Iterator[tuple[str, httpx.Response]]:
    here: dict[str, Any] = {"session_id": session}
    asked = {
        "/observe/execution": story.execution(name, f"a-{name}", session_id=session),
        "/trace/provenance": {"node_id": f"a-{name}", **here},
        "/query/match": {"query": "python", "limit": 20, **here},
        "/query/chain": {"node_id": name, "kind": "viewOutput"},
    }
    for path, body in asked.items():
        yield path, client.post(path, json=body)
    yield "/subgraph", client.get("/subgraph", params={"limit": 20, **here})
    yield "/health", client.get("/health")
