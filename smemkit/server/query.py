# SPDX-License-Identifier: Apache-2.0
"""What is in the memory? The reading routes of the sidecar (contract/http.md §5)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from smemkit.server import documents, models, questions
from smemkit.server.security import authorise
from smemkit.server.wire import Reply, backends

router = APIRouter(dependencies=[Depends(authorise)])

Session = Annotated[models.Text | None, Query()]


@router.post(
    "/trace/provenance", responses=documents.answers(documents.TRACE, 400, 404)
)
def trace_provenance(request: Request, asked: models.Trace) -> Response:
    """Return the way from a node up to its research goal, and whether it holds."""
    return Reply(questions.trace(backends(request), asked))


@router.get("/subgraph", responses=documents.answers(documents.SUBGRAPH))
def subgraph(
    request: Request,
    session_id: models.Text,
    limit: models.Limit = models.PAGE,
    offset: models.Offset = 0,
) -> Response:
    """Return a session's nodes and the edges between them."""
    page = models.Page(limit=limit, offset=offset)
    return Reply(questions.subgraph(backends(request), session_id, page))


@router.post("/query/match", responses=documents.answers(documents.HITS, 400))
def match(request: Request, asked: models.Match) -> Response:
    """Return the nodes that hold the words of `query`, the best first."""
    return Reply(questions.match(backends(request), asked))


@router.post("/query/by-node-type", responses=documents.answers(documents.HITS, 400))
def by_node_type(request: Request, asked: models.ByNodeType) -> Response:
    """Return the nodes of some labels, the newest first."""
    return Reply(questions.by_node_type(backends(request), asked))


@router.post("/query/by-edge-type", responses=documents.answers(documents.GRAPH, 400))
def by_edge_type(request: Request, asked: models.ByEdgeType) -> Response:
    """Return the edges of some types, and the nodes at their ends."""
    return Reply(questions.by_edge_type(backends(request), asked))


@router.post("/query/chain", responses=documents.answers(documents.GRAPH, 400, 404))
def chain(request: Request, asked: models.Chain) -> Response:
    """Return what one chain kind reaches from a node; empty if it breaks."""
    return Reply(questions.chain(backends(request), asked))


@router.post("/query/chain-exists", responses=documents.answers(documents.EXISTS, 400))
def chain_exists(request: Request, asked: models.ChainExists) -> Response:
    """Return for each kind whether it reaches anything."""
    return Reply(questions.chain_exists(backends(request), asked))


@router.post(
    "/query/scope-expansion", responses=documents.answers(documents.GRAPH, 400, 404)
)
def scope_expansion(request: Request, asked: models.ScopeExpansion) -> Response:
    """Return what a subagent's scope holds."""
    return Reply(questions.scope_expansion(backends(request), asked))


@router.post(
    "/query/group-expansion", responses=documents.answers(documents.GRAPH, 400, 404)
)
def group_expansion(request: Request, asked: models.GroupExpansion) -> Response:
    """Return what a stack of products holds."""
    return Reply(questions.group_expansion(backends(request), asked))


@router.get(
    "/query/artifact-provenance", responses=documents.answers(documents.PROVENANCE)
)
def artifact_provenance(
    request: Request,
    artifact_id: Annotated[models.Text, Query(min_length=1)],
    version: Annotated[int, Query(ge=1)],
    session_id: Session = None,
) -> Response:
    """Return the run that made an artifact version, and what it read."""
    return Reply(
        questions.artifact_provenance(
            backends(request), artifact_id, version, session_id
        )
    )


@router.get("/web-pages/content-hash", responses=documents.answers(documents.HASH))
def content_hash(
    request: Request, session_id: models.Text, web_page_id: models.Text
) -> Response:
    """Return the hash under which a page's text is kept."""
    return Reply(questions.content_hash(backends(request), session_id, web_page_id))


@router.post("/query/search-graph", responses=documents.answers(documents.OPEN, 404))
def search_graph(request: Request, asked: models.SearchGraph) -> Response:
    """Say that no evolve search is known."""
    return Reply(questions.search_graph(backends(request), asked))


@router.get(
    "/nodes/{label}/{node_id:path}",
    responses=documents.answers(documents.HIT, 400, 404),
)
def node(
    request: Request, label: str, node_id: str, session_id: Session = None
) -> Response:
    """Return one node; its id is the rest of the path, decoded once."""
    return Reply(questions.node(backends(request), label, node_id, session_id))
