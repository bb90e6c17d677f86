# SPDX-License-Identifier: Apache-2.0
"""sessions(): one row per session, its counts and times counted in a second way."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given

import smemkit
from smemkit import tables
from smemkit.graph import Graph
from smemkit.records import Node, Problem
from tests.app_loader import load
from tests.reading_graphs import CASES
from tests.strategies import graphs

COUNTED = {
    "artifacts": "Artifact",
    "files": "SourceFile",
    "papers": "Paper",
    "evidence": "Evidence",
    "claims": "Claim",
}


@pytest.mark.parametrize("case", CASES)
def test_the_counts_are_those_of_the_files(cases: Path, case: str):
    """Nodes, edges with an end in the session, and each label."""
    nodes, edges = load(cases / case)
    sessions = {i: props.get("session_id") for i, (_, props) in nodes.items()}
    with smemkit.open(cases / case) as mem:
        found = mem.sessions()

    assert found["id"].tolist() == list(
        dict.fromkeys(s for s in sessions.values() if s)
    )
    for row in found.to_dict("records"):
        own = [
            labels[0] for i, (labels, _) in nodes.items() if sessions[i] == row["id"]
        ]
        assert row["nodes"] == len(own)
        assert row["calls"] == own.count("ToolCall") + own.count("SubTask")
        assert {name: row[name] for name in COUNTED} == {
            name: own.count(label) for name, label in COUNTED.items()
        }
        ends = [{sessions[src], sessions[dst]} for _, src, dst, _ in edges.values()]
        assert row["edges"] == sum(row["id"] in pair for pair in ends)


def test_the_known_sessions(cases: Path):
    """Goal, first and last instant, reports, problems: values read from the files."""
    with smemkit.open(cases / "app-store") as mem:
        first, second = mem.sessions().to_dict("records")

    assert first["id"] == "S-7"
    assert first["goal"].startswith("Does bill length predict body mass")
    assert first["first"] == pd.Timestamp("2026-10-02T08:00:07Z")
    assert first["last"] == pd.Timestamp("2026-10-02T08:02:48.500Z")
    assert first["reports"] == ["report#v1"]
    assert first["problems"] == 0
    assert (second["id"], second["goal"], second["reports"]) == (
        "S-8",
        "锌指结合环在哪里？",
        [],
    )


def test_a_session_without_goal_or_times_has_a_row():
    """Nothing is invented for it."""
    graph = Graph()
    graph.put_node(Node("n1", ("Claim",), {"claim_id": "c", "session_id": "s"}, 1))
    graph.put_node(Node("n2", ("Claim",), {"claim_id": "d"}, 2))
    (row,) = tables.sessions(graph).to_dict("records")

    assert pd.isna(row["goal"])
    assert row["first"] is pd.NaT
    assert row["last"] is pd.NaT
    assert (row["nodes"], row["claims"], row["reports"]) == (1, 1, [])


def test_times_are_compared_as_instants():
    """In whatever zone they were written; what no calendar knows is passed over."""
    graph = Graph()
    times = [
        "2026-01-01T12:00:00+12:00",
        "2026-01-01T01:00:00Z",
        "soon",
        "2026-01-01T02:00:00",
    ]
    for n, moment in enumerate(times, 1):
        props = {"claim_id": str(n), "session_id": "s", "created_at": moment}
        graph.put_node(Node(f"n{n}", ("Claim",), props, n))
    (row,) = tables.sessions(graph).to_dict("records")

    assert row["first"] == datetime(2026, 1, 1, 0, tzinfo=UTC)
    assert row["last"] == datetime(2026, 1, 1, 2, tzinfo=UTC)


def test_problems_are_counted_where_they_touch():
    """Those of no session count for none."""
    graph = Graph()
    for n, session in enumerate(("a", "b"), 1):
        graph.put_node(Node(f"n{n}", ("Claim",), {"session_id": session}, n))
    found = [
        Problem("f", 1, "r", "k", "a"),
        Problem("f", 2, "r", "k", "a"),
        Problem("f", 3, "r", "k"),
    ]

    assert tables.sessions(graph, found)["problems"].tolist() == [2, 0]


@given(graphs())
def test_each_node_with_a_session_is_counted_once(graph):
    """Over all sessions."""
    found = tables.sessions(graph)
    belonging = [n for n in graph.nodes() if n.session_id is not None]

    assert found["nodes"].sum() == len(belonging)
    assert set(found["id"]) == {n.session_id for n in belonging}
    assert found["reports"].map(len).sum() == len(
        [n for n in belonging if n.label == "Artifact" and tables.is_report(graph, n)]
    )
