# SPDX-License-Identifier: Apache-2.0
"""How an answer leaves: encoded once, sent as it is.

An answer of the memory is its own wire form (`to_dict`); nothing validates or
copies it again on the way out, which is most of what a route would cost.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from fastapi import Request, Response

from smemkit.stores._lines import fast_dumps

if TYPE_CHECKING:
    from smemkit.server.backends import Backends


_fast = fast_dumps()


def encode(answer: object) -> bytes:
    """Return an answer as compact JSON in UTF-8.

    What a store may hold and JSON has no word for is null: NaN and infinity.

    Examples
    --------
    >>> encode({"a": [1, None]}), encode({"big": 1 << 80, "odd": float("nan")})
    (b'{"a":[1,null]}', b'{"big":1208925819614629174706176,"odd":null}')
    """
    try:
        return _fast(answer)
    except TypeError:  # a number beyond 64 bits, or half of a surrogate pair
        return json.dumps(_plain(answer), separators=(",", ":")).encode()


def _plain(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


class Reply(Response):
    """An answer of the sidecar routes."""

    media_type = "application/json"

    def __init__(self, answer: object, status: int = 200) -> None:
        super().__init__(encode(answer), status)


class BrowserReply(Reply):
    """An answer of the browser routes (contract/http.md §10)."""

    def __init__(self, answer: object, status: int = 200) -> None:
        super().__init__(answer, status)
        self.body = bytes(self.body) + b"\n"
        self.headers["content-length"] = str(len(self.body))
        self.headers["cache-control"] = "no-store"
        self.headers["x-content-type-options"] = "nosniff"


Body = dict[str, object]
"""The body of an answer, before it is encoded."""


class Answer(Protocol):
    """What a verb of the memory returns."""

    def to_dict(self) -> dict[str, object]:
        """Return the wire form."""
        ...


def backends(request: Request) -> Backends:
    """Return the stores of the server that got this request."""
    found: Backends = request.app.state.backends
    return found
