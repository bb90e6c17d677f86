# SPDX-License-Identifier: Apache-2.0
"""What did the chains of older clients show? `chain_kind` (design §5.3).

``task``: the start, the line of `next` edges it belongs to, and what that line
produced. ``artifact``: the walks from the reports that rest on the start back
to papers and code, as far as they lead through the start. ``full``: both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from smemkit.graph import Graph
from smemkit.records import Node

_Near = Callable[[str], Iterable[str]]


def older_chain(
    graph: Graph, start: Node, chain_kind: str, session_id: str | None
) -> list[Node]:
    """Return the nodes of ``full``, ``task`` or ``artifact`` from a start."""
    walk = _Walk(graph, session_id)
    found: dict[str, None] = {start.id: None}
    if chain_kind in ("full", "task"):
        found.update(dict.fromkeys(walk.task(start.id)))
    if chain_kind in ("full", "artifact"):
        found.update(dict.fromkeys(walk.artifact(start.id)))
    return [node for each in found if (node := graph.node(each)) is not None]


class _Walk:
    """Closures over a few edge types, inside one session."""

    def __init__(self, graph: Graph, session_id: str | None) -> None:
        self.graph = graph
        self.session_id = session_id

    def task(self, start: str) -> list[str]:
        makers = self.closure([start], lambda n: self.back(n, "produces"))
        line = self.closure(
            makers, lambda n: [*self.back(n, "next"), *self.on(n, "next")]
        )
        return self.closure(line, lambda n: self.on(n, "produces"))

    def artifact(self, start: str) -> list[str]:
        below = self.closure([start], self.derived)
        reports = [n for n in below if self.graph.into(n, "stated_in")]
        inside = set(below)
        cited = self.closure(
            reports, lambda n: [each for each in self.sources(n) if each in inside]
        )
        return [*self.closure([start], self.sources), *cited]

    def derived(self, node_id: str) -> list[str]:
        """Return what rests on a node: its evidence, claims, reports, products."""
        found = [
            *self.on(node_id, "extracts"),
            *self.on(node_id, "supports"),
            *self.on(node_id, "stated_in"),
        ]
        if self.label(node_id) == "Code":
            found += self.on(node_id, "produces")
        return found

    def sources(self, node_id: str) -> list[str]:
        """Return what a node rests on; papers and code rest on nothing here."""
        makers = self.back(node_id, "produces")
        return [
            *self.back(node_id, "stated_in"),
            *self.back(node_id, "supports"),
            *self.back(node_id, "extracts"),
            *(each for each in makers if self.label(each) == "Code"),
        ]

    def on(self, node_id: str, edge_type: str) -> list[str]:
        return self.kept(edge.dst for edge in self.graph.out(node_id, edge_type))

    def back(self, node_id: str, edge_type: str) -> list[str]:
        return self.kept(edge.src for edge in self.graph.into(node_id, edge_type))

    def kept(self, ids: Iterable[str]) -> list[str]:
        found = []
        for each in ids:
            node = self.graph.node(each)
            if node is not None and (
                self.session_id is None
                or node.session_id == self.session_id
                or node.label == "Paper"
            ):
                found.append(each)
        return found

    def label(self, node_id: str) -> str:
        node = self.graph.node(node_id)
        return "" if node is None else node.label

    @staticmethod
    def closure(starts: Iterable[str], near: _Near) -> list[str]:
        seen = dict.fromkeys(starts)
        queue = list(seen)
        for here in queue:
            for each in near(here):
                if each not in seen:
                    seen[each] = None
                    queue.append(each)
        return queue
