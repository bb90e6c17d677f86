# SPDX-License-Identifier: Apache-2.0
"""What a memory draws through the notebook widgets, which are looked up when needed.

Without them a trace or chain is still drawn; only the link to Python is missing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from smemkit.errors import MissingExtra

if TYPE_CHECKING:
    from smemkit._verbs import Holder
    from smemkit.views.explorer.view import SessionView
    from smemkit.views.show import View


def explore(
    self: Holder,
    session_id: str | None = None,
    *,
    focus: str | None = None,
    kind: str | None = None,
    lang: str | None = None,
) -> SessionView:
    """Open a session to walk through: see `smemkit_widgets.Explorer`.

    Parameters
    ----------
    session_id : str, optional
        The session; may be left out if the memory holds one, or with `focus`.
    focus : str, optional
        A node to open on: its chain is lit, the rest is dim.
    kind : str, optional
        Which chain: a kind of its label, or ``trace``.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Returns
    -------
    smemkit_widgets.Explorer
        Displays itself in a notebook; ``save_html(path)`` keeps the page.

    Raises
    ------
    MissingExtra
        The notebook widgets are not installed.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> mem.explore("s")
    <Explorer session s: 1 nodes>
    """
    try:
        widgets = importlib.import_module("smemkit_widgets")
        explorer = widgets.Explorer
    except ImportError as error:
        raise MissingExtra("smemkit_widgets", "lab") from error
    made: SessionView = explorer(self, session_id, focus=focus, kind=kind, lang=lang)
    return made


def chain_view() -> Callable[..., View]:
    """Return what draws an answer: joined to Python where the widgets are installed."""
    try:
        made: Callable[..., View] = importlib.import_module("smemkit_widgets").ChainView
    except ImportError:
        from smemkit.views.show import show

        return show
    return made
