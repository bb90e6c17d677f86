# SPDX-License-Identifier: Apache-2.0
"""How soon a session's page can be read in headless Chromium, and how large it is."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import smemkit
from tests.benchmarks import stores
from tests.benchmarks.measure import Row, median
from tests.conftest import BROWSER_FLAGS, BROWSERS

READY = "() => document.documentElement.dataset.ready === '1'"
RUNS = 5


def exploring(folder: Path) -> list[Row]:
    """Open the explorer's page of 500 and of 5,000 nodes."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        return []
    rows: list[Row] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(BROWSER_FLAGS)
        )
        for calls, papers, seconds in ((156, 10, 2.0), (1_650, 16, 4.0)):
            rows += _page(browser, folder / f"explore-{calls}", calls, papers, seconds)
        browser.close()
    return rows


def _page(
    browser: Browser, folder: Path, calls: int, papers: int, seconds: float
) -> list[Row]:
    lines = stores.Lines()
    stores.add_session(lines, "s", calls, papers=papers)
    mem = smemkit.open(lines.write(folder))
    start = time.perf_counter()
    explorer = mem.explore("s", lang="en")
    file = explorer.save_html(folder / "page.html")
    built = time.perf_counter() - start
    count = f"{len(explorer.session.spots):,}"
    mem.close()
    size = file.stat().st_size
    took = median([_opened(browser, file) for _ in range(RUNS)])
    rows = [
        Row(
            f"explorer of {count} nodes readable",
            f"{took:.2f} s, built in {built:.2f} s",
            "",
            None,
            f"≤ {seconds:.0f} s",
            took <= seconds,
        )
    ]
    if calls < 200:
        told = f"{size / 1e6:.2f} MB"
        fits = size <= 1_000_000
        rows.append(
            Row(f"explorer page of {count} nodes", told, "", None, "≤ 1 MB", fits)
        )
    return rows


def _opened(browser: Browser, file: Path) -> float:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(file.as_uri())
    page.wait_for_function(READY)
    took = time.perf_counter() - start
    context.close()
    return took
