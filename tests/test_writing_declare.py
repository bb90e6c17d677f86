# SPDX-License-Identifier: Apache-2.0
"""Claims: every field as it is kept, the report they are stated in, values refused."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import DeclareError, InvalidRecord
from smemkit.memory import Memory
from tests.declaring import (
    DOI,
    contents,
    edges,
    evidence,
    figure,
    file_id,
    folder,
    mem,
    nodes,
    refused,
    told,
)
from tests.strategies import TEXT

__all__ = ["folder", "mem", "told"]

AT = "2026-10-01T08:00:00.000Z"


def test_a_claim_keeps_every_field_in_the_order_of_the_contract(
    mem: Memory, folder: Path
) -> None:
    """contract/writes.md §2.8; the hash is over the sentence in UTF-8."""
    found = mem.declare_claim(
        "Schnäbel wachsen 锌.",
        session_id="s1",
        cites_evidence_aliases={"evidence1": evidence(mem)},
        claim_type="finding",
        confidence="HIGH",
        locator="§2",
        created_at=AT,
    )

    assert list(nodes(folder, "Claim")[found.claim_id].items()) == [
        ("claim_id", found.claim_id),
        ("content", "Schnäbel wachsen 锌."),
        ("claim_type", "finding"),
        ("confidence", "HIGH"),
        ("locator", "§2"),
        ("content_hash", hashlib.sha256("Schnäbel wachsen 锌.".encode()).hexdigest()),
        ("session_id", "s1"),
        ("created_at", AT),
    ]
    assert uuid.UUID(found.claim_id).version == 4
    assert found.stated_in is None


@pytest.mark.parametrize(
    "report",
    [{"artifact_id": "report", "artifact_version": 2}, {"artifact_id": "report#v2"}],
)
def test_a_claim_is_stated_in_the_report_version_that_is_there(
    mem: Memory, folder: Path, report: dict[str, Any]
) -> None:
    """In that version only."""
    for _ in range(2):
        figure(mem, name="report")
    found = mem.declare_claim(
        "x", session_id="s1", cites_evidence_aliases={"e": evidence(mem)}, **report
    )

    assert found.stated_in == "report#v2"
    assert edges(folder, "stated_in") == [(found.claim_id, "report#v2")]


@pytest.mark.parametrize(
    "report",
    [
        {"artifact_id": "report", "artifact_version": 3},
        {"artifact_id": "report", "artifact_version": 0},
        {"artifact_id": "report", "artifact_version": -1},
        {"artifact_id": "other", "artifact_version": 1},
        {"artifact_id": "theirs", "artifact_version": 1},
        {"artifact_id": "report"},
        {"artifact_id": "", "artifact_version": 1},
        {"artifact_version": 1},
    ],
)
def test_a_claim_is_kept_also_if_its_report_is_not_there(
    mem: Memory, folder: Path, report: dict[str, Any]
) -> None:
    """The link is left out without a word (contract/http.md §4.2)."""
    figure(mem, name="report")
    figure(mem, "s2", "theirs")
    found = mem.declare_claim(
        "x", session_id="s1", cites_evidence_aliases={"e": evidence(mem)}, **report
    )

    assert found.stated_in is None
    assert found.claim_id in nodes(folder, "Claim")
    assert edges(folder, "stated_in") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content", None),
        ("content", "\udfff"),
        ("content", "锌" * (1 << 19)),
        ("session_id", ""),
        ("cites_evidence_aliases", ["e1"]),
        ("cites_evidence_aliases", {"e1": 5}),
        ("cites_evidence_aliases", {"": "e"}),
        ("cites_artifact_aliases", {5: "fig"}),
        ("cites_artifact_versions", {"a": True}),
        ("cites_artifact_versions", {"a": "1"}),
        ("artifact_version", 1 << 63),
        ("artifact_version", 1.0),
        ("artifact_id", 5),
        ("claim_type", {}),
        ("confidence", 1),
        ("locator", b"x"),
        ("created_at", object()),
    ],
)
def test_a_value_a_claim_cannot_hold_is_named(
    mem: Memory, folder: Path, name: str, value: Any
) -> None:
    """One error, nothing written."""
    asked: dict[str, Any] = {
        "content": "x",
        "session_id": "s1",
        "cites_source_file_aliases": {"f": file_id("s1", "a.csv")},
        "artifact_id": "report",
        name: value,
    }

    error = refused(folder, InvalidRecord, mem.declare_claim, **asked)

    assert name in str(error)
    assert len(str(error)) < 500


def test_two_versions_of_one_report_are_not_guessed_between(
    mem: Memory, folder: Path
) -> None:
    """The id says one, the parameter another."""
    error = refused(
        folder,
        InvalidRecord,
        mem.declare_claim,
        content="x",
        session_id="s1",
        cites_source_file_aliases={"f": file_id("s1", "a.csv")},
        artifact_id="report#v1",
        artifact_version=2,
    )

    assert "two versions" in str(error)


def test_a_refused_declaration_makes_no_folder(folder: Path) -> None:
    """A memory that is not there yet is made by the first write, not by an attempt."""
    mem = smemkit.open(folder)

    with pytest.raises(DeclareError):
        mem.declare_evidence("x", session_id="s1", source_paper_link=DOI)
    with pytest.raises(DeclareError):
        mem.declare_claim("x", session_id="s1")

    assert not folder.exists()


@given(content=TEXT, locator=st.none() | TEXT, aliases=st.lists(TEXT, max_size=3))
def test_any_text_comes_back_as_it_was_said(
    content: str, locator: str | None, aliases: list[str]
) -> None:
    """Whatever the text; an alias that is blank is an error, no other is."""
    mem = smemkit.open(":memory:")
    mem.observe_upload_file("f", session_id="s", path="a.csv")
    cites = dict.fromkeys(["f", *(a for a in aliases if a.strip())], "f")

    found = mem.declare_claim(
        content, session_id="s", locator=locator, cites_source_file_aliases=cites
    )

    with mem.reading() as graph:
        node = graph.by_key("Claim", found.claim_id)
        assert node is not None
        assert (node.props["content"], node.props.get("locator")) == (content, locator)
        assert len(graph.into(node.id, "supports")) == 1
    assert {alias: chip["label"] for alias, chip in found.chip_map.items()} == {
        alias: alias for alias in cites
    }


def test_what_was_declared_is_read_by_a_fresh_opening(
    mem: Memory, folder: Path
) -> None:
    """From disk, and reading changed nothing."""
    quote = evidence(mem)
    claim = mem.declare_claim(
        "x", session_id="s1", cites_evidence_aliases={"e": quote}
    ).claim_id
    before = contents(folder)

    with smemkit.open(folder) as fresh:
        assert fresh.node(claim).session_id == "s1"
        ids = [n.id for n in fresh.chain(claim, "viewCitingEvidenceForClaim").nodes]

    assert quote in ids
    assert contents(folder) == before
