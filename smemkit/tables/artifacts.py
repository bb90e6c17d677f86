# SPDX-License-Identifier: Apache-2.0
"""Artifact versions, and those of them that are reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smemkit import schema
from smemkit.errors import BadRequest, NodeNotFound, short
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.tables.frames import frame, number, starts, text, whole

if TYPE_CHECKING:
    import pandas as pd


REPORT_SUFFIXES = (".md", ".markdown", ".tex", ".pdf", ".docx")


def is_report(graph: Graph, node: Node) -> bool:
    """Return whether an Artifact is a report: by its kind, or since it states claims."""
    if graph.into(node.id, "stated_in") or node.props.get("references"):
        return True
    path = str(node.props.get("path") or node.props.get("logical_name") or "").lower()
    return path.endswith(REPORT_SUFFIXES)


ARTIFACTS = {
    "id": "string",
    "artifact_id": "string",
    "version": "Int64",
    "session_id": "string",
    "path": "string",
    "media_type": "string",
    "created_at": "datetime",
    "content_hash": "string",
    "code_id": "string",
    "call": "string",
    "superseded_by": "string",
    "deleted": "boolean",
}
REPORTS = {
    **{
        k: ARTIFACTS[k]
        for k in (
            "id",
            "artifact_id",
            "version",
            "session_id",
            "path",
            "created_at",
            "superseded_by",
            "deleted",
        )
    },
    "claims": "Int64",
    "references": "Int64",
}


def artifacts(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per artifact version, in order of creation.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only those of this session.

    Returns
    -------
    DataFrame
        ``id``, ``artifact_id``, ``version``, ``session_id``, ``path``,
        ``media_type``, ``created_at``, ``content_hash``; ``code_id`` and ``call``,
        the run that made it; ``superseded_by``, the next version; ``deleted``,
        True for what a deleted session left behind.


    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    >>> mem.artifacts()["id"].tolist()
    ['report#v1']
    """
    found = graph.nodes("Artifact", session_id=session_id)
    return frame(ARTIFACTS, (_artifact(graph, node) for node in found))


def versions(graph: Graph, artifact_id: str) -> pd.DataFrame:
    """Return one row per version of one artifact, the oldest first.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    artifact_id : str
        Its id; a version behind it is ignored.

    Returns
    -------
    DataFrame
        The columns of `artifacts`: ``id``, ``artifact_id``, ``version``,
        ``session_id``, ``path``, ``media_type``, ``created_at``,
        ``content_hash``; ``code_id`` and ``call``, the run that made it;
        ``superseded_by``, ``deleted``.


    Raises
    ------
    BadRequest
        The id is no text.
    NodeNotFound
        No artifact has this id.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    >>> mem.versions("report")["id"].tolist()
    ['report#v1']
    """
    if not isinstance(artifact_id, str) or not artifact_id.strip():
        raise BadRequest(
            f"artifact {short(artifact_id)}",
            found="not a non-blank text",
            do="give an id; see mem.artifacts()",
        )
    found = _named(graph, artifact_id)
    if not found:
        raise NodeNotFound(
            f"artifact {short(artifact_id)}",
            found="no version of it",
            do="see mem.artifacts()",
        )
    found.sort(key=lambda n: (number(n.props.get("version")), n.n))
    return frame(ARTIFACTS, (_artifact(graph, node) for node in found))


def _named(graph: Graph, artifact_id: str) -> list[Node]:
    """Return the versions of an artifact; an id is looked up as given first."""
    name, _ = schema.split_version(artifact_id)
    split = [n for n in graph.named(name) if n.label == "Artifact"]
    if any(n.public_id == artifact_id for n in split):
        return split
    return [n for n in graph.named(artifact_id) if n.label == "Artifact"] or split


def reports(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per report version.

    A report is an Artifact that states claims or keeps references, or whose path
    ends as a report's does (`REPORT_SUFFIXES`).

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only those of this session.

    Returns
    -------
    DataFrame
        ``id``, ``artifact_id``, ``version``, ``session_id``, ``path``,
        ``created_at``, ``superseded_by``, ``deleted``; ``claims`` and
        ``references``, how many it has.


    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    >>> mem.reports()["id"].tolist()
    ['report#v1']
    """
    rows = []
    for node in graph.nodes("Artifact", session_id=session_id):
        if is_report(graph, node):
            row = dict(zip(ARTIFACTS, _artifact(graph, node), strict=True))
            kept = node.props.get("references")
            row["claims"] = len(graph.into(node.id, "stated_in"))
            row["references"] = len(kept) if isinstance(kept, list) else 0
            rows.append(tuple(row[name] for name in REPORTS))
    return frame(REPORTS, rows)


def _artifact(graph: Graph, node: Node) -> tuple[object, ...]:
    codes = [graph.node(e.src) for e in graph.into(node.id, "produces")]
    code = next((c for c in codes if c is not None and c.label == "Code"), None)
    calls = [graph.node(e.src) for e in graph.into(code.id, "produces")] if code else []
    call = next((c.public_id for c in calls if c is not None), None)
    newer = _newer(graph, node)
    p = node.props
    return (
        node.public_id,
        text(p.get("artifact_id")),
        whole(p.get("version")),
        node.session_id,
        text(p.get("path")),
        text(p.get("media_type")),
        p.get("created_at"),
        text(p.get("content_hash")),
        code.public_id if code else None,
        call,
        newer.public_id if newer else None,
        p.get("deleted_session") is True,
    )


def _newer(graph: Graph, node: Node) -> Node | None:
    """Return what supersedes an artifact: by an edge, else its next higher version."""
    named = next(starts(graph, node, "supersedes"), None)
    own = whole(node.props.get("version"))
    if named is not None or own is None:
        return named
    later = [
        (version, other.n, other)
        for other in graph.named(str(node.props.get("artifact_id")))
        if other.label == "Artifact"
        and (version := whole(other.props.get("version"))) is not None
        and version > own
    ]
    return min(later)[2] if later else None
