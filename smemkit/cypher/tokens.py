# SPDX-License-Identifier: Apache-2.0
"""Which words a Cypher text consists of, outside strings, comments and quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smemkit.errors import BadRequest

_PARTS = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n\r]*|/\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<parameter>\$(?:\w+|`(?:[^`]|``)*`))
  | (?P<number>(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.\d+(?:[eE][+-]?\d+)?|\d[\d_]*(?:[eE][+-]?\d+)?))
  | (?P<name>[^\W\d]\w*)
  | (?P<sign><>|<=|>=|=~|\.\.|\+=|\|\||::|/(?!\*)|[-+*%^=<>()\[\]{},.;:|&!$])
    """,
    re.VERBOSE | re.DOTALL,
)

PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign.

    Attributes
    ----------
    kind : str
        ``string``, ``quoted``, ``parameter``, ``number``, ``name`` or ``sign``.
    text : str
        As written.
    start, end : int
        Where in the text.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The word in capitals if it may be a keyword, the sign itself, else empty."""
        if self.kind == "name":
            return self.text.upper()
        return self.text if self.kind == "sign" else ""

    @property
    def name(self) -> str:
        """What a name, quoted or not, or a parameter is called; else empty."""
        text = self.text.removeprefix("$") if self.kind == "parameter" else self.text
        if text.startswith("`"):
            return text[1:-1].replace("``", "`")
        return text if self.kind in ("name", "parameter") else ""


def tokens(text: str) -> list[Token]:
    """Return the words and signs of a Cypher text.

    Raises
    ------
    BadRequest
        A string, comment or quote has no end, brackets do not match, or a sign
        is none of Cypher's.

    Examples
    --------
    >>> [t.text for t in tokens("MATCH (n:`A b`) RETURN n.x // all")]
    ['MATCH', '(', 'n', ':', '`A b`', ')', 'RETURN', 'n', '.', 'x']
    """
    found: list[Token] = []
    at = 0
    while at < len(text):
        part = _PARTS.match(text, at)
        if part is None or part.lastgroup is None:
            raise BadRequest(
                _near(text, at),
                found=f"{text[at]!r}, which begins nothing that Cypher knows",
                do="close each string, comment and quote; give odd text as a parameter",
            )
        kind, at = part.lastgroup, part.end()
        # The server reads such an escape before it looks for strings and quotes.
        if "\\u" in part.group().lower() and kind != "comment":
            raise BadRequest(
                _near(text, part.start()),
                found="a unicode escape",
                do="write the letter itself, or give the text as a parameter",
            )
        if kind not in ("space", "comment"):
            found.append(Token(kind, part.group(), part.start(), at))
    matched(found, text)
    return found


def matched(found: Sequence[Token], text: str = "") -> dict[int, int]:
    """Return, for the place of each bracket, the place of the one it belongs to.

    Raises
    ------
    BadRequest
        One of them stands alone.
    """
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for place, token in enumerate(found):
        if token.kind != "sign":
            continue
        if token.text in PAIRS:
            open_at.append(place)
        elif token.text in PAIRS.values():
            if not open_at or PAIRS[found[open_at[-1]].text] != token.text:
                raise BadRequest(
                    _near(text, token.start), found=f"{token.text!r} closes nothing"
                )
            start = open_at.pop()
            pairs[start], pairs[place] = place, start
    if open_at:
        lone = found[open_at[-1]]
        raise BadRequest(
            _near(text, lone.start), found=f"{lone.text!r} is never closed"
        )
    return pairs


def changed(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    """Return a text with some of its ranges replaced; the ranges do not overlap.

    Examples
    --------
    >>> changed("RETURN a, b", [(10, 11, "c"), (7, 8, "d")])
    'RETURN d, c'
    """
    # Two insertions at one place keep the order in which they were asked for.
    ordered = sorted(enumerate(changes), key=lambda c: (c[1][0], c[1][1], c[0]))
    parts: list[str] = []
    at = 0
    for _, (start, end, new) in ordered:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def quoted(text: str) -> str:
    """Return a Cypher text as an error names it: one line, not too long."""
    line = " ".join(text.split())
    return f"cypher {line if len(line) <= 100 else line[:97] + '...'!r}"


def _near(text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return f"cypher, line {line}, column {column}"
