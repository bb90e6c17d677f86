# SPDX-License-Identifier: Apache-2.0
"""The order in which rows are shown, and which of them belong to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from smemkit import instants
from smemkit.errors import BadRequest, short
from smemkit.graph import Graph
from smemkit.records import Edge, Node

T = TypeVar("T")

_NEVER = "~"


def newest_first(nodes: Iterable[Node]) -> list[Node]:
    """Return nodes by time of creation, the youngest first.

    A node without time leads (contract/query.md §1.4), one whose time cannot be
    read comes last; equal times keep the order they came in. Times are compared
    as instants.
    """
    return by_newest(nodes, lambda node: node)


def by_newest(rows: Iterable[T], of: Callable[[T], Node]) -> list[T]:
    """Return rows by the creation time of the node each stands for."""
    return sorted(
        rows, key=lambda row: _when(of(row).props.get("created_at")), reverse=True
    )


def _when(created: object) -> str:
    if created is None:
        return _NEVER
    if (
        isinstance(created, str)
        and len(created) == 24
        and created.endswith("Z")
        and created[19] == "."
    ):
        return created[:-1]  # the form the app writes sorts as it stands
    moment = instants.parse(created)
    if moment is None:
        return ""
    exact = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.replace(tzinfo=None).isoformat(timespec=exact)


def page(rows: Sequence[T], limit: int | None, offset: int) -> Sequence[T]:
    """Return the rows of one page.

    Raises
    ------
    BadRequest
        `limit` or `offset` is no whole number from 0.
    """
    for name, value in (("limit", limit), ("offset", offset)):
        if value is None and name == "limit":
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadRequest(
                f"{name}={short(value)}", found="not a whole number from 0"
            )
    if limit is None:
        return rows[offset:] if offset else rows
    return rows[offset : offset + limit]


def require_version(version: object) -> None:
    """Refuse what is no version of an artifact.

    Raises
    ------
    BadRequest
        It is no whole number from 1.
    """
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise BadRequest(f"version={short(version)}", found="not a whole number from 1")


def edges_among(graph: Graph, ids: Iterable[str]) -> list[Edge]:
    """Return every edge between nodes of a set, in creation order."""
    inside = set(ids)
    found = [e for each in inside for e in graph.out(each) if e.dst in inside]
    return sorted(found, key=lambda edge: edge.n)


def visible(node: Node) -> bool:
    """Return whether a node is not what a deleted session left behind."""
    return node.props.get("deleted_session") is not True
