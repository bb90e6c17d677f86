# SPDX-License-Identifier: Apache-2.0
"""The report that is meant, its text, and what its chips stand for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smemkit.errors import BadRequest, NodeNotFound
from smemkit.graph import Graph
from smemkit.reading.resolve import find
from smemkit.records import Node
from smemkit.report.files import declared_file, folder_of

LABELS = {
    "evidence": "Evidence",
    "artifact": "Artifact",
    "sourcefile": "SourceFile",
    "dbrecord": "DbRecord",
}
"""What label a kind of reference leads to."""

MAX_TEXT = 8 << 20
"""The largest report that is read, in bytes."""


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
    """A report's text, or why there is none."""

    text: str | None
    note: str = ""


def report_node(graph: Graph, report: str) -> Node:
    """Return the report version that is meant; a bare id means the highest.

    Raises
    ------
    NodeNotFound
        Lists the reports there are.
    """
    node = find(graph, report, label="Artifact") if isinstance(report, str) else None
    if node is None:
        known = dict.fromkeys(
            n.public_id or ""
            for n in graph.nodes("Artifact")
            if graph.into(n.id, "stated_in")
        )
        listed = ", ".join(map(repr, list(known)[:20])) or "none"
        raise NodeNotFound(
            f"report {report!r}",
            found="no artifact has this id",
            do=f"reports are: {listed}",
        )
    return node


def report_text(
    node: Node, text: str | None, files: str | os.PathLike[str] | None
) -> ReportText:
    """Return the text of a report: as given, else the declared file under a folder.

    The path comes from the memory and is not trusted: it must stay inside the
    folder, be a regular file, and have the declared SHA-256.
    """
    if text is not None:
        if not isinstance(text, str):
            raise BadRequest(f"text={type(text).__name__}", found="not a text")
        return ReportText(text)
    if files is None:
        return ReportText(None, "no text was given; one row per claim")
    found = declared_file(node, folder_of(files), MAX_TEXT)
    if found.data is None:
        return ReportText(None, f"{found.note}; one row per claim")
    try:
        return ReportText(found.data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        name = node.props.get("path")
        return ReportText(None, f"{name!r} is not UTF-8 text; one row per claim")


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
                f"reference {entry!r}"[:200],
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
