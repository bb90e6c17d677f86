# SPDX-License-Identifier: Apache-2.0
"""What was done, in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smemkit import instants
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.tables.frames import frame, number, text, whole

if TYPE_CHECKING:
    import pandas as pd


TIMELINE = {
    "position": "Int64",
    "id": "string",
    "label": "string",
    "session_id": "string",
    "scope": "string",
    "tool": "string",
    "type": "string",
    "status": "string",
    "seq": "Int64",
    "started_at": "datetime",
    "finished_at": "datetime",
    "seconds": "Float64",
    "inputs": "Int64",
    "products": "Int64",
}


def timeline(graph: Graph, *, session_id: str | None = None) -> pd.DataFrame:
    """Return one row per call and scope, in the order in which they ended.

    The order is that of the `next` line: finish, seq, creation (design §5.6);
    what is still running comes last.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str, optional
        Only this session.

    Returns
    -------
    DataFrame
        ``position`` within the session, from 1; ``id``, ``label``, ``session_id``;
        ``scope``, the subagent it ran in; ``tool``, ``type``, ``status``, ``seq``;
        ``started_at``, ``finished_at`` and ``seconds`` between them; ``inputs`` and
        ``products``, how many were read and made.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("e1", session_id="s")
    >>> mem.timeline()["id"].tolist()
    ['subtask:e1']
    """
    # What belongs to no session has its rows too, behind the others.
    lines: dict[str | None, list[Node]] = {s: [] for s in (*graph.sessions(), None)}
    for label in ("Task", "ToolCall"):
        for node in graph.nodes(label, session_id=session_id):
            lines[node.session_id].append(node)
    rows: list[tuple[object, ...]] = []
    for steps in lines.values():
        steps.sort(key=_step_key)
        rows += [(k, *_step(graph, node)) for k, node in enumerate(steps, 1)]
    return frame(TIMELINE, rows)


def _step_key(node: Node) -> tuple[bool, object, int, int]:
    finished = instants.parse(node.props.get("finished_at"))
    return (finished is None, finished or 0, number(node.props.get("seq")), node.n)


def _step(graph: Graph, node: Node) -> tuple[object, ...]:
    p = node.props
    codes = [graph.node(e.dst) for e in graph.out(node.id, "produces")]
    made = [c for c in codes if c is not None and c.label != "Code"]
    runs = [c for c in codes if c is not None and c.label == "Code"]
    # A search is recorded when it ends; only a run and a scope know their start.
    scope = p.get("created_at") if node.label == "Task" else None
    started = next((c.props.get("started_at") for c in runs), scope)
    begun, ended = instants.parse(started), instants.parse(p.get("finished_at"))
    seconds = (ended - begun).total_seconds() if begun and ended else None
    return (
        node.public_id,
        node.label,
        node.session_id,
        text(p.get("parent_subtask_id")),
        text(p.get("tool_name") or p.get("subagent_type")),
        text(p.get("tool_type") or p.get("task_type")),
        text(p.get("status")),
        whole(p.get("seq")),
        started,
        p.get("finished_at"),
        seconds,
        sum(len(graph.into(c.id, "input")) for c in runs),
        len(made) + sum(len(graph.out(c.id, "produces")) for c in runs),
    )
