# SPDX-License-Identifier: Apache-2.0
"""A memory that lives in this process only: ``smemkit.open(":memory:")``.

Examples and tests run on it, and it shows what a store must do with no bytes
in the way.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from smemkit.errors import InvalidRecord, StoreClosed, short
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value, check_names, check_props
from smemkit.stores import Plan


class MemoryStore:
    """A store without files; see `smemkit.stores.Store` for the verbs.

    Examples
    --------
    >>> store = MemoryStore()
    >>> batch = store.write(lambda graph: Batch(nodes=(Node("n1", ("Code",), {}),)))
    >>> len(store.graph())
    1
    """

    location = ":memory:"

    def __init__(self) -> None:
        self._graph = Graph()
        self._lock = threading.RLock()
        self._closed = False

    def lock(self) -> AbstractContextManager[object]:
        """Return the lock that keeps writes of other threads away."""
        return self._lock

    def graph(self, session_id: str | None = None) -> Graph:
        """Return the live Graph."""
        self._refuse_if_closed()
        return self._graph

    def find(
        self,
        label: str | None = None,
        *,
        session_id: str | None = None,
        where: Mapping[str, Value] | None = None,
        limit: int | None = None,
    ) -> list[Node]:
        """Return nodes in creation order whose properties equal `where`."""
        with self._lock:
            return find_nodes(
                self.graph(), label, session_id=session_id, where=where, limit=limit
            )

    def find_edges(
        self,
        edge_type: str | None = None,
        *,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Edge]:
        """Return edges in creation order; with a session both ends are in it."""
        with self._lock:
            return find_edges(
                self.graph(), edge_type, session_id=session_id, limit=limit
            )

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Run the plan under the lock and apply its batch whole."""
        with self._lock:
            self._refuse_if_closed()
            batch = settle(self._graph, plan(self._graph))
            self._graph.apply(batch)
            return batch

    def revision(self) -> object:
        """Return the Graph's change counter."""
        return self._graph.changes

    def refresh(self) -> bool:
        """Return False: nobody else can have written."""
        self._refuse_if_closed()
        return False

    def problems(self) -> list[Problem]:
        """Return an empty list: nothing here was ever read from bytes."""
        self._refuse_if_closed()
        return []

    def close(self) -> None:
        """Let the memory go."""
        self._closed = True

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreClosed(self.location, found="it was closed", do="open it again")


def settle(graph: Graph, batch: Batch) -> Batch:
    """Check a batch against the graph and give each record its place by age.

    Parameters
    ----------
    graph : Graph
        The graph the batch was planned on.
    batch : Batch
        What the plan returned.

    Returns
    -------
    Batch
        The same records; those that exist keep their age, new ones follow.

    Raises
    ------
    InvalidRecord
        A value no memory can hold, an edge without an end, an id twice.
    """
    _refuse_twice([n.id for n in batch.nodes], "node")
    _refuse_twice([e.id for e in batch.edges], "edge")
    age = graph.node_age
    nodes = []
    for node in batch.nodes:
        old = graph.node(node.id)
        if old is None or old.labels != node.labels:
            check_names(node.labels, "label")
        owner = f"{node.label or 'node'} {node.public_id or node.id!r}"
        check_props(owner, node.props, old.props if old else {})
        age += old is None
        nodes.append(replace(node, n=old.n if old else age))
    present = {node.id for node in nodes}
    age = graph.edge_age
    edges = []
    for edge in batch.edges:
        old_edge = graph.edge(edge.id)
        if old_edge is None or old_edge.type != edge.type:
            check_names((edge.type,), "edge type")
        check_props(
            f"edge {short(edge.type)}", edge.props, old_edge.props if old_edge else {}
        )
        for end in (edge.src, edge.dst):
            if end in batch.dropped_nodes or (
                end not in present and graph.node(end) is None
            ):
                raise InvalidRecord(
                    f"edge {short(edge.type)}", found=f"no node {short(end)} at its end"
                )
        age += old_edge is None
        edges.append(replace(edge, n=old_edge.n if old_edge else age))
    return replace(batch, nodes=tuple(nodes), edges=tuple(edges))


def _refuse_twice(ids: list[str], what: str) -> None:
    if len(set(ids)) != len(ids):
        raise InvalidRecord(
            f"a batch of {len(ids)} {what} records", found="one id twice"
        )


def find_nodes(
    graph: Graph,
    label: str | None,
    *,
    session_id: str | None,
    where: Mapping[str, Value] | None,
    limit: int | None,
) -> list[Node]:
    """Answer `Store.find` from a Graph."""
    found: list[Node] = []
    wanted = (where or {}).items()
    for node in graph.nodes(label, session_id=session_id):
        if limit is not None and len(found) >= limit:
            break
        if all(node.props.get(key) == value for key, value in wanted):
            found.append(node)
    return found


def find_edges(
    graph: Graph, edge_type: str | None, *, session_id: str | None, limit: int | None
) -> list[Edge]:
    """Answer `Store.find_edges` from a Graph."""
    found: list[Edge] = []
    for edge in graph.edges(edge_type):
        if limit is not None and len(found) >= limit:
            break
        if session_id is None or all(
            (node := graph.node(end)) is not None and node.session_id == session_id
            for end in (edge.src, edge.dst)
        ):
            found.append(edge)
    return found
