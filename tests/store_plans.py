# SPDX-License-Identifier: Apache-2.0
"""Small plans, and what a store or a Graph holds as plain data to compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Value
from smemkit.stores.jsonl import JsonlStore
from tests import app_loader

Plan = Callable[[Graph], Batch]


def call(name: str, **props: Value) -> Plan:
    """Plan a call, its Code and the edge between them, behind the session's last."""

    def plan(graph: Graph) -> Batch:
        first, edge = graph.node_mark + 1, graph.edge_mark + 1
        session = {"session_id": "s"}
        task = Node(
            f"n{first}",
            ("ToolCall",),
            {"task_id": name, "seq": graph.max_seq("s") + 1, **session, **props},
        )
        code = Node(f"n{first + 1}", ("Code",), {"code_id": name, **session})
        edges = [Edge(f"r{edge}", "produces", task.id, code.id, {"at": "锌"})]
        last = next(graph.newest("ToolCall", "s"), None)
        if last is not None:
            edges.append(Edge(f"r{edge + 1}", "next", last.id, task.id))
        return Batch((task, code), tuple(edges))

    return plan


def lone(name: str) -> Plan:
    """Plan one node without an edge."""
    return lambda graph: Batch(
        (Node(f"n{graph.node_mark + 1}", ("Claim",), {"claim_id": name}),)
    )


def rename(label: str, key: str, **props: Value) -> Plan:
    """Plan a new state of a node that is there."""

    def plan(graph: Graph) -> Batch:
        old = graph.by_key(label, key)
        assert old is not None
        return Batch((Node(old.id, old.labels, {**old.props, **props}),))

    return plan


def forget(label: str, key: str) -> Plan:
    """Plan the removal of a node and of the edges at it."""

    def plan(graph: Graph) -> Batch:
        old = graph.by_key(label, key)
        assert old is not None
        edges = {edge.id: None for edge in [*graph.out(old.id), *graph.into(old.id)]}
        return Batch(dropped_nodes=(old.id,), dropped_edges=tuple(edges))

    return plan


def content(source: Graph | JsonlStore | Path) -> app_loader.Live:
    """Return nodes and edges as the loader of the app gives them."""
    if isinstance(source, Path):
        return app_loader.load(source)
    graph = source.graph() if isinstance(source, JsonlStore) else source
    nodes = {n.id: (n.labels, dict(n.props)) for n in graph.nodes()}
    edges: dict[str, tuple[Any, ...]] = {
        e.id: (e.type, e.src, e.dst, dict(e.props)) for e in graph.edges()
    }
    return nodes, edges


def text(source: Graph | JsonlStore | Path) -> str:
    """Return the content as text, in which a NaN equals itself; without order."""
    nodes, edges = content(source)
    return repr((sorted(nodes.items()), sorted(edges.items())))


def in_order(source: Graph | JsonlStore | Path) -> tuple[list[str], list[str]]:
    """Return the ids of nodes and edges in the order of creation."""
    if isinstance(source, Path):
        nodes, edges = content(source)
        return list(nodes), list(edges)
    graph = source.graph() if isinstance(source, JsonlStore) else source
    by_age = sorted(graph.edges(), key=lambda edge: edge.n)
    return [n.id for n in graph.nodes()], [e.id for e in by_age]


def agree(store: JsonlStore) -> None:
    """Hold that memory, a fresh opening and the app's loader see the same."""
    folder = store.folder
    fresh = JsonlStore(folder)
    assert text(store) == text(fresh)
    assert in_order(store) == in_order(fresh)
    assert text(store) == text(folder)
