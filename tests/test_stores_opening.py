# SPDX-License-Identifier: Apache-2.0
"""Which store a target means, and what a wrong target or a wrong value is told."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import (
    BadRequest,
    InvalidRecord,
    NotAMemory,
    SmemError,
    StoreNotFound,
    StoreUnreachable,
)
from smemkit.records import Batch, Node
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.memory import MemoryStore
from smemkit.stores.opening import open_store
from tests import app_loader
from tests.store_plans import agree, call, text

TEN_MB = "锌" * 3_500_000


def says_all(error: SmemError) -> None:
    """Hold that an error says what was asked, what was found and what to do."""
    assert error.asked
    assert error.found
    assert error.do
    assert "\n" not in str(error)
    assert len(str(error)) < 500


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_each_kind_of_target_opens_its_store(tmp_path):
    """A name or a path; a path may look odd and is still a folder."""
    assert isinstance(open_store(":memory:"), MemoryStore)
    for target in (tmp_path, str(tmp_path), tmp_path / "a b:c#锌"):
        assert isinstance(open_store(target, lock_timeout=1), JsonlStore)
    assert list(tmp_path.iterdir()) == []


def test_a_url_is_asked_over_http_and_says_when_nobody_answers(tmp_path, monkeypatch):
    """A server that is not there is an error of its own, not an empty memory."""
    monkeypatch.chdir(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(StoreUnreachable) as caught:
            open_store(url)
    says_all(caught.value)
    assert url in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "options", "found"),
    [
        ("ftp://host/graph", {}, "unknown kind of URL"),
        (":memory:", {"token": "x"}, "token"),
        ("memory", {"token": "x"}, "token"),
        ("http://localhost:9", {"lock_timeout": 1}, "lock_timeout"),
    ],
)
def test_a_wrong_target_or_option_is_a_bad_request(
    tmp_path, monkeypatch, target, options, found
):
    """It is named, and what would have been right is too."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest, match=found) as caught:
        smemkit.open(target, **options)
    says_all(caught.value)
    assert list(tmp_path.iterdir()) == []


def make_file(place: Path) -> None:
    place.write_text("x")


def make_foreign(place: Path) -> None:
    place.mkdir()
    (place / "graph.db").write_bytes(b"SQLite format 3\x00")


def make_table(place: Path) -> None:
    place.mkdir()
    (place / "nodes.jsonl").write_bytes(b"id,label\n1,Claim\n")


def make_latin(place: Path) -> None:
    place.mkdir()
    (place / "nodes.jsonl").write_bytes("Größe;Name\n1;Müller\n".encode("latin-1"))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda place: None, StoreNotFound),
        (make_file, NotAMemory),
        (make_foreign, NotAMemory),
        (make_table, NotAMemory),
        (make_latin, NotAMemory),
    ],
    ids=["nothing", "file", "foreign", "table", "not UTF-8"],
)
def test_a_place_without_a_memory_is_refused_and_left_alone(tmp_path, make, kind):
    """One error says what is there instead; no byte changes."""
    place = tmp_path / "place"
    make(place)
    before = tree(tmp_path)
    with pytest.raises(kind) as caught:
        smemkit.open(place, must_exist=True)
    says_all(caught.value)
    assert str(place) in str(caught.value)
    assert tree(tmp_path) == before


BAD = {
    "10 MB": TEN_MB,
    "not a number": float("nan"),
    "infinite": float("-inf"),
    "nested object": {"a": {"b": 1}},
    "nested list": [["a"], ["b"]],
    "mixed list": [1, "a"],
    "null in a list": ["a", None],
    "beyond 64 bits": 1 << 80,
    "bytes": b"raw",
    "half a character": "\ud800",
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_a_value_that_no_memory_can_hold_is_refused_whole(tmp_path, value):
    """Nothing of its batch is kept, in memory or on disk, and the next write works."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    before, shown = tree(tmp_path), text(store)
    nodes = (Node("n8", ("Code",), {"a": 1}), Node("n9", ("Code",), {"b": value}))
    with pytest.raises(InvalidRecord, match="'b'") as caught:
        store.write(lambda graph: Batch(nodes))
    says_all(caught.value)
    assert tree(tmp_path) == before
    assert text(store) == shown
    store.write(call("e2"))
    agree(store)


@pytest.mark.parametrize(
    "value", [TEN_MB, float("nan"), {"a": 1}, ["a"], b"x", "\ud800"]
)
@pytest.mark.parametrize(
    ("verb", "given", "name"),
    [
        ("observe_session_first_message", ("s",), "core_objective"),
        ("observe_execution", ("e2",), "language"),
        ("observe_upload_file", ("f",), "path"),
        ("observe_tool_call", ("t",), "tool_name"),
        ("observe_subagent", ("a",), "objective"),
        ("declare_evidence", (), "content"),
        ("declare_claim", (), "content"),
        ("declare_artifact", (), "path"),
    ],
)
def test_a_verb_refuses_such_a_value_and_writes_nothing(
    tmp_path, value, verb, given, name
):
    """The error names the parameter."""
    mem = smemkit.open(tmp_path / "memory")
    mem.observe_execution("e1", session_id="s")
    before = tree(tmp_path)
    options = {name: value, "session_id": "s"}
    if verb == "observe_session_first_message":
        options.pop("session_id")
    with pytest.raises(SmemError, match=name) as caught:
        getattr(mem, verb)(*given, **options)
    says_all(caught.value)
    assert tree(tmp_path) == before


def test_ten_megabytes_that_the_app_wrote_are_read_and_written_back(tmp_path):
    """What is on disk is kept, however long; a new state carries it along."""
    line = {"id": "n1", "labels": ["Claim"], "props": {"claim_id": "c", "t": TEN_MB}}
    app_loader.append(tmp_path, "nodes.jsonl", line)
    store = JsonlStore(tmp_path)
    assert store.problems() == []
    (node,) = store.graph().nodes()
    changed = Node(node.id, node.labels, {**node.props, "seen": True})
    store.write(lambda graph: Batch((changed,)))
    (again,) = JsonlStore(tmp_path).graph().nodes()
    assert again.props == {**line["props"], "seen": True}
    last = (tmp_path / "nodes.jsonl").read_bytes().splitlines()[-1]
    assert json.loads(last)["props"]["t"] == TEN_MB


def test_text_that_is_not_utf8_hides_its_line_only(tmp_path):
    """The other records are shown, the line is listed, and no byte is lost."""
    good = app_loader.line({"id": "n1", "labels": ["Code"], "props": {}}).encode()
    bad = '{"id":"n2","labels":["Code"],"props":{"t":"Größe"}}\n'.encode("latin-1")
    (tmp_path / "nodes.jsonl").write_bytes(good + bad + good.replace(b"n1", b"n3"))
    store = JsonlStore(tmp_path)
    assert [node.id for node in store.graph().nodes()] == ["n1", "n3"]
    (problem,) = store.problems()
    assert (problem.line, problem.kind) == (2, "not-utf8")
    store.write(call("e1"))
    assert bad in (tmp_path / "nodes.jsonl").read_bytes()
    assert text(JsonlStore(tmp_path)) == text(store)
