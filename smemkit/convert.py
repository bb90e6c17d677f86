# SPDX-License-Identifier: Apache-2.0
"""networkx there and back: the only file that imports networkx (design §5.10).

How a memory lies in a ``networkx.MultiDiGraph``:

- a node's key is its storage id; its attributes are ``label`` (as stored),
  ``id`` (the public id, where it has one) and every property under its own
  name, ``session_id`` among them;
- an edge's key is its storage id; its attributes are ``type`` and its
  properties;
- a property whose name is taken (``label``, ``id``, ``type``, or anything that
  begins ``prop:`` or ``_smemkit``) stands under ``prop:`` and its name;
- ``_smemkit_n`` is the creation order; ``_smemkit_labels`` lists the labels
  of a node that has none or several;
- edges that wait for a missing end, and the highest ids ever given, lie in the
  graph's own attribute ``_smemkit``.

A graph that somebody else made needs no more than ``label`` on its nodes and
``type`` on its edges. Its public ids are the ids its properties give by the
rules of the schema, else ``id``, else the node's key.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, cast

from smemkit import instants, schema
from smemkit._flat import flatten
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.records import Edge, Node, Props, Value

if TYPE_CHECKING:
    import networkx as nx

    NxGraph: TypeAlias = "nx.MultiDiGraph[Hashable]"

ESCAPE = "prop:"
OWN = "_smemkit"
ORDER = "_smemkit_n"
LABELS = "_smemkit_labels"
_TAKEN = frozenset({"label", "id", "type"})


def to_networkx(
    graph: Graph, session_id: str | None = None, *, flat: bool = False
) -> NxGraph:
    """Return a memory, or one session of it, as a networkx graph.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only the nodes of this session, and the edges between them.
    flat : bool, default False
        Make it fit for ``networkx.write_graphml`` and ``write_gexf``: lists and
        all that is nested as JSON text, characters that XML cannot hold as ``�``,
        the public id as ``public_id`` (two papers may share one, and GEXF takes
        ``id`` for the key), an edge's type as its ``label``. `from_networkx`
        does not read such a graph back.

    Returns
    -------
    networkx.MultiDiGraph
        A node has ``label``, ``id`` and its properties as attributes, an edge
        ``type`` and its properties. Unless `flat`, `from_networkx` gives the
        same back.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> [attributes["id"] for _, attributes in mem.to_networkx().nodes(data=True)]
    ['goal:session:s']
    """
    import networkx as nx

    found: NxGraph = nx.MultiDiGraph()
    nodes = list(graph.nodes(session_id=session_id))
    nodes.sort(key=lambda node: node.n)
    found.add_nodes_from((node.id, _node_attributes(node)) for node in nodes)
    inside = found.nodes
    edges = [e for e in graph.edges() if e.src in inside and e.dst in inside]
    edges.sort(key=lambda edge: edge.n)
    rows = [(e.src, e.dst, e.id, _edge_attributes(e)) for e in edges]
    found.add_edges_from(rows)  # type: ignore[arg-type]  # the stubs know no keys
    waiting = [
        (e.id, e.type, e.src, e.dst, dict(e.props), e.n)
        for e in graph.dangling()
        if session_id is None or e.src in inside or e.dst in inside
    ]
    found.graph[OWN] = {
        "waiting": waiting,
        "marks": (
            graph.node_mark,
            graph.edge_mark,
            graph.node_age,
            graph.edge_age,
        ),
    }
    if flat:
        flatten(
            (found.graph,),
            (attributes for _, attributes in found.nodes(data=True)),
            (attributes for _, _, attributes in found.edges(data=True)),
        )
    return found


def from_networkx(source: object) -> Graph:
    """Return the records a networkx graph holds.

    Parameters
    ----------
    source : networkx.MultiDiGraph
        One that `to_networkx` made, or any other directed graph with ``label``
        on its nodes and ``type`` on its edges. It is not changed.

    Returns
    -------
    Graph
        A graph of our own; nodes of a foreign graph that lack the key of their
        label get it from their public id.

    Raises
    ------
    BadRequest
        It is no directed networkx graph, no node of it has a ``label``, or no
        edge a ``type``.

    Examples
    --------
    >>> import networkx
    >>> foreign = networkx.MultiDiGraph()
    >>> foreign.add_node("run-1", label="Code")
    >>> from_networkx(foreign).named("run-1")[0].label
    'Code'
    """
    reader = Reader(source)
    graph = Graph()
    nodes = [reader.record(key) for key in reader.node_keys()]
    age = max((node.n for node in nodes), default=0)
    for node in sorted(nodes, key=_age):
        age += not node.n
        # A plain Node: what was given beside the properties is among them now.
        graph.put_node(Node(node.id, node.labels, node.props, node.n or age))
    edges = list(reader.edges())
    age = max((edge.n for edge in edges), default=0)
    for edge in sorted(edges, key=_age):
        age += not edge.n
        edge_id = edge.id
        while graph.edge(edge_id) is not None:
            edge_id += "'"
        graph.put_edge(replace(edge, id=edge_id, n=edge.n or age))
    own = reader.source.graph.get(OWN)
    if isinstance(own, Mapping):
        for edge_id, kind, src, dst, props, n in own.get("waiting", ()):
            graph.put_edge(Edge(edge_id, kind, src, dst, props, n))
        marks = own.get("marks", (0, 0, 0, 0))
        graph.node_mark = max(graph.node_mark, marks[0])
        graph.edge_mark = max(graph.edge_mark, marks[1])
        graph.node_age = max(graph.node_age, marks[2])
        graph.edge_age = max(graph.edge_age, marks[3])
    return graph


def is_networkx(source: object) -> bool:
    """Return whether something is a networkx graph, without loading networkx."""
    return any(
        base.__module__.partition(".")[0] == "networkx" for base in type(source).__mro__
    )


@dataclass(frozen=True, slots=True)
class GivenNode(Node):
    """A node of a foreign graph, whose id stands beside its properties."""

    given: str | None = None

    @property
    def public_id(self) -> str | None:
        """The id by the schema's rules, else the one given."""
        by_rule = schema.public_id(self.labels[0], self.props) if self.labels else None
        return self.given if by_rule is None else by_rule


class Reader:
    """Reads nodes and edges of a networkx graph in place.

    Parameters
    ----------
    source : networkx.MultiDiGraph or networkx.DiGraph
        Any directed graph; it is not changed.

    Raises
    ------
    BadRequest
        It is no directed networkx graph, no node of it has a ``label``, or no
        edge a ``type``.
    """

    def __init__(self, source: object) -> None:
        if not is_networkx(source) or not getattr(source, "is_directed", bool)():
            raise BadRequest(
                f"a graph of type {type(source).__name__}",
                found="not a directed networkx graph",
                do="give a networkx.MultiDiGraph",
            )
        self.source = cast("NxGraph", source)
        self._need_names()
        self._ids: dict[Hashable, str] = {}
        self._keys: dict[str, Hashable] = {}

    def _need_names(self) -> None:
        """Refuse a graph whose labels or edge types must have other names."""
        for what, records, names in (
            ("node", self.source.nodes(data=True), ("label", LABELS)),
            ("edge", self.source.edges(data=True), ("type",)),
        ):
            first = next(iter(records), None)
            if first is None or any(n in row[-1] for row in records for n in names):
                continue
            others = (
                ", ".join(map(repr, cast("Mapping[str, object]", first[-1])))
                or "none at all"
            )
            raise BadRequest(
                f"a networkx graph of {len(self.source):,} nodes",
                found=f"no {what} has the attribute {names[0]!r}; its first has {others}",
                do=f"set {names[0]!r} on every {what}",
            )

    def node_keys(self) -> Iterator[Hashable]:
        """Yield the keys of the nodes, in the graph's order."""
        return iter(self.source.nodes)

    def key(self, node_id: str) -> Hashable | None:
        """Return the key of a node, or None if the graph has no such node."""
        key = self._keys.get(node_id, node_id)
        return key if key in self.source.nodes else None

    def id(self, key: Hashable) -> str:
        """Return the storage id of a node: its key, if that is a text."""
        if isinstance(key, str):
            return key
        if key not in self._ids:
            node_id = str(key)
            while node_id in self.source.nodes or node_id in self._keys:
                node_id += "'"
            self._ids[key] = node_id
            self._keys[node_id] = key
        return self._ids[key]

    def record(self, key: Hashable) -> Node:
        """Return a node as a record."""
        attributes = self.source.nodes[key]
        labels = attributes.get(LABELS)
        if labels is None:
            label = attributes.get("label")
            labels = () if label is None else (str(label),)
        props = _props(attributes)
        if ORDER in attributes:
            return Node(self.id(key), tuple(labels), props, attributes[ORDER])
        given = attributes.get("id", key)
        given = str(plain(given))
        return GivenNode(
            self.id(key), tuple(labels), _with_key(labels, props, given), 0, given
        )

    def edges(self) -> Iterator[Edge]:
        """Yield every edge, in the graph's order."""
        for src in self.source.nodes:
            for dst, parallel in self.source.adj[src].items():
                yield from self._parallel(src, dst, parallel)

    def edges_at(self, node_id: str, edge_type: str, *, into: bool) -> list[Edge]:
        """Return the edges of one type at a node, in creation order."""
        key = self.key(node_id)
        if key is None:
            return []
        near = (self.source.pred if into else self.source.adj)[key]
        found = [
            edge
            for other, parallel in near.items()
            for edge in (
                self._parallel(other, key, parallel)
                if into
                else self._parallel(key, other, parallel)
            )
            if edge.type == edge_type
        ]
        return sorted(found, key=_age)

    def _parallel(
        self, src: Hashable, dst: Hashable, parallel: Mapping[str, object]
    ) -> Iterable[Edge]:
        several = self.source.is_multigraph()
        for key, attributes in parallel.items() if several else [(0, parallel)]:
            values = cast("Mapping[str, object]", attributes)
            ends = self.id(src), self.id(dst)
            n = cast(int, values.get(ORDER, 0))
            edge_id = (
                key
                if isinstance(key, str) and ORDER in values
                else f"{ends[0]}>{ends[1]}>{key}"
            )
            kind = str(values.get("type", ""))
            yield Edge(edge_id, kind, *ends, _props(values), n)


def plain(value: object) -> Value:
    """Return a value as a memory holds it: numpy's scalars become Python's.

    Examples
    --------
    >>> plain(("a", "b"))
    ['a', 'b']
    """
    if type(value) in (str, int, float, bool):
        return cast(Value, value)
    if isinstance(value, list | tuple | set | frozenset):
        kept = [plain(each) for each in value]
        same = isinstance(value, list) and all(
            a is b for a, b in zip(kept, value, strict=True)
        )
        return cast(Value, value if same else kept)
    for convert in ("tolist", "isoformat"):
        method = getattr(value, convert, None)
        if callable(method):
            moment = instants.parse(value)
            return instants.text(moment) if moment is not None else plain(method())
    return cast(Value, value)


def _age(record: Node | Edge) -> tuple[bool, int]:
    """Return where a record stands; one without creation order comes last."""
    return not record.n, record.n


def _node_attributes(node: Node) -> dict[str, object]:
    found: dict[str, object] = {}
    if node.labels:
        found["label"] = node.labels[0]
    if len(node.labels) != 1:
        found[LABELS] = node.labels
    if node.public_id is not None:
        found["id"] = node.public_id
    found.update((_escaped(name), value) for name, value in node.props.items())
    found[ORDER] = node.n
    return found


def _edge_attributes(edge: Edge) -> dict[str, object]:
    found: dict[str, object] = {"type": edge.type}
    found.update((_escaped(name), value) for name, value in edge.props.items())
    found[ORDER] = edge.n
    return found


def _escaped(name: str) -> str:
    taken = name in _TAKEN or name.startswith((ESCAPE, OWN))
    return ESCAPE + name if taken else name


def _props(attributes: Mapping[str, object]) -> dict[str, Value]:
    return {
        str(name).removeprefix(ESCAPE): plain(value)
        for name, value in attributes.items()
        if name not in _TAKEN and not str(name).startswith(OWN)
    }


def _with_key(labels: Iterable[str], props: Props, given: str) -> Props:
    """Give a foreign node the key property its label is known by."""
    label = next(iter(labels), "")
    if schema.public_id(label, props) is not None:
        return props
    if schema.canonical_label(label) == "Artifact":
        artifact_id, version = schema.split_version(given)
        added: dict[str, Value] = {"artifact_id": artifact_id}
        return {**added, **({} if version is None else {"version": version}), **props}
    names = schema.NAMES.get(schema.canonical_label(label), ())
    return {names[0]: given, **props} if names else {"id": given, **props}
