# SPDX-License-Identifier: Apache-2.0
"""What smemkit keeps on a server for itself is in no answer, however one asks."""

from __future__ import annotations

import pytest

from smemkit.cypher.questions import question
from smemkit.records import Batch, Edge, Node
from smemkit.stores._asking import OURS, hidden

NARROWED = [
    ("MATCH () RETURN 1", f"MATCH (:{OURS}) RETURN 1"),
    ("MATCH (n) RETURN n", f"MATCH (n:{OURS}) RETURN n"),
    ("MATCH (n {x: f(1)}) RETURN n", f"MATCH (n:{OURS} {{x: f(1)}}) RETURN n"),
    ("MATCH (n WHERE n.x = 1) RETURN n", f"MATCH (n:{OURS} WHERE n.x = 1) RETURN n"),
    ("MATCH (n:!A) RETURN n", f"MATCH (n:(!A)&{OURS}) RETURN n"),
    ("MATCH (n:% {x: 1}) RETURN n", f"MATCH (n:(%)&{OURS} {{x: 1}}) RETURN n"),
    (
        "MATCH (n), (m)-[e]->() RETURN n",
        f"MATCH (n:{OURS}), (m:{OURS})-[e]->(:{OURS}) RETURN n",
    ),
    (
        "RETURN EXISTS { (n) }, COUNT { (n) }",
        f"RETURN EXISTS {{ (n:{OURS}) }}, COUNT {{ (n:{OURS}) }}",
    ),
    (
        "MATCH p = shortestPath((a)-[*]-(b)) RETURN p",
        f"MATCH p = shortestPath((a:{OURS})-[*]-(b:{OURS})) RETURN p",
    ),
]

AS_IT_IS = [
    "MATCH (n:Claim) RETURN n",
    "MATCH (n:A|B {x: (1 + 2)})-[e:x WHERE (e.y) = 1]->(:C) RETURN (n.x), size([1])",
    "UNWIND [1] AS x RETURN (x) - (x)",
    "RETURN 'MATCH (n)' AS text",
]


@pytest.mark.parametrize(("text", "sent"), NARROWED)
def test_a_pattern_that_would_match_our_own_nodes_is_narrowed(text, sent):
    """Nodes without label, and label expressions that anything may match."""
    assert hidden(question(text, {})) == sent


@pytest.mark.parametrize("text", AS_IT_IS)
def test_everything_else_is_sent_as_it_is(text):
    """Named labels, brackets in expressions, strings."""
    assert hidden(question(text, {})) == text


@pytest.mark.neo4j
def test_nothing_of_our_own_is_in_an_answer(neo4j_empty):
    """The lock, the log and the properties we add are neither shown nor counted."""
    nodes = tuple(Node(f"n{i}", ("A", "B")[: 1 + i], {"k": i}) for i in range(2))
    with neo4j_empty.open() as mem:
        mem.store.write(lambda _: Batch(nodes, (Edge("r1", "e", "n0", "n1"),)))
        assert len(neo4j_empty.ask("MATCH (n) RETURN n")) > 2
        for pattern in (
            "(n)",
            "(n:%)",
            "(n:!C)",
            "(n:A|!C)",
            "(n {})",
            "(n)-[*0..0]->()",
        ):
            text = f"MATCH {pattern} RETURN count(DISTINCT n) AS n"
            assert mem.cypher(text)["n"].tolist() == [2], pattern
        assert mem.cypher(
            "RETURN COUNT { (x) } AS a, COUNT { MATCH (x) } AS b"
        ).to_dict("records") == [{"a": 2, "b": 2}]
        keys = mem.cypher("MATCH (n) UNWIND keys(n) AS key RETURN DISTINCT key")
        assert keys["key"].tolist() == ["k"]
        found = mem.cypher("MATCH p = (n)-[e]->(m) RETURN n, e, p, properties(m) AS m")
        assert found.to_dict("records") == [
            {
                "n": (first := {"id": None, "labels": ["A"], "props": {"k": 0}}),
                "e": (edge := {"type": "e", "props": {}}),
                "p": {
                    "nodes": [
                        first,
                        {"id": None, "labels": ["A", "B"], "props": {"k": 1}},
                    ],
                    "relationships": [edge],
                },
                "m": {"k": 1},
            }
        ]


@pytest.mark.neo4j
def test_native_times_are_answered_as_text(neo4j_empty):
    """What the app wrote as a date-time reads as the text that a file would hold."""
    neo4j_empty.ask(
        "CREATE (:Code {code_id: 'e', at: datetime('2026-10-02T10:00:00+02:00')})"
    )
    with neo4j_empty.open() as mem:
        found = mem.cypher(
            "MATCH (n:Code) RETURN n.at AS at, [n.at] AS l, n {.at} AS m"
        )
    (row,) = found.to_dict("records")
    time = "2026-10-02T08:00:00.000Z"
    assert row == {"at": time, "l": [time], "m": {"at": time}}


@pytest.mark.neo4j
def test_a_question_the_server_does_not_understand_says_why(neo4j_empty):
    """Its first line is in the error."""
    with neo4j_empty.open() as mem, pytest.raises(ValueError, match="`m` not defined"):
        mem.cypher("MATCH (n) RETURN m.x")
