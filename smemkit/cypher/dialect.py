# SPDX-License-Identifier: Apache-2.0
"""Which questions the embedded engine may be asked: those it answers as Neo4j does.

kglite, the engine of local stores, is no Neo4j: it cuts an unbounded ``*`` at ten
hops, knows words and functions that Neo4j lacks, and reads some values
differently. A question is passed on only if all its words and functions are among
those that were compared with a Neo4j server; for any other the error says how to
write it. docs/cypher.md lists the differences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NoReturn

from smemkit.cypher.questions import KEYWORDS, Question
from smemkit.cypher.tokens import Token, quoted
from smemkit.errors import BadRequest

_AGGREGATES = "avg collect count max min sum"
AGGREGATES = frozenset(_AGGREGATES.split())

_SUMS = AGGREGATES - {"count", "collect"}

_FUNCTIONS = """
    abs all any ceil coalesce endnode exists exp floor head keys labels last left
    length log log10 ltrim nodes none pi properties range reduce relationships
    replace reverse right rtrim shortestpath sign single size split sqrt
    startnode substring tail tofloat tolower tostring toupper trim type
"""
FUNCTIONS = AGGREGATES | frozenset(_FUNCTIONS.split())
"""Functions that answer alike on both engines, in small letters."""

TIMES_ARE_TEXT = "times are text: compare n.created_at with a text, or cut it with substring(n.created_at, 0, 10)"

OTHERWISE = {
    "id": "name a node by its own key, such as n.claim_id",
    "elementid": "name a node by its own key, such as n.claim_id",
    "tointeger": "write floor(toFloat(x))",
    "date": TIMES_ARE_TEXT,
    "datetime": TIMES_ARE_TEXT,
    "localdatetime": TIMES_ARE_TEXT,
    "duration": "take both times into the table and subtract them there",
    "allshortestpaths": "write shortestPath, or a pattern with a longest length",
    "isempty": "write size(x) = 0",
    "nullif": "write CASE WHEN a = b THEN null ELSE a END",
    "round": "write floor(x + 0.5), or round in the table: frame.round(2)",
    "stdev": "compute it from the table: frame['x'].std()",
    "percentilecont": "compute it from the table: frame['x'].quantile(0.5)",
    "rand": "sample in the table: frame.sample(10)",
}

SIGNS = {
    "||": "write + between texts, and between lists",
    "::": "write IS NOT NULL, or look at the types in the table",
    "!": "name the labels or types that are meant, A|B, or write WHERE NOT n:A",
    "&": "write n:A:B",
}

_INSTEAD = {
    "USING": "leave it out",
    "OFFSET": "write SKIP",
}
_VALUE_ENDS = frozenset((")", "]", "}"))
_COUNTED = re.compile(r"\d+")
_NOT_ALIKE = re.compile(r"\\[a-zA-Z]|\(\?(?!i\)|:)|&&|[*+?}][+]")
_LIST_OF_ONE = re.compile(r'\s*\[\s*"(?:[^"\\]|\\.)*"\s*\]\s*', re.DOTALL)

MIXED = "both whole numbers and others"
"""Why grouping by a property would differ: 1 and 1.0 are one value for Neo4j only."""

KINDS = "values of several kinds"
"""Why min and max of a property would differ."""

LISTS = 'texts such as ["a"]'
"""Why comparing a property would differ: kglite takes such a text for an a."""


FAR = "very large or very small numbers"
"""Why a property as text would differ: Neo4j writes 1.0E7 where kglite writes all digits."""


def check(asked: Question, uneven: Mapping[str, Iterable[str]]) -> None:
    """Refuse what the embedded engine would cut or answer differently.

    Parameters
    ----------
    asked : Question
        What is asked.
    uneven : Mapping
        Properties that hold values which the engines compare differently, and
        why: `MIXED`, `KINDS`, `LISTS` or `FAR`.

    Raises
    ------
    BadRequest
        Says how to write it.

    Examples
    --------
    >>> from smemkit.cypher.questions import question
    >>> check(question("MATCH (a)-[:next*]->(b) RETURN b", {}), {})
    Traceback (most recent call last):
        ...
    smemkit.errors.BadRequest: cypher 'MATCH (a)-[:next*]->(b) RETURN b': a path of any \
length, which the engine of local stores would cut; give a longest length, such as *1..20
    """
    for place, token in enumerate(asked.words):
        _known_word(asked, place)
        if token.word in SIGNS:
            refuse(asked, f"the sign {token.text}", SIGNS[token.word])
        elif token.word == "(":
            _known_function(asked, place)
        elif token.word == "[":
            _bounded(asked, place)
        elif token.word == "=~":
            _plain_pattern(asked, place)
        elif token.word == "{" and asked.keyword(place - 1) == "COLLECT":
            refuse(asked, "COLLECT { … }", "write OPTIONAL MATCH and collect(…)")
        elif token.word == "%" and asked.words[place - 1].word == ":":
            refuse(asked, "a label %", "leave the label out")
    _no_list_of_one(asked)
    _even(asked, uneven)


def refuse(asked: Question, found: str, do: str) -> NoReturn:
    """Raise the error that a question cannot be asked of a local store."""
    raise BadRequest(quoted(asked.text), found=found, do=do)


def function_name(asked: Question, place: int) -> str:
    """Return what is called at an opening bracket, empty if nothing is."""
    words, first = asked.words, place
    while first and (words[first - 1].kind == "name" or words[first - 1].word == "."):
        if asked.keyword(first - 1) in KEYWORDS:
            break
        first -= 1
    return "".join(token.text for token in words[first:place])


def _known_word(asked: Question, place: int) -> None:
    """Refuse a word that stands where Cypher has none: it is the engine's own."""
    token, word = asked.words[place], asked.keyword(place)
    if word in _INSTEAD:
        refuse(asked, word, _INSTEAD[word])
    if token.kind not in ("name", "quoted") or not place or asked.named(place):
        return
    before = asked.words[place - 1]
    after_value = before.word in _VALUE_ENDS or before.kind not in ("sign", "name")
    after_name = before.kind == "name" and asked.keyword(place - 1) not in KEYWORDS
    if (after_value or after_name) and word not in KEYWORDS:
        refuse(
            asked,
            f"{token.text!r} behind {before.text!r}",
            "use only what Neo4j knows between the two",
        )


def _known_function(asked: Question, place: int) -> None:
    name = function_name(asked, place)
    small = name.lower()
    if small == "keys" and not _order_is_free(asked, place):
        refuse(asked, "keys(), a list in no order", "write UNWIND keys(n) AS key")
    said = asked.words[place : asked.pairs[place]]
    if small == "split" and any(t.text in ("''", '""') for t in said):
        refuse(asked, "split at nothing", "write substring(x, 0, 1)")
    if name and small not in FUNCTIONS:
        do = OTHERWISE.get(small.split(".")[0], "compute it from the table")
        refuse(asked, f"{name}(), which local stores do not answer as Neo4j does", do)


def _order_is_free(asked: Question, place: int) -> bool:
    return asked.keyword(place - 2) in ("UNWIND", "IN") or (
        asked.words[place - 2].word == "(" and asked.keyword(place - 3) == "SIZE"
    )


def _bounded(asked: Question, place: int) -> None:
    """Refuse a variable length without an end, which the engine would cut."""
    words, end = asked.words, asked.pairs[place]
    if not place or words[place - 1].word != "-":
        return
    star = next((at for at in range(place, end) if words[at].word == "*"), None)
    if star is not None:
        said = [token.text for token in words[star + 1 : end]]
        most = said[said.index("..") + 1 :] if ".." in said else said
        if not most or not _COUNTED.fullmatch(most[0]):
            refuse(
                asked,
                "a path of any length, which the engine of local stores would cut",
                "give a longest length, such as *1..20",
            )


def _plain_pattern(asked: Question, place: int) -> None:
    """Refuse a regular expression that the two engines read differently."""
    after = asked.words[place + 1] if place + 1 < len(asked.words) else None
    longer = asked.words[place + 2].word if place + 2 < len(asked.words) else ""
    if longer == "+" or after is None or after.kind not in ("string", "parameter"):
        refuse(asked, "=~ and no text behind it", "give the pattern as a text")
    for_sure = after.kind == "string"
    pattern = after.text if for_sure else str(asked.params[after.name])
    if odd := _NOT_ALIKE.search(pattern):
        refuse(
            asked,
            f"{odd.group()!r} in a pattern, which the engines read differently",
            "write classes out, such as [0-9] or [A-Za-z]",
        )


def _no_list_of_one(asked: Question) -> None:
    texts = [t.text[1:-1] for t in asked.words if t.kind == "string"]
    for value in asked.params.values():
        texts += [str(v) for v in (value if isinstance(value, list) else [value])]
    if any(map(list_of_one, texts)):
        refuse(asked, f"a text that is a list, {LISTS}", "compare with CONTAINS 'a'")


def list_of_one(text: str) -> bool:
    """Tell whether a text is a JSON list of one text.

    Examples
    --------
    >>> list_of_one('["a"]'), list_of_one('["a", "b"]'), list_of_one("a")
    (True, False, False)
    """
    if not _LIST_OF_ONE.fullmatch(text):
        return False
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _even(asked: Question, uneven: Mapping[str, Iterable[str]]) -> None:
    called = {function_name(asked, i).lower() for i, t in _opening(asked)}
    called |= {t.word.lower() for t in asked.words if t.word in ("COUNT", "COLLECT")}
    words = {asked.keyword(i) for i in range(len(asked.words))}
    signs = {token.word for token in asked.words}
    groups = bool(called & AGGREGATES) or bool(words & {"DISTINCT", "UNION"})
    compares = bool(signs & {"=", "<>", "{"}) or bool(words & {"IN", "CASE"})
    for place, token in enumerate(asked.words):
        for why in uneven.get(token.name, ()) if token.name else ():
            if (
                (why == MIXED and groups and not _summed(asked, place))
                or (why == KINDS and called & {"min", "max"})
                or (why == LISTS and compares)
                or (why == FAR and (called & {"tostring"} or "+" in signs))
            ):
                refuse(
                    asked,
                    f"{token.name}, a property with {why}, which the engines compare differently",
                    "take it into the table as it is and compare there",
                )


def _summed(asked: Question, place: int) -> bool:
    """Tell whether a property is put into an aggregate as it is, as in ``sum(n.x)``."""
    at = place - 3
    sums = at > 0 and asked.words[at].word == "(" and asked.pairs[at] == place + 1
    return sums and function_name(asked, at).lower() in _SUMS


def _opening(asked: Question) -> Iterable[tuple[int, Token]]:
    return ((i, token) for i, token in enumerate(asked.words) if token.word == "(")
