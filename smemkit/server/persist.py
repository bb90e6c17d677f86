# SPDX-License-Identifier: Apache-2.0
"""What is declared: evidence, claims, and where a claim is stated (contract/http.md §4)."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool

from smemkit.errors import DeclareError
from smemkit.server import documents, models
from smemkit.server.backends import UNREACHABLE
from smemkit.server.errors import Refusal
from smemkit.server.security import authorise
from smemkit.server.wire import Body, Reply, backends
from smemkit.server.writes import write

router = APIRouter(dependencies=[Depends(authorise)])

LOOKS = 10
"""How often a report that is not there yet is looked for (contract/http.md §4.3)."""

CITES = (
    "cites_evidence_aliases",
    "cites_artifact_aliases",
    "cites_source_file_aliases",
    "cites_dbrecord_aliases",
)

NO_EVIDENCE: Body = {"status": "degraded", "evidence_id": None, "reason": UNREACHABLE}
NO_CLAIM: Body = {
    "status": "degraded",
    "claim_id": None,
    "chip_map": {},
    "reason": UNREACHABLE,
}
NOT_LINKED: Body = {"status": "degraded", "linked": 0, "reason": UNREACHABLE}


@router.post("/persist/evidence", responses=documents.writes(documents.EVIDENCE))
def evidence(request: Request, asked: models.Evidence) -> Response:
    """Keep a piece of evidence and the one source it was taken from."""
    fields = asked.model_dump()
    return Reply(
        write(
            backends(request),
            NO_EVIDENCE,
            "declare_evidence failed",
            lambda mem: mem.declare_evidence(**fields),
        )
    )


@router.post("/persist/claim", responses=documents.writes(documents.CLAIM))
def claim(request: Request, asked: models.Claim) -> Response:
    """Keep a claim and everything it cites."""
    fields = asked.model_dump()
    # The one check that comes before the question whether the store is there.
    if not any(fields[name][alias] for name in CITES for alias in fields[name]):
        raise Refusal(
            422,
            "no_cites_target",
            "the claim cites nothing",
            "cite at least one evidence, artifact, source file or database record",
        )
    return Reply(
        write(
            backends(request),
            NO_CLAIM,
            "declare_claim failed",
            lambda mem: mem.declare_claim(**fields),
        )
    )


@router.post("/persist/stated_in", responses=documents.writes(documents.STATED))
@router.post("/persist/states", responses=documents.writes(documents.STATED))
async def stated_in(request: Request, asked: models.StatedIn) -> Response:
    """Link claims to the report version that states them.

    The app sends this before the report itself, so a report that is not there
    is looked for again; between two looks no thread is held.
    """
    for _ in range(LOOKS - 1):
        try:
            return Reply(await run_in_threadpool(_link, request, asked))
        except DeclareError as error:
            if error.code != "artifact_not_found":
                raise
        await asyncio.sleep(request.app.state.settings.stated_in_interval)
    return Reply(await run_in_threadpool(_link, request, asked))


def _link(request: Request, asked: models.StatedIn) -> Body:
    return write(
        backends(request),
        NOT_LINKED,
        "link_claims_to_report failed",
        lambda mem: mem.link_claims_to_report(**asked.model_dump()),
    )
