# SPDX-License-Identifier: Apache-2.0
"""When something happened: the texts a memory holds, as instants.

A memory holds times as text in several forms (contract/writes.md §1): the
server's ``2026-10-02T08:00:21.120Z``, whatever ISO 8601 text a caller sent, and
texts nobody can read. They are compared as instants, never as text.
"""

from __future__ import annotations

from datetime import UTC, datetime


def parse(value: object) -> datetime | None:
    """Return the instant a stored value means, or None if it means none.

    Parameters
    ----------
    value : object
        ISO 8601 text or a datetime; without a zone it is UTC (design §5.6).

    Returns
    -------
    datetime or None
        In UTC. None for anything else, also for a text no calendar knows.

    Examples
    --------
    >>> parse("2026-10-02T10:00:00+02:00").isoformat()
    '2026-10-02T08:00:00+00:00'
    >>> parse("soon") is None
    True
    """
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    try:
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
    except (OverflowError, ValueError):  # the year 1 in a zone east of Greenwich
        return None


def text(moment: datetime) -> str:
    """Return an instant as the app writes it: UTC, three decimals, ``Z``.

    Examples
    --------
    >>> text(datetime(2026, 10, 2, 8, tzinfo=UTC))
    '2026-10-02T08:00:00.000Z'
    """
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (
        moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def now() -> str:
    """Return the present instant as the app writes it."""
    return text(datetime.now(UTC))
