# SPDX-License-Identifier: Apache-2.0
"""Node, Edge, Batch: what a memory is made of, and what may be written into one.

Records read from a store are taken as they are; records to be written go
through `validated`, so that no store ever meets a value it cannot hold.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from smemkit import schema
from smemkit.errors import InvalidRecord, short

Scalar = bool | int | float | str
Value = Scalar | list[Scalar]
Props = Mapping[str, Value]

NO_PROPS: Props = {}
"""The properties of most edges, one object for all of them. Never changed."""

MAX_TEXT_BYTES = 1 << 20
"""The longest text a property may hold, in UTF-8 bytes (1 MiB)."""

MAX_LIST = 10_000
"""The longest list a property may hold."""

_NAME = re.compile(r"[^\W\d]\w*\Z")
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True)
class Node:
    """One node as stored.

    Attributes
    ----------
    id : str
        The storage id, such as ``n12``; private to the store.
    labels : tuple of str
        As stored; the first one counts. May be empty.
    props : Mapping
        Scalars and flat lists. Never changed in place.
    n : int
        Creation order within the store; larger is younger.

    Examples
    --------
    >>> node = Node("n1", ("Artifact",), {"artifact_id": "fig", "version": 2})
    >>> node.label, node.public_id
    ('Artifact', 'fig#v2')
    """

    id: str
    labels: tuple[str, ...]
    props: Props
    n: int = 0

    @property
    def label(self) -> str:
        """The label this node reads as; an empty text if it has none."""
        return schema.canonical_label(self.labels[0]) if self.labels else ""

    @property
    def public_id(self) -> str | None:
        """The id shown to the outside, or None."""
        return schema.public_id(self.labels[0], self.props) if self.labels else None

    @property
    def session_id(self) -> str | None:
        """The session the node belongs to, or None."""
        value = self.props.get("session_id")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge as stored, from ``src`` to ``dst`` (storage ids).

    Examples
    --------
    >>> Edge("r1", "supports", "n1", "n2", {}).type
    'supports'
    """

    id: str
    type: str
    src: str
    dst: str
    props: Props = field(default_factory=lambda: NO_PROPS)
    n: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """What one verb writes: whole new states and removals, all or nothing.

    Attributes
    ----------
    nodes, edges : tuple
        New records, or new states of records that exist.
    dropped_nodes, dropped_edges : tuple of str
        Storage ids to remove. The edges of a dropped node are listed too.

    Examples
    --------
    >>> bool(Batch()), len(Batch(nodes=(Node("n1", (), {}),)))
    (False, 1)
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    dropped_nodes: tuple[str, ...] = ()
    dropped_edges: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(
            map(len, (self.nodes, self.edges, self.dropped_nodes, self.dropped_edges))
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a store could not read, or found out of place.

    Attributes
    ----------
    file : str
        The file's name, empty for a store that has no files.
    line : int or None
        The line, from 1.
    reason : str
        What is wrong, in words.
    kind : str
        One word for scripts, such as ``not-json`` or ``dangling-edge``.
    session_id : str or None
        The session it touches, where that can be told.
    """

    file: str
    line: int | None
    reason: str
    kind: str
    session_id: str | None = None


Problems = Callable[[], Iterable[Problem]]
"""Lists the problems of a store, which may cost a look at its files."""


def number(storage_id: str) -> int:
    """Return the number in a storage id, 0 if it has none.

    Examples
    --------
    >>> number("n12"), number("odd")
    (12, 0)
    """
    tail = storage_id[1:]
    return int(tail) if tail.isascii() and tail.isdigit() and len(tail) < 19 else 0


def without_nulls(props: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the properties that have a value: a null is never stored.

    Examples
    --------
    >>> without_nulls({"a": 1, "b": None})
    {'a': 1}
    """
    return {key: value for key, value in props.items() if value is not None}


def shared(props: dict[str, Value]) -> dict[str, Value]:
    """Let the texts that many nodes have (`schema.REPEATED`) be one object for all.

    A session of a day repeats its id and its tools' names ten thousand times.
    The dict is changed in place and returned; what it says stays the same.

    Examples
    --------
    >>> one, other = (shared({"status": bytes.decode(b"done")}) for _ in "ab")
    >>> one["status"] is other["status"]
    True
    """
    for name in schema.REPEATED & props.keys():
        text = props[name]
        if type(text) is str:
            props[name] = sys.intern(text)
    return props


def check_props(
    owner: str, props: Mapping[str, object], known: Mapping[str, object]
) -> None:
    """Refuse what a store cannot hold; what was on disk before (`known`) passes.

    Parameters
    ----------
    owner : str
        Whose properties these are, for the message.
    props : Mapping
        The new properties.
    known : Mapping
        The properties the record has now; an unchanged value is not refused,
        whatever it is, so that odd values written by others survive.

    Raises
    ------
    InvalidRecord
        Names the property and what is wrong with it.

    Examples
    --------
    >>> check_props("Claim 'c'", {"score": float("nan")}, {})
    Traceback (most recent call last):
        ...
    smemkit.errors.InvalidRecord: Claim 'c', property 'score': nan is not a finite number; \
give a finite number or leave it out
    """
    for name, value in props.items():
        if name in known and known[name] is value:
            continue
        if not isinstance(name, str) or not name or "\x00" in name:
            raise InvalidRecord(
                f"{owner}, property name {short(name)}", found="not a non-empty text"
            )
        _check_text(owner, name, name)
        if isinstance(value, list):
            _check_list(owner, name, value)
        else:
            _check_scalar(owner, name, value)


def _check_list(owner: str, name: str, values: list[object]) -> None:
    if len(values) > MAX_LIST:
        raise InvalidRecord(
            f"{owner}, property {short(name)}",
            found=f"a list of {len(values)} values",
            do=f"a list holds at most {MAX_LIST}",
        )
    for value in values:
        _check_scalar(owner, name, value)
    kinds = {type(value) for value in values}
    if len(kinds) > 1:
        raise InvalidRecord(
            f"{owner}, property {short(name)}",
            found="a list of mixed types "
            + ", ".join(sorted(k.__name__ for k in kinds)),
            do="give values of one type",
        )


def _check_scalar(owner: str, name: str, value: object) -> None:
    where = f"{owner}, property {short(name)}"
    if isinstance(value, str):
        _check_text(owner, name, value)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        if not -_INT64 <= value < _INT64:
            raise InvalidRecord(
                where, found=f"{value} needs more than 64 bits", do="store it as text"
            )
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidRecord(
                where,
                found=f"{short(value)} is not a finite number",
                do="give a finite number or leave it out",
            )
    else:
        raise InvalidRecord(
            where,
            found=f"{type(value).__name__} {repr(value)[:80]}",
            do="a property is text, a number, true or false, or a flat list of one of these",
        )


def _check_text(owner: str, name: str, text: str) -> None:
    where = f"{owner}, property {name[:80]!r}"
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError:
        raise InvalidRecord(
            where,
            found="text with a lone surrogate",
            do="decode the text as UTF-8 first",
        ) from None
    if size > MAX_TEXT_BYTES:
        raise InvalidRecord(
            where,
            found=f"a text of {size:,} bytes",
            do=f"a property holds at most {MAX_TEXT_BYTES:,}; keep the text in a file, and its hash here",
        )


def check_names(names: Iterable[str], what: str) -> None:
    """Refuse labels or edge types that no store could name.

    Raises
    ------
    InvalidRecord
        A name is empty or is no word (letters, digits, underscore).
    """
    for name in names:
        if not isinstance(name, str) or not _NAME.match(name) or len(name) > 100:
            raise InvalidRecord(
                f"{what} {short(name)}",
                found="not a word",
                do="use letters, digits and _",
            )
