# SPDX-License-Identifier: Apache-2.0
"""One write at a time: others wait their turn, and reads go on while it is on its way."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from smemkit.errors import StoreBusy


class Planning:
    """Whose turn it is to write to a store.

    The store's lock guards its Graph, and every read holds it. A write holds it
    too while it looks at the Graph or changes it, and its turn from the first to
    the last: nobody else changes the Graph while the disk is waited for.

    Parameters
    ----------
    location : str
        The store, as shown to people.
    lock : threading.RLock
        The store's lock; every method is called with it held.

    Attributes
    ----------
    sending : bool
        A batch is on its way, so what is new at the store's place may be that.
    """

    def __init__(self, location: str, lock: threading.RLock) -> None:
        self._location = location
        self._lock = lock
        self._over = threading.Condition(lock)
        self._writer: int | None = None
        self.sending = False

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold off any other write of this store.

        Raises
        ------
        StoreBusy
            A plan writes while it is asked what to write.
        """
        if self._writer == threading.get_ident():
            raise StoreBusy(
                f"write to {self._location!r}",
                found="a write inside the plan of another",
                do="let the plan return all there is to write",
            )
        self.wait()
        self._writer = threading.get_ident()
        try:
            yield
        finally:
            self._writer = None
            self._over.notify_all()

    def wait(self) -> None:
        """Wait until no other thread's write is on its way; lets go of the lock."""
        while self._writer not in {None, threading.get_ident()}:
            self._over.wait()

    @contextlib.contextmanager
    def on_its_way(self) -> Iterator[None]:
        """Let reads go on while a batch is being made durable."""
        self.sending = True
        try:
            with self.without_lock():
                yield
        finally:
            self.sending = False

    @contextlib.contextmanager
    def without_lock(self) -> Iterator[None]:
        """Let go of the lock while something outside is waited for.

        A thread that writes while it reads keeps the lock: its read is not to
        see what others do.
        """
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()
