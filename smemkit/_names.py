# SPDX-License-Identifier: Apache-2.0
"""Which nodes a text names. Nearly every text names one, which is stored bare."""

from __future__ import annotations

from collections.abc import Sequence

from smemkit import schema
from smemkit.records import Node

Names = dict[str, str | list[str]]


def ids(named: Names, name: str) -> Sequence[str]:
    """Return the storage ids of the nodes a text names."""
    found = named.get(name, ())
    return (found,) if isinstance(found, str) else found


def add(named: Names, name: str, node_id: str) -> None:
    """Let a text name one more node."""
    found = named.get(name)
    if found is None or found == node_id:
        named[name] = node_id
    elif isinstance(found, str):
        named[name] = [found, node_id]
    elif node_id not in found:
        found.append(node_id)


def drop(named: Names, name: str, node_id: str) -> None:
    """Let a text no longer name a node."""
    found = named.get(name)
    if isinstance(found, list):
        found.remove(node_id)
        if len(found) == 1:
            named[name] = found[0]
    elif found == node_id:
        del named[name]


ONE_FIELD = {
    label: fields[0]
    for label, fields in schema.NAMES.items()
    if len(fields) == 1 and label not in ("SearchNode", "SearchCell")
}
"""Labels that one property alone names, and that property."""


def note_lack(nameless: set[str], node: Node) -> None:
    """Keep the set of nodes without public id right for this node's new state."""
    field = ONE_FIELD.get(node.labels[0]) if node.labels else None
    if (node.public_id if field is None else node.props.get(field)) is None:
        nameless.add(node.id)
    elif node.id in nameless:
        nameless.discard(node.id)
