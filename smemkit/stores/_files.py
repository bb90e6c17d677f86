# SPDX-License-Identifier: Apache-2.0
"""What a store asks of the operating system: lock, durable append, cut, replace.

Nothing here knows what the bytes say. Files are opened for one call and closed
again, so that a killed process leaves nothing behind but bytes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from smemkit.errors import (
    NotAMemory,
    StoreBusy,
    StoreError,
    StoreNotReadable,
    StoreNotWritable,
    WriteFailed,
)

LOCK = ".smemkit.lock"
"""The lock file; neither the app nor a reader looks at it."""

TEMP = ".smemkit.tmp"
"""How the name of a file under construction ends."""

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)


class Sight(NamedTuple):
    """What tells one state of a file from another without reading it."""

    device: int
    inode: int
    size: int
    changed: int
    """Nanoseconds; a batch cut away and one of the same size differ in it only."""


def sight(path: Path) -> Sight | None:
    """Look at a file; None if there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(error, path) from error
    if not stat.S_ISREG(found.st_mode):
        raise NotAMemory(f"read {str(path)!r}", found="not a regular file")
    return _sight(found)


def _sight(found: os.stat_result) -> Sight:
    return Sight(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def read_from(path: Path, start: int) -> tuple[bytes, Sight | None]:
    """Read a file from an offset to its present end, and say what was seen."""
    if sight(path) is None:
        return b"", None
    try:
        with path.open("rb", buffering=0) as file:
            seen = _sight(os.fstat(file.fileno()))
            file.seek(max(0, start))
            return _read(file.fileno(), seen.size - max(0, start)), seen
    except FileNotFoundError:
        return b"", None
    except StoreError:
        raise
    except OSError as error:
        raise unreadable(error, path) from error


def _read(descriptor: int, count: int) -> bytes:
    # In the usual case one call gives everything, and no copy is made.
    parts = []
    while count > 0 and (part := os.read(descriptor, count)):
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def unreadable(error: OSError, path: Path) -> StoreError:
    """Return the error that says why a file cannot be read."""
    kind = StoreNotReadable if error.errno in _REFUSED else StoreError
    return kind(f"read {str(path)!r}", found=_words(error))


def unwritable(error: OSError, path: Path, *, do: str = "") -> StoreError:
    """Return the error that says why a file cannot be written."""
    if error.errno in _REFUSED:
        return StoreNotWritable(
            f"write to {str(path)!r}",
            found=_words(error),
            do=do or "check the owner and the permissions of the folder",
        )
    return WriteFailed(
        f"write to {str(path)!r}",
        found=_words(error),
        do=do or "nothing was kept; free space or mend the disk, then write again",
    )


def _words(error: OSError) -> str:
    name = errno.errorcode.get(error.errno or 0, "")
    return f"{(error.strerror or str(error)).lower()}{f' ({name})' if name else ''}"


# -- folders ---------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, durable; its parents too."""
    missing = []
    place = folder
    while not place.exists():
        missing.append(place)
        place = place.parent
    for place in reversed(missing):
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o700 if place == folder else 0o777)
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_all(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Replace files whole, in the order given; durable when this returns.

    Every new file is on disk before the first one takes its place, so that a
    crash leaves old or new files, each of them whole.
    """
    temps = []
    try:
        for name, data in contents.items():
            target = Path(os.path.realpath(folder / name))
            temp = target.with_name(target.name + TEMP)
            mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
            temps.append((temp, target))
            write_whole(temp, data, mode=mode)
        for temp, target in temps:
            temp.replace(target)
            sync_folder(target.parent)
    finally:
        for temp, _ in temps:
            temp.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write a file from its first byte to its last and make it durable."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(path, flags, mode)
    try:
        os.fchmod(descriptor, mode)
        _write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


# -- one file, appended to -------------------------------------------------------


class Appending:
    """One file while a batch is added to it; what was added can be taken back.

    Attributes
    ----------
    made : bool
        The file is new or empty: its name may not be durable yet, whoever made it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mixed = False
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(path, flags, 0o600)
        self._start = os.fstat(self._descriptor).st_size
        self.made = self._start == 0
        self._written = 0

    @property
    def seen(self) -> Sight:
        """What the file looks like now."""
        return _sight(os.fstat(self._descriptor))

    def cut(self, expected: int, size: int) -> None:
        """Shorten the file, unless it has grown; this cannot be taken back."""
        if self._start != expected:
            raise StoreBusy(
                f"write to {str(self.path)!r}",
                found="another program wrote at the same moment",
                do="write again",
            )
        os.ftruncate(self._descriptor, size)
        os.fsync(self._descriptor)
        self._start = size

    def ends_open(self) -> bool:
        """Tell whether the last line lacks its newline."""
        size = os.fstat(self._descriptor).st_size
        return size > 0 and os.pread(self._descriptor, 1, size - 1) != b"\n"

    def write(self, data: bytes) -> None:
        """Add bytes at the end, all of them or an error."""
        left = memoryview(data)
        while left:
            count = os.write(self._descriptor, left)
            self._written += count
            left = left[count:]
            end = os.lseek(self._descriptor, 0, os.SEEK_CUR)
            self._mixed |= end != self._start + self._written

    def sync(self) -> None:
        """Make what was added durable."""
        os.fsync(self._descriptor)

    def take_back(self) -> None:
        """Cut off what was added, unless something of another program lies there."""
        if not self._written or self._mixed:
            return
        # A disk that refuses even this leaves lines without an end, which hides
        # them from every reader and lets the next writer cut them.
        with contextlib.suppress(OSError):
            size = os.fstat(self._descriptor).st_size
            if size == self._start + self._written:
                os.ftruncate(self._descriptor, self._start)
                os.fsync(self._descriptor)

    def __enter__(self) -> Appending:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)


# -- the lock --------------------------------------------------------------------


@contextlib.contextmanager
def locked(folder: Path, timeout: float) -> Iterator[None]:
    """Hold a folder's lock against every other writer, of any process.

    Raises
    ------
    StoreBusy
        Another writer held it for longer than `timeout` seconds.
    StoreNotWritable
        The lock file cannot be made or opened here.
    """
    descriptor = _take(folder, timeout)
    try:
        yield
    finally:
        os.close(descriptor)


def _take(folder: Path, timeout: float) -> int:
    path = folder / LOCK
    until = time.monotonic() + timeout
    pause = 0.0005
    while True:
        descriptor = _open_lock(path)
        with contextlib.ExitStack() as undo:
            undo.callback(os.close, descriptor)
            if _try_lock(descriptor) and _is_still(descriptor, path):
                undo.pop_all()
                return descriptor
        if time.monotonic() >= until:
            raise StoreBusy(
                f"write to {str(folder)!r}",
                found=f"another writer held the lock for {timeout:g} s",
                do="try again, or close the other program",
            )
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _open_lock(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unwritable(error, path.parent) from error


def _try_lock(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        raise StoreNotWritable(
            "lock the store",
            found="this system has no fcntl.flock",
            do="write on Linux or macOS; reading works everywhere",
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(descriptor: int, path: Path) -> bool:
    # Whoever deleted the lock file meanwhile left us a lock nobody else sees.
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
