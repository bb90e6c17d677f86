# SPDX-License-Identifier: Apache-2.0
"""How a question is put to the embedded engine, whose own fields collide with ours.

kglite answers ``n.id``, ``n.title``, ``n.type``, ``n.name`` and the like from fields
of its own. A property of such a name is therefore kept under another, and the
question, its columns and its answer are translated there and back.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemkit.cypher.columns import returned
from smemkit.cypher.dialect import refuse
from smemkit.cypher.questions import KEYWORDS, Question
from smemkit.cypher.tokens import changed

KEPT_APART = "_smemkit_"
"""What a property is prefixed with whose name the engine uses itself."""

UNLABELLED = "_smemkit_unlabelled"
"""What a node without label is called inside the engine, which wants one."""

ENGINE_NAMES = frozenset(
    ("id", "label", "name", "node_type", "nodes", "relationships", "title", "type")
)

_VALUE_ENDS = frozenset((")", "]", "}"))

Change = tuple[int, int, str]


def translated(asked: Question) -> str:
    """Return the question as the embedded engine is asked it.

    Examples
    --------
    >>> from smemkit.cypher.questions import question
    >>> translated(question("MATCH (p:Paper) RETURN p.title AS title", {}))
    'MATCH (p:Paper) RETURN p._smemkit_title AS title'
    """
    columns = [*_column_names(asked), *_comments(asked)]
    changes: list[Change] = []
    for place, token in enumerate(asked.words):
        if token.word == "(":
            changes += _around(asked, place)
        elif token.word == "[":
            changes += _by_name(asked, place)
            changes += _listed(asked, place)
        else:
            changes += _names(asked, place)
    # A sort key that gave way to its column has nothing left to be changed.
    gone = [(start, end) for start, end, _ in columns if start < end]
    kept = [
        (start, end, new)
        for start, end, new in changes
        if not any(a <= start and end <= b for a, b in gone)
    ]
    return changed(asked.text, columns + kept)


def _comments(asked: Question) -> Iterator[Change]:
    """Yield the changes that leave comments out, one kind of which the engine lacks."""
    ends = [0, *(token.end for token in asked.words)]
    starts = [*(token.start for token in asked.words), len(asked.text)]
    for end, start in zip(ends, starts, strict=True):
        if asked.text[end:start].strip(" \t\r\n;"):
            yield end, start, " "


def told(message: str) -> str:
    """Return what the engine says, with the names as the caller knows them."""
    return message.replace(KEPT_APART, "").strip().splitlines()[0][:300]


def _column_names(asked: Question) -> Iterator[Change]:
    """Yield the changes that name columns: the engine calls several of them alike."""
    items = returned(asked)
    words = asked.words
    if any(asked.keyword(i) == "UNION" for i in range(len(words))) or not items:
        return
    last = max(items[-1], default=0)
    known: dict[tuple[str, ...], str] = {}
    for number, item in enumerate(items):
        said = [words[place] for place in item]
        if not said or said[0].word == "*":
            return
        if len(said) > 2 and asked.keyword(item[-2]) == "AS":
            known[tuple(t.text for t in said[:-2])] = said[-1].text
        elif len(said) > 1:
            known[tuple(t.text for t in said)] = f"`_c{number}`"
            yield said[-1].end, said[-1].end, f" AS `_c{number}`"
    yield from _sorted_by(asked, last + 1, known)


def _sorted_by(
    asked: Question, place: int, known: dict[tuple[str, ...], str]
) -> Iterator[Change]:
    """Yield the changes of sort keys that repeat what a column has."""
    words = asked.words
    if asked.keyword(place) != "ORDER":
        return
    start = at = place + 2
    while at <= len(words):
        ends = at == len(words) or words[at].word == "," or _ends_a_key(asked, at)
        if ends:
            key = tuple(t.text for t in words[start:at])
            if len(key) > 1 and key in known:
                yield words[start].start, words[at - 1].end, known[key]
            start = at + 1
        at = at + 1 if ends else asked.pairs.get(at, at) + 1


def _ends_a_key(asked: Question, place: int) -> bool:
    return asked.keyword(place) in (
        "ASC",
        "ASCENDING",
        "DESC",
        "DESCENDING",
        "SKIP",
        "LIMIT",
    )


def _names(asked: Question, place: int) -> Iterator[Change]:
    """Yield the change of a property's name that the engine uses itself."""
    words = asked.words
    token = words[place]
    if asked.keyword(place) == "CALL":  # a variable, which the engine has quoted
        yield token.start, token.end, f"`{token.text}`"
    if token.kind not in ("name", "quoted") or token.name not in ENGINE_NAMES:
        return
    before = words[place - 1].word if place else ""
    after = words[place + 1].word if place + 1 < len(words) else ""
    if before == ".":
        yield token.start, token.end, KEPT_APART + token.name
    elif before in ("{", ",") and _in_map(asked, place):
        if after == ":":
            yield token.start, token.end, KEPT_APART + token.name
        elif after in (",", "}"):  # n {title}: the variable, under its own name
            yield token.start, token.start, f"{KEPT_APART}{token.name}: "


def _in_map(asked: Question, place: int) -> bool:
    around = [a for a, b in asked.pairs.items() if a < place < b]
    return bool(around) and asked.words[max(around)].word == "{"


def _around(asked: Question, place: int) -> Iterator[Change]:
    """Yield the changes around a call: ``keys`` and ``labels`` show nothing of the engine's own."""
    called = asked.keyword(place - 1)
    if called not in ("KEYS", "LABELS", "TOFLOAT"):
        return
    name, start = asked.words[place - 1], asked.words[place]
    end = asked.words[asked.pairs[place]]
    if called == "TOFLOAT":  # which takes no blanks around a number
        yield start.end, start.end, "trim(toString("
        yield end.start, end.start, "))"
        return
    yield name.start, name.start, "([`_k` IN "
    if called == "LABELS":
        yield end.end, end.end, f" WHERE `_k` <> '{UNLABELLED}'])"
        return
    yield (
        end.end,
        end.end,
        f" WHERE NOT `_k` IN ['id','title','type'] | CASE WHEN `_k` STARTS WITH "
        f"'{KEPT_APART}' THEN substring(`_k`, {len(KEPT_APART)}) ELSE `_k` END])",
    )


def _listed(asked: Question, place: int) -> Iterator[Change]:
    """Yield brackets around a list comprehension behind IN, which the engine wants."""
    inner = asked.keyword(place + 2) == "IN" and asked.words[place + 1].kind == "name"
    if inner and asked.keyword(place - 1) == "IN":
        start, end = asked.words[place], asked.words[asked.pairs[place]]
        yield start.start, start.start, "("
        yield end.end, end.end, ")"


def _by_name(asked: Question, place: int) -> Iterator[Change]:
    """Yield the changes that let ``n[key]`` find a property that was kept apart."""
    words = asked.words
    before = words[place - 1] if place else None
    if before is None or asked.keyword(place - 1) in KEYWORDS:
        return
    if before.kind == "sign" and before.text not in _VALUE_ENDS:
        return
    inside = words[place + 1 : asked.pairs[place]]
    if len(inside) == 1 and inside[0].kind == "string":
        if (key := inside[0].text[1:-1]) in ENGINE_NAMES:
            yield inside[0].start, inside[0].end, f"'{KEPT_APART}{key}'"
    elif len(inside) == 1 and inside[0].kind != "number":
        pairs = (f"WHEN '{n}' THEN '{KEPT_APART}{n}'" for n in sorted(ENGINE_NAMES))
        key = inside[0].text
        yield (
            inside[0].start,
            inside[0].end,
            f"CASE {key} {' '.join(pairs)} ELSE {key} END",
        )
    elif any(token.kind == "string" for token in inside):
        refuse(asked, "the name of a property put together", "write n.name or n[$name]")
