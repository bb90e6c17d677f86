# SPDX-License-Identifier: Apache-2.0
"""What is damaged in a folder's files, and mending it: ``smemkit check``."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.records import Batch, Problem
from smemkit.stores._repair import mend
from smemkit.stores.jsonl import JsonlStore


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found.

    Attributes
    ----------
    path : str
        The folder.
    records : int
        Lines that are records: states, superseded ones too, and tombstones.
    nodes, edges : int
        Live nodes and live edges.
    problems : tuple of Problem
        What is wrong now, after any mending.
    mended : tuple of Problem
        What was wrong with the lines that were mended; their bytes are kept in
        ``nodes.jsonl.damaged`` and ``edges.jsonl.damaged``.
    compacted : bool
        Both files hold live records only.
    """

    path: str
    records: int
    nodes: int
    edges: int
    problems: tuple[Problem, ...] = ()
    mended: tuple[Problem, ...] = ()
    compacted: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [
            f"{self.path}: {self.nodes:,} nodes and {self.edges:,} edges "
            f"from {self.records:,} records"
        ]
        lines += [f"  mended  {_place(problem)}" for problem in self.mended]
        lines += [f"  problem {_place(problem)}" for problem in self.problems]
        if self.compacted:
            lines.append("  compacted: the files hold live records only")
        lines.append(
            f"{len(self.problems)} problems" if self.problems else "no problems"
        )
        return "\n".join(lines)


def _place(problem: Problem) -> str:
    line = f", line {problem.line}" if problem.line else ""
    return f"{problem.file}{line}: {problem.reason} ({problem.kind})"


def check(
    path: str | os.PathLike[str], *, repair: bool = False, compact: bool = False
) -> CheckReport:
    """Look through a memory's files; mend or compact them if asked.

    Parameters
    ----------
    path : str or path-like
        The folder of a memory.
    repair : bool, default False
        Take out of the files what keeps the app from reading them (design §4):
        bytes that are not UTF-8, ids that are no text, edges without `src`, `dst`
        or `type`, and every other line that is listed as unreadable. Whole
        records on such a line stay, each on a line of its own.
    compact : bool, default False
        Rewrite both files with live records only, as `JsonlStore.compact` does.

    Returns
    -------
    CheckReport
        Counts and problems as they are afterwards.

    Raises
    ------
    StoreNotFound, NotAMemory, StoreNotReadable
        There is no memory to check.
    StoreBusy, StoreNotWritable, WriteFailed
        The files are as they were.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     str(check(folder)).splitlines()[-1]
    'no problems'
    """
    text = os.fspath(path)
    if text == ":memory:" or "://" in text:
        raise BadRequest(
            f"check {text!r}", found="not a folder", do="name the folder of a memory"
        )
    store = JsonlStore(path, must_exist=True)
    mended: list[Problem] = []
    if repair:
        with store.settled() as still:
            still()
            mended = mend(store.folder)
        store.refresh()
        if mended:
            _keep_marks(store)
    if compact:
        store.compact()
    graph = store.graph()
    return CheckReport(
        store.location,
        store.records,
        len(graph),
        sum(graph.edge_counts().values()),
        tuple(store.problems()),
        tuple(mended),
        compact,
    )


def _keep_marks(store: JsonlStore) -> None:
    """Put a tombstone at the highest id if only a damaged line named it.

    Ids are never used again (design §4), and nothing reads what was taken out.
    """
    left = JsonlStore(store.folder).graph()

    def plan(graph: Graph) -> Batch:
        node, edge = graph.node_mark, graph.edge_mark
        return Batch(
            dropped_nodes=(f"n{node}",) if node > left.node_mark else (),
            dropped_edges=(f"r{edge}",) if edge > left.edge_mark else (),
        )

    store.write(plan)
