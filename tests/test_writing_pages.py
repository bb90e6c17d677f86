# SPDX-License-Identifier: Apache-2.0
"""Which stored paper or page a link means, also where the app stored it."""

from __future__ import annotations

import pytest

from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch, Node
from tests.writing_records import NOON, count, edges, mem, props

__all__ = ["mem"]


def page(url: str, **fields: object) -> dict[str, object]:
    return {"product_type": "web_page", "url": url, **fields}


def found(mem: Memory, *products: dict[str, object]) -> tuple[str, ...]:
    """Record a call of its own, at noon, that found these."""
    call = mem.observe_tool_call(
        f"subtask:mcp:{count(mem, 'ToolCall')}",
        session_id="s1",
        tool_name="search",
        products=list(products),
        created_at=NOON,
    )
    return call.found


def paper(link: str) -> dict[str, object]:
    return {"product_type": "paper", "link": link}


def stored_by_the_app(
    mem: Memory, label: str, key: str, *, session: str = "s1"
) -> None:
    """Put a node into the store under a key that is the app's."""
    field = "link" if label == "Paper" else "url"

    def plan(graph: Graph) -> Batch:
        name = f"n{graph.node_mark + 1}"
        return Batch((Node(name, (label,), {"session_id": session, field: key}),))

    mem.store.write(plan, (session,))


def test_a_page_keeps_what_the_contract_lists(mem: Memory) -> None:
    """contract/writes.md §2.10, in its order; a snippet is no full content."""
    described = {
        "identifier": "W1",
        "identifier_type": "id",
        "title": "Page",
        "snippet": "…",
        "source_refs": ["r1"],
    }
    found(mem, page("http://A.org/x/", **described, content_hash="9f"))
    found(mem, page("https://a.org/y", title="Other"))

    assert list(props(mem, "WebPage", "s1", "https://a.org/x").items()) == [
        ("session_id", "s1"),
        ("url", "https://a.org/x"),
        *described.items(),
        ("content_hash", "9f"),
        ("has_full_content", True),
        ("retrieval_count", 1),
        ("created_at", NOON),
    ]
    assert props(mem, "WebPage", "s1", "https://a.org/y")["has_full_content"] is False
    assert [b for _, b in edges(mem, "produces")] == ["W1", "url:https://a.org/y"]


def test_a_page_found_again_fills_gaps_and_keeps_its_content(mem: Memory) -> None:
    """A new hash replaces, none keeps the old; the flag stays true."""
    for fields in (
        {"title": "First"},
        {"title": "Second", "snippet": "…", "content_hash": "aa"},
        {"identifier": "W1"},
        {"content_hash": "bb"},
        {},
    ):
        found(mem, page("https://a.org/x", **fields))

    assert props(mem, "WebPage", "s1", "https://a.org/x") == {
        "session_id": "s1",
        "url": "https://a.org/x",
        "title": "First",
        "snippet": "…",
        "identifier": "W1",
        "content_hash": "bb",
        "has_full_content": True,
        "retrieval_count": 5,
        "created_at": NOON,
        "retrieved_at": NOON,
    }


# -- what the app stored ---------------------------------------------------------

APP_KEYS = [
    ("https://a.org/View", "https://a.org/view"),
    ("a.org/x", "https:///a.org/x"),
    ("a.org/x", "https:a.org/x"),
    ("10.1/X", "https://dx.doi.org/10.1/x"),
    ("http://a.org:80/x", "https://a.org:80/x"),
    ("https://a.org/x", "https://a.org/x"),
]
"""A link, and a key from contract/http.md §1.9 or writes.md §5 it may lie under."""


@pytest.mark.parametrize(("link", "key"), APP_KEYS)
def test_a_paper_the_app_stored_is_used_again(mem: Memory, link: str, key: str) -> None:
    """Design §5.9; it counts, and evidence finds it."""
    stored_by_the_app(mem, "Paper", key)

    assert found(mem, paper(link)) == (key,)
    assert props(mem, "Paper", "s1", key)["retrieval_count"] == 1
    assert count(mem, "Paper") == 1
    mem.declare_evidence("Bills grow.", session_id="s1", source_paper_link=link)
    assert [src for src, _ in edges(mem, "extracts")] == [key]


def test_a_link_with_a_query_is_not_what_the_app_stored_without(mem: Memory) -> None:
    """Its key may stand for any query; a look-up still finds it (design §5.9)."""
    stored_by_the_app(mem, "Paper", "https://a.org/view")
    link = "https://a.org/view?id=2"
    mem.declare_evidence("Before.", session_id="s1", source_paper_link=link)

    assert found(mem, paper(link)) == (link,)
    mem.declare_evidence("After.", session_id="s1", source_paper_link=link)
    assert [src for src, _ in edges(mem, "extracts")] == ["https://a.org/view", link]


def test_what_the_app_stored_for_another_session_is_not_used(mem: Memory) -> None:
    """Papers belong to their session."""
    stored_by_the_app(mem, "Paper", "https://a.org/view", session="s2")

    assert found(mem, paper("https://a.org/View")) == ("https://a.org/View",)


def test_our_key_wins_over_the_one_of_the_app(mem: Memory) -> None:
    """Where both are there, the exact one is meant."""
    stored_by_the_app(mem, "Paper", "https://dx.doi.org/10.1/x")
    stored_by_the_app(mem, "Paper", "https://doi.org/10.1/x")
    both = "https://dx.doi.org/10.1/x"
    assert found(mem, paper(both)) == ("https://doi.org/10.1/x",)
    found(mem, paper("https://a.org/View"))
    stored_by_the_app(mem, "Paper", "https://a.org/view")

    assert found(mem, paper("https://a.org/View")) == ("https://a.org/View",)
    assert found(mem, paper("https://a.org/view")) == ("https://a.org/view",)


@pytest.mark.parametrize("name", ["W1", "https://A.org/x/", "url:http://a.org/x"])
def test_a_page_is_found_by_identifier_and_by_link(mem: Memory, name: str) -> None:
    """Raw or normalised (contract/http.md §4.1), and only in its own session."""
    stored_by_the_app(mem, "WebPage", "https://a.org/x", session="s2")
    found(mem, page("https://a.org/x", identifier="W1", content_hash="9f"))
    mem.declare_evidence("It says.", session_id="s1", source_webpage_link=name)

    assert [src for src, _ in edges(mem, "extracts")] == ["W1"]


def test_a_page_the_app_stored_is_used_again(mem: Memory) -> None:
    """Pages have the keys of papers."""
    stored_by_the_app(mem, "WebPage", "https://a.org/view")

    assert found(mem, page("https://a.org/View")) == ("url:https://a.org/view",)
    assert count(mem, "WebPage") == 1
