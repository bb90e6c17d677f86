# SPDX-License-Identifier: Apache-2.0
"""The tree of errors: one root, standard parents, readable and portable messages."""

from __future__ import annotations

import inspect
import pickle

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
