# SPDX-License-Identifier: Apache-2.0
"""Which store does the page's memory use? GET and PUT /api/memory/settings.

What is chosen here lives as long as the process. The password goes in and never
comes out (contract/http.md §10).
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

from smemkit.errors import BadRequest
from smemkit.server import documents, models
from smemkit.server.browser import State
from smemkit.server.errors import bad_request
from smemkit.server.security import authorise
from smemkit.server.wire import BrowserReply, backends

router = APIRouter(prefix="/api/memory", dependencies=[Depends(authorise)])


class Choices(BaseModel):
    """PUT /api/memory/settings: each field stands alone, null clears the password."""

    enabled: bool | None = None
    backend: models.Text | None = None
    neo4jHttp: Annotated[str, Field(max_length=8_192)] | None = None
    neo4jUser: Annotated[str, Field(max_length=512)] | None = None
    neo4jPassword: Annotated[str, Field(max_length=16_384)] | None = None


@router.get("/settings", responses=documents.browser(documents.SETTINGS))
def get_settings(request: Request) -> Response:
    """Return what is chosen, and how the memory is."""
    return _shown(request)


@router.put("/settings", responses=documents.browser(documents.SETTINGS))
def put_settings(request: Request, asked: Choices) -> Response:
    """Change what is given; a store that does not answer is no error here."""
    stores = backends(request)
    state: State = request.app.state.browser
    if asked.backend not in {None, "local", "neo4j"}:
        raise bad_request("backend must be 'local' or 'neo4j'")
    password = stores.neo4j.password
    if "neo4jPassword" in asked.model_fields_set:
        password = asked.neo4jPassword
        if password is not None and not password.strip():
            raise bad_request("neo4jPassword cannot be empty")
        password = password.strip() if password else None
    if asked.model_fields_set & {"neo4jHttp", "neo4jUser", "neo4jPassword"}:
        try:
            stores.push(password, http=asked.neo4jHttp, user=asked.neo4jUser)
        except BadRequest as error:
            raise bad_request(error.message) from error
    if asked.backend is not None:
        stores.active = asked.backend
    if asked.enabled is not None:
        state.enabled = asked.enabled
    return _shown(request)


def _shown(request: Request) -> Response:
    stores = backends(request)
    state: State = request.app.state.browser
    return BrowserReply(
        {
            "enabled": state.enabled,
            "backend": stores.active,
            "neo4jHttp": stores.neo4j.http,
            "neo4jUser": stores.neo4j.user,
            "hasNeo4jPassword": stores.neo4j.password is not None,
            "memoryGraphStatus": stores.health()["status"]
            if state.enabled
            else "disabled",
        }
    )
