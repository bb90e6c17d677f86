# SPDX-License-Identifier: Apache-2.0
"""Which nodes hold these words.

The ranking is contract/query.md §4.1; the fields that design §5.5 adds count
as the last class. The lower-cased texts are kept with the graph, so that only
nodes that changed since are read again.
"""

from __future__ import annotations

import re
from collections import Counter

from smemkit.answers import Hits
from smemkit.errors import BadRequest, short
from smemkit.graph import Graph
from smemkit.reading.listing import by_edge_type, by_node_type, hits, node
from smemkit.reading.order import by_newest, visible
from smemkit.records import Node

__all__ = ["by_edge_type", "by_node_type", "match", "node"]

MODES = ("any_term", "all_terms")

FIELDS = frozenset(
    [
        "title",
        "abstract",
        "content",
        "core_objective",
        "objective",
        "summary",
        "subagent_type",
        "tool_type",
        "task_type",
        "path",
        "name",
        "tool",
        "snippet",
        "source",
        "url",
        "identifier",
        "authors",
        "logical_name",
        "locator",
        "link",
        "tool_name",
    ]
)
"""The properties that are searched: the contract's sixteen, then design §5.5's."""

CLASSES = (
    ("title", 0),
    ("abstract", 1),
    ("core_objective", 2),
    ("objective", 3),
    ("summary", 3),
    ("content", 4),
)
"""How near the top a field that holds the first word puts a node; others: 5."""

_WORD = re.compile(r"[^\W_]+")


def match(
    graph: Graph,
    query: str,
    *,
    mode: str = "any_term",
    session_id: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Hits:
    """Return the nodes whose text holds the words asked for, best first.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    query : str
        Words; a word may be part of a longer one. Of a query of signs alone
        nothing is found.
    mode : {"any_term", "all_terms"}
        Whether one word is enough.
    session_id : str, optional
        Only nodes of this session.
    limit, offset : int, optional
        A page of the hits.

    Returns
    -------
    Hits
        By the number of words met, then where the first word stands, then newest.

    Raises
    ------
    BadRequest
        A blank query or another mode.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> [view.id for view in mem.match("bill").hits]
    ['goal:session:s']
    """
    if not isinstance(query, str) or not query.strip():
        raise BadRequest(
            f"query={short(query)}", found="no word", do="give words to find"
        )
    if not isinstance(mode, str) or mode not in MODES:
        raise BadRequest(
            f"mode={short(mode)}", found="no such mode", do="use any_term or all_terms"
        )
    words = words_of(query)
    needed = len(words) if mode == "all_terms" else 1
    nodes, texts = _texts(graph, session_id)
    counts = [0] * len(texts)
    for word, times in Counter(words).items():  # this loop is the whole search
        counts = [
            n + times if word in text else n
            for n, text in zip(counts, texts, strict=True)
        ]
    found = [
        (-met, _class(node, words[0]), node)
        for met, node in zip(counts, nodes, strict=True)
        if met >= needed and words
    ]
    rows = by_newest(
        [row for row in found if row[2].id not in graph.nameless and visible(row[2])],
        lambda row: row[2],
    )
    rows.sort(key=lambda row: row[:2])
    return hits([row[2] for row in rows], repr(query), limit, offset)


def words_of(query: str) -> list[str]:
    """Return the words of a search, in lower case and as often as they are there.

    Examples
    --------
    >>> words_of("A multi-step, a_step")
    ['a', 'multi', 'step', 'a', 'step']
    """
    return _WORD.findall(query.lower())


def _class(found: Node, word: str) -> int:
    for name, number in CLASSES:
        value = found.props.get(name)
        if value is not None and word in _text(value).lower():
            return number
    return 5


class _Texts:
    """The lower-cased texts of a graph's nodes, as of one of its changes."""

    __slots__ = ("changes", "nodes", "texts")

    def __init__(self) -> None:
        self.changes = -1
        self.nodes: list[Node] = []
        self.texts: list[str] = []

    def renew(self, graph: Graph) -> None:
        known = {
            each.id: (each, text)
            for each, text in zip(self.nodes, self.texts, strict=True)
        }
        nodes = list(graph.nodes())
        texts = []
        for each in nodes:
            old = known.get(each.id)
            kept = old is not None and old[0] is each
            texts.append(old[1] if old is not None and kept else _lowered(each))
        self.nodes, self.texts, self.changes = nodes, texts, graph.changes


def _texts(graph: Graph, session_id: str | None) -> tuple[list[Node], list[str]]:
    """Return the nodes of a session or of all, and their texts."""
    if session_id is not None:
        nodes = list(graph.nodes(session_id=session_id))
        return nodes, [_lowered(each) for each in nodes]
    kept = graph.memo.get("search")
    texts = kept if isinstance(kept, _Texts) else _Texts()
    if texts.changes != graph.changes:
        texts.renew(graph)
        graph.memo["search"] = texts
    return texts.nodes, texts.texts


def _lowered(found: Node) -> str:
    # The separator is no part of a word, so no word is met across two fields.
    return "\n".join(
        [
            value if isinstance(value, str) else _text(value)
            for name, value in found.props.items()
            if name in FIELDS
        ]
    ).lower()


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)
