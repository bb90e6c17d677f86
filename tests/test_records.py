# SPDX-License-Identifier: Apache-2.0
"""What a record may hold, and how it is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from smemkit import records
from smemkit.errors import InvalidRecord
from smemkit.records import Batch, Edge, Node, check_names, check_props
from tests.strategies import PROPS


@given(PROPS)
def test_every_flat_property_passes(props: dict[str, records.Value]) -> None:
    """Scalars and flat lists of one type are what a memory holds."""
    check_props("Claim 'c'", props, {})


REFUSED = [
    (None, "NoneType"),
    ({"a": 1}, "dict"),
    ([["a"]], "list"),
    ([None], "NoneType"),
    ([1, "a"], "mixed types int, str"),
    ([True, 1], "mixed types bool, int"),
    (b"x", "bytes"),
    (1j, "complex"),
    (math.nan, "not a finite number"),
    (math.inf, "not a finite number"),
    (2**63, "64 bits"),
    (-(2**63) - 1, "64 bits"),
    ("\ud800", "lone surrogate"),
    ("x" * (records.MAX_TEXT_BYTES + 1), "1,048,577 bytes"),
    ("é" * (records.MAX_TEXT_BYTES // 2 + 1), "bytes"),
    (list(range(10_001)), "10001 values"),
]


@pytest.mark.parametrize(("value", "found"), REFUSED)
def test_what_no_store_holds_is_refused_by_name(value: object, found: str) -> None:
    """The message names the owner, the property and what is wrong."""
    with pytest.raises(InvalidRecord, match=r"Claim 'c', property 'odd'") as caught:
        check_props("Claim 'c'", {"odd": value}, {})

    assert found in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_text_of_the_greatest_length_passes() -> None:
    """The bound is on UTF-8 bytes, and itself allowed."""
    check_props("Claim 'c'", {"content": "x" * records.MAX_TEXT_BYTES}, {})


def test_an_odd_value_that_was_there_before_survives_an_update() -> None:
    """NaN written by another program is kept, and refused only when new."""
    known = {"score": math.nan, "deep": [[1]]}

    check_props("SearchRun 'r'", {**known, "status": "done"}, known)

    with pytest.raises(InvalidRecord):
        check_props("SearchRun 'r'", {"score": float("nan")}, known)


@pytest.mark.parametrize("name", ["", "\x00", "a\x00b", "\ud800"])
def test_a_property_needs_a_name_that_can_be_written(name: str) -> None:
    """Empty, with a NUL or not UTF-8: refused."""
    with pytest.raises(InvalidRecord):
        check_props("Claim 'c'", {name: 1}, {})


@pytest.mark.parametrize("name", ["", "a b", "a`b", "a-b", "1a", "a" * 101, "a\n"])
def test_a_label_or_edge_type_is_a_word(name: str) -> None:
    """So that no store has to quote it."""
    with pytest.raises(InvalidRecord, match="not a word"):
        check_names([name], "label")


def test_unknown_labels_that_are_words_pass() -> None:
    """Labels outside the schema are kept, in any script."""
    check_names(["Odd", "结论", "search_cell_2"], "label")


def test_a_record_cannot_be_changed() -> None:
    """Frozen and slotted: neither assignment nor new attributes."""
    node, edge = Node("n1", ("Code",), {}), Edge("r1", "next", "n1", "n1")

    with pytest.raises(AttributeError):
        node.id = "n2"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        edge.dst = "n2"  # type: ignore[misc]
    assert not hasattr(node, "__dict__")


def test_a_blank_node_has_no_label_no_id_and_no_session() -> None:
    """The app makes such nodes; they are read and kept."""
    node = Node("n47", (), {})

    assert (node.label, node.public_id, node.session_id) == ("", None, None)


def test_an_older_label_reads_as_its_successor_and_stays_stored() -> None:
    """SubTask reads as ToolCall; what is written back is SubTask."""
    node = Node("n7", ("SubTask",), {"task_id": "subtask:o1"})

    assert (node.label, node.labels, node.public_id) == (
        "ToolCall",
        ("SubTask",),
        "subtask:o1",
    )


def test_the_length_of_a_batch_counts_every_record() -> None:
    """An empty batch is false: nothing is to be written."""
    assert not Batch()
    assert len(Batch(dropped_nodes=("n1",), dropped_edges=("r1", "r2"))) == 3
