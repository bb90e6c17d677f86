# SPDX-License-Identifier: Apache-2.0
"""A batch cut at any byte is whole or absent, and the next write works."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from smemkit.records import Batch, Edge, Node
from smemkit.stores import _files
from smemkit.stores.jsonl import JsonlStore
from tests import app_loader
from tests.store_crashes import quick
from tests.store_plans import agree, call, content, in_order, lone, text

NODES, EDGES = "nodes.jsonl", "edges.jsonl"
Sizes = tuple[int, int]
Behind = Callable[[Path], None]


@pytest.fixture(autouse=True)
def no_waiting():
    """Wait neither for the app nor for the disk: what counts here are the bytes."""
    with quick():
        yield


def mixed(graph):
    """Plan a batch of every kind: new, changed and removed, nodes and edges."""
    first, edge = graph.node_mark + 1, graph.edge_mark + 1
    old = graph.by_key("ToolCall", "e1")
    doomed = graph.by_key("Code", "e2")
    props = {"claim_id": "锌", "x": {}, "end": 1}
    del props["x"]
    return Batch(
        (
            Node(f"n{first}", ("Claim",), props),
            Node(old.id, old.labels, {**old.props, "status": "done"}),
            Node(f"n{first + 1}", ("Code",), {"code_id": "new"}),
        ),
        (
            Edge(f"r{edge}", "next", f"n{first}", f"n{first + 1}", {"end": 1}),
            Edge("r1", "produces", old.id, f"n{first}", {"changed": True}),
        ),
        (doomed.id,),
        tuple(e.id for e in [*graph.out(doomed.id), *graph.into(doomed.id)]),
    )


@pytest.fixture
def history(tmp_path):
    """Return a store's folder with a last batch, sizes before and after it."""
    folder = tmp_path / "whole"
    store = JsonlStore(folder)
    store.write(call("e1"))
    app_loader.append(
        folder, NODES, {"id": "n3", "labels": ["App"], "props": {"t": "锌"}}
    )
    store.write(call("e2"))
    store.write(lone("c"))
    before = sizes(folder)
    shown = content(store)
    store.write(mixed)
    agree(store)
    return folder, before, sizes(folder), shown, content(store)


def sizes(folder: Path) -> Sizes:
    return (folder / NODES).stat().st_size, (folder / EDGES).stat().st_size


def cuts(before: Sizes, after: Sizes) -> Iterator[Sizes]:
    """Yield every state a crash can leave: the nodes are on disk before the edges."""
    for size in range(before[0], after[0] + 1):
        yield size, before[1]
    for size in range(before[1] + 1, after[1] + 1):
        yield after[0], size


def cut_copy(folder: Path, place: Path, cut: Sizes) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name, size in zip((NODES, EDGES), cut, strict=True):
        (place / name).write_bytes((folder / name).read_bytes()[:size])
    return place


def nothing(folder: Path) -> None:
    pass


def app_node(folder: Path) -> None:
    line = {"id": "n80", "labels": ["App"], "props": {"t": "锌"}}
    app_loader.append(folder, NODES, line, {**line, "id": "n81"})


def app_edge(folder: Path) -> None:
    line = {"id": "r80", "type": "next", "src": "n1", "dst": "n3", "props": {}}
    app_loader.append(folder, EDGES, line)


def app_both(folder: Path) -> None:
    app_node(folder)
    app_edge(folder)


def app_rewrites(folder: Path) -> None:
    """The app has read the unfinished batch and works on with its records."""
    changed = {"id": "n1", "labels": ["ToolCall"], "props": {"task_id": "app"}}
    first = {"id": "n7", "labels": ["Claim"], "props": {"claim_id": "app"}}
    app_loader.append(folder, NODES, changed, first, {"id": "n3", "deleted": True})


def with_app(shown: app_loader.Live, behind: Behind) -> app_loader.Live:
    nodes, edges = dict(shown[0]), dict(shown[1])
    if behind in (app_node, app_both):
        nodes["n80"] = nodes["n81"] = (("App",), {"t": "锌"})
    if behind in (app_edge, app_both):
        edges["r80"] = ("next", "n1", "n3", {})
    if behind is app_rewrites:
        nodes["n1"] = (("ToolCall",), {"task_id": "app"})
        nodes["n7"] = (("Claim",), {"claim_id": "app"})
        del nodes["n3"]
        edges = {i: e for i, e in edges.items() if "n3" not in e[1:3]}
    return nodes, edges


def as_text(live: app_loader.Live) -> str:
    return repr((sorted(live[0].items()), sorted(live[1].items())))


@pytest.mark.parametrize(
    "behind", [nothing, app_node, app_edge, app_both, app_rewrites]
)
def test_a_batch_cut_at_any_byte_is_whole_or_absent(history, tmp_path, behind):
    """Earlier batches are whole, and so is what the app wrote behind the cut.

    One more write works, survives a new opening and is read by the app's loader.
    """
    folder, before, after, absent, whole = history
    for cut in cuts(before, after):
        place = cut_copy(folder, tmp_path / "cut", cut)
        behind(place)
        ended = cut[1] >= after[1] - 1
        expected = as_text(with_app(whole if ended else absent, behind))
        reader = JsonlStore(place)
        assert text(reader) == expected, cut
        raw = {name: (place / name).read_bytes() for name in (NODES, EDGES)}
        store = JsonlStore(place)
        assert {n: (place / n).read_bytes() for n in raw} == raw
        (node,) = store.write(lone("next")).nodes
        agree(store)
        nodes, edges = content(place)
        assert nodes.pop(node.id)[1] == {"claim_id": "next"}
        assert as_text((nodes, edges)) == expected, cut
        reader.refresh()
        assert text(reader) == text(store), cut
        assert in_order(reader) == in_order(store), cut
        assert "unfinished-batch" not in {p.kind for p in store.problems()}


def test_a_cut_in_the_closing_of_a_batch_harms_neither(history, tmp_path, monkeypatch):
    """What closes an unfinished batch, and the next one, may be cut at any byte."""
    folder, before, after, _, _ = history
    crash = cut_copy(folder, tmp_path / "crash", (after[0], before[1] + 40))
    app_both(crash)
    app_rewrites(crash)
    done = cut_copy(crash, tmp_path / "done", sizes(crash))
    steps = [sizes(crash)]
    sync = _files.Appending.sync

    def noting(file):
        sync(file)
        steps.append(sizes(done))

    store = JsonlStore(done)
    shown = text(store)
    with monkeypatch.context() as patch:
        patch.setattr(_files.Appending, "sync", noting)
        store.write(call("next"))
    agree(store)
    assert len(steps) == 5, "closing nodes and edges, then the batch's"
    for cut in (cut for step in pairwise(steps) for cut in cuts(*step)):
        place = cut_copy(done, tmp_path / "cut", cut)
        reader = JsonlStore(place)
        assert text(reader) in (shown, text(store)), cut
        again = JsonlStore(place)
        (node,) = again.write(lone("after")).nodes
        agree(again)
        assert node.id in content(place)[0]
        reader.refresh()
        assert text(reader) == text(again), cut


def test_unfinished_lines_at_the_end_are_cut(history, tmp_path):
    """Nothing of the batch that died stays in the files."""
    folder, before, after, _, _ = history
    place = cut_copy(folder, tmp_path / "cut", (after[0], before[1] + 10))
    start = (place / NODES).read_bytes()[: before[0]]
    JsonlStore(place).write(lone("next"))
    assert (place / NODES).read_bytes().startswith(start + b'{"b":4,')
    assert (place / EDGES).stat().st_size == before[1]
    assert JsonlStore(place).problems() == []


def test_a_tail_that_only_lacks_its_newline_gets_one(history, tmp_path):
    """The batch counts, and the next one follows on a line of its own."""
    folder, _, after, _, whole = history
    place = cut_copy(folder, tmp_path / "cut", (after[0], after[1] - 1))
    store = JsonlStore(place)
    assert content(store) == whole
    store.write(call("e9"))
    agree(store)
    assert store.problems() == []
    assert b'"end":1}\n{"b":5,' in (place / EDGES).read_bytes()


def test_an_undone_batch_is_listed(history, tmp_path):
    """The writer that closed it says so."""
    folder, before, after, _, _ = history
    place = cut_copy(folder, tmp_path / "cut", (after[0], before[1]))
    app_node(place)
    store = JsonlStore(place)
    assert {p.kind for p in store.problems()} == {"unfinished-batch"}
    store.write(lone("next"))
    (problem,) = store.problems()
    assert (problem.kind, problem.file) == ("undone-batch", NODES)
    assert "batch 4" in problem.reason


@pytest.mark.parametrize("tail", [b"{", b'{"', b'{"id":"n9","la', b"\xe9\x94", b"x"])
def test_an_unfinished_line_of_the_app_is_never_cut(tmp_path, tail):
    """It is ended with a newline and stays, byte for byte."""
    store = JsonlStore(tmp_path)
    store.write(lone("a"))
    with (tmp_path / NODES).open("ab") as file:
        file.write(tail)
    raw = (tmp_path / NODES).read_bytes()
    store.write(lone("b"))
    assert (tmp_path / NODES).read_bytes().startswith(raw + b'\n{"b":2,')
    fresh = JsonlStore(tmp_path)
    assert text(fresh) == text(store)
    assert [p.line for p in fresh.problems()] == [2]


@pytest.mark.parametrize("tail", [b'{"b', b'{"b":', b'{"b":7,"id":"n9","la'])
def test_a_torn_line_of_ours_is_cut(tmp_path, tail):
    """It begins as every line of ours does, and nothing lies behind it."""
    store = JsonlStore(tmp_path)
    store.write(lone("a"))
    raw = (tmp_path / NODES).read_bytes()
    (tmp_path / NODES).write_bytes(raw + tail)
    store.write(lone("b"))
    assert (tmp_path / NODES).read_bytes().startswith(raw + b'{"b":2,')
    assert JsonlStore(tmp_path).problems() == []
    agree(store)
