# SPDX-License-Identifier: Apache-2.0
"""What does one button show? Short walks over the hop table (design §5.3).

A hop starts from what the hop before reached, keeps what the table's labels
and the session allow, and may reach nodes that are known already; only a hop
that reaches nothing at all empties the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemkit.answers import Chain, EdgeView, NodeView
from smemkit.errors import BadRequest, UnknownKind, short
from smemkit.graph import Graph
from smemkit.reading.kinds import (
    IN,
    KINDS,
    OLDER_KINDS,
    Kind,
    Step,
    kinds_for,
    require_kind,
)
from smemkit.reading.older_chains import older_chain
from smemkit.reading.order import edges_among, newest_first, page, require_version
from smemkit.reading.resolve import resolve
from smemkit.records import Edge, Node

__all__ = [
    "KINDS",
    "OLDER_KINDS",
    "chain",
    "chain_exists",
    "chain_from",
    "kinds_for",
]

GOAL = "ResearchGoal"


def chain(
    graph: Graph,
    node_id: str,
    kind: str | None = None,
    *,
    chain_kind: str | None = None,
    session_id: str | None = None,
    version: int | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Chain:
    """Return what one kind of walk reaches from a node.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_id : str
        A public id; a bare artifact id means its highest version.
    kind : str, optional
        A row of the hop table, see `kinds_for`. Any kind runs on any node.
    chain_kind : str, optional
        ``full``, ``task`` or ``artifact``, which older clients send; `kind` wins.
    session_id : str, optional
        Keep to this session; its Papers may lie in others.
    version : int, optional
        The artifact version; wins over one written into the id.
    limit, offset : int, optional
        A page of the nodes; ``task`` is never cut.

    Returns
    -------
    Chain
        The start and all that was reached, newest first, with every edge
        between them; empty if a hop reached nothing.

    Raises
    ------
    UnknownKind
        The table has no such kind; the message lists those of the start's label.
    BadRequest
        Neither `kind` nor `chain_kind` is given; the message lists the kinds.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = [{"artifact_id": "fig", "version": 1}]
    >>> _ = mem.observe_execution("e1", session_id="s", produced_artifacts=made)
    >>> sorted(view.id for view in mem.chain("fig", "viewProducingCode"))
    ['e1', 'fig#v1']
    """
    if version is not None:
        require_version(version)
    older = chain_kind is None or (
        isinstance(chain_kind, str) and chain_kind in OLDER_KINDS
    )
    if kind is None and not older:
        raise UnknownKind(
            f"chain_kind {short(chain_kind)}", do="use one of " + ", ".join(OLDER_KINDS)
        )
    start = resolve(graph, node_id, session_id=session_id, version=version)
    if kind is None and chain_kind is None:
        raise BadRequest(
            f"a chain of {start.label} {short(node_id)}",
            found="neither kind nor chain_kind",
            do="give kind as one of "
            + (", ".join(kinds_for(start.label)) or ", ".join(KINDS)),
        )
    if kind is not None:
        found = _walk(graph, start, require_kind(kind, start.label), session_id)
    else:
        found = older_chain(graph, start, str(chain_kind), session_id)
        limit, offset = (None, 0) if chain_kind == "task" else (limit, offset)
    return _answer(graph, start, found, kind or str(chain_kind), limit, offset)


def chain_exists(
    graph: Graph,
    node_id: str,
    kinds: Iterable[str],
    *,
    session_id: str | None = None,
    version: int | None = None,
) -> dict[str, bool]:
    """Return for each kind whether its chain from a node is not empty.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_id, session_id, version
        As for `chain`.
    kinds : iterable of str
        Rows of the hop table.

    Returns
    -------
    dict of str to bool
        One entry for each distinct kind, in the order asked.

    Raises
    ------
    BadRequest
        `kinds` is empty.
    UnknownKind
        One of them is no row of the table.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s")
    >>> mem.chain_exists("e1", ["viewOutput", "viewInput"])
    {'viewOutput': False, 'viewInput': False}
    """
    if version is not None:
        require_version(version)
    asked = [kinds] if isinstance(kinds, str) else kinds
    asked = list(asked) if isinstance(asked, Iterable) else []
    if not asked:
        raise BadRequest(
            f"kinds={short(kinds)}", found="no kind", do="name at least one"
        )
    # Dict keys keep each kind once; what is no text is refused before it is one.
    rows = list({row.name: row for row in map(require_kind, asked)}.values())
    start = resolve(graph, node_id, session_id=session_id, version=version)
    return {
        row.name: any(
            node.public_id is not None for node in _walk(graph, start, row, session_id)
        )
        for row in rows
    }


def chain_from(
    graph: Graph, start: Node, kind: str, session_id: str | None = None
) -> list[Node]:
    """Return the start and all a kind reaches from this very node, or nothing.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    start : Node
        Where the walk begins, also where another node has the same id.
    kind, session_id
        As for `chain`.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Code",), {"code_id": "e1"}, 1))
    >>> chain_from(graph, graph.node("n1"), "viewOutput")
    []
    """
    found = _walk(graph, start, require_kind(kind, start.label), session_id)
    # What was reached has an id: each hop sees to that.
    return list(found if start.public_id is not None else found[1:])


def _answer(
    graph: Graph,
    start: Node,
    found: Iterable[Node],
    kind: str,
    limit: int | None,
    offset: int,
) -> Chain:
    rows = newest_first(sorted(found, key=lambda node: node.n))
    named = [node for node in rows if node.public_id is not None]
    shown = page(named, limit, offset)
    views = {node.id: NodeView.of(node) for node in shown}
    # The key is one text, not a tuple: ten thousand small objects more would wake
    # Python's collector, which costs as much as the whole answer.
    edges: dict[str, EdgeView] = {}
    for edge in edges_among(graph, views):
        source, target = views[edge.src].id, views[edge.dst].id
        key = f"{source}\0{target}\0{edge.type}"
        if key not in edges:
            edges[key] = EdgeView(source, target, edge.type, edge.props)
    return Chain(
        nodes=tuple(views.values()),
        edges=tuple(edges.values()),
        available=len(named),
        offset=offset,
        limit=limit,
        kind=kind,
        start=NodeView.of(start),
    )


def _walk(
    graph: Graph, start: Node, kind: Kind, session_id: str | None
) -> Sequence[Node]:
    """Return the start and all a kind reaches, or nothing."""
    known: dict[str, Node] = {start.id: start}
    last: Sequence[Node] = [start]
    for step in kind.steps:
        if step.to_goal:
            last = _to_goal(graph, last, step, session_id)
        else:
            last = _one_step(graph, last, step, session_id)
        if not last:
            return ()
        known.update((node.id, node) for node in last)
    return list(known.values())


def _one_step(
    graph: Graph, last: Sequence[Node], step: Step, session_id: str | None
) -> list[Node]:
    edges: list[Edge] = []
    for node in last:
        found = (graph.into if step.way == IN else graph.out)(node.id, step.edge)
        edges.extend(found)
    reached: dict[str, Node] = {}
    for edge in edges:
        far = graph.node(edge.src if step.way == IN else edge.dst)
        if far is not None and _keeps(graph, far, step, session_id):
            reached[far.id] = far
            if step.oldest:
                break
    return list(reached.values())


def _to_goal(
    graph: Graph, last: Sequence[Node], step: Step, session_id: str | None
) -> list[Node]:
    """Walk back to the goal and return the walk; nothing if no goal is met."""
    seen: dict[str, None] = {}
    queue = [node.id for node in last]
    line = graph.adjacency(step.edge, into=True)
    scopes = graph.adjacency("contains", into=True)
    for here in queue:
        slot = line.get(here)
        # Nearly every step has one before it and begins no scope: a short cut.
        if isinstance(slot, Edge) and here not in scopes:
            found: Sequence[str] = (slot.src,)
        else:
            found = _before(graph, here, step.edge, session_id)
        for before in found:
            if before not in seen:
                seen[before] = None
                queue.append(before)
    nodes = [node for each in seen if (node := graph.node(each)) is not None]
    reached = [node for node in nodes if _keeps(graph, node, step, session_id)]
    return reached if any(node.label == GOAL for node in reached) else []


def _before(
    graph: Graph, node_id: str, edge_type: str, session_id: str | None
) -> list[str]:
    """Return what comes before a step: its line, or the scope it begins."""
    found = [edge.src for edge in graph.into(node_id, edge_type)]
    node = graph.node(node_id)
    if node is None or node.label != "ToolCall":
        return found
    found += [edge.src for edge in graph.into(node_id, "contains")]
    parent = node.props.get("parent_subtask_id")
    if not found and isinstance(parent, str):
        scopes = [s for s in graph.named(parent) if s.label == "Task"]
        own = [s for s in scopes if session_id is None or s.session_id == session_id]
        found = [scope.id for scope in own[:1]]
    return found


def _keeps(graph: Graph, node: Node, step: Step, session_id: str | None) -> bool:
    label = node.label
    return (
        label in step.labels
        and (session_id is None or node.session_id == session_id or label == "Paper")
        and node.id not in graph.nameless
    )
