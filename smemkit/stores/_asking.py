# SPDX-License-Identifier: Apache-2.0
"""How a user's Cypher is put to Neo4j: what smemkit keeps there for itself stays hidden.

The text passes through. Only patterns that would also match smemkit's own nodes,
and ``keys(…)``, are narrowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from smemkit.cypher.public import node, path, relationship
from smemkit.cypher.questions import PARTS, Question
from smemkit.cypher.tokens import PAIRS, changed
from smemkit.stores._cypher import LOCK, LOG, PREFIX
from smemkit.stores._elements import value_of

OURS = f"!{LOCK}&!{LOG}"
"""A label expression of all nodes but ours."""

_SUBPATTERN = frozenset(("EXISTS", "COUNT"))
_LABELS_END = frozenset((")", "{"))

Change = tuple[int, int, str]


def hidden(asked: Question) -> str:
    """Return the text in which no pattern finds what is smemkit's own.

    Examples
    --------
    >>> from smemkit.cypher.questions import question
    >>> hidden(question("MATCH (n) RETURN count(n)", {}))
    'MATCH (n:!_SmemkitLock&!_SmemkitLog) RETURN count(n)'
    >>> hidden(question("MATCH (c:Claim) RETURN c", {}))
    'MATCH (c:Claim) RETURN c'
    """
    changes: list[Change] = []
    for place, token in enumerate(asked.words):
        if token.word == "(" and asked.keyword(place - 1) == "KEYS":
            changes += _keys(asked, place)
    for start, end in _patterns(asked):
        changes += _nodes(asked, start, end)
    return changed(asked.text, changes)


def _keys(asked: Question, place: int) -> Iterator[Change]:
    name, end = asked.words[place - 1], asked.words[asked.pairs[place]]
    yield name.start, name.start, "[`_k` IN "
    yield end.end, end.end, f" WHERE NOT `_k` STARTS WITH '{PREFIX}']"


def _patterns(asked: Question) -> Iterator[tuple[int, int]]:
    """Yield the first and the last but one place of each pattern that is matched."""
    for place, token in enumerate(asked.words):
        inner = token.word == "{" and asked.keyword(place - 1) in _SUBPATTERN
        if asked.keyword(place) == "MATCH" or (
            inner and asked.keyword(place + 1) not in PARTS
        ):
            yield place + 1, _end(asked, place + 1)


def _end(asked: Question, place: int) -> int:
    while place < len(asked.words):
        token = asked.words[place]
        if token.kind == "sign" and token.text in PAIRS.values():
            break
        if asked.keyword(place) in PARTS:
            break
        opens = token.kind == "sign" and token.text in PAIRS
        place = asked.pairs[place] + 1 if opens else place + 1
    return place


def _nodes(asked: Question, place: int, end: int) -> Iterator[Change]:
    """Yield the changes of the nodes of a pattern."""
    while place < end:
        word = asked.words[place].word
        if word in ("[", "{"):
            place = asked.pairs[place]
        elif word == "(":
            last = asked.pairs[place]
            if asked.words[place + 1].word == "(" or _path_named(asked, place):
                yield from _nodes(asked, place + 1, last)
            else:
                yield from _narrowed(asked, place)
            place = last
        place += 1


def _path_named(asked: Question, place: int) -> bool:
    return asked.words[place + 2].word == "=" if place + 2 < len(asked.words) else False


def _narrowed(asked: Question, place: int) -> Iterator[Change]:
    """Yield the change of one node: ``(n)``, ``(n {…})``, ``(n:%)`` and the like."""
    words = asked.words
    at = place + 1
    if words[at].kind in ("name", "quoted") and asked.keyword(at) != "WHERE":
        at += 1
    if words[at].word != ":" and asked.keyword(at) != "IS":
        yield words[at - 1].end, words[at - 1].end, f":{OURS}"
        return
    first = at = at + 1
    while words[at].word not in _LABELS_END and asked.keyword(at) != "WHERE":
        at = asked.pairs[at] + 1 if words[at].word == "(" else at + 1
    if {"!", "%"} & {token.word for token in words[first:at]}:
        yield words[first].start, words[first].start, "("
        yield words[at - 1].end, words[at - 1].end, f")&{OURS}"


def public(value: Any) -> Any:
    """Return a value of an answer as a cell shows it: dicts, lists, text and numbers."""
    if isinstance(value, list):
        return [public(v) for v in value]
    if hasattr(value, "relationships") and hasattr(value, "nodes"):
        return path(
            [public(v) for v in value.nodes], [public(v) for v in value.relationships]
        )
    if hasattr(value, "labels"):
        own = dict(value.items())
        order = own.get(f"{PREFIX}labels", sorted(value.labels))
        labels = (
            order if sorted(order) == sorted(value.labels) else sorted(value.labels)
        )
        return node(labels, public(own))
    if hasattr(value, "start_node"):
        return relationship(value.type, public(dict(value.items())))
    if isinstance(value, Mapping):
        return {k: public(v) for k, v in value.items() if not k.startswith(PREFIX)}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return None if value is None else value_of(value)
