# SPDX-License-Identifier: Apache-2.0
"""A report as HTML: chips by the contract's grammar, sentences as the audit cuts them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.display import plain
from smemkit.report.markdown import blocks
from smemkit.report.markdown_html import html_of, safe
from smemkit.report.sentences import sentences
from tests.hostile import HOSTILE

KNOWN = frozenset({"evidence1", "artifact1"})
VOID = frozenset({"hr", "br"})


class Dress:
    """Chips as ⟦alias⟧, marks as ⟨n⟩, pictures as their words."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def number(self, part):
        self.said.append(part.sentence.text)
        return len(self.said)

    def mark(self, number):
        return f"⟨{number}⟩"

    def chip(self, alias):
        return f"⟦{alias}⟧" if alias in KNOWN else None

    def picture(self, source, words):
        return f"▣{safe(words)}▣"


class Reader(HTMLParser):
    """The text of a page, and whether its tags are nested as they should be."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(html_of(text, Dress()))
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        ("It is [evidence1].", ["evidence1"]),
        ("# On [evidence1]", ["evidence1"]),
        ("| a | b |\n|---|---|\n| 1 | [evidence1] |", ["evidence1"]),
        ("**[evidence1]** *[artifact1]*", ["evidence1", "artifact1"]),
        ("- so [evidence1]\n- [ ] do [artifact1]", ["evidence1", "artifact1"]),
        ("Text.[^1]\n\n[^1]: [evidence1]", ["evidence1"]),
        ("> said [evidence1]", ["evidence1"]),
        ("[evidence1][artifact1]", ["evidence1", "artifact1"]),
        (r"\[evidence1\]", ["evidence1"]),
        ("<b>[evidence1]</b>", ["evidence1"]),
        ("<div>\nIt is [evidence1].\n</div>", ["evidence1"]),
        ("`[evidence1]`", []),
        ("```\n[evidence1]\n```", []),
        ("    [evidence1]", []),
        ("so $x[evidence1]$ is", []),
        ("[evidence1](https://a.org)", []),
        ("[evidence1](see)", []),
        ("[evidence1]\n\n[evidence1]: https://a.org", []),
        ("[text [evidence1] text](https://a.org)", []),
        ("![evidence1](x.png)", []),
        ("[Evidence1]", []),
        ("[ evidence1 ]", []),
        ("[evidence1, artifact1]", []),
        ("[[evidence1]]", []),
        ("【evidence1】", []),
        ("[evi*den*ce1]", []),
        ("[evi<!-- -->dence1]", []),
        ("[evidence9]", []),
        ("[__proto__] [constructor]", []),
    ],
)
def test_a_chip_stands_where_the_contract_says(text, chips):
    assert re.findall("⟦(.*?)⟧", html_of(text, Dress())) == chips


def test_raw_html_is_shown_as_it_was_written_and_makes_no_element():
    text = "<script>alert(1)</script>\n\nSo <img src=x onerror=alert(1)> it is.\n\n<p>a</p>"
    found = read(text)
    assert found.tags == {"p", "span"}
    assert found.attributes <= {"class", "data-n"}
    for written in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<p>"):
        assert written in found.text


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/x",
     "vbscript:x", "//a.org/x", "figures/a.png", "#here", "java&#10;script:alert(1)"],
)  # fmt: skip
def test_only_addresses_of_the_web_and_mail_can_be_opened(address):
    assert "href" not in html_of(f"[words]({address}) and <{address}>", Dress())


def test_a_link_of_the_web_opens_apart_and_tells_nothing_of_this_page():
    made = html_of("[a](https://a.org/?q=%22x)", Dress())
    assert (
        '<a href="https://a.org/?q=%22x" target="_blank" rel="noopener noreferrer">'
        in made
    )


def test_a_mark_stands_behind_each_sentence_and_in_no_link():
    made = html_of("It **is. So** yes [evidence1]. No [l.](https://a.org)", Dress())
    text = re.sub("<.*?>", "", made)
    assert text == "It is.⟨1⟩ So yes ⟦evidence1⟧.⟨2⟩ No l.⟨3⟩\n"
    assert "</a>⟨3⟩" in made


def test_a_row_of_a_table_has_one_mark_in_its_last_cell():
    made = html_of("| a | b |\n|:--|--:|\n| One. Two | [evidence1] |", Dress())
    assert made.count("⟨2⟩") == 1
    assert re.search(r'<td style="text-align:right">⟦evidence1⟧⟨2⟩</td>', made)


_MARKDOWN = st.lists(
    st.sampled_from(
        ["It is. ", "So ", "[evidence1]", "[x]", "**", "*", "`", "$a$", "\n", "\n\n", "# ",
         "- ", "> ", "| a | b |\n|---|---|\n| c. D | e |\n", "<b>", "</b>", "<!-- c -->",
         "[l](https://a.org)", "![p](q.png)", "\\[", "企鹅。", "```\n", "&lt;", "  \n", "<div>\n"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(_MARKDOWN)
def test_the_sentences_are_those_of_the_audit_and_nothing_said_is_lost(text):
    dress = Dress()
    reader = Reader()
    reader.feed(html_of(text, dress))
    reader.close()
    assert reader.open == []
    assert dress.said == [s.text for s in sentences(text)]
    assert [int(n) for n in re.findall("⟨(\\d+)⟩", reader.text)] == list(
        range(1, len(dress.said) + 1)
    )
    said = "".join(block.text for block in blocks(text)).replace(" | ", "")
    shown = re.sub("⟨\\d+⟩|▣.*?▣", "", reader.text).replace("⟦", "[").replace("⟧", "]")
    rest = iter("".join(shown.split()))
    assert all(character in rest for character in "".join(plain(said).split()))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_makes_nothing(text):
    found = read(f"a {text} b\n\n[{text}](x) ![{text}](y)\n\n# {text}")
    assert found.tags <= {"p", "span", "h1", "a", "em", "strong", "code"}
    assert not found.attributes - {"class", "data-n", "title"}
    assert "\u202e" not in found.text
    assert "\x00" not in found.text


@pytest.mark.parametrize(
    "mark", ["[", "*a", "> ", "a`", "[evidence1]", "a. ", "<b>", "| ", "[a](b)", "![a](b)"]
)  # fmt: skip
def test_a_report_made_to_be_slow_is_written(mark):
    text = mark * 10_000 + "\n\nend"
    dress = Dress()
    assert ">end</span>⟨" in html_of(text, dress)
    assert dress.said == [s.text for s in sentences(text)]
