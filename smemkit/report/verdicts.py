# SPDX-License-Identifier: Apache-2.0
"""Audit: what an audit of a report says, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from smemkit import display
from smemkit.answers import NodeView, Trace

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = (
    "unknown alias",
    "unlinked claim",
    "broken",
    "truncated",
    "superseded",
    "complete",
    "uncited",
)
"""Worst first; `uncited` is no judgement: the sentence carries no chip."""

MARKS = {
    "unknown alias": "?",
    "unlinked claim": "⚠",
    "broken": "✗",
    "truncated": "…",
    "superseded": "↻",
    "complete": "✓",
    "uncited": "·",
}
"""One sign for each verdict, so that none is told by colour alone."""

COLUMNS = {
    "n": "Int64",
    "line": "Int64",
    "section": "string",
    "verdict": "string",
    "sentence": "string",
    "aliases": "object",
    "claims": "object",
    "supports": "object",
    "reasons": "object",
    "claim_texts": "object",
}


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One sentence, and whether what it rests on holds.

    Attributes
    ----------
    n : int
        Its number, from 1.
    sentence : str
        Its text; empty where the row stands for a claim without a text.
    line : int or None
        Its line in the Markdown, from 1.
    section : str
        The headings it stands under.
    aliases : tuple of str
        The chips it carries.
    claims : tuple of str
        The ids of the claims it states.
    supports : tuple of str
        The ids of what supports them.
    verdict : str
        The worst that was found, a word of `VERDICTS`.
    reasons : tuple of str
        All that was found, in words, with the chains.
    traces : tuple of Trace
        The walk from each supporter.
    claim_texts : tuple of str
        What those claims say, in the order of `claims`.
    """

    n: int
    sentence: str
    line: int | None
    section: str
    aliases: tuple[str, ...]
    claims: tuple[str, ...]
    supports: tuple[str, ...]
    verdict: str
    reasons: tuple[str, ...]
    traces: tuple[Trace, ...] = field(default=(), repr=False)
    claim_texts: tuple[str, ...] = field(default=(), repr=False)

    @property
    def shown(self) -> str:
        """What a reader sees: the sentence, without a text the claims it stands for."""
        claims = zip(self.claims, self.claim_texts, strict=False)
        return self.sentence or "; ".join(f"claim {c}: {said}" for c, said in claims)

    def to_dict(self) -> dict[str, object]:
        """Return the row as plain data, without its traces."""
        listed = ("aliases", "claims", "supports", "reasons", "claim_texts")
        names = ("n", "line", "section", "verdict", "sentence", *listed)
        return {
            n: list(v) if n in listed else v for n in names for v in [getattr(self, n)]
        }


@dataclass(frozen=True, slots=True)
class Audit(Sequence[AuditRow]):
    """A report, sentence by sentence.

    Attributes
    ----------
    report : NodeView
        The report version.
    rows : tuple of AuditRow
        One per sentence, in the order of the text.
    unused_claims : tuple of str
        Claims the report states that no sentence carries.
    unused_references : tuple of str
        Aliases the report keeps that its text does not use.
    notes : tuple of str
        What has to be known about the audit itself.
    has_text : bool
        False if the text was not at hand: then there is one row per claim.
    """

    report: NodeView
    rows: tuple[AuditRow, ...]
    unused_claims: tuple[str, ...] = ()
    unused_references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    has_text: bool = True

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences have each verdict, worst first; all words are there."""
        return {word: sum(r.verdict == word for r in self.rows) for word in VERDICTS}

    @property
    def ok(self) -> bool:
        """True if every sentence that carries a chip is complete."""
        return all(row.verdict in ("complete", "uncited") for row in self.rows)

    @property
    def summary(self) -> str:
        """The audit in one line."""
        counts = [f"{n} {word}" for word, n in self.counts.items() if n]
        cited = sum(row.verdict != "uncited" for row in self.rows)
        word = "sentence" if self.has_text else "claim"
        plural = "" if len(self.rows) == 1 else "s"
        line = f"{self.report.id}: {len(self.rows)} {word}{plural}"
        if counts:
            line += f" ({', '.join(counts)})"
        if self.has_text:
            line += f"; {cited} of {len(self.rows)} carry a chip"
        if self.unused_claims:
            count = len(self.unused_claims)
            said = "1 stated claim is" if count == 1 else f"{count} stated claims are"
            line += f"; {said} in no sentence"
        return line

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> AuditRow: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[AuditRow, ...]: ...

    def __getitem__(self, place: int | slice) -> AuditRow | tuple[AuditRow, ...]:
        return self.rows[place]

    def __iter__(self) -> Iterator[AuditRow]:
        return iter(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per sentence: n, line, section, verdict, sentence and lists."""
        from smemkit import tables

        return tables.frame(
            COLUMNS, (tuple(r.to_dict()[c] for c in COLUMNS) for r in self.rows)
        )

    def to_dict(self) -> dict[str, object]:
        """Return the audit as plain data."""
        return {
            "report": self.report.id,
            "summary": self.summary,
            "ok": self.ok,
            "counts": self.counts,
            "rows": [row.to_dict() for row in self.rows],
            "unused_claims": list(self.unused_claims),
            "unused_references": list(self.unused_references),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        rows = [(r.n, f"{MARKS[r.verdict]} {r.verdict}", r.shown) for r in self.rows]
        lines = [display.text_table(self.summary, ["n", "verdict", "sentence"], rows)]
        for row in self.rows:
            if row.verdict != "complete":
                lines += [f"  {row.n}: {display.line(each)}" for each in row.reasons]
        return "\n".join([*lines, *map(display.line, self._notes())])

    def __repr__(self) -> str:
        return f"<Audit {display.line(self.summary)}>"

    def _notes(self) -> list[str]:
        notes = list(self.notes)
        if self.unused_claims:
            notes.append("stated, but in no sentence: " + ", ".join(self.unused_claims))
        if self.unused_references:
            notes.append("kept, but not used: " + ", ".join(self.unused_references))
        return notes

    def _repr_html_(self) -> str:
        return display.audit_table(
            self.summary,
            [(r.n, MARKS[r.verdict], r.verdict, r.shown, r.reasons) for r in self.rows],
            self._notes(),
        )
