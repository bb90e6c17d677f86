# SPDX-License-Identifier: Apache-2.0
"""What is forgotten: a session but for its artifacts, or a whole project."""

from __future__ import annotations

from collections.abc import Sequence

from smemkit.records import Node
from smemkit.writing import arguments
from smemkit.writing.draft import Draft, Writable, compose
from smemkit.writing.results import CleanedProject, CleanedSession


def cleanup_session(store: Writable, session_id: str) -> CleanedSession:
    """Delete a session's nodes with their edges; its artifacts stay, marked.

    Parameters
    ----------
    store : Writable
        Where to write.
    session_id : str
        The session; an unknown one is no error.

    Raises
    ------
    InvalidRecord
        The id is no non-blank text.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> mem.cleanup_session("s").to_dict()
    {'status': 'healthy', 'marked': 0, 'deleted': 1}
    """
    session = arguments.ident("session_id", session_id)

    def how(draft: Draft) -> CleanedSession:
        marked = deleted = 0
        for node in list(draft.graph.nodes(session_id=session)):
            if node.label == "Artifact":
                draft.set(node, {"deleted_session": True})
                marked += 1
            else:
                draft.drop_node(node)
                deleted += 1
        return CleanedSession(marked, deleted)

    return compose(store, (session,), how)


def cleanup_project(
    store: Writable, project_id: str, *, session_ids: Sequence[str] = ()
) -> CleanedProject:
    """Delete every node of some sessions, then every artifact of a project.

    Parameters
    ----------
    store : Writable
        Where to write.
    project_id : str
        The project whose artifacts go, whatever session they are of.
    session_ids : sequence of str
        The sessions that go whole.

    Raises
    ------
    InvalidRecord
        An id is no non-blank text.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> mem.cleanup_project("p1", session_ids=["s"]).to_dict()
    {'status': 'healthy', 'deleted': 1}
    """
    project = arguments.ident("project_id", project_id)
    sessions = [
        arguments.ident(f"session_ids[{i}]", each)
        for i, each in enumerate(arguments.several("session_ids", session_ids))
    ]

    def how(draft: Draft) -> CleanedProject:
        gone: dict[str, Node] = {}
        for session in sessions:
            gone |= {n.id: n for n in draft.graph.nodes(session_id=session)}
        for node in draft.graph.nodes("Artifact"):
            if node.props.get("project_id") == project:
                gone[node.id] = node
        for node in gone.values():
            draft.drop_node(node)
        return CleanedProject(len(gone))

    return compose(store, tuple(dict.fromkeys(sessions)), how)
