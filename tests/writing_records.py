# SPDX-License-Identifier: Apache-2.0
"""What a memory holds after a write, read anew: from disk where there is a disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import InvalidRecord, SmemError
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import MAX_TEXT_BYTES, Value

Rows = list[tuple[object, ...]]

NOON = "2026-10-02T12:00:00.000Z"
TOO_LONG = "x" * (MAX_TEXT_BYTES + 1)
NO_TEXTS = (7, 1.5, float("nan"), True, b"x", ["x"], {"a": 1}, "\ud800", TOO_LONG)
NO_IDS = (*NO_TEXTS, None, "", " \n")
NO_NUMBERS = ("1", 1.0, float("nan"), True, [1], 1 << 63)
NO_LISTS = ("x", b"x", 7, {"a": 1})


@pytest.fixture(params=["memory", "jsonl"])
def mem(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """Yield an empty memory of each kind that needs no server."""
    target = ":memory:" if request.param == "memory" else tmp_path / "store"
    with smemkit.open(target) as opened:
        yield opened


@contextmanager
def graph_of(mem: Memory) -> Iterator[Graph]:
    """Give the graph, of a folder as a second opening sees it."""
    if mem.location == ":memory:":
        with mem.reading() as graph:
            yield graph
    else:
        with smemkit.open(mem.location) as again, again.reading() as graph:
            yield graph


def props(mem: Memory, label: str, *key: object) -> dict[str, Value]:
    """Return the properties of the one node with this key, in stored order."""
    with graph_of(mem) as graph:
        node = graph.by_key(label, *key)
        assert node is not None, (label, *key)
        assert node.labels == (label,)
        return dict(node.props)


def count(mem: Memory, label: str) -> int:
    """Return how many nodes of a label there are."""
    with graph_of(mem) as graph:
        return len(list(graph.nodes(label)))


def edges(mem: Memory, edge_type: str, *names: str) -> list[tuple[object, ...]]:
    """Return the edges of a type, oldest first: both public ids, then `names`."""
    with graph_of(mem) as graph:
        found = sorted(graph.edges(edge_type), key=lambda edge: edge.n)
        return [
            (
                graph.node(edge.src).public_id,
                graph.node(edge.dst).public_id,
                *(edge.props.get(name) for name in names),
            )
            for edge in found
        ]


def everything(mem: Memory) -> tuple[Rows, Rows]:
    """Return all nodes and edges as they are stored, to compare."""
    with graph_of(mem) as graph:
        nodes: Rows = [(n.id, n.labels, dict(n.props)) for n in graph.nodes()]
        joined: Rows = [(e.id, e.type, e.src, e.dst, e.props) for e in graph.edges()]
        return nodes, joined


@contextmanager
def refused(
    mem: Memory, match: str, error: type[SmemError] = InvalidRecord
) -> Iterator[None]:
    """Hold that a write is refused with this error and keeps nothing."""
    before = everything(mem)
    with pytest.raises(error, match=match):
        yield
    assert everything(mem) == before


def at(hour: int, minute: int = 0) -> str:
    """Return a time of one day."""
    return f"2026-10-02T{hour:02}:{minute:02}:00.000Z"
