# SPDX-License-Identifier: Apache-2.0
"""One call of a session: how its node is made, told of again, and put in line."""

from __future__ import annotations

from smemkit import instants
from smemkit.records import Node, Value
from smemkit.writing import timeline
from smemkit.writing.draft import Draft, Fields

RUNNING = ("running", "pending", "queued", "started")
"""The words for what has not ended; it has no finish time of its own accord."""

DONE = "completed"
"""The status of a new call of which none was told."""

_MAIN = (
    "session_id",
    "status",
    "tool_type",
    "tool_name",
    "source",
    "created_at",
    "finished_at",
    "turn_id",
    "result_count",
    "seq",
)
_CHILD = (
    *_MAIN[:5],
    "parent_subtask_id",
    "turn_id",
    "created_at",
    "finished_at",
    "result_count",
    "seq",
)


def merge_step(
    draft: Draft,
    task_id: str,
    props: Fields,
    *,
    scope: str | None,
    always: tuple[str, ...] = (),
) -> Node:
    """Find or make a ToolCall and give it its place on its line.

    Parameters
    ----------
    draft : Draft
        The write this is a part of.
    task_id : str
        The key.
    props : Mapping
        What was told of it. A call that exists takes over status and finish
        time, in a scope also the turn, and fills what it lacks.
    scope : str, optional
        The task_id of the scope it stands in; None for the main line.
    always : tuple of str
        Properties that a repeat overwrites whatever they are.

    Returns
    -------
    Node
        The call. One that another session owns is left as it is.
    """
    session_id = str(props["session_id"])
    old = draft.find("ToolCall", task_id)
    if old is not None and old.session_id != session_id:
        return old
    now = instants.now()
    first: dict[str, Value | None] = dict(props)
    first["created_at"] = props.get("created_at") or now
    first["finished_at"] = ended(props, now)
    if first.get("status") is None:
        first["status"] = DONE
    first["parent_subtask_id"] = scope
    first["seq"] = draft.graph.max_seq(session_id) + 1
    names = _MAIN if scope is None else _CHILD
    node, before = draft.merge_node(
        "ToolCall",
        {"task_id": task_id},
        created={name: first.get(name) for name in names},
        always={name: props[name] for name in always},
        given=told(props, ("turn_id",) if scope is not None else (), old),
        gaps={name: props.get(name) for name in ("tool_name", "source", "turn_id")},
    )
    if scope is None:
        timeline.update_main_line(draft, session_id, node, before)
    else:
        timeline.update_scope_line(draft, session_id, scope, node, before)
    return node


def told(
    props: Fields, names: tuple[str, ...], old: Node | None
) -> dict[str, Value | None]:
    """Return what a repeat takes over: outcome and `names`, where they are given.

    A late `running` does not undo an end; an end without a time is now.
    """
    outcome = ("status", "finished_at", *names)
    found: dict[str, Value | None] = {
        name: props[name] for name in outcome if props.get(name) is not None
    }
    if old is None or "status" not in found:
        return found
    if found["status"] not in RUNNING:
        if old.props.get("finished_at") is None:
            found.setdefault("finished_at", instants.now())
    elif old.props.get("status") not in (None, *RUNNING):
        del found["status"]
    return found


def ended(props: Fields, now: str) -> Value | None:
    """Return when a new step ended: as told, else now unless it still runs."""
    given = props.get("finished_at")
    return now if given is None and props.get("status") not in RUNNING else given
