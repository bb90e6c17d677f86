# SPDX-License-Identifier: Apache-2.0
"""What was run, what it read and what it made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smemkit import instants, schema
from smemkit.errors import InvalidRecord, short
from smemkit.records import Node, Scalar, Value
from smemkit.writing import arguments
from smemkit.writing.arguments import Moment
from smemkit.writing.artifacts import MISSING, REFRESHED, merge_artifact
from smemkit.writing.draft import Draft, Fields, Writable, compose
from smemkit.writing.results import Observed
from smemkit.writing.steps import DONE, ended, merge_step, told

_ITEM = ("artifact_id", "version", *REFRESHED, "input_artifact_versions")
_TOLD = (
    "tool",
    "language",
    "code_hash",
    "exit_code",
    "started_at",
    "stdout_hash",
    "stderr_hash",
    "env_hash",
)


@dataclass(frozen=True, slots=True)
class _Product:
    artifact_id: str
    version: int
    fields: Fields

    @property
    def id(self) -> str:
        return f"{self.artifact_id}#v{self.version}"


@dataclass(frozen=True, slots=True)
class _Input:
    label: str
    key: tuple[str | int, ...]
    id: str


def observe_execution(
    store: Writable,
    execution_id: str,
    *,
    session_id: str,
    tool: str | None = None,
    language: str | None = None,
    code_hash: str | None = None,
    status: str | None = None,
    exit_code: int | None = None,
    started_at: Moment | None = None,
    finished_at: Moment | None = None,
    tool_type: str = "execution",
    tool_name: str | None = None,
    turn_id: str | None = None,
    parent_subagent_id: str | None = None,
    produced_artifacts: Sequence[Mapping[str, object]] = (),
    input_source_files: Sequence[Mapping[str, object] | str] | None = None,
    stdout_hash: str | None = None,
    stderr_hash: str | None = None,
    env_hash: str | None = None,
    created_at: Moment | None = None,
) -> Observed:
    """Keep that code was run, what it read and which files it made.

    A repeat fills what was missing, and takes over a new status, finish time
    and exit code. An input that is not in the memory yet is linked when it
    arrives.

    Parameters
    ----------
    store : Writable
        Where to write.
    execution_id : str
        The run; also the id of its Code.
    session_id : str
        The session.
    tool, language : str, optional
        What ran it, such as ``run_python`` and ``python``.
    code_hash, stdout_hash, stderr_hash, env_hash : str, optional
        SHA-256 in hex of what was run, printed and installed.
    status : str, optional
        By default ``succeeded`` for a new run, and a repeat keeps what it was;
        ``succeeded`` is stored as ``completed``, any other word as given.
    exit_code : int, optional
        Of the process.
    started_at, finished_at : str or datetime, optional
        By default now; a run with a status such as ``running`` has no finish time.
    tool_type, tool_name : str, optional
        The kind of call; by default ``execution``, which it always is inside a
        scope, and the same as `tool`.
    turn_id : str, optional
        The turn it belongs to.
    parent_subagent_id : str, optional
        The subagent that ran it; its call then stands in that scope.
    produced_artifacts : sequence of mapping
        Each with ``artifact_id`` and ``version``, and if known ``path``,
        ``media_type``, ``logical_name``, ``project_id``, ``turn_id``,
        ``content_hash``, and ``input_artifact_versions``: what the run read, as
        mappings of ``artifact_id`` and ``version`` or as ``fig#v2``. A field
        that is left out keeps its value, a None removes it.
    input_source_files : sequence, optional
        The uploaded files it read: ids, or mappings with ``file_id``.
    created_at : str or datetime, optional
        When the call was made, by default now.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = [{"artifact_id": "fig", "version": 1, "path": "fig.png"}]
    >>> done = mem.observe_execution(
    ...     "e1", session_id="s1", tool="run_python", produced_artifacts=made
    ... )
    >>> done.task_id, done.artifacts, done.to_dict()
    ('subtask:e1', ('fig#v1',), {'status': 'healthy', 'written': 2})
    """
    code_id = arguments.ident("execution_id", execution_id)
    session = arguments.ident("session_id", session_id)
    parent = arguments.optional_ident("parent_subagent_id", parent_subagent_id)
    word = _status(status)
    kind = arguments.text("tool_type", tool_type)
    runner = arguments.optional_text("tool", tool)
    turn = arguments.optional_text("turn_id", turn_id)
    finished = arguments.optional_moment("finished_at", finished_at)
    code: Fields = {
        "session_id": session,
        "tool": runner,
        "language": arguments.optional_text("language", language),
        "code_hash": arguments.optional_text("code_hash", code_hash),
        "exit_code": arguments.optional_whole("exit_code", exit_code),
        "status": word,
        "started_at": arguments.optional_moment("started_at", started_at),
        "finished_at": finished,
        "stdout_hash": arguments.optional_text("stdout_hash", stdout_hash),
        "stderr_hash": arguments.optional_text("stderr_hash", stderr_hash),
        "env_hash": arguments.optional_text("env_hash", env_hash),
        "turn_id": turn,
    }
    call: Fields = {
        "session_id": session,
        "status": word,
        "tool_type": kind if parent is None else "execution",
        "tool_name": arguments.optional_text("tool_name", tool_name) or runner,
        "created_at": arguments.optional_moment("created_at", created_at),
        "finished_at": finished,
        "turn_id": turn,
    }
    products, inputs = _products(produced_artifacts)
    inputs += _files(input_source_files)
    scope = None if parent is None else schema.scope_id(parent)
    task_id = schema.execution_id(code_id, parent)

    def how(draft: Draft) -> Observed:
        task = merge_step(draft, task_id, call, scope=scope)
        node = _merge_code(draft, code_id, code)
        draft.merge_edge("produces", task, node)
        _make(draft, node, products, call)
        _read(draft, node, inputs)
        return Observed(
            1 + len(products),
            task_id=task_id,
            code_id=code_id,
            artifacts=tuple(dict.fromkeys(product.id for product in products)),
        )

    return compose(store, (session,), how)


def _merge_code(draft: Draft, code_id: str, code: Fields) -> Node:
    old = draft.find("Code", code_id)
    if old is not None and old.session_id != code["session_id"]:
        return old
    now = instants.now()
    first: dict[str, Value | None] = {
        **code,
        "status": DONE if code["status"] is None else code["status"],
        "started_at": code["started_at"] or now,
        "finished_at": ended(code, now),
    }
    node, _ = draft.merge_node(
        "Code",
        {"code_id": code_id},
        created=first,
        given=told(code, _TOLD, old),
        gaps={"turn_id": code["turn_id"]},
    )
    return node


def _status(given: object) -> str | None:
    word = arguments.optional_text("status", given)
    return DONE if word == "succeeded" else word


def _make(draft: Draft, code: Node, products: Sequence[_Product], call: Fields) -> None:
    moment = str(call["created_at"] or instants.now())
    for product in products:
        made = merge_artifact(
            draft,
            product.artifact_id,
            product.version,
            session_id=str(call["session_id"]),
            fields=product.fields,
            created_at=moment,
        )
        draft.merge_edge("produces", code, made)


def _read(draft: Draft, code: Node, inputs: Sequence[_Input]) -> None:
    """Link what the run read, and keep in mind what is not there yet."""
    missing: list[Scalar] = []
    for each in inputs:
        node = draft.find(each.label, *each.key)
        if node is None:
            missing.append(each.id)
        else:
            draft.merge_edge("input", node, code)
    listed = draft.state(code).props.get(MISSING)
    known = listed if isinstance(listed, list) else []
    if missing:
        draft.set(draft.state(code), {MISSING: list(dict.fromkeys([*known, *missing]))})


def _products(value: object) -> tuple[list[_Product], list[_Input]]:
    products: list[_Product] = []
    inputs: list[_Input] = []
    for i, each in enumerate(arguments.several("produced_artifacts", value)):
        where = f"produced_artifacts[{i}]"
        item = arguments.fields(where, each, _ITEM)
        bare = arguments.ident(f"{where}.artifact_id", item.get("artifact_id"))
        if schema.split_version(bare)[1] is not None:
            raise InvalidRecord(
                f"{where}.artifact_id={short(bare)}",
                found="an id with a version, which version= names",
                do="give the bare id",
            )
        products.append(
            _Product(
                bare,
                arguments.version(f"{where}.version", item.get("version")),
                {
                    name: arguments.optional_text(f"{where}.{name}", item[name])
                    for name in REFRESHED
                    if name in item
                },
            )
        )
        listed = item.get("input_artifact_versions")
        if listed is not None:
            inputs += _artifact_inputs(f"{where}.input_artifact_versions", listed)
    return products, inputs


def _artifact_inputs(name: str, value: object) -> list[_Input]:
    found = []
    for i, each in enumerate(arguments.several(name, value)):
        where = f"{name}[{i}]"
        if isinstance(each, str):
            artifact_id, number = schema.split_version(arguments.ident(where, each))
            each = {"artifact_id": artifact_id, "version": number}
        item = arguments.fields(where, each, ("artifact_id", "version"))
        artifact_id = arguments.ident(f"{where}.artifact_id", item.get("artifact_id"))
        number = arguments.version(f"{where}.version", item.get("version"))
        key = (artifact_id, number)
        found.append(_Input("Artifact", key, f"{artifact_id}#v{number}"))
    return found


def _files(value: object) -> list[_Input]:
    found = []
    listed = () if value is None else value
    for i, each in enumerate(arguments.several("input_source_files", listed)):
        where = f"input_source_files[{i}]"
        item = {"file_id": each} if isinstance(each, str) else each
        file_id = arguments.fields(where, item, ("file_id",)).get("file_id")
        name = arguments.optional_text(f"{where}.file_id", file_id) or ""
        if name.strip():
            found.append(_Input("SourceFile", (name,), name))
    return found
