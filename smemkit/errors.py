# SPDX-License-Identifier: Apache-2.0
"""Every error smemkit raises, in one tree.

::

    SmemError
    ├── BadRequest (ValueError)          the call cannot be understood
    │   ├── UnknownLabel
    │   ├── UnknownEdgeType
    │   ├── UnknownKind
    │   ├── AmbiguousSession             several sessions, none was named
    │   └── InvalidRecord                a value that no memory can hold
    ├── NotFound (LookupError)           the call is fine, the thing is not there
    │   ├── NodeNotFound
    │   └── SessionNotFound
    ├── DeclareError (ValueError)        a declaration was refused: code, message, instruction
    ├── StoreError (OSError)             the store itself
    │   ├── StoreNotFound (FileNotFoundError)
    │   ├── NotAMemory                   something is there, but not a memory
    │   ├── StoreNotReadable (PermissionError)
    │   ├── StoreNotWritable (PermissionError)
    │   ├── WriteFailed                  nothing of the batch was kept
    │   ├── StoreBusy (TimeoutError)     another writer holds the lock
    │   ├── StoreClosed
    │   ├── StoreUnreachable (ConnectionError)
    │   └── WrongToken (PermissionError)
    ├── StoreDiffers (AssertionError)    smemkit.testing: a store answers otherwise
    └── MissingExtra (ImportError)       an optional library is not installed

A message has up to three parts: what was asked, what was found, what to do.
"""

from __future__ import annotations

import reprlib


class _Short(reprlib.Repr):
    """Shows any value in a few words: never deep, never long, and never fails."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxstring = self.maxother = 300
        self.maxlist = self.maxtuple = 8
        self.maxdict = 4

    def repr_str(self, x: str, level: int) -> str:
        # What lies in a list or dict is shown shorter than a text alone.
        if level == self.maxlevel or len(x) <= 60:
            return super().repr_str(x, level)
        return f"{x[:30]!r}..."

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to write a whole number of more than 4,300 digits.
        size = x.bit_length()
        return super().repr_int(x, level) if size < 4_096 else f"<int of {size} bits>"

    def repr_instance(self, x: object, level: int) -> str:
        return " ".join(super().repr_instance(x, level).split())


_SHORT = _Short()


def short(value: object) -> str:
    """Return ``repr(value)`` for a message: shortened, whatever the value is.

    Examples
    --------
    >>> short("fig#v2"), len(short("x" * 100_000)), short([[[[[[]]]]]])
    ("'fig#v2'", 300, '[[[[[...]]]]]')
    """
    return _SHORT.repr(value)


class SmemError(Exception):
    """The root: ``except smemkit.SmemError`` catches all that smemkit raises.

    Parameters
    ----------
    asked : str
        What was asked, in the caller's words.
    found : str, optional
        What was there instead, with the offending value in ``repr``.
    do : str, optional
        What the caller can do about it.

    Examples
    --------
    >>> str(SmemError("node 'x'", found="no node has this id", do="see mem.nodes()"))
    "node 'x': no node has this id; see mem.nodes()"
    """

    def __init__(self, asked: str, *, found: str = "", do: str = "") -> None:
        self.asked = asked
        self.found = found
        self.do = do
        self.message = (
            asked + (f": {found}" if found else "") + (f"; {do}" if do else "")
        )
        super().__init__(self.message)

    def __str__(self) -> str:
        # KeyError and OSError, which some subclasses also are, print otherwise.
        return self.message


class BadRequest(SmemError, ValueError):
    """The call cannot be understood: a wrong type, range or combination."""


class UnknownLabel(BadRequest):
    """A node label that neither the schema nor the memory knows."""


class UnknownEdgeType(BadRequest):
    """An edge type that neither the schema nor the memory knows."""


class UnknownKind(BadRequest):
    """A chain kind that the hop table does not list."""


class AmbiguousSession(BadRequest):
    """The memory holds several sessions and the call named none; lists them."""


class InvalidRecord(BadRequest):
    """A property, id or edge that no memory can hold; names the property."""


class NotFound(SmemError, LookupError):
    """The call is fine, but what it names is not in the memory."""


class NodeNotFound(NotFound):
    """No node has this id (in this session)."""


class SessionNotFound(NotFound):
    """No node belongs to this session; lists the sessions there are."""


class DeclareError(SmemError, ValueError):
    """A declaration was refused and nothing was written.

    Parameters
    ----------
    code : str
        The machine's word, such as ``no_cites_target`` (contract/http.md §4).
    message : str
        What was asked and found.
    instruction : str, optional
        What the declaring agent should do next.
    hint : str, optional
        What helps a person where the contract has no instruction: ``str`` of the
        error says it, `message` and the answer over HTTP do not.

    Examples
    --------
    >>> error = DeclareError("no_cites_target", "the claim cites nothing", "name one")
    >>> error.code, str(error)
    ('no_cites_target', 'the claim cites nothing; name one')
    """

    def __init__(
        self, code: str, message: str = "", instruction: str = "", hint: str = ""
    ) -> None:
        super().__init__(message or code, do=instruction)
        self.code = code
        self.instruction = instruction
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[type[DeclareError], tuple[str, ...]]:
        return type(self), (self.code, self.asked, self.instruction, self.hint)


class StoreError(SmemError, OSError):
    """Something about the store itself, not about what was asked of it."""


class StoreNotFound(StoreError, FileNotFoundError):
    """No store is at this place."""


class NotAMemory(StoreError):
    """Something is at this place, but it is not a science memory."""


class StoreNotReadable(StoreError, PermissionError):
    """The store is there, but may not be read."""


class StoreNotWritable(StoreError, PermissionError):
    """The store may be read, but not written."""


class WriteFailed(StoreError):
    """The write did not reach the disk; memory and disk are as before it."""


class StoreBusy(StoreError, TimeoutError):
    """Another writer held the store's lock for too long."""


class StoreClosed(StoreError):
    """The memory was closed; open it again."""


class StoreUnreachable(StoreError, ConnectionError):
    """The server that holds the memory does not answer."""


class WrongToken(StoreError, PermissionError):
    """The server refused the token or password."""


class StoreDiffers(SmemError, AssertionError):
    """A store that was held to `smemkit.testing` does not do what it must."""


class MissingExtra(SmemError, ImportError):
    """An optional library is not installed; names the extra and how to get it.

    Parameters
    ----------
    library : str
        The library that could not be imported.
    extra : str
        The extra of smemkit that brings it.

    Examples
    --------
    >>> str(MissingExtra("pyvis", "lab"))
    "pyvis is not installed; pip install 'smemkit[lab]' (conda: conda install pyvis)"
    """

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(
            f"{library} is not installed",
            do=f"pip install 'smemkit[{extra}]' (conda: conda install {library})",
        )
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return type(self), (self.library, self.extra)
