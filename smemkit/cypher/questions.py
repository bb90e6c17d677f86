# SPDX-License-Identifier: Apache-2.0
"""Whether a Cypher text is a question, and nothing but a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from smemkit import instants
from smemkit.cypher.tokens import Token, matched, quoted, tokens
from smemkit.errors import BadRequest, InvalidRecord
from smemkit.records import check_props

OWN = "_smemkit"
"""How the names begin that smemkit keeps for itself, in any case of letters."""

BEGINS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")

REFUSED = frozenset(
    (
        "CREATE",
        "MERGE",
        "SET",
        "DELETE",
        "DETACH",
        "NODETACH",
        "REMOVE",
        "FOREACH",
        "INSERT",
        "DROP",
        "ALTER",
        "GRANT",
        "DENY",
        "REVOKE",
    )
)
"""Words that write, or run what may write; as names they are quoted."""

PARTS = frozenset(
    (
        "MATCH",
        "OPTIONAL",
        "UNWIND",
        "WITH",
        "RETURN",
        "WHERE",
        "ORDER",
        "SKIP",
        "OFFSET",
        "LIMIT",
        "UNION",
        "USING",
    )
)
"""Words with which a new part of a question begins."""

_KEYWORDS = """
    ALL AND ANY AS ASC ASCENDING BY CASE COLLECT CONTAINS COUNT DESC DESCENDING DISTINCT
    ELSE END ENDS EXISTS FALSE IN IS NONE NOT NULL OR SINGLE STARTS THEN TRUE WHEN XOR
"""
KEYWORDS = PARTS | frozenset(_KEYWORDS.split())
"""Words that no name of a variable may be, where they are not quoted."""

_NAMING = frozenset((".", ":", "|", "&", "!"))
"""What stands before a property, a label or an edge type."""


@dataclass(frozen=True)
class Question:
    """A text that was checked, its words, and the values of its parameters."""

    text: str
    params: Mapping[str, object]
    words: Sequence[Token]
    pairs: Mapping[int, int] = field(repr=False)

    @property
    def star(self) -> bool:
        """Whether the question ends in ``RETURN *``, in whatever order."""
        places = range(len(self.words) - 1)
        return any(
            self.keyword(place) == "RETURN" and self.words[place + 1].word == "*"
            for place in places
        )

    def named(self, place: int) -> bool:
        """Tell whether a word is a property, a label or an edge type."""
        before = self.words[place - 1].word if place else ""
        # A number may end in a dot.
        lone = before == "." and place > 1 and self.words[place - 2].kind == "number"
        return before in _NAMING and not lone

    def keyword(self, place: int) -> str:
        """Return a word in capitals if it may be a keyword where it stands."""
        if place < 0 or place >= len(self.words):
            return ""
        token = self.words[place]
        return token.word if token.kind == "name" and not self.named(place) else ""


def question(text: str, params: Mapping[str, object]) -> Question:
    """Return a text as a question, or refuse it.

    Parameters
    ----------
    text : str
        One Cypher statement that reads.
    params : Mapping
        The values of its parameters: what a property may hold, an instant, or
        None.

    Raises
    ------
    BadRequest
        It would write, it is no single question, or a parameter has no value.
    InvalidRecord
        A parameter has a value that no memory can hold.

    Examples
    --------
    >>> question("MATCH (n) DELETE n", {})
    Traceback (most recent call last):
        ...
    smemkit.errors.BadRequest: cypher 'MATCH (n) DELETE n': DELETE, but mem.cypher only \
reads; write with the verbs of the memory; a name spelled so goes in backticks
    """
    if not isinstance(text, str):
        raise BadRequest("cypher", found=f"{text!r}", do="give the question as text")
    words = tokens(text)
    while words and words[-1].word == ";":
        words.pop()
    asked = Question(text, _values(text, params), words, matched(words, text))
    _only_reads(asked)
    _own_names(asked)
    if not words or words[0].word not in BEGINS:
        raise BadRequest(
            quoted(text),
            found=f"it begins with {words[0].text!r}" if words else "no words in it",
            do="begin with MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN",
        )
    for token in words:
        if token.kind == "parameter" and token.name not in params:
            raise BadRequest(
                quoted(text),
                found=f"no value for {token.text}",
                do=f"call mem.cypher(text, {token.name}=...)",
            )
    return asked


def _only_reads(asked: Question) -> None:
    for place, token in enumerate(asked.words):
        word = asked.keyword(place)
        loads = word == "LOAD" and asked.keyword(place + 1) == "CSV"
        calls = word == "CALL" and _calls(asked, place + 1)
        if word in REFUSED or loads or calls:
            raise BadRequest(
                quoted(asked.text),
                found=f"{'LOAD CSV' if loads else word}, but mem.cypher only reads",
                do="write with the verbs of the memory; a name spelled so goes in backticks",
            )
        if token.word == ";":
            raise BadRequest(
                quoted(asked.text),
                found="more than one statement",
                do="ask one question at a time",
            )


def _calls(asked: Question, place: int) -> bool:
    """Tell whether CALL is a clause before this place; a variable may be named so."""
    if place >= len(asked.words):
        return False
    token = asked.words[place]
    named = token.kind == "name" and asked.keyword(place) not in KEYWORDS
    return named or token.kind == "quoted" or token.word in ("(", "{")


def _own_names(asked: Question) -> None:
    texts = [token.text for token in asked.words]
    for value in asked.params.values():
        texts += map(str, value) if isinstance(value, list) else [str(value)]
    if any(OWN in text.lower() for text in texts):
        raise BadRequest(
            quoted(asked.text),
            found=f"a name that begins {OWN!r}",
            do="these are smemkit's own and no part of the memory",
        )


def _values(text: str, params: Mapping[str, object]) -> dict[str, object]:
    given: dict[str, object] = {}
    for name, value in params.items():
        if isinstance(value, datetime):
            value = instants.text(value)
        elif isinstance(value, tuple):
            value = list(value)
        given[name] = value
    try:
        check_props(quoted(text), {k: v for k, v in given.items() if v is not None}, {})
    except InvalidRecord as error:
        asked = error.asked.replace(", property ", ", parameter ")
        raise InvalidRecord(asked, found=error.found, do=error.do) from None
    return given
