# SPDX-License-Identifier: Apache-2.0
"""What each route may answer, as the OpenAPI document says it.

The shapes are those of contract/http.md. They are written down here and never
run over an answer: tests compare every answer with them instead.
"""

from __future__ import annotations

from collections.abc import Mapping

Schema = dict[str, object]
Responses = dict[int | str, dict[str, object]]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}
OPEN: Schema = {"type": "object"}


def nullable(schema: Schema) -> Schema:
    """Return a schema that also takes null."""
    return {"anyOf": [schema, {"type": "null"}]}


def many(schema: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def shape(needed: Mapping[str, Schema], **extra: Schema) -> Schema:
    """Return the schema of an object with exactly these keys; `extra` may be absent."""
    return {
        "type": "object",
        "properties": {**needed, **extra},
        "required": list(needed),
        "additionalProperties": False,
    }


REASON: Schema = TEXT
NODE = shape(
    {
        "label": TEXT,
        "id": TEXT,
        "session_id": nullable(TEXT),
        "extra": OPEN,
        "created_at": nullable(TEXT),
    }
)
HIT = shape(
    {
        "label": TEXT,
        "id": TEXT,
        "session_id": nullable(TEXT),
        "session_title": {"type": "null"},
        "excerpt": TEXT,
        "extra": OPEN,
        "created_at": nullable(TEXT),
    }
)
THIN_EDGE = shape({"source": TEXT, "target": TEXT, "type": TEXT}, extra=OPEN)
EDGE = shape({"source": TEXT, "target": TEXT, "type": TEXT, "extra": OPEN})
COUNTS = {"total": NUMBER, "truncated": FLAG}
HITS = shape({"hits": many(HIT), **COUNTS}, available=NUMBER, reason=REASON)
SUBGRAPH = shape(
    {"nodes": many(NODE), "edges": many(THIN_EDGE), **COUNTS},
    available=NUMBER,
    reason=REASON,
)
GRAPH = shape(
    {"nodes": many(HIT), "edges": many(EDGE), **COUNTS}, available=NUMBER, reason=REASON
)
EXISTS: Schema = {"type": "object", "additionalProperties": FLAG}
TRACE_NODE = shape(
    {"label": TEXT, "id": nullable(TEXT), "excerpt": TEXT}, content_hash=TEXT
)
TRACE = shape(
    {
        "start_node": nullable(TRACE_NODE),
        "chain": many(
            shape(
                {"hop": NUMBER, "node": TRACE_NODE, "via_edge": TEXT},
                is_terminal=FLAG,
                **{"from": TEXT},
            )
        ),
        "broken": FLAG,
        "truncated": FLAG,
        "reason": nullable(TEXT),
    }
)
DEPENDENCY: Schema = {"type": "object", "required": ["kind"]}
PROVENANCE: Schema = {
    "type": "object",
    "required": ["artifact_id", "version", "logical_name", "dependencies"],
    "properties": {
        "artifact_id": TEXT,
        "version": NUMBER,
        "dependencies": many(DEPENDENCY),
        "reason": REASON,
    },
}
HASH = shape({"content_hash": nullable(TEXT), "reason": nullable(TEXT)})
WRITTEN = shape(
    {"status": TEXT, "written": NUMBER},
    products=NUMBER,
    papers=NUMBER,
    goal_corrected=FLAG,
)
CLEANED = shape({"status": TEXT, "deleted": NUMBER}, marked=NUMBER, reason=REASON)
EVIDENCE = shape({"status": TEXT, "evidence_id": nullable(TEXT)}, reason=REASON)
CHIP = shape({"kind": TEXT, "id": TEXT, "label": TEXT}, version=NUMBER)
CITED = shape(
    {
        "evidence_id": nullable(TEXT),
        "artifact_id": nullable(TEXT),
        "version": nullable(NUMBER),
        "file_id": nullable(TEXT),
        "source": nullable(TEXT),
        "identifier": nullable(TEXT),
        "labels": many(TEXT),
    }
)
CLAIM = shape(
    {
        "status": TEXT,
        "claim_id": nullable(TEXT),
        "chip_map": {"type": "object", "additionalProperties": CHIP},
    },
    cited_targets=many(CITED),
    reason=REASON,
)
STATED = shape({"status": TEXT, "linked": NUMBER}, artifact_id=TEXT, reason=REASON)
PROGRESS = shape({"applied": NUMBER, "skipped": NUMBER}, reason=REASON)
LINKED = shape({"linked": NUMBER}, reason=REASON)
OWN = shape({"detail": shape({"code": TEXT, "message": TEXT}, instruction=TEXT)})
PLAIN = shape({"detail": TEXT})
INVALID = shape(
    {
        "detail": many(
            shape({"type": TEXT, "loc": many(ANY), "msg": TEXT}, input=ANY, ctx=OPEN)
        )
    }
)
SETTINGS = shape(
    {
        "enabled": FLAG,
        "backend": TEXT,
        "neo4jHttp": TEXT,
        "neo4jUser": TEXT,
        "hasNeo4jPassword": FLAG,
        "memoryGraphStatus": TEXT,
    }
)
BROWSER_ERROR = shape({"error": TEXT})


def _json(text: str, schema: Schema) -> dict[str, object]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def answers(
    schema: Schema, *own: int, body: bool = True, token: bool = True
) -> Responses:
    """Return what a sidecar route may answer.

    Parameters
    ----------
    schema : dict
        The shape of its 200.
    *own : int
        The statuses of its own checks, such as 400 and 404.
    body : bool, default True
        Whether it reads a body or parameters, and so may refuse them.
    token : bool, default True
        Whether it asks for the token.
    """
    found: Responses = {200: _json("The answer, also a degraded one.", schema)}
    for status in own:
        # A path with a line break in it is none of our routes.
        shown: Schema = {"anyOf": [OWN, PLAIN]} if status == 404 else OWN
        found[status] = _json("Refused by the route's own checks.", shown)
    if token:
        found[401] = _json("The token is missing or wrong.", PLAIN)
    found[403] = _json("A foreign Host or Origin.", PLAIN)
    if body:
        found[413] = _json("The body is too large.", PLAIN)
        found[422] = _json(
            "The request does not have the right form.", {"anyOf": [INVALID, OWN]}
        )
    return found


def writes(schema: Schema = WRITTEN) -> Responses:
    """Return what a writing route may answer."""
    return {
        **answers(schema),
        500: _json("Nothing was written; the log has the place.", PLAIN),
    }


def health(*, body: bool = False) -> Responses:
    """Return what the health routes may answer."""
    return answers(shape({"status": TEXT}, backend=TEXT), body=body, token=body)


def browser(schema: Schema, *own: int) -> Responses:
    """Return what a browser route may answer (contract/http.md §10)."""
    found: Responses = {
        200: _json("The answer, also of a memory that is off or down.", schema)
    }
    for status in (400, 401, 403, 413, *own):
        found[status] = _json("Refused.", BROWSER_ERROR)
    return found
