# SPDX-License-Identifier: Apache-2.0
"""Stores to measure on, written line by line as the app writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

ABSTRACT = "We report on the growth of bills and wings across three islands. " * 4


class Lines:
    """Collects node and edge lines with the app's ids."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.edges: list[str] = []

    def node(self, label: str, **props: object) -> str:
        """Add a node and return its id."""
        node_id = f"n{len(self.nodes) + 1}"
        line = {"id": node_id, "labels": [label], "props": props}
        self.nodes.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
        return node_id

    def edge(self, kind: str, src: str, dst: str, **props: object) -> None:
        """Add an edge."""
        line = {"id": f"r{len(self.edges) + 1}", "type": kind, "src": src, "dst": dst}
        line = {**line, "props": props}
        self.edges.append(json.dumps(line, separators=(",", ":")))

    def write(self, folder: Path) -> Path:
        """Write both files and return the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in (("nodes", self.nodes), ("edges", self.edges)):
            text = "".join(line + "\n" for line in lines)
            (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        return folder


def add_session(lines: Lines, session: str, calls: int, *, papers: int = 0) -> None:
    """Add one session: a goal, a line of calls, each with Code, Artifact and input."""
    goal = lines.node(
        "ResearchGoal",
        goal_id=f"goal:session:{session}",
        session_id=session,
        core_objective=f"Does bill length predict body mass in {session}?",
        domain="Biology",
        topic_scope=[],
        created_at=moment(0),
    )
    link = {"inferred": True, "basis": "seq", "method": "temporal_chain"}
    before, made, earlier = goal, None, None
    for k in range(1, calls + 1):
        call, code, output = _add_call(lines, session, k, made)
        if earlier:
            lines.edge("input", earlier, code)
        earlier, made = made, output
        lines.edge("next", before, call, **link)
        before = call
    for k in range(papers):
        _add_paper(lines, session, k, before, made)


def _add_call(
    lines: Lines, session: str, k: int, made: str | None
) -> tuple[str, str, str]:
    name, digest = (
        f"{session}-e{k}",
        hashlib.sha256(f"{session}{k}".encode()).hexdigest(),
    )
    call = lines.node(
        "ToolCall",
        task_id=f"subtask:{name}",
        session_id=session,
        status="completed",
        tool_type="execution",
        tool_name="run_python",
        turn_id="t1",
        seq=k,
        created_at=moment(k),
        finished_at=moment(k),
    )
    code = lines.node(
        "Code",
        code_id=name,
        session_id=session,
        tool="run_python",
        language="python",
        code_hash=digest,
        exit_code=0,
        status="completed",
        started_at=moment(k),
        finished_at=moment(k),
        turn_id="t1",
    )
    artifact = lines.node(
        "Artifact",
        artifact_id=f"{name}-out",
        version=1,
        session_id=session,
        project_id="p1",
        path=f"out/table-{k}.csv",
        logical_name=f"table-{k}.csv",
        media_type="text/csv",
        created_at=moment(k),
        content_hash=digest,
    )
    lines.edge("produces", call, code)
    lines.edge("produces", code, artifact)
    if made:
        lines.edge("input", made, code)
    return call, code, artifact


def _add_paper(lines: Lines, session: str, k: int, call: str, made: str | None) -> None:
    paper = lines.node(
        "Paper",
        session_id=session,
        link=f"https://doi.org/10.1000/{session}.{k}",
        title=f"Bill growth on island {k}",
        identifier=f"10.1000/{session}.{k}",
        identifier_type="doi",
        year="2020",
        authors=["A. One", "B. Two"],
        abstract=ABSTRACT,
        source="europepmc",
        retrieval_count=1,
        created_at=moment(k),
    )
    evidence = lines.node(
        "Evidence",
        evidence_id=f"{session}-ev{k}",
        session_id=session,
        content=f"Bills on island {k} grew by {k} mm.",
        locator="Results",
        created_at=moment(k),
    )
    claim = lines.node(
        "Claim",
        claim_id=f"{session}-cl{k}",
        session_id=session,
        content=f"Bill growth differs on island {k}.",
        created_at=moment(k),
    )
    lines.edge("produces", call, paper)
    lines.edge("extracts", paper, evidence)
    lines.edge("supports", evidence, claim)
    if made:
        lines.edge("stated_in", claim, made)


def big_store(folder: Path, *, nodes: int = 100_000) -> Path:
    """Write a store of about this many nodes, half again as many edges, 40 MB.

    It holds one session of 2,500 calls (``long``), one of 200 (``short``), one
    of 500 nodes (``five-hundred``), and sessions of mixed sizes.
    """
    lines = Lines()
    add_session(lines, "long", 2_500)
    add_session(lines, "short", 200)
    add_session(lines, "five-hundred", 163, papers=3)
    for k in _counter():
        if len(lines.nodes) >= nodes:
            return lines.write(folder)
        add_session(lines, f"s{k}", 100 + 50 * (k % 5), papers=60)
    return folder


def line_store(folder: Path, calls: int) -> Path:
    """Write a store of one session with this many calls."""
    lines = Lines()
    add_session(lines, "line", calls)
    return lines.write(folder)


def diamond_store(folder: Path, count: int) -> Path:
    """Write a store in which `count` diamonds of `next` edges rejoin one by one."""
    lines = Lines()
    goal = lines.node("ResearchGoal", goal_id="goal:session:d", session_id="d")
    top = goal
    for k in range(count):
        left, right, foot = (
            lines.node("ToolCall", task_id=f"subtask:{side}{k}", session_id="d", seq=k)
            for side in "abc"
        )
        for src, dst in ((top, left), (top, right), (left, foot), (right, foot)):
            lines.edge("next", src, dst)
        top = foot
    return lines.write(folder)


def moment(second: int) -> str:
    """Return a time of day that grows with `second`."""
    return (
        f"2026-10-02T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.120Z"
    )


def _counter() -> Iterator[int]:
    k = 0
    while True:
        yield k
        k += 1
