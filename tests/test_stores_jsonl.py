# SPDX-License-Identifier: Apache-2.0
"""Writing to a folder and following it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import InvalidRecord, StoreClosed
from smemkit.records import Batch, Edge, Node
from smemkit.stores import _files
from smemkit.stores.jsonl import JsonlStore
from tests.store_plans import agree, call, content, forget, lone, rename, text


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_missing_folder_is_an_empty_memory_and_opening_makes_nothing(tmp_path):
    """Opening, reading and refreshing leave no trace on the disk."""
    store = JsonlStore(tmp_path / "a" / "b")
    store.refresh()
    assert (len(store.graph()), store.problems(), store.find()) == (0, [], [])
    assert list(tmp_path.iterdir()) == []


def test_reading_changes_no_byte(cases, tmp_path):
    """A store is the same file by file after it was opened, read and followed."""
    folder = cases / "app-store"
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    store = JsonlStore(folder)
    store.refresh()
    store.problems()
    store.close()
    after = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    assert before == after


def test_the_first_write_makes_what_is_missing_for_its_owner_alone(tmp_path):
    """The folder gets mode 0700 and its files 0600, whatever the umask."""
    old = os.umask(0)
    try:
        store = JsonlStore(tmp_path / "a" / "b")
        store.write(call("e1"))
    finally:
        os.umask(old)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in store.folder.iterdir()}
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert modes == {"nodes.jsonl": 0o600, "edges.jsonl": 0o600, _files.LOCK: 0o600}
    agree(store)


def test_a_home_folder_is_expanded(tmp_path, monkeypatch):
    """A path may begin with a tilde."""
    monkeypatch.setenv("HOME", str(tmp_path))
    JsonlStore("~/memory").write(lone("c"))
    assert (tmp_path / "memory" / "nodes.jsonl").exists()


def test_lines_are_the_apps_with_our_two_keys(tmp_path):
    """Each line begins with its batch; the last line of a batch ends it."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    store.write(lone("c1"))
    store.write(forget("Code", "e1"))
    assert lines(tmp_path / "nodes.jsonl") == [
        {
            "b": 1,
            "id": "n1",
            "labels": ["ToolCall"],
            "props": {"task_id": "e1", "seq": 1, "session_id": "s"},
        },
        {
            "b": 1,
            "id": "n2",
            "labels": ["Code"],
            "props": {"code_id": "e1", "session_id": "s"},
        },
        {
            "b": 2,
            "id": "n3",
            "labels": ["Claim"],
            "props": {"claim_id": "c1"},
            "end": 1,
        },
        {"b": 3, "id": "n2", "deleted": True},
    ]
    edge, tombstone = lines(tmp_path / "edges.jsonl")
    assert (edge["b"], edge["end"], edge["props"]) == (1, 1, {"at": "锌"})
    assert tombstone == {"b": 3, "id": "r1", "deleted": True, "end": 1}
    for path in tmp_path.glob("*.jsonl"):
        assert path.read_bytes().isascii()
        assert all(line.startswith(b'{"b":') for line in path.read_bytes().splitlines())


def test_an_empty_batch_writes_nothing(tmp_path):
    """A plan that has nothing to say leaves not even a folder."""
    store = JsonlStore(tmp_path / "m")
    assert len(store.write(lambda graph: Batch())) == 0
    assert not (tmp_path / "m").exists()


def test_a_plan_that_raises_makes_no_file(tmp_path):
    """Neither a missing folder nor a lock file appears, and a later write works."""

    def refuse(graph):
        raise KeyError("no")

    for folder in (tmp_path / "m", tmp_path):
        store = JsonlStore(folder)
        with pytest.raises(KeyError):
            store.write(refuse)
        assert list(tmp_path.iterdir()) == []
    store.write(call("e1"))
    size = (tmp_path / "nodes.jsonl").stat().st_size
    with pytest.raises(KeyError):
        store.write(refuse)
    assert (tmp_path / "nodes.jsonl").stat().st_size == size
    store.write(call("e2"))
    agree(store)


def test_what_no_memory_can_hold_is_refused_whole(tmp_path):
    """A bad value in the second record keeps the first one out too."""
    store = JsonlStore(tmp_path)
    for bad in (float("nan"), {"a": 1}, 1 << 80, "x" * (2 << 20), [1, "a"]):
        nodes = (Node("n1", ("Code",), {}), Node("n2", ("Code",), {"x": bad}))
        with pytest.raises(InvalidRecord):
            store.write(lambda graph, nodes=nodes: Batch(nodes))
    assert list(tmp_path.iterdir()) == []


def test_values_survive_to_the_last_bit(tmp_path):
    """Numbers, marks and odd characters come back as they were written."""
    props = {
        "big": 2**63 - 1,
        "small": -(2**63),
        "one": 1,
        "real": 1.0,
        "tiny": 5e-324,
        "huge": 1e300,
        "whole": 1e18,
        "yes": True,
        "text": "锌\u2028\x85\x7f\x00 \"'\\/ 😀",
        "list": ["a", "锌"],
        "empty": [],
    }
    store = JsonlStore(tmp_path)
    store.write(lambda graph: Batch((Node("n1", ("Code", "Odd"), props),)))
    (node,) = JsonlStore(tmp_path).graph().nodes()
    assert repr(dict(node.props)) == repr(props)
    assert node.labels == ("Code", "Odd")
    agree(store)


def test_what_only_json_can_carry_is_kept_and_written_back(tmp_path):
    """NaN, infinities and numbers beyond 64 bits on disk survive a new state."""
    line = (
        '{"id":"n1","labels":["Odd thing"],"props":{"k":NaN,"i":-Infinity,'
        f'"b":{10**40},"l":[{2**64},1],"f":1e30,"m":{{"x":null}},"s":"\\ud800"}}}}\n'
    )
    (tmp_path / "nodes.jsonl").write_text(line)
    store = JsonlStore(tmp_path)
    (node,) = store.graph().nodes()
    assert (node.props["b"], node.props["l"]) == (10**40, [2**64, 1])
    before = repr(dict(node.props))
    store.write(lambda graph: Batch((Node("n1", node.labels, {**node.props, "z": 1}),)))
    (after,) = JsonlStore(tmp_path).graph().nodes()
    assert repr({k: v for k, v in after.props.items() if k != "z"}) == before
    agree(store)


def test_the_last_state_wins_and_keeps_its_place(tmp_path):
    """A new state stays where the node was born; one reborn is young."""
    store = JsonlStore(tmp_path)
    for name in ("a", "b", "c"):
        store.write(lone(name))
    store.write(rename("Claim", "a", text="new"))
    with (tmp_path / "nodes.jsonl").open("a") as file:
        file.write('{"id":"n2","deleted":true}\n')
        file.write('{"id":"n2","labels":["Claim"],"props":{"claim_id":"b"}}\n')
    store.refresh()
    assert [node.id for node in store.graph().nodes()] == ["n1", "n3", "n2"]
    assert store.graph().by_key("Claim", "a").props["text"] == "new"
    agree(store)


def test_an_id_is_never_used_again(tmp_path):
    """Tombstones, missing ends and lost nodes count, also after compacting."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    store.write(forget("Code", "e1"))
    with (tmp_path / "edges.jsonl").open("a") as file:
        file.write(
            '{"id":"r7","type":"next","src":"n40","dst":"n1","props":{}}\n'
            '{"id":"r9","type":"next","src":"n1","dst":"n50","props":{}}\n'
            '{"id":"r9","deleted":true}\n'
        )
    fresh = JsonlStore(tmp_path)
    store.refresh()
    for each in (store, fresh):
        assert (each.graph().node_mark, each.graph().edge_mark) == (50, 9)
    store.compact()
    fresh.refresh()
    for each in (store, fresh, JsonlStore(tmp_path)):
        assert (each.graph().node_mark, each.graph().edge_mark) == (50, 9)


def test_a_second_store_follows_the_first(tmp_path):
    """Refresh tells whether there was anything, and takes it all in."""
    writer = JsonlStore(tmp_path)
    reader = JsonlStore(tmp_path)
    assert reader.refresh() is False
    for k in range(4):
        seen = reader.revision()
        writer.write(call(f"e{k}"))
        assert reader.revision() != seen
        assert reader.refresh() is True
        assert reader.refresh() is False
        assert text(reader) == text(writer)


def test_refreshing_reads_only_what_is_new(tmp_path, monkeypatch):
    """The bytes read by a refresh do not grow with the store."""
    writer = JsonlStore(tmp_path)
    for k in range(50):
        writer.write(call(f"e{k}"))
    reader = JsonlStore(tmp_path)
    read = []
    whole = _files.read_from

    def counting(path, start):
        data, seen = whole(path, start)
        read.append(len(data))
        return data, seen

    monkeypatch.setattr(_files, "read_from", counting)
    writer.write(call("one more"))
    read.clear()
    reader.refresh()
    assert 0 < sum(read) < 1_000
    assert text(reader) == text(writer)


def test_a_write_costs_the_same_early_and_late(tmp_path):
    """The bytes of a call do not grow with its session; they stay below 4 KB."""
    store = JsonlStore(tmp_path)
    sizes = []
    for k in range(120):
        before = sum(p.stat().st_size for p in tmp_path.glob("*.jsonl"))
        store.write(call(f"e{k:05}"))
        after = sum(p.stat().st_size for p in tmp_path.glob("*.jsonl"))
        sizes.append(after - before)
    assert max(sizes[-10:]) - max(sizes[1:10]) < 40 < max(sizes) < 4096


def test_a_replaced_file_is_loaded_anew(tmp_path):
    """A file that another program put in its place is read from the start."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    new = tmp_path / "new"
    new.write_text('{"id":"n9","labels":["Code"],"props":{"code_id":"z"}}\n' * 9)
    new.replace(tmp_path / "nodes.jsonl")
    changes = store.graph().changes
    assert store.refresh() is True
    assert [node.id for node in store.graph().nodes()] == ["n9"]
    assert store.graph().changes > changes
    store.write(call("e2"))
    agree(store)


def test_a_file_changed_in_place_is_loaded_anew(tmp_path):
    """An editor that rewrites the same file is noticed by what stood at its end."""
    store = JsonlStore(tmp_path)
    store.write(lone("a"))
    path = tmp_path / "nodes.jsonl"
    with path.open("r+") as file:
        file.truncate()
        file.write('{"id":"n5","labels":["Code"],"props":{}}\n' * 30)
    assert store.refresh() is True
    assert content(store)[0] == {"n5": (("Code",), {})}


def test_a_deleted_store_is_empty_and_can_be_written_again(tmp_path):
    """Files that vanish take their records along, not the numbers of their ids."""
    store = JsonlStore(tmp_path)
    store.write(call("e1"))
    for path in tmp_path.iterdir():
        path.unlink()
    store.refresh()
    assert len(store.graph()) == 0
    store.write(lone("c"))
    assert [node.id for node in store.graph().nodes()] == ["n3"]
    agree(store)


def test_a_closed_store_refuses_everything(tmp_path):
    """Each verb says that the store was closed."""
    store = JsonlStore(tmp_path)
    store.close()
    for verb in (
        store.graph,
        store.find,
        store.find_edges,
        store.refresh,
        store.problems,
        store.revision,
        store.compact,
        lambda: store.write(lone("a")),
    ):
        with pytest.raises(StoreClosed):
            verb()


def test_find_and_find_edges_answer_as_a_memory_store_does(cases):
    """Filters, order and limits are those of the seam."""
    store = JsonlStore(cases / "app-store")
    tools = store.find("ToolCall", session_id="S-8", where={"status": "completed"})
    assert [n.props["seq"] for n in tools] == sorted(n.props["seq"] for n in tools)
    assert store.find("Paper", limit=1) == store.find("Paper")[:1]
    edges = store.find_edges("produces", session_id="S-8")
    assert edges
    assert all(store.graph().node(e.src).session_id == "S-8" for e in edges)
    assert store.find_edges(limit=3) == store.find_edges()[:3]


def test_edges_without_an_end_come_alive_with_it(tmp_path):
    """Edges first, nodes later: the graph is the same in the end."""
    (tmp_path / "edges.jsonl").write_text(
        '{"id":"r1","type":"next","src":"n1","dst":"n2","props":{}}\n'
    )
    store = JsonlStore(tmp_path)
    (problem,) = store.problems()
    assert (problem.kind, problem.file, problem.line) == (
        "dangling-edge",
        "edges.jsonl",
        1,
    )
    (tmp_path / "nodes.jsonl").write_text(
        '{"id":"n1","labels":[],"props":{}}\n{"id":"n2","labels":[],"props":{}}\n'
    )
    store.refresh()
    assert store.graph().edge("r1") == Edge("r1", "next", "n1", "n2", {}, 1)
    assert store.problems() == []
    agree(store)


def test_what_many_records_say_is_kept_once(tmp_path):
    """A text of many nodes, an edge's ends and empty properties: for writer and reader."""
    ours, theirs = smemkit.open(tmp_path), smemkit.open(tmp_path)
    for name in ("e1", "e2", "e3"):
        # Texts that come off a wire are a new object each time.
        ours.observe_execution(
            name,
            session_id=bytes.decode(b"session-1"),
            tool_name=bytes.decode(b"run_python"),
            code_hash="ab12",
            status="succeeded",
            produced_artifacts=[{"artifact_id": name, "version": 1, "path": "a.png"}],
        )
        theirs.refresh()
    for mem in (ours, theirs):
        with mem.reading() as graph:
            calls = list(graph.nodes("ToolCall"))
            for name in ("session_id", "tool_name", "status"):
                assert len({id(node.props[name]) for node in calls}) == 1
            bare = [edge for edge in graph.edges() if not edge.props]
            assert len({id(edge.props) for edge in bare}) == 1 < len(bare)
            for edge in graph.edges():
                assert edge.src is graph.node(edge.src).id
                assert edge.dst is graph.node(edge.dst).id
    agree(JsonlStore(tmp_path))
