# SPDX-License-Identifier: Apache-2.0
"""Whatever is given to a verb of a memory, it answers or refuses in our words."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import smemkit
from smemkit.errors import BadRequest, SmemError


def deep() -> list[object]:
    made: list[object] = []
    for _ in range(2_000):
        made = [made]
    return made


ODD: dict[str, object] = {
    "none": None,
    "number": 5,
    "float": 2.0,
    "true": True,
    "list": [],
    "dict": {},
    "dict in a list": [{"a": 1}],
    "list in a list": [[]],
    "object": object(),
    "bytes": b"fig",
    "array": np.array(["a", "b"]),
    "frame": pd.DataFrame({"a": [1]}),
    "deep": deep(),
    "long": "x" * 100_000,
    "surrogate": "\ud800",
    "huge": 10**5_000,
}

READS: dict[str, tuple[dict[str, object], tuple[str, ...]]] = {
    "versions": ({}, ("artifact_id",)),
    "node": ({"id": "fig"}, ("id", "label", "session_id")),
    "chain": (
        {"node_id": "fig", "kind": "viewProducingCode"},
        ("node_id", "kind", "chain_kind", "session_id", "version", "limit", "offset"),
    ),
    "chain_exists": (
        {"node_id": "fig", "kinds": ["viewProducingCode"]},
        ("node_id", "kinds", "session_id", "version"),
    ),
    "by_node_type": (
        {"node_types": "Code"},
        ("node_types", "session_id", "limit", "offset"),
    ),
    "by_edge_type": (
        {"edge_types": "produces"},
        ("edge_types", "session_id", "limit", "offset"),
    ),
    "match": (
        {"query": "python"},
        ("query", "mode", "session_id", "limit", "offset"),
    ),
    "subgraph": ({}, ("session_id", "limit", "offset")),
    "trace_provenance": (
        {"node_id": "fig"},
        ("node_id", "target_label", "max_hops", "session_id"),
    ),
    "artifact_provenance": (
        {"artifact_id": "fig"},
        ("artifact_id", "version", "session_id"),
    ),
    "scope_expansion": ({"scope_task_id": "x"}, ("scope_task_id", "session_id")),
    "group_expansion": ({"group_id": "x"}, ("group_id", "session_id")),
    "nodes": ({}, ("label", "session_id")),
    "edges": ({}, ("edge_type", "session_id")),
    "reports": ({}, ("session_id",)),
    "timeline": ({}, ("session_id",)),
    "citations": ({}, ("session_id",)),
    "audit": ({"report": "fig"}, ("report", "text", "files", "max_hops")),
    "figure": ({"session_id": "s"}, ("x", "session_id", "width_mm", "lang")),
    "explore": ({"session_id": "s"}, ("session_id", "focus", "kind", "lang")),
}
"""Of each reading verb: what makes a good call, and what is then given wrongly."""

CASES = [
    (verb, name, value)
    for verb, (_, ns) in READS.items()
    for name in ns
    for value in ODD
]


@pytest.fixture(scope="module")
def mem():
    with smemkit.open(":memory:") as made:
        made.observe_session_first_message("s", core_objective="Why?")
        made.observe_execution(
            "e1",
            session_id="s",
            tool="run_python",
            produced_artifacts=[{"artifact_id": "fig", "version": 1}],
        )
        yield made


@pytest.mark.parametrize(("verb", "name", "value"), CASES)
def test_a_reading_verb_answers_or_refuses_in_our_words(mem, verb, name, value):
    """No error of Python's own; the message is short; an answer shows itself."""
    good, _ = READS[verb]
    said = asked(lambda: getattr(mem, verb)(**{**good, name: ODD[value]}))
    assert 0 < len(said) < 3_000


def asked(call: Callable[[], object]) -> str:
    """Return what an answer or a refusal says of itself."""
    try:
        answer = call()
    except SmemError as error:
        return str(error)
    shows_itself(answer)
    return repr(answer)[:2_000]


def shows_itself(answer: Any) -> None:
    assert str(answer)
    for form in ("to_dict", "to_frame", "_repr_html_"):
        if hasattr(answer, form):
            getattr(answer, form)()


WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("versions", lambda mem: mem.versions(None)),
    ("versions", lambda mem: mem.versions({})),
    ("chain_exists", lambda mem: mem.chain_exists("fig", None)),
    ("chain_exists", lambda mem: mem.chain_exists("fig", [{}])),
    ("chain version", lambda mem: mem.chain("fig", "viewProducingCode", version=True)),
    ("chain version", lambda mem: mem.chain("fig", "viewProducingCode", version=0)),
    ("chain version", lambda mem: mem.chain("fig", "viewProducingCode", version="2")),
    ("chain version", lambda mem: mem.chain("fig", "viewProducingCode", version=2.0)),
    (
        "exists version",
        lambda mem: mem.chain_exists("fig", ["viewProducingCode"], version=2.0),
    ),
    ("by_node_type", lambda mem: mem.by_node_type([{}])),
    ("by_edge_type", lambda mem: mem.by_edge_type([[]])),
    ("label", lambda mem: mem.node("fig", label=[{"a": 1}])),
    ("offset", lambda mem: mem.match("x", offset=None)),
    ("offset", lambda mem: mem.subgraph(offset=None)),
    ("mode", lambda mem: mem.match("x", mode=np.array(["a", "b"]))),
    ("target", lambda mem: mem.trace_provenance("fig", target_label=np.zeros(3))),
    ("chain_kind", lambda mem: mem.chain("fig", chain_kind=np.array(["a", "b"]))),
    ("lang", lambda mem: mem.figure(session_id="s", lang=1)),
    ("lang", lambda mem: mem.show(mem.trace_provenance("fig"), lang=1)),
    (
        "timeout",
        lambda mem: smemkit.open(tempfile.gettempdir() + "/x", lock_timeout="x"),
    ),
]


@pytest.mark.parametrize(
    "call",
    [call for _, call in WRONG],
    ids=[f"{k}-{n}" for k, (n, _) in enumerate(WRONG)],
)
def test_what_cannot_be_understood_is_a_bad_request(mem, call):
    """Each of these once raised an error of Python's, or was taken."""
    with pytest.raises(BadRequest):
        call(mem)


def test_a_long_session_id_makes_no_long_message(mem):
    """What was asked is shown short."""
    with pytest.raises(SmemError) as caught:
        mem.subgraph("s" * 100_000)
    assert len(str(caught.value)) < 1_000


def test_every_parameter_that_is_named_above_is_there(mem):
    """A renamed parameter would pass every test above."""
    for verb, (good, names) in READS.items():
        known = inspect.signature(getattr(mem, verb)).parameters
        assert {*good, *names} <= set(known), verb
