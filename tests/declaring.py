# SPDX-License-Identifier: Apache-2.0
"""A memory of two sessions to declare in, and what the app reads from its files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import smemkit
from smemkit.errors import DeclareError, SmemError
from smemkit.memory import Memory
from tests import app_loader

DOI = "https://doi.org/10.1000/demo.1"
PAGE = "https://example.org/guide"
SNIPPET = "https://example.org/snippet"

# The key of a label whose id is one property (contract/http.md §1.7).
_IDS = {
    "ResearchGoal": "goal_id",
    "Task": "task_id",
    "ToolCall": "task_id",
    "Code": "code_id",
    "Paper": "link",
    "Evidence": "evidence_id",
    "Claim": "claim_id",
    "SourceFile": "file_id",
    "WebPage": "url",
    "DbRecord": "identifier",
}


def file_id(session: str, name: str) -> str:
    """Return the id of an uploaded file."""
    return f"source_file:session:{session}:{name}"


def tell(mem: Memory, session: str) -> None:
    """Give a session a goal, uploads, a search with all kinds of product, and a run."""
    mem.observe_session_first_message(session, core_objective="Do bills grow?")
    for name, kind in [
        ("a.pdf", "application/pdf"),
        ("a.csv", "text/csv"),
        ("a", None),
    ]:
        mem.observe_upload_file(
            file_id(session, name),
            session_id=session,
            path=name,
            media_type=kind,
        )
    mem.observe_tool_call(
        f"subtask:mcp:{session}",
        session_id=session,
        tool_name="search",
        result_count=6,
        products=[
            {"product_type": "paper", "link": DOI, "title": "Bills"},
            {"product_type": "web_page", "url": PAGE, "content_hash": "9f"},
            {"product_type": "web_page", "url": SNIPPET},
            {"product_type": "db_record", "source": "GO", "identifier": "0008150"},
            {"product_type": "db_record", "source": "PDB", "identifier": "1ABC"},
            {"product_type": "db_record", "source": "EBI", "identifier": "1ABC"},
        ],
    )
    mem.observe_execution(f"run-{session}", session_id=session, tool="run_python")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which `s1` and `s2` have been told; not to be written to."""
    folder = tmp_path_factory.mktemp("told") / "memory"
    with smemkit.open(folder) as mem:
        tell(mem, "s1")
        tell(mem, "s2")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the place of this test's memory."""
    return tmp_path / "memory"


@pytest.fixture
def mem(told: Path, folder: Path) -> Iterator[Memory]:
    """Yield a memory with two sessions that has this test to itself."""
    shutil.copytree(told, folder)
    with smemkit.open(folder) as opened:
        yield opened


def evidence(mem: Memory, session: str = "s1") -> str:
    """Declare evidence from the session's paper and return its id."""
    found = mem.declare_evidence(
        "Bills grow.", session_id=session, source_paper_link=DOI
    )
    return found.evidence_id


def figure(mem: Memory, session: str = "s1", name: str = "fig") -> str:
    """Declare the next version of a figure and return its public id."""
    return mem.declare_artifact("fig.png", session_id=session, artifact_id=name).id


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with its bytes."""
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file()
    }


def nodes(folder: Path, label: str | None = None) -> dict[str, dict[str, Any]]:
    """Return the properties of the nodes as the app loads them, by `_id`."""
    return {
        _id(labels, props): props
        for labels, props in app_loader.load(folder)[0].values()
        if label in (None, labels[0])
    }


def edges(folder: Path, edge_type: str) -> list[tuple[str, str]]:
    """Return the ends (`_id`) of the edges of one type as the app loads them, sorted."""
    known, found = app_loader.load(folder)
    return sorted(
        (_id(*known[src]), _id(*known[dst]))
        for kind, src, dst, _ in found.values()
        if kind == edge_type
    )


def _id(labels: Any, props: dict[str, Any]) -> str:
    if labels[0] == "Artifact":
        return f"{props['artifact_id']}#v{props['version']}"
    key = str(props[_IDS[labels[0]]])
    # The key of these has the session in it: two sessions may hold one each.
    shared = labels[0] in {"Paper", "WebPage", "DbRecord"}
    return f"{props['session_id']} {key}" if shared else key


def refused(
    folder: Path,
    error: type[SmemError],
    verb: Callable[..., object],
    /,
    *args: Any,
    **asked: Any,
) -> SmemError:
    """Return the error of a call that must be refused and must write nothing."""
    before = contents(folder)
    with pytest.raises(error) as caught:
        verb(*args, **asked)
    assert type(caught.value) is error
    assert contents(folder) == before
    return caught.value


def refusal(folder: Path, verb: Callable[..., object], /, **asked: Any) -> DeclareError:
    """Return the `DeclareError` of a declaration that must write nothing."""
    found = refused(folder, DeclareError, verb, **asked)
    assert isinstance(found, DeclareError)
    return found
