# SPDX-License-Identifier: Apache-2.0
"""The three error bodies of contract/http.md §1.4, and the limits of an answer."""

from __future__ import annotations

import json

import pytest

from tests import server_story as story
from tests.server_story import CHECKS
from tests.serving import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("errors")) as client:
        story.tell(client)
        yield client


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        (
            "/query/match",
            {},
            {
                "type": "missing",
                "loc": ["body", "query"],
                "msg": "Field required",
                "input": {},
            },
        ),
        (
            "/query/match",
            {"query": 5},
            {
                "type": "string_type",
                "loc": ["body", "query"],
                "msg": "Input should be a valid string",
                "input": 5,
            },
        ),
        (
            "/internal/backend",
            {"backend": "x"},
            {
                "type": "literal_error",
                "loc": ["body", "backend"],
                "msg": "Input should be 'local' or 'neo4j'",
                "input": "x",
                "ctx": {"expected": "'local' or 'neo4j'"},
            },
        ),
        (
            "/query/chain",
            {"node_id": "e-1"},
            {
                "type": "missing",
                "loc": ["body", "kind"],
                "msg": "Field required",
                "input": {"node_id": "e-1"},
            },
        ),
        (
            "/query/chain",
            {"node_id": "e-1", "kind": None},
            {
                "type": "string_type",
                "loc": ["body", "kind"],
                "msg": "Input should be a valid string",
                "input": None,
            },
        ),
    ],
)
def test_a_field_that_is_wrong_is_listed(client, path, body, error):
    """§1.4: the framework's list, and `kind` may also be the older `chain_kind`."""
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()) == (422, {"detail": [error]})


@pytest.mark.parametrize(("path", "body", "message"), CHECKS)
def test_a_question_that_makes_no_sense_is_a_400(client, path, body, message):
    """contract/query.md §1.7: code bad_request and these words."""
    answer = client.post(path, json=body)
    assert answer.status_code == 400
    assert answer.json() == {"detail": {"code": "bad_request", "message": message}}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/query/chain", {"node_id": "no", "kind": "viewGoal"}, "node not found: no"),
        ("/query/chain", {"node_id": "no", "chain_kind": "full"}, "node not found: no"),
        ("/trace/provenance", {"node_id": "no"}, "node not found: no"),
        (
            "/trace/provenance",
            {"node_id": "e-1", "session_id": "?"},
            "node not found: e-1",
        ),
        (
            "/query/scope-expansion",
            {"scope_task_id": "no", "session_id": "s1"},
            "scope not found: no",
        ),
        (
            "/query/group-expansion",
            {"group_id": "no", "session_id": "s1"},
            "group not found: no",
        ),
    ],
)
def test_a_node_that_is_not_there_is_a_404(client, path, body, message):
    """Code not_found; an unknown session is no reason to say anything else."""
    answer = client.post(path, json=body)
    assert answer.status_code == 404
    assert answer.json() == {"detail": {"code": "not_found", "message": message}}


def test_a_node_is_read_by_label_and_id(client):
    """The older GET: a hit, 400 for an unknown label, 404 for an unknown id."""
    assert client.get("/nodes/Artifact/a-1%23v1").json()["id"] == "a-1#v1"
    link = "https%3A%2F%2Fdoi.org%2F10.1000%2Fdemo.1"
    assert client.get(f"/nodes/Paper/{link}").json()["label"] == "Paper"
    answer = client.get("/nodes/Odd/x")
    assert (answer.status_code, answer.json()["detail"]["message"]) == (
        400,
        "unknown node label: Odd",
    )
    answer = client.get("/nodes/Code/x")
    assert (answer.status_code, answer.json()["detail"]["message"]) == (
        404,
        "Code not found: x",
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"source_paper_link": None}, "no_source"),
        ({"source_paper_link": ""}, "no_source"),
        ({"source_paper_link": " "}, "source_paper_not_found"),
        ({"source_paper_link": " ", "source_file_id": "f"}, "ambiguous_source"),
        ({"source_file_id": "f"}, "ambiguous_source"),
        ({"source_paper_link": "10.1/unknown"}, "source_paper_not_found"),
        ({"source_paper_link": None, "source_file_id": "f"}, "source_file_not_found"),
        (
            {"source_paper_link": None, "source_file_id": story.RAW},
            "source_file_not_pdf",
        ),
    ],
)
def test_evidence_is_refused_with_a_code(client, body, code):
    """§4.1: 422, an object with code, message and mostly an instruction."""
    answer = client.post("/persist/evidence", json={**story.EVIDENCE, **body})
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert detail["code"] == code
    assert set(detail) <= {"code", "message", "instruction"}
    assert all(detail.values())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            {"cites_evidence_aliases": {}, "cites_artifact_aliases": {}},
            "no_cites_target",
        ),
        (
            {"cites_evidence_aliases": {"a": ""}, "cites_artifact_aliases": {}},
            "no_cites_target",
        ),
        ({"cites_evidence_aliases": {"a": "nobody"}}, "evidence_not_found"),
        ({"cites_evidence_aliases": {"a": " "}}, "evidence_not_found"),
        ({"cites_artifact_versions": {"artifact1": 7}}, "artifact_version_not_found"),
        ({"cites_artifact_versions": {"artifact1": 0}}, "artifact_version_not_found"),
        ({"cites_artifact_versions": {"artifact1": -1}}, "artifact_version_not_found"),
        ({"cites_source_file_aliases": {"f": "nobody"}}, "source_file_not_found"),
    ],
)
def test_a_claim_is_refused_with_a_code(client, body, code):
    """§4.2: the first failure wins, an instruction comes with each."""
    known = client.post("/persist/evidence", json=story.EVIDENCE).json()["evidence_id"]
    answer = client.post("/persist/claim", json={**story.claim(known), **body})
    assert answer.status_code == 422
    assert answer.json()["detail"]["code"] == code
    assert answer.json()["detail"]["instruction"]


@pytest.mark.parametrize("version", [0, -1, 2])
def test_a_report_version_that_is_not_there_is_a_422(client, version):
    """§4.3: artifact_not_found in these words, whatever the number."""
    body = {"artifact_id": "a-9", "artifact_version": version, "session_id": "s1"}
    answer = client.post("/persist/stated_in", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"] == {
        "code": "artifact_not_found",
        "message": "Artifact version not found",
    }


def test_a_claim_that_is_not_there_stops_the_link(client):
    """§4.3: claim_not_found names it, nothing is linked, nobody waits."""
    body = {"artifact_id": "a-9", "artifact_version": 1, "session_id": "s1"}
    answer = client.post("/persist/stated_in", json={**body, "claim_ids": ["no"]})
    assert answer.status_code == 422
    assert answer.json()["detail"] == {
        "code": "claim_not_found",
        "message": "Claim no not found",
    }
    answer = client.post("/persist/states", json={**body, "claim_ids": []})
    assert answer.json() == {"status": "ok", "artifact_id": "a-9", "linked": 0}


@pytest.mark.parametrize(
    "content",
    [
        b"[",
        b'{"query":}',
        b"\xff",
        b'{"query":"\xff"}',
        b'{"query":' + b"9" * 5_000 + b"}",
        b"[" * 100_000,
        b'{"query":NaN}',
        b'{"query":"\\ud800"}',
        b"[1]",
        b"null",
        b"",
    ],
)
def test_a_body_that_cannot_be_read_is_a_422_list(client, content):
    """Broken JSON, bytes that are not UTF-8, numbers and nesting without end."""
    answer = client.post(
        "/query/match", content=content, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 422
    assert isinstance(json.loads(answer.content)["detail"], list)


FIELDS = dict.fromkeys(("content", "claim_type", "confidence", "locator"), "x")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/observe/search-artifacts", {"artifacts": [{}] * 10_000}),
        (
            "/observe/execution",
            {
                "produced_artifacts": [
                    {"artifact_id": "a", "input_artifact_versions": [{}] * 1_000}
                ]
                * 100
            },
        ),
        ("/query/chain-exists", {"node_id": "x", "kinds": [1] * 10_000}),
        (
            "/persist/claim",
            {
                **FIELDS,
                "session_id": "s1",
                "cites_evidence_aliases": {str(k): k for k in range(10_000)},
            },
        ),
        ("/query/match", {"query": 10**4_000}),
    ],
)
def test_a_list_of_what_is_wrong_has_an_end(client, path, body):
    """A hundred thousand wrong entries fit into a body; a reader needs the first."""
    answer = client.post(path, json=body)
    assert answer.status_code == 422
    assert 1 <= len(answer.json()["detail"]) <= 100
    assert len(answer.content) < 50_000


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/query/chain", {"node_id": "x", "kind": "k" * 100_000}),
        ("/query/chain-exists", {"node_id": "x", "kinds": ["\0" * 100_000] * 9}),
        ("/query/by-node-type", {"node_types": ["k" * 100_000]}),
        ("/trace/provenance", {"node_id": "k" * 100_000}),
        ("/trace/provenance", {"node_id": "x", "target_label": "k" * 100_000}),
        ("/query/search-graph", {"search_id": "k" * 100_000}),
    ],
)
def test_a_message_repeats_the_begin_of_a_long_name(client, path, body):
    """No more than helps to find it."""
    answer = client.post(path, json=body)
    assert answer.status_code in {400, 404}
    assert len(answer.content) < 3_000


def test_a_search_has_at_most_200_different_words(client):
    """Each costs a walk over all texts; the same word twice costs nothing."""
    words = [f"w{k}" for k in range(200)]
    enough = {"query": " ".join(words) + " W7-w8" * 9_000}
    assert client.post("/query/match", json=enough).status_code == 200
    answer = client.post("/query/match", json={"query": ",".join([*words, "more"])})
    assert answer.status_code == 400
    message = "query must have at most 200 different words"
    assert answer.json()["detail"] == {"code": "bad_request", "message": message}


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", ""]
)
def test_a_body_must_say_that_it_is_json(client, kind):
    """§1.3: another type, or none, is 422; so a form of a web page never writes."""
    headers = {"content-type": kind} if kind else {}
    answer = client.post("/query/match", content=b'{"query":"x"}', headers=headers)
    assert answer.status_code == 422
    [entry] = answer.json()["detail"]
    assert (entry["loc"], entry["input"]) == (["body"], '{"query":"x"}')


@pytest.mark.parametrize(
    ("value", "status"),
    [(7, 404), (7.0, 404), ("8", 404), (True, 404), (1.5, 422)],
)
def test_whole_numbers_are_taken_as_the_framework_takes_them(client, value, status):
    """§1.3: 7, 7.0, "7" and true are whole numbers, 1.5 is none."""
    body = {"node_id": "a-1", "kind": "viewGoal", "version": value}
    body["version"] = value
    answer = client.post("/query/chain", json={**body, "node_id": "nobody"})
    assert answer.status_code == status


def test_unknown_fields_are_ignored(client):
    """§1.3: everywhere."""
    answer = client.post("/query/match", json={"query": "LDL", "wat": [1], "limit": 1})
    assert (answer.status_code, answer.json()["total"]) == (200, 1)


@pytest.mark.parametrize("body", [{"limit": 0}, {"limit": 10_001}, {"offset": -1}])
def test_a_page_that_cannot_be_is_refused(client, body):
    """1 to 10,000 rows, from 0."""
    assert client.post("/query/match", json={"query": "x", **body}).status_code == 422


def test_pages_make_up_the_whole_answer(client):
    """Limit and offset cut, available stays (design §2)."""
    body = {"node_types": ["Artifact"]}
    whole = client.post("/query/by-node-type", json=body).json()
    pages = []
    for offset in range(0, whole["available"], 2):
        page = client.post(
            "/query/by-node-type", json={**body, "limit": 2, "offset": offset}
        )
        assert page.json()["available"] == whole["available"] == whole["total"]
        pages += page.json()["hits"]
    assert pages == whole["hits"]


def test_an_answer_has_500_rows_unless_asked(tmp_path):
    """§5: 500 is the default; `available` is the real number."""
    with serving(tmp_path) as client:
        products = [
            {"product_type": "paper", "link": f"https://a.example/{k}"}
            for k in range(501)
        ]
        client.post(
            "/observe/tool-call", json={**story.TOOL_CALL, "products": products}
        )
        body = client.post("/query/by-node-type", json={"node_types": ["Paper"]}).json()
        assert (body["total"], body["truncated"], body["available"]) == (500, True, 501)


def test_a_trailing_slash_is_redirected(client):
    """§1.1: 307 to the route."""
    answer = client.get("/health/", follow_redirects=False)
    assert answer.status_code == 307


def test_a_wrong_method_names_the_right_one(client):
    """405 with `allow`; an unknown path is a plain 404."""
    answer = client.get("/query/match")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert client.get("/nowhere").json() == {"detail": "Not Found"}
