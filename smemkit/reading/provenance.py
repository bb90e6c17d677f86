# SPDX-License-Identifier: Apache-2.0
"""Which run made an artifact version, and what that run read.

One level only; `smemkit.reading.trace` goes on from there. Fields and their
order are contract/query.md §9. Where several runs claim the version the first
created is shown.
"""

from __future__ import annotations

from smemkit.answers import NodeView, Provenance, Wire
from smemkit.graph import Graph
from smemkit.reading.order import require_version
from smemkit.reading.resolve import resolve
from smemkit.records import Node, Value

_OF_ARTIFACT = (
    "artifact_id",
    "version",
    "logical_name",
    "media_type",
    "content_hash",
    "turn_id",
)
_OF_CODE = (
    "code_hash",
    "stdout_hash",
    "stderr_hash",
    "env_hash",
    "exit_code",
    "status",
    "finished_at",
    "started_at",
    "code_id",
    "language",
    "tool",
)
_OF_INPUT = {
    "artifact": ("artifact_id", "version", "logical_name", "media_type", "path"),
    "source_file": ("file_id", "name", "path", "media_type"),
}


def artifact_provenance(
    graph: Graph,
    artifact_id: str,
    *,
    version: int | None = None,
    session_id: str | None = None,
) -> Provenance:
    """Return the run that made an artifact version, and what it read.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    artifact_id : str
        A bare id, which means the highest version, or ``id#vN``.
    version : int, optional
        The version; wins over one written into the id.
    session_id : str, optional
        The session of the artifact and of the inputs that are shown.

    Returns
    -------
    Provenance
        With `code` and `call` None where no producer is known.

    Raises
    ------
    BadRequest
        `version` is no whole number from 1.
    NodeNotFound
        There is no such version.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    >>> mem.artifact_provenance("fig#v1").code is None
    True
    """
    if version is not None:
        require_version(version)
    artifact = resolve(
        graph, artifact_id, session_id=session_id, version=version, label="Artifact"
    )
    code = _maker(graph, artifact, "Code")
    call = None if code is None else _maker(graph, code, "ToolCall")
    inputs = [] if code is None else _inputs(graph, code, session_id)
    fields: dict[str, Value | tuple[Wire, ...] | None] = {
        name: artifact.props.get(name) for name in _OF_ARTIFACT
    }
    for name in _OF_CODE:
        fields[name] = None if code is None else code.props.get(name)
    fields["messages_turn_id"] = None if call is None else call.props.get("turn_id")
    fields["dependencies"] = tuple(map(_dependency, inputs))
    return Provenance(
        fields,
        NodeView.of(artifact),
        None if code is None else NodeView.of(code),
        None if call is None else NodeView.of(call),
        tuple(map(NodeView.of, inputs)),
    )


def _maker(graph: Graph, product: Node, label: str) -> Node | None:
    """Return the first created node of a label that produces another."""
    makers = [graph.node(edge.src) for edge in graph.into(product.id, "produces")]
    fitting = [node for node in makers if node is not None and node.label == label]
    return min(fitting, key=lambda node: node.n, default=None)


def _inputs(graph: Graph, code: Node, session_id: str | None) -> list[Node]:
    found = {edge.src: graph.node(edge.src) for edge in graph.into(code.id, "input")}
    fitting = [
        node
        for node in found.values()
        if node is not None
        and (session_id is None or node.session_id == session_id)
        and (
            node.props.get("artifact_id") is not None
            or node.props.get("file_id") is not None
        )
    ]
    return sorted(fitting, key=_place)


def _place(node: Node) -> tuple[bool, str]:
    for name in ("logical_name", "name", "file_id"):
        value = node.props.get(name)
        if value is not None:
            return False, str(value)
    return True, ""


def _dependency(node: Node) -> Wire:
    kind = "source_file" if node.props.get("artifact_id") is None else "artifact"
    return {
        "kind": kind,
        **{name: node.props.get(name) for name in _OF_INPUT[kind]},
    }
