# SPDX-License-Identifier: Apache-2.0
"""Who may ask: tokens, foreign hosts and pages, and what is too large."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import pytest

from smemkit.server import security
from smemkit.server.app import document, routes
from smemkit.server.backends import Backends
from smemkit.server.security import MAX_BODY, MAX_BROWSER_BODY, Hosts, token_fits
from smemkit.settings import Settings
from tests import server_story as story
from tests.serving import TOKEN, TOKEN_NAME, serving

CHOICES = Settings(browser=True)
DOCUMENT = document(routes(CHOICES, Backends(CHOICES)))
EVERY_ROUTE = [
    (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
]

DATA_ROUTES = [
    ("POST", "/internal/backend"),
    ("POST", "/internal/neo4j-password"),
    ("POST", "/observe/session-first-message"),
    ("POST", "/persist/claim"),
    ("POST", "/query/match"),
    ("GET", "/subgraph"),
    ("GET", "/nodes/Code/e-1"),
    ("POST", "/trace/provenance"),
    ("POST", "/cleanup/session"),
    ("GET", "/web-pages/content-hash"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    place = tmp_path_factory.mktemp("security")
    with serving(place, browser=True, origins=("http://page.example",)) as client:
        yield client


@pytest.fixture
def token(monkeypatch) -> dict[str, str]:
    monkeypatch.setenv(TOKEN_NAME, TOKEN)
    return {"authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(("method", "path"), DATA_ROUTES)
@pytest.mark.parametrize(
    "header",
    [None, "", TOKEN, f"bearer {TOKEN}", f"Bearer  {TOKEN}"],
)
def test_every_data_route_asks_for_the_token(client, token, method, path, header):
    """The whole header is compared; 401 comes before the fields are looked at."""
    headers = {} if header is None else {"authorization": header}
    body = {} if method == "POST" else None
    answer = client.request(method, path, headers=headers, json=body)
    assert answer.status_code == 401
    assert answer.json() == {"detail": "invalid internal token"}
    assert "www-authenticate" not in answer.headers


@pytest.mark.parametrize(("method", "path"), EVERY_ROUTE)
def test_no_route_but_health_is_open(client, token, method, path):
    """Every route of the document, also those of the browser."""
    path = path.replace("{", "").replace("}", "")
    answer = client.request(method, path, json={} if method != "GET" else None)
    assert answer.status_code == (200 if path == "/health" else 401)


def test_the_token_is_compared_in_constant_time(client, token, monkeypatch):
    """By the one function that does not stop at the first wrong byte."""
    compared = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(security.hmac, "compare_digest", compare)
    answer = client.post("/query/match", json={"query": "x"}, headers=token)
    assert answer.status_code == 401
    right = token["authorization"].encode()
    assert compared == [(right, right)]


def test_health_needs_no_token(client, token):
    """So that whoever starts the server can wait for it."""
    assert client.get("/health").status_code == 200


def test_a_body_that_is_no_json_is_refused_before_the_token(client, token):
    """§1.2: JSON first, then the token, then the fields, then our own checks."""
    broken = {"content-type": "application/json"}
    answer = client.post("/query/match", content=b'{"query":', headers=broken)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["type"] == "json_invalid"
    assert client.post("/query/match", json={"query": 5}).status_code == 401
    answer = client.post("/query/match", json={"query": 5}, headers=token)
    assert (answer.status_code, answer.json()["detail"][0]["type"]) == (
        422,
        "string_type",
    )
    answer = client.post("/query/match", json={"query": " "}, headers=token)
    assert (answer.status_code, answer.json()["detail"]["code"]) == (400, "bad_request")


def test_a_token_may_change_while_the_server_runs(client, token, monkeypatch):
    """It is read at each request; an empty one lets everyone in."""
    assert (
        client.post("/query/match", json={"query": "x"}, headers=token).status_code
        == 200
    )
    monkeypatch.setenv(TOKEN_NAME, "another")
    assert (
        client.post("/query/match", json={"query": "x"}, headers=token).status_code
        == 401
    )
    monkeypatch.setenv(TOKEN_NAME, "")
    assert client.post("/query/match", json={"query": "x"}).status_code == 200


def test_a_token_beyond_ascii_is_compared_byte_by_byte():
    """The header arrives as UTF-8 bytes."""
    assert token_fits("Bearer ключ".encode(), "ключ")
    assert not token_fits(b"Bearer ?", "ключ")


def test_a_token_that_is_no_utf8_is_compared_too():
    """The environment hands such bytes on as half surrogates."""
    assert token_fits(b"Bearer \xff\xfe", "\udcff\udcfe")
    assert not token_fits(b"Bearer \xff", "\udcff\udcfe")


def test_the_schema_is_shown_to_holders_of_a_token_only(client, token, monkeypatch):
    """Without a token, or where none is set, there is no page that lists the routes."""
    assert (
        client.get("/openapi.json", headers=token).json()["info"]["title"] == "smemkit"
    )
    assert client.get("/openapi.json").status_code == 401
    monkeypatch.delenv(TOKEN_NAME)
    assert client.get("/openapi.json").status_code == 401
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:17674", True),
        ("127.0.0.1", True),
        ("localhost:1", True),
        ("LOCALHOST", True),
        ("[::1]:17674", True),
        ("127.0.0.2", True),
        ("lab.example:17674", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:17674", False),
        ("10.0.0.1", False),
        ("", False),
        ("127.0.0.1:17674@evil.example", False),
        ("[::1", False),
        ("[::1]evil.example", False),
        ("[::1].evil.example:17674", False),
        ("localhost:", False),
        ("localhost:99999999", False),
    ],
)
def test_a_host_is_known_by_loopback_or_by_name(host, known):
    """A name that was rebound to this machine is still a foreign name."""
    assert Hosts("127.0.0.1", ["lab.example"]).knows(host) is known


def test_a_server_that_listens_everywhere_is_reached_by_any_number():
    """A number cannot be rebound; a name still has to be listed."""
    hosts = Hosts("0.0.0.0")
    assert hosts.knows("10.0.0.1:17674")
    assert not hosts.knows("evil.example")


def test_a_foreign_host_is_refused_everywhere(client):
    """Also on the open route, before anything is read."""
    for path in ("/health", "/api/memory/settings"):
        answer = client.get(path, headers={"host": "evil.example"})
        assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8888"},
        {"origin": "https://127.0.0.1:17674"},
        {"origin": "http://page.example"},  # listed for the browser routes only
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_origin_is_refused(client, headers):
    """Another port of this machine is another origin too."""
    answer = client.post("/query/match", json={"query": "x"}, headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_two_origins_are_none(client):
    """A listed page is not taken at its word if another name stands beside it."""
    for pair in ("evil", "page"), ("page", "evil"):
        headers = [("origin", f"http://{name}.example") for name in pair]
        assert client.get("/api/memory/settings", headers=headers).status_code == 403


def test_a_page_of_our_own_origin_may_ask(client):
    """The origin is the address the page reached us by."""
    origin = str(client.base_url).rstrip("/")
    headers = {"origin": origin, "sec-fetch-site": "same-origin"}
    answer = client.post("/query/match", json={"query": "x"}, headers=headers)
    assert answer.status_code == 200


def test_a_listed_page_may_read_the_browser_routes(client):
    """It is told so by CORS headers, on the answer and on the question before it."""
    headers = {"origin": "http://page.example"}
    answer = client.get("/api/memory/settings", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "http://page.example"
    assert answer.headers["vary"] == "Origin"
    before = client.options("/api/memory/query/match", headers=headers)
    assert before.status_code == 204
    assert "authorization" in before.headers["access-control-allow-headers"]


@pytest.mark.parametrize(
    ("path", "limit"),
    [("/query/match", MAX_BODY), ("/api/memory/query/match", MAX_BROWSER_BODY)],
)
def test_a_body_over_the_limit_is_413(client, path, limit):
    """Told by its length, or counted while it arrives in pieces."""
    json_type = {"content-type": "application/json"}
    body = b'{"query":"' + b"x" * limit + b'"}'
    assert client.post(path, content=body, headers=json_type).status_code == 413
    pieces = (body[k : k + 65_536] for k in range(0, len(body), 65_536))
    assert client.post(path, content=pieces, headers=json_type).status_code == 413


def test_a_large_body_that_was_only_announced_is_413(client, monkeypatch):
    """The server does not wait for what never comes."""
    monkeypatch.setattr(security, "PATIENCE", 0.1)
    lines = ["POST /query/match HTTP/1.1", "host: 127.0.0.1"]
    lines += [f"content-length: {MAX_BODY + 1}", "", ""]
    with socket.create_connection(("127.0.0.1", client.base_url.port), 30) as raw:
        raw.sendall("\r\n".join(lines).encode())
        assert raw.recv(65_536).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/query/match", {"query": "x" * (1 << 20 | 1)}, "string_too_long"),
        ("/query/chain-exists", {"node_id": "x", "kinds": ["k"] * 10_001}, "too_long"),
        (
            "/query/by-node-type",
            {"node_types": ["x" * (1 << 20 | 1)]},
            "string_too_long",
        ),
    ],
)
def test_a_text_or_list_over_the_limit_is_422(client, path, body, kind):
    """1 MB of text, 10,000 entries; the answer repeats none of it."""
    answer = client.post(path, json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["type"] == kind
    assert len(answer.content) < 2_000


def test_a_text_is_measured_in_bytes_when_it_is_kept(client):
    """A text of 400,000 Chinese signs is more than 1 MB: refused, nothing kept."""
    body = {
        "session_id": "s",
        "goal_id": "goal:session:s",
        "core_objective": "证" * 400_000,
        "created_at": "2026-10-01T08:00:00Z",
    }
    answer = client.post("/observe/session-first-message", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"]["code"] == "invalid_value"
    found = client.post("/query/by-node-type", json={"node_types": ["ResearchGoal"]})
    assert found.json()["hits"] == []


def test_a_time_nobody_can_read_is_422(client):
    """As docs/http.md says; nothing of the run is kept."""
    when = {"started_at": "2026-10-01T08:00:00Z", "finished_at": "2026-10-01T08:00:05Z"}
    body = {"execution_id": "e-soon", "session_id": "s", "turn_id": "t"}
    body |= {"tool": "bash", "code_hash": "ab", "status": "succeeded", **when}
    for name in when:
        answer = client.post("/observe/execution", json={**body, name: "soon"})
        assert answer.status_code == 422
        assert answer.json()["detail"]["code"] == "invalid_value"
        assert f"{name}='soon'" in answer.json()["detail"]["message"]
    found = client.post("/query/by-node-type", json={"node_types": ["Code"]})
    assert found.json()["hits"] == []


def test_a_failure_says_nothing_of_itself(client, monkeypatch):
    """An error nobody expected is a plain 500 without its text."""

    def fail() -> None:
        raise RuntimeError("s3cret words of the report")

    monkeypatch.setattr(client.stores, "memory", fail)
    answer = client.post("/query/match", json={"query": "x"})
    assert answer.status_code == 500
    assert answer.text == "Internal Server Error"
    assert answer.headers["content-type"].startswith("text/plain")


def unbounded(schema: object, where: str) -> Iterator[str]:
    """Yield where a request may hold a text, a list or a map without end."""
    if not isinstance(schema, dict):
        return
    limits = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}
    kind = schema.get("type")
    closed = "enum" in schema or "const" in schema or "properties" in schema
    if kind in limits and limits[kind] not in schema and not closed:
        yield where
    for name, part in schema.get("properties", {}).items():
        yield from unbounded(part, f"{where}.{name}")
    for name in ("items", "additionalProperties"):
        yield from unbounded(schema.get(name), where)
    for part in schema.get("anyOf", ()):
        yield from unbounded(part, where)


def test_every_field_and_parameter_has_an_end():
    """Texts, lists and maps of each request; a path is as long as a line of HTTP."""
    found = []
    for name, schema in DOCUMENT["components"]["schemas"].items():
        if "ValidationError" not in name:  # an answer, not a request
            found += unbounded(schema, name)
    for path, methods in DOCUMENT["paths"].items():
        for operation in methods.values():
            for each in operation.get("parameters", ()):
                if each["in"] == "query":
                    found += unbounded(each["schema"], f"{path} {each['name']}")
    # Kept by nobody: the events of an evolve search, bounded by the whole body.
    assert found == ["SearchProgress.records"]


class Watch:
    """Notes what is opened and connected to, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self)

    def __call__(self, event: str, details: tuple[object, ...]) -> None:
        if self.on and event in {"open", "socket.connect", "socket.getaddrinfo"}:
            self.seen.append(f"{event} {details[:2]}")


def test_no_route_opens_what_a_request_names(tmp_path):
    """Paths and addresses that exist are told everywhere, and none is opened."""
    bait = tmp_path / "bait.csv"
    bait.write_text("a")
    watch = Watch()
    upload = {**story.UPLOAD, "path": str(bait), "name": str(bait)}
    run = story.execution("e-1", "a-1")
    run["produced_artifacts"][0] |= {"path": str(bait), "logical_name": str(bait)}
    page = {"product_type": "web_page", "url": "http://127.0.0.1:9/bait.csv"}
    paper = {"product_type": "paper", "link": bait.as_uri()}
    call = {**story.TOOL_CALL, "products": [page, paper]}
    with serving(tmp_path / "server") as client:
        client.get("/health")  # the connection of the test itself
        watch.on = True
        try:
            client.post("/observe/upload-file", json=upload)
            client.post("/observe/execution", json=run)
            client.post("/observe/tool-call", json=call)
            client.get(f"/nodes/SourceFile/{bait}")
            params = {"session_id": "s1", "web_page_id": bait.as_uri()}
            client.get("/web-pages/content-hash", params=params)
            client.post("/trace/provenance", json={"node_id": str(bait)})
        finally:
            watch.on = False
    own = str(tmp_path / "server")
    assert [seen for seen in watch.seen if own not in seen] == []
    assert any("nodes.jsonl" in seen for seen in watch.seen), "the watch sees files"
