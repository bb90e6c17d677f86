# SPDX-License-Identifier: Apache-2.0
"""Layers of any memory: every node once, nothing overlaps, no line crosses a card."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemkit.reading.trace import trace_provenance
from smemkit.views.figure import plans
from smemkit.views.figure.figure import figure
from smemkit.views.figure.font import pen
from smemkit.views.figure.font import settings as as_drawn
from smemkit.views.figure.layered import Grid, layered
from smemkit.views.scene import Arrow, Box, Scene
from smemkit.views.strings import strings
from tests.drawn import estimated, faults, lines_through_cards
from tests.strategies import graphs


@given(graphs(max_nodes=16, max_edges=40), st.integers(1, 9), st.integers(0, 99))
def test_a_trace_and_its_figure_hold_the_same_nodes(graph, hops, pick):
    """Each node of a trace has one card, on any memory, and the proof counts them."""
    starts = sorted({n.public_id for n in graph.nodes() if n.public_id})
    if not starts:
        return
    trace = trace_provenance(graph, starts[pick % len(starts)], max_hops=hops)
    made = figure(trace, graph, lang="en")
    plan = plans.plan(trace, graph)
    shown = {card.key for card in made.drawing.cards()} - {"stop"}
    assert shown == {box.key for box in plan.scene.boxes}
    assert len(made.drawing.cards()) == len(shown) + (not trace.reached)
    ids = sorted(str(box.id) for box in plan.scene.boxes)
    assert ids == sorted(str(view.id) for view in trace.nodes)
    assert made.proof.nodes == len(trace.nodes)
    assert faults(made.drawing, estimated(made.drawing)) == []
    assert lines_through_cards(made.drawing) == []


@st.composite
def scenes(draw):
    layers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=14))
    boxes = [
        Box(
            f"b{n}.{k}",
            "Claim",
            f"{n}.{k}",
            caption=draw(st.text(max_size=60)),
            layer=n,
        )
        for n, count in enumerate(layers)
        for k in range(count)
    ]
    ends = st.sampled_from([box.key for box in boxes])
    kinds = st.sampled_from(["next", "supports", "odd"])
    arrows = draw(
        st.lists(
            st.builds(Arrow, ends, ends, kinds, st.booleans(), st.booleans()),
            max_size=30,
        )
    )
    return Scene("t", "", "", tuple(boxes), tuple(arrows), None, len(boxes))


@settings(max_examples=40)
@given(scenes(), st.sampled_from([80.0, 170.0, 300.0]))
def test_lines_pass_between_cards_over_any_number_of_layers(scene, width):
    """Also where columns go on in a new row, and lines leap over several."""
    with as_drawn():
        drawing, _ = layered(scene, width, pen(), strings("en"))
    assert {card.key for card in drawing.cards()} == {box.key for box in scene.boxes}
    assert lines_through_cards(drawing) == []
    assert faults(drawing, estimated(drawing)) == []


@pytest.mark.parametrize("width", [80.0, 170.0, 600.0])
@pytest.mark.parametrize("columns", [1, 2, 5, 9, 10, 40])
def test_a_grid_holds_each_column_once_and_fits_the_sheet(width, columns):
    """For few columns and many, narrow sheets and wide."""
    grid = Grid.of(width, columns)
    assert [n for band in grid.bands for n in band] == list(range(columns))
    longest = max(map(len, grid.bands))
    assert longest * grid.card + (longest - 1) * grid.gutter <= width
