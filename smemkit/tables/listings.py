# SPDX-License-Identifier: Apache-2.0
"""Every node, every edge, every problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from smemkit import schema
from smemkit.errors import UnknownEdgeType, UnknownLabel, short
from smemkit.graph import Graph
from smemkit.reading.resolve import known_label, reads_as
from smemkit.records import Problem
from smemkit.tables.frames import frame, known, said, text, whole

if TYPE_CHECKING:
    import pandas as pd


NODES = {
    "id": "string",
    "label": "string",
    "session_id": "string",
    "text": "string",
    "status": "string",
    "seq": "Int64",
    "created_at": "datetime",
    "finished_at": "datetime",
    "props": "object",
}


def nodes(
    graph: Graph, label: str | None = None, *, session_id: str | None = None
) -> pd.DataFrame:
    """Return one row per live record, also for one without label or id.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    label : str, optional
        Only nodes of this label; an empty text means those without one.
    session_id : str, optional
        Only nodes of this session.

    Returns
    -------
    DataFrame
        ``id``, ``label``, ``session_id``; ``text``, the line that stands for the
        node, uncut; ``status``, ``seq``, ``created_at``, ``finished_at``; ``props``,
        a dict of all that is stored.

    Raises
    ------
    UnknownLabel
        Neither the schema nor the memory knows the label.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> mem.nodes("ResearchGoal")["text"].tolist()
    ['Do bills grow?']
    """
    known_here = isinstance(label, str) and (
        known_label(graph, label) or label in graph.counts()
    )
    if label is not None and not known_here:
        raise UnknownLabel(
            f"label {short(label)}",
            found="not in this memory",
            do=known(graph.counts()),
        )
    wanted = None if label is None else schema.canonical_label(label)
    return frame(
        NODES,
        (
            (
                n.public_id,
                n.label or None,
                n.session_id,
                said(n),
                text(n.props.get("status")),
                whole(n.props.get("seq")),
                n.props.get("created_at"),
                n.props.get("finished_at"),
                dict(n.props),
            )
            for n in graph.nodes(wanted, session_id=session_id)
            if label is None or n.label == label or reads_as(n, label)
        ),
    )


EDGES = {
    "type": "string",
    "source": "string",
    "target": "string",
    "source_label": "string",
    "target_label": "string",
    "session_id": "string",
    "inferred": "boolean",
    "props": "object",
}


def edges(
    graph: Graph, edge_type: str | None = None, *, session_id: str | None = None
) -> pd.DataFrame:
    """Return one row per live edge, in order of creation.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    edge_type : str, optional
        Only edges of this type.
    session_id : str, optional
        Only edges with an end in this session.

    Returns
    -------
    DataFrame
        ``type``; ``source`` and ``target``, public ids, with their labels
        ``source_label`` and ``target_label``; ``session_id``; ``inferred``, True where the app guessed it; ``props``.

    Raises
    ------
    UnknownEdgeType
        Neither the schema nor the memory knows the type.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s")
    >>> mem.edges("produces")[["source", "target"]].values.tolist()
    [['subtask:e1', 'e1']]
    """
    listed = (*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES)
    known_here = isinstance(edge_type, str) and edge_type in {
        *listed,
        *graph.edge_counts(),
    }
    if edge_type is not None and not known_here:
        raise UnknownEdgeType(
            f"edge type {short(edge_type)}",
            found="not in this memory",
            do=known(graph.edge_counts()),
        )
    return frame(EDGES, _edge_rows(graph, edge_type, session_id))


def _edge_rows(
    graph: Graph, edge_type: str | None, session_id: str | None
) -> Iterator[tuple[object, ...]]:
    for edge in graph.edges(edge_type):
        src, dst = graph.node(edge.src), graph.node(edge.dst)
        if src is None or dst is None:
            continue
        if session_id is not None and session_id not in (
            src.session_id,
            dst.session_id,
        ):
            continue
        yield (
            edge.type,
            src.public_id,
            dst.public_id,
            src.label or None,
            dst.label or None,
            dst.session_id or src.session_id,
            edge.props.get("inferred") is True,
            dict(edge.props),
        )


def problems(found: Sequence[Problem]) -> pd.DataFrame:
    """Return one row per problem: what a store could not read, or found out of place.

    What cannot be read is skipped and listed; nothing of it is lost on disk.

    Parameters
    ----------
    found : sequence of Problem
        What the store says.

    Returns
    -------
    DataFrame
        ``file``, its name, missing for a store without files; ``line``, from 1;
        ``kind``, one word of those below; ``reason``, in words; ``session_id``,
        where that can be told.

    Notes
    -----
    A line is no record: ``not-json``, ``not-utf8``, ``null-bytes``,
    ``byte-order-mark``, ``several-on-a-line``, ``not-an-object``, ``no-id``,
    ``id-not-text``, ``no-ends`` (of an edge), ``bad-labels``, ``bad-props``,
    ``too-deep``.
    A write was cut off: ``torn-line``, ``unfinished-batch``, ``undone-batch``,
    ``end-lost``. An edge lacks a node: ``dangling-edge``. A server told only
    part: ``truncated``. `smemkit check` lists them too, and mends some.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> list(mem.problems())
    ['file', 'line', 'kind', 'reason', 'session_id']
    """
    columns = {
        "file": "string",
        "line": "Int64",
        "kind": "string",
        "reason": "string",
        "session_id": "string",
    }
    return frame(
        columns, ((p.file, p.line, p.kind, p.reason, p.session_id) for p in found)
    )
