# SPDX-License-Identifier: Apache-2.0
"""A chain in words, and which version replaced its start."""

from __future__ import annotations

import pytest

from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.report.walks import Walks, newer_version
from tests.reading_graphs import Built


def far() -> Built:
    """Return a figure three layers from the goal."""
    built = Built().goal().call("t").code("e").artifact("fig#v1")
    return built.edges("goal next t", "t produces e", "e produces fig#v1")


@pytest.mark.parametrize(
    ("hops", "said"),
    [
        (3, "fig#v1 ← e ← t ← goal:session:s1 (reaches the goal)"),
        (2, "fig#v1 ← e ← t ← … (truncated at max_hops=2); raise max_hops"),
        (1, "fig#v1 ← e ← … (truncated at max_hops=1); raise max_hops"),
    ],
)
def test_a_chain_is_said_as_far_as_it_was_walked(hops, said):
    """And what to do where it was not walked to its end."""
    graph = far().graph
    assert str(Walks(graph, hops).of(graph.named("fig")[0])[1]) == said


def test_nothing_is_advised_that_is_not_allowed():
    """A chain longer than the most layers there may be."""
    built = Built()
    for k in range(40):
        built.code(f"e{k}").artifact(f"a{k}#v1").edges(f"e{k} produces a{k}#v1")
    built.edges(*(f"a{k + 1}#v1 input e{k}" for k in range(39)))
    graph = built.graph

    said = str(Walks(graph, 32).of(graph.named("a0")[0])[1])
    assert said.endswith("(truncated at max_hops=32)")


def test_a_chain_is_walked_once():
    graph = far().graph
    walks, node = Walks(graph), graph.named("fig")[0]
    assert walks.of(node) is walks.of(node)


@pytest.mark.parametrize("hops", [0, 33, -1, "8", 8.0, True, None])
def test_layers_out_of_range_are_refused(hops):
    """As by a trace."""
    with pytest.raises(BadRequest, match="from 1 to 32"):
        Walks(Graph(), hops)


def test_only_an_artifact_has_a_later_version():
    built = far().artifact("fig#v3").artifact("fig#v2")
    named = {n.public_id: n for n in built.graph.nodes()}
    assert newer_version(built.graph, named["fig#v1"]) == "fig#v3"
    assert newer_version(built.graph, named["fig#v3"]) is None
    assert newer_version(built.graph, named["e"]) is None
