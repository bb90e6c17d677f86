# SPDX-License-Identifier: Apache-2.0
"""What displays itself shows any text literally, once, and runs none of it."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit import display

HOSTILE = (
    "</td></table></script><script>alert(1)</script>",
    "<img src=x onerror='alert(1)'>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "&lt;b&gt; &amp;amp; &#x3c;script&#x3e;",
    "<!-- --> ]]> <![CDATA[ <?php",
    "{{7*7}} {% raw %} ${7*7} %s {0}",
    "</bdi></details><style>*{display:none}</style>",
    "$x$ \\(y\\) `z`",
)
ACTING = "\x00\x07\x1b[31m\x7f\x85\u200b\u200e\u202e\u2028\u2029\u2067\ufeff\U000e0041"
TAGS = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "bdi", "b"}
TAGS |= {"details", "summary", "ul", "li"}
ANY = st.text(st.characters(), max_size=40)  # lone surrogates too


class Page(HTMLParser):
    """What a browser would make of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.others: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def renderings(text: str) -> list[tuple[str, int]]:
    """Return every kind of HTML with a text in all its places, and how many they are."""
    audit = display.audit_table(text, [(1, text, text, text, [text, text])], [text])
    return [
        (display.table(text, [text], [[text]], text), 4),
        (display.sections(text, text, [(text, [text], [[text]])]), 5),
        (audit, 7),
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_once_in_each_place(text):
    """A parser sees the characters, and no tag but ours."""
    for html, places in renderings(text):
        page = Page(html)
        assert set(page.tags) <= TAGS
        assert {name for name, _ in page.attributes} <= {
            "style",
            "scope",
            "title",
            "open",
        }
        assert [each.strip() for each in page.texts].count(text) == places
        assert page.others == []


@given(ANY)
def test_any_text_is_only_text(text):
    """Nothing of it becomes a tag, an attribute or a comment; nothing is lost."""
    for html, places in renderings(text):
        page = Page(html)
        assert set(page.tags) <= TAGS
        assert {name for name, _ in page.attributes} <= {
            "style",
            "scope",
            "title",
            "open",
        }
        assert page.others == []
        if text.strip():
            assert sum(display.plain(text) in each for each in page.texts) >= places


@given(ANY | st.text(st.sampled_from(ACTING)))
def test_no_character_acts_on_what_is_around_it(text):
    """Control characters, directions and separators are drawn, on a terminal too."""
    acting = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    shown = [display.plain(text), display.text_table(text, [text], [[text]], text)]
    shown += [html for html, _ in renderings(text)]

    for each in shown:
        found = {c for c in each if unicodedata.category(c) in acting} - {"\n", "\t"}
        assert not found
        each.encode()
    assert "\n" not in display.line(text)


@given(ANY)
def test_a_text_without_such_characters_is_left_alone(text):
    """Chinese, emoji, accents are what they are."""
    if text.isprintable():
        assert display.plain(text) == text
    assert display.plain("企鹅 é ä 🐧 العربية") == "企鹅 é ä 🐧 العربية"


def test_different_characters_are_drawn_differently():
    """Else two names could look the same."""
    assert len({display.plain(c) for c in ACTING}) == len(set(ACTING))
    assert display.plain("\x00\x1b\x7f\u202e") == "␀␛⟨U+007F⟩⟨U+202E⟩"


def test_a_long_cell_is_cut_and_its_whole_text_is_the_tooltip():
    """A sentence, a reason, a title and a note are never cut."""
    long = "<企>" * 400
    page = Page(display.table("t", ["c"], [[long], ["short"]]))

    assert long[: display.CLIP - 1] + "…" in page.texts
    assert [value for name, value in page.attributes if name == "title"] == [long]
    assert (
        display.audit_table("s", [(1, "m", "w", long, [long])], [long]).count(
            "&lt;企&gt;"
        )
        == 1200
    )
    sly = '" onfocus="alert(1)' * 20
    assert ("title", sly) in Page(display.table("t", ["c"], [[sly]])).attributes
    huge = Page(display.table("t", ["c"], [["x" * 10**6]]))
    assert len(dict(huge.attributes)["title"] or "") == display.TOOLTIP


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("企鹅", 4),
        ("企a鹅", 5),
        ("ｆｕｌｌ", 8),
        ("e\u0301", 1),
        ("한글", 4),
        ("…", 1),
    ],
)
def test_chinese_characters_take_two_columns(text, columns):
    """Wide and full-width ones; combining ones none."""
    assert display.width(text) == columns


@given(
    st.lists(st.tuples(st.text("ab企鹅é…"), st.text("x三 ")), min_size=1, max_size=5)
)
def test_columns_stand_below_each_other(rows):
    """Whatever the widths, the second column begins at the same place."""
    marked = [(first, f"|{second}") for first, second in rows]
    lines = display.text_table("t", ["a", "|b"], marked).split("\n")[1:]

    places = {display.width(each.partition("|")[0]) for each in lines}
    assert len(places) == 1
    assert len(lines) == len(rows) + 1


def test_a_table_without_rows_says_none():
    """Not an empty box."""
    assert "none" in Page(display.table("t", ["a", "b"], [])).texts


def test_what_does_not_hold_is_unfolded():
    """What holds is folded; a sentence without reasons has nothing to unfold."""
    html = display.audit_table("s", [(1, "x", "broken", "a", ["r"])], [])
    assert "<details open" in html
    html = display.audit_table("s", [(1, "x", "complete", "a", ["r", "q"])], [])
    assert "<details open" not in html
    assert "2 reasons" in html
    assert "details" not in display.audit_table("s", [(1, "x", "uncited", "a", [])], [])
