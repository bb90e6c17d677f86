# SPDX-License-Identifier: Apache-2.0
"""The system under a writer, as it fails: crashes after any byte, and full disks."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from typing import Any

import pytest

from smemkit.stores import _files, _log

Op = tuple[str, bytes | int]
"""A file's name, and what was added to it or the size it was cut to."""


@contextlib.contextmanager
def recorded(ops: list[Op]) -> Iterator[None]:
    """Note every cut and every piece written, in order."""
    cut, write = _files.Appending.cut, _files.Appending.write

    def noted_cut(file: Any, expected: int, size: int) -> None:
        cut(file, expected, size)
        ops.append((file.path.name, size))

    def noted_write(file: Any, data: bytes) -> None:
        write(file, data)
        ops.append((file.path.name, data))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_files.Appending, "cut", noted_cut)
        patch.setattr(_files.Appending, "write", noted_write)
        yield


def units(ops: list[Op]) -> int:
    """Return how many steps a crash can come between: bytes, and cuts."""
    return sum(1 if isinstance(arg, int) else len(arg) for _, arg in ops)


def replay(
    before: dict[str, bytes | None], ops: list[Op], left: int
) -> dict[str, bytes]:
    """Return the files after so many bytes were written and cuts made."""
    files = {name: data or b"" for name, data in before.items()}
    for name, arg in ops:
        if left <= 0:
            break
        if isinstance(arg, int):
            files[name] = files[name][:arg]
            left -= 1
        else:
            files[name] += arg[:left]
            left -= min(left, len(arg))
    return files


@contextlib.contextmanager
def failing(room: int, *, broken: bool) -> Iterator[None]:
    """Let a disk take so many bytes; if it is broken it refuses cuts afterwards."""
    write, real_take_back = _files.Appending.write, _files.Appending.take_back
    left = [room]

    def limited(file: Any, data: bytes) -> None:
        part = data[: left[0]]
        if broken and len(part) == len(data) - 1:
            part = part[:-1]  # all but the newline counts, and nothing could undo it
        left[0] -= len(part)
        write(file, part)
        if len(part) < len(data):
            raise OSError(errno.ENOSPC, "no space left on device")

    def take_back(file: Any) -> None:
        if not broken:
            real_take_back(file)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_files.Appending, "write", limited)
        patch.setattr(_files.Appending, "take_back", take_back)
        yield


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Wait for the app a moment only, and for the disk not at all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_log, "APP_PAUSE", 0.0005)
        patch.setattr(_files.os, "fsync", lambda descriptor: None)
        yield
