# SPDX-License-Identifier: Apache-2.0
"""A real Neo4j Community server for tests: its jars, one start, its end.

``python -m tests.neo4j_server FOLDER`` starts one for you, until Ctrl-C.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

import smemkit

ROOT = Path(__file__).resolve().parent.parent
POM = ROOT / "tests" / "neo4j" / "pom.xml"
CACHE = ROOT / ".venv" / "neo4j"
PATIENCE = 120.0
"""Seconds until a server must answer; after a kill it first recovers."""

FOLDERS = (
    "conf",
    "data",
    "logs",
    "plugins",
    "import",
    "run",
    "certificates",
    "licenses",
)
OPENED = ("java.nio", "java.io", "sun.nio.ch")
CONF = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.memory.pagecache.size=256m
dbms.usage_report.enabled=false
"""


class NoServer(Exception):
    """No server can run on this machine; the text says why in one line."""


def jars() -> Path:
    """Return the folder of the server's jars, copied once per version of the POM.

    Raises
    ------
    NoServer
        Java or Maven is missing, or Maven could not get the jars.
    """
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            raise NoServer(f"no Neo4j server: {program} is not installed")
    folder = CACHE / hashlib.sha256(POM.read_bytes()).hexdigest()[:12]
    if folder.is_dir():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=CACHE))
    command = ["mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={fresh}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(fresh)
        reason = next(
            (x for x in done.stdout.splitlines() if "ERROR" in x), "no output"
        )
        raise NoServer(f"no Neo4j server: Maven could not get its jars: {reason[:200]}")
    try:
        fresh.rename(folder)
    except OSError:  # another run of the tests was quicker
        shutil.rmtree(fresh)
    return folder


@dataclass(frozen=True)
class Address:
    """Where a server is, and what a client that is not smemkit does there."""

    url: str
    auth: tuple[str, str]

    def ask(self, query: str, **values: object) -> list[dict[str, object]]:
        """Ask as a client that is not smemkit."""
        return ask(self.url, self.auth, query, **values)

    def open(self, **options: object) -> smemkit.Memory:
        """Open the memory that lives there."""
        return smemkit.open(self.url, auth=self.auth, **options)

    def wipe(self) -> None:
        """Delete every node; constraints and indexes stay."""
        self.ask("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")


@contextlib.contextmanager
def serving(home: Path, named: Mapping[str, str]) -> Iterator[Address]:
    """Yield a server: the one SMEMKIT_NEO4J_URL names, or a new one in this folder.

    Raises
    ------
    NoServer
        There is none, or the one that is named is not empty.
    """
    if url := named.get("SMEMKIT_NEO4J_URL"):
        user = named.get("SMEMKIT_NEO4J_USER", "neo4j")
        address = Address(url, (user, named.get("SMEMKIT_NEO4J_PASSWORD", "neo4j")))
        if address.ask("MATCH (n) WHERE NOT n:_SmemkitLock RETURN n LIMIT 1"):
            raise NoServer(
                f"{url} is not empty, and the tests delete all that is there"
            )
        yield address
        address.wipe()
        return
    server = Server(home, jars())
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


@dataclass
class Server:
    """One server in a folder of its own; it may be killed and started again."""

    home: Path
    lib: Path
    port: int = 0
    password: str = field(default_factory=lambda: secrets.token_hex(8))
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def auth(self) -> tuple[str, str]:
        return ("neo4j", self.password)

    @property
    def address(self) -> Address:
        return Address(self.url, self.auth)

    def start(self) -> None:
        """Start it and wait until it answers with our password."""
        fresh = not self.port
        if fresh:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
            for name in FOLDERS:
                (self.home / name).mkdir(parents=True)
            conf = self.home / "conf" / "neo4j.conf"
            conf.write_text(CONF.format(port=self.port))
        opens = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
        command = ["java", "-Xms512m", "-Xmx512m", *opens, "-cp", f"{self.lib}/*"]
        command += ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={self.home}"]
        command += [f"--config-dir={self.home / 'conf'}"]
        with (self.home / "logs" / "console.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._wait(("neo4j", "neo4j") if fresh else self.auth)
        if fresh:
            change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new"
            ask(
                self.url,
                ("neo4j", "neo4j"),
                change,
                database="system",
                new=self.password,
            )
            self._wait(self.auth)

    def _wait(self, auth: tuple[str, str]) -> None:
        end = time.monotonic() + PATIENCE
        while not self._answers(auth):
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"Neo4j did not start; see {self.home}/logs")
            time.sleep(0.1)

    def _answers(self, auth: tuple[str, str]) -> bool:
        try:
            ask(self.url, auth, "RETURN 1")
        except Neo4jError as error:
            # The first password lets in, but only to change it.
            return "CredentialsExpired" in (error.code or "")
        except (DriverError, OSError):
            return False
        return True

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            os.kill(self._process.pid, how)
            self._process.wait(60)
            self._process = None


def ask(
    url: str,
    auth: tuple[str, str],
    query: str,
    *,
    database: str = "neo4j",
    **values: object,
) -> list[dict[str, object]]:
    """Ask as a client that is not smemkit; one try, one transaction."""
    with (
        neo4j.GraphDatabase.driver(url, auth=auth) as driver,
        driver.session(database=database) as session,
    ):
        return session.run(query, values).data()


def main(folder: str) -> None:
    """Start a server in a new folder, say how to open it, and stop it at Ctrl-C."""
    server = Server(Path(folder).resolve(), jars())
    server.start()
    sys.stdout.write(f"smemkit.open({server.url!r}, auth={server.auth!r})\n")
    sys.stdout.flush()
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
    server.stop()


if __name__ == "__main__":
    main(sys.argv[1])
