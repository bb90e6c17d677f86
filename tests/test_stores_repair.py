# SPDX-License-Identifier: Apache-2.0
"""Files written anew, also when the process dies in between: old or new, and whole."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smemkit.records import number
from smemkit.stores import _log
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.repair import check
from tests import app_loader
from tests.store_plans import agree, call, forget, lone, rename, text

BAD = b'{"id":7,"labels":["Code"],"props":{}}\n'
DIED = 7
CALLS = ("write", "fsync", "replace", "rename", "unlink")


@pytest.fixture(autouse=True)
def short_pause(monkeypatch):
    """Wait for the app a moment only."""
    monkeypatch.setattr(_log, "APP_PAUSE", 0.001)


def history(folder: Path, *, lost: bool = False) -> None:
    """Leave old states, tombstones at the highest ids, a dead batch, a bad line."""
    store = JsonlStore(folder)
    for name in ("e1", "e2", "e3"):
        store.write(call(name))
    store.write(rename("Code", "e1", x=1))
    store.write(forget("Code", "e3"))
    with (folder / "nodes.jsonl").open("ab") as file:
        file.write(BAD)
    app_loader.append(
        folder,
        "edges.jsonl",
        {"id": "r9", "type": "t", "src": "n1", "dst": "n99", "props": {}},
    )
    store.write(call("last"))
    edges = folder / "edges.jsonl"
    if lost:  # somebody took the line away that ended a batch, and another follows
        store.write(lone("behind"))
        data = edges.read_bytes().splitlines(keepends=True)[:-1]
        edges.write_bytes(b"".join(data))
        kinds = [problem.kind for problem in JsonlStore(folder).problems()]
        assert "end-lost" in kinds
    else:
        edges.write_bytes(edges.read_bytes()[:-30])


def died(action: Callable[[], object], step: int) -> bool:
    """Run an action in a child that is gone right before its n-th call to the system.

    Return False if it came to its end before that.
    """
    child = os.fork()
    if not child:
        made = [0]

        def counting(name: str) -> None:
            real = getattr(os, name)

            def counted(*args, **options):
                made[0] += 1
                if made[0] == step:
                    os._exit(DIED)
                return real(*args, **options)

            setattr(os, name, counted)

        try:
            for name in CALLS:
                counting(name)
            action()
            os._exit(0)
        finally:  # an error must not run the rest of the tests a second time
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DIED)
    return code == DIED


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("options", [{"compact": True}, {"repair": True}])
def test_a_death_in_the_middle_leaves_old_or_new_files(tmp_path, options, lost):
    """Whenever it happens, nothing is lost, no id comes back, and one more write works."""
    step, dead = 0, True
    while dead:
        step += 1
        folder = tmp_path / str(step)
        history(folder, lost=lost)
        shown = text(JsonlStore(folder))
        dead = died(lambda folder=folder: check(folder, **options), step)
        store = JsonlStore(folder)
        assert text(store) == shown, step
        (node,) = store.write(lone("next")).nodes
        assert number(node.id) > 99, step
        assert text(JsonlStore(folder)) == text(store)
        check(folder, repair=True, compact=True)
        assert not list(folder.glob("*.tmp"))
        agree(JsonlStore(folder))
        kept = b"".join(path.read_bytes() for path in folder.glob("*.damaged"))
        assert kept.count(BAD) >= 1, step
    assert step > 8


def test_check_says_what_it_found_and_did(tmp_path):
    """In words and as plain data; the second time there is nothing to do."""
    history(tmp_path)
    report = check(tmp_path)
    kinds = {problem.kind for problem in report.problems}
    assert kinds == {"id-not-text", "dangling-edge", "unfinished-batch", "torn-line"}
    assert not report.mended
    again = check(tmp_path, repair=True, compact=True)
    assert (again.problems, again.compacted) == ((), True)
    assert {problem.kind for problem in again.mended} == {"id-not-text"}
    assert str(again).splitlines()[-1] == "no problems"
    assert json.loads(json.dumps(again.to_dict()))["nodes"] == again.nodes == 5
    assert check(tmp_path, repair=True).mended == ()


def test_compacting_keeps_what_the_files_forget_beside_them(tmp_path):
    """The bad line and the edge without an end can be looked up later."""
    history(tmp_path)
    JsonlStore(tmp_path).compact()
    assert BAD in (tmp_path / "nodes.jsonl.damaged").read_bytes()
    assert b'"r9"' in (tmp_path / "edges.jsonl.damaged").read_bytes()
    assert text(JsonlStore(tmp_path)) == text(tmp_path)
