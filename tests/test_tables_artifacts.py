# SPDX-License-Identifier: Apache-2.0
"""artifacts(), versions() and reports(): what was made, by which run, and what replaced it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import smemkit
from smemkit import tables
from smemkit.errors import NodeNotFound
from tests.app_loader import load
from tests.reading_graphs import CASES, Built


@pytest.mark.parametrize("case", CASES)
def test_every_version_has_one_row(cases: Path, case: str):
    """With the properties that the files hold."""
    nodes, _ = load(cases / case)
    stored = [props for labels, props in nodes.values() if labels[:1] == ("Artifact",)]
    with smemkit.open(cases / case) as mem:
        found = mem.artifacts()

    for name in ("artifact_id", "path", "media_type", "content_hash", "session_id"):
        assert found[name].tolist() == [props.get(name, pd.NA) for props in stored]
    assert found["version"].tolist() == [
        props.get("version", pd.NA) for props in stored
    ]
    assert found["deleted"].tolist() == [
        props.get("deleted_session") is True for props in stored
    ]


def test_the_known_artifacts(cases: Path):
    """The run and the call that made each, what replaced it, what was left behind."""
    with smemkit.open(cases / "app-store") as mem:
        found = mem.artifacts().set_index("id")

    assert found.loc["fig#v1", ["code_id", "call", "superseded_by"]].tolist() == [
        *("e2", "subtask:e2", "fig#v2"),
    ]
    assert found.loc["table#v1", "call"] == "subtask:subagent:sa1:exec:x2"
    assert pd.isna(found.loc["orphan#v1", "code_id"])
    assert pd.isna(found.loc["fig#v2", "superseded_by"])
    assert found.index[found["deleted"]].tolist() == ["zn#v1"]
    moment = pd.Timestamp("2026-10-02T08:00:42.900Z")
    assert found.loc["fig#v1", "created_at"] == moment


def test_versions_are_ordered_by_number_not_as_text():
    """Version 10 comes after version 9, in whatever order they were made."""
    built = Built()
    for k in (10, 2, 9):
        built.artifact(f"fig#v{k}")
    built.artifact("other#v1").node("Code", "fig")

    assert tables.versions(built.graph, "fig")["version"].tolist() == [2, 9, 10]
    assert tables.versions(built.graph, "fig#v2")["version"].tolist() == [2, 9, 10]
    with pytest.raises(NodeNotFound, match=r"mem\.artifacts\(\)"):
        tables.versions(built.graph, "gone")


def test_the_next_version_is_known_without_its_edge():
    """The app loses some of them; an edge that is there wins."""
    built = (
        Built()
        .artifact("fig#v1")
        .artifact("fig#v3")
        .artifact("fig#v2")
        .artifact("new#v1")
    )
    found = tables.artifacts(built.graph).set_index("id")["superseded_by"]
    assert found.dropna().to_dict() == {"fig#v1": "fig#v2", "fig#v2": "fig#v3"}

    built.edges("new#v1 supersedes fig#v1")
    assert tables.artifacts(built.graph)["superseded_by"].tolist()[0] == "new#v1"


def test_a_report_states_claims_keeps_references_or_ends_as_one():
    """Others are no reports."""
    built = (
        Built().artifact("data#v1", path="a.csv").artifact("stating#v1", path="a.html")
    )
    built.artifact("keeping#v1", references=["{}"], path="b.html")
    built.artifact("named#v1", path="out/REPORT.MD").artifact(
        "latex#v1", logical_name="p.tex"
    )
    built.node("Claim", "c1").node("Claim", "c2")
    built.edges("c1 stated_in stating#v1", "c2 stated_in stating#v1")
    found = tables.reports(built.graph).set_index("id")

    assert found.index.tolist() == ["stating#v1", "keeping#v1", "named#v1", "latex#v1"]
    assert found["claims"].tolist() == [2, 0, 0, 0]
    assert found["references"].tolist() == [0, 1, 0, 0]


def test_the_known_report(cases: Path):
    """One, which states six claims."""
    with smemkit.open(cases / "app-store") as mem:
        (row,) = mem.reports().to_dict("records")
        assert mem.reports(session_id="S-8").empty

    assert (row["id"], row["claims"], row["path"]) == ("report#v1", 6, "report.md")
