# SPDX-License-Identifier: Apache-2.0
"""The page of a session in a real browser, without a kernel and without a network."""

from __future__ import annotations

import subprocess
import sys

import pytest

import smemkit
from smemkit.errors import BadRequest, NodeNotFound, UnknownKind
from smemkit.views.explorer import SessionView
from tests.benchmarks import stores
from tests.hostile import HOSTILE, hostile_memory

READY = "() => document.documentElement.dataset.ready === '1'"
AT = """(key) => {
  const at = smemkit.network.canvasToDOM(smemkit.network.getPositions([key])[key]);
  const box = document.getElementById('canvas').getBoundingClientRect();
  return [at.x + box.left, at.y + box.top];
}"""
PLACES = """() => Object.fromEntries(smemkit.nodes.get().filter((n) => n.id !== 'stop')
  .map((n) => [n.id, [n.x, n.y]]))"""
OPEN = """(keys) => {
  smemkit.state.opened.clear();
  for (const key of keys) smemkit.state.opened.add(key);
  smemkit.draw();
}"""
BRIGHT = "() => smemkit.nodes.get().filter((n) => n.opacity === 1).map((n) => n.id)"

pytestmark = pytest.mark.browser


def view_of(mem, session_id="S-7", **options) -> SessionView:
    with mem.reading(session_id) as graph:
        return SessionView(graph, session_id, **{"lang": "en", **options})


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
        file = view.save_html(tmp_path / "session.html")
        browser_page.context.set_offline(True)
        browser_page.goto(file.as_uri())
        browser_page.wait_for_function(READY)
        return browser_page

    yield open_view
    assert [url for url in asked if not url.startswith("file:")] == []
    assert faults == []


def data(shown, name: str) -> str:
    return shown.evaluate(f"() => document.documentElement.dataset.{name} || ''")


def click(shown, key: str, *, twice: bool = False) -> None:
    shown.evaluate("(k) => smemkit.network.focus(k, {animation: false})", key)
    press = shown.mouse.dblclick if twice else shown.mouse.click
    press(*shown.evaluate(AT, key))


def close_to(places, right) -> bool:
    return places.keys() == right.keys() and all(
        abs(places[key][k] - right[key][k]) < 0.01 for key in right for k in (0, 1)
    )


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


def test_only_the_window_around_a_page_can_move_it(browser_page, app_store, tmp_path):
    view = view_of(app_store)
    view.save_html(tmp_path / "page.html")
    (tmp_path / "outer.html").write_text(
        "<iframe id=a src=page.html sandbox=allow-scripts width=900 height=700></iframe>"
        '<iframe id=b srcdoc=\'<script>addEventListener("message", (e) => parent[0].postMessage(e.data, "*"))</script>\'></iframe>'
        "<script>heard = []; addEventListener('message', (e) => heard.push(e.data))</script>"
    )
    browser_page.goto((tmp_path / "outer.html").as_uri())
    inner = browser_page.frames[1]
    inner.wait_for_function(READY)
    browser_page.wait_for_function("() => heard.some((m) => m.kind === 'ready')")
    send = "([n, m]) => document.querySelectorAll('iframe')[n].contentWindow.postMessage(m, '*')"
    key = view.key("table#v1")
    for wrong in (
        {"kind": "select", "key": key},
        {"smemkit": 1, "kind": "odd", "key": key},
        None,
        7,
    ):
        browser_page.evaluate(send, [0, wrong])
    browser_page.evaluate(send, [1, {"smemkit": 1, "kind": "select", "key": "k1"}])
    browser_page.evaluate(send, [0, {"smemkit": 1, "kind": "select", "key": key}])
    inner.wait_for_function("() => document.documentElement.dataset.selected")
    assert data(inner, "selected") == key
    inner.evaluate("() => smemkit.select('k3')")
    browser_page.wait_for_function("() => heard.some((m) => m.kind === 'selected')")
    told = browser_page.evaluate(
        "() => heard.filter((m) => m.kind === 'selected').map((m) => m.key)"
    )
    assert told == ["k3"]


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


def test_a_wrong_focus_or_kind_is_refused(app_store):
    with pytest.raises(NodeNotFound):
        view_of(app_store, focus="nobody")
    with pytest.raises(UnknownKind, match="viewContainedClaims"):
        view_of(app_store, focus="report#v1", kind="viewInput")
    with pytest.raises(UnknownKind):
        view_of(app_store, focus="report#v1", kind="odd")
    with pytest.raises(BadRequest, match="focus"):
        view_of(app_store, kind="trace")
