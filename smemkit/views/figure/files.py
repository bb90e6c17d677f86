# SPDX-License-Identifier: Apache-2.0
"""What a figure's file says about itself: its metadata, read without any library."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from smemkit.errors import BadRequest, NotFound, short
from smemkit.views.figure.proof import Proof

MOST = 200_000_000
"""Bytes of a file that is read."""

PNG = b"\x89PNG\r\n\x1a\n"
KEYWORD = "Description"


def proof_in(path: Path) -> Proof | None:
    """Return the proof that a figure's file carries, or None if it has none.

    Raises
    ------
    NotFound
        There is no such file.
    BadRequest
        It is no file, or too large.
    """
    if not path.exists():
        raise NotFound(f"figure {short(str(path))}", found="no such file")
    if not path.is_file() or path.stat().st_size > MOST:
        raise BadRequest(
            f"figure {short(str(path))}",
            found="no file, or more than 200 MB",
            do="give one",
        )
    data = path.read_bytes()
    if data.startswith(PNG):
        texts = list(_png(data))
    elif data.startswith(b"%PDF-"):
        texts = list(_pdf(data))
    else:
        texts = list(_svg(data))
    found = (Proof.from_json(text) for text in texts)
    return next((proof for proof in found if proof is not None), None)


def _png(data: bytes) -> Iterator[str]:
    """Yield the texts of a PNG's chunks; a broken file just ends."""
    place = len(PNG)
    while place + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        key, _, value = body.partition(b"\0")
        if key == KEYWORD.encode():
            if kind == b"tEXt":
                yield value.decode("latin-1")
            elif kind == b"zTXt":
                yield _inflated(value[1:])
            elif kind == b"iTXt":
                yield _international(value)
        place += 12 + length


def _international(value: bytes) -> str:
    """Return the text of an iTXt chunk behind its flags, language and translation."""
    rest = value[2:].split(b"\0", 2)
    if len(rest) < 3:
        return ""
    packed = value[:1] == b"\1"
    return _inflated(rest[2]) if packed else rest[2].decode("utf-8", "replace")


def _inflated(value: bytes) -> str:
    try:
        return zlib.decompressobj().decompress(value, MOST).decode("utf-8", "replace")
    except zlib.error:
        return ""


def _svg(data: bytes) -> Iterator[str]:
    """Yield the descriptions in an SVG; one that declares entities is not read."""
    if b"<!ENTITY" in data or b"<svg" not in data:
        return
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return
    for element in root.iter("{http://purl.org/dc/elements/1.1/}description"):
        yield element.text or ""


_START = re.compile(rb"/Keywords\s*\(")
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def _pdf(data: bytes) -> Iterator[str]:
    """Yield the keywords of a PDF's information dictionary."""
    for match in _START.finditer(data):
        yield _pdf_string(data, match.end())


def _pdf_string(data: bytes, place: int) -> str:
    """Return the literal string that begins at a place, up to its closing bracket."""
    found = bytearray()
    depth = 1
    while place < len(data):
        character = data[place : place + 1]
        if character == b"\\":
            following = data[place + 1 : place + 2]
            found += _ESCAPES.get(following, following)
            place += 2
            continue
        depth += (character == b"(") - (character == b")")
        if not depth:
            break
        found += character
        place += 1
    return found.decode("latin-1")
