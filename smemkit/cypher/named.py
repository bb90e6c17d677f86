# SPDX-License-Identifier: Apache-2.0
"""Which labels and edge types a question names, and whether anything has them.

Cypher answers a misspelt label with nothing, which reads like an answer. A name
that neither the schema nor the memory knows is therefore refused, as the tables
and lists of a memory refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from smemkit import schema
from smemkit.cypher.questions import Question, question
from smemkit.cypher.tokens import quoted
from smemkit.errors import UnknownEdgeType, UnknownLabel

LABELS = frozenset((*schema.LABELS, *schema.OTHER_LABELS))
EDGE_TYPES = frozenset((*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES))

_JOINS = frozenset((":", "|", "&", "!"))

Ask = Callable[[Question], tuple[object, list[list[object]]]]


def refuse_unknown(asked: Question, ask: Ask) -> None:
    """Refuse a label or edge type in a pattern that nobody knows.

    Parameters
    ----------
    asked : Question
        What is asked.
    ask : callable
        Answers a question; it is asked whether anything has a strange name.

    Raises
    ------
    UnknownLabel, UnknownEdgeType
        Lists those there are in every memory.

    Examples
    --------
    >>> refuse_unknown(question("MATCH (a:Artefact) RETURN a", {}), lambda _: ([], []))
    Traceback (most recent call last):
        ...
    smemkit.errors.UnknownLabel: cypher 'MATCH (a:Artefact) RETURN a': no node has the \
label 'Artefact'; known are Artifact, Claim, Code, Evidence, Paper, ResearchGoal, \
SourceFile, Task, ToolCall
    """
    for name, is_type in dict.fromkeys(_names(asked)):
        text = "`" + name.replace("`", "``") + "`"
        as_node = f"MATCH (n:{text}) RETURN 1 AS found LIMIT 1"
        as_edge = f"MATCH ()-[e:{text}]->() RETURN 1 AS found LIMIT 1"
        if is_type and name not in EDGE_TYPES and not ask(question(as_edge, {}))[1]:
            raise UnknownEdgeType(
                quoted(asked.text),
                found=f"no edge has the type {name!r}",
                do="known are " + ", ".join(sorted(schema.EDGE_TYPES)),
            )
        # In brackets of a condition a type may stand too: (e:next).
        known = is_type or name in LABELS | EDGE_TYPES
        if not known and not any(
            ask(question(each, {}))[1] for each in (as_node, as_edge)
        ):
            raise UnknownLabel(
                quoted(asked.text),
                found=f"no node has the label {name!r}",
                do="known are " + ", ".join(sorted(schema.LABELS)),
            )


def _names(asked: Question) -> Iterator[tuple[str, bool]]:
    """Yield each name in a pattern, and whether it is that of an edge type."""
    words = asked.words
    for place, token in enumerate(words):
        is_type = token.word == "[" and place > 0 and words[place - 1].word == "-"
        if token.word != "(" and not is_type:
            continue
        at, end = place + 1, asked.pairs[place]
        if at < end and words[at].kind in ("name", "quoted"):
            at += 1
        while at + 1 < end and words[at].word in _JOINS:
            at += 1
            if words[at].kind in ("name", "quoted"):
                if words[at - 1].word != "!":  # without an unknown label: that is all
                    yield words[at].name, is_type
                at += 1
