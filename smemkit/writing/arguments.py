# SPDX-License-Identifier: Apache-2.0
"""May this be written? What a caller gives, checked by name before any plan runs."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice

from smemkit import instants, schema
from smemkit.errors import InvalidRecord, short
from smemkit.records import MAX_LIST, MAX_TEXT_BYTES, Scalar

Moment = str | datetime
Item = Mapping[str, object]

_INT64 = 1 << 63


def ident(name: str, value: object) -> str:
    """Return an id: a text that is not blank."""
    if isinstance(value, str) and value.strip():
        return text(name, value)
    raise InvalidRecord(
        _asked(name, value), found="not a non-blank text", do=f"give {name} as text"
    )


def text(name: str, value: object) -> str:
    """Return a text a store can hold; it may be empty.

    Raises
    ------
    InvalidRecord
        It is no text, is longer than `MAX_TEXT_BYTES` or has a lone surrogate.
    """
    if not isinstance(value, str):
        raise InvalidRecord(
            _asked(name, value), found="not a text", do=f"give {name} as text"
        )
    try:
        size = len(value) if value.isascii() else len(value.encode())
    except UnicodeEncodeError:
        raise InvalidRecord(
            name, found="text with a lone surrogate", do="decode it as UTF-8 first"
        ) from None
    if size > MAX_TEXT_BYTES:
        raise InvalidRecord(
            name,
            found=f"a text of {size:,} bytes",
            do=f"at most {MAX_TEXT_BYTES:,} fit; keep it in a file and its hash here",
        )
    # A text of numpy or of an enum is stored as the plain text it is.
    return str.__str__(value)


def optional_ident(name: str, value: object) -> str | None:
    """Return an id or None."""
    return None if value is None else ident(name, value)


def optional_text(name: str, value: object) -> str | None:
    """Return a text or None."""
    return None if value is None else text(name, value)


def optional_moment(name: str, value: object) -> str | None:
    """Return a time as it is stored: text as given, a datetime in the app's form.

    Raises
    ------
    InvalidRecord
        A text that no calendar knows; a blank one counts as not given.
    """
    if not isinstance(value, datetime):
        given = optional_text(name, value)
        if given is None or not given.strip():
            return None
        if instants.parse(given) is None:
            raise InvalidRecord(
                _asked(name, value),
                found="not a time",
                do="give ISO 8601, such as 2026-10-02T08:00:00Z, or a datetime",
            )
        return given
    try:
        return instants.text(value)
    except (OverflowError, ValueError):
        raise InvalidRecord(
            _asked(name, value), found="a time outside the years 1 to 9999 in UTC"
        ) from None


def whole(name: str, value: object, *, least: int = -_INT64) -> int:
    """Return a whole number of at least `least` that fits into 64 bits.

    A number of numpy or pandas counts, a float or a bool does not.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]  # refused below
    except TypeError:
        number = None
    if number is None:
        raise InvalidRecord(_asked(name, value), found="not a whole number")
    if not least <= number < _INT64:
        where = f"below {least}" if number < least else "more than 64 bits"
        raise InvalidRecord(_asked(name, value), found=where)
    return number


def version(name: str, value: object) -> int:
    """Return a version: a whole number from 1."""
    return whole(name, value, least=1)


def optional_whole(name: str, value: object, *, least: int = -_INT64) -> int | None:
    """Return a whole number or None."""
    return None if value is None else whole(name, value, least=least)


def optional_version(name: str, value: object) -> int | None:
    """Return a version or None."""
    return None if value is None else version(name, value)


def texts(name: str, value: object) -> list[Scalar]:
    """Return a list of texts; one text alone is no list."""
    return [text(f"{name}[{i}]", each) for i, each in enumerate(several(name, value))]


def several(name: str, value: object) -> list[object]:
    """Return the items of a list or tuple, at most `MAX_LIST` of them."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidRecord(_asked(name, value), found="not a list")
    items = list(islice(value, MAX_LIST + 1))
    if len(items) > MAX_LIST:
        raise InvalidRecord(
            name, found="a list that is too long", do=f"at most {MAX_LIST:,} fit"
        )
    return items


def fields(name: str, value: object, known: Sequence[str]) -> Item:
    """Return an item of a list with named fields, none of them unknown.

    Raises
    ------
    InvalidRecord
        It is no mapping, or has a field that nothing would read.
    """
    if not isinstance(value, Mapping):
        raise InvalidRecord(
            _asked(name, value),
            found="not a mapping",
            do=f"give the fields {', '.join(known)}",
        )
    for field in value:
        if field not in known:
            raise InvalidRecord(
                f"{name}[{short(field)}]",
                found="a field nobody reads",
                do=f"the fields are {', '.join(known)}",
            )
    return value


def aliases(name: str, value: object) -> dict[str, str]:
    """Return what each alias stands for; empty values are left out, blank ones not."""
    if not isinstance(value, Mapping):
        raise InvalidRecord(
            _asked(name, value), found="not a mapping", do="give alias: id"
        )
    if len(value) > MAX_LIST:
        raise InvalidRecord(
            name, found=f"{len(value)} aliases", do=f"at most {MAX_LIST:,} fit"
        )
    found = {
        ident(f"{name} key", alias): text(f"{name}[{short(alias)}]", target)
        for alias, target in value.items()
    }
    return {alias: target for alias, target in found.items() if target}


def versions(name: str, value: object) -> dict[str, int]:
    """Return the version each alias means; one below 1 is one that nothing has."""
    if not isinstance(value, Mapping):
        raise InvalidRecord(
            _asked(name, value), found="not a mapping", do="give alias: version"
        )
    return {
        ident(f"{name} key", alias): whole(f"{name}[{short(alias)}]", number)
        for alias, number in value.items()
    }


def artifact(
    name: str, value: object, version_name: str, number: object
) -> tuple[str, int | None]:
    """Return an artifact's bare id and its version, which either may name.

    The number may be one that no artifact has: it is for looking up.

    Raises
    ------
    InvalidRecord
        The id says one version, the number another.
    """
    bare, written = schema.split_version(ident(name, value))
    given = optional_whole(version_name, number)
    if written is None:
        return bare, given
    if given not in (None, written):
        raise InvalidRecord(
            f"{_asked(name, value)}, {version_name}={given}",
            found="two versions",
            do="name one",
        )
    return ident(name, bare), written


def path(name: str, value: object) -> str:
    """Return a path with forward slashes, otherwise as given; it may be empty."""
    try:
        given = os.fspath(value)  # type: ignore[call-overload]  # refused below
    except TypeError:
        given = None
    if not isinstance(given, str):
        raise InvalidRecord(
            _asked(name, value), found="not a path", do=f"give {name} as text or Path"
        )
    return text(name, given if os.sep == "/" else given.replace(os.sep, "/"))


def _asked(name: str, value: object) -> str:
    # Shortened: what is refused may be ten megabytes, or nested.
    return f"{name}={short(value)}"
