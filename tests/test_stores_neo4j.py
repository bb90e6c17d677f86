# SPDX-License-Identifier: Apache-2.0
"""A memory on a real Neo4j server: what is written, by whom, and read back."""

from __future__ import annotations

import pytest

from smemkit.errors import (
    BadRequest,
    InvalidRecord,
    StoreClosed,
    StoreNotFound,
    WrongToken,
)
from smemkit.records import Batch, Edge, Node
from smemkit.stores.memory import MemoryStore, find_edges, find_nodes
from tests.store_plans import call, content, forget, rename

pytestmark = pytest.mark.neo4j


@pytest.fixture
def store(neo4j_empty):
    """Yield a store on an empty server."""
    with neo4j_empty.open() as memory:
        yield memory.store


PLANS = [
    call("a", finished_at="2026-10-02T08:00:00Z"),
    call("b"),
    rename("Code", "a", exit_code=0, 备注="锌"),
    call("c"),
    forget("Code", "b"),
    rename("ToolCall", "a", status="done"),
]


def test_plans_lead_to_the_same_graph_as_in_main_memory(store, neo4j_empty):
    """After each plan the writer, a fresh reader and a local store hold the same."""
    local = MemoryStore()
    for plan in PLANS:
        assert store.write(plan) == local.write(plan)
        assert content(store.graph()) == content(local.graph())
        with neo4j_empty.open() as fresh:
            graph = fresh.store.graph()
            assert list(graph.nodes()) == list(local.graph().nodes())
            assert list(graph.edges()) == list(local.graph().edges())


def test_what_a_foreign_client_writes_is_read_at_once(store, neo4j_empty):
    """The next answer has what a client that is not smemkit created, changed, deleted."""
    store.write(call("a"))
    before = store.revision()
    assert store.revision() == before, "reading moves nothing"
    neo4j_empty.ask(
        "MATCH (t:ToolCall {task_id: 'a'}) SET t.status = 'failed' "
        "CREATE (t)-[:next {method: 'temporal_chain'}]->"
        "(:ToolCall {task_id: 'foreign', session_id: 's'})"
    )
    assert store.revision() != before
    assert store.refresh()
    assert not store.refresh()
    graph = store.graph()
    first, foreign = graph.by_key("ToolCall", "a"), graph.by_key("ToolCall", "foreign")
    assert first.props["status"] == "failed"
    assert [e.dst for e in graph.out(first.id, "next")] == [foreign.id]
    neo4j_empty.ask("MATCH (t {task_id: 'foreign'}) DETACH DELETE t")
    assert store.graph().by_key("ToolCall", "foreign") is None


def test_another_smemkit_program_is_followed_without_reading_all(store, neo4j_empty):
    """Two writers in turn see each other; the Graph is followed, not made anew."""
    with neo4j_empty.open() as memory:
        other = memory.store
        store.write(call("a"))
        other.write(call("b"))  # by now the server knows every name in use
        store.write(rename("Code", "b", exit_code=0))
        mine, theirs = store.graph(), other.graph()
        for name in ("c", "d"):
            store.write(call(name))
            other.write(rename("Code", name, exit_code=1))
            store.write(forget("ToolCall", name))
        assert store.graph() is mine
        assert other.graph() is theirs
        assert list(mine.nodes()) == list(theirs.nodes())
        assert list(mine.edges()) == list(theirs.edges())


def test_nothing_of_ours_is_shown(store, neo4j_empty):
    """No answer has a property, label or node that only smemkit needs."""
    store.write(call("a"))
    (count,) = neo4j_empty.ask("MATCH (n:_SmemkitLock) RETURN count(n) AS n")
    assert count == {"n": 1}
    names = {name for node in store.graph().nodes() for name in node.props}
    assert names == {"task_id", "code_id", "seq", "session_id"}
    assert {node.label for node in store.find()} == {"ToolCall", "Code"}


def test_the_records_of_the_app_come_first_by_time_then_key(store, neo4j_empty):
    """Records without an age precede ours: native and written times compare as instants."""
    store.write(call("ours", created_at="2020-01-01T00:00:00Z"))
    neo4j_empty.ask(
        "CREATE (:Claim {claim_id: 'z', created_at: datetime('2026-10-02T08:00:00Z')}), "
        "(:Claim {claim_id: 'b', created_at: '2026-10-02T10:00:01+02:00'}), "
        "(:Claim {claim_id: 'a', created_at: datetime('2026-10-02T08:00:01Z')}), "
        "(:Claim {claim_id: 'untimed'})"
    )
    ids = [node.public_id for node in store.graph().nodes()]
    assert ids == ["z", "a", "b", "untimed", "ours", "ours"]
    assert [node.public_id for node in store.find("Claim", limit=2)] == ["z", "a"]


@pytest.mark.parametrize(
    ("native", "text"),
    [
        ("datetime('2026-10-02T10:00:00.12+02:00')", "2026-10-02T08:00:00.120Z"),
        ("datetime('2026-10-02T08:00:00.123456Z')", "2026-10-02T08:00:00.123456Z"),
        ("localdatetime('2026-10-02T08:00:00')", "2026-10-02T08:00:00.000Z"),
        ("date('2026-10-02')", "2026-10-02"),
        ("duration('P1D')", "P1D"),
        ("[datetime('2026-10-02T08:00:00Z')]", ["2026-10-02T08:00:00.000Z"]),
    ],
)
def test_a_native_time_reads_as_text_and_stays_native(store, neo4j_empty, native, text):
    """Reading turns it into text; a write that does not touch it leaves it alone."""
    neo4j_empty.ask(f"CREATE (:Code {{code_id: 'a', at: {native}}})")
    node = store.graph().by_key("Code", "a")
    assert node.props["at"] == text
    if text != "P1D":  # no instant: found in a Graph only
        assert [n.id for n in store.find("Code", where={"at": text})] == [node.id]
    store.write(rename("Code", "a", exit_code=0))
    (row,) = neo4j_empty.ask(
        f"MATCH (c:Code) RETURN c.at = {native} AS same, c.exit_code"
    )
    assert row == {"same": True, "c.exit_code": 0}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"a": 1}, "dict"),
        ([[1]], "list"),
        ([1, "a"], "mixed types"),
        ([1, None], "NoneType"),
        (None, "NoneType"),
        (2**63, "more than 64 bits"),
        (float("nan"), "not a finite number"),
    ],
)
def test_what_no_property_can_hold_is_refused_before_it_is_sent(store, value, reason):
    """The refusal names the property; the server has not moved."""
    store.write(call("a"))
    before = store.revision()
    with pytest.raises(InvalidRecord, match=rf"property 'score'.*{reason}"):
        store.write(rename("Code", "a", score=value))
    assert store.revision() == before


@pytest.mark.parametrize("name", ["_smemkit_id", "_smemkit_other"])
def test_names_of_our_own_are_refused(store, name):
    """No property may begin as those that smemkit keeps for itself."""
    store.write(call("a"))
    with pytest.raises(InvalidRecord, match="smemkit's own"):
        store.write(rename("Code", "a", **{name: "n1"}))


def test_a_session_id_too_long_for_an_index_is_refused(store):
    """The index of a server takes some 8,000 bytes; the refusal says so."""
    plan = lambda graph: Batch((Node("n1", ("Code",), {"session_id": "s" * 9_000}),))  # noqa: E731
    with pytest.raises(InvalidRecord, match=r"property 'session_id'.*9,000 bytes"):
        store.write(plan)


def test_odd_records_come_back_as_they_were(store, neo4j_empty):
    """No label, several, unknown ones, odd names, parallel edges, a loop: all kept."""
    nodes = (
        Node("n1", (), {"a b`c": "x", "\\u0060": "y"}),
        Node("n2", ("Zeta", "Alpha", "Claim"), {"claim_id": "c", "empty": []}),
        Node("n3", ("Größe",), {"session_id": "s", "big": 2**63 - 1, "f": -0.0}),
    )
    edges = tuple(
        Edge(f"r{i}", kind, src, dst, {"i": i})
        for i, (kind, src, dst) in enumerate(
            [("next", "n1", "n2"), ("next", "n1", "n2"), ("odd_edge", "n3", "n3")], 1
        )
    )
    written = store.write(lambda graph: Batch(nodes, edges))
    with neo4j_empty.open() as fresh:
        graph = fresh.store.graph()
        assert list(graph.nodes()) == list(written.nodes)
        assert repr(graph.node("n3").props["f"]) == "-0.0"
        assert list(graph.edges()) == list(written.edges)


def test_labels_can_change(store, neo4j_empty):
    """A node that gets other labels keeps its id, its edges and its age."""
    store.write(call("a"))
    old = store.graph().by_key("ToolCall", "a")
    store.write(lambda graph: Batch((Node(old.id, ("Task", "Extra"), old.props),)))
    with neo4j_empty.open() as fresh:
        (found,) = fresh.store.graph().nodes("Task")
        assert (found.id, found.labels, found.n) == (old.id, ("Task", "Extra"), old.n)
        assert len(fresh.store.graph().out(old.id, "produces")) == 1


def test_ids_are_never_used_again(store, neo4j_empty):
    """The mark outlives the highest node, also for a program that opens later."""
    store.write(call("a"))
    store.write(call("b"))
    highest = store.graph().node_mark
    store.write(forget("ToolCall", "b"))
    store.write(forget("Code", "b"))
    with neo4j_empty.open() as fresh:
        batch = fresh.store.write(call("c"))
    assert [node.id for node in batch.nodes] == [f"n{highest + 1}", f"n{highest + 2}"]


def test_find_answers_as_the_graph_does(store):
    """Label, session, values and limit are pushed down and change no answer."""
    for name in "abc":
        store.write(call(name, status="done", flag=True, share=1.0))
    store.write(lambda graph: Batch((Node("n99", (), {"status": "done"}),)))
    graph = store.graph()
    asked = [
        (None, {}),
        (None, {"session_id": "nowhere"}),
        ("", {"where": {"status": "done"}}),
        ("ToolCall", {"session_id": "s", "where": {"flag": 1, "status": "done"}}),
        ("ToolCall", {"where": {"share": True}}),
        ("ToolCall", {"where": {"seq": 2.0}}),
        ("Code", {"session_id": "s"}),
        ("Odd`", {}),
    ]
    for label, choice in asked:
        for limit in (None, 0, 2):
            found = store.find(label, **choice, limit=limit)
            choice = {"session_id": None, "where": None, **choice}
            assert found == find_nodes(graph, label, **choice, limit=limit), (
                label,
                choice,
            )
    for edge_type, session_id in [
        (None, None),
        ("next", "s"),
        (None, "no"),
        ("odd", "s"),
    ]:
        for limit in (None, 0, 1):
            asked_for = {"session_id": session_id, "limit": limit}
            found = store.find_edges(edge_type, **asked_for)
            assert found == find_edges(graph, edge_type, **asked_for), asked_for


def test_a_plan_that_fails_leaves_nothing(store):
    """What a plan raises comes through, and the server has not moved."""
    store.write(call("a"))
    before = store.revision()

    def fail(graph):
        raise KeyError("from the plan")

    with pytest.raises(KeyError, match="from the plan"):
        store.write(fail)
    assert store.write(lambda graph: Batch()) == Batch()
    assert store.revision() == before


def test_a_wrong_password_is_told_apart(neo4j_empty):
    """Opening refuses it at once, and the message does not hold it."""
    import smemkit

    with pytest.raises(WrongToken, match="auth=") as caught:
        smemkit.open(neo4j_empty.url, auth=("neo4j", "not-the-password"))
    assert "not-the-password" not in str(caught.value)


def test_both_schemes_open_the_same_memory(store, neo4j_empty):
    """`neo4j://` asks the server where to go, `bolt://` does not; a list is a login too."""
    import smemkit

    store.write(call("a"))
    url = neo4j_empty.url.replace("bolt://", "neo4j://")
    with smemkit.open(url, auth=list(neo4j_empty.auth)) as memory:
        assert content(memory.store.graph()) == content(store.graph())
        memory.store.write(call("b"))
    assert store.graph().by_key("Code", "b") is not None


def test_a_database_that_is_not_there_is_told(neo4j_empty):
    """The name is looked for when the memory is opened."""
    with pytest.raises(StoreNotFound, match="nowhere"):
        neo4j_empty.open(database="nowhere")


def test_a_closed_store_refuses(neo4j_empty):
    """Every verb says that it was closed."""
    store = neo4j_empty.open().store
    store.close()
    store.close()
    verbs = [store.graph, store.find, store.find_edges, store.refresh, store.revision]
    for verb in [*verbs, store.problems, lambda: store.write(call("a"))]:
        with pytest.raises(StoreClosed):
            verb()


def test_a_write_inside_a_plan_is_refused(store):
    """It would wait for itself."""

    def nested(graph):
        store.write(call("inner"))
        return Batch()

    with pytest.raises(OSError, match="inside the plan of another"):
        store.write(nested)


@pytest.mark.parametrize("url", ["neo4j://u:secret@localhost", "bolt://localhost:x"])
def test_an_address_that_cannot_be_used_is_refused(url):
    """A password in it is not repeated; nothing is connected to."""
    import smemkit

    with pytest.raises(BadRequest) as caught:
        smemkit.open(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", [[True], [-6], [], 1, 0, True, False, 1.0])
@pytest.mark.parametrize("label", [None, "ToolCall", "Claim"])
def test_finding_by_a_value_returns_that_value(store, value, label):
    """By a list, or a number that could be a truth value: it comes back as it is."""
    props = {"value": value, "other": 1}
    node = Node("n1", (label or "Claim",), props)
    store.write(lambda graph: Batch((node,)))
    (found,) = store.find(label, where={"value": value})
    assert repr(found.props["value"]) == repr(value)
    assert sorted(found.props) == ["other", "value"]
