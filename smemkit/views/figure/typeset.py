# SPDX-License-Identifier: Apache-2.0
"""How a text is broken into lines that fit a width, as a font measures it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Protocol

from smemkit.display import plain

POINT = 25.4 / 72
"""Millimetres of a point."""


class Pen(Protocol):
    """What measures and cleans text: a font."""

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return how wide a text is, in millimetres, at so many points."""
        ...

    def known(self, text: str) -> str:
        """Return the text with a sign in place of what the font cannot draw."""
        ...


def one_line(text: str, pen: Pen) -> str:
    """Return a text as it can be drawn: one line, nothing in it acts on the rest."""
    return pen.known(" ".join(plain(text).split()))


def broken(text: str, width: float, size: float, pen: Pen, *, most: int) -> list[str]:
    """Return a text in lines, the last one with ``…`` if any is left.

    Parameters
    ----------
    text : str
        Any text; runs of blanks count as one.
    width : float
        Millimetres of a line.
    size : float
        Points.
    pen : Pen
        What measures.
    most : int
        The most lines.
    """
    made: list[str] = []
    current = ""
    # More than fits anyway is not looked at: a title may have a million characters.
    clean = one_line(text[: 60 * most + 400], pen)
    for piece in _pieces(clean, width, size, pen):
        joined = current + piece
        if pen.width(joined.rstrip(), size) <= width:
            current = joined if current or piece.strip() else ""
            continue
        if current:
            made.append(current.rstrip())
        if len(made) == most:
            return [*made[:-1], clipped(made[-1] + "…", width, size, pen)]
        current = piece.lstrip()
    return [*made, current.rstrip()] if current.strip() else made


def clipped(text: str, width: float, size: float, pen: Pen) -> str:
    """Return one line that fits, its end replaced by ``…`` where it does not."""
    if pen.width(text, size) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if pen.width(text[:middle].rstrip() + "…", size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip(" …") + "…"


def _pieces(text: str, width: float, size: float, pen: Pen) -> Iterator[str]:
    """Give the words with the blank before each, long ones and Chinese in parts."""
    for word in re.findall(r" ?[^ ]+", text):
        if pen.width(word.strip(), size) <= width and not any(map(_wide, word)):
            yield word
            continue
        part = ""
        for character in word:
            lone = _wide(character) and not _closing(character)
            if part and (lone or pen.width(part + character, size) > width):
                yield part
                part = ""
            part += character
        if part:
            yield part


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _closing(character: str) -> bool:
    """Return whether a line must not begin with it."""
    return unicodedata.category(character) in ("Pe", "Pf", "Po")
