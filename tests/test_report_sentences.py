# SPDX-License-Identifier: Apache-2.0
"""Where the sentences of a report begin and end, and which chips each carries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.report.markdown import blocks
from smemkit.report.sentences import sentences


def cut(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(s.text, s.tokens) for s in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It holds [a1]. Wings do not [b1].", ["a1", "b1"]),
        ("It holds. [a1] Wings do not. [b1]", ["a1", "b1"]),
        ("It holds.[a1] Wings do not.[b1]", ["a1", "b1"]),
        ("It holds.[a1][a2] Wings do not.", ["a1 a2", ""]),
        ("It holds! [a1] Does it? [b1] Yes… [c1]", ["a1", "b1", "c1"]),
        ('He said "it holds." [a1] Wings [b1].', ["a1", "b1"]),
        ("It holds (Fig. 2). [a1] Wings do not.", ["a1", ""]),
        ("It holds. [a1].\nWings do not.", ["a1", ""]),
        ("三个岛[a1]。斜率为正[b1]。", ["a1", "b1"]),
        ("三个岛。[a1]斜率为正！[b1]真的吗？[c1]", ["a1", "b1", "c1"]),
        ("他说“成立。”[a1]斜率为正；[b1]完。", ["a1", "b1", ""]),
    ],
)
def test_a_chip_belongs_to_the_sentence_it_closes(text, expected):
    """Before the mark or behind it, with a space or without, English or Chinese."""
    assert [" ".join(tokens) for _, tokens in cut(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Gorman et al. found it [a1].",
        "See Fig. 2 and Tab. 3 for it [a1].",
        "A few taxa, e.g. Pygoscelis, differ [a1].",
        "It was 3.5 mm, i.e. More than before [a1].",
        "By K. B. Gorman in 2014 [a1].",
        "See p. 12 and no. 5 of it [a1].",
        "It lies in St. Petersburg [a1].",
        "It holds. [a1] shows that wings do not.",
        "It was found by e.g.[a1] Gorman.",
        "数据[甲。乙][a1]",
        "Look at `a. B` and $x. Y$ in it [a1].",
        "See [the text. It says so](https://x.org/a.b) there [a1].",
    ],
)
def test_what_ends_no_sentence_cuts_none(text):
    """Abbreviations, initials, numbers, code, links, formulas."""
    found = cut(text)

    assert len(found) == 1
    assert found[0][1][-1] == "a1"


def test_a_word_that_is_also_an_abbreviation_ends_a_sentence_before_another():
    """Nobody's answer 'no.' swallows the sentence behind it."""
    assert [t for t, _ in cut("The answer is no. Wings grow [a1].")] == [
        "The answer is no.",
        "Wings grow [a1].",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[evidence1] in text", ["evidence1"]),
        ("# A heading [evidence1]", ["evidence1"]),
        ("**[evidence1]** and *[artifact1]*", ["evidence1", "artifact1"]),
        ("- an item [evidence1]", ["evidence1"]),
        ("- [ ] a task [evidence1]", ["evidence1"]),
        ("> a quotation [evidence1]", ["evidence1"]),
        ("| a | b |\n|---|---|\n| x [evidence1] | y |", ["evidence1"]),
        ("[evidence1][artifact1]", ["evidence1", "artifact1"]),
        ("<b>[evidence1]</b>", ["evidence1"]),
        (r"\[evidence1\]", ["evidence1"]),
        ("Said.[^1]\n\n[^1]: Body [evidence1]", ["^1", "evidence1"]),
        ("Said.[^1]\n\n[^1]: [evidence1]", ["^1", "evidence1"]),
        ("<div>\nIt holds [evidence1].\n</div>", ["evidence1"]),
        ("`[evidence1]`", []),
        ("```\n[evidence1]\n```", []),
        ("    [evidence1]", []),
        ("$x[evidence1]$ and $$\ny[evidence2]\n$$", []),
        ("[evidence1](https://x.org)", []),
        ("[evidence1](see)", []),
        ("[evidence1] is a link\n\n[evidence1]: https://x.org", []),
        ("[text [evidence1] text](https://x.org)", []),
        ("![evidence1](x.png)", []),
        ("[ evidence1 ] [evidence1, artifact1]", []),
        ("[evi*den*ce1]", []),
        ("【evidence1】", []),
        ("<!-- [evidence1] -->", []),
        ("<script>\n[evidence1]\n</script>", []),
        ("[my_alias_1] and [数据1]", ["my_alias_1", "数据1"]),
        ("[" + "x" * 80 + "]", ["x" * 80]),
        ("[" + "x" * 81 + "]", []),
        ("[]", []),
    ],
)
def test_the_grammar_of_a_chip_is_the_one_the_app_draws(text, expected):
    """contract/views.md §2.1: what is a chip, and what only looks like one."""
    tokens = [token for _, found in cut(text) for token in found]

    assert list(dict.fromkeys(t for t in tokens if t != " ")) == expected


def test_doubled_brackets_are_no_chip_of_that_name():
    """The app reads `[[evidence1]` as one token, which no reference has."""
    assert cut("[[evidence1]]") == [("[[evidence1]]", ("[evidence1",))]


def test_each_sentence_knows_its_line_and_its_section():
    """So that an analyst finds it in the file."""
    text = (
        "# Birds\n\nBills grow.\nWings\ndo not. Tails do.\n\n## Mass\n\n- one\n- two\n"
    )

    assert [(s.text, s.line, s.section, s.kind) for s in sentences(text)] == [
        ("Birds", 1, "", "heading"),
        ("Bills grow.", 3, "Birds", "text"),
        ("Wings do not.", 4, "Birds", "text"),
        ("Tails do.", 5, "Birds", "text"),
        ("Mass", 7, "Birds", "heading"),
        ("one", 9, "Birds › Mass", "text"),
        ("two", 10, "Birds › Mass", "text"),
    ]


@given(st.text(st.sampled_from("aB. [1]x!?。；\n\t(\"'”)`$*\\<>#|-é企"), max_size=120))
def test_no_text_is_lost_or_told_twice(text):
    """The sentences of a block, in a row, are the block, apart from white space."""
    said = "".join("".join(s.text.split()) for s in sentences(text))
    whole = "".join("".join(block.text.split()) for block in blocks(text))

    assert said == whole


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    """Whatever it is, it is cut without an error, and every line is one of the text."""
    lines = text.count("\n") + text.count("\r") + 1

    assert all(1 <= s.line <= lines for s in sentences(text))


@pytest.mark.parametrize(
    ("piece", "per_piece"),
    [
        ("Bills grow [evidence1]. ", 1),
        ("See `a. B` there. ", 1),
        ("三个岛。[e1]", 1),
        ("[a] ", 0),
        ("[x", 0),
        ("..", 0),
        (". \t", 0),
    ],
)
def test_a_paragraph_of_any_length_is_cut(piece, per_piece):
    """In one pass: a look at all of it for each sentence would not end today."""
    count = 20_000
    found = sentences(piece * count)

    assert len(found) == count if per_piece else found
    assert len({s.tokens for s in found[1:-1]}) <= 1
