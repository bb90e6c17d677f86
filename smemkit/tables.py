# SPDX-License-Identifier: Apache-2.0
"""Frames: the same columns and types whatever the memory holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from smemkit import instants

if TYPE_CHECKING:
    import pandas as pd

DTYPES = {
    "string": "string",
    "Int64": "Int64",
    "Float64": "Float64",
    "boolean": "boolean",
    "bool": "boolean",
    "datetime": "datetime64[ns, UTC]",
    "object": "object",
}


def frame(columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> pd.DataFrame:
    """Return rows as a frame with fixed columns and dtypes, also when empty.

    Parameters
    ----------
    columns : Mapping
        Column name -> one of the words of `DTYPES`.
    rows : iterable of sequences
        One value per column; None where there is none.

    Examples
    --------
    >>> frame({"id": "string", "made": "datetime"}, []).dtypes["made"]
    datetime64[ns, UTC]
    """
    import pandas as pd

    listed = list(rows)
    made: dict[str, pd.Series] = {}
    for place, (name, word) in enumerate(columns.items()):
        values = [row[place] for row in listed]
        if word == "datetime":
            moments = [instants.parse(value) for value in values]
            made[name] = pd.Series(
                pd.to_datetime(moments, utc=True, errors="coerce"), dtype=DTYPES[word]
            )
        else:
            made[name] = pd.Series(values, dtype=DTYPES[word])
    return pd.DataFrame(made, columns=list(columns))
