# SPDX-License-Identifier: Apache-2.0
"""``smemkit serve``: one process that serves a memory until Ctrl-C.

This file loads no web library by itself, so that the command line stays quick;
`run` does, and says which extra brings them.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import ipaddress
import json
import os
import signal
import socket
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from smemkit.errors import (
    BadRequest,
    MissingExtra,
    SmemError,
    StoreNotFound,
    StoreUnreachable,
)
from smemkit.settings import DEFAULT_TOKEN, GRAPH, Settings, internal_token
from smemkit.stores._folder import folder_of

if TYPE_CHECKING:
    from smemkit.server.backends import Backends
    from smemkit.server.logs import Log

TOKEN = f"{GRAPH}INTERNAL_TOKEN"
EXAMPLE = (
    f"example: {TOKEN}=$(openssl rand -hex 16 | tee /dev/stderr) "
    "smemkit serve ~/.science-agent/memory-graph"
)
"""Shows the token it makes, for whoever is to read the memory."""
BOLT_SCHEMES = ("neo4j://", "neo4j+s://", "bolt://", "bolt+s://")
STOP_PATIENCE = 5
"""Seconds that running requests are given when the server stops."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``serve`` command to the command line."""
    text = "Serve a memory over HTTP, as the ScienceDiscovery app's own sidecar does."
    parser = commands.add_parser(
        "serve",
        help=text,
        description=text,
        epilog=EXAMPLE,
        # Broken into two lines, the example would serve without its token.
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "store",
        metavar="STORE",
        nargs="?",
        help="a memory: what smemkit.open takes (the app's own directory if left out)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help=f"where to listen; beyond this machine only with {TOKEN} set (127.0.0.1)",
    )
    parser.add_argument(
        "--port", metavar="N", type=int, help="which port; 0: any (17674)"
    )
    parser.add_argument(
        "--browser", action="store_true", help="also serve /api/memory to web pages"
    )
    parser.add_argument(
        "--origin",
        metavar="URL",
        action="append",
        default=[],
        help="a page that may read /api/memory, such as http://127.0.0.1:4310; may be repeated",
    )
    parser.add_argument(
        "--create",
        action="store_true",
        help="serve a STORE that does not exist yet; the first write makes it",
    )
    parser.add_argument(
        "--json", action="store_true", help="say where it listens as one JSON object"
    )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Serve until stopped, and return the exit code."""
    for library in ("fastapi", "uvicorn"):
        if importlib.util.find_spec(library) is None:
            raise MissingExtra(library, "server")
    settings = settings_of(options)
    listening = bind(settings)
    settings = replace(settings, port=listening.getsockname()[1])
    with listening:
        return _serve(settings, listening, options)


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of the environment, overruled by the command line.

    Raises
    ------
    BadRequest
        An address beyond this machine without a token of one's own.
    """
    settings = Settings.from_environment()
    origins = (*settings.origins, *options.origin)
    settings = replace(
        settings,
        host=options.host or settings.host,
        port=settings.port if options.port is None else options.port,
        browser=options.browser or bool(options.origin),
        origins=origins,
    )
    if options.store is not None:
        bolt = options.store.startswith(BOLT_SCHEMES)
        settings = (
            replace(settings, backend="neo4j", neo4j_bolt=options.store)
            if bolt
            else replace(settings, backend="local", store=options.store)
        )
    if not 0 <= settings.port < 65_536:
        raise BadRequest(
            f"port {settings.port}", found="not a port", do="give 0 to 65535"
        )
    if not is_loopback(settings.host):
        _need_token(settings.host, told=options.host is not None)
    return settings


def is_loopback(host: str) -> bool:
    """Tell whether an address can be reached from this machine only.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _need_token(host: str, *, told: bool) -> None:
    asked = f"listening on {host!r}"
    token = internal_token()
    if not told:
        raise BadRequest(
            asked,
            found=f"only {GRAPH}HOST says so",
            do=f"give --host {host} too, or unset the variable",
        )
    if token is None:
        raise BadRequest(
            asked, found="no token", do=f"set {TOKEN} to a secret of your own"
        )
    if token == DEFAULT_TOKEN:
        raise BadRequest(
            asked,
            found="the token is the app's default, which everyone knows",
            do=f"set {TOKEN} to a secret of your own",
        )


def bind(settings: Settings) -> socket.socket:
    """Return a socket that listens, or say what stands in the way.

    Raises
    ------
    StoreUnreachable
        The port is taken, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    at = f"listening on {settings.host}:{settings.port}"
    # asyncio sends small answers at once only on a socket that says it is TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A port whose last server was killed may be taken again at once.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise StoreUnreachable(
                at,
                found="the port is taken, perhaps by another smemkit serve",
                do="stop that one, or give another --port",
            ) from None
        raise StoreUnreachable(at, found=error.strerror or str(error)) from None
    return listening


def _serve(
    settings: Settings, listening: socket.socket, options: argparse.Namespace
) -> int:
    import uvicorn

    from smemkit.server.app import create_app
    from smemkit.server.backends import Backends
    from smemkit.server.logs import Log

    log = Log(settings)
    stores = Backends(settings)
    config = uvicorn.Config(
        create_app(settings, stores, log),
        log_config=None,
        # Our own log has every request; uvicorn would print the words of errors,
        # and a page of them for a request that does not end with the server.
        log_level="critical",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=STOP_PATIENCE,
    )
    # Told to end by a supervisor it ends as on Ctrl-C.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if options.store is not None and settings.backend == "local":
            need_folder(settings.store, create=options.create)
        _open(stores, named=options.store is not None)
        _announce(settings, log, as_json=options.json)
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # uvicorn raises the signal again when it has stopped
    finally:
        signal.signal(signal.SIGTERM, before)
        stores.close()
        log.say("stopped")
        log.close()
    if not options.json:
        sys.stdout.write("stopped\n")
    return 0


def need_folder(store: str, *, create: bool) -> None:
    """Refuse a folder that was named and does not exist, unless it may be made.

    Raises
    ------
    StoreNotFound
        Most likely the name is mistyped: an empty memory would be served.

    Examples
    --------
    >>> need_folder("/nowhere", create=False)
    Traceback (most recent call last):
        ...
    smemkit.errors.StoreNotFound: serve '/nowhere': this folder does not exist yet; \
check the path, or give --create
    """
    if create or store == ":memory:" or "://" in store:
        return
    folder = folder_of(store)
    if not folder.exists():
        raise StoreNotFound(
            f"serve {str(folder)!r}",
            found="this folder does not exist yet",
            do="check the path, or give --create",
        )


def _open(stores: Backends, *, named: bool) -> None:
    try:
        stores.open_now()
    except SmemError as error:
        if named:
            raise
        # The app's server starts all the same, and says degraded.
        sys.stderr.write(f"smemkit: {error}\n")


def _announce(settings: Settings, log: Log, *, as_json: bool) -> None:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{host}:{settings.port}"
    store = (
        f"Neo4j at {settings.neo4j_bolt or settings.neo4j_http}"
        if settings.backend == "neo4j"
        else settings.store
    )
    lines = [f"smemkit serves {store}", f"listening on {url}", f"log: {log.place}"]
    token = internal_token()
    if token is None:
        lines.append(
            f"no token: every program on this machine may read and write; set {TOKEN}"
        )
    elif token == DEFAULT_TOKEN:
        lines.append(
            f"the token is the app's default, which everyone knows; set {TOKEN}"
        )
    lines.append("stop it with Ctrl-C")
    told = {"url": url, "store": store, "log": log.place, "pid": os.getpid()}
    sys.stdout.write((json.dumps(told) if as_json else "\n".join(lines)) + "\n")
    sys.stdout.flush()
    log.say(f"listening on {url}")
    if token in {None, DEFAULT_TOKEN}:
        log.warn("no token of your own is set")
