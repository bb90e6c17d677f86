# SPDX-License-Identifier: Apache-2.0
"""The steps before a step of a session's line, which are asked for again and again.

An audit traces dozens of nodes of one session, and each trace walks the same
line up to the goal. The line walked last is remembered until the Graph changes.
"""

from __future__ import annotations

from typing import NamedTuple

from smemkit.graph import Graph

STRIDE = 1024
"""Steps that are walked before they are looked at."""

MEMO = "reading.lines"


class _Line(NamedTuple):
    """The line walked last, the nearest step first, as of a state of the Graph."""

    changes: int
    order: list[str]
    places: dict[str, int]


def plain_line(graph: Graph, node_id: str) -> list[str] | None:
    """Follow `next` back from a node; None if the line branches, circles or has gaps.

    What makes a line plain is asked of many steps at once: a question at each
    would cost as much as the step.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_id : str
        Where to start; it is not part of the answer.

    Returns
    -------
    list of str or None
        Storage ids, the nearest first.

    Examples
    --------
    >>> from smemkit.records import Edge
    >>> graph = Graph()
    >>> graph.put_edge(Edge("r1", "next", "n1", "n2", {}, 1))
    >>> plain_line(graph, "n2")
    []
    """
    known = graph.memo.get(MEMO)
    if isinstance(known, _Line) and known.changes == graph.changes:
        place = known.places.get(node_id)
        if place is not None:
            return known.order[place + 1 :]
    order = _walked(graph, node_id)
    if order is None or not graph.nameless.isdisjoint(order):
        return None
    places = dict(zip(order, range(len(order)), strict=True))
    places[node_id] = -1
    if len(places) <= len(order):
        return None
    graph.memo[MEMO] = _Line(graph.changes, order, places)
    return order


def _walked(graph: Graph, node_id: str) -> list[str] | None:
    before = graph.adjacency("next", into=True)
    order: list[str] = []
    here = node_id
    while True:
        try:
            for _ in range(max(STRIDE, len(order))):
                here = before[here].src  # type: ignore[union-attr]
                order.append(here)
        except KeyError:  # nothing is before it
            return order
        except AttributeError:  # several are
            return None
        if len({node_id, *order}) <= len(order):
            return None
