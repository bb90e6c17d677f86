# SPDX-License-Identifier: Apache-2.0
"""The shared fixtures do what they promise."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

SKIPPING = """
import pytest
def test_a_skip(): pytest.skip("no such thing here")
"""


def run_pytest(folder: Path, root: Path, **environment: str) -> tuple[int, str]:
    shutil.copy(root / "tests" / "conftest.py", folder / "conftest.py")
    (folder / "test_it.py").write_text(SKIPPING)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", folder],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def test_a_skip_is_a_failure_on_ci(tmp_path, root):
    """With CI=true a skipped test fails and still says why it skipped."""
    code, text = run_pytest(tmp_path, root, CI="true")
    assert code == 1
    assert "CI=true forbids: Skipped: no such thing here" in text
    assert "1 failed" in text


def test_a_skip_is_a_skip_elsewhere(tmp_path, root):
    """Without CI a skipped test is reported in one line and passes."""
    code, text = run_pytest(tmp_path, root, CI="")
    assert code == 0
    assert "no such thing here" in text
    assert "1 skipped" in text


@pytest.mark.usefixtures("no_network")
def test_no_network_refuses_every_way_out():
    """Connecting and name look-ups fail, to loopback too; pairs of sockets work."""
    with pytest.raises(AssertionError, match="looked up"):
        urllib.request.urlopen("http://localhost:9/")
    with (
        socket.socket() as plain,
        pytest.raises(AssertionError, match="connected to"),
    ):
        plain.connect(("127.0.0.1", 9))
    left, right = socket.socketpair()
    with left, right:
        left.send(b"x")
        assert right.recv(1) == b"x"


def test_settings_of_the_caller_do_not_reach_a_test(tmp_path, root):
    """SMEMKIT_* and SCIENCE_AGENT_* of the environment are gone inside a test."""
    (tmp_path / "test_seen.py").write_text(
        "import os\n"
        "def test_seen():\n"
        "    assert not [n for n in os.environ if n.startswith(('SMEMKIT', 'SCIENCE'))]\n"
    )
    code, text = run_pytest(
        tmp_path, root, CI="", SMEMKIT_X="1", SCIENCE_AGENT_DATA_DIR="/nowhere"
    )
    assert code == 0, text
    assert "1 passed" in text


def test_the_cases_are_complete(cases):
    """Each store with known answers is there, and fifteen damaged ones."""
    answers = sorted(p.name.split(".")[0] for p in cases.glob("*.expected.json"))
    assert answers == ["app-store", "corners", "random-1", "random-2", "random-3"]
    assert all((cases / name / "nodes.jsonl").is_file() for name in answers)
    assert len([p for p in (cases / "damaged").iterdir() if p.is_dir()]) == 15


@pytest.mark.browser
def test_the_browser_page_runs_scripts_and_draws(browser_page):
    """The page is a real browser's: it runs scripts and lays text out."""
    browser_page.set_content("<p id=a>x</p><script>a.dataset.seen = 1 + 1</script>")
    box = browser_page.locator("#a[data-seen='2']").bounding_box()
    assert box["width"] > 0
