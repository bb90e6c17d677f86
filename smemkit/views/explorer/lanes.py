# SPDX-License-Identifier: Apache-2.0
"""Where a node stands in a session's picture: its column, its lane, its fold.

A column is a step of the session, in the order of its line; a lane is a row of
things of one sort. What a step made stands in its column; what nobody made
(evidence, claims, files) stands where its time puts it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from smemkit import instants
from smemkit.graph import Graph
from smemkit.reading import folding
from smemkit.reading.subgraph import ordered
from smemkit.records import Node

LANES = ("files", "papers", "steps", "inside", "code", "artifacts", "findings", "other")
"""The lanes from top to bottom; `inside` holds the calls of subagents."""

LANE_OF: Mapping[str, str] = {
    "SourceFile": "files",
    "ResearchGoal": "steps",
    "Task": "steps",
    "ToolCall": "steps",
    "Code": "code",
    "Artifact": "artifacts",
    "Evidence": "findings",
    "Claim": "findings",
    "Paper": "papers",
    "WebPage": "papers",
    "DbRecord": "papers",
}

STACKED = 3
"""So many of one label in one place stand alone; more make a stack."""

STEPS = frozenset({"Task", "ToolCall"})
MADE = frozenset({"Code", "Artifact", "Paper", "WebPage", "DbRecord"})


@dataclass(slots=True)
class Place:
    """Where one node stands.

    Attributes
    ----------
    column : int
        The step, counted from the goal.
    lane : str
        One of `LANES`.
    fold : str
        The key of the fold that hides it while closed, or an empty text.
    """

    column: int
    lane: str
    fold: str = ""


@dataclass(slots=True)
class Fold:
    """Something that is opened and closed: a subagent's scope, a stack, a run of steps.

    Attributes
    ----------
    key : str
        Unique in the scene; a scope has the key of its own box.
    kind : str
        ``scope``, ``stack`` or ``run``.
    column, lane
        Where the box of a stack or a run stands.
    label : str
        The label of a stack's nodes.
    within : str
        The key of the fold around it, or an empty text.
    last : int
        The last column of a run.
    """

    key: str
    kind: str
    column: int
    lane: str
    label: str = ""
    within: str = ""
    last: int = 0


@dataclass(slots=True)
class Lanes:
    """All places of a session, by storage id, and its folds by key."""

    order: list[Node] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    folds: dict[str, Fold] = field(default_factory=dict)
    columns: int = 1


def lanes(graph: Graph, session_id: str, nodes: Iterable[Node]) -> Lanes:
    """Return where each node of a session stands.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str
        The session.
    nodes : iterable of Node
        What is to be placed: the session's nodes and its neighbours.

    Examples
    --------
    >>> from smemkit.records import Edge
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("ResearchGoal",), {"goal_id": "g", "session_id": "s"}, 1))
    >>> graph.put_node(Node("n2", ("ToolCall",), {"task_id": "t", "session_id": "s"}, 2))
    >>> graph.put_node(Node("n3", ("Code",), {"code_id": "c", "session_id": "s"}, 3))
    >>> graph.put_edge(Edge("r1", "next", "n1", "n2"))
    >>> graph.put_edge(Edge("r2", "produces", "n2", "n3"))
    >>> made = lanes(graph, "s", graph.nodes())
    >>> [(p.column, p.lane) for p in made.places.values()]
    [(0, 'steps'), (1, 'steps'), (1, 'code')]
    """
    rest = {node.id: node for node in nodes}
    made = Lanes()
    scopes = _line(graph, session_id, rest, made)
    made.order = [rest.pop(each) for each in made.places]
    clock = _clock(made)
    later = sorted(rest.values(), key=lambda node: node.n)
    for node in later:
        lane = LANE_OF.get(node.label, "other")
        strange = lane == "steps" and node.session_id != session_id
        made.places[node.id] = Place(-1, "other" if strange else lane)
    for node in later:
        made.places[node.id].column = _column(graph, node, made, clock)
    later.sort(key=lambda node: (made.places[node.id].column, *_age(node)))
    made.order += later
    _fold_scopes(graph, scopes, made)
    _stack(made)
    return made


def moment(node: Node) -> str:
    """Return when a node was created, as stored, or an empty text."""
    for name in ("created_at", "started_at", "finished_at"):
        value = node.props.get(name)
        if isinstance(value, str) and instants.parse(value) is not None:
            return value
    return ""


def _age(node: Node) -> tuple[float, str, str, int]:
    """Return what orders nodes of one column: time, label, id; creation breaks ties."""
    at = instants.parse(moment(node))
    when = float("inf") if at is None else at.timestamp()
    return when, node.label, node.public_id or "", node.n


def _line(
    graph: Graph, session_id: str, given: Mapping[str, Node], made: Lanes
) -> list[tuple[Node, list[Node]]]:
    """Give each step a column, a scope's calls behind the scope; return the scopes."""
    rows = [n for n in ordered(graph, session_id) if n.id in given]
    goals = [n for n in rows if n.label == "ResearchGoal"]
    steps = [n for n in rows if n.label in STEPS]
    steps += [
        n for n in given.values() if n.label in STEPS and n.session_id == session_id
    ]
    for goal in goals:
        made.places[goal.id] = Place(0, "steps")
    scopes = [(n, _children(graph, n, given)) for n in steps if folding.is_scope(n)]
    inside = {child.id: scope.id for scope, found in scopes for child in found}
    calls = {scope.id: found for scope, found in scopes}
    # The steps that are in no scope; then all, as a circle of scopes has no outermost.
    for first in [*(n for n in steps if n.id not in inside), *steps]:
        stack = [(first, "steps")]
        while stack:
            node, lane = stack.pop()
            if node.id not in made.places:
                made.places[node.id] = Place(made.columns, lane)
                made.columns += 1
                stack += [(c, "inside") for c in reversed(calls.get(node.id, []))]
    return list({scope.id: (scope, found) for scope, found in scopes}.values())


def _children(graph: Graph, scope: Node, given: Mapping[str, Node]) -> list[Node]:
    """Return a scope's calls in the order of its line, then those it is named by."""
    found = {child.id: child for child in folding.children(graph, scope)}
    for child in graph.children(str(scope.props.get("task_id"))):
        if child.session_id == scope.session_id and child.label in STEPS:
            found.setdefault(child.id, child)
    found.pop(scope.id, None)
    return [child for child in found.values() if child.id in given]


def _clock(made: Lanes) -> tuple[list[float], list[int]]:
    """Return the times at which columns begin, and the columns."""
    times: list[float] = []
    columns: list[int] = []
    for node in made.order:
        began = instants.parse(moment(node))
        if began is None:
            continue
        at = began.timestamp()
        times.append(max(at, times[-1]) if times else at)
        columns.append(made.places[node.id].column)
    return times, columns


def _column(
    graph: Graph, node: Node, made: Lanes, clock: tuple[list[float], list[int]]
) -> int:
    """Return the column of what is no step: its maker's, or by its time."""
    if node.label in MADE:
        column = _maker(graph, node, made)
        if column is not None:
            return column
    at = instants.parse(moment(node))
    times, columns = clock
    if at is not None and times:
        behind = bisect_right(times, at.timestamp())
        return columns[behind - 1] if behind else 0
    near = [
        made.places[edge.src].column
        for edge in graph.into(node.id)
        if edge.src in made.places and made.places[edge.src].column >= 0
    ]
    return max(near, default=0)


def _maker(graph: Graph, node: Node, made: Lanes) -> int | None:
    """Return the column of the step that made a node, directly or through a run."""
    seen = {node.id}
    queue = [node.id]
    for here in queue:
        for edge in graph.into(here, "produces"):
            place = made.places.get(edge.src)
            if place is None or edge.src in seen:
                continue
            if place.column >= 0:
                return place.column
            seen.add(edge.src)
            queue.append(edge.src)
    return None


def _fold_scopes(
    graph: Graph, scopes: list[tuple[Node, list[Node]]], made: Lanes
) -> None:
    """Hide each scope's calls and their runs in the scope, its products in stacks."""
    keys = {node.id: f"k{n}" for n, node in enumerate(made.order)}
    for scope, found in scopes:
        home = made.places[scope.id]
        hidden = [c for c in found if made.places[c.id].lane == "inside"]
        hidden = [c for c in hidden if made.places[c.id].column > home.column]
        if not hidden:
            continue
        fold = Fold(keys[scope.id], "scope", home.column, home.lane)
        made.folds[fold.key] = fold
        products: dict[str, list[str]] = {}
        for child in hidden:
            made.places[child.id].fold = made.places[child.id].fold or fold.key
            for each in _made_by(graph, child, made):
                if each.label == "Code":
                    made.places[each.id].fold = fold.key
                elif each.label in folding.PRODUCTS:
                    products.setdefault(each.label, []).append(each.id)
        for label, ids in products.items():
            _stack_up(made, list(dict.fromkeys(ids)), label, home.column, least=2)
    for fold in made.folds.values():  # a scope may lie in another scope
        if fold.kind == "scope":
            fold.within = made.places[made.order[int(fold.key[1:])].id].fold


def _made_by(graph: Graph, child: Node, made: Lanes) -> list[Node]:
    """Return the runs of a call and what they and the call itself produced."""
    found: dict[str, Node] = {}
    queue = [child.id]
    for here in queue:
        for edge in graph.out(here, "produces"):
            node = graph.node(edge.dst)
            if node is None or edge.dst in found or edge.dst not in made.places:
                continue
            found[edge.dst] = node
            if node.label == "Code":
                queue.append(edge.dst)
    return list(found.values())


def _stack(made: Lanes) -> None:
    """Stack what stands in one column in numbers."""
    cells: dict[tuple[int, str], list[str]] = {}
    for node in made.order:
        place = made.places[node.id]
        if not place.fold and place.lane not in ("steps", "inside"):
            cells.setdefault((place.column, node.label), []).append(node.id)
    for (column, label), ids in cells.items():
        _stack_up(made, ids, label, column, least=STACKED + 1)


def _stack_up(
    made: Lanes, ids: list[str], label: str, column: int, *, least: int
) -> None:
    free = [each for each in ids if not made.places[each].fold]
    if len(free) < least:
        return
    lane = made.places[free[0]].lane
    fold = Fold(f"f{len(made.folds)}", "stack", column, lane, label)
    made.folds[fold.key] = fold
    for each in free:
        made.places[each].fold = fold.key
