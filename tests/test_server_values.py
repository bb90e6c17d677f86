# SPDX-License-Identifier: Apache-2.0
"""Which values a write over HTTP takes and which it refuses: the rows of docs/http.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests import server_story as story
from tests.serving import Client, serving

OBSERVED = {
    "/observe/session-first-message": story.FIRST_MESSAGE,
    "/observe/upload-file": story.UPLOAD,
    "/observe/execution": story.EXECUTION,
    "/observe/tool-call": story.TOOL_CALL,
    "/observe/subagent": story.SUBAGENT,
}
STATED = {"artifact_id": "a-9", "artifact_version": 1, "session_id": "s1"}
MADE = story.EXECUTION["produced_artifacts"][0]


@pytest.fixture
def client(tmp_path) -> Iterator[Client]:
    with serving(tmp_path) as client:
        yield client


def refused_value(client: Client, path: str, body: dict[str, Any]) -> str:
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()["detail"]["code"]) == (
        422,
        "invalid_value",
    )
    return str(answer.json()["detail"]["message"])


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize(
    ("path", "body", "names"),
    [
        *(
            (path, OBSERVED[path], ("session_id", *names))
            for path, names in (
                ("/observe/session-first-message", ("goal_id",)),
                ("/observe/upload-file", ("file_id",)),
                ("/observe/execution", ("execution_id", "parent_subagent_id")),
                ("/observe/tool-call", ("task_id", "parent_subagent_id")),
                ("/observe/subagent", ("subagent_id",)),
            )
        ),
        ("/persist/evidence", story.EVIDENCE, ("session_id",)),
        ("/persist/claim", story.claim("x"), ("session_id",)),
        ("/persist/stated_in", STATED, ("session_id", "artifact_id")),
        ("/cleanup/session", {}, ("session_id",)),
        ("/cleanup/project", {}, ("project_id",)),
    ],
)
def test_a_key_is_not_blank(client, path, body, names, blank):
    """Nothing could be told from anything else; the name is in the message."""
    for name in names:
        assert name in refused_value(client, path, {**body, name: blank})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/persist/stated_in", {**STATED, "claim_ids": [" "]}),
        ("/persist/claim", {**story.claim("x"), "cites_evidence_aliases": {" ": "e"}}),
        ("/cleanup/project", {"project_id": "p", "session_ids": [""]}),
        (
            "/observe/execution",
            {**story.EXECUTION, "produced_artifacts": [{**MADE, "artifact_id": ""}]},
        ),
    ],
)
def test_a_listed_key_is_not_blank_either(client, path, body):
    """Nor is an alias."""
    refused_value(client, path, body)


@pytest.mark.parametrize("blank", ["", " "])
def test_any_other_text_may_be_blank(client, blank):
    """contract/http.md §1.3: a text is a text."""
    keys = {
        "session_id",
        "goal_id",
        "file_id",
        "execution_id",
        "task_id",
        "subagent_id",
    }
    for path, body in OBSERVED.items():
        texts = {name for name, value in body.items() if isinstance(value, str)}
        answer = client.post(path, json=body | dict.fromkeys(texts - keys, blank))
        assert answer.status_code == 200, answer.text
    run = client.get("/nodes/Code/e-1").json()["extra"]
    assert (run["status"], run["tool"], run["code_hash"]) == (blank, blank, blank)
    # A blank time is as one that was left out.
    assert run["started_at"].endswith("Z")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *((path, "created_at") for path in list(OBSERVED)[:2]),
        *(("/observe/execution", name) for name in ("started_at", "finished_at")),
        *(("/observe/subagent", name) for name in ("created_at", "finished_at")),
    ],
)
def test_a_time_that_nobody_can_read_is_refused(client, path, name):
    """§5.6: it would have no place on a line."""
    message = refused_value(client, path, {**OBSERVED[path], name: "yesterday"})
    assert message.startswith(f"{name}='yesterday': not a time")


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"artifact_id": "a#v2"},
        {"input_artifact_versions": [{"artifact_id": "a-1", "version": 0}]},
    ],
)
def test_a_file_has_a_version_from_one(client, change):
    """Its id and its version are told apart; so a size is not below nothing."""
    run = {**story.EXECUTION, "produced_artifacts": [{**MADE, **change}]}
    refused_value(client, "/observe/execution", run)
    refused_value(client, "/observe/upload-file", {**story.UPLOAD, "size": -1})
