# SPDX-License-Identifier: Apache-2.0
"""Which places can be opened as a memory, and what the others are told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smemkit.errors import (
    BadRequest,
    NotAMemory,
    StoreNotFound,
    StoreNotReadable,
    StoreNotWritable,
)
from smemkit.stores import _files
from smemkit.stores.jsonl import JsonlStore
from tests.in_child import in_child
from tests.store_plans import call, lone, text

NOBODY = 65_534


def as_nobody(folder: Path, locked: str, action: Callable[[], str]) -> str:
    """Run an action in a child without special rights, on a folder it may only read.

    `locked` names a file that is taken away or made read-only for it.
    """
    if os.geteuid() == 0:
        for path in folder.parents:
            path.chmod(path.stat().st_mode | 0o011)
    for path in folder.iterdir():
        if path.name != "nodes.jsonl" or locked:
            path.chmod(0o444)
    if locked == _files.LOCK:
        (folder / locked).unlink()
    elif locked:
        (folder / _files.LOCK).touch()
        (folder / _files.LOCK).chmod(0o666)
    folder.chmod(0o555)

    def without_rights() -> str:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return action()

    try:
        return in_child(without_rights)
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("target", ["", "  ", "a\0b", 7, None, b"x"])
def test_what_is_no_path_is_a_bad_request(target):
    """The error says what was given."""
    with pytest.raises(BadRequest, match="open"):
        JsonlStore(target)


def test_a_missing_folder_that_must_exist_is_not_found(tmp_path):
    """It is a StoreNotFound, and a FileNotFoundError too."""
    with pytest.raises(StoreNotFound, match="no such folder") as caught:
        JsonlStore(tmp_path / "m", must_exist=True)
    assert isinstance(caught.value, FileNotFoundError)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nodes.jsonl", b"id,label\n1,A\n"),
        ("nodes.jsonl", b'{"id":1,"label":"A"}\n{"id":2,"label":"B"}\n'),
        ("edges.jsonl", b'[\n {"source": "a", "target": "b"}\n]\n'),
        ("nodes.jsonl", b"SQLite format 3\x00\x10\xff\n"),
        ("graph.db", b""),
        ("nodes.json", b"{}"),
    ],
)
def test_a_store_of_another_format_is_not_a_memory(tmp_path, name, data):
    """The error shows what was found, and nothing is changed."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(NotAMemory, match=name.split(".")[0]):
        JsonlStore(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == data


def test_a_file_or_a_folder_in_the_wrong_place_is_not_a_memory(tmp_path):
    """A file as the store, a folder as one of its files."""
    (tmp_path / "f").write_text("x")
    (tmp_path / "d" / "nodes.jsonl").mkdir(parents=True)
    for name in ("f", "d"):
        with pytest.raises(NotAMemory):
            JsonlStore(tmp_path / name)
    with pytest.raises((NotAMemory, StoreNotFound)):
        JsonlStore(tmp_path / "f" / "g", must_exist=True)


def test_a_folder_with_our_lock_file_only_is_an_empty_memory(tmp_path):
    """What a first write that failed leaves behind can be opened again."""
    (tmp_path / _files.LOCK).touch()
    assert len(JsonlStore(tmp_path, must_exist=True).graph()) == 0


def test_a_folder_that_may_not_be_written_can_be_read(tmp_path):
    """A write is refused with the reason, and memory stays as it was."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    before = text(store)

    def refused() -> str:
        reader = JsonlStore(store.folder)
        try:
            reader.write(lone("c"))
        except StoreNotWritable as error:
            assert text(reader) == before
            return str(error)
        return "written"

    for name in (_files.LOCK, "nodes.jsonl"):
        assert "permission denied (EACCES)" in as_nobody(store.folder, name, refused)
    assert text(JsonlStore(store.folder)) == before


def test_a_folder_that_may_not_be_read_says_so(tmp_path):
    """The error is a StoreNotReadable that names the file."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))

    def refused() -> str:
        try:
            JsonlStore(tmp_path)
        except StoreNotReadable as error:
            return str(error)
        return "opened"

    (tmp_path / "nodes.jsonl").chmod(0)
    assert "nodes.jsonl" in as_nobody(tmp_path, "", refused)


@pytest.mark.parametrize("name", ["nodes.jsonl", "edges.jsonl"])
def test_a_read_only_file_is_not_compacted_away(tmp_path, name):
    """In a folder we may write a new file could take its place; it stays."""
    folder = tmp_path / "memory"
    store = JsonlStore(folder)
    store.write(call("e1"))
    if os.geteuid() == 0:
        for path in folder.parents:
            path.chmod(path.stat().st_mode | 0o011)
    folder.chmod(0o777)
    for path in folder.iterdir():
        path.chmod(0o666)
    (folder / name).chmod(0o444)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def compacting() -> str:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        try:
            JsonlStore(folder).compact()
        except StoreNotWritable as error:
            return str(error)
        return "compacted"

    assert name in in_child(compacting)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
