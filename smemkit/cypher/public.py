# SPDX-License-Identifier: Apache-2.0
"""How a node, a relationship and a path look in a cell of an answer, on any engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from smemkit import schema


def node(labels: Sequence[str], props: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node: its public id, its labels as stored, its properties.

    Examples
    --------
    >>> node(["Artifact"], {"artifact_id": "fig", "version": 2})["id"]
    'fig#v2'
    """
    return {
        "id": schema.public_id(labels[0], props) if labels else None,
        "labels": list(labels),
        "props": dict(sorted(props.items())),
    }


def relationship(edge_type: str, props: Mapping[str, Any]) -> dict[str, Any]:
    """Return a relationship: its type and its properties.

    Examples
    --------
    >>> relationship("supports", {})
    {'type': 'supports', 'props': {}}
    """
    return {"type": edge_type, "props": dict(sorted(props.items()))}


def path(nodes: Sequence[Any], relationships: Sequence[Any]) -> dict[str, Any]:
    """Return a path: its nodes and its relationships, each in order.

    Examples
    --------
    >>> path([], [])
    {'nodes': [], 'relationships': []}
    """
    return {"nodes": list(nodes), "relationships": list(relationships)}
