# SPDX-License-Identifier: Apache-2.0
"""The tree of errors: one root, standard parents, readable and portable messages."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest

from smemkit import errors

CLASSES = [
    found
    for _, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, BaseException)
]


def _make(kind: type[errors.SmemError]) -> errors.SmemError:
    if kind is errors.MissingExtra:
        return errors.MissingExtra("pyvis", "lab")
    if kind is errors.DeclareError:
        return errors.DeclareError("no_source", "no source was named", "name one")
    return kind("node 'x'", found="no such node", do="see mem.nodes()")


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_has_the_one_root(kind: type[BaseException]) -> None:
    """A caller who catches SmemError catches them all."""
    assert issubclass(kind, errors.SmemError)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_stands_in_the_drawn_tree(kind: type[BaseException]) -> None:
    """The module's docstring draws every class."""
    assert kind.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_prints_its_whole_message_whatever_its_parent(
    kind: type[errors.SmemError],
) -> None:
    """KeyError and OSError print their arguments otherwise; ours print the message."""
    error = _make(kind)

    assert str(error) == error.message
    assert error.do in str(error)


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_survives_pickling(kind: type[errors.SmemError]) -> None:
    """Errors cross process borders, as in a pool of workers."""
    error = _make(kind)

    again = pickle.loads(pickle.dumps(error))

    assert (type(again), str(again)) == (type(error), str(error))


@pytest.mark.parametrize(
    "value",
    [
        "x" * 100_000,
        b"x" * 100_000,
        10**6_000,
        list(range(100_000)),
        {f"k{i}": "v" * 1_000 for i in range(1_000)},
        np.zeros((300, 300)),
        Path("x" * 100_000),
    ],
    ids=["text", "bytes", "number", "list", "dict", "array", "path"],
)
def test_a_value_in_a_message_is_short_whatever_it_is(value: object) -> None:
    """One line of it; what is asked is still told apart."""
    found = errors.short(value)

    assert 0 < len(found) < 3_000
    assert "\n" not in found


def test_a_value_nested_without_end_is_shown() -> None:
    """``repr`` itself gives up at a thousand levels."""
    value: list[object] = []
    for _ in range(5_000):
        value = [value]
    pairs: dict[str, object] = {}
    for _ in range(5_000):
        pairs = {"a": pairs}

    assert len(errors.short(value)) < 100
    assert len(errors.short((value, {"x": pairs}))) < 200


def test_a_usual_value_is_shown_as_it_is() -> None:
    """Ids, links and paths are read in full."""
    for value in ("fig#v2", "https://doi.org/10.1/" + "x" * 200, 7, None, ["a"], 1.5):
        assert errors.short(value) == repr(value)


@pytest.mark.parametrize(
    ("kind", "parent"),
    [
        (errors.BadRequest, ValueError),
        (errors.NodeNotFound, LookupError),
        (errors.StoreNotFound, FileNotFoundError),
        (errors.StoreNotWritable, PermissionError),
        (errors.StoreUnreachable, ConnectionError),
        (errors.WriteFailed, OSError),
        (errors.MissingExtra, ImportError),
    ],
)
def test_a_newcomer_catches_ours_by_the_standard_name(
    kind: type[Exception], parent: type[Exception]
) -> None:
    """Each error is also what the standard library would have raised."""
    assert issubclass(kind, parent)


def test_unknown_node_bad_request_wrong_token_and_dead_store_are_four_things() -> None:
    """Design §5.8: none of the four is caught by the name of another."""
    four = [
        errors.NodeNotFound,
        errors.BadRequest,
        errors.WrongToken,
        errors.StoreUnreachable,
    ]

    for one in four:
        assert [other for other in four if issubclass(one, other)] == [one]


def test_a_hint_is_said_and_is_no_part_of_what_the_contract_fixes() -> None:
    """Nor lost when the error crosses a process."""
    error = errors.DeclareError(
        "claim_not_found", "Claim c not found", hint="declare it"
    )

    assert (error.message, error.instruction) == ("Claim c not found", "")
    assert str(error) == "Claim c not found; declare it"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
