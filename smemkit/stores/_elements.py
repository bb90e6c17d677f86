# SPDX-License-Identifier: Apache-2.0
"""Rows of a Neo4j server become records, and records become rows.

An element smemkit wrote carries its storage id and its age in properties that no
answer shows. One the app wrote has neither: its storage id is the server's
element id, and all of these come first, by `created_at`, then by public id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from smemkit import instants
from smemkit._adjacency import BY_AGE
from smemkit._bulk import fill
from smemkit.errors import InvalidRecord, short
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Props, Value, number
from smemkit.stores._bolt import Row
from smemkit.stores._cypher import AGE, ID, LOCK, ORDER, PREFIX

MAX_INDEXED_BYTES = 8_000
"""The longest text an index of the server takes, in UTF-8 bytes, with some to spare."""

_PLAIN = (str, bool, int, float)
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass
class Places:
    """Where on the server each record lies: its element id by its storage id."""

    nodes: dict[str, str] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)


def value_of(value: Any) -> Value:
    """Return what a property reads as: an instant in time is text, as in a file.

    Examples
    --------
    >>> value_of(datetime(2026, 10, 2, 8, tzinfo=UTC)), value_of([1, 2])
    ('2026-10-02T08:00:00.000Z', [1, 2])
    """
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list):
        return [v if isinstance(v, _PLAIN) else _text(v) for v in value]
    return _text(value)


def _text(value: Any) -> str:
    native = value.to_native() if hasattr(value, "to_native") else value
    if not isinstance(native, datetime):
        iso = getattr(value, "iso_format", None)
        return str(iso() if iso else value)
    moment = native if native.tzinfo else native.replace(tzinfo=UTC)
    if moment.microsecond % 1000 == 0:
        return instants.text(moment)
    # More digits than the app's three only where they say something.
    exact = moment.astimezone(UTC).isoformat(timespec="microseconds")
    return exact.replace("+00:00", "Z")


def _split(props: Mapping[str, Any]) -> tuple[dict[str, Value], Mapping[str, Any]]:
    shown = {k: value_of(v) for k, v in props.items() if not k.startswith(PREFIX)}
    return shown, props if len(shown) < len(props) else {}


def node_of(row: Row) -> Node:
    """Return the node of a row; its age is 0 if it has none of its own."""
    place, labels, raw = row
    props, own = _split(raw)
    if own:
        order = own.get(ORDER, labels)
        if sorted(order) == sorted(labels):
            labels = order
    return Node(own.get(ID, place), tuple(labels), props, own.get(AGE, 0))


def edge_of(row: Row) -> Edge:
    """Return the edge of a row; its ends are what the row has."""
    place, edge_type, src, dst, raw = row
    props, own = _split(raw)
    return Edge(own.get(ID, place), edge_type, src, dst, props, own.get(AGE, 0))


def whole(
    node_rows: list[Row], edge_rows: list[Row]
) -> tuple[Graph, Places, Mapping[str, Any]]:
    """Return the Graph of all rows, where its records lie, and the lock's counters."""
    lock: Mapping[str, Any] = {}
    nodes: dict[str, Node] = {}
    places, ids = Places(), {}
    for row in node_rows:
        if row[1] == [LOCK]:
            lock = row[2]
            continue
        node = node_of(row)
        nodes[node.id] = node
        places.nodes[node.id] = row[0]
        ids[row[0]] = node.id
    nodes = {n.id: n for n in aged(nodes.values(), _node_key)}
    edges: dict[str, Edge] = {}
    for row in edge_rows:
        if row[2] in ids and row[3] in ids:
            edge = edge_of([*row[:2], ids[row[2]], ids[row[3]], row[4]])
            edges[edge.id] = edge
            places.edges[edge.id] = row[0]
    edges = {e.id: e for e in aged(edges.values(), _edge_key)}
    graph = Graph()
    fill(graph, nodes, edges)
    return graph, places, lock


def aged(records: Iterable[Any], key: Any) -> list[Any]:
    """Return records by age; those without one get ages below 1, in their order."""
    own = sorted((r for r in records if r.n), key=lambda record: (record.n, record.id))
    theirs = sorted((r for r in records if not r.n), key=key)
    first = 1 - len(theirs)
    return [*(replace(r, n=first + i) for i, r in enumerate(theirs)), *own]


def _node_key(node: Node) -> tuple[datetime, str, int, str]:
    return (*_since(node.props), node.public_id or "", *_serial(node.id))


def _edge_key(edge: Edge) -> tuple[datetime, str, int, str]:
    return (*_since(edge.props), "", *_serial(edge.id))


def _since(props: Props) -> tuple[datetime]:
    return (instants.parse(props.get("created_at")) or _LAST,)


def _serial(place: str) -> tuple[int, str]:
    # The server numbers its elements in the order in which they came.
    return number(" " + place.rpartition(":")[2]), place


def found_nodes(rows: list[Row]) -> list[Node]:
    """Return nodes that were asked for, in order."""
    return _in_order([node_of(row) for row in rows], _node_key)


def found_edges(rows: list[Row]) -> list[Edge]:
    """Return edges that were asked for, in order."""
    return _in_order([edge_of(row) for row in rows], _edge_key)


def _in_order(records: list[Any], key: Any) -> list[Any]:
    theirs = sorted((r for r in records if not r.n), key=key)
    return [*theirs, *sorted((r for r in records if r.n), key=lambda r: r.n)]


def check(batch: Batch) -> None:
    """Refuse what this server could not keep, before anything is sent.

    Raises
    ------
    InvalidRecord
        Names the property.
    """
    for node in batch.nodes:
        owner = f"{node.label or 'node'} {node.public_id or node.id!r}"[:120]
        _check_names(owner, node.props)
        value = node.props.get("session_id")
        if isinstance(value, str) and len(value.encode()) > MAX_INDEXED_BYTES:
            raise InvalidRecord(
                f"{owner}, property 'session_id'",
                found=f"a text of {len(value.encode()):,} bytes",
                do=f"Neo4j takes an indexed text of at most {MAX_INDEXED_BYTES:,}",
            )
    for edge in batch.edges:
        _check_names(f"edge {short(edge.type)}", edge.props)


def _check_names(owner: str, props: Props) -> None:
    for name in props:
        if name.startswith(PREFIX):
            raise InvalidRecord(
                f"{owner}, property {short(name)}",
                found=f"names that begin {PREFIX!r} are smemkit's own",
                do="rename it",
            )


def new_props(record: Node | Edge) -> dict[str, object]:
    """Return all that is kept of a new record."""
    own: dict[str, object] = {ID: record.id, AGE: record.n}
    if isinstance(record, Node) and len(record.labels) > 1:
        own[ORDER] = list(record.labels)
    return {**record.props, **own}


def changed_props(old: Props, new: Props) -> dict[str, Value | None]:
    """Return what is to be set, and null for what is to go.

    What is as it was stays untouched, so that a native date-time of the app's
    remains one.

    Examples
    --------
    >>> changed_props({"a": 1, "b": 2, "c": True}, {"b": 2, "c": 1})
    {'a': None, 'c': 1}
    """
    found: dict[str, Value | None] = {name: None for name in old if name not in new}
    return found | {
        name: value
        for name, value in new.items()
        if name not in old or not _same(old[name], value)
    }


def _same(old: object, new: object) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return list(map(type, old)) == list(map(type, new)) and old == new
    return type(old) is type(new) and repr(old) == repr(new)


def marks(graph: Graph, batch: Batch) -> dict[str, int]:
    """Return the lock's counters after a settled batch."""
    nodes, edges = batch.nodes, batch.edges
    return {
        "node_mark": max([graph.node_mark, *(number(node.id) for node in nodes)]),
        "edge_mark": max([graph.edge_mark, *(number(edge.id) for edge in edges)]),
        "node_age": max([graph.node_age, *(node.n for node in nodes)]),
        "edge_age": max([graph.edge_age, *(edge.n for edge in edges)]),
    }


def follow(
    graph: Graph,
    places: Places,
    logs: Sequence[Mapping[str, Any]],
    node_rows: list[Row],
    edge_rows: list[Row],
) -> bool:
    """Take what others logged into a Graph; False if it does not fit, then read anew."""
    nodes = [_with_age(node_of(row), graph.node) for row in node_rows]
    edges = [_with_age(edge_of(row), graph.edge) for row in edge_rows]
    if None in nodes or None in edges:
        return False
    batch = Batch(
        nodes=tuple(sorted(nodes, key=BY_AGE)),
        edges=tuple(sorted(edges, key=BY_AGE)),
        dropped_nodes=tuple(i for log in logs for i in log["gone_nodes"]),
        dropped_edges=tuple(i for log in logs for i in log["gone_edges"]),
    )
    graph.apply(batch)
    for node_id in batch.dropped_nodes:
        places.nodes.pop(node_id, None)
    for edge_id in batch.dropped_edges:
        places.edges.pop(edge_id, None)
    places.nodes |= {n.id: row[0] for n, row in zip(nodes, node_rows, strict=True)}
    places.edges |= {e.id: row[0] for e, row in zip(edges, edge_rows, strict=True)}
    return True


def _with_age(record: Any, known: Callable[[str], Any]) -> Any:
    if record.n:
        return record
    there = known(record.id)
    return replace(record, n=there.n) if there else None
