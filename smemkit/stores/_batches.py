# SPDX-License-Identifier: Apache-2.0
"""Which batches count: the rule that keeps half a write out of sight (design §4).

A batch counts once the line that ends it is on disk. The scan looks at the lines
of ours alone and parses hardly any, so that it costs little beside the reading.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from smemkit.stores._lines import END, OURS, batch_of, recover


@dataclass(slots=True)
class Scan:
    """The batches that some bytes hold a line of, and those they hold the end of."""

    present: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be shown.

    Attributes
    ----------
    limit : int
        Batches from this one on are hidden.
    doubtful : tuple of int
        Batches that have no end line and yet should, if nobody wrote meanwhile.
    """

    limit: int
    doubtful: tuple[int, ...]


def scan(data: bytes) -> Scan:
    """Find the batches in the new bytes of one file."""
    found = Scan()
    if OURS not in data:
        return found
    for line in io.BytesIO(data):
        at = line.rfind(OURS)
        if at < 0:
            continue
        if at == 0 and line.endswith(b"}\n") and b'{"id":' not in line:
            batch = batch_of(line)
            if batch:
                found.present.add(batch)
                if line.endswith(END + b"\n"):
                    found.ended.add(batch)
            continue
        for piece in recover(line).pieces:
            if piece.batch:
                found.present.add(piece.batch)
                if piece.ends:
                    found.ended.add(piece.batch)
    return found


def judge(floor: int, edges: Scan, nodes: Scan) -> Verdict:
    """Say which batches count.

    Parameters
    ----------
    floor : int
        Batches up to this one were found complete before.
    edges, nodes : Scan
        The new bytes of both files, the edges read first.
    """
    present = {b for b in edges.present | nodes.present if b > floor}
    ended = edges.ended | nodes.ended
    highest = max(ended, default=floor)
    highest = max(highest, floor)
    above = sorted(b for b in present if b > highest)
    without = sorted(b for b in present if b < highest and b not in ended)
    if len(above) > 1:
        without += above
    return Verdict(highest + 1, tuple(without))


def while_unsettled(verdict: Verdict) -> int:
    """Return the limit while end lines may still be on their way."""
    return min(verdict.doubtful, default=verdict.limit)


def when_lost(verdict: Verdict) -> int:
    """Return the limit once the missing end lines are known to be lost."""
    return max(verdict.limit, max(verdict.doubtful, default=0) + 1)
