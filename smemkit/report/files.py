# SPDX-License-Identifier: Apache-2.0
"""The file that a node declares: found under a folder, and known by its hash.

The path comes from the memory and is not trusted: it must stay inside the
folder and be a regular file, and its bytes must have the declared SHA-256.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from smemkit.answers import Reason
from smemkit.errors import BadRequest, short
from smemkit.records import Node

PIECE = 1 << 20
"""Bytes that are read at once."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file's bytes, or why there are none.

    Attributes
    ----------
    data : bytes or None
        What the file holds.
    note : Reason or None
        Why there are none.
    sha256 : str
        The SHA-256 of what was read, where all of it was.
    """

    data: bytes | None
    note: Reason | None = None
    sha256: str = ""

    @property
    def why(self) -> str:
        """The same in a word, the end of the reason's code; empty if there are bytes."""
        return "" if self.note is None else self.note.code.removeprefix("file.")


def folder_of(files: str | os.PathLike[str]) -> Path:
    """Return the folder that is meant.

    Raises
    ------
    BadRequest
        There is no such folder.
    """
    try:
        folder = Path(files).expanduser()
        found, is_file = folder.is_dir(), folder.is_file()
    except (TypeError, ValueError, RuntimeError, OSError):
        raise BadRequest(
            f"files={short(files)}",
            found="not the path of a folder",
            do="name the workspace",
        ) from None
    if is_file:
        do = f"give its folder, {short(str(folder.parent))}, or the one its path begins in"
        raise BadRequest(f"files={short(str(files))}", found="it is a file", do=do)
    if not found:
        raise BadRequest(
            f"files={short(str(files))}",
            found="no such folder",
            do="name the workspace",
        )
    return folder.resolve()


def declared_file(node: Node, folder: Path, most: int, *, keep: bool = True) -> Found:
    """Return the bytes of the file a node declares, if they are the declared ones.

    Parameters
    ----------
    node : Node
        With ``path`` and ``content_hash``.
    folder : Path
        What `folder_of` returned.
    most : int
        The largest file that is read, in bytes.
    keep : bool, default True
        False to compare only: of the right file no byte is returned.
    """
    name = node.props.get("path")
    if not isinstance(name, str) or not name or "\x00" in name:
        return Found(None, Reason("file.no_path"))
    called = short(name)
    try:
        place = (folder / name).resolve()
        if not place.is_relative_to(folder) or not place.is_file():
            return Found(None, Reason("file.missing", name=called))
        with place.open("rb") as file:
            data, digest = _read(file, most, keep=keep)
    except OSError as error:
        said = str(error.strerror)
        return Found(None, Reason("file.unreadable", name=called, error=said))
    except (ValueError, RuntimeError):  # a lone surrogate, links in a circle
        return Found(None, Reason("file.no_name", name=called))
    if not digest:
        limit = str(most >> 20)
        return Found(None, Reason("file.too_large", name=called, most=limit))
    declared = node.props.get("content_hash")
    if not declared:
        return Found(None, Reason("file.no_hash", name=called), digest)
    if digest != declared:
        return Found(None, Reason("file.other", name=called), digest)
    return Found(data, sha256=digest)


def _read(file: BinaryIO, most: int, *, keep: bool) -> tuple[bytes, str]:
    """Return a file's bytes, if they are kept, and their SHA-256: empty if too many."""
    digest, pieces, left = hashlib.sha256(), [], most + 1
    while left > 0 and (piece := file.read(min(PIECE, left))):
        left -= len(piece)
        digest.update(piece)
        if keep:
            pieces.append(piece)
    return b"".join(pieces), digest.hexdigest() if left > 0 else ""
