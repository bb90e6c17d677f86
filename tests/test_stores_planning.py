# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom, while one thread of a store writes and others read or write."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from smemkit.errors import StoreBusy, WriteFailed
from smemkit.stores import _files
from smemkit.stores._planning import Planning
from smemkit.stores.jsonl import JsonlStore
from tests.store_plans import agree, call, lone

PATIENCE = 30


class SlowDisk:
    """The real fsync, once it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.free = threading.Event(), threading.Event()
        self.fails = False
        real = os.fsync

        def fsync(descriptor: int) -> None:
            self.asked.set()
            assert self.free.wait(PATIENCE)
            if self.fails:
                raise OSError(5, "Input/output error")
            real(descriptor)

        monkeypatch.setattr(_files.os, "fsync", fsync)


@pytest.fixture
def store(tmp_path) -> JsonlStore:
    store = JsonlStore(tmp_path)
    store.write(lone("first"))
    return store


@pytest.fixture
def disk(store, monkeypatch) -> SlowDisk:
    return SlowDisk(monkeypatch)


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """Other threads; whatever one of them raises, its `result` raises."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


def waits(work: Future[object]) -> bool:
    """Tell whether something is still not done after a while."""
    return not wait([work], 0.2).done


def claims(store: JsonlStore) -> list[object]:
    return [node.props["claim_id"] for node in store.find("Claim")]


def app_writes(folder: Path, name: str) -> None:
    """Add one line as the app does."""
    node = {"id": f"n{name}", "labels": ["Claim"], "props": {"claim_id": name}}
    with (folder / "nodes.jsonl").open("a") as file:
        file.write(json.dumps(node) + "\n")


def test_reads_go_on_while_the_disk_is_waited_for(store, disk, beside):
    """They see what was there before; once the write is durable they see it too."""
    writing = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    # A read that waited for the disk would never end.
    assert beside.submit(store.refresh).result(PATIENCE) is False
    assert beside.submit(claims, store).result(PATIENCE) == ["first"]
    assert beside.submit(store.problems).result(PATIENCE) == []
    disk.free.set()
    writing.result(PATIENCE)
    assert claims(store) == ["first", "second"]
    agree(store)


def test_a_refresh_meanwhile_does_not_take_the_batch_for_somebody_elses(
    store, disk, beside
):
    """Whole on disk and not yet durable, it is not taken in twice."""
    writing = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    before = store.graph().changes
    assert [store.refresh() for _ in range(3)] == [False] * 3
    assert store.graph().changes == before
    disk.free.set()
    writing.result(PATIENCE)
    assert store.refresh() is False
    assert store.records == 2
    agree(store)


def test_a_refresh_meanwhile_waits_if_the_app_wrote(store, disk, beside):
    """What was there when it was asked is there when it returns."""

    def read() -> list[object]:
        store.refresh()
        return claims(store)

    writing = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    app_writes(store.folder, "99")
    reading = beside.submit(read)
    assert waits(reading)
    disk.free.set()
    writing.result(PATIENCE)
    assert reading.result(PATIENCE) == ["first", "second", "99"]
    agree(store)


def test_reads_go_on_while_another_program_holds_the_folder(store, beside):
    """A writer waits for the folder's lock; a reader takes in what came meanwhile."""
    with _files.locked(store.folder, 1):
        writing = beside.submit(store.write, lone("second"))
        assert waits(writing)
        app_writes(store.folder, "99")
        assert store.refresh() is True
        assert claims(store) == ["first", "99"]
    writing.result(PATIENCE)
    assert claims(store) == ["first", "99", "second"]
    agree(store)


def test_the_next_write_plans_on_what_the_one_before_left(store, disk, beside):
    """It waits its turn although the lock is free, and its ids are its own."""
    first = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    second = beside.submit(store.write, lone("third"))
    assert waits(second)
    disk.free.set()
    first.result(PATIENCE)
    second.result(PATIENCE)
    assert claims(store) == ["first", "second", "third"]
    agree(store)


def test_a_write_that_fails_meanwhile_leaves_the_old_state(store, disk, beside):
    """Readers saw nothing of it, and the next write goes through."""
    disk.fails = True
    writing = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    assert claims(store) == ["first"]
    disk.free.set()
    with pytest.raises(WriteFailed):
        writing.result(PATIENCE)
    assert claims(store) == ["first"]
    disk.fails = False
    store.write(lone("second"))
    assert claims(store) == ["first", "second"]
    agree(store)


def test_two_threads_of_which_one_reads_do_not_wait_for_each_other(store, disk, beside):
    """A write inside a read lets the write before it end."""

    def write_in_a_read() -> None:
        with store.lock():
            store.write(lone("third"))

    first = beside.submit(store.write, lone("second"))
    assert disk.asked.wait(PATIENCE)
    second = beside.submit(write_in_a_read)
    assert waits(second)
    disk.free.set()
    first.result(PATIENCE)
    second.result(PATIENCE)
    assert claims(store) == ["first", "second", "third"]
    agree(store)


def test_threads_write_one_after_the_other(tmp_path):
    """Eight threads of one store, and two stores of one process, lose nothing."""
    stores = [JsonlStore(tmp_path), JsonlStore(tmp_path)]

    def work(number: int) -> None:
        for k in range(5):
            stores[number % 2].write(call(f"t{number}-{k}"))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stores[0].refresh()
    assert sorted(n.props["seq"] for n in stores[0].find("ToolCall")) == list(
        range(1, 41)
    )
    agree(stores[0])


def test_a_write_inside_a_plan_is_refused(tmp_path):
    """It would wait for itself."""
    store = JsonlStore(tmp_path)
    with pytest.raises(StoreBusy, match="inside the plan"):
        store.write(lambda graph: store.write(lone("x")))
    store.write(lone("y"))
    agree(store)


def test_a_held_lock_makes_a_writer_give_up_in_time(tmp_path):
    """The error says how long was waited; reading goes on."""
    store = JsonlStore(tmp_path, lock_timeout=0.05)
    store.write(lone("a"))
    with (
        _files.locked(tmp_path, 1),
        pytest.raises(StoreBusy, match=r"held the lock for 0\.05 s"),
    ):
        store.write(lone("b"))
    store.refresh()
    store.write(lone("b"))
    agree(store)


def test_a_write_in_the_plan_of_another_is_refused():
    """It would wait for itself; the turn of the first one goes on."""
    lock = threading.RLock()
    planning = Planning("here", lock)
    with lock, planning.alone():
        with pytest.raises(StoreBusy, match="inside the plan"), planning.alone():
            pass
        planning.wait()  # for nobody
    with lock, planning.alone():
        pass
