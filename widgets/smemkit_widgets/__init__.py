# SPDX-License-Identifier: Apache-2.0
"""Notebook widgets of smemkit: they show what smemkit computed, and compute nothing."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
