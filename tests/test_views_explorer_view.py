# SPDX-License-Identifier: Apache-2.0
"""The explorer in a real browser: what its buttons, keys and pickers do, without a kernel."""

from __future__ import annotations

import pytest

import smemkit
from smemkit.errors import BadRequest, NodeNotFound, UnknownKind
from tests.explored import AT, BRIGHT, PLACES, click, close_to, data, view_of, watched

pytestmark = pytest.mark.browser


@pytest.fixture
def app_store(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem


@pytest.fixture
def opened(browser_page, tmp_path):
    with watched(browser_page, tmp_path) as open_view:
        yield open_view


def test_a_click_shows_every_field_and_the_relations_as_links(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    click(shown, view.key("report#v1"))
    detail = shown.inner_text("#detail")
    assert data(shown, "selected") == view.key("report#v1")
    for name, value in view.node(view.key("report#v1")).props.items():
        assert name in detail
        assert str(value).splitlines()[0] in detail or isinstance(value, list)
    assert "Comes from (7)" in detail
    shown.click("#detail .relation >> nth=0")
    assert shown.inner_text("#detail .name") == "Code e5"


def test_chain_buttons_stand_in_the_order_of_the_contract_and_empty_ones_are_grey(
    opened, app_store
):
    view = view_of(app_store)
    shown = opened(view)
    click(shown, view.key("report#v1"))
    buttons = shown.locator("#detail .chain")
    assert buttons.all_inner_texts() == [
        "Contained claims",
        "Citing claims",
        "Producing code",
        "Citing evidence",
        "Cited papers",
        "Related task",
    ]
    grey = [k for k in range(6) if buttons.nth(k).is_disabled()]
    kinds = ("viewContainedClaims", "viewCitingClaimForArtifact", "viewProducingCode")
    kinds += ("viewCitingEvidenceForArtifact", "viewCitedPaper", "viewRelatedTask")
    exists = app_store.chain_exists("report#v1", kinds, session_id="S-7")
    assert grey == [k for k, kind in enumerate(kinds) if not exists[kind]]


def test_a_chain_is_lit_and_the_rest_is_dim(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    click(shown, view.key("report#v1"))
    shown.click("#detail .chain[data-kind=viewCitedPaper]")
    right = app_store.chain("report#v1", "viewCitedPaper", session_id="S-7")
    bright = {view.node(key).id for key in shown.evaluate(BRIGHT)}
    assert bright == {node.id for node in right}
    assert "Cited papers" in shown.inner_text("#banner")
    shown.click("#unlight")
    assert len(shown.evaluate(BRIGHT)) > len(bright)


def test_a_trace_draws_the_walk_hop_by_hop(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    click(shown, view.key("report#v1"))
    shown.click("#detail .trace")
    trace = app_store.trace_provenance("report#v1", session_id="S-7")
    keys = shown.eval_on_selector_all(
        "#list button", "all => all.map((b) => b.dataset.key)"
    )
    assert [view.node(key).id for key in keys] == [node.id for node in trace.nodes]
    assert "complete: The chain reaches the research goal." in shown.inner_text(
        "#banner"
    )
    bright = {view.node(key).id for key in shown.evaluate(BRIGHT)}
    assert {node.id for node in trace.nodes} <= bright


def test_a_broken_trace_is_marked_where_it_breaks(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    click(shown, view.key("orphan#v1"))
    shown.keyboard.press("t")
    assert "no upstream of Artifact #orphan#v1" in shown.inner_text("#list .bad")
    stop = shown.evaluate("() => smemkit.nodes.get('stop').label")
    assert stop == "✕ chain breaks here"
    joined = shown.evaluate(
        "() => smemkit.edges.get().filter((e) => e.from === 'stop').map((e) => e.to)"
    )
    assert joined == [view.key("orphan#v1")]


def test_a_double_click_opens_a_subagent_and_another_folds_it(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    before = int(data(shown, "shown"))
    hidden = next(b.stands_for for b in view.scene().boxes if b.key == "k6") - 1
    click(shown, "k6", twice=True)
    assert int(data(shown, "shown")) == before + hidden + 1
    click(shown, "k6", twice=True)
    assert int(data(shown, "shown")) == before


def test_expand_all_shows_every_node_and_collapse_all_the_opening_view(
    opened, app_store
):
    view = view_of(app_store)
    shown = opened(view)
    before = shown.evaluate(PLACES)
    shown.click("#expand")
    assert shown.inner_text("#counted") == "showing 40 of 40 nodes"
    shown.click("#collapse")
    assert close_to(shown.evaluate(PLACES), {k: tuple(v) for k, v in before.items()})


def test_filters_count_dim_and_zoom(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    papers = shown.locator("#labels button[data-name=Paper]")
    assert papers.inner_text().split() == ["Paper", "4"]
    papers.click()
    assert papers.get_attribute("aria-pressed") == "true"
    bright = {view.node(key).label for key in shown.evaluate(BRIGHT) if key[0] == "k"}
    assert bright == {"Paper"}
    shown.click("#types button[data-name=feeds]")
    bright = {view.node(key).label for key in shown.evaluate(BRIGHT) if key[0] == "k"}
    assert bright == {"Paper", "SourceFile", "ResearchGoal"}
    shown.click("#unfilter")
    assert papers.get_attribute("aria-pressed") == "false"


def test_a_search_lists_its_hits_opens_what_hides_them_and_zooms(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    assert view.key("cl-2") not in shown.evaluate(PLACES)
    shown.keyboard.press("/")
    shown.keyboard.type("slope POSITIVE")
    assert shown.inner_text("#found") == "1 found"
    assert shown.locator("#list button").count() == 1
    assert shown.evaluate(BRIGHT) == [view.key("cl-2")]
    x, y = shown.evaluate(AT, view.key("cl-2"))
    box = shown.locator("#canvas").bounding_box()
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
    shown.keyboard.press("Enter")
    shown.keyboard.press("Enter")
    assert data(shown, "selected") == view.key("cl-2")
    shown.fill("#search", "no such words")
    assert shown.inner_text("#found") == "nothing found"


def test_the_time_slider_takes_away_what_came_later(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    shown.focus("#time")
    shown.keyboard.press("Home")
    first = {view.node(key).id for key in shown.evaluate(PLACES) if key[0] == "k"}
    assert "goal:session:S-7" not in first or "report#v1" not in first
    assert "report#v1" not in first
    assert shown.get_attribute("#time", "aria-valuetext").startswith("until 2026-")
    shown.keyboard.press("End")
    assert shown.get_attribute("#time", "aria-valuetext") == "whole session"
    assert view.key("report#v1") in shown.evaluate(PLACES)


def test_a_focus_opens_on_its_node_with_its_first_chain_lit(opened, app_store):
    view = view_of(app_store, focus="cl-2")
    shown = opened(view)
    assert data(shown, "selected") == view.key("cl-2")
    assert data(shown, "lit") == "viewCitingEvidenceForClaim"
    right = app_store.chain("cl-2", "viewCitingEvidenceForClaim", session_id="S-7")
    bright = {view.node(key).id for key in shown.evaluate(BRIGHT)}
    assert bright == {node.id for node in right}


def test_the_keyboard_alone_goes_from_the_list_to_a_chain(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    while shown.evaluate("() => document.activeElement?.closest('#list') === null"):
        shown.keyboard.press("Tab")
    for _ in range(3):
        shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Enter")
    key = data(shown, "selected")
    assert key == shown.get_attribute('#list [aria-current="true"]', "data-key")
    shown.evaluate("(k) => smemkit.select(k)", "k6")
    shown.keyboard.press("o")
    assert shown.evaluate("() => smemkit.state.opened.has('k6')")
    shown.keyboard.press("t")
    assert data(shown, "lit") == "trace"
    shown.keyboard.press("Escape")
    assert data(shown, "lit") == ""


def test_a_wrong_focus_or_kind_is_refused(app_store):
    with pytest.raises(NodeNotFound):
        view_of(app_store, focus="nobody")
    with pytest.raises(UnknownKind, match="viewContainedClaims"):
        view_of(app_store, focus="report#v1", kind="viewInput")
    with pytest.raises(UnknownKind):
        view_of(app_store, focus="report#v1", kind="odd")
    with pytest.raises(BadRequest, match="focus"):
        view_of(app_store, kind="trace")
