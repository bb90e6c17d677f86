# SPDX-License-Identifier: Apache-2.0
"""A property nested deep stops nothing: it is kept, or its line is listed."""

from __future__ import annotations

import json

import pytest

import smemkit
from smemkit.records import Batch, Node
from smemkit.stores._lines import MAX_DEPTH
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.repair import check
from tests.store_plans import lone, text

GOOD = '{"id":"n7","labels":["Code"],"props":{"code_id":"e","session_id":"s"}}\n'


def nested(depth: int, kind: str = "list") -> str:
    """Return the JSON text of an empty list or object so deep in others."""
    if kind == "list":
        return "[" * depth + "]" * depth
    return '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)


def node(value: str, node_id: str = "n9") -> str:
    return (
        f'{{"id":"{node_id}","labels":["Code"],"props":{{"code_id":"deep",'
        f'"session_id":"s","x":{value}}}}}\n'
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "nodes.jsonl").write_text(GOOD)
    return tmp_path


@pytest.mark.parametrize("kind", ["list", "object"])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 600, 900, 1_023, 1_100, 5_000])
def test_a_line_nested_too_deep_is_listed_and_the_rest_lives(folder, depth, kind):
    """Opening, checking, refreshing, writing and mending all go on."""
    line = node(nested(depth, kind))
    with (folder / "nodes.jsonl").open("a") as file:
        file.write(line)
    store = JsonlStore(folder)
    (problem,) = store.problems()
    assert (problem.file, problem.line) == ("nodes.jsonl", 2)
    assert problem.kind in ("too-deep", "not-json")
    assert len(problem.reason) < 200
    assert [n.id for n in store.graph().nodes()] == ["n7"]
    (new,) = store.write(lone("new")).nodes
    assert new.id == "n10"
    with (folder / "nodes.jsonl").open("a") as file:
        file.write(node(nested(depth, kind), "n11"))
    assert not store.refresh()
    assert [p.line for p in store.problems()] == [2, 4]
    assert len(check(folder).problems) == 2
    report = check(folder, repair=True)
    assert (len(report.mended), report.problems) == (2, ())
    assert line in (folder / "nodes.jsonl.damaged").read_text()
    assert text(JsonlStore(folder)) == text(folder)


@pytest.mark.parametrize("kind", ["list", "object"])
def test_a_property_nested_deep_is_kept_and_written_back(folder, kind):
    """At the deepest we take, every answer is given and the app reads the same."""
    value = json.loads(nested(MAX_DEPTH, kind))
    with (folder / "nodes.jsonl").open("a") as file:
        file.write(node(nested(MAX_DEPTH, kind)))
    mem = smemkit.open(folder)
    assert len(mem.problems()) == 0
    store = mem.store
    assert store.graph().node("n9").props["x"] == value
    old = store.graph().node("n9")
    changed = Node(old.id, old.labels, {**old.props, "status": "done"})
    store.write(lambda graph: Batch((changed,)))
    assert text(folder) == text(JsonlStore(folder)) == text(store)
    view = mem.node("deep")
    assert view.to_dict()["id"] == "deep"
    assert "deep" in str(view)
    assert "deep" in repr(view)
    assert list(mem.nodes("Code")["id"]) == ["e", "deep"]
    assert len(mem.match("done").to_frame()) == 0
    assert "deep" in str(mem.subgraph().to_dict())
    assert mem.figure(session_id="s").render("svg")
    mem.compact()
    assert text(folder) == text(JsonlStore(folder)) == text(store)


def test_an_edge_nested_too_deep_is_listed(folder):
    """Its ends are there and stay there."""
    (folder / "edges.jsonl").write_text(
        '{"id":"r1","type":"next","src":"n7","dst":"n7","props":{"x":'
        f"{nested(900)}}}}}\n"
    )
    (problem,) = JsonlStore(folder).problems()
    assert (problem.file, problem.kind) == ("edges.jsonl", "too-deep")


@pytest.mark.parametrize("where", ["id", "labels", "props"])
def test_other_fields_nested_deep_are_listed(folder, where):
    """The message shows the value short, and never fails on it."""
    record = {"id": '"n9"', "labels": '["Code"]', "props": "{}", where: nested(900)}
    with (folder / "nodes.jsonl").open("a") as file:
        file.write("{" + ",".join(f'"{k}":{v}' for k, v in record.items()) + "}\n")
    (problem,) = JsonlStore(folder).problems()
    assert problem.line == 2
    assert len(problem.reason) < 200
