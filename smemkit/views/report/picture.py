# SPDX-License-Identifier: Apache-2.0
"""A still picture of an audited report: verdicts counted, sentences at fault named."""

from __future__ import annotations

from collections.abc import Mapping

from smemkit.report.markdown_html import safe
from smemkit.report.verdicts import VERDICTS, Audit, AuditRow
from smemkit.views.captions import wrap
from smemkit.views.figure.cards import VERDICTS as SIGNS

WIDTH = 760
LISTED = 8
"""Sentences that are written out; the worst come first."""

_FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"


def report_picture(
    audit: Audit, title: str, counted: str, words: Mapping[str, str]
) -> str:
    """Return an audit as one SVG document on a white ground: bars with sign and word.

    Parameters
    ----------
    audit : Audit
        What was found.
    title, counted : str
        The two lines at the top.
    words : Mapping
        The captions.
    """
    parts = [_text(16, 28, " ".join(wrap(title, 92, 1)), 15, bold=True)]
    parts.append(_text(16, 50, counted, 12, colour="#444"))
    y = 70
    counts = {word: n for word, n in audit.counts.items() if n}
    most = max(counts.values(), default=1)
    for word, n in counts.items():
        sign, colour = SIGNS[word]
        wide = max(4.0, 420 * n / most)
        parts.append(_text(16, y + 14, sign, 14, colour=colour, bold=True))
        parts.append(_text(36, y + 14, words[f"verdict.{word}"], 12, colour=colour))
        parts.append(
            f'<rect x="170" y="{y + 2}" width="{wide:.0f}" height="15" fill="{colour}"/>'
        )
        parts.append(_text(178 + round(wide), y + 14, f"{n:,}", 12))
        y += 24
    y += 12
    for row in _worst(audit):
        lines = wrap(f"{row.n}. {row.shown}", 104, 2)
        sign, colour = SIGNS[row.verdict]
        parts.append(_text(16, y + 12, sign, 13, colour=colour))
        for line in lines:
            parts.append(_text(36, y + 12, line, 12))
            y += 17
        y += 5
    height = y + 14
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="{_FONT}" role="img">'
        f"<title>{safe(title)}</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _worst(audit: Audit) -> list[AuditRow]:
    """Return the sentences to write out: those at fault, the worst first."""
    rows = [row for row in audit.rows if row.verdict not in ("complete", "uncited")]
    return sorted(rows, key=lambda row: VERDICTS.index(row.verdict))[:LISTED]


def _text(
    x: int, y: int, text: str, size: int, *, colour: str = "#1b1f24", bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{weight}>'
        f"{safe(text)}</text>"
    )
