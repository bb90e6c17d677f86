# SPDX-License-Identifier: Apache-2.0
"""`make lab CHECK=1` says yes only where JupyterLab and the notebook work."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import nbformat
import pytest


@pytest.fixture
def lab(root, tmp_path, monkeypatch) -> ModuleType:
    """Return tools/lab.py with a repository of its own, which has no notebook yet."""
    spec = importlib.util.spec_from_file_location("lab", root / "tools" / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "NOTEBOOK", tmp_path / "first.ipynb")
    # The check must not touch the settings of the environment the tests run in.
    monkeypatch.setattr(module, "start_offline", lambda: None)
    return module


def write_notebook(path: Path, source: str) -> bytes:
    cell = nbformat.v4.new_code_cell(source, id="only")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path.read_bytes()


def test_a_missing_notebook_is_named(lab, capfd):
    """Without the notebook the check fails and names it."""
    assert lab.main(["--check"]) == 1
    assert "lab: FAILED: first.ipynb is missing" in capfd.readouterr().err


def test_a_failing_cell_fails_the_check(lab, capfd):
    """A cell that raises fails the check, shows the error, and changes no file."""
    before = write_notebook(lab.NOTEBOOK, "1 / 0")
    assert lab.main(["--check"]) == 1
    told = capfd.readouterr().err
    assert "first.ipynb did not run to its end" in told
    assert "ZeroDivisionError" in told
    assert lab.NOTEBOOK.read_bytes() == before


def test_a_server_that_ends_at_once_fails_the_check(lab, capfd, monkeypatch):
    """A JupyterLab that does not start is reported with what it wrote."""
    write_notebook(lab.NOTEBOOK, "1")
    monkeypatch.setattr(lab, "execute", lambda *_: None)
    dies = [sys.executable, "-c", "print('no such extension'); raise SystemExit(3)"]
    monkeypatch.setattr(lab, "lab_command", lambda *_: dies)
    assert lab.main(["--check"]) == 1
    told = capfd.readouterr().err
    assert "JupyterLab ended at once, exit code 3" in told
    assert "no such extension" in told


def test_a_good_notebook_passes_and_the_server_is_gone(lab, capfd, monkeypatch):
    """The check answers 0, leaves the notebook as it was and no process behind."""
    before = write_notebook(lab.NOTEBOOK, "import os; os.environ['HOME']")
    started = []

    class Noted(subprocess.Popen):
        def __init__(self, *args, **options) -> None:
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr(lab.subprocess, "Popen", Noted)
    assert lab.main(["--check"]) == 0
    assert "lab: ok" in capfd.readouterr().out
    assert lab.NOTEBOOK.read_bytes() == before
    assert [server.returncode is not None for server in started] == [True] * len(
        started
    )
    assert any("jupyterlab" in server.args for server in started)


def test_the_server_wants_its_token(lab, tmp_path):
    """Without the right token JupyterLab does not answer the address it was given."""
    env = lab.own_environment(tmp_path)
    with lab.running_lab(tmp_path, env) as (address, token):
        assert json.loads(lab.ask(address, "/api/status", token))["started"]
        with pytest.raises(lab.urllib.error.HTTPError, match="403"):
            lab.ask(address, "/api/status", "another")


def test_the_offline_setting_keeps_other_settings(root, tmp_path, monkeypatch):
    """Turning news off adds one key to the environment's overrides."""
    spec = importlib.util.spec_from_file_location("lab", root / "tools" / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.sys, "prefix", str(tmp_path))
    path = tmp_path / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"other": {"a": 1}}')
    module.start_offline()
    module.start_offline()
    found = json.loads(path.read_text())
    assert found.pop("other") == {"a": 1}
    (news,) = found.values()
    assert news == {"fetchNews": "false", "checkForUpdates": False}
