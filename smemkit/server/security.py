# SPDX-License-Identifier: Apache-2.0
"""Who may ask: the token, and the Guard in front of every route.

The Guard is plain ASGI, so that it costs next to nothing. It refuses requests
that a web page of somebody else makes through the reader's browser (a foreign
``Host`` or ``Origin``), bodies that are too large, and it is the last to see an
error: whatever escapes a route becomes a 500 that says nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import re
import time
from collections.abc import Iterable

from fastapi import HTTPException, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smemkit.server.logs import Log
from smemkit.server.wire import BrowserReply, Reply
from smemkit.settings import internal_token

MAX_BODY = 8 << 20
"""Bytes of a request's body."""

MAX_BROWSER_BODY = 1_500_000
"""Bytes of a body sent to the browser routes (contract/http.md §10)."""

MAX_DRAINED = 64 << 20
"""Bytes of a refused body that are read and thrown away: a client that is still
sending would not see the answer."""

PATIENCE = 5.0
"""Seconds that a refused body is waited for; it may only have been announced."""

TOO_LARGE = "the body is too large"
INVALID_TOKEN = "invalid internal token"
BROWSER = "/api/"


def token_fits(header: bytes | None, token: str | None) -> bool:
    """Tell whether an Authorization header carries the token, in constant time.

    Parameters
    ----------
    header : bytes or None
        The whole header value as received.
    token : str or None
        The token asked for; None lets everyone in.

    Examples
    --------
    >>> token_fits(b"Bearer abc", "abc"), token_fits(b"bearer abc", "abc")
    (True, False)
    >>> token_fits(None, None)
    True
    """
    if token is None:
        return True
    # A token that is no UTF-8 comes out of the environment as half surrogates.
    right = b"Bearer " + token.encode(errors="surrogateescape")
    return hmac.compare_digest(header or b"", right)


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first value of a header, or None."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


async def authorise(request: Request) -> None:
    """Let a request pass that carries the token; a dependency of every data route.

    Being a dependency it runs after the body was parsed and before its fields
    are validated, which is the order of contract/http.md §1.2.
    """
    if not token_fits(header(request.scope, b"authorization"), internal_token()):
        raise HTTPException(401, INVALID_TOKEN)


async def authorise_schema(request: Request) -> None:
    """Let only a holder of a token read the schema: without one it is not shown."""
    token = internal_token()
    if token is None or not token_fits(header(request.scope, b"authorization"), token):
        raise HTTPException(401, INVALID_TOKEN)


class Hosts:
    """The names under which this server may be asked, and the pages that may ask.

    Parameters
    ----------
    bound : str
        The address the server listens on.
    names : iterable of str
        Further host names, from the environment.
    origins : iterable of str
        Origins of pages that may read the browser routes, such as
        ``http://127.0.0.1:4310``.

    Examples
    --------
    >>> hosts = Hosts("127.0.0.1")
    >>> hosts.knows("localhost:17674"), hosts.knows("evil.example:17674")
    (True, False)
    """

    def __init__(
        self, bound: str, names: Iterable[str] = (), origins: Iterable[str] = ()
    ) -> None:
        self._names = {name.lower() for name in (bound, "localhost", *names)}
        self._any_address = bound in {"", "0.0.0.0", "::"}
        self._origins = {origin.rstrip("/").lower() for origin in origins}
        self._seen: dict[str, bool] = {}

    def knows(self, host: str) -> bool:
        """Tell whether a Host header names this server; the port does not matter.

        A page that rebinds its name to this machine sends its own name. A
        number cannot be rebound, so loopback numbers always pass, and any
        number does on a server that listens everywhere.
        """
        known = self._seen.get(host)
        if known is None:
            known = self._decide(_without_port(host.lower()))
            if known and len(self._seen) < 1000:
                self._seen[host] = known
        return known

    def listed(self, origin: str) -> bool:
        """Tell whether a page of this origin was allowed by whoever started us."""
        return origin.lower() in self._origins

    def _decide(self, name: str) -> bool:
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or self._any_address


_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:]+))(?::[0-9]{1,5})?")


def _without_port(host: str) -> str:
    found = _HOST.fullmatch(host)
    return found[1] or found[2] if found else host


class Guard:
    """The outermost layer of the app; see this module's description.

    Parameters
    ----------
    app : ASGI app
        What lies behind.
    hosts : Hosts
        Which names and pages are ours.
    log : Log
        Where a request leaves its line.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts, log: Log) -> None:
        self._app = app
        self._hosts = hosts
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or hand the start and stop of the server on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0
        cors: list[tuple[bytes, bytes]] = []

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if cors:
                    message["headers"] = [*message.get("headers", ()), *cors]
            await send(message)

        try:
            refusal = self._refusal(scope, cors)
            if refusal is None:
                await self._app(scope, _capped(scope, receive), noting)
            else:
                if refusal.status_code == 413:
                    await _drain(receive, {})
                await refusal(scope, receive, noting)
        except Exception as error:  # noqa: BLE001 - the last to see it: logged, and a 500
            self._log.failed(scope, error)
            if not status:
                await _plain_500(noting)
        finally:
            self._log.done(scope, status, time.perf_counter() - begun)

    def _refusal(self, scope: Scope, cors: list[tuple[bytes, bytes]]) -> Reply | None:
        """Return the answer to a request that is not to be served, or None."""
        found = {key: value for key, value in scope["headers"] if key in _LOOKED_AT}
        path: str = scope["path"]
        host = found.get(b"host", b"").decode("latin-1")
        if _twice(scope, b"host") or not self._hosts.knows(host):
            return _refused(path, 403, "this server is not reached by that Host")
        origin = found.get(b"origin")
        if origin is not None:
            if _twice(scope, b"origin") or not self._may_read(
                origin.decode("latin-1"), host, path, cors
            ):
                return _refused(
                    path, 403, "pages of that Origin may not read this server"
                )
            if scope["method"] == "OPTIONS" and cors:
                return _preflight()
        elif found.get(b"sec-fetch-site") in {b"cross-site", b"same-site"}:
            return _refused(
                path, 403, "pages of another origin may not read this server"
            )
        if _too_large(found.get(b"content-length"), path):
            return _refused(path, 413, TOO_LARGE)
        return None

    def _may_read(
        self, origin: str, host: str, path: str, cors: list[tuple[bytes, bytes]]
    ) -> bool:
        if origin.lower() == f"http://{host.lower()}":
            return True
        if not (path.startswith(BROWSER) and self._hosts.listed(origin)):
            return False
        cors += [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"vary", b"Origin"),
        ]
        return True


_LOOKED_AT = frozenset({b"host", b"origin", b"sec-fetch-site", b"content-length"})


def _twice(scope: Scope, name: bytes) -> bool:
    return [key for key, _ in scope["headers"]].count(name) > 1


def _limit(path: str) -> int:
    return MAX_BROWSER_BODY if path.startswith(BROWSER) else MAX_BODY


def _too_large(length: bytes | None, path: str) -> bool:
    # A length that is no number never gets here: the HTTP parser refuses it.
    return length is not None and length.isdigit() and int(length) > _limit(path)


def _capped(scope: Scope, receive: Receive) -> Receive:
    """Return a `receive` that also counts a body that came without a length."""
    limit = _limit(scope["path"])
    read = 0

    async def counting() -> Message:
        nonlocal read
        message = await receive()
        body = message.get("body", b"")
        read += len(body) if isinstance(body, bytes) else 0
        if read > limit:
            await _drain(receive, message)
            raise HTTPException(413, TOO_LARGE)
        return message

    return counting


async def _drain(receive: Receive, message: Message) -> None:
    drained = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while message.get("more_body", True) and drained < MAX_DRAINED:
                message = await receive()
                if message["type"] != "http.request":
                    return
                body = message.get("body", b"")
                drained += len(body) if isinstance(body, bytes) else 0


def _refused(path: str, status: int, text: str) -> Reply:
    if path.startswith(BROWSER):
        return BrowserReply({"error": text}, status)
    return Reply({"detail": text}, status)


def _preflight() -> Reply:
    answer = Reply({}, 204)
    answer.body = b""
    answer.headers["access-control-allow-methods"] = "GET, POST, PUT"
    answer.headers["access-control-allow-headers"] = "authorization, content-type"
    answer.headers["access-control-max-age"] = "600"
    del answer.headers["content-length"], answer.headers["content-type"]
    return answer


async def _plain_500(send: Send) -> None:
    body = b"Internal Server Error"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": body})
