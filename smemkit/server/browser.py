# SPDX-License-Identifier: Apache-2.0
"""What does a web page see? The routes ``/api/memory/*`` (contract/http.md §10).

They ask what the sidecar routes ask and rename what the contract renames: nodes
of lists, traces and provenance are camelCase, the subgraph's nodes and all edges
stay as they are. They are served with ``--browser`` only.

What the app's own proxy takes for an outage is told apart here (design §5.8):
an unknown node is empty with ``node_not_found``, an unknown kind is a 400.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

from smemkit.server import camel, documents, models, questions
from smemkit.server.backends import UNREACHABLE
from smemkit.server.errors import Refusal, bad_request
from smemkit.server.security import authorise
from smemkit.server.wire import Body, BrowserReply, backends

router = APIRouter(prefix="/api/memory", dependencies=[Depends(authorise)])

DISABLED = "memory_graph_disabled"
MISSING = "node_not_found"
NO_TRACE: Body = {"startNode": None, "chain": [], "broken": True, "truncated": False}


@dataclass(slots=True)
class State:
    """What a browser may switch; it lives as long as the process."""

    enabled: bool = True


class Words(models.Page):
    """POST /api/memory/query/match; every word must be there."""

    query: models.Text = ""
    session_id: models.Text | None = None


class Chain(models.Chain):
    """POST /api/memory/query/chain; a kind left out is an unknown kind."""

    node_id: models.Text = ""
    kind: models.Text | None = ""


class ChainExists(models.ChainExists):
    """POST /api/memory/query/chain-exists."""

    node_id: models.Text = ""
    kinds: models.Texts = Field(default_factory=list)


class Scope(models.ScopeExpansion):
    """POST /api/memory/query/scope-expansion."""

    scope_task_id: models.Text = ""
    session_id: models.Text = ""


class Group(models.GroupExpansion):
    """POST /api/memory/query/group-expansion."""

    group_id: models.Text = ""
    session_id: models.Text = ""


class Trace(BaseModel):
    """POST /api/memory/trace/provenance."""

    node_id: models.Text = ""
    target_label: models.Text | None = None
    max_hops: int | None = None
    session_id: models.Text | None = None


def answer(
    request: Request,
    empty: Body,
    ask: Callable[[], Body],
    rename: Callable[[Body], Body] = camel.hits,
) -> Response:
    """Answer in the browser's spelling, empty and with a reason where need be."""
    state: State = request.app.state.browser
    if not state.enabled:
        return BrowserReply({**empty, "reason": DISABLED})
    try:
        return BrowserReply(rename(ask()))
    except Refusal as refusal:
        code = refusal.detail["code"]
        if refusal.status != 404:
            raise
        reason = MISSING if code == "not_found" else code
        return BrowserReply({**empty, "reason": reason})


def _need(name: str, value: str) -> None:
    # The app's proxy checks this before it looks whether the memory is on.
    if not value.strip():
        raise bad_request(f"{name} must be non-empty")


def _need_list(name: str, values: list[str]) -> None:
    if not values:
        raise bad_request(f"{name} must be a non-empty list")


@router.get("/subgraph", responses=documents.browser(documents.SUBGRAPH, 404))
def subgraph(
    request: Request,
    session_id: models.Text = "",
    limit: models.Limit = models.PAGE,
    offset: models.Offset = 0,
) -> Response:
    """Return a session's nodes and edges, in the sidecar's own spelling."""
    nothing = Refusal(404, "no_session", "Session not found")
    if not session_id:
        raise nothing
    state: State = request.app.state.browser
    if not state.enabled:
        return BrowserReply({**questions.NO_GRAPH, "reason": DISABLED})
    page = models.Page(limit=limit, offset=offset)
    found = questions.subgraph(backends(request), session_id, page)
    if not found["available"] and "reason" not in found:
        raise nothing
    return BrowserReply(found)


@router.post("/query/match", responses=documents.browser(documents.OPEN))
def match(request: Request, asked: Words) -> Response:
    """Return the nodes that hold every word of `query`."""
    _need("query", asked.query)
    every = models.Match(mode="all_terms", **asked.model_dump())
    return answer(
        request, questions.NO_HITS, lambda: questions.match(backends(request), every)
    )


@router.post("/query/by-node-type", responses=documents.browser(documents.OPEN))
def by_node_type(request: Request, asked: models.ByNodeType) -> Response:
    """Return the nodes of some labels."""
    _need_list("node_types", asked.node_types)
    return answer(
        request,
        questions.NO_HITS,
        lambda: questions.by_node_type(backends(request), asked),
    )


@router.post("/query/by-edge-type", responses=documents.browser(documents.OPEN))
def by_edge_type(request: Request, asked: models.ByEdgeType) -> Response:
    """Return the edges of some types and their ends."""
    _need_list("edge_types", asked.edge_types)
    return answer(
        request,
        questions.NO_EDGES,
        lambda: questions.by_edge_type(backends(request), asked),
    )


@router.post("/query/chain", responses=documents.browser(documents.OPEN))
def chain(request: Request, asked: Chain) -> Response:
    """Return what a chain kind reaches."""
    _need("node_id", asked.node_id)
    return answer(
        request, questions.NO_GRAPH, lambda: questions.chain(backends(request), asked)
    )


@router.post("/query/chain-exists", responses=documents.browser(documents.EXISTS))
def chain_exists(request: Request, asked: ChainExists) -> Response:
    """Return which kinds reach anything; all false where the memory is off or down."""
    _need("node_id", asked.node_id)
    _need_list("kinds", asked.kinds)
    state: State = request.app.state.browser
    if not state.enabled:
        return BrowserReply(dict.fromkeys(asked.kinds, False))
    return BrowserReply(questions.chain_exists(backends(request), asked))


@router.post("/query/scope-expansion", responses=documents.browser(documents.OPEN))
def scope_expansion(request: Request, asked: Scope) -> Response:
    """Return what a subagent's scope holds."""
    _need("scope_task_id", asked.scope_task_id)
    _need("session_id", asked.session_id)
    return answer(
        request,
        questions.NO_GRAPH,
        lambda: questions.scope_expansion(backends(request), asked),
    )


@router.post("/query/group-expansion", responses=documents.browser(documents.OPEN))
def group_expansion(request: Request, asked: Group) -> Response:
    """Return what a stack of products holds."""
    _need("group_id", asked.group_id)
    _need("session_id", asked.session_id)
    return answer(
        request,
        questions.NO_GRAPH,
        lambda: questions.group_expansion(backends(request), asked),
    )


@router.post("/trace/provenance", responses=documents.browser(documents.OPEN))
def trace_provenance(request: Request, asked: Trace) -> Response:
    """Return the way from a node up to its research goal."""
    _need("node_id", asked.node_id)
    fields = asked.model_dump(exclude_none=True)
    return answer(
        request,
        NO_TRACE,
        lambda: questions.trace(backends(request), models.Trace(**fields)),
        camel.trace,
    )


@router.get("/query/artifact-provenance", responses=documents.browser(documents.OPEN))
def artifact_provenance(
    request: Request,
    artifact_id: models.Text = "",
    version: models.Text = "",
    session_id: models.Text | None = None,
) -> Response:
    """Return the run that made an artifact version."""
    number = (
        int(version)
        if version.isascii() and version.isdecimal() and len(version) < 19
        else 0
    )
    if not artifact_id or number < 1:
        raise bad_request("artifact_id + version required")
    return answer(
        request,
        {},
        lambda: questions.artifact_provenance(
            backends(request), artifact_id, number, session_id
        ),
        camel.provenance,
    )


@router.get(
    "/search-graph/{search_id:path}", responses=documents.browser(documents.OPEN, 404)
)
def search_graph(request: Request, search_id: str) -> Response:
    """Return an empty search: evolve searches are not kept here."""
    empty: Body = {"cells": [], "edges": [], "nodes": [], "truncated": False}
    asked = models.SearchGraph(search_id=search_id)

    def ask() -> Body:
        found = questions.search_graph(backends(request), asked)
        return {**empty, "reason": found["reason"]}

    return answer(request, empty, ask)


@router.get(
    "/nodes/{label}/{node_id:path}", responses=documents.browser(documents.OPEN, 404)
)
def node(
    request: Request, label: str, node_id: str, session_id: models.Text | None = None
) -> Response:
    """Return one node; its id is the rest of the path, decoded once."""
    state: State = request.app.state.browser
    if not state.enabled:
        return BrowserReply({"reason": DISABLED})
    stores = backends(request)
    if stores.memory() is None:  # not that the node is unknown (design §5.8)
        return BrowserReply({"reason": UNREACHABLE})
    found = questions.node(stores, label, node_id, session_id)
    return BrowserReply(camel.hit(found))
