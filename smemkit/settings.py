# SPDX-License-Identifier: Apache-2.0
"""Settings: the one place that reads environment variables.

The names that begin with ``SCIENCE_AGENT_`` are the app's (contract/http.md §8),
so that one environment starts either server; ``SMEMKIT_`` ones are ours.
docs/http.md lists them all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from smemkit.errors import BadRequest

GRAPH = "SCIENCE_AGENT_MEMORY_GRAPH_"
DEFAULT_TOKEN = "sciencediscovery-memory-graph-local"
"""The token the app's start script sets when nobody chose one: it is public."""

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 17674
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True)
class Settings:
    """What the server is told from outside; nothing in it changes while it runs.

    Attributes
    ----------
    host, port : str, int
        Where to listen.
    backend : str
        ``local`` or ``neo4j``: the store that answers at first.
    store : str
        What `smemkit.open` takes for the local backend.
    neo4j_http, neo4j_user, neo4j_password : str, str, str or None
        The first Neo4j connection; a push may replace all three.
    neo4j_bolt : str or None
        The Bolt address to use whatever HTTP address is pushed.
    neo4j_hosts : tuple of str
        Hosts beyond this machine that a pushed address may name.
    log_level, log_dir, log_max_bytes, log_backups
        Level by name, folder of ``memory-graph.log``, size rotation.
    stated_in_interval : float
        Seconds between two looks for a report that is not there yet.
    hosts, origins : tuple of str
        Further names this server is reached by; pages that may read from it.
    browser : bool
        Whether the ``/api/memory`` routes are served.

    Examples
    --------
    >>> Settings.from_environment({}).port
    17674
    >>> Settings.from_environment({"SCIENCE_AGENT_MEMORY_GRAPH_BACKEND": " Neo4j "}).backend
    'neo4j'
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    backend: str = "local"
    store: str = "~/.science-agent/memory-graph"
    neo4j_http: str = "http://127.0.0.1:7474"
    neo4j_user: str = "neo4j"
    neo4j_password: str | None = field(default=None, repr=False)
    neo4j_bolt: str | None = None
    neo4j_hosts: tuple[str, ...] = ()
    log_level: str = "INFO"
    log_dir: Path = Path("data/logs")
    log_max_bytes: int = 10_485_760
    log_backups: int = 5
    stated_in_interval: float = 0.3
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    browser: bool = False

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Return the settings of this process's environment, or of a given one.

        Raises
        ------
        BadRequest
            A port or an interval that is no number; the variable is named. What
            the app reads leniently (levels, sizes, the backend) stays lenient.
        """
        env = os.environ if environ is None else environ
        backend = env.get(f"{GRAPH}BACKEND", "").strip().lower()
        return cls(
            host=env.get(f"{GRAPH}HOST") or DEFAULT_HOST,
            port=_port(env, f"{GRAPH}PORT"),
            backend="neo4j" if backend == "neo4j" else "local",
            store=env.get(f"{GRAPH}DATA_DIR") or cls.store,
            neo4j_http=env.get(f"{GRAPH}NEO4J_HTTP") or cls.neo4j_http,
            neo4j_user=env.get(f"{GRAPH}NEO4J_USER") or cls.neo4j_user,
            neo4j_password=env.get(f"{GRAPH}NEO4J_PASSWORD") or None,
            neo4j_bolt=env.get("SMEMKIT_NEO4J_BOLT") or None,
            neo4j_hosts=_words(env.get("SMEMKIT_NEO4J_HOSTS")),
            log_level=_level(env),
            log_dir=_log_dir(env),
            log_max_bytes=_positive(env.get("SCIENCE_AGENT_LOG_MAX_BYTES"), 10_485_760),
            log_backups=_positive(env.get("SCIENCE_AGENT_LOG_BACKUP_COUNT"), 5),
            stated_in_interval=_seconds(env, "SMEMKIT_STATED_IN_INTERVAL", 0.3),
            hosts=_words(env.get("SMEMKIT_ALLOWED_HOSTS")),
            origins=_words(env.get("SMEMKIT_ALLOWED_ORIGINS")),
        )


def internal_token() -> str | None:
    """Return the token that requests must carry now, or None if none is asked for.

    Read anew for each request, so that a token can be changed while the server
    runs (contract/http.md §1.2).
    """
    return os.environ.get(f"{GRAPH}INTERNAL_TOKEN") or None


def _words(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").replace(",", " ").split())


def _positive(text: str | None, default: int) -> int:
    try:
        number = int(text or "")
    except ValueError:
        return default
    return number if number > 0 else default


def _port(env: Mapping[str, str], name: str) -> int:
    text = env.get(name, "").strip()
    if not text:
        return DEFAULT_PORT
    if text.isascii() and text.isdecimal() and int(text) < 65_536:
        return int(text)
    raise BadRequest(
        f"{name}={text!r}", found="not a port", do="give a number from 0 to 65535"
    )


def _seconds(env: Mapping[str, str], name: str, default: float) -> float:
    text = env.get(name, "").strip()
    if not text:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if 0 <= seconds <= 60:
        return seconds
    raise BadRequest(
        f"{name}={text!r}", found="not a time", do="give seconds from 0 to 60"
    )


def _level(env: Mapping[str, str]) -> str:
    for name in (f"{GRAPH}LOG_LEVEL", "SCIENCE_AGENT_LOG_LEVEL"):
        level = env.get(name, "").strip().upper()
        if level:
            return level if level in LEVELS else "INFO"
    return "INFO"


def _log_dir(env: Mapping[str, str]) -> Path:
    if folder := env.get("SCIENCE_AGENT_LOG_DIR"):
        return Path(folder).expanduser()
    if folder := env.get("SCIENCE_AGENT_DATA_DIR"):
        return Path(folder).expanduser() / "logs"
    return Path("data/logs")


def live_notebook(environ: Mapping[str, str] | None = None) -> bool:
    """Return whether a Jupyter server runs this Python for an open notebook.

    Examples
    --------
    >>> live_notebook({}), live_notebook({"JPY_SESSION_NAME": "a.ipynb"})
    (False, True)
    """
    return bool((os.environ if environ is None else environ).get("JPY_SESSION_NAME"))
