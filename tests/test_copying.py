# SPDX-License-Identifier: Apache-2.0
"""Copying a memory: everything arrives once, in order, also after a cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smemkit
from smemkit import cli, copying
from smemkit.errors import (
    BadRequest,
    SessionNotFound,
    StoreError,
    StoreNotFound,
)
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch, Edge, Node
from smemkit.stores.memory import MemoryStore
from tests.copies import claim, contents, filled, holding, shown
from tests.strategies import graphs


def run(*arguments: object) -> int:
    return cli.main([str(each) for each in arguments])


@given(graphs(), st.integers(1, 40))
def test_a_copy_holds_the_same_and_a_second_changes_nothing(graph, size):
    """Any graph, with keys twice, blank nodes, parallel edges and unknown names."""
    src, dst = holding(graph), smemkit.open(":memory:")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copying, "BATCH", size)
        done = smemkit.copy(src, dst)

    assert contents(dst) == shown(graph)
    assert (done.added_nodes, done.added_edges) == (done.nodes, done.edges)
    assert done.ok
    before = dst.revision()
    again = smemkit.copy(src, dst)
    assert (again.added_nodes, again.added_edges, again.ok) == (0, 0, True)
    assert dst.revision() == before


@given(graphs(), st.integers(0, 40))
def test_a_copy_that_was_cut_off_anywhere_is_completed(graph, kept):
    """A start of the source at the destination, as a cut leaves one, is no obstacle."""
    src, dst = holding(graph), smemkit.open(":memory:")
    records = copying.Records.of(graph, None)
    copying.Run(records).write(dst.store, range(min(kept, len(records))))

    assert smemkit.copy(src, dst).ok

    assert contents(dst) == shown(graph)


@given(graphs(max_nodes=8), graphs(max_nodes=8))
def test_a_merge_is_settled_by_one_run(one, other):
    """Into a memory with other content: nothing is lost there, the next run adds nothing."""
    src, dst = holding(one), holding(other)

    first = smemkit.copy(src, dst)

    nodes, edges = contents(dst)
    old_nodes, old_edges = shown(other)
    assert nodes[: len(old_nodes)] == old_nodes
    assert edges[: len(old_edges)] == old_edges
    assert len(nodes) == len(old_nodes) + first.added_nodes
    again = smemkit.copy(src, dst)
    assert (again.added_nodes, again.added_edges) == (0, 0)
    assert again.conflicts == first.conflicts


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("size", [1, 100])
def test_two_equal_nodes_stay_who_they_are(monkeypatch, replace, size):
    """Each has edges of its own, and the destination has one that differs from both."""
    monkeypatch.setattr(copying, "BATCH", size)
    goal = {"goal_id": "g", "session_id": "s"}
    here = Graph()
    for number, kind in ((1, "next"), (2, "feeds")):
        here.put_node(Node(f"n{number}", ("ResearchGoal",), goal, number))
        here.put_edge(Edge(f"r{number}", kind, f"n{number}", f"n{number}"))
    there = Graph()
    there.put_node(Node("n1", ("ResearchGoal",), {**goal, "domain": "x"}, 1))
    src, dst = holding(here), holding(there)

    first = smemkit.copy(src, dst, replace=replace)

    assert (first.added_nodes, first.added_edges) == (1, 2)
    assert len(first.conflicts) == (0 if replace else 1)
    again = smemkit.copy(src, dst, replace=replace)
    assert (again.added_nodes, again.added_edges, again.replaced) == (0, 0, 0)


@given(graphs(max_nodes=6), graphs(max_nodes=5), st.integers(1, 4), st.booleans())
def test_a_second_merge_changes_nothing(one, other, size, replace):
    """Whatever both hold, also what both hold twice, and in batches of any size."""
    src, dst = holding(one), holding(other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copying, "BATCH", size)
        smemkit.copy(src, dst, replace=replace)
        before = contents(dst)
        again = smemkit.copy(src, dst, replace=replace)
    assert (again.added_nodes, again.added_edges, again.replaced) == (0, 0, 0)
    assert contents(dst) == before


@given(graphs(max_nodes=8), graphs(max_nodes=8))
def test_replacing_ends_all_conflicts(one, other):
    """With `replace` each record of the source is there as it is, and stays."""
    src, dst = holding(one), holding(other)

    first = smemkit.copy(src, dst, replace=True)

    assert first.ok
    have = [*contents(dst)[0]]
    for node in shown(one)[0]:
        have.remove(node)  # each of them, as often as the source has it
    again = smemkit.copy(src, dst, replace=True)
    assert (again.added_nodes, again.added_edges, again.replaced) == (0, 0, 0)


def test_folder_to_folder_to_memory_and_back(tmp_path, cases):
    """The app's own store through two folders and main memory reads as at first."""
    first = smemkit.open(cases / "app-store")
    smemkit.copy(cases / "app-store", tmp_path / "a")
    smemkit.copy(tmp_path / "a", tmp_path / "b")
    inside = smemkit.open(":memory:")
    smemkit.copy(tmp_path / "b", inside)
    smemkit.copy(inside, tmp_path / "c")

    with smemkit.open(tmp_path / "c", must_exist=True) as last:
        assert contents(last) == contents(inside) == contents(first)
        assert last.sessions().equals(first.sessions())
        assert last.timeline().equals(first.timeline())


@pytest.mark.neo4j
@settings(max_examples=max(10, settings().max_examples // 6))
@given(graph=graphs())
def test_neo4j_holds_what_was_copied_there_and_gives_it_back(neo4j_server, graph):
    """Both directions; the second run changes nothing on the server."""
    neo4j_server.wipe()
    src, back = holding(graph), smemkit.open(":memory:")
    with neo4j_server.open() as server:
        assert smemkit.copy(src, server).ok
        assert contents(server) == shown(graph)
        before = server.revision()
        assert smemkit.copy(src, server).added_nodes == 0
        assert server.revision() == before
    with neo4j_server.open() as server:
        assert smemkit.copy(server, back).ok
    assert contents(back) == shown(graph)


@pytest.mark.neo4j
def test_the_command_finds_its_way_into_neo4j(
    neo4j_empty, cases, tmp_path, capsys, monkeypatch
):
    """User and password stand in the environment, not among the arguments."""
    user, password = neo4j_empty.auth
    monkeypatch.setenv("SCIENCE_AGENT_MEMORY_GRAPH_NEO4J_USER", user)
    monkeypatch.setenv("SCIENCE_AGENT_MEMORY_GRAPH_NEO4J_PASSWORD", password)

    assert run("copy", cases / "app-store", neo4j_empty.url) == cli.OK
    assert run("copy", neo4j_empty.url, tmp_path / "back") == cli.OK

    with (
        smemkit.open(cases / "app-store") as first,
        smemkit.open(tmp_path / "back") as last,
    ):
        assert contents(last) == contents(first)


# -- what is not copied, and why ------------------------------------------------


def test_a_record_that_differs_is_listed_and_kept(tmp_path):
    """The destination's state stays; the list names the record and the properties."""
    src = filled(claim(1, "a", content="new", strength=2), claim(2, "b"))
    dst = filled(claim(1, "a", content="old", locator="p. 1"))

    done = smemkit.copy(src, dst)

    assert not done.ok
    (conflict,) = done.conflicts
    assert conflict.record == "Claim 'a'"
    assert conflict.reason == "differs in content, locator, strength"
    assert [node.props for node in dst.store.find("Claim")] == [
        {"claim_id": "a", "content": "old", "locator": "p. 1"},
        {"claim_id": "b"},
    ]


def test_replace_gives_the_state_of_the_source_as_a_whole():
    """Properties that only the destination had are gone, and labels are the source's."""
    src = filled(Node("n1", ("ToolCall",), {"task_id": "t", "status": "done"}, 1))
    dst = filled(Node("n1", ("SubTask",), {"task_id": "t", "objective": "x"}, 1))

    done = smemkit.copy(src, dst, replace=True)

    assert (done.ok, done.replaced, done.conflicts) == (True, 1, ())
    (node,) = dst.store.find()
    assert (node.labels, node.props) == (
        ("ToolCall",),
        {"task_id": "t", "status": "done"},
    )


def test_a_key_that_stands_twice_is_matched_by_what_is_equal_first():
    """The destination has the second of two: the first is added, none is a conflict."""
    one, two = claim(1, "a", content="one"), claim(2, "a", content="two")
    dst = filled(claim(1, "a", content="two"))

    done = smemkit.copy(filled(one, two), dst)

    assert (done.ok, done.added_nodes) == (True, 1)
    assert [n.props["content"] for n in dst.store.find("Claim")] == ["two", "one"]


def test_edges_of_two_lines_are_not_one_another():
    """A `next` of a scope's line is no other state of the session's line."""
    ends = claim(1, "a"), claim(2, "b")

    def joined(*edges: dict[str, object]) -> Memory:
        return filled(
            *ends,
            edges=tuple(
                Edge(f"r{i}", "next", "n1", "n2", props, i)
                for i, props in enumerate(edges, 1)
            ),
        )

    main, scope = {"method": "temporal_chain"}, {"method": "scope_chain"}
    dst = joined(scope)

    assert smemkit.copy(joined(main, {**scope, "basis": "seq"}), dst).conflicts == (
        copying.Apart("edge 'next' from Claim 'a' to Claim 'b'", "differs in basis"),
    )
    assert [edge.props for edge in dst.store.find_edges()] == [scope, main]


def test_one_session_is_copied_alone():
    """Its nodes and the edges between them; an edge to another session is not."""
    src = filled(
        claim(1, "a", session_id="s1"),
        claim(2, "b", session_id="s2"),
        claim(3, "c", session_id="s1"),
        edges=(
            Edge("r1", "odd", "n1", "n2", {}, 1),
            Edge("r2", "odd", "n1", "n3", {}, 2),
        ),
    )
    dst = smemkit.open(":memory:")

    done = smemkit.copy(src, dst, session_id="s1")

    assert (done.nodes, done.edges, done.ok) == (2, 1, True)
    assert [node.public_id for node in dst.store.find()] == ["a", "c"]
    with pytest.raises(SessionNotFound, match="s3"):
        smemkit.copy(src, dst, session_id="s3")


def test_what_no_store_may_hold_is_left_out_and_listed(tmp_path):
    """A list in a list and a number that is none: the rest arrives, edges too."""
    folder = tmp_path / "odd"
    folder.mkdir()
    nodes = [
        {"id": f"n{i}", "labels": ["Claim"], "props": {"claim_id": f"c{i}"}}
        for i in range(1, 9)
    ]
    nodes[2]["props"]["score"] = float("nan")
    nodes[5]["props"]["deep"] = [[1]]
    edges = [
        {
            "id": f"r{i}",
            "type": "supports",
            "src": f"n{i}",
            "dst": f"n{i + 1}",
            "props": {},
        }
        for i in range(1, 8)
    ]
    for name, records in (("nodes", nodes), ("edges", edges)):
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(text)
    dst = smemkit.open(":memory:")

    done = smemkit.copy(folder, dst)

    assert [(x.record, x.reason.partition(":")[0]) for x in done.left_out[:2]] == [
        ("Claim 'c3'", "Claim 'c3', property 'score'"),
        ("Claim 'c6'", "Claim 'c6', property 'deep'"),
    ]
    assert {x.reason for x in done.left_out[2:]} == {"a node at its end was left out"}
    assert (done.ok, done.added_nodes, done.added_edges) == (False, 6, 3)
    again = smemkit.copy(folder, dst)
    assert (again.added_nodes, again.left_out) == (0, done.left_out)


def test_what_the_source_could_not_read_is_no_success(cases, tmp_path):
    """An edge without its end is not copied, and the answer says so."""
    done = smemkit.copy(cases / "damaged" / "dangling-edge", tmp_path / "copy")

    assert done.problems == len(
        smemkit.open(cases / "damaged" / "dangling-edge").problems()
    )
    assert done.problems > 0
    assert not done.ok


class Forgetful(MemoryStore):
    """A store that says it kept an edge, and did not."""

    def write(self, plan, sessions=()):
        def short(graph: Graph) -> Batch:
            batch = plan(graph)
            return Batch(batch.nodes, batch.edges[:-1])

        return super().write(short, sessions)


def test_a_destination_that_loses_records_is_an_error_with_both_counts():
    """The memory is looked at again, whatever its store said."""
    src = filled(
        claim(1, "a"), claim(2, "b"), edges=(Edge("r1", "odd", "n1", "n2", {}, 1),)
    )

    with pytest.raises(
        StoreError, match=r"2 nodes and 1 edges .* only 2 and 0 are there"
    ):
        smemkit.copy(src, Memory(Forgetful()))


def test_places_that_cannot_be_copied_from_or_to(tmp_path):
    """No source, a memory nobody keeps, a place that can only be read."""
    with pytest.raises(StoreNotFound):
        smemkit.copy(tmp_path / "none", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    for src, dst in ((tmp_path, ":memory:"), (":memory:", tmp_path)):
        with pytest.raises(BadRequest, match="open it first"):
            smemkit.copy(src, dst)


def test_progress_is_told_after_each_batch(monkeypatch):
    """Records done and all there are; the last call says all."""
    monkeypatch.setattr(copying, "BATCH", 2)
    told: list[tuple[int, int]] = []
    src = filled(*(claim(i, f"c{i}") for i in range(1, 6)))

    smemkit.copy(src, smemkit.open(":memory:"), progress=lambda *x: told.append(x))

    assert told == [(2, 5), (4, 5), (5, 5)]


def test_a_copy_onto_itself_is_refused(tmp_path):
    """By the same path, by another name of it, as an open memory; nothing is written."""
    folder, link = tmp_path / "memory", tmp_path / "link"
    link.symlink_to(folder)
    with smemkit.open(folder) as mem:
        mem.observe_session_first_message("s1", core_objective="Why?")
        before = mem.revision()
        for src, dst in [(folder, folder), (folder, link), (mem, mem), (mem, folder)]:
            with pytest.raises(BadRequest, match="source and destination are the same"):
                smemkit.copy(src, dst)
        assert mem.revision() == before
    one = smemkit.open(":memory:")
    assert smemkit.copy(one, smemkit.open(":memory:")).ok
    with pytest.raises(BadRequest, match="are the same"):
        smemkit.copy(one, one)
