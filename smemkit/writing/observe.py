# SPDX-License-Identifier: Apache-2.0
"""What a session began with and who worked in it: goal, uploads, subagents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from smemkit import instants, schema
from smemkit.records import Node, Value
from smemkit.writing import arguments, timeline
from smemkit.writing.arguments import Moment
from smemkit.writing.artifacts import feed_waiting
from smemkit.writing.draft import Draft, Fields, Writable, compose
from smemkit.writing.results import Observed

NO_SUMMARY = "Subagent completed without a text response."
"""What the app stores for a subagent that said nothing (contract/writes.md §2.2)."""

ENDS = {
    "completed": ("completed", None),
    "failed": ("failed", "error"),
    "cancelled": ("cancelled", "aborted"),
    "timed_out": ("failed", "timed_out"),
}
"""The status and failure reason that each terminal word is stored as."""


def observe_session_first_message(
    store: Writable,
    session_id: str,
    *,
    core_objective: str,
    goal_id: str | None = None,
    domain: str | None = None,
    topic_scope: Sequence[str] = (),
    created_at: Moment | None = None,
) -> Observed:
    """Keep a session's research goal; a repeat changes nothing.

    All files uploaded before feed the goal, and the calls recorded before hang
    below it.

    Parameters
    ----------
    store : Writable
        Where to write.
    session_id : str
        The session.
    core_objective : str
        The first message of the user, as shown.
    goal_id : str, optional
        The goal's id, by default ``goal:session:<session_id>``.
    domain : str, optional
        The field of research.
    topic_scope : sequence of str
        Topics.
    created_at : str or datetime, optional
        When it was said, by default now.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> mem.observe_session_first_message(
    ...     "s1", core_objective="Do bills grow with body mass?"
    ... ).goal_id
    'goal:session:s1'
    """
    session = arguments.ident("session_id", session_id)
    goal = arguments.optional_ident("goal_id", goal_id) or schema.goal_id(session)
    props: Fields = {
        "session_id": session,
        "core_objective": arguments.text("core_objective", core_objective),
        "domain": arguments.optional_text("domain", domain),
        "topic_scope": arguments.texts("topic_scope", topic_scope),
        "created_at": arguments.optional_moment("created_at", created_at)
        or instants.now(),
    }

    def how(draft: Draft) -> Observed:
        node, _ = draft.merge_node("ResearchGoal", {"goal_id": goal}, created=props)
        if node.session_id == session:
            for file in draft.graph.nodes("SourceFile", session_id=session):
                draft.merge_edge("feeds", file, node)
        timeline.update_main_line(draft, session)
        return Observed(1, goal_id=goal)

    return compose(store, (session,), how)


def observe_upload_file(
    store: Writable,
    file_id: str,
    *,
    session_id: str,
    path: str,
    name: str | None = None,
    media_type: str | None = None,
    size: int | None = None,
    content_hash: str | None = None,
    created_at: Moment | None = None,
) -> Observed:
    """Keep that a file was uploaded; a repeat refreshes what is known of it.

    Parameters
    ----------
    store : Writable
        Where to write.
    file_id : str
        The file's id, see `smemkit.schema.source_file_id`.
    session_id : str
        The session.
    path : str
        Its path in the workspace.
    name : str, optional
        Its name, by default the last part of `path`.
    media_type : str, optional
        Such as ``text/csv``; a repeat without one keeps the old.
    size : int, optional
        Bytes.
    content_hash : str, optional
        SHA-256 in hex.
    created_at : str or datetime, optional
        When it was uploaded, by default now.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> file_id = "source_file:session:s1:raw.csv"
    >>> mem.observe_upload_file(file_id, session_id="s1", path="raw.csv").to_dict()
    {'status': 'healthy', 'written': 1}
    """
    session = arguments.ident("session_id", session_id)
    file = arguments.ident("file_id", file_id)
    where = arguments.path("path", path)
    shown = arguments.optional_text("name", name)
    fresh: Fields = {
        "name": PurePosixPath(where).name if shown is None else shown,
        "path": where,
        "size": arguments.optional_whole("size", size, least=0),
        "content_hash": arguments.optional_text("content_hash", content_hash),
    }
    kind = arguments.optional_text("media_type", media_type)
    created: Fields = {
        "session_id": session,
        "name": fresh["name"],
        "path": where,
        "media_type": kind,
        "size": fresh["size"],
        "content_hash": fresh["content_hash"],
        "origin": "user_upload",
        "created_at": arguments.optional_moment("created_at", created_at)
        or instants.now(),
    }

    def how(draft: Draft) -> Observed:
        node, _ = draft.merge_node(
            "SourceFile",
            {"file_id": file},
            created=created,
            always=fresh,
            given={"media_type": kind},
        )
        goal = timeline.goal_of(draft, session)
        if goal is not None and node.session_id == session:
            draft.merge_edge("feeds", node, goal)
        feed_waiting(draft, node, file)
        return Observed(1, file_id=file)

    return compose(store, (session,), how)


def observe_subagent(
    store: Writable,
    subagent_id: str,
    *,
    session_id: str,
    status: str = "running",
    objective: str | None = None,
    task_type: str = "subagent",
    subagent_type: str | None = None,
    turn_id: str | None = None,
    created_at: Moment | None = None,
    finished_at: Moment | None = None,
    summary: str | None = None,
) -> Observed:
    """Keep that a subagent started or ended.

    Parameters
    ----------
    store : Writable
        Where to write.
    subagent_id : str
        The subagent; its scope is ``subtask:subagent:<subagent_id>``.
    session_id : str
        The session.
    status : str, default "running"
        ``completed``, ``failed``, ``cancelled`` and ``timed_out`` end it, any
        other word starts it. A start that comes after the end does not undo it.
    objective, task_type, subagent_type : str, optional
        What it is to do, and who it is.
    turn_id : str, optional
        The turn that started it.
    created_at : str or datetime, optional
        When it started, by default now.
    finished_at : str or datetime, optional
        When it ended, by default now. Only read with a terminal status.
    summary : str, optional
        What it answered, or why it failed. Only read with a terminal status.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> mem.observe_subagent("sa1", session_id="s1", objective="Plot LDL").task_id
    'subtask:subagent:sa1'
    """
    session = arguments.ident("session_id", session_id)
    scope = schema.scope_id(arguments.ident("subagent_id", subagent_id))
    word = arguments.text("status", status)
    stored, reason = ENDS.get(word, (word, None))
    turn = arguments.optional_text("turn_id", turn_id)
    created: dict[str, Value | None] = {
        "session_id": session,
        "objective": arguments.optional_text("objective", objective),
        "task_type": arguments.text("task_type", task_type),
        "subagent_type": arguments.optional_text("subagent_type", subagent_type),
        "created_at": arguments.optional_moment("created_at", created_at)
        or instants.now(),
        "turn_id": turn,
        "status": stored,
    }
    identity = {name: created[name] for name in ("objective", "subagent_type")}
    finished = arguments.optional_moment("finished_at", finished_at)
    said = arguments.optional_text("summary", summary)
    if word == "completed" and not (said or "").strip():
        said = NO_SUMMARY
    end: dict[str, Value | None] = {}
    if word in ENDS:
        end = {"finished_at": finished, "summary": said, "failure_reason": reason}

    def how(draft: Draft) -> Observed:
        first = {**created, "seq": draft.graph.max_seq(session) + 1, **end}
        if word in ENDS and finished is None:
            first["finished_at"] = instants.now()
        node, before = draft.merge_node("Task", {"task_id": scope}, created=first)
        if node.session_id == session:
            if before is not None:
                phase = {"status": stored, "turn_id": turn, **end}
                node = _in_phase(draft, before, phase, identity)
            timeline.update_main_line(draft, session, node, before)
            timeline.update_scope_line(draft, session, scope)
        return Observed(1, task_id=scope)

    return compose(store, (session,), how)


def _in_phase(
    draft: Draft, before: Node, phase: dict[str, Value | None], identity: Fields
) -> Node:
    """Take a scope that exists into the phase told of, never back out of its end."""
    changes = dict(phase)
    if "finished_at" in phase:
        del changes["turn_id"]
        if phase["finished_at"] is None:
            kept = before.props.get("finished_at")
            changes["finished_at"] = instants.now() if kept is None else kept
    else:
        if before.props.get("status") in schema.TERMINAL_STATUSES:
            del changes["status"]
        if phase["turn_id"] is None:
            del changes["turn_id"]
    changes |= {k: v for k, v in identity.items() if before.props.get(k) is None}
    return draft.set(before, changes)
