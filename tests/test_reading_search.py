# SPDX-License-Identifier: Apache-2.0
"""Words, and how hits are ranked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.reading.search import match
from smemkit.records import Node
from tests.reading_graphs import Built
from tests.strategies import TEXT, graphs


def ids(answer) -> list[str]:
    return [view.id for view in answer.hits]


@pytest.fixture
def papers():
    """Papers whose first word stands in a field of each class."""
    built = Built()
    for name, field in enumerate(
        ["content", "tool_name", "summary", "abstract", "title", "core_objective"]
    ):
        built.node("Paper", f"p{name}", **{field: "Tumour growth"})
    return built.graph


def test_the_first_word_decides_the_class(papers):
    """Title, abstract, core_objective, summary, content, anything else."""
    assert ids(match(papers, "tumour")) == ["p4", "p3", "p5", "p2", "p0", "p1"]


def test_more_words_come_first_and_repeated_words_count_twice():
    """The number of words met goes before the class."""
    built = Built().node("Paper", "one", title="alpha").node("Claim", "two")
    built.node("Claim", "both", content="alpha beta")
    assert ids(match(built.graph, "alpha beta")) == ["both", "one"]
    assert ids(match(built.graph, "alpha alpha beta")) == ["both", "one"]


def test_all_terms_needs_every_word():
    """The stricter mode keeps what holds all of them."""
    built = Built().node("Paper", "one", title="alpha").node("Paper", "two")
    built.node("Claim", "both", content="beta ALPHA")
    assert ids(match(built.graph, "alpha beta", mode="all_terms")) == ["both"]


def test_equal_ranks_come_newest_first_and_as_instants():
    """Without time first; an offset is no text to compare; ties by age."""
    built = Built()
    for name, at in [
        ("b", "2026-10-02T08:00:00.500Z"),
        ("a", "2026-10-02T08:00:00Z"),
        ("late", "2026-10-02T11:00:00+02:00"),
        ("odd", "soon"),
        ("none", None),
    ]:
        built.node("Claim", name, content="x", created_at=at)
    assert ids(match(built.graph, "x")) == ["none", "late", "b", "a", "odd"]


def test_words_are_split_at_signs_and_underscores():
    """`foo_bar` is two words; a query of signs finds nothing; no word segmentation."""
    built = Built().node("Claim", "c", content="foo and bar").node("Claim", "文")
    built.node("Claim", "d", content="文献综述")
    assert ids(match(built.graph, "foo_bar", mode="all_terms")) == ["c"]
    assert match(built.graph, "___").to_dict() == {
        "hits": [],
        "total": 0,
        "truncated": False,
    }
    assert ids(match(built.graph, "文献综述")) == ["d"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("authors", ["A. One", "B. Two"]),
        ("logical_name", "one.csv"),
        ("locator", "figure one"),
        ("link", "https://one.org"),
        ("tool_name", "one_tool"),
    ],
)
def test_more_fields_are_searched_than_in_the_app(field, value):
    """The fields of design §5.5, lists among them."""
    built = Built().node("Evidence", "e", **{field: value})
    assert ids(match(built.graph, "one")) == ["e"]


def test_words_are_not_met_across_fields():
    """Two fields side by side make no word."""
    built = Built().node("Claim", "c", title="al", content="pha", authors=["x", "y"])
    assert not match(built.graph, "alpha")
    assert not match(built.graph, "xy")


def test_what_is_hidden_is_not_found():
    """Deleted nodes, nodes without id, other sessions."""
    built = Built().node("Claim", "gone", content="x", deleted_session=True)
    built.node("Claim", "no", claim_id=None, content="x").node("Odd", "o", content="x")
    built.node("Claim", "other", content="x", session_id="s2")
    assert ids(match(built.graph, "x")) == ["other"]
    assert ids(match(built.graph, "x", session_id="s1")) == []


def test_a_page_knows_how_many_there_are():
    """`available` is the real number."""
    built = Built()
    for k in range(7):
        built.node("Claim", f"c{k}", content="x")
    page = match(built.graph, "x", limit=3, offset=3)
    assert (ids(page), page.available, page.truncated) == (["c3", "c4", "c5"], 7, True)


def test_a_changed_node_is_searched_as_it_is_now():
    """The kept texts follow every change of the graph."""
    built = Built().node("Claim", "c", content="old words").node("Claim", "d")
    assert ids(match(built.graph, "old")) == ["c"]
    node = built.graph.node("n1")
    built.graph.put_node(Node("n1", node.labels, {**node.props, "content": "new"}, 1))
    assert ids(match(built.graph, "old")) == []
    assert ids(match(built.graph, "new")) == ["c"]
    built.graph.drop_node("n1")
    assert ids(match(built.graph, "new")) == []


@pytest.mark.parametrize("query", ["", "   ", None])
def test_a_blank_query_is_refused(query):
    """There is nothing to look for."""
    with pytest.raises(BadRequest, match="query"):
        match(Graph(), query)


def test_an_unknown_mode_is_refused():
    """The message names the two modes."""
    with pytest.raises(BadRequest, match="all_terms"):
        match(Graph(), "x", mode="some")


@given(graphs(), TEXT.filter(str.strip), st.sampled_from(["any_term", "all_terms"]))
def test_hits_are_the_nodes_that_hold_the_words(graph, query, mode):
    """On any graph: a node is a hit exactly if a plain look at its fields says so."""
    signs = {c for c in query.lower() if not c.isalnum()}
    words = "".join(" " if c in signs else c for c in query.lower()).split()
    rule = all if mode == "all_terms" else any
    right = set()
    for node in graph.nodes():
        texts = [node.props.get(name, "") for name in SEARCHED]
        flat = [t for x in texts for t in (x if isinstance(x, list) else [x])]
        lowered = [str(text).lower() for text in flat]
        holds = rule(any(word in text for text in lowered) for word in words)
        if words and holds and node.public_id is not None:
            right.add(node.id)
    found = match(graph, query, mode=mode)
    assert {view.storage_id for view in found.hits} == right
    assert found.available == len(right)


SEARCHED = [
    "title",
    "abstract",
    "content",
    "core_objective",
    "objective",
    "summary",
    "subagent_type",
    "tool_type",
    "task_type",
    "path",
    "name",
    "tool",
    "snippet",
    "source",
    "url",
    "identifier",
    "authors",
    "logical_name",
    "locator",
    "link",
    "tool_name",
]


def test_keys_of_papers_and_pages_are_searched():
    """Links and identifiers find their node, whatever else it says."""
    built = Built().node("Paper", "https://a.org/tp53").node("WebPage", "tp53-page")
    assert len(match(built.graph, "TP53")) == 2
