# SPDX-License-Identifier: Apache-2.0
"""Reports: which version states which claims, and what its aliases stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import DeclareError, InvalidRecord
from smemkit.memory import Memory
from tests.declaring import (
    contents,
    edges,
    evidence,
    figure,
    folder,
    mem,
    nodes,
    refusal,
    refused,
    told,
)
from tests.strategies import TEXT

__all__ = ["folder", "mem", "told"]

CHIP = {"label": "a", "kind": "evidence", "id": "e", "claim_id": "c"}


def claim(mem: Memory, session: str = "s1") -> str:
    """Declare a claim and return its id."""
    cites = {"e1": evidence(mem, session)}
    return mem.declare_claim(
        "Bills grow.", session_id=session, cites_evidence_aliases=cites
    ).claim_id


def link(mem: Memory, report: str = "report", **asked: Any) -> dict[str, Any]:
    """Link in `s1`, version 1 unless told otherwise, and return the wire body."""
    rest = {"session_id": "s1", "artifact_version": 1, **asked}
    return mem.link_claims_to_report(report, **rest).to_dict()


def kept(folder: Path, report: str = "report#v1") -> list[dict[str, Any]]:
    """Return the alias map as the app reads it from disk."""
    listed = nodes(folder, "Artifact")[report].get("references", [])
    assert all(type(each) is str for each in listed)
    return [json.loads(each) for each in listed]


# -- stated_in -------------------------------------------------------------------


def test_every_claim_is_stated_in_exactly_the_version_named(
    mem: Memory, folder: Path
) -> None:
    """The answer of contract/http.md §4.3."""
    for _ in range(3):
        figure(mem, name="report")
    claims = [claim(mem), claim(mem)]

    answer = link(mem, artifact_version=2, claim_ids=claims)

    assert answer == {"status": "ok", "artifact_id": "report", "linked": 2}
    assert edges(folder, "stated_in") == sorted((each, "report#v2") for each in claims)


@pytest.mark.parametrize(
    ("report", "version"), [("report", 2), ("report#v2", None), ("report#v2", 2)]
)
def test_the_version_may_be_said_in_the_id(
    mem: Memory, folder: Path, report: str, version: int | None
) -> None:
    """The answer names the bare id, as the contract has it."""
    for _ in range(2):
        figure(mem, name="report")

    answer = link(mem, report, artifact_version=version, claim_ids=[claim(mem)])

    assert answer["artifact_id"] == "report"
    assert [report for _, report in edges(folder, "stated_in")] == ["report#v2"]


def test_without_a_version_the_highest_of_the_session_is_meant(
    mem: Memory, folder: Path
) -> None:
    """Of versions 1 to 3 it is 3; the same id in another session does not count."""
    for _ in range(3):
        figure(mem, name="report")
    mem.declare_artifact("r.md", session_id="s2", artifact_id="report", version=9)
    one = claim(mem)

    assert link(mem, artifact_version=None, claim_ids=[one])["linked"] == 1
    assert edges(folder, "stated_in") == [(one, "report#v3")]
    error = refusal(
        folder, mem.link_claims_to_report, artifact_id="nope", session_id="s1"
    )
    assert error.code == "artifact_not_found"


def test_a_claim_named_twice_counts_twice_and_is_linked_once(
    mem: Memory, folder: Path
) -> None:
    """`linked` counts the entries of the request (contract/http.md §4.3)."""
    figure(mem, name="report")
    one = claim(mem)

    assert link(mem, claim_ids=[one, one])["linked"] == 2
    assert edges(folder, "stated_in") == [(one, "report#v1")]


def test_no_claims_link_nothing_but_the_report_must_be_there(
    mem: Memory, folder: Path
) -> None:
    """An empty list is an answer, a report nobody declared is an error."""
    figure(mem, name="report")
    before = contents(folder)

    assert link(mem)["linked"] == 0
    assert contents(folder) == before
    error = refusal(
        folder, mem.link_claims_to_report, artifact_id="nope#v1", session_id="s1"
    )
    assert error.code == "artifact_not_found"


def test_a_link_again_writes_no_byte(mem: Memory, folder: Path) -> None:
    """Claims and references alike: a repeat is harmless."""
    figure(mem, name="report")
    asked = {"claim_ids": [claim(mem), claim(mem)], "references": [CHIP]}
    first = link(mem, **asked)
    before = contents(folder)

    assert link(mem, **asked) == first
    assert contents(folder) == before


# -- what is refused -------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "version"),
    [
        ("report", 2),
        ("report", 0),
        ("report", -1),
        ("nope", 1),
        ("theirs", 1),
        ("a.csv", 1),
    ],
)
def test_a_version_the_session_does_not_know_is_refused(
    mem: Memory, folder: Path, report: str, version: int
) -> None:
    """In the words of the contract; one of another session is not found either."""
    figure(mem, name="report")
    figure(mem, "s2", "theirs")

    error = refusal(
        folder,
        mem.link_claims_to_report,
        artifact_id=report,
        artifact_version=version,
        session_id="s1",
        claim_ids=[claim(mem)],
        references=[CHIP],
    )

    assert error.code == "artifact_not_found"
    assert error.message == "Artifact version not found"
    assert f"declare '{report}#v{version}' in session 's1' first" in str(error)
    assert error.instruction == ""


def test_one_unknown_claim_links_none(mem: Memory, folder: Path) -> None:
    """Whether nobody knows it or only another session; the references stay out too."""
    figure(mem, name="report")
    good, theirs = claim(mem), claim(mem, "s2")

    for bad in ("nope", theirs, "report#v1"):
        error = refusal(
            folder,
            mem.link_claims_to_report,
            artifact_id="report#v1",
            session_id="s1",
            claim_ids=[good, bad],
            references=[CHIP],
        )
        assert error.code == "claim_not_found"
        assert error.message == f"Claim {bad} not found"
        assert error.instruction == ""

    assert edges(folder, "stated_in") == kept(folder) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("artifact_id", ""),
        ("artifact_id", 5),
        ("artifact_version", 1 << 63),
        ("artifact_version", "1"),
        ("session_id", " "),
        ("claim_ids", "c1"),
        ("claim_ids", None),
        ("claim_ids", [5]),
        ("claim_ids", [""]),
        ("references", "chips"),
        ("references", {"label": "a"}),
        ("references", {"a": {"kind": "evidence"}}),
        ("references", {"": {"kind": "evidence", "id": "e"}}),
        ("references", ["a"]),
        ("references", [{}]),
        ("references", [{**CHIP, "kind": ""}]),
        ("references", [{**CHIP, "id": 5}]),
        ("references", [{**CHIP, "version": 0}]),
        ("references", [{**CHIP, "version": "1"}]),
        ("references", [{**CHIP, "claim_id": ""}]),
        ("references", [{**CHIP, "claimid": "c"}]),
        ("references", [CHIP, {**CHIP, "label": "\ud800"}]),
        ("references", [{**CHIP, "id": "x" * (1 << 20)}]),
        ("references", [{**CHIP, "id": str(i)} for i in range(10_001)]),
    ],
)
def test_a_value_a_report_cannot_hold_is_named(
    mem: Memory, folder: Path, name: str, value: Any
) -> None:
    """One error, nothing written, also not the claim that was fine."""
    figure(mem, name="report")
    asked = {
        "artifact_id": "report",
        "artifact_version": 1,
        "session_id": "s1",
        "claim_ids": [claim(mem)],
        name: value,
    }

    error = refused(folder, InvalidRecord, mem.link_claims_to_report, **asked)

    assert name in str(error)
    assert len(str(error)) < 500


def test_two_versions_named_at_once_are_refused(mem: Memory, folder: Path) -> None:
    """The id says one, the parameter another."""
    figure(mem, name="report")

    error = refused(
        folder,
        InvalidRecord,
        mem.link_claims_to_report,
        artifact_id="report#v1",
        artifact_version=2,
        session_id="s1",
    )

    assert "two versions" in str(error)


# -- the alias map ---------------------------------------------------------------


def test_the_alias_map_is_a_flat_list_of_json_texts_on_the_report(
    mem: Memory, folder: Path
) -> None:
    """Each with the claim that uses it; what is not known is left out."""
    figure(mem, name="report")
    one = claim(mem)
    given = [
        {
            "label": "图1",
            "kind": "artifact",
            "id": "fig",
            "version": 2,
            "claim_id": one,
        },
        {"label": "e", "kind": "evidence", "id": "e-1", "version": None},
    ]

    link(mem, claim_ids=[one], references=given)

    assert kept(folder) == [given[0], {"label": "e", "kind": "evidence", "id": "e-1"}]


def test_the_chips_of_a_claim_can_be_kept_as_they_are(
    mem: Memory, folder: Path
) -> None:
    """What `declare_claim` answers is what the report keeps, and the audit reads it."""
    figure(mem)
    figure(mem, name="report")
    found = mem.declare_claim(
        "Bills grow.", session_id="s1", cites_artifact_aliases={"figure1": "fig"}
    )
    chips = [{**chip, "claim_id": found.claim_id} for chip in found.chip_map.values()]

    link(mem, claim_ids=[found.claim_id], references=chips)

    assert kept(folder) == chips
    rows = mem.audit("report#v1", text="Bills grow [figure1].").to_frame()
    assert len(rows) == 1
    assert rows["verdict"][0] not in ("unknown alias", "unlinked claim")


def test_a_chip_map_is_kept_as_its_chips_are(mem: Memory, folder: Path) -> None:
    """The mapping that `declare_claim` answers; its key stands for a missing label."""
    figure(mem)
    figure(mem, name="report")
    found = mem.declare_claim(
        "Bills grow.", session_id="s1", cites_artifact_aliases={"figure1": "fig"}
    )

    link(mem, references=found.chip_map)
    link(mem, references={"e1": {"kind": "evidence", "id": "e"}})

    last = {"label": "e1", "kind": "evidence", "id": "e"}
    assert kept(folder) == [found.chip_map["figure1"], last]


def test_new_entries_join_the_old_ones_each_once(mem: Memory, folder: Path) -> None:
    """In the order in which they came; the same alias in another use is another."""
    figure(mem, name="report")
    other, third = {**CHIP, "claim_id": "c2"}, {**CHIP, "version": 3}

    link(mem, references=[CHIP, CHIP, other])
    counts = [
        mem.link_claims_to_report(
            "report#v1", session_id="s1", references=each
        ).references
        for each in ([other, third], None, [], [CHIP])
    ]

    assert kept(folder) == [CHIP, other, third]
    assert counts == [3, 3, 3, 3]


def test_the_order_of_the_fields_makes_no_second_entry(
    mem: Memory, folder: Path
) -> None:
    """An entry is what it says."""
    figure(mem, name="report")

    for each in (CHIP, dict(reversed(CHIP.items()))):
        link(mem, references=[each])

    assert kept(folder) == [CHIP]


def test_each_version_of_a_report_has_its_own_map(mem: Memory, folder: Path) -> None:
    """And it outlives a new word on the same version."""
    figure(mem, name="report")
    link(mem, references=[CHIP])
    figure(mem, name="report")
    mem.declare_artifact("new.md", session_id="s1", artifact_id="report#v1")

    assert kept(folder, "report#v1") == [CHIP]
    assert kept(folder, "report#v2") == []


ENTRIES = st.fixed_dictionaries(
    {name: TEXT.filter(str.strip) for name in ("label", "kind", "id")},
    optional={
        "version": st.integers(1, (1 << 63) - 1),
        "claim_id": TEXT.filter(str.strip),
    },
)


@given(calls=st.lists(st.lists(ENTRIES, max_size=4), max_size=4))
def test_any_alias_map_is_what_was_told_each_entry_once(
    calls: list[list[dict[str, Any]]],
) -> None:
    """Whatever the texts and however the calls are cut."""
    mem = smemkit.open(":memory:")
    mem.declare_artifact("r.md", session_id="s", artifact_id="r")
    for entries in calls:
        mem.link_claims_to_report("r#v1", session_id="s", references=entries)

    said = [each for entries in calls for each in entries]
    expected = [each for i, each in enumerate(said) if each not in said[:i]]
    with mem.reading() as graph:
        listed = graph.by_key("Artifact", "r", 1).props.get("references", [])
    assert [json.loads(each) for each in listed] == expected


def test_a_refused_link_makes_no_folder(folder: Path) -> None:
    """A memory is made by its first write, not by an attempt."""
    mem = smemkit.open(folder)

    with pytest.raises(DeclareError):
        mem.link_claims_to_report("report#v1", session_id="s1")

    assert not folder.exists()
