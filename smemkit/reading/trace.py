# SPDX-License-Identifier: Apache-2.0
"""Where does this come from? The walk up to the research goal (design §5.1).

The walk goes by each node's own label and visits a node once. A layer is all
that the edges below reach from the layer before; `next` is followed over any
length, so that a session's whole line is one layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemkit import schema
from smemkit._adjacency import Slot
from smemkit.answers import Hops, NodeView, Reason, Trace
from smemkit.errors import BadRequest, UnknownLabel, short
from smemkit.graph import Graph
from smemkit.reading.lines import Before, plain_line
from smemkit.reading.resolve import known_label, reads_as, resolve
from smemkit.records import Edge, Node

GOAL = "ResearchGoal"
MAX_HOPS = 32
MANY = 64
"""Steps of a line from which on the targets are listed first."""

UPSTREAM: tuple[tuple[str, bool, str | None], ...] = (
    ("produces", True, None),
    ("input", True, "Code"),
    ("next", True, None),
    ("contains", True, "ToolCall"),
    ("stated_in", True, "Artifact"),
    ("supports", True, "Claim"),
    ("extracts", True, "Evidence"),
    ("feeds", False, "SourceFile"),
)
"""Edge type, whether against the arrow, and the label it is followed from."""

Entry = tuple[Node, str, int]
_Segment = tuple[Sequence[str], str, int]


def trace_provenance(
    graph: Graph,
    node_id: str,
    *,
    target_label: str | None = GOAL,
    max_hops: int = 8,
    session_id: str | None = None,
) -> Trace:
    """Walk from a node up to the research goal and say whether it is reached.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_id : str
        A public id; a bare artifact id means its highest version.
    target_label : str, default "ResearchGoal"
        The label to look for; None or an empty text means the default.
    max_hops : int, default 8
        Layers to walk, 1 to 32.
    session_id : str, optional
        Keep to this session; its Papers may lie in others.

    Returns
    -------
    Trace
        What was met, layer by layer, and how it ended.

    Raises
    ------
    UnknownLabel
        Neither the schema nor the memory knows `target_label`.
    BadRequest
        `max_hops` is out of range.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> _ = mem.observe_execution("e1")
    >>> mem.trace_provenance("e1").reason
    'reached terminal node ResearchGoal'
    """
    target = require_target(graph, target_label)
    require_hops(max_hops)
    start = resolve(graph, node_id, session_id=session_id)
    return trace_from(
        graph,
        start,
        name=node_id,
        target=target,
        max_hops=max_hops,
        session_id=session_id,
    )


def require_target(graph: Graph, label: str | None) -> str:
    """Return the label to look for: that of the goal if none is named.

    Raises
    ------
    UnknownLabel
        Neither the schema nor the memory knows it.
    """
    blank = label is None or (isinstance(label, str) and not label)
    target = GOAL if label is None or blank else label
    if not isinstance(target, str) or not known_label(graph, target):
        raise UnknownLabel(
            f"target label {short(target)}",
            found="neither the schema nor this memory knows it",
            do="use one of " + ", ".join(schema.LABELS),
        )
    return target


def require_hops(max_hops: int) -> None:
    """Refuse a number of layers that nobody walks.

    Raises
    ------
    BadRequest
        It is no whole number from 1 to `MAX_HOPS`.
    """
    if (
        isinstance(max_hops, bool)
        or not isinstance(max_hops, int)
        or not 1 <= max_hops <= MAX_HOPS
    ):
        raise BadRequest(
            f"max_hops={short(max_hops)}", found="not a whole number from 1 to 32"
        )


def trace_from(
    graph: Graph,
    start: Node,
    *,
    name: str = "",
    target: str = GOAL,
    max_hops: int = 8,
    session_id: str | None = None,
) -> Trace:
    """Walk from this very node, also where another one has the same id.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    start : Node
        Where the walk begins.
    name : str, optional
        What the reason calls a start that has no id.
    target, max_hops, session_id
        As for `trace_provenance`.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("ResearchGoal",), {"goal_id": "g"}, 1))
    >>> trace_from(graph, graph.node("n1")).verdict
    'complete'
    """
    walk = _Walk(graph, start, target, session_id)
    hops = Hops(start, walk.near)
    broken, truncated = _climb(walk, hops, max_hops)
    if broken:
        last = hops[-1].node if hops else NodeView.of(start)
        called = name if last.id is None else last.id
        why = Reason("trace.broken", label=last.label, id=called)
    elif truncated:
        why = Reason("trace.truncated", hops=str(max_hops))
    else:
        why = Reason("trace.complete", label=target)
    return Trace(
        NodeView.of(start),
        hops,
        broken,
        truncated,
        why,
        target,
        max_hops,
        session_id,
    )


def _climb(walk: _Walk, hops: Hops, max_hops: int) -> tuple[bool, bool]:
    """Add layer after layer; return whether it broke, or was cut."""
    if reads_as(walk.start, walk.target):
        return False, False
    last: Sequence[tuple[Node, int]] = [(walk.start, -1)]
    for _ in range(max_hops):
        layer, terminal = walk.layer(last)
        if not layer:
            return True, False
        first = len(hops)
        hops.add_layer(layer, terminal=terminal)
        if terminal:
            return False, False
        last = [(entry[0], first + k) for k, entry in enumerate(layer)]
    return False, True


class _Walk:
    """One trace under way: what it has seen, and the layer it makes next."""

    def __init__(
        self, graph: Graph, start: Node, target: str, session_id: str | None
    ) -> None:
        self.graph = graph
        self.start = start
        self.target = target
        self.session_id = session_id
        self.seen = {start.id}
        self.passed: set[str] = set()
        self.first: tuple[str, Sequence[str]] | None = None
        self.wanted: set[str] | None = None
        self.near: dict[int, frozenset[str]] = {}
        self.sides = {via: graph.adjacency(via, into=into) for via, into, _ in UPSTREAM}

    def layer(self, last: Sequence[tuple[Node, int]]) -> tuple[list[Entry], bool]:
        """Return the next layer, and whether it holds what is looked for."""
        segments: list[_Segment] = []
        by_label: dict[str, list[tuple[Node, int]]] = {}
        for entry in last:
            by_label.setdefault(entry[0].label, []).append(entry)
        for via, into, label in UPSTREAM:
            side = self.sides[via]
            for node, place in last if label is None else by_label.get(label, ()):
                if via == "next":
                    met = self._line(node.id)
                    if met:
                        self.near[place] = self._before(node.id)
                else:
                    met = self._ends(node, via, side.get(node.id), into=into)
                if met:
                    segments.append((met, via, place))
        targets = self._targets(segments)
        return (targets, True) if targets else (self._all(segments), False)

    def _ends(
        self, node: Node, via: str, slot: Slot | None, *, into: bool
    ) -> list[str]:
        if slot is None:
            if via == "contains" and node.id not in self.sides["next"]:
                return self._scope(node)
            return []
        edges = [slot] if isinstance(slot, Edge) else slot
        if via == "feeds":
            return [e.dst for e in edges if self._label(e.dst) == GOAL]
        return [e.src if into else e.dst for e in edges]

    def _scope(self, call: Node) -> list[str]:
        """Return the scope a call names that no edge places in it."""
        parent = call.props.get("parent_subtask_id")
        if not isinstance(parent, str):
            return []
        scopes = [
            scope.id
            for scope in self.graph.named(parent)
            if scope.label == "Task" and self._in_session(scope)
        ]
        return scopes[:1]

    def _line(self, node_id: str) -> Sequence[str]:
        """Follow `next` back, nearest first, without a look at the nodes."""
        passed, before = self.passed, self.sides["next"]
        if node_id not in before:
            return []
        if not passed and self.first is None:
            plain = plain_line(self.graph, node_id)
            if plain is not None:
                self.first = (node_id, plain)
                return plain
        if self.first is not None:  # only a second line has to know the first
            passed.add(self.first[0])
            passed.update(self.first[1])
            self.first = None
        nameless = self.graph.nameless
        order: list[str] = []
        passed.add(node_id)
        here = node_id
        while True:
            slot = before.get(here)
            if slot is None:
                return order
            if isinstance(slot, list):
                return order + self._branches(here)
            here = slot.src
            if here in passed:
                return order
            passed.add(here)
            if here in nameless:
                return order
            order.append(here)

    def _before(self, node_id: str) -> frozenset[str]:
        """Return the steps right before a step."""
        slot = self.sides["next"].get(node_id)
        edges = () if slot is None else [slot] if isinstance(slot, Edge) else slot
        return frozenset(edge.src for edge in edges)

    def _branches(self, node_id: str) -> list[str]:
        """Follow `next` back where several arrive, breadth first."""
        passed, before = self.passed, self.sides["next"]
        order: list[str] = []
        queue = [node_id]
        for here in queue:
            slot = before.get(here)
            if slot is None:
                continue
            for edge in [slot] if isinstance(slot, Edge) else slot:
                if edge.src in passed:
                    continue
                passed.add(edge.src)
                if edge.src not in self.graph.nameless:
                    order.append(edge.src)
                    queue.append(edge.src)
        return order

    def _targets(self, segments: list[_Segment]) -> list[Entry]:
        """Return what is looked for, if the layer holds any."""
        found: list[Entry] = []
        met: set[str] = set()
        for ids, via, place in segments:
            if len(ids) > MANY:
                wanted = self._wanted()
                ids = (
                    ids.among(wanted)
                    if isinstance(ids, Before)
                    else [each for each in ids if each in wanted]
                )
            for node in self._nodes(ids):
                if (
                    reads_as(node, self.target)
                    and node.id not in met
                    and self._counts(node)
                ):
                    met.add(node.id)
                    found.append((node, via, place))
        return found

    def _wanted(self) -> set[str]:
        """Return the ids of all that is looked for.

        Looking at each step of a long line would cost more than walking it.
        """
        if self.wanted is None:
            label = schema.canonical_label(self.target)
            sessions: list[str | None] = [self.session_id]
            if self.session_id is None or label == "Paper":
                sessions = [*self.graph.sessions(), None]
            self.wanted = {
                node.id
                for session in sessions
                for node in self.graph.newest(label, session)
            }
        return self.wanted

    def _all(self, segments: list[_Segment]) -> list[Entry]:
        """Return the whole layer and remember it."""
        found: list[Entry] = []
        seen = self.seen
        for ids, via, place in segments:
            for node in self._nodes(ids):
                if node.id not in seen and self._counts(node):
                    seen.add(node.id)
                    found.append((node, via, place))
        return found

    def _counts(self, node: Node) -> bool:
        return (
            node.id not in self.seen
            and node.id not in self.graph.nameless
            and self._in_session(node)
        )

    def _in_session(self, node: Node) -> bool:
        return (
            self.session_id is None
            or node.session_id == self.session_id
            or node.label == "Paper"
        )

    def _nodes(self, ids: Iterable[str]) -> list[Node]:
        return [node for node in map(self.graph.node, ids) if node is not None]

    def _label(self, node_id: str) -> str:
        node = self.graph.node(node_id)
        return "" if node is None else node.label
