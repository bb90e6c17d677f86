# SPDX-License-Identifier: Apache-2.0
"""Small HTML and text renderings, for what displays itself; no library, no scripts.

Everything shown comes from a memory and is hostile: it is escaped, set apart
from the writing direction around it, and its control characters are drawn.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Collection, Iterable, Sequence

CLIP = 160
"""Characters of a cell that are shown; the whole text is its tooltip."""

TOOLTIP = 2_000

_HOLDS = ("complete", "uncited")

_CELL = "border-bottom:1px solid rgba(128,128,128,.35);padding:2px 8px;text-align:left;vertical-align:top"


def table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    note: str = "",
) -> str:
    """Return an HTML table; colours and fonts are those around it.

    Examples
    --------
    >>> "&lt;b&gt;" in table("t", ["a"], [["<b>"]])
    True
    """
    head = "".join(f'<th scope="col" style="{_CELL}">{safe(c)}</th>' for c in columns)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{_CELL}"{_tip(v)}>{cell(v)}</td>' for v in row)
        + "</tr>"
        for row in rows
    )
    if not body:
        body = f'<tr><td style="{_CELL};opacity:.75" colspan="{len(columns)}">none</td></tr>'
    foot = f'<div style="opacity:.75">{safe(note)}</div>' if note else ""
    return (
        f'<div><div style="font-weight:600">{safe(title)}</div>'
        f'<table style="border-collapse:collapse;margin:4px 0"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{foot}</div>"
    )


def sections(
    title: str,
    note: str,
    tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[object]]]],
) -> str:
    """Return a heading, a line below it and several tables as HTML."""
    inner = "".join(table(name, columns, rows) for name, columns, rows in tables)
    return f"<div><strong>{safe(title)}</strong><div>{safe(note)}</div>{inner}</div>"


def cell(value: object) -> str:
    """Return one value as HTML, clipped."""
    shown = plain(value)
    return f"<bdi>{html.escape(shown if len(shown) <= CLIP else shown[: CLIP - 1] + '…')}</bdi>"


def safe(value: object) -> str:
    """Return one value as HTML, whole, escaped, its control characters drawn."""
    return html.escape(plain(value))


def plain(value: object) -> str:
    r"""Return a value as text in which no character acts on the text around it.

    Examples
    --------
    >>> plain(None), plain("a\x00b"), plain("a\u202eb")
    ('', 'a␀b', 'a⟨U+202E⟩b')
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else str(value)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return f"⟨U+{code:04X}⟩"
    return character


def _tip(value: object) -> str:
    shown = plain(value)
    return f' title="{html.escape(shown[:TOOLTIP])}"' if len(shown) > CLIP else ""


def text_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], note: str = ""
) -> str:
    """Return the same as text, columns aligned; without rows the title alone.

    Examples
    --------
    >>> print(text_table("counts", ["label", "n"], [["Claim", 2]]))
    counts
      label  n
      Claim  2
    """
    listed = list(rows)
    if not listed:  # columns over nothing tell nothing
        return "\n".join(map(line, filter(None, (title, note))))
    cells = [[_line(value) for value in row] for row in (columns, *listed)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = [line(title)]
    for row in cells:
        padded = (c + " " * (w - width(c)) for c, w in zip(row, widths, strict=True))
        lines.append("  " + "  ".join(padded).rstrip())
    return "\n".join([*lines, line(note)] if note else lines)


def line(value: object) -> str:
    r"""Return a value as text on one line, whole.

    Examples
    --------
    >>> line("a\n b\x1b[2J")
    'a b␛[2J'
    """
    return " ".join(plain(value).split())


def _line(value: object) -> str:
    shown = line(value)
    return shown if len(shown) <= CLIP else shown[: CLIP - 1] + "…"


def width(text: str) -> int:
    """Count the columns a text takes: Chinese characters two, combining ones none.

    Examples
    --------
    >>> width("abc"), width("企鹅")
    (3, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def audit_table(
    summary: str,
    rows: Iterable[tuple[int, str, str, str, Sequence[str]]],
    notes: Sequence[str],
    *,
    faults: Sequence[str] = (),
    unfolded: Collection[int] = (),
) -> str:
    """Return an audit as HTML: number, mark and word, sentence, reasons to unfold.

    Those of a sentence that is not as it should be are unfolded already, and
    those of the numbers in `unfolded`; what is wrong besides stands on top.
    """
    body = "".join(
        f'<tr><td style="{_CELL}">{n}</td>'
        f'<td style="{_CELL};white-space:nowrap"><b>{safe(mark)}</b> {safe(word)}</td>'
        f'<td style="{_CELL};text-align:left"><bdi>{safe(sentence)}</bdi>'
        f"{_unfold(reasons, is_open=n in unfolded or word not in _HOLDS)}</td></tr>"
        for n, mark, word, sentence, reasons in rows
    )
    head = "".join(
        f'<th scope="col" style="{_CELL}">{name}</th>'
        for name in ("n", "verdict", "sentence")
    )
    foot = "".join(f'<div style="opacity:.75">{safe(note)}</div>' for note in notes)
    top = "".join(f"<div><b>!</b> {safe(fault)}</div>" for fault in faults)
    return (
        f'<div><div style="font-weight:600">{safe(summary)}</div>{top}'
        f'<table style="border-collapse:collapse;margin:4px 0;max-width:100%"><thead><tr>{head}'
        f"</tr></thead><tbody>{body}</tbody></table>{foot}</div>"
    )


def _unfold(reasons: Sequence[str], *, is_open: bool) -> str:
    if not reasons:
        return ""
    listed = "".join(f"<li><bdi>{safe(reason)}</bdi></li>" for reason in reasons)
    count = "1 reason" if len(reasons) == 1 else f"{len(reasons)} reasons"
    return (
        f'<details{" open" * is_open} style="opacity:.85"><summary>{count}</summary>'
        f'<ul style="margin:2px 0 2px 1.2em;overflow-wrap:anywhere">{listed}</ul></details>'
    )
