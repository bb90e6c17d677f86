# SPDX-License-Identifier: Apache-2.0
"""How a function of a Graph or of a store becomes a verb of a memory.

The function keeps its name, its parameters, their types and its text, so that
a verb is written down once, in the module that does it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from smemkit._verb_text import as_method
from smemkit.errors import AmbiguousSession, SessionNotFound, short
from smemkit.graph import Graph
from smemkit.records import Problems
from smemkit.stores import Store

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound=Callable[..., object])


class Holder(Protocol):
    """What a verb needs of the memory it belongs to."""

    @property
    def store(self) -> Store:
        """The store behind the memory."""
        ...

    def reading(self, session_id: str | None = None) -> AbstractContextManager[Graph]:
        """Hold the store still and give its Graph."""
        ...


def reads(
    answer: Callable[Concatenate[Graph, P], R],
    *,
    needs_session: bool = False,
    admit: Callable[[R, Problems], R] | None = None,
) -> Callable[Concatenate[Holder, P], R]:
    """Make a verb that answers from the Graph.

    Parameters
    ----------
    answer : callable
        Takes the Graph first; may take a ``session_id``.
    needs_session : bool, default False
        The answer is about one session: the only one if none is named.
    admit : callable, optional
        Takes the answer and what lists the store's problems, and returns what may
        be said.
    """
    place = _place(answer)

    @functools.wraps(answer)
    def verb(memory: Holder, /, *args: P.args, **kwargs: P.kwargs) -> R:
        session_id = _given(place, args, kwargs)
        with memory.reading(session_id) as graph:
            if session_id is not None:
                known_session(graph, session_id)
            elif needs_session:
                args = _naming(only_session(graph), place, args, kwargs)
            found = answer(graph, *args, **kwargs)
            return found if admit is None else admit(found, memory.store.problems)

    return _as_method(verb, answer)


def writes(
    write: Callable[Concatenate[Store, P], R],
) -> Callable[Concatenate[Holder, P], R]:
    """Make a verb that writes; without a session it means the only one."""
    place = _place(write)

    @functools.wraps(write)
    def verb(memory: Holder, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if place is not None and _given(place, args, kwargs) is None:
            with memory.reading() as graph:
                args = _naming(only_session(graph), place, args, kwargs)
        return write(memory.store, *args, **kwargs)

    return _as_method(verb, write)


def told_by(function: Callable[..., object]) -> Callable[[M], M]:
    """Give a method the text of the function that answers, without its parameters."""

    def tell(method: M) -> M:
        text = function.__doc__ or ""
        for name in inspect.signature(function).parameters:
            text = as_method(text, name)
        method.__doc__ = text
        return method

    return tell


def known_session(graph: Graph, session_id: str) -> None:
    """Refuse a session that no node belongs to.

    Raises
    ------
    SessionNotFound
        Lists the sessions there are.
    """
    if not isinstance(session_id, str) or not graph.has_session(session_id):
        raise SessionNotFound(
            f"session {short(session_id)}",
            found=_list(graph.sessions()),
            do="see mem.sessions()",
        )


def only_session(graph: Graph) -> str:
    """Return the one session a memory holds.

    Raises
    ------
    AmbiguousSession
        There are several; lists them.
    SessionNotFound
        There is none.
    """
    sessions = graph.sessions()
    if len(sessions) == 1:
        return sessions[0]
    kind = AmbiguousSession if sessions else SessionNotFound
    raise kind("no session_id was given", found=_list(sessions), do="pass session_id=…")


def _list(sessions: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, sessions[:20]))
    more = f" and {len(sessions) - 20} more" if len(sessions) > 20 else ""
    return (
        f"the memory holds {shown}{more}" if sessions else "the memory holds no session"
    )


def _place(function: Callable[..., object]) -> int | None:
    """Return where `session_id` stands among the arguments behind the first."""
    names = list(inspect.signature(function).parameters)
    return names.index("session_id") - 1 if "session_id" in names else None


def _given(
    place: int | None, args: tuple[object, ...], kwargs: dict[str, object]
) -> str | None:
    if place is not None and place < len(args):
        value = args[place]
    else:
        value = kwargs.get("session_id")
    return value  # type: ignore[return-value]  # a wrong type is refused as unknown


def _naming(
    session_id: str, place: int | None, args: Any, kwargs: dict[str, object]
) -> Any:
    """Put a session where an explicit None stood, or name it."""
    if place is not None and place < len(args):
        return (*args[:place], session_id, *args[place + 1 :])
    kwargs["session_id"] = session_id
    return args


def _as_method(
    verb: Callable[Concatenate[Holder, P], R], function: Callable[..., object]
) -> Callable[Concatenate[Holder, P], R]:
    # help() and completion show the parameters a caller of the method has.
    signature = inspect.signature(function)
    first, *rest = signature.parameters.values()
    shown = [_may_be_left_out(p) if p.name == "session_id" else p for p in rest]
    parameters = [
        first.replace(name="self", annotation=inspect.Parameter.empty),
        *shown,
    ]
    named = "session_id" if any(p.name == "session_id" for p in rest) else ""
    verb.__doc__ = as_method(function.__doc__ or "", first.name, optional=named)
    verb.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    del verb.__wrapped__  # type: ignore[attr-defined]
    return verb


def _may_be_left_out(parameter: inspect.Parameter) -> inspect.Parameter:
    kind = str(parameter.annotation)
    kind = kind if "None" in kind else f"{kind} | None"
    return parameter.replace(default=None, annotation=kind)
