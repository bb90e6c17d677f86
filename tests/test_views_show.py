# SPDX-License-Identifier: Apache-2.0
"""What a notebook gets: live frame, picture where nothing may run, outline as text."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import nbformat
import pytest
from nbconvert import HTMLExporter

import smemkit
from smemkit.errors import BadRequest
from smemkit.views.outline import outline
from smemkit.views.picture import picture
from smemkit.views.strings import strings
from tests.conftest import BROWSER_FLAGS
from tests.hostile import HOSTILE, hostile_memory


@pytest.fixture
def view(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem.show(mem.trace_provenance("report#v1"), lang="en")


GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
"""What --ground of page.css is on a light and on a dark system."""

WEARS = "(ground) => getComputedStyle(document.body).backgroundColor === ground"


@pytest.fixture(params=["light", "dark"])
def system(request, chromium, chromium_path):
    """Yield the colours of a system, and an empty page on it.

    Playwright's own emulation would win over what a page says of its frames.
    """
    number = {"dark": 0, "light": 1}[request.param]
    flags = [*BROWSER_FLAGS, f"--blink-settings=preferredColorScheme={number}"]
    browser = chromium.browser_type.launch(executable_path=chromium_path, args=flags)
    yield request.param, browser.new_context(color_scheme="null").new_page()
    browser.close()


def exported(view, folder, **options):
    """Return the file nbconvert makes, with its default flags, of one output."""
    output = nbformat.v4.new_output("display_data", data=view._repr_mimebundle_())
    cell = nbformat.v4.new_code_cell("mem.show(…)", outputs=[output])
    book = nbformat.v4.new_notebook(cells=[cell])
    html, _ = HTMLExporter(**options).from_notebook_node(book)
    file = folder / "book.html"
    file.write_text(html, encoding="utf-8")
    return file


def test_an_exported_notebook_shows_the_live_page_without_network(
    view, browser_page, tmp_path
):
    browser_page.context.set_offline(True)
    browser_page.goto(exported(view, tmp_path).as_uri(), wait_until="domcontentloaded")
    frame = browser_page.frame_locator("iframe[data-x]")
    frame.locator('html[data-ready="1"]').wait_for(state="attached")
    frame.locator("#list button").nth(3).click()
    assert "Claim cl-2" in frame.locator("#detail").inner_text()
    assert browser_page.locator("iframe[data-x] + img").is_hidden()


def test_the_frame_may_run_scripts_and_nothing_else(view):
    shown = view._repr_mimebundle_()["text/html"]
    assert re.findall(r'sandbox="([^"]*)"', shown) == ["allow-scripts"]


def test_a_frame_follows_the_theme_of_its_notebook_and_else_the_system(view, system):
    colours, page = system
    page.set_content(view._repr_mimebundle_()["text/html"])
    frame = page.locator("iframe[data-x]").element_handle().content_frame()
    frame.wait_for_function("() => document.documentElement.dataset.ready === '1'")
    frame.wait_for_function(WEARS, arg=GROUND[colours])
    for light, theme in (("false", "dark"), ("true", "light"), ("false", "dark")):
        page.evaluate("(is) => { document.body.dataset.jpThemeLight = is; }", light)
        frame.wait_for_function(WEARS, arg=GROUND[theme])
    page.evaluate("() => { delete document.body.dataset.jpThemeLight; }")
    frame.wait_for_function(WEARS, arg=GROUND[colours])


def test_a_frame_has_the_colours_of_the_theme_before_it_is_unpacked(view, system):
    _, page = system
    shown = view._repr_mimebundle_()["text/html"]
    packed = re.sub(r"document\.open\(\).*?document\.close\(\)", "", shown)
    for light, ink in (("false", "rgb(255, 255, 255)"), ("true", "rgb(0, 0, 0)")):
        page.set_content(f"<body data-jp-theme-light={light}>{packed}")
        frame = page.locator("iframe[data-x]").element_handle().content_frame()
        frame.wait_for_function(
            "(ink) => getComputedStyle(document.body).color === ink", arg=ink
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_an_exported_notebook_the_frame_has_the_theme_of_the_export(
    view, system, theme, tmp_path
):
    _, page = system
    page.context.set_offline(True)
    file = exported(view, tmp_path, theme=theme)
    page.goto(file.as_uri(), wait_until="domcontentloaded")
    frame = page.locator("iframe[data-x]").element_handle().content_frame()
    frame.wait_for_function(WEARS, arg=GROUND[theme])


def test_a_saved_page_follows_the_system(view, system, tmp_path):
    colours, page = system
    page.goto(view.save_html(tmp_path / "view.html").as_uri())
    page.wait_for_function(WEARS, arg=GROUND[colours])


def test_where_frames_are_taken_out_the_picture_is_seen(view, browser_page):
    shown = view._repr_mimebundle_()["text/html"]
    # What JupyterLab leaves of an untrusted output: no frame, no style sheet.
    left = re.sub(r"<style.*?</style>|<iframe.*?</iframe>", "", shown, flags=re.DOTALL)
    browser_page.set_content(left)
    size = browser_page.locator("img").bounding_box()
    assert size["width"] > 300
    assert size["height"] > 200
    assert "complete" in browser_page.get_attribute("img", "alt")


def test_the_output_is_a_fraction_of_the_page(view):
    assert len(view._repr_mimebundle_()["text/html"]) < len(view.html()) / 2


def test_the_text_of_the_output_is_the_outline(view):
    assert view._repr_mimebundle_()["text/plain"] == str(view) == view.outline()


def test_the_outline_names_every_node_in_order_of_the_walk(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        trace = mem.trace_provenance("table#v1")
        lines = mem.show(trace, lang="en").outline().splitlines()
    assert lines[1].startswith("complete: ")
    listed = [line for line in lines if line.startswith("  hop ")]
    assert len(listed) == len(trace.chain)
    for hop in trace.chain:
        line = next(x for x in listed if f"← {hop.node.label} {hop.node.id}:" in x)
        via = f"{hop.via_edge} (several steps)" if hop.several else hop.via_edge
        assert line.startswith(f"  hop {hop.hop} · {via} · {hop.from_id} ←")


def test_the_picture_is_one_svg_that_loads_and_runs_nothing():
    mem = hostile_memory()
    scene = mem.show(mem.trace_provenance("report#v1")).scene
    tree = ElementTree.fromstring(picture(scene, strings("en")))
    names = {element.tag.rsplit("}", 1)[1] for element in tree.iter()}
    assert names <= {
        "svg", "title", "rect", "g", "path", "polygon", "circle", "text", "line"
    }  # fmt: skip
    attributes = {name for element in tree.iter() for name in element.attrib}
    assert not any(name.startswith("on") or "href" in name for name in attributes)


def test_hostile_text_stays_text_in_picture_frame_and_outline(browser_page):
    mem = hostile_memory()
    view = mem.show(mem.trace_provenance("report#v1"), lang="en")
    shown = view._repr_mimebundle_()["text/html"]
    browser_page.set_content(shown)
    frame = browser_page.frame_locator("iframe[data-x]")
    frame.locator('html[data-ready="1"]').wait_for(state="attached")
    assert browser_page.evaluate("() => window.hacked") is None
    assert HOSTILE[0] in view.outline()
    assert "\u202e" not in view.outline()
    assert "\x00" not in view.outline()


def test_the_picture_of_a_broken_chain_marks_the_break(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        svg = mem.show(mem.trace_provenance("orphan#v1"), lang="en").svg()
    assert "chain breaks here" in svg
    assert "✕" in svg


def test_the_bytes_of_an_output_do_not_depend_on_the_clock(view):
    one, two = (view._repr_mimebundle_()["text/html"] for _ in range(2))
    without = re.compile(r"smemkit-\d+")
    assert without.sub("", one) == without.sub("", two)
    packed = re.search(r"atob\(&quot;([^&]+)&quot;", one)
    assert packed is not None
    assert base64.b64decode(packed[1])[4:8] == b"\0\0\0\0"  # gzip's own clock


def test_two_frames_of_one_notebook_have_names_of_their_own(view):
    names = [
        re.search('data-x="([^"]+)"', view._repr_mimebundle_()["text/html"])
        for _ in range(2)
    ]
    assert names[0] is not None
    assert names[1] is not None
    assert names[0][1] != names[1][1]


def test_save_html_returns_the_file_and_writes_it_whole(view, tmp_path):
    file = view.save_html(tmp_path / "view.html")
    assert file.read_text(encoding="utf-8") == view.html()


def test_a_graph_of_networkx_is_drawn_too(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        trace = smemkit.trace_provenance(mem.to_networkx(), "report#v1")
        assert mem.show(trace).scene.ids == {v.id for v in trace.nodes}


def test_an_unknown_language_is_refused(cases):
    with (
        smemkit.open(cases / "app-store", must_exist=True) as mem,
        pytest.raises(BadRequest),
    ):
        mem.show(mem.trace_provenance("report#v1"), lang="xx")


def test_the_outline_of_a_chain_lists_where_each_node_leads(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        scene = mem.show(mem.chain("report#v1", "viewCitedPaper")).scene
    text = outline(scene, strings("en"))
    assert text.count("→ stated_in report#v1") == 6
