# SPDX-License-Identifier: Apache-2.0
"""Which store a target means: the one place that knows them all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, cast

from smemkit.errors import BadRequest, short
from smemkit.stores import Store
from smemkit.stores.jsonl import JsonlStore
from smemkit.stores.memory import MemoryStore

LONGEST = 86_400
"""Seconds that a writer may be told to wait, or a server be given to answer."""

Target = str | os.PathLike[str]


def open_store(target: Target, *, must_exist: bool = False, **options: object) -> Store:
    """Open the store that a target means.

    Parameters
    ----------
    target : str or path-like
        ``:memory:``, a URL, or the folder of a memory.
    must_exist : bool, default False
        Refuse a folder that does not exist.
    **options
        What the kind of store takes besides: a folder ``lock_timeout``; a server
        over HTTP ``token`` and ``timeout``; one over Bolt ``auth``, ``database``
        and ``lock_timeout``.

    Raises
    ------
    BadRequest
        No store is meant by this target, or it does not take an option.
    StoreNotFound, NotAMemory, StoreNotReadable
        As `JsonlStore` says.

    Examples
    --------
    >>> open_store(":memory:").location
    ':memory:'
    """
    text = os.fspath(target) if isinstance(target, os.PathLike) else target
    if text == ":memory:":
        _refuse(text, options, ())
        return MemoryStore()
    for name in ("timeout", "lock_timeout"):
        if name in options:
            _seconds(name, options[name])
    if isinstance(text, str) and "://" in text:
        scheme = text.partition("://")[0].partition("+")[0].lower()
        if scheme in _OVER_HTTP:
            _refuse(text, options, ("token", "timeout"))
            from smemkit.stores.http import HttpStore

            return HttpStore(text, **cast(Any, options))
        if scheme in _OVER_BOLT:
            _refuse(text, options, ("auth", "database", "lock_timeout"))
            from smemkit.stores.neo4j import Neo4jStore

            return Neo4jStore(text, **cast(Any, options))
        raise _unknown(text)
    _refuse(str(text), options, ("lock_timeout",))
    return JsonlStore(target, must_exist=must_exist, **cast(Any, options))


def _seconds(name: str, value: object) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= cast(float, value) <= LONGEST:
        raise BadRequest(
            f"{name}={short(value)}",
            found=f"not a number of seconds from 0 to {LONGEST:,}",
        )


def _unknown(text: str) -> BadRequest:
    return BadRequest(
        f"open {short(text)}",
        found="an unknown kind of URL",
        do=f"use {', '.join((*_OVER_BOLT, *_OVER_HTTP))}, or the path of a folder",
    )


_OVER_HTTP = ("http", "https")

_OVER_BOLT = ("neo4j", "bolt")


def _refuse(text: str, given: Mapping[str, object], known: tuple[str, ...]) -> None:
    if strange := sorted(given.keys() - set(known)):
        raise BadRequest(
            f"open {short(text)}",
            found=f"the option {short(strange[0])}",
            do=f"it takes {', '.join(known)}" if known else "it takes no option",
        )
