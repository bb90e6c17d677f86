# SPDX-License-Identifier: Apache-2.0
"""nodes(), edges() and problems() list everything, each once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given

import smemkit
from smemkit import tables
from smemkit.errors import SessionNotFound, UnknownEdgeType, UnknownLabel
from smemkit.graph import Graph
from smemkit.records import Node, Problem
from tests.app_loader import load
from tests.reading_graphs import CASES
from tests.strategies import graphs


@pytest.mark.parametrize("case", CASES)
def test_every_live_record_has_one_row(cases: Path, case: str):
    """Counted in the files, line by line; what was deleted or rewritten counts once."""
    stored_nodes, stored_edges = load(cases / case)
    with smemkit.open(cases / case) as mem:
        nodes, edges = mem.nodes(), mem.edges()

    assert nodes["props"].tolist() == [props for _, props in stored_nodes.values()]
    assert edges["props"].tolist() == [e[3] for e in stored_edges.values()]
    assert edges["type"].tolist() == [e[0] for e in stored_edges.values()]


def test_a_record_without_label_or_id_has_a_row(cases: Path):
    """app-store holds one without anything and one with a label of another tool."""
    with smemkit.open(cases / "app-store") as mem:
        nodes = mem.nodes()
        edges = mem.edges("next")

    bare = nodes[nodes["label"].isna()]
    assert bare["props"].tolist() == [{}]
    assert bare["id"].isna().all()
    assert bare["session_id"].isna().all()
    assert edges["source"].isna().sum() == 1
    assert "run-9" in set(nodes["id"])


@given(graphs())
def test_nodes_and_edges_are_those_of_the_graph(graph):
    """By label and session as by counting."""
    nodes, edges = tables.nodes(graph), tables.edges(graph)

    assert len(nodes) == len(graph)
    assert len(edges) == len(list(graph.edges()))
    assert Counter(nodes["label"].fillna("")) == Counter(graph.counts())
    assert Counter(edges["type"]) == Counter(graph.edge_counts())
    for label, count in graph.counts().items():
        assert len(tables.nodes(graph, label)) == count
    for session in graph.sessions():
        own = tables.nodes(graph, session_id=session)
        assert set(own["session_id"]) == {session}
        pd.testing.assert_frame_equal(
            own, nodes[nodes["session_id"] == session].reset_index(drop=True)
        )


def test_a_node_shows_its_text_and_times(cases: Path):
    """A file by its path, a claim by its words, times in UTC."""
    with smemkit.open(cases / "app-store") as mem:
        nodes = mem.nodes().set_index("id")

    assert nodes.loc["cl-3", "text"] == "Data come from three islands."
    assert (
        nodes.loc["source_file:session:S-7:data/penguins.csv", "text"]
        == "data/penguins.csv"
    )
    assert nodes.loc["url:https://example.org/zn", "text"] == "Zinc loops"
    assert nodes.loc["subtask:e1", "seq"] == 2
    assert nodes.loc["e4", "status"] == "failed"
    moment = pd.Timestamp("2026-10-02T08:00:35.300Z")
    assert nodes.loc["subtask:e1", "created_at"] == moment
    assert pd.isna(nodes.loc["ev-1", "finished_at"])


def test_an_edge_shows_both_ends(cases: Path):
    """By public id and label; `inferred` where the app guessed."""
    with smemkit.open(cases / "app-store") as mem:
        edges = mem.edges()

    (row,) = edges[edges["type"] == "supersedes"].to_dict("records")
    assert (row["source"], row["target"]) == ("fig#v2", "fig#v1")
    assert (row["source_label"], row["target_label"]) == ("Artifact", "Artifact")
    assert row["session_id"] == "S-7"
    assert edges[edges["inferred"]]["type"].unique().tolist() == ["next"]
    assert not edges[edges["type"] == "produces"]["inferred"].any()


def test_a_session_has_the_edges_that_touch_it(cases: Path):
    """Together they are all edges: none of these crosses."""
    with smemkit.open(cases / "app-store") as mem:
        parts = [len(mem.edges(session_id=s)) for s in ("S-7", "S-8")]
        assert sum(parts) == len(mem.edges())


def test_a_frame_is_a_copy(cases: Path):
    """What an analyst changes in it changes no memory."""
    with smemkit.open(cases / "app-store") as mem:
        mem.nodes("Claim").loc[0, "props"]["content"] = "changed"
        assert "changed" not in mem.nodes("Claim")["text"].tolist()


def test_an_older_label_means_what_is_stored_under_it():
    """A SubTask reads as a ToolCall; asked by its own name, it comes alone."""
    graph = Graph()
    for n, label in enumerate(("SubTask", "ToolCall"), 1):
        props = {"task_id": label, "session_id": "s"}
        graph.put_node(Node(f"n{n}", (label,), props, n))

    assert tables.nodes(graph, "ToolCall")["id"].tolist() == ["SubTask", "ToolCall"]
    assert tables.nodes(graph, "SubTask")["id"].tolist() == ["SubTask"]
    assert len(tables.nodes(graph)) == 2


def test_what_nobody_knows_is_an_error():
    """A label of the schema without nodes is an empty table."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")

    assert len(mem.nodes("Claim")) == len(mem.edges("supports")) == 0
    assert len(mem.nodes("SubTask")) == len(mem.nodes("DbRecord")) == 0
    for label in ("Clam", 5, ["Claim"]):
        with pytest.raises(UnknownLabel, match="ResearchGoal"):
            mem.nodes(label)
    with pytest.raises(UnknownEdgeType, match="suports"):
        mem.edges("suports")
    with pytest.raises(SessionNotFound, match="'s'"):
        mem.nodes(session_id="t")


def test_problems_keep_file_line_kind_and_session():
    """One row each, in order."""
    found = tables.problems(
        [
            Problem("nodes.jsonl", 3, "not JSON", "not-json"),
            Problem("", None, "cut", "truncated", "s"),
        ]
    )

    assert found["line"].tolist() == [3, pd.NA]
    assert found["kind"].tolist() == ["not-json", "truncated"]
    assert found["session_id"].tolist() == [pd.NA, "s"]
