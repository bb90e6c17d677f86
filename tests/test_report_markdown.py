# SPDX-License-Identifier: Apache-2.0
"""What of a Markdown report is text, and where a chip may stand in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.report.markdown import Block, blocks, is_read_whole


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks(text)]


def plain(block: Block) -> str:
    return "".join(piece.text for piece in block.pieces if piece.plain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One.\n\nTwo.", [("text", "One."), ("text", "Two.")]),
        ("Over\ntwo lines.", [("text", "Over\ntwo lines.")]),
        ("# One\n\nTwo\n---", [("heading", "One"), ("heading", "Two")]),
        ("- a\n  - b\n1. c", [("text", "a"), ("text", "b"), ("text", "c")]),
        ("> a\n>\n> b", [("text", "a"), ("text", "b")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("row", "a | b"), ("row", "1 | 2")]),
        ("```python\nx = 1\n```\n\n    y = 2\n\n---", []),
        ("*a* **b** ~~c~~ `d` [e](f)", [("text", "a b c d e")]),
        ("![a picture](x.png)", [("text", "")]),
        ("<p>Said <b>so</b>.</p>", [("text", "Said so.")]),
        ("<!-- not said -->", [("text", "")]),
        ("<style>\np {}\n</style>", [("text", "\n\n")]),
        ("&lt;b&gt; &amp; \\*", [("text", "<b> & *")]),
        ("企鹅的喙。\n\n体重。", [("text", "企鹅的喙。"), ("text", "体重。")]),
    ],
)
def test_a_text_becomes_blocks(text, expected):
    """Paragraphs, headings, items and rows; code and rules are none."""
    assert [
        (k, t.rstrip("\n") if "style" not in text else t) for k, t in shown(text)
    ] == [(k, t) for k, t in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", "a  c"),
        ("a [b *c*](d) e", "a  e"),
        ("a <https://b.org> c", "a  c"),
        ("a $b$ c $$d\ne$$ f", "a  c  f"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("costs $ 5 $ or", "costs $ 5 $ or"),
        ("a <i>b</i> c", "a b c"),
        ("a ![b](c) d", "a  d"),
        (r"a \[b\] c", "a [b] c"),
    ],
)
def test_code_links_pictures_and_formulas_are_no_place_for_a_chip(text, expected):
    """What is left is where one may stand."""
    assert [plain(block) for block in blocks(text)] == [expected]


def test_headings_make_the_section():
    """A heading of a level ends those of its level and below."""
    text = "# A\n\na\n\n## B\n\nb\n\n### C *c*\n\nc\n\n## D\n\nd\n\n# E\n\ne"

    assert [(b.text, b.section) for b in blocks(text) if b.kind == "text"] == [
        ("a", "A"),
        ("b", "A › B"),
        ("c", "A › B › C c"),
        ("d", "A › D"),
        ("e", "E"),
    ]


def test_raw_html_keeps_its_line():
    """A sentence between tags is found where it stands."""
    (block,) = blocks("\n<div class='x'>\n<!-- a\nb -->\nIt holds.\n</div>")
    before = block.text.split("It holds.", maxsplit=1)[0]

    assert block.line + before.count("\n") == 5


@given(st.lists(st.sampled_from(["One.", "# Two", "- three", "| a |", "<p>four</p>"])))
def test_every_block_begins_at_its_line(parts):
    """The line that is named holds the block's first words."""
    lines = "\n\n".join(parts).split("\n")

    for block in blocks("\n".join(lines)):
        first = block.text.strip().split("\n")[0].split(" ")[0]
        assert first in lines[block.line - 1]


@given(
    st.text(st.sampled_from("`*_[]()<>!$\\#-|\n >a1企&;:\x00\u202e~\"'"), max_size=80)
)
def test_any_text_is_read(text):
    """Whatever stands in a report, reading it raises nothing."""
    for block in blocks(text):
        assert block.kind in ("text", "heading", "row")
        assert block.text == "".join(piece.text for piece in block.pieces)


@pytest.mark.parametrize(
    "mark", ["[", "*a", "> ", "a`", "![", "- ", "<", "$", "**", "(", "[a](", "|"]
)
def test_a_report_made_to_be_slow_is_read(mark):
    """Twenty thousand openings without an end."""
    assert blocks(mark * 20_000 + "\n\nend")[-1].text == "end"


@given(st.integers(1, 60), st.sampled_from(["list", "quote"]))
def test_what_is_nested_is_read_or_said_to_be_left_out(depth, kind):
    if kind == "list":
        text = "".join(f"{'  ' * n}- item {n}\n" for n in range(depth))
        whole = len(blocks(text)) == depth
    else:
        text = "> " * 2 * depth + "deep"
        whole = [block.text for block in blocks(text)] == ["deep"]
    assert whole or not is_read_whole(text)
    assert whole or depth >= 49
