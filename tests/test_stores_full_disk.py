# SPDX-License-Identifier: Apache-2.0
"""A disk that is full, or breaks, leaves memory and disk as they were."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smemkit.errors import StoreError, StoreNotWritable, WriteFailed
from smemkit.stores import _files, _log
from smemkit.stores.jsonl import JsonlStore
from tests import app_loader
from tests.in_child import in_child
from tests.store_plans import agree, call, lone, rename, text

NODES, EDGES = "nodes.jsonl", "edges.jsonl"


def sizes(folder: Path) -> tuple[int, int]:
    return (folder / NODES).stat().st_size, (folder / EDGES).stat().st_size


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Let no file grow beyond a size: the next byte fails with EFBIG."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.parametrize("longer", [NODES, EDGES])
def test_a_full_disk_at_any_byte_leaves_memory_and_disk_equal(tmp_path, longer):
    """The longer file meets the limit; then the limit goes and the write works."""
    folder = tmp_path / "memory"
    JsonlStore(folder).write(call("e1"))
    with (folder / longer).open("ab") as file:
        file.write(b"\n" * 2_000)
    trial = tmp_path / "trial"
    shutil.copytree(folder, trial)
    JsonlStore(trial).write(call("e2"))
    first = (folder / longer).stat().st_size
    last = (trial / longer).stat().st_size

    def at_every_byte() -> str:
        store = JsonlStore(folder)
        before, start = text(store), sizes(folder)
        failures = 0
        for limit in range(first, last):
            with at_most(limit), pytest.raises(WriteFailed, match="EFBIG"):
                store.write(call("e2"))
            failures += 1
            assert sizes(folder) == start
            assert text(store) == text(JsonlStore(folder)) == before
        with at_most(last):
            store.write(call("e2"))
        agree(store)
        assert text(store) == text(JsonlStore(trial))
        return str(failures)

    assert in_child(at_every_byte) == str(last - first)


def test_a_write_works_right_after_each_failure(tmp_path):
    """Failing and working writes in turn leave exactly the working ones."""
    folder = tmp_path / "memory"

    def in_turn() -> str:
        store = JsonlStore(folder)
        store.write(call("first"))
        for k in range(40):
            size = max(sizes(folder))
            with at_most(size + 7 * k), pytest.raises(WriteFailed):
                store.write(rename("ToolCall", "first", text="x" * (400 + 7 * k)))
            store.write(call(f"e{k}"))
        agree(store)
        return str(len(store.find("ToolCall")))

    assert in_child(in_turn) == "41"


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a disk of 64 kB; yield False where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = not subprocess.run(
            command, capture_output=True, check=False
        ).returncode
    except FileNotFoundError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def test_a_small_disk_fills_up_without_harm(tmp_path):
    """64 kB are filled to the brim, cleared a little, and filled again."""
    with small_disk(tmp_path / "disk") as mounted:
        folder = tmp_path / "disk" / "memory"
        ballast = tmp_path / "disk" / "ballast"
        if mounted:
            ballast.write_bytes(b"x" * 20_000)

        def fill() -> str:
            store = JsonlStore(folder)
            failed = 0
            for k in range(400):
                before = text(store)
                limit = 30_000 if not mounted and k < 200 else resource.RLIM_INFINITY
                try:
                    with at_most(limit):
                        store.write(call(f"e{k}", text="x" * (k * 37 % 500)))
                except WriteFailed:
                    failed += 1
                    assert text(store) == before == text(JsonlStore(folder))
                    if failed == 3 and mounted:
                        ballast.unlink()
                    if failed == 8:
                        break
            assert failed >= 3
            return text(store)

        shown = in_child(fill)
        assert shown == text(JsonlStore(folder))
        assert shown == text(folder)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("call_number", [1, 2, 3, 4])
def test_a_disk_that_fails_at_a_sync_or_write_keeps_nothing(
    tmp_path, monkeypatch, code, call_number
):
    """Each write and each fsync of a batch may fail, with whatever reason."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    before, start = text(store), sizes(tmp_path)
    made = []

    def failing(kind):
        real = getattr(_files.Appending, kind)

        def once(file, *data):
            made.append(kind)
            real(file, *data)
            if len(made) == call_number:
                raise OSError(code, os.strerror(code))

        return once

    with monkeypatch.context() as patch:
        for kind in ("write", "sync"):
            patch.setattr(_files.Appending, kind, failing(kind))
        error = StoreNotWritable if code == errno.EROFS else WriteFailed
        with pytest.raises(error) as caught:
            store.write(call("e2"))
    assert isinstance(caught.value, StoreError)
    assert len(made) == call_number
    assert sizes(tmp_path) == start
    assert text(store) == text(JsonlStore(tmp_path)) == before
    store.write(call("e3"))
    agree(store)


@pytest.mark.parametrize("behind", [False, True])
def test_what_cannot_be_taken_back_is_hidden_and_undone(tmp_path, monkeypatch, behind):
    """Where even the cut fails, readers see nothing and the next writer clears up."""
    monkeypatch.setattr(_log, "APP_PAUSE", 0.001)
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    shown = text(store)

    def broken(*args):
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", broken)
        patch.setattr(os, "fsync", broken)
        with pytest.raises(WriteFailed):
            store.write(call("e2"))
    assert text(store) == text(JsonlStore(tmp_path)) == shown
    if behind:
        app_loader.append(tmp_path, NODES, {"id": "n90", "labels": [], "props": {}})
    store.write(lone("c"))
    agree(store)
    assert len(store.find("ToolCall")) == 1


def test_an_interrupt_in_the_middle_keeps_nothing(tmp_path, monkeypatch):
    """Ctrl-C between the two files is a failure like any other."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    before, start = text(store), sizes(tmp_path)

    def interrupted(file):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_files.Appending, "sync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.write(call("e2"))
    assert sizes(tmp_path) == start
    assert text(store) == before
    store.write(call("e3"))
    agree(store)
