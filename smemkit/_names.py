# SPDX-License-Identifier: Apache-2.0
"""Which nodes a text names. Nearly every text names one, which is stored bare."""

from __future__ import annotations

from collections.abc import Sequence

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
