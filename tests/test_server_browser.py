# SPDX-License-Identifier: Apache-2.0
"""The browser routes of contract/http.md §10, and a real browser that reads them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests import server_story as story
from tests.serving import TOKEN, TOKEN_NAME, serving, started


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("browser"), browser=True) as client:
        story.tell(client)
        yield client


@pytest.fixture
def off(client) -> Iterator[None]:
    client.put("/api/memory/settings", json={"enabled": False})
    yield
    client.put("/api/memory/settings", json={"enabled": True})


def ask(client, path, status=200, **body):
    answer = client.post(f"/api/memory{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_the_routes_are_off_unless_asked_for(tmp_path):
    """Without --browser they do not exist."""
    with serving(tmp_path) as client:
        assert client.get("/api/memory/settings").status_code == 404


def test_a_trace_is_camel_case(client):
    """§14: startNode, viaEdge, contentHash; the chain is the sidecar's."""
    body = ask(client, "/trace/provenance", node_id="a-1", session_id="s1")
    assert body["startNode"] == {
        "label": "Artifact",
        "id": "a-1#v1",
        "excerpt": "ldl.csv",
        "contentHash": "cd34",
    }
    assert body["chain"][0] == {
        "hop": 1,
        "node": {
            "label": "Code",
            "id": "e-1",
            "excerpt": "run_python",
            "contentHash": "ab12",
        },
        "viaEdge": "produces",
        "from": "a-1#v1",
    }
    assert body["chain"][-1]["isTerminal"] is True
    assert (body["broken"], body["truncated"]) == (False, False)
    assert body["reason"] == "reached terminal node ResearchGoal"


def test_the_subgraph_keeps_the_sidecar_s_spelling(client):
    """Its nodes say session_id and created_at, also to a browser."""
    answer = client.get("/api/memory/subgraph", params={"session_id": "s1"})
    node = answer.json()["nodes"][0]
    assert set(node) == {"label", "id", "session_id", "extra", "created_at"}
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content.endswith(b"}\n")


def test_hits_are_camel_case_with_texts_for_nulls(client):
    """sessionId, sessionTitle, createdAt; a missing time is an empty text."""
    body = ask(client, "/query/by-node-type", node_types=["Code"], session_id="s1")
    hit = body["hits"][0]
    assert set(hit) == {
        "label",
        "id",
        "sessionId",
        "sessionTitle",
        "excerpt",
        "extra",
        "createdAt",
    }
    assert hit["createdAt"] == ""


def test_a_search_needs_every_word(client):
    """The mode is always all_terms, whatever the page sends."""
    found = ask(client, "/query/match", query="LDL nowhere", mode="any_term")
    assert found["hits"] == []
    assert ask(client, "/query/match", query="LDL drug")["total"] == 2


def test_the_provenance_is_camel_case(client):
    """Dependencies too."""
    answer = client.get(
        "/api/memory/query/artifact-provenance",
        params={"artifact_id": "a-2", "version": "1", "session_id": "s1"},
    )
    body = answer.json()
    assert (body["codeId"], body["messagesTurnId"]) == ("e-2", "r1")
    assert body["dependencies"][0]["artifactId"] == "a-1"
    assert body["dependencies"][1]["fileId"] == story.RAW


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        ("/query/match", {"query": " "}, "query must be non-empty"),
        ("/query/by-node-type", {}, "node_types must be a non-empty list"),
        ("/query/by-edge-type", {}, "edge_types must be a non-empty list"),
        ("/query/chain", {}, "node_id must be non-empty"),
        ("/query/chain-exists", {"node_id": "e-1"}, "kinds must be a non-empty list"),
        ("/query/scope-expansion", {}, "scope_task_id must be non-empty"),
        ("/query/group-expansion", {"group_id": "g"}, "session_id must be non-empty"),
        ("/trace/provenance", {}, "node_id must be non-empty"),
        ("/query/chain", {"node_id": "e-1", "kind": "odd"}, "unknown chain kind: odd"),
    ],
)
def test_a_question_that_makes_no_sense_is_a_400(client, path, body, text):
    """The browser's errors are {"error": text}."""
    assert ask(client, path, 400, **body) == {"error": text}


def test_what_is_not_there_is_told_from_what_is_down(client):
    """An unknown node is empty with node_not_found (design §5.8)."""
    assert ask(client, "/trace/provenance", node_id="nope") == {
        "startNode": None,
        "chain": [],
        "broken": True,
        "truncated": False,
        "reason": "node_not_found",
    }
    chain = ask(client, "/query/chain", node_id="nope", kind="viewOutput")
    assert (chain["nodes"], chain["reason"]) == ([], "node_not_found")
    client.put("/api/memory/settings", json={"backend": "neo4j"})
    try:
        chain = ask(client, "/query/chain", node_id="nope", kind="viewOutput")
        assert chain["reason"] == "memory_graph_unreachable"
    finally:
        client.put("/api/memory/settings", json={"backend": "local"})


def test_an_unknown_session_is_a_404(client):
    """Session not found, also for an empty one."""
    for session in ("nobody", ""):
        answer = client.get("/api/memory/subgraph", params={"session_id": session})
        assert (answer.status_code, answer.json()) == (
            404,
            {"error": "Session not found"},
        )


def test_a_memory_that_is_off_says_so(client, off):
    """Every route answers its empty shape with memory_graph_disabled."""
    reason = "memory_graph_disabled"
    subgraph = client.get("/api/memory/subgraph", params={"session_id": "s1"}).json()
    assert (subgraph["nodes"], subgraph["reason"]) == ([], reason)
    assert ask(client, "/query/match", query="LDL")["reason"] == reason
    assert ask(client, "/trace/provenance", node_id="a-1")["reason"] == reason
    kinds = ask(client, "/query/chain-exists", node_id="e-1", kinds=["viewOutput"])
    assert kinds == {"viewOutput": False}
    shown = client.get("/api/memory/settings").json()
    assert (shown["enabled"], shown["memoryGraphStatus"]) == (False, "disabled")


NO_GRAPH = {"nodes": [], "edges": [], "total": 0, "truncated": False, "available": 0}
NO_HITS = {"hits": [], "total": 0, "truncated": False, "available": 0}
NO_TRACE = {"startNode": None, "chain": [], "broken": True, "truncated": False}
NO_SEARCH = {"cells": [], "edges": [], "nodes": [], "truncated": False}
OWN = {"session_id": "s1"}
SHAPES = [
    ("/subgraph?session_id=s1", None, NO_GRAPH),
    ("/query/match", {"query": "LDL"}, NO_HITS),
    ("/query/by-node-type", {"node_types": ["Code"]}, NO_HITS),
    ("/query/by-edge-type", {"edge_types": ["next"]}, NO_GRAPH),
    ("/query/chain", {"node_id": "e-1", "kind": "viewOutput"}, NO_GRAPH),
    ("/query/scope-expansion", {"scope_task_id": "t", **OWN}, NO_GRAPH),
    ("/query/group-expansion", {"group_id": "g", **OWN}, NO_GRAPH),
    ("/trace/provenance", {"node_id": "a-1"}, NO_TRACE),
    ("/query/artifact-provenance?artifact_id=a-1&version=1", None, {}),
]
"""The table of §10: a route, a good question, and its shape with nothing in it."""


def asked(client, path, body):
    path = f"/api/memory{path}"
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("path", "body", "shape"),
    [
        *SHAPES,
        ("/search-graph/x?maxNodes=5", None, NO_SEARCH),
        ("/nodes/Code/e-1", None, {}),
    ],
)
def test_a_route_that_is_off_has_its_shape(client, off, path, body, shape):
    """§10, column off: 200, empty, memory_graph_disabled."""
    assert asked(client, path, body) == {**shape, "reason": "memory_graph_disabled"}


@pytest.mark.parametrize(
    ("path", "body", "shape"),
    [
        *SHAPES,
        ("/search-graph/x?maxNodes=5", None, NO_SEARCH),
        ("/nodes/Code/e-1", None, {}),
    ],
)
def test_a_route_that_is_down_has_its_shape(client, path, body, shape):
    """§10, column down: 200, empty, memory_graph_unreachable."""
    client.put("/api/memory/settings", json={"backend": "neo4j"})
    try:
        found = asked(client, path, body)
        exists = {"node_id": "e-1", "kinds": ["viewOutput"]}
        assert asked(client, "/query/chain-exists", exists) == {"viewOutput": False}
    finally:
        client.put("/api/memory/settings", json={"backend": "local"})
    assert found == {**shape, "reason": "memory_graph_unreachable"}


def test_an_id_in_a_path_is_decoded_once(client):
    """A link travels as %3A%2F%2F; a percent sign in an id as %25."""
    link = "https%3A%2F%2Fdoi.org%2F10.1000%2Fdemo.1"
    answer = client.get(f"/api/memory/nodes/Paper/{link}")
    assert answer.json()["id"] == "https://doi.org/10.1000/demo.1"
    twice = link.replace("%", "%25")
    assert client.get(f"/api/memory/nodes/Paper/{twice}").status_code == 404


def test_an_evolve_search_is_never_known(client):
    """200, empty, search_not_found."""
    answer = client.get("/api/memory/search-graph/url%3Ahttps%3A%2F%2Fa.org")
    assert answer.status_code == 200
    assert answer.json()["reason"] == "search_not_found"


def test_the_password_goes_in_and_never_comes_out(client):
    """Set, shown as a flag, cleared with null, refused when blank."""
    shown = client.put("/api/memory/settings", json={"neo4jPassword": " s3cret "})
    assert shown.json()["hasNeo4jPassword"] is True
    assert "s3cret" not in shown.text
    refused = client.put("/api/memory/settings", json={"neo4jPassword": "  "})
    assert refused.status_code == 400
    assert "cannot be empty" in refused.json()["error"]
    shown = client.put("/api/memory/settings", json={"neo4jPassword": None})
    assert shown.json()["hasNeo4jPassword"] is False


@pytest.mark.parametrize(
    "body", [{"backend": "odd"}, {"neo4jHttp": "http://10.0.0.1:7474"}, {"enabled": []}]
)
def test_settings_that_cannot_be_are_refused(client, body):
    """Nothing is changed by them."""
    before = client.get("/api/memory/settings").json()
    assert client.put("/api/memory/settings", json=body).status_code == 400
    assert client.get("/api/memory/settings").json() == before


def test_a_wrong_token_is_unauthorized(client, monkeypatch):
    """The browser's own text."""
    monkeypatch.setenv(TOKEN_NAME, TOKEN)
    answer = client.get("/api/memory/settings")
    assert (answer.status_code, answer.json()) == (401, {"error": "Unauthorized"})


@pytest.fixture
def page_server() -> Iterator[str]:
    """Yield the origin of an empty page of somebody else's server."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>a page</title>")

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


READ = """async ([url, token]) => {
    try {
        const answer = await fetch(url, {headers: {authorization: `Bearer ${token}`}});
        return {status: answer.status, body: await answer.json()};
    } catch (error) { return {error: String(error)}; }
}"""


@pytest.mark.browser
def test_a_listed_page_reads_the_subgraph_and_a_foreign_one_cannot(
    tmp_path, browser_page, page_server
):
    """In headless Chromium: the same page, listed and then not."""
    env = {TOKEN_NAME: TOKEN}
    for folder, arguments in (
        ("listed", ("--browser", "--origin", page_server)),
        ("foreign", ("--browser",)),
    ):
        place = tmp_path / folder
        place.mkdir()
        with started(place, *arguments, env=env) as server:
            server.client.post(
                "/observe/session-first-message", json=story.FIRST_MESSAGE
            )
            browser_page.goto(page_server)
            url = f"{server.url}/api/memory/subgraph?session_id=s1"
            found = browser_page.evaluate(READ, [url, TOKEN])
            if folder == "listed":
                assert found["status"] == 200
                assert [node["id"] for node in found["body"]["nodes"]] == [
                    "goal:session:s1"
                ]
            else:
                assert "Failed to fetch" in found["error"]
            # The sidecar's own routes are for programs, whatever the page.
            other = browser_page.evaluate(
                READ, [f"{server.url}/subgraph?session_id=s1", TOKEN]
            )
            assert "Failed to fetch" in other["error"]


@pytest.mark.browser
def test_a_page_of_the_server_s_own_origin_reads_the_subgraph(tmp_path, browser_page):
    """A page opened at the server's address needs no listing."""
    with started(tmp_path, "--browser") as server:
        server.client.post("/observe/session-first-message", json=story.FIRST_MESSAGE)
        browser_page.goto(f"{server.url}/health")
        url = "/api/memory/subgraph?session_id=s1"
        found = browser_page.evaluate(READ, [url, ""])
        assert found["status"] == 200
        assert found["body"]["total"] == 1
