# SPDX-License-Identifier: Apache-2.0
"""The switch between the stores, and which Neo4j address may be opened."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import smemkit
from smemkit.errors import BadRequest, StoreUnreachable
from smemkit.server.backends import Backends, bolt_address, may_open
from smemkit.settings import Settings
from tests import server_story as story
from tests.serving import serving


class Opened:
    """Stands for the Neo4j store, which is opened by one function."""

    def __init__(self, up: bool = True) -> None:
        self.up = up
        self.asked: list[tuple[str, str, str]] = []

    def __call__(self, bolt: str, user: str, password: str) -> object:
        self.asked.append((bolt, user, password))
        if not self.up:
            raise StoreUnreachable(bolt, found="nothing answers")
        return smemkit.open(":memory:")


@pytest.fixture
def opened() -> Opened:
    return Opened()


@pytest.fixture
def stores(tmp_path, opened) -> Iterator[Backends]:
    settings = Settings(store=str(tmp_path / "m"), neo4j_bolt="bolt://127.0.0.1:1")
    stores = Backends(settings, open_neo4j=opened)
    yield stores
    stores.close()


def test_neo4j_without_a_password_needs_one(stores, opened):
    """§2.1: without a backend key, and nothing is opened."""
    assert stores.switch("neo4j") == {"status": "needs-password"}
    assert stores.memory() is None
    assert opened.asked == []


def test_a_pushed_password_opens_neo4j_once(stores, opened):
    """The address of the environment counts, whatever HTTP address was pushed."""
    stores.switch("neo4j")
    pushed = {"http": "http://localhost:7474", "user": "ada"}
    assert stores.push("s3cret", **pushed) == {"status": "healthy"}
    assert stores.push("s3cret", **pushed) == {"status": "healthy"}
    assert stores.health() == {"status": "healthy", "backend": "neo4j"}
    assert opened.asked == [("bolt://127.0.0.1:1", "ada", "s3cret")]


def test_a_new_password_opens_neo4j_anew(stores, opened):
    """The old connection is left to the requests that run on it."""
    stores.switch("neo4j")
    stores.push("one")
    before = stores.memory()
    stores.push("two")
    assert stores.memory() is not before
    before.sessions()  # not closed under a request that still holds it
    assert [password for *_, password in opened.asked] == ["one", "two"]


def test_null_clears_the_password(stores):
    """Health then asks for one again."""
    stores.switch("neo4j")
    stores.push("s3cret")
    assert stores.push(None) == {"status": "degraded"}
    assert stores.health() == {"status": "needs-password"}


def test_a_neo4j_that_does_not_answer_is_degraded(stores, opened):
    """It is asked for again with every request, so it may come back."""
    opened.up = False
    stores.switch("neo4j")
    assert stores.push("s3cret") == {"status": "degraded"}
    assert stores.health() == {"status": "degraded", "backend": "neo4j"}
    opened.up = True
    assert stores.health() == {"status": "healthy", "backend": "neo4j"}


def test_a_push_while_local_is_healthy(stores, opened):
    """§2.3: the probe is of the active store, and Neo4j is not opened for it."""
    assert stores.push("s3cret", http="http://127.0.0.1:7474") == {"status": "healthy"}
    assert opened.asked == []


@pytest.mark.parametrize(
    "http",
    [
        "http://10.0.0.1:7474",
        "http://db.example:7474",
        "http://127.0.0.1@db.example:7474",
        "http://localhost.db.example",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "127.0.0.1:7474",
        "http://",
        "http://[::ffff:10.0.0.1]:7474",
        "http://[::1%lo]:7474",
        "http://2130706433:7474",
        "http://localhost.:7474",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:abc",
        "http://[",
        "http://[127.0.0.1]:7474",
        "http://localhost\u2100:7474",
    ],
)
def test_a_foreign_address_is_never_opened(stores, opened, http):
    """Nothing is changed by such a push (issue: Safe by default)."""
    stores.switch("neo4j")
    with pytest.raises(BadRequest, match="http_uri"):
        stores.push("s3cret", http=http)
    assert stores.neo4j.password is None
    assert opened.asked == []


def test_a_user_in_the_address_is_refused_and_not_repeated(stores):
    """The settings show the address, and a password never comes out."""
    with pytest.raises(BadRequest, match="http_uri") as refused:
        stores.push("s3cret", http="http://ada:s3cret@127.0.0.1:7474")
    assert "s3cret" not in str(refused.value)
    assert "s3cret" not in stores.neo4j.http


def test_an_address_of_the_environment_that_is_none_is_degraded(tmp_path):
    """Every route still answers, and the other store can still be chosen."""
    for http in ("http://127.0.0.1:abc", "http://[", "http://a b:7474"):
        wrong = {"backend": "neo4j", "neo4j_http": http, "neo4j_password": "s3cret"}
        with serving(tmp_path, **wrong) as client:
            down = {"status": "degraded", "backend": "neo4j"}
            assert client.get("/health").json() == down
            answer = client.post("/query/match", json={"query": "x"})
            assert answer.json()["reason"] == "memory_graph_unreachable"
            answer = client.post("/internal/backend", json={"backend": "local"})
            assert answer.json()["status"] == "healthy"


def test_a_refused_address_is_a_422(tmp_path):
    """Our own check: a code, and what to set."""
    with serving(tmp_path) as client:
        body = {"password": "s3cret", "http_uri": "http://10.0.0.1:7474"}
        answer = client.post("/internal/neo4j-password", json=body)
        assert answer.status_code == 422
        assert answer.json()["detail"]["code"] == "address_refused"
        assert "SMEMKIT_NEO4J_HOSTS" in answer.json()["detail"]["message"]
        assert "s3cret" not in answer.text


def test_a_password_left_out_is_not_repeated(tmp_path):
    """The 422 of this route does not echo what was sent."""
    with serving(tmp_path) as client:
        answer = client.post("/internal/neo4j-password", json={"pasword": "s3cret"})
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == ["body", "password"]
        assert "s3cret" not in answer.text


@pytest.mark.parametrize(
    ("host", "listed", "may"),
    [
        ("localhost", (), True),
        ("127.0.0.5", (), True),
        ("::1", (), True),
        ("db.example", (), False),
        ("DB.example", ("db.example",), True),
        ("0.0.0.0", (), False),
    ],
)
def test_an_address_is_ours_or_listed(host, listed, may):
    """Names are not looked up: a name could point anywhere."""
    assert may_open(host, listed) is may


@pytest.fixture
def discovery() -> Iterator[tuple[str, dict[str, object]]]:
    """Yield a Neo4j HTTP address and the document it gives out."""
    document: dict[str, object] = {}

    class Root(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = str(document.get("raw") or json.dumps(document)).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Root)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", document
    server.shutdown()
    server.server_close()


def test_the_discovery_document_names_the_bolt_address(discovery):
    """`bolt_direct`, when it may be opened."""
    url, document = discovery
    document["bolt_direct"] = "bolt://localhost:7999"
    assert bolt_address(url) == "bolt://localhost:7999"


@pytest.mark.parametrize(
    "direct",
    [
        "bolt://db.example:7687",
        "bolt://127.0.0.1@db.example:7687",
        "neo4j://127.0.0.1:7687",  # such a server names what else is opened
        "http://127.0.0.1:1",
        "bolt://127.0.0.1:99999",
        "bolt://[",
        5,
        None,
        "bolt://",
    ],
)
def test_a_document_that_points_elsewhere_is_not_followed(discovery, direct):
    """Then it is port 7687 of the same host."""
    url, document = discovery
    document["bolt_direct"] = direct
    assert bolt_address(url) == "bolt://127.0.0.1:7687"


@pytest.mark.parametrize("raw", ["[" * 60_000, "{", "[]", "NaN"])
def test_a_document_that_is_none_is_not_followed(discovery, raw):
    """Nested deeper than anything is read, cut off, or of another form."""
    url, document = discovery
    document["raw"] = raw
    assert bolt_address(url) == "bolt://127.0.0.1:7687"


def test_without_a_document_it_is_port_7687_of_the_same_host():
    """Nothing answers on port 1; an IPv6 address keeps its brackets."""
    assert bolt_address("http://127.0.0.1:1") == "bolt://127.0.0.1:7687"
    assert bolt_address("http://[::1]:1") == "bolt://[::1]:7687"


def test_a_store_that_cannot_be_opened_is_degraded(tmp_path):
    """Every route then answers 200 with its degraded body; nothing is written."""
    (tmp_path / "memory").write_text("a file, not a directory")
    with serving(tmp_path) as client:
        assert client.get("/health").json() == {
            "status": "degraded",
            "backend": "local",
        }
        body = {"session_id": "s", "goal_id": "g", "core_objective": "c"}
        body["created_at"] = "2026-10-01T08:00:00Z"
        answer = client.post("/observe/session-first-message", json=body)
        assert answer.json() == {"status": "degraded", "written": 0}
    assert (tmp_path / "memory").read_text() == "a file, not a directory"


@pytest.mark.neo4j
def test_a_session_is_told_to_a_real_neo4j(tmp_path, discovery, neo4j_empty):
    """The app's push: its HTTP address leads to Bolt, and every route works there."""
    http, document = discovery
    document["bolt_direct"] = neo4j_empty.url
    user, password = neo4j_empty.auth
    pushed = {"password": password, "http_uri": http, "user": user}
    with serving(tmp_path) as client:

        def ask(path: str, **body: object) -> dict[str, object]:
            answer = client.post(path, json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        assert ask("/internal/backend", backend="neo4j") == {"status": "needs-password"}
        wrong = ask("/internal/neo4j-password", **{**pushed, "password": "wrong"})
        assert wrong == {"status": "degraded"}
        assert ask("/internal/neo4j-password", **pushed) == {"status": "healthy"}
        assert client.get("/health").json() == {
            "status": "healthy",
            "backend": "neo4j",
        }
        told = story.tell(client)
        early = told.pop("early")
        assert {answer.status_code for answer in told.values()} == {200}
        assert early.json()["detail"]["code"] == "artifact_not_found"
        trace = ask("/trace/provenance", node_id="a-9", session_id="s1")
        assert trace["reason"] == "reached terminal node ResearchGoal"
        (row,) = neo4j_empty.ask("MATCH (g:ResearchGoal) RETURN g.goal_id AS id")
        assert row == {"id": "goal:session:s1"}
        # Nothing is copied: the local store has nothing of it.
        ask("/internal/backend", backend="local")
        labels = {"node_types": ["ResearchGoal", "Artifact"]}
        assert ask("/query/by-node-type", **labels)["hits"] == []
        assert not (tmp_path / "memory").exists()
        ask("/internal/backend", backend="neo4j")
        assert ask("/query/by-node-type", **labels)["total"] == 6
        cleaned = ask("/cleanup/session", session_id="s1")
        assert (cleaned["status"], cleaned["marked"]) == ("healthy", 5)


def _text(row: object) -> str:
    return json.dumps(row, sort_keys=True)


def in_order(body: dict[str, object]) -> dict[str, object]:
    """Sort the rows of an answer: records of one millisecond have no order in time."""
    return {
        key: sorted(value, key=_text) if key in {"nodes", "hits", "edges"} else value
        for key, value in body.items()
    }


@pytest.mark.neo4j
def test_both_stores_answer_the_told_session_alike(tmp_path, neo4j_empty):
    """The same requests, the same answers, whichever store is behind them."""
    reads = [
        ("/query/chain", {"node_id": "e-1", "kind": "viewOutput"}),
        ("/query/chain", {"node_id": "a-9", "chain_kind": "full"}),
        ("/query/by-edge-type", {"edge_types": ["next", "contains"]}),
        ("/query/match", {"query": "LDL drug", "mode": "all_terms"}),
        ("/trace/provenance", {"node_id": "a-7"}),
        (
            "/query/scope-expansion",
            {"scope_task_id": "subtask:subagent:sa1", "session_id": "s1"},
        ),
    ]
    answers = []
    for folder, backend in (("one", "local"), ("two", "neo4j")):
        settings = {"backend": backend, "neo4j_bolt": neo4j_empty.url}
        settings["neo4j_user"], settings["neo4j_password"] = neo4j_empty.auth
        (tmp_path / folder).mkdir()
        with serving(tmp_path / folder, **settings) as client:
            assert client.get("/health").json()["backend"] == backend
            told = story.tell(client)
            text = "\n".join(client.post(path, json=body).text for path, body in reads)
        made = {told[name].json()[f"{name}_id"]: name for name in ("evidence", "claim")}
        for name, plain in made.items():
            text = text.replace(name, plain)
        text = re.sub(r'"created_at":"[^"]*"', '"created_at":""', text)
        answers.append([in_order(json.loads(line)) for line in text.splitlines()])
    assert answers[0] == answers[1]
