# SPDX-License-Identifier: Apache-2.0
"""Only questions are asked: what writes, runs procedures or reads files is refused."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import pytest

import smemkit
from smemkit.cypher.questions import question
from smemkit.errors import BadRequest, InvalidRecord, UnknownEdgeType, UnknownLabel

WRITES = [
    "CREATE (n:Claim)",
    "MATCH (n) CREATE (m)",
    "MATCH (n) SET n.x = 1",
    "MATCH (n) set n:Label",
    "MERGE (n:Claim {claim_id: 'c'})",
    "MATCH (n) DELETE n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) NODETACH DELETE n",
    "MATCH (n) REMOVE n.x",
    "MATCH (n) FOREACH (x IN [1] | SET n.x = x)",
    "MATCH (n) WITH n CALL { WITH n DELETE n } RETURN 1",
    "MATCH (n) CALL (n) { RETURN 1 AS x } RETURN x",
    "CALL db.labels()",
    "CALL db.labels() YIELD label RETURN label",
    "MATCH (n) CALL `db`.labels() YIELD label RETURN label",
    "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "MATCH (n) LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "INSERT (:Claim)",
    "DROP INDEX x",
    "CREATE INDEX FOR (n:Claim) ON (n.x)",
    "RETURN 1.CREATE (n)",
    "RETURN 'a' /* b */ CREATE (n)",
    "RETURN 1 // a\nCREATE (n)",
    "RETURN 1; CREATE (n)",
    "SHOW INDEXES",
    "EXPLAIN RETURN 1",
    "PROFILE RETURN 1",
    "USE system RETURN 1",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
]

HARMLESS = [
    "RETURN 'CREATE (n)' AS x",
    'RETURN "DELETE" AS x',
    "RETURN 1 AS x // SET n.x = 1",
    "RETURN 1 AS x /* MERGE (n) */",
    "RETURN 1 AS `set`",
    "MATCH (n) WHERE n.set IS NULL AND n.`create` IS NULL RETURN count(n) AS x",
    "MATCH (n:Create) RETURN n",
    "MATCH ()-[e:delete|merge]->() RETURN e",
    "MATCH (call) WHERE call.x = 1 RETURN call ORDER BY call",
    "RETURN 1 AS x;",
]


@pytest.fixture
def mem():
    with smemkit.open(":memory:") as opened:
        opened.observe_session_first_message("s1", core_objective="Do bills grow?")
        yield opened


@pytest.mark.parametrize("text", WRITES)
def test_what_writes_is_refused_and_nothing_changes(text, mem):
    """Whatever the case of letters, and wherever it stands."""
    before = mem.revision()
    with pytest.raises(BadRequest):
        mem.cypher(text)
    assert mem.revision() == before
    assert len(mem) == 1


@pytest.mark.neo4j
def test_what_writes_is_refused_on_a_server_too(neo4j_empty):
    """Nothing of it reaches the server, whose revision stays."""
    with neo4j_empty.open() as mem:
        before = mem.revision()
        for text in WRITES:
            with pytest.raises(BadRequest):
                mem.cypher(text)
        assert mem.revision() == before


@pytest.mark.neo4j
def test_the_server_itself_refuses_what_would_write(neo4j_empty):
    """Should a text get past the check, the transaction only reads."""
    with neo4j_empty.open() as mem:
        with pytest.raises(BadRequest, match="read access"):
            mem.store._line.ask("CREATE (n:Claim) RETURN n", {})
        assert neo4j_empty.ask("MATCH (n:Claim) RETURN n") == []


@pytest.mark.parametrize("text", HARMLESS)
def test_words_in_strings_comments_quotes_and_names_are_no_commands(text, mem):
    """They are asked and answered, as long as the names are those of somebody."""
    with contextlib.suppress(UnknownLabel, UnknownEdgeType):
        mem.cypher(text)


@pytest.mark.parametrize(
    "text", ["", "   ", "// nothing", ";", "n.x = 1", "WHERE 1 = 1"]
)
def test_a_text_that_asks_nothing_is_refused(text):
    """It has to begin as a question does."""
    with pytest.raises(BadRequest, match="begin with MATCH"):
        question(text, {})


def test_a_text_that_is_none_is_refused():
    """Something that is no text at all."""
    with pytest.raises(BadRequest, match="as text"):
        question(7, {})


def test_a_parameter_without_value_is_named():
    """The error shows how to give it."""
    with pytest.raises(BadRequest, match=r"no value for \$year.*year=\.\.\."):
        question("MATCH (p:Paper {year: $year}) RETURN p", {"since": 1})


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1},
        [{"a": 1}],
        [1, "a"],
        [[1]],
        float("nan"),
        2**63,
        b"x",
        object(),
        "\ud800",
    ],
)
def test_a_parameter_is_checked_like_a_value(value, mem):
    """What no property could hold is no parameter; the error names it."""
    with pytest.raises(InvalidRecord, match="parameter 'p'"):
        mem.cypher("RETURN $p AS p", p=value)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a 'quote'", "a 'quote'"),
        (-(2**63), -(2**63)),
        (1.5, 1.5),
        (True, True),
        ([1, 2], [1, 2]),
        (("a", "b"), ["a", "b"]),
        (datetime(2026, 10, 2, 8, tzinfo=UTC), "2026-10-02T08:00:00.000Z"),
    ],
)
def test_a_parameter_arrives_as_it_is(value, stored, mem):
    """An instant as the text a memory holds, a tuple as a list."""
    assert mem.cypher("RETURN $p AS p", p=value)["p"][0] == stored


def test_a_parameter_may_be_null(mem):
    """It equals nothing, as anywhere in Cypher."""
    text = "MATCH (n) WHERE n.session_id = $s RETURN count(n) AS n"
    assert mem.cypher(text, s=None)["n"].tolist() == [0]
    assert mem.cypher("RETURN $s IS NULL AS none", s=None)["none"].tolist() == [True]


def test_a_parameter_may_be_called_text_or_self(mem):
    """The text of the question has no name that would be in the way."""
    assert mem.cypher("RETURN $text AS a, $self AS b", text="x", self="y").to_dict(
        "records"
    ) == [{"a": "x", "b": "y"}]


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("MATCH (n:_SmemkitLock) RETURN n", {}),
        ("MATCH (n:`_smemkitlog`) RETURN n", {}),
        ("MATCH (n) RETURN n._smemkit_id", {}),
        ("MATCH (n) RETURN n['_smemkit_n']", {}),
        ("MATCH (n) RETURN n[$key]", {"key": "_smemkit_id"}),
        ("MATCH (n) WHERE 'x' IN $keys RETURN n", {"keys": ["_smemkit_id"]}),
    ],
)
def test_names_of_our_own_cannot_be_asked_for(text, params):
    """Neither as a label or property nor in a parameter."""
    with pytest.raises(BadRequest, match="smemkit's own"):
        question(text, params)
