# SPDX-License-Identifier: Apache-2.0
"""Where a memory lives: the seam every store fills, and how one is opened.

A store offers few, typed verbs (design §4); no query text crosses them. Every
answer is computed from the Graph a store hands out, so all stores answer alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, runtime_checkable

from smemkit.cypher.questions import Question
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node, Problem, Value

Plan = Callable[[Graph], Batch]
"""Decides, under the store's lock, what one write consists of."""


class Store(Protocol):
    """What a place for memories must be able to do.

    Attributes
    ----------
    location : str
        Where it is, as shown to people; never holds a password.
    """

    location: str

    def lock(self) -> AbstractContextManager[object]:
        """Return what a read holds so that no write of this process comes between."""
        ...

    def graph(self, session_id: str | None = None) -> Graph:
        """Return a Graph that holds at least this session, or everything."""
        ...

    def find(
        self,
        label: str | None = None,
        *,
        session_id: str | None = None,
        where: Mapping[str, Value] | None = None,
        limit: int | None = None,
    ) -> list[Node]:
        """Return nodes in creation order whose properties equal `where`."""
        ...

    def find_edges(
        self,
        edge_type: str | None = None,
        *,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Edge]:
        """Return edges in creation order; with a session both ends are in it."""
        ...

    def write(self, plan: Plan, sessions: Sequence[str] = ()) -> Batch:
        """Run `plan` under the lock, keep what it returns whole or not at all.

        Parameters
        ----------
        plan : callable
            Called with the newest Graph; may be called again if the store has
            to start over, so it must not have effects of its own.
        sessions : sequence of str
            The sessions the plan writes into or reads from.

        Returns
        -------
        Batch
            What was written; durable when this returns.
        """
        ...

    def revision(self) -> object:
        """Return a value that differs after any change, also by another program."""
        ...

    def refresh(self) -> bool:
        """Take in what others wrote; True if there was anything."""
        ...

    def problems(self) -> list[Problem]:
        """Return what could not be read or is out of place."""
        ...

    def close(self) -> None:
        """Let go of files and connections; a closed store refuses everything."""
        ...


@runtime_checkable
class Queryable(Protocol):
    """What a store adds that answers Cypher itself."""

    def cypher(self, asked: Question) -> tuple[list[str], list[list[Any]]]:
        """Return the columns and rows of an answer, in a transaction that only reads."""
        ...


@runtime_checkable
class Compactable(Protocol):
    """What a store adds whose files grow with every change."""

    def compact(self) -> None:
        """Rewrite the files with live records only."""
        ...


@runtime_checkable
class Located(Protocol):
    """What a store adds whose place may not be there yet."""

    @property
    def missing(self) -> bool:
        """True until the first write makes the place."""
        ...
