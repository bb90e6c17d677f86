# SPDX-License-Identifier: Apache-2.0
"""Trace: the way from a node up to the research goal."""

from __future__ import annotations

from dataclasses import dataclass

from smemkit.answers.base import Answer, Columns, Rows
from smemkit.answers.hops import Hop, Hops
from smemkit.answers.nodes import EdgeView, NodeView, Wire
from smemkit.answers.reasons import Reason

TRACE_COLUMNS: Columns = {
    "hop": "Int64",
    "label": "string",
    "id": "string",
    "via_edge": "string",
    "from_id": "string",
    "is_terminal": "bool",
    "text": "string",
    "session_id": "string",
    "created_at": "datetime",
    "status": "string",
}


@dataclass(frozen=True, slots=True, repr=False)
class Trace(Answer):
    """The way from a node up to the research goal, layer by layer (design §5.1).

    `to_frame` has a row for each node met, the display also one for the start:

    - ``hop``: the layer, from 1, the nearest first; 0 is the start;
    - ``label``, ``id``, ``session_id``, ``created_at``: of what was met;
    - ``via_edge``: the type of the edge it was met over, from ``from_id``, which
      is a node of the layer before. Of a session's line one layer holds every
      step before, so a ``next`` may stand for several; the display says so, and
      a `Hop` of `chain` has ``several``;
    - ``is_terminal``: True for what was looked for, in the last layer;
    - ``text``: what it says, uncut; the display names a call by its tool;
    - ``status``: how a step went, as it was recorded.

    Attributes
    ----------
    start : NodeView
        Where the walk began.
    chain : Hops
        What was met, in order: a sequence of `Hop`.
    broken : bool
        The walk ended before it met the target.
    truncated : bool
        The walk was stopped after `max_hops` layers, or ended in a session of which
        the store did not tell everything.
    why : Reason
        Why it ended, with public ids.
    target_label : str
        The label that was looked for.
    max_hops : int
        The layers that were allowed.
    session_id : str or None
        The session the walk kept to.
    """

    start: NodeView
    chain: Hops
    broken: bool
    truncated: bool
    why: Reason
    target_label: str = "ResearchGoal"
    max_hops: int = 8
    session_id: str | None = None

    @property
    def reached(self) -> bool:
        """True if the walk met the target."""
        return not self.broken and not self.truncated

    @property
    def verdict(self) -> str:
        """One word: complete, broken or truncated."""
        return (
            "broken" if self.broken else "truncated" if self.truncated else "complete"
        )

    @property
    def reason(self) -> str:
        """Why it ended, in the words of the contract."""
        return str(self.why)

    @property
    def nodes(self) -> tuple[NodeView, ...]:
        """The start, then every node met, each once."""
        return (self.start, *(hop.node for hop in self.chain))

    @property
    def edges(self) -> tuple[EdgeView, ...]:
        """One edge for each node met, in the direction it is stored in.

        A `next` edge may stand for several, as it may do in the chain.
        """
        return tuple(hop.edge() for hop in self.chain)

    @property
    def layers(self) -> tuple[tuple[Hop, ...], ...]:
        """The hops by layer, the nearest layer first."""
        found: dict[int, list[Hop]] = {}
        for hop in self.chain:
            found.setdefault(hop.hop, []).append(hop)
        return tuple(map(tuple, found.values()))

    def path_to(self, node_id: str) -> tuple[Hop, ...]:
        """Return the hops that lead from the start to a node met.

        Empty for the start itself and for a node that was not met.
        """
        return self.chain.path_to(node_id)

    def title(self) -> str:
        """Return the verdict in one line."""
        return f"{self.start.label} {self.start.id}: {self.verdict} ({self.reason})"

    def to_dict(self) -> Wire:
        """Return the wire form of contract/query.md §8.1, and `from` (design §5.1)."""
        return {
            "start_node": self.start.trace_form(),
            "chain": self.chain.to_list(),
            "broken": self.broken,
            "truncated": self.truncated,
            "reason": self.reason,
        }

    def _rows(self) -> tuple[Columns, Rows]:
        return TRACE_COLUMNS, [_row(hop) for hop in self.chain]

    def _shown(self) -> tuple[list[str], Rows, str]:
        """Return the start and the hops that fit a display, in its words."""
        columns, rows, note = Answer._shown(self)
        own = self.reached and not len(self.chain)
        hops = [Hop(0, self.start, "", None, own), *self.chain[: len(rows)]]
        via, text = columns.index("via_edge"), columns.index("text")
        shown: Rows = []
        for hop in hops:
            cells = list(_row(hop))
            cells[via], cells[text] = _via(hop), _said(hop.node)
            shown.append(tuple(cells))
        return columns, shown, note


def _row(hop: Hop) -> tuple[object, ...]:
    return (
        hop.hop,
        hop.node.label,
        hop.node.id,
        hop.via_edge,
        hop.from_id,
        hop.is_terminal,
        hop.node.text,
        hop.node.session_id,
        hop.node.created_at,
        hop.node.status,
    )


def _via(hop: Hop) -> str:
    return f"{hop.via_edge} (several steps)" if hop.several else hop.via_edge


def _said(view: NodeView) -> str:
    tool = view.props.get("tool_name") if view.label == "ToolCall" else None
    return str(tool) if tool else view.text
