# SPDX-License-Identifier: Apache-2.0
"""Sentences of a report, and which chips each of them carries.

A chip behind a full stop belongs to the sentence before it. Nothing is cut
inside code, links or formulas, after an abbreviation, an initial, a number, or
before a lower-case letter. Chinese and English marks end a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from smemkit.report.markdown import Block, blocks

TOKEN = re.compile(r"\[([^\]\s]{1,80})\]")
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

_COUNTED = frozenset({"no", "nr", "p", "pp", "ch", "par", "ref"})
"""Those that are words of their own, or end a sentence, unless a number follows."""

# One start per run of marks: a row of a million dots is looked at once.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]»]*+(?=\s|\[)|[。！？；]+[”’」』）]*")
_CHIPS = re.compile(r"(?:\s*+\[[^\]\s]{1,80}\])+[.。]?")
_WORD = re.compile(r"[^\s(\[]*\Z")
_LOOK_BACK = 40


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
    return [part.sentence for block in blocks(text) for part in parts(block)]


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, and where in the text of its block it and its tokens stand.

    Attributes
    ----------
    sentence : Sentence
        What it says.
    start, end : int
        The stretch of the block's text.
    tokens : tuple of (int, str)
        Where each token begins, bracket included, and what stands in brackets.
    """

    sentence: Sentence
    start: int
    end: int
    tokens: tuple[tuple[int, str], ...]


def parts(block: Block) -> Iterator[Part]:
    """Yield the sentences of one block with their places, in order."""
    whole = block.text
    chips = list(_tokens(block))
    places = [at for at, _ in chips]
    ends = _ends(block, chips, places) if block.kind == "text" else iter(())
    start, counted, line = 0, 0, block.line
    for end in (*ends, len(whole)):
        part = whole[start:end]
        shown = " ".join(part.split())
        if shown:
            begin = start + len(part) - len(part.lstrip())
            line += whole.count("\n", counted, begin)
            counted = begin
            own = chips[bisect_left(places, start) : bisect_left(places, end)]
            found = tuple(dict.fromkeys(alias for _, alias in own))
            made = Sentence(shown, found, line, block.section, block.kind)
            yield Part(made, begin, end, tuple(own))
        start = end


def _tokens(block: Block) -> Iterator[tuple[int, str]]:
    at = 0
    for piece in block.pieces:
        if piece.plain:
            for found in TOKEN.finditer(piece.text):
                yield at + found.start(), found[1]
        at += len(piece.text)


def _ends(
    block: Block, chips: list[tuple[int, str]], places: list[int]
) -> Iterator[int]:
    whole = block.text
    lows, highs = _closed(block, chips)
    for found in _END.finditer(whole):
        low = bisect_left(lows, found.start() + 1) - 1
        if low >= 0 and found.end() <= highs[low]:
            continue
        end = found.end()
        if found[0][0] not in "。！？；":
            if whole[end] == "[" and not _holds(places, end, end + 1):
                continue
            if found[0][0] == "." and not _is_end(whole, found.start(), end):
                continue
        behind = _CHIPS.match(whole, end)
        if behind and _holds(places, end, behind.end()):
            end = behind.end()
        yield end


def _holds(places: list[int], low: int, high: int) -> bool:
    place = bisect_left(places, low)
    return place < len(places) and places[place] < high


def _closed(block: Block, chips: list[tuple[int, str]]) -> tuple[list[int], list[int]]:
    """Return where the stretches begin and end in which no sentence ends."""
    spans = [(at, at + len(alias) + 2) for at, alias in chips]
    at = 0
    for piece in block.pieces:
        if not piece.plain:
            spans.append((at, at + len(piece.text)))
        at += len(piece.text)
    spans.sort()
    return [low for low, _ in spans], [high for _, high in spans]


def _is_end(text: str, start: int, end: int) -> bool:
    word = _WORD.search(text[max(0, start - _LOOK_BACK) : start])
    last = (word[0] if word else "").lower().strip("*_\"'“‘")
    chips = _CHIPS.match(text, end)
    at = chips.end() if chips else end
    following = text[at : at + _LOOK_BACK].lstrip()[:1]
    if re.fullmatch(r"[^\W\d_]", last) and last != "p":
        return False
    if last in _COUNTED:
        return not following.isdigit() and not following.islower()
    return last not in ABBREVIATIONS and not following.islower()
