# SPDX-License-Identifier: Apache-2.0
"""The two files written anew: mended line by line, or with what is live only.

No byte is thrown away: what does not go into a new file is first added to
``nodes.jsonl.damaged`` or ``edges.jsonl.damaged``, which nothing ever reads. A
line that ends a batch leaves at least its end behind, or the batch would no
longer count.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from smemkit.errors import StoreError
from smemkit.graph import Graph
from smemkit.records import Problem, number
from smemkit.stores import _files
from smemkit.stores._lines import (
    EDGES,
    END,
    NODES,
    Malformed,
    batch_of,
    edge_object,
    edge_rows,
    fast_loads,
    gone,
    is_mark,
    line,
    lines,
    node_object,
    node_rows,
    recover,
    why,
)
from smemkit.stores._reading import REFUSED

DAMAGED = ".damaged"

Shape = Callable[[Any], object]


class Mended(NamedTuple):
    """One file as it should be, and what was taken out of it."""

    data: bytes
    damaged: bytes
    problems: list[Problem]


def mend(folder: Path) -> list[Problem]:
    """Write anew the files that hold lines the app cannot read; say which lines.

    Raises
    ------
    StoreNotWritable, WriteFailed
        The old files are still in place.
    """
    found = {name: mended(folder / name) for name in (NODES, EDGES)}
    changed = {name: each.data for name, each in found.items() if each.problems}
    keep_damaged(folder, {name: found[name].damaged for name in changed})
    _replace(folder, changed)
    return [problem for each in found.values() for problem in each.problems]


def rewrite_live(folder: Path, graph: Graph) -> None:
    """Write both files anew with live records, in the order of creation."""
    dangling = sorted(graph.dangling(), key=lambda edge: edge.n)
    keep_damaged(
        folder,
        {
            NODES: mended(folder / NODES).damaged,
            EDGES: mended(folder / EDGES).damaged
            + lines([edge_object(edge) for edge in dangling]),
        },
    )
    nodes = [node_object(node) for node in graph.nodes()]
    edges = [
        edge_object(edge) for edge in sorted(graph.edges(), key=lambda edge: edge.n)
    ]
    # One tombstone keeps the highest id from being used again.
    if graph.node_mark > max((number(node.id) for node in graph.nodes()), default=0):
        nodes.append(gone(f"n{graph.node_mark}"))
    if graph.edge_mark > max((number(edge.id) for edge in graph.edges()), default=0):
        edges.append(gone(f"r{graph.edge_mark}"))
    _replace(folder, {NODES: lines(nodes), EDGES: lines(edges)})


def mended(path: Path) -> Mended:
    """Return a file's lines with what can be had of each damaged one."""
    data, _ = _files.read_from(path, 0)
    rows = node_rows if path.name == NODES else edge_rows
    fast, exact, loads = rows(), rows(exact=True), fast_loads()
    kept, damaged, problems = io.BytesIO(), io.BytesIO(), []
    for count, each in enumerate(io.BytesIO(data), 1):
        try:
            fast(loads(each))
        except REFUSED:
            left, problem = _mended_line(each, exact)
            if problem is not None:
                damaged.write(each.rstrip(b"\n") + b"\n")
                problems.append(Problem(path.name, count, problem.reason, problem.kind))
            kept.write(left)
        else:
            kept.write(each)
    return Mended(kept.getvalue(), damaged.getvalue(), problems)


def _mended_line(each: bytes, shape: Shape) -> tuple[bytes, Malformed | None]:
    found = recover(each)
    problem, left = found.damage, []
    for piece in found.pieces:
        try:
            shape(piece.record)
        except REFUSED as error:
            if not is_mark(piece.record):
                problem = problem or why(error, piece.record)
                if piece.ends:
                    left.append(line({}, piece.batch, ends=True))
                continue
        left.append(each[piece.start : piece.stop] + b"\n")
    if problem is None:
        return each, None
    if not found.pieces and batch_of(each) and each.rstrip().endswith(END):
        left.append(line({}, batch_of(each), ends=True))
    return b"".join(left), problem


def keep_damaged(folder: Path, taken_out: dict[str, bytes]) -> None:
    """Add bytes to the files that keep what was taken out, durable."""
    try:
        for name, data in taken_out.items():
            if not data:
                continue
            with _files.Appending(folder / f"{name}{DAMAGED}") as file:
                file.write(data)
                file.sync()
            _files.sync_folder(folder)
    except OSError as error:
        raise _failed(error, folder) from error


def _replace(folder: Path, contents: dict[str, bytes]) -> None:
    try:
        _files.replace_all(folder, contents)
    except OSError as error:
        raise _failed(error, folder) from error


def _failed(error: OSError, folder: Path) -> StoreError:
    do = "the old files are untouched; make room beside them, then try again"
    return _files.unwritable(error, folder, do=do)
