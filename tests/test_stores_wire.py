# SPDX-License-Identifier: Apache-2.0
"""Whatever a server does, one of our errors says so, and the token stays."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from smemkit.errors import BadRequest, NotAMemory, StoreUnreachable
from smemkit.stores.http import HttpStore


@pytest.mark.parametrize("url", ["http://", "http://a:b@127.0.0.1:1", "http://[::1"])
def test_an_address_that_is_none_is_refused(url):
    """Without a host, with a password in it, or not to be read at all."""
    with pytest.raises(BadRequest):
        HttpStore(url)


class Odd(BaseHTTPRequestHandler):
    """Sends elsewhere, never ends, or answers what no memory would."""

    def do_GET(self) -> None:
        getattr(self, self.path.split("/")[1])()

    def elsewhere(self) -> None:
        self.send_response(307)
        self.send_header("location", "http://localhost:9/health")
        self.end_headers()

    def slowly(self) -> None:
        self.endless(b" ", 0.1)

    def hugely(self) -> None:
        self.endless(b" " * (1 << 20), 0.0)

    def refusing(self) -> None:
        self.send_response(400)
        self.end_headers()
        self.wfile.write(b'{"error":"what?"}')

    def endless(self, part: bytes, pause: float) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(part)
                time.sleep(pause)

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("elsewhere", NotAMemory, "status 307, which sends elsewhere"),
        ("slowly", StoreUnreachable, "no answer in time"),
        ("hugely", NotAMemory, "more than 1 MB"),
        ("refusing", NotAMemory, "status 400"),
    ],
)
def test_an_answer_that_is_none_is_told(monkeypatch, path, error, said):
    """A redirect is not followed; neither time nor memory is spent without end."""
    monkeypatch.setattr("smemkit.stores._wire.LARGEST", 1 << 20)
    with ThreadingHTTPServer(("127.0.0.1", 0), Odd) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/{path}"
        with pytest.raises(error, match=said):
            HttpStore(url, "secret", timeout=1)
        server.shutdown()


@pytest.mark.parametrize("token", ["tail\n", " lead", "a\rb", b"bytes", 5])
def test_a_token_that_cannot_be_sent_is_told_from_a_dead_server(token):
    """Read from a file with its line break; the message does not show it."""
    with pytest.raises(BadRequest, match="line break") as caught:
        HttpStore("http://127.0.0.1:9", token)
    assert str(token).strip() not in str(caught.value)
