# SPDX-License-Identifier: Apache-2.0
"""Sentences of a report, and which chips each of them carries.

A chip behind a full stop belongs to the sentence before it. Nothing is cut
inside code, links or formulas, after an abbreviation, an initial, a number, or
before a lower-case letter. Chinese and English marks end a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from smemkit.report.markdown import Block, blocks

TOKEN = re.compile(r"\[([^\]\s\[]{1,80})\]")
"""The grammar of a chip (contract/views.md §2.1)."""

ABBREVIATIONS = frozenset(
    {
        "al",
        "approx",
        "ca",
        "cf",
        "ch",
        "chap",
        "dr",
        "e.g",
        "ed",
        "eds",
        "eq",
        "eqs",
        "est",
        "etc",
        "fig",
        "figs",
        "i.e",
        "inc",
        "jr",
        "mr",
        "mrs",
        "ms",
        "nr",
        "no",
        "op",
        "p",
        "par",
        "pp",
        "prof",
        "ref",
        "refs",
        "resp",
        "sec",
        "sp",
        "spp",
        "sr",
        "st",
        "subsp",
        "suppl",
        "tab",
        "var",
        "viz",
        "vol",
        "vs",
    }
)
"""Words whose full stop ends no sentence."""

_END = re.compile(r"[.!?…]+[\"'”’)\]»]*(?=\s)|[。！？；]+[”’」』）]*")
_CHIPS = re.compile(r"(?:\s*\[[^\]\s\[]{1,80}\])+[.。]?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a report.

    Attributes
    ----------
    text : str
        As it is read, chips included, on one line.
    tokens : tuple of str
        What stands in brackets where a chip may stand, in order, each once.
    line : int
        Where it begins, from 1.
    section : str
        The headings it stands under.
    kind : str
        ``text``, ``heading`` or ``row``.
    """

    text: str
    tokens: tuple[str, ...]
    line: int
    section: str
    kind: str = "text"


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a Markdown text, in order.

    Headings and the rows of tables are sentences of their own kind.

    Examples
    --------
    >>> [s.text for s in sentences("Bills grow (Fig. 2). [evidence1] Wings do not.")]
    ['Bills grow (Fig. 2). [evidence1]', 'Wings do not.']
    >>> sentences("It holds [evidence1], `[evidence2]` not.")[0].tokens
    ('evidence1',)
    """
    return [sentence for block in blocks(text) for sentence in _of(block)]


def _of(block: Block) -> Iterator[Sentence]:
    whole = block.text
    chips = list(_tokens(block))
    start = 0
    for end in (
        [*_ends(block, chips), len(whole)] if block.kind == "text" else [len(whole)]
    ):
        part = whole[start:end]
        shown = " ".join(part.split())
        if shown:
            line = block.line + whole.count(
                "\n", 0, start + len(part) - len(part.lstrip())
            )
            found = dict.fromkeys(alias for at, alias in chips if start <= at < end)
            yield Sentence(shown, tuple(found), line, block.section, block.kind)
        start = end


def _tokens(block: Block) -> Iterator[tuple[int, str]]:
    at = 0
    for piece in block.pieces:
        if piece.plain:
            for found in TOKEN.finditer(piece.text):
                yield at + found.start(), found[1]
        at += len(piece.text)


def _ends(block: Block, chips: list[tuple[int, str]]) -> Iterator[int]:
    whole = block.text
    closed = _closed(block)
    starts = {at for at, _ in chips}
    for found in _END.finditer(whole):
        if any(
            low < found.end() <= high and found.start() >= low for low, high in closed
        ):
            continue
        if found[0].startswith(".") and not _is_end(whole, found.start(), found.end()):
            continue
        end = found.end()
        behind = _CHIPS.match(whole, end)
        if behind and any(end <= at < behind.end() for at in starts):
            end = behind.end()
        yield end


def _closed(block: Block) -> list[tuple[int, int]]:
    spans, at = [], 0
    for piece in block.pieces:
        if not piece.plain:
            spans.append((at, at + len(piece.text)))
        at += len(piece.text)
    return spans


def _is_end(text: str, start: int, end: int) -> bool:
    word = re.search(r"[^\s(\[]*\Z", text[:start])
    last = (word[0] if word else "").lower().strip("*_\"'“‘")
    if last in ABBREVIATIONS or re.fullmatch(r"[^\W\d_]", last):
        return False
    following = text[end:].lstrip()
    following = (
        _CHIPS.sub("", following, count=1).lstrip()
        if following[:1] == "["
        else following
    )
    return not following[:1].islower()
