# SPDX-License-Identifier: Apache-2.0
"""Words are told from strings, comments and quotes, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.cypher.tokens import changed, matched, tokens
from smemkit.errors import BadRequest

INSIDE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\\'\"`*\n\r")
)


@given(INSIDE, st.sampled_from(["'{}'", '"{}"', "`{}`", "/*{}*/", "//{}\n"]))
def test_what_is_quoted_is_one_word_or_none(inside, form):
    """No keyword, bracket or sign of a string, quote or comment counts."""
    found = tokens("RETURN " + form.format(inside) + " AS x")
    words = [token.text for token in found]
    expected = [] if form[0] == "/" else [form.format(inside)]
    assert words == ["RETURN", *expected, "AS", "x"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1..3]", ["[", "1", "..", "3", "]"]),
        ("*1..20", ["*", "1", "..", "20"]),
        ("1.5e-3+.5", ["1.5e-3", "+", ".5"]),
        ("a<>b<=c", ["a", "<>", "b", "<=", "c"]),
        (
            "(a)<-[:x]-(b)",
            ["(", "a", ")", "<", "-", "[", ":", "x", "]", "-", "(", "b", ")"],
        ),
        (r"'it\'s' + \"q\"".replace(r"\"", '"'), [r"'it\'s'", "+", '"q"']),
        ("`a``b`.x", ["`a``b`", ".", "x"]),
        ("$p + $`a b`", ["$p", "+", "$`a b`"]),
        ("n.größe", ["n", ".", "größe"]),
    ],
)
def test_words_are_cut_where_cypher_cuts_them(text, words):
    """A few texts whose words are known."""
    assert [token.text for token in tokens(text)] == words


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 'a",
        'RETURN "a',
        "RETURN `a",
        "RETURN /* a",
        "RETURN (1",
        "RETURN 1)",
        "(]",
        "a ? b",
        "a # b",
    ],
)
def test_what_has_no_end_is_refused(text):
    """An open string, quote, comment or bracket, or a sign Cypher lacks."""
    with pytest.raises(BadRequest):
        tokens(text)


@pytest.mark.parametrize("text", [r"RETURN '\u0027'", r"MATCH (n:`\u0041`) RETURN n"])
def test_a_unicode_escape_is_refused(text):
    """The server would read it before it looks for the ends of strings."""
    with pytest.raises(BadRequest, match="unicode escape"):
        tokens(text)


def test_each_bracket_knows_the_one_it_belongs_to():
    """Both ways, also when they nest."""
    found = tokens("({[]})()")
    assert matched(found) == {0: 5, 5: 0, 1: 4, 4: 1, 2: 3, 3: 2, 6: 7, 7: 6}


def test_insertions_at_one_place_keep_their_order():
    """Two texts put in at the same place come in the order of the list."""
    assert changed("ab", [(1, 1, "x"), (1, 1, "y"), (0, 1, "A")]) == "Axyb"
