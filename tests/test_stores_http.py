# SPDX-License-Identifier: Apache-2.0
"""A memory behind HTTP reads like the store it is served from."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import smemkit
from smemkit.errors import (
    NodeNotFound,
    NotAMemory,
    StoreClosed,
    StoreNotWritable,
    StoreUnreachable,
    WrongToken,
)
from smemkit.stores.http import HttpStore
from tests import server_story as story
from tests.serving import TOKEN, TOKEN_NAME, free_port, serving, started

SIDECAR_LIMIT = 500


@pytest.fixture(scope="module")
def served(tmp_path_factory, cases) -> Iterator[tuple[str, str]]:
    """Yield the address of a server on a copy of the app's store, and its folder."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(cases / "app-store", folder / "memory")
    with started(folder) as server:
        yield server.url, str(folder / "memory")


def facts(memory: smemkit.Memory) -> tuple[set[object], set[object]]:
    """Return what the wire can tell: ids, labels, sessions and edges between them."""
    graph = memory.to_networkx()
    names = {
        key: (data.get("label"), data.get("id"), data.get("session_id"))
        for key, data in graph.nodes(data=True)
        if data.get("id") is not None and not data.get("deleted_session")
    }
    edges = {
        (names[a], names[b], data["type"])
        for a, b, data in graph.edges(data=True)
        if a in names and b in names
    }
    return set(names.values()), edges


def test_it_holds_what_the_server_holds(served):
    """The same nodes and edges as the store opened from its directory."""
    url, folder = served
    with smemkit.open(url) as there, smemkit.open(folder) as here:
        nodes, edges = facts(there)
        own_nodes, own_edges = facts(here)
        known = {*smemkit.schema.LABELS, *smemkit.schema.OTHER_LABELS}
        assert nodes == {node for node in own_nodes if node[0] in known}
        assert edges == {e for e in own_edges if e[0] in nodes and e[1] in nodes}
        assert there.problems().empty


def test_traces_are_the_same_on_both_sides(served):
    """From every artifact, claim and evidence, over HTTP and from the directory."""
    url, folder = served
    with smemkit.open(url) as there, smemkit.open(folder) as here:
        starts = [*here.by_node_type(["Artifact", "Claim", "Evidence"])]
        for view in starts:
            start, session = view.id, view.session_id
            one = here.trace_provenance(start, session_id=session)
            other = there.trace_provenance(start, session_id=session)
            assert other.verdict == one.verdict
            assert {(h.hop, h.node.id) for h in other.chain} == {
                (h.hop, h.node.id) for h in one.chain
            }


def test_papers_of_one_link_in_two_sessions_stay_apart(tmp_path):
    """Each evidence hangs on the paper of its own session."""
    with started(tmp_path) as server:
        for session in ("s1", "s2"):
            call = {
                **story.TOOL_CALL,
                "session_id": session,
                "task_id": f"subtask:mcp:{session}",
            }
            server.client.post("/observe/tool-call", json=call)
            body = {**story.EVIDENCE, "session_id": session, "content": session}
            server.client.post("/persist/evidence", json=body)
        with smemkit.open(server.url) as memory:
            graph = memory.to_networkx()
            pairs = {
                (graph.nodes[a]["session_id"], graph.nodes[b]["session_id"])
                for a, b, data in graph.edges(data=True)
                if data["type"] == "extracts"
            }
            assert pairs == {("s1", "s1"), ("s2", "s2")}


def test_it_is_read_only_and_follows_on_refresh(tmp_path):
    """A write is refused; what the app writes is seen after refresh."""
    with started(tmp_path) as server, smemkit.open(server.url) as memory:
        assert memory.by_node_type("ResearchGoal").total == 0
        server.client.post("/observe/session-first-message", json=story.FIRST_MESSAGE)
        assert memory.refresh()
        assert not memory.refresh()
        assert memory.by_node_type("ResearchGoal").total == 1
        with pytest.raises(StoreNotWritable, match="read only"):
            memory.cleanup_session("s1")
        with pytest.raises(NodeNotFound):
            memory.node("nope")
        memory.close()
        with pytest.raises(StoreClosed):
            memory.refresh()


def test_three_failures_are_three_errors(tmp_path):
    """A wrong token, an unknown node and a dead server."""
    with started(tmp_path, env={TOKEN_NAME: TOKEN}) as server:
        for token in (None, "wrong", "ключ"):
            with pytest.raises(WrongToken, match="token="):
                smemkit.open(server.url, token=token)
        with smemkit.open(server.url, token=TOKEN) as memory:
            with pytest.raises(NodeNotFound):
                memory.trace_provenance("nope")
            server.stop()
            with pytest.raises(StoreUnreachable, match="is the server running"):
                memory.refresh()
    with pytest.raises(StoreUnreachable):
        smemkit.open(f"http://127.0.0.1:{free_port()}")


class Sidecar:
    """The app's own server, as far as it is asked: 500 rows, no paging."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []
        self.health: object = {"status": "healthy"}

    def answer(self, path: str, body: dict[str, Any]) -> object:
        if path == "/health":
            return self.health
        if path == "/query/chain-exists":
            return dict.fromkeys(body["kinds"], False)
        session = body.get("session_id")
        if path == "/query/by-node-type":
            rows = [
                n
                for n in self.nodes
                if n["label"] in body["node_types"]
                and session in {None, n["session_id"]}
            ][:SIDECAR_LIMIT]
            return {
                "hits": rows,
                "total": len(rows),
                "truncated": len(rows) >= SIDECAR_LIMIT,
            }
        ids = {n["id"] for n in self.nodes if session in {None, n["session_id"]}}
        rows = [
            e
            for e in self.edges
            if e["type"] in body["edge_types"] and e["source"] in ids
        ][:SIDECAR_LIMIT]
        cut = len(rows) >= SIDECAR_LIMIT
        return {"edges": rows, "nodes": [], "total": len(rows), "truncated": cut}

    def add(self, session: str, count: int) -> None:
        for k in range(count):
            extra = {"claim_id": f"{session}-c{k}", "content": "c"}
            self.nodes.append(
                {
                    "label": "Claim",
                    "id": f"{session}-c{k}",
                    "session_id": session,
                    "session_title": None,
                    "excerpt": "c",
                    "extra": extra,
                    "created_at": f"2026-10-01T08:00:00.{k:03}Z",
                }
            )


@pytest.fixture
def sidecar() -> Iterator[Sidecar]:
    app = Sidecar()

    class Route(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send({})

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            self.send(json.loads(self.rfile.read(size)))

        def send(self, body: dict[str, Any]) -> None:
            found = app.answer(self.path, body)
            text = found if isinstance(found, bytes) else json.dumps(found).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Route)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    app.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield app
    server.shutdown()
    server.server_close()


def test_an_answer_that_was_cut_is_asked_for_by_session(sidecar):
    """300 claims in each of two sessions: cut together, whole one by one."""
    sidecar.add("s1", 300)
    sidecar.add("s2", 300)
    with smemkit.open(sidecar.url) as memory:
        assert memory.by_node_type("Claim").total == 600
        problems = memory.store.problems()
        assert [(p.kind, p.session_id) for p in problems] == [("truncated", None)]


def test_a_session_that_is_cut_itself_is_listed(sidecar):
    """600 claims in one session: 500 come, and problems() says so."""
    sidecar.add("s1", 600)
    with smemkit.open(sidecar.url) as memory:
        assert memory.by_node_type("Claim").total == 500
        cut = {(p.kind, p.session_id) for p in memory.store.problems()}
        assert cut == {("truncated", None), ("truncated", "s1")}
        assert "'s1' at 500 rows" in " ".join(memory.problems()["reason"])


def test_a_session_that_only_a_later_label_names_is_asked_for_too(sidecar):
    """600 claims of s1 hide those of s2, which a code of s2 gives away."""
    sidecar.add("s1", 600)
    sidecar.add("s2", 3)
    code = {**sidecar.nodes[-1], "label": "WebPage", "id": "url:https://a.example"}
    sidecar.nodes.append({**code, "extra": {"url": "https://a.example"}})
    with smemkit.open(sidecar.url) as memory:
        claims = memory.by_node_type("Claim", session_id="s2")
        assert {claim.id for claim in claims} == {"s2-c0", "s2-c1", "s2-c2"}


@pytest.mark.parametrize(("others", "verdict"), [(10, "complete"), (600, "truncated")])
def test_an_audit_of_what_was_cut_says_truncated(sidecar, others, verdict):
    """A report whose session the server cut is never said to be complete or broken."""
    rows = [
        ("ResearchGoal", "g", {"goal_id": "g", "core_objective": "o"}),
        ("ToolCall", "t", {"task_id": "t"}),
        ("Code", "c", {"code_id": "c", "started_at": "2026-10-01T08:00:00Z"}),
        ("Artifact", "fig#v1", {"artifact_id": "fig", "version": 1}),
        ("Artifact", "rep#v1", {"artifact_id": "rep", "version": 1}),
        ("Claim", "k", {"claim_id": "k", "content": "It fits."}),
    ]
    for label, name, extra in rows:
        node = {"label": label, "id": name, "session_id": "s1", "extra": extra}
        sidecar.nodes.append({**node, "created_at": "2026-10-01T09:00:00Z"})
    sidecar.edges = [
        {"type": kind, "source": source, "target": target, "extra": {}}
        for source, kind, target in (
            ("g", "next", "t"),
            ("t", "produces", "c"),
            ("c", "produces", "fig#v1"),
            ("fig#v1", "supports", "k"),
            ("k", "stated_in", "rep#v1"),
        )
    ]
    sidecar.add("s1", others)
    chips = [{"label": "artifact1", "kind": "artifact", "id": "fig", "version": 1}]
    with smemkit.open(sidecar.url) as memory:
        audit = memory.audit("rep", text="It fits [artifact1].", references=chips)
    assert [row.verdict for row in audit] == [verdict]
    said = "the server cut its answer for 'Claim' in session 's1' at 500 rows"
    assert (said in audit[0].reasons) is (verdict == "truncated")


@pytest.mark.parametrize(("others", "verdict"), [(10, "broken"), (600, "truncated")])
def test_a_trace_that_ends_where_the_server_cut_is_truncated(
    sidecar, tmp_path, others, verdict
):
    """What it misses may be what was cut; where nothing was cut it is broken.

    So it is also for those who are served what another server holds.
    """
    sidecar.add("s2", 3)
    sidecar.add("s1", others)
    with smemkit.open(sidecar.url) as memory:
        (claim, *_) = memory.by_node_type("Claim", session_id="s1")
        trace = memory.trace_provenance(claim.id)
        assert trace.verdict == verdict
        assert ("500 rows" in trace.reason) is (verdict == "truncated")
        assert memory.trace_provenance("s2-c0").verdict == "broken"
    with serving(tmp_path, store=sidecar.url) as client:
        body = client.post("/trace/provenance", json={"node_id": claim.id}).json()
        assert (body["broken"], body["truncated"]) == (
            verdict == "broken",
            verdict == "truncated",
        )


def test_ages_follow_the_times_the_wire_has(sidecar):
    """The wire has no storage ids: the older of two nodes is created first."""
    sidecar.add("s1", 3)
    sidecar.nodes.reverse()
    with smemkit.open(sidecar.url) as memory:
        found = memory.store.find("Claim")
        assert [node.public_id for node in found] == ["s1-c0", "s1-c1", "s1-c2"]


def test_equal_times_keep_the_order_of_the_answer(sidecar):
    """The app lists equal times in creation order; times are instants, not text."""
    sidecar.add("s1", 4)
    late, *early = sidecar.nodes
    late["created_at"] = "2026-10-01T08:00:00.500Z"
    for row in early:
        row["created_at"] = "2026-10-01T10:00:00+02:00"
    with smemkit.open(sidecar.url) as memory:
        found = [node.public_id for node in memory.store.find("Claim")]
    assert found == ["s1-c1", "s1-c2", "s1-c3", "s1-c0"]


def test_a_chain_that_keeps_one_edge_keeps_the_oldest(sidecar):
    """Two searches found a paper; the newer one's edge is told first."""
    for name, label, at in (
        ("t2", "ToolCall", "09"),
        ("t1", "ToolCall", "08"),
        ("https://a.example/p", "Paper", "08"),
    ):
        key = "link" if label == "Paper" else "task_id"
        row = {"label": label, "id": name, "session_id": "s1", "extra": {key: name}}
        sidecar.nodes.append({**row, "created_at": f"2026-10-01T{at}:00:00.000Z"})
    sidecar.edges = [
        {"type": "produces", "source": t, "target": "https://a.example/p", "extra": {}}
        for t in ("t2", "t1")
    ]
    with smemkit.open(sidecar.url) as memory:
        chain = memory.chain("https://a.example/p", "viewSearchingTask")
    assert {node.id for node in chain.nodes} == {"https://a.example/p", "t1"}


@pytest.mark.parametrize(
    "row",
    [5, {}, {"label": "Claim", "id": [1]}, {"label": ["Claim"], "id": "c"}],
)
def test_a_row_that_is_no_node_is_listed(monkeypatch, sidecar, row):
    """What cannot be read is counted; the rest is there."""
    sidecar.add("s1", 1)
    good = sidecar.nodes[0]
    good["extra"]["source"] = [1]
    answer = sidecar.answer

    def odd(path: str, body: dict[str, Any]) -> object:
        claims = body.get("node_types") == ["Claim"]
        return {"hits": [row, good]} if claims else answer(path, body)

    monkeypatch.setattr(sidecar, "answer", odd)
    with smemkit.open(sidecar.url) as memory:
        assert [node.public_id for node in memory.store.find("Claim")] == ["s1-c0"]
        assert [(p.kind, p.reason) for p in memory.store.problems()] == [
            ("no-id", "1 rows of the answer for 'Claim' are no nodes")
        ]


DEEP = b"[" * 200_000


@pytest.mark.parametrize("health", [b"<html>", [1], {"ok": True}, DEEP])
def test_a_server_of_something_else_is_no_memory(sidecar, health):
    """Something that answers, but not as a memory does."""
    sidecar.health = health
    with pytest.raises(NotAMemory):
        HttpStore(sidecar.url)


def test_a_server_whose_store_is_down_is_unreachable(sidecar):
    """Its health is degraded, or it still needs a password."""
    sidecar.health = {"status": "needs-password"}
    with pytest.raises(StoreUnreachable, match="needs-password"):
        HttpStore(sidecar.url)


def test_an_answer_that_does_not_come_is_unreachable(monkeypatch, sidecar):
    """The timeout is told apart from a wrong address."""
    gate = threading.Event()
    monkeypatch.setattr(sidecar, "answer", lambda path, body: gate.wait(5) and {})
    with pytest.raises(StoreUnreachable, match="no answer in time"):
        HttpStore(sidecar.url, timeout=0.2)
    gate.set()
