# SPDX-License-Identifier: Apache-2.0
"""The app: routes, guard, errors and stores put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Response
from starlette.types import ASGIApp

import smemkit
from smemkit.server import (
    browser,
    browser_settings,
    cleanup,
    control,
    errors,
    observe,
    persist,
    query,
)
from smemkit.server.backends import Backends
from smemkit.server.logs import Log
from smemkit.server.security import Guard, Hosts, authorise_schema
from smemkit.server.wire import Reply
from smemkit.settings import Settings


def create_app(settings: Settings, stores: Backends, log: Log) -> ASGIApp:
    """Return the ASGI app that serves these stores.

    Parameters
    ----------
    settings : Settings
        What was told from outside.
    stores : Backends
        The memories; closed when the server stops.
    log : Log
        Where requests are written down.

    Returns
    -------
    ASGI app
        The guard with everything behind it.
    """
    hosts = Hosts(settings.host, settings.hosts, settings.origins)
    return Guard(routes(settings, stores), hosts, log)


def routes(settings: Settings, stores: Backends) -> FastAPI:
    """Return the routes alone, as the OpenAPI document lists them."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        stores.close()

    app = FastAPI(
        title="smemkit",
        version=smemkit.__version__,
        description="A science memory in the ScienceDiscovery app's wire format.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.settings = settings
    app.state.backends = stores
    app.state.browser = browser.State()
    errors.install(app)
    # A request is compared with one route after the other: those asked most come first.
    for part in (query.router, observe.router, persist.router):
        app.include_router(part)
    for part in (control.open_router, control.router, cleanup.router):
        app.include_router(part)
    if settings.browser:
        app.include_router(browser.router)
        app.include_router(browser_settings.router)

    @app.get(
        "/openapi.json",
        include_in_schema=False,
        dependencies=[Depends(authorise_schema)],
    )
    async def schema() -> Response:
        return Reply(document(app))

    return app


def document(app: FastAPI) -> dict[str, object]:
    """Return the OpenAPI document of the routes.

    FastAPI adds its own 422 to every route; the browser's routes say 400.
    """
    found: dict[str, object] = app.openapi()
    paths = found["paths"]
    for path, methods in paths.items() if isinstance(paths, dict) else ():
        for operation in methods.values() if path.startswith("/api/") else ():
            operation["responses"].pop("422", None)
    return found
