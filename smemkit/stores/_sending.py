# SPDX-License-Identifier: Apache-2.0
"""How a batch goes into an open transaction: one statement per kind of record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smemkit.errors import WriteFailed, short
from smemkit.graph import Graph
from smemkit.records import Batch, Edge
from smemkit.stores import _cypher
from smemkit.stores._bolt import Row, Transaction
from smemkit.stores._elements import Places, changed_props, new_props

ROWS = 5_000
"""How many rows one statement carries."""

LOGGED = 2_000
"""A larger batch is not told record by record: others read everything anew."""


@dataclass
class Sent:
    """What one write did, as other programs are told, and where it lies now."""

    fresh: Places = field(default_factory=Places)
    touched_nodes: list[str] = field(default_factory=list)
    touched_edges: list[str] = field(default_factory=list)
    gone_nodes: tuple[str, ...] = ()
    gone_edges: tuple[str, ...] = ()

    @property
    def log(self) -> Mapping[str, object]:
        """The parameters of the line in the log."""
        nodes = [*self.fresh.nodes.values(), *self.touched_nodes]
        edges = [*self.fresh.edges.values(), *self.touched_edges]
        lists: dict[str, Sequence[str]] = {
            "nodes": nodes,
            "edges": edges,
            "gone_nodes": self.gone_nodes,
            "gone_edges": self.gone_edges,
        }
        whole = sum(map(len, lists.values())) > LOGGED
        if whole:
            lists = dict.fromkeys(lists, ())
        return {**{k: list(v) for k, v in lists.items()}, "whole": whole}

    def into(self, places: Places) -> None:
        """Note where the new records lie, and forget the places of those gone."""
        for edge_id in self.gone_edges:
            places.edges.pop(edge_id, None)
        for node_id in self.gone_nodes:
            places.nodes.pop(node_id, None)
        places.nodes |= self.fresh.nodes
        places.edges |= self.fresh.edges


def send(tx: Transaction, graph: Graph, places: Places, batch: Batch) -> Sent:
    """Send a settled batch: removals first, then nodes, then edges.

    Parameters
    ----------
    tx : Transaction
        Holds the lock.
    graph : Graph
        What is on the server now.
    places : Places
        Where its records lie.
    batch : Batch
        What is to be kept.
    """
    moved = [e for e in batch.edges if _moved(e, graph.edge(e.id))]
    sent = Sent(gone_nodes=batch.dropped_nodes, gone_edges=batch.dropped_edges)
    gone = [*batch.dropped_edges, *(edge.id for edge in moved)]
    _by_id(tx, _cypher.DROP_EDGES, [places.edges[i] for i in gone if i in places.edges])
    gone = list(batch.dropped_nodes)
    _by_id(tx, _cypher.DROP_NODES, [places.nodes[i] for i in gone if i in places.nodes])
    _send_nodes(tx, graph, places, batch, sent)
    _send_edges(tx, graph, places, batch, sent)
    return sent


def _moved(edge: Edge, old: Edge | None) -> bool:
    return old is not None and (old.type, old.src, old.dst) != (
        edge.type,
        edge.src,
        edge.dst,
    )


def _send_nodes(
    tx: Transaction, graph: Graph, places: Places, batch: Batch, sent: Sent
) -> None:
    new: dict[tuple[str, ...], list[Any]] = {}
    changed: list[Any] = []
    relabelled: dict[tuple[tuple[str, ...], ...], list[Any]] = {}
    dropped = set(batch.dropped_nodes)
    for node in batch.nodes:
        old = None if node.id in dropped else graph.node(node.id)
        if old is None:
            row = {"id": node.id, "props": new_props(node)}
            new.setdefault(node.labels, []).append(row)
            continue
        at = places.nodes[node.id]
        props: dict[str, object] = {**changed_props(old.props, node.props)}
        if old.labels != node.labels:
            relabelled.setdefault((old.labels, node.labels), []).append({"at": at})
            props[_cypher.ORDER] = list(node.labels) if len(node.labels) > 1 else None
        changed.append({"at": at, "props": props})
        sent.touched_nodes.append(at)
    for labels, rows in new.items():
        for part in _parts(rows):
            found = tx.run(_cypher.put_nodes(labels), rows=part)
            sent.fresh.nodes |= _new(found, part)
    for part in _parts(changed):
        tx.run(_cypher.CHANGE_NODES, rows=part)
    for (before, after), rows in relabelled.items():
        tx.run(_cypher.relabel(before, after), rows=rows)


def _send_edges(
    tx: Transaction, graph: Graph, places: Places, batch: Batch, sent: Sent
) -> None:
    new: dict[str, list[Any]] = {}
    changed: list[Any] = []
    dropped = set(batch.dropped_edges)
    fresh, known = sent.fresh.nodes, places.nodes
    for edge in batch.edges:
        old = None if edge.id in dropped else graph.edge(edge.id)
        if old is None or _moved(edge, old):
            row = {"id": edge.id, "props": new_props(edge)}
            for end, at in (("src", edge.src), ("dst", edge.dst)):
                row[end] = fresh.get(at) or known[at]
            new.setdefault(edge.type, []).append(row)
            continue
        at = places.edges[edge.id]
        changed.append({"at": at, "props": changed_props(old.props, edge.props)})
        sent.touched_edges.append(at)
    for edge_type, rows in new.items():
        for part in _parts(rows):
            found = tx.run(_cypher.put_edges(edge_type), rows=part)
            sent.fresh.edges |= _new(found, part)
    for part in _parts(changed):
        tx.run(_cypher.CHANGE_EDGES, rows=part)


def _new(found: list[Row], rows: list[Any]) -> dict[str, str]:
    """Return where new records lie; refuse if one was there, or an end of one was not."""
    taken = [row[0] for row in found if row[2]]
    missing = {row["id"] for row in rows} - {row[0] for row in found}
    if taken or missing:
        raise WriteFailed(
            f"{len(rows)} new records",
            found=f"id {short(taken[0])} in use"
            if taken
            else f"no place for {min(missing)!r}",
            do="write again: another program changed the database meanwhile",
        )
    return {row[0]: row[1] for row in found}


def _by_id(tx: Transaction, query: str, ids: list[str]) -> None:
    for part in _parts(ids):
        tx.run(query, ids=part)


def _parts(rows: list[Any]) -> list[list[Any]]:
    return [rows[i : i + ROWS] for i in range(0, len(rows), ROWS)]
