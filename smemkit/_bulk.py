# SPDX-License-Identifier: Apache-2.0
"""How a Graph is filled with a whole store at once: the put verbs, unrolled.

A store of 250,000 records spends half of its opening here, so that each step
the put verbs take per record is taken once per label, per type or not at all.
A test holds that both ways lead to the same Graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

from smemkit import _adjacency, _names, schema
from smemkit.graph import Graph
from smemkit.records import Edge, Node, number

_RARE = frozenset({"missing_inputs", "parent_subtask_id", "seq"})
"""Properties that most nodes lack and that an index of the Graph follows."""


_TAIL = itemgetter(slice(1, None))
_TOO_HIGH = 10**18


class _Kind(NamedTuple):
    """What is the same for all nodes of one label."""

    label: str
    name: str | None
    """The property that names the node, if exactly one does."""


def fill(graph: Graph, nodes: dict[str, Node], edges: dict[str, Edge]) -> None:
    """Put records into an empty Graph.

    Parameters
    ----------
    graph : Graph
        As `Graph` makes it.
    nodes, edges : dict
        By id, in creation order. The Graph takes them over: a second copy of
        both would be a tenth of all the memory an opening needs.
    """
    _fill_nodes(graph, nodes)
    _fill_edges(graph, edges)
    graph.changes += 1


def _fill_nodes(graph: Graph, nodes: dict[str, Node]) -> None:
    graph._nodes = nodes
    sessions, named = graph._sessions, graph._named
    kinds: dict[tuple[str, ...], _Kind] = {}
    for node_id, node in nodes.items():
        labels, props = node.labels, node.props
        kind = kinds.get(labels) or kinds.setdefault(labels, _kind(labels))
        session_id = props.get("session_id")
        if not isinstance(session_id, str):
            session_id = None
        by_label = sessions.get(session_id)
        if by_label is None:
            by_label = sessions[session_id] = {}
        ids = by_label.get(kind.label)
        if ids is None:
            ids = by_label[kind.label] = {}
        ids[node_id] = None
        name = props.get(kind.name) if kind.name else None
        if name is None:
            for name in schema.names(kind.label, props):
                _names.add(named, name, node_id)
            _names.note_lack(graph.nameless, node)
        elif named.setdefault(str(name), node_id) is not node_id:
            _names.add(named, str(name), node_id)
        if not props.keys().isdisjoint(_RARE):
            _note_rare(graph, node)
    graph.node_mark = max(graph.node_mark, _highest(nodes))
    graph.node_age = node.n if nodes else 0


def _note_rare(graph: Graph, node: Node) -> None:
    graph._note(node)
    parent = node.props.get("parent_subtask_id")
    if isinstance(parent, str):
        graph._children.setdefault(parent, {})[node.id] = None


def _kind(labels: tuple[str, ...]) -> _Kind:
    label = schema.canonical_label(labels[0]) if labels else ""
    return _Kind(label, _names.ONE_FIELD.get(labels[0]) if labels else None)


def _fill_edges(graph: Graph, edges: dict[str, Edge]) -> None:
    nodes, dangling = graph._nodes, []
    graph._edges = edges
    sides: dict[str, tuple[dict[str, _adjacency.Slot], ...]] = {}
    for edge in edges.values():
        edge_type, src, dst = edge.type, edge.src, edge.dst
        if src not in nodes or dst not in nodes:
            dangling.append(edge)
            continue
        side = sides.get(edge_type)
        if side is None:
            side = sides[edge_type] = (
                graph._out.setdefault(edge_type, {}),
                graph._into.setdefault(edge_type, {}),
            )
        leaving, arriving = side
        slot = leaving.setdefault(src, edge)
        if slot is not edge:
            _adjacency.put(leaving, src, edge, None)
        slot = arriving.setdefault(dst, edge)
        if slot is not edge:
            _adjacency.put(arriving, dst, edge, None)
    graph.edge_mark = max(graph.edge_mark, _highest(edges))
    graph.edge_age = edge.n if edges else 0
    for edge in dangling:
        del edges[edge.id]
        graph.put_edge(edge)


def _highest(ids: Iterable[str]) -> int:
    try:
        found = max(map(int, map(_TAIL, ids)), default=0)
    except ValueError:
        found = _TOO_HIGH
    return found if found < _TOO_HIGH else max(map(number, ids), default=0)
