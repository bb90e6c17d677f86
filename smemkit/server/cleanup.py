# SPDX-License-Identifier: Apache-2.0
"""What is to be forgotten: sessions and projects (contract/http.md §6)."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from smemkit.server import documents, models
from smemkit.server.backends import UNREACHABLE
from smemkit.server.security import authorise
from smemkit.server.wire import Body, Reply, backends
from smemkit.server.writes import write

router = APIRouter(dependencies=[Depends(authorise)])

PREFIX = "cleanup failed"
NO_SESSION: Body = {
    "status": "degraded",
    "reason": UNREACHABLE,
    "marked": 0,
    "deleted": 0,
}
NO_PROJECT: Body = {"status": "degraded", "reason": UNREACHABLE, "deleted": 0}


@router.post("/cleanup/session", responses=documents.writes(documents.CLEANED))
def session(request: Request, asked: models.CleanSession) -> Response:
    """Delete a session's nodes; its artifacts stay, marked as deleted."""
    return Reply(
        write(
            backends(request),
            NO_SESSION,
            PREFIX,
            lambda mem: mem.cleanup_session(asked.session_id),
        )
    )


@router.post("/cleanup/project", responses=documents.writes(documents.CLEANED))
def project(request: Request, asked: models.CleanProject) -> Response:
    """Delete every node of some sessions, and every artifact of a project."""
    return Reply(
        write(
            backends(request),
            NO_PROJECT,
            PREFIX,
            lambda mem: mem.cleanup_project(
                asked.project_id, session_ids=asked.session_ids
            ),
        )
    )
