# SPDX-License-Identifier: Apache-2.0
"""Captions are short, in lines that fit, and literally what the memory says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from PIL import ImageFont

from smemkit.display import width
from smemkit.views.captions import WIDTH, caption, wrap


@given(st.text(max_size=200), st.integers(4, 40), st.integers(1, 4))
def test_no_line_is_wider_than_asked_and_no_more_lines_than_asked(text, room, lines):
    made = wrap(text, room, lines)
    assert 1 <= len(made) <= lines
    assert all(width(line) <= room for line in made)


@given(st.lists(st.text("abcdefg", min_size=1, max_size=9), min_size=1, max_size=12))
def test_what_fits_is_kept_word_by_word(words):
    text = " ".join(words)
    assert " ".join(wrap(text, 200, 3)) == text
    assert " ".join(wrap(text, 10, 40)).split() == words


@given(st.text("ab ", max_size=60))
def test_what_does_not_fit_ends_in_an_ellipsis(text):
    made = wrap(text, 6, 2)
    whole = " ".join(text.split())
    shown = " ".join(made)
    assert (
        shown == whole
        or shown.endswith("…")
        or shown.replace(" ", "") == (whole.replace(" ", ""))
    )


@pytest.mark.parametrize("letter", ["W", "M", "@", "%", "m", "w", "n", "企"])
def test_a_line_of_wide_letters_needs_no_more_room_than_one_of_narrow_ones(letter):
    """An unbroken word of the widest letter, drawn in the page's kind of font."""
    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans"), 20)
    for line in wrap(letter * 60):
        assert font.getlength(line) <= 1.4 * font.getlength("n" * WIDTH)


def test_chinese_is_broken_between_characters():
    assert wrap("企鹅的体重", 4, 3) == ("企鹅", "的体", "重")


@pytest.mark.parametrize(
    ("label", "props", "expected"),
    [
        ("Artifact", {"artifact_id": "f", "version": 3, "path": "a/b.csv"}, "b.csv v3"),
        ("Artifact", {"artifact_id": "f", "version": 1, "path": "a\\b.csv"}, "b.csv v1"),
        ("ToolCall", {"task_id": "t", "tool_name": "run_shell"}, "run_shell"),
        ("Evidence", {"evidence_id": "e", "content": "Mass differs."}, "Mass differs."),
        ("Paper", {"link": "https://doi.org/10.1/x", "title": " "}, "https://doi.org/10.1/x"),
        ("Odd", {"title": "A title"}, "A title"),
        ("Odd", {}, "Odd"),
        ("", {}, "node"),
    ],
)  # fmt: skip
def test_a_caption_is_the_name_a_person_would_use(label, props, expected):
    assert caption(label, props) == expected


def test_a_caption_shows_control_characters_and_overrides():
    shown = caption("Claim", {"content": "safe\u202egnp.exe\x07"})
    assert "\u202e" not in shown
    assert "\x07" not in shown
