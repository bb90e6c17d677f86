# SPDX-License-Identifier: Apache-2.0
"""Draft: the write a verb composes, readable while it grows.

A draft lies over a Graph and shows what the Graph would be after the write. It
changes nothing itself: `batch` gives what a store is to keep, and holds only
records whose state differs from the one there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from smemkit import schema
from smemkit.graph import Graph
from smemkit.records import (
    NO_PROPS,
    Batch,
    Edge,
    Node,
    Props,
    Value,
    shared,
    without_nulls,
)

T = TypeVar("T")
Plan = Callable[[Graph], Batch]
Fields = Mapping[str, Value | None]

NOTHING: Fields = {}


class Writable(Protocol):
    """What a verb needs of a store; every `smemkit.stores.Store` has it."""

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Run a plan under the store's lock and keep its batch whole."""
        ...


class Draft:
    """One write under composition.

    Parameters
    ----------
    graph : Graph
        What there is now; not changed.

    Examples
    --------
    >>> draft = Draft(Graph())
    >>> code, _ = draft.merge_node("Code", {"code_id": "e1"}, created={"status": None})
    >>> draft.find("Code", "e1") == code, draft.batch().nodes[0].props
    (True, {'code_id': 'e1'})
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._nodes: dict[str, Node] = {}
        self._made: dict[tuple[object, ...], str] = {}
        self._edges: dict[str, Edge] = {}
        self._leaving: dict[tuple[str, str], dict[str, Edge]] = {}
        self._arriving: dict[tuple[str, str], dict[str, Edge]] = {}
        self._gone: dict[str, Edge] = {}
        self._gone_nodes: dict[str, None] = {}
        self._new_nodes = self._new_edges = 0

    # -- reading ---------------------------------------------------------------

    def state(self, node: Node) -> Node:
        """Return a node of the Graph as it is in this draft."""
        return self._nodes.get(node.id, node)

    def node(self, node_id: str) -> Node | None:
        """Return the node with this storage id, or None."""
        return self._nodes.get(node_id) or self.graph.node(node_id)

    def find(self, label: str, *key: object) -> Node | None:
        """Return the node of a label with this unique key, or None."""
        made = self._made.get((label, *key))
        if made is not None:
            return self._nodes[made]
        found = self.graph.by_key(label, *key)
        return None if found is None else self.state(found)

    def made(self, label: str, session_id: str) -> Iterator[Node]:
        """Yield the nodes of a label and session that this draft makes."""
        for key, node_id in self._made.items():
            if key[0] == label and self._nodes[node_id].session_id == session_id:
                yield self._nodes[node_id]

    def out(self, node_id: str, edge_type: str) -> list[Edge]:
        """Return the edges of one type that leave a node, in creation order."""
        kept = self._live(self.graph.out(node_id, edge_type))
        return [*kept, *self._leaving.get((node_id, edge_type), {}).values()]

    def into(self, node_id: str, edge_type: str) -> list[Edge]:
        """Return the edges of one type that arrive at a node, in creation order."""
        kept = self._live(self.graph.into(node_id, edge_type))
        return [*kept, *self._arriving.get((node_id, edge_type), {}).values()]

    def between(self, src: str, dst: str, edge_type: str) -> list[Edge]:
        """Return the edges of one type from one node to another."""
        kept = self._live(self.graph.between(src, dst, edge_type))
        leaving = self._leaving.get((src, edge_type), {})
        arriving = self._arriving.get((dst, edge_type), {})
        fewer = leaving if len(leaving) <= len(arriving) else arriving
        new = (e for e in fewer.values() if (e.src, e.dst) == (src, dst))
        return [*kept, *new]

    def _live(self, edges: Sequence[Edge]) -> Iterator[Edge]:
        return (edge for edge in edges if edge.id not in self._gone)

    # -- composing -------------------------------------------------------------

    def merge_node(
        self,
        label: str,
        key: Mapping[str, Value],
        *,
        created: Fields = NOTHING,
        always: Fields = NOTHING,
        given: Fields = NOTHING,
        gaps: Fields = NOTHING,
    ) -> tuple[Node, Node | None]:
        """Find the node with this key or make it.

        Parameters
        ----------
        label : str
            Its label.
        key : Mapping
            The properties of `schema.KEYS` for this label, in their order.
        created : Mapping
            All properties of a new node, in the order in which they are stored.
        always : Mapping
            Set on a node that exists; a null removes.
        given : Mapping
            Set on a node that exists where the new value is not null.
        gaps : Mapping
            Set on a node that exists where it has no value yet.

        Returns
        -------
        tuple of Node, Node or None
            The node now, and as it was before; None if it is new.
        """
        before = self.find(label, *key.values())
        if before is None:
            return self.make_node(label, {**key, **created}), None
        changes = dict(always)
        changes |= without_nulls(given)
        for name, value in gaps.items():
            if value is not None and before.props.get(name) is None:
                changes[name] = value
        return self.set(before, changes), before

    def make_node(self, label: str, props: Fields) -> Node:
        """Make a node; nulls are left out."""
        self._new_nodes += 1
        node = Node(
            f"n{self.graph.node_mark + self._new_nodes}",
            (label,),
            shared(without_nulls(props)),
            self.graph.node_age + self._new_nodes,
        )
        self._nodes[node.id] = node
        names = schema.KEYS.get(label, ())
        self._made[(label, *(node.props.get(name) for name in names))] = node.id
        return node

    def set(self, node: Node, changes: Fields) -> Node:
        """Give properties new values; a null removes one."""
        props = {k: v for k, v in node.props.items() if changes.get(k, v) is not None}
        for name, value in changes.items():
            if value is not None and not _same(props.get(name), value):
                props[name] = value
        changed = replace(node, props=shared(props))
        self._nodes[node.id] = changed
        return changed

    def merge_edge(
        self, edge_type: str, src: Node, dst: Node, props: Props = NO_PROPS
    ) -> Edge:
        """Find the edge of this type between two nodes or make it."""
        found = self.between(src.id, dst.id, edge_type)
        return found[0] if found else self.add_edge(edge_type, src, dst, props)

    def add_edge(
        self, edge_type: str, src: Node, dst: Node, props: Props = NO_PROPS
    ) -> Edge:
        """Make an edge; one that this draft dropped comes back if it said the same.

        The edge keeps `props` itself, so that ten thousand edges may share them.
        """
        for edge in self._gone.values():
            if (edge.type, edge.src, edge.dst, edge.props) == (
                edge_type,
                src.id,
                dst.id,
                props,
            ):
                del self._gone[edge.id]
                return edge
        self._new_edges += 1
        number = self.graph.edge_mark + self._new_edges
        age = self.graph.edge_age + self._new_edges
        edge = Edge(f"r{number}", edge_type, src.id, dst.id, props, age)
        self._edges[edge.id] = edge
        self._leaving.setdefault((src.id, edge_type), {})[edge.id] = edge
        self._arriving.setdefault((dst.id, edge_type), {})[edge.id] = edge
        return edge

    def drop_edge(self, edge: Edge) -> None:
        """Remove an edge."""
        if self._edges.pop(edge.id, None) is not None:
            del self._leaving[edge.src, edge.type][edge.id]
            del self._arriving[edge.dst, edge.type][edge.id]
        elif self.graph.edge(edge.id) is not None:
            self._gone[edge.id] = edge

    def drop_node(self, node: Node) -> None:
        """Remove a node of the Graph and all edges at it."""
        self._gone_nodes[node.id] = None
        for edge in (*self.graph.out(node.id), *self.graph.into(node.id)):
            self._gone[edge.id] = edge

    def batch(self) -> Batch:
        """Return what a store is to keep."""
        changed = (n for n in self._nodes.values() if n.id not in self._gone_nodes)
        return Batch(
            nodes=tuple(n for n in changed if _differs(n, self.graph.node(n.id))),
            edges=tuple(self._edges.values()),
            dropped_nodes=tuple(self._gone_nodes),
            dropped_edges=tuple(self._gone),
        )


def compose(store: Writable, sessions: Sequence[str], how: Callable[[Draft], T]) -> T:
    """Let a store write what `how` drafts, and return what `how` found.

    Parameters
    ----------
    store : Writable
        Where to write.
    sessions : sequence of str
        The sessions written into or read from.
    how : callable
        Drafts the write; runs again if the store has to start over.
    """
    found: list[T] = []

    def plan(graph: Graph) -> Batch:
        draft = Draft(graph)
        found[:] = [how(draft)]
        return draft.batch()

    store.write(plan, sessions)
    return found[0]


def _same(old: object, new: object) -> bool:
    # True equals 1 and 1 equals 1.0, but they are not the same property.
    return type(old) is type(new) and old == new


def _differs(node: Node, old: Node | None) -> bool:
    if old is None or old.props.keys() != node.props.keys():
        return True
    return any(not _same(old.props[k], v) for k, v in node.props.items())
