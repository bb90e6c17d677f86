# SPDX-License-Identifier: Apache-2.0
"""Writers that meet on a Neo4j server: locks, deadlocks, strangers, broken connections."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings

from smemkit.errors import StoreBusy, WriteFailed
from smemkit.graph import Graph
from smemkit.records import Batch, Node
from tests.neo4j_server import Address
from tests.store_plans import call, content, rename
from tests.strategies import graphs

pytestmark = pytest.mark.neo4j


@pytest.fixture
def store(neo4j_empty):
    """Yield a store on a server that holds one call."""
    with neo4j_empty.open() as memory:
        memory.store.write(call("a"))
        yield memory.store


@contextmanager
def stranger(address: Address) -> Iterator[neo4j.Transaction]:
    """Yield a transaction of a client that is not smemkit; it is rolled back."""
    with (
        neo4j.GraphDatabase.driver(address.url, auth=address.auth) as driver,
        driver.session(database="neo4j") as session,
    ):
        transaction = session.begin_transaction()
        try:
            yield transaction
        finally:
            transaction.close()


def in_thread(action: partial[object]) -> tuple[threading.Thread, list[object]]:
    """Start an action and return its thread, and where its answer will be."""
    answers: list[object] = []

    def run() -> None:
        try:
            answers.append(action())
        except Exception as error:  # noqa: BLE001 - handed to the test
            answers.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, answers


def test_a_writer_that_waits_too_long_says_so(store, neo4j_empty):
    """While a stranger holds the lock a write ends as StoreBusy, and nothing is kept."""
    with neo4j_empty.open(lock_timeout=1) as memory:
        memory.store.write(call("b"))
        with stranger(neo4j_empty) as transaction:
            transaction.run("MATCH (l:_SmemkitLock) SET l.held = true").consume()
            with pytest.raises(StoreBusy, match="try again"):
                memory.store.write(call("c"))
        assert memory.store.graph().by_key("Code", "c") is None
        memory.store.write(call("c"))
        assert memory.store.graph().by_key("Code", "c") is not None


def test_a_deadlock_is_retried_as_a_whole(store, neo4j_empty):
    """Each waits for what the other holds: the server ends our try, the next one is kept."""
    plans = 0
    wait = "MATCH (l:_SmemkitLock) SET l.other = true"

    with stranger(neo4j_empty) as transaction:
        transaction.run("MATCH (c:Code {code_id: 'a'}) SET c.touched = true").consume()

        def want_the_lock() -> None:
            transaction.run(wait).consume()
            transaction.commit()

        def plan(graph: Graph) -> Batch:
            nonlocal plans
            plans += 1
            if plans == 1:  # we hold the lock: the stranger comes to want it
                waiting.append(in_thread(partial(want_the_lock)))
                while not neo4j_empty.ask(
                    "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN 1"
                ):
                    pass
            return rename("Code", "a", exit_code=plans)(graph)

        waiting: list[tuple[threading.Thread, list[object]]] = []
        store.write(plan)
        waiting[0][0].join(60)
        assert waiting[0][1] == [None]
    (row,) = neo4j_empty.ask(
        "MATCH (c:Code) RETURN c.exit_code AS code, c.touched AS t"
    )
    assert (plans, row) == (2, {"code": 2, "t": True})


def test_a_stranger_who_commits_between_plan_and_commit_is_not_lost(store, neo4j_empty):
    """What it wrote meanwhile is in the next answer, though our own commit came later."""
    store.graph()

    def plan(graph: Graph) -> Batch:
        neo4j_empty.ask("CREATE (:Claim {claim_id: 'foreign', session_id: 's'})")
        return rename("Code", "a", exit_code=0)(graph)

    store.write(plan)
    graph = store.graph()
    assert graph.by_key("Claim", "foreign") is not None
    assert graph.by_key("Code", "a").props["exit_code"] == 0


@pytest.mark.parametrize(
    ("meanwhile", "reason"),
    [
        ("CREATE (:Code {_smemkit_id: 'n4', _smemkit_n: 4})", "id 'n4' in use"),
        ("MATCH (c:ToolCall) DETACH DELETE c", "no place for 'r3'"),
    ],
)
def test_a_stranger_in_the_way_fails_the_write_whole(
    store, neo4j_empty, meanwhile, reason
):
    """An id that it took is not overwritten; an edge to what it deleted is not dropped."""
    done: list[object] = []

    def plan(graph: Graph) -> Batch:
        batch = call("b")(graph)
        done.append(neo4j_empty.ask(meanwhile))
        return batch

    with pytest.raises(WriteFailed, match=reason):
        store.write(plan)
    assert len(done) == 1
    graph = store.graph()
    assert graph.by_key("ToolCall", "b") is None
    assert graph.by_key("Code", "b") is None
    store.write(rename("Code", "a", exit_code=0))


def test_reads_go_on_while_a_write_waits_for_the_server(store, neo4j_empty):
    """Another program holds the lock for long: answers are still given, and new ones."""
    with stranger(neo4j_empty) as transaction:
        transaction.run("MATCH (l:_SmemkitLock) SET l.held = true").consume()
        writing, written = in_thread(partial(store.write, call("b")))
        while not neo4j_empty.ask(
            "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN 1"
        ):
            pass
        neo4j_empty.ask("CREATE (:Claim {claim_id: 'foreign', session_id: 's'})")
        reading, read = in_thread(partial(store.graph))
        reading.join(30)
        assert [graph.by_key("Claim", "foreign").public_id for graph in read] == [
            "foreign"
        ]
        assert written == []
    writing.join(60)
    assert isinstance(written[0], Batch)
    graph = store.graph()
    assert graph.by_key("Code", "b") is not None
    with neo4j_empty.open() as other:
        assert content(graph) == content(other.store.graph())


def test_reads_between_a_commit_and_its_answer_take_it_in_once(store, neo4j_empty):
    """Four threads write and four read: what one holds is what the server holds."""
    writers = [
        in_thread(partial(store.write, call(f"w{k}-{n}")))
        for n in range(5)
        for k in range(4)
    ]
    readers = [in_thread(partial(store.refresh)) for _ in range(40)]
    for thread, answers in [*writers, *readers]:
        thread.join(60)
        assert not isinstance(answers[0], Exception), answers
    graph = store.graph()
    assert sorted(n.props["seq"] for n in graph.nodes("ToolCall")) == list(range(1, 22))
    with neo4j_empty.open() as other:
        assert content(graph) == content(other.store.graph())


def test_threads_of_one_store_take_turns(store):
    """Eight threads write at once: each number in the line is given once."""
    threads = [in_thread(partial(store.write, call(f"t{i}"))) for i in range(8)]
    for thread, answers in threads:
        thread.join(60)
        assert isinstance(answers[0], Batch), answers
    graph = store.graph()
    assert sorted(n.props["seq"] for n in graph.nodes("ToolCall")) == list(range(1, 10))
    assert len(list(graph.edges("next"))) == 8


def test_a_connection_that_broke_is_replaced(store, neo4j_empty):
    """The server ends every connection; the next read and the next write go through."""
    for action in (store.graph, partial(store.write, call("b")), store.find):
        assert break_connections(neo4j_empty) > 0
        action()
    assert store.graph().by_key("Code", "b") is not None


def break_connections(address: Address) -> int:
    """Let the server close all connections of others; return how many."""
    with (
        neo4j.GraphDatabase.driver(
            address.url, auth=address.auth, user_agent="breaker"
        ) as driver,
        driver.session(database="neo4j") as session,
    ):
        rows = session.run(
            "CALL dbms.listConnections() YIELD connectionId, userAgent "
            "WHERE userAgent <> 'breaker' RETURN connectionId"
        )
        ids = [row["connectionId"] for row in rows]
        session.run("CALL dbms.killConnections($ids)", ids=ids).consume()
        return len(ids)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs())
def test_any_graph_comes_back(neo4j_server, graph):
    """Whatever a memory may hold is kept: values, labels, order, parallel edges."""
    neo4j_server.wipe()
    batch = Batch(tuple(graph.nodes()), tuple(graph.edges()))
    with neo4j_server.open() as memory, neo4j_server.open() as fresh:
        written = memory.store.write(lambda _: batch)
        for read in (memory.store.graph(), fresh.store.graph()):
            assert content(read) == content(graph)
            assert [n.id for n in read.nodes()] == [n.id for n in written.nodes]
            assert [e.id for e in read.edges()] == [e.id for e in written.edges]
            for node in read.nodes():
                kinds = {k: type(v) for k, v in node.props.items()}
                kept = graph.node(node.id).props
                assert kinds == {k: type(v) for k, v in kept.items()}


def test_a_batch_larger_than_a_statement_is_one_write(store, neo4j_empty):
    """It goes in parts, becomes visible at once, and others read it anew."""
    nodes = tuple(Node(f"n{i}", ("Odd",), {"i": i}) for i in range(100, 5_200))
    with neo4j_empty.open() as other:
        before = other.store.graph()
        store.write(lambda graph: Batch(nodes))
        found = list(other.store.graph().nodes("Odd"))
        assert other.store.graph() is not before
    assert [node.props["i"] for node in found] == list(range(100, 5_200))
