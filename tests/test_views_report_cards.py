# SPDX-License-Identifier: Apache-2.0
"""The cards of a report: evidence and source, the declared file, the chain."""

from __future__ import annotations

import pytest

from tests.report_pages import PIXEL, card, chip, story, watched


@pytest.fixture
def told(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    return story(folder)


@pytest.fixture
def opened(browser_page, tmp_path):
    with watched(browser_page, tmp_path) as open_page:
        yield open_page


def test_an_evidence_chip_opens_its_text_and_its_source(opened, told):
    shown = opened(told.page())
    chip(shown, "evidence1").click()
    said = card(shown)
    for text in ("Bills grow with mass.", "p. 3", "On bills", "A. Gorman", "2014"):
        assert text in said
    assert "https://doi.org/10.1/bills" in said
    assert shown.locator("#card a").count() == 0
    assert "View this evidence in ScienceMemory" in said


def test_an_excerpt_of_the_source_is_quoted(opened, told):
    with told.mem.reading() as graph:
        node = next(graph.nodes("Evidence"))
        node.props["source_excerpt"] = "We found that bills grow."
    shown = opened(told.page())
    chip(shown, "evidence1").click()
    assert shown.inner_text("#card blockquote") == "We found that bills grow."


def test_the_pinned_version_is_what_a_chip_opens(opened, told):
    shown = opened(told.page())
    chip(shown, "artifact1").click()
    assert "fig#v1" in shown.inner_text("#card .name")
    assert "There is a newer version: fig#v2." in card(shown)
    size = shown.evaluate(
        "() => { const i = document.querySelector('#card img');"
        " return [i.naturalWidth, i.naturalHeight]; }"
    )
    assert size == [1, 1]


def test_a_file_that_is_not_the_declared_one_is_not_shown(opened, told):
    told.chips[1]["version"] = 2
    shown = opened(told.page())
    chip(shown, "artifact1").click()
    assert "its hash differs" in card(shown)
    assert shown.locator("#card img").count() == 0


def test_a_table_shows_its_first_rows(opened, told):
    shown = opened(told.page())
    chip(shown, "artifact2").click()
    cells = shown.locator("#card tr").all_inner_texts()
    assert [row.split() for row in cells] == [
        ["species", "mass"], ["Adelie", "3700"], ["Gentoo", "5076"]
    ]  # fmt: skip
    assert "no upstream of Artifact #table#v1" in card(shown)


def test_an_uploaded_file_and_a_record_have_cards_too(opened, told):
    shown = opened(told.page())
    chip(shown, "sourcefile1").click()
    assert shown.inner_text("#card pre") == "raw <b>notes</b>\n"
    assert "View this file in ScienceMemory" in card(shown)
    chip(shown, "dbrecord1").click()
    for text in ("A penguin", "gbif", "https://gbif.org/G1", "View this record"):
        assert text in card(shown)


def test_the_link_of_a_card_opens_the_chain_and_back_returns(opened, told):
    shown = opened(told.page())
    chip(shown, "artifact2").click()
    shown.click("#card .go")
    steps = shown.locator("#card .steps li").all_inner_texts()
    assert "table.csv v1" in steps[0]
    assert "chain breaks here" in steps[-1]
    shown.locator("#card .steps button").first.click()
    assert "content_hash" in card(shown)
    shown.click("#card .bar button >> text=Back")
    assert "Gentoo" in card(shown)


def test_the_steps_of_a_chain_are_those_of_its_trace(opened, told):
    shown = opened(told.page())
    chip(shown, "artifact1").click()
    shown.click("#card .go")
    trace = told.mem.trace_provenance("fig#v1")
    assert shown.locator("#card .steps li").count() == len(trace.nodes)


def test_an_alias_of_two_things_shows_the_one_of_its_sentence_first(opened, told):
    with told.mem.reading() as graph:
        claims = {n.props["content"]: n.public_id for n in graph.nodes("Claim")}
    told.chips[:] = [
        {"label": "it", "kind": "artifact", "id": "table", "claim_id": claims["There are rows."]},
        {"label": "it", "kind": "sourcefile", "id": "raw", "claim_id": claims["It was uploaded."]},
    ]  # fmt: skip
    told.text = "Rows [it]."
    shown = opened(told.page())
    chip(shown, "it").click()
    assert "[it] stands for 2 things in this report." in card(shown)
    names = shown.locator("#card .name").all_inner_texts()
    assert [name.split()[-1] for name in names] == ["table#v1", "raw"]


def test_a_file_that_is_too_large_is_named_as_left_out(opened, told):
    large = told.folder / "large.png"
    large.write_bytes(PIXEL + bytes(2_000_000))
    told.mem.declare_artifact("large.png", artifact_id="table", file=large)
    page = told.page()
    assert "Files left out for their size: large.png" in page.html()
    assert len(page.html()) < 200_000
    shown = opened(page)
    chip(shown, "artifact2").click()
    assert "Left out of this page for its size." in card(shown)
