# SPDX-License-Identifier: Apache-2.0
"""Places: ranks follow the arrows, cycles end, long chains go on below."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smemkit.views import layout
from smemkit.views.scene import Arrow, Box, Scene


def scene(count: int, pairs: list[tuple[int, int]], kind: str = "produces") -> Scene:
    boxes = tuple(Box(f"b{n}", "Code", f"c{n}") for n in range(count))
    arrows = tuple(Arrow(f"b{a}", f"b{b}", kind) for a, b in pairs)
    return Scene("t", "", "", boxes, arrows, None, count)


@st.composite
def acyclic(draw):
    count = draw(st.integers(1, 30))
    ends = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=60))
    return scene(count, [(min(p), max(p)) for p in pairs if p[0] != p[1]])


@given(acyclic())
def test_without_cycles_every_arrow_leads_to_a_higher_rank(drawn):
    ranks = {box.key: box.layer for box in layout.ranked(drawn).boxes}
    assert all(ranks[a.source] < ranks[a.target] for a in drawn.arrows)
    assert min(ranks.values()) == 0


@given(st.integers(1, 25), st.data())
def test_cycles_end_and_every_box_has_a_place_of_its_own(count, data):
    ends = st.integers(0, count - 1)
    pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=50))
    placed = layout.in_rows(layout.ranked(scene(count, pairs)))
    assert len({(box.x, box.y) for box in placed.boxes}) == count


def test_an_old_version_stands_left_of_the_new_one():
    placed = layout.in_rows(layout.ranked(scene(2, [(1, 0)], "supersedes")))
    x = {box.key: box.x for box in placed.boxes}
    assert x["b0"] < x["b1"]  # b1 supersedes b0


def test_a_long_chain_goes_on_below_in_rows_of_equal_length():
    count = 2 * layout.ROW + 2
    pairs = [(n, n + 1) for n in range(count - 1)]
    placed = layout.in_rows(layout.ranked(scene(count, pairs)))
    rows: dict[float, int] = {}
    for box in placed.boxes:
        rows[box.y] = rows.get(box.y, 0) + 1
    assert len(rows) == 3
    assert max(rows.values()) <= layout.ROW
    assert max(rows.values()) - min(rows.values()) <= 1


def test_a_full_column_goes_on_in_the_next_one():
    boxes = tuple(Box(f"b{n}", "Paper", layer=1) for n in range(layout.COLUMN + 1))
    wide = Scene("t", "", "", (Box("s", "Code"), *boxes), (), None, len(boxes) + 1)
    placed = layout.by_layer(wide)
    assert len({box.x for box in placed.boxes}) == 3


def test_a_line_of_thousands_of_steps_is_ranked_without_recursion():
    count = 5_000
    ranks = layout.ranked(scene(count, [(n, n + 1) for n in range(count - 1)]))
    assert [box.layer for box in ranks.boxes] == list(range(count))
