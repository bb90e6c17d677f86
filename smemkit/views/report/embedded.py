# SPDX-License-Identifier: Apache-2.0
"""A declared file as a page shows it: a picture, the first rows of a table, or text.

Nothing of it is trusted: a picture is one only if its bytes begin as such, and it
is shown as an image, which runs nothing and loads nothing.
"""

from __future__ import annotations

import base64
import csv
import io
import json

from smemkit.display import plain

MAX_READ = 32 << 20
"""The largest file that is looked at, in bytes."""

ROWS = 20
COLUMNS = 12
CELL = 80
TEXT = 4_000

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)

_PARSED = 2_000_000
"""Characters of a JSON file that are parsed; of a larger one the text is shown."""


class Room:
    """How many characters of files a page may still carry.

    Attributes
    ----------
    each, left : int
        What one picture and all files together may take.
    """

    def __init__(self, each: int = 2_000_000, total: int = 6_000_000) -> None:
        self.each = each
        self.left = total

    def take(self, size: int) -> bool:
        """Return whether so many more characters fit, and count them if so."""
        if size > min(self.each, self.left):
            return False
        self.left -= size
        return True


def embedded(name: str, data: bytes, room: Room) -> dict[str, object]:
    r"""Return what a page carries of a file.

    Parameters
    ----------
    name : str
        Its path, for the kind of its text.
    data : bytes
        What it holds.
    room : Room
        What may still be carried.

    Returns
    -------
    dict
        ``size`` and ``kind``: ``picture`` with ``data``, a data: address;
        ``table`` with ``head``, ``rows`` and ``more``; ``text`` with ``text``
        and ``more``; ``none`` for what cannot be shown; ``left`` for what is
        too large.

    Examples
    --------
    >>> embedded("a.csv", b"x,y\n1,2\n", Room())["rows"]
    [['1', '2']]
    >>> embedded("a.bin", bytes(9), Room())["kind"]
    'none'
    """
    made: dict[str, object] = {"size": len(data)}
    kind = _picture(name, data)
    if kind:
        address = f"data:{kind};base64,{base64.b64encode(data).decode()}"
        if not room.take(len(address)):
            return made | {"kind": "left"}
        return made | {"kind": "picture", "data": address}
    shown = _text(name, data)
    size = len(json.dumps(shown))
    return made | (shown if room.take(size) else {"kind": "left"})


def _picture(name: str, data: bytes) -> str:
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if name.lower().endswith(".svg") and b"<svg" in data[:4_000]:
        return "image/svg+xml"
    return ""


def _text(name: str, data: bytes) -> dict[str, object]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return {"kind": "none"}
    if "\x00" in text:
        return {"kind": "none"}
    end = name.lower().rpartition(".")[2]
    if end in ("csv", "tsv"):
        return _separated(text, "\t" if end == "tsv" else ",")
    if end in ("json", "jsonl", "ndjson") and len(text) <= _PARSED:
        try:
            found = _of_json(text, lines=end != "json")
        except (ValueError, RecursionError):
            found = None
        if found is not None:
            return found
    left = len(text) - TEXT
    return {"kind": "text", "text": _shown(text[:TEXT]), "more": max(left, 0)}


def _separated(text: str, separator: str) -> dict[str, object]:
    lines = text.count("\n") + (not text.endswith("\n"))
    try:
        reader = csv.reader(io.StringIO(text), delimiter=separator)
        head = next(reader, [])
        rows = [row for row, _ in zip(reader, range(ROWS), strict=False)]
    except csv.Error:
        return {"kind": "text", "text": _shown(text[:TEXT]), "more": 0}
    return _table(head, rows, lines - 1)


def _of_json(text: str, *, lines: bool) -> dict[str, object] | None:
    """Return JSON as a table if it is a list of objects, or one object; else None."""
    if lines:
        value: object = [json.loads(each) for each in text.splitlines() if each.strip()]
    else:
        value = json.loads(text)
    if isinstance(value, dict) and value:
        pairs = [[name, each] for name, each in list(value.items())[:ROWS]]
        return _table(["", ""], pairs, len(value))
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(each, dict) for each in value[:ROWS]):
        return None
    head = list(dict.fromkeys(name for each in value[:ROWS] for name in each))
    return _table(head, [[e.get(n) for n in head] for e in value[:ROWS]], len(value))


def _table(
    head: list[str], rows: list[list[object]] | list[list[str]], total: int
) -> dict[str, object]:
    return {
        "kind": "table",
        "head": [_cell(each) for each in head[:COLUMNS]],
        "rows": [[_cell(each) for each in row[:COLUMNS]] for row in rows],
        "more": max(total - len(rows), 0),
        "columns": max(max(map(len, [head, *rows])) - COLUMNS, 0),
    }


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _shown(text if len(text) <= CELL else text[: CELL - 1] + "…")


def _shown(text: str) -> str:
    return plain(text).encode("utf-8", "replace").decode()
