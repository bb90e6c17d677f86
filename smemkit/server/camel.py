# SPDX-License-Identifier: Apache-2.0
"""How the browser routes spell an answer (contract/http.md §9.1, §10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from smemkit.server.wire import Body

TRACE_KEYS = {
    "start_node": "startNode",
    "via_edge": "viaEdge",
    "is_terminal": "isTerminal",
}


def key(name: str) -> str:
    """Return a name in camel case.

    Examples
    --------
    >>> key("messages_turn_id"), key("tool")
    ('messagesTurnId', 'tool')
    """
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def as_is(body: Body) -> Body:
    """Return an answer that the browser gets as the sidecar gives it."""
    return body


def hits(body: Body) -> Body:
    """Return an answer whose nodes, under ``nodes`` or ``hits``, are renamed."""
    return {
        name: [hit(node) for node in _list(value)]
        if name in {"nodes", "hits"}
        else value
        for name, value in body.items()
    }


def trace(body: Body) -> Body:
    """Return a trace with renamed keys."""
    renamed: Body = {
        TRACE_KEYS.get(str(name), str(name)): value for name, value in body.items()
    }
    start = body.get("start_node")
    renamed["startNode"] = None if start is None else _keys(start)
    renamed["chain"] = [_step(step) for step in _list(body.get("chain"))]
    return renamed


def provenance(body: Body) -> Body:
    """Return a provenance with renamed keys; one with a reason is its reason only."""
    if "reason" in body:
        return {"reason": body["reason"]}
    renamed = _keys(body)
    renamed["dependencies"] = [_keys(each) for each in _list(body.get("dependencies"))]
    return renamed


def hit(node: object) -> Body:
    """Return a node of a list with renamed keys."""
    found = node if isinstance(node, Mapping) else {}
    return {
        "label": found.get("label"),
        "id": found.get("id"),
        "sessionId": found.get("session_id"),
        "sessionTitle": found.get("session_title"),
        "excerpt": found.get("excerpt") or "",
        "extra": found.get("extra") or {},
        "createdAt": found.get("created_at") or "",
    }


def _step(step: object) -> Body:
    if not isinstance(step, Mapping):
        return {}
    renamed: Body = {
        TRACE_KEYS.get(str(name), str(name)): value for name, value in step.items()
    }
    renamed["node"] = _keys(step.get("node"))
    return renamed


def _keys(found: object) -> Body:
    return (
        {key(name): value for name, value in found.items()}
        if isinstance(found, Mapping)
        else {}
    )


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()
