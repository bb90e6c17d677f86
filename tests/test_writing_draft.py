# SPDX-License-Identifier: Apache-2.0
"""A draft shows what the graph would be, and gives a store only what differs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Value
from smemkit.stores.memory import MemoryStore
from smemkit.writing.draft import Draft, Plan, compose


def graph_with(**props: Value) -> Graph:
    """Return a graph of one Code e1 that produces one Artifact."""
    graph = Graph()
    graph.put_node(Node("n1", ("Code",), {"code_id": "e1", **props}, 1))
    graph.put_node(Node("n2", ("Artifact",), {"artifact_id": "a", "version": 1}, 2))
    graph.put_edge(Edge("r1", "produces", "n1", "n2", {}, 1))
    return graph


def both(draft: Draft) -> tuple[Node, Node]:
    code, artifact = draft.find("Code", "e1"), draft.find("Artifact", "a", 1)
    assert code is not None
    assert artifact is not None
    return code, artifact


# -- nodes -----------------------------------------------------------------------


def test_a_node_is_made_once_and_found_in_the_same_draft() -> None:
    """Created properties in their order, nulls left out, numbers behind the last."""
    draft = Draft(graph_with())
    made, before = draft.merge_node(
        "Code", {"code_id": "e2"}, created={"tool": "t", "language": None, "a": 1}
    )
    again, now = draft.merge_node("Code", {"code_id": "e2"}, created={"tool": "u"})

    assert before is None
    assert again == now == made
    assert (made.id, made.labels, made.n) == ("n3", ("Code",), 3)
    assert list(made.props.items()) == [("code_id", "e2"), ("tool", "t"), ("a", 1)]
    assert draft.node("n3") == made
    assert draft.batch() == Batch(nodes=(made,))


def test_a_node_that_exists_is_changed_by_the_three_rules() -> None:
    """Always sets and removes, given sets what is not null, gaps fill."""
    draft = Draft(graph_with(a="1", b="1", c="1", d="1", e="1"))
    node, before = draft.merge_node(
        "Code",
        {"code_id": "e1"},
        created={"never": 1},
        always={"a": "2", "b": None},
        given={"c": "2", "d": None, "f": "2"},
        gaps={"e": "2", "g": "2", "h": None},
    )

    assert before is not None
    assert before.props["a"] == "1"
    assert node.props == {
        **{"code_id": "e1", "a": "2", "c": "2", "d": "1", "e": "1"},
        **{"f": "2", "g": "2"},
    }
    assert (node.id, node.n) == ("n1", 1)
    assert draft.find("Code", "e1") == node == draft.state(before)


def test_the_graph_under_a_draft_does_not_change() -> None:
    """Only a store applies a batch."""
    graph = graph_with(a=1)
    draft = Draft(graph)
    code, artifact = both(draft)
    draft.set(code, {"a": 2})
    draft.drop_edge(draft.between("n1", "n2", "produces")[0])
    draft.add_edge("input", artifact, code)
    draft.make_node("Claim", {"claim_id": "c"})

    assert [n.props.get("a") for n in graph.nodes()] == [1, None]
    assert [e.type for e in graph.edges()] == ["produces"]


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0, False), ("1", 1)])
def test_equal_numbers_of_another_type_are_a_change(old: Value, new: Value) -> None:
    """On disk true, 1 and 1.0 are three values."""
    draft = Draft(graph_with(a=old))
    draft.set(both(draft)[0], {"a": new})

    (changed,) = draft.batch().nodes
    assert type(changed.props["a"]) is type(new)


def test_what_ends_as_it_was_is_not_written() -> None:
    """Set and set back, dropped and made again: an empty batch."""
    draft = Draft(graph_with(a=1, b=["x"]))
    code, artifact = both(draft)
    draft.set(draft.set(code, {"a": 2, "b": None}), {"a": 1, "b": ["x"]})
    edge = draft.between("n1", "n2", "produces")[0]
    draft.drop_edge(edge)
    assert draft.out("n1", "produces") == []

    assert draft.add_edge("produces", code, artifact) == edge
    assert draft.add_edge("input", artifact, code).id == "r2"
    draft.drop_edge(draft.between("n2", "n1", "input")[0])
    assert not draft.batch()


# -- edges -----------------------------------------------------------------------


def test_an_edge_is_merged_by_type_and_ends() -> None:
    """The other direction or another type is another edge."""
    draft = Draft(graph_with())
    code, artifact = both(draft)

    assert draft.merge_edge("produces", code, artifact).id == "r1"
    back = draft.merge_edge("produces", artifact, code)
    other = draft.merge_edge("input", code, artifact, {"a": 1})
    assert draft.merge_edge("produces", artifact, code) == back
    assert [e.id for e in draft.batch().edges] == ["r2", "r3"]
    assert (back.n, other.n, other.props) == (2, 3, {"a": 1})


def test_an_edge_that_says_something_else_does_not_come_back() -> None:
    """A dropped edge stays dropped, and the new one is written."""
    draft = Draft(graph_with())
    code, artifact = both(draft)
    draft.drop_edge(draft.between("n1", "n2", "produces")[0])
    draft.add_edge("produces", code, artifact, {"role": "x"})

    batch = draft.batch()
    assert batch.dropped_edges == ("r1",)
    assert [e.props for e in batch.edges] == [{"role": "x"}]


def test_a_dropped_node_takes_its_edges_along() -> None:
    """And is not written, even if it was changed before."""
    draft = Draft(graph_with())
    code, _ = both(draft)
    draft.set(code, {"a": 1})
    draft.drop_node(code)

    assert draft.batch() == Batch(dropped_nodes=("n1",), dropped_edges=("r1",))


# -- a draft is the graph it would make ------------------------------------------

IDS = ("e1", "e2", "e3")
STEP = st.tuples(
    st.sampled_from(["merge", "set", "link", "relink", "unlink"]),
    st.sampled_from(IDS),
    st.sampled_from(IDS),
    st.sampled_from(["next", "input"]),
    st.sampled_from([None, 1, True, "x"]),
)


def take(draft: Draft, step: tuple[str, str, str, str, Value | None]) -> None:
    """Do one step; what it needs is made first."""
    what, one, two, edge_type, value = step
    src, _ = draft.merge_node("Code", {"code_id": one}, given={"a": value})
    dst, _ = draft.merge_node("Code", {"code_id": two}, gaps={"b": value})
    if what == "set":
        draft.set(src, {"a": value})
    elif what == "link":
        draft.merge_edge(edge_type, src, dst, {"p": value})
    elif what == "relink":
        draft.add_edge(edge_type, src, dst, {"p": value})
    elif what == "unlink":
        for edge in draft.between(src.id, dst.id, edge_type):
            draft.drop_edge(edge)


def seen(source: Draft | Graph) -> dict[str, object]:
    """Return what one can ask about every Code, as plain data without order."""
    found: dict[str, object] = {}
    for one in IDS:
        ask = source.find if isinstance(source, Draft) else source.by_key
        node = ask("Code", one)
        if node is None:
            continue
        found[one] = sorted((k, repr(v)) for k, v in node.props.items())
        for edge_type in ("next", "input"):
            out, into = source.out(node.id, edge_type), source.into(node.id, edge_type)
            found[one, edge_type] = ends(out), ends(into)
            for edge in out:
                there = source.between(edge.src, edge.dst, edge_type)
                assert edge in there
    return found


def ends(edges: Sequence[Edge]) -> list[tuple[str, str, str, str]]:
    return sorted((e.id, e.src, e.dst, repr(dict(e.props))) for e in edges)


@given(st.lists(st.lists(STEP, max_size=6), max_size=4))
def test_a_draft_shows_what_its_batch_makes(writes: list[list[tuple]]) -> None:
    """After every write the graph answers as the draft did, and ids are new."""
    graph = Graph()
    for steps in writes:
        draft = Draft(graph)
        for step in steps:
            take(draft, step)
        before, shown = seen(graph), seen(draft)
        batch = draft.batch()
        taken = {edge.id for edge in graph.edges()}
        assert taken.isdisjoint(edge.id for edge in batch.edges)
        graph.apply(batch)

        assert seen(graph) == shown
        assert bool(batch) is not (before == shown)


# -- composing -------------------------------------------------------------------


class Twice:
    """A store that has to start over once, as a server's transaction may."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.asked: list[tuple[str, ...]] = []

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        self.asked.append(tuple(sessions))
        plan(self.inner.graph())
        return self.inner.write(plan, sessions)


def test_a_write_that_starts_over_answers_what_it_kept() -> None:
    """The first run leaves nothing behind; the sessions are handed on."""
    store, runs = Twice(), []

    def how(draft: Draft) -> int:
        draft.make_node("Claim", {"claim_id": "c"})
        runs.append(len(runs))
        return len(runs)

    assert compose(store, ("s1",), how) == 2
    assert store.asked == [("s1",)]
    assert len(store.inner.graph()) == 1


def test_a_refused_draft_writes_nothing() -> None:
    """The error comes out as it is."""
    store = MemoryStore()

    def how(draft: Draft) -> None:
        draft.make_node("Claim", {"claim_id": "c"})
        raise KeyError("no")

    with pytest.raises(KeyError, match="no"):
        compose(store, (), how)
    assert len(store.graph()) == 0
