# SPDX-License-Identifier: Apache-2.0
"""The vocabulary of a science memory: labels, edge types, keys, ids, status words.

Everything else goes through this file, so that one word means one thing. The
nine labels and nine edge types of the seed come first; those that the app's
newest releases add are known, read and kept. Any other label or edge type is
kept, shown and written back untouched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from smemkit.errors import InvalidRecord, short

LABELS: tuple[str, ...] = (
    "ResearchGoal",
    "Task",
    "ToolCall",
    "Code",
    "Artifact",
    "Paper",
    "Evidence",
    "Claim",
    "SourceFile",
)
"""The seed's labels, in the order in which tables and legends list them."""

OTHER_LABELS: tuple[str, ...] = (
    "WebPage",
    "DbRecord",
    "SearchRun",
    "SearchNode",
    "SearchCell",
    "SubTask",
)
"""Labels of the app's other generations: read and kept (design §1)."""

EDGE_TYPES: tuple[str, ...] = (
    "next",
    "produces",
    "extracts",
    "supports",
    "stated_in",
    "supersedes",
    "input",
    "contains",
    "feeds",
)
"""The seed's edge types."""

OTHER_EDGE_TYPES: tuple[str, ...] = (
    "searches",
    "root",
    "expands",
    "inspires",
    "elected",
    "occupies",
)

READS_AS: Mapping[str, str] = {"SubTask": "ToolCall"}
"""Labels of older stores and the label they are read as; on disk they stay."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "ResearchGoal": ("goal_id",),
    "Task": ("task_id",),
    "ToolCall": ("task_id",),
    "Code": ("code_id",),
    "Artifact": ("artifact_id", "version"),
    "Paper": ("session_id", "link"),
    "Evidence": ("evidence_id",),
    "Claim": ("claim_id",),
    "SourceFile": ("file_id",),
    "WebPage": ("session_id", "url"),
    "DbRecord": ("session_id", "source", "identifier"),
    "SearchRun": ("search_id",),
    "SearchNode": ("search_id", "node_index"),
    "SearchCell": ("search_id", "island", "complexity_bin", "diversity_bin"),
}
"""The properties that make a node of a label unique (contract/writes.md §4)."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "ResearchGoal": ("goal_id",),
    "Task": ("task_id",),
    "ToolCall": ("task_id",),
    "Code": ("code_id",),
    "Artifact": ("artifact_id",),
    "Paper": ("link", "identifier"),
    "Evidence": ("evidence_id",),
    "Claim": ("claim_id",),
    "SourceFile": ("file_id",),
    "WebPage": ("identifier", "url"),
    "DbRecord": ("identifier",),
    "SearchRun": ("search_id",),
    "SearchNode": ("search_id",),
    "SearchCell": ("search_id",),
}
"""The properties by which a caller may name a node, the first one first."""

EXCERPTS: Mapping[str, tuple[str, ...]] = {
    "ResearchGoal": ("core_objective", "domain"),
    "Task": ("task_type", "objective"),
    "ToolCall": ("tool_type", "task_type", "source", "tool_name"),
    "Paper": ("title", "identifier", "abstract"),
    "Evidence": ("content", "locator"),
    "Claim": ("content", "locator"),
    "Code": ("tool", "code_id"),
    "Artifact": ("path", "artifact_id"),
}
"""Where a node's excerpt comes from, first non-empty (contract/query.md §1.2)."""

REPEATED: frozenset[str] = frozenset(
    {
        *("session_id", "turn_id", "project_id", "parent_subtask_id", "task_type"),
        *("tool", "tool_name", "tool_type", "language", "status", "source"),
        *("media_type", "identifier_type", "domain"),
    }
)
"""Properties with the same few texts on many nodes; a store keeps each text once."""

EXCERPT_LENGTH = 240
"""Characters of an excerpt on the wire."""

CONTENT_HASHES: Mapping[str, str] = {
    "Artifact": "content_hash",
    "Code": "code_hash",
    "SourceFile": "content_hash",
}
"""The property that holds the hash of what a node stands for."""

TERMINAL_STATUSES = ("completed", "failed", "cancelled", "timed_out")
"""The words that end a subagent; any other word is its running phase."""

DONE_STATUSES = ("completed", "succeeded", "success", "done", "ok")
"""The words that mean a step went well."""

FAILED_STATUSES = ("failed", "error", "timed_out")
"""The words that mean a step went wrong."""

MAIN_LINE = "temporal_chain"
SCOPE_LINE = "scope_chain"
"""The two values of a `next` edge's `method`: session line, line of a scope."""

_VERSIONED = re.compile(r"(?s)(.+)#v([1-9][0-9]{0,17})\Z")


def canonical_label(label: str) -> str:
    """Return the label a stored label reads as: ``SubTask`` is a ``ToolCall``.

    Examples
    --------
    >>> canonical_label("SubTask"), canonical_label("Claim"), canonical_label("Odd")
    ('ToolCall', 'Claim', 'Odd')
    """
    return READS_AS.get(label, label)


def public_id(label: str, props: Mapping[str, object]) -> str | None:
    """Return the id a node shows to the outside, or None if it has none.

    Parameters
    ----------
    label : str
        The node's label; an older label is read as its successor.
    props : Mapping
        The node's properties.

    Returns
    -------
    str or None
        design §1 and contract/query.md §1.1: an Artifact's is
        ``<artifact_id>#v<version>``, a Paper's its link, a WebPage's its
        identifier or else ``url:<url>``. None for a label without a rule or a
        node without its key.

    Examples
    --------
    >>> public_id("Artifact", {"artifact_id": "fig", "version": 2})
    'fig#v2'
    >>> public_id("Paper", {"session_id": "s"}) is None
    True
    """
    label = READS_AS.get(label, label)
    if label == "Artifact":
        return _artifact_id(props)
    if label == "WebPage":
        if props.get("identifier") is not None:
            return str(props["identifier"])
        return f"url:{props['url']}" if props.get("url") else None
    if label == "SearchNode":
        return _composite("{}#n{}", props, KEYS[label])
    if label == "SearchCell":
        return _composite("{}#c{}.{}.{}", props, KEYS[label])
    names = NAMES.get(label)
    value = props.get(names[0]) if names else None
    return None if value is None else str(value)


def _artifact_id(props: Mapping[str, object]) -> str | None:
    artifact_id, version = props.get("artifact_id"), props.get("version")
    if artifact_id is None:
        return None
    return str(artifact_id) if version is None else f"{artifact_id}#v{version}"


def _composite(
    form: str, props: Mapping[str, object], keys: tuple[str, ...]
) -> str | None:
    values = [props.get(key) for key in keys]
    return None if None in values else form.format(*values)


def names(label: str, props: Mapping[str, object]) -> tuple[str, ...]:
    """Return every text by which a caller may name this node, without version.

    Examples
    --------
    >>> names("Paper", {"link": "https://doi.org/10.1/x", "identifier": "10.1/x"})
    ('https://doi.org/10.1/x', '10.1/x')
    """
    fields = NAMES.get(READS_AS.get(label, label), ())
    found = tuple(str(props[f]) for f in fields if props.get(f) is not None)
    if label == "WebPage" and props.get("url"):
        return (*found, f"url:{props['url']}")
    return found


def split_version(text: str) -> tuple[str, int | None]:
    """Split ``fig#v2`` into ``("fig", 2)``; a text without version gives None.

    Examples
    --------
    >>> split_version("fig#v2"), split_version("fig"), split_version("a#v0")
    (('fig', 2), ('fig', None), ('a#v0', None))
    """
    found = _VERSIONED.match(text)
    return (found[1], int(found[2])) if found else (text, None)


def excerpt(
    label: str, props: Mapping[str, object], *, length: int | None = EXCERPT_LENGTH
) -> str:
    """Return the line that stands for a node where there is no room for it all.

    Parameters
    ----------
    label : str
        The node's label.
    props : Mapping
        The node's properties.
    length : int or None, default 240
        Characters kept; None cuts nothing.

    Examples
    --------
    >>> excerpt("Claim", {"content": "Bills grow."}), excerpt("SourceFile", {"name": "a"})
    ('Bills grow.', 'SourceFile')
    """
    label = READS_AS.get(label, label)
    for field in (*EXCERPTS.get(label, ()), "id"):
        value = props.get(field)
        if value:
            return str(value)[:length]
    return label


def goal_id(session_id: str) -> str:
    """Return the id of a session's ResearchGoal."""
    return f"goal:session:{session_id}"


def source_file_id(session_id: str, path: str) -> str:
    """Return the id of an uploaded file."""
    return f"source_file:session:{session_id}:{path}"


def scope_id(subagent_id: str) -> str:
    """Return the task_id of a subagent's scope."""
    return f"subtask:subagent:{subagent_id}"


def execution_id(execution: str, subagent_id: str | None = None) -> str:
    """Return the task_id of an execution, in a subagent's scope if one is named.

    Examples
    --------
    >>> execution_id("e1"), execution_id("e1", "sa")
    ('subtask:e1', 'subtask:subagent:sa:exec:e1')
    """
    if subagent_id is None:
        return f"subtask:{execution}"
    return f"{scope_id(subagent_id)}:exec:{execution}"


def child_call_id(task_id: str, subagent_id: str) -> str:
    """Return the task_id that a tool call gets inside a subagent's scope.

    ``subtask:<scheme>:<rest>`` keeps its ``<rest>``, any other id stays whole
    (contract/writes.md §2.3).

    Examples
    --------
    >>> child_call_id("subtask:web:a:b", "sa"), child_call_id("subtask:i-7", "sa")
    ('subtask:subagent:sa:exec:a:b', 'subtask:subagent:sa:exec:subtask:i-7')
    """
    parts = task_id.split(":", 2)
    ref = parts[2] if len(parts) == 3 and parts[0] == "subtask" else task_id
    return execution_id(ref, subagent_id)


def require_text(name: str, value: object) -> str:
    """Return a text argument, or refuse what is no text.

    Raises
    ------
    InvalidRecord
        The value is not a non-blank string.
    """
    if isinstance(value, str) and value.strip():
        return value
    raise InvalidRecord(
        f"{name}={short(value)}",
        found="not a non-blank text",
        do=f"give {name} as text",
    )
