# SPDX-License-Identifier: Apache-2.0
"""What no memory can hold is refused by name, and nothing of the call is kept."""

from __future__ import annotations

import copy
import enum
import inspect
import itertools
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.errors import (
    AmbiguousSession,
    InvalidRecord,
    SessionNotFound,
    SmemError,
)
from smemkit.memory import Memory
from smemkit.records import MAX_LIST, MAX_TEXT_BYTES
from smemkit.writing import arguments
from tests.bad_writes import BAD, GOOD, ITEMS, PAPER
from tests.writing_records import (
    NOON,
    at,
    mem,
    props,
    refused,
)

__all__ = ["mem"]


def write(mem: Memory, verb: str, **changed: object) -> object:
    return getattr(mem, verb)(**{**GOOD[verb], **changed})


def settled(mem: Memory) -> Memory:
    """Return the memory with one good write of every verb, so that all is a repeat."""
    for verb in GOOD:
        write(mem, verb)
    return mem


# -- every verb, every parameter -------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "name"), [(verb, name) for verb, names in BAD.items() for name in names]
)
@pytest.mark.parametrize("repeat", [False, True])
def test_what_no_memory_can_hold_is_refused_by_name(
    mem: Memory, verb: str, name: str, repeat: bool
) -> None:
    """Wrong types, NaN, nested values, a text too long: one error, nothing written."""
    if repeat:
        settled(mem)
    for value in BAD[verb][name]:
        if name == "session_id" and value is None:
            continue  # left out: the only session is meant
        with refused(mem, rf"^{name}\b"):
            write(mem, verb, **{name: value})


@pytest.mark.parametrize(
    ("verb", "where", "item", "field", "values"),
    ITEMS,
    ids=[f"{row[1]}-{row[3]}" for row in ITEMS],
)
def test_a_bad_item_of_a_list_loses_the_whole_call_and_is_named(
    mem: Memory,
    verb: str,
    where: str,
    item: dict[str, object],
    field: str,
    values: tuple[object, ...],
) -> None:
    """The good items before it are not kept either."""
    good = dict(item)
    for value in values:
        with refused(mem, rf"^{where}\[1\]"):
            write(mem, verb, **{where: [good, {**item, field: value}]})
    with refused(mem, rf"^{where}\[0\].*nobody reads"):
        write(mem, verb, **{where: [{**item, "odd": 1}]})


def test_every_parameter_is_tried() -> None:
    """A new parameter without a row in the table fails here."""
    for verb, names in BAD.items():
        known = inspect.signature(getattr(Memory, verb)).parameters
        assert set(names) == set(known) - {"self"}


@pytest.mark.parametrize("verb", GOOD)
def test_a_verb_needs_what_the_contract_needs_and_no_more(verb: str) -> None:
    """The rest has a default; the session may be left out (design §2)."""
    parameters = inspect.signature(getattr(Memory, verb)).parameters.values()
    needed = {p.name for p in parameters if p.default is inspect.Parameter.empty}
    optional = {"session_id", "products", "records", "produced_artifacts"}
    assert needed - {"self"} == set(GOOD[verb]) - optional


@pytest.mark.parametrize("verb", GOOD)
def test_what_is_given_is_not_changed(mem: Memory, verb: str) -> None:
    """The caller's lists and mappings stay the caller's."""
    given = copy.deepcopy(GOOD[verb])
    write(mem, verb)

    assert GOOD[verb] == given


# -- sessions --------------------------------------------------------------------


@pytest.mark.parametrize("verb", GOOD)
def test_a_missing_or_ambiguous_session_is_one_error(mem: Memory, verb: str) -> None:
    """It lists the sessions there are, and writes nothing."""
    rest = {name: value for name, value in GOOD[verb].items() if name != "session_id"}
    with refused(mem, "holds no session", SessionNotFound):
        getattr(mem, verb)(**rest)
    for session in ("s8", "s9"):
        mem.observe_session_first_message(session, core_objective="Why?")
    with refused(mem, "'s8', 's9'", AmbiguousSession):
        getattr(mem, verb)(**rest)


@pytest.mark.parametrize("verb", GOOD)
def test_a_folder_that_cannot_be_made_is_one_error(tmp_path: Path, verb: str) -> None:
    """The store's error, which names the place; the file in the way stays."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(SmemError, match="file") as error:
        write(smemkit.open(tmp_path / "file" / "m"), verb)

    assert isinstance(error.value, OSError)
    assert (tmp_path / "file").read_text() == "x"


# -- what is accepted ------------------------------------------------------------


class Word(enum.StrEnum):
    FAILED = "failed"


def test_numbers_and_texts_of_other_libraries_are_plain_when_stored(
    mem: Memory,
) -> None:
    """A value taken out of a table or an enum does as well as a literal."""
    row = pd.DataFrame({"version": [2], "id": ["fig"], "code": [1]}).iloc[0]
    mem.observe_execution(
        np.str_("e1"),
        session_id="s1",
        status=Word.FAILED,
        exit_code=row["code"],
        started_at=pd.Timestamp("2026-10-02T14:00", tz="Etc/GMT-2"),
        produced_artifacts=[{"artifact_id": row["id"], "version": row["version"]}],
    )
    with mem.reading() as graph:
        stored = [value for node in graph.nodes() for value in node.props.values()]

    assert {type(value) for value in stored} == {str, int}
    code = props(mem, "Code", "e1")
    assert (code["status"], code["exit_code"]) == ("failed", 1)
    assert code["started_at"] == NOON
    assert props(mem, "Artifact", "fig", 2)["session_id"] == "s1"


def test_a_text_of_exactly_the_limit_is_kept(mem: Memory) -> None:
    """One byte more is not; bytes count, not characters."""
    full = "é" * (MAX_TEXT_BYTES // 2)
    mem.observe_session_first_message("s1", core_objective=full)

    assert props(mem, "ResearchGoal", "goal:session:s1")["core_objective"] == full
    with refused(mem, "1,048,577 bytes"):
        mem.observe_session_first_message("s2", core_objective=full + "x")


def test_a_list_that_does_not_end_is_refused(mem: Memory) -> None:
    """No more is taken of it than fits."""
    with refused(mem, f"{MAX_LIST:,} fit"):
        write(mem, "observe_tool_call", products=itertools.repeat(PAPER))


def test_ten_megabytes_are_refused_with_a_short_message(mem: Memory) -> None:
    """The message does not repeat what was too long."""
    huge = "x" * 10_000_000
    for value in (huge, [huge], {huge: huge}):
        with refused(mem, r"\A(?s:core_objective.{,400})\Z"):
            mem.observe_session_first_message("s1", core_objective=value)


# -- times -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        (datetime(2026, 10, 2, 14, tzinfo=timezone(timedelta(hours=2))), NOON),
        (datetime(2026, 10, 2, 12), NOON),  # noqa: DTZ001 - without zone it is UTC
        (pd.Timestamp("2026-10-02T12:00"), NOON),
        ("2026-10-02T14:00+02:00", "2026-10-02T14:00+02:00"),
        (" ", None),
        (at(9), at(9)),
        (None, None),
    ],
)
def test_a_time_is_a_text_as_given_or_a_datetime(
    moment: object, stored: str | None
) -> None:
    """A datetime is stored in the app's form (contract/writes.md §1)."""
    assert arguments.optional_moment("at", moment) == stored


@pytest.mark.parametrize(
    "moment",
    [
        pd.NaT,
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-2))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=2))),
        datetime(2026, 10, 2, tzinfo=UTC).date(),
        np.datetime64("2026-10-02"),
        time.struct_time(range(9)),
        1.7e9,
        "yesterday",
        "2 Oct 2026",
        "2026-02-30T08:00:00Z",
    ],
)
def test_what_is_no_time_is_refused(moment: object) -> None:
    """Also one that leaves the calendar in UTC."""
    with pytest.raises(InvalidRecord, match=r"^at="):
        arguments.optional_moment("at", moment)


TIMED = [
    ("observe_session_first_message", ("s",), {"core_objective": "x"}, ["created_at"]),
    ("observe_upload_file", ("f",), {"path": "x"}, ["created_at"]),
    ("observe_execution", ("e",), {}, ["created_at", "started_at", "finished_at"]),
    ("observe_tool_call", ("t",), {"tool_name": "x"}, ["created_at", "finished_at"]),
    ("observe_subagent", ("a",), {}, ["created_at", "finished_at"]),
    ("declare_artifact", ("x.md",), {}, ["created_at"]),
    ("declare_evidence", ("x",), {"source_paper_link": "10.1/x"}, ["created_at"]),
]


@pytest.mark.parametrize(("verb", "first", "rest", "names"), TIMED)
def test_no_verb_takes_a_time_that_nobody_can_read(
    mem: Memory,
    verb: str,
    first: tuple[str, ...],
    rest: dict[str, str],
    names: list[str],
) -> None:
    """It would stand in no order and show as missing; the message names it."""
    for name in names:
        rest = {**rest, "session_id": "s"} if first != ("s",) else rest
        with refused(mem, f"{name}='yesterday': not a time; give ISO 8601"):
            getattr(mem, verb)(*first, **rest, **{name: "yesterday"})


# -- the rules, for all inputs ---------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=4,
)


def message(call: Callable[[], object]) -> str:
    """Return how a value is refused, an empty text if it is taken."""
    try:
        call()
    except InvalidRecord as error:
        return str(error)
    return ""


@given(ANYTHING)
def test_anything_is_taken_as_it_is_or_refused_by_name(value: object) -> None:
    """No other error escapes, and what is taken is what was given."""
    for check in (
        *(arguments.ident, arguments.text, arguments.whole, arguments.version),
        *(arguments.texts, arguments.several, arguments.path),
    ):
        why = message(lambda check=check: check("name", value))
        assert why.startswith("name") or check("name", value) == value


@given(st.dictionaries(st.text(), st.text() | st.none() | st.integers()))
def test_aliases_keep_what_is_not_empty(given_aliases: dict[str, object]) -> None:
    """Empty ids alone are passed over (contract/http.md §4.2); others must be texts."""
    fine = all(isinstance(v, str) and k.strip() for k, v in given_aliases.items())
    why = message(lambda: arguments.aliases("name", given_aliases))

    assert why.startswith("" if fine else "name")
    assert bool(why) is not fine
    if fine:
        kept = {k: v for k, v in given_aliases.items() if v}
        assert arguments.aliases("name", given_aliases) == kept


def test_a_path_is_kept_as_given() -> None:
    """Text or Path; forward slashes."""
    assert arguments.path("path", "a/./b.csv") == "a/./b.csv"
    assert arguments.path("path", Path("a") / "b.csv") == "a/b.csv"
    assert arguments.path("path", "") == ""
    assert os.sep == "/"


@pytest.mark.parametrize("name", ["fig#v2", "a#v2#v1"])
def test_a_product_is_named_without_its_version(mem, name):
    """Its public id would be split where declare_artifact puts it together."""
    with refused(
        mem, r"produced_artifacts\[0\]\.artifact_id='.*': an id with a version"
    ):
        mem.observe_execution(
            "e1",
            session_id="s1",
            produced_artifacts=[{"artifact_id": name, "version": 2}],
        )
