# SPDX-License-Identifier: Apache-2.0
"""Drives a real JupyterLab in headless Chromium: open a notebook, run cells, read outputs."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import nbformat

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "a-token-of-the-tests"

READY = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = app.shell.currentWidget;
  if (!panel?.context) return false;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  return true;
}"""

RUN = """async (n) => {
  const app = window.jupyterapp;
  const panel = app.shell.currentWidget;
  panel.content.activeCellIndex = n;
  panel.content.deselectAll();
  await app.commands.execute('notebook:run-cell');
}"""

OUTPUTS = """(n) => {
  const cell = window.jupyterapp.shell.currentWidget.content.widgets[n];
  return cell.model.outputs.toJSON();
}"""


class Lab:
    """One notebook open in JupyterLab."""

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page = page
        page.goto(f"{address}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context")
        page.wait_for_function(READY)

    def run(self, number: int) -> str:
        """Run a cell and return what it printed; an error is an error here."""
        self.page.evaluate(RUN, number)
        outputs = self.page.evaluate(OUTPUTS, number)
        errors = [out for out in outputs if out["output_type"] == "error"]
        if errors:
            raise RuntimeError("\n".join(errors[0]["traceback"]))
        texts = [out["text"] for out in outputs if out["output_type"] == "stream"]
        return "".join("".join(text) for text in texts).strip()

    def tells(self, number: int, expected: str) -> str:
        """Run a cell until what it prints matches, or for a while; return that.

        A click reaches Python over the page, the widget and the kernel's channel; on
        a busy machine a cell that is run at once may come before it.
        """
        for _ in range(60):
            said = self.run(number)
            if re.fullmatch(expected, said):
                break
            self.page.wait_for_timeout(250)
        return said

    def view(self, number: int = 0) -> Frame:
        """Return the frame of a view once it has been drawn."""
        frames = self.page.locator("iframe[data-x]")
        frames.nth(number).wait_for()
        frames.nth(number).scroll_into_view_if_needed()
        frame = frames.nth(number).element_handle().content_frame()
        frame.wait_for_function(
            "() => document.documentElement.dataset.ready === '1' && window.smemkit"
        )
        return frame


def tool() -> ModuleType:
    """Return tools/lab.py, which starts JupyterLab for people."""
    spec = importlib.util.spec_from_file_location("lab", ROOT / "tools" / "lab.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def notebook(folder: Path, *cells: str, name: str = "test.ipynb") -> Path:
    """Write a notebook of code cells."""
    code = [nbformat.v4.new_code_cell(cell, id=f"c{n}") for n, cell in enumerate(cells)]
    path = folder / name
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    nbformat.write(made, path)
    return path


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Yield the address of a JupyterLab that serves a folder, with settings of its own."""
    lab = tool()
    settings = folder / "settings"
    settings.mkdir()
    env = lab.own_environment(settings)
    news = Path(env["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    (news / "notification.jupyterlab-settings").write_text(
        '{"fetchNews": "false", "checkForUpdates": false}'
    )
    port = lab.free_port()
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += ["--no-browser", "--ServerApp.ip=127.0.0.1", "--allow-root"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += ["--LabApp.expose_app_in_browser=True"]
    with (folder / "lab.log").open("w") as log:
        server = subprocess.Popen(
            command,
            cwd=folder,
            env={
                **env,
                "JUPYTER_TOKEN": TOKEN,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        lab.wait_until_up(server, f"http://127.0.0.1:{port}", TOKEN)
        yield f"http://127.0.0.1:{port}"
    finally:
        lab.stop(server)
