# SPDX-License-Identifier: Apache-2.0
"""How a write is answered: done, not there, refused, or failed.

A store that is down is 200 ``degraded``, as the app expects (contract/http.md
§1.5). A write that was begun and did not reach the disk is a 500 with the
route's prefix: its caller must not take it for delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import HTTPException

from smemkit.errors import StoreError, StoreUnreachable
from smemkit.memory import Memory
from smemkit.server import logs
from smemkit.server.backends import Backends
from smemkit.server.wire import Answer, Body

WHY = "the store did not take it; see the server's log"
NOTHING_WRITTEN: Body = {"status": "degraded", "written": 0}


def write(
    stores: Backends,
    degraded: Mapping[str, object],
    prefix: str,
    act: Callable[[Memory], Answer],
) -> Body:
    """Run one writing verb and return the body of the answer.

    Parameters
    ----------
    stores : Backends
        Where the active memory is.
    degraded : Mapping
        The answer when the store is down.
    prefix : str
        How the route names its own failure, such as ``upsert failed``.
    act : callable
        Runs the verb.

    Raises
    ------
    HTTPException
        500 when nothing was kept.
    """
    memory = stores.memory()
    if memory is None:
        logs.skipped(prefix)
        return dict(degraded)
    try:
        return act(memory).to_dict()
    except StoreUnreachable:
        logs.skipped(prefix)
        return dict(degraded)
    except StoreError as error:
        logs.lost(prefix, error)
        raise HTTPException(500, f"{prefix}: {WHY}") from error
