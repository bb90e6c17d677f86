# SPDX-License-Identifier: Apache-2.0
"""The sessions of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from smemkit import instants
from smemkit.graph import Graph
from smemkit.records import Node, Problem
from smemkit.tables.artifacts import is_report
from smemkit.tables.frames import frame, text

if TYPE_CHECKING:
    import pandas as pd


SESSIONS = {
    "id": "string",
    "goal": "string",
    "first": "datetime",
    "last": "datetime",
    "nodes": "Int64",
    "edges": "Int64",
    "calls": "Int64",
    "artifacts": "Int64",
    "files": "Int64",
    "papers": "Int64",
    "evidence": "Int64",
    "claims": "Int64",
    "reports": "object",
    "problems": "Int64",
}


def sessions(graph: Graph, problems: Sequence[Problem] = ()) -> pd.DataFrame:
    """Return one row per session, in order of first appearance.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    problems : sequence of Problem
        What the store could not read.

    Returns
    -------
    DataFrame
        ``id``; ``goal``, what was asked; ``first`` and ``last``, the earliest and
        latest instant of any of its records; how many there are of ``nodes``,
        ``edges`` (those with an end in it), ``calls``, ``artifacts`` (versions),
        ``files`` (uploaded), ``papers``, ``evidence``, ``claims``; ``reports``, a
        list of report ids; ``problems``, how many of the store's problems touch it.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s1", core_objective="Do bills grow?")
    >>> mem.sessions()[["id", "goal", "nodes"]].values.tolist()
    [['s1', 'Do bills grow?', 1]]
    """
    touching: dict[str | None, int] = {}
    for edge in graph.edges():
        ends = (graph.node(edge.src), graph.node(edge.dst))
        for session in {node.session_id for node in ends if node is not None}:
            touching[session] = touching.get(session, 0) + 1
    return frame(
        SESSIONS,
        (
            _row(graph, session, touching.get(session, 0), problems)
            for session in graph.sessions()
        ),
    )


def _row(
    graph: Graph, session: str, edges: int, problems: Sequence[Problem]
) -> tuple[object, ...]:
    goal = next(graph.nodes("ResearchGoal", session_id=session), None)
    counts = graph.counts(session)
    moments = [m for n in graph.nodes(session_id=session) for m in _moments(n)]
    labels = ("ToolCall", "Artifact", "SourceFile", "Paper", "Evidence", "Claim")
    artifacts = graph.nodes("Artifact", session_id=session)
    return (
        session,
        text(goal.props.get("core_objective")) if goal else None,
        min(moments, default=None),
        max(moments, default=None),
        sum(counts.values()),
        edges,
        *(counts.get(label, 0) for label in labels),
        [node.public_id for node in artifacts if is_report(graph, node)],
        sum(problem.session_id == session for problem in problems),
    )


def _moments(node: Node) -> Iterator[datetime]:
    for name in ("created_at", "started_at", "finished_at"):
        moment = instants.parse(node.props.get(name))
        if moment is not None:
            yield moment
