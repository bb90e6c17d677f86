# SPDX-License-Identifier: Apache-2.0
"""`smemkit.trace_provenance`: of a memory, of a Graph, of any networkx graph.

A networkx graph is walked in place: only what the walk meets is read, and
nothing is changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Protocol, runtime_checkable

from smemkit import schema
from smemkit._adjacency import Slot
from smemkit.answers import Trace
from smemkit.convert import OWN, GivenNode, Reader, is_networkx, plain
from smemkit.errors import BadRequest, NodeNotFound, short
from smemkit.graph import Graph
from smemkit.reading import trace
from smemkit.records import Node


@runtime_checkable
class Traceable(Protocol):
    """What can trace by itself: a memory."""

    def trace_provenance(
        self,
        node_id: str,
        *,
        target_label: str | None = ...,
        max_hops: int = ...,
        session_id: str | None = ...,
    ) -> Trace:
        """Walk from a node up to the research goal."""
        ...


def trace_provenance(
    memory: object,
    node_id: Any,
    *,
    target_label: str | None = trace.GOAL,
    max_hops: int = 8,
    session_id: str | None = None,
) -> Trace:
    """Walk from a node up to the research goal and say whether it is reached.

    Parameters
    ----------
    memory : Memory, Graph or networkx.MultiDiGraph
        What to walk. A networkx graph needs ``label`` on its nodes and ``type``
        on its edges; ``session_id`` and ``id`` on nodes are heeded.
    node_id : str or hashable
        A public id; a bare artifact id means its highest version. In a networkx
        graph the key of a node is understood too, whatever its type, and wins.
    target_label : str, default "ResearchGoal"
        The label to look for.
    max_hops : int, default 8
        Layers to walk, 1 to 32.
    session_id : str, optional
        Keep to this session; its Papers may lie in others.

    Returns
    -------
    Trace
        What was met, layer by layer, and how it ended (design §5.1).

    Raises
    ------
    BadRequest
        `memory` is none of these, no node of it has a ``label`` or no edge a
        ``type``, or `max_hops` is out of range.
    UnknownLabel
        Nobody knows `target_label`.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> import networkx
    >>> lab = networkx.MultiDiGraph()
    >>> lab.add_node("why", label="ResearchGoal")
    >>> lab.add_node("run", label="ToolCall")
    >>> _ = lab.add_edge("why", "run", type="next")
    >>> trace_provenance(lab, "run").verdict
    'complete'
    """
    if is_networkx(memory):
        return _in_place(
            InPlace(memory),
            node_id,
            target_label=target_label,
            max_hops=max_hops,
            session_id=session_id,
        )
    if isinstance(memory, Graph):
        return trace.trace_provenance(
            memory,
            node_id,
            target_label=target_label,
            max_hops=max_hops,
            session_id=session_id,
        )
    if isinstance(memory, Traceable):
        return memory.trace_provenance(
            node_id,
            target_label=target_label,
            max_hops=max_hops,
            session_id=session_id,
        )
    raise BadRequest(
        f"a trace in a {type(memory).__name__}",
        found="neither a memory nor a networkx graph",
        do="give what smemkit.open returns, or a networkx.MultiDiGraph",
    )


def _in_place(graph: InPlace, node_id: Any, **asked: Any) -> Trace:
    if not isinstance(node_id, str) and isinstance(node_id, Hashable):
        return _from_key(graph, node_id, **asked)
    try:
        return trace.trace_provenance(graph, node_id, **asked)
    except NodeNotFound as error:
        if graph.named(node_id):
            raise
        raise NodeNotFound(
            error.asked,
            found="no node of the graph has this key or id",
            do="give the key of a node",
        ) from None


def _from_key(
    graph: InPlace,
    key: Hashable,
    *,
    target_label: str | None,
    max_hops: int,
    session_id: str | None,
) -> Trace:
    target = trace.require_target(graph, target_label)
    trace.require_hops(max_hops)
    start = graph.at_key(key)
    fits = start is not None and (
        session_id in (None, start.session_id) or start.label == "Paper"
    )
    if start is None or not fits:
        raise NodeNotFound(
            f"node {short(key)}",
            found="no node of the graph has this key or id"
            if start is None
            else f"it is not in session {short(session_id)}",
            do="give the key of a node",
        )
    return trace.trace_from(
        graph,
        start,
        name=str(start.public_id),
        target=target,
        max_hops=max_hops,
        session_id=session_id,
    )


class InPlace(Graph):
    """A networkx graph behind the look-ups that a trace makes, and no others."""

    __slots__ = ("_by_name", "_known", "_reader")

    def __init__(self, source: object) -> None:
        super().__init__()
        self._reader = Reader(source)
        self._known: dict[str, Node] = {}
        self._by_name: dict[str, list[Node]] | None = None
        self.nameless = _Nameless(self)

    def node(self, node_id: str) -> Node | None:
        """Return the node with this id, read when it is first met."""
        found = self._known.get(node_id)
        if found is None:
            key = self._reader.key(node_id)
            if key is None:
                return None
            found = self._known[node_id] = self._reader.record(key)
        return found

    def at_key(self, key: Hashable) -> Node | None:
        """Return the node of a key that is no text, else the one of such an ``id``."""
        nodes = self._reader.source.nodes
        if _hashes(key) and key in nodes:
            return self._reader.record(key)
        wanted = str(plain(key))
        for each in self._reader.node_keys():
            given = nodes[each].get("id")
            if not isinstance(given, str | None) and str(plain(given)) == wanted:
                return self._reader.record(each)
        return None

    def named(self, text: str) -> list[Node]:
        """Return the nodes a text names; a foreign graph's keys are names too."""
        by_key = self._reader.key(text)
        if by_key is not None and OWN not in self._reader.source.graph:
            return [self._reader.record(by_key)]
        if self._by_name is None:
            self._by_name = self._index()
        found = self._by_name.get(text)
        if found:
            return sorted(found, key=lambda node: node.n)
        return [] if by_key is None else [self._reader.record(by_key)]

    def newest(self, label: str, session_id: str | None) -> Iterator[Node]:
        """Yield the nodes of a label, in a session or in all."""
        for node in self._all():
            if node.label == label and session_id in (None, node.session_id):
                yield node

    def sessions(self) -> tuple[str, ...]:
        """Return nothing: `newest` without a session means all."""
        return ()

    def counts(self, session_id: str | None = None) -> dict[str, int]:
        """Return how many nodes there are per label."""
        found: dict[str, int] = {}
        for node in self._all():
            if session_id in (None, node.session_id):
                found[node.label] = found.get(node.label, 0) + 1
        return found

    def adjacency(self, edge_type: str, *, into: bool) -> dict[str, Slot]:
        """Return one side of one edge type, read node by node."""
        return _Side(self._reader, edge_type, into=into)

    def _all(self) -> Iterator[Node]:
        return map(self._reader.record, self._reader.node_keys())

    def _index(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self._all():
            names = set(schema.names(node.label, node.props))
            if isinstance(node, GivenNode) and node.given is not None:
                names.add(node.given)
            for name in names:
                found.setdefault(name, []).append(node)
        return found


def _hashes(key: Hashable) -> bool:
    try:
        hash(key)
    except TypeError:  # a tuple with a list in it
        return False
    return True


class _Side(dict[str, Slot]):
    """One side of one edge type of a networkx graph, filled as it is asked."""

    def __init__(self, reader: Reader, edge_type: str, *, into: bool) -> None:
        super().__init__()
        self._reader = reader
        self._edge_type = edge_type
        self._into = into

    def __missing__(self, node_id: str) -> Slot:
        found = self._reader.edges_at(node_id, self._edge_type, into=self._into)
        slot: Slot = found[0] if len(found) == 1 else found
        self[node_id] = slot
        return slot

    def get(self, node_id: str, default: object = None) -> Slot | None:  # type: ignore[override]
        return self[node_id] or None

    def __contains__(self, node_id: object) -> bool:
        return isinstance(node_id, str) and bool(self[node_id])


class _Nameless(set[str]):
    """The ids of nodes without public id, told one by one."""

    def __init__(self, graph: InPlace) -> None:
        super().__init__()
        self._graph = graph

    def __contains__(self, node_id: object) -> bool:
        node = self._graph.node(node_id) if isinstance(node_id, str) else None
        return node is None or node.public_id is None
