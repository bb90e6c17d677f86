# SPDX-License-Identifier: Apache-2.0
"""Opens a session's page in the browser, and asks it what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smemkit.memory import Memory
from smemkit.views.explorer.view import SessionView

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page

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


def view_of(mem: Memory, session_id: str = "S-7", **options: Any) -> SessionView:
    """Return the view of a session, in English unless asked otherwise."""
    with mem.reading(session_id) as graph:
        return SessionView(graph, session_id, **{"lang": "en", **options})


@contextmanager
def watched(page: Page, folder: Path) -> Iterator[Callable[[SessionView], Page]]:
    """Yield what opens a view offline; a request or a fault is an error at the end."""
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)

    def open_view(view: SessionView) -> Page:
        file = view.save_html(folder / "session.html")
        page.context.set_offline(True)
        page.goto(file.as_uri())
        page.wait_for_function(READY)
        return page

    yield open_view
    assert [url for url in asked if not url.startswith("file:")] == []
    assert faults == []


def data(shown: Page | Frame, name: str) -> str:
    """Return a word the page keeps about itself."""
    return str(shown.evaluate(f"() => document.documentElement.dataset.{name} || ''"))


def click(shown: Page, key: str, *, twice: bool = False) -> None:
    """Click a node with the mouse."""
    shown.evaluate("(k) => smemkit.network.focus(k, {animation: false})", key)
    press = shown.mouse.dblclick if twice else shown.mouse.click
    press(*shown.evaluate(AT, key))


def close_to(places: dict[str, Any], right: dict[str, Any]) -> bool:
    """Return whether the same boxes stand in the same places."""
    return places.keys() == right.keys() and all(
        abs(places[key][k] - right[key][k]) < 0.01 for key in right for k in (0, 1)
    )
