# SPDX-License-Identifier: Apache-2.0
"""Servers for tests: one inside the test, or one as a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import uvicorn

from smemkit.server.app import create_app
from smemkit.server.backends import Backends
from smemkit.server.logs import Log
from smemkit.server.serve import bind
from smemkit.settings import Settings

TOKEN = "a-token-for-tests"
TOKEN_NAME = "SCIENCE_AGENT_MEMORY_GRAPH_INTERNAL_TOKEN"


class Client(httpx.Client):
    """A client of a server in this process; a test may reach into its stores."""

    stores: Backends


@contextmanager
def serving(folder: Path, **choices: object) -> Iterator[Client]:
    """Yield a client of a server on a store in this folder, in a thread."""
    settings = Settings(
        **{
            "store": str(folder / "memory"),
            "log_dir": folder / "logs",
            "stated_in_interval": 0.0,
            **choices,
        }
    )
    stores, log = Backends(settings), Log(settings)
    app = create_app(settings, stores, log)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    with bind(replace(settings, port=0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            with Client(base_url=url, timeout=30, trust_env=False) as client:
                client.stores = stores
                yield client
        finally:
            server.should_exit = True
            thread.join(30)
            log.close()


@dataclass
class Server:
    """A running ``smemkit serve``."""

    process: subprocess.Popen[str]
    url: str
    client: httpx.Client

    def stop(self, how: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        self.client.close()
        self.process.send_signal(how)
        return self.process.wait(30)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def start(
    folder: Path,
    *arguments: str,
    port: int | None = None,
    env: Mapping[str, str] | None = None,
) -> Server:
    """Start ``smemkit serve`` on a store in this folder and wait until it answers."""
    port = port or free_port()
    environment = {
        **os.environ,
        "SCIENCE_AGENT_LOG_DIR": str(folder / "logs"),
        "PYTHONUNBUFFERED": "1",
        **(env or {}),
    }
    process = subprocess.Popen(
        [
            *(
                sys.executable,
                "-m",
                "smemkit",
                "serve",
                str(folder / "memory"),
                "--create",
            ),
            *("--port", str(port), *arguments),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    token = environment.get(TOKEN_NAME)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    client = httpx.Client(base_url=url, headers=headers, timeout=30, trust_env=False)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            client.get("/health")
        except httpx.TransportError:
            if process.poll() is not None:
                break
            time.sleep(0.02)
        else:
            return Server(process, url, client)
    process.kill()
    raise RuntimeError(f"the server did not start: {process.stdout.read()}")


@contextmanager
def started(folder: Path, *arguments: str, **options: object) -> Iterator[Server]:
    """Yield a running server and stop it afterwards."""
    server = start(folder, *arguments, **options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        server.process.stdout.close()
