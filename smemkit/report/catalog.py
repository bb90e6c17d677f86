# SPDX-License-Identifier: Apache-2.0
"""The report that is meant, its text, and what its chips stand for."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

from smemkit import schema
from smemkit.answers import Reason
from smemkit.errors import BadRequest, NodeNotFound, short
from smemkit.graph import Graph
from smemkit.reading.resolve import find
from smemkit.records import Node
from smemkit.report.files import declared_file, folder_of
from smemkit.report.walks import version_of

LABELS = {
    "evidence": "Evidence",
    "artifact": "Artifact",
    "sourcefile": "SourceFile",
    "dbrecord": "DbRecord",
}
"""What label a kind of reference leads to."""

MAX_TEXT = 8 << 20
"""The largest report that is read, in bytes."""

_LONGEST_NAME = 4096


@dataclass(frozen=True, slots=True)
class Reference:
    """What a chip stands for.

    Attributes
    ----------
    label : str
        The alias.
    kind : str
        ``evidence``, ``artifact``, ``sourcefile`` or ``dbrecord``.
    id : str
        The target's id.
    version : int or None
        An artifact's version.
    claim_id : str or None
        The claim this use of the alias belongs to.
    """

    label: str
    kind: str
    id: str
    version: int | None = None
    claim_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReportText:
    """A report's text, or why there is none.

    Attributes
    ----------
    text : str or None
        The Markdown.
    note : Reason or None
        What has to be known about it.
    fault : bool
        The note tells of a fault: the folder does not hold the declared file.
    """

    text: str | None
    note: Reason | None = None
    fault: bool = False


def report_node(graph: Graph, report: str) -> Node:
    """Return the report version that is meant; a bare id means the highest.

    What is no id is taken for a path, if it is that of one artifact alone.

    Raises
    ------
    NodeNotFound
        Lists the reports there are.
    BadRequest
        Several artifacts have this path; lists them.
    """
    if not isinstance(report, str):
        raise _no_report(graph, report)
    node = find(graph, report, label="Artifact") or _at_path(graph, report)
    if node is None:
        raise _no_report(graph, report)
    return node


def stating(graph: Graph) -> list[str]:
    """Return the ids of the artifact versions that state claims."""
    known = dict.fromkeys(
        n.public_id or ""
        for n in graph.nodes("Artifact")
        if graph.into(n.id, "stated_in")
    )
    return list(known)


def _no_report(graph: Graph, report: object) -> NodeNotFound:
    listed = ", ".join(map(repr, stating(graph)[:20])) or "none"
    return NodeNotFound(
        f"report {short(report)}",
        found="no artifact has this id or path",
        do=f"reports are: {listed}",
    )


def _at_path(graph: Graph, report: str) -> Node | None:
    """Return the artifact that has a path, of its versions the named or highest."""
    path, version = schema.split_version(report)
    found = [
        node
        for node in graph.nodes("Artifact")
        if isinstance(own := node.props.get("path"), str)
        and normpath(own) == normpath(path)
    ]
    ids = dict.fromkeys((n.session_id, n.props.get("artifact_id")) for n in found)
    if len(ids) > 1:
        named = dict.fromkeys(str(n.public_id) for n in found)
        raise BadRequest(
            f"report {short(report)}",
            found="several artifacts have this path",
            do="name one by its id: " + ", ".join(list(named)[:20]),
        )
    fitting = [n for n in found if version in (None, n.props.get("version"))]
    return max(fitting, key=version_of, default=None)


def report_text(
    node: Node, text: str | None, files: str | os.PathLike[str] | None
) -> ReportText:
    """Return the text of a report: as given, else the declared file under a folder.

    The path comes from the memory and is not trusted: it must stay inside the
    folder, be a regular file, and have the declared SHA-256.

    Raises
    ------
    BadRequest
        The text is none, or is the name of a file; the folder is none.
    """
    if text is not None:
        _no_name(text, files)
        return ReportText(text.removeprefix("\ufeff"), _unlike(node, text))
    if files is None:
        return ReportText(None, Reason("text.none"))
    found = declared_file(node, folder_of(files), MAX_TEXT)
    if found.note is not None:
        fault = found.why not in ("no_path", "no_hash")
        return ReportText(None, Reason("text.no_file", said=found.note), fault)
    try:
        return ReportText((found.data or b"").decode("utf-8-sig"))
    except UnicodeDecodeError:
        name = node.props.get("path")
        return ReportText(None, Reason("text.not_utf8", name=short(name)), True)


def _no_name(text: object, files: str | os.PathLike[str] | None) -> None:
    """Refuse what is no text, and the name of a file where its text belongs."""
    do = "give the text itself: files=folder, or text=Path(...).read_text()"
    if not isinstance(text, str):
        raise BadRequest(f"text={type(text).__name__}", found="not a text", do=do)
    if "\n" in text or not 0 < len(text) <= _LONGEST_NAME:
        return
    for folder in ("", files or ""):
        try:
            is_file = Path(folder, text).is_file()
        except (OSError, TypeError, ValueError):  # no name that a file could have
            continue
        if is_file:
            raise BadRequest(f"text={short(text)}", found="the name of a file", do=do)


def _unlike(node: Node, text: str) -> Reason | None:
    """Say that a text is not the declared one, whatever ends its lines."""
    declared = node.props.get("content_hash")
    if not declared:
        return None
    for each in (text, text.replace("\r\n", "\n").replace("\n", "\r\n")):
        for mark in ("", "\ufeff"):
            data = (mark + each).encode("utf-8", "surrogatepass")
            if hashlib.sha256(data).hexdigest() == declared:
                return None
    return Reason("text.other", report=str(node.public_id))


def references_of(
    node: Node, given: Iterable[Mapping[str, object]] | None
) -> dict[str, tuple[Reference, ...]]:
    """Return what each alias stands for: as given, else as the report keeps it.

    An alias that was used for several things keeps all of them.

    Raises
    ------
    BadRequest
        A given entry has no label, kind or id.
    """
    found: dict[str, dict[Reference, None]] = {}
    entries = _kept(node) if given is None else _given(given)
    for entry in entries:
        found.setdefault(entry.label, {})[entry] = None
    return {label: tuple(entries) for label, entries in found.items()}


def target_of(graph: Graph, report: Node, reference: Reference) -> Node | None:
    """Return what a reference of a report means: the pinned version, else the highest."""
    label, version = LABELS.get(reference.kind), reference.version
    own = find(
        graph,
        reference.id,
        session_id=report.session_id,
        version=version,
        label=label,
    )
    return own or find(graph, reference.id, version=version, label=label)


def _given(given: Iterable[Mapping[str, object]]) -> list[Reference]:
    if isinstance(given, Mapping | str):
        raise BadRequest(
            "references", found=type(given).__name__, do="give a list of dicts"
        )
    if not isinstance(given, Iterable):
        raise BadRequest(
            "references", found=type(given).__name__, do="give a list of dicts"
        )
    found = []
    for entry in given:
        reference = _reference(entry) if isinstance(entry, Mapping) else None
        if reference is None or reference.version != entry.get("version"):
            raise BadRequest(
                f"reference {short(entry)}"[:200],
                found="label, kind or id is missing, or the version is no whole number",
                do="give label, kind, id and where they apply version, claim_id",
            )
        found.append(reference)
    return found


def _kept(node: Node) -> list[Reference]:
    listed = node.props.get("references")
    found = []
    for text in listed if isinstance(listed, list) else []:
        try:
            entry = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            continue
        reference = _reference(entry) if isinstance(entry, dict) else None
        if reference is not None:
            found.append(reference)
    return found


def _reference(entry: Mapping[str, object]) -> Reference | None:
    label, kind, target = entry.get("label"), entry.get("kind"), entry.get("id")
    if not all(isinstance(value, str) and value for value in (label, kind, target)):
        return None
    version, claim = entry.get("version"), entry.get("claim_id")
    return Reference(
        str(label),
        str(kind),
        str(target),
        version if isinstance(version, int) and not isinstance(version, bool) else None,
        claim if isinstance(claim, str) and claim else None,
    )
