# SPDX-License-Identifier: Apache-2.0
"""A picture reaches its file, or one error of ours names what is in the way."""

from __future__ import annotations

import pytest

import smemkit
from smemkit.errors import BadRequest, WriteFailed
from smemkit.views.saving import save


@pytest.fixture
def drawn():
    """Every way to save: the pages of an answer, a session and a report; a figure."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    mem.observe_execution("e1", session_id="s", tool="run_python")
    mem.declare_artifact("r.md", session_id="s", artifact_id="r")
    from smemkit_widgets import ReportView

    from smemkit.views.show import show

    trace = mem.trace_provenance("e1")
    return {
        "show": mem.show(trace).save_html,
        "view": show(trace).save_html,
        "explore": mem.explore("s").save_html,
        "report": ReportView(mem, "r").save_html,
        "figure": mem.figure(session_id="s").save,
    }


KINDS = ["show", "view", "explore", "report", "figure"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_folder_is_named(drawn, tmp_path, kind):
    """Nothing is made on the way."""
    with pytest.raises(BadRequest, match=r"no folder .*nowhere"):
        drawn[kind](tmp_path / "nowhere" / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "path", [None, 5, [], b"a.svg", "", "a\0.svg", "x" * 9_000 + "/a.svg"]
)
def test_what_is_no_path_is_refused(drawn, kind, path):
    """One error, and a short one."""
    with pytest.raises(BadRequest) as caught:
        drawn[kind](path)
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_is_no_file(drawn, tmp_path, kind):
    """Also one whose name ends as a figure's."""
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(BadRequest, match="a folder"):
        drawn[kind](tmp_path / "a.svg")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_written_and_named(drawn, tmp_path, kind):
    """Text or Path; over an older one too."""
    (tmp_path / "a.svg").write_text("older")
    assert drawn[kind](str(tmp_path / "a.svg")) == tmp_path / "a.svg"
    assert (tmp_path / "a.svg").read_bytes().lstrip().startswith(b"<")


def test_what_the_system_refuses_says_why(tmp_path):
    """A name that is too long; nothing is left behind."""
    with pytest.raises(WriteFailed, match="too long"):
        save(tmp_path / ("x" * 300), b"data")
    assert list(tmp_path.iterdir()) == []
