# SPDX-License-Identifier: Apache-2.0
"""What is in this memory? The few lines by which a memory displays itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smemkit import display, instants, schema
from smemkit.graph import Graph
from smemkit.records import Node, Problem
from smemkit.tables.artifacts import is_report

SHOWN = 10
"""Sessions, reports and problems that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One session in a summary.

    Attributes
    ----------
    id : str
        The session's id.
    goal : str
        What was asked; empty if no goal was recorded.
    nodes : int
        How many nodes belong to it.
    last : str
        When its youngest dated node was created, as stored; may be empty.
    """

    id: str
    goal: str
    nodes: int
    last: str


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One report version in a summary.

    Attributes
    ----------
    id : str
        By which `audit` knows it.
    path : str
        Where its file was written; may be empty.
    claims : int
        How many claims it states.
    """

    id: str
    path: str
    claims: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a memory holds, in counts.

    Attributes
    ----------
    location : str
        Where it is.
    sessions : tuple of SessionLine
        One per session, in order of first appearance.
    labels, edge_types : dict
        How many nodes and edges of each; the schema's first, then the others.
    problems : tuple of Problem
        What could not be read or is out of place.
    missing : bool
        Nothing is there yet: perhaps the name of the folder is mistyped.
    reports : tuple of ReportLine
        The report versions, as `Memory.reports` lists them.

    Examples
    --------
    >>> print(Summary.of(Graph(), ":memory:", ()))
    science memory :memory:
    0 sessions, 0 nodes, 0 edges, no problems
    """

    location: str
    sessions: tuple[SessionLine, ...]
    labels: dict[str, int]
    edge_types: dict[str, int]
    problems: tuple[Problem, ...]
    missing: bool = False
    reports: tuple[ReportLine, ...] = ()

    @classmethod
    def of(
        cls,
        graph: Graph,
        location: str,
        problems: Sequence[Problem],
        *,
        missing: bool = False,
    ) -> Summary:
        """Count what a Graph holds."""
        return cls(
            location,
            tuple(_line(graph, session) for session in graph.sessions()),
            _ordered(graph.counts(), schema.LABELS),
            _ordered(graph.edge_counts(), schema.EDGE_TYPES),
            tuple(problems),
            missing,
            tuple(
                _report(graph, node)
                for node in graph.nodes("Artifact")
                if node.public_id is not None and is_report(graph, node)
            ),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the summary as plain data, problems as their words."""
        return {
            "location": self.location,
            "sessions": [
                {"id": s.id, "goal": s.goal, "nodes": s.nodes, "last": s.last}
                for s in self.sessions
            ],
            "reports": [
                {"id": r.id, "path": r.path, "claims": r.claims} for r in self.reports
            ],
            "labels": dict(self.labels),
            "edge_types": dict(self.edge_types),
            "problems": [
                {"file": p.file, "line": p.line, "kind": p.kind, "reason": p.reason}
                for p in self.problems
            ],
        }

    def headline(self) -> str:
        """Return the counts in one line."""
        problems = (
            _count(len(self.problems), "problem") if self.problems else "no problems"
        )
        return ", ".join(
            [
                _count(len(self.sessions), "session"),
                _count(sum(self.labels.values()), "node"),
                _count(sum(self.edge_types.values()), "edge"),
                problems,
            ]
        )

    def title(self) -> str:
        """Return where it is, and whether there is anything at that place."""
        note = " (this folder does not exist yet)" if self.missing else ""
        return f"science memory {self.location}{note}"

    def __str__(self) -> str:
        parts = [self.title(), self.headline()]
        for title, columns, rows in self._tables():
            parts += ["", display.text_table(title, columns, rows)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        return display.sections(self.title(), self.headline(), self._tables())

    def _tables(self) -> list[tuple[str, list[str], list[tuple[object, ...]]]]:
        found: list[tuple[str, list[str], list[tuple[object, ...]]]] = []
        if self.sessions:
            title = "sessions" + _of(len(self.sessions))
            rows = [(s.id, s.goal, s.nodes, s.last) for s in self.sessions[-SHOWN:]]
            found.append((title, ["session", "goal", "nodes", "last"], [*rows]))
        if self.reports:
            title = "reports" + _of(len(self.reports))
            told = [(r.id, r.path, r.claims) for r in self.reports[-SHOWN:]]
            found.append((title, ["id", "path", "claims"], [*told]))
        if self.labels:
            rows_ = [(label or "(none)", count) for label, count in self.labels.items()]
            found.append(("nodes", ["label", "count"], [*rows_]))
        if self.edge_types:
            found.append(("edges", ["type", "count"], [*self.edge_types.items()]))
        if self.problems:
            title = "problems" + _of(len(self.problems))
            listed = [(p.file, p.line, p.reason) for p in self.problems[:SHOWN]]
            found.append((title, ["file", "line", "reason"], [*listed]))
        return found


def _line(graph: Graph, session: str) -> SessionLine:
    goals = list(graph.nodes("ResearchGoal", session_id=session))
    goal = str(goals[0].props.get("core_objective", "")) if goals else ""
    dated = [
        (moment, str(node.props["created_at"]))
        for node in graph.nodes(session_id=session)
        if (moment := instants.parse(node.props.get("created_at"))) is not None
    ]
    last = max(dated)[1] if dated else ""
    return SessionLine(session, goal, sum(graph.counts(session).values()), last)


def _report(graph: Graph, node: Node) -> ReportLine:
    path = node.props.get("path")
    claims = len(graph.into(node.id, "stated_in"))
    return ReportLine(
        node.public_id or "", path if isinstance(path, str) else "", claims
    )


def _ordered(counts: dict[str, int], known: tuple[str, ...]) -> dict[str, int]:
    others = sorted(set(counts) - set(known))
    return {name: counts[name] for name in (*known, *others) if name in counts}


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _of(number: int) -> str:
    return f" ({SHOWN} of {number:,})" if number > SHOWN else ""
