# SPDX-License-Identifier: Apache-2.0
"""How everything in one memory comes into another: ``smemkit copy SRC DST``."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from smemkit._matching import Records, Run
from smemkit._verbs import known_session
from smemkit.errors import BadRequest, InvalidRecord, StoreError
from smemkit.memory import Memory, open
from smemkit.stores.opening import Target

BATCH = 10_000
"""How many records of the source one write takes over, at most."""

Opener = Callable[[], AbstractContextManager[Memory]]
Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Apart:
    """A record that is not at the destination as it is in the source.

    Attributes
    ----------
    record : str
        Which one.
    reason : str
        How it differs, or why it was left out.
    """

    record: str
    reason: str


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy found and did.

    Attributes
    ----------
    source, destination : str
        Where both memories are.
    nodes, edges : int
        How many there are in the source (in the session that was named).
    added_nodes, added_edges : int
        How many of them were new at the destination.
    replaced : int
        How many records of the destination were given the source's state.
    conflicts : tuple of Apart
        Records that are there in another state, which they keep.
    left_out : tuple of Apart
        Records that the destination cannot hold, and edges at them.
    problems : int
        What the source itself could not read; nothing of it was copied.
    """

    source: str
    destination: str
    nodes: int
    edges: int
    added_nodes: int
    added_edges: int
    replaced: int
    conflicts: tuple[Apart, ...]
    left_out: tuple[Apart, ...]
    problems: int

    @property
    def ok(self) -> bool:
        """Whether the destination now holds all there is, as the source has it."""
        return not (self.conflicts or self.left_out or self.problems)

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data, for JSON."""
        return {**asdict(self), "ok": self.ok}

    def __str__(self) -> str:
        lines = [
            f"{self.source} to {self.destination}: "
            f"{self.nodes:,} nodes and {self.edges:,} edges",
            f"  added {self.added_nodes:,} nodes and {self.added_edges:,} edges; "
            f"replaced {self.replaced:,}",
        ]
        lines += [f"  conflict  {x.record}: {x.reason}" for x in self.conflicts]
        lines += [f"  left out  {x.record}: {x.reason}" for x in self.left_out]
        if self.problems:
            lines.append(
                f"  the source has {self.problems:,} problems; its problems() lists them"
            )
        lines.append("complete" if self.ok else "not complete")
        return "\n".join(lines)


def copy(
    src: Target | Memory,
    dst: Target | Memory,
    *,
    session_id: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Copied:
    """Copy all nodes and edges of a memory into another, whatever holds them.

    What is in the source when the copy begins is taken over in batches, nodes
    first, in the order of creation. Each batch is kept whole or not at all. If
    the copy is cut off, run it again: what is there is found, and only the rest
    is written. A second run changes nothing. Nothing is ever removed, from either.

    One rule says which record of the destination a record is:

    - A **node** with a key (its label and the properties of `smemkit.schema.KEYS`;
      ``SubTask`` counts as ``ToolCall``) is the node with the same key. One
      without a key is the node with equal labels and properties.
    - An **edge** is the edge of the same type and `method` between the same two
      nodes.
    - Where several fit, equal ones are matched first, by age, one by one; one that
      differs is then the last of those without an equal: what the source holds
      twice is there twice afterwards.
    - An equal record stays as it is. One that differs in labels or properties is
      a conflict: it is listed and stays as it is, or takes the source's state as
      a whole if `replace` is given. What fits none is added.

    Storage ids and the order of properties are the store's own and not compared.

    Parameters
    ----------
    src, dst : str, path or Memory
        What `smemkit.open` takes; an open memory stays open.
    session_id : str, optional
        Only this session's nodes, and the edges between them.
    replace : bool, default False
        Give conflicting records at the destination the state of the source.
    progress : callable, optional
        Called after each batch with the records done and all there are.

    Returns
    -------
    Copied
        Counts, conflicts, and what was left out. `ok` if all is there.

    Raises
    ------
    BadRequest
        Source and destination are the same.
    StoreNotFound
        There is no source.
    SessionNotFound
        The source has no such session.
    StoreNotWritable
        The destination can only be read.
    StoreError
        In the end the destination, opened anew, holds fewer records than were
        copied; the message has both counts.

    Examples
    --------
    >>> import smemkit
    >>> here, there = smemkit.open(":memory:"), smemkit.open(":memory:")
    >>> _ = here.observe_session_first_message("s1", core_objective="Do bills grow?")
    >>> done = smemkit.copy(here, there)
    >>> done.added_nodes, smemkit.copy(here, there).added_nodes, len(there)
    (1, 0, 1)
    """
    return between(
        opener(src, must_exist=True),
        opener(dst),
        session_id=session_id,
        replace=replace,
        progress=progress,
    )


def between(
    src: Opener,
    dst: Opener,
    *,
    session_id: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Copied:
    """Copy as `copy` does; the destination is opened twice, to write and to count."""
    with src() as source, dst() as target:
        _refuse_same(source, target)
        records, problems = _snapshot(source, session_id)
        names = source.location, target.location
        run = Run(records, replace=replace)
        total = len(records)
        for start in range(0, total, BATCH):
            stop = min(start + BATCH, total)
            _write(run, target, range(start, stop))
            if progress is not None:
                progress(stop, total)
    with dst() as target:
        _compare(run, target, names)
    return Copied(
        *names,
        len(records.nodes),
        len(records.edges),
        run.added_nodes,
        run.added_edges,
        run.replaced,
        tuple(Apart(*found) for found in run.conflicts),
        tuple(Apart(*run.left_out[place]) for place in sorted(run.left_out)),
        problems,
    )


def _refuse_same(source: Memory, target: Memory) -> None:
    """Refuse a copy into the place it comes from, also under another name."""
    here, there = source.location, target.location
    same = source.store is target.store or (here == there != ":memory:")
    if not same and pathlib.Path(here).exists() and pathlib.Path(there).exists():
        same = pathlib.Path(here).samefile(there)
    if same:
        raise BadRequest(
            f"copy {here} to {there}",
            found="source and destination are the same",
            do="name another destination",
        )


def _snapshot(source: Memory, session_id: str | None) -> tuple[Records, int]:
    with source.reading(session_id) as graph:
        if session_id is not None:
            known_session(graph, session_id)
        problems = [
            problem
            for problem in source.store.problems()
            if session_id is None or problem.session_id in {None, session_id}
        ]
        return Records.of(graph, session_id), len(problems)


def _write(run: Run, target: Memory, places: range) -> None:
    """Write these records; one that is refused is found by halving and left out."""
    try:
        run.write(target.store, places)
    except InvalidRecord as error:
        if len(places) == 1:
            run.leave_out(places[0], error.message)
            return
        middle = len(places) // 2
        _write(run, target, places[:middle])
        _write(run, target, places[middle:])


def _compare(done: Run, target: Memory, names: tuple[str, str]) -> None:
    """Match everything once more, without writing: nothing may be missing."""
    target.refresh()
    check = Run(done.records)
    check.left_out |= done.left_out
    with target.reading() as graph:
        check.look(graph, range(len(done.records)))
    if check.added_nodes or check.added_edges:
        count = len(done.records.nodes)
        nodes = count - sum(place < count for place in done.left_out)
        edges = len(done.records.edges) - sum(place >= count for place in done.left_out)
        raise StoreError(
            f"copy {names[0]} to {names[1]}",
            found=f"of {nodes:,} nodes and {edges:,} edges that were copied only "
            f"{nodes - check.added_nodes:,} and {edges - check.added_edges:,} are there",
            do="see whether another program removes records there, then copy again",
        )


def opener(place: Target | Memory, **options: Any) -> Opener:
    """Return what opens a place for a copy, once or again; a Memory stays open."""
    if isinstance(place, Memory):
        return lambda: nullcontext(place)
    if os.fspath(place) == ":memory:":
        raise BadRequest(
            "copy from or to ':memory:'",
            found="a memory that nobody has filled or could look at",
            do="open it first and give the Memory",
        )
    return lambda: open(place, **options)
