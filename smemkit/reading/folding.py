# SPDX-License-Identifier: Apache-2.0
"""What a subagent's scope produced: the products its children made.

A picture of a session shows a scope, not its children; what they produced
hangs on the scope by edges that are only drawn (contract/query.md §3.3–3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from smemkit import schema
from smemkit.answers import EdgeView, NodeView
from smemkit.graph import Graph
from smemkit.reading.order import visible
from smemkit.records import Node

PRODUCTS = ("Artifact", "Paper")
"""The kinds of product that are folded."""


@dataclass(frozen=True, slots=True)
class Folded:
    """One product of a scope, and the child that made it."""

    scope: Node
    product: Node
    child: Node


def is_scope(node: Node) -> bool:
    """Return whether a node is a subagent's scope that can be shown."""
    return (
        node.label == "Task"
        and node.props.get("task_type") == "subagent"
        and visible(node)
        and node.public_id is not None
    )


def children(graph: Graph, scope: Node) -> Iterator[Node]:
    """Yield a scope's children along its line, each once, none of another scope."""
    stack = [edge.dst for edge in graph.out(scope.id, "contains")]
    seen = set(stack)
    while stack:
        child = graph.node(stack.pop())
        if child is None or not _belongs(child, scope):
            continue
        yield child
        for edge in graph.out(child.id, "next"):
            if edge.props.get("method") == schema.SCOPE_LINE and edge.dst not in seen:
                seen.add(edge.dst)
                stack.append(edge.dst)


def _belongs(child: Node, scope: Node) -> bool:
    return (
        child.label == "ToolCall"
        and child.session_id == scope.session_id
        and child.props.get("parent_subtask_id") == scope.props.get("task_id")
        and visible(child)
        and child.public_id is not None
    )


def folded(graph: Graph, scope: Node, kind: str) -> list[Folded]:
    """Return a scope's products of one kind: a row per product and child."""
    rows: dict[tuple[str, str], Folded] = {}
    for child in children(graph, scope):
        for product in _products(graph, child, kind):
            rows.setdefault((product.id, child.id), Folded(scope, product, child))
    return list(rows.values())


def _products(graph: Graph, child: Node, kind: str) -> Iterator[Node]:
    makers: Iterable[Node] = [child]
    if kind == "Artifact":
        made = _made(graph, child, child.session_id)
        makers = [node for node in made if node.label == "Code"]
    for maker in makers:
        for product in _made(graph, maker, child.session_id):
            if product.label == kind and product.public_id is not None:
                yield product


def _made(graph: Graph, maker: Node, session_id: str | None) -> list[Node]:
    return [
        node
        for edge in graph.out(maker.id, "produces")
        if (node := graph.node(edge.dst)) is not None
        and node.session_id == session_id
        and visible(node)
    ]


def drawn(
    graph: Graph, shown: Sequence[Node], taken: Iterable[EdgeView]
) -> tuple[list[NodeView], list[EdgeView]]:
    """Return the stacks and edges to draw from scopes to their products.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    shown : sequence of Node
        The nodes of the page; a product that is not among them is not drawn.
    taken : iterable of EdgeView
        The real edges, which are not drawn again.

    Returns
    -------
    tuple of list
        A stack for each scope with several products of a kind; its edges, then
        an edge to each product that stands alone.
    """
    inside = {node.id for node in shown}
    ids = {node.public_id for node in shown}
    present = {(edge.source, edge.target, edge.type) for edge in taken}
    stacks: list[NodeView] = []
    to_stacks: list[EdgeView] = []
    alone: list[EdgeView] = []
    for kind in PRODUCTS:
        for scope in filter(is_scope, shown):
            members: dict[str, Folded] = {}
            for row in folded(graph, scope, kind):
                if row.product.id in inside:
                    members.setdefault(row.product.id, row)
            rows = list(members.values())
            if len(rows) > 1:
                stack = _stack(scope, kind, rows)
                if stack.id not in ids:
                    stacks.append(stack)
                to_stacks.append(surrogate(rows[0], stack.id, aggregated=True))
            elif rows:
                alone.append(surrogate(rows[0], rows[0].product.public_id))
    for edge in alone:
        key = (edge.source, edge.target, edge.type)
        if key not in present:
            present.add(key)
            to_stacks.append(edge)
    return stacks, to_stacks


def _stack(scope: Node, kind: str, rows: Sequence[Folded]) -> NodeView:
    return NodeView(
        "Artifact",
        f"_group:{scope.public_id}:{kind}",
        scope.session_id,
        {
            "aggregated": True,
            "count": len(rows),
            "members": [str(row.product.public_id) for row in rows],
            "scope": str(scope.public_id),
            "kind": kind,
        },
    )


def surrogate(row: Folded, target: str | None, *, aggregated: bool = False) -> EdgeView:
    """Return the edge drawn from a scope to a product or a stack of them."""
    props: dict[str, bool | str] = {"surrogate": True}
    if aggregated:
        props["aggregated"] = True
    props["via_child"] = str(row.child.public_id)
    return EdgeView(row.scope.public_id, target, "produces", props)
