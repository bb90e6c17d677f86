# SPDX-License-Identifier: Apache-2.0
"""What is in a memory, as frames: fixed columns and types, also when empty.

Each function takes a Graph and returns a pandas frame. Times are UTC instants;
a text no calendar knows is NaT. Ids are public ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from smemkit import instants, schema
from smemkit.errors import NodeNotFound, UnknownEdgeType, UnknownLabel
from smemkit.graph import Graph
from smemkit.records import Node, Problem

if TYPE_CHECKING:
    import pandas as pd

DTYPES = {
    "string": "string",
    "Int64": "Int64",
    "Float64": "Float64",
    "boolean": "boolean",
    "bool": "boolean",
    "datetime": "datetime64[ns, UTC]",
    "object": "object",
}


def frame(columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> pd.DataFrame:
    """Return rows as a frame with fixed columns and dtypes, also when empty.

    Parameters
    ----------
    columns : Mapping
        Column name -> one of the words of `DTYPES`.
    rows : iterable of sequences
        One value per column; None where there is none.

    Examples
    --------
    >>> frame({"id": "string", "made": "datetime"}, []).dtypes["made"]
    datetime64[ns, UTC]
    """
    import pandas as pd

    listed = list(rows)
    made: dict[str, pd.Series] = {}
    for place, (name, word) in enumerate(columns.items()):
        values = [row[place] for row in listed]
        if word == "datetime":
            moments = [instants.parse(value) for value in values]
            made[name] = pd.Series(
                pd.to_datetime(moments, utc=True, errors="coerce"), dtype=DTYPES[word]
            )
        else:
            made[name] = pd.Series(values, dtype=DTYPES[word])
    return pd.DataFrame(made, columns=list(columns))


SESSIONS = {
    "session_id": "string",
    "goal": "string",
    "first": "datetime",
    "last": "datetime",
    "nodes": "Int64",
    "edges": "Int64",
    "calls": "Int64",
    "artifacts": "Int64",
    "papers": "Int64",
    "evidence": "Int64",
    "claims": "Int64",
    "reports": "Int64",
    "problems": "Int64",
}


def sessions(graph: Graph, problems: Sequence[Problem] = ()) -> pd.DataFrame:
    """Return one row per session, in order of first appearance."""
    counted: dict[str | None, int] = {}
    for edge in graph.edges():
        src, dst = graph.node(edge.src), graph.node(edge.dst)
        for session in {n.session_id for n in (src, dst) if n is not None}:
            counted[session] = counted.get(session, 0) + 1
    rows = []
    for session in graph.sessions():
        goals = list(graph.nodes("ResearchGoal", session_id=session))
        counts = graph.counts(session)
        moments = [m for n in graph.nodes(session_id=session) for m in _moments(n)]
        rows.append(
            (
                session,
                goals[0].props.get("core_objective") if goals else None,
                min(moments, default=None),
                max(moments, default=None),
                sum(counts.values()),
                counted.get(session, 0),
                counts.get("ToolCall", 0),
                counts.get("Artifact", 0),
                counts.get("Paper", 0),
                counts.get("Evidence", 0),
                counts.get("Claim", 0),
                sum(
                    1
                    for n in graph.nodes("Artifact", session_id=session)
                    if is_report(graph, n)
                ),
                sum(1 for p in problems if p.session_id == session),
            )
        )
    return frame(SESSIONS, rows)


def _moments(node: Node) -> Iterator[object]:
    for name in ("created_at", "started_at", "finished_at"):
        moment = instants.parse(node.props.get(name))
        if moment is not None:
            yield moment


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
    """Return one row per artifact version."""
    found = graph.nodes("Artifact", session_id=session_id)
    return frame(ARTIFACTS, (_artifact(graph, node) for node in found))


def versions(graph: Graph, artifact_id: str) -> pd.DataFrame:
    """Return one row per version of one artifact, the oldest first."""
    name, _ = schema.split_version(artifact_id)
    found = [n for n in graph.named(name) if n.label == "Artifact"]
    if not found:
        raise NodeNotFound(
            f"artifact {artifact_id!r}",
            found="no version of it",
            do="see mem.artifacts()",
        )
    found.sort(key=lambda n: (_int(n.props.get("version")), n.n))
    return frame(ARTIFACTS, (_artifact(graph, node) for node in found))


def reports(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per report version."""
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
    newer = [graph.node(e.src) for e in graph.into(node.id, "supersedes")]
    p = node.props
    return (
        node.public_id,
        _text(p.get("artifact_id")),
        _int_or_none(p.get("version")),
        node.session_id,
        _text(p.get("path")),
        _text(p.get("media_type")),
        p.get("created_at"),
        _text(p.get("content_hash")),
        code.public_id if code else None,
        call,
        next((n.public_id for n in newer if n is not None), None),
        p.get("deleted_session") is True,
    )


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
    """Return one row per live record, also for one without label or id."""
    if label is not None and label not in schema.KEYS and label not in graph.counts():
        raise UnknownLabel(
            f"label {label!r}", found="not in this memory", do=_known(graph.counts())
        )
    wanted = None if label is None else schema.canonical_label(label)
    return frame(
        NODES,
        (
            (
                n.public_id,
                n.label or None,
                n.session_id,
                schema.excerpt(n.label, n.props, length=None),
                _text(n.props.get("status")),
                _int_or_none(n.props.get("seq")),
                n.props.get("created_at"),
                n.props.get("finished_at"),
                dict(n.props),
            )
            for n in graph.nodes(wanted, session_id=session_id)
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
    """Return one row per live edge."""
    known = {*schema.EDGE_TYPES, *schema.OTHER_EDGE_TYPES}
    if (
        edge_type is not None
        and edge_type not in known
        and edge_type not in graph.edge_counts()
    ):
        raise UnknownEdgeType(
            f"edge type {edge_type!r}",
            found="not in this memory",
            do=_known(graph.edge_counts()),
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
    """Return one row per problem."""
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


TIMELINE = {
    "position": "Int64",
    "id": "string",
    "label": "string",
    "session_id": "string",
    "scope": "string",
    "tool": "string",
    "type": "string",
    "status": "string",
    "seq": "Int64",
    "started_at": "datetime",
    "finished_at": "datetime",
    "seconds": "Float64",
    "inputs": "Int64",
    "products": "Int64",
}


def timeline(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per call and scope, in the order in which they ended.

    The order is that of the `next` line: finish, seq, creation.
    """
    chosen = (session_id,) if session_id is not None else graph.sessions()
    rows: list[tuple[object, ...]] = []
    for session in chosen:
        steps = [
            n
            for label in ("Task", "ToolCall")
            for n in graph.nodes(label, session_id=session)
        ]
        steps.sort(key=_step_key)
        rows += [(k, *_step(graph, node)) for k, node in enumerate(steps, 1)]
    return frame(TIMELINE, rows)


def _step_key(node: Node) -> tuple[bool, object, int, int]:
    finished = instants.parse(node.props.get("finished_at"))
    return (finished is None, finished or 0, _int(node.props.get("seq")), node.n)


def _step(graph: Graph, node: Node) -> tuple[object, ...]:
    p = node.props
    codes = [graph.node(e.dst) for e in graph.out(node.id, "produces")]
    made = [c for c in codes if c is not None and c.label != "Code"]
    runs = [c for c in codes if c is not None and c.label == "Code"]
    started = next((c.props.get("started_at") for c in runs), None) or p.get(
        "created_at"
    )
    begun, ended = instants.parse(started), instants.parse(p.get("finished_at"))
    seconds = (ended - begun).total_seconds() if begun and ended else None
    return (
        node.public_id,
        node.label,
        node.session_id,
        _text(p.get("parent_subtask_id")),
        _text(p.get("tool_name") or p.get("subagent_type")),
        _text(p.get("tool_type") or p.get("task_type")),
        _text(p.get("status")),
        _int_or_none(p.get("seq")),
        started,
        p.get("finished_at"),
        seconds,
        sum(len(graph.into(c.id, "input")) for c in runs),
        len(made) + sum(len(graph.out(c.id, "produces")) for c in runs),
    )


CITATIONS = {
    "report": "string",
    "claim_id": "string",
    "claim": "string",
    "confidence": "string",
    "support_label": "string",
    "support": "string",
    "support_text": "string",
    "source_label": "string",
    "source": "string",
    "source_text": "string",
    "session_id": "string",
}


def citations(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per report, claim, support and source.

    A claim without support, and a support without source, have a row too, with
    nothing in the columns that are missing; so has a claim no report states.
    """
    return frame(CITATIONS, _citations(graph, session_id))


def _citations(graph: Graph, session_id: str | None) -> Iterator[tuple[object, ...]]:
    for claim in graph.nodes("Claim", session_id=session_id):
        stated: list[Node | None] = [*_ends(graph, claim, "stated_in")]
        for report in stated or [None]:
            for support in [*_starts(graph, claim, "supports")] or [None]:
                sources = (
                    [*_starts(graph, support, _SOURCE.get(support.label, ""))]
                    if support
                    else []
                )
                for source in sources or [None]:
                    yield (
                        report.public_id if report else None,
                        claim.public_id,
                        _text(claim.props.get("content")),
                        _text(claim.props.get("confidence")),
                        *_shown(support),
                        *_shown(source),
                        claim.session_id,
                    )


_SOURCE = {"Evidence": "extracts", "Artifact": "produces"}


def _shown(node: Node | None) -> tuple[object, ...]:
    if node is None:
        return (None, None, None)
    return (
        node.label,
        node.public_id,
        schema.excerpt(node.label, node.props, length=None),
    )


PAPERS = {
    "link": "string",
    "title": "string",
    "authors": "object",
    "year": "string",
    "session_id": "string",
    "source": "string",
    "retrieved": "Int64",
    "evidence": "Int64",
    "claims": "Int64",
    "reports": "object",
    "created_at": "datetime",
}


def papers(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per paper and session, and what became of it."""
    return frame(
        PAPERS, (_paper(graph, n) for n in graph.nodes("Paper", session_id=session_id))
    )


def _paper(graph: Graph, node: Node) -> tuple[object, ...]:
    evidence = [*_ends(graph, node, "extracts")]
    claims = {c.id: c for e in evidence for c in _ends(graph, e, "supports")}
    cited = {
        r.public_id: None for c in claims.values() for r in _ends(graph, c, "stated_in")
    }
    p = node.props
    authors = p.get("authors")
    return (
        node.public_id,
        _text(p.get("title")),
        list(authors) if isinstance(authors, list) else [],
        _text(p.get("year")),
        node.session_id,
        _text(p.get("source")),
        _int_or_none(p.get("retrieval_count")),
        len(evidence),
        len(claims),
        list(cited),
        p.get("created_at"),
    )


def _ends(graph: Graph, node: Node, edge_type: str) -> Iterator[Node]:
    for edge in graph.out(node.id, edge_type):
        found = graph.node(edge.dst)
        if found is not None:
            yield found


def _starts(graph: Graph, node: Node, edge_type: str) -> Iterator[Node]:
    for edge in graph.into(node.id, edge_type):
        found = graph.node(edge.src)
        if found is not None:
            yield found


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0


def _int_or_none(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _known(names: Iterable[str]) -> str:
    return "known are " + ", ".join(sorted(n for n in names if n))
