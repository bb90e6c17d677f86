# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: no request, nothing runs, mouse and keyboard both work."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import smemkit
from smemkit.views.html import page
from smemkit.views.scene import Box, Scene
from smemkit.views.strings import strings
from smemkit.views.template import POLICY
from tests.hostile import HOSTILE, hostile_memory

READY = "() => document.documentElement.dataset.ready === '1'"
AT = """(key) => {
  const at = smemkit.network.canvasToDOM(smemkit.network.getPositions([key])[key]);
  const box = document.getElementById('canvas').getBoundingClientRect();
  return [at.x + box.left, at.y + box.top];
}"""


@pytest.fixture
def app_store(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem


@pytest.fixture
def opened(browser_page, tmp_path):
    """Open a view's page; anything it asks the network for, or that fails, is kept."""
    asked: list[str] = []
    faults: list[str] = []
    browser_page.on("request", lambda request: asked.append(request.url))
    browser_page.on("pageerror", lambda error: faults.append(str(error)))
    browser_page.on(
        "console", lambda m: faults.append(m.text) if m.type == "error" else None
    )

    def open_view(view):
        file = view.save_html(tmp_path / "view.html")
        browser_page.goto(file.as_uri())
        browser_page.wait_for_function(READY)
        return browser_page

    yield open_view
    assert [url for url in asked if not url.startswith("file:")] == []
    assert faults == []


def selected(shown) -> str:
    return shown.evaluate("() => document.documentElement.dataset.selected || ''")


def key_of(view, node_id: str) -> str:
    return next(box.key for box in view.scene.boxes if box.id == node_id)


def test_a_click_on_a_node_shows_what_it_is(opened, app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"), lang="en")
    shown = opened(view)
    key = key_of(view, "cl-2")
    shown.mouse.click(*shown.evaluate(AT, key))
    assert selected(shown) == key
    detail = shown.inner_text("#detail")
    assert "Claim cl-2" in detail
    assert "Within species the slope stays positive." in detail
    assert "claim_id" in detail
    assert shown.get_attribute('#list [aria-current="true"]', "data-key") == key


def test_a_click_beside_a_small_node_means_the_nearest(opened, app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"))
    shown = opened(view)
    shown.evaluate("() => smemkit.network.moveTo({scale: 0.15})")
    key = key_of(view, "report#v1")
    x, y = shown.evaluate(AT, key)
    shown.mouse.click(x + 9, y + 9)
    assert selected(shown) == key


def test_the_keyboard_alone_reaches_every_node_and_relation(opened, app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"), lang="en")
    shown = opened(view)
    shown.focus("#list button")
    for _ in range(3):
        shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Enter")
    fourth = shown.get_attribute("#list li:nth-child(4) button", "data-key")
    assert selected(shown) == fourth
    shown.focus("#detail .relation")
    shown.keyboard.press("Enter")
    assert selected(shown) not in ("", fourth)


def test_no_tab_stop_is_without_a_name(opened, app_store):
    shown = opened(app_store.show(app_store.trace_provenance("report#v1")))
    unnamed = shown.evaluate("""() => [...document.querySelectorAll('*')]
      .filter((e) => e.tabIndex >= 0 && !(e.innerText || e.title || e.ariaLabel || '').trim())
      .map((e) => e.outerHTML.slice(0, 80))""")
    assert unnamed == []
    assert shown.get_attribute("#canvas", "role") == "img"
    assert shown.get_attribute("#canvas", "aria-label")


def test_the_list_holds_every_node_of_the_trace(opened, app_store):
    trace = app_store.trace_provenance("report#v1")
    view = app_store.show(trace)
    shown = opened(view)
    keys = shown.eval_on_selector_all(
        "#list button", "all => all.map((b) => b.dataset.key)"
    )
    ids = {box.key: box.id for box in view.scene.boxes}
    assert sorted(ids[key] for key in keys) == sorted(v.id for v in trace.nodes)


def test_a_chosen_node_lights_its_way_to_the_start(opened, app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"))
    shown = opened(view)
    shown.evaluate("(key) => smemkit.select(key)", key_of(view, "ev-1"))
    way = shown.evaluate(
        "() => smemkit.network.getSelectedEdges().map((id) => "
        "smemkit.network.body.data.edges.get(id).label)"
    )
    assert sorted(way) == ["stated_in", "supports"]


def test_the_whole_chain_fits_the_stage_at_the_start(opened, app_store):
    view = app_store.show(app_store.trace_provenance("table#v1"))
    shown = opened(view)
    stage = shown.evaluate(
        "() => { const r = document.getElementById('canvas').getBoundingClientRect();"
        "return [r.left, r.top, r.right, r.bottom]; }"
    )
    for box in view.scene.boxes:
        x, y = shown.evaluate(AT, box.key)
        assert stage[0] <= x <= stage[2]
        assert stage[1] <= y <= stage[3]


def test_the_buttons_zoom_and_fit(opened, app_store):
    shown = opened(app_store.show(app_store.trace_provenance("table#v1")))
    scale = "() => smemkit.network.getScale()"
    before = shown.evaluate(scale)
    shown.click("#in")
    assert shown.evaluate(scale) > before
    shown.click("#out")
    shown.click("#out")
    assert shown.evaluate(scale) < before
    shown.click("#fit")
    assert shown.evaluate(scale) == pytest.approx(before, rel=0.01)


def test_a_broken_chain_says_so_in_words_and_in_the_picture(opened, app_store):
    shown = opened(app_store.show(app_store.trace_provenance("orphan#v1"), lang="en"))
    assert "no upstream of Artifact #orphan#v1" in shown.inner_text("#verdict")
    stop = shown.evaluate("() => smemkit.network.body.data.nodes.get('stop').label")
    assert stop == "✕ chain breaks here"


def test_a_chinese_page_is_marked_as_chinese(opened, app_store):
    shown = opened(app_store.show(app_store.trace_provenance("table#v1"), lang="zh"))
    assert shown.get_attribute("html", "lang") == "zh"
    assert shown.inner_text("#fit") == "适应窗口"


def test_hostile_text_is_shown_and_nothing_of_it_runs(opened):
    mem = hostile_memory()
    view = mem.show(mem.trace_provenance("report#v1"), lang="en")
    shown = opened(view)
    listed = shown.inner_text("#list")
    for text in (HOSTILE[0], HOSTILE[2], HOSTILE[3], HOSTILE[5]):
        assert text in listed
    for box in view.scene.boxes:
        shown.evaluate("(key) => smemkit.select(key)", box.key)
        shown.mouse.move(*shown.evaluate(AT, box.key))
    assert shown.evaluate("() => window.hacked") is None
    assert shown.query_selector("img") is None
    assert "\u202e" not in shown.inner_text("body")


def test_the_page_forbids_what_it_does_not_hold():
    made = page(
        Scene("t", "", "", (Box("b", "Claim", "c"),), (), None, 1), strings("en")
    )
    assert POLICY.replace("'", "&#39;") in made
    assert not re.search(
        r"<(link|img|iframe|script[^>]+src)", made.split("<body>")[1][:9_000]
    )


def test_a_megabyte_in_one_field_is_cut_and_counted(opened):
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="x" * 1_000_000)
    goal = mem.trace_provenance("goal:session:s", target_label="Paper")
    view = mem.show(goal, lang="en")
    shown = opened(view)
    assert "980,000 more characters" in shown.inner_text("#detail")
    assert len(view.html()) < 700_000


def test_the_same_page_has_the_same_bytes_with_every_hash_seed(cases):
    code = (
        "import hashlib,smemkit;m=smemkit.open(r'%s');"
        "print(hashlib.sha256(m.show(m.trace_provenance('report#v1'),lang='en')"
        ".html().encode()).hexdigest())" % (cases / "app-store")
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(digests) == 1


def test_500_nodes_make_a_page_under_a_megabyte(opened):
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Many")
    for n in range(499):
        mem.observe_tool_call(f"subtask:c{n}", tool_name="search", session_id="s")
    last = mem.trace_provenance("subtask:c498", target_label="Paper")
    view = mem.show(last)
    assert view.scene.shown == 500
    assert len(view.html().encode()) <= 1_000_000
    opened(view)
