# SPDX-License-Identifier: Apache-2.0
"""Memories to copy, and all that a copy must keep, as plain data to compare."""

from __future__ import annotations

import smemkit
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch, Edge, Node

Shown = tuple[list[object], list[object]]


def shown(graph: Graph) -> Shown:
    """Return all that a copy must keep: in order, nodes by place instead of id."""
    nodes = sorted(graph.nodes(), key=lambda node: node.n)
    place = {node.id: i for i, node in enumerate(nodes)}
    edges = sorted(graph.edges(), key=lambda edge: edge.n)
    return (
        [(node.labels, typed(node.props)) for node in nodes],
        [(e.type, place[e.src], place[e.dst], typed(e.props)) for e in edges],
    )


def typed(props: object) -> str:
    """Return properties as text in which 1, 1.0 and True differ; without order."""
    assert isinstance(props, dict)
    return repr(sorted(props.items()))


def contents(memory: Memory) -> Shown:
    with memory.reading() as graph:
        return shown(graph)


def holding(graph: Graph) -> Memory:
    """Return a memory with these records."""
    memory = smemkit.open(":memory:")
    batch = Batch(tuple(graph.nodes()), tuple(graph.edges()))
    memory.store.write(lambda _: batch)
    return memory


def filled(*nodes: Node, edges: tuple[Edge, ...] = ()) -> Memory:
    graph = Graph()
    graph.apply(Batch(nodes, edges))
    return holding(graph)


def claim(number: int, name: str, **props: object) -> Node:
    return Node(f"n{number}", ("Claim",), {"claim_id": name, **props}, number)
