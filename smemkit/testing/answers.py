# SPDX-License-Identifier: Apache-2.0
"""Every question a memory answers, as plain data that can be compared."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from smemkit.errors import SmemError
from smemkit.memory import Memory
from smemkit.reading.kinds import ROWS
from smemkit.records import Node
from smemkit.schema import EDGE_TYPES, LABELS, OTHER_EDGE_TYPES, OTHER_LABELS

Question = tuple[str, Callable[[], object]]

_RANDOM = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)

TABLES = ("reports", "nodes", "edges", "timeline", "citations", "artifacts", "papers")


class Names:
    """Gives the random ids of one memory the names ``#1``, ``#2``, … as they come."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def settle(self, text: str) -> str:
        """Return a text with each random id replaced by its name."""
        return _RANDOM.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        return self._known.setdefault(found[0], f"#{len(self._known) + 1}")


def said(ask: Callable[[], object]) -> str:
    """Return an answer, or how it was refused, as text."""
    try:
        found = ask()
    except SmemError as error:
        return f"{type(error).__name__}: {error}"
    return json.dumps(plain(found), sort_keys=True, ensure_ascii=False, default=repr)


def plain(found: Any) -> object:
    """Return an answer as JSON can hold it; a table keeps its columns' order."""
    if hasattr(found, "dtypes"):
        kinds = [[str(name), str(kind)] for name, kind in found.dtypes.items()]
        return [kinds, json.loads(found.to_json(orient="values", date_format="iso"))]
    if hasattr(found, "to_dict"):
        fields = None
        if dataclasses.is_dataclass(found) and not isinstance(found, type):
            fields = dataclasses.asdict(found)
        return [type(found).__name__, found.to_dict(), fields]
    return found


def content(memory: Memory) -> list[object]:
    """Return all records in the order of creation; an edge names its ends by place."""
    with memory.reading() as graph:
        nodes = list(graph.nodes())
        place = {node.id: at for at, node in enumerate(nodes)}
        edges = list(graph.edges())
        return [
            [[node.labels, _typed(node.props)] for node in nodes],
            [[e.type, place[e.src], place[e.dst], _typed(e.props)] for e in edges],
            [
                [place[n.id] for n in graph.nodes(session_id=s)]
                for s in graph.sessions()
            ],
            [
                [[place[e.dst] for e in graph.out(node.id)] for node in nodes],
                [[place[e.src] for e in graph.into(node.id)] for node in nodes],
            ],
            _in_order(nodes) and _in_order(edges),
        ]


def _typed(props: Mapping[str, object]) -> list[str]:
    return sorted(f"{name}={value!r}" for name, value in props.items())


def _in_order(records: list[Any]) -> bool:
    ages = [record.n for record in records]
    return ages == sorted(set(ages))


def questions(memory: Memory) -> Iterator[Question]:
    """Yield every question there is about a memory, with a name for messages."""
    yield "the records", lambda: content(memory)
    with memory.reading() as graph:
        nodes, sessions = list(graph.nodes()), graph.sessions()
    yield "len", partial(len, memory)
    yield "sessions()", memory.sessions
    yield "problems()", memory.problems
    for session in (None, *sessions, "nobody's"):
        yield from _about_session(memory, session)
    for number, node in enumerate(nodes):
        for name, ask in _about_node(memory, node):
            yield f"node {number} ({node.label}): {name}", ask


def _about_session(memory: Memory, session: str | None) -> Iterator[Question]:
    given: dict[str, Any] = {"session_id": session}
    for table in TABLES:
        yield f"{table}({given})", partial(getattr(memory, table), **given)
    yield f"subgraph({given})", partial(memory.subgraph, **given)
    yield f"match({given})", partial(memory.match, "bills depth 锌", **given)
    for label in (*LABELS, *OTHER_LABELS, "Odd"):
        ask = partial(memory.by_node_type, label, **given)
        yield f"by_node_type({label!r}, {given})", ask
    for kind in (*EDGE_TYPES, *OTHER_EDGE_TYPES, "odd_edge"):
        found = partial(memory.by_edge_type, kind, **given)
        yield f"by_edge_type({kind!r}, {given})", found
    for turn in ("t1", "t2"):
        group = partial(memory.group_expansion, turn, **given)
        yield f"group_expansion({turn!r}, {given})", group


def _about_node(memory: Memory, node: Node) -> Iterator[Question]:
    name = node.public_id
    if name is None:
        return
    given: dict[str, Any] = {"session_id": node.session_id}
    yield "node", partial(memory.node, name, label=node.label)
    yield "trace_provenance", partial(memory.trace_provenance, name, **given)
    kinds = [row.name for row in ROWS if row.label in {node.label, "Task"}]
    yield "chain_exists", partial(memory.chain_exists, name, kinds, **given)
    for kind in kinds:
        yield f"chain {kind}", partial(memory.chain, name, kind, **given)
    if node.label == "ToolCall":
        yield "scope_expansion", partial(memory.scope_expansion, name, **given)
    if node.label == "Artifact":
        yield "versions", partial(memory.versions, name)
        asked = partial(memory.artifact_provenance, name, **given)
        yield "artifact_provenance", asked
        text = "It grows [claim1]. It shows [artifact1]. Who knows?"
        yield "audit", partial(memory.audit, name, text=text)
