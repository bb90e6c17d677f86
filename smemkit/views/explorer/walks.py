# SPDX-License-Identifier: Apache-2.0
"""Every chain and every trace of a session, small enough to travel in its page.

A walk is a list of node numbers, written as runs: a session's line is numbered
from left to right, so that a walk along it is one run, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from smemkit.answers import Reason
from smemkit.graph import Graph
from smemkit.reading.chains import chain_from, kinds_for
from smemkit.reading.trace import trace_from
from smemkit.records import Node
from smemkit.views.explorer.session import Session

MOST_WALKS = 6_000
"""A session with more nodes carries walks of the node in focus only."""

Runs = list[int]
"""Start and length by turns; a negative length runs downwards."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One trace by node numbers.

    Attributes
    ----------
    verdict : str
        ``complete``, ``broken`` or ``truncated``.
    why : Reason
        Why, with public ids.
    layers : tuple
        For each layer its segments: the edge type, where from, and what was met.
    """

    verdict: str
    why: Reason
    layers: tuple[tuple[tuple[str, int, tuple[int, ...]], ...], ...]

    @property
    def numbers(self) -> frozenset[int]:
        """All that was met."""
        return frozenset(n for layer in self.layers for *_, met in layer for n in met)


def runs(numbers: Iterable[int]) -> Runs:
    """Return numbers as runs, in their order.

    Examples
    --------
    >>> runs([4, 5, 6, 9, 8, 7, 1])
    [4, 3, 9, -3, 1, 1]
    """
    made: Runs = []
    step = 0
    last = 0
    for number in numbers:
        if made and number - last in (1, -1) and step in (0, number - last):
            step = number - last
            made[-1] = (abs(made[-1]) + 1) * step
        else:
            made += [number, 1]
            step = 0
        last = number
    return made


def chains_of(graph: Graph, made: Session, number: int) -> dict[str, list[int]]:
    """Return the chains of a node's buttons, in their order; an empty one is empty.

    A node without public id has none.
    """
    spot = made.spots[number]
    start = graph.node(spot.view.storage_id)
    if start is None or spot.view.id is None:
        return {}
    return {
        kind: _known(chain_from(graph, start, kind, made.session_id), made.numbers)
        for kind in kinds_for(start.label)
    }


def trace_of(graph: Graph, made: Session, number: int) -> Walk | None:
    """Return the trace of a node to the goal; None for a node without public id."""
    spot = made.spots[number]
    start = graph.node(spot.view.storage_id)
    if start is None or spot.view.id is None:
        return None
    numbers = made.numbers
    trace = trace_from(graph, start, session_id=made.session_id)
    layers = []
    for layer in trace.chain.layers():
        segments: dict[tuple[str, int], list[int]] = {}
        for met, via, origin in layer:
            # What lies beyond the session's neighbours is not in its picture.
            if met.id in numbers and origin.id in numbers:
                ends = (via, numbers[origin.id])
                segments.setdefault(ends, []).append(numbers[met.id])
        layers.append(tuple((*ends, tuple(met)) for ends, met in segments.items()))
    return Walk(trace.verdict, trace.why, tuple(layers))


def _known(nodes: list[Node], numbers: dict[str, int]) -> list[int]:
    return sorted(numbers[node.id] for node in nodes if node.id in numbers)
