# SPDX-License-Identifier: Apache-2.0
"""timeline(): what was done, in the order in which it ended."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit import tables
from smemkit.graph import Graph
from smemkit.records import Node
from tests.app_loader import load
from tests.reading_graphs import CASES

TIMES = st.sampled_from(
    [None, "soon", "2026-01-01T00:00:00Z", "2026-01-01T09:00:00+08:00", "2026-01-02"]
)
INSTANTS = {"2026-01-01T00:00:00Z": 0, "2026-01-01T09:00:00+08:00": 1, "2026-01-02": 2}

STEPS = {"Task", "ToolCall", "SubTask"}


@pytest.mark.parametrize("case", CASES)
def test_every_call_and_scope_has_one_row(cases: Path, case: str):
    """As many as the files hold; positions count from 1 in each session."""
    nodes, _ = load(cases / case)
    steps = [p["task_id"] for labels, p in nodes.values() if {*labels} & STEPS]
    with smemkit.open(cases / case) as mem:
        found = mem.timeline()

    assert sorted(found["id"]) == sorted(steps)
    for _, rows in found.groupby("session_id"):
        assert rows["position"].tolist() == list(range(1, len(rows) + 1))


def test_the_known_timeline(cases: Path):
    """Values read from the files: a failed run, a search, a subagent and its calls."""
    with smemkit.open(cases / "app-store") as mem:
        found = mem.timeline(session_id="S-7").set_index("id")

    assert [i.rpartition(":")[2] for i in found.index] == [
        *("lit1", "e1", "e2", "e3", "e4", "x1", "lit2", "x2", "sa1", "e5"),
    ]
    run = found.loc["subtask:e2"]
    assert (run["tool"], run["type"], run["status"]) == (
        "run_shell",
        "execution",
        "completed",
    )
    assert (run["inputs"], run["products"], run["seconds"]) == (1, 1, 0)
    assert run["started_at"] == pd.Timestamp("2026-10-02T08:00:42Z")
    assert found.loc["subtask:e4", "status"] == "failed"
    assert found.loc["subtask:e4", "products"] == 0
    search = found.loc["subtask:mcp:lit1"]
    assert (search["products"], search["type"]) == (3, "search")
    assert search["started_at"] is pd.NaT
    assert pd.isna(search["seconds"])
    scope = found.loc["subtask:subagent:sa1"]
    assert (scope["label"], scope["tool"], scope["seconds"]) == (
        "Task",
        "data-analyst",
        28,
    )
    inside = found[found["scope"] == "subtask:subagent:sa1"]
    assert [i.rpartition(":")[2] for i in inside.index] == ["x1", "lit2", "x2"]


@given(st.lists(st.tuples(TIMES, st.none() | st.integers(0, 2)), max_size=8))
def test_the_order_is_finish_then_seq_then_creation(steps):
    """As an instant; what has not ended comes last."""
    graph = Graph()
    for n, (moment, seq) in enumerate(steps, 1):
        props = {
            "task_id": str(n),
            "session_id": "s",
            "finished_at": moment,
            "seq": seq,
        }
        kept = {name: value for name, value in props.items() if value is not None}
        graph.put_node(Node(f"n{n}", ("ToolCall",), kept, n))
    expected = sorted(
        range(len(steps)),
        key=lambda k: (INSTANTS.get(steps[k][0], 9), steps[k][1] or 0, k),
    )

    assert tables.timeline(graph)["id"].tolist() == [str(k + 1) for k in expected]


def test_the_order_is_that_of_the_line_the_memory_keeps():
    """Runs that end out of order are followed along `next`, from the goal on."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    for name, second in (("a", 30), ("b", 10), ("c", 20)):
        done = f"2026-01-01T00:00:{second}Z"
        mem.observe_execution(
            name, session_id="s", status="completed", finished_at=done
        )
    edges = mem.edges("next").set_index("source")["target"].to_dict()
    line, here = [], "goal:session:s"
    while here in edges:
        here = edges[here]
        line.append(here)

    assert (
        mem.timeline()["id"].tolist() == line == ["subtask:b", "subtask:c", "subtask:a"]
    )


def test_a_step_of_no_session_has_a_row():
    """Behind the others; asked by session it is not there."""
    graph = Graph()
    graph.put_node(Node("n1", ("ToolCall",), {"task_id": "lost"}, 1))
    graph.put_node(Node("n2", ("ToolCall",), {"task_id": "own", "session_id": "s"}, 2))

    assert tables.timeline(graph)["id"].tolist() == ["own", "lost"]
    assert tables.timeline(graph, session_id="s")["id"].tolist() == ["own"]
