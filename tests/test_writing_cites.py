# SPDX-License-Identifier: Apache-2.0
"""What a claim cites: each alias, its chip and its target, and what may not be cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import smemkit
from smemkit.memory import Memory
from tests.declaring import (
    edges,
    evidence,
    figure,
    file_id,
    folder,
    mem,
    nodes,
    refusal,
    told,
)

__all__ = ["folder", "mem", "told"]


def test_every_kind_of_cite_supports_the_claim_and_has_its_chip(
    mem: Memory, folder: Path
) -> None:
    """The chips and targets of contract/http.md §4.2, key by key."""
    quote = evidence(mem)
    figure(mem)
    found = mem.declare_claim(
        "Bills grow.",
        session_id="s1",
        cites_evidence_aliases={"evidence1": quote},
        cites_artifact_aliases={"artifact1": "fig"},
        cites_source_file_aliases={"file1": file_id("s1", "a.csv")},
        cites_dbrecord_aliases={"record1": "GO:0008150"},
    )

    assert found.to_dict()["chip_map"] == {
        "evidence1": {"kind": "evidence", "id": quote, "label": "evidence1"},
        "artifact1": {
            "kind": "artifact",
            "id": "fig",
            "label": "artifact1",
            "version": 1,
        },
        "file1": {
            "kind": "sourcefile",
            "id": file_id("s1", "a.csv"),
            "label": "file1",
        },
        "record1": {"kind": "dbrecord", "id": "0008150", "label": "record1"},
    }
    none = dict.fromkeys(
        ["evidence_id", "artifact_id", "version", "file_id", "source", "identifier"]
    )
    assert list(found.cited_targets) == [
        {**none, "evidence_id": quote, "labels": ["Evidence"]},
        {**none, "artifact_id": "fig", "version": 1, "labels": ["Artifact"]},
        {**none, "file_id": file_id("s1", "a.csv"), "labels": ["SourceFile"]},
        {**none, "source": "GO", "identifier": "0008150", "labels": ["DbRecord"]},
    ]
    assert edges(folder, "supports") == sorted(
        (source, found.claim_id)
        for source in [quote, "fig#v1", file_id("s1", "a.csv"), "s1 0008150"]
    )


def test_each_alias_keeps_its_own_artifact_version(mem: Memory, folder: Path) -> None:
    """Design §5.7; the app gives both chips the same version."""
    for _ in range(3):
        figure(mem)
    found = mem.declare_claim(
        "x",
        session_id="s1",
        cites_artifact_aliases={
            "old": "fig",
            "mid": "fig#v2",
            "new": "fig",
            "again": "fig#v3",
        },
        cites_artifact_versions={"old": 1, "again": 1},
    )

    assert {a: chip["version"] for a, chip in found.chip_map.items()} == {
        "old": 1,
        "mid": 2,
        "new": 3,
        "again": 1,
    }
    assert {chip["id"] for chip in found.chip_map.values()} == {"fig"}
    assert edges(folder, "supports") == [
        (f"fig#v{n}", found.claim_id) for n in (1, 2, 3)
    ]


def test_without_a_version_the_highest_of_the_session_is_meant(
    mem: Memory, folder: Path
) -> None:
    """A later version that another session declared is not known here."""
    figure(mem)
    figure(mem, "s2")
    found = mem.declare_claim("x", session_id="s1", cites_artifact_aliases={"f": "fig"})

    assert found.chip_map["f"]["version"] == 1
    assert edges(folder, "supports") == [("fig#v1", found.claim_id)]


def test_two_aliases_of_one_target_are_two_chips_and_one_edge(
    mem: Memory, folder: Path
) -> None:
    """Targets are de-duplicated, aliases are not."""
    quote = evidence(mem)
    found = mem.declare_claim(
        "x", session_id="s1", cites_evidence_aliases={"e1": quote, "e2": quote}
    )

    assert set(found.chip_map) == {"e1", "e2"}
    assert len(found.cited_targets) == 1
    assert edges(folder, "supports") == [(quote, found.claim_id)]


def test_empty_cites_are_passed_over_if_one_is_left(mem: Memory, folder: Path) -> None:
    """contract/http.md §4.2: entries with an empty value are skipped."""
    quote = evidence(mem)
    found = mem.declare_claim(
        "x",
        session_id="s1",
        cites_evidence_aliases={"e1": quote, "e2": ""},
        cites_artifact_aliases={"a1": ""},
    )

    assert set(found.chip_map) == {"e1"}
    assert edges(folder, "supports") == [(quote, found.claim_id)]


@pytest.mark.parametrize("identifier", ["0008150", "GO:0008150"])
def test_a_record_is_found_with_or_without_its_source(
    mem: Memory, folder: Path, identifier: str
) -> None:
    """Without a source if the session holds only one such record."""
    found = mem.declare_claim(
        "x", session_id="s1", cites_dbrecord_aliases={"r": identifier}
    )

    assert found.chip_map["r"]["id"] == "0008150"
    assert edges(folder, "supports") == [("s1 0008150", found.claim_id)]


def test_an_identifier_with_a_colon_of_its_own_is_found(folder: Path) -> None:
    """`GO:0008150` may be the identifier itself; the app reads GO as the source."""
    mem = smemkit.open(folder)
    mem.observe_tool_call(
        "subtask:mcp:1",
        session_id="s1",
        tool_name="search",
        products=[
            {"product_type": "db_record", "source": "quickgo", "identifier": "GO:1"}
        ],
    )

    for name in ("GO:1", "quickgo:GO:1"):
        found = mem.declare_claim(
            "x", session_id="s1", cites_dbrecord_aliases={"r": name}
        )
        assert found.chip_map["r"]["id"] == "GO:1"


@pytest.mark.parametrize(
    "cites",
    [
        {},
        {"cites_evidence_aliases": {}, "cites_artifact_aliases": None},
        {"cites_evidence_aliases": {"e1": ""}},
        {
            "cites_evidence_aliases": {"e1": "", "e2": ""},
            "cites_artifact_aliases": {"a": ""},
            "cites_source_file_aliases": {"f": ""},
            "cites_dbrecord_aliases": {"r": ""},
        },
        {"cites_artifact_versions": {"a": 1}},
    ],
)
def test_a_claim_that_cites_nothing_is_refused(
    mem: Memory, folder: Path, cites: dict[str, Any]
) -> None:
    """Also one whose aliases are all empty (design §5.7); the text names all maps."""
    error = refusal(folder, mem.declare_claim, content="x", session_id="s1", **cites)

    assert error.code == "no_cites_target"
    for name in ("evidence", "artifact", "source_file", "dbrecord"):
        assert f"cites_{name}_aliases" in error.instruction


@pytest.mark.parametrize(
    ("code", "cites"),
    [
        ("evidence_not_found", {"evidence": "nope"}),
        ("evidence_not_found", {"evidence": "fig"}),
        ("evidence_not_found", {"evidence": " "}),
        ("artifact_version_not_found", {"artifact": "nope"}),
        ("artifact_version_not_found", {"artifact": "fig#v2"}),
        ("artifact_version_not_found", {"artifact": " \t"}),
        ("artifact_version_not_found", {"artifact": "fig", "version": 2}),
        ("artifact_version_not_found", {"artifact": "fig", "version": 0}),
        ("artifact_version_not_found", {"artifact": "fig#v1", "version": -1}),
        ("artifact_version_not_found", {"artifact": "theirs"}),
        ("artifact_version_not_found", {"artifact": "theirs#v1"}),
        ("source_file_not_found", {"source_file": "a.csv"}),
        ("source_file_not_found", {"source_file": " "}),
        ("source_file_not_found", {"source_file": file_id("s2", "a.csv")}),
        ("source_file_is_pdf", {"source_file": file_id("s1", "a.pdf")}),
        ("db_record_not_found", {"dbrecord": "nope"}),
        ("db_record_not_found", {"dbrecord": " "}),
        ("db_record_not_found", {"dbrecord": "XX:0008150"}),
        ("db_record_not_found", {"dbrecord": "1ABC"}),
    ],
)
def test_a_claim_is_refused_with_the_code_of_the_contract(
    mem: Memory, folder: Path, code: str, cites: dict[str, Any]
) -> None:
    """contract/http.md §4.2; each names the alias and says what to do."""
    figure(mem)
    figure(mem, "s2", "theirs")
    version = cites.pop("version", None)
    asked: dict[str, Any] = {
        f"cites_{kind}_aliases": {"chip7": name} for kind, name in cites.items()
    }
    if version is not None:
        asked["cites_artifact_versions"] = {"chip7": version}

    error = refusal(folder, mem.declare_claim, content="x", session_id="s1", **asked)

    assert error.code == code
    assert "'chip7'" in error.message
    assert error.instruction


def test_the_instructions_name_the_verb_that_helps(mem: Memory, folder: Path) -> None:
    """contract/writes.md §10.2: declare_evidence and list_artifacts."""
    for kind, verb in [
        ("evidence", "declare_evidence"),
        ("artifact", "list_artifacts"),
    ]:
        error = refusal(
            folder,
            mem.declare_claim,
            content="x",
            session_id="s1",
            **{f"cites_{kind}_aliases": {"a": "nope"}},
        )
        assert verb in error.instruction


def test_evidence_of_another_session_is_not_found(mem: Memory, folder: Path) -> None:
    """Gates are per session (design §5)."""
    theirs = evidence(mem, "s2")

    error = refusal(
        folder,
        mem.declare_claim,
        content="x",
        session_id="s1",
        cites_evidence_aliases={"e": theirs},
    )

    assert error.code == "evidence_not_found"


def test_a_file_of_unknown_type_may_be_cited(mem: Memory, folder: Path) -> None:
    """Only a PDF may not (contract/writes.md §7.8)."""
    name = file_id("s1", "a")
    found = mem.declare_claim(
        "x", session_id="s1", cites_source_file_aliases={"f": name}
    )

    assert edges(folder, "supports") == [(name, found.claim_id)]


def test_the_first_cite_that_fails_is_the_one_refused(
    mem: Memory, folder: Path
) -> None:
    """Evidence, artifacts, files, records; the good ones leave no claim behind."""
    bad = {
        "cites_evidence_aliases": {"good": evidence(mem), "e": "nope"},
        "cites_artifact_aliases": {"a": "nope"},
        "cites_source_file_aliases": {"f": "nope"},
        "cites_dbrecord_aliases": {"r": "nope"},
    }
    codes = []
    while len(bad) > 0:
        error = refusal(folder, mem.declare_claim, content="x", session_id="s1", **bad)
        codes.append(error.code)
        del bad[next(iter(bad))]

    assert codes == [
        "evidence_not_found",
        "artifact_version_not_found",
        "source_file_not_found",
        "db_record_not_found",
    ]
    assert nodes(folder, "Claim") == {}
