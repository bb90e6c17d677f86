# SPDX-License-Identifier: Apache-2.0
"""Every table has the same columns and types, empty or full, whatever is stored."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit import tables
from smemkit.graph import Graph
from smemkit.records import Edge, Node
from smemkit.tables import frames
from smemkit.tables.artifacts import ARTIFACTS, REPORTS
from smemkit.tables.citations import CITATIONS, PAPERS
from smemkit.tables.listings import EDGES, NODES
from smemkit.tables.sessions import SESSIONS
from smemkit.tables.timeline import TIMELINE
from tests.strategies import graphs

Table = Callable[[Graph], pd.DataFrame]

TABLES: dict[str, tuple[Table, dict[str, str]]] = {
    "sessions": (tables.sessions, SESSIONS),
    "reports": (tables.reports, REPORTS),
    "artifacts": (tables.artifacts, ARTIFACTS),
    "nodes": (tables.nodes, NODES),
    "edges": (tables.edges, EDGES),
    "timeline": (tables.timeline, TIMELINE),
    "citations": (tables.citations, CITATIONS),
    "papers": (tables.papers, PAPERS),
}

ISSUE = {
    "sessions": {
        "id",
        "goal",
        "first",
        "last",
        "reports",
        "problems",
        "nodes",
        "edges",
    },
    "citations": {"report", "claim_id", "support", "source"},
    "nodes": {"id", "label", "session_id"},
    "edges": {"type", "source", "target"},
    "timeline": {"id", "finished_at"},
}


def types(columns: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, frames.DTYPES[word]) for name, word in columns.items()]


def shown(frame: pd.DataFrame) -> list[tuple[str, str]]:
    return [(name, str(kind)) for name, kind in frame.dtypes.items()]


@pytest.mark.parametrize("name", TABLES)
def test_an_empty_memory_has_the_columns_and_types_of_a_full_one(name, cases):
    """So that code written for the one runs on the other."""
    _, columns = TABLES[name]
    with smemkit.open(cases / "app-store") as mem:
        full = getattr(mem, name)()
    empty = getattr(smemkit.open(":memory:"), name)()

    assert shown(full) == shown(empty) == types(columns)
    assert len(empty) == 0
    assert ISSUE.get(name, set()) <= set(full)


def test_versions_and_problems_keep_their_columns_too(cases):
    """Of versions there is no empty table: an unknown artifact is an error."""
    with smemkit.open(cases / "app-store") as mem:
        assert shown(mem.versions("fig")) == types(ARTIFACTS)
        none = mem.problems()
    with smemkit.open(cases / "damaged" / "not-an-object") as mem:
        some = mem.problems()

    assert shown(none) == shown(some)
    assert len(some) > 0
    assert len(none) == 0


@given(graphs())
def test_any_graph_has_its_tables(graph):
    """Odd properties, loops, missing keys: the columns and types stay."""
    for make, columns in TABLES.values():
        assert shown(make(graph)) == types(columns)


ODD = [
    10**30,
    -(2**63),
    2**63,
    True,
    0.5,
    "x",
    "",
    ["a"],
    [1, 2],
    [],
    "\ud800",
    "9999-12-31T23:59:59-12:00",
]
ODD += ["0001-01-01T00:00:00+12:00", "2026-10-02", "soon", float("nan")]


@given(st.data())
def test_any_value_in_any_place_of_a_store_fits_a_table(data):
    """A damaged or foreign store is shown, not refused."""
    graph = Graph()
    names = [
        "artifact_id",
        "version",
        "core_objective",
        "created_at",
        "finished_at",
        "seq",
    ]
    names += [
        "path",
        "title",
        "authors",
        "year",
        "retrieval_count",
        "content",
        "status",
    ]
    names += [
        "references",
        "task_id",
        "link",
        "claim_id",
        "code_id",
        "started_at",
        "goal_id",
    ]
    labels = ["ResearchGoal", "Task", "ToolCall", "Code", "Artifact", "Paper", "Claim"]
    for n, label in enumerate(labels, 1):
        odd = data.draw(st.dictionaries(st.sampled_from(names), st.sampled_from(ODD)))
        graph.put_node(Node(f"n{n}", (label,), {"session_id": "s", **odd}, n))
    for k in range(data.draw(st.integers(0, 8))):
        ends = st.integers(1, len(labels))
        kind = data.draw(
            st.sampled_from(["produces", "supports", "stated_in", "supersedes"])
        )
        edge = Edge(f"r{k}", kind, f"n{data.draw(ends)}", f"n{data.draw(ends)}", {}, k)
        graph.put_edge(edge)

    for make, columns in TABLES.values():
        assert shown(make(graph)) == types(columns)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("2026-10-02T10:00:00+02:00", "2026-10-02T08:00:00+00:00"),
        ("2026-10-02T08:00:00.120Z", "2026-10-02T08:00:00.120000+00:00"),
        ("2026-10-02T08:00:00", "2026-10-02T08:00:00+00:00"),
        ("2026-10-02", "2026-10-02T00:00:00+00:00"),
        ("soon", None),
        ("", None),
        (None, None),
        (5, None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T00:00:00Z", None),
    ],
)
def test_times_are_instants_in_utc(stored, expected):
    """A text no calendar or column knows is NaT."""
    (moment,) = frames.frame({"t": "datetime"}, [(stored,)])["t"]

    assert (None if moment is pd.NaT else moment.isoformat()) == expected


@pytest.mark.parametrize(
    ("label", "props", "expected"),
    [
        ("SourceFile", {"path": "a/b.csv", "name": "b.csv"}, "a/b.csv"),
        ("SourceFile", {"name": "b.csv"}, "b.csv"),
        ("SourceFile", {}, "SourceFile"),
        ("WebPage", {"url": "https://x.org"}, "https://x.org"),
        ("DbRecord", {"identifier": "P12345"}, "P12345"),
        ("Claim", {"content": "企" * 500}, "企" * 500),
    ],
)
def test_a_node_is_shown_by_what_names_it(label, props, expected):
    """Uncut, and not by its label where there is anything better."""
    assert frames.said(Node("n1", (label,), props)) == expected
