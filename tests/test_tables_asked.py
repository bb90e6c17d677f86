# SPDX-License-Identifier: Apache-2.0
"""Columns of answers have the types that the rule says, whatever is in them."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.tables import asked


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["a", None], "string"),
        ([1, None], "Int64"),
        ([2**53 + 1, -(2**63)], "Int64"),
        ([1, 2.5, None], "Float64"),
        ([True, None], "boolean"),
        ([True, 1], "object"),
        (["a", 1], "object"),
        ([[1], None], "object"),
        ([{"id": "x"}], "object"),
        ([None, None], "object"),
        ([], "object"),
    ],
)
def test_a_column_has_the_type_of_its_values(values, dtype):
    """Text, whole numbers, numbers, truth values; anything else stays as it is."""
    assert str(asked(["x"], [[v] for v in values]).dtypes["x"]) == dtype


@given(
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False))
)
def test_no_value_of_a_column_is_lost(values):
    """What went in comes out, and only a null is missing."""
    frame = asked(["x"], [[value] for value in values])
    assert [None if pd.isna(v) else v for v in frame["x"]] == values


def test_an_answer_without_rows_keeps_its_columns():
    """The names of the columns are there, in order."""
    assert list(asked(["b", "a"], []).columns) == ["b", "a"]
