# SPDX-License-Identifier: Apache-2.0
"""What a graph's attributes have to become before GraphML and GEXF can hold them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

Attributes = dict[str, object]

_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def flatten(
    graphs: Iterable[Attributes],
    nodes: Iterable[Attributes],
    edges: Iterable[Attributes],
) -> None:
    """Give every attribute, in place, a value and a name that such a file can hold.

    Lists and all that is nested become JSON text, characters that XML cannot hold
    ``\ufffd``. GEXF takes a node's ``id`` for its key, though two papers may share
    one, and an edge's ``type`` for its direction: they are named ``public_id`` and
    ``label``.

    Examples
    --------
    >>> node = {"label": "Paper", "id": "10.1/x", "authors": ["Ode"]}
    >>> flatten((), (node,), ())
    >>> node
    {'label': 'Paper', 'public_id': '10.1/x', 'authors': '["Ode"]'}
    """
    for kept, old, new in (
        (graphs, "", ""),
        (nodes, "id", "public_id"),
        (edges, "type", "label"),
    ):
        for attributes in kept:
            named = {
                _name(name, old, new): _value(value)
                for name, value in attributes.items()
            }
            attributes.clear()
            attributes.update(named)


def _name(name: str, old: str, new: str) -> str:
    if name == old:
        return new
    return _text(f"prop:{name}" if name == new else name)


def _value(value: object) -> object:
    if isinstance(value, list | tuple | dict):
        value = json.dumps(value, ensure_ascii=False)
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
