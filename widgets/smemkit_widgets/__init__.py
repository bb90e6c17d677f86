# SPDX-License-Identifier: Apache-2.0
"""Notebook widgets of smemkit: they show what smemkit computed, and compute nothing.

>>> import smemkit_widgets
>>> smemkit_widgets.Explorer.__name__
'Explorer'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smemkit_widgets.chain_view import ChainView
    from smemkit_widgets.explorer import Explorer
    from smemkit_widgets.panel import Panel
    from smemkit_widgets.report_view import ReportView

__all__ = ["ChainView", "Explorer", "Panel", "ReportView", "__version__"]

__version__ = "0.1.0"

_HOMES = {
    "ChainView": "chain_view",
    "Explorer": "explorer",
    "Panel": "panel",
    "ReportView": "report_view",
}


def __getattr__(name: str) -> object:
    # ipywidgets takes a moment to load: only what is used is imported.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
