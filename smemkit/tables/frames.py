# SPDX-License-Identifier: Apache-2.0
"""frame: rows as a pandas frame, and the few ways a value becomes a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from smemkit import instants, schema
from smemkit.graph import Graph
from smemkit.records import Node

if TYPE_CHECKING:
    import pandas as pd


DTYPES = {
    "string": "string",
    "Int64": "Int64",
    "Float64": "Float64",
    "boolean": "boolean",
    "bool": "boolean",
    "datetime": "datetime64[ns, UTC]",
    "object": "object",
}


NAMES = {
    "SourceFile": ("path", "name"),
    "WebPage": ("title", "url"),
    "DbRecord": ("title", "identifier"),
}
"""What stands for the nodes whose excerpt is their label, which says nothing here."""

_INT64 = 1 << 63


def frame(columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> pd.DataFrame:
    """Return rows as a frame with fixed columns and dtypes, also when empty.

    Parameters
    ----------
    columns : Mapping
        Column name -> one of the words of `DTYPES`.
    rows : iterable of sequences
        One value per column; None where there is none.

    Examples
    --------
    >>> frame({"id": "string", "made": "datetime"}, []).dtypes["made"]
    datetime64[ns, UTC]
    """
    import pandas as pd

    listed = list(rows)
    made: dict[str, pd.Series] = {}
    for place, (name, word) in enumerate(columns.items()):
        values = [row[place] for row in listed]
        if word == "datetime":
            moments = [_moment(value) for value in values]
            made[name] = pd.Series(moments, dtype=DTYPES[word])
        else:
            made[name] = pd.Series(values, dtype=DTYPES[word])
    return pd.DataFrame(made, columns=list(columns))


def _moment(value: object) -> datetime | None:
    """Return an instant that nanoseconds since 1970 can hold, or None."""
    moment = instants.parse(value)
    return moment if moment and 1678 <= moment.year <= 2261 else None


def ends(graph: Graph, node: Node, edge_type: str) -> Iterator[Node]:
    """Yield the nodes that a node's edges of one type lead to."""
    for edge in graph.out(node.id, edge_type):
        found = graph.node(edge.dst)
        if found is not None:
            yield found


def starts(graph: Graph, node: Node, edge_type: str) -> Iterator[Node]:
    """Yield the nodes that the edges of one type come from."""
    for edge in graph.into(node.id, edge_type):
        found = graph.node(edge.src)
        if found is not None:
            yield found


def text(value: object) -> str | None:
    """Return a stored value as text."""
    return None if value is None else str(value)


def number(value: object) -> int:
    """Return a stored number for sorting; what is none counts as 0."""
    return value if isinstance(value, int) else 0


def whole(value: object) -> int | None:
    """Return a stored whole number that a column can hold, or None."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -_INT64 <= value < _INT64 else None


def said(node: Node | None) -> str | None:
    """Return the line that stands for a node, uncut.

    Examples
    --------
    >>> said(Node("n1", ("SourceFile",), {"path": "data/bills.csv"}))
    'data/bills.csv'
    """
    if node is None:
        return None
    values = (node.props.get(field) for field in NAMES.get(node.label, ()))
    name = next((str(value) for value in values if value), None)
    return name or schema.excerpt(node.label, node.props, length=None)


def known(names: Iterable[str]) -> str:
    """Return the words an error offers instead."""
    return "known are " + ", ".join(sorted(n for n in names if n))
