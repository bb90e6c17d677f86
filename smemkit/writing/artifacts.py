# SPDX-License-Identifier: Apache-2.0
"""Which version of which file is this? Artifact nodes and what hangs on them.

The missing end of a `supersedes` or `input` edge may arrive later; whichever
end comes last makes the edge (design §5).
"""

from __future__ import annotations

import hashlib
import uuid
from os import PathLike
from pathlib import Path, PurePosixPath

from smemkit import instants
from smemkit.errors import DeclareError, InvalidRecord, short
from smemkit.records import Node, Value, without_nulls
from smemkit.writing import arguments
from smemkit.writing.arguments import Moment
from smemkit.writing.draft import NOTHING, Draft, Fields, Writable, compose
from smemkit.writing.media import media_type_of
from smemkit.writing.results import DeclaredArtifact

MISSING = "missing_inputs"
"""The Code property that lists inputs which are not in the memory yet."""

REFRESHED = (
    "project_id",
    "path",
    "logical_name",
    "media_type",
    "turn_id",
    "content_hash",
)
"""What a later word on the same version overwrites."""

_ORDER = (*REFRESHED[:4], "created_at", *REFRESHED[4:])


def merge_artifact(
    draft: Draft,
    artifact_id: str,
    version: int,
    *,
    session_id: str,
    fields: Fields,
    created_at: str,
    guessed: Fields = NOTHING,
) -> Node:
    """Find or make one version, refresh it, and tie it to its neighbours.

    Parameters
    ----------
    draft : Draft
        The write this is a part of.
    artifact_id : str
        The artifact, without version.
    version : int
        The version.
    session_id, created_at : str
        Kept only when the version is new.
    fields : Mapping
        Those of `REFRESHED` that are told; a null removes what was there.
    guessed : Mapping
        Those that nobody told; they fill gaps and overwrite nothing.
    """
    known: dict[str, Value | None] = {**guessed, **fields, "created_at": created_at}
    created = {name: known.get(name) for name in _ORDER}
    node, _ = draft.merge_node(
        "Artifact",
        {"artifact_id": artifact_id, "version": version},
        created={"session_id": session_id, **created},
        always=fields,
        gaps=guessed,
    )
    older = draft.find("Artifact", artifact_id, version - 1)
    if older is not None and version > 1:
        draft.merge_edge("supersedes", node, older)
    newer = draft.find("Artifact", artifact_id, version + 1)
    if newer is not None:
        draft.merge_edge("supersedes", newer, node)
    feed_waiting(draft, node, f"{artifact_id}#v{version}")
    return node


def feed_waiting(draft: Draft, node: Node, public_id: str) -> None:
    """Make the `input` edges of all Code that was waiting for this node."""
    for waiting in draft.graph.waiting_for(public_id):
        code = draft.state(waiting)
        listed = code.props.get(MISSING)
        if isinstance(listed, list) and public_id in listed:
            draft.merge_edge("input", node, code)
            left = [each for each in listed if each != public_id]
            draft.set(code, {MISSING: left or None})


def declare_artifact(
    store: Writable,
    path: str | PathLike[str],
    *,
    session_id: str,
    artifact_id: str | None = None,
    version: int | None = None,
    code_id: str | None = None,
    logical_name: str | None = None,
    media_type: str | None = None,
    project_id: str | None = None,
    turn_id: str | None = None,
    created_at: Moment | None = None,
    content_hash: str | None = None,
    file: str | PathLike[str] | None = None,
) -> DeclaredArtifact:
    """Keep a version of a file that the research made, with its hash.

    Parameters
    ----------
    store : Writable
        Where to write.
    path : str or Path
        Where the file lies, as it is to be shown; kept as given.
    session_id : str
        The session.
    artifact_id : str, optional
        By default that of the newest artifact of the session with the same
        `logical_name`, or without a name the same `path`; else a new UUID.
        ``fig#v2`` names the version too.
    version : int, optional
        By default the highest there is, plus 1.
    code_id : str, optional
        The run that made it, which then `produces` it.
    logical_name : str, optional
        By default the last part of `path`.
    media_type : str, optional
        By default guessed from the name.
    project_id, turn_id : str, optional
        Where and when it belongs.
    created_at : str or datetime, optional
        By default now.
    content_hash : str, optional
        SHA-256 in hex; by default that of the file's bytes.
    file : str or Path, optional
        Where the bytes are, if not at `path` under the current folder.

    Raises
    ------
    DeclareError
        ``code_not_found``: no Code of this session has this id.
    InvalidRecord
        A parameter no memory can hold, or a `file` that cannot be read.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> one = mem.declare_artifact("out/fig.svg", session_id="s", artifact_id="fig")
    >>> two = mem.declare_artifact("out/fig.svg")
    >>> one.id, two.id, two.media_type
    ('fig#v1', 'fig#v2', 'image/svg+xml')
    """
    session = arguments.ident("session_id", session_id)
    where = arguments.ident("path", arguments.path("path", path))
    named = arguments.optional_ident("logical_name", logical_name)
    wanted, number = _which(artifact_id, version)
    code = arguments.optional_ident("code_id", code_id)
    digest = arguments.optional_text("content_hash", content_hash)
    if digest is None:
        digest = _hash_at(where, file)
    fields: Fields = {
        "project_id": arguments.optional_text("project_id", project_id),
        "path": where,
        "logical_name": named,
        "media_type": arguments.optional_text("media_type", media_type) or None,
        "turn_id": arguments.optional_text("turn_id", turn_id),
        "content_hash": digest,
    }
    # A repeat in Python overwrites only what it tells.
    told = without_nulls(fields)
    guessed: Fields = {
        "logical_name": PurePosixPath(where).name or where,
        "media_type": media_type_of(where),
    }
    moment = arguments.optional_moment("created_at", created_at) or instants.now()
    fresh = str(uuid.uuid4())

    def how(draft: Draft) -> DeclaredArtifact:
        maker = _maker(draft, session, code)
        chosen = wanted or _same_artifact(draft, session, named, where) or fresh
        k = number or 1 + _highest(draft, chosen)
        node = merge_artifact(
            draft,
            chosen,
            k,
            session_id=session,
            fields=told,
            guessed=guessed,
            created_at=moment,
        )
        if maker is not None:
            draft.merge_edge("produces", maker, node)
        kept = draft.state(node).props
        return DeclaredArtifact(
            chosen,
            k,
            where,
            _text(kept.get("content_hash")),
            _text(kept.get("media_type")),
        )

    return compose(store, (session,), how)


def _which(artifact_id: object, version: object) -> tuple[str | None, int | None]:
    number = arguments.optional_version("version", version)
    if artifact_id is None:
        return None, number
    return arguments.artifact("artifact_id", artifact_id, "version", number)


def _maker(draft: Draft, session: str, code_id: str | None) -> Node | None:
    if code_id is None:
        return None
    code = draft.find("Code", code_id)
    if code is None or code.session_id != session:
        raise DeclareError(
            "code_not_found",
            f"Code {short(code_id)} not found in session {short(session)}",
            "record the run with observe_execution first, or leave code_id out",
        )
    return code


def _same_artifact(
    draft: Draft, session: str, named: str | None, where: str
) -> str | None:
    """Return the session's newest artifact of this name, or of this path."""
    field, value = ("path", where) if named is None else ("logical_name", named)
    for node in draft.graph.newest("Artifact", session):
        found = node.props.get("artifact_id")
        if node.props.get(field) == value and isinstance(found, str):
            return found
    return None


def _highest(draft: Draft, artifact_id: str) -> int:
    """Return the highest version there is in any session, 0 if none."""
    found = (
        node.props.get("version")
        for node in draft.graph.named(artifact_id)
        if node.label == "Artifact"
    )
    return max((v for v in found if isinstance(v, int)), default=0)


def _text(value: Value | None) -> str | None:
    return value if isinstance(value, str) else None


def _hash_at(path: str, file: str | PathLike[str] | None) -> str | None:
    """Return the SHA-256 of a file; without `file` a missing one is no fault."""
    place = Path(path if file is None else arguments.path("file", file))
    try:
        if place.is_file():
            with place.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        reason = "no regular file is there"
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = str(error)
    if file is None:
        return None
    raise InvalidRecord(
        f"file={short(str(place))}", found=reason, do="name a file that can be read"
    )
