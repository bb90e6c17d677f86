# SPDX-License-Identifier: Apache-2.0
"""Which edges leave or arrive at a node: one side of every edge type, kept flat.

One edge of a type at a node is by far the commonest case, so it is stored bare:
at 150,000 edges a list for each would cost more memory than the edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from smemkit.records import Edge

Slot = Edge | list[Edge]
Side = dict[str, dict[str, Slot]]

BY_AGE = attrgetter("n")


def at(side: Side, node_id: str, edge_type: str | None) -> Sequence[Edge]:
    """Return the edges of one type, or of all, at a node in creation order."""
    if edge_type is not None:
        slot = side.get(edge_type, {}).get(node_id, ())
        return (slot,) if isinstance(slot, Edge) else slot
    found: list[Edge] = []
    for by_node in side.values():
        slot = by_node.get(node_id, ())
        if isinstance(slot, Edge):
            found.append(slot)
        else:
            found.extend(slot)
    return sorted(found, key=BY_AGE)


def put(by_node: dict[str, Slot], node_id: str, edge: Edge, old: Edge | None) -> None:
    """Set an edge in its place by age, or in the place of its old state."""
    slot = by_node.get(node_id)
    if slot is None or (isinstance(slot, Edge) and slot.id == edge.id):
        by_node[node_id] = edge
    elif isinstance(slot, Edge):
        by_node[node_id] = [slot, edge] if slot.n <= edge.n else [edge, slot]
    elif old is not None:
        slot[slot.index(old)] = edge
    else:
        slot.append(edge)
        if len(slot) > 1 and slot[-2].n > edge.n:  # an edge that waited for its end
            slot.sort(key=BY_AGE)


def drop(by_node: dict[str, Slot], node_id: str, edge_id: str) -> None:
    """Take an edge out."""
    slot = by_node[node_id]
    left = [] if isinstance(slot, Edge) else [e for e in slot if e.id != edge_id]
    if len(left) > 1:
        by_node[node_id] = left
    elif left:
        by_node[node_id] = left[0]
    else:
        del by_node[node_id]
