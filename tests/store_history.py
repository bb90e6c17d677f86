# SPDX-License-Identifier: Apache-2.0
"""A store's folder through crashes, full disks and the app, beside what must be in it.

`World` does one thing after another to the folder and keeps, apart from smemkit,
the records that count. `World.check` compares.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smemkit.errors import WriteFailed
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, number
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.repair import check
from tests import app_loader
from tests.store_crashes import Op, failing, recorded, replay, units
from tests.store_plans import agree, in_order, lone, text

NODES, EDGES = "nodes.jsonl", "edges.jsonl"
Record = dict[str, Any]

WORDS = ["", "a", "锌指", 'a "b" \\', '{"id":"n1"', '"end":1}', "\u2028", "x" * 70]


def random_batch(graph: Graph, dice: random.Random) -> Batch:
    """Plan new, changed and removed records, of either file or both."""
    live = list(graph.nodes())
    dropped = dice.sample(live, min(len(live), dice.choice([0, 0, 0, 0, 1])))
    if dice.random() < 0.15:  # the highest id is the one that may be forgotten
        dropped = live[-1:]
    rest = [node for node in live if node not in dropped]
    nodes = [
        Node(n.id, n.labels, {**n.props, "w": dice.choice(WORDS)})
        for n in dice.sample(rest, min(len(rest), dice.choice([0, 0, 1, 2])))
    ]
    mark, edge_mark = graph.node_mark, graph.edge_mark
    for k in range(dice.choice([0, 1, 1, 3])):
        props = {"w": dice.choice(WORDS), "k": dice.randrange(9)}
        nodes.append(Node(f"n{mark + 1 + k}", (dice.choice("AB"),), props))
    ids = [n.id for n in {n.id: n for n in [*rest, *nodes]}.values()]
    gone = {e.id for n in dropped for e in [*graph.out(n.id), *graph.into(n.id)]}
    edges = []
    for k in range(dice.choice([0, 0, 1, 2]) if ids else 0):
        ends = dice.choice(ids), dice.choice(ids)
        edges.append(Edge(f"r{edge_mark + 1 + k}", "next", *ends, {"k": k}))
    for edge in dice.sample(list(graph.edges()), min(1, len(graph.edge_counts()))):
        if edge.id not in gone and dice.random() < 0.3:
            gone.add(edge.id)
    return Batch(
        tuple(nodes), tuple(edges), tuple(n.id for n in dropped), tuple(sorted(gone))
    )


class World:
    """One folder, a writer and a reader of ours, and what must be in it.

    Attributes
    ----------
    nodes, edges : dict
        The records that count, edges without an end included.
    acknowledged : set of str
        Ids of ours of which the last state was acknowledged.
    used : set of str
        Ids that must not be given out again.
    pending : set of str
        Ids in lines of a batch that was cut short, which only the app counts.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nodes: dict[str, tuple[Any, ...]] = {}
        self.edges: dict[str, tuple[Any, ...]] = {}
        self.acknowledged: set[str] = set()
        self.used: set[str] = set()
        self.pending: set[str] = set()
        self.unfinished: tuple[str, bytes, Record] | None = None
        self.store = JsonlStore(folder)
        self.reader = JsonlStore(folder)

    # -- what must be there ------------------------------------------------------

    def live(self) -> str:
        """Return the records that count, as `text` shows a store."""
        edges = {i: e for i, e in self.edges.items() if {e[1], e[2]} <= set(self.nodes)}
        return repr((sorted(self.nodes.items()), sorted(edges.items())))

    def check(self) -> None:
        """Hold that whoever opens, follows or writes sees the records that count."""
        before = self.bytes()
        fresh = JsonlStore(self.folder)
        assert text(fresh) == self.live(), "a fresh opening"
        self.reader.refresh()
        assert text(self.reader) == self.live(), "the reader that follows"
        assert in_order(self.reader) == in_order(fresh)
        assert self.bytes() == before, "reading changes no byte"

    def bytes(self) -> dict[str, bytes | None]:
        """Return both files as they are."""
        paths = {name: self.folder / name for name in (NODES, EDGES)}
        return {n: p.read_bytes() if p.exists() else None for n, p in paths.items()}

    def _apply(self, batch: Batch) -> None:
        for node_id in batch.dropped_nodes:
            self.nodes.pop(node_id, None)
        for edge_id in batch.dropped_edges:
            self.edges.pop(edge_id, None)
        for node in batch.nodes:
            self.nodes[node.id] = (node.labels, dict(node.props))
        for edge in batch.edges:
            self.edges[edge.id] = (edge.type, edge.src, edge.dst, dict(edge.props))

    def _take(self, name: str, record: Record) -> None:
        records = self.nodes if name == NODES else self.edges
        self.acknowledged.discard(record["id"])
        self.used.add(record["id"])
        if record.get("deleted"):
            records.pop(record["id"], None)
        elif name == NODES:
            self.nodes[record["id"]] = (tuple(record["labels"]), record["props"])
        else:
            ends = record["src"], record["dst"]
            self.used.update(ends)
            self.edges[record["id"]] = (record["type"], *ends, record["props"])

    # -- what smemkit does ---------------------------------------------------------

    def write(self, dice: random.Random) -> None:
        """Write a batch; the app can read all of it afterwards."""
        known = self._ids_on_disk() | self.used
        batch = self.store.write(lambda graph: random_batch(graph, dice))
        self.unfinished = None if len(batch) else self.unfinished
        new = {r.id for r in [*batch.nodes, *batch.edges]}
        new -= {*self.nodes, *self.edges}
        assert not new & known, "an id is used again"
        self._apply(batch)
        self.acknowledged |= {r.id for r in [*batch.nodes, *batch.edges]}
        self.acknowledged -= {*batch.dropped_nodes, *batch.dropped_edges}
        self.used |= new | {*batch.dropped_nodes, *batch.dropped_edges}
        if len(batch):
            self.pending.clear()
            self.hold_for_the_app()

    def hold_for_the_app(self) -> None:
        """Hold that the app's loader finds what counts, as far as it can load."""
        assert text(self.store) == self.live()
        with contextlib.suppress(UnicodeDecodeError):
            assert text(self.folder) == self.live(), "the app's loader"

    def crash(self, dice: random.Random) -> None:
        """Die while a batch is written, after any byte; a new process takes over."""
        before, ops, batch = self.watched_write(dice)
        self.store = JsonlStore(self.folder)
        if not ops:
            return
        count = units(ops)
        left = dice.randrange(count + 1)
        if dice.random() < 0.3:  # near the end is where it is decided
            left = max(0, count - dice.randrange(4))
        self.stand_at(before, ops, batch, left)

    def watched_write(
        self, dice: random.Random
    ) -> tuple[dict[str, bytes | None], list[Op], Batch]:
        """Write a batch that is not believed in yet; return what it takes to undo it."""
        before = self.bytes()
        ops: list[Op] = []
        with recorded(ops):
            batch = self.store.write(lambda graph: random_batch(graph, dice))
        return before, ops, batch

    def stand_at(
        self, before: dict[str, bytes | None], ops: list[Op], batch: Batch, left: int
    ) -> None:
        """Leave the files as a crash after so many bytes of a write leaves them."""
        for name, data in replay(before, ops, left).items():
            if data or before[name] is not None or name in {n for n, _ in ops}:
                (self.folder / name).write_bytes(data)
        touched = {r.id for r in [*batch.nodes, *batch.edges]}
        touched |= {*batch.dropped_nodes, *batch.dropped_edges}
        if left >= units(ops) - 1:  # a line counts without its newline
            self._apply(batch)
            self.acknowledged -= touched
        self.pending |= touched
        self.unfinished = self.unfinished if left == 0 else None
        self.store = JsonlStore(self.folder)

    def twin(self, folder: Path) -> World:
        """Return a World of the same records in another folder, still without files."""
        folder.mkdir()
        other = World(folder)
        other.nodes, other.edges = dict(self.nodes), dict(self.edges)
        other.used = set(self.used)
        return other

    def full(self, dice: random.Random, *, broken: bool) -> None:
        """Meet a full disk while a batch is written; if broken, nothing can be cut."""
        with failing(dice.randrange(300), broken=broken):
            planned: list[Batch] = []

            def plan(graph: Graph) -> Batch:
                planned.append(random_batch(graph, dice))
                return planned[-1]

            try:
                batch = self.store.write(plan)
            except WriteFailed:
                records = [*planned[-1].nodes, *planned[-1].edges]
                self.pending |= {record.id for record in records}
                self.pending |= {*planned[-1].dropped_nodes, *planned[-1].dropped_edges}
            else:
                self._apply(batch)
                self.acknowledged |= {r.id for r in [*batch.nodes, *batch.edges]}
        self.unfinished = None
        assert text(self.store) == self.live()

    def compact(self) -> None:
        """Rewrite the files with what is live."""
        if not self.folder.exists():
            return
        self.store.compact()
        self.unfinished = None
        self.pending.clear()
        self._drop_dangling()
        self.hold_for_the_app()
        assert all("b" not in r for r in self._records()), "no batch is left"

    def repair(self) -> None:
        """Take out what the app cannot read."""
        if not self.folder.exists():
            return
        check(self.folder, repair=True)
        self.unfinished = None
        self.pending.clear()
        assert text(self.folder) == self.live()

    def _drop_dangling(self) -> None:
        live = set(self.nodes)
        self.edges = {i: e for i, e in self.edges.items() if {e[1], e[2]} <= live}

    def _records(self) -> Iterator[Record]:
        for name in (NODES, EDGES):
            yield from app_loader.records(self.folder / name).values()

    def _ids_on_disk(self) -> set[str]:
        data = b"".join(each or b"" for each in self.bytes().values())
        found = re.findall(rb'"(?:id|src|dst)":"([nr]\d+)"', data)
        return {each.decode() for each in found}

    # -- what the app does ---------------------------------------------------------

    def app_writes(self, dice: random.Random, *, dies: bool) -> None:
        """Let the app open, append, and close; or die in the middle of a line."""
        try:
            nodes, edges = app_loader.load(self.folder)
        except UnicodeDecodeError:
            return
        lines = app_batch(nodes, edges, dice)
        self.folder.mkdir(exist_ok=True)
        self.unfinished = None
        for k, (name, record) in enumerate(lines):
            data = app_loader.line(record).encode()
            last = dies and k == len(lines) - 1
            size = dice.randrange(1, len(data)) if last else len(data)
            with (self.folder / name).open("ab") as file:
                file.write(data[:size])
            if size >= len(data) - 1:
                self._take(name, record)
            else:
                self.unfinished = name, data[size:], record

    def app_goes_on(self) -> None:
        """Let the app write the rest of its line, if nobody ended it."""
        if self.unfinished is None:
            return
        name, rest, record = self.unfinished
        with (self.folder / name).open("ab") as file:
            file.write(rest)
        self._take(name, record)
        self.unfinished = None

    def app_compacts(self, *, half: bool) -> None:
        """Let the app rewrite the files as it sees them; or nodes only, and die.

        It does not know batches: what was hidden counts from now on.
        """
        try:
            nodes, edges = app_loader.load(self.folder)
        except UnicodeDecodeError:
            return
        if not self.folder.exists():
            return
        kept = self.acknowledged - self.pending
        before = {**self.nodes, **self.edges}
        old = self.bytes()[EDGES]
        app_loader.compact(self.folder)
        self.nodes = nodes
        if half:
            (self.folder / EDGES).write_bytes(old or b"")
        else:
            self.edges = edges
        now = {**self.nodes, **self.edges}
        for record_id in kept & before.keys():
            if record_id in now or set(before[record_id][1:3]) <= nodes.keys():
                assert now[record_id] == before[record_id], "acknowledged, and lost"
        self.unfinished = None
        self.acknowledged &= now.keys()
        ends = {end for edge in self.edges.values() for end in edge[1:3]}
        self.used = {*self.nodes, *self.edges, *ends}

    def finish(self) -> None:
        """Write once more in a new process; then all three see the same."""
        self.store = JsonlStore(self.folder)
        (node,) = self.store.write(lone("last")).nodes
        self.nodes[node.id] = (node.labels, dict(node.props))
        self.hold_for_the_app()
        check(self.folder, repair=True)
        agree(JsonlStore(self.folder))
        assert text(self.folder) == self.live()


def app_batch(
    nodes: dict[str, Any], edges: dict[str, Any], dice: random.Random
) -> list[tuple[str, Record]]:
    """Return a commit of the app: new ids follow the highest it sees alive."""
    mark = max((number(i) for i in nodes), default=0)
    edge_mark = max((number(i) for i in edges), default=0)
    found: list[tuple[str, Record]] = []
    ids = list(nodes)
    for _ in range(dice.choice([0, 1, 1, 2])):
        mark += 1
        props = {"w": dice.choice(WORDS), "app": True}
        found.append((NODES, {"id": f"n{mark}", "labels": ["App"], "props": props}))
        ids.append(f"n{mark}")
    for node_id in dice.sample(list(nodes), min(len(nodes), dice.choice([0, 0, 1]))):
        labels, props = nodes[node_id]
        state = {"id": node_id, "labels": list(labels), "props": {**props, "app": 1}}
        found.append((NODES, state))
    for node_id in dice.sample(list(nodes), min(len(nodes), dice.choice([0, 0, 0, 1]))):
        found.append((NODES, {"id": node_id, "deleted": True}))
        ids.remove(node_id)
        touching = [i for i, e in edges.items() if node_id in e[1:3]]
        found += [(EDGES, {"id": i, "deleted": True}) for i in touching]
    for _ in range(dice.choice([0, 1, 2]) if ids else 0):
        edge_mark += 1
        ends = {"src": dice.choice(ids), "dst": dice.choice(ids)}
        found.append(
            (EDGES, {"id": f"r{edge_mark}", "type": "app", **ends, "props": {}})
        )
    return sorted(found, key=lambda each: each[0] == EDGES)
