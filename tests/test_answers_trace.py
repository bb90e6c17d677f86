# SPDX-License-Identifier: Apache-2.0
"""A trace as it is shown: the start, the steps a long `next` stands for, the tools."""

from __future__ import annotations

from hypothesis import given

import smemkit
from smemkit.answers import Trace
from smemkit.reading.trace import trace_provenance
from tests.strategies import graphs


def _line_of_three():
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    for n in range(3):
        mem.observe_execution(f"e{n}", tool="run_python")
    return mem


def test_a_next_that_skips_steps_says_so_and_a_single_one_does_not() -> None:
    """Told in the display alone: the frame and the wire say `next` for both."""
    trace = _line_of_three().trace_provenance("e2", target_label="Task")

    assert [(hop.node.id, hop.several) for hop in trace.chain] == [
        ("subtask:e2", False),
        ("subtask:e1", False),
        ("subtask:e0", True),
        ("goal:session:s", True),
    ]
    assert trace.to_frame()["via_edge"].tolist() == ["produces", *["next"] * 3]
    assert [hop["via_edge"] for hop in trace.to_dict()["chain"]][1:] == ["next"] * 3
    assert str(trace).count("next (several steps)") == 2


def test_the_display_of_a_trace_begins_with_the_start_as_hop_0() -> None:
    """The frame does not; a call is named by its tool, not by its kind."""
    trace = _line_of_three().trace_provenance("e0")
    first, *rows = str(trace).splitlines()[2:]

    assert first.split()[:3] == ["0", "Code", "e0"]
    assert [row.split()[0] for row in rows] == ["1", "2"]
    assert "run_python" in rows[0]
    assert "execution" not in rows[0]
    assert trace.to_frame()["hop"].tolist() == [1, 2]
    assert trace.to_frame()["text"].tolist()[0] == "execution"


def test_the_help_of_a_trace_explains_each_of_its_columns() -> None:
    """All that a reader of the frame asks."""
    columns = _line_of_three().trace_provenance("e0").to_frame().columns
    assert [c for c in columns if f"``{c}``" not in Trace.__doc__] == []


@given(graphs())
def test_a_step_is_several_exactly_if_no_edge_leads_to_it(graph) -> None:
    """Looked up among the stored edges, for every start and every hop."""
    for node in graph.nodes():
        if node.public_id is None or len(graph.named(node.public_id)) > 1:
            continue
        chain = trace_provenance(graph, node.public_id).chain
        met = [entry for layer in chain.layers() for entry in layer]
        for hop, (here, via, origin) in zip(chain, met, strict=True):
            stored = [e.dst for e in graph.out(here.id, "next")]
            assert hop.several == (via == "next" and origin.id not in stored)


def test_the_outline_of_a_picture_says_it_in_both_languages() -> None:
    """The hop from a late step to the goal of the session."""
    mem = _line_of_three()
    trace = mem.trace_provenance("e2")

    assert "hop 2 · next (several steps) · " in mem.show(trace, lang="en").outline()
    assert "第 2 跳 · next（多步） · " in mem.show(trace, lang="zh").outline()
    near = mem.trace_provenance("e0")
    assert "hop 2 · next · " in mem.show(near, lang="en").outline()


def test_a_trace_says_how_each_step_went() -> None:
    """In the words it was recorded with; the last column, and on display."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    mem.observe_execution("e1", status="failed")
    mem.declare_artifact("fig.svg", artifact_id="fig", code_id="e1")
    trace = mem.trace_provenance("fig")
    frame = trace.to_frame()

    assert list(frame)[-1] == "status"
    by_id = dict(zip(frame["id"], frame["status"].fillna(""), strict=True))
    assert by_id == {"e1": "failed", "subtask:e1": "failed", "goal:session:s": ""}
    assert "failed" in str(trace)
    assert "status" not in trace.to_dict()["chain"][0]
