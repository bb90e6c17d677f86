# SPDX-License-Identifier: Apache-2.0
"""What a write asks of the system, and in which order, before it answers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from smemkit.stores.jsonl import JsonlStore
from tests.store_plans import agree

# For a machine on which no system call can be traced: wraps what `os` offers and
# prints what strace would, so that one reader of the record does for both.
WRAPPED = """
import os

def wrap(name):
    real = getattr(os, name)

    def call(first, *args, **options):
        shown = first
        if isinstance(first, int) and first > 2:
            shown = os.readlink(f"/proc/self/fd/{first}")
        result = real(first, *args, **options)
        if name == "open":
            shown = os.readlink(f"/proc/self/fd/{result}")
        words = f"{shown}" if name == "mkdir" else f"<{shown}>"
        if name in ("rename", "replace"):
            words = f"{shown}, {args[0]}"
        if first != 2:
            os.write(2, f"{name}({words})\\n".encode())
        return result

    setattr(os, name, call)

for name in ("open", "write", "fsync", "ftruncate", "mkdir", "rename", "replace"):
    wrap(name)
"""

PROGRAM = """
import os
from smemkit.stores import _log
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.repair import check
from tests.store_plans import call, forget, lone, rename

_log.APP_PAUSE = 0.01
folder = {folder!r}
store = JsonlStore(folder)
os.write(2, b"began()\\n")
{step}
os.write(2, b"answered()\\n")
"""

TRACED = "openat,write,pwrite64,writev,fsync,fdatasync,ftruncate,mkdir,rename,renameat2"


def strace_works() -> bool:
    """Tell whether this machine lets one program watch another."""
    if not (path := shutil.which("strace")):
        return False
    command = [path, "-e", "trace=fsync", "true"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


@pytest.fixture(params=["wrapped", "strace"] if strace_works() else ["wrapped"])
def record(request, root, tmp_path):
    """Run a step on a store in a process of its own; return what it did there."""
    folder = tmp_path / "deep" / "memory"

    def run(step: str) -> list[str]:
        program = PROGRAM.format(folder=str(folder), step=step)
        command = [sys.executable, "-c", program]
        if request.param == "strace":
            calls = ["strace", "-f", "-y", "-s", "40", "-e", f"trace={TRACED}"]
            command = [*calls, *command]
        else:
            command[-1] = WRAPPED + program
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return steps(done.stderr, folder)

    run.folder = folder
    return run


def steps(trace: str, folder: Path) -> list[str]:
    """Return what was done between the two marks, as short lines.

    ``make F``, ``write F``, ``sync F``, ``cut F``, ``rename F``; F is the name below
    the folder two above the store.
    """
    began = trace.index("began()")
    text = trace[began : trace.index("answered()", began)]
    top = folder.parent.parent
    found = []
    for line in text.splitlines():
        match = re.match(r"(?:\[pid +\d+\] )?(\w+)\(", line)
        paths = [p for p in re.findall(rf"{top}[^>\",)]*", line) if p]
        if not match or not paths:
            continue
        name = str(Path(paths[-1]).relative_to(top))
        word = {
            "fsync": "sync",
            "fdatasync": "sync",
            "write": "write",
            "pwrite64": "write",
            "writev": "write",
            "ftruncate": "cut",
            "mkdir": "make",
            "rename": "rename",
            "renameat2": "rename",
            "replace": "rename",
        }.get(match[1])
        if word and " = -1 " not in line:
            found.append(f"{word} {name}")
    return found


NODES, EDGES = "deep/memory/nodes.jsonl", "deep/memory/edges.jsonl"
FOLDER = "deep/memory"


def test_the_first_write_makes_folder_and_files_durable(record):
    """Each new name by a sync of its folder, both files before the answer."""
    assert record("store.write(call('e1'))") == [
        "make deep",
        "sync .",
        "make deep/memory",
        "sync deep",
        f"sync {FOLDER}",
        f"write {NODES}",
        f"sync {NODES}",
        f"write {EDGES}",
        f"sync {EDGES}",
    ]
    agree(JsonlStore(record.folder))


def test_a_later_write_syncs_nodes_before_it_writes_edges(record):
    """The line that ends the batch is on disk last, and no name is new."""
    record("store.write(call('e1'))")
    assert record("store.write(call('e2'))") == [
        f"write {NODES}",
        f"sync {NODES}",
        f"write {EDGES}",
        f"sync {EDGES}",
    ]
    agree(JsonlStore(record.folder))


def test_a_batch_in_one_file_syncs_that_file(record):
    """New states of nodes only; then a file that is made later is made durable."""
    assert record("store.write(lone('c'))")[-2:] == [f"write {NODES}", f"sync {NODES}"]
    assert not (record.folder / "edges.jsonl").exists()
    assert record("store.write(call('e1'))")[0] == f"sync {FOLDER}"


def test_a_file_that_another_writer_made_and_left_empty_is_made_durable(record):
    """It may have died before its name was on disk."""
    record.folder.mkdir(parents=True)
    (record.folder / "nodes.jsonl").touch()
    assert record("store.write(lone('c'))")[0] == f"sync {FOLDER}"


@pytest.mark.parametrize(
    "verb",
    [
        "observe_execution('e1', session_id='s', produced_artifacts=[made])",
        "observe_upload_file('f', session_id='s', path='a.csv')",
        "observe_subagent('a', session_id='s')",
        "observe_tool_call('t', session_id='s', tool_name='t', products=[paper])",
    ],
)
def test_a_verb_answers_when_both_files_are_synced(record, verb):
    """Nothing is written behind the last sync of a file."""
    record("store.write(call('e0'))")
    done = record(
        "import smemkit\n"
        "made = {'artifact_id': 'a', 'version': 1, 'path': 'a.png'}\n"
        "paper = {'product_type': 'paper', 'link': '10.1/x'}\n"
        "mem = smemkit.Memory(store)\n"
        f"mem.{verb}"
    )
    files = {line.partition(" ")[2] for line in done if line.startswith("write")}
    assert NODES in files
    for name in files:
        last = max(k for k, line in enumerate(done) if line == f"write {name}")
        assert f"sync {name}" in done[last:]


def test_cuts_are_synced_before_anything_new_is_written(record):
    """What a writer that died left is off the disk first, in both files."""
    record("store.write(call('e1')); store.write(call('e2'))")
    for name in ("nodes.jsonl", "edges.jsonl"):
        path = record.folder / name
        data = path.read_bytes()
        path.write_bytes(data[:-20] if name == "edges.jsonl" else data)
    done = record("store.write(call('e3'))")
    assert done == [
        f"cut {NODES}",
        f"sync {NODES}",
        f"cut {EDGES}",
        f"sync {EDGES}",
        f"write {NODES}",
        f"sync {NODES}",
        f"write {EDGES}",
        f"sync {EDGES}",
    ]
    agree(JsonlStore(record.folder))


def test_compacting_syncs_each_new_file_before_any_takes_its_place(record):
    """Then nodes, then edges, then the folder."""
    record("store.write(call('e1')); store.write(rename('Code', 'e1', x=1))")
    done = record("store.compact()")
    renames = [k for k, line in enumerate(done) if line.startswith("rename")]
    assert [done[k] for k in renames] == [f"rename {NODES}", f"rename {EDGES}"]
    for name in (NODES, EDGES):
        (written,) = (
            k for k, line in enumerate(done) if line.startswith(f"write {name}.")
        )
        assert done[written + 1] == done[written].replace("write", "sync")
        assert written + 1 < renames[0]
    assert done[-1] == f"sync {FOLDER}"
    agree(JsonlStore(record.folder))


def test_repair_keeps_the_damaged_bytes_before_it_replaces_a_file(record):
    """They are on disk, and so is their file's name, before the old file goes."""
    record("store.write(call('e1'))")
    with (record.folder / "edges.jsonl").open("ab") as file:
        file.write(b'{"id":"r9","type":"next","src":"n1"}\n')
    done = record("check(folder, repair=True)")
    kept = done.index(f"sync {EDGES}.damaged")
    renamed = done.index(f"rename {EDGES}")
    assert kept < renamed
    assert f"sync {FOLDER}" in done[kept:renamed]
    assert f"rename {NODES}" not in done
    agree(JsonlStore(record.folder))


def test_reading_writes_and_syncs_nothing(record):
    """Neither does a write that has nothing to say."""
    record("store.write(call('e1'))")
    assert record("store.refresh(); store.graph(); store.problems()") == []
    assert (
        record("from smemkit.records import Batch\nstore.write(lambda g: Batch())")
        == []
    )
