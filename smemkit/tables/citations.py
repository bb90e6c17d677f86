# SPDX-License-Identifier: Apache-2.0
"""What reports cite: claims, supports, sources, papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.tables.frames import ends, frame, said, starts, text, whole

if TYPE_CHECKING:
    import pandas as pd


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
    """Return one row per report, claim, support and source: what is cited where.

    A claim without support, a support without source and a claim that no report
    states have a row too, with nothing where something is missing.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only claims of this session.

    Returns
    -------
    DataFrame
        ``report``, the version that states the claim; ``claim_id``, ``claim`` and
        its ``confidence``; ``support_label``, ``support`` and ``support_text``, the
        Evidence, Artifact or file it rests on; ``source_label``, ``source`` and
        ``source_text``, the paper or file an Evidence is from, the Code that made
        an Artifact; ``session_id``.

        Where there is no ``source``, ``source_label`` says why: ``upload`` for a
        file that a user gave and ``record`` for what a tool call found, which
        are sources themselves; it is missing where a source is (an Artifact
        that nobody made, an Evidence from nowhere, a claim without support).

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = mem.declare_artifact("fig.svg", session_id="s", artifact_id="fig")
    >>> _ = mem.declare_claim("Bills grow.", cites_artifact_aliases={"artifact1": "fig"})
    >>> mem.citations()[["claim", "support"]].values.tolist()
    [['Bills grow.', 'fig#v1']]
    """
    return frame(CITATIONS, _citations(graph, session_id))


def _citations(graph: Graph, session_id: str | None) -> Iterator[tuple[object, ...]]:
    for claim in graph.nodes("Claim", session_id=session_id):
        about = (
            claim.public_id,
            text(claim.props.get("content")),
            text(claim.props.get("confidence")),
        )
        for report in _or_none(ends(graph, claim, "stated_in")):
            for support in _or_none(starts(graph, claim, "supports")):
                for source in _or_none(_sources(graph, support)):
                    yield (
                        report.public_id if report else None,
                        *about,
                        *_shown(support),
                        *(_shown(source) if source else _why(support)),
                        claim.session_id,
                    )


def _sources(graph: Graph, support: Node | None) -> Iterator[Node]:
    if support is not None:
        yield from starts(graph, support, _SOURCE.get(support.label, ""))


def _why(support: Node | None) -> tuple[object, ...]:
    """Return what stands for a source that is not there."""
    return (_ITSELF.get(support.label) if support else None, None, None)


def _or_none(nodes: Iterable[Node]) -> list[Node] | list[None]:
    return list(nodes) or [None]


_SOURCE = {"Evidence": "extracts", "Artifact": "produces"}

_ITSELF = {"SourceFile": "upload", "DbRecord": "record", "WebPage": "record"}
"""What is a source itself, by its label, and how its row says so."""


def _shown(node: Node | None) -> tuple[object, ...]:
    return (node and node.label, node and node.public_id, said(node))


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
    """Return one row per paper and session, and what became of it.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only papers of this session.

    Returns
    -------
    DataFrame
        ``link``, ``title``, ``authors`` (a list), ``year``, ``session_id``,
        ``source``; ``retrieved``, how often it was found; ``evidence`` and
        ``claims``, how many rest on it; ``reports``, a list of the report versions
        that cite it; ``created_at``.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> paper = {"product_type": "paper", "link": "10.1000/X", "title": "Bills"}
    >>> _ = mem.observe_tool_call(
    ...     "subtask:mcp:1", session_id="s", tool_name="search", products=[paper]
    ... )
    >>> mem.papers()[["link", "title"]].values.tolist()
    [['https://doi.org/10.1000/x', 'Bills']]
    """
    return frame(
        PAPERS, (_paper(graph, n) for n in graph.nodes("Paper", session_id=session_id))
    )


def _paper(graph: Graph, node: Node) -> tuple[object, ...]:
    evidence = [*ends(graph, node, "extracts")]
    claims = {c.id: c for e in evidence for c in ends(graph, e, "supports")}
    cited = {
        r.public_id: None for c in claims.values() for r in ends(graph, c, "stated_in")
    }
    p = node.props
    authors = p.get("authors")
    return (
        node.public_id,
        text(p.get("title")),
        list(authors) if isinstance(authors, list) else [],
        text(p.get("year")),
        node.session_id,
        text(p.get("source")),
        whole(p.get("retrieval_count")),
        len(evidence),
        len(claims),
        list(cited),
        p.get("created_at"),
    )
