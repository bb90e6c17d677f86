# SPDX-License-Identifier: Apache-2.0
"""The trace of design §5.1 once more, sentence by sentence and as slow as it likes."""

from __future__ import annotations

from smemkit.graph import Graph
from smemkit.records import Node

ORDER = [
    "produces",
    "input",
    "next",
    "contains",
    "stated_in",
    "supports",
    "extracts",
    "feeds",
]
ONLY = {
    "input": "Code",
    "contains": "ToolCall",
    "stated_in": "Artifact",
    "supports": "Claim",
    "extracts": "Evidence",
    "feeds": "SourceFile",
}


def slow_trace(
    graph: Graph,
    start: Node,
    *,
    session_id: str | None,
    target_label: str,
    max_hops: int,
) -> tuple[list[tuple], str]:
    """Return the entries (hop, storage id, edge, from, terminal) and the reason."""
    if start.label == target_label:
        return [], f"reached terminal node {target_label}"
    visited, entries, last = {start.id}, [], [start]
    for hop in range(1, max_hops + 1):
        layer: dict[str, tuple] = {}
        for kind in ORDER:
            for node in last:
                if ONLY.get(kind, node.label) != node.label:
                    continue
                for far in upstream(graph, node, kind, session_id):
                    counts = session_id is None or far.label == "Paper"
                    counts = counts or far.session_id == session_id
                    if not counts or far.public_id is None or far.id in visited:
                        continue
                    layer.setdefault(far.id, (far, kind, node.public_id))
        ends = [row for row in layer.values() if row[0].label == target_label]
        entries += [
            (hop, far.id, kind, origin, bool(ends))
            for far, kind, origin in ends or layer.values()
        ]
        if ends:
            return entries, f"reached terminal node {target_label}"
        if not layer:
            far = graph.node(entries[-1][1]) if entries else start
            return entries, f"no upstream of {far.label} #{far.public_id}"
        visited |= set(layer)
        last = [row[0] for row in layer.values()]
    return entries, f"truncated at max_hops={max_hops}"


def upstream(graph: Graph, node: Node, kind: str, session_id: str | None) -> list[Node]:
    """Return what one kind of edge leads to from a node, in order."""
    edges = sorted(graph.edges(kind), key=lambda edge: edge.n)
    if kind == "feeds":
        far = [graph.node(edge.dst) for edge in edges if edge.src == node.id]
        return [each for each in far if each.label == "ResearchGoal"]
    if kind == "next":
        return line(graph, node)
    found = [graph.node(edge.src) for edge in edges if edge.dst == node.id]
    placed = any(
        e.dst == node.id and e.type in ("contains", "next") for e in graph.edges()
    )
    if kind == "contains" and not placed and "parent_subtask_id" in node.props:
        parent = node.props["parent_subtask_id"]
        tasks = [n for n in graph.nodes("Task") if n.props.get("task_id") == parent]
        own = [n for n in tasks if session_id is None or n.session_id == session_id]
        return own[:1]
    return found


def line(graph: Graph, node: Node) -> list[Node]:
    """Return all steps before a node, by distance, then as they are met."""
    edges = sorted(graph.edges("next"), key=lambda edge: edge.n)
    met, ring, found = {node.id}, [node.id], []
    while ring:
        further = []
        for here in ring:
            for edge in edges:
                before = graph.node(edge.src)
                if edge.dst != here or edge.src in met or before.public_id is None:
                    continue
                met.add(edge.src)
                further.append(edge.src)
                found.append(before)
        ring = further
    return found
