# SPDX-License-Identifier: Apache-2.0
"""How the columns of an answer are called: as the question has it, on any engine."""

from __future__ import annotations

from smemkit.cypher.questions import Question
from smemkit.cypher.tokens import PAIRS

_ENDS = frozenset(("ORDER", "SKIP", "OFFSET", "LIMIT", "UNION"))


def columns(asked: Question) -> list[str] | None:
    """Return the names of the columns, or None if the question ends in ``RETURN *``.

    Examples
    --------
    >>> from smemkit.cypher.questions import question
    >>> columns(question("MATCH (n) RETURN n.x, count( n ) AS `how many` LIMIT 3", {}))
    ['n.x', 'how many']
    """
    places = returned(asked)
    if not places or any(item and asked.words[item[0]].word == "*" for item in places):
        return None
    return [_name(asked, item) for item in places]


def returned(asked: Question) -> list[list[int]]:
    """Return the places of the words of each item of the first RETURN."""
    items: list[list[int]] = []
    depth, inside = 0, False
    for place, token in enumerate(asked.words):
        word = asked.keyword(place)
        if token.kind == "sign" and token.text in PAIRS:
            depth += 1
        elif token.kind == "sign" and token.text in PAIRS.values():
            depth -= 1
        if not depth and word == "RETURN":
            items, inside = [[]], True
        elif not depth and inside and word in _ENDS:
            break
        elif not depth and inside and token.word == ",":
            items.append([])
        elif inside and not (word == "DISTINCT" and items == [[]]):
            items[-1].append(place)
    return items


def _name(asked: Question, item: list[int]) -> str:
    words = [asked.words[place] for place in item]
    if len(words) > 2 and asked.keyword(item[-2]) == "AS":
        return words[-1].name
    if len(words) == 1 and words[0].name and words[0].kind != "parameter":
        return words[0].name
    return asked.text[words[0].start : words[-1].end] if words else ""
