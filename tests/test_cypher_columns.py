# SPDX-License-Identifier: Apache-2.0
"""Columns are named as the question names them."""

from __future__ import annotations

import pytest

from smemkit.cypher.columns import columns
from smemkit.cypher.questions import question


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("RETURN 1", ["1"]),
        ("RETURN n", ["n"]),
        ("RETURN DISTINCT n.x AS y, n.z", ["y", "n.z"]),
        (
            "RETURN count( * ), [1, 2][0], {a: 1, b: 2}",
            ["count( * )", "[1, 2][0]", "{a: 1, b: 2}"],
        ),
        ("RETURN `a b`, x AS `c``d`", ["a b", "c`d"]),
        ("RETURN a ORDER BY a.x, a.y SKIP 1 LIMIT 2", ["a"]),
        ("RETURN a AS x UNION RETURN b AS x", ["x"]),
        ("RETURN EXISTS { MATCH (n) RETURN n } AS e, 2", ["e", "2"]),
        ("RETURN $p", ["$p"]),
        ("RETURN *", None),
        ("MATCH (n) RETURN DISTINCT *", None),
    ],
)
def test_a_column_is_named_as_the_question_names_it(text, names):
    """By its alias, by its variable, else by its own text."""
    assert columns(question(text, {"p": 1})) == names
