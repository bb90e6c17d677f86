# SPDX-License-Identifier: Apache-2.0
"""How a figure is taken: the best of a few runs, and the memory of a fresh process."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, against what, and the aim."""

    what: str
    measured: str
    floor: str
    ratio: float | None
    target: str
    met: bool


def best(action: Callable[[], object], *, runs: int = 5) -> float:
    """Return the shortest of several runs, in seconds.

    The shortest is what the code costs; whatever is above it is the machine.
    """
    shortest = float("inf")
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        action()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def median(values: list[float]) -> float:
    """Return the middle value."""
    return sorted(values)[len(values) // 2]


def resident_mb(code: str) -> float:
    """Return the peak resident size of a fresh Python that runs `code`, in MB."""
    # ru_maxrss would count what this process held when it started the other one.
    probe = (
        f"{code}\n"
        "import sys\n"
        "with open('/proc/self/status') as status:\n"
        "    peak = next(x.split()[1] for x in status if x.startswith('VmHWM'))\n"
        "sys.stdout.write(peak)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], check=True, capture_output=True, text=True
    )
    return int(done.stdout) / 1024


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | measured | floor in the same run | ratio | aim | met |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        met = "yes" if row.met else "**no**"
        lines.append(
            f"| {row.what} | {row.measured} | {row.floor} | {ratio} | {row.target} | {met} |"
        )
    return "\n".join(lines)
