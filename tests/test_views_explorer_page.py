# SPDX-License-Identifier: Apache-2.0
"""A session's page as a document: places, safety, access, size, the same bytes."""

from __future__ import annotations

import subprocess
import sys

import pytest

import smemkit
from tests.benchmarks import stores
from tests.explored import (
    AT,
    OPEN,
    PLACES,
    READY,
    close_to,
    data,
    view_of,
    watched,
)
from tests.hostile import HOSTILE, hostile_memory

pytestmark = pytest.mark.browser


@pytest.fixture
def app_store(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem


@pytest.fixture
def opened(browser_page, tmp_path):
    with watched(browser_page, tmp_path) as open_view:
        yield open_view


def test_the_page_moves_boxes_where_python_says(opened, app_store):
    view = view_of(app_store)
    shown = opened(view)
    assert view.session.folds["k6"].kind == "scope"
    for opening in ([], ["k6"]):
        right = {b.key: (b.x, b.y) for b in view.session.scene(opening).boxes}
        shown.evaluate(OPEN, opening)
        assert close_to(shown.evaluate(PLACES), right)
    shown.evaluate(OPEN, list(view.session.folds))
    handles = {key for key in shown.evaluate(PLACES) if key[0] == "f"}
    assert handles == {key for key in view.session.folds if key[0] == "f"}


def test_a_long_session_goes_on_in_the_next_band_on_the_page_as_in_python(
    opened, tmp_path
):
    lines = stores.Lines()
    stores.add_session(lines, "s", 163, papers=10)
    with smemkit.open(lines.write(tmp_path / "store")) as mem:
        view = view_of(mem, "s")
    shown = opened(view)
    shown.evaluate(OPEN, [])
    right = {box.key: (box.x, box.y) for box in view.scene().boxes}
    assert len({y for _, y in right.values()}) > 10
    assert close_to(shown.evaluate(PLACES), right)
    assert len(view.html().encode()) <= 1_000_000


def test_a_chinese_page_speaks_chinese(opened, app_store):
    view = view_of(app_store, lang="zh", focus="report#v1", kind="trace")
    shown = opened(view)
    assert shown.get_attribute("html", "lang") == "zh"
    assert shown.inner_text("#expand") == "展开全部"
    assert "查看引用的论文" in shown.inner_text("#detail .actions")
    assert "链路到达研究目标" in shown.inner_text("#banner")


def test_hostile_text_is_shown_and_nothing_of_it_runs(opened):
    view = view_of(hostile_memory(), "s")
    shown = opened(view)
    shown.click("#expand")
    listed = shown.inner_text("#list")
    for text in (HOSTILE[0], HOSTILE[2], HOSTILE[3], HOSTILE[5]):
        assert text in listed
    for n in range(len(view.session.spots)):
        shown.evaluate("(k) => smemkit.select(k, {focus: true})", f"k{n}")
        shown.mouse.move(*shown.evaluate(AT, f"k{n}"))
    assert shown.evaluate("() => window.hacked") is None
    assert shown.query_selector("img") is None
    assert "\u202e" not in shown.inner_text("body")


RELAY = (
    "<script>addEventListener('message', (e) => { parent[0].postMessage(e.data, '*');"
    "parent.postMessage({kind: 'relayed'}, '*') })</script>"
)
SEND = "([n, m]) => document.querySelectorAll('iframe')[n].contentWindow.postMessage(m, '*')"


def test_only_the_window_around_a_page_can_move_it(browser_page, app_store, tmp_path):
    view = view_of(app_store)
    view.save_html(tmp_path / "page.html")
    (tmp_path / "outer.html").write_text(
        "<iframe src=page.html sandbox=allow-scripts width=900 height=700></iframe>"
        f'<iframe srcdoc="{RELAY}"></iframe>'
        "<script>heard = []; addEventListener('message', (e) => heard.push(e.data));"
        "told = (kind) => heard.filter((m) => m.kind === kind)</script>"
    )
    browser_page.goto((tmp_path / "outer.html").as_uri())
    inner = browser_page.frames[1]
    inner.wait_for_function(READY)
    browser_page.wait_for_function("() => told('ready').length")
    key = view.key("report#v1")
    # From another frame; then from the right window, but of no kind there is.
    browser_page.evaluate(SEND, [1, {"smemkit": 1, "kind": "select", "key": key}])
    browser_page.wait_for_function("() => told('relayed').length")
    odd = ({"kind": "select", "key": key}, {"smemkit": 1, "kind": "odd", "key": key})
    for wrong in (*odd, None, 7):
        browser_page.evaluate(SEND, [0, wrong])
    assert data(inner, "selected") == ""
    browser_page.evaluate(SEND, [0, {"smemkit": 1, "kind": "select", "key": key}])
    inner.wait_for_function("() => document.documentElement.dataset.selected")
    assert data(inner, "selected") == key
    inner.evaluate("() => smemkit.select('k3')")
    browser_page.wait_for_function("() => told('selected').length")
    assert browser_page.evaluate("() => told('selected').map((m) => m.key)") == ["k3"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, app_store, scheme):
    from axe_playwright_python.sync_playwright import Axe

    view = view_of(app_store, focus="report#v1")
    shown = opened(view)
    shown.emulate_media(color_scheme=scheme)
    found = Axe().run(shown).response["violations"]
    serious = [
        (each["id"], each["nodes"][0]["html"][:120])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_no_tab_stop_is_without_a_name(opened, app_store):
    shown = opened(view_of(app_store))
    unnamed = shown.evaluate("""() => [...document.querySelectorAll('*')]
      .filter((e) => e.tabIndex >= 0 && !(e.innerText || e.title || e.ariaLabel ||
        e.labels?.[0]?.innerText || document.getElementById(e.getAttribute('aria-labelledby'))?.innerText || '').trim())
      .map((e) => e.outerHTML.slice(0, 80))""")
    assert unnamed == []
    assert shown.get_attribute("#canvas", "role") == "img"
    assert shown.get_attribute("#canvas", "aria-label")


def test_at_400_percent_nothing_runs_out_of_the_page(opened, app_store):
    view = view_of(app_store, focus="report#v1")
    shown = opened(view)
    shown.set_viewport_size({"width": 320, "height": 256})
    width = shown.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 320
    assert shown.locator("#list button").first.is_visible()


def test_a_session_of_thousands_says_what_it_shows(opened, tmp_path):
    lines = stores.Lines()
    stores.add_session(lines, "long", 800, papers=10)
    with smemkit.open(lines.write(tmp_path / "store")) as mem:
        view = view_of(mem, "long")
    total = len(view.session.spots)
    shown = opened(view)
    assert int(data(shown, "shown")) <= 300
    assert (
        shown.inner_text("#counted")
        == f"showing {view.scene().shown} of {total:,} nodes"
    )
    deep = view.key("long-e5-out#v1")
    assert deep not in shown.evaluate(PLACES)
    shown.evaluate("(k) => smemkit.select(k, {focus: true})", deep)
    assert deep in shown.evaluate(PLACES)


def test_the_same_page_has_the_same_bytes_with_every_hash_seed(cases):
    code = (
        "import hashlib,smemkit;m=smemkit.open(r'%s');"
        "print(hashlib.sha256(m.explore('S-7',focus='report#v1',lang='en')"
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
        for seed in ("0", "77")
    }
    assert len(digests) == 1
