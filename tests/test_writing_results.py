# SPDX-License-Identifier: Apache-2.0
"""What a writing verb answers, in Python and on the wire."""

from __future__ import annotations

import dataclasses
import json

import pytest

from smemkit.writing import results

CHIP = {"kind": "artifact", "id": "a-1", "label": "artifact1", "version": 1}

WIRE = [
    (results.Observed(2, task_id="subtask:e"), {"status": "healthy", "written": 2}),
    (
        results.ObservedCall("subtask:mcp:1", 2, ("https://a.org",)),
        {"status": "healthy", "written": 3, "products": 2},
    ),
    (
        results.ObservedSearch("subtask:mcp:1", 2),
        {"status": "healthy", "written": 3, "papers": 2},
    ),
    (
        results.DeclaredEvidence("ev-1", "https://a.org"),
        {"status": "ok", "evidence_id": "ev-1"},
    ),
    (
        results.DeclaredClaim("c-1", {"artifact1": CHIP}, ({"labels": ["Artifact"]},)),
        {
            "status": "ok",
            "claim_id": "c-1",
            "chip_map": {"artifact1": CHIP},
            "cited_targets": [{"labels": ["Artifact"]}],
        },
    ),
    (
        results.DeclaredArtifact("fig", 2, "fig.png", "9f"),
        {"status": "ok", "artifact_id": "fig", "version": 2, "content_hash": "9f"},
    ),
    (
        results.LinkedClaims("a-9", 1, 2, references=5),
        {"status": "ok", "artifact_id": "a-9", "linked": 2},
    ),
    (
        results.CleanedSession(1, 4),
        {"status": "healthy", "marked": 1, "deleted": 4},
    ),
    (results.CleanedProject(4), {"status": "healthy", "deleted": 4}),
]
"""The success bodies of contract/http.md §3, §4 and §6."""


@pytest.mark.parametrize(
    ("answer", "body"), WIRE, ids=[type(answer).__name__ for answer, _ in WIRE]
)
def test_the_wire_form_is_the_body_of_the_contract(
    answer: results.Observed, body: dict[str, object]
) -> None:
    """Nothing more and nothing less, and JSON can carry it."""
    assert answer.to_dict() == body
    assert json.loads(json.dumps(answer.to_dict())) == body


def test_every_answer_is_tried() -> None:
    """A new answer without a row in the table fails here."""
    made = {each for each in vars(results).values() if dataclasses.is_dataclass(each)}
    assert made == {type(answer) for answer, _ in WIRE}


@pytest.mark.parametrize("answer", [answer for answer, _ in WIRE])
def test_an_answer_is_frozen(answer: results.Observed) -> None:
    """It says what happened, which nothing changes afterwards."""
    first = dataclasses.fields(answer)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(answer, first, 0)


@pytest.mark.parametrize(
    "answer", [answer for answer, _ in WIRE], ids=lambda answer: type(answer).__name__
)
def test_an_answer_shows_itself(answer: results.Observed) -> None:
    """A row with a column for each attribute, in text, in HTML and as a frame."""
    names = [each.name for each in dataclasses.fields(answer)]
    frame = answer.to_frame()
    assert list(frame.columns) == names
    assert [frame[name][0] for name in names] == [getattr(answer, n) for n in names]
    assert all(name in str(answer) and name in answer._repr_html_() for name in names)
    assert str(answer).startswith(type(answer).__name__)
    assert repr(answer).startswith(f"{type(answer).__name__}({names[0]}=")


def test_changing_the_wire_form_does_not_change_the_answer() -> None:
    """The chips are copied."""
    claim = results.DeclaredClaim("c", {"a": dict(CHIP)}, ({"labels": ["Artifact"]},))
    wire = claim.to_dict()
    wire["chip_map"]["a"]["id"] = "other"
    wire["cited_targets"].clear()

    assert claim.chip_map == {"a": CHIP}
    assert len(claim.cited_targets) == 1
