# SPDX-License-Identifier: Apache-2.0
"""Stores as crashes, other writers and editors leave them (tests/data/cases)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from smemkit.records import Batch, Node
from smemkit.stores import _log
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.repair import check
from tests import app_loader
from tests.store_plans import content, lone, text

LISTED = {
    "bom": ["byte-order-mark"],
    "dangling-edge": ["dangling-edge"],
    "edge-without-src": ["no-ends"],
    "empty-files": [],
    "glued-after-torn": ["several-on-a-line"],
    "line-separator": [],
    "marker-lines": ["no-id", "no-id"],
    "nan-and-crlf": [],
    "no-edges-file": [],
    "not-an-object": ["not-an-object"] * 3,
    "numeric-id": ["id-not-text"],
    "raw-null-bytes": ["null-bytes"],
    "reused-id-trap": ["dangling-edge"],
    "torn-ascii": ["not-json"],
    "torn-inside-cjk": ["not-utf8"],
}
"""The problems of each damaged store."""

LOST = {"glued-after-torn": {"n49"}, "torn-ascii": {"n49"}}
"""The records of app-store that the damage took."""

MORE = {
    "glued-after-torn": {"n900"},
    "line-separator": {"n903"},
    "nan-and-crlf": {"n902"},
}
"""The records that a damaged store holds besides."""

BRICKED = ("edge-without-src", "numeric-id", "torn-inside-cjk")
"""Stores that the app cannot open at all."""


@pytest.fixture(autouse=True)
def short_pause(monkeypatch):
    """Wait for the app a moment only."""
    monkeypatch.setattr(_log, "APP_PAUSE", 0.001)


EVERY = pytest.mark.parametrize("name", sorted(LISTED))


@pytest.fixture
def copy(cases, tmp_path):
    def make(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(cases / "damaged" / name, folder, copy_function=shutil.copyfile)
        return folder

    return make


def test_every_damaged_case_is_here(cases):
    """The table above and the folder of cases list the same stores."""
    found = {p.name for p in (cases / "damaged").iterdir() if p.is_dir()}
    assert found == set(LISTED)


@EVERY
def test_a_damaged_store_opens_and_lists_what_is_wrong(copy, name):
    """Each problem names its file, its line and a reason."""
    problems = JsonlStore(copy(name)).problems()
    assert [problem.kind for problem in problems] == LISTED[name]
    assert all(p.file and p.line and p.reason for p in problems)


@EVERY
def test_only_the_damaged_record_is_missing(cases, copy, name):
    """Every other record of the undamaged original is there, unchanged."""
    nodes, edges = content(JsonlStore(copy(name)))
    if name == "empty-files":
        assert (nodes, edges) == ({}, {})
        return
    whole, joints = content(JsonlStore(cases / "app-store"))
    lost, more = LOST.get(name, set()), MORE.get(name, set())
    assert nodes.keys() == (whole.keys() - lost) | more
    assert all(nodes[i] == whole[i] for i in whole.keys() - lost)
    if name == "no-edges-file":
        assert edges == {}
    else:
        assert edges == {i: e for i, e in joints.items() if not {e[1], e[2]} & lost}


@EVERY
def test_one_more_write_loses_nothing(copy, name):
    """After it a fresh opening holds what was there and the new record."""
    folder = copy(name)
    store = JsonlStore(folder)
    before, joints = content(store)
    (node,) = store.write(lone("new")).nodes
    again = JsonlStore(folder)
    nodes, edges = content(again)
    assert node.id not in before
    assert repr(nodes) == repr({**before, node.id: (node.labels, node.props)})
    assert edges == joints
    assert text(store) == text(again)
    assert [p.kind for p in again.problems()] == LISTED[name]


@EVERY
def test_the_app_reads_the_same_after_that_write(copy, name):
    """Records that only smemkit could read are written again for the app."""
    folder = copy(name)
    store = JsonlStore(folder)
    store.write(lone("new"))
    if name in BRICKED:
        with pytest.raises((UnicodeDecodeError, KeyError, TypeError)):
            app_loader.load(folder)
        check(folder, repair=True)
    assert text(folder) == text(store)


@EVERY
def test_repair_lets_the_app_in_and_keeps_every_byte(copy, name):
    """What was taken out lies beside the files; nothing that was read is lost."""
    folder = copy(name)
    lines = [set(p.read_bytes().split(b"\n")) for p in sorted(folder.iterdir())]
    before = text(JsonlStore(folder))
    report = check(folder, repair=True)
    mended = [k for k in LISTED[name] if k != "dangling-edge"]
    assert [p.kind for p in report.mended] == mended
    assert [p.kind for p in report.problems] == [
        k for k in LISTED[name] if k == "dangling-edge"
    ]
    assert text(JsonlStore(folder)) == text(folder) == before
    left = b"".join(p.read_bytes() for p in folder.iterdir())
    assert all(line in left for file in lines for line in file)
    assert check(folder, repair=True).mended == ()


@EVERY
def test_compacting_keeps_what_is_live(copy, name):
    """The same graph, the same marks, no problem left."""
    folder = copy(name)
    store = JsonlStore(folder)
    before, marks = text(store), (store.graph().node_mark, store.graph().edge_mark)
    store.compact()
    again = JsonlStore(folder)
    assert text(store) == text(again) == text(folder) == before
    assert (again.graph().node_mark, again.graph().edge_mark) == marks
    assert again.problems() == []


def test_an_id_that_only_a_mended_line_named_is_not_used_again(tmp_path):
    """Repair takes the line away and leaves a tombstone at its ids."""
    JsonlStore(tmp_path).write(lone("a"))
    with (tmp_path / "edges.jsonl").open("ab") as file:
        file.write(b'{"id":"r7","type":"next","src":"n1","dst":"n9","pro\n')
    report = check(tmp_path, repair=True)
    assert [p.kind for p in report.mended] == ["not-json"]
    assert report.problems == ()
    graph = JsonlStore(tmp_path).graph()
    assert (graph.node_mark, graph.edge_mark) == (9, 7)
    assert text(tmp_path) == text(JsonlStore(tmp_path))


def test_the_trap_of_a_reused_id_is_not_sprung(copy):
    """The next node lies above the stale edge's end, so that it stays dead."""
    store = JsonlStore(copy("reused-id-trap"))
    (node,) = store.write(lone("new")).nodes
    assert node.id == "n951"
    assert JsonlStore(store.folder).graph().edge("r950") is None


def test_a_nan_survives_being_written_back(copy):
    """A property on disk that may not be written new stays as it is."""
    store = JsonlStore(copy("nan-and-crlf"))
    (node,) = store.find("SearchRun", where={"search_id": "q"})
    changed = Node(node.id, node.labels, {**node.props, "seen": True})
    store.write(lambda graph: Batch((changed,)))
    (again,) = JsonlStore(store.folder).find("SearchRun", where={"search_id": "q"})
    assert repr(again.props["score"]) == "nan"
    assert again.props["seen"] is True


@pytest.mark.parametrize(
    ("file", "line", "kind"),
    [
        ("nodes", b'{"id":"n1","labels":"Code","props":{}}', "bad-labels"),
        ("nodes", b'{"id":"n1","labels":[1],"props":{}}', "bad-labels"),
        ("nodes", b'{"id":"n1","labels":[["a"]],"props":{}}', "bad-labels"),
        ("nodes", b'{"id":"n1","labels":null,"props":{}}', "bad-labels"),
        ("nodes", b'{"id":"n1","labels":["A"],"props":[]}', "bad-props"),
        ("nodes", b'{"id":null,"labels":["A"],"props":{}}', "id-not-text"),
        ("nodes", b'{"id":["n1"],"labels":["A"],"props":{}}', "id-not-text"),
        ("nodes", b'{"labels":["A"],"props":{}}', "no-id"),
        ("nodes", b"null", "not-an-object"),
        ("nodes", b"{'id':'n1'}", "not-json"),
        ("nodes", b'{"id":"n1","props":{"x":"\xff"}}', "not-utf8"),
        ("nodes", b'{"id":"n1","props":{"x":"\xed\xa0\x80"}}', "not-utf8"),
        ("nodes", b"[" * 100_000, "not-json"),
        ("nodes", b'{"id":' * 50_000, "not-json"),
        ("nodes", b'{"id":"n1","props":{"x":' + b"9" * 5_000 + b"}}", "not-json"),
        ("edges", b'{"id":"r1","type":"t","src":"n1","props":{}}', "no-ends"),
        ("edges", b'{"id":"r1","src":"n1","dst":"n1","props":{}}', "no-ends"),
        ("edges", b'{"id":"r1","type":1,"src":"n1","dst":"n1"}', "id-not-text"),
        ("edges", b'{"id":"r1","type":"t","src":1,"dst":"n1"}', "id-not-text"),
        ("edges", b'{"id":"r1","type":"t","src":"n","dst":"n","props":1}', "bad-props"),
    ],
)
def test_a_line_that_is_no_record_is_listed_and_the_rest_is_read(
    tmp_path, file, line, kind
):
    """The line keeps nothing else out, and repair takes it out of the way."""
    good = b'{"id":"n7","labels":["Code"],"props":{"code_id":"e"}}\n'
    (tmp_path / "nodes.jsonl").write_bytes(good)
    with (tmp_path / f"{file}.jsonl").open("ab") as stream:
        stream.write(line + b"\n")
    store = JsonlStore(tmp_path)
    assert content(store) == ({"n7": (("Code",), {"code_id": "e"})}, {})
    (problem,) = store.problems()
    number = 2 if file == "nodes" else 1
    assert (problem.file, problem.line) == (f"{file}.jsonl", number)
    assert problem.kind == kind
    assert len(problem.reason) < 200
    report = check(tmp_path, repair=True)
    assert (len(report.mended), report.problems, report.nodes) == (1, (), 1)
    assert line in (tmp_path / f"{file}.jsonl.damaged").read_bytes()
    assert content(tmp_path) == content(JsonlStore(tmp_path))


def test_missing_labels_and_props_are_empty(tmp_path):
    """As the app reads them; a false `deleted` is a live record."""
    (tmp_path / "nodes.jsonl").write_text(
        '{"id":"n1"}\n{"id":"n2","deleted":false,"labels":["A"]}\n'
    )
    (tmp_path / "edges.jsonl").write_text(
        '{"id":"r1","type":"next","src":"n1","dst":"n2"}\n'
    )
    store = JsonlStore(tmp_path)
    assert store.problems() == []
    assert text(store) == text(tmp_path)
    assert len(store.graph()) == 2


def test_every_whole_record_of_a_glued_line_is_read(tmp_path):
    """Two records without a newline between, and one behind a torn one."""
    one, two, three = (
        json.dumps(
            {"id": f"n{k}", "labels": ["Code"], "props": {"t": '{"id":"x"'}},
            separators=(",", ":"),
        )
        for k in (1, 2, 3)
    )
    (tmp_path / "nodes.jsonl").write_text(f"{one}{two}\n{one[:-9]}{three}\n")
    store = JsonlStore(tmp_path)
    assert list(content(store)[0]) == ["n1", "n2", "n3"]
    assert [p.line for p in store.problems()] == [1, 2]
    store.write(lone("new"))
    assert text(store) == text(tmp_path) == text(JsonlStore(tmp_path))


def test_an_object_inside_a_torn_record_is_no_record(tmp_path):
    """What only looks like a record is not taken for one."""
    (tmp_path / "nodes.jsonl").write_text(
        '{"id":"n1","labels":["A"],"props":{"x":{"id":"n9"},"y":\n'
        '{"id":"n2","labels":["A"],"props":{}}\n'
    )
    assert list(content(JsonlStore(tmp_path))[0]) == ["n2"]
