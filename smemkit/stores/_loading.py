# SPDX-License-Identifier: Apache-2.0
"""Rows become a Graph: all of them at once, or what is new into what is known.

The last row of an id wins and keeps the place of its first one; an id that comes
back after its tombstone is new (contract/local-store.md §1.5, §1.6). Ids count
towards the marks wherever they are seen, so that none is ever used again.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any, cast

from smemkit._bulk import fill
from smemkit.graph import Graph
from smemkit.records import Edge, Node, Props, number, shared
from smemkit.stores._lines import EdgeRow, NodeRow
from smemkit.stores._log import News


class _Node:
    """A Node while it is made: a frozen class sets its slots three times slower."""

    __slots__ = ("id", "labels", "n", "props")


class _Edge:
    """An Edge while it is made."""

    __slots__ = ("dst", "id", "n", "props", "src", "type")


def _node(node_id: str, labels: tuple[str, ...], props: Props, n: int) -> Node:
    node: Any = _Node()
    node.id, node.labels, node.props, node.n = node_id, labels, props, n
    node.__class__ = Node
    return cast(Node, node)


def _edge(
    edge_id: str, edge_type: str, src: str, dst: str, props: Props, n: int
) -> Edge:
    edge: Any = _Edge()
    edge.id, edge.type, edge.src, edge.dst = edge_id, edge_type, src, dst
    edge.props, edge.n = props, n
    edge.__class__ = Edge
    return cast(Edge, edge)


def loaded(news: News) -> Graph:
    """Return a Graph of everything that is in the files."""
    graph = Graph()
    with _no_collection():
        nodes = _loaded_nodes(graph, news.node_rows())
        edges = _loaded_edges(graph, news.edge_rows(), nodes)
        fill(graph, nodes, edges)
    _raise_marks(graph, news)
    return graph


def _loaded_nodes(graph: Graph, rows: Iterator[NodeRow]) -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    age = 0
    for node_id, labels, props in rows:
        old = nodes.get(node_id)
        if labels is None:
            graph.node_mark = max(graph.node_mark, number(node_id))
            nodes.pop(node_id, None)
        elif old is None:
            age += 1
            nodes[node_id] = _node(node_id, labels, props, age)
        else:
            nodes[node_id] = _node(node_id, labels, props, old.n)
    return nodes


def _loaded_edges(
    graph: Graph, rows: Iterator[EdgeRow], nodes: dict[str, Node]
) -> dict[str, Edge]:
    edges: dict[str, Edge] = {}
    age = 0
    for edge_id, edge_type, src, dst, props in rows:
        old = edges.get(edge_id)
        if edge_type is None:
            graph.edge_mark = max(graph.edge_mark, number(edge_id))
            edges.pop(edge_id, None)
            continue
        # The node's own text is used for the end, or every id were kept thrice.
        start, end = nodes.get(src), nodes.get(dst)
        if start is None or end is None:
            graph.node_mark = max(graph.node_mark, number(src), number(dst))
        else:
            src, dst = start.id, end.id
        if old is None:
            age += 1
        n = old.n if old else age
        edges[edge_id] = _edge(edge_id, edge_type, src, dst, props, n)
    return edges


def follow(graph: Graph, news: News) -> None:
    """Take what is new into a Graph."""
    for node_id, labels, props in news.node_rows():
        if labels is None:
            graph.drop_node(node_id)
            graph.node_mark = max(graph.node_mark, number(node_id))
            continue
        node = graph.node(node_id)
        n = node.n if node else graph.node_age + 1
        graph.put_node(Node(node_id, labels, shared(dict(props)), n))
    for edge_id, edge_type, src, dst, props in news.edge_rows():
        if edge_type is None:
            graph.drop_edge(edge_id)
            graph.edge_mark = max(graph.edge_mark, number(edge_id))
            continue
        edge = graph.kept_edge(edge_id)
        n = edge.n if edge else graph.edge_age + 1
        src, dst = (own.id if (own := graph.node(e)) else e for e in (src, dst))
        graph.put_edge(Edge(edge_id, edge_type, src, dst, props, n))
        graph.node_mark = max(graph.node_mark, number(src), number(dst))
    _raise_marks(graph, news)


def _raise_marks(graph: Graph, news: News) -> None:
    for reading in (news.nodes, news.edges):
        nodes, edges = reading.marks
        graph.node_mark = max(graph.node_mark, nodes)
        graph.edge_mark = max(graph.edge_mark, edges)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    # Nothing of what is being loaded can be garbage, and looking costs a third.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
