# SPDX-License-Identifier: Apache-2.0
"""Explorer: a session to walk through, joined to Python while a kernel lives."""

from __future__ import annotations

from smemkit import Memory
from smemkit._verbs import known_session, only_session
from smemkit.reading.resolve import resolve
from smemkit.views.explorer.view import SessionView
from smemkit_widgets.selecting import Selecting


class Explorer(SessionView, Selecting):
    """A whole session on one page: steps in time, what they made, and every chain.

    It opens on the session's steps; subagents and stacks of products unfold. The
    page works without a kernel. While one lives, `selected` and `frame` follow what
    is clicked, and setting `selected` moves the page.

    Parameters
    ----------
    mem : Memory
        What `smemkit.open` returned.
    session_id : str, optional
        The session; may be left out if the memory holds one, or with `focus`.
    focus : str, optional
        A node to open on: its chain is lit, the rest is dim.
    kind : str, optional
        Which chain: one of the kinds of its label, or ``trace``; default: the first
        that is not empty.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Raises
    ------
    SessionNotFound, AmbiguousSession
        No such session, or none was named and there are several.
    NodeNotFound
        The focus is not in it.
    UnknownKind
        The focus has no chain of this kind.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> explorer = Explorer(mem, lang="en")
    >>> explorer.selected = "goal:session:s"
    >>> explorer.frame["text"].item()
    'Why?'
    """

    def __init__(
        self,
        mem: Memory,
        session_id: str | None = None,
        *,
        focus: str | None = None,
        kind: str | None = None,
        lang: str | None = None,
    ) -> None:
        Selecting.__init__(self)
        with mem.reading() as graph:
            if session_id is None and focus is not None:
                session_id = resolve(graph, focus).session_id
            session_id = only_session(graph) if session_id is None else session_id
            known_session(graph, session_id)
        with mem.reading(session_id) as graph:
            SessionView.__init__(
                self, graph, session_id, focus=focus, kind=kind, lang=lang
            )
        self._connect()
        if focus is not None:
            self.selected = self.opening_id
