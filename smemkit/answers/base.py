# SPDX-License-Identifier: Apache-2.0
"""Answer, NodeAnswer: what all answers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from smemkit.answers.nodes import EdgeView, NodeView, Wire

if TYPE_CHECKING:
    import pandas as pd

Columns: TypeAlias = dict[str, str]
Rows: TypeAlias = list[tuple[object, ...]]

SHOWN_ROWS = 40
"""Rows of an answer that its own display shows."""

NODE_COLUMNS: Columns = {
    "label": "string",
    "id": "string",
    "session_id": "string",
    "text": "string",
    "created_at": "datetime",
    "props": "object",
}
EDGE_COLUMNS: Columns = {
    "type": "string",
    "source": "string",
    "target": "string",
    "props": "object",
}


class Answer(ABC):
    """What all answers share: they display themselves and make a frame."""

    __slots__ = ()

    @abstractmethod
    def title(self) -> str:
        """Return the answer in one line."""

    @abstractmethod
    def _rows(self) -> tuple[Columns, Rows]:
        """Return the columns of the frame, and its rows."""

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a frame with fixed columns, also when empty."""
        from smemkit import tables

        return tables.frame(*self._rows())

    def _repr_html_(self) -> str:
        from smemkit import display

        columns, rows, note = self._shown()
        return display.table(self.title(), columns, rows, note)

    def __str__(self) -> str:
        from smemkit import display

        columns, rows, note = self._shown()
        return display.text_table(display.plain(self.title()), columns, rows, note)

    def _shown(self) -> tuple[list[str], Rows, str]:
        """Return what fits a display: no properties, and not thousands of rows."""
        columns, rows = self._rows()
        kept = [k for k, name in enumerate(columns) if name != "props"]
        names = list(columns)
        left = len(rows) - SHOWN_ROWS
        return (
            [names[k] for k in kept],
            [tuple(row[k] for k in kept) for row in rows[:SHOWN_ROWS]],
            f"and {left:,} more rows: to_frame() has them all" if left > 0 else "",
        )

    def __repr__(self) -> str:
        from smemkit import display

        return f"<{type(self).__name__} {display.plain(self.title())}>"


@dataclass(frozen=True, slots=True, repr=False)
class NodeAnswer(Answer):
    """What answers with nodes share."""

    nodes: tuple[NodeView, ...] = ()
    edges: tuple[EdgeView, ...] = ()
    available: int = 0
    offset: int = 0
    limit: int | None = None

    @property
    def total(self) -> int:
        """How many rows are returned."""
        return len(self.nodes)

    @property
    def truncated(self) -> bool:
        """True if rows are missing behind the last one."""
        return self.offset + self.total < self.available

    def node(self, node_id: str) -> NodeView | None:
        """Return the node with this public id, or None."""
        return next((view for view in self.nodes if view.id == node_id), None)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[NodeView]:
        return iter(self.nodes)

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def to_dict(self) -> Wire:
        """Return the wire form: hits, and edges with `extra`."""
        return {
            "nodes": [view.hit() for view in self.nodes],
            "edges": [edge.chain_form() for edge in self.edges],
            "total": self.total,
            "truncated": self._full(),
        }

    def _full(self) -> bool:
        return self.truncated or (self.limit is not None and self.total >= self.limit)

    def edge_frame(self) -> pd.DataFrame:
        """Return the edges as a frame: type, source, target, props."""
        from smemkit import tables

        return tables.frame(EDGE_COLUMNS, edge_rows(self.edges))

    def title(self) -> str:
        """Return the answer in one line."""
        return f"{self.total} of {self.available} nodes, {len(self.edges)} edges"

    def _rows(self) -> tuple[Columns, Rows]:
        return NODE_COLUMNS, node_rows(self.nodes)


def node_rows(views: Iterable[NodeView]) -> Rows:
    """Return one row per node, in the order of `NODE_COLUMNS`."""
    return [
        (v.label, v.id, v.session_id, v.text, v.created_at, dict(v.props))
        for v in views
    ]


def edge_rows(edges: Iterable[EdgeView]) -> Rows:
    """Return one row per edge, in the order of `EDGE_COLUMNS`."""
    return [(e.type, e.source, e.target, dict(e.props)) for e in edges]
