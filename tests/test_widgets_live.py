# SPDX-License-Identifier: Apache-2.0
"""The widgets in a live JupyterLab: one selection with Python, one theme with the page."""

from __future__ import annotations

import shutil

import pytest

from tests.lab_driver import Lab, notebook, serving

CLICK = """(key) => {
  smemkit.network.focus(key, {scale: 0.8, animation: false});
  const at = smemkit.network.canvasToDOM(smemkit.network.getPositions([key])[key]);
  return [at.x, at.y];
}"""
DETACH = """() => {
  const frame = document.querySelector('iframe[data-x]');
  const [parent, next] = [frame.parentNode, frame.nextSibling];
  frame.remove();
  parent.insertBefore(frame, next);
}"""

GROUND = {"Light": "rgb(255, 255, 255)", "Dark": "rgb(20, 24, 29)"}
THEME = """async (name) => {
  await window.jupyterapp.commands.execute('apputils:change-theme', {theme: name});
}"""
SAVE = "async () => { await window.jupyterapp.commands.execute('docmanager:save'); }"
WEARS = "(ground) => getComputedStyle(document.body).backgroundColor === ground"
RIMS = """() => smemkit.network?.body.data.nodes.get().map((n) => n.color.border)"""

CELLS = (
    "import smemkit; mem = smemkit.open('store', must_exist=True); "
    "explorer = mem.explore('S-7', lang='en'); explorer",
    "print(explorer.selected, len(explorer.frame), explorer.frame['label'].item())",
    "explorer.selected = 'cl-2'",
    "print(explorer.selected, explorer.key('cl-2'))",
    "explorer.light('trace')",
    "chain = mem.show(mem.trace_provenance('report#v1', session_id='S-7'), lang='en'); chain",
    "print(chain.selected, explorer.selected)",
    "from smemkit_widgets import Panel; panel = Panel(mem, 'S-7', lang='en'); panel",
    "panel.verdict = 'broken'; print(panel.sentence, panel.support)",
)

IN_THEMES = (
    "import smemkit; mem = smemkit.open('store', must_exist=True); "
    "mem.explore('S-7', lang='en')",
    "mem.show(mem.trace_provenance('report#v1', session_id='S-7'), lang='en')",
    "from smemkit_widgets import ReportView; "
    "ReportView(mem, 'report', text='It fits [claim1].', references=[], lang='en')",
    # A view with no widget behind it.
    "from smemkit.views.show import show; "
    "show(mem.trace_provenance('orphan#v1'), lang='en')",
)


@pytest.fixture(scope="module")
def lab_address(cases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(cases / "app-store", folder / "store")
    notebook(folder, *CELLS)
    notebook(folder, *IN_THEMES, name="themes.ipynb")
    with serving(folder) as address:
        yield address


def click(lab: Lab, number: int, key: str) -> None:
    """Click a node of a view with the mouse."""
    view = lab.view(number)
    x, y = view.evaluate(CLICK, key)
    canvas = view.locator("#canvas").bounding_box()
    lab.page.mouse.click(canvas["x"] + x, canvas["y"] + y)
    view.wait_for_function(
        "(key) => document.documentElement.dataset.selected === key", arg=key
    )


@pytest.mark.browser
def test_a_live_notebook_and_its_views_share_one_selection(browser_page, lab_address):
    """One notebook, from the first click to the panel; JupyterLab starts once."""
    lab = Lab(browser_page, lab_address, "test.ipynb")
    lab.run(0)
    view = lab.view()
    key = view.evaluate(
        "() => 'k' + smemkit.data.nodes.findIndex((n) => n.id === 'report#v1')"
    )
    click(lab, 0, key)
    assert lab.tells(1, "report#v1 .*") == "report#v1 1 Artifact"

    lab.run(2)
    told, key = lab.run(3).split()
    assert told == "cl-2"
    view.wait_for_function(
        "(key) => document.documentElement.dataset.selected === key", arg=key
    )
    # A frame that is detached and attached again loads anew; it is told what it was.
    lab.page.evaluate(DETACH)
    view = lab.view()
    view.wait_for_function(
        "(key) => document.documentElement.dataset.selected === key", arg=key
    )
    lab.run(4)
    view.wait_for_function("() => document.documentElement.dataset.lit === 'trace'")

    lab.run(5)
    click(lab, 1, "b1")
    told = lab.tells(6, "(?!None )(?!cl-2 ).* cl-2.*").split()
    assert told[1] == "cl-2"
    assert told[0] not in ("None", "cl-2")

    lab.run(7)
    lab.page.locator(".widget-select select").wait_for()
    assert lab.tells(8, r"\S+ (?!None).*").split()[1] != "None"
    third = lab.view(2)
    third.wait_for_function("() => document.documentElement.dataset.selected")


@pytest.mark.browser
def test_every_view_follows_the_theme_of_jupyterlab(chromium, lab_address):
    """Live, without loading anew; and from the start where the theme is dark already."""
    # Playwright's own emulation would win over what a page says of its frames.
    context = chromium.new_context(color_scheme="null")
    lab = Lab(context.new_page(), lab_address, "themes.ipynb")
    for number in range(len(IN_THEMES)):
        lab.run(number)
    views = [lab.view(number) for number in range(len(IN_THEMES))]
    for view in views:
        view.evaluate("() => { window.stayed = true; }")
    before = [view.evaluate(RIMS) for view in views]
    for name in ("Dark", "Light", "Dark"):
        lab.page.evaluate(THEME, f"JupyterLab {name}")
        for number in range(len(IN_THEMES)):
            # A frame out of sight draws nothing until it is scrolled to.
            lab.view(number).wait_for_function(WEARS, arg=GROUND[name])
        # No frame loaded anew, and what is drawn on a canvas changed too.
        assert all(view.evaluate("() => window.stayed") for view in views)
        after = [view.evaluate(RIMS) for view in views]
        same = [one == other for one, other in zip(before, after, strict=True)]
        light = name == "Light"
        assert same == [light, light, True, light]  # a report has no canvas

    lab.page.evaluate(SAVE)
    lab = Lab(context.new_page(), lab_address, "themes.ipynb")
    for number in range(len(IN_THEMES)):
        lab.view(number).wait_for_function(WEARS, arg=GROUND["Dark"])
    lab.page.evaluate(THEME, "JupyterLab Light")
    context.close()
