# SPDX-License-Identifier: Apache-2.0
"""Link: the message line between the frames of a view and its Python object."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets


class Link(anywidget.AnyWidget):
    """A widget that is never displayed; it exists under a live server only.

    Attributes
    ----------
    token : str
        The name of the frames it belongs to.
    key : str
        The box that is selected, in Python and in every frame.
    walk : dict
        What the frames are to light: a node's key, a chain kind or ``trace``, and a
        count, so that the same walk can be asked for twice.
    """

    _esm = Path(__file__).with_name("link.js")

    token = traitlets.Unicode().tag(sync=True)
    key = traitlets.Unicode().tag(sync=True)
    walk = traitlets.Dict().tag(sync=True)
