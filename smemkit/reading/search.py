# SPDX-License-Identifier: Apache-2.0
"""Which nodes hold these words, have this label, lie at such edges.

The ranking is contract/query.md §4.1; the fields that design §5.5 adds count
as the last class. The lower-cased texts are kept with the graph, so that only
nodes that changed since are read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from smemkit import schema
from smemkit.answers import EdgeHits, EdgeView, Hits, NodeView
from smemkit.errors import BadRequest, UnknownEdgeType, UnknownLabel
from smemkit.graph import Graph
from smemkit.reading.order import by_newest, newest_first, page, visible
from smemkit.reading.resolve import known_label, reads_as, resolve
from smemkit.records import Edge, Node

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
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Claim",), {"claim_id": "c", "content": "Bills grow"}))
    >>> [view.id for view in match(graph, "bill").hits]
    ['c']
    """
    if not isinstance(query, str) or not query.strip():
        raise BadRequest(f"query={query!r}", found="no word", do="give words to find")
    if mode not in MODES:
        raise BadRequest(
            f"mode={mode!r}", found="no such mode", do="use any_term or all_terms"
        )
    words = _WORD.findall(query.lower())
    needed = len(words) if mode == "all_terms" else 1
    ranked: list[tuple[int, int, Node]] = []
    nodes, texts = _texts(graph, session_id)
    if words:
        for k, text in enumerate(texts):
            met = sum(word in text for word in words)
            if met >= needed:
                node = nodes[k]
                if node.id not in graph.nameless and visible(node):
                    ranked.append((-met, _class(node, words[0]), node))
    rows = by_newest(ranked, lambda row: row[2])
    rows.sort(key=lambda row: row[:2])
    return _hits([row[2] for row in rows], repr(query), limit, offset)


def by_node_type(
    graph: Graph,
    node_types: str | Iterable[str],
    *,
    session_id: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Hits:
    """Return the nodes of one label or of several, newest first.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node_types : str or iterable of str
        Labels of the schema, or any that the memory holds. ``SubTask`` means
        nodes stored under that older label.
    session_id : str, optional
        Only nodes of this session.
    limit, offset : int, optional
        A page of the nodes.

    Raises
    ------
    BadRequest
        No label is given.
    UnknownLabel
        Neither the schema nor the memory knows one of them.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Code",), {"code_id": "e1"}))
    >>> [view.id for view in by_node_type(graph, "Code")]
    ['e1']
    """
    labels = _names(node_types, "node_types")
    unknown = [label for label in labels if not known_label(graph, label)]
    if unknown:
        raise UnknownLabel(
            f"node types {unknown!r}",
            found="neither the schema nor this memory knows them",
            do="use " + ", ".join(schema.LABELS),
        )
    found = {
        node.id: node
        for label in labels
        for node in graph.nodes(schema.canonical_label(label), session_id=session_id)
        if reads_as(node, label) and node.id not in graph.nameless and visible(node)
    }
    rows = newest_first(sorted(found.values(), key=lambda node: node.n))
    return _hits(rows, ", ".join(labels), limit, offset)


def by_edge_type(
    graph: Graph,
    edge_types: str | Iterable[str],
    *,
    session_id: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> EdgeHits:
    """Return the edges of one type or of several, with the nodes at their ends.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    edge_types : str or iterable of str
        Edge types of the schema, or any that the memory holds.
    session_id : str, optional
        Only edges with both ends in this session.
    limit, offset : int, optional
        A page of the edges.

    Returns
    -------
    EdgeHits
        By the source's time of creation, newest first; nodes once per id.

    Raises
    ------
    BadRequest
        No edge type is given.
    UnknownEdgeType
        Neither the schema nor the memory knows one of them.

    Examples
    --------
    >>> graph = Graph()
    >>> for n in ("n1", "n2"):
    ...     graph.put_node(Node(n, ("Code",), {"code_id": n}))
    >>> graph.put_edge(Edge("r1", "odd_edge", "n1", "n2"))
    >>> len(by_edge_type(graph, "odd_edge"))
    1
    """
    types = _names(edge_types, "edge_types")
    known = {*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES}
    unknown = [each for each in types if each not in known]
    if unknown and set(unknown) - set(graph.edge_counts()):
        raise UnknownEdgeType(
            f"edge types {unknown!r}",
            found="neither the schema nor this memory knows them",
            do="use " + ", ".join(schema.EDGE_TYPES),
        )
    rows: list[tuple[Edge, Node, Node]] = []
    for each in types:
        for edge in graph.edges(each):
            src, dst = graph.node(edge.src), graph.node(edge.dst)
            if (
                src is not None
                and dst is not None
                and _shown(graph, src, session_id)
                and _shown(graph, dst, session_id)
            ):
                rows.append((edge, src, dst))
    rows.sort(key=lambda row: row[0].n)
    rows = by_newest(rows, lambda row: row[1])
    nodes: dict[str | None, NodeView] = {}
    edges: list[EdgeView] = []
    for edge, src, dst in page(rows, limit, offset):
        ends = NodeView.of(src), NodeView.of(dst)
        nodes.update((view.id, view) for view in ends)
        edges.append(EdgeView(ends[0].id, ends[1].id, edge.type, edge.props))
    return EdgeHits(
        nodes=tuple(nodes.values()),
        edges=tuple(edges),
        available=len(rows),
        offset=offset,
        limit=limit,
        query=", ".join(types),
    )


def node(
    graph: Graph, id: str, *, label: str | None = None, session_id: str | None = None
) -> NodeView:
    """Return one node.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    id : str
        A public id; a bare artifact id means its highest version.
    label : str, optional
        Only a node of this label.
    session_id : str, optional
        The session it is in; a Paper may lie in another.

    Raises
    ------
    UnknownLabel
        Neither the schema nor the memory knows the label.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.put_node(Node("n1", ("Code",), {"code_id": "e1", "tool": "run_python"}))
    >>> node(graph, "e1").excerpt
    'run_python'
    """
    if label is not None and not known_label(graph, label):
        raise UnknownLabel(
            f"node label {label!r}",
            found="neither the schema nor this memory knows it",
            do="use one of " + ", ".join(schema.LABELS),
        )
    return NodeView.of(resolve(graph, id, session_id=session_id, label=label))


def _hits(rows: Sequence[Node], query: str, limit: int | None, offset: int) -> Hits:
    return Hits(
        nodes=tuple(map(NodeView.of, page(rows, limit, offset))),
        available=len(rows),
        offset=offset,
        limit=limit,
        query=query,
    )


def _names(given: str | Iterable[str], what: str) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not names or not all(isinstance(name, str) for name in names):
        raise BadRequest(f"{what}={given!r}", found="no name", do="give at least one")
    return list(dict.fromkeys(names))


def _shown(graph: Graph, node: Node, session_id: str | None) -> bool:
    return (
        (session_id is None or node.session_id == session_id)
        and visible(node)
        and node.id not in graph.nameless
    )


def _class(node: Node, word: str) -> int:
    for name, number in CLASSES:
        value = node.props.get(name)
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
            node.id: (node, text)
            for node, text in zip(self.nodes, self.texts, strict=True)
        }
        nodes = list(graph.nodes())
        texts = []
        for node in nodes:
            old = known.get(node.id)
            kept = old is not None and old[0] is node
            texts.append(old[1] if old is not None and kept else _lowered(node))
        self.nodes, self.texts, self.changes = nodes, texts, graph.changes


def _texts(graph: Graph, session_id: str | None) -> tuple[list[Node], list[str]]:
    """Return the nodes of a session or of all, and their texts."""
    if session_id is not None:
        nodes = list(graph.nodes(session_id=session_id))
        return nodes, [_lowered(node) for node in nodes]
    kept = graph.memo.get("search")
    texts = kept if isinstance(kept, _Texts) else _Texts()
    if texts.changes != graph.changes:
        texts.renew(graph)
        graph.memo["search"] = texts
    return texts.nodes, texts.texts


def _lowered(node: Node) -> str:
    # The separator is no part of a word, so no word is met across two fields.
    return "\n".join(
        [
            value if isinstance(value, str) else _text(value)
            for name, value in node.props.items()
            if name in FIELDS
        ]
    ).lower()


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)
