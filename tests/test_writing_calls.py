# SPDX-License-Identifier: Apache-2.0
"""Tool calls and what they found: papers, pages, database records."""

from __future__ import annotations

import pytest

from smemkit.memory import Memory
from tests.writing_records import NOON, at, count, edges, everything, mem, props

__all__ = ["mem"]

CALL = "subtask:mcp:5d1e"
DEMO = "https://doi.org/10.1000/demo.1"
DESCRIBED = {
    "title": "Demo",
    "identifier": "10.1000/demo.1",
    "identifier_type": "doi",
    "year": "2025",
    "authors": ["A. One", "B. Two"],
    "abstract": "…",
    "source": "arxiv",
}
TICKET = {
    "task_id": CALL,
    "session_id": "s1",
    "turn_id": "r1",
    "tool_name": "mcp__arxiv__search",
    "tool_type": "search",
    "source": "arxiv",
    "status": "completed",
    "result_count": 2,
    "products": [
        {
            "product_type": "paper",
            "link": DEMO,
            **DESCRIBED,
            "url": None,
            "snippet": None,
            "source_refs": None,
            "content_hash": None,
        },
        {"product_type": "paper", "link": None, "title": "No link"},
    ],
    "parent_subagent_id": None,
}
"""The worked example of contract/http.md §14; the second product has no key."""


def found(mem: Memory, *products: dict[str, object], session_id: str = "s1") -> object:
    """Record a call of its own, at noon, that found these."""
    number = count(mem, "ToolCall")
    return mem.observe_tool_call(
        f"subtask:mcp:{session_id}:{number}",
        session_id=session_id,
        tool_name="search",
        products=list(products),
        created_at=NOON,
    )


def paper(link: str, **fields: object) -> dict[str, object]:
    return {"product_type": "paper", "link": link, **fields}


def page(url: str | None, **fields: object) -> dict[str, object]:
    return {"product_type": "web_page", "url": url, **fields}


def record(source: str | None, identifier: str | None, **fields: object) -> dict:
    named = {"source": source, "identifier": identifier}
    return {"product_type": "db_record", **named, **fields}


# -- the call --------------------------------------------------------------------


def test_a_call_keeps_what_the_contract_lists(mem: Memory) -> None:
    """Order of contract/writes.md §1; on the main line the turn is not stored."""
    done = mem.observe_tool_call(**TICKET, created_at=at(8), finished_at=at(9))

    assert done.to_dict() == {"status": "healthy", "written": 3, "products": 2}
    assert (done.task_id, done.found) == (CALL, (DEMO,))
    assert list(props(mem, "ToolCall", CALL).items()) == [
        ("task_id", CALL),
        ("session_id", "s1"),
        ("status", "completed"),
        ("tool_type", "search"),
        ("tool_name", "mcp__arxiv__search"),
        ("source", "arxiv"),
        ("created_at", at(8)),
        ("finished_at", at(9)),
        ("result_count", 2),
        ("seq", 1),
    ]
    assert list(props(mem, "Paper", "s1", DEMO).items()) == [
        ("session_id", "s1"),
        ("link", DEMO),
        *DESCRIBED.items(),
        ("retrieval_count", 1),
        ("created_at", at(8)),
    ]
    assert edges(mem, "produces") == [(CALL, DEMO)]


def test_a_call_needs_an_id_and_a_tool_only(mem: Memory) -> None:
    """Of the only session; nothing found, completed, now."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    done = mem.observe_tool_call(CALL, tool_name="search")

    assert done.written == 1
    kept = props(mem, "ToolCall", CALL)
    assert kept.pop("created_at") == kept.pop("finished_at")
    assert kept == {
        "task_id": CALL,
        "session_id": "s1",
        "status": "completed",
        "tool_type": "search",
        "tool_name": "search",
        "result_count": 0,
        "seq": 1,
    }
    assert edges(mem, "next") == [("goal:session:s1", CALL)]


@pytest.mark.parametrize(
    ("sent", "ref"),
    [
        ("subtask:mcp:i-7", "i-7"),
        ("i-7", "i-7"),
        ("subtask:i-7", "subtask:i-7"),
        ("subtask:web:a:b", "a:b"),
    ],
)
def test_a_call_in_a_scope_is_its_child(mem: Memory, sent: str, ref: str) -> None:
    """The four ids of contract/writes.md §2.3, and the order of a child."""
    mem.observe_subagent("sa1", session_id="s1")
    ticket = {**TICKET, "task_id": sent, "parent_subagent_id": "sa1"}
    done = mem.observe_tool_call(**ticket, created_at=at(8), finished_at=at(9))

    scope = "subtask:subagent:sa1"
    name = f"{scope}:exec:{ref}"
    assert done.task_id == name
    assert list(props(mem, "ToolCall", name).items()) == [
        ("task_id", name),
        ("session_id", "s1"),
        ("status", "completed"),
        ("tool_type", "search"),
        ("tool_name", "mcp__arxiv__search"),
        ("source", "arxiv"),
        ("parent_subtask_id", scope),
        ("turn_id", "r1"),
        ("created_at", at(8)),
        ("finished_at", at(9)),
        ("result_count", 2),
        ("seq", 2),
    ]
    assert edges(mem, "contains") == [(scope, name)]
    assert edges(mem, "produces") == [(name, DEMO)]


def test_a_call_without_the_prefix_stands_on_no_line(mem: Memory) -> None:
    """W10 of contract/writes.md §6.5."""
    mem.observe_session_first_message("s1", core_objective="Why?")
    mem.observe_tool_call("mcp:1", session_id="s1", tool_name="search")

    assert edges(mem, "next") == []


@pytest.mark.parametrize("status", ["odd word", "", " "])
def test_words_of_older_generations_are_kept_as_given(mem: Memory, status: str) -> None:
    """contract/writes.md §10.1: a tool_type or status is not checked."""
    old = {"tool_type": "literature_search", "status": status}
    mem.observe_tool_call(CALL, session_id="s1", tool_name="", result_count=-1, **old)

    kept = props(mem, "ToolCall", CALL)
    assert {name: kept[name] for name in old} == old
    assert (kept["tool_name"], kept["result_count"]) == ("", -1)


def test_a_call_sent_again_counts_and_changes_nothing_else(mem: Memory) -> None:
    """Its result count is taken over, each product counts one retrieval more."""
    mem.observe_tool_call(**TICKET, created_at=at(8))
    nodes, links = everything(mem)
    mem.observe_tool_call(**{**TICKET, "result_count": 5}, created_at=at(9))

    again, links_again = everything(mem)
    assert links_again == links
    call, one = (dict(node[2]) for node in nodes)
    assert [node[2] for node in again] == [
        {**call, "result_count": 5},
        {**one, "retrieval_count": 2, "retrieved_at": at(9)},
    ]


def test_a_repeat_keeps_a_status_it_does_not_tell(mem: Memory) -> None:
    """What it tells is taken over, but a late running undoes nothing (design §5)."""
    words = ["failed", None, "running", "cancelled"]
    kept = []
    for word in words:
        mem.observe_tool_call(CALL, session_id="s1", tool_name="search", status=word)
        kept.append(props(mem, "ToolCall", CALL)["status"])

    assert kept == ["failed", "failed", "failed", "cancelled"]


def test_a_running_call_gets_its_finish_time_at_its_end(mem: Memory) -> None:
    """And what was not known of it before."""
    call = {"session_id": "s1", "tool_name": "search"}
    mem.observe_tool_call(CALL, **call, status="running")
    assert "finished_at" not in props(mem, "ToolCall", CALL)
    mem.observe_tool_call(CALL, **call, status="completed", source="arxiv")

    assert props(mem, "ToolCall", CALL)["source"] == "arxiv"
    assert "finished_at" in props(mem, "ToolCall", CALL)


def test_a_call_of_another_session_is_left_as_it_is(mem: Memory) -> None:
    """W11 of contract/writes.md §6.5."""
    mem.observe_tool_call(CALL, session_id="s1", tool_name="search", result_count=1)
    before = everything(mem)
    mem.observe_tool_call(CALL, session_id="s2", tool_name="else", result_count=2)

    assert everything(mem) == before


# -- papers ----------------------------------------------------------------------


def test_papers_merge_by_their_normalised_link(mem: Memory) -> None:
    """All forms of one DOI are one paper (design §5.9), in one call or in several."""
    forms = [
        "10.1/X",
        "doi:10.1/x",
        "http://dx.doi.org/10.1/X",
        "HTTPS://DOI.org/10.1/x/",
    ]
    found(mem, paper(forms[0], title="First"), paper(forms[1], title="Second"))
    for form in forms[2:]:
        found(mem, paper(form, abstract="Late."))

    assert props(mem, "Paper", "s1", "https://doi.org/10.1/x") == {
        "session_id": "s1",
        "link": "https://doi.org/10.1/x",
        "title": "First",
        "retrieval_count": 4,
        "created_at": NOON,
        "retrieved_at": NOON,
    }
    assert count(mem, "Paper") == 1
    assert len(edges(mem, "produces")) == 3


def test_pages_that_differ_in_the_query_are_two_papers(mem: Memory) -> None:
    """The app merges them (contract/http.md §1.9); here they stay apart."""
    found(mem, paper("https://a.org/view?id=1"), paper("https://a.org/view?id=2"))

    assert count(mem, "Paper") == 2


def test_the_url_of_a_paper_wins_over_its_link(mem: Memory) -> None:
    """contract/http.md §3.4; a blank one is none."""
    found(mem, paper("10.1/link", url="10.1/url"), paper("10.1/other", url=""))

    links = [link for _, link in edges(mem, "produces")]
    assert links == ["https://doi.org/10.1/url", "https://doi.org/10.1/other"]


def test_each_session_has_papers_of_its_own(mem: Memory) -> None:
    """The key is session and link (contract/writes.md §4)."""
    for session in ("s1", "s2"):
        found(mem, paper("10.1/x"), session_id=session)

    for session in ("s1", "s2"):
        link = "https://doi.org/10.1/x"
        assert props(mem, "Paper", session, link)["retrieval_count"] == 1


def test_a_year_may_be_a_number(mem: Memory) -> None:
    """It is a text in the store (contract/writes.md §2.6)."""
    found(mem, paper("10.1/x", year=2025))

    assert props(mem, "Paper", "s1", "https://doi.org/10.1/x")["year"] == "2025"


def test_a_product_without_its_key_is_counted_and_not_kept(mem: Memory) -> None:
    """contract/writes.md §7.3."""
    done = found(
        mem,
        *(paper(""), paper(" "), page(None), page("")),
        *(record(None, "x"), record("db", None), record("", "x")),
    )

    assert done.to_dict() == {"status": "healthy", "written": 8, "products": 7}
    assert done.found == ()
    assert len(everything(mem)[0]) == 1


# -- records ---------------------------------------------------------------------


def test_a_record_is_one_of_its_source(mem: Memory) -> None:
    """The key is session, source and identifier; a repeat only counts."""
    described = {"identifier_type": "acc", "url": "u", "title": "T", "snippet": "…"}
    found(mem, record("uniprot", "P1", **described), record("pdb", "P1"))
    found(mem, record("uniprot", "P1", title="Else"))

    assert list(props(mem, "DbRecord", "s1", "uniprot", "P1").items()) == [
        ("session_id", "s1"),
        ("source", "uniprot"),
        ("identifier", "P1"),
        *described.items(),
        ("retrieval_count", 2),
        ("created_at", NOON),
        ("retrieved_at", NOON),
    ]
    assert props(mem, "DbRecord", "s1", "pdb", "P1")["retrieval_count"] == 1


# -- the older search ------------------------------------------------------------


def test_a_search_of_the_older_generation_is_a_call_of_today(mem: Memory) -> None:
    """contract/writes.md §7.3: its id, its tool, and how many papers it kept."""
    fields = {name: DESCRIBED[name] for name in DESCRIBED if name != "identifier_type"}
    done = mem.observe_mcp_search(
        "5d1e",
        session_id="s1",
        source="arxiv",
        tool_type="mcp__arxiv__search",
        turn_id="r1",
        retrieved_at=NOON,
        records=[{"url": DEMO, "identifierType": "doi", **fields}, {"url": " "}],
    )

    assert done.to_dict() == {"status": "healthy", "written": 2, "papers": 1}
    assert (done.task_id, done.found) == (CALL, (DEMO,))
    assert props(mem, "ToolCall", CALL) == {
        "task_id": CALL,
        "session_id": "s1",
        "status": "completed",
        "tool_type": "search",
        "tool_name": "mcp__arxiv__search",
        "source": "arxiv",
        "created_at": NOON,
        "finished_at": NOON,
        "result_count": 1,
        "seq": 1,
    }
    assert props(mem, "Paper", "s1", DEMO) == {
        **{"session_id": "s1", "link": DEMO, "retrieval_count": 1, "created_at": NOON},
        **DESCRIBED,
    }


def test_a_search_merges_its_papers_with_those_of_calls(mem: Memory) -> None:
    """One key for both; in a scope the search is a child."""
    found(mem, paper("10.1/x"))
    done = mem.observe_mcp_search(
        "7",
        session_id="s1",
        source="arxiv",
        tool_type="search",
        parent_subagent_id="sa1",
        records=[{"url": "http://dx.doi.org/10.1/X"}],
    )

    assert done.task_id == "subtask:subagent:sa1:exec:7"
    link = "https://doi.org/10.1/x"
    assert props(mem, "Paper", "s1", link)["retrieval_count"] == 2
    assert [b for _, b in edges(mem, "produces")] == [link, link]
