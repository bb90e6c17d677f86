# SPDX-License-Identifier: Apache-2.0
"""A piece of evidence and its one source: what is kept, what is refused."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

import smemkit
from smemkit.errors import InvalidRecord
from smemkit.memory import Memory
from tests.declaring import (
    DOI,
    PAGE,
    SNIPPET,
    edges,
    evidence,
    file_id,
    folder,
    mem,
    nodes,
    refusal,
    refused,
    told,
)

__all__ = ["folder", "mem", "told"]

AT = "2026-10-01T08:00:00.000Z"


def test_evidence_keeps_every_field_in_the_order_of_the_contract(
    mem: Memory, folder: Path
) -> None:
    """contract/writes.md §2.7; the id is a random UUID, the link the stored key."""
    found = mem.declare_evidence(
        "Bills grow 12 %.",
        session_id="s1",
        source_paper_link="doi:10.1000/DEMO.1",
        locator="Table 2",
        evidence_type="QUOTE",
        confidence="HIGH",
        strength="MODERATE",
        created_at=AT,
    )

    kept = nodes(folder, "Evidence")[found.evidence_id]
    assert list(kept.items()) == [
        ("evidence_id", found.evidence_id),
        ("content", "Bills grow 12 %."),
        ("source_paper_link", DOI),
        ("locator", "Table 2"),
        ("evidence_type", "QUOTE"),
        ("confidence", "HIGH"),
        ("strength", "MODERATE"),
        ("session_id", "s1"),
        ("created_at", AT),
    ]
    assert uuid.UUID(found.evidence_id).version == 4
    assert found.source == DOI
    assert found.to_dict() == {"status": "ok", "evidence_id": found.evidence_id}
    assert edges(folder, "extracts") == [(f"s1 {DOI}", found.evidence_id)]


def test_what_is_not_said_of_evidence_is_absent_and_empty_texts_stay(
    mem: Memory, folder: Path
) -> None:
    """A null is never stored, an empty text is (contract/writes.md §1)."""
    found = mem.declare_evidence(
        "", session_id="s1", source_paper_link=DOI, locator="", confidence=None
    )

    kept = nodes(folder, "Evidence")[found.evidence_id]
    assert set(kept) == {
        "evidence_id",
        "content",
        "source_paper_link",
        "locator",
        "session_id",
        "created_at",
    }
    assert kept["content"] == kept["locator"] == ""


@pytest.mark.parametrize(
    ("parameter", "given", "stored", "source"),
    [
        ("source_paper_link", "10.1000/demo.1", DOI, f"s1 {DOI}"),
        ("source_paper_link", f" {DOI}/ ", DOI, f"s1 {DOI}"),
        ("source_file_id", file_id("s1", "a.pdf"), None, file_id("s1", "a.pdf")),
        ("source_webpage_link", PAGE, PAGE, f"s1 {PAGE}"),
        ("source_webpage_link", f"url:{PAGE}", PAGE, f"s1 {PAGE}"),
        ("source_webpage_link", f"{PAGE}/#top", PAGE, f"s1 {PAGE}"),
    ],
)
def test_each_kind_of_source_extracts_the_evidence(
    mem: Memory, folder: Path, parameter: str, given: str, stored: str, source: str
) -> None:
    """Only the field of that kind is stored; empty ones count as not given."""
    others = dict.fromkeys(
        {"source_paper_link", "source_file_id", "source_webpage_link"} - {parameter}, ""
    )

    found = mem.declare_evidence("x", session_id="s1", **{parameter: given, **others})

    kept = nodes(folder, "Evidence")[found.evidence_id]
    assert [name for name in kept if name.startswith("source_")] == [parameter]
    assert kept[parameter] == (stored or given)
    assert edges(folder, "extracts") == [(source, found.evidence_id)]


def test_the_same_evidence_twice_is_two_nodes(mem: Memory, folder: Path) -> None:
    """There is no key to tell a repeat by (contract/http.md §4.1)."""
    first, second = evidence(mem), evidence(mem)

    assert set(nodes(folder, "Evidence")) == {first, second}
    assert len(edges(folder, "extracts")) == 2


def test_a_page_without_a_link_can_be_a_source_by_its_identifier(
    folder: Path,
) -> None:
    """A WebPage another program wrote may have no url."""
    folder.mkdir()
    (folder / "nodes.jsonl").write_text(
        '{"id":"n1","labels":["WebPage"],"props":{"session_id":"s1",'
        '"identifier":"guide","content_hash":"9f"}}\n'
    )
    mem = smemkit.open(folder)

    found = mem.declare_evidence("x", session_id="s1", source_webpage_link="guide")

    assert found.source == "guide"
    with mem.reading() as graph:
        node = graph.by_key("Evidence", found.evidence_id)
    assert node is not None
    assert node.props["source_webpage_link"] == "guide"


@pytest.mark.parametrize(
    ("code", "instructs", "sources"),
    [
        ("no_source", True, {}),
        ("no_source", True, {"source_paper_link": "", "source_file_id": ""}),
        (
            "ambiguous_source",
            True,
            {"source_paper_link": DOI, "source_file_id": file_id("s1", "a.pdf")},
        ),
        (
            "ambiguous_source",
            True,
            {"source_file_id": file_id("s1", "a.pdf"), "source_webpage_link": PAGE},
        ),
        (
            "ambiguous_source",
            True,
            {"source_paper_link": " ", "source_file_id": file_id("s1", "a.pdf")},
        ),
        ("source_paper_not_found", False, {"source_paper_link": " "}),
        ("source_paper_not_found", False, {"source_paper_link": "10.1000/other"}),
        ("source_paper_not_found", False, {"source_paper_link": PAGE}),
        ("source_file_not_found", True, {"source_file_id": "a.pdf"}),
        ("source_file_not_found", True, {"source_file_id": file_id("s2", "a.pdf")}),
        ("source_file_not_pdf", True, {"source_file_id": file_id("s1", "a.csv")}),
        ("source_file_not_pdf", True, {"source_file_id": file_id("s1", "a")}),
        ("source_webpage_not_found", True, {"source_webpage_link": DOI}),
        ("source_webpage_no_content", True, {"source_webpage_link": SNIPPET}),
    ],
)
def test_evidence_is_refused_with_the_code_of_the_contract(
    mem: Memory, folder: Path, code: str, instructs: bool, sources: dict[str, str]
) -> None:
    """contract/http.md §4.1, also which of them come with an instruction."""
    error = refusal(
        folder, mem.declare_evidence, content="x", session_id="s1", **sources
    )

    assert error.code == code
    assert bool(error.instruction) is instructs
    assert error.message


def test_an_unknown_paper_is_refused_in_the_words_of_the_contract(
    mem: Memory, folder: Path
) -> None:
    """Clients of the app show this text."""
    error = refusal(
        folder,
        mem.declare_evidence,
        content="x",
        session_id="s1",
        source_paper_link="x",
    )

    assert error.message == "no Paper with that link"
    assert "record 'x' in session 's1' first" in str(error)
    assert "observe_tool_call" in str(error)


@pytest.mark.parametrize(
    ("code", "parameter"),
    [
        ("source_paper_not_found", "source_paper_link"),
        ("source_webpage_not_found", "source_webpage_link"),
    ],
)
def test_a_source_only_another_session_knows_is_not_found(
    mem: Memory, folder: Path, code: str, parameter: str
) -> None:
    """Design §5.7; the app answers ok here and keeps nothing."""
    link = "https://example.org/only-s2"
    kind = {"source_paper_link": "paper", "source_webpage_link": "web_page"}[parameter]
    mem.observe_tool_call(
        "subtask:mcp:2",
        session_id="s2",
        tool_name="search",
        products=[{"product_type": kind, "url": link, "content_hash": "9f"}],
    )

    error = refusal(
        folder, mem.declare_evidence, content="x", session_id="s1", **{parameter: link}
    )
    assert error.code == code

    found = mem.declare_evidence("x", session_id="s2", **{parameter: link})
    assert found.evidence_id in nodes(folder, "Evidence")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content", None),
        ("content", 5),
        ("content", "\ud800"),
        ("content", "x" * (1 << 20) + "y"),
        ("session_id", " "),
        ("locator", 7),
        ("evidence_type", ["QUOTE"]),
        ("confidence", 0.9),
        ("strength", float("nan")),
        ("created_at", 1700000000),
        ("source_paper_link", 5),
    ],
)
def test_a_value_evidence_cannot_hold_is_named(
    mem: Memory, folder: Path, name: str, value: Any
) -> None:
    """One error, nothing written."""
    asked = {"content": "x", "session_id": "s1", "source_paper_link": DOI, name: value}

    error = refused(folder, InvalidRecord, mem.declare_evidence, **asked)

    assert name in str(error)
    assert len(str(error)) < 500
