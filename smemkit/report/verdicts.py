# SPDX-License-Identifier: Apache-2.0
"""Audit: what an audit of a report says, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from smemkit import display
from smemkit.answers import NodeView, Reason, Trace

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
    "doubts": "object",
}
LISTS = tuple(name for name, kind in COLUMNS.items() if kind == "object")
HOLDS = ("complete", "uncited")


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
    why : tuple of Reason
        All that was found, with the chains.
    traces : tuple of Trace
        The walk from each supporter.
    claim_texts : tuple of str
        What those claims say, in the order of `claims`.
    doubtful : tuple of Reason
        Those of `why` that change no verdict.
    """

    n: int
    sentence: str
    line: int | None
    section: str
    aliases: tuple[str, ...]
    claims: tuple[str, ...]
    supports: tuple[str, ...]
    verdict: str
    why: tuple[Reason, ...]
    traces: tuple[Trace, ...] = field(default=(), repr=False)
    claim_texts: tuple[str, ...] = field(default=(), repr=False)
    doubtful: tuple[Reason, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """All that was found, in words, with the chains."""
        return tuple(map(str, self.why))

    @property
    def doubts(self) -> tuple[str, ...]:
        """Those of the reasons that change no verdict."""
        return tuple(map(str, self.doubtful))

    @property
    def at_fault(self) -> bool:
        """True if it does not hold, or if there is a doubt about it."""
        return self.verdict not in HOLDS or bool(self.doubtful)

    @property
    def telling(self) -> tuple[str, ...]:
        """The reasons that a reader has to see: all, of what holds the doubts."""
        return self.doubts if self.verdict in HOLDS else self.reasons

    @property
    def word(self) -> str:
        """The verdict as it is printed: of what holds, a doubt about it is told."""
        doubted = self.verdict == "complete" and bool(self.doubtful)
        return f"{self.verdict}, but" if doubted else self.verdict

    @property
    def shown(self) -> str:
        """What a reader sees: the sentence, without a text the claims it stands for."""
        claims = zip(self.claims, self.claim_texts, strict=False)
        return self.sentence or "; ".join(f"claim {c}: {said}" for c, said in claims)

    def to_dict(self) -> dict[str, object]:
        """Return the row as plain data, without its traces."""
        return {
            n: list(v) if n in LISTS else v for n in COLUMNS for v in [getattr(self, n)]
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
    remarks : tuple of Reason
        What has to be known about the audit itself.
    has_text : bool
        False if the text was not at hand: then there is one row per claim.
    wrong : tuple of Reason
        Those of the remarks that tell of a fault: nothing was audited, a claim in no
        sentence does not hold, a file is not the declared one.
    """

    report: NodeView
    rows: tuple[AuditRow, ...]
    unused_claims: tuple[str, ...] = ()
    unused_references: tuple[str, ...] = ()
    remarks: tuple[Reason, ...] = ()
    has_text: bool = True
    wrong: tuple[Reason, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known about the audit itself, in words."""
        return tuple(map(str, self.remarks))

    @property
    def faults(self) -> tuple[str, ...]:
        """Those of the notes that tell of a fault."""
        return tuple(map(str, self.wrong))

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences have each verdict, worst first; all words are there."""
        return {word: sum(r.verdict == word for r in self.rows) for word in VERDICTS}

    @property
    def ok(self) -> bool:
        """True if every sentence that carries a chip is complete, and no note is a fault."""
        return not self.wrong and all(row.verdict in HOLDS for row in self.rows)

    @property
    def at_fault(self) -> tuple[AuditRow, ...]:
        """The rows that do not hold, or about which there is a doubt."""
        return tuple(row for row in self.rows if row.at_fault)

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
        """Return one row per sentence.

        Returns
        -------
        DataFrame
            ``n``, ``line``, ``section``, ``verdict``, ``sentence``; and as lists
            ``aliases``, ``claims``, ``supports``, ``reasons``, ``claim_texts`` and
            ``doubts``, which `AuditRow` explains.
        """
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
            "faults": list(self.faults),
        }

    def text(self, *, faults: bool = False) -> str:
        """Return the audit as text: its table, then what is at fault, by line.

        Parameters
        ----------
        faults : bool, default False
            Only what is at fault.
        """
        told = [f"! {display.line(fault)}" for fault in self.faults]
        rows = [
            (row.n, row.line, f"{MARKS[row.verdict]} {row.word}", row.shown)
            for row in self.rows
        ]
        names = ["n", "line", "verdict", "sentence"]
        head, _, table = display.text_table(self.summary, names, rows).partition("\n")
        lines = [head, *told] if faults else [head, *told, table]
        listed = [row for row in self.rows if row.telling or (faults and row.at_fault)]
        if listed and not faults:
            lines.append("")
        for row in listed:
            at = "" if row.line is None else f", line {row.line}"
            said = f"{row.n}{at}, {row.word}: {row.shown}"
            lines.append("  " + display.line(said))
            lines += [f"    {display.line(each)}" for each in row.telling]
        return "\n".join([*lines, *map(display.line, self._notes())])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Audit {display.line(self.summary)}>"

    def _notes(self) -> list[str]:
        """Return what is said below the rows; the faults stand above them."""
        notes = [note for note in self.notes if note not in self.faults]
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
            faults=self.faults,
            unfolded={row.n for row in self.at_fault},
        )
