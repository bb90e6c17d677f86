# SPDX-License-Identifier: Apache-2.0
"""How an error looks on the wire: three bodies, kept apart (contract/http.md §1.4).

* framework validation, 422: ``{"detail": [{"type", "loc", "msg", "input"}, …]}``
* own checks, 400, 404, 422: ``{"detail": {"code", "message", "instruction"?}}``
* plain, 401, 404 (no route), 405, 413, 500: ``{"detail": "<text>"}``

The browser routes say ``{"error": "<text>"}`` instead (contract/http.md §10).
No answer carries the text of an exception that was not raised for the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as PlainError

from smemkit.errors import BadRequest, DeclareError, NotFound, SmemError
from smemkit.server.wire import BrowserReply, Reply

SHOWN = 200
"""Characters of a refused input that its error repeats."""

MOST_ERRORS = 100
"""Entries of the list that says what is wrong with a body."""

MOST_TEXT = 1_000
"""Characters of a message of our own checks, which names what was asked for."""

SECRET_ROUTES = ("/internal/neo4j-password", "/api/memory/settings")
BROWSER = "/api/"


class Refusal(Exception):
    """A request that our own checks refuse.

    Parameters
    ----------
    status : int
        400, 404 or 422.
    code : str
        The machine's word, such as ``bad_request``.
    message : str
        The contract's own text where it has one.
    instruction : str, optional
        What to do next; left out of the answer when empty.
    """

    def __init__(
        self, status: int, code: str, message: str, instruction: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.detail: dict[str, str] = {
            "code": code,
            "message": _cut(message, MOST_TEXT),
        }
        if instruction:
            self.detail["instruction"] = instruction


def bad_request(message: str) -> Refusal:
    """Return the 400 of a request that is well formed and makes no sense."""
    return Refusal(400, "bad_request", message)


def not_found(message: str) -> Refusal:
    """Return the 404 of something that is not in the memory."""
    return Refusal(404, "not_found", message)


def no_text(name: str, body: Mapping[str, object]) -> RequestValidationError:
    """Return the framework's own error for a text that is null or not there."""
    entry: dict[str, object] = {
        "type": "missing",
        "loc": ("body", name),
        "msg": "Field required",
        "input": dict(body),
    }
    if name in body:
        entry |= {
            "type": "string_type",
            "msg": "Input should be a valid string",
            "input": body[name],
        }
    return RequestValidationError([entry])


def install(app: FastAPI) -> None:
    """Make the app answer every expected error in its shape."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(PlainError, _plain)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(DeclareError, _declared)
    app.add_exception_handler(SmemError, _ours)


def _answer(request: Request, status: int, detail: object, text: str) -> Response:
    if request.url.path.startswith(BROWSER):
        return BrowserReply({"error": text}, status)
    return Reply({"detail": detail}, status)


async def _invalid(request: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else ()
    path = request.url.path
    if path.startswith(BROWSER):
        broken = any(entry["type"] == "json_invalid" for entry in found)
        text = "Request body must be valid JSON" if broken else _summary(found)
        return BrowserReply({"error": text}, 400)
    secret = path in SECRET_ROUTES
    shown = [_entry(entry, secret=secret) for entry in found[:MOST_ERRORS]]
    return Reply({"detail": shown}, 422)


def _summary(found: Sequence[Mapping[str, object]]) -> str:
    for entry in found:
        loc = entry.get("loc")
        where = (
            ".".join(str(part) for part in loc[1:]) if isinstance(loc, tuple) else ""
        )
        return f"{where or 'body'}: {entry.get('msg')}"
    return "Request body must be valid JSON"


def _entry(entry: Mapping[str, object], *, secret: bool) -> dict[str, object]:
    loc = entry.get("loc", ())
    shown: dict[str, object] = {
        "type": entry.get("type"),
        "loc": [part if isinstance(part, int) else _cut(part) for part in loc]
        if isinstance(loc, tuple | list)
        else [],
        "msg": _cut(entry.get("msg", "")),
    }
    if not secret:
        shown["input"] = _small(entry.get("input"))
    if "ctx" in entry and isinstance(entry["ctx"], Mapping):
        shown["ctx"] = {str(key): _small(value) for key, value in entry["ctx"].items()}
    return shown


def _cut(value: object, most: int = SHOWN) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _small(value: object, depth: int = 3) -> object:
    """Return as much of a refused value as helps to find it."""
    if isinstance(value, bytes):  # a body that was not sent as JSON
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, int) and value.bit_length() > 64:
        return _cut(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {
            _cut(key): _small(item, depth - 1) for key, item in list(value.items())[:20]
        }
    if isinstance(value, list | tuple):
        return [_small(item, depth - 1) for item in value[:20]]
    return _cut(value)


async def _plain(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, PlainError) else 500
    detail = error.detail if isinstance(error, PlainError) else "Internal Server Error"
    headers = getattr(error, "headers", None)
    if status == 400:  # the body is no JSON that Python can read
        failed = RequestValidationError(
            [
                {
                    "type": "json_invalid",
                    "loc": ("body", 0),
                    "msg": "JSON decode error",
                    "input": {},
                }
            ]
        )
        return await _invalid(request, failed)
    text = "Unauthorized" if status == 401 else str(detail)
    answer = _answer(request, status, detail, text)
    if headers:
        answer.headers.update(headers)
    return answer


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, Refusal) else 500
    detail = error.detail if isinstance(error, Refusal) else {}
    return _answer(request, status, detail, detail.get("message", ""))


async def _declared(request: Request, error: Exception) -> Response:
    if not isinstance(error, DeclareError):
        raise error
    refusal = Refusal(422, error.code, error.asked, error.instruction)
    return await _refused(request, refusal)


async def _ours(request: Request, error: Exception) -> Response:
    """Answer what a verb refused: the caller's mistake is told, the store's is not."""
    if isinstance(error, NotFound):
        return await _refused(request, not_found(str(error)))
    if isinstance(error, BadRequest):
        return await _refused(request, Refusal(422, "invalid_value", str(error)))
    raise error
