# SPDX-License-Identifier: Apache-2.0
"""Times as instants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit import instants

MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.just(UTC),
)


@given(MOMENTS)
def test_a_written_instant_is_read_back_to_the_millisecond(moment: datetime) -> None:
    """The app's form has three decimals."""
    expected = moment - timedelta(microseconds=moment.microsecond % 1000)

    assert instants.parse(instants.text(moment)) == expected


@given(st.text(max_size=30))
def test_any_text_is_an_instant_or_none(text: str) -> None:
    """Nothing a memory may hold makes the reader fail."""
    found = instants.parse(text)

    assert found is None or found.tzinfo is UTC


SAME = [
    "2026-10-02T08:00:00Z",
    "2026-10-02T08:00:00.000Z",
    "2026-10-02T10:00:00+02:00",
    "2026-10-02 08:00:00",
    datetime(2026, 10, 2, 8),  # noqa: DTZ001 - the case itself
    datetime(2026, 10, 2, 9, tzinfo=timezone(timedelta(hours=1))),
]


@pytest.mark.parametrize("value", SAME)
def test_all_forms_of_one_instant_are_equal(value: object) -> None:
    """Without a zone it is UTC (design §5.6)."""
    assert instants.parse(value) == datetime(2026, 10, 2, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [None, 7, "", "soon", "2026-13-01", "0001-01-01T00:00:00+14:00", ["2026-10-02"]],
)
def test_what_no_calendar_knows_is_none(value: object) -> None:
    """Also an instant before the first year."""
    assert instants.parse(value) is None


def test_now_is_in_the_apps_form() -> None:
    """UTC, three decimals, Z: it reads back as itself."""
    written = instants.now()

    found = instants.parse(written)

    assert found is not None
    assert instants.text(found) == written
