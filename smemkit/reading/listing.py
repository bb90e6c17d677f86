# SPDX-License-Identifier: Apache-2.0
"""Which nodes have this label, which edges this type, which node this id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemkit import schema
from smemkit.answers import EdgeHits, EdgeView, Hits, NodeView
from smemkit.errors import BadRequest, UnknownEdgeType, UnknownLabel, short
from smemkit.graph import Graph
from smemkit.reading.order import by_newest, newest_first, page, visible
from smemkit.reading.resolve import known_label, reads_as, resolve
from smemkit.records import Edge, Node


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
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s")
    >>> [view.id for view in mem.by_node_type("Code")]
    ['e1']
    """
    labels = _names(node_types, "node_types")
    unknown = [label for label in labels if not known_label(graph, label)]
    if unknown:
        raise UnknownLabel(
            f"node types {short(unknown)}",
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
    return hits(rows, ", ".join(labels), limit, offset)


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
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s")
    >>> [(edge.source, edge.target) for edge in mem.by_edge_type("produces").edges]
    [('subtask:e1', 'e1')]
    """
    types = _names(edge_types, "edge_types")
    known = {*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES}
    unknown = [each for each in types if each not in known]
    if unknown and set(unknown) - set(graph.edge_counts()):
        raise UnknownEdgeType(
            f"edge types {short(unknown)}",
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
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s", tool="run_python")
    >>> mem.node("e1").excerpt
    'run_python'
    """
    if label is not None and not known_label(graph, label):
        raise UnknownLabel(
            f"node label {short(label)}",
            found="neither the schema nor this memory knows it",
            do="use one of " + ", ".join(schema.LABELS),
        )
    return NodeView.of(resolve(graph, id, session_id=session_id, label=label))


def hits(rows: Sequence[Node], query: str, limit: int | None, offset: int) -> Hits:
    """Return one page of nodes that were found, in the order given."""
    return Hits(
        nodes=tuple(map(NodeView.of, page(rows, limit, offset))),
        available=len(rows),
        offset=offset,
        limit=limit,
        query=query,
    )


def _names(given: str | Iterable[str], what: str) -> list[str]:
    names = [given] if isinstance(given, str) else given
    if isinstance(names, Iterable):
        names = list(names)
        if names and all(isinstance(name, str) and name for name in names):
            return list(dict.fromkeys(names))
    raise BadRequest(f"{what}={short(given)}", found="no names", do="give at least one")


def _shown(graph: Graph, node: Node, session_id: str | None) -> bool:
    return (
        (session_id is None or node.session_id == session_id)
        and visible(node)
        and node.id not in graph.nameless
    )
