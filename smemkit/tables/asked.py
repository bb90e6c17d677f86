# SPDX-License-Identifier: Apache-2.0
"""The table that answers a Cypher question: one fixed rule for the types of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from smemkit.tables.frames import frame

if TYPE_CHECKING:
    import pandas as pd


def asked(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Return the columns and rows of an answer as a frame.

    A column of texts is ``string``, of truth values ``boolean``, of whole numbers
    ``Int64``, of numbers ``Float64``; a null is a missing value. A column of
    anything else (lists, nodes, several kinds), or of nulls alone, is ``object``.

    Examples
    --------
    >>> asked(["who", "n"], [["a", 1], [None, 2.5]]).dtypes.astype(str).to_dict()
    {'who': 'string', 'n': 'Float64'}
    """
    words = {name: _word([row[i] for row in rows]) for i, name in enumerate(columns)}
    return frame(words, rows)


def _word(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "object"
    for kind, word in ((str, "string"), (bool, "boolean"), (int, "Int64")):
        if kinds == {kind}:
            return word
    return "Float64" if kinds <= {int, float} else "object"
