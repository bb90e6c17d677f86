# SPDX-License-Identifier: Apache-2.0
"""Which links are the same page: our key, the app's key, and where one is looked up."""

from __future__ import annotations

from itertools import product
from urllib.parse import urlsplit, urlunsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import smemkit
from smemkit import links
from smemkit.memory import Memory
from smemkit.records import Batch, Node

DOI = "https://doi.org/10.1038/abc"

# The inputs of contract/writes.md §5, the app's key, and ours as design §5.9 has it.
TABLE = [
    (
        "https://europepmc.org/article/MED/123/",
        "https://europepmc.org/article/med/123",
        "https://europepmc.org/article/MED/123",
    ),
    (
        "HTTP://EuropePMC.org/article/MED/123?utm_source=a&page=2#abs",
        "https://europepmc.org/article/med/123",
        "https://europepmc.org/article/MED/123?utm_source=a&page=2",
    ),
    (
        "10.1038/S41586-024-12345-6",
        "https://doi.org/10.1038/s41586-024-12345-6",
        "https://doi.org/10.1038/s41586-024-12345-6",
    ),
    ("DOI: 10.1038/ABC ", DOI, DOI),
    ("https://doi.org/10.1038/ABC/", DOI, DOI),
    ("doi.org/10.1038/ABC/", f"{DOI}/", DOI),
    ("10.1038/abc?x=1#y", f"{DOI}?x=1#y", f"{DOI}?x=1"),
    ("https://dx.doi.org/10.1038/ABC", "https://dx.doi.org/10.1038/abc", DOI),
    (
        "doi:https://doi.org/10.1/x",
        "https://doi.org/https://doi.org/10.1/x",
        "https://doi.org/10.1/x",
    ),
    (
        "https://arxiv.org/abs/2401.01234v2",
        "https://arxiv.org/abs/2401.01234v2",
        "https://arxiv.org/abs/2401.01234v2",
    ),
    (
        "http://ARXIV.org/pdf/2401.01234v2.pdf",
        "https://arxiv.org/pdf/2401.01234v2.pdf",
        "https://arxiv.org/pdf/2401.01234v2.pdf",
    ),
    ("arXiv:2401.01234", "arxiv:2401.01234", "arxiv:2401.01234"),
    (
        "arxiv.org/abs/2401.01234",
        "https:///arxiv.org/abs/2401.01234",
        "https://arxiv.org/abs/2401.01234",
    ),
    ("http://a.org:80/x", "https://a.org:80/x", "https://a.org/x"),
    ("http://a.org:443/x", "https://a.org/x", "https://a.org/x"),
    ("https://a.org:0443/x", "https://a.org/x", "https://a.org/x"),
    ("https://a.org:8080/x/", "https://a.org:8080/x", "https://a.org:8080/x"),
    ("https://user:pw@a.org./x", "https://a.org/x", "https://a.org/x"),
    ("https://a.org", "https://a.org", "https://a.org"),
    ("https://a.org/", "https://a.org", "https://a.org"),
    ("https://a.org/?q", "https://a.org", "https://a.org?q"),
    ("https://a.org/view?id=1", "https://a.org/view", "https://a.org/view?id=1"),
    ("https://a.org/view?id=2", "https://a.org/view", "https://a.org/view?id=2"),
    ("https://例え.jp/論文/Ä", "https://例え.jp/論文/ä", "https://例え.jp/論文/Ä"),
    ("https://a.org/İ", "https://a.org/i\u0307", "https://a.org/İ"),
    ("PMID:123", "pmid:123", "pmid:123"),
    ("wiki/BRCA1", "https:///wiki/brca1", "https://wiki/BRCA1"),
    ("ftp://A.org/X/", "ftp://a.org/x", "ftp://a.org/X"),
    ("//a.org/x", "https://a.org/x", "https://a.org/x"),
    ("https://a.org/x;p=1", "https://a.org/x;p=1", "https://a.org/x;p=1"),
    ("https://a.org//x//", "https://a.org//x", "https://a.org//x"),
]

# Texts that look like links more often than not.
PARTS = st.sampled_from(
    [
        *["https:", "HTTP:", "ftp:", "doi:", "DOI: ", "arXiv:", "//", "/", ":", "?"],
        *["#", "@", "[", "]", "[::1]", ".", "..", " ", "\t", "\n", "\x1f", "\u3000"],
        *["a.org", "A.Org.", "localhost", "doi.org", "dx.doi.org", "www.doi.org"],
        *["10.1/x", "10.1038/ABC", "10.", "%2F", "%2f", ":80", ":443", ":0443"],
        *[":8080", "x", "X", "İ", "ß", "例え", "q=1", "me:pw", ";p", "\\", "1", "-"],
    ]
)
LINKS = st.one_of(st.lists(PARTS, max_size=9).map("".join), st.text(max_size=12))


def contract_key(text: str) -> str:
    """Compute the app's key as contract/writes.md §5 tells it, with the stdlib."""
    text = text.strip()
    if not text:
        return ""
    low = text.lower()
    for prefix in ("doi:", "doi.org/"):
        if low.startswith(prefix):
            return "https://doi.org/" + low[len(prefix) :].strip()
    if low.startswith("10.") and "/" in low:
        return "https://doi.org/" + low
    parts = urlsplit(text)
    scheme = parts.scheme if parts.scheme not in ("", "http") else "https"
    host = parts.netloc.rpartition("@")[2].rstrip(".")
    name, colon, port = host.rpartition(":")
    # "All digits" means 0 to 9 here.
    digits = port.isascii() and port.isdigit()
    if colon and digits and int(port) == 443 and scheme == "https":
        host = name
    path = parts.path.rstrip("/")
    return urlunsplit((scheme, host, path, "", "")).lower()


def memory_with_paper(link: str) -> Memory:
    """Return a memory in which the app stored one Paper under this link."""
    mem = smemkit.open(":memory:")
    props = {"session_id": "s", "link": link, "retrieval_count": 1}
    mem.store.write(lambda graph: Batch((Node("n1", ("Paper",), props),)))
    return mem


def found(mem: Memory, *texts: str) -> list[str]:
    """Let a search find these links; return the links of all Papers there are."""
    products = [{"product_type": "paper", "link": text} for text in texts]
    mem.observe_tool_call(
        "subtask:mcp:1", session_id="s", tool_name="search", products=products
    )
    return [str(node.props["link"]) for node in mem.store.find("Paper")]


@pytest.mark.parametrize(("text", "app", "ours"), TABLE)
def test_a_link_of_the_contract_has_the_app_s_key_and_the_better_one(
    text: str, app: str, ours: str
) -> None:
    """The table of contract/writes.md §5; the third column after design §5.9."""
    assert links.app_link_key(text) == app
    assert links.link_key(text) == ours


@pytest.mark.parametrize(("text", "app", "ours"), TABLE)
def test_a_link_is_looked_up_under_both_keys(text: str, app: str, ours: str) -> None:
    """Whoever stored the page, its link finds it."""
    assert {text, ours, app} <= set(links.candidates(text))


def test_every_way_to_write_a_doi_is_one_key() -> None:
    """Host, scheme, prefix, case, blanks, slash and fragment make no other paper."""
    heads = [
        *["", "doi:", "DOI: ", "doi:/", "doi://", "doi:doi:", "doi.org/", "//doi.org/"],
        *["http://doi.org/", "https://DOI.org/", "https://dx.doi.org/"],
        *["http://www.doi.org:80/", "https://me@doi.org./", "https://doi.org//"],
        *["dx.doi.org/", "doi:https://doi.org/"],
    ]
    names = ["10.1038/abc", "10.1038/ABC", "10.1038/Abc/", "10.1038/abc#sec-2"]
    spaces = ["{}", " {}\n", "\u3000{}"]

    forms = [s.format(head + name) for head, name, s in product(heads, names, spaces)]
    forms.append("https://doi.org/10.1038%2Fabc")

    assert {text: links.link_key(text) for text in forms} == dict.fromkeys(forms, DOI)


def test_the_publisher_s_page_of_a_doi_is_not_the_doi() -> None:
    """Only doi.org's own hosts are folded, and only where a DOI follows."""
    for text in (
        "https://www.nature.com/articles/10.1038/ABC",
        "https://doi.org/About",
        "https://doi.org/10.1038",
        "https://notdoi.org/10.1038/ABC",
    ):
        assert links.link_key(text) == text


def test_two_pages_that_differ_only_in_the_query_are_two() -> None:
    """As keys and as Papers of a memory; the app makes one of them."""
    mem = smemkit.open(":memory:")
    first, second = "https://a.org/view?id=1", "https://a.org/view?id=2"

    assert found(mem, first, second) == [first, second]
    assert links.has_query(first)
    assert not links.has_query("https://a.org/view?#top")
    assert links.app_link_key(first) == links.app_link_key(second)


def test_two_pages_that_differ_only_in_the_case_of_the_path_are_two_keys() -> None:
    """Hosts and schemes have no case, paths do."""
    assert links.link_key("HTTPS://A.ORG/x") != links.link_key("https://a.org/X")
    assert links.link_key("HTTPS://A.ORG/X") == links.link_key("https://a.org/X")


@pytest.mark.parametrize(("text", "app", "ours"), TABLE)
def test_a_link_without_query_reuses_the_paper_the_app_stored(
    text: str, app: str, ours: str
) -> None:
    """No second Paper; a link with a query is one, unless it is stored as it is."""
    mem = memory_with_paper(app)

    assert found(mem, text) == ([app, ours] if "?" in ours else [app])


def test_a_paper_the_app_stored_with_a_query_is_reused() -> None:
    """It equals our key (a bare DOI keeps its query in the app)."""
    assert found(memory_with_paper(f"{DOI}?x=1"), "10.1038/ABC?x=1#y") == [f"{DOI}?x=1"]


@pytest.mark.parametrize(
    "stored", ["https://a.org/x", "https:///a.org/x", "https:a.org/x"]
)
@pytest.mark.parametrize("asked", ["a.org/X", "https://a.org/x/", "http://A.org/X#s"])
def test_a_link_the_app_stored_is_found_whatever_python_it_ran_on(
    stored: str, asked: str
) -> None:
    """Reads and writes agree: nothing new is made, and the id resolves."""
    mem = memory_with_paper(stored)

    assert mem.node(asked).id == stored
    assert found(mem, asked) == [stored]


def test_our_own_key_wins_over_what_the_app_stored() -> None:
    """Both may be there, from a time before smemkit wrote."""
    mem = memory_with_paper("https://a.org/x")
    props = {"session_id": "s", "link": "https://a.org/X"}
    mem.store.write(lambda graph: Batch((Node("n2", ("Paper",), props),)))

    assert mem.node("http://a.org/X").id == "https://a.org/X"
    assert len(found(mem, "http://a.org/X")) == 2
    counts = [n.props.get("retrieval_count") for n in mem.store.find("Paper")]
    assert counts == [1, 1]


def test_the_places_to_look_come_likeliest_first() -> None:
    """As given, our key, both schemeless forms, the app's key (design §5.2, §5.9)."""
    assert links.candidates("HTTP://A.org/X?q=1#top") == (
        "HTTP://A.org/X?q=1#top",
        "https://a.org/X?q=1",
        "https:///a.org/x",
        "https:a.org/x",
        "https://a.org/x",
    )
    assert links.candidates(" 10.1/X ") == (
        " 10.1/X ",
        "10.1/X",
        "https://doi.org/10.1/x",
        "https:///doi.org/10.1/x",
        "https:doi.org/10.1/x",
        "https://dx.doi.org/10.1/x",
    )


def test_a_text_that_is_no_link_is_its_own_key() -> None:
    """Trimmed, with its case and its blanks."""
    for text in ("Some Title", "fig", "", "a b/c d", "https://", "https:// /", "#top"):
        assert links.link_key(f"  {text} ") == text
    assert links.candidates("") == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("localhost:8888/Tree", "https://localhost:8888/Tree"),
        ("a.org:8080", "https://a.org:8080"),
        ("http://[2001:DB8::1]:80/X", "https://[2001:db8::1]/X"),
        ("https://[::1]:8443/", "https://[::1]:8443"),
    ],
)
def test_a_host_with_a_port_is_not_a_scheme(text: str, key: str) -> None:
    """Servers of one's own machine and literal addresses are links as well."""
    assert links.link_key(text) == key


@given(LINKS)
@example("doi:doi.org/10.1/x/#y?")
@example("https://x .")
@example("https://a.org.:443")
@example("10.1/%2F")
def test_a_key_is_its_own_key(text: str) -> None:
    """Normalising twice changes nothing, which the app's key does not hold."""
    key = links.link_key(text)

    assert links.link_key(key) == key
    assert key == key.strip()
    assert bool(key) == bool(text.strip())


@given(LINKS, st.sampled_from(["", " ", "\u3000", "\n"]))
def test_blanks_around_a_link_do_not_count(text: str, blank: str) -> None:
    """In either key."""
    assert links.link_key(blank + text + blank) == links.link_key(text)
    assert links.app_link_keys(blank + text + blank) == links.app_link_keys(text)


@given(LINKS)
@example("a.org/x")
@example("10.1/x?y#z/")
@example("mailto:X//")
@example("https:////x/")
@example("ftp:x")
def test_the_app_s_key_is_what_the_contract_says(text: str) -> None:
    """Against the steps of §5 done with the standard library of this Python.

    Texts on which the app raises are left out; ours must only not raise.
    """
    keys = links.app_link_keys(text)
    try:
        expected = contract_key(text)
    except ValueError:
        assume(False)

    assert expected in keys
    assert len(keys) == 1 or "//" not in text[:2]


@given(LINKS)
def test_whatever_the_app_stored_for_a_text_is_found_by_that_text(text: str) -> None:
    """Both forms of a link without scheme, and our own key."""
    places = links.candidates(text)

    assert {*links.app_link_keys(text), links.link_key(text)} - {""} <= set(places)
    assert len(set(places)) == len(places)


@given(st.lists(LINKS, min_size=1, max_size=6))
def test_one_key_is_one_paper_whatever_the_order(texts: list[str]) -> None:
    """Links told in any form leave at most one Paper per key; a query adds its own."""
    mem = smemkit.open(":memory:")
    stored = found(mem, *texts)
    keys = {links.link_key(text) for text in texts} - {""}

    assert len(stored) == len(set(stored))
    assert set(stored) <= keys
    assert {key for key in keys if "?" in key} <= set(stored)
    assert found(mem, *reversed(texts)) == stored
