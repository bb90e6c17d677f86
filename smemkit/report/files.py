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
    why : str
        One word where there are none: ``no_path``, ``missing``, ``unreadable``,
        ``no_name``, ``too_large``, ``no_hash`` or ``other``; else empty.
    note : str
        The same in a sentence.
    sha256 : str
        The SHA-256 of what was read, where all of it was.
    """

    data: bytes | None
    why: str = ""
    note: str = ""
    sha256: str = ""


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
        return Found(None, "no_path", "the report has no path in the memory")
    try:
        place = (folder / name).resolve()
        if not place.is_relative_to(folder) or not place.is_file():
            return Found(
                None, "missing", f"no file {short(name)} under the given folder"
            )
        with place.open("rb") as file:
            data, digest = _read(file, most, keep=keep)
    except OSError as error:
        return Found(
            None, "unreadable", f"{short(name)} cannot be read ({error.strerror})"
        )
    except (ValueError, RuntimeError):  # a lone surrogate, links in a circle
        return Found(None, "no_name", f"{short(name)} is no name of a file")
    if not digest:
        return Found(
            None, "too_large", f"{short(name)} is larger than {most >> 20} MiB"
        )
    declared = node.props.get("content_hash")
    if not declared:
        note = f"the memory keeps no hash of {short(name)} to know it by"
        return Found(None, "no_hash", note, digest)
    if digest != declared:
        note = f"{short(name)} is not the declared version: its hash differs"
        return Found(None, "other", note, digest)
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
