# SPDX-License-Identifier: Apache-2.0
"""Fixtures and rules that every test shares."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.neo4j_server import Address

ROOT = Path(__file__).resolve().parent.parent
ON_CI = os.environ.get("CI", "").lower() == "true"

# A server of the user's own; read before the settings of the user are scrubbed.
NEO4J = {k: v for k, v in os.environ.items() if k.startswith("SMEMKIT_NEO4J_")}

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Deadlines are off throughout: a busy machine is not a fault of the code.
_SLOW_OK = (HealthCheck.too_slow,)
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=60,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=_SLOW_OK,
)
settings.register_profile(
    "dev", max_examples=60, deadline=None, suppress_health_check=_SLOW_OK
)
settings.register_profile(
    "full", max_examples=600, deadline=None, suppress_health_check=_SLOW_OK
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if ON_CI else "dev")
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI=true a skipped test has failed: what was not run proves nothing."""
    report = yield
    if ON_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI=true forbids: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[
    None, pytest.CollectReport, pytest.CollectReport
]:
    """Where CI=true a file that skips itself has failed too."""
    report = yield
    if ON_CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI=true forbids: {_reason(report.longrepr)}"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests together, and all that need Neo4j, if several workers run.

    Otherwise each worker would start a browser for every file, and a server.
    """
    shared = {
        item.path
        for item in items
        if "neo4j_server" in getattr(item, "fixturenames", ())
    }
    for item in items:
        group = "neo4j" if item.path in shared else item.path.as_posix()
        item.add_marker(pytest.mark.xdist_group(group))


def _reason(longrepr: object) -> str:
    # pytest hands a skip on as (file, line, "Skipped: …").
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)


@pytest.fixture(autouse=True)
def scrubbed_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    for name in list(os.environ):
        if name.startswith(("SMEMKIT_", "SCIENCE_AGENT_", "JPY_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of stores with known answers; copy a store to write to it."""
    return ROOT / "tests" / "data" / "cases"


class NetworkTouched(AssertionError):
    """A test that asked for `no_network` made something reach for the network."""


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail as soon as anything connects or looks a host name up; loopback counts."""

    def refuse_to_connect(self: socket.socket, address: object) -> None:
        # A socket pair or a named pipe of this machine is no network.
        if self.family != getattr(socket, "AF_UNIX", None):
            raise NetworkTouched(f"connected to {address!r}")

    def refuse_to_look_up(host: object, *args: object, **options: object) -> None:
        raise NetworkTouched(f"looked up {host!r}")

    monkeypatch.setattr(socket.socket, "connect", refuse_to_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse_to_connect)
    monkeypatch.setattr(socket, "getaddrinfo", refuse_to_look_up)
    monkeypatch.setattr(socket, "gethostbyname", refuse_to_look_up)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium on this machine, or skip."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium found: none of " + ", ".join(BROWSERS) + " is on PATH")


# One browser per test file: Playwright's loop blocks asyncio.run as long as it lives.
@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Browser]:
    """Yield a headless Chromium (Playwright's synchronous interface)."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path, args=list(BROWSER_FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium: Browser) -> Iterator[Page]:
    """Yield an empty page of 1280 × 800 in a profile of its own."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """Yield the address of a real Neo4j server for all tests, or skip."""
    from tests.neo4j_server import NoServer, serving

    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(
                serving(tmp_path_factory.mktemp("neo4j") / "home", NEO4J)
            )
        except NoServer as missing:
            pytest.skip(str(missing))
        yield address


@pytest.fixture
def neo4j_empty(neo4j_server: Address) -> Address:
    """Return the address of the server with nothing in it."""
    neo4j_server.wipe()
    return neo4j_server
