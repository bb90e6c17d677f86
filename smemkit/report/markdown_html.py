# SPDX-License-Identifier: Apache-2.0
"""A Markdown report as HTML, with its chips and the ends of its sentences marked.

The text is cut exactly where the audit cuts it. Everything is written out by
hand from the parser's tokens: no tag, attribute or address of the report's own
reaches the page, raw HTML is shown as it was written, and nothing is fetched.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from smemkit.display import plain
from smemkit.report.markdown import laid_out, raw, tokens
from smemkit.report.sentences import Part, parts

if TYPE_CHECKING:
    from markdown_it.token import Token

_TAGS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "table",
     "thead", "tbody", "tr", "th", "td", "em", "strong", "s"}
)  # fmt: skip
"""The elements that Markdown makes; nothing else is written."""

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s]+", re.IGNORECASE)
"""Addresses that a reader may open; all others are shown only."""

_ALIGN = re.compile(r"text-align:(left|center|right)")


class Dress(Protocol):
    """What the caller puts into the text: chips, marks and pictures, as HTML."""

    def number(self, part: Part) -> int | None:
        """Return the number of a sentence, or None if it is not counted."""
        ...

    def mark(self, number: int) -> str:
        """Return what stands behind a sentence."""
        ...

    def chip(self, alias: str) -> str | None:
        """Return the chip of a token, or None if it stands for itself."""
        ...

    def picture(self, source: str, words: str) -> str:
        """Return what stands for a picture."""
        ...


def html_of(text: str, dress: Dress) -> str:
    r"""Return a Markdown text as HTML.

    Parameters
    ----------
    text : str
        The report.
    dress : Dress
        Makes chips, marks and pictures.

    Examples
    --------
    >>> class Bare:
    ...     def number(self, part): return None
    ...     def mark(self, number): return ""
    ...     def chip(self, alias): return f"<b>{alias}</b>"
    ...     def picture(self, source, words): return ""
    >>> html_of("So <i>it</i> is [e1], `[e2]`.", Bare())
    '<p>So <span class="raw">&lt;i&gt;</span>it<span class="raw">&lt;/i&gt;</span> is <b>e1</b>, <code>[e2]</code>.</p>\n'
    """
    parsed = tokens(text)
    places: dict[int, tuple[_Line, int]] = {}
    for laid in laid_out(parsed):
        line = _Line(list(parts(laid.block)), dress)
        line.last = laid.tokens[-1][0] if laid.tokens else -1
        places.update((place, (line, at)) for place, at in laid.tokens)
    return "".join(_blocks(parsed, places, dress))


def safe(text: str) -> str:
    """Return a text for a page: escaped, and nothing in it acts on what is around it."""
    return html.escape(plain(text)).encode("utf-8", "replace").decode()


def _blocks(
    parsed: Sequence[Token], places: dict[int, tuple[_Line, int]], dress: Dress
) -> Iterator[str]:
    for place, token in enumerate(parsed):
        if place in places:
            line, at = places[place]
            line.at = at
            yield from line.written(token, dress, is_last=place == line.last)
        elif token.type in ("fence", "code_block"):
            yield f"<pre><code>{safe(token.content)}</code></pre>\n"
        elif token.type == "hr":
            yield "<hr>\n"
        elif token.tag in _TAGS and not token.hidden:
            yield _tag(token)
        elif token.hidden and token.nesting < 0:
            yield "\n"


def _tag(token: Token) -> str:
    if token.nesting < 0:
        return f"</{token.tag}>" + ("</div>\n" if token.tag == "table" else "\n")
    own = ""
    if token.tag == "ol" and isinstance(token.attrGet("start"), int):
        own = f' start="{token.attrGet("start")}"'
    found = _ALIGN.fullmatch(str(token.attrGet("style") or ""))
    if found:
        own = f' style="text-align:{found[1]}"'
    before = '<div class="wide">' if token.tag == "table" else ""
    return f"{before}<{token.tag}{own}>"


@dataclass
class _Line:
    """The sentences of one block, while its tokens are written one after the other."""

    parts: list[Part]
    dress: Dress
    at: int = 0
    last: int = -1
    due: int = 0
    links: int = 0
    numbers: list[int | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.numbers = [self.dress.number(part) for part in self.parts]
        self.starts = [part.start for part in self.parts]

    def written(self, token: Token, dress: Dress, *, is_last: bool) -> Iterator[str]:
        """Yield one token of the block as HTML; behind the last, the marks still due."""
        if token.type == "html_block":
            yield '<p class="html">'
            for text, is_said in raw(token.content):
                yield from self._said(text) if is_said else _raw(text)
        else:
            for child in token.children or []:
                yield from self._child(child, dress)
        if is_last:
            self.at = max(self.at, *(part.end for part in self.parts), 0)
        yield from self._marks()
        if token.type == "html_block":
            yield "</p>\n"

    def _child(self, token: Token, dress: Dress) -> Iterator[str]:
        if token.type == "text":
            yield from self._said(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            yield "<br>\n" if token.type == "hardbreak" else "\n"
            self.at += 1
        elif token.type == "code_inline":
            yield from self._said(token.content, "code")
        elif token.type == "html_inline":
            yield from _raw(token.content)
            self.at += len(token.content)
        elif token.type == "image":
            yield dress.picture(str(token.attrGet("src") or ""), token.content)
        elif token.type.startswith("link_"):
            self.links += token.nesting
            yield _link(token)
            yield from self._marks()
        elif token.tag in _TAGS:
            yield f"<{'/' if token.nesting < 0 else ''}{token.tag}>"

    def _said(self, text: str, tag: str = "") -> Iterator[str]:
        """Yield a stretch of text, cut at the sentences and chips in it."""
        start, end = self.at, self.at + len(text)
        while self.at < end:
            n = bisect_right(self.starts, self.at) - 1
            inside = n >= 0 and self.at < self.parts[n].end
            following = self.parts[n].end if inside else _next(self.starts, n, end)
            stop = min(end, following)
            piece = text[self.at - start : stop - start]
            if inside:
                yield from self._piece(piece, n, tag)
            else:
                yield f"<{tag}>{safe(piece)}</{tag}>" if tag else safe(piece)
            self.at = stop
            yield from self._marks()

    def _piece(self, text: str, n: int, tag: str) -> Iterator[str]:
        """Yield a piece that lies in one sentence."""
        number = self.numbers[n] if text.strip() else None
        opening = "" if number is None else f'<span class="s" data-n="{number}">'
        opening += f"<{tag}>" if tag else ""
        closing = (f"</{tag}>" if tag else "") + ("" if number is None else "</span>")
        done = 0
        for at, alias in _within(self.parts[n].tokens, self.at, self.at + len(text)):
            chip = self.dress.chip(alias)
            if chip is None:
                continue
            begin = at - self.at
            between = text[done:begin]
            if between.strip():
                yield f"{opening}{safe(between)}{closing}"
            else:
                yield between
            yield chip
            done = begin + len(alias) + 2
        if done < len(text):
            yield f"{opening}{safe(text[done:])}{closing}"

    def _marks(self) -> Iterator[str]:
        """Yield the marks of the sentences that have ended; none within a link."""
        while (
            not self.links
            and self.due < len(self.parts)
            and self.parts[self.due].end <= self.at
        ):
            number = self.numbers[self.due]
            if number is not None:
                yield self.dress.mark(number)
            self.due += 1


def _next(starts: list[int], n: int, end: int) -> int:
    return starts[n + 1] if n + 1 < len(starts) else end


def _within(
    tokens: tuple[tuple[int, str], ...], low: int, high: int
) -> Iterator[tuple[int, str]]:
    """Yield the chips that lie between two places, whole."""
    first = bisect_right(tokens, (low - 1, "\U0010ffff"))
    for at, alias in tokens[first:]:
        if at + len(alias) + 2 > high:
            return
        yield at, alias


def _raw(text: str) -> Iterator[str]:
    yield f'<span class="raw">{safe(text)}</span>'


def _link(token: Token) -> str:
    """Return a link's tag: one that opens, or for any other address its text as a tip."""
    if token.nesting < 0:
        return "</a>"
    address = str(token.attrGet("href") or "")
    if _ADDRESS.fullmatch(address):
        return f'<a href="{safe(address)}" target="_blank" rel="noopener noreferrer">'
    return f'<a title="{safe(address)}">'
