# SPDX-License-Identifier: Apache-2.0
"""Which folder is meant, and whether a memory may be there."""

from __future__ import annotations

import os
from pathlib import Path

from smemkit.errors import (
    BadRequest,
    NotAMemory,
    StoreNotFound,
    StoreNotWritable,
    short,
)
from smemkit.stores._files import LOCK, unreadable
from smemkit.stores._lines import EDGES, NODES


def folder_of(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path that a caller means; ``~`` is expanded.

    Raises
    ------
    BadRequest
        No path can be read from it.
    """
    try:
        text = os.fspath(path)
    except TypeError:
        raise BadRequest(
            f"open {short(path)}",
            found=type(path).__name__,
            do="give the path of a folder",
        ) from None
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise BadRequest(f"open {short(text)}", found="no path", do="name a folder")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise BadRequest(
            f"open {short(text)}", found=str(error).lower(), do="write the path out"
        ) from None


def check_place(folder: Path, *, must_exist: bool) -> None:
    """Refuse a place at which there is something else, or nothing if there must.

    Raises
    ------
    NotAMemory
        A file, or a folder that holds other files but neither of ours.
    StoreNotFound
        `must_exist`, and nothing is there.
    StoreNotReadable
        The folder may not be looked into.
    """
    where = f"open {short(str(folder))}"
    try:
        names = {entry.name for entry in folder.iterdir()}
    except FileNotFoundError:
        if must_exist:
            raise StoreNotFound(
                where, found="there is no such folder", do="check the path"
            ) from None
        return
    except NotADirectoryError:
        raise NotAMemory(
            where, found="a file, not a folder", do="name the folder of a memory"
        ) from None
    except OSError as error:
        raise unreadable(error, folder) from error
    others = sorted(name for name in names if not _is_ours(name))
    if others and not {NODES, EDGES} & names:
        raise NotAMemory(
            where,
            found=f"neither {NODES} nor {EDGES}, but {_some(others)}",
            do="name the folder of a memory, or an empty one",
        )


def check_writable(path: Path) -> None:
    """Refuse a file that we may not change: a new one would take its place unasked.

    Raises
    ------
    StoreNotWritable
        The file is there and its permissions keep us from writing.
    """
    if path.exists() and not os.access(path, os.W_OK):
        raise StoreNotWritable(
            f"rewrite {str(path)!r}",
            found="it is read-only",
            do="give yourself the right to write it, then try again",
        )


def _is_ours(name: str) -> bool:
    return name == LOCK or name.startswith((f"{NODES}.", f"{EDGES}."))


def _some(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
