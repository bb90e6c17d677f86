# SPDX-License-Identifier: Apache-2.0
"""A label or edge type that nobody knows is refused: most likely it is misspelt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import smemkit
from smemkit.cypher.named import refuse_unknown
from smemkit.cypher.questions import question
from smemkit.errors import BadRequest, UnknownEdgeType, UnknownLabel
from smemkit.records import Batch, Edge, Node

if TYPE_CHECKING:
    from tests.neo4j_server import Address

LABELS = [
    "MATCH (a:Artefact) RETURN a",
    "MATCH (a:Claim|Artefact) RETURN a",
    "MATCH (:`Artefact`) RETURN 1 AS x",
    "MATCH (c:Claim) WHERE (c:Artefact) RETURN c",
    "MATCH (c:Claim)<-[:supports]-(a:Artefact) RETURN count(*) AS n",
]
TYPES = [
    "MATCH ()-[e:suports]->() RETURN e",
    "MATCH ()-[:supports|suports]->() RETURN 1 AS x",
    "MATCH ()-[:suports*1..3]->() RETURN 1 AS x",
]
KNOWN = [
    "MATCH (a:Artifact)-[:supports|stated_in]->(c:Claim) RETURN a, c",
    "MATCH (n:SearchRun|SubTask) RETURN n",
    "MATCH (o:Own) RETURN o",
    "MATCH (o:Second) RETURN o",
    "MATCH ()-[e:own_edge]->() RETURN type(e) AS t",
    "MATCH (n {claim_id: $x}) RETURN n",
    "RETURN 'a (b:Artefact)' AS text",
    "RETURN {Artefact: 1} AS map // (a:Artefact)",
    "UNWIND [1, 2] AS x RETURN [x] AS list",
]


def fill(mem: smemkit.Memory) -> None:
    nodes = (
        Node("n1", ("Own", "Second"), {"session_id": "s", "x": 1}),
        Node("n2", ("Claim",), {"session_id": "s", "claim_id": "c"}),
    )
    edges = (Edge("r1", "own_edge", "n1", "n2"),)
    mem.store.write(lambda _: Batch(nodes=nodes, edges=edges))


@pytest.fixture
def mem() -> smemkit.Memory:
    made = smemkit.open(":memory:")
    fill(made)
    return made


@pytest.mark.parametrize("text", LABELS)
def test_a_label_nobody_knows_is_refused_with_the_known_ones(text, mem):
    """Also where it is one of several, and where a count would be 0."""
    with pytest.raises(
        UnknownLabel, match="label 'Artefact'; known are Artifact, Claim"
    ):
        mem.cypher(text)


@pytest.mark.parametrize("text", TYPES)
def test_an_edge_type_nobody_knows_is_refused_with_the_known_ones(text, mem):
    """Of a path with several steps too."""
    with pytest.raises(UnknownEdgeType, match=r"type 'suports'; known are .*supports"):
        mem.cypher(text)


@pytest.mark.parametrize("text", KNOWN)
def test_what_the_schema_or_the_memory_knows_is_asked(text, mem):
    """An empty answer is one; maps, texts and comments name no label."""
    mem.cypher(text, **({"x": "c"} if "$x" in text else {}))


@pytest.mark.neo4j
def test_a_server_refuses_the_same(neo4j_empty: Address):
    """And answers what its own nodes and edges have."""
    with neo4j_empty.open() as mem:
        fill(mem)
        for text in (*LABELS, *TYPES):
            with pytest.raises((UnknownLabel, UnknownEdgeType)):
                mem.cypher(text)
        for text in KNOWN:
            mem.cypher(text, **({"x": "c"} if "$x" in text else {}))


def test_nothing_is_asked_about_names_of_the_schema():
    """A question costs one answer unless it has a strange name."""

    def ask(_):
        raise BadRequest("asked")

    refuse_unknown(
        question("MATCH (c:Claim)-[:stated_in]->(a:Artifact) RETURN c", {}), ask
    )
