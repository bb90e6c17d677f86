# SPDX-License-Identifier: Apache-2.0
"""The reads: own checks in the contract's words, then the memory, then its answer.

Sidecar and browser routes ask the same functions. Each checks what it was asked
before it looks whether the store is there (contract/query.md §1.7), answers an
empty shape with a reason where the store is down, and raises `Refusal` for what
cannot be answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from smemkit import schema
from smemkit.errors import NodeNotFound, NotFound, SessionNotFound, StoreError
from smemkit.memory import Memory
from smemkit.reading.kinds import KINDS
from smemkit.reading.search import words_of
from smemkit.reading.trace import trace_provenance
from smemkit.server import models
from smemkit.server.backends import UNREACHABLE, Backends
from smemkit.server.errors import Refusal, bad_request, no_text, not_found
from smemkit.server.wire import Answer, Body

LABELS = frozenset(schema.LABELS + schema.OTHER_LABELS)
EDGE_TYPES = frozenset(schema.EDGE_TYPES + schema.OTHER_EDGE_TYPES)
MODES = ("any_term", "all_terms")
OLDER_KINDS = ("full", "task", "artifact")
MAX_HOPS = 32
MAX_WORDS = 200
"""Different words of a search: each is looked for in every text, and meanwhile
other requests wait."""

NO_HITS: Body = {"hits": [], "total": 0, "truncated": False, "available": 0}
NO_GRAPH: Body = {
    "nodes": [],
    "edges": [],
    "total": 0,
    "truncated": False,
    "available": 0,
}
NO_EDGES: Body = {
    "edges": [],
    "nodes": [],
    "total": 0,
    "truncated": False,
    "available": 0,
}
NO_TRACE: Body = {"start_node": None, "chain": [], "broken": True, "truncated": False}
NO_SEARCH: Body = {
    "cells": [],
    "edges": [],
    "nodes": [],
    "run": None,
    "truncated": False,
}


def ask(
    stores: Backends,
    empty: Mapping[str, object],
    question: Callable[[Memory], Answer],
    *,
    missing: str = "",
) -> Body:
    """Put one question to the active memory and return the body of the answer.

    Parameters
    ----------
    stores : Backends
        Where the active memory is.
    empty : Mapping
        The answer's shape with nothing in it.
    question : callable
        Asks the memory.
    missing : str
        What to say if the node that was named is not there.

    Returns
    -------
    dict
        The wire form; with ``reason`` if the store is down.

    Raises
    ------
    Refusal
        404 for a node that is not there.
    """
    memory = stores.memory()
    if memory is None:
        return {**empty, "reason": UNREACHABLE}
    try:
        answer = question(memory)
    except NodeNotFound as error:
        raise not_found(missing or str(error)) from error
    except NotFound as error:
        if missing:  # what was named is not in that session either
            raise not_found(missing) from error
        return dict(empty)  # a session nobody has written into is empty
    except StoreError:
        return {**empty, "reason": UNREACHABLE}
    body = answer.to_dict()
    available = getattr(answer, "available", None)
    if available is not None:
        body["available"] = available
    return body


def subgraph(stores: Backends, session_id: str, page: models.Page) -> Body:
    """Return a session's nodes and edges (contract/http.md §5.1)."""
    return ask(
        stores,
        NO_GRAPH,
        lambda mem: mem.subgraph(session_id, limit=page.limit, offset=page.offset),
    )


def match(stores: Backends, asked: models.Match) -> Body:
    """Return the nodes that hold the words (contract/query.md §4.1)."""
    _need_text("query", asked.query)
    if asked.mode not in MODES:
        raise bad_request("mode must be 'any_term' or 'all_terms'")
    if len(set(words_of(asked.query))) > MAX_WORDS:
        raise bad_request(f"query must have at most {MAX_WORDS} different words")
    return ask(
        stores,
        NO_HITS,
        lambda mem: mem.match(
            asked.query,
            session_id=asked.session_id,
            mode=asked.mode,
            limit=asked.limit,
            offset=asked.offset,
        ),
    )


def by_node_type(stores: Backends, asked: models.ByNodeType) -> Body:
    """Return the nodes of some labels (contract/query.md §4.2)."""
    _need_known("node", asked.node_types, LABELS)
    return ask(
        stores,
        NO_HITS,
        lambda mem: mem.by_node_type(
            asked.node_types,
            session_id=asked.session_id,
            limit=asked.limit,
            offset=asked.offset,
        ),
    )


def by_edge_type(stores: Backends, asked: models.ByEdgeType) -> Body:
    """Return the edges of some types and their ends (contract/query.md §4.3)."""
    _need_known("edge", asked.edge_types, EDGE_TYPES)
    return ask(
        stores,
        NO_EDGES,
        lambda mem: mem.by_edge_type(
            asked.edge_types,
            session_id=asked.session_id,
            limit=asked.limit,
            offset=asked.offset,
        ),
    )


def chain(stores: Backends, asked: models.Chain) -> Body:
    """Return what a chain kind reaches from a node (contract/query.md §6)."""
    if asked.kind is None and asked.chain_kind is None:
        raise no_text("kind", asked.model_dump(exclude_unset=True))
    _need_text("node_id", asked.node_id)
    if asked.kind is not None and asked.kind not in KINDS:
        raise bad_request(f"unknown chain kind: {asked.kind}")
    if asked.kind is None and asked.chain_kind not in OLDER_KINDS:
        raise bad_request("chain_kind must be 'full', 'task', or 'artifact'")
    return ask(
        stores,
        NO_GRAPH,
        lambda mem: mem.chain(
            asked.node_id,
            asked.kind,
            chain_kind=None if asked.kind is not None else asked.chain_kind,
            session_id=asked.session_id,
            version=_version(mem, asked),
            limit=asked.limit,
            offset=asked.offset,
        ),
        missing=f"node not found: {asked.node_id}",
    )


def chain_exists(stores: Backends, asked: models.ChainExists) -> Body:
    """Return which kinds reach anything; false also where nothing can be told."""
    _need_text("node_id", asked.node_id)
    if not asked.kinds:
        raise bad_request("kinds must be a non-empty list")
    unknown = [kind for kind in asked.kinds if kind not in KINDS]
    if unknown:
        raise bad_request(f"unknown chain kinds: {unknown}")
    nothing: Body = dict.fromkeys(asked.kinds, False)
    memory = stores.memory()
    if memory is None:
        return nothing
    try:
        found = memory.chain_exists(
            asked.node_id,
            asked.kinds,
            session_id=asked.session_id,
            version=_version(memory, asked),
        )
    except (NotFound, StoreError):
        return nothing
    return {kind: bool(found[kind]) for kind in asked.kinds}


def _version(memory: Memory, asked: models.Chain | models.ChainExists) -> int | None:
    # A version is read of artifacts alone, and none of theirs lies below 1.
    if asked.version is None or asked.version >= 1:
        return asked.version
    found = memory.node(asked.node_id, session_id=asked.session_id)
    if found.label == "Artifact":
        raise NodeNotFound(f"{found.id} in version {asked.version}")
    return None


def scope_expansion(stores: Backends, asked: models.ScopeExpansion) -> Body:
    """Return what a subagent did (contract/query.md §7)."""
    _need_text("scope_task_id", asked.scope_task_id)
    _need_text("session_id", asked.session_id)
    return ask(
        stores,
        NO_GRAPH,
        lambda mem: mem.scope_expansion(
            asked.scope_task_id, session_id=asked.session_id
        ),
        missing=f"scope not found: {asked.scope_task_id}",
    )


def group_expansion(stores: Backends, asked: models.GroupExpansion) -> Body:
    """Return what a stack of products holds (contract/query.md §7)."""
    _need_text("group_id", asked.group_id)
    _need_text("session_id", asked.session_id)
    return ask(
        stores,
        NO_GRAPH,
        lambda mem: mem.group_expansion(asked.group_id, session_id=asked.session_id),
        missing=f"group not found: {asked.group_id}",
    )


def artifact_provenance(
    stores: Backends, artifact_id: str, version: int, session_id: str | None
) -> Body:
    """Return the run that made an artifact version (contract/query.md §9)."""
    empty: Body = {
        "artifact_id": artifact_id,
        "version": version,
        "logical_name": None,
        "dependencies": [],
    }
    try:
        return ask(
            stores,
            empty,
            lambda mem: mem.artifact_provenance(
                artifact_id, version=version, session_id=session_id
            ),
            missing="artifact version not found",
        )
    except Refusal:
        return {**empty, "reason": "node_not_found"}


def trace(stores: Backends, asked: models.Trace) -> Body:
    """Return the way from a node up to its goal (contract/query.md §8)."""
    _need_text("node_id", asked.node_id)
    target = asked.target_label or "ResearchGoal"
    if target not in LABELS:
        raise bad_request(f"unknown target label: {target}")
    if not 1 <= asked.max_hops <= MAX_HOPS:
        raise bad_request(f"max_hops must be in [1, {MAX_HOPS}]")
    how = asked.model_dump(exclude={"node_id"}) | {"target_label": target}

    def walk(memory: Memory) -> Answer:
        try:
            return memory.trace_provenance(asked.node_id, **how)
        except SessionNotFound:
            # A Paper is there also for a session without records (query.md §8.2).
            with memory.reading() as graph:
                return trace_provenance(graph, asked.node_id, **how)

    missing = f"node not found: {asked.node_id}"
    return ask(stores, NO_TRACE, walk, missing=missing)


def node(stores: Backends, label: str, node_id: str, session_id: str | None) -> Body:
    """Return one node as a hit (contract/query.md §5)."""
    if label not in LABELS:
        raise bad_request(f"unknown node label: {label}")
    missing = f"{label} not found: {node_id}"
    memory = stores.memory()
    if memory is None:
        raise not_found(missing)
    try:
        return memory.node(node_id, label=label, session_id=session_id).to_dict()
    except (NotFound, StoreError) as error:
        raise not_found(missing) from error


def content_hash(stores: Backends, session_id: str, web_page_id: str) -> Body:
    """Return the hash of a page's text: always both keys (contract/http.md §5.4)."""
    memory = stores.memory()
    if memory is None:
        return {"content_hash": None, "reason": UNREACHABLE}
    try:
        page = memory.node(web_page_id, label="WebPage", session_id=session_id)
    except NotFound:
        return {"content_hash": None, "reason": None}
    except StoreError:
        return {"content_hash": None, "reason": UNREACHABLE}
    return {"content_hash": page.props.get("content_hash"), "reason": None}


def search_graph(stores: Backends, asked: models.SearchGraph) -> Body:
    """Refuse: evolve searches are not kept here (contract/http.md §5.4)."""
    if stores.memory() is None:
        return {**NO_SEARCH, "reason": UNREACHABLE}
    raise Refusal(404, "search_not_found", f"no search graph for {asked.search_id}")


def _need_text(name: str, value: str) -> None:
    if not value.strip():
        raise bad_request(f"{name} must be non-empty")


def _need_known(what: str, names: Sequence[str], known: frozenset[str]) -> None:
    if not names:
        raise bad_request(f"{what}_types must be a non-empty list")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise bad_request(f"unknown {what} types: {unknown}")
