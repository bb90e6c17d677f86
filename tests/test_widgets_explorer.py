# SPDX-License-Identifier: Apache-2.0
"""Explorer without a live server: one selection in Python, and what a notebook stores."""

from __future__ import annotations

import pytest
from smemkit_widgets import ChainView, Explorer

import smemkit
from smemkit.errors import AmbiguousSession, MissingExtra, NodeNotFound, SessionNotFound


@pytest.fixture
def app_store(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem


@pytest.fixture
def live(monkeypatch):
    """Make the widgets believe that a Jupyter server runs."""
    monkeypatch.setenv("JPY_SESSION_NAME", "test.ipynb")


def test_explore_gives_an_explorer(app_store):
    explorer = app_store.explore("S-7", lang="en")
    assert isinstance(explorer, Explorer)
    assert repr(explorer) == "<Explorer session S-7: 40 nodes>"


def test_a_session_must_be_named_where_there_are_several(app_store):
    with pytest.raises(AmbiguousSession, match="S-8"):
        app_store.explore()
    assert app_store.explore(focus="cl-2", lang="en").session.session_id == "S-7"
    with pytest.raises(SessionNotFound, match="S-7"):
        app_store.explore("nowhere")


def test_without_the_widgets_the_missing_extra_is_named(app_store, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "smemkit_widgets", None)
    with pytest.raises(MissingExtra, match="lab"):
        app_store.explore("S-7")
    shown = app_store.show(app_store.trace_provenance("report#v1"), lang="en")
    assert not isinstance(shown, ChainView)
    assert "Artifact report#v1" in str(shown)


def test_what_is_selected_has_its_row_in_the_frame(app_store):
    explorer = app_store.explore("S-7", lang="en")
    assert len(explorer.frame) == 0
    assert explorer.selected is None
    explorer.selected = "cl-2"
    row = explorer.frame.iloc[0]
    assert (row["label"], row["id"]) == ("Claim", "cl-2")
    assert row["text"] == app_store.node("cl-2").text
    explorer.selected = None
    assert len(explorer.frame) == 0


def test_only_a_node_of_the_session_can_be_selected(app_store):
    explorer = app_store.explore("S-7", lang="en")
    explorer.selected = "cl-2"
    with pytest.raises(NodeNotFound, match="goal:session:S-8"):
        explorer.selected = "goal:session:S-8"
    assert explorer.selected == "cl-2"


def test_who_watches_is_told_of_each_change(app_store):
    explorer = app_store.explore("S-7", lang="en")
    told = []
    explorer.observe(lambda change: told.append(change["new"]), "selected")
    explorer.selected = "cl-2"
    explorer.selected = "cl-2"
    explorer.selected = None
    assert told == ["cl-2", None]


def test_a_focus_is_selected_from_the_start(app_store):
    explorer = app_store.explore("S-7", focus="report", lang="en")
    assert explorer.selected == "report#v1"


def test_a_click_in_a_frame_selects_in_python(app_store, live):
    explorer = app_store.explore("S-7", lang="en")
    explorer._link.key = explorer.key("cl-2")  # what the browser's half does
    assert explorer.selected == "cl-2"
    assert explorer.frame["id"].item() == "cl-2"
    explorer._link.key = "k99999"
    assert explorer.selected is None
    explorer._link.key = "nonsense"
    assert explorer.selected is None


def test_a_node_without_an_id_can_be_looked_at_too(live):
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    explorer = mem.explore("s", lang="en")
    explorer.selected = "goal:session:s"
    assert explorer._link.key == "k0"


def test_the_link_exists_under_a_live_server_only(app_store, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert app_store.explore("S-7", lang="en")._link is None
    monkeypatch.setenv("JPY_SESSION_NAME", "test.ipynb")
    assert app_store.explore("S-7", lang="en")._link is not None


def test_a_notebook_stores_the_page_a_picture_and_an_outline(app_store, live):
    bundle = app_store.explore("S-7", lang="en")._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert 'sandbox="allow-scripts"' in bundle["text/html"]
    assert "data:image/svg+xml;base64," in bundle["text/html"]
    assert "ToolCall" in bundle["text/plain"]


def test_every_display_of_one_live_explorer_is_one_view(app_store, live):
    explorer = app_store.explore("S-7", lang="en")
    assert explorer._repr_mimebundle_() == explorer._repr_mimebundle_()


def test_the_widgets_load_ipywidgets_only_for_what_is_used(cases):
    import subprocess
    import sys

    code = f"import smemkit, sys; m = smemkit.open({str(cases / 'app-store')!r});"
    code += "m.explore('S-7', lang='en'); print('ipywidgets' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
