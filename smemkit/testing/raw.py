# SPDX-License-Identifier: Apache-2.0
"""Batches of raw records, drawn: what any program may have left in a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from smemkit import schema
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Value

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES: st.SearchStrategy[object] = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
    st.lists(st.booleans(), max_size=2),
    st.lists(st.integers(-9, 9), max_size=2),
    st.lists(TEXT, max_size=2),
)
REFUSED = st.sampled_from([float("nan"), float("inf"), 1 << 63, [1, "x"], [[1]], None])
PROPS = st.dictionaries(
    st.from_regex(r"[a-z]{1,6}|备注", fullmatch=True), VALUES, max_size=3
)
LABELS = st.sampled_from([*schema.LABELS, *schema.OTHER_LABELS, "Odd"])
KINDS = st.sampled_from([*schema.EDGE_TYPES, "odd_edge"])
PLACES = st.integers(0, 30)


@dataclass(frozen=True)
class Put:
    """A new node, its key among a few."""

    label: str
    session: str | None
    key: int
    props: dict[str, Value]


@dataclass(frozen=True)
class Join:
    """A new edge, parallel to others or not."""

    kind: str
    src: int
    dst: int
    props: dict[str, Value]


@dataclass(frozen=True)
class Change:
    """New properties of a node, or of an edge; those it had are gone."""

    of: str
    at: int
    props: dict[str, Value]


@dataclass(frozen=True)
class Drop:
    """The end of a node and the edges at it, or of an edge."""

    of: str
    at: int


@dataclass(frozen=True)
class Fail:
    """The plan gives up."""


Act = Put | Join | Change | Drop | Fail

_SIDES = st.sampled_from(["node", "edge"])
_GOOD = st.one_of(
    st.builds(
        Put, LABELS, st.sampled_from(["s1", "s2", None]), st.integers(1, 3), PROPS
    ),
    st.builds(Join, KINDS, PLACES, PLACES, PROPS),
    st.builds(Join, st.just("next"), PLACES, PLACES, PROPS),
    st.builds(Change, _SIDES, PLACES, PROPS),
    st.builds(Drop, _SIDES, PLACES),
)
_WRONG = st.one_of(
    st.builds(Fail),
    st.builds(
        Change, _SIDES, PLACES, st.dictionaries(st.just("a"), REFUSED, min_size=1)
    ),
)


@st.composite
def batch(draw: st.DrawFn) -> Sequence[Act]:
    """Draw what one write does; one in ten does what is refused."""
    acts = draw(st.lists(_GOOD, min_size=1, max_size=8))
    return [*acts, draw(_WRONG)] if draw(st.integers(0, 9)) == 9 else acts


BATCHES: st.SearchStrategy[Sequence[Sequence[Act]]] = st.lists(batch(), max_size=6)


STORY: Sequence[Sequence[Act]] = [
    [
        Put("ToolCall", "s1", 1, {}),
        Put("Artifact", "s1", 2, {"a": 1}),
        Put("Odd", None, 1, {}),
    ],
    [
        Join("next", 0, 1, {"method": "temporal_chain"}),
        Join("next", 0, 1, {"method": "scope_chain"}),
        Join("odd_edge", 2, 2, {"x": 1.0}),
    ],
    [Put("Claim", "s2", 1, {}), Put("Claim", "s1", 1, {"list": [1, 2]}), Fail()],
    [Put("Claim", "s2", 1, {}), Put("Claim", "s1", 1, {"list": [1, 2]})],
    [Change("node", 0, {"a": True}), Drop("edge", 0)],
    [Put("Claim", "s1", 2, {}), Change("node", 1, {"a": float("nan")})],
    [Drop("node", 2), Put("SubTask", "s2", 3, {})],
]
"""Parallel edges, blank nodes, refusals and removals, run before what is drawn."""


class GaveUp(BadRequest):
    """What a plan that gives up raises."""


def plan_of(acts: Sequence[Act]) -> Callable[[Graph], Batch]:
    """Return the plan that does these acts on whatever is there."""
    return lambda graph: _Draft(graph).done(acts)


class _Draft:
    """One batch while it is put together."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes()}
        self.edges = {edge.id: edge for edge in graph.edges()}
        self.new_nodes: dict[str, Node] = {}
        self.new_edges: dict[str, Edge] = {}
        self.gone_nodes: list[str] = []
        self.gone_edges: list[str] = []
        self.node_mark, self.edge_mark = graph.node_mark, graph.edge_mark

    def done(self, acts: Sequence[Act]) -> Batch:
        for act in acts:
            if isinstance(act, Fail):
                raise GaveUp("a plan", found="nothing it could do")
            if isinstance(act, Put):
                self._put(act)
            elif isinstance(act, Join):
                self._join(act)
            elif isinstance(act, Change):
                self._change(act)
            else:
                self._drop(act)
        return Batch(
            tuple(self.new_nodes.values()),
            tuple(self.new_edges.values()),
            tuple(self.gone_nodes),
            tuple(self.gone_edges),
        )

    def _put(self, act: Put) -> None:
        self.node_mark += 1
        props: dict[str, Value] = {}
        if act.session is not None:
            props["session_id"] = act.session
        for name in schema.KEYS.get(schema.canonical_label(act.label), ()):
            number = name in {"version", "node_index"}
            props.setdefault(name, act.key if number else f"{name}-{act.key}")
        new = Node(f"n{self.node_mark}", (act.label,), {**act.props, **props})
        self.nodes[new.id] = self.new_nodes[new.id] = new

    def _join(self, act: Join) -> None:
        if not self.nodes:
            return
        self.edge_mark += 1
        ids = list(self.nodes)
        src, dst = ids[act.src % len(ids)], ids[act.dst % len(ids)]
        new = Edge(f"r{self.edge_mark}", act.kind, src, dst, act.props)
        self.edges[new.id] = self.new_edges[new.id] = new

    def _change(self, act: Change) -> None:
        if act.of == "node" and self.nodes:
            node = list(self.nodes.values())[act.at % len(self.nodes)]
            node = Node(node.id, node.labels, act.props)
            self.nodes[node.id] = self.new_nodes[node.id] = node
        elif act.of == "edge" and self.edges:
            edge = list(self.edges.values())[act.at % len(self.edges)]
            edge = Edge(edge.id, edge.type, edge.src, edge.dst, act.props)
            self.edges[edge.id] = self.new_edges[edge.id] = edge

    def _drop(self, act: Drop) -> None:
        """Only what was there before this batch is dropped by it."""
        if act.of == "edge":
            old = [i for i in self.edges if i not in self.new_edges]
            if old:
                self._drop_edge(old[act.at % len(old)])
            return
        ids = [i for i in self.nodes if i not in self.new_nodes]
        if not ids:
            return
        gone = ids[act.at % len(ids)]
        at = [e.id for e in self.edges.values() if gone in {e.src, e.dst}]
        if any(edge_id in self.new_edges for edge_id in at):
            return
        for edge_id in at:
            self._drop_edge(edge_id)
        del self.nodes[gone]
        self.gone_nodes.append(gone)

    def _drop_edge(self, edge_id: str) -> None:
        del self.edges[edge_id]
        self.gone_edges.append(edge_id)
