# SPDX-License-Identifier: Apache-2.0
"""The app begins a line while we write: it is waited for, in either file."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from smemkit.stores import _adding, _files, _log
from smemkit.stores.jsonl import JsonlStore
from tests import app_loader
from tests.store_plans import agree, call, text

HALF, REST = b'{"id":"appr1","type":"odd",', b'"src":"n1","dst":"n2","props":{}}\n'
NEXT = b'{"id":"appr2","type":"odd","src":"n2","dst":"n1","props":{}}\n'


@pytest.fixture
def store(tmp_path):
    made = JsonlStore(tmp_path)
    made.write(call("e1"))
    return made


def add(store: JsonlStore, data: bytes) -> None:
    with (store.folder / "edges.jsonl").open("ab") as file:
        file.write(data)


@contextmanager
def app_writing(store: JsonlStore, *pieces: bytes):
    """Let the app add the first piece between our two files, the others as we wait."""
    left, sync = list(pieces), _files.Appending.sync

    def synced(file) -> None:
        sync(file)
        if file.path.name == "nodes.jsonl" and len(left) == len(pieces):
            add(store, left.pop(0))

    def waited(seconds: float) -> None:
        if left:
            add(store, left.pop(0))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_files.Appending, "sync", synced)
        patch.setattr(_adding.time, "sleep", waited)
        yield
    for piece in left:
        add(store, piece)


@pytest.mark.parametrize(
    "pieces",
    [
        (HALF, REST),
        (HALF, REST[:4], REST[4:]),
        (HALF, REST + NEXT[:9], NEXT[9:]),
        (HALF + REST,),
    ],
)
def test_an_edge_line_the_app_begins_between_our_files_stays_whole(store, pieces):
    """Neither it nor the batch is lost, for us, a new reader and the app."""
    with app_writing(store, *pieces):
        store.write(call("e2"))
    store.refresh()
    assert store.problems() == []
    agree(store)
    _, edges = app_loader.load(store.folder)
    assert edges["appr1"] == ("odd", "n1", "n2", {})
    assert ("appr2" in edges) == any(NEXT[9:] in piece for piece in pieces)
    assert store.graph().by_key("Code", "e2") is not None
    assert text(store) == text(store.folder)
    store.write(call("e3"))
    agree(store)


def test_a_line_the_app_gives_up_is_ended_and_listed(store, monkeypatch):
    """The batch begins a line of its own; nothing of either is cut."""
    monkeypatch.setattr(_log, "APP_PAUSE", 0.001)
    with app_writing(store, HALF):
        store.write(call("e2"))
    assert HALF + b"\n" in (store.folder / "edges.jsonl").read_bytes()
    store.refresh()
    assert [p.kind for p in store.problems()] == ["not-json"]
    agree(store)
    assert text(store) == text(store.folder)
    assert store.graph().by_key("Code", "e2") is not None
