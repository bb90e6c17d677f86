# SPDX-License-Identifier: Apache-2.0
"""Chain, Subgraph, Hits, EdgeHits, Expansion: answers that are nodes and edges."""

from __future__ import annotations

from dataclasses import dataclass

from smemkit.answers.base import EDGE_COLUMNS, Columns, NodeAnswer, Rows, edge_rows
from smemkit.answers.nodes import NodeView, Wire

WIRE_LIMIT = 500
"""Rows of one answer over HTTP, unless the request says otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class Chain(NodeAnswer):
    """What one chain kind reaches from a node (contract/query.md §6).

    Attributes
    ----------
    kind : str
        The kind that was walked, such as ``viewCitedPaper``.
    start : NodeView or None
        Where the walk began; it is also one of `nodes`, unless nothing was reached.
    nodes : tuple of NodeView
        The start and what was reached, newest first; empty if nothing was.
    edges : tuple of EdgeView
        Every edge between them.
    """

    kind: str = ""
    start: NodeView | None = None

    def title(self) -> str:
        """Return the answer in one line."""
        start = f"{self.start.label} {self.start.id}" if self.start else "nothing"
        if not self.available:
            return f"{self.kind} of {start}: nothing was reached"
        return f"{self.kind} of {start}: {self.total} nodes, {len(self.edges)} edges"


@dataclass(frozen=True, slots=True, repr=False)
class Subgraph(NodeAnswer):
    """A session's nodes and the edges between them (contract/query.md §3).

    `available` counts the session's stored nodes; nodes drawn for a stack of
    products are in `nodes` and `total` only.
    """

    session_id: str | None = None
    drawn: int = 0

    @property
    def truncated(self) -> bool:
        """True if rows are missing behind the last one."""
        return self.offset + self.total - self.drawn < self.available

    def to_dict(self) -> Wire:
        """Return the wire form: graph nodes, and `extra` only on edges that have any."""
        return {
            "nodes": [view.graph_form() for view in self.nodes],
            "edges": [edge.graph_form() for edge in self.edges],
            "total": self.total,
            "truncated": self._full(),
        }

    def title(self) -> str:
        """Return the answer in one line."""
        return f"session {self.session_id}: {NodeAnswer.title(self)}"


@dataclass(frozen=True, slots=True, repr=False)
class Hits(NodeAnswer):
    """Nodes found by words or by label, best first (contract/query.md §4)."""

    query: str = ""

    @property
    def hits(self) -> tuple[NodeView, ...]:
        """The nodes found."""
        return self.nodes

    def to_dict(self) -> Wire:
        """Return the wire form."""
        return {
            "hits": [view.hit() for view in self.nodes],
            "total": self.total,
            "truncated": self._full(),
        }

    def title(self) -> str:
        """Return the answer in one line."""
        return f"{self.query}: {self.total} of {self.available} nodes"


@dataclass(frozen=True, slots=True, repr=False)
class EdgeHits(NodeAnswer):
    """Edges found by type, with the nodes at their ends (contract/query.md §4.3)."""

    query: str = ""

    @property
    def total(self) -> int:
        """How many edges are returned."""
        return len(self.edges)

    def to_dict(self) -> Wire:
        """Return the wire form: here the type comes first in an edge."""
        return {
            "edges": [edge.typed_form() for edge in self.edges],
            "nodes": [view.hit() for view in self.nodes],
            "total": self.total,
            "truncated": self._full(),
        }

    def __len__(self) -> int:
        return len(self.edges)

    def __bool__(self) -> bool:
        return bool(self.edges)

    def title(self) -> str:
        """Return the answer in one line."""
        return f"{self.query}: {self.total} of {self.available} edges"

    def _rows(self) -> tuple[Columns, Rows]:
        return EDGE_COLUMNS, edge_rows(self.edges)


@dataclass(frozen=True, slots=True, repr=False)
class Expansion(NodeAnswer):
    """What is folded into a scope or a stack (contract/query.md §7)."""

    of: str = ""

    def _full(self) -> bool:
        # No limit applies, yet the contract computes the flag (§1.3).
        return self.total >= WIRE_LIMIT

    def title(self) -> str:
        """Return the answer in one line."""
        return f"{self.of}: {self.total} nodes, {len(self.edges)} edges"
