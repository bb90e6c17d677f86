# SPDX-License-Identifier: Apache-2.0
"""How the text of a function reads once the function is a method."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

PARAMETERS = "Parameters\n----------\n"


def as_method(text: str, first: str, *, optional: str = "") -> str:
    """Return a numpydoc text without the entry of the first parameter.

    Parameters
    ----------
    text : str
        The docstring of the function.
    first : str
        The parameter that a caller of the method does not give.
    optional : str, optional
        A parameter that the method has a default for.

    Examples
    --------
    >>> lines = as_method(as_method.__doc__, "text").splitlines()
    >>> "text : str" in lines, "first : str" in lines
    (False, True)
    """
    text = inspect.cleandoc(text)
    before, heading, after = text.partition(PARAMETERS)
    listed, blank, rest = after.partition("\n\n")
    entries = [
        _optional(entry, optional)
        for entry in _entries(listed)
        if entry.partition(" :")[0] != first
    ]
    if not entries:
        return before + rest
    return before + heading + "\n".join(entries) + blank + rest


def _entries(listed: str) -> Iterator[str]:
    """Yield each entry of a section: a line at the margin and what is below it."""
    yield from filter(None, re.split(r"\n(?=\S)", listed))


def _optional(entry: str, name: str) -> str:
    head, line, told = entry.partition("\n")
    names, colon, kind = head.partition(" : ")
    known = not kind or "optional" in kind or "default" in kind
    if known or name not in names.split(", "):
        return entry
    return f"{names}{colon}{kind}, optional{line}{told}"
