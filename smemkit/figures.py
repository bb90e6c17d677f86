# SPDX-License-Identifier: Apache-2.0
"""`smemkit.verify_figure`: whether the memory still yields what a figure shows."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from smemkit.errors import BadRequest
from smemkit.graph import Graph

if TYPE_CHECKING:
    from smemkit.views.figure.checking import FigureCheck


@runtime_checkable
class Readable(Protocol):
    """What can be compared with: a memory."""

    def reading(self, session_id: str | None = None) -> AbstractContextManager[Graph]:
        """Hold the store still and give its Graph."""
        ...


def verify_figure(path: str | os.PathLike[str], mem: Readable) -> FigureCheck:
    """Say whether a memory still yields what a figure's file shows.

    The file's metadata names the question and holds a SHA-256 of the nodes and
    edges that answered it; the question is asked again. Of an audit the part is
    compared that the memory holds: claims, what they rest on, their verdicts.

    Parameters
    ----------
    path : path
        An SVG, PDF or PNG that `Figure.save` wrote.
    mem : Memory
        The memory to ask.

    Returns
    -------
    FigureCheck
        True in a condition if it does; ``reasons`` say what differs.

    Raises
    ------
    BadRequest
        The file does not come first and the memory second.
    NotFound
        There is no such file.

    Examples
    --------
    >>> import smemkit, tempfile
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s1", core_objective="Do bills grow?")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = mem.figure(lang="en").save(f"{folder}/session.svg")
    ...     before = smemkit.verify_figure(file, mem).ok
    ...     _ = mem.observe_execution("e1", status="succeeded")
    ...     before, smemkit.verify_figure(file, mem).ok
    (True, False)
    """
    from smemkit.views.figure.checking import check

    if not isinstance(path, str | os.PathLike) or not isinstance(mem, Readable):
        raise BadRequest(
            "verify_figure",
            found=f"{type(path).__name__} and {type(mem).__name__}",
            do="give the figure's file first, then the memory",
        )
    with mem.reading() as graph:
        return check(Path(path), graph)
