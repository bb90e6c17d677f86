# SPDX-License-Identifier: Apache-2.0
"""How bytes get behind the two files: cuts first, then each step, nodes before edges."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from smemkit.stores._files import Appending, Sight, sync_folder
from smemkit.stores._lines import EDGES, NODES

Step = Mapping[str, bytes]
"""The bytes of one batch by file name; either may be empty."""

Cuts = Mapping[str, tuple[int, int]]
"""By file name: how long the file must be now, and what length to cut it to."""


class Added(NamedTuple):
    """What was added, and what the files looked like right after."""

    steps: Sequence[Step]
    seen: Mapping[str, Sight]


def add(folder: Path, cuts: Cuts, steps: Sequence[Step]) -> Added:
    """Cut, then add each step; durable when this returns.

    Should anything fail, an interrupt from the keyboard included, then what was
    added is taken back: the edges first, for the line that ends the batch lies
    there.

    Raises
    ------
    OSError
        As the operating system says it.
    """
    with contextlib.ExitStack() as stack:
        files = {
            name: stack.enter_context(Appending(folder / name))
            for name in (NODES, EDGES)
            if name in cuts or any(step[name] for step in steps)
        }
        if any(file.made for file in files.values()):
            sync_folder(folder)
        for name, file in files.items():
            if name in cuts:
                file.cut(*cuts[name])
        _write(files, steps)
        return Added(steps, {name: file.seen for name, file in files.items()})


def _write(files: Mapping[str, Appending], steps: Sequence[Step]) -> None:
    done = False
    try:
        for step in steps:
            for name, file in files.items():
                if step[name]:
                    file.write(b"\n" + step[name] if file.ends_open() else step[name])
                    file.sync()
        done = True
    finally:
        if not done:
            for file in reversed(list(files.values())):
                file.take_back()
