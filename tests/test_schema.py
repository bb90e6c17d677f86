# SPDX-License-Identifier: Apache-2.0
"""The vocabulary against the contract's tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit import schema
from smemkit.errors import InvalidRecord

PUBLIC_IDS = [
    ("ResearchGoal", {"goal_id": "goal:session:s"}, "goal:session:s"),
    ("Task", {"task_id": "subtask:subagent:a"}, "subtask:subagent:a"),
    ("ToolCall", {"task_id": "subtask:e1"}, "subtask:e1"),
    ("SubTask", {"task_id": "subtask:o1"}, "subtask:o1"),
    ("Code", {"code_id": "e1"}, "e1"),
    ("Artifact", {"artifact_id": "fig", "version": 2}, "fig#v2"),
    ("Artifact", {"artifact_id": "fig"}, "fig"),
    ("Artifact", {"version": 2}, None),
    (
        "Paper",
        {"link": "https://doi.org/10.1/x", "session_id": "s"},
        "https://doi.org/10.1/x",
    ),
    ("Evidence", {"evidence_id": ""}, ""),
    ("Claim", {"content": "no id"}, None),
    ("SourceFile", {"file_id": "source_file:session:s:a"}, "source_file:session:s:a"),
    ("WebPage", {"identifier": "W1", "url": "https://a.org"}, "W1"),
    ("WebPage", {"url": "https://a.org"}, "url:https://a.org"),
    ("WebPage", {}, None),
    ("DbRecord", {"source": "uniprot", "identifier": "P1"}, "P1"),
    ("SearchNode", {"search_id": "r", "node_index": 0}, "r#n0"),
    ("SearchNode", {"search_id": "r"}, None),
    ("Odd", {"id": "x"}, None),
]


@pytest.mark.parametrize(("label", "props", "expected"), PUBLIC_IDS)
def test_the_public_id_is_that_of_the_contract(
    label: str, props: dict[str, object], expected: str | None
) -> None:
    """contract/query.md §1.1, row by row; only a missing key means no identity."""
    assert schema.public_id(label, props) == expected


EXCERPTS = [
    ("ResearchGoal", {"core_objective": "Why?", "domain": "Biology"}, "Why?"),
    ("ResearchGoal", {"core_objective": "", "domain": "Biology"}, "Biology"),
    ("Task", {"task_type": "subagent", "objective": "Plot"}, "subagent"),
    ("ToolCall", {"tool_type": "execution", "tool_name": "run"}, "execution"),
    ("SubTask", {"task_type": "web_search"}, "web_search"),
    ("Paper", {"title": "T", "abstract": "A"}, "T"),
    ("Code", {"code_id": "e1"}, "e1"),
    ("Artifact", {"path": "fig.svg", "artifact_id": "f"}, "fig.svg"),
    ("SourceFile", {"name": "a.csv"}, "SourceFile"),
    ("WebPage", {"title": "T"}, "WebPage"),
    ("Claim", {}, "Claim"),
]


@pytest.mark.parametrize(("label", "props", "expected"), EXCERPTS)
def test_the_excerpt_is_that_of_the_contract(
    label: str, props: dict[str, object], expected: str
) -> None:
    """contract/query.md §1.2: first non-empty candidate, else the label's name."""
    assert schema.excerpt(label, props) == expected


def test_an_excerpt_is_cut_at_240_characters_unless_asked_whole() -> None:
    """The wire cuts, Python does not."""
    props = {"content": "x" * 300}

    assert schema.excerpt("Claim", props) == "x" * 240
    assert schema.excerpt("Claim", props, length=None) == "x" * 300


@given(st.text(min_size=1), st.integers(1, 10**9))
def test_a_version_is_split_off_again(name: str, version: int) -> None:
    """`#vN` at the end always comes off, whatever stands before it."""
    assert schema.split_version(f"{name}#v{version}") == (name, version)


@pytest.mark.parametrize(
    "text", ["fig", "fig#v", "fig#v0", "fig#v-1", "#v1", "fig#v1x", "fig#v１"]
)
def test_what_is_no_version_stays_in_the_id(text: str) -> None:
    """Versions count from 1 in ASCII digits; anything else belongs to the id."""
    assert schema.split_version(text) == (text, None)


def test_every_label_with_a_key_has_a_name_and_the_other_way_round() -> None:
    """A node that can be found by key can be named by a caller."""
    assert set(schema.KEYS) == set(schema.NAMES)
    assert set(schema.LABELS) <= set(schema.KEYS)


def test_every_id_in_the_case_stores_is_rebuilt_from_its_parts(cases: Path) -> None:
    """The app's own ids are those the id builders give."""
    for line in (cases / "app-store" / "nodes.jsonl").read_text().splitlines():
        record = json.loads(line)
        props = record.get("props", {})
        label = next(iter(record.get("labels", [])), "")
        if label == "ResearchGoal":
            assert props["goal_id"] == schema.goal_id(props["session_id"])
        elif label == "SourceFile":
            assert props["file_id"] == schema.source_file_id(
                props["session_id"], props["path"]
            )
        elif label == "Task":
            assert props["task_id"] == schema.scope_id(props["task_id"].split(":")[2])


CHILD_IDS = [
    ("subtask:mcp:i-7", "i-7"),
    ("i-7", "i-7"),
    ("subtask:i-7", "subtask:i-7"),
    ("subtask:web:a:b", "a:b"),
]


@pytest.mark.parametrize(("sent", "ref"), CHILD_IDS)
def test_a_childs_id_keeps_what_follows_the_scheme(sent: str, ref: str) -> None:
    """contract/writes.md §2.3 lists these four."""
    assert schema.child_call_id(sent, "sa") == f"subtask:subagent:sa:exec:{ref}"


@pytest.mark.parametrize("value", ["", "  ", None, 7, b"x"])
def test_a_blank_or_foreign_value_is_no_text(value: object) -> None:
    """The refusal names the parameter and shows the value."""
    with pytest.raises(InvalidRecord, match=r"session_id=.*not a non-blank text"):
        schema.require_text("session_id", value)
