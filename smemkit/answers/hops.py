# SPDX-License-Identifier: Apache-2.0
"""Hop, Hops: the entries of a trace, kept flat until somebody looks at one.

A trace may pass thousands of steps of a session's line, and most readers want
its verdict only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from smemkit.answers.nodes import EdgeView, NodeView, Wire, trace_form
from smemkit.records import Node

FORWARD = frozenset({"feeds"})
"""Edge types that a trace follows along the arrow; all others against it."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One entry of a trace.

    Attributes
    ----------
    hop : int
        The layer, from 1.
    node : NodeView
        What was met.
    via_edge : str
        The type of the edge it was met over.
    from_id : str or None
        The public id of the node of the layer before from which it was met.
    is_terminal : bool
        True for what was looked for.
    several : bool
        True if `via_edge` is a `next` that stands for several: what was met is
        further back on the line than the step before.
    """

    hop: int
    node: NodeView
    via_edge: str
    from_id: str | None
    is_terminal: bool = False
    several: bool = False

    def edge(self) -> EdgeView:
        """Return the edge as it is stored: from what came first to what followed."""
        if self.via_edge in FORWARD:
            return EdgeView(self.from_id, self.node.id, self.via_edge)
        return EdgeView(self.node.id, self.from_id, self.via_edge)

    def to_dict(self) -> Wire:
        """Return the wire form; `is_terminal` is there only if it is true."""
        form: Wire = {
            "hop": self.hop,
            "node": self.node.trace_form(),
            "via_edge": self.via_edge,
            "from": self.from_id,
        }
        if self.is_terminal:
            form["is_terminal"] = True
        return form


class Hops(Sequence[Hop]):
    """The entries of a trace: a sequence that makes each `Hop` when it is read.

    Parameters
    ----------
    start : Node
        Where the trace began.
    near : mapping of int to set of str, optional
        For each place from which `next` was followed, -1 being the start: the
        storage ids of the steps right before it.

    Examples
    --------
    >>> hops = Hops(Node("n1", ("Artifact",), {"artifact_id": "a", "version": 1}))
    >>> hops.add_layer([(Node("n2", ("Code",), {"code_id": "e"}), "produces", -1)])
    >>> len(hops), hops[0].node.id, hops[0].from_id
    (1, 'e', 'a#v1')
    """

    __slots__ = ("_ends", "_entries", "_near", "_start", "_terminal")

    def __init__(
        self, start: Node, near: Mapping[int, frozenset[str]] | None = None
    ) -> None:
        self._start = start
        self._near = {} if near is None else near
        self._entries: list[tuple[Node, str, int]] = []
        self._ends: list[int] = []
        self._terminal = False

    def add_layer(
        self, layer: Sequence[tuple[Node, str, int]], *, terminal: bool = False
    ) -> None:
        """Append a layer; only the walk that makes the trace calls this.

        Parameters
        ----------
        layer : sequence of (Node, str, int)
            Each node met, the edge type, and the place in this sequence of the
            node it was met from (-1: the start).
        terminal : bool, default False
            The layer holds what was looked for.
        """
        self._entries += layer
        self._ends.append(len(self._entries))
        self._terminal = terminal

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Hop: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Hop, ...]: ...

    def __getitem__(self, index: int | slice) -> Hop | tuple[Hop, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        place = range(len(self))[index]
        node, via, origin = self._entries[place]
        layer = self._layer_of(place)
        return Hop(
            layer,
            NodeView.of(node),
            via,
            self._node_at(origin).public_id,
            self._terminal and layer == len(self._ends),
            via == "next" and node.id not in self._near.get(origin, (node.id,)),
        )

    def __iter__(self) -> Iterator[Hop]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hops):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self._start.id, len(self._entries)))

    def __repr__(self) -> str:
        return f"<Hops: {len(self)} in {len(self._ends)} layers>"

    def layers(self) -> Iterator[Sequence[tuple[Node, str, Node]]]:
        """Yield each layer: what was met, over which edge, and from where.

        Examples
        --------
        >>> hops = Hops(Node("n1", ("Artifact",), {"artifact_id": "a", "version": 1}))
        >>> hops.add_layer([(Node("n2", ("Code",), {"code_id": "e"}), "produces", -1)])
        >>> [[(met.id, via, origin.id) for met, via, origin in layer] for layer in hops.layers()]
        [[('n2', 'produces', 'n1')]]
        """
        begin = 0
        for end in self._ends:
            yield [
                (node, via, self._node_at(origin))
                for node, via, origin in self._entries[begin:end]
            ]
            begin = end

    def path_to(self, node_id: str) -> tuple[Hop, ...]:
        """Return the hops from the start to a node, empty if it was not met."""
        places = range(len(self))
        place = next((k for k in places if self._entry_id(k) == node_id), -1)
        path: list[Hop] = []
        while place >= 0:
            path.append(self[place])
            place = self._entries[place][2]
        return tuple(reversed(path))

    def to_list(self) -> list[Wire]:
        """Return the wire form of every entry."""
        ids = [node.public_id for node, _, _ in self._entries]
        ids.append(self._start.public_id)  # the place -1
        found: list[Wire] = []
        begin = 0
        for number, end in enumerate(self._ends, 1):
            terminal = self._terminal and number == len(self._ends)
            for k in range(begin, end):
                node, via, origin = self._entries[k]
                entry: Wire = {
                    "hop": number,
                    "node": trace_form(node.label, ids[k], node.props),
                    "via_edge": via,
                    "from": ids[origin],
                }
                if terminal:
                    entry["is_terminal"] = True
                found.append(entry)
            begin = end
        return found

    def _parts(self) -> tuple[object, ...]:
        return self._start, self._entries, self._ends, self._terminal

    def _node_at(self, place: int) -> Node:
        return self._start if place < 0 else self._entries[place][0]

    def _entry_id(self, place: int) -> str | None:
        return self._entries[place][0].public_id

    def _layer_of(self, place: int) -> int:
        return bisect_right(self._ends, place) + 1
