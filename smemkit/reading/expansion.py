# SPDX-License-Identifier: Apache-2.0
"""What is folded into a scope, or into a stack of products (contract/query.md §7)."""

from __future__ import annotations

from datetime import UTC, datetime

from smemkit import instants
from smemkit.answers import EdgeView, Expansion, NodeView
from smemkit.errors import BadRequest, NodeNotFound, short
from smemkit.graph import Graph
from smemkit.reading.folding import PRODUCTS, folded, is_scope, surrogate
from smemkit.reading.order import visible
from smemkit.records import Edge, Node

GROUP = "_group:"
DEPTH = 3
"""`produces` steps from a child that are shown."""

_NEVER = datetime.max.replace(tzinfo=UTC)


def scope_expansion(
    graph: Graph, scope_task_id: str, *, session_id: str | None = None
) -> Expansion:
    """Return a subagent's children, and what they made.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    scope_task_id : str
        The scope's task_id.
    session_id : str, optional
        The session it is in.

    Returns
    -------
    Expansion
        The children in the order of their line, then what the edges touch;
        empty if there are no children.

    Raises
    ------
    NodeNotFound
        No subagent's scope has this id (in this session).

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_subagent("a", session_id="s")
    >>> _ = mem.observe_execution("e1", parent_subagent_id="a")
    >>> [view.id for view in mem.scope_expansion("subtask:subagent:a")]
    ['subtask:subagent:a:exec:e1', 'subtask:subagent:a', 'e1']
    """
    scope = _scope(graph, scope_task_id, session_id, f"scope {short(scope_task_id)}")
    children = sorted(
        (
            node
            for node in graph.children(scope_task_id)
            if node.label == "ToolCall" and _with(graph, node, scope)
        ),
        key=_place,
    )
    rows = {node.id: node for node in children}
    if not rows:
        return Expansion(of=scope_task_id)
    inside = {**rows, **_products(graph, children, scope), scope.id: scope}
    edges: dict[tuple[str | None, str | None, str], EdgeView] = {}
    for edge in _edges(graph, inside):
        src, dst = inside[edge.src], inside[edge.dst]
        key = (src.public_id, dst.public_id, edge.type)
        edges.setdefault(key, EdgeView(*key, edge.props))
        rows.setdefault(src.id, src)
        rows.setdefault(dst.id, dst)
    return Expansion(
        nodes=tuple(map(NodeView.of, rows.values())),
        edges=tuple(edges.values()),
        available=len(rows),
        of=scope_task_id,
    )


def group_expansion(
    graph: Graph, group_id: str, *, session_id: str | None = None
) -> Expansion:
    """Return the products that one stack stands for.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    group_id : str
        ``_group:<scope>:Artifact`` or ``_group:<scope>:Paper``.
    session_id : str, optional
        The session it is in.

    Returns
    -------
    Expansion
        The products; an edge from the scope for each product and child.

    Raises
    ------
    NodeNotFound
        The id is no stack's, or no scope is behind it.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = [{"artifact_id": "fig", "version": 1}, {"artifact_id": "tab", "version": 1}]
    >>> _ = mem.observe_subagent("a", session_id="s")
    >>> _ = mem.observe_execution("e1", parent_subagent_id="a", produced_artifacts=made)
    >>> stack = mem.group_expansion("_group:subtask:subagent:a:Artifact")
    >>> sorted(view.id for view in stack if view.label == "Artifact")
    ['fig#v1', 'tab#v1']
    """
    _require_text("group_id", group_id)
    asked = f"group {short(group_id)}"
    scope_id, _, kind = group_id.removeprefix(GROUP).rpartition(":")
    if not group_id.startswith(GROUP) or not scope_id or kind not in PRODUCTS:
        raise NodeNotFound(
            asked,
            found="not a stack's id",
            do=f"give {GROUP}<scope>:Artifact or {GROUP}<scope>:Paper",
        )
    scope = _scope(graph, scope_id, session_id, asked)
    rows = folded(graph, scope, kind)
    nodes = {row.product.id: row.product for row in rows}
    return Expansion(
        nodes=tuple(map(NodeView.of, nodes.values())),
        edges=tuple(surrogate(row, row.product.public_id) for row in rows),
        available=len(nodes),
        of=group_id,
    )


def _scope(graph: Graph, scope_id: str, session_id: str | None, asked: str) -> Node:
    _require_text("scope_task_id", scope_id)
    for node in graph.named(scope_id):
        if is_scope(node) and session_id in (None, node.session_id):
            return node
    where = "" if session_id is None else f" in session {short(session_id)}"
    raise NodeNotFound(
        asked,
        found=f"no subagent's scope has this id{where}",
        do='see mem.nodes("Task")',
    )


def _require_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise BadRequest(f"{name}={short(value)}", found="not a non-blank text")


def _with(graph: Graph, node: Node, scope: Node) -> bool:
    return (
        node.session_id == scope.session_id
        and visible(node)
        and node.id not in graph.nameless
    )


def _place(node: Node) -> tuple[float, datetime, int]:
    seq = node.props.get("seq")
    number = seq if isinstance(seq, int | float) else 0
    return number, instants.parse(node.props.get("finished_at")) or _NEVER, node.n


def _products(graph: Graph, children: list[Node], scope: Node) -> dict[str, Node]:
    """Return what lies up to three `produces` steps from a child."""
    found: dict[str, Node] = {}
    layer = {node.id for node in children}
    for _ in range(DEPTH):
        layer = {e.dst for each in layer for e in graph.out(each, "produces")}
        for each in layer:
            node = graph.node(each)
            if node is not None and _with(graph, node, scope):
                found[each] = node
    return found


def _edges(graph: Graph, inside: dict[str, Node]) -> list[Edge]:
    found = [
        edge
        for each in inside
        for edge_type in ("produces", "contains", "next")
        for edge in graph.out(each, edge_type)
        if edge.dst in inside
    ]
    return sorted(found, key=lambda edge: edge.n)
