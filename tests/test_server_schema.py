# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document says everything the server may answer: schemathesis asks.

Each route gets random requests of the documented form, and as many that break
it. No answer may be a 5xx, or one that the document does not name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from smemkit.reading.kinds import KINDS
from smemkit.server.app import document, routes
from smemkit.server.backends import Backends
from smemkit.settings import Settings
from tests import server_story as story
from tests.serving import Client, serving

CASES = 2_000 if os.environ.get("HYPOTHESIS_PROFILE") == "full" else 200

STATEFUL = {
    "/internal/backend",
    "/internal/neo4j-password",
    "/cleanup/session",
    "/cleanup/project",
    "/api/memory/settings",
}
"""Routes that change what others answer: each has a server of its own."""

NOTHING_TO_BREAK = {
    "GET /health",
    "GET /api/memory/settings",
    "GET /api/memory/search-graph/{search_id}",
}
"""Routes without a body, or a parameter that could be wrong."""

KNOWN = {
    "session_id": ["s1"],
    "node_id": ["a-1", "a-1#v1", "e-1", "subtask:e-1", story.RAW, "goal:session:s1"],
    "kind": sorted(KINDS),
    "kinds": [sorted(KINDS)],
    "node_types": [["Code", "Artifact"], ["ResearchGoal"]],
    "edge_types": [["next", "produces"]],
    "scope_task_id": ["subtask:subagent:sa1"],
    "group_id": ["_group:subtask:subagent:sa1:Artifact"],
    "parent_subagent_id": ["sa1", None],
    "source_paper_link": ["10.1000/demo.1"],
    "cites_artifact_aliases": [{"x": "a-1"}],
    "artifact_id": ["a-1"],
    "query": ["LDL", "run python"],
}
"""Values that the told session has; half of the fields get one, so that random
requests also reach what lies behind the checks."""

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


CHOICES = Settings(browser=True)
SCHEMA = schemathesis.openapi.from_dict(document(routes(CHOICES, Backends(CHOICES))))
OPERATIONS = {op.label: op for op in (r.ok() for r in SCHEMA.get_all_operations())}


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("schema"), browser=True) as client:
        story.tell(client)
        yield client


def ask(label: str, client: Client, mode: GenerationMode, cases: int) -> None:
    strategy = OPERATIONS[label].as_strategy(generation_mode=mode)
    session = requests.Session()  # one connection, not one for each question
    session.trust_env = False

    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy, chance=st.randoms(use_true_random=False))
    def run(case: Case, chance: Random) -> None:
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict):
            for name in set(KNOWN) & set(case.body):
                if chance.random() < 0.5:
                    case.body[name] = chance.choice(KNOWN[name])
        answer = case.call(base_url=str(client.base_url), session=session)
        assert answer.status_code < 500, case.as_curl_command()
        case.validate_response(answer, checks=CHECKS)

    with session:
        run()


def ask_both_ways(label: str, client: Client) -> None:
    ask(label, client, GenerationMode.POSITIVE, CASES // 2)
    if label not in NOTHING_TO_BREAK:
        ask(label, client, GenerationMode.NEGATIVE, CASES // 2)


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_answer_is_a_5xx_or_undocumented(label, shared, tmp_path):
    """Half of the requests fit the document, half do not."""
    path = label.split()[1]
    if path not in STATEFUL:
        ask_both_ways(label, shared)
        return
    with serving(tmp_path, browser=True) as own:
        story.tell(own)
        ask_both_ways(label, own)


def test_every_route_is_documented():
    """The document lists the routes of contract/http.md §2 to §7 and §10."""
    assert len(OPERATIONS) >= 40
    assert "POST /trace/provenance" in OPERATIONS
    assert "PUT /api/memory/settings" in OPERATIONS
