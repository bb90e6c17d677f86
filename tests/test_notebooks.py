# SPDX-License-Identifier: Apache-2.0
"""The notebooks: they run offline, say what they should, and draw in a browser."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import nbformat
import psutil
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LONGEST_FUNCTION = 10

# What the kernel imports first: nothing but this machine can be reached from it.
OFFLINE = """
import socket

def _guard(reach):
    def checked(self, address):
        if isinstance(address, tuple) and not str(address[0]).startswith("127."):
            raise OSError(f"the notebook reached for the network: {address!r}")
        return reach(self, address)
    return checked

socket.socket.connect = _guard(socket.socket.connect)
socket.socket.connect_ex = _guard(socket.socket.connect_ex)
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of the kernels: no network, and a home of their own."""
    guard = tmp_path_factory.mktemp("guard")
    (guard / "sitecustomize.py").write_text(OFFLINE)
    home = tmp_path_factory.mktemp("home")
    paths = [str(guard), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "IPYTHONDIR": str(home),
        "MPLCONFIGDIR": str(home),
    }


@pytest.fixture(scope="module")
def executed(env: dict[str, str]) -> dict[str, nbformat.NotebookNode]:
    """Return every notebook with its outputs, run without a network."""
    found = {}
    for path in NOTEBOOKS:
        found[path.name] = nbformat.read(path, as_version=4)
        run(found[path.name], env, allow_errors=True)
    return found


def run(
    notebook: nbformat.NotebookNode, env: dict[str, str], *, allow_errors: bool
) -> None:
    """Execute a notebook in the notebooks' folder; outputs go into it."""
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        allow_errors=allow_errors,
        resources={"metadata": {"path": str(ROOT / "notebooks")}},
    )
    client.execute(env=env)


def still_running(env: dict[str, str]) -> list[list[str]]:
    """Return the commands of processes that kernels with this environment left."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):  # another user's, or just gone
            if process.environ().get("IPYTHONDIR") == env["IPYTHONDIR"]:
                found.append(process.cmdline())
    return found


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the cells that are run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def cleaner() -> ModuleType:
    """Load the tool that brings notebooks into their committed form."""
    path = ROOT / "tools" / "clean_notebooks.py"
    spec = importlib.util.spec_from_file_location("clean_notebooks", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_a_first_notebook():
    """The notebook that `make lab` opens exists."""
    assert NOTEBOOKS[0].name == "01_open_and_audit.ipynb"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_no_cell_of_a_notebook_fails(path, executed):
    """Run top to bottom, offline, no cell ends in an error or a warning."""
    outputs = [out for cell in code_cells(executed[path.name]) for out in cell.outputs]

    assert outputs
    assert [out for out in outputs if out.output_type == "error"] == []
    assert [out.text for out in outputs if out.get("name") == "stderr"] == []


def test_no_notebook_leaves_a_process_behind(env, executed):
    """What a notebook started has ended with it."""
    assert still_running(env) == []


def test_a_server_ends_also_when_a_cell_fails(env):
    """Its notebook is cut short in the middle: the kernel's end is the server's."""
    path = ROOT / "notebooks" / "04_running_app.ipynb"
    notebook = nbformat.read(path, as_version=4)
    last = code_cells(notebook)[-1]
    assert "stop.close()" in last.source
    last.source = "print(sidecar.poll())\nraise RuntimeError('here')"

    with pytest.raises(CellExecutionError) as failed:
        run(notebook, env, allow_errors=False)

    assert failed.value.evalue == "here"
    assert last.outputs[0].text == "None\n"
    assert still_running(env) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_of_a_notebook_shows_something(path, executed):
    """A cell without output would leave its reader wondering."""
    silent = [
        cell.source for cell in code_cells(executed[path.name]) if not cell.outputs
    ]

    assert silent == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_committed_clean(path):
    """No outputs, counters or editor state are in the repository."""
    tool = cleaner()
    text = path.read_text(encoding="utf-8")

    assert text == tool.text_of(tool.cleaned(nbformat.reads(text, as_version=4)))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_says_first_what_it_asks_and_how_long_it_takes(path):
    """The first cell is text with a question and a running time."""
    first = nbformat.read(path, as_version=4).cells[0]

    assert first.cell_type == "markdown"
    assert "?" in first.source
    assert re.search(r"\d+ (seconds|minutes)", first.source)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_short(path):
    """At most ten code cells, and no function in them of more than ten lines."""
    cells = code_cells(nbformat.read(path, as_version=4))
    functions = [
        node
        for cell in cells
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.FunctionDef)
    ]

    assert len(cells) <= 10
    assert [
        node.name
        for node in functions
        if node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ] == []


@pytest.fixture(params=["01_open_and_audit.ipynb", "03_explore.ipynb"])
def opened(
    request: pytest.FixtureRequest,
    chromium: Browser,
    executed: dict[str, nbformat.NotebookNode],
    tmp_path: Path,
) -> Iterator[tuple[Page, list[str]]]:
    """Yield a notebook with pictures as an HTML page without network, and its requests."""
    exporter = HTMLExporter(mathjax_url="", require_js_url="")
    text, _ = exporter.from_notebook_node(executed[request.param])
    file = tmp_path / "notebook.html"
    file.write_text(text, encoding="utf-8")
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, offline=True
    )
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(file.as_uri())
    yield page, asked
    context.close()


@pytest.mark.browser
def test_the_exported_notebook_draws_its_pictures_and_asks_for_nothing(opened):
    """Each drawing of the HTML export is ready, and no request leaves the page."""
    page, asked = opened
    frames = page.locator("iframe")

    assert frames.count() > 0
    for number in range(frames.count()):
        frames.nth(number).scroll_into_view_if_needed()
        drawing = frames.nth(number).content_frame
        drawing.locator("html[data-ready='1']").wait_for(state="attached")
        assert drawing.locator("canvas, article").count() == 1
    assert [
        url for url in asked if not url.startswith(("file:", "data:", "about:"))
    ] == []
