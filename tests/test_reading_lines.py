# SPDX-License-Identifier: Apache-2.0
"""A line is walked once and remembered; what it says is what a plain walk says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.graph import Graph
from smemkit.reading import lines
from smemkit.reading.lines import MEMO, Before
from smemkit.records import Edge, Node

STEPS = 8


def plain_line(graph: Graph, node_id: str) -> list[str] | None:
    """Return the line as a list, having seen that it is a sequence in every way."""
    found = lines.plain_line(graph, node_id)
    if found is None:
        return None
    steps = list(found)
    assert isinstance(found, Before)
    assert (len(found), [*reversed(found)]) == (len(steps), steps[::-1])
    assert [found[k] for k in range(-len(steps), len(steps))] == steps + steps
    assert found[1:3] == steps[1:3]
    every = {node.id for node in graph.nodes()} | {"n0"}
    assert [each for each in steps if each in found] == steps
    assert {each for each in every if each in found} == set(steps)
    for wanted in (
        {*steps[::2], "n0"},
        every | set(steps) | {f"x{k}" for k in range(9)},
    ):
        assert found.among(wanted) == [each for each in steps if each in wanted]
    return steps


def walked(graph: Graph, node_id: str) -> list[str] | None:
    """Walk back edge by edge, as the description of `plain_line` says."""
    order: list[str] = []
    here = node_id
    while True:
        arriving = graph.into(here, "next")
        if not arriving:
            break
        if len(arriving) > 1:
            return None
        here = arriving[0].src
        if here in {node_id, *order}:
            return None
        order.append(here)
    return None if any(graph.node(i).public_id is None for i in order) else order


def step(number: int, *, named: bool = True) -> Node:
    props = {"task_id": f"subtask:{number}"} if named else {}
    return Node(f"n{number}", ("ToolCall",), props, number)


def link(number: int, src: int, dst: int) -> Edge:
    return Edge(f"r{number}", "next", f"n{src}", f"n{dst}", n=number)


def line_of(length: int) -> Graph:
    graph = Graph()
    for number in range(1, length + 1):
        graph.put_node(step(number))
        if number > 1:
            graph.put_edge(link(number, number - 1, number))
    return graph


places = st.integers(1, STEPS)
acts = st.one_of(
    st.tuples(st.just("link"), places, places),
    st.tuples(st.just("grow"), places),
    st.tuples(st.just("cut"), st.integers(1, 20)),
    st.tuples(st.just("move"), st.integers(1, 20), places, places),
    st.tuples(st.just("drop"), places),
    st.tuples(st.just("put"), places, st.integers(0, 1)),
)


def change(graph: Graph, act: str, *told: int) -> None:
    match act, told:
        case "link", (src, dst):
            graph.put_edge(link(graph.edge_mark + 1, src, dst))
        case "grow", (at,):
            graph.put_edge(link(graph.edge_mark + 1, at, at % STEPS + 1))
        case "move", (edge, src, dst):
            graph.put_edge(link(edge, src, dst))
        case "cut", (edge,):
            graph.drop_edge(f"r{edge}")
        case "drop", (at,):
            graph.drop_node(f"n{at}")
        case "put", (at, named):
            graph.put_node(step(at, named=bool(named)))


@given(st.lists(acts, max_size=40))
def test_after_any_changes_a_line_is_what_a_plain_walk_finds(told):
    """Links, cuts, forks, circles, gaps and lost nodes, with questions in between."""
    graph = Graph()
    for number in range(1, STEPS + 1):
        graph.put_node(step(number))
    for act, *rest in told:
        change(graph, act, *rest)
        at = f"n{rest[-1]}"
        assert plain_line(graph, at) == walked(graph, at)
    for number in range(1, STEPS + 1):
        assert plain_line(graph, f"n{number}") == walked(graph, f"n{number}")


@pytest.mark.parametrize("length", [2, lines.NEAR + 3, 2 * lines.STRIDE + 7])
def test_lines_of_every_length_are_walked_whole(length):
    """Shorter than one look, and longer than two strides."""
    graph = line_of(length)
    expected = [f"n{k}" for k in range(length - 1, 0, -1)]
    assert plain_line(graph, f"n{length}") == expected
    assert plain_line(graph, f"n{length // 2}") == expected[length - length // 2 :]


def test_a_line_that_grew_is_not_walked_again(monkeypatch):
    """The next call of a session costs its own step, not all before it."""
    graph = line_of(3_000)
    plain_line(graph, "n3000")
    monkeypatch.setattr(lines, "_walked", None)  # a second walk would call it
    graph.put_node(step(3_001))
    graph.put_edge(link(3_001, 3_000, 3_001))
    assert plain_line(graph, "n3001") == [f"n{k}" for k in range(3_000, 0, -1)]


def test_several_sessions_keep_their_lines(monkeypatch):
    """Asked in turn, none makes the other one be walked again."""
    graph = line_of(100)
    graph.drop_edge("r51")
    first, second = plain_line(graph, "n50"), plain_line(graph, "n100")
    monkeypatch.setattr(lines, "_walked", None)
    for _ in range(3):
        assert plain_line(graph, "n50") == first
        assert plain_line(graph, "n100") == second


def test_what_is_remembered_is_bounded(monkeypatch):
    """A memory of ten thousand sessions does not keep ten thousand lines."""
    monkeypatch.setattr(lines, "MOST_STEPS", 100)
    graph = line_of(400)
    for number in range(11, 400, 10):  # forty lines of ten steps
        graph.drop_edge(f"r{number}")
    for number in range(10, 401, 10):
        assert plain_line(graph, f"n{number}") == walked(graph, f"n{number}")
        kept = graph.memo[MEMO].lines
        assert sum(len(line.steps) for line in kept) <= 100
        assert len(kept) <= lines.MOST_LINES


def test_an_answer_stays_what_it_was_while_its_line_grows():
    """It is a view: what comes after its step is not in it."""
    graph = line_of(5)
    found = lines.plain_line(graph, "n5")
    graph.put_node(step(6))
    graph.put_edge(link(6, 5, 6))
    assert plain_line(graph, "n6") == ["n5", "n4", "n3", "n2", "n1"]
    assert list(found) == ["n4", "n3", "n2", "n1"]
    assert "n5" not in found
