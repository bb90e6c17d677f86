# SPDX-License-Identifier: Apache-2.0
"""citations() and papers(): what is cited where, and what a paper was good for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import smemkit
from smemkit import schema, tables
from tests.app_loader import load
from tests.reading_graphs import CASES, Built

Row = tuple[str | None, str, str | None, str | None]


def joined(folder: Path) -> list[Row]:
    """Join report, claim, support and source from the files, in any order."""
    nodes, edges = load(folder)

    def name(node_id: str) -> str | None:
        labels, props = nodes[node_id]
        return schema.public_id(labels[0], props)

    def there(node_id: str, kind: str) -> list[Any]:
        return [e[2] for e in edges.values() if (e[0], e[1]) == (kind, node_id)] or [
            None
        ]

    def back(node_id: str | None, kind: str) -> list[Any]:
        return [e[1] for e in edges.values() if (e[0], e[2]) == (kind, node_id)] or [
            None
        ]

    rows: list[Row] = []
    for claim, (labels, _) in nodes.items():
        if labels[:1] != ("Claim",):
            continue
        for report in there(claim, "stated_in"):
            for support in back(claim, "supports"):
                kind = {"Evidence": "extracts", "Artifact": "produces"}.get(
                    nodes[support][0][0] if support else "", "none"
                )
                for source in back(support, kind):
                    found = [
                        None if i is None else name(i)
                        for i in (report, claim, support, source)
                    ]
                    rows.append(tuple(found))  # type: ignore[arg-type]
    return rows


@pytest.mark.parametrize("case", CASES)
def test_there_is_a_row_for_each_way_from_report_to_source(cases: Path, case: str):
    """Joined from the files in a second way."""
    with smemkit.open(cases / case) as mem:
        found = mem.citations()[["report", "claim_id", "support", "source"]]
    rows = [tuple(None if pd.isna(v) else v for v in row) for row in found.to_numpy()]

    assert sorted(map(str, rows)) == sorted(map(str, joined(cases / case)))


def test_the_known_citations(cases: Path):
    """A quote with its paper, a figure with its run, a file by its path."""
    with smemkit.open(cases / "app-store") as mem:
        found = mem.citations().set_index("claim_id")

    quote = found[found["support"] == "ev-1"].to_dict("records")[0]
    assert quote["claim"] == "Within species the slope stays positive."
    assert (
        quote["support_text"]
        == "Body mass differed between the sexes in all three species."
    )
    assert quote["source_text"].startswith("Ecological sexual dimorphism")
    assert (quote["report"], quote["confidence"]) == ("report#v1", "HIGH")
    assert found.loc["cl-1", ["support", "source_label", "source"]].tolist() == [
        *("fig#v2", "Code", "e3"),
    ]
    assert found.loc["cl-3", "source_text"] == "papers/gorman2014.pdf"
    assert pd.isna(found.loc["cl-6", "source"])


def test_an_upload_is_told_from_a_picture_that_nobody_made():
    """Both have no source: the one is a source itself, the other lacks its run."""
    mem = smemkit.open(":memory:")
    mem.observe_upload_file("f", session_id="s", path="raw.csv")
    mem.observe_tool_call(
        "subtask:mcp:1",
        tool_name="db",
        products=[{"product_type": "db_record", "source": "pdb", "identifier": "1ABC"}],
    )
    mem.declare_artifact("pasted.png", artifact_id="pasted")
    mem.declare_claim("It fits.", cites_source_file_aliases={"a": "f"})
    mem.declare_claim("It fits.", cites_dbrecord_aliases={"a": "pdb:1ABC"})
    mem.declare_claim("It fits.", cites_artifact_aliases={"a": "pasted"})

    found = mem.citations()

    assert found["support_label"].tolist() == ["SourceFile", "DbRecord", "Artifact"]
    assert found["source"].isna().all()
    assert found["source_label"].fillna("-").tolist() == ["upload", "record", "-"]


def test_what_is_missing_leaves_a_hole_not_a_gap():
    """A claim that nothing supports and no report states has a row."""
    built = (
        Built()
        .node("Claim", "c", content="So.")
        .node("Claim", "d")
        .node("Evidence", "e")
    )
    built.edges("e supports d")
    rows = tables.citations(built.graph)[["report", "claim_id", "support", "source"]]

    assert rows.fillna("-").to_numpy().tolist() == [
        ["-", "c", "-", "-"],
        ["-", "d", "e", "-"],
    ]


def test_the_known_papers(cases: Path):
    """What became of each, in the session that found it."""
    with smemkit.open(cases / "app-store") as mem:
        found = mem.papers(session_id="S-7").set_index("link")
        assert len(mem.papers()) == len(found) + 1

    gorman = found.loc["https://doi.org/10.1371/journal.pone.0090081"]
    assert gorman["authors"] == ["K. B. Gorman", "T. D. Williams", "W. R. Fraser"]
    assert (gorman["evidence"], gorman["claims"], gorman["reports"]) == (
        1,
        1,
        ["report#v1"],
    )
    assert (gorman["year"], gorman["source"]) == ("2014", "europepmc")
    unread = found.loc["https://doi.org/10.1000/cjk.1"]
    assert (unread["title"], unread["evidence"], unread["reports"]) == (
        "南极企鹅体型与性别二态性研究",
        0,
        [],
    )


def test_a_claim_counts_once_for_a_paper_it_rests_on_twice():
    """Two quotes of one paper for one claim in one report."""
    built = (
        Built()
        .node("Paper", "https://x.org/p")
        .artifact("report#v1")
        .node("Claim", "c")
    )
    for name in ("e1", "e2"):
        built.node("Evidence", name)
        built.edges(f"https://x.org/p extracts {name}", f"{name} supports c")
    (row,) = tables.papers(built.edges("c stated_in report#v1").graph).to_dict(
        "records"
    )

    assert (row["evidence"], row["claims"], row["reports"]) == (2, 1, ["report#v1"])
    assert len(tables.citations(built.graph)) == 2
