# SPDX-License-Identifier: Apache-2.0
"""What a chain of a report says in words, and whether a later version replaced its start."""

from __future__ import annotations

from smemkit.answers import Reason, Trace
from smemkit.errors import BadRequest, short
from smemkit.graph import Graph
from smemkit.reading.trace import MAX_HOPS, trace_from
from smemkit.records import Node


class Walks:
    """The chains of one audit, each walked once.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    max_hops : int, default 8
        Layers of a chain, as for a trace.

    Raises
    ------
    BadRequest
        `max_hops` is out of range.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Artifact",), {"artifact_id": "a", "version": 1}))
    >>> str(Walks(graph).of(graph.node("n1"))[1])
    'a#v1 ← nothing (no upstream of Artifact #a#v1)'
    """

    def __init__(self, graph: Graph, max_hops: int = 8) -> None:
        whole = isinstance(max_hops, int) and not isinstance(max_hops, bool)
        if not whole or not 1 <= max_hops <= MAX_HOPS:
            raise BadRequest(
                f"max_hops={short(max_hops)}",
                found=f"not a whole number from 1 to {MAX_HOPS}",
            )
        self.graph = graph
        self.max_hops = max_hops
        self._known: dict[str, tuple[Trace, Reason]] = {}

    def of(self, node: Node) -> tuple[Trace, Reason]:
        """Return the walk from a node, and what it says."""
        if node.id not in self._known:
            name = id_of(node)
            trace = trace_from(
                self.graph,
                node,
                name=name,
                max_hops=self.max_hops,
                session_id=node.session_id,
            )
            self._known[node.id] = trace, _in_words(trace, name)
        return self._known[node.id]


def newer_version(graph: Graph, node: Node) -> str | None:
    """Return the highest later version of an artifact, else what replaces it."""
    if node.label != "Artifact":
        return None
    own = version_of(node)
    later = [
        other
        for other in graph.named(str(node.props.get("artifact_id")))
        if other.label == "Artifact" and version_of(other) > own >= 0
    ]
    edges = graph.into(node.id, "supersedes")
    later = later or [n for e in edges if (n := graph.node(e.src))]
    newest = max(later, key=version_of, default=None)
    return id_of(newest) if newest is not None and newest.id != node.id else None


def version_of(node: Node) -> int:
    """Return an artifact's version; -1 where it has none."""
    value = node.props.get("version")
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def id_of(node: Node) -> str:
    """Return a node's public id, or that it has none."""
    return node.public_id or f"{node.label or 'node'} without id"


def _in_words(trace: Trace, start: str) -> Reason:
    ends = [hop for hop in trace.chain if hop.is_terminal] or list(trace.chain)[-1:]
    hops = trace.path_to(ends[0].node.id or "") if ends else ()
    chain = " ← ".join([start, *(hop.node.id or "" for hop in hops)])
    if trace.reached:
        return Reason("chain.complete", chain=chain)
    if trace.broken:
        return Reason("chain.broken", chain=chain, why=trace.why)
    if trace.max_hops < MAX_HOPS:
        return Reason("chain.short", chain=chain, why=trace.why)
    return Reason("chain.truncated", chain=chain, why=trace.why)
