# SPDX-License-Identifier: Apache-2.0
"""Many processes on one store: no write is lost, nobody sees half of one."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import smemkit
from smemkit import schema
from smemkit.errors import StoreBusy
from smemkit.graph import Graph
from smemkit.stores import _files
from smemkit.stores._track import Track
from smemkit.stores.jsonl import JsonlStore
from tests.store_plans import agree, lone, text
from tests.store_processes import SESSION, by_verbs, halves, star

PATIENCE = 300
"""Seconds until a process that hangs is a failure; no test decides by it."""


def start(root: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start a program of `tests.store_processes`; it waits for the word to go."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store_processes", *map(str, arguments)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def go(*programs: subprocess.Popen[str]) -> list[str]:
    """Let all of them begin and return what each printed."""
    try:
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        answers = [program.communicate(timeout=PATIENCE) for program in programs]
    finally:
        for program in programs:
            program.kill()
            program.wait()
    for program, (_, complaint) in zip(programs, answers, strict=True):
        assert program.returncode == 0, complaint
    return [answer for answer, _ in answers]


def main_line(graph: Graph) -> list[str]:
    """Follow `next` from the goal; a fork or a loop fails."""
    (node,) = graph.nodes("ResearchGoal")
    line = [node.id]
    while following := graph.out(line[-1], "next"):
        (edge,) = following
        assert len(graph.into(edge.dst, "next")) == 1
        assert edge.dst not in line
        line.append(edge.dst)
    return line


def keys(graph: Graph) -> Counter[tuple[object, ...]]:
    """Count each unique key of the schema."""
    names = {
        "Task": ("task_id",),
        "ToolCall": ("task_id",),
        "Code": ("code_id",),
        "Artifact": ("artifact_id", "version"),
        "Paper": ("session_id", "link"),
        "ResearchGoal": ("goal_id",),
    }
    assert set(names) >= set(graph.counts())
    return Counter(
        (node.label, *(node.props[name] for name in names[str(node.label)]))
        for node in graph.nodes()
    )


@pytest.fixture(scope="module")
def crowd(root, tmp_path_factory):
    """Let 24 processes write 50 times each into one session."""
    folder = tmp_path_factory.mktemp("crowd") / "memory"
    with smemkit.open(folder) as mem:
        mem.observe_session_first_message(SESSION, core_objective="Who was here?")
    writers = [start(root, "verbs", folder, f"p{k}", 50) for k in range(24)]
    promised = [tuple(key) for answer in go(*writers) for key in json.loads(answer)]
    return folder, promised


def test_of_24_processes_with_50_writes_each_none_is_lost(crowd):
    """Every key that an answer named is there, and nothing else."""
    folder, promised = crowd
    store = JsonlStore(folder)
    goal = ("ResearchGoal", schema.goal_id(SESSION))
    assert set(keys(store.graph())) == {*promised, goal}
    shared = [key[2] for key in promised if key[:2] == ("Artifact", "shared")]
    assert sorted(shared) == list(range(1, 24 * 10 + 1))
    assert store.problems() == []


def test_no_key_is_there_twice(crowd):
    """What several processes told of is one node, and one edge where one is meant."""
    graph = JsonlStore(crowd[0]).graph()
    assert {key: n for key, n in keys(graph).items() if n > 1} == {}
    edges = Counter((e.type, e.src, e.dst) for e in graph.edges())
    assert {edge: n for edge, n in edges.items() if n > 1} == {}


def test_the_session_has_one_line_and_each_seq_once(crowd):
    """From the goal through every call and scope, as the order of design §5.6 says."""
    graph = JsonlStore(crowd[0]).graph()
    steps = [n for label in ("Task", "ToolCall") for n in graph.nodes(label)]
    assert len(steps) == 24 * 30 + 10
    line = main_line(graph)
    assert sorted(line[1:]) == sorted(node.id for node in steps)
    seqs = [node.props["seq"] for node in steps]
    assert sorted(seqs) == list(range(1, len(steps) + 1))
    finished = [graph.node(i).props.get("finished_at", "~") for i in line[1:]]
    assert all(a <= b for a, b in pairwise(finished))


def test_every_write_is_a_batch_of_its_own(crowd):
    """The numbers of the batches have no gap, and each was ended once."""
    lines = [
        json.loads(line)
        for name in ("nodes.jsonl", "edges.jsonl")
        for line in (crowd[0] / name).read_bytes().splitlines()
    ]
    ended = Counter(line["b"] for line in lines if "end" in line)
    assert set(ended.values()) == {1}
    assert sorted(ended) == list(range(1, len(ended) + 1))
    assert {line["b"] for line in lines} == set(ended)


def test_the_app_reads_what_they_left(crowd):
    """Its own loader finds the same nodes and edges, also after one more write."""
    folder = crowd[0]
    agree(JsonlStore(folder))
    store = JsonlStore(folder)
    by_verbs(smemkit.Memory(store), "after", 0)
    agree(store)


def test_a_deleted_lock_file_does_not_let_two_in(tmp_path):
    """Whoever waits on a lock file that is gone takes the new one."""
    store = JsonlStore(tmp_path, lock_timeout=0.05)
    store.write(lone("a"))
    with _files.locked(tmp_path, 1):
        (tmp_path / _files.LOCK).unlink()
        with _files.locked(tmp_path, 1), pytest.raises(StoreBusy):
            store.write(lone("b"))


@pytest.mark.parametrize("count", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_a_reader_that_follows_never_sees_half_a_batch(root, tmp_path, count):
    """Nodes come with the edges of their batch, changes and removals too."""
    folder = tmp_path / "memory"
    readers = [start(root, "follow", folder, count) for _ in range(2)]
    *reports, _ = go(*readers, start(root, "stars", folder, count))
    for report in map(json.loads, reports):
        assert report["problems"] == 0
        assert report["states"] > 0
    store = JsonlStore(folder)
    assert halves(store.graph()) == []
    agree(store)


def test_a_reader_beside_each_step_of_a_writer_sees_all_or_nothing(
    tmp_path, monkeypatch
):
    """Between any two calls to the system the batch is not there; at last it is."""
    store = JsonlStore(tmp_path)
    store.write(lambda graph: star(graph, 2))
    follower = JsonlStore(tmp_path)
    before = text(follower)
    seen = []

    def looked_at(kind):
        real = getattr(_files.Appending, kind)

        def step(file, *data):
            if kind == "write":  # in two halves, as a busy disk takes it
                middle = len(data[0]) // 2
                real(file, data[0][:middle])
                look()
                data = (data[0][middle:],)
            real(file, *data)
            look()

        return step

    def look():
        follower.refresh()
        assert halves(follower.graph()) == []
        assert text(follower) == text(JsonlStore(tmp_path))
        seen.append(text(follower))

    for kind in ("write", "sync"):
        monkeypatch.setattr(_files.Appending, kind, looked_at(kind))
    store.write(lambda graph: star(graph, 3))
    assert len(seen) == 6
    assert seen[:4] == [before] * 4
    assert seen[4:] == [text(store)] * 2
    assert text(tmp_path) == text(store)


@pytest.mark.parametrize(
    "batches",
    [[[3]], [[3, 4]], [[4]], [[5, 6]], [[k, k + 1] for k in range(7, 87, 4)]],
    ids=["one", "a lone one behind it", "a lone one", "two", "all the time"],
)
@pytest.mark.parametrize("opens", [False, True])
def test_batches_written_while_a_reader_reads_are_whole(
    tmp_path, monkeypatch, batches, opens
):
    """They arrive after one of the two files was read and before the other."""
    writer = JsonlStore(tmp_path)
    writer.write(lambda graph: star(graph, 1))
    follower = JsonlStore(tmp_path)
    writer.write(lambda graph: star(graph, 2))
    real, due = Track.read, list(batches)

    def write(numbers):
        for k in numbers:
            writer.write(lambda graph, k=k: star(graph, k))

    def read(track, *, fresh):
        found = real(track, fresh=fresh)
        if due and threading.current_thread() is threading.main_thread():
            # In a thread, so that the writer's own reads go undisturbed.
            thread = threading.Thread(target=write, args=(due.pop(0),))
            thread.start()
            thread.join()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Track, "read", read)
        if opens:
            follower = JsonlStore(tmp_path)
        else:
            follower.refresh()
    assert len(due) < len(batches)
    assert halves(follower.graph()) == []
    follower.refresh()
    assert text(follower) == text(tmp_path) == text(writer)
