# SPDX-License-Identifier: Apache-2.0
"""What a local store answers to a Cypher question; the only file that imports kglite.

The engine is filled from the Graph, once per state of it. A node keeps
its labels and all properties; those whose names the engine uses itself are kept
apart under another name (see `smemkit.cypher.dialect`).
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from smemkit.cypher import dialect
from smemkit.cypher.public import node, path, relationship
from smemkit.cypher.questions import Question
from smemkit.cypher.renaming import (
    ENGINE_NAMES,
    KEPT_APART,
    UNLABELLED,
    told,
    translated,
)
from smemkit.cypher.tokens import quoted
from smemkit.errors import BadRequest, MissingExtra
from smemkit.graph import Graph
from smemkit.records import Edge, Node, Value

Answer = tuple[list[str], list[list[Any]]]

AT_ONCE = 5_000
"""How many records are handed over in one go."""

_STRUCTURE = frozenset(("id", "title", "type"))
_NODE = {"id", "labels", "properties"}
_EDGE = {"id", "start", "end", "type", "properties"}
_PATH = {"nodes", "relationships"}
_INT64 = 1 << 63


class Engine:
    """The embedded engine, and which state of a Graph it was filled from.

    Examples
    --------
    >>> from smemkit.cypher.questions import question
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Paper",), {"title": "Penguins"}))
    >>> engine = Engine()
    >>> engine.fill(graph)
    >>> engine.ask(question("MATCH (p:Paper) RETURN p.title", {}))[1]
    [['Penguins']]
    """

    def __init__(self) -> None:
        try:
            import kglite
        except ImportError as error:
            raise MissingExtra("kglite", "cypher") from error
        self._kglite = kglite
        self._graph = kglite.KnowledgeGraph()
        self._filled: tuple[Graph, int] | None = None
        self._uneven: Mapping[str, set[str]] = {}
        self._lock = threading.Lock()

    def fill(self, graph: Graph) -> None:
        """Take a Graph in, unless the engine holds just this state of it."""
        if self._filled is not None and self._filled == (graph, graph.changes):
            return
        fresh = self._kglite.KnowledgeGraph()
        for text, rows in _batches(graph):
            for start in range(0, len(rows), AT_ONCE):
                fresh.cypher(text, params={"rows": rows[start : start + AT_ONCE]})
        fresh.read_only(True)
        self._graph, self._filled = fresh, (graph, graph.changes)
        self._uneven = _uneven(graph)

    def ask(self, asked: Question) -> Answer:
        """Return the columns and rows of an answer.

        Raises
        ------
        BadRequest
            The engine does not understand the question, or would answer it
            differently from Neo4j.
        """
        dialect.check(asked, self._uneven)
        text = translated(asked)
        with self._lock:
            before = self._kglite.get_query_warning_policy()
            self._kglite.set_query_warning_policy("silent")
            try:
                found: Any = self._graph.cypher(
                    text, params=dict(asked.params), hide_structural_keys=True
                )
                rows = found.to_list()
            except (self._kglite.KgError, ValueError, RuntimeError) as error:
                raise BadRequest(
                    quoted(asked.text),
                    found=told(str(error)),
                    do="docs/cypher.md tells what a local store understands",
                ) from error
            finally:
                self._kglite.set_query_warning_policy(before)
        columns = list(found.columns)
        if asked.star:  # the server sorts them
            columns.sort()
        return columns, [[_public(row[name]) for name in columns] for row in rows]


def _batches(graph: Graph) -> Iterable[tuple[str, list[dict[str, object]]]]:
    """Yield the engine's own statements that make the nodes and edges of a Graph."""
    nodes: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for each in graph.nodes():
        nodes.setdefault(_labels(each), []).append({"id": each.id, **_kept(each.props)})
    known: dict[str, dict[str, None]] = {}
    for labels, rows in nodes.items():
        for each_row in rows:
            known.setdefault(labels[0], {}).update(dict.fromkeys(each_row))
    for labels, rows in nodes.items():
        named = "".join(f":{_quoted(label)}" for label in labels)
        # All properties of a label at once: what the first statement leaves out
        # the engine takes for a slip of the pen later.
        names = known[labels[0]]
        filled = ", ".join(f"{_quoted(name)}: row.{_quoted(name)}" for name in names)
        yield f"UNWIND $rows AS row CREATE (n{named} {{{filled}}})", rows
    edges: dict[tuple[str, str, str, str], list[dict[str, object]]] = {}
    for edge in graph.edges():
        src, dst = graph.node(edge.src), graph.node(edge.dst)
        if src is not None and dst is not None:
            row: dict[str, object] = {"src": src.id, "dst": dst.id}
            if edge.props:
                row["props"] = _kept(edge.props)
            filled = " SET e = row.props" if edge.props else ""
            key = (_labels(src)[0], edge.type, _labels(dst)[0], filled)
            edges.setdefault(key, []).append(row)
    for (src_label, edge_type, dst_label, filled), rows in edges.items():
        yield (
            f"UNWIND $rows AS row MATCH (a:{_quoted(src_label)} {{id: row.src}}) "
            f"MATCH (b:{_quoted(dst_label)} {{id: row.dst}}) "
            f"CREATE (a)-[e:{_quoted(edge_type)}]->(b){filled}",
            rows,
        )


def _uneven(graph: Graph) -> dict[str, set[str]]:
    """Return the properties whose values the engines compare differently, and why."""
    found: dict[str, set[str]] = {}
    kinds: dict[str, set[type]] = {}
    records: Iterable[Node | Edge] = (*graph.nodes(), *graph.edges())
    for record in records:
        for name, value in record.props.items():
            kinds.setdefault(name, set()).add(type(value))
            if type(value) is str and value[:1] in "[ " and dialect.list_of_one(value):
                found.setdefault(name, set()).add(dialect.LISTS)
            elif type(value) is float and value and not 1e-3 <= abs(value) < 1e7:
                found.setdefault(name, set()).add(dialect.FAR)
    for name, types in kinds.items():
        if {int, float} <= types:
            found.setdefault(name, set()).add(dialect.MIXED)
        if len(types) > 1 and not types <= {int, float}:
            found.setdefault(name, set()).add(dialect.KINDS)
    return found


def _labels(each: Node) -> tuple[str, ...]:
    return each.labels or (UNLABELLED,)


def _kept(props: Mapping[str, Value]) -> dict[str, object]:
    return {
        KEPT_APART + name if name in ENGINE_NAMES else name: _held(value)
        for name, value in props.items()
    }


def _held(value: object) -> object:
    """Return a value as the engine can hold it: odd ones of old files as text."""
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return str(value)
    if isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(v, list | dict) for v in value)
    ):
        return json.dumps(value, ensure_ascii=False)
    return value


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _public(value: Any) -> Any:
    """Return a value of an answer without what is the engine's own."""
    if isinstance(value, list):
        return [_public(v) for v in value if v != UNLABELLED]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if not isinstance(value, dict):
        return value
    if set(value) == _NODE:
        labels = [label for label in value["labels"] if label != UNLABELLED]
        return node(labels, _public(value["properties"]))
    if set(value) == _EDGE:
        return relationship(value["type"], _public(value["properties"]))
    if set(value) == _PATH:
        return path(_public(value["nodes"]), _public(value["relationships"]))
    return {
        name.removeprefix(KEPT_APART): _public(inner)
        for name, inner in value.items()
        if name not in _STRUCTURE
    }
