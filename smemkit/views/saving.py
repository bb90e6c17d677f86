# SPDX-License-Identifier: Apache-2.0
"""How does a picture reach a file? One error says why it does not."""

from __future__ import annotations

import os
from pathlib import Path

from smemkit.errors import BadRequest, WriteFailed, short


def place(path: str | os.PathLike[str]) -> Path:
    """Return the file that is meant, in a folder that is there.

    Raises
    ------
    BadRequest
        It is no path, or names no folder that is there; the message names it.
    """
    try:
        text = os.fspath(path)
    except TypeError:
        text = None
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise BadRequest(
            f"save {short(path)}", found="not a path", do="give the name of a file"
        )
    target = Path(text)
    folder = target.parent
    if not _is_folder(folder):
        raise BadRequest(
            f"save {short(target.name)}",
            found=f"no folder {short(str(folder))}",
            do="make the folder first, or save elsewhere",
        )
    if _is_folder(target):
        raise BadRequest(
            f"save {short(text)}", found="a folder", do="give the name of a file"
        )
    return target


def save(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a file whole and return where it is.

    Raises
    ------
    BadRequest
        As `place` says.
    WriteFailed
        The system refuses to write there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(f"{folder}/a.txt", b"text").name
    'a.txt'
    """
    target = place(path)
    try:
        target.write_bytes(data)
    except OSError as error:
        raise WriteFailed(
            f"save {short(str(target))}",
            found=(error.strerror or "not writable").lower(),
            do="check the folder, its permissions and the room in it",
        ) from error
    return target


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that no system could hold
        return False


class Page:
    """What is drawn as one page: it can be kept as a file."""

    def html(self) -> str:
        """Return the page: one file that needs no network and runs nothing foreign."""
        raise NotImplementedError

    def save_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file; what is drawn the same has the same bytes.

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        BadRequest
            No such folder, or no path.
        WriteFailed
            The system refuses to write there.
        """
        return save(path, self.html().encode())
