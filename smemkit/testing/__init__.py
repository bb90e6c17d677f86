# SPDX-License-Identifier: Apache-2.0
"""Does a store of your own answer as smemkit's do? A suite to hold it to.

A store fills the seam `smemkit.stores.Store`. `check_store` runs random histories
on it and on ``:memory:`` and compares every answer. It needs hypothesis
(``pip install 'smemkit[testing]'``), and any test runner or none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from smemkit.errors import MissingExtra
from smemkit.memory import Memory

Fresh = Callable[[], AbstractContextManager[Callable[[], Memory]]]
"""Makes room for one history: yields what opens the memory, empty at first."""


def check_store(
    fresh: Fresh, *, examples: int | None = None, reopens: bool = True
) -> None:
    """Hold a store to what every store must do.

    Three things are run: random histories of every verb that writes, with good
    and bad arguments, after which every verb that reads is asked about every
    node; random batches of raw records, as another program may have left them;
    and the rules of the seam itself (a plan that fails keeps nothing, a revision
    moves when something changed, two openings see each other, a closed store
    refuses). Each answer must be that of ``:memory:``, also after closing and
    opening anew. Random ids and the clock are made equal on both sides.

    Parameters
    ----------
    fresh : callable
        Called for each history. Returns a context manager that yields a function
        without parameters, which opens the memory: an empty one at first, later
        the same one again.
    examples : int, optional
        How many histories of each kind; default: what hypothesis is set to.
    reopens : bool, default True
        False for a store that lives in one object: the function then returns
        that object each time, and nothing is closed in between.

    Raises
    ------
    StoreDiffers
        The store does not do what it must; the message names the call and both
        answers. hypothesis adds the smallest history it found.
    MissingExtra
        hypothesis is not installed.

    Examples
    --------
    >>> import contextlib, tempfile, smemkit
    >>> @contextlib.contextmanager
    ... def fresh():
    ...     with tempfile.TemporaryDirectory() as folder:
    ...         yield lambda: smemkit.open(folder)
    >>> check_store(fresh, examples=1)
    """
    try:
        import hypothesis  # noqa: F401
    except ImportError as error:
        raise MissingExtra("hypothesis", "testing") from error
    from smemkit.testing.suite import check

    check(fresh, examples, reopens)


__all__ = ["Fresh", "check_store"]
