# SPDX-License-Identifier: Apache-2.0
"""Which record of one memory is which record of another, and what is new there.

`smemkit.copy` states the rule. A record of the source is named by its place in the
list of all: first the nodes, then the edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from smemkit import schema
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Props
from smemkit.stores import Store

R = TypeVar("R", Node, Edge)

Print = tuple[object, ...]
"""What two equal records have in common: labels or type, and typed properties."""

Name = tuple[object, ...]
"""What a record goes by: its key, or all of it if it has none."""


def print_of(record: Node | Edge) -> Print:
    """Return what equal records share; 1, 1.0 and True are three values.

    Examples
    --------
    >>> one, two = (Edge("r1", "next", "n1", "n2", {"a": value}) for value in (1, True))
    >>> print_of(one) == print_of(two)
    False
    """
    first = record.labels if isinstance(record, Node) else record.type
    return first, tuple(sorted((k, repr(v)) for k, v in record.props.items()))


def name_of(node: Node) -> Name:
    """Return the key of a node, with its label; without one, its print."""
    fields = schema.KEYS.get(node.label)
    if fields is None or any(node.props.get(f) is None for f in fields):
        return print_of(node)
    return node.label, *(repr(node.props[f]) for f in fields)


@dataclass
class Records:
    """The nodes and edges of a source, as they were when they were listed."""

    nodes: list[Node]
    edges: list[Edge]
    by_id: dict[str, Node]
    alike: dict[Name, list[Node | Edge]] = field(default_factory=dict)
    """Of names that stand for several records: these, in the order of creation."""

    @classmethod
    def of(cls, graph: Graph, session_id: str | None) -> Records:
        """Return everything in a graph or one session, in the order of creation."""
        nodes = sorted(graph.nodes(session_id=session_id), key=_age)
        by_id = {node.id: node for node in nodes}
        edges = [e for e in graph.edges() if e.src in by_id and e.dst in by_id]
        records = cls(nodes, sorted(edges, key=_age), by_id)
        records._note((name_of(node), node) for node in nodes)
        records._note((way_of(edge), edge) for edge in edges)
        return records

    def _note(self, named: Iterable[tuple[Name, Node | Edge]]) -> None:
        first: dict[Name, Node | Edge] = {}
        for name, record in named:
            other = first.setdefault(name, record)
            if other is not record:
                self.alike.setdefault(name, [other]).append(record)

    def __len__(self) -> int:
        return len(self.nodes) + len(self.edges)

    def __getitem__(self, place: int) -> Node | Edge:
        count = len(self.nodes)
        return self.nodes[place] if place < count else self.edges[place - count]

    def title(self, record: Node | Edge) -> str:
        """Return what a record is called in a message."""
        if isinstance(record, Node):
            return f"{record.label or 'node'} {record.public_id or record.id!r}"[:200]
        src, dst = (self.title(self.by_id[end]) for end in (record.src, record.dst))
        return f"edge {record.type!r} from {src} to {dst}"


def _age(record: Node | Edge) -> int:
    return record.n


def way_of(edge: Edge) -> Name:
    """Return what edges share that may be one another: type, ends, method."""
    return edge.type, edge.src, edge.dst, repr(edge.props.get("method"))


class Known:
    """The nodes of a destination by name, brought up to date before each use."""

    def __init__(self) -> None:
        self._seen: dict[str, Node] = {}
        self._ids: dict[Name, dict[str, None]] = {}

    def follow(self, graph: Graph) -> None:
        """Take in what is new or changed in the graph."""
        # A Graph keeps the very object of a node that did not change.
        for node in graph.nodes():
            if self._seen.get(node.id) is not node:
                self._seen[node.id] = node
                self._ids.setdefault(name_of(node), {})[node.id] = None

    def named(self, name: Name, graph: Graph) -> list[Node]:
        """Return the nodes of this name in the order of creation."""
        ids = self._ids.get(name)
        if not ids:
            return []
        found = [node for i in ids if (node := graph.node(i)) and name_of(node) == name]
        return sorted(found, key=_age)


def pairs(group: Sequence[R], found: Sequence[R], *, replace: bool) -> dict[str, R]:
    """Return which record of the destination each of some records of one name is.

    Those that are equal come first, the older one with the older one; what is
    left of the destination differs, and goes to the last of those that are left.
    Who is not in the answer is to be added, and then is younger than all of them.
    So the answer stays the same once everything is written: a copy that is run
    again finds what it has done.

    Parameters
    ----------
    group, found : sequence of records
        Of the source and of the destination, in the order of creation.
    replace : bool
        Those that differ are made equal.
    """
    here: dict[Print, list[R]] = {}
    for record in group:
        here.setdefault(print_of(record), []).append(record)
    equal: dict[Print, list[R]] = {look: [] for look in here}
    others: list[R] = []
    for other in found:
        equal.get(print_of(other), others).append(other)
    late = {r.id for look in here for r in here[look][len(equal[look]) :]}
    left = [record.id for record in group if record.id in late]
    count = min(len(left), len(others))
    found_as: dict[str, R] = dict(
        zip(left[len(left) - count :], others[:count], strict=True)
    )
    for look, records in here.items():
        if replace:  # made equal, they will be told from the others by age alone
            equal[look] += [found_as.pop(r.id) for r in records if r.id in found_as]
            equal[look].sort(key=_age)
        found_as |= {r.id: o for r, o in zip(records, equal[look], strict=False)}
    return found_as


@dataclass
class Step:
    """The records that one write takes over, matched against the destination.

    Attributes
    ----------
    graph : Graph
        The destination, as it is under its lock.
    before : Mapping
        The destination's id of each node of the source that is done.
    replace : bool
        Give conflicting records the state of the source.
    """

    graph: Graph
    known: Known
    alike: Mapping[Name, Sequence[Node | Edge]]
    before: Mapping[str, str]
    replace: bool
    ends: dict[str, str] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    conflicts: list[tuple[Node | Edge, Node | Edge]] = field(default_factory=list)
    homeless: list[int] = field(default_factory=list)
    paired: dict[Name, dict[str, Any]] = field(default_factory=dict)
    added_nodes: int = 0
    added_edges: int = 0

    @property
    def batch(self) -> Batch:
        """What is to be written."""
        return Batch(tuple(self.nodes), tuple(self.edges))

    def node(self, node: Node) -> None:
        """Find the node a node is, or add it."""
        name = name_of(node)
        there = self._pick(node, name, self.known.named(name, self.graph))
        if there is None:
            self.added_nodes += 1
            new = f"n{self.graph.node_mark + self.added_nodes}"
            self.nodes.append(Node(new, node.labels, node.props))
            self.ends[node.id] = new
            return
        self.ends[node.id] = there.id
        if print_of(there) != print_of(node):
            self.conflicts.append((node, there))
            if self.replace:
                self.nodes.append(Node(there.id, node.labels, node.props))

    def edge(self, place: int, edge: Edge) -> None:
        """Find the edge an edge is, or add it between the nodes its ends are."""
        src, dst = self._end(edge.src), self._end(edge.dst)
        if src is None or dst is None:
            self.homeless.append(place)
            return
        method = repr(edge.props.get("method"))
        parallel = [
            other
            for other in self.graph.between(src, dst, edge.type)
            if repr(other.props.get("method")) == method
        ]
        there = self._pick(edge, way_of(edge), parallel)
        if there is None:
            self.added_edges += 1
            new = f"r{self.graph.edge_mark + self.added_edges}"
            self.edges.append(Edge(new, edge.type, src, dst, edge.props))
            return
        if print_of(there) != print_of(edge):
            self.conflicts.append((edge, there))
            if self.replace:
                self.edges.append(Edge(there.id, edge.type, src, dst, edge.props))

    def _end(self, node_id: str) -> str | None:
        return self.ends.get(node_id) or self.before.get(node_id)

    def _pick(self, record: R, name: Name, found: Sequence[R]) -> R | None:
        if name not in self.paired:
            group = self.alike.get(name, (record,))
            self.paired[name] = pairs(group, found, replace=self.replace)
        return self.paired[name].get(record.id)


class Run:
    """One copy on its way, or one look at whether all is there.

    Attributes
    ----------
    added_nodes, added_edges, replaced : int
        What was written; after a `look` only, what is missing.
    conflicts : list
        Name and difference of each record that is there in another state.
    left_out : dict
        By place: name and reason of each record the destination does not take.
    """

    def __init__(self, records: Records, *, replace: bool = False) -> None:
        self.records = records
        self.replace = replace
        self.added_nodes = self.added_edges = self.replaced = 0
        self.conflicts: list[tuple[str, str]] = []
        self.left_out: dict[int, tuple[str, str]] = {}
        self._known = Known()
        self._ends: dict[str, str] = {}

    def write(self, store: Store, places: Sequence[int]) -> None:
        """Match these records under the store's lock, and write what is new.

        Raises
        ------
        InvalidRecord
            The store does not take one of them; nothing was written.
        """
        steps: list[Step] = []

        def plan(graph: Graph) -> Batch:
            steps[:] = [self._step(graph, places)]
            return steps[0].batch

        here = (self.records[place] for place in places)
        sessions = {n.session_id for n in here if isinstance(n, Node)}
        store.write(plan, sorted(s for s in sessions if s is not None))
        self._keep(steps[0])

    def look(self, graph: Graph, places: Sequence[int]) -> None:
        """Match these records without writing."""
        self._keep(self._step(graph, places))

    def leave_out(self, place: int, reason: str) -> None:
        """Note that the destination does not take a record."""
        self.left_out[place] = (self.records.title(self.records[place]), reason)

    def _step(self, graph: Graph, places: Sequence[int]) -> Step:
        if places and places[0] < len(self.records.nodes):
            self._known.follow(graph)
        step = Step(graph, self._known, self.records.alike, self._ends, self.replace)
        for place in places:
            record = self.records[place]
            if place in self.left_out:
                continue
            if isinstance(record, Node):
                step.node(record)
            else:
                step.edge(place, record)
        return step

    def _keep(self, step: Step) -> None:
        self._ends |= step.ends
        self.added_nodes += step.added_nodes
        self.added_edges += step.added_edges
        for place in step.homeless:
            self.leave_out(place, "a node at its end was left out")
        if self.replace:
            self.replaced += len(step.conflicts)
            return
        for record, there in step.conflicts:
            self.conflicts.append(
                (self.records.title(record), _difference(record, there))
            )


def _difference(here: Node | Edge, there: Node | Edge) -> str:
    names = {**there.props, **here.props}
    differ = [k for k in names if _typed(here.props, k) != _typed(there.props, k)]
    if (
        isinstance(here, Node)
        and isinstance(there, Node)
        and here.labels != there.labels
    ):
        differ.insert(0, "its labels")
    more = f" and {len(differ) - 8} more" if len(differ) > 8 else ""
    return f"differs in {', '.join(name[:80] for name in differ[:8])}{more}"


def _typed(props: Props, name: str) -> str | None:
    return repr(props[name]) if name in props else None
