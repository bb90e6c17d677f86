# SPDX-License-Identifier: Apache-2.0
"""Whether what a report says holds: each sentence, from its chips to the goal.

A sentence's claims are those stated in this version that a target of one of its
chips supports. Each supporter of each claim is traced alone: a good source does
not hide a bad one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from smemkit.answers import NodeView, Trace
from smemkit.graph import Graph
from smemkit.reading.trace import trace_from
from smemkit.records import Node
from smemkit.report.catalog import (
    Reference,
    references_of,
    report_node,
    report_text,
    target_of,
)
from smemkit.report.sentences import Sentence, sentences
from smemkit.report.verdicts import VERDICTS, Audit, AuditRow

ALIAS = re.compile(r"(?:evidence|artifact|sourcefile|dbrecord|ev)\d+", re.IGNORECASE)
"""A bracketed word of this shape is meant as a chip, also without reference."""

_NEARLY = re.compile(
    rf"(?:\[+|【)\s*{ALIAS.pattern}(?:\s*[,;，、]\s*\w+)*\s*(?:\]+|】)", re.IGNORECASE
)
"""What a writer took for a chip, and no reader of chips does."""


def audit(
    graph: Graph,
    report: str,
    *,
    text: str | None = None,
    references: Iterable[Mapping[str, object]] | None = None,
    files: str | os.PathLike[str] | None = None,
) -> Audit:
    """Say for each sentence of a report whether what it rests on holds.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    report : str
        The report's id; ``#v<n>`` means that version, else the highest.
    text : str, optional
        The report's Markdown.
    references : list of dict, optional
        What its chips stand for: ``label``, ``kind``, ``id`` and where they
        apply ``version``, ``claim_id``. Default: those the memory keeps.
    files : path, optional
        The folder that holds the report's file; it is read if its SHA-256 is
        the declared one. Without text and file there is one row per claim.

    Returns
    -------
    Audit
        One row per sentence; its verdict is the worst that was found, of
        ``unknown alias``, ``unlinked claim``, ``broken``, ``truncated``,
        ``superseded``, ``complete``; ``uncited`` carries no chip.

    Raises
    ------
    NodeNotFound
        No artifact has this id; lists the reports.
    BadRequest
        A reference or the folder is not what it should be.

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
    node = report_node(graph, report)
    judge = _Judge(graph, node, references_of(node, references))
    found = report_text(node, text, files)
    notes = [found.note] if found.note else []
    if not judge.stated:
        notes.append("no claim is linked to this version of the report")
    if found.text is None:
        rows = [
            judge.claim(n, claim) for n, claim in enumerate(judge.stated.values(), 1)
        ]
        return Audit(NodeView.of(node), tuple(rows), notes=tuple(notes), has_text=False)
    kept = [s for s in sentences(found.text) if _counts(s, judge)]
    rows = [judge.sentence(n, sentence) for n, sentence in enumerate(kept, 1)]
    carried = {claim for row in rows for claim in row.claims}
    used = {alias for row in rows for alias in row.aliases}
    unused = [c for c in judge.stated.values() if _id(c) not in carried]
    notes += [note for claim in unused for note in judge.unseen(claim)]
    return Audit(
        NodeView.of(node),
        tuple(rows),
        tuple(map(_id, unused)),
        tuple(label for label in judge.references if label not in used),
        tuple(notes),
    )


def _counts(sentence: Sentence, judge: _Judge) -> bool:
    """Return whether it is a sentence: a heading or table row only with a chip."""
    return sentence.kind == "text" or bool(judge.aliases(sentence))


@dataclass
class _Finding:
    """What was found about one sentence so far."""

    words: set[str] = field(default_factory=set)
    reasons: dict[str, None] = field(default_factory=dict)
    claims: dict[str, Node] = field(default_factory=dict)
    supports: dict[str, Node] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)

    def add(self, word: str, reason: str) -> None:
        """Note one finding and its reason."""
        self.words.add(word)
        self.reasons[reason] = None

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
            tuple(map(_id, self.claims.values())),
            tuple(map(_id, self.supports.values())),
            next((word for word in VERDICTS if word in self.words), "uncited"),
            tuple(self.reasons),
            tuple(self.traces),
            tuple(str(c.props.get("content") or "") for c in self.claims.values()),
        )


class _Judge:
    """One audit under way: what the report states, and traces already walked."""

    def __init__(
        self,
        graph: Graph,
        report: Node,
        references: Mapping[str, tuple[Reference, ...]],
    ) -> None:
        self.graph = graph
        self.report = report
        self.references = references
        self.by_id: dict[str, tuple[Reference, ...]] = {}
        for reference in (r for refs in references.values() for r in refs):
            known = self.by_id.get(reference.id, ())
            self.by_id[reference.id] = (*known, reference)
        claims = (graph.node(edge.src) for edge in graph.into(report.id, "stated_in"))
        self.stated = {c.id: c for c in claims if c is not None and c.label == "Claim"}
        self._traces: dict[str, tuple[Trace, str]] = {}

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
        chips = {f"[{token}]" for token in sentence.tokens}
        for found in _NEARLY.findall(sentence.text):
            if found not in chips:
                reason = f"{found} looks like a chip and is none: a chip is [alias]"
                finding.reasons[reason] = None
        for claim in list(finding.claims.values()):
            self._claim(finding, claim)
        return finding.row(n, sentence, aliases)

    def claim(self, n: int, claim: Node) -> AuditRow:
        """Judge one claim of a report whose text is not at hand."""
        finding = _Finding(claims={claim.id: claim})
        self._claim(finding, claim)
        return finding.row(n, None, ())

    def unseen(self, claim: Node) -> Iterator[str]:
        """Say what is wrong with a claim that no sentence carries."""
        row = self.claim(0, claim)
        if row.verdict != "complete":
            yield f"{_id(claim)} is in no sentence, and {row.verdict}: {'; '.join(row.reasons)}"

    def _alias(self, finding: _Finding, alias: str) -> None:
        references = self.references.get(alias) or self.by_id.get(alias)
        if not references:
            finding.add(
                "unknown alias",
                f"[{alias}] stands for nothing in the report's references",
            )
            return
        absent, idle, linked = [], [], False
        for reference in references:
            target = target_of(self.graph, self.report, reference)
            claims = [] if target is None else self._claims_of(target, reference)
            finding.claims.update((claim.id, claim) for claim in claims)
            linked = linked or bool(claims)
            if target is None:
                absent.append(f"{_name(reference)}, which is not in the memory")
            elif not claims:
                idle.append(self._idle(target, reference))
        for what in (*absent, *idle):
            reason = f"[{alias}] stands for {what}"
            # What another meaning of the alias supports is judged; this is told.
            if linked:
                finding.reasons[reason] = None
            else:
                finding.add("unlinked claim", reason)

    def _idle(self, target: Node, reference: Reference) -> str:
        """Say in words what a reference leads to that no claim rests on."""
        said = f"{_name(reference)}, but no claim stated in {self.report.public_id} rests on it"
        if reference.claim_id is not None:
            said = (
                f"{_name(reference)} in the claim {reference.claim_id}, which is not "
                f"stated in {self.report.public_id} or does not rest on it"
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
        return (
            f"{said}: without a version it means {target.public_id}, "
            f"and the claim rests on {', '.join(others)}"
        )

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
            finding.add("broken", f"nothing supports the claim {_id(claim)}")
        for supporter in known:
            if supporter.id in finding.supports:
                continue
            finding.supports[supporter.id] = supporter
            trace, words = self._trace(supporter)
            finding.traces.append(trace)
            finding.add(trace.verdict, words)
            newer = newer_version(self.graph, supporter)
            if newer is not None:
                finding.add("superseded", f"{_id(supporter)} is superseded by {newer}")

    def _trace(self, node: Node) -> tuple[Trace, str]:
        """Walk from a supporter, once; return the walk and what it says."""
        if node.id not in self._traces:
            name = _id(node)
            trace = trace_from(self.graph, node, name=name, session_id=node.session_id)
            self._traces[node.id] = trace, _in_words(trace, name)
        return self._traces[node.id]


def newer_version(graph: Graph, node: Node) -> str | None:
    """Return the highest later version of an artifact, else what replaces it."""
    if node.label != "Artifact":
        return None
    own = _version(node)
    later = [
        other
        for other in graph.named(str(node.props.get("artifact_id")))
        if other.label == "Artifact" and _version(other) > own >= 0
    ]
    edges = graph.into(node.id, "supersedes")
    later = later or [n for e in edges if (n := graph.node(e.src))]
    newest = max(later, key=_version, default=None)
    return _id(newest) if newest is not None and newest.id != node.id else None


def _version(node: Node) -> int:
    value = node.props.get("version")
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _id(node: Node) -> str:
    return node.public_id or f"{node.label or 'node'} without id"


def _name(reference: Reference) -> str:
    pinned = "" if reference.version is None else f"#v{reference.version}"
    return f"{reference.kind} {reference.id}{pinned}"


def _in_words(trace: Trace, start: str) -> str:
    ends = [hop for hop in trace.chain if hop.is_terminal] or list(trace.chain)[-1:]
    hops = trace.path_to(ends[0].node.id or "") if ends else ()
    chain = " ← ".join([start, *(hop.node.id or "" for hop in hops)])
    if trace.reached:
        return f"{chain} (reaches the goal)"
    if trace.truncated:
        return f"{chain} ← … ({trace.reason})"
    return f"{chain} ← nothing ({trace.reason})"
