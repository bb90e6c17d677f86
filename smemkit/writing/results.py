# SPDX-License-Identifier: Apache-2.0
"""What the writing verbs answer.

`to_dict()` is the body the contract gives the same write over HTTP; the other
attributes are for Python. `written` is counted from what was asked, as the
contract has it (contract/http.md §3), not from what changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from smemkit.answers.base import Answer, Columns, Rows

Wire = dict[str, object]
Chip = dict[str, str | int]
"""What an alias stands for: kind, id, label, and version for an artifact."""


class Kept(Answer):
    """What all of these share: one row, a column for each attribute."""

    __slots__ = ()

    def title(self) -> str:
        """Return the answer in one line: what was kept, and under which ids."""
        named = [
            f"{name} {value}" for name, value in self._named() if name != "written"
        ]
        return f"{type(self).__name__}: {', '.join(named)}"

    def _named(self) -> list[tuple[str, object]]:
        values = [(each.name, getattr(self, each.name)) for each in fields(self)]  # type: ignore[arg-type]  # all are dataclasses
        return [(name, v) for name, v in values if isinstance(v, str | int)]

    def _rows(self) -> tuple[Columns, Rows]:
        names = [each.name for each in fields(self)]  # type: ignore[arg-type]  # all are dataclasses
        return dict.fromkeys(names, "object"), [
            tuple(getattr(self, name) for name in names)
        ]


@dataclass(frozen=True, slots=True)
class Observed(Kept):
    """An observation was kept.

    Attributes
    ----------
    written : int
        Records the request held.
    goal_id, file_id, task_id, code_id : str or None
        The public ids of what the verb wrote, where it writes such a thing.
    artifacts : tuple of str
        The public ids of the artifact versions, such as ``fig#v2``.

    Examples
    --------
    >>> Observed(2, task_id="subtask:e1").to_dict()
    {'status': 'healthy', 'written': 2}
    """

    written: int
    goal_id: str | None = None
    file_id: str | None = None
    task_id: str | None = None
    code_id: str | None = None
    artifacts: tuple[str, ...] = ()

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "healthy", "written": self.written}


@dataclass(frozen=True, slots=True)
class ObservedCall(Kept):
    """A tool call was kept.

    Attributes
    ----------
    task_id : str
        The id of the call; inside a subagent's scope it is not the one given.
    products : int
        Products the request held, those without a key included.
    found : tuple of str
        The public ids of what the call is linked to.
    """

    task_id: str
    products: int
    found: tuple[str, ...] = ()

    @property
    def written(self) -> int:
        """Records the request held: the call and its products."""
        return 1 + self.products

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {
            "status": "healthy",
            "written": self.written,
            "products": self.products,
        }


@dataclass(frozen=True, slots=True)
class ObservedSearch(Kept):
    """A literature search of the app's older generation was kept.

    Attributes
    ----------
    task_id : str
        The id of the call.
    papers : int
        Records that have a link.
    found : tuple of str
        The links under which the papers are stored.
    """

    task_id: str
    papers: int
    found: tuple[str, ...] = ()

    @property
    def written(self) -> int:
        """The call and its papers."""
        return 1 + self.papers

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "healthy", "written": self.written, "papers": self.papers}


@dataclass(frozen=True, slots=True)
class DeclaredEvidence(Kept):
    """A piece of evidence was kept.

    Attributes
    ----------
    evidence_id : str
        A new UUID.
    source : str
        The public id of the source it was taken from.
    """

    evidence_id: str
    source: str = ""

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "ok", "evidence_id": self.evidence_id}


@dataclass(frozen=True, slots=True)
class DeclaredClaim(Kept):
    """A claim was kept.

    Attributes
    ----------
    claim_id : str
        A new UUID.
    chip_map : dict
        What each alias stands for: kind, id, label, version.
    cited_targets : tuple of dict
        What supports the claim, each once.
    stated_in : str or None
        The report version the claim was linked to, None if to none.
    """

    claim_id: str
    chip_map: dict[str, Chip] = field(default_factory=dict)
    cited_targets: tuple[Wire, ...] = ()
    stated_in: str | None = None

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {
            "status": "ok",
            "claim_id": self.claim_id,
            "chip_map": {alias: dict(chip) for alias, chip in self.chip_map.items()},
            "cited_targets": [dict(target) for target in self.cited_targets],
        }


@dataclass(frozen=True, slots=True)
class DeclaredArtifact(Kept):
    """A version of an artifact was kept.

    Attributes
    ----------
    artifact_id : str
        The artifact, without version.
    version : int
        The version, from 1.
    path : str
        Its path, as given.
    content_hash : str or None
        SHA-256 of the file in hex; None if there was no file to read.
    media_type : str or None
        What was given, or guessed from the name.

    Examples
    --------
    >>> DeclaredArtifact("fig", 2, "fig.png").id
    'fig#v2'
    """

    artifact_id: str
    version: int
    path: str
    content_hash: str | None = None
    media_type: str | None = None

    @property
    def id(self) -> str:
        """The public id of the version."""
        return f"{self.artifact_id}#v{self.version}"

    def to_dict(self) -> Wire:
        """Return what a client needs; the contract has no such route."""
        return {
            "status": "ok",
            "artifact_id": self.artifact_id,
            "version": self.version,
            "content_hash": self.content_hash,
        }


@dataclass(frozen=True, slots=True)
class LinkedClaims(Kept):
    """Claims were linked to the report version that states them.

    Attributes
    ----------
    artifact_id : str
        The report, without version.
    version : int
        Its version.
    linked : int
        Entries of the request, a claim named twice counting twice.
    references : int
        Entries of the report's alias map now.
    """

    artifact_id: str
    version: int
    linked: int
    references: int = 0

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "ok", "artifact_id": self.artifact_id, "linked": self.linked}


@dataclass(frozen=True, slots=True)
class CleanedSession(Kept):
    """A session was forgotten; its artifacts are marked and stay.

    Attributes
    ----------
    marked, deleted : int
        Artifacts marked, other nodes deleted.
    """

    marked: int
    deleted: int

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "healthy", "marked": self.marked, "deleted": self.deleted}


@dataclass(frozen=True, slots=True)
class CleanedProject(Kept):
    """Sessions and the artifacts of a project were forgotten.

    Attributes
    ----------
    deleted : int
        Nodes deleted.
    """

    deleted: int

    def to_dict(self) -> Wire:
        """Return the wire body."""
        return {"status": "healthy", "deleted": self.deleted}
