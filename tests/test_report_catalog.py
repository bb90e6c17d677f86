# SPDX-License-Identifier: Apache-2.0
"""The report that is meant, its text under `files=`, and what its chips stand for."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import BadRequest, NodeNotFound
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.report.catalog import (
    MAX_TEXT,
    Reference,
    references_of,
    report_node,
    report_text,
)

TEXT = "# Birds\n\nBills grow [evidence1]. 企鹅。\n"
DATA = TEXT.encode()


def report(**props: object) -> Node:
    known = {"artifact_id": "report", "version": 1, "path": "out/report.md"}
    known["content_hash"] = hashlib.sha256(DATA).hexdigest()
    return Node("n1", ("Artifact",), {**known, **props})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ws" / "out").mkdir(parents=True)
    (tmp_path / "ws" / "out" / "report.md").write_bytes(DATA)
    return tmp_path / "ws"


def read(node: Node, folder: Path) -> tuple[str | None, str]:
    found = report_text(node, None, folder)
    return found.text, str(found.note or "")


def test_the_text_given_wins_over_the_file(folder):
    """Also an empty one."""
    assert report_text(report(), "", folder).text == ""


def test_the_declared_file_is_read(folder):
    """By a folder as text or path; a mark at its beginning is no text."""
    marked = b"\xef\xbb\xbf" + DATA
    (folder / "marked.md").write_bytes(marked)
    digest = hashlib.sha256(marked).hexdigest()

    assert read(report(), folder) == (TEXT, "")
    assert report_text(report(), None, str(folder)).text == TEXT
    assert read(report(path="marked.md", content_hash=digest), folder)[0] == TEXT
    assert read(report(path=str(folder / "out" / "report.md")), folder)[0] == TEXT


def test_without_a_folder_there_is_no_text():
    """And it is said."""
    assert "no text was given" in str(report_text(report(), None, None).note)


@pytest.mark.parametrize(
    ("props", "word"),
    [
        ({"content_hash": "0" * 64}, "hash differs"),
        ({"content_hash": None}, "keeps no hash"),
        ({"path": "gone.md"}, "no file"),
        ({"path": "out"}, "no file"),
        ({"path": "."}, "no file"),
        ({"path": ""}, "no path"),
        ({"path": None}, "no path"),
        ({"path": 5}, "no path"),
        ({"path": "a\x00b"}, "no path"),
        ({"path": "\ud800.md"}, "no name of a file"),
        ({"path": "x" * 5000}, "cannot be read"),
        ({"path": "../secret.md"}, "no file"),
        ({"path": "out/../../secret.md"}, "no file"),
        ({"path": "/etc/hostname"}, "no file"),
    ],
)
def test_another_file_is_not_read(folder, props, word):
    """A path is not trusted, and neither is a file under its name."""
    (folder.parent / "secret.md").write_bytes(DATA)

    text, note = read(report(**props), folder)

    assert text is None
    assert word in note
    assert "one row per claim" in note


def test_a_link_out_of_the_folder_is_not_followed(folder):
    """Neither to a file nor through a folder; one that stays inside is."""
    outside = folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "report.md").write_bytes(DATA)
    (folder / "file.md").symlink_to(outside / "report.md")
    (folder / "door").symlink_to(outside)
    (folder / "inside.md").symlink_to(folder / "out" / "report.md")
    (folder / "round.md").symlink_to(folder / "round.md")

    assert read(report(path="file.md"), folder)[0] is None
    assert read(report(path="door/report.md"), folder)[0] is None
    assert read(report(path="round.md"), folder)[0] is None
    assert read(report(path="inside.md"), folder)[0] == TEXT


def test_the_folder_itself_may_be_a_link(folder):
    """It is the analyst who named it."""
    (folder.parent / "link").symlink_to(folder)

    assert read(report(), folder.parent / "link")[0] == TEXT


def test_a_pipe_is_not_waited_for(folder):
    """Only regular files are opened."""
    os.mkfifo(folder / "pipe.md")

    assert "no file" in read(report(path="pipe.md"), folder)[1]


def test_a_file_too_large_or_not_text_is_not_read(folder):
    """The note says which."""
    large, latin = b"a" * (MAX_TEXT + 1), "é".encode("latin-1")
    for data, word in ((large, "larger than 8 MiB"), (latin, "not UTF-8")):
        (folder / "out" / "report.md").write_bytes(data)
        node = report(content_hash=hashlib.sha256(data).hexdigest())
        assert word in read(node, folder)[1]

    fits = b"a" * MAX_TEXT
    (folder / "out" / "report.md").write_bytes(fits)
    node = report(content_hash=hashlib.sha256(fits).hexdigest())
    assert read(node, folder)[0] == fits.decode()


@pytest.mark.parametrize("files", ["gone", "a\x00b", 5, "~nobody-of-this-name/x"])
def test_no_folder_is_an_error_that_says_so(files):
    """What was asked, what to do."""
    with pytest.raises(BadRequest, match="name the workspace"):
        report_text(report(), None, files)


def test_a_text_that_is_none_is_refused():
    """Bytes, for instance."""
    with pytest.raises(BadRequest, match="bytes"):
        report_text(report(), b"x", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", ["path", "name under files"])
def test_the_name_of_a_file_is_no_text_of_a_report(folder, by):
    """It would be audited as a sentence; the error says where a name belongs."""
    name = str(folder / "out" / "report.md") if by == "path" else "out/report.md"
    with pytest.raises(BadRequest, match=r"name of a file; .*files=.*read_text"):
        report_text(report(), name, folder)
    with pytest.raises(BadRequest, match=r"read_text"):
        report_text(report(), folder / "out" / "report.md", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", ".", "a\x00", "x" * 300, "gone.md", "a" * 5000])
def test_any_other_line_is_a_text(folder, text):
    """A folder's name too, and what no file could be called."""
    assert report_text(report(), text, folder).text == text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_text_that_is_not_the_declared_one_is_noted(end, mark):
    """The same text read with other ends of lines, or without its mark, is the same."""
    stored = mark + TEXT.replace("\n", end)
    node = report(content_hash=hashlib.sha256(stored.encode()).hexdigest())

    assert report_text(node, stored, None).note is None
    assert report_text(node, TEXT, None).note is None
    found = report_text(node, TEXT + "More.", None)
    assert "its hash differs" in str(found.note)
    assert not found.fault
    assert report_text(report(content_hash=None), "Else.\nMore.", None).note is None
    assert "differs" in str(report_text(node, "\ud800", None).note)


def test_a_folder_without_the_declared_file_is_a_fault(folder):
    """Not so where the memory does not say which file it would be."""
    assert report_text(report(content_hash="0" * 64), None, folder).fault
    assert report_text(report(path="gone.md"), None, folder).fault
    assert not report_text(report(path=None), None, folder).fault
    assert not report_text(report(content_hash=None), None, folder).fault
    assert not report_text(report(), None, folder).fault
    assert not report_text(report(), None, None).fault


# -- references ----------------------------------------------------------------


def test_references_are_those_given_or_those_kept():
    """An alias that was used for several things keeps all of them, each once."""
    kept = [
        {"label": "a1", "kind": "artifact", "id": "fig", "version": 2, "claim_id": "c"},
        {"label": "a1", "kind": "artifact", "id": "fig", "version": 1},
        {"label": "a1", "kind": "artifact", "id": "fig", "version": 1},
    ]
    node = report(references=[json.dumps(entry) for entry in kept])
    expected = (
        Reference("a1", "artifact", "fig", 2, "c"),
        Reference("a1", "artifact", "fig", 1),
    )

    assert references_of(node, None) == {"a1": expected}
    assert references_of(report(), kept) == {"a1": expected}
    assert references_of(node, []) == {}


def test_damaged_references_that_were_kept_are_passed_over():
    """One bad entry hides no other."""
    good = json.dumps({"label": "e", "kind": "evidence", "id": "x"})
    bad = ["{", "[]", "5", 7, "null", '{"label":"e"}', "[" * 100_000]

    assert list(references_of(report(references=[*bad, good]), None)) == ["e"]
    assert references_of(report(references="e"), None) == {}


@pytest.mark.parametrize(
    "given_",
    [
        [{}],
        ["e"],
        [{"label": "", "kind": "evidence", "id": "x"}],
        [{"label": "e", "kind": "evidence", "id": 5}],
        [{"label": "e", "kind": "artifact", "id": "fig", "version": "2"}],
        [{"label": "e", "kind": "artifact", "id": "fig", "version": True}],
        {"label": "e", "kind": "evidence", "id": "x"},
        "e",
        5,
    ],
)
def test_references_that_are_none_are_refused(given_):
    """A version that is no number would silently mean another one."""
    with pytest.raises(BadRequest, match="reference"):
        references_of(report(), given_)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_any_references_are_read_or_refused(value):
    """Nothing else happens."""
    try:
        found = references_of(report(), value)
    except BadRequest:
        return
    assert value is None or found == {}


# -- which report --------------------------------------------------------------


def test_a_bare_id_means_the_highest_version():
    """A pinned one that version."""
    graph = Graph()
    for n, version in enumerate((2, 10, 3), 1):
        props = {"artifact_id": "report", "version": version, "session_id": "s"}
        graph.put_node(Node(f"n{n}", ("Artifact",), props, n))

    assert report_node(graph, "report").public_id == "report#v10"
    assert report_node(graph, "report#v2").public_id == "report#v2"


def shelf(*artifacts: tuple[str, str, int, str]) -> Graph:
    """Return a Graph of artifacts: session, id, version, path."""
    graph = Graph()
    for n, (session, name, version, path) in enumerate(artifacts, 1):
        props = {"artifact_id": name, "version": version, "session_id": session}
        graph.put_node(Node(f"n{n}", ("Artifact",), {**props, "path": path}, n))
    return graph


def test_a_path_that_is_of_one_artifact_alone_means_it():
    """Its highest version, or the one that is named; an id goes first."""
    graph = shelf(
        ("s", "r", 1, "out/report.md"),
        ("s", "r", 2, "./out/report.md"),
        ("s", "x", 1, "id.md"),
        ("s", "id.md", 1, "else.md"),
    )

    assert report_node(graph, "out/report.md").public_id == "r#v2"
    assert report_node(graph, "out/report.md#v1").public_id == "r#v1"
    assert report_node(graph, "id.md").public_id == "id.md#v1"
    with pytest.raises(NodeNotFound):
        report_node(graph, "out/report.md#v3")
    with pytest.raises(NodeNotFound):
        report_node(graph, "report.md")


@pytest.mark.parametrize("other", [("s", "q"), ("t", "r")])
def test_a_path_of_several_artifacts_is_refused_with_their_ids(other):
    """Also that of one id in two sessions."""
    graph = shelf(("s", "r", 1, "report.md"), (*other, 1, "report.md"))
    with pytest.raises(BadRequest, match=rf"several .* r#v1.*|{other[1]}#v1"):
        report_node(graph, "report.md")


@pytest.mark.parametrize("name", ["gone", "cl-1", "report#v9", 5, None])
def test_an_unknown_report_is_an_error_that_lists_the_reports(cases, name):
    """Also an id that is no artifact's."""
    with (
        smemkit.open(cases / "app-store") as mem,
        pytest.raises(NodeNotFound, match=r"reports are: 'report#v1'"),
    ):
        mem.audit(name)
