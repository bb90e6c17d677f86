# SPDX-License-Identifier: Apache-2.0
"""Artifacts: which version a declared file is, and what the version hangs on."""

from __future__ import annotations

import hashlib
import os
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import DeclareError, InvalidRecord
from smemkit.memory import Memory
from tests.declaring import contents, edges, folder, mem, nodes, refusal, refused, told

__all__ = ["folder", "mem", "told"]

AT = "2026-10-01T08:00:00.000Z"


def declare(mem: Memory, path: str = "fig.png", **asked: Any) -> str:
    """Declare a file in `s1` unless told otherwise and return the version's id."""
    return mem.declare_artifact(path, **{"session_id": "s1", **asked}).id


# -- the node --------------------------------------------------------------------


def test_an_artifact_keeps_every_field_in_the_order_of_the_contract(
    mem: Memory, folder: Path, tmp_path: Path
) -> None:
    """contract/writes.md §2.5; the hash is over the bytes of the file."""
    data = os.urandom(100_000)
    (tmp_path / "fig.bin").write_bytes(data)

    found = mem.declare_artifact(
        tmp_path / "fig.bin",
        session_id="s1",
        artifact_id="fig",
        version=7,
        logical_name="Figure 1",
        media_type="image/png",
        project_id="p1",
        turn_id="r1",
        created_at=AT,
    )

    digest = hashlib.sha256(data).hexdigest()
    assert list(nodes(folder, "Artifact")["fig#v7"].items()) == [
        ("artifact_id", "fig"),
        ("version", 7),
        ("session_id", "s1"),
        ("project_id", "p1"),
        ("path", str(tmp_path / "fig.bin")),
        ("logical_name", "Figure 1"),
        ("media_type", "image/png"),
        ("created_at", AT),
        ("turn_id", "r1"),
        ("content_hash", digest),
    ]
    assert (found.id, found.content_hash) == ("fig#v7", digest)


def test_what_is_not_said_is_guessed_from_the_path_or_absent(
    mem: Memory, folder: Path
) -> None:
    """The name and the media type; no file lies there, so there is no hash."""
    found = mem.declare_artifact("out/Fig.SVG", session_id="s1")

    kept = nodes(folder, "Artifact")[found.id]
    assert set(kept) == {
        "artifact_id",
        "version",
        "session_id",
        "path",
        "logical_name",
        "media_type",
        "created_at",
    }
    assert (kept["logical_name"], kept["media_type"]) == ("Fig.SVG", "image/svg+xml")
    assert found.content_hash is None


def test_a_path_under_the_current_folder_is_hashed_and_kept_as_given(
    mem: Memory, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`file` says where the bytes are if they are elsewhere."""
    (tmp_path / "here.txt").write_text("here")
    (tmp_path / "there.txt").write_text("there")
    monkeypatch.chdir(tmp_path)

    here = mem.declare_artifact("here.txt", session_id="s1")
    there = mem.declare_artifact(
        "here.txt", session_id="s1", file=tmp_path / "there.txt"
    )

    kept = nodes(folder, "Artifact")
    assert [kept[x.id]["path"] for x in (here, there)] == ["here.txt"] * 2
    assert [kept[x.id]["content_hash"] for x in (here, there)] == [
        hashlib.sha256(text).hexdigest() for text in (b"here", b"there")
    ]


def test_a_repeat_of_a_version_overwrites_only_what_it_tells(
    mem: Memory, folder: Path
) -> None:
    """A guess never replaces what was said; session and time stay the first."""
    first = {
        "artifact_id": "fig",
        "version": 1,
        "logical_name": "Figure 1",
        "media_type": "image/x-odd",
        "project_id": "p1",
        "content_hash": "9f",
        "created_at": AT,
    }
    declare(mem, **first)
    before = nodes(folder, "Artifact")["fig#v1"]

    found = mem.declare_artifact(
        "new.png", session_id="s2", artifact_id="fig#v1", turn_id="r2"
    )

    after = nodes(folder, "Artifact")["fig#v1"]
    assert after == {**before, "path": "new.png", "turn_id": "r2"}
    assert (found.content_hash, found.media_type) == ("9f", "image/x-odd")


def test_the_same_declaration_of_a_version_again_writes_no_byte(
    mem: Memory, folder: Path
) -> None:
    """What is there is not written once more."""
    asked = {"artifact_id": "fig", "version": 1, "code_id": "run-s1"}
    declare(mem, **asked)
    before = contents(folder)

    declare(mem, **asked)

    assert contents(folder) == before


# -- which artifact, which version -----------------------------------------------


def test_a_new_file_gets_a_random_uuid_and_version_one(mem: Memory) -> None:
    """Each file its own."""
    one = mem.declare_artifact("a.png", session_id="s1")
    two = mem.declare_artifact("b.png", session_id="s1")

    assert uuid.UUID(one.artifact_id).version == 4
    assert one.artifact_id != two.artifact_id
    assert one.version == two.version == 1


def test_the_same_path_in_the_same_session_is_the_next_version(mem: Memory) -> None:
    """Also of an artifact whose id was given, and also with unchanged content."""
    assert declare(mem, artifact_id="fig") == "fig#v1"
    assert declare(mem) == "fig#v2"
    assert declare(mem, "other.png") != "fig#v3"
    assert declare(mem) == "fig#v3"


def test_the_same_logical_name_in_the_same_session_is_the_next_version(
    mem: Memory,
) -> None:
    """Wherever the file lies; another name is another artifact."""
    declare(mem, "a.png", artifact_id="fig", logical_name="Figure 1")

    assert declare(mem, "b/c.png", logical_name="Figure 1") == "fig#v2"
    assert not declare(mem, "a.png", logical_name="Figure 2").startswith("fig#")


def test_two_files_of_one_name_in_two_folders_are_two_artifacts(mem: Memory) -> None:
    """A guessed name joins nothing."""
    one = mem.declare_artifact("a/fig.png", session_id="s1")
    two = mem.declare_artifact("b/fig.png", session_id="s1")

    assert one.artifact_id != two.artifact_id


def test_the_same_path_in_another_session_is_another_artifact(mem: Memory) -> None:
    """Ids are not taken from other sessions unasked."""
    declare(mem, artifact_id="fig")

    assert not declare(mem, session_id="s2").startswith("fig#")


def test_the_next_version_is_counted_over_all_sessions(mem: Memory) -> None:
    """The key has no session in it (contract/writes.md §2.5)."""
    declare(mem, artifact_id="fig", version=4)

    assert declare(mem, artifact_id="fig", session_id="s2") == "fig#v5"
    assert declare(mem) == "fig#v6"


def test_a_version_may_be_said_in_the_id(mem: Memory) -> None:
    """As every answer writes it."""
    assert declare(mem, artifact_id="fig#v3") == "fig#v3"
    assert declare(mem, artifact_id="fig#v3", version=3) == "fig#v3"
    assert declare(mem, artifact_id="fig") == "fig#v4"


def test_two_openings_of_one_memory_never_give_one_version_twice(
    mem: Memory, folder: Path
) -> None:
    """The number is taken under the lock, after a look at what others wrote."""
    with smemkit.open(folder) as other:
        found = [declare(each, artifact_id="fig") for each in (mem, other, mem, other)]

    assert found == [f"fig#v{n}" for n in (1, 2, 3, 4)]
    assert edges(folder, "supersedes") == [
        (f"fig#v{n}", f"fig#v{n - 1}") for n in (2, 3, 4)
    ]


# -- edges -----------------------------------------------------------------------


@given(st.permutations(range(1, 9)).flatmap(lambda p: st.sampled_from([p, p[:5]])))
def test_neighbouring_versions_are_linked_in_whatever_order_they_came(
    order: list[int],
) -> None:
    """New supersedes old; a gap leaves none (design §5, contract/writes.md §8)."""
    mem = smemkit.open(":memory:")
    for version in order:
        mem.declare_artifact("f", session_id="s", artifact_id="fig", version=version)

    with mem.reading() as graph:
        found = sorted(
            (graph.node(e.src).props["version"], graph.node(e.dst).props["version"])
            for e in graph.edges("supersedes")
        )
    assert found == [(v, v - 1) for v in sorted(order) if v - 1 in order]


def test_supersedes_is_repaired_when_the_missing_version_arrives(
    mem: Memory, folder: Path
) -> None:
    """v3, v1, then v2 between them; sent again, nothing is doubled."""
    for version in (3, 1):
        declare(mem, artifact_id="fig", version=version)
    assert edges(folder, "supersedes") == []

    for _ in range(2):
        declare(mem, artifact_id="fig", version=2)

    assert edges(folder, "supersedes") == [("fig#v2", "fig#v1"), ("fig#v3", "fig#v2")]


def test_only_a_named_run_produces_the_artifact(mem: Memory, folder: Path) -> None:
    """Without `code_id` no run is guessed; the same word twice is one edge."""
    declare(mem, artifact_id="loose")
    for _ in range(2):
        declare(mem, artifact_id="made#v1", code_id="run-s1")

    made = [pair for pair in edges(folder, "produces") if pair[1].endswith("#v1")]
    assert made == [("run-s1", "made#v1")]
    assert mem.trace_provenance("made#v1").broken is False
    assert mem.trace_provenance("loose#v1").broken is True


@pytest.mark.parametrize("code_id", ["nope", "run-s2", "subtask:run-s1"])
def test_a_run_the_session_does_not_know_is_refused(
    mem: Memory, folder: Path, code_id: str
) -> None:
    """Also one of another session; the file is not declared without it."""
    error = refusal(
        folder, mem.declare_artifact, path="f", session_id="s1", code_id=code_id
    )

    assert error.code == "code_not_found"
    assert repr(code_id) in error.message
    assert "observe_execution" in error.instruction


def test_a_run_that_waited_for_the_artifact_gets_it_as_input(
    mem: Memory, folder: Path
) -> None:
    """The list of what is missing shrinks and goes (design §5)."""
    mem.observe_execution(
        "reader",
        session_id="s1",
        produced_artifacts=[
            {
                "artifact_id": "out",
                "version": 1,
                "input_artifact_versions": ["fig#v1", "fig#v2"],
            }
        ],
    )
    assert nodes(folder, "Code")["reader"]["missing_inputs"] == ["fig#v1", "fig#v2"]

    declare(mem, artifact_id="fig", version=2)
    assert edges(folder, "input") == [("fig#v2", "reader")]
    assert nodes(folder, "Code")["reader"]["missing_inputs"] == ["fig#v1"]

    declare(mem, artifact_id="fig", version=1)
    assert edges(folder, "input") == [("fig#v1", "reader"), ("fig#v2", "reader")]
    assert "missing_inputs" not in nodes(folder, "Code")["reader"]


# -- what is refused -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("path", ""),
        ("path", 5),
        ("path", b"fig.png"),
        ("path", "\ud800.png"),
        ("session_id", 5),
        ("artifact_id", " "),
        ("artifact_id", " #v2"),
        ("version", 0),
        ("version", True),
        ("version", 1.0),
        ("version", "1"),
        ("version", 1 << 63),
        ("code_id", ""),
        ("logical_name", " "),
        ("media_type", 5),
        ("project_id", ["p1"]),
        ("turn_id", float("nan")),
        ("created_at", 0),
        ("content_hash", 5),
        ("file", "no/such/file"),
        ("file", "."),
        ("file", "a\0b"),
    ],
)
def test_a_value_an_artifact_cannot_hold_is_named(
    mem: Memory, folder: Path, name: str, value: Any
) -> None:
    """One error, nothing written."""
    asked = {"path": "fig.png", "session_id": "s1", name: value}

    error = refused(folder, InvalidRecord, mem.declare_artifact, **asked)

    assert name in str(error)


def test_two_versions_named_at_once_are_refused(mem: Memory, folder: Path) -> None:
    """The id says one, the parameter another."""
    error = refused(
        folder,
        InvalidRecord,
        mem.declare_artifact,
        path="f",
        session_id="s1",
        artifact_id="fig#v1",
        version=2,
    )

    assert "two versions" in str(error)


def test_after_the_highest_number_there_is_no_next_version(
    mem: Memory, folder: Path
) -> None:
    """64 bits are all a store can hold; the error comes before the disk does."""
    top = (1 << 63) - 1
    declare(mem, artifact_id="fig", version=top)

    refused(
        folder,
        InvalidRecord,
        mem.declare_artifact,
        path="f",
        session_id="s1",
        artifact_id="fig",
    )
    assert list(nodes(folder, "Artifact")) == [f"fig#v{top}"]


def test_a_refused_artifact_makes_no_folder(folder: Path) -> None:
    """A memory is made by its first write, not by an attempt."""
    mem = smemkit.open(folder)

    with pytest.raises(DeclareError):
        mem.declare_artifact("f", session_id="s1", code_id="nope")

    assert not folder.exists()
