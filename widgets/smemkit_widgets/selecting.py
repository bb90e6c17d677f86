# SPDX-License-Identifier: Apache-2.0
"""Selecting: what a view with a selection has; one selection in Python and on screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import traitlets

from smemkit.answers import Hits, NodeView
from smemkit.settings import live_notebook
from smemkit.views.frame import token

if TYPE_CHECKING:
    import pandas as pd

    from smemkit_widgets.link import Link


class Selecting(traitlets.HasTraits):
    """A view in which one node can be selected, by a click or from Python.

    A subclass says which node a key of its page means.

    Attributes
    ----------
    selected : str or None
        The public id of the selected node. Setting it moves every frame of this
        view; ``view.observe(f, "selected")`` calls ``f`` when it changes.
    """

    selected = traitlets.Unicode(None, allow_none=True)

    def node(self, key: str) -> NodeView | None:
        """Return the node behind a key of the page, or None."""
        raise NotImplementedError

    def key(self, public_id: str) -> str:
        """Return the key of a node on the page."""
        raise NotImplementedError

    def _connect(self) -> None:
        """Begin to listen, if a notebook is open; nothing is displayed by that."""
        self._key = ""
        self._walks = 0
        self._token = ""
        self._link: Link | None = None
        if live_notebook():
            from smemkit_widgets.link import Link

            self._token = token()
            self._link = Link(token=self._token)
            self._link.observe(self._heard, "key")

    @property
    def frame(self) -> pd.DataFrame:
        """The selected node as a frame of one row; empty while nothing is selected."""
        view = self.node(self._key)
        return Hits(nodes=() if view is None else (view,)).to_frame()

    def _heard(self, change: Mapping[str, Any]) -> None:
        """Take over what was selected in a frame."""
        key = str(change["new"])
        view = self.node(key)
        self._key = key if view is not None else ""
        with self.hold_trait_notifications():
            self.selected = None if view is None else view.id

    @traitlets.validate("selected")
    def _known(self, proposal: Mapping[str, Any]) -> str | None:
        """Refuse an id that is not in this view; a bare artifact id is completed."""
        asked = proposal["value"]
        here = self.node(self._key)
        if asked is None or (here is not None and here.id == asked):
            return asked if asked is None else str(asked)
        view = self.node(self.key(str(asked)))
        return None if view is None else view.id

    @traitlets.observe("selected")
    def _moved(self, change: Mapping[str, Any]) -> None:
        """Move every frame to what was selected from Python."""
        asked = change["new"]
        here = self.node(self._key)
        if asked is None:
            self._key = self._key if here is not None and here.id is None else ""
        elif here is None or here.id != asked:
            self._key = self.key(asked)
        if self._link is not None and self._link.key != self._key:
            self._link.key = self._key

    def light(self, kind: str) -> None:
        """Light a walk of the selected node in every frame: a chain kind, or ``trace``."""
        self._walks += 1
        if self._link is not None and self._key:
            self._link.walk = {"n": self._walks, "key": self._key, "walk": kind}
