# SPDX-License-Identifier: Apache-2.0
"""Everything a server tells, gathered into one Graph.

Asked per label and per edge type over all sessions at once. Where such an answer
was cut, each session is asked for alone. Where an id stands for several nodes (a
paper's link is the same in every session), edges are asked for session by
session, which tells whose they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

from smemkit import instants, schema
from smemkit.graph import Graph
from smemkit.records import Edge, Node, Problem, Value

PAGE = 5_000
"""Rows asked for at once; the app's own server ignores it and gives 500."""

NODE_ROUTE, EDGE_ROUTE = "/query/by-node-type", "/query/by-edge-type"

Row = Mapping[str, object]

_UNKNOWN = datetime.min.replace(tzinfo=UTC)


class Asks(Protocol):
    """What can put a question to a server."""

    def post(self, route: str, body: Mapping[str, object]) -> Row | None:
        """Return the answer; None for a name the server does not know."""
        ...


class Gathering:
    """One reading of everything a server holds.

    Parameters
    ----------
    wire : Asks
        The connection.

    Attributes
    ----------
    problems : list of Problem
        What was cut (kind ``truncated``) or could not be placed.
    """

    def __init__(self, wire: Asks) -> None:
        self._wire = wire
        self._sessions: dict[str, None] = {}
        self._places: dict[str, list[Node]] = {}
        self.problems: list[Problem] = []

    def graph(self) -> Graph:
        """Return the Graph of all nodes and edges the server tells of."""
        rows: dict[tuple[object, ...], Row] = {}
        labels = (*schema.LABELS, *schema.OTHER_LABELS)
        cut = [label for label in labels if not self._nodes(rows, label, None)]
        # Only now is every session known that any label tells of.
        for label in cut:
            for session in tuple(self._sessions):
                self._nodes(rows, label, session)
        graph = Graph()
        for node in _aged(rows.values()):
            graph.put_node(node)
            self._places.setdefault(node.public_id or "", []).append(node)
        edges = [
            (kind, *placed)
            for kind in (*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES)
            for placed in self._edges(kind)
        ]
        # An edge is not older than its ends; the wire tells nothing nearer.
        edges.sort(key=lambda edge: sorted((edge[2].n, edge[3].n), reverse=True))
        for number, (kind, row, src, dst) in enumerate(edges, 1):
            graph.put_edge(
                Edge(f"r{number}", kind, src.id, dst.id, _props(row), number)
            )
        return graph

    def _nodes(
        self, rows: dict[tuple[object, ...], Row], label: str, session: str | None
    ) -> bool:
        """Keep the rows of a label; False if the server cut them."""
        body: dict[str, object] = {"node_types": [label]}
        if session is not None:
            body["session_id"] = session
        found, whole = self._pages(NODE_ROUTE, body, "hits")
        told = [row for row in found if _is_node(row)]
        for row in told:
            rows.setdefault(_row_key(row), row)
            if isinstance(own := row.get("session_id"), str):
                self._sessions.setdefault(own)
        if lost := len(found) - len(told):
            reason = f"{lost} rows of the answer for {label!r} are no nodes"
            self.problems.append(Problem("", None, reason, "no-id", session))
        if not whole:
            self._cut(label, session, len(found))
        return whole

    def _edges(self, kind: str) -> Iterator[tuple[Row, Node, Node]]:
        body = {"edge_types": [kind]}
        rows, whole = self._pages(EDGE_ROUTE, body, "edges")
        if whole and all(map(self._is_plain, rows)):
            yield from self._placed(rows, kind, None)
            return
        if not whole:
            self._cut(kind, None, len(rows))
        for session in self._sessions:
            within, all_of_it = self._pages(
                EDGE_ROUTE, {**body, "session_id": session}, "edges"
            )
            yield from self._placed(within, kind, session)
            if not all_of_it:
                self._cut(kind, session, len(within))
        yield from self._placed([row for row in rows if self._crosses(row)], kind, None)

    def _pages(
        self, route: str, body: Mapping[str, object], field: str
    ) -> tuple[list[Row], bool]:
        """Return the rows of one question, and whether they are all there are."""
        found: list[Row] = []
        while True:
            answer = self._wire.post(
                route, {**body, "limit": PAGE, "offset": len(found)}
            )
            if answer is None:
                return found, True
            rows = answer.get(field)
            page = rows if isinstance(rows, list) else []
            found += [row if isinstance(row, dict) else {} for row in page]
            available = answer.get("available")
            if not isinstance(available, int):
                return found, not answer.get("truncated")
            if not page or len(found) >= available:
                return found, len(found) >= available

    def _ends(self, row: Row) -> tuple[list[Node], list[Node]]:
        source, target = str(row.get("source")), str(row.get("target"))
        return self._places.get(source, []), self._places.get(target, [])

    def _is_plain(self, row: Row) -> bool:
        return all(len(nodes) < 2 for nodes in self._ends(row))

    def _crosses(self, row: Row) -> bool:
        """Tell whether no session holds both ends, so that no session told of it."""
        sources, targets = self._ends(row)
        return not {n.session_id for n in sources} & {n.session_id for n in targets}

    def _placed(
        self, rows: Iterable[Row], kind: str, session: str | None
    ) -> Iterator[tuple[Row, Node, Node]]:
        lost = 0
        for row in rows:
            src, dst = (_pick(nodes, session) for nodes in self._ends(row))
            if src is None or dst is None:
                lost += 1
            else:
                yield row, src, dst
        if lost:
            reason = f"{lost} edges {kind!r} end at a node the server did not tell of"
            self.problems.append(Problem("", None, reason, "dangling-edge", session))

    def _cut(self, name: str, session: str | None, rows: int) -> None:
        where = "all sessions" if session is None else f"session {session!r}"
        reason = f"the server cut its answer for {name!r} in {where} at {rows} rows"
        self.problems.append(Problem("", None, reason, "truncated", session))


def _pick(nodes: Sequence[Node], session: str | None) -> Node | None:
    """Return the one node meant: that of the session asked for, or the first."""
    own = (node for node in nodes if session is None or node.session_id == session)
    return next(own, None)


def _is_node(row: Row) -> bool:
    return isinstance(row.get("label"), str) and isinstance(row.get("id"), str)


def _row_key(row: Row) -> tuple[object, ...]:
    # Two database records may share their identifier (contract/http.md §1.7).
    extra = row.get("extra")
    source = extra.get("source") if isinstance(extra, dict) else None
    return row["label"], row["id"], str(row.get("session_id")), str(source)


def _props(row: Row) -> dict[str, Value]:
    extra = row.get("extra")
    props = dict(extra) if isinstance(extra, dict) else {}
    for name in ("session_id", "created_at"):
        if row.get(name) is not None:
            props[name] = row[name]
    return props


def _aged(rows: Iterable[Row]) -> list[Node]:
    """Return the rows as nodes, the oldest first; equal times keep the answer's order."""
    return [
        Node(f"n{age}", (str(row.get("label")),), _props(row), age)
        for age, row in enumerate(sorted(rows, key=_when), 1)
    ]


def _when(row: Row) -> datetime:
    extra = row.get("extra")
    started = extra.get("started_at") if isinstance(extra, dict) else None
    return instants.parse(row.get("created_at") or started) or _UNKNOWN
