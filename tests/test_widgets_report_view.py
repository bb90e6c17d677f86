# SPDX-License-Identifier: Apache-2.0
"""ReportView: one selection for the chips of a report, Python and an explorer."""

from __future__ import annotations

import shutil

import pytest
from smemkit_widgets import Explorer, ReportView

import smemkit
from smemkit.errors import BadRequest, NodeNotFound
from tests.lab_driver import Lab, notebook, serving
from tests.report_pages import story

CELLS = (
    "import smemkit, smemkit_widgets as w; mem = smemkit.open('memory', must_exist=True);"
    "view = w.ReportView(mem, 'report-1', files='workspace', lang='en'); view",
    "view.explorer = w.Explorer(mem, lang='en'); print(view.selected)",
    "print(view.explorer.selected, view.frame['id'].item())",
    "view.selected = 'fig-mass#v1'",
)


@pytest.fixture
def told(tmp_path):
    return story(tmp_path)


def view_of(told, **options) -> ReportView:
    given = {"text": told.text, "references": told.chips, "files": told.folder}
    return ReportView(told.mem, "report", lang="en", **(given | options))


def test_its_page_is_that_of_the_plain_page(told):
    assert view_of(told).html() == told.page().html()


def test_references_may_be_given_once_only(told):
    chips = (chip for chip in told.chips)
    assert view_of(told, references=chips).html() == told.page().html()


def test_its_selection_has_its_row_in_the_frame(told):
    view = view_of(told)
    assert view.selected is None
    assert view.frame.empty
    view.selected = "table#v1"
    assert view.frame["label"].tolist() == ["Artifact"]
    with pytest.raises(NodeNotFound, match="no chip"):
        view.selected = "nobody"


def test_every_target_of_a_chip_can_be_selected(told):
    view = view_of(told)
    for node_id in ("fig#v1", "table#v1", "raw", "G1"):
        view.selected = node_id
        assert view.frame["id"].item() == node_id


def test_it_refuses_what_the_audit_refuses(told):
    with pytest.raises(NodeNotFound):
        ReportView(told.mem, "nope")
    with pytest.raises(BadRequest):
        view_of(told, references=[{"label": "x"}])
    with pytest.raises(BadRequest):
        view_of(told, text=7)


def test_a_report_without_a_text_and_files_is_shown_by_its_claims(told):
    view = ReportView(told.mem, "report", lang="en")
    assert not view.audit.has_text
    assert "Bills grow." in view.html()
    assert str(view) == str(view.audit)


def test_what_a_cut_memory_admits_stands_in_the_view(told):
    """The view takes the audit of the memory, not one of the bare records."""
    assert view_of(told).audit == told.mem.audit(
        "report", text=told.text, references=told.chips, files=told.folder
    )


@pytest.mark.browser
def test_in_a_live_notebook_a_chip_reaches_python_and_its_link_the_explorer(
    browser_page, root, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("lab")
    for name in ("memory", "workspace"):
        shutil.copytree(root / "notebooks" / "data" / name, folder / name)
    notebook(folder, *CELLS)
    with serving(folder) as address:
        lab = Lab(browser_page, address, "test.ipynb")
        lab.run(0)
        view = lab.view()
        view.locator(".c", has_text="[artifact5]").click()
        told = "table-slopes#v1"
        assert lab.tells(1, told) == told
        view.click("#card .go")
        assert lab.tells(2, f"{told} {told}") == f"{told} {told}"
        lab.run(3)
        view.locator("#card .name", has_text="fig-mass#v1").wait_for()


def test_a_node_the_explorer_does_not_show_leaves_it_where_it_is(told):
    other = smemkit.open(":memory:")
    other.observe_session_first_message("z", core_objective="Else?")
    view = view_of(told)
    view.explorer = Explorer(other, lang="en")
    view._heard({"new": view.key("raw").replace("k", "v")})
    assert view.selected == "raw"
    assert view.explorer.selected is None
