# SPDX-License-Identifier: Apache-2.0
"""Neo4j end to end: counted queries, the app's older generation, many writers, a kill."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest

import smemkit
from smemkit.errors import StoreError
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node
from tests.neo4j_server import Address, NoServer, Server, jars

pytestmark = pytest.mark.neo4j

CALLS = 1_667
"""Calls of the long session: with a Code and an Artifact each, 5,000 nodes and more."""


@contextmanager
def counting() -> Iterator[list[str]]:
    """Yield the queries that the driver sends meanwhile, from its own log."""
    sent: list[str] = []

    class Counter(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage()
            if "C: RUN" in text:
                sent.append(text)

    log, handler = logging.getLogger("neo4j.io"), Counter()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        yield sent
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


def long_session(graph: Graph) -> Batch:
    """Plan a session in which each call reads what the one before it made."""
    nodes = [
        Node("n1", ("ResearchGoal",), {"goal_id": "goal:session:s", "session_id": "s"})
    ]
    edges: list[Edge] = []

    def node(label: str, **props: object) -> str:
        nodes.append(Node(f"n{len(nodes) + 1}", (label,), {"session_id": "s", **props}))
        return nodes[-1].id

    def edge(kind: str, src: str, dst: str) -> None:
        edges.append(Edge(f"r{len(edges) + 1}", kind, src, dst))

    last, made = "n1", None
    for i in range(1, CALLS + 1):
        call = node("ToolCall", task_id=f"subtask:e{i}", seq=i)
        code = node("Code", code_id=f"e{i}")
        edge("next", last, call)
        edge("produces", call, code)
        if made:
            edge("input", made, code)
        made = node("Artifact", artifact_id=f"a{i}", version=1)
        edge("produces", code, made)
        last = call
    return Batch(tuple(nodes), tuple(edges))


def test_a_trace_of_5000_nodes_takes_four_queries_then_one(neo4j_empty):
    """Cold: the revision, nodes, edges, the revision again. Warm: the revision."""
    with neo4j_empty.open() as memory:
        memory.store.write(long_session)
        assert len(memory) > 5_000
    with neo4j_empty.open() as memory:
        asked = {"session_id": "s"}
        with counting() as cold:
            trace = memory.trace_provenance(f"a{CALLS}#v1", **asked)
        with counting() as warm:
            again = memory.trace_provenance(f"a{CALLS}#v1", **asked)
    assert trace.chain[-1].node.label == "ResearchGoal"
    assert again.to_dict() == trace.to_dict()
    assert (len(cold), len(warm)) == (4, 1)


OLDER = """
CREATE (g:ResearchGoal {goal_id: 'goal:session:old', session_id: 'old',
  core_objective: 'Does it hold?', created_at: datetime('2026-08-01T08:00:00Z')})
CREATE (search:SubTask {task_id: 'subtask:mcp:1', session_id: 'old', task_type: 'search',
  source: 'pubmed', status: 'completed', created_at: datetime('2026-08-01T08:01:00Z'),
  finished_at: datetime('2026-08-01T08:02:00Z')})
CREATE (run:SubTask {task_id: 'subtask:run-1', session_id: 'old', task_type: 'execution',
  status: 'completed', created_at: datetime('2026-08-01T08:03:00Z'),
  finished_at: '2026-08-01T08:04:00Z'})
CREATE (paper:Paper {session_id: 'old', link: 'https://doi.org/10.5555/a', title: 'A',
  created_at: datetime('2026-08-01T08:02:00Z')})
CREATE (evidence:Evidence {evidence_id: 'ev-1', session_id: 'old', content: 'It holds.',
  created_at: datetime('2026-08-01T08:05:00Z')})
CREATE (claim:Claim {claim_id: 'cl-1', session_id: 'old', content: 'It holds.',
  created_at: datetime('2026-08-01T08:06:00Z')})
CREATE (code:Code {code_id: 'run-1', session_id: 'old', language: 'python'})
CREATE (report:Artifact {artifact_id: 'report', version: 1, session_id: 'old',
  path: 'report.md', media_type: 'text/markdown',
  created_at: datetime('2026-08-01T08:04:00Z')})
CREATE (g)-[:next {basis: 'finish_time', inferred: true, method: 'temporal_chain'}]->(search)
CREATE (search)-[:next {basis: 'finish_time', inferred: true, method: 'temporal_chain'}]->(run)
CREATE (search)-[:produces]->(paper), (paper)-[:extracts]->(evidence)
CREATE (evidence)-[:supports]->(claim), (claim)-[:stated_in]->(report)
CREATE (run)-[:produces]->(code), (code)-[:produces]->(report)
"""
"""A session as the app's older generation stores it (contract/writes.md §0, §1)."""


def test_a_session_of_the_older_generation_reads_traces_and_audits(neo4j_empty):
    """SubTask reads as ToolCall, native date-times as instants; nothing is changed."""
    neo4j_empty.ask(OLDER)
    with neo4j_empty.open() as memory:
        calls = memory.nodes("ToolCall")
        assert set(calls["id"]) == {"subtask:mcp:1", "subtask:run-1"}
        goal = memory.node("goal:session:old").to_dict()
        assert "2026-08-01T08:00:00.000Z" in str(goal)
        trace = memory.trace_provenance("cl-1")
        assert (trace.broken, trace.chain[-1].node.label) == (False, "ResearchGoal")
        assert [hop.node.id for hop in trace.chain if hop.node.label == "Paper"] == [
            "https://doi.org/10.5555/a"
        ]
        assert not memory.trace_provenance("report").broken
        rows = memory.audit(
            "report#v1",
            text="It holds [claim].",
            references=[
                {"label": "claim", "kind": "claim", "id": "cl-1"},
            ],
        ).to_frame()
        assert len(rows) == 1
        # A new call goes behind the old line, which keeps its labels and times.
        memory.observe_execution(
            session_id="old", execution_id="run-2", status="succeeded"
        )
        line = list(memory.store.graph().edges("next"))
        assert len(line) == 3
    (row,) = neo4j_empty.ask(
        "MATCH (s:SubTask) WITH count(s) AS calls MATCH (g:ResearchGoal) "
        "RETURN calls, g.created_at = datetime('2026-08-01T08:00:00Z') AS native"
    )
    assert row == {"calls": 2, "native": True}


LOADER = """
import sys
sys.path.insert(0, sys.argv[1])
import smemkit
from tests.test_stores_neo4j_stories import tell
with smemkit.open(sys.argv[2], auth=("neo4j", sys.argv[3])) as memory:
    tell(memory, sys.argv[4])
"""


def tell(memory: smemkit.Memory, teller: str) -> None:
    """Write a session that all tell alike, and calls that only this teller knows."""
    memory.observe_session_first_message("s", core_objective="Does it hold?")
    for i in range(8):
        artifact = {"artifact_id": f"a{i}", "version": 1, "path": f"a{i}.csv"}
        if i:
            read = {"artifact_id": f"a{i - 1}", "version": 1}
            artifact["input_artifact_versions"] = [read]
        memory.observe_execution(
            session_id="s",
            execution_id=f"e{i}",
            status="succeeded",
            finished_at=f"2026-10-02T08:00:{i:02}Z",
            produced_artifacts=[artifact],
        )
        memory.observe_execution(
            session_id="s", execution_id=f"{teller}-{i}", status="succeeded"
        )


def counts(memory: smemkit.Memory) -> tuple[dict[str, int], dict[str, int]]:
    graph = memory.store.graph()
    return graph.counts(), graph.edge_counts()


def test_eight_processes_load_one_store_at_once(neo4j_empty, root):
    """Into an empty database: the counts are those of one writer, no key is twice."""
    arguments = [str(root), neo4j_empty.url, neo4j_empty.auth[1]]
    command = [sys.executable, "-c", LOADER, *arguments]
    tellers = [f"teller{i}" for i in range(8)]
    ask = partial(subprocess.run, capture_output=True, text=True)
    with ThreadPoolExecutor(8) as pool:
        for done in pool.map(ask, [[*command, teller] for teller in tellers]):
            assert done.returncode == 0, done.stderr
    with smemkit.open(":memory:") as local, neo4j_empty.open() as memory:
        for teller in tellers:
            tell(local, teller)
        assert counts(memory) == counts(local)
        line = local.trace_provenance("a7#v1", session_id="s")
        found = memory.trace_provenance("a7#v1", session_id="s")
        assert [h.node.id for h in found.chain] == [h.node.id for h in line.chain]
        ages = [node.n for node in memory.store.graph().nodes()]
        assert sorted(set(ages)) == ages


@pytest.fixture
def own_server(tmp_path) -> Iterator[Server]:
    """Yield a server that a test may kill."""
    try:
        server = Server(tmp_path / "home", jars())
    except NoServer as missing:
        pytest.skip(str(missing))
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.mark.slow
def test_a_killed_server_keeps_each_acknowledged_write_whole(own_server):
    """Killed amid 200 writes: all that was answered is there, no batch is half there."""
    address: Address = own_server.address
    told = threading.Event()
    kept: list[int] = []
    lost: list[int] = []

    def write(memory: smemkit.Memory, i: int) -> None:
        artifact = {"artifact_id": f"a{i}", "version": 1, "path": f"{i}.csv"}
        memory.observe_execution(
            session_id="s",
            execution_id=f"e{i}",
            status="succeeded",
            produced_artifacts=[artifact],
        )

    def kill() -> None:
        told.wait()
        own_server.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    with address.open() as memory:
        for i in range(200):
            if i == 100:
                told.set()
            try:
                write(memory, i)
            except StoreError:
                lost.append(i)
                break
            kept.append(i)
        killer.join()
        assert lost, "the server was to be killed before the 200 writes were done"
        with pytest.raises(StoreError):
            memory.trace_provenance("a0")
        own_server.start()
        graph = memory.store.graph()
        there = {n.props["code_id"] for n in graph.nodes("Code")}
        assert {f"e{i}" for i in kept} <= there <= {f"e{i}" for i in [*kept, *lost]}
        for code in graph.nodes("Code"):
            assert len(graph.into(code.id, "produces")) == 1
            assert len(graph.out(code.id, "produces")) == 1
        for i in range(lost[0], 200):
            write(memory, i)
        assert counts(memory)[0] == {"ToolCall": 200, "Code": 200, "Artifact": 200}
        assert len(list(memory.store.graph().edges("next"))) == 199
