# SPDX-License-Identifier: Apache-2.0
"""The suite behind `smemkit.testing.check_store`: a store beside ``:memory:``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import zip_longest
from typing import Any
from unittest import mock

from hypothesis import example, given, settings
from hypothesis import strategies as st

import smemkit
from smemkit import instants
from smemkit.errors import StoreClosed, StoreDiffers
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch, Node, Value
from smemkit.testing import Fresh, raw, steps
from smemkit.testing.answers import Names, content, questions, said
from smemkit.testing.raw import BATCHES, Act, plan_of
from smemkit.testing.steps import HISTORIES, Made, Step

START = datetime(2026, 10, 2, 12, tzinfo=UTC)
SHOWN = 300
"""How much of an answer a message shows, around the place where two part."""


def check(fresh: Fresh, examples: int | None, reopens: bool) -> None:
    """Run the three parts; see `smemkit.testing.check_store`."""
    _check_seam(fresh, reopens)

    many = settings(deadline=None)
    if examples is not None:
        many = settings(many, max_examples=examples)

    @many
    @given(HISTORIES, st.integers(0, 20))
    @example(steps.STORY, 6)
    def verbs(history: Sequence[Step], opened_at: int) -> None:
        with _pair(fresh, reopens) as pair:
            for at, step in enumerate(history):
                if at == opened_at:
                    pair.reopen()
                pair.call(at, step)
            pair.compare_all()

    @many
    @given(BATCHES)
    @example(raw.STORY)
    def records(batches: Sequence[Sequence[Act]]) -> None:
        with _pair(fresh, reopens) as pair:
            for acts in batches:
                plan = plan_of(acts)
                pair.same("store.write", partial(_written, plan))
                pair.same("the records", content)
                pair.compare_finds()
            pair.compare_all()

    verbs()
    records()


def _written(plan: Callable[[Graph], Batch], memory: Memory) -> object:
    batch = memory.store.write(plan)
    return [len(batch.nodes), len(batch.edges), batch.dropped_nodes]


@contextmanager
def _pair(fresh: Fresh, reopens: bool) -> Iterator[_Pair]:
    with fresh() as opens:
        pair = _Pair(opens, reopens)
        try:
            yield pair
        finally:
            pair.theirs.close()


class _Pair:
    """The store that is tested and the one that is right, side by side."""

    def __init__(self, opens: Callable[[], Memory], reopens: bool) -> None:
        self._opens = opens
        self._reopens = reopens
        self.ours = smemkit.open(":memory:")
        self.theirs = opens()
        self._names = Names(), Names()
        self._made: list[tuple[str, str, str]] = []

    def call(self, at: int, step: Step) -> None:
        """Do one step on both."""
        moment = instants.text(START + timedelta(seconds=at))
        found: list[Any] = []

        def do(memory: Memory) -> object:
            side = memory is self.theirs
            args = {
                name: self._filled(value, side) for name, value in step.args.items()
            }
            answer = getattr(memory, step.verb)(**args)
            found.append(answer)
            return answer

        with mock.patch.object(instants, "now", return_value=moment):
            self.same(f"step {at + 1}, {step.verb}({step.args})", do)
        for what in ("claim", "evidence"):
            ids = [str(x) for a in found if (x := getattr(a, f"{what}_id", None))]
            if len(ids) == 2:
                self._made.append((what, ids[0], ids[1]))

    def _filled(self, value: Any, theirs: bool) -> Any:
        if isinstance(value, Made):
            ids = [m[1 + theirs] for m in self._made if m[0] == value.what]
            return ids[-1 - value.nth] if value.nth < len(ids) else "none of these"
        if isinstance(value, dict):
            return {k: self._filled(v, theirs) for k, v in value.items()}
        if isinstance(value, list):
            return [self._filled(v, theirs) for v in value]
        return value

    def same(self, name: str, ask: Callable[[Memory], object]) -> None:
        """Ask both the same; refuse if their answers differ."""
        ours = self._names[0].settle(said(lambda: ask(self.ours)))
        theirs = self._names[1].settle(said(lambda: ask(self.theirs)))
        _refuse_unless_equal(name, ours, theirs)

    def compare_finds(self) -> None:
        """Compare what the store itself looks up, which no verb needs."""
        with self.ours.reading() as graph:
            nodes = list(graph.nodes())
        wheres: list[dict[str, Value]] = [{}]
        wheres += [dict([next(iter(n.props.items()))]) for n in nodes[:4] if n.props]
        for where in wheres:
            for label in (None, "Claim", "ToolCall"):
                for limit in (None, 1):
                    name = f"store.find({label!r}, where={where}, limit={limit})"
                    self.same(name, partial(_found, label, where, limit))
        for session in (None, "s1"):
            for kind in (None, "next"):
                name = f"store.find_edges({kind!r}, session_id={session!r})"
                self.same(name, partial(_found_edges, kind, session))

    def compare_all(self) -> None:
        """Compare every answer, then once more what a new opening reads."""
        self._compare()
        if self._reopens:
            self.reopen()
            self._compare()

    def reopen(self) -> None:
        """Close the store that is tested and open it anew, if it can be."""
        if self._reopens:
            self.theirs.close()
            self.theirs = self._opens()

    def _compare(self) -> None:
        both = zip_longest(questions(self.ours), questions(self.theirs))
        for ours, theirs in both:
            if ours is None or theirs is None:
                there = (ours or theirs)[0]
                raise StoreDiffers("the questions asked", found=f"one lacks {there}")
            _refuse_unless_equal(
                ours[0],
                self._names[0].settle(said(ours[1])),
                self._names[1].settle(said(theirs[1])),
            )


def _found(
    label: str | None, where: dict[str, Value], limit: int | None, memory: Memory
) -> object:
    return _shown(memory.store.find(label, where=where, limit=limit))


def _found_edges(kind: str | None, session: str | None, memory: Memory) -> object:
    return _shown(memory.store.find_edges(kind, session_id=session))


def _shown(records: Sequence[Any]) -> object:
    return [
        [
            sorted((k, repr(v)) for k, v in record.props.items()),
            getattr(record, "type", 0),
        ]
        for record in records
    ]


def _refuse_unless_equal(name: str, right: str, found: str) -> None:
    if right == found:
        return
    at = next(
        (i for i, (x, y) in enumerate(zip(right, found, strict=False)) if x != y),
        min(len(right), len(found)),
    )
    start = max(0, at - SHOWN // 3)
    raise StoreDiffers(
        name,
        found=f"…{found[start : start + SHOWN]}…",
        do=f"right is …{right[start : start + SHOWN]}…",
    )


# -- the rules of the seam ----------------------------------------------------------


def _one(name: str) -> Callable[[Graph], Batch]:
    def plan(graph: Graph) -> Batch:
        new = f"n{graph.node_mark + 1}"
        return Batch((Node(new, ("Claim",), {"claim_id": name}),))

    return plan


def _check_seam(fresh: Fresh, reopens: bool) -> None:
    with fresh() as opens:
        memory = opens()
        store = memory.store
        _hold("an empty memory", len(memory) == 0)
        before = store.revision()
        _hold("a revision without a change", store.revision() == before)
        store.write(_one("a"))
        _hold("a revision after a write", store.revision() != before)
        before = store.revision()
        store.write(lambda _: Batch())
        _hold("the revision after an empty batch", store.revision() == before)
        _hold("refresh() with nothing new", not store.refresh())
        _hold("a node's id, as its plan gave it", store.graph().node("n1") is not None)
        if reopens:
            _check_two_openings(memory, opens)
        memory.close()
        try:
            store.graph()
        except StoreClosed:
            return
        raise StoreDiffers("a closed store", found="it still answers")


def _check_two_openings(memory: Memory, opens: Callable[[], Memory]) -> None:
    other = opens()
    names = [node.public_id for node in other.store.find("Claim")]
    _hold("what a second opening finds", names == ["a"])
    other.store.write(_one("b"))
    memory.refresh()
    with memory.reading() as graph:
        names = [node.public_id for node in graph.nodes("Claim")]
    _hold("what another opening wrote, after refresh()", names == ["a", "b"])
    memory.store.write(_one("c"))
    other.refresh()
    with other.reading() as graph:
        ids = [node.id for node in graph.nodes("Claim")]
    _hold("ids that two openings gave", len(set(ids)) == 3)
    other.close()


def _hold(rule: str, kept: bool) -> None:
    if not kept:
        raise StoreDiffers(rule, found="not as the seam demands")
