# SPDX-License-Identifier: Apache-2.0
"""One write at a time: a plan that writes by itself is refused."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from smemkit.errors import StoreBusy


class Planning:
    """Whether a write of a store is under way; its lock cannot tell, it is re-entrant.

    Parameters
    ----------
    location : str
        The store, as shown to people.
    """

    def __init__(self, location: str) -> None:
        self._location = location
        self._under_way = False

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold off any other write of this store.

        Raises
        ------
        StoreBusy
            A plan writes while it is asked what to write.
        """
        if self._under_way:
            raise StoreBusy(
                f"write to {self._location!r}",
                found="a write inside the plan of another",
                do="let the plan return all there is to write",
            )
        self._under_way = True
        try:
            yield
        finally:
            self._under_way = False
