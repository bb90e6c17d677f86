# SPDX-License-Identifier: Apache-2.0
"""Provenance: the run that made an artifact version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from smemkit.answers.base import Answer, Columns, Rows
from smemkit.answers.nodes import NodeView, Wire
from smemkit.records import Value


@dataclass(frozen=True, slots=True, repr=False)
class Provenance(Answer):
    """The run that made an artifact version, and what it read (contract/query.md §9).

    Attributes
    ----------
    fields : Mapping
        The 19 wire fields in order, `dependencies` last; None where unknown.
    artifact : NodeView
        The version asked for.
    code, call : NodeView or None
        The code that made it and the call that ran it, the first created.
    inputs : tuple of NodeView
        What that code read.
    """

    fields: Mapping[str, Value | tuple[Wire, ...] | None]
    artifact: NodeView
    code: NodeView | None = None
    call: NodeView | None = None
    inputs: tuple[NodeView, ...] = field(default=())

    @property
    def dependencies(self) -> tuple[NodeView, ...]:
        """What the code read: the same as `inputs`."""
        return self.inputs

    def to_dict(self) -> Wire:
        """Return the wire form: 19 keys, and no reason."""
        form: Wire = dict(self.fields)
        form["dependencies"] = [dict(each) for each in _wires(form["dependencies"])]
        return form

    def title(self) -> str:
        """Return the answer in one line."""
        maker = f"made by {self.code.id}" if self.code else "no producer is known"
        return f"Artifact {self.artifact.id}: {maker}, {len(self.inputs)} inputs"

    def _rows(self) -> tuple[Columns, Rows]:
        rows = [(k, v) for k, v in self.fields.items() if k != "dependencies"]
        rows += [("input", view.id) for view in self.inputs]
        return {"field": "string", "value": "object"}, list(rows)


def _wires(value: object) -> tuple[Wire, ...]:
    return value if isinstance(value, tuple) else ()
