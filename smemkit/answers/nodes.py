# SPDX-License-Identifier: Apache-2.0
"""NodeView, EdgeView: a node and an edge as an answer shows them.

Both keep everything; what the wire cuts or leaves out is decided by the form
that is asked for (contract/query.md §1.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from smemkit import instants, schema
from smemkit.records import Node, Props, Value

if TYPE_CHECKING:
    import pandas as pd

Wire: TypeAlias = dict[str, object]

HIDDEN = frozenset({"session_id", "created_at", "finished_at"})
"""Properties that have a place of their own, or none, and are not in `extra`."""


@dataclass(frozen=True, slots=True)
class NodeView:
    """One node of an answer, with its full text and times.

    Attributes
    ----------
    label : str
        The label it reads as; an empty text if it has none.
    id : str or None
        The public id: ``fig#v2``, a link, ``goal:session:s``.
    session_id : str or None
        The session it belongs to.
    props : Mapping
        Every stored property, uncut.
    created_at : str or None
        When it was created, as stored; a Code has none.
    n : int
        Creation order in its store; 0 for a node that is only drawn.
    storage_id : str
        The store's own id, which no wire form shows.

    Examples
    --------
    >>> node = Node("n1", ("Claim",), {"claim_id": "c", "content": "Bills grow."})
    >>> view = NodeView.of(node)
    >>> view.label, view.id, view.text
    ('Claim', 'c', 'Bills grow.')
    """

    label: str
    id: str | None
    session_id: str | None
    props: Props = field(repr=False)
    created_at: str | None = None
    n: int = 0
    storage_id: str = field(default="", repr=False)

    @classmethod
    def of(cls, node: Node) -> NodeView:
        """Return the view of a stored node."""
        created = node.props.get("created_at")
        return cls(
            node.label,
            node.public_id,
            node.session_id,
            node.props,
            None if created is None else str(created),
            node.n,
            node.id,
        )

    @property
    def excerpt(self) -> str:
        """The line that stands for the node, cut to 240 characters."""
        return schema.excerpt(self.label, self.props)

    @property
    def text(self) -> str:
        """The same line, uncut."""
        return schema.excerpt(self.label, self.props, length=None)

    @property
    def created(self) -> datetime | None:
        """When it was created, in UTC; None if absent or unreadable."""
        return instants.parse(self.created_at)

    @property
    def finished_at(self) -> str | None:
        """When the step ended, as stored; None if it is no step or still runs."""
        value = self.props.get("finished_at")
        return None if value is None else str(value)

    @property
    def finished(self) -> datetime | None:
        """When the step ended, in UTC; None if absent or unreadable."""
        return instants.parse(self.props.get("finished_at"))

    @property
    def status(self) -> str | None:
        """How the step went, in the words it was recorded with; None if none are."""
        value = self.props.get("status")
        return value if isinstance(value, str) and value else None

    @property
    def content_hash(self) -> str | None:
        """The hash of what the node stands for, if it is known."""
        value = self.props.get(schema.CONTENT_HASHES.get(self.label, ""))
        return str(value) if value else None

    @property
    def deleted(self) -> bool:
        """True for what a deleted session left behind."""
        return self.props.get("deleted_session") is True

    @property
    def extra(self) -> dict[str, Value]:
        """The stored properties but session and times, as the wire shows them."""
        return {name: v for name, v in self.props.items() if name not in HIDDEN}

    def hit(self) -> Wire:
        """Return the form of match, by-type, by-edge, chain and expansions."""
        return {
            "label": self.label,
            "id": self.id,
            "session_id": self.session_id,
            "session_title": None,
            "excerpt": self.excerpt,
            "extra": self.extra,
            "created_at": self.created_at,
        }

    def graph_form(self) -> Wire:
        """Return the form of the subgraph."""
        return {
            "label": self.label,
            "id": self.id,
            "session_id": self.session_id,
            "extra": self.extra,
            "created_at": self.created_at,
        }

    def trace_form(self) -> Wire:
        """Return the form of a trace."""
        return trace_form(self.label, self.id, self.props)

    def to_dict(self) -> Wire:
        """Return the form that stands alone: a hit."""
        return self.hit()

    def to_frame(self) -> pd.DataFrame:
        """Return a frame of one row, in the columns of all nodes."""
        from smemkit import tables
        from smemkit.answers.base import NODE_COLUMNS, node_rows

        return tables.frame(NODE_COLUMNS, node_rows([self]))

    def _repr_html_(self) -> str:
        from smemkit import display

        own = ("session_id", "created_at")
        rows: list[tuple[object, ...]] = [
            ("id", self.id),
            ("session_id", self.session_id),
            ("created_at", self.created_at),
        ]
        rows += [(name, v) for name, v in self.props.items() if name not in own]
        title = f"{self.label or 'node'} {self.id or self.storage_id}"
        return display.table(title, ["property", "value"], rows)

    def __str__(self) -> str:
        return f"{self.label or 'node'} {self.id or self.storage_id}: {self.excerpt}"


@dataclass(frozen=True, slots=True)
class EdgeView:
    """One edge of an answer, between public ids.

    Examples
    --------
    >>> EdgeView("e1", "fig#v1", "produces").graph_form()
    {'source': 'e1', 'target': 'fig#v1', 'type': 'produces'}
    """

    source: str | None
    target: str | None
    type: str
    props: Mapping[str, Value] = field(default_factory=dict)

    def graph_form(self) -> Wire:
        """Return the form of the subgraph: `extra` only if there is any."""
        form: Wire = {"source": self.source, "target": self.target, "type": self.type}
        if self.props:
            form["extra"] = dict(self.props)
        return form

    def chain_form(self) -> Wire:
        """Return the form of chains and expansions."""
        return {
            "source": self.source,
            "target": self.target,
            "type": self.type,
            "extra": dict(self.props),
        }

    def typed_form(self) -> Wire:
        """Return the form of by-edge-type: the type comes first."""
        return {
            "type": self.type,
            "source": self.source,
            "target": self.target,
            "extra": dict(self.props),
        }

    def to_dict(self) -> Wire:
        """Return the form of chains and expansions."""
        return self.chain_form()


def trace_form(label: str, public_id: str | None, props: Props) -> Wire:
    """Return a node as a trace shows it (contract/query.md §1.2).

    Examples
    --------
    >>> trace_form("Code", "e1", {"tool": "run_python", "code_hash": "ab"})
    {'label': 'Code', 'id': 'e1', 'excerpt': 'run_python', 'content_hash': 'ab'}
    """
    form: Wire = {
        "label": label,
        "id": public_id,
        "excerpt": schema.excerpt(label, props),
    }
    digest = props.get(schema.CONTENT_HASHES.get(label, ""))
    if digest:
        form["content_hash"] = str(digest)
    return form
