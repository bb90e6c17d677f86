# SPDX-License-Identifier: Apache-2.0
"""The walks a page carries are those that Python answers, written as runs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.reading.chains import chain_exists, kinds_for
from smemkit.reading.trace import trace_from
from smemkit.views.explorer.session import session
from smemkit.views.explorer.walks import chains_of, runs, trace_of
from tests.strategies import graphs


def unrun(made: list[int]) -> list[int]:
    """Read runs back."""
    found: list[int] = []
    for start, length in zip(made[::2], made[1::2], strict=True):
        step = 1 if length > 0 else -1
        found += range(start, start + length, step)
    return found


@given(st.lists(st.integers(0, 30)))
def test_runs_give_the_numbers_back(numbers):
    assert unrun(runs(numbers)) == numbers


def test_a_line_is_one_run_however_long():
    assert runs(range(9_000)) == [0, 9_000]
    assert runs(range(9_000, 0, -1)) == [9_000, -9_000]


@given(graphs())
def test_a_trace_on_the_page_meets_what_the_trace_meets(graph):
    for session_id in graph.sessions():
        made = session(graph, session_id)
        for n, spot in enumerate(made.spots):
            walk = trace_of(graph, made, n)
            if spot.view.id is None:
                assert walk is None
                continue
            start = graph.node(spot.view.storage_id)
            trace = trace_from(graph, start, session_id=session_id)
            met = {hop.node.storage_id for hop in trace.chain}
            known = {made.numbers[each] for each in met if each in made.numbers}
            assert walk.numbers == known
            assert (walk.verdict, walk.why) == (trace.verdict, trace.why)


def test_a_button_is_grey_exactly_where_chain_exists_says_empty(cases):
    with smemkit.open(cases / "app-store") as mem, mem.reading() as graph:
        made = session(graph, "S-7")
        for n, spot in enumerate(made.spots):
            kinds = kinds_for(spot.view.label)
            found = chains_of(graph, made, n)
            assert tuple(found) == kinds
            if kinds:
                right = chain_exists(graph, spot.view.id, kinds, session_id="S-7")
                assert {kind: bool(found[kind]) for kind in kinds} == right


def test_the_chain_on_the_page_has_the_nodes_of_the_chain(cases):
    with smemkit.open(cases / "app-store") as mem:
        with mem.reading() as graph:
            made = session(graph, "S-7")
            found = chains_of(graph, made, made.number("report#v1"))
        for kind, numbers in found.items():
            right = mem.chain("report#v1", kind, session_id="S-7")
            assert sorted(made.spots[n].view.id for n in numbers) == sorted(
                v.id for v in right
            )
