# SPDX-License-Identifier: Apache-2.0
"""What the picture of a whole session holds, and what of it is shown.

A session is plain data: a spot for each node, all edges, and folds that hide
spots while they are closed. A state (which folds are open) gives a `Scene`.
The page does the same in the browser, on the same data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from smemkit.answers import NodeView
from smemkit.graph import Graph
from smemkit.reading.order import edges_among, visible
from smemkit.records import Node
from smemkit.views.explorer.lanes import Fold, lanes, moment
from smemkit.views.explorer.places import place
from smemkit.views.fold import KEPT, MOST
from smemkit.views.scene import Arrow, Box, Scene, box_of

RUNS = 90
"""Runs of steps that a session of thousands is folded into."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One node of a session's picture.

    Attributes
    ----------
    box : Box
        Its caption, state and properties; the key is ``k`` and its number.
    view : NodeView
        The node itself.
    column, lane, fold
        See `smemkit.views.explorer.lanes.Place`.
    moment : str
        When it was created, as stored; empty if nobody knows.
    foreign : bool
        True if it is no part of the session, and is here as a neighbour.
    """

    box: Box
    view: NodeView
    column: int
    lane: str
    fold: str = ""
    moment: str = ""
    foreign: bool = False


@dataclass(frozen=True)
class Session:
    """A session, whole: what its page carries.

    Attributes
    ----------
    session_id : str
        The session.
    title : str
        Its goal, or its id.
    spots : tuple of Spot
        Every live node once, in the order of the columns; neighbours in other
        sessions too.
    edges : tuple of (int, int, str, bool)
        Every edge between two spots: their numbers, the type, whether inferred.
    folds : dict
        What can be opened, by key; outer ones may follow inner ones.
    """

    session_id: str
    title: str
    spots: tuple[Spot, ...]
    edges: tuple[tuple[int, int, str, bool], ...]
    folds: dict[str, Fold]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each node, by its storage id."""
        return {spot.view.storage_id: n for n, spot in enumerate(self.spots)}

    def number(self, public_id: str) -> int | None:
        """Return the number of a node, the session's own first; None if not here."""
        found = [n for n, spot in enumerate(self.spots) if spot.box.id == public_id]
        own = [n for n in found if not self.spots[n].foreign]
        return next(iter(own or found), None)

    def around(self, number: int) -> Iterator[Fold]:
        """Yield the folds around a spot, from the inside out."""
        key = self.spots[number].fold
        while key:
            yield self.folds[key]
            key = self.folds[key].within

    def stands_in(self, number: int, opened: Collection[str]) -> str:
        """Return the key of the box that shows a spot: its own, or a closed fold's."""
        key = self.spots[number].box.key
        for fold in self.around(number):
            if fold.key not in opened:
                key = fold.key
        return key

    def opening(self, *numbers: int) -> frozenset[str]:
        """Return the folds to open so that these spots show."""
        return frozenset(fold.key for n in numbers for fold in self.around(n))

    def scene(self, opened: Collection[str] = ()) -> Scene:
        """Return what shows while these folds are open, each box at its place."""
        inside: dict[str, list[int]] = {}
        for n in range(len(self.spots)):
            inside.setdefault(self.stands_in(n, opened), []).append(n)
        boxes = [self._box(key, numbers) for key, numbers in inside.items()]
        scene = Scene(
            self.title,
            "",
            "",
            tuple(boxes),
            self._arrows(inside),
            None,
            len(self.spots),
        )
        return place(scene, {key: self._lane(key) for key in inside})

    def _box(self, key: str, numbers: list[int]) -> Box:
        if key.startswith("k"):
            spot = self.spots[int(key[1:])]
            return replace(spot.box, layer=spot.column, stands_for=len(numbers))
        fold = self.folds[key]
        name = self.name(fold, len(numbers))
        return Box(
            key,
            fold.label,
            caption=name,
            text=name,
            layer=fold.column,
            stands_for=len(numbers),
        )

    def name(self, fold: Fold, count: int) -> str:
        """Return the caption of a stack or a run, in words of no language."""
        if fold.kind == "run":
            return f"{fold.column} … {fold.last} (× {count:,})"
        return f"{fold.label or '?'} × {count:,}"

    def _lane(self, key: str) -> str:
        if key.startswith("k"):
            return self.spots[int(key[1:])].lane
        return self.folds[key].lane

    def _arrows(self, inside: dict[str, list[int]]) -> tuple[Arrow, ...]:
        """Return the edges between boxes; what a box stands for is tied by faint ones."""
        at = {n: key for key, numbers in inside.items() for n in numbers}
        found: dict[tuple[str, str, str], Arrow] = {}
        for src, dst, kind, inferred in self.edges:
            ends = (at[src], at[dst])
            if ends[0] == ends[1]:
                continue
            own = ends == (self.spots[src].box.key, self.spots[dst].box.key)
            old = found.get((*ends, kind))
            found[(*ends, kind)] = Arrow(
                *ends,
                kind,
                own or (old is not None and old.walked),
                inferred and (old is None or old.inferred),
            )
        return tuple(found.values())


def session(graph: Graph, session_id: str) -> Session:
    """Return a session as its picture holds it.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str
        The session.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> _ = mem.observe_execution("e1", session_id="s", tool="run_python", status="succeeded")
    >>> with mem.reading() as graph:
    ...     made = session(graph, "s")
    >>> [(spot.box.caption, spot.column, spot.lane) for spot in made.spots]
    [('Why?', 0, 'steps'), ('run_python', 1, 'steps'), ('run_python e1', 1, 'code')]
    """
    own = [node for node in graph.nodes(session_id=session_id) if visible(node)]
    here = {node.id for node in own}
    nodes = {node.id: node for node in [*own, *_neighbours(graph, own)]}
    made = lanes(graph, session_id, nodes.values())
    numbers = {node.id: n for n, node in enumerate(made.order)}
    spots = []
    for n, node in enumerate(made.order):
        view, at = NodeView.of(node), made.places[node.id]
        spots.append(
            Spot(
                box_of(view, f"k{n}", layer=at.column),
                view,
                at.column,
                at.lane,
                at.fold,
                moment(node),
                node.id not in here,
            )
        )
    spots = _told_apart(spots)
    edges = tuple(
        sorted(
            (
                numbers[edge.src],
                numbers[edge.dst],
                edge.type,
                edge.props.get("inferred") is True,
            )
            for edge in edges_among(graph, numbers)
        )
    )
    goals = [spot.box.caption for spot in spots if spot.view.label == "ResearchGoal"]
    title = goals[0] if goals else session_id
    return _with_runs(Session(session_id, title, tuple(spots), edges, dict(made.folds)))


def _told_apart(spots: list[Spot]) -> list[Spot]:
    """Number the captions that occur more than once, in the order of the columns."""
    names = [(spot.box.label, spot.box.caption) for spot in spots]
    count = Counter(names)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for spot, name in zip(spots, names, strict=True):
        seen[name] += 1
        if count[name] > 1:
            box = replace(spot.box, caption=f"{name[1]} #{seen[name]}")
            spot = replace(spot, box=box)
        found.append(spot)
    return found


def _neighbours(graph: Graph, own: list[Node]) -> list[Node]:
    """Return the nodes outside the session that edges join to these."""
    here = {node.id for node in own}
    found: dict[str, Node] = {}
    for each in own:
        for edge in (*graph.out(each.id), *graph.into(each.id)):
            far = edge.dst if edge.src == each.id else edge.src
            node = None if far in here else graph.node(far)
            if node is not None:
                found[far] = node
    return list(found.values())


def _with_runs(made: Session) -> Session:
    """Fold the steps of a very long session into runs, the last ones left out."""
    alone: dict[int, int] = {}
    for spot in made.spots:
        if not spot.fold:
            alone[spot.column] = alone.get(spot.column, 0) + 1
    if sum(alone.values()) <= MOST:
        return made
    last = max(alone)
    room = KEPT - RUNS - alone.get(0, 0)
    first = last + 1
    while first > 1 and room >= alone.get(first - 1, 0):
        first -= 1
        room -= alone.get(first, 0)
    size = max(2, -(-(first - 1) // RUNS))
    folds = dict(made.folds)
    for begin in range(1, first, size):
        end = min(begin + size, first) - 1
        folds[f"r{begin}"] = Fold(f"r{begin}", "run", begin, "steps", "", "", end)
    of = {c: f"r{1 + (c - 1) // size * size}" if 1 <= c < first else "" for c in alone}
    for fold in made.folds.values():
        if not fold.within:
            folds[fold.key] = replace(fold, within=of.get(fold.column, ""))
    spots = [s if s.fold else replace(s, fold=of.get(s.column, "")) for s in made.spots]
    return replace(made, spots=tuple(spots), folds=folds)
