# SPDX-License-Identifier: Apache-2.0
"""The memory as an object: opening, closing, following, one story end to end."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import BadRequest, NotAMemory, StoreClosed, StoreNotFound

FILES = ("nodes.jsonl", "edges.jsonl")


def test_a_missing_folder_is_an_empty_memory_that_the_first_write_creates(
    tmp_path: Path,
) -> None:
    """Opening and reading make nothing; the folder is private."""
    place = tmp_path / "deep" / "memory"
    mem = smemkit.open(place)

    assert len(mem) == 0
    assert mem.sessions().empty
    assert not place.parent.exists()

    mem.observe_session_first_message("s", core_objective="Why?")
    assert place.stat().st_mode & 0o777 == 0o700


def test_a_missing_folder_that_must_exist_is_an_error(tmp_path: Path) -> None:
    """It says what was asked and what to do."""
    with pytest.raises(StoreNotFound, match="none"):
        smemkit.open(tmp_path / "none", must_exist=True)


def test_a_file_or_a_foreign_folder_is_not_a_memory(tmp_path: Path) -> None:
    """Neither is touched."""
    (tmp_path / "file").write_text("x")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "readme.txt").write_text("x")

    for target in (tmp_path / "file", foreign):
        with pytest.raises(NotAMemory):
            smemkit.open(target)
    assert [p.name for p in foreign.iterdir()] == ["readme.txt"]


def test_what_one_memory_writes_another_sees_after_refresh(tmp_path: Path) -> None:
    """Until then it shows the state it stood at; the revision tells."""
    writer, reader = smemkit.open(tmp_path / "m"), smemkit.open(tmp_path / "m")
    before = reader.revision()
    writer.observe_session_first_message("s", core_objective="Why?")

    assert len(reader) == 0
    assert reader.refresh() is True
    assert len(reader) == 1
    assert reader.revision() != before
    assert reader.refresh() is False


def test_a_closed_memory_refuses_everything(tmp_path: Path) -> None:
    """Also the one in this process only."""
    for target in (tmp_path / "m", ":memory:"):
        with smemkit.open(target) as mem:
            mem.observe_session_first_message("s", core_objective="Why?")
        with pytest.raises(StoreClosed):
            mem.match("why")
        with pytest.raises(StoreClosed):
            mem.observe_session_first_message("t", core_objective="Why?")


def test_threads_may_read_while_others_write() -> None:
    """No read meets a half-applied batch or a dict that changes under it."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    done = threading.Event()

    def write() -> None:
        for k in range(150):
            mem.observe_execution(
                f"e{k}",
                session_id="s",
                turn_id="t",
                tool="run_python",
                code_hash="ab",
                status="completed",
                started_at="2026-10-02T08:00:00Z",
                finished_at="2026-10-02T08:00:00Z",
                produced_artifacts=[{"artifact_id": f"a{k}", "version": 1}],
            )
        done.set()

    def read() -> int:
        count = 0
        while not done.is_set():
            answer = mem.subgraph("s")
            known = {view.id for view in answer}
            codes = [view.id for view in answer if view.label == "Code"]
            assert all(f"subtask:{code}" in known for code in codes)
            count += 1
        return count

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read), pool.submit(read)]
        pool.submit(write).result()
        assert all(reader.result() > 0 for reader in readers)


def test_opening_and_reading_change_no_byte(cases: Path, tmp_path: Path) -> None:
    """Every read of a store leaves its folder as it was."""
    place = Path(shutil.copytree(cases / "app-store", tmp_path / "m"))
    before = {p.name: p.read_bytes() for p in place.iterdir()}

    with smemkit.open(place, must_exist=True) as mem:
        mem.trace_provenance("fig#v2", session_id="S-7")
        mem.subgraph("S-7")
        mem.match("penguins")
        mem.sessions()
        str(mem)

    assert {p.name: p.read_bytes() for p in place.iterdir()} == before


def test_compacting_keeps_every_answer_and_gives_room_back(tmp_path: Path) -> None:
    """The same nodes, edges, line and next id; the files hold each record once."""
    place = tmp_path / "memory"
    mem = smemkit.open(place)
    mem.observe_session_first_message("s", core_objective="Why?")
    for status in ("running", "running", "succeeded"):
        mem.observe_execution("e1", session_id="s", status=status)
    mem.observe_execution("e2", session_id="s")
    mem.cleanup_session("other")
    before = mem.subgraph(session_id="s").to_dict(), mem.timeline().to_dict()
    size = (place / "nodes.jsonl").stat().st_size

    mem.compact()

    assert (place / "nodes.jsonl").stat().st_size < size
    live = sum(len((place / n).read_bytes().splitlines()) for n in FILES)
    assert live == len(mem) + len(mem.edges())
    again = smemkit.open(place)
    for each in (mem, again):
        assert (each.subgraph(session_id="s").to_dict(), each.timeline().to_dict()) == (
            before
        )
    again.observe_execution("e3", session_id="s")
    assert mem.refresh()
    assert list(mem.timeline()["seq"]) == [1, 2, 3]


def test_a_reader_follows_a_memory_that_is_compacted(tmp_path: Path) -> None:
    """It takes the new files in, and what is written behind them."""
    writer = smemkit.open(tmp_path)
    for k in range(3):
        writer.observe_execution(f"e{k}", session_id="s")
    reader = smemkit.open(tmp_path)
    writer.compact()
    writer.observe_execution("e3", session_id="s")

    assert reader.refresh()
    assert reader.to_networkx().nodes == writer.to_networkx().nodes


def test_what_has_no_files_or_none_yet_cannot_be_compacted(tmp_path: Path) -> None:
    """Each refusal says so, and makes nothing."""
    with pytest.raises(BadRequest, match=r"compact ':memory:'.*without files"):
        smemkit.open(":memory:").compact()
    with pytest.raises(StoreNotFound):
        smemkit.open(tmp_path / "none").compact()
    assert list(tmp_path.iterdir()) == []
    closed = smemkit.open(tmp_path)
    closed.close()
    with pytest.raises(StoreClosed):
        closed.compact()
