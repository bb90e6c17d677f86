# SPDX-License-Identifier: Apache-2.0
"""Which edges wait for a node that is not there: by their id, and by that node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from smemkit.records import Edge


class Aside:
    """Edges of which at least one end is missing."""

    __slots__ = ("_edges", "_wanted")

    def __init__(self) -> None:
        self._edges: dict[str, Edge] = {}
        self._wanted: dict[str, dict[str, None]] = {}

    def __iter__(self) -> Iterator[Edge]:
        return iter(self._edges.values())

    def get(self, edge_id: str) -> Edge | None:
        """Return the edge with this storage id, if it waits."""
        return self._edges.get(edge_id)

    def put(self, edge: Edge, missing: Iterable[str]) -> None:
        """Let an edge wait for these nodes."""
        self._edges[edge.id] = edge
        for end in missing:
            self._wanted.setdefault(end, {})[edge.id] = None

    def waiting_for(self, node_id: str) -> list[Edge]:
        """Return the edges that wait for a node."""
        return [self._edges[i] for i in self._wanted.get(node_id, ())]

    def drop(self, edge_id: str) -> None:
        """Let an edge wait no longer; one that does not wait is passed over."""
        edge = self._edges.pop(edge_id, None)
        if edge is None:
            return
        for end in (edge.src, edge.dst):
            waiting = self._wanted.get(end)
            if waiting is not None:
                waiting.pop(edge_id, None)
                if not waiting:
                    del self._wanted[end]
