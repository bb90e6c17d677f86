# SPDX-License-Identifier: Apache-2.0
"""Panel: one choice leads to the next, each is an attribute, and a table remains."""

from __future__ import annotations

import pytest
from smemkit_widgets import Panel

import smemkit
from smemkit.errors import BadRequest, SessionNotFound


@pytest.fixture
def demo(root):
    with smemkit.open(root / "notebooks" / "data" / "memory", must_exist=True) as mem:
        yield mem


@pytest.fixture
def panel(demo, root) -> Panel:
    return Panel(demo, files=root / "notebooks" / "data" / "workspace", lang="en")


def test_it_opens_on_the_newest_report_with_its_audit(panel, demo, root):
    assert (panel.session_id, panel.report) == ("penguins", "report-1#v1")
    right = demo.audit("report-1#v1", files=root / "notebooks" / "data" / "workspace")
    assert [row.n for row in panel.rows] == [row.n for row in right]
    assert panel.explorer.session.session_id == "penguins"


def test_a_verdict_keeps_its_sentences_and_selects_what_the_first_rests_on(panel):
    panel.verdict = "broken"
    assert [row.verdict for row in panel.rows] == ["broken"]
    assert panel.row.supports == ("fig-islands#v1",)
    assert panel.support == panel.explorer.selected == "fig-islands#v1"
    assert panel.frame["id"].item() == "fig-islands#v1"
    panel.verdict = None
    assert len(panel.rows) == len(panel.audit)


def test_a_sentence_offers_what_it_rests_on(panel):
    panel.verdict = "complete"
    for row in panel.rows:
        panel.sentence = row.n
        assert panel.support == row.supports[0]
        for support in row.supports:
            panel.support = support
            assert panel.explorer.selected == support


def test_the_pickers_show_what_the_attributes_say(panel):
    panel.verdict = "broken"
    assert panel.widget.children
    of = panel._pickers.of
    assert of["verdict"].value == "broken"
    assert of["sentence"].value == panel.sentence
    assert of["support"].value == "fig-islands#v1"
    of["verdict"].value = "superseded"  # what a person does
    assert panel.verdict == "superseded"
    assert {row.verdict for row in panel.rows} == {"superseded"}


def test_the_buttons_are_those_of_the_node_and_empty_ones_are_grey(panel):
    panel.verdict = "broken"
    assert panel.widget.children
    buttons = panel._pickers._buttons.children
    assert [(b.description, b.disabled) for b in buttons] == [
        ("Contained claims", True),
        ("Citing claims", False),
        ("Producing code", True),
        ("Citing evidence", True),
        ("Cited papers", True),
        ("Related task", True),
        ("Trace to the goal", False),
    ]


def test_what_is_not_offered_is_refused_with_what_is(panel):
    with pytest.raises(BadRequest, match="report-1#v1"):
        panel.report = "other"
    with pytest.raises(BadRequest, match="'broken'"):
        panel.verdict = "odd"
    assert panel.report == "report-1#v1"


def test_where_nobody_can_use_them_no_widgets_are_made(panel):
    panel.verdict = "broken"
    panel._repr_mimebundle_()
    assert panel._pickers.of == {}


def test_without_a_kernel_its_table_and_no_widget_is_stored(panel):
    panel.verdict = "broken"
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "chinstraps on Dream only" in bundle["text/html"]
    assert "callipers" not in bundle["text/html"]


def test_under_a_live_server_the_pickers_come_with_the_table(panel, demo, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", "test.ipynb")
    assert "application/vnd.jupyter.widget-view+json" in panel._repr_mimebundle_()


def test_a_session_without_report_shows_its_graph():
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    panel = Panel(mem, lang="zh")
    assert (panel.report, panel.audit, panel.rows) == (None, None, ())
    assert "ResearchGoal" in panel._repr_mimebundle_()["text/plain"]


def test_an_empty_memory_has_nothing_to_choose():
    with pytest.raises(SessionNotFound):
        Panel(smemkit.open(":memory:"))


def test_another_session_brings_another_explorer(cases):
    with smemkit.open(cases / "app-store") as mem:
        panel = Panel(mem, "S-7", lang="en")
        first = panel.explorer
        panel.session_id = "S-8"
        assert panel.explorer is not first
        assert panel.explorer.session.session_id == "S-8"
        with pytest.raises(BadRequest, match="S-7"):
            panel.session_id = "S-9"
