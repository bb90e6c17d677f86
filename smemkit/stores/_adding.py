# SPDX-License-Identifier: Apache-2.0
"""How bytes get behind the two files: cuts first, then each step, nodes before edges."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from smemkit.stores._files import Appending, Sight, sync_folder
from smemkit.stores._lines import EDGES, NODES

Step = Mapping[str, bytes]
"""The bytes of one batch by file name; either may be empty."""

Cuts = Mapping[str, tuple[int, int]]
"""By file name: how long the file must be now, and what length to cut it to."""

LOOK_AGAIN = 0.02
"""Seconds between two looks at a line that the app is writing."""


class Added(NamedTuple):
    """What was added, and what the files looked like right after."""

    steps: Sequence[Step]
    seen: Mapping[str, Sight]


def add(
    folder: Path,
    cuts: Cuts,
    steps: Sequence[Step],
    *,
    sizes: Mapping[str, int],
    pause: float,
) -> Added:
    """Cut, then add each step; durable when this returns.

    A line that another program began behind what was read (`sizes`) is waited
    for: it is ended once it has not grown for `pause` seconds.

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
        ends = {name: cuts[name][1] if name in cuts else sizes[name] for name in files}
        _write(files, steps, ends, pause)
        return Added(steps, {name: file.seen for name, file in files.items()})


def _write(
    files: Mapping[str, Appending],
    steps: Sequence[Step],
    ends: dict[str, int],
    pause: float,
) -> None:
    done = False
    try:
        for step in steps:
            for name, file in files.items():
                if step[name]:
                    if file.seen.size != ends[name]:
                        _let_finish(file, pause)
                    file.write(b"\n" + step[name] if file.ends_open() else step[name])
                    ends[name] = file.seen.size
                    file.sync()
        done = True
    finally:
        if not done:
            for file in reversed(list(files.values())):
                file.take_back()


def _let_finish(file: Appending, pause: float) -> None:
    """Wait until the last line is whole, or has rested for so long."""
    size, since = file.seen.size, time.monotonic()
    while file.ends_open() and time.monotonic() - since < pause:
        time.sleep(min(LOOK_AGAIN, pause))
        if file.seen.size != size:
            size, since = file.seen.size, time.monotonic()
