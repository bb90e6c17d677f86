# SPDX-License-Identifier: Apache-2.0
"""What happened in a session: the routes that mirror it (contract/http.md §3, §7)."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Depends, Request, Response

from smemkit.memory import Memory
from smemkit.server import documents, models
from smemkit.server.backends import UNREACHABLE
from smemkit.server.security import authorise
from smemkit.server.wire import Answer, Body, Reply, backends
from smemkit.server.writes import NOTHING_WRITTEN, write

router = APIRouter(dependencies=[Depends(authorise)])

PREFIX = "upsert failed"
OLDER_TASK_TYPE = "code_execution"


def _observe(request: Request, act: Callable[[Memory], Answer]) -> Response:
    return Reply(write(backends(request), NOTHING_WRITTEN, PREFIX, act))


@router.post("/observe/session-first-message", responses=documents.writes())
def session_first_message(request: Request, asked: models.FirstMessage) -> Response:
    """Keep a session's research goal; a repeat changes nothing."""
    fields = asked.model_dump()
    return _observe(request, lambda mem: mem.observe_session_first_message(**fields))


@router.post("/observe/upload-file", responses=documents.writes())
def upload_file(request: Request, asked: models.UploadFile) -> Response:
    """Keep that a file was uploaded."""
    fields = asked.model_dump()
    return _observe(request, lambda mem: mem.observe_upload_file(**fields))


@router.post("/observe/execution", responses=documents.writes())
def execution(request: Request, asked: models.Execution) -> Response:
    """Keep that code was run, what it read and what it made."""
    fields = asked.model_dump(exclude={"task_type"})
    older = asked.task_type
    if older is not None and "tool_type" not in asked.model_fields_set:
        fields["tool_type"] = "execution" if older == OLDER_TASK_TYPE else older
    return _observe(request, lambda mem: mem.observe_execution(**fields))


@router.post("/observe/tool-call", responses=documents.writes())
def tool_call(request: Request, asked: models.ToolCall) -> Response:
    """Keep that a tool was called, and what it found."""
    fields = asked.model_dump()
    return _observe(request, lambda mem: mem.observe_tool_call(**fields))


@router.post("/observe/subagent", responses=documents.writes())
def subagent(request: Request, asked: models.Subagent) -> Response:
    """Keep that a subagent started or ended."""
    fields = asked.model_dump()
    return _observe(request, lambda mem: mem.observe_subagent(**fields))


@router.post("/observe/mcp-search", responses=documents.writes())
def mcp_search(request: Request, asked: models.McpSearch) -> Response:
    """Keep a literature search as the app's older generation tells it."""
    fields = asked.model_dump()
    for record in fields["records"]:
        # Its client sent the one name, its server read the other.
        older = record.pop("identifierType")
        record["identifier_type"] = record["identifier_type"] or older
    return _observe(request, lambda mem: mem.observe_mcp_search(**fields))


@router.post("/observe/session-plan", responses=documents.writes())
def session_plan(request: Request, asked: models.SessionPlan) -> Response:  # noqa: ARG001 - read, so that a wrong one is refused
    """Understand a plan of the older generation, and keep nothing of it."""
    up = backends(request).memory() is not None
    status = "healthy" if up else "degraded"
    return Reply({"status": status, "written": 0, "goal_corrected": False})


@router.post(
    "/observe/search-progress", responses=documents.answers(documents.PROGRESS)
)
def search_progress(request: Request, asked: models.SearchProgress) -> Response:
    """Understand the events of an evolve search, and keep none of them."""
    body: Body = {"applied": 0, "skipped": len(asked.records)}
    return Reply(body | _why_down(request) if asked.records else body)


@router.post("/observe/search-artifacts", responses=documents.answers(documents.LINKED))
def search_artifacts(request: Request, asked: models.SearchArtifacts) -> Response:  # noqa: ARG001 - as above
    """Understand the files of an evolve search, and link none of them."""
    return Reply({"linked": 0, **_why_down(request)})


def _why_down(request: Request) -> Body:
    """Return the reason that an answer has if the store is down."""
    return {"reason": UNREACHABLE} if backends(request).memory() is None else {}
