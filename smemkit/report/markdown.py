# SPDX-License-Identifier: Apache-2.0
"""What a Markdown report says, apart from code, links and pictures.

markdown-it-py reads the Markdown (CommonMark with tables); here its blocks
become plain text in which every stretch knows whether a chip may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

_MATH = re.compile(r"\$\$.+?\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)", re.DOTALL)
_FOOTNOTE = re.compile(r"^([ >]*\[\^[^\]\s]+\]):", re.MULTILINE)
_UNSAID = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|pre|textarea)\b.*?(?:</\1\s*>|\Z)|</?[a-z!?][^>]*>?",
    re.DOTALL | re.IGNORECASE,
)

NESTING = 100
"""Levels of lists and quotes that are read; what stands deeper the parser leaves out."""

_DEEP = re.compile(r"^[ \t>*+\-0-9.)]{60}", re.MULTILINE)
"""A line that could stand so deep: two characters or more a level."""

_BETWEEN = " | "
"""What stands between two cells of a row."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a block's text.

    Attributes
    ----------
    text : str
        As it is read.
    plain : bool
        True where a chip may stand; false in code, links, pictures and
        formulas. A backslash hides no chip: the app draws one there too.
    """

    text: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item or table row.

    Attributes
    ----------
    kind : str
        ``text``, ``heading`` or ``row``.
    line : int
        Where it begins, from 1.
    section : str
        The headings it stands under, joined by `` › ``.
    pieces : tuple of Piece
        Its text.
    """

    kind: str
    line: int
    section: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(piece.text for piece in self.pieces)


def blocks(text: str) -> list[Block]:
    r"""Return the blocks of a Markdown text, in order.

    Code blocks and rules are left out; they say nothing a claim could stand
    for. Of raw HTML the words are kept, so that nothing is said unseen.

    Examples
    --------
    >>> [(b.kind, b.text) for b in blocks("# Birds\n\nBills *grow*. [a](b)")]
    [('heading', 'Birds'), ('text', 'Bills grow. a')]
    """
    return [laid.block for laid in laid_out(tokens(text))]


@dataclass(frozen=True, slots=True)
class Laid:
    """A block, and the parser's tokens its text comes from.

    Attributes
    ----------
    block : Block
        What it says.
    tokens : tuple of (int, int)
        For each of its tokens: the place in the parser's list, and where in the
        block's text the token's own text begins.
    """

    block: Block
    tokens: tuple[tuple[int, int], ...]


def tokens(text: str) -> list[Token]:
    """Return what the parser makes of a Markdown text; `laid_out` reads it."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING})
    parser.enable(["table", "strikethrough"])
    # CommonMark would take a footnote that is one chip for a link's address.
    return parser.parse(_FOOTNOTE.sub(r"\1\\:", text))


def is_read_whole(text: str) -> bool:
    r"""Return whether no part of a text is nested too deep to be read.

    Examples
    --------
    >>> is_read_whole("- one\n  - two"), is_read_whole("> " * 200 + "deep")
    (True, False)
    """
    if not _DEEP.search(text):
        return True
    return all(token.level < NESTING - 1 for token in tokens(text))


def laid_out(tokens: list[Token]) -> Iterator[Laid]:
    """Yield the blocks of a parsed text, each with the tokens it comes from."""
    headings: list[tuple[int, str]] = []
    row: list[Piece] | None = None
    cells: list[tuple[int, int]] = []
    before = ""
    for place, token in enumerate(tokens):
        start = (token.map or [0])[0] + 1
        if token.type == "tr_open":
            row, cells, wide, line = [], [], 0, start
        elif token.type == "tr_close" and row is not None:
            block = Block("row", line, _section(headings), tuple(row))
            yield Laid(block, tuple(cells))
            row = None
        elif token.type == "inline":
            pieces = tuple(_pieces(token.children or []))
            if row is not None:
                between = (Piece(_BETWEEN, False),) if row else ()
                cells.append((place, wide + len(between) * len(_BETWEEN)))
                row += between + pieces
                wide += sum(len(piece.text) for piece in between + pieces)
                continue
            kind = "heading" if before else "text"
            block = Block(kind, start, _section(headings), pieces)
            if before:
                level = int(before[1:])
                headings = [h for h in headings if h[0] < level]
                headings.append((level, " ".join(block.text.split())))
            yield Laid(block, ((place, 0),))
        elif token.type == "html_block":
            said = (
                Piece(text, True) for text, is_said in raw(token.content) if is_said
            )
            block = Block("text", start, _section(headings), tuple(said))
            yield Laid(block, ((place, 0),))
        before = token.tag if token.type == "heading_open" else ""


def raw(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of raw HTML: what is said, and what is only written.

    The line breaks within what is only written are said too, behind it, so that
    a sentence is found in the line where it stands.
    """
    end = 0
    for found in _UNSAID.finditer(text):
        yield text[end : found.start()], True
        yield found[0], False
        yield "\n" * found[0].count("\n"), True
        end = found.end()
    yield text[end:], True


def _section(headings: list[tuple[int, str]]) -> str:
    return " › ".join(text for _, text in headings)


def _pieces(tokens: list[Token]) -> Iterator[Piece]:
    links, run = 0, ""
    for token in tokens:
        links += token.nesting if token.type.startswith("link_") else 0
        # Text goes on over line breaks, and so do formulas.
        if token.type in ("softbreak", "hardbreak"):
            run += "\n"
        elif token.type == "text" and not links:
            run += token.content
        else:
            yield from _without_math(run)
            run = ""
            if token.content and token.type != "image":
                yield Piece(token.content, False)
    yield from _without_math(run)


def _without_math(text: str) -> Iterator[Piece]:
    end = 0
    for found in _MATH.finditer(text):
        if found.start() > end:
            yield Piece(text[end : found.start()], True)
        yield Piece(found[0], False)
        end = found.end()
    if end < len(text):
        yield Piece(text[end:], True)
