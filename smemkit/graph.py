# SPDX-License-Identifier: Apache-2.0
"""Graph: the records of a memory in main memory, with the look-ups all answers need.

A Graph is what a store hands out and what every answer is computed from. It
keeps creation order everywhere: of nodes, of a session's nodes, of the edges at
a node. Only a store changes one; whoever else holds it reads.

Edges whose end is missing are kept aside (`dangling`) and come alive when the
end arrives, so that the order in which records are put does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from smemkit import _adjacency, _names, schema
from smemkit._adjacency import BY_AGE, Side, Slot
from smemkit._aside import Aside
from smemkit.records import Batch, Edge, Node, number


class Graph:
    """Nodes and edges with indexes by id, session and label, key and edge type.

    Attributes
    ----------
    node_mark, edge_mark : int
        The highest number a storage id ever had here; new ids lie above.
    node_age, edge_age : int
        The highest `n` so far; what is created next is younger.
    nameless : set of str
        The storage ids of nodes that have no public id. Not to be changed.
    memo : dict
        What readers computed from this Graph and keep, by a name of their own.
    changes : int
        Moves with every change, so that a cache can tell it is stale.
    line_cuts : int
        Moves when a `next` edge goes or a node gets a second one: what was walked
        back along these edges no longer holds.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Code",), {"code_id": "e1", "session_id": "s"}))
    >>> graph.by_key("Code", "e1").public_id
    'e1'
    """

    __slots__ = (
        "_aside",
        "_children",
        "_edges",
        "_into",
        "_named",
        "_nodes",
        "_out",
        "_seqs",
        "_sessions",
        "_waiting",
        "changes",
        "edge_age",
        "edge_mark",
        "line_cuts",
        "memo",
        "nameless",
        "node_age",
        "node_mark",
    )

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._edges: dict[str, Edge] = {}
        self._out: Side = {}
        self._into: Side = {}
        self._sessions: dict[str | None, dict[str, dict[str, None]]] = {}
        self._named: _names.Names = {}
        self._children: dict[str, dict[str, None]] = {}
        self._waiting: dict[str, dict[str, None]] = {}
        self._seqs: dict[str | None, int] = {}
        self._aside = Aside()
        self.nameless: set[str] = set()
        self.memo: dict[str, object] = {}
        self.node_mark = self.node_age = 0
        self.edge_mark = self.edge_age = 0
        self.changes = self.line_cuts = 0

    # -- reading ---------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, node_id: str) -> Node | None:
        """Return the node with this storage id, or None."""
        return self._nodes.get(node_id)

    def edge(self, edge_id: str) -> Edge | None:
        """Return the live edge with this storage id, or None."""
        return self._edges.get(edge_id)

    def nodes(
        self, label: str | None = None, *, session_id: str | None = None
    ) -> Iterator[Node]:
        """Yield nodes in creation order.

        Parameters
        ----------
        label : str, optional
            Only nodes that read as this label; an empty text means unlabelled.
        session_id : str, optional
            Only nodes of this session.
        """
        if session_id is None:
            found: Iterator[Node] = iter(self._nodes.values())
            return found if label is None else (n for n in found if n.label == label)
        by_label = self._sessions.get(session_id, {})
        if label is not None:
            return map(self._nodes.__getitem__, by_label.get(label, ()))
        ids = chain.from_iterable(by_label.values())
        return iter(sorted(map(self._nodes.__getitem__, ids), key=BY_AGE))

    def newest(self, label: str, session_id: str | None) -> Iterator[Node]:
        """Yield a session's nodes of one label, the youngest first."""
        ids = self._sessions.get(session_id, {}).get(label, {})
        return map(self._nodes.__getitem__, reversed(ids))

    def kept_edge(self, edge_id: str) -> Edge | None:
        """Return the edge with this storage id, live or waiting for an end."""
        return self._edges.get(edge_id) or self._aside.get(edge_id)

    def edges(self, edge_type: str | None = None) -> Iterator[Edge]:
        """Yield live edges in creation order, all or those of one type."""
        found = iter(self._edges.values())
        return found if edge_type is None else (e for e in found if e.type == edge_type)

    def out(self, node_id: str, edge_type: str | None = None) -> Sequence[Edge]:
        """Return the edges that leave a node, in creation order."""
        return _adjacency.at(self._out, node_id, edge_type)

    def into(self, node_id: str, edge_type: str | None = None) -> Sequence[Edge]:
        """Return the edges that arrive at a node, in creation order."""
        return _adjacency.at(self._into, node_id, edge_type)

    def between(self, src: str, dst: str, edge_type: str) -> Sequence[Edge]:
        """Return the edges of one type from one node to another."""
        leaving, arriving = self.out(src, edge_type), self.into(dst, edge_type)
        if len(leaving) <= len(arriving):
            return [edge for edge in leaving if edge.dst == dst]
        return [edge for edge in arriving if edge.src == src]

    def named(self, text: str) -> list[Node]:
        """Return the nodes a caller may mean by this text, in creation order.

        The text is compared with the key properties of `schema.NAMES`, without
        version: ``fig`` finds every version of the Artifact, a link every Paper
        of that link in any session.
        """
        return sorted(
            map(self._nodes.__getitem__, _names.ids(self._named, text)), key=BY_AGE
        )

    def by_key(self, label: str, *key: object) -> Node | None:
        """Return the first created node of a label with this unique key.

        Parameters
        ----------
        label : str
            A label of `schema.KEYS`.
        *key
            The values of its key properties, in the order of `schema.KEYS`.

        Examples
        --------
        >>> Graph().by_key("Artifact", "fig", 2) is None
        True
        """
        fields = schema.KEYS[label]
        text = (
            str(key[fields.index(schema.NAMES[label][0])])
            if label != "WebPage"
            else str(key[1])
        )
        for node in self.named(text):
            if node.label == label and all(
                node.props.get(f) == v for f, v in zip(fields, key, strict=True)
            ):
                return node
        return None

    def sessions(self) -> tuple[str, ...]:
        """Return the session ids in the order of their oldest nodes."""
        oldest: dict[str, int] = {}
        for session_id, labels in self._sessions.items():
            ages = [self._age(next(iter(ids))) for ids in labels.values() if ids]
            if session_id is not None and ages:
                oldest[session_id] = min(ages)
        return tuple(sorted(oldest, key=oldest.__getitem__))

    def has_session(self, session_id: str) -> bool:
        """Return whether any node belongs to this session."""
        return session_id in self._sessions

    def counts(self, session_id: str | None = None) -> dict[str, int]:
        """Return how many nodes there are per label, in one session or in all."""
        every = (
            self._sessions.values()
            if session_id is None
            else [self._sessions.get(session_id, {})]
        )
        found: dict[str, int] = {}
        for by_label in every:
            for label, ids in by_label.items():
                if ids:
                    found[label] = found.get(label, 0) + len(ids)
        return found

    def edge_counts(self) -> dict[str, int]:
        """Return how many live edges there are per type."""
        found: dict[str, int] = {}
        for edge in self._edges.values():
            found[edge.type] = found.get(edge.type, 0) + 1
        return found

    def children(self, scope_task_id: str) -> list[Node]:
        """Return the nodes whose parent_subtask_id is this scope, in creation order."""
        return [self._nodes[i] for i in self._children.get(scope_task_id, ())]

    def newest_children(self, scope_task_id: str) -> Iterator[Node]:
        """Yield the children of a scope, the youngest first."""
        return map(
            self._nodes.__getitem__, reversed(self._children.get(scope_task_id, {}))
        )

    def waiting_for(self, public_id: str) -> list[Node]:
        """Return the Code nodes whose `missing_inputs` list this id."""
        return [self._nodes[i] for i in self._waiting.get(public_id, ())]

    def max_seq(self, session_id: str) -> int:
        """Return the highest `seq` of a session's calls and scopes, 0 if none."""
        return self._seqs.get(session_id, 0)

    def dangling(self) -> Iterator[Edge]:
        """Yield the edges of which at least one end is not in the graph."""
        return iter(self._aside)

    def adjacency(self, edge_type: str, *, into: bool) -> dict[str, Slot]:
        """Return one side of one edge type as stored: node id -> edge or edges.

        For walks over thousands of nodes, which `out` and `into` would slow
        down. An Edge stands alone, several stand in a list. Not to be changed.
        """
        return (self._into if into else self._out).get(edge_type, {})

    # -- changing: for stores only ---------------------------------------------

    def apply(self, batch: Batch) -> None:
        """Take a batch in: removals first, then nodes, then edges."""
        for edge_id in batch.dropped_edges:
            self.drop_edge(edge_id)
        for node_id in batch.dropped_nodes:
            self.drop_node(node_id)
        for node in batch.nodes:
            self.put_node(node)
        for edge in batch.edges:
            self.put_edge(edge)

    def put_node(self, node: Node) -> None:
        """Add a node, or give a node that exists its new state and its old place."""
        self.changes += 1
        self.node_age = max(self.node_age, node.n)
        old = self._nodes.get(node.id)
        if old is not None:
            if old.labels == node.labels and _same_place(old, node):
                self._nodes[node.id] = node
                self._note(node)
                _names.note_lack(self.nameless, node)
                return
            self._forget(old)
        self._nodes[node.id] = node
        label, session_id = node.label, node.session_id
        by_label = self._sessions.setdefault(session_id, {})
        by_label.setdefault(label, {})[node.id] = None
        if old is not None:  # it moved: it keeps its age among its new neighbours
            by_label[label] = dict.fromkeys(sorted(by_label[label], key=self._age))
        for name in schema.names(label, node.props):
            _names.add(self._named, name, node.id)
        _names.note_lack(self.nameless, node)
        self._note(node)
        parent = node.props.get("parent_subtask_id")
        if isinstance(parent, str):
            self._children.setdefault(parent, {})[node.id] = None
        self.node_mark = max(self.node_mark, number(node.id))
        for edge in self._aside.waiting_for(node.id):
            self.put_edge(edge)

    def put_edge(self, edge: Edge) -> None:
        """Add an edge or give it its new state; without both ends it waits aside."""
        self.changes += 1
        self.edge_age = max(self.edge_age, edge.n)
        self.edge_mark = max(self.edge_mark, number(edge.id))
        self._aside.drop(edge.id)
        old = self._edges.get(edge.id)
        missing = [end for end in (edge.src, edge.dst) if end not in self._nodes]
        if old is not None and (
            missing or (old.type, old.src, old.dst) != (edge.type, edge.src, edge.dst)
        ):
            self._detach(old)
            old = None
        if missing:
            self._aside.put(edge, missing)
            return
        self._edges[edge.id] = edge
        arriving = self._into.setdefault(edge.type, {})
        self.line_cuts += edge.type == "next" and old is None and edge.dst in arriving
        _adjacency.put(self._out.setdefault(edge.type, {}), edge.src, edge, old)
        _adjacency.put(arriving, edge.dst, edge, old)

    def drop_node(self, node_id: str) -> None:
        """Remove a node; edges at it that were not removed first wait aside."""
        node = self._nodes.get(node_id)
        if node is None:
            return
        self.changes += 1
        self.nameless.discard(node_id)
        for edge in [*self.out(node_id), *self.into(node_id)]:
            if edge.id in self._edges:
                self._detach(edge)
                self._aside.put(edge, [node_id])
        self._forget(node)
        del self._nodes[node_id]

    def drop_edge(self, edge_id: str) -> None:
        """Remove an edge, live or waiting."""
        self.changes += 1
        edge = self._edges.get(edge_id)
        if edge is not None:
            self._detach(edge)
        self._aside.drop(edge_id)

    def _age(self, node_id: str) -> int:
        return self._nodes[node_id].n

    def _note(self, node: Node) -> None:
        seq = node.props.get("seq")
        if isinstance(seq, int) and seq > self._seqs.get(node.session_id, 0):
            self._seqs[node.session_id] = seq
        missing = node.props.get("missing_inputs")
        if isinstance(missing, list):
            for wanted in missing:
                self._waiting.setdefault(str(wanted), {})[node.id] = None

    def _forget(self, node: Node) -> None:
        by_label = self._sessions[node.session_id]
        del by_label[node.label][node.id]
        if not by_label[node.label]:
            del by_label[node.label]
        if not by_label:
            del self._sessions[node.session_id]
            self._seqs.pop(node.session_id, None)
        for name in schema.names(node.label, node.props):
            _names.drop(self._named, name, node.id)
        parent = node.props.get("parent_subtask_id")
        if isinstance(parent, str):
            self._children.get(parent, {}).pop(node.id, None)
        missing = node.props.get("missing_inputs")
        if isinstance(missing, list):
            for wanted in missing:
                self._waiting.get(str(wanted), {}).pop(node.id, None)

    def _detach(self, edge: Edge) -> None:
        del self._edges[edge.id]
        self.line_cuts += edge.type == "next"
        _adjacency.drop(self._out[edge.type], edge.src, edge.id)
        _adjacency.drop(self._into[edge.type], edge.dst, edge.id)


def _same_place(old: Node, new: Node) -> bool:
    return (
        old.session_id == new.session_id
        and old.props.get("parent_subtask_id") == new.props.get("parent_subtask_id")
        and old.props.get("missing_inputs") == new.props.get("missing_inputs")
        and schema.names(old.label, old.props) == schema.names(new.label, new.props)
    )
