# SPDX-License-Identifier: Apache-2.0
"""Which node an id means (design §5.2).

An id is looked up as given, then as a versioned id (``fig#v2``, also ``fig#v02``),
then as a link in its normalised forms. A bare artifact id means its highest version.
With a session its own node wins, and a Paper of another session is taken only
if there is none; without one the first created node is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemkit import links, schema
from smemkit.errors import BadRequest, NodeNotFound, short
from smemkit.graph import Graph
from smemkit.records import Node

LINKED = ("Paper", "WebPage", "DbRecord")
"""The labels whose ids are links, and may be written in several ways."""

_COMPOSITE = ("SearchNode", "SearchCell")


def resolve(
    graph: Graph,
    text: str,
    *,
    session_id: str | None = None,
    version: int | None = None,
    label: str | None = None,
) -> Node:
    """Return the node a caller means.

    Parameters
    ----------
    graph : Graph
        Where to look.
    text : str
        A public id, a bare artifact id, or a link in any of its forms.
    session_id : str, optional
        The session the caller is in.
    version : int, optional
        The artifact version; wins over one written into the id.
    label : str, optional
        Only a node of this label.

    Raises
    ------
    BadRequest
        The id is no text.
    NodeNotFound
        No node has this id.

    Examples
    --------
    >>> graph = Graph()
    >>> for n in (1, 2):
    ...     props = {"artifact_id": "fig", "version": n, "session_id": "s"}
    ...     graph.put_node(Node(f"n{n}", ("Artifact",), props, n))
    >>> resolve(graph, "fig").public_id, resolve(graph, "fig#v1").public_id
    ('fig#v2', 'fig#v1')
    """
    found = find(graph, text, session_id=session_id, version=version, label=label)
    if found is None:
        raise not_found(graph, text, session_id=session_id, version=version)
    return found


def find(
    graph: Graph,
    text: str,
    *,
    session_id: str | None = None,
    version: int | None = None,
    label: str | None = None,
) -> Node | None:
    """Return the node a caller means, or None; see `resolve`."""
    if not isinstance(text, str) or not text.strip():
        raise BadRequest(
            f"node {short(text)}",
            found="not a non-blank text",
            do="give an id, such as fig#v2 or a link",
        )
    papers: Node | None = None
    for group in _groups(graph, text, version):
        fitting = group if label is None else [n for n in group if reads_as(n, label)]
        own = [n for n in fitting if session_id is None or n.session_id == session_id]
        if own:
            return _first(own, version)
        if papers is None:
            others = [n for n in fitting if n.label == "Paper"]
            papers = others[0] if others else None
    return papers


def not_found(
    graph: Graph,
    text: str,
    *,
    session_id: str | None = None,
    version: int | None = None,
) -> NodeNotFound:
    """Return the error for an id that means no node, with what there is instead."""
    asked = (
        f"node {short(text)}"
        if version is None
        else f"node {short(text)}, version {short(version)}"
    )
    base = text.rpartition("#v")[0] or text
    near = [n for n in graph.named(base) if n.public_id is not None]
    if not near:
        files = [n for n in _at_path(graph, text) if session_id in (None, n.session_id)]
        if files:
            ids = ", ".join(str(n.public_id) for n in files[-5:])
            return NodeNotFound(
                asked, found=f"a path and no id: that of {ids}", do="give the id"
            )
        return NodeNotFound(
            asked, found="no node has this id", do="see mem.nodes() for the ids"
        )
    if session_id is not None and all(n.session_id != session_id for n in near):
        where = ", ".join(repr(n.session_id) for n in near[:3])
        return NodeNotFound(
            f"{asked} in session {short(session_id)}",
            found=f"it is in {where}",
            do="name that session or none",
        )
    ids = ", ".join(str(n.public_id) for n in near[-5:])
    return NodeNotFound(asked, found=f"there is {ids}", do="use one of these")


def _at_path(graph: Graph, path: str) -> list[Node]:
    """Return the artifact versions and uploaded files at a path of the workspace."""
    return [
        node
        for label in ("Artifact", "SourceFile")
        for node in graph.nodes(label)
        if node.props.get("path") == path and node.public_id is not None
    ]


def reads_as(node: Node, label: str) -> bool:
    """Return whether a node has this label, as stored or as it reads now."""
    return node.label == label or (bool(node.labels) and node.labels[0] == label)


def known_label(graph: Graph, label: str) -> bool:
    """Return whether the schema or this memory knows a label."""
    return isinstance(label, str) and (
        label in schema.LABELS
        or label in schema.OTHER_LABELS
        or (bool(label) and label in graph.counts())
    )


def _groups(graph: Graph, text: str, version: int | None) -> Iterator[list[Node]]:
    """Yield the nodes each reading of an id allows, the likeliest reading first."""
    exact = graph.named(text)
    if version is None and (split := _split(graph, text)):
        # Before a bare id: an artifact may itself be called fig#v2.
        yield [n for n in exact if n.public_id == text]
        yield split
    yield [n for n in exact if _fits(n, version)]
    base, written = _written(text)
    if written is not None:
        wanted = written if version is None else version
        yield [n for n in graph.named(base) if _fits(n, wanted)]
    for candidate in links.candidates(text):
        if candidate != text:
            yield [n for n in graph.named(candidate) if n.label in LINKED]


def _written(text: str) -> tuple[str, int | None]:
    """Return an id and the version written into it, any number that Python reads.

    So `` 1``, ``+1`` and ``01`` are 1 (contract/query.md §6.1).
    """
    base, mark, number = text.rpartition("#v")
    try:
        return (base, int(number)) if mark else (text, None)
    except ValueError:
        return text, None


def _split(graph: Graph, text: str) -> list[Node]:
    """Return the nodes whose public id this is, put together from several parts."""
    bases = [text.rpartition(mark)[0] for mark in ("#v", "#n", "#c")]
    return [n for b in bases if b for n in graph.named(b) if n.public_id == text]


def _fits(node: Node, version: int | None) -> bool:
    if node.label == "Artifact":
        return version is None or node.props.get("version") == version
    return node.label not in _COMPOSITE


def _first(nodes: Sequence[Node], version: int | None) -> Node:
    """Return the first created node, of an artifact the highest version."""
    first = nodes[0]
    if first.label != "Artifact" or version is not None:
        return first
    return max((n for n in nodes if n.label == "Artifact"), key=_version)


def _version(node: Node) -> int:
    value = node.props.get("version")
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
