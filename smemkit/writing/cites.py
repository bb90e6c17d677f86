# SPDX-License-Identifier: Apache-2.0
"""What the aliases of a claim stand for, and whether it may cite that.

The codes and their order are those of contract/http.md §4.2. What is cited must
be known in the claim's own session, and each alias keeps the artifact version it
means (design §5.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from smemkit import schema
from smemkit.errors import DeclareError, short
from smemkit.records import Node
from smemkit.writing import arguments
from smemkit.writing.draft import Draft
from smemkit.writing.results import Chip, Wire
from smemkit.writing.sources import PDF

Cited = tuple[str, Chip, Node]
"""The alias, its chip, and the node it stands for."""

_TARGET = (
    "evidence_id",
    "artifact_id",
    "version",
    "file_id",
    "source",
    "identifier",
)


@dataclass(frozen=True, slots=True)
class Cites:
    """The four alias maps of a claim, and the artifact versions meant."""

    evidence: Mapping[str, str]
    artifacts: Mapping[str, str]
    files: Mapping[str, str]
    records: Mapping[str, str]
    versions: Mapping[str, int]

    @classmethod
    def of(cls, maps: Mapping[str, object]) -> Cites:
        """Return the maps, given by the names of their parameters.

        Raises
        ------
        DeclareError
            ``no_cites_target``: all of them are empty.
        InvalidRecord
            One is no map of texts.
        """
        *aliases, versions = maps.items()
        found = [
            {} if value is None else arguments.aliases(name, value)
            for name, value in aliases
        ]
        name, value = versions
        known = {} if value is None else arguments.versions(name, value)
        if not any(found):
            raise DeclareError(
                "no_cites_target",
                "the claim cites nothing",
                "cite at least one evidence, artifact, source file or database record: "
                + ", ".join(name for name, _ in aliases),
            )
        evidence, artifacts, files, records = found
        return cls(evidence, artifacts, files, records, known)

    def resolve(self, draft: Draft, session_id: str) -> list[Cited]:
        """Return what every alias stands for; the first that fails is refused."""
        return [
            *self._evidence(draft, session_id),
            *self._artifacts(draft, session_id),
            *self._files(draft, session_id),
            *self._records(draft, session_id),
        ]

    def _evidence(self, draft: Draft, session_id: str) -> Iterator[Cited]:
        for alias, evidence_id in self.evidence.items():
            node = draft.find("Evidence", evidence_id)
            if node is None or node.session_id != session_id:
                raise _refused(
                    "evidence_not_found",
                    alias,
                    f"no evidence {short(evidence_id)} in session {short(session_id)}",
                    "declare it with declare_evidence first",
                )
            yield alias, _chip("evidence", evidence_id, alias), node

    def _artifacts(self, draft: Draft, session_id: str) -> Iterator[Cited]:
        for alias, name in self.artifacts.items():
            bare, written = schema.split_version(name)
            version = self.versions.get(alias, written)
            if version is None:
                version = highest(draft, session_id, bare)
            node = draft.find("Artifact", bare, version)
            if node is None or node.session_id != session_id:
                asked = bare if version is None else f"{bare}#v{version}"
                raise _refused(
                    "artifact_version_not_found",
                    alias,
                    f"no artifact {short(asked)} in session {short(session_id)}",
                    "see list_artifacts, in Python mem.artifacts(), for the versions there are, "
                    "or declare it first",
                )
            chip = _chip("artifact", bare, alias)
            # An artifact another program wrote may have no version.
            yield alias, chip if version is None else {**chip, "version": version}, node

    def _files(self, draft: Draft, session_id: str) -> Iterator[Cited]:
        for alias, file_id in self.files.items():
            node = draft.find("SourceFile", file_id)
            if node is None or node.session_id != session_id:
                raise _refused(
                    "source_file_not_found",
                    alias,
                    f"no uploaded file {short(file_id)} in session {short(session_id)}",
                    "cite a file that was uploaded in this session",
                )
            if node.props.get("media_type") == PDF:
                raise _refused(
                    "source_file_is_pdf",
                    alias,
                    f"the uploaded file {short(file_id)} is a PDF",
                    "declare what it says with declare_evidence, and cite that",
                )
            yield alias, _chip("sourcefile", file_id, alias), node

    def _records(self, draft: Draft, session_id: str) -> Iterator[Cited]:
        for alias, name in self.records.items():
            found = _records_named(draft, session_id, name)
            if len(found) != 1:
                many = f"{len(found)} database records" if found else "no record"
                raise _refused(
                    "db_record_not_found",
                    alias,
                    f"{many} {short(name)} in session {short(session_id)}",
                    "give <source>:<identifier> of a record that a tool call found",
                )
            identifier = str(found[0].props["identifier"])
            yield alias, _chip("dbrecord", identifier, alias), found[0]


def target(node: Node) -> Wire:
    """Return a cited node as the contract lists it.

    Examples
    --------
    >>> target(Node("n1", ("Evidence",), {"evidence_id": "e"}))["labels"]
    ['Evidence']
    """
    found: Wire = {name: node.props.get(name) for name in _TARGET}
    if node.label != "DbRecord":
        found["source"] = found["identifier"] = None
    return {**found, "labels": list(node.labels)}


def _chip(kind: str, node_id: str, alias: str) -> Chip:
    return {"kind": kind, "id": node_id, "label": alias}


def _refused(code: str, alias: str, what: str, instruction: str) -> DeclareError:
    return DeclareError(code, f"alias {short(alias)}: {what}", instruction)


def highest(draft: Draft, session_id: str, artifact_id: str) -> int | None:
    """Return the highest version of an artifact in a session, None if there is none."""
    found = [
        version
        for node in draft.graph.named(artifact_id)
        if node.label == "Artifact"
        and node.session_id == session_id
        and isinstance(version := node.props.get("version"), int)
    ]
    return max(found, default=None)


def _records_named(draft: Draft, session_id: str, name: str) -> list[Node]:
    """Return the session's records of ``source:identifier``, or of an identifier.

    An identifier may hold a colon itself (``GO:0008150``), so it is also tried
    whole.
    """
    source, colon, identifier = name.partition(":")
    if colon:
        exact = draft.find("DbRecord", session_id, source, identifier)
        if exact is not None:
            return [exact]
    return [
        node
        for node in draft.graph.named(name)
        if node.label == "DbRecord" and node.session_id == session_id
    ]
