# SPDX-License-Identifier: Apache-2.0
"""A connection to a server: every way it can fail is one error of ours.

A redirect is not followed, so that the token stays with the host it was given
for; an answer that is too large or does not end is not read to its end.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from smemkit.errors import (
    BadRequest,
    MissingExtra,
    NotAMemory,
    StoreClosed,
    StoreUnreachable,
    WrongToken,
)

if TYPE_CHECKING:
    import httpx

LARGEST = 256 * 1024 * 1024
"""Bytes that one answer may have: a page of 5,000 long rows is far below."""

Row = Mapping[str, object]

IN_A_SHELL = "in a shell set SCIENCE_AGENT_MEMORY_GRAPH_INTERNAL_TOKEN"

_REFUSED = " refused"


class Wire:
    """One connection, with its token."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra("httpx", "server") from error
        try:
            parts = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise BadRequest(f"url={url!r}", found=str(error)) from error
        if parts.scheme not in {"http", "https"} or not parts.host:
            raise BadRequest(
                f"url={url!r}", found="no http address", do="give http://host:port"
            )
        if parts.userinfo:
            raise BadRequest(
                f"a url on host {parts.host!r}",
                found="a password in it",
                do=f"give token= instead; {IN_A_SHELL}",
            )
        self.url = str(parts).rstrip("/")
        headers = [(b"authorization", f"Bearer {_sendable(token)}".encode())]
        self._httpx = httpx
        self._timeout = timeout
        self._client: httpx.Client | None = httpx.Client(
            base_url=self.url,
            headers=headers if token else [],
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
        )

    def check(self) -> None:
        """Ask whether a memory is there, and whether it lets us in."""
        health = self._ask("GET", "/health")
        if not isinstance(health.get("status"), str):
            raise NotAMemory(self.url, found="its /health has no status")
        if health["status"] != "healthy":
            raise StoreUnreachable(
                self.url,
                found=f"its store is {str(health['status'])[:40]!r}",
                do="look at the settings of the app, or at the server's log",
            )
        self.post("/query/chain-exists", {"node_id": "-", "kinds": ["viewOutput"]})

    def post(self, route: str, body: Mapping[str, object]) -> Row | None:
        """Return the answer to a question; None for a name the server does not know."""
        answer = self._ask("POST", route, body)
        if answer.get("reason") == "memory_graph_unreachable":
            raise StoreUnreachable(self.url, found="its store does not answer")
        return None if answer.get(_REFUSED) else answer

    def close(self) -> None:
        """Close the connection; further questions are refused."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def _ask(
        self, method: str, route: str, body: Mapping[str, object] | None = None
    ) -> Row:
        if self._client is None:
            raise StoreClosed(self.url, found="it was closed", do="open it again")
        try:
            request = self._client.build_request(method, route, json=body)
            until = time.monotonic() + self._timeout
            with contextlib.closing(self._client.send(request, stream=True)) as answer:
                return self._read(route, answer.status_code, self._body(answer, until))
        except self._httpx.TimeoutException as error:
            raise StoreUnreachable(
                f"{self.url}{route}",
                found="no answer in time",
                do="give a larger timeout",
            ) from error
        except self._httpx.HTTPError as error:
            raise StoreUnreachable(
                self.url, found=type(error).__name__, do="is the server running?"
            ) from error

    def _body(self, answer: httpx.Response, until: float) -> bytes:
        """Return what was answered; what never ends is not waited for."""
        body = bytearray()
        for part in answer.iter_bytes():
            body += part
            if len(body) > LARGEST:
                raise NotAMemory(
                    self.url, found=f"an answer of more than {LARGEST >> 20} MB"
                )
            if time.monotonic() > until:
                raise self._httpx.ReadTimeout("")
        return bytes(body)

    def _read(self, route: str, status: int, body: bytes) -> Row:
        if status in {401, 403}:
            raise WrongToken(
                self.url,
                found=f"refused with {status}",
                do=f"give its token=; {IN_A_SHELL}",
            )
        if status >= 500:
            raise StoreUnreachable(f"{self.url}{route}", found=f"status {status}")
        if 300 <= status < 400:
            raise NotAMemory(
                f"{self.url}{route}",
                found=f"status {status}, which sends elsewhere",
                do="give the address of the memory itself",
            )
        found = _object(body) if status in {200, 400} else None
        if found is None or (status == 400 and not _knows_no_such(found)):
            raise NotAMemory(
                f"{self.url}{route}", found=f"status {status} and no answer of a memory"
            )
        return found if status == 200 else {_REFUSED: True}


def _sendable(token: object) -> str:
    """Return a token that a header can carry; the message never shows it."""
    if token is None:
        return ""
    if not isinstance(token, str) or token != token.strip() or not token.isprintable():
        raise BadRequest(
            "the token=",
            found="no text, or blanks or a line break in it",
            do="give token.strip() if it was read from a file",
        )
    return token


def _object(body: bytes) -> Row | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _knows_no_such(answer: Row) -> bool:
    """Tell whether a 400 is a server's that is older than a label or an edge type."""
    detail = answer.get("detail")
    return isinstance(detail, dict) and detail.get("code") == "bad_request"
