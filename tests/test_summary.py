# SPDX-License-Identifier: Apache-2.0
"""How a memory displays itself."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given

import smemkit
from smemkit.records import Problem
from smemkit.summary import Summary
from tests.strategies import graphs


@given(graphs())
def test_the_counts_add_up(graph) -> None:
    """Nodes per label and edges per type are all there is, problems or not."""
    summary = Summary.of(graph, "here", ())

    assert sum(summary.labels.values()) == len(graph)
    assert sum(summary.edge_types.values()) == len(list(graph.edges()))
    assert sum(line.nodes for line in summary.sessions) == sum(
        node.session_id is not None for node in graph.nodes()
    )


@given(graphs())
def test_every_form_of_a_summary_can_be_made(graph) -> None:
    """Text, HTML without a tag from the memory, JSON."""
    summary = Summary.of(graph, "<b>", (Problem("nodes.jsonl", 3, "not JSON", "x"),))

    assert "<b>" not in summary._repr_html_()
    assert str(summary).startswith("science memory <b>")
    json.dumps(summary.to_dict())


def test_a_summary_names_what_is_in_the_store(cases: Path) -> None:
    """Sessions with their goals, and the last time in each as an instant."""
    with smemkit.open(cases / "app-store") as mem:
        summary = mem.summary()

    assert [(s.id, s.goal[:4]) for s in summary.sessions] == [
        ("S-7", "Does"),
        ("S-8", "锌指结合"),
    ]
    assert summary.sessions[0].last == "2026-10-02T08:02:48.500Z"
    assert list(summary.labels)[:3] == ["ResearchGoal", "Task", "ToolCall"]
    assert summary.labels[""] == 1
    assert "SearchRun" in summary.labels


def test_a_hostile_goal_is_shown_and_not_run() -> None:
    """Tags are escaped, direction and control characters drawn."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message(
        "s", core_objective="<script>alert(1)</script>\u202eabc\x00"
    )

    html = mem._repr_html_()

    assert "<script" not in html
    assert "\u202e" not in html
    assert "\x00" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;⟨U+202E⟩abc␀" in html


def test_many_sessions_and_problems_are_counted_and_the_last_listed() -> None:
    """Nobody scrolls through a hundred rows to see the memory."""
    mem = smemkit.open(":memory:")
    for k in range(30):
        mem.observe_session_first_message(f"s{k}", core_objective="Why?")

    shown = str(mem)

    assert "30 sessions" in shown
    assert "sessions (10 of 30)" in shown
    assert "s29" in shown
    assert "s3 " not in shown


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    """In text and HTML, until the first write makes it; opening makes nothing."""
    with smemkit.open(tmp_path / "typo") as mem:
        told = f"science memory {tmp_path / 'typo'} (this folder does not exist yet)"
        assert str(mem).splitlines()[0] == told
        assert "this folder does not exist yet" in mem._repr_html_()
        assert mem.summary().to_dict()["location"] == str(tmp_path / "typo")
        assert not (tmp_path / "typo").exists()
        mem.observe_session_first_message("s", core_objective="Why?")
        assert str(mem).splitlines()[0] == f"science memory {tmp_path / 'typo'}"


def test_an_empty_folder_and_a_memory_of_this_process_miss_nothing(
    tmp_path: Path,
) -> None:
    """Only a folder can be missing, and this one is there."""
    with smemkit.open(tmp_path) as mem:
        assert not mem.summary().missing
    assert not smemkit.open(":memory:").summary().missing


def test_the_reports_are_listed_by_the_id_that_an_audit_takes(cases: Path) -> None:
    """In every form; the claims are those that a count of the edges gives."""
    with smemkit.open(cases / "app-store") as mem:
        summary, edges = mem.summary(), mem.edges("stated_in")
        known = mem.reports()[["id", "path", "claims"]].to_numpy().tolist()
        assert [len(mem.audit(line.id)) for line in summary.reports] == [6]

    stated = int((edges["target"] == "report#v1").sum())
    assert stated == 6
    told = {"id": "report#v1", "path": "report.md", "claims": stated}
    assert known == [list(told.values())]
    assert summary.to_dict()["reports"] == [told]
    assert "  report#v1  report.md  6" in str(summary)
    assert "report.md" in summary._repr_html_()
