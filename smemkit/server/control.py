# SPDX-License-Identifier: Apache-2.0
"""Health, and the switch between the stores (contract/http.md §2)."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Depends, Request, Response

from smemkit.errors import BadRequest
from smemkit.server import documents
from smemkit.server.errors import Refusal
from smemkit.server.models import BackendChoice, Neo4jPassword
from smemkit.server.security import authorise
from smemkit.server.wire import Reply, backends

open_router = APIRouter()
router = APIRouter(dependencies=[Depends(authorise)])


@open_router.get("/health", responses=documents.health())
async def health(request: Request) -> Response:
    """Say whether the active store answers.

    Runs in a thread of its own, not in one of those that routes share: a server
    that is busy is not down.
    """
    return Reply(await asyncio.to_thread(backends(request).health))


@router.post("/internal/backend", responses=documents.health(body=True))
def choose_backend(request: Request, asked: BackendChoice) -> Response:
    """Switch the active store; nothing is copied and nothing is kept for a restart."""
    return Reply(backends(request).switch(asked.backend))


@router.post("/internal/neo4j-password", responses=documents.health(body=True))
def push_password(request: Request, asked: Neo4jPassword) -> Response:
    """Take over where Neo4j is and who we are there; null forgets the password."""
    try:
        answer = backends(request).push(
            asked.password, http=asked.http_uri, user=asked.user
        )
    except BadRequest as error:
        raise Refusal(422, "address_refused", error.message) from error
    return Reply(answer)
