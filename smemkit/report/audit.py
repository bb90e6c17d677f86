# SPDX-License-Identifier: Apache-2.0
"""Whether what a report says holds: each sentence, from its chips to the goal.

A sentence's claims are those stated in this version that a target of one of its
chips supports. Each supporter of each claim is traced alone: a good source does
not hide a bad one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from smemkit.answers import NodeView, Reason, Trace
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.report.catalog import (
    Reference,
    ReportText,
    references_of,
    report_node,
    report_text,
    stating,
    target_of,
)
from smemkit.report.files import folder_of
from smemkit.report.grounds import Grounds
from smemkit.report.markdown import is_read_whole
from smemkit.report.sentences import Sentence, sentences
from smemkit.report.verdicts import VERDICTS, Audit, AuditRow
from smemkit.report.walks import Walks, id_of, newer_version

ALIAS = re.compile(r"(?:evidence|artifact|sourcefile|dbrecord|ev)\d+", re.IGNORECASE)
"""A bracketed word of this shape is meant as a chip, also without reference."""

_NEARLY = re.compile(
    r"(?:(?<!\[)\[++|【)\s*(?:evidence|artifact|sourcefile|dbrecord|ev)[\s_#-]*\d+"
    r"(?:\s*[,;，、]\s*\w+(?:\s+\d+)?)*\s*(?:\]+|】)",
    re.IGNORECASE,
)
"""What a writer took for a chip, and no reader of chips does."""

_NAMED = 5
_FILES = 20


def audit(
    graph: Graph,
    report: str,
    *,
    text: str | None = None,
    references: Iterable[Mapping[str, object]] | None = None,
    files: str | os.PathLike[str] | None = None,
    max_hops: int = 8,
) -> Audit:
    """Say for each sentence of a report whether what it rests on holds.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    report : str
        The report's id; ``#v<n>`` means that version, else the highest. Its path
        will do where no other artifact has the same.
    text : str, optional
        The report's Markdown.
    references : list of dict, optional
        What its chips stand for: ``label``, ``kind``, ``id`` and where they
        apply ``version``, ``claim_id``. Default: those the memory keeps.
    files : path, optional
        The folder that holds the report's file; it is read if its SHA-256 is
        the declared one. Without text and file there is one row per claim. Also,
        the file of each artifact and upload that a claim rests on, and that the
        runs behind it read, is compared with its declared SHA-256.
    max_hops : int, default 8
        Layers of a chain that are walked, 1 to 32, as for `trace_provenance`.

    Returns
    -------
    Audit
        One row per sentence; its verdict is the worst that was found, of
        ``unknown alias``, ``unlinked claim``, ``broken``, ``truncated``,
        ``superseded``, ``complete``; ``uncited`` carries no chip. What changes no
        verdict is told in the row's ``doubts``: an input of a run that does not
        reach the goal or was superseded, a run that failed, a file that differs.

    Raises
    ------
    NodeNotFound
        No artifact has this id; lists the reports.
    BadRequest
        A reference, the folder or `max_hops` is not what it should be, `text` is
        the name of a file, or the path is that of several artifacts.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> fig = mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    >>> claim = mem.declare_claim("It fits.", cites_artifact_aliases={"artifact1": "fig"})
    >>> made = mem.declare_artifact("report.md", artifact_id="report")
    >>> done = mem.link_claims_to_report("report", artifact_version=1, claim_ids=[claim.claim_id])
    >>> chips = [{"label": "artifact1", "kind": "artifact", "id": "fig"}]
    >>> mem.audit("report", text="It fits [artifact1].", references=chips)[0].verdict
    'broken'
    """
    walks = Walks(graph, max_hops)
    node = report_node(graph, report)
    folder = None if files is None else folder_of(files)
    judge = _Judge(graph, node, references_of(node, references), walks, folder)
    found = report_text(node, text, files)
    if found.text is None:
        claims = enumerate(judge.stated.values(), 1)
        rows = tuple(judge.claim(n, claim) for n, claim in claims)
        return _told(judge, found, Audit(NodeView.of(node), rows, has_text=False))
    kept = [s for s in sentences(found.text) if _counts(s, judge)]
    rows = tuple(judge.sentence(n, sentence) for n, sentence in enumerate(kept, 1))
    carried = {claim for row in rows for claim in row.claims}
    used = {alias for row in rows for alias in row.aliases}
    whole = Audit(
        NodeView.of(node),
        rows,
        tuple(
            name for name in map(id_of, judge.stated.values()) if name not in carried
        ),
        tuple(label for label in judge.references if label not in used),
    )
    return _told(judge, found, whole)


def _told(judge: _Judge, found: ReportText, whole: Audit) -> Audit:
    """Return an audit with what has to be known about it, and what is wrong with it."""
    notes = [] if found.note is None else [(found.note, found.fault)]
    if not judge.stated:
        notes.append((_nothing(judge), True))
    elif whole.has_text and all(row.verdict == "uncited" for row in whole):
        asked = Reason("report.uncited", report=id_of(judge.report))
        notes.append((asked, True))
    unused = set(whole.unused_claims)
    for claim in judge.stated.values():
        if id_of(claim) in unused:
            notes += judge.unseen(claim)
    if found.text is not None and not is_read_whole(found.text):
        notes.append((Reason("text.deep"), True))
    differing = list(judge.grounds.differing.values())
    notes += [(each, True) for each in differing[:_FILES]]
    if len(differing) > _FILES:
        more = f"{len(differing) - _FILES:,}"
        notes.append((Reason("differs.more", n=more), True))
    kept = {str(note): (note, is_fault) for note, is_fault in notes}.values()
    wrong = tuple(note for note, is_fault in kept if is_fault)
    return replace(whole, remarks=tuple(note for note, _ in kept), wrong=wrong)


def _nothing(judge: _Judge) -> Reason:
    report = id_of(judge.report)
    others = ", ".join(stating(judge.graph)[:_NAMED])
    if not others:
        return Reason("report.unlinked", report=report)
    return Reason("report.others", report=report, others=others)


def _counts(sentence: Sentence, judge: _Judge) -> bool:
    """Return whether it is a sentence: a heading or table row only with a chip."""
    return sentence.kind == "text" or bool(judge.aliases(sentence))


@dataclass
class _Finding:
    """What was found about one sentence so far."""

    words: set[str] = field(default_factory=set)
    why: dict[str, Reason] = field(default_factory=dict)
    doubtful: dict[str, Reason] = field(default_factory=dict)
    claims: dict[str, Node] = field(default_factory=dict)
    supports: dict[str, Node] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)

    def add(self, word: str, reason: Reason) -> None:
        """Note one finding and its reason."""
        self.words.add(word)
        self.why[str(reason)] = reason

    def doubt(self, reason: Reason) -> None:
        """Note a reason that changes no verdict."""
        self.why[str(reason)] = self.doubtful[str(reason)] = reason

    def row(
        self, n: int, sentence: Sentence | None, aliases: tuple[str, ...]
    ) -> AuditRow:
        """Return the row: the worst word, all reasons."""
        return AuditRow(
            n,
            sentence.text if sentence else "",
            sentence.line if sentence else None,
            sentence.section if sentence else "",
            aliases,
            tuple(map(id_of, self.claims.values())),
            tuple(map(id_of, self.supports.values())),
            next((word for word in VERDICTS if word in self.words), "uncited"),
            tuple(self.why.values()),
            tuple(self.traces),
            tuple(str(c.props.get("content") or "") for c in self.claims.values()),
            tuple(self.doubtful.values()),
        )


class _Judge:
    """One audit under way: what the report states, and traces already walked."""

    def __init__(
        self,
        graph: Graph,
        report: Node,
        references: Mapping[str, tuple[Reference, ...]],
        walks: Walks,
        folder: Path | None,
    ) -> None:
        self.graph = graph
        self.report = report
        self.references = references
        self.walks = walks
        self.grounds = Grounds(graph, walks, folder)
        self.by_id: dict[str, tuple[Reference, ...]] = {}
        for reference in (r for refs in references.values() for r in refs):
            known = self.by_id.get(reference.id, ())
            self.by_id[reference.id] = (*known, reference)
        claims = (graph.node(edge.src) for edge in graph.into(report.id, "stated_in"))
        self.stated = {c.id: c for c in claims if c is not None and c.label == "Claim"}
        self._doubts: dict[str, tuple[Reason, ...]] = {}

    def aliases(self, sentence: Sentence) -> tuple[str, ...]:
        """Return the tokens of a sentence that are chips, or were meant as such."""
        return tuple(
            token
            for token in sentence.tokens
            if token in self.references or token in self.by_id or ALIAS.fullmatch(token)
        )

    def sentence(self, n: int, sentence: Sentence) -> AuditRow:
        """Judge one sentence."""
        aliases = self.aliases(sentence)
        finding = _Finding()
        for alias in aliases:
            self._alias(finding, alias)
        chips = {f"[{alias}]" for alias in aliases}
        for found in _NEARLY.findall(sentence.text):
            if found not in chips:
                finding.doubt(Reason("chip.like", found=found))
        for claim in list(finding.claims.values()):
            self._claim(finding, claim)
        return finding.row(n, sentence, aliases)

    def claim(self, n: int, claim: Node) -> AuditRow:
        """Judge one claim of a report whose text is not at hand."""
        finding = _Finding(claims={claim.id: claim})
        self._claim(finding, claim)
        return finding.row(n, None, ())

    def unseen(self, claim: Node) -> list[tuple[Reason, bool]]:
        """Say what is wrong with a claim that no sentence carries, if it is a fault."""
        row = self.claim(0, claim)
        is_fault = row.verdict != "complete"
        told = row.why if is_fault else row.doubtful
        said = Reason(f"unseen.{row.verdict}", claim=id_of(claim), reasons=told)
        return [(said, is_fault)] if told else []

    def _alias(self, finding: _Finding, alias: str) -> None:
        references = self.references.get(alias) or self.by_id.get(alias)
        if not references:
            finding.add("unknown alias", Reason("chip.unknown", alias=alias))
            return
        absent, idle, linked = [], [], False
        for reference in references:
            target = target_of(self.graph, self.report, reference)
            claims = [] if target is None else self._claims_of(target, reference)
            finding.claims.update((claim.id, claim) for claim in claims)
            linked = linked or bool(claims)
            if target is None:
                what = _name(reference)
                absent.append(Reason("chip.absent", alias=alias, what=what))
            elif not claims:
                idle.append(self._idle(alias, target, reference))
        for reason in (*absent, *idle):
            # What another meaning of the alias supports is judged; this is told.
            if linked:
                finding.doubt(reason)
            else:
                finding.add("unlinked claim", reason)

    def _idle(self, alias: str, target: Node, reference: Reference) -> Reason:
        """Say what an alias leads to that no claim rests on."""
        what, report = _name(reference), str(self.report.public_id)
        said = Reason("chip.idle", alias=alias, what=what, report=report)
        if reference.claim_id is not None:
            claim = reference.claim_id
            said = Reason(
                "chip.elsewhere", alias=alias, what=what, claim=claim, report=report
            )
        if target.label != "Artifact" or reference.version is not None:
            return said
        others = [
            other.public_id or ""
            for other in self.graph.named(str(target.props.get("artifact_id")))
            if other.id != target.id and self._claims_of(other, reference)
        ]
        if not others:
            return said
        meant, named = str(target.public_id), ", ".join(others)
        return Reason("chip.version", said=said, meant=meant, others=named)

    def _claims_of(self, target: Node, reference: Reference) -> list[Node]:
        found = {
            edge.dst: self.stated.get(edge.dst)
            for edge in self.graph.out(target.id, "supports")
        }
        return [
            claim
            for claim in found.values()
            if claim is not None and reference.claim_id in (None, claim.public_id)
        ]

    def _claim(self, finding: _Finding, claim: Node) -> None:
        supporters = [
            self.graph.node(e.src) for e in self.graph.into(claim.id, "supports")
        ]
        known = [s for s in supporters if s is not None]
        if not known:
            finding.add("broken", Reason("claim.bare", claim=id_of(claim)))
        for supporter in known:
            if supporter.id in finding.supports:
                continue
            finding.supports[supporter.id] = supporter
            trace, chain = self.walks.of(supporter)
            finding.traces.append(trace)
            finding.add(trace.verdict, chain)
            newer = newer_version(self.graph, supporter)
            if newer is not None:
                old = id_of(supporter)
                finding.add("superseded", Reason("superseded", old=old, new=newer))
            if supporter.id not in self._doubts:
                self._doubts[supporter.id] = tuple(self.grounds.doubts(supporter))
            for doubt in self._doubts[supporter.id]:
                finding.doubt(doubt)


def _name(reference: Reference) -> str:
    pinned = "" if reference.version is None else f"#v{reference.version}"
    return f"{reference.kind} {reference.id}{pinned}"
