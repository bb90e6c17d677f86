# SPDX-License-Identifier: Apache-2.0
"""A verb of a memory: the function that does it, with the session filled in."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import AmbiguousSession, SessionNotFound
from smemkit.memory import Memory

WRITES = [
    "observe_session_first_message",
    "observe_upload_file",
    "observe_execution",
    "observe_tool_call",
    "observe_mcp_search",
    "observe_subagent",
    "declare_evidence",
    "declare_claim",
    "declare_artifact",
    "link_claims_to_report",
    "cleanup_session",
    "cleanup_project",
]
READS = [
    "subgraph",
    "match",
    "by_node_type",
    "by_edge_type",
    "node",
    "chain",
    "chain_exists",
    "scope_expansion",
    "group_expansion",
    "trace_provenance",
    "artifact_provenance",
]
TABLES = [
    "audit",
    "to_networkx",
    "reports",
    "versions",
    "nodes",
    "edges",
    "timeline",
    "citations",
    "artifacts",
    "papers",
]


def two_sessions() -> Memory:
    mem = smemkit.open(":memory:")
    for session in ("s1", "s2"):
        mem.observe_session_first_message(session, core_objective="Why?")
    return mem


@pytest.mark.parametrize("name", WRITES + READS)
def test_every_verb_of_the_seed_is_there_and_documented(name: str) -> None:
    """help() shows the text and the parameters, without the store or the graph."""
    verb = getattr(Memory, name)
    parameters = list(inspect.signature(verb).parameters)

    assert verb.__name__ == name
    assert len(verb.__doc__) > 200
    assert parameters[0] == "self"
    assert not {"graph", "store"} & set(parameters)


@pytest.mark.parametrize("name", [*WRITES, *READS, *TABLES])
def test_help_lists_the_parameters_of_the_method_and_no_others(name: str) -> None:
    """No store or graph; what has a default is told to be optional."""
    verb = getattr(Memory, name)
    _, *parameters = inspect.signature(verb).parameters.values()
    listed = verb.__doc__.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    entries = [line for line in listed.splitlines() if not line.startswith(" ")]
    named = {n: e for e in entries for n in e.partition(" : ")[0].split(", ")}

    assert set(named) == {p.name for p in parameters}
    if "session_id" in named and " : " in named["session_id"]:
        assert named["session_id"].endswith(("optional", "default None"))
        (session,) = [p for p in parameters if p.name == "session_id"]
        assert (session.default, "None" in str(session.annotation)) == (None, True)


@pytest.mark.parametrize("name", [*WRITES, *READS, *TABLES])
def test_the_example_of_a_verb_calls_the_verb(name: str) -> None:
    """So that what help() shows can be pasted; it runs and gives what it says."""
    text = getattr(Memory, name).__doc__
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    told = []

    doctest.DocTestRunner().run(example, out=told.append)

    assert told == []
    assert f"mem.{name}(" in text.partition("Examples\n--------\n")[2]


@pytest.mark.parametrize("name", WRITES + READS)
def test_only_the_first_parameter_may_be_positional(name: str) -> None:
    """Design §2: the rest are keyword-only."""
    _, first, *rest = inspect.signature(getattr(Memory, name)).parameters.values()

    assert first.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    positional = [p.name for p in rest if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert positional in ([], ["kind"], ["kinds"])


def test_the_only_session_is_meant_where_none_is_named() -> None:
    """In writes and in reads."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s1", core_objective="Why?")

    made = mem.declare_artifact("fig.svg", artifact_id="fig")

    assert mem.node(made.id).session_id == "s1"
    assert mem.subgraph().session_id == "s1"


def test_with_several_sessions_one_has_to_be_named() -> None:
    """The error lists them."""
    mem = two_sessions()

    with pytest.raises(AmbiguousSession, match="'s1', 's2'"):
        mem.declare_artifact("fig.svg")
    with pytest.raises(AmbiguousSession, match="'s1', 's2'"):
        mem.subgraph()


def test_an_unknown_session_is_refused_with_the_known_ones() -> None:
    """A read never answers empty to a misspelt session."""
    mem = two_sessions()

    with pytest.raises(SessionNotFound, match=r"'s3'.*'s1', 's2'"):
        mem.subgraph("s3")
    with pytest.raises(SessionNotFound):
        mem.trace_provenance("goal:session:s1", session_id="s3")


def test_an_empty_memory_has_no_session_to_mean() -> None:
    """That is said, not guessed."""
    with pytest.raises(SessionNotFound, match="holds no session"):
        smemkit.open(":memory:").subgraph()
    with pytest.raises(SessionNotFound, match="pass session_id="):
        smemkit.open(":memory:").observe_execution("e1")


def test_a_read_over_all_sessions_needs_none() -> None:
    """Match and the lists answer over everything."""
    mem = two_sessions()

    assert len(mem.match("why")) == 2
    assert len(mem.by_node_type("ResearchGoal")) == 2


def test_none_in_the_place_of_a_session_means_the_only_one() -> None:
    """As a keyword or by position, reading or writing."""
    with smemkit.open(":memory:") as mem:
        mem.observe_session_first_message("s1", core_objective="Why?")
        assert mem.subgraph(None).to_dict() == mem.subgraph("s1").to_dict()
        assert mem.cleanup_session(None).deleted == 1


FRAMES = [
    "sessions",
    "problems",
    "reports",
    "versions",
    "nodes",
    "edges",
    "timeline",
    "citations",
    "artifacts",
    "papers",
]


@pytest.mark.parametrize("name", FRAMES)
def test_the_help_of_a_table_names_each_of_its_columns(name: str) -> None:
    """All that to be read is there: no look into another module is needed."""
    mem = smemkit.open(":memory:")
    mem.declare_artifact("fig.svg", session_id="s", artifact_id="fig")
    table = mem.versions("fig") if name == "versions" else getattr(mem, name)()
    text = getattr(Memory, name).__doc__.partition("Returns\n-------\n")[2]

    assert [c for c in table.columns if f"``{c}``" not in text] == []


def _kinds(source: str) -> Iterator[str]:
    place = {"Malformed": 0, "Problem": 3}
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            argument = call.args[place.get(call.func.id, 9) :][:1]
            yield from (a.value for a in argument if isinstance(a, ast.Constant))


def test_the_help_of_problems_names_every_kind_a_store_gives() -> None:
    """The words are those in the code of the stores, told in two lists."""
    root = Path(smemkit.__file__).parent / "stores"
    given = {m for file in root.glob("*.py") for m in _kinds(file.read_text())}
    told = Memory.problems.__doc__

    assert {"torn-line", "dangling-edge", "truncated"} <= given
    assert [
        word for word in given - {"", "big-number"} if f"``{word}``" not in told
    ] == []


def test_what_an_error_sends_to_is_there() -> None:
    """Each `mem.x(` and `smemkit x` in what an error says to do exists."""
    root = Path(smemkit.__file__).parent
    said = [
        text.value
        for file in root.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg in ("do", "hint")
        for text in ast.walk(keyword.value)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]
    verbs = {name for text in said for name in re.findall(r"\bmem\.(\w+)", text)}
    others = {name for text in said for name in re.findall(r"\bsmemkit\.(\w+)", text)}

    assert {"nodes", "sessions", "figure"} <= verbs
    assert [name for name in verbs if not hasattr(Memory, name)] == []
    assert [name for name in others if not hasattr(smemkit, name)] == []
