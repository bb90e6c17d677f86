# SPDX-License-Identifier: Apache-2.0
"""The walk to the research goal: known answers, worked examples, a second walk."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.errors import BadRequest, NodeNotFound, UnknownLabel
from smemkit.graph import Graph
from smemkit.reading import lines
from smemkit.reading.trace import trace_provenance
from smemkit.records import Node
from tests.reading_graphs import CASES, Built, g1, load, questions
from tests.slow_trace import slow_trace
from tests.strategies import graphs


def short(trace) -> list[tuple]:
    """Return hop, id and edge of each entry, and a mark for what is terminal."""
    return [
        (hop.hop, hop.node.id, hop.via_edge, *(["end"] if hop.is_terminal else []))
        for hop in trace.chain
    ]


def as_case(trace) -> dict:
    """Return a trace in the form the known answers have."""
    chain = []
    for entry in trace.to_dict()["chain"]:
        shown = {"hop": entry["hop"], "id": entry["node"]["id"]}
        shown |= {"label": entry["node"]["label"], "via_edge": entry["via_edge"]}
        if "is_terminal" in entry:
            shown["is_terminal"] = entry["is_terminal"]
        chain.append(shown)
    return {
        "start": trace.start.id,
        "chain": chain,
        "broken": trace.broken,
        "truncated": trace.truncated,
        "reason": trace.reason,
    }


@pytest.mark.parametrize("name", CASES)
def test_every_case_gives_its_known_answer(cases, name):
    """Nodes, layers, edges, order and reason are those of the known answers."""
    graph = load(cases / name)
    asked = questions(cases / name)
    assert asked
    wrong = [
        (node_id, options)
        for node_id, options, answer in asked
        if as_case(trace_provenance(graph, node_id, **options)) != answer
    ]
    assert wrong == []


EXAMPLE_1 = {
    "start_node": {
        "label": "Artifact",
        "id": "fig#v1",
        "excerpt": "fig.svg",
        "content_hash": "h-fig-1",
    },
    "chain": [
        {
            "hop": 1,
            "node": {
                "label": "Code",
                "id": "e2",
                "excerpt": "run_python",
                "content_hash": "ch2",
            },
            "via_edge": "produces",
            "from": "fig#v1",
        },
        {
            "hop": 2,
            "node": {
                "label": "ToolCall",
                "id": "subtask:e2",
                "excerpt": "execution",
            },
            "via_edge": "produces",
            "from": "e2",
        },
        {
            "hop": 2,
            "node": {
                "label": "Artifact",
                "id": "data#v1",
                "excerpt": "data.csv",
                "content_hash": "h-data-1",
            },
            "via_edge": "input",
            "from": "e2",
        },
        {
            "hop": 3,
            "node": {
                "label": "ResearchGoal",
                "id": "goal:session:s1",
                "excerpt": "does X help",
            },
            "via_edge": "next",
            "from": "subtask:e2",
            "is_terminal": True,
        },
    ],
    "broken": False,
    "truncated": False,
    "reason": "reached terminal node ResearchGoal",
}


def test_example_1_keeps_both_ways_up_and_ends_at_the_goal():
    """G1 from the figure: as the contract has it, `from` added (design §5.1)."""
    assert trace_provenance(g1().graph, "fig").to_dict() == EXAMPLE_1


def test_example_2_is_truncated_when_the_layers_are_used_up():
    """Two layers of three: truncated, and not broken."""
    trace = trace_provenance(g1().graph, "fig", max_hops=2)
    assert [entry[:2] for entry in short(trace)] == [
        (1, "e2"),
        (2, "subtask:e2"),
        (2, "data#v1"),
    ]
    assert (trace.broken, trace.truncated) == (False, True)
    assert trace.reason == "truncated at max_hops=2"


def test_example_3_stops_at_another_target():
    """With Code as target the first layer ends the walk."""
    trace = trace_provenance(g1().graph, "fig", target_label="Code")
    assert short(trace) == [(1, "e2", "produces", "end")]


def test_example_4_breaks_at_the_far_end_of_a_line_without_goal():
    """The line is one layer, nearest first; its last member is named."""
    built = Built().call("t1").call("t2").call("t3").code("e3").artifact("fig#v1")
    built.edges("t1 next t2", "t2 next t3", "t3 produces e3", "e3 produces fig#v1")
    trace = trace_provenance(built.graph, "fig")
    assert short(trace) == [
        (1, "e3", "produces"),
        (2, "t3", "produces"),
        (3, "t2", "next"),
        (3, "t1", "next"),
    ]
    assert trace.reason == "no upstream of ToolCall #t1"


def test_example_6_a_subagents_product_reaches_the_goal():
    """Corrected by design §5.1: `contains` is walked, so it is no longer broken."""
    built = Built().goal().node("Task", "A").call("A1").call("A2").code("e2")
    built.artifact("fig#v1").edges(
        "goal next A",
        "A contains A1",
        "A1 next A2",
        "A2 produces e2",
        "e2 produces fig#v1",
    )
    trace = trace_provenance(built.graph, "fig")
    assert short(trace)[2:] == [
        (3, "A1", "next"),
        (4, "A", "contains"),
        (5, "goal:session:s1", "next", "end"),
    ]


def test_example_7_an_uploaded_file_reaches_the_goal():
    """Corrected by design §5.1: `feeds` is followed from a SourceFile to its goal."""
    built = Built().goal().node("SourceFile", "f").node("Evidence", "ev1")
    built.edges("f feeds goal", "f extracts ev1")
    assert short(trace_provenance(built.graph, "ev1")) == [
        (1, "f", "extracts"),
        (2, "goal:session:s1", "feeds", "end"),
    ]


def test_example_8_a_closed_cycle_is_broken():
    """Corrected by design §5.1: a node is visited once, so a cycle ends."""
    built = Built().code("e1").artifact("log#v1")
    built.edges("e1 produces log#v1", "log#v1 input e1")
    trace = trace_provenance(built.graph, "log", max_hops=5)
    assert short(trace) == [(1, "e1", "produces")]
    assert (trace.verdict, trace.reason) == ("broken", "no upstream of Code #e1")


def test_example_9_the_reason_names_the_version():
    """Corrected by design §5.1: a start's public id, whatever was asked."""
    trace = trace_provenance(Built().goal().artifact("lost#v3").graph, "lost")
    assert trace.reason == "no upstream of Artifact #lost#v3"


def test_example_11_a_version_can_be_named():
    """Corrected by design §5.2: `#vN` is understood, a bare id is the highest."""
    built = g1().artifact("fig#v2")
    assert trace_provenance(built.graph, "fig#v1").verdict == "complete"
    assert trace_provenance(built.graph, "fig").start.id == "fig#v2"
    assert trace_provenance(built.graph, "fig").verdict == "broken"


def test_a_start_that_is_the_target_has_an_empty_chain():
    """Nothing to walk: unbroken, with the reason of an arrival."""
    trace = trace_provenance(g1().graph, "goal:session:s1")
    assert (len(trace.chain), trace.verdict) == (0, "complete")
    assert trace.reason == "reached terminal node ResearchGoal"


def test_example_13_the_verdict_does_not_depend_on_the_start():
    """Corrected by design §5.1: a claim's trace walks `input` at the code it meets."""
    built = Built().goal().call("t1").code("e1").artifact("data#v1").code("e2")
    built.artifact("fig#v1").node("Claim", "cl1").edges(
        "goal next t1",
        "t1 produces e1",
        "e1 produces data#v1",
        "data#v1 input e2",
        "e2 produces fig#v1",
        "fig#v1 supports cl1",
    )
    found = {each: trace_provenance(built.graph, each) for each in ("fig", "cl1")}
    assert {trace.verdict for trace in found.values()} == {"complete"}


def test_a_call_that_no_edge_places_uses_its_parent():
    """A ToolCall without `contains` and `next` reaches the scope it names."""
    built = Built().goal().node("Task", "A").call("A1", parent_subtask_id="A")
    built.edges("goal next A")
    assert short(trace_provenance(built.graph, "A1"))[0] == (1, "A", "contains")


def test_a_file_feeds_a_goal_and_nothing_else():
    """`feeds` is followed to a ResearchGoal only."""
    built = Built().node("SourceFile", "f").call("t").edges("f feeds t")
    assert trace_provenance(built.graph, "f").reason == "no upstream of SourceFile #f"


def test_papers_of_other_sessions_count_and_nothing_else_does():
    """A session's walk may meet a foreign Paper, but not the call that found it."""
    built = Built().node("Evidence", "ev").node("Paper", "p", session_id="s2")
    built.call("t", session_id="s2").edges("t produces p", "p extracts ev")
    trace = trace_provenance(built.graph, "ev", session_id="s1")
    assert (short(trace), trace.verdict) == ([(1, "p", "extracts")], "broken")


def test_a_line_passes_through_foreign_steps_without_listing_them():
    """The walk over `next` goes on behind a step of another session."""
    built = Built().goal().call("mine").call("foreign", session_id="s2").call("old")
    built.edges("goal next old", "old next foreign", "foreign next mine")
    trace = trace_provenance(built.graph, "mine", session_id="s1", target_label="Claim")
    assert [hop.node.id for hop in trace.chain] == ["old", "goal:session:s1"]


def test_a_step_without_id_ends_a_line():
    """What has no public id is dropped and not walked on from."""
    built = Built().goal().node("ToolCall", "lost", task_id=None).call("t")
    built.edges("goal next lost", "lost next t")
    trace = trace_provenance(built.graph, "t")
    assert trace.reason == "no upstream of ToolCall #t"


@pytest.mark.parametrize("hops", [0, 33, -1, True, 2.5, "8"])
def test_hops_out_of_range_are_refused(hops):
    """`max_hops` is a whole number from 1 to 32."""
    with pytest.raises(BadRequest, match="max_hops"):
        trace_provenance(g1().graph, "fig", max_hops=hops)


def test_an_unknown_target_is_refused_unless_the_memory_holds_it():
    """A label of nobody's is an error, one of the memory's own is not."""
    built = g1()
    with pytest.raises(UnknownLabel, match="Sample"):
        trace_provenance(built.graph, "fig", target_label="Sample")
    built.node("Sample", "x")
    assert trace_provenance(built.graph, "fig", target_label="Sample").broken


@pytest.mark.parametrize("target", [None, ""])
def test_no_target_means_the_goal(target):
    """An empty target is the research goal."""
    trace = trace_provenance(g1().graph, "fig", target_label=target)
    assert trace.target_label == "ResearchGoal"


def test_an_unknown_id_is_not_found():
    """The error says what was asked."""
    with pytest.raises(NodeNotFound, match="'nope'"):
        trace_provenance(g1().graph, "nope")


def test_rejoining_branches_are_walked_once():
    """Forty stacked diamonds, 2^40 trails: every step is listed once, nearest first."""
    built = Built().goal()
    top = "goal"
    for k in range(40):
        for side in "abc":
            built.call(f"{side}{k}")
        built.edges(f"{top} next a{k}", f"{top} next b{k}")
        built.edges(f"a{k} next c{k}", f"b{k} next c{k}")
        top = f"c{k}"
    trace = trace_provenance(built.graph, "c39", target_label="Claim")
    ids = [hop.node.id for hop in trace.chain]
    assert len(ids) == len(set(ids)) == 3 * 40
    assert ids[:4] == ["a39", "b39", "c38", "a38"]
    assert trace_provenance(built.graph, "c39").verdict == "complete"


def test_a_long_line_reaches_its_goal():
    """A line of 3,000 steps: the goal alone is listed, one hop away."""
    built = Built().goal()
    for k in range(3000):
        built.call(f"t{k}").edges(f"{f't{k - 1}' if k else 'goal'} next t{k}")
    trace = trace_provenance(built.graph, "t2999")
    assert short(trace) == [(1, "goal:session:s1", "next", "end")]
    calls = trace_provenance(built.graph, "t2999", target_label="Task")
    assert [len(calls.chain), calls.chain[0].node.id] == [3000, "t2998"]


@pytest.mark.parametrize("odd", ["plain", "circle", "branch", "gap"])
def test_a_long_line_is_walked_as_a_short_one(odd, monkeypatch):
    """A line longer than what is walked at one go equals the slow walk."""
    monkeypatch.setattr(lines, "STRIDE", 4)
    built = Built().goal()
    for k in range(30):
        built.call(f"t{k}").edges(f"{f't{k - 1}' if k else 'goal'} next t{k}")
    if odd == "circle":
        built.edges("t25 next goal")
    if odd == "branch":
        built.call("side").edges("side next t5")
    if odd == "gap":
        node = built.graph.node(built.ids["t5"])
        built.graph.put_node(Node(node.id, node.labels, {"session_id": "s1"}, node.n))
    _walk_all(built, ["t29", "t29", "t12", "t28"])
    last = built.graph.into(built.ids["t20"], "next")[0]
    built.graph.drop_edge(last.id)
    _walk_all(built, ["t29", "t12"])


def _walk_all(built: Built, starts: list[str]) -> None:
    """Trace from several steps of a line, one after the other, as the slow walk does."""
    for name, target in itertools.product(starts, ("ResearchGoal", "Code")):
        start = built.graph.node(built.ids[name])
        options = {"target_label": target, "session_id": None, "max_hops": 8}
        trace = trace_provenance(built.graph, name, **options)
        chain, reason = slow_trace(built.graph, start, **options)
        found = [
            (hop.hop, hop.node.storage_id, hop.via_edge, hop.from_id, hop.is_terminal)
            for hop in trace.chain
        ]
        assert found == chain
        assert trace.reason == reason


@st.composite
def families(draw: st.DrawFn) -> Graph:
    """Draw a graph in which some calls name a scope as their parent."""
    graph = draw(graphs())
    for node in list(graph.nodes("ToolCall")):
        parent = draw(st.sampled_from([None, "task-0", "task-1", "task-2"]))
        if parent is not None:
            props = {**node.props, "parent_subtask_id": parent}
            graph.put_node(Node(node.id, node.labels, props, node.n))
    return graph


@given(families(), st.data())
def test_the_walk_equals_a_slow_one(graph, data):
    """On any graph a walk written down sentence by sentence gives the same trace."""
    names = sorted({n.public_id for n in graph.nodes() if n.public_id is not None})
    if not names:
        return
    node_id = data.draw(st.sampled_from(names))
    options = {
        "session_id": data.draw(st.sampled_from([None, "s1", "s2"])),
        "target_label": data.draw(
            st.sampled_from(["ResearchGoal", "ToolCall", "Code"])
        ),
        "max_hops": data.draw(st.sampled_from([1, 2, 3, 8, 32])),
    }
    try:
        trace = trace_provenance(graph, node_id, **options)
    except NodeNotFound:
        assert options["session_id"] is not None
        return
    start = graph.node(trace.start.storage_id)
    chain, reason = slow_trace(graph, start, **options)
    found = [
        (hop.hop, hop.node.storage_id, hop.via_edge, hop.from_id, hop.is_terminal)
        for hop in trace.chain
    ]
    assert found == chain
    assert trace.reason == reason
