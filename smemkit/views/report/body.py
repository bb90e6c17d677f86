# SPDX-License-Identifier: Apache-2.0
"""A report's text as its page shows it: chips, marks and pictures put in.

A chip is a button that points at what its alias stands for; the mark behind a
sentence is a sign and, for who cannot see it, a word.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from urllib.parse import unquote

from smemkit.records import Node
from smemkit.report.audit import ALIAS
from smemkit.report.catalog import Reference, target_of
from smemkit.report.markdown_html import html_of, safe
from smemkit.report.sentences import Part
from smemkit.report.verdicts import MARKS, Audit, AuditRow
from smemkit.views.explorer.carried import shown
from smemkit.views.report.cards import Cards

REASONS = 8
REASON = 500
"""Reasons of one sentence that a page carries, and the characters of each."""


class Body:
    """One report being written out: what `smemkit.report.markdown_html` asks for.

    Parameters
    ----------
    audit : Audit
        What was found.
    cards : Cards
        Takes what the chips stand for.
    references : Mapping
        What each alias stands for.
    words : Mapping
        The captions.
    """

    def __init__(
        self,
        audit: Audit,
        cards: Cards,
        references: Mapping[str, tuple[Reference, ...]],
        words: Mapping[str, str],
    ) -> None:
        self.audit = audit
        self.cards = cards
        self.references = references
        self.words = words
        self.chips: list[dict[str, object]] = []
        self.rows: dict[str, dict[str, object]] = {}
        self._chip_of: dict[str, int] = {}
        self._by_id: dict[str, list[Reference]] = {}
        for reference in (r for refs in references.values() for r in refs):
            self._by_id.setdefault(reference.id, []).append(reference)
        self._waiting = 0
        self._folder = posixpath.dirname(str(cards.report.props.get("path") or ""))

    def written(self, text: str | None) -> str:
        """Return the HTML: of the text, else of the claims the report states."""
        if text is not None:
            return html_of(text, self)
        items = []
        for row in self.audit.rows:
            said = safe("; ".join(row.claim_texts) or row.shown)
            chips = "".join(
                self._support(trace.start.id or "", card)
                for trace in row.traces
                if (card := self._card(trace.start.storage_id, row)) is not None
            )
            items.append(
                f'<li><span class="s" data-n="{row.n}">{said}</span> {chips}{self.mark(row.n)}</li>'
            )
        return f"<ol>{''.join(items)}</ol>\n" if items else ""

    # -- what a text asks for --------------------------------------------------------

    def number(self, part: Part) -> int | None:
        """Return the number of a sentence that the audit counts, else None."""
        rows = self.audit.rows
        if self._waiting >= len(rows):
            return None
        row, sentence = rows[self._waiting], part.sentence
        if (row.sentence, row.line) != (sentence.text, sentence.line):
            return None
        self._waiting += 1
        return row.n

    def mark(self, number: int) -> str:
        """Return the mark behind a sentence; one that carries a chip can be opened."""
        row = self.audit.rows[number - 1]
        sign = MARKS[row.verdict]
        word = safe(self.words[f"verdict.{row.verdict}"])
        look = f'class="m {row.verdict.replace(" ", "-")}" title="{word}"'
        if row.verdict == "uncited":
            return f'<span {look} role="img" aria-label="{word}">{sign}</span>'
        self._row(row)
        name = safe(self.words["report.mark"].format(n=number, verdict=word))
        return f'<button type="button" {look} data-m="{number}" aria-label="{name}">{sign}</button>'

    def chip(self, alias: str) -> str | None:
        """Return the chip of an alias; what looks like one and is none says so."""
        if alias not in self._chip_of:
            known = self.references.get(alias) or tuple(self._by_id.get(alias, ()))
            if not known and not ALIAS.fullmatch(alias):
                return None
            self._chip_of[alias] = len(self.chips)
            meant = [self._reference(reference) for reference in known]
            self.chips.append({"alias": shown(alias), "refs": meant})
        number = self._chip_of[alias]
        refs = self.chips[number]["refs"]
        lost = "" if refs else " unknown"
        sign = "" if refs else '<span aria-hidden="true"> ?</span>'
        name = ""
        if not refs:
            told = safe(f"[{alias}]: {self.words['verdict.unknown alias']}")
            name = f' aria-label="{told}" title="{told}"'
        return (
            f'<button class="c{lost}" data-c="{number}"{name}>'
            f"[{safe(alias)}]{sign}</button>"
        )

    def picture(self, source: str, words: str) -> str:
        """Return a declared picture of the workspace, else its words and its path."""
        path = posixpath.normpath(posixpath.join(self._folder, unquote(source)))
        number = -1
        if not re.match(r"[a-z][a-z0-9+.-]*:|//", source, re.IGNORECASE):
            number = self.cards.picture_of(path)
        if number >= 0 and self.cards.files[number]["kind"] == "picture":
            return f'<span class="pic" data-f="{number}">{safe(words or source)}</span>'
        told = safe(self.words["report.no_picture"])
        return (
            f'<span class="nopic" title="{told}">▣ {safe(words)} '
            f"<small>{safe(unquote(source)[:300])} · {told}</small></span>"
        )

    # -- what stands behind it -------------------------------------------------------

    def _reference(self, reference: Reference) -> dict[str, object]:
        node = target_of(self.cards.graph, self.cards.report, reference)
        made: dict[str, object] = {
            "kind": shown(reference.kind),
            "id": shown(_pinned(reference)),
            "card": -2 if node is None else self.cards.card(node),
        }
        if reference.claim_id:
            made["claim"] = shown(reference.claim_id)
        return made

    def _support(self, name: str, card: int) -> str:
        """Return the chip of a node that no alias stands for."""
        node = (
            self.cards.nodes[_number(self.cards.cards[card]["node"])]
            if card >= 0
            else {}
        )
        caption = safe(str(node.get("caption") or name))
        key = f"\0{card}"
        if key not in self._chip_of:
            self._chip_of[key] = len(self.chips)
            ref = {"kind": "", "id": shown(name), "card": card}
            alias = shown(str(node.get("caption") or name))
            self.chips.append({"alias": alias, "refs": [ref]})
        number = self._chip_of[key]
        return (
            f'<button type="button" class="c" data-c="{number}">[{caption}]</button> '
        )

    def _card(self, storage_id: str, row: AuditRow) -> int | None:
        node: Node | None = self.cards.graph.node(storage_id)
        if node is None:
            return None
        trace = next(t for t in row.traces if t.start.storage_id == storage_id)
        return self.cards.card(node, trace)

    def _row(self, row: AuditRow) -> None:
        why = row.doubtful if row.verdict == "complete" else row.why
        said = [each.said(self.words) for each in why[:REASONS]]
        cards = [self._card(trace.start.storage_id, row) for trace in row.traces]
        self.rows[str(row.n)] = {
            "verdict": row.verdict,
            "line": row.line or 0,
            "reasons": [shown(each[:REASON]) for each in said],
            "more": max(len(why) - REASONS, 0),
            "claims": [
                [shown(claim), shown(said[:REASON])]
                for claim, said in zip(row.claims, row.claim_texts, strict=False)
            ],
            "cards": [card for card in cards if card is not None],
        }


def _pinned(reference: Reference) -> str:
    if reference.version is None:
        return reference.id
    base = reference.id.rpartition("#v")[0] or reference.id
    return f"{base}#v{reference.version}"


def _number(value: object) -> int:
    return value if isinstance(value, int) else -1
