# SPDX-License-Identifier: Apache-2.0
"""A local store and a Neo4j server give one answer, and it is the right one."""

from __future__ import annotations

import contextlib
import json
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from hypothesis import settings

import smemkit
from smemkit.records import Batch, Edge, Node
from tests import cypher_fuzz
from tests.cypher_answers import COMPUTED
from tests.cypher_odd import ODD, ODD_QUESTIONS

if TYPE_CHECKING:
    from tests.neo4j_server import Address

ROOT = Path(__file__).resolve().parent.parent
MEMORIES = {
    "demo": ROOT / "notebooks" / "data" / "memory",
    "app-store": ROOT / "tests" / "data" / "cases" / "app-store",
}
CORPUS = tomllib.loads((ROOT / "tests" / "data" / "cypher_corpus.toml").read_text())
QUESTIONS = {each["name"]: each for each in CORPUS["question"]}


def asked(mem: smemkit.Memory, name: str) -> pd.DataFrame:
    question = QUESTIONS[name]
    return mem.cypher(question["text"], **question.get("params", {}))


def plain(value: Any) -> Any:
    """Return a cell as it is compared: numbers to 12 digits."""
    if isinstance(value, list | dict):
        return json.dumps(value, sort_keys=True)
    if pd.isna(value):
        return None
    return float(f"{value:.12g}") if isinstance(value, float) else value


def table(frame: pd.DataFrame, *, ordered: bool = False) -> tuple[Any, ...]:
    rows = [tuple(map(plain, row)) for row in frame.itertuples(index=False, name=None)]
    if not ordered:
        rows.sort(key=repr)
    return list(frame.columns), list(map(str, frame.dtypes)), rows


@pytest.fixture(scope="module", params=sorted(MEMORIES))
def local(request: pytest.FixtureRequest) -> Iterator[smemkit.Memory]:
    with smemkit.open(MEMORIES[request.param], must_exist=True) as mem:
        yield mem


@pytest.fixture(scope="module")
def server(local: smemkit.Memory, neo4j_server: Address) -> Iterator[smemkit.Memory]:
    """Yield a memory on a server that holds what the local one does."""
    neo4j_server.wipe()
    with local.reading() as graph:
        batch = Batch(nodes=tuple(graph.nodes()), edges=tuple(graph.edges()))
    with neo4j_server.open() as mem:
        mem.store.write(lambda _: batch)
        yield mem


# -- one answer on both engines ------------------------------------------------


def test_the_corpus_has_no_name_twice():
    """At least 60 questions, each with a name of its own."""
    assert len(QUESTIONS) == len(CORPUS["question"]) >= 60


@pytest.mark.neo4j
@pytest.mark.parametrize("name", QUESTIONS)
def test_both_engines_give_equal_tables(name, local, server):
    """The same columns, types and rows; in the same order where one is asked for."""
    ordered = QUESTIONS[name].get("ordered", False)
    assert table(asked(local, name), ordered=ordered) == table(
        asked(server, name), ordered=ordered
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_by_a_local_store(name, local):
    """None is refused, and nothing of the engine's own is seen."""
    assert "_smemkit" not in asked(local, name).to_json()


@pytest.mark.neo4j
def test_names_the_engine_uses_itself_are_kept_apart(neo4j_empty):
    """Both engines agree on a memory made of what could be confused."""
    with smemkit.open(":memory:") as local, neo4j_empty.open() as server:
        for mem in (local, server):
            mem.store.write(lambda _: ODD)
        for text in ODD_QUESTIONS:
            ordered = "ORDER BY" in text
            assert table(local.cypher(text), ordered=ordered) == table(
                server.cypher(text), ordered=ordered
            ), text


@pytest.mark.neo4j
def test_random_questions_have_one_answer(neo4j_empty):
    """What both engines answer is equal; what one refuses says nothing.

    Neo4j refuses some expressions before it looks at a value, and kglite does not
    read some brackets. Nearly all are answered by both.
    """
    random = Random(20261002)
    made, batch = cypher_fuzz.Questions(random), cypher_fuzz.graph(random)
    count, answered = settings.default.max_examples, 0
    with smemkit.open(":memory:") as local, neo4j_empty.open() as server:
        for mem in (local, server):
            mem.store.write(lambda _: batch)
        for text in (made.question() for _ in range(count)):
            ordered = "ORDER BY" in text
            with contextlib.suppress(smemkit.BadRequest):
                here, there = local.cypher(text), server.cypher(text)
                assert table(here, ordered=ordered) == table(there, ordered=ordered), (
                    text
                )
                answered += 1
    assert answered > 0.8 * count


@pytest.mark.neo4j
def test_long_paths_are_not_cut(neo4j_empty):
    """A length of more than ten hops is walked to its end on both engines."""
    nodes = tuple(Node(f"n{i}", ("C",), {"i": i}) for i in range(60))
    edges = tuple(Edge(f"r{i}", "next", f"n{i}", f"n{i + 1}") for i in range(59))
    with smemkit.open(":memory:") as local, neo4j_empty.open() as server:
        for mem in (local, server):
            mem.store.write(lambda _: Batch(nodes=nodes, edges=edges))
            for text, count in [
                ("MATCH ({i: 0})-[:next*1..50]->(b) RETURN count(b) AS n", 50),
                ("MATCH ({i: 0})-[:next*25]->(b) RETURN b.i AS n", 25),
                ("MATCH (a)-[:next*1..40]->(b) RETURN count(*) AS n", 1580),
                (
                    "MATCH p = shortestPath(({i: 3})-[:next*..99]->({i: 55})) RETURN length(p) AS n",
                    52,
                ),
                (
                    "MATCH (a) WHERE EXISTS { (a)-[:next*1..40]->({i: 59}) } RETURN count(a) AS n",
                    40,
                ),
            ]:
                assert mem.cypher(text)["n"].tolist() == [count], text


# -- the right answer ------------------------------------------------------------


@pytest.mark.parametrize("name", COMPUTED)
def test_an_answer_is_what_python_computes(name, local):
    """Counts, chains, walks and groups, computed a second way."""
    expected = [tuple(map(plain, row)) for row in COMPUTED[name](local.to_networkx())]
    found = table(asked(local, name), ordered=True)[2]
    if not QUESTIONS[name].get("ordered"):
        expected.sort(key=repr)
        found.sort(key=repr)
    assert found == expected


# -- the engine follows the memory -------------------------------------------------

HOW_MANY = "MATCH (c:Code) RETURN count(c) AS runs"


def test_an_answer_knows_what_was_written_since_the_last(tmp_path):
    """Our own writes, those of another program, and removals."""
    mem, other = smemkit.open(tmp_path / "m"), smemkit.open(tmp_path / "m")
    assert mem.cypher(HOW_MANY)["runs"].tolist() == [0]
    for number, writer in enumerate((mem, other, mem), start=1):
        writer.observe_execution(f"e{number}", session_id="s1", status="succeeded")
        mem.refresh()
        assert mem.cypher(HOW_MANY)["runs"].tolist() == [number]
    other.cleanup_session(session_id="s1")
    mem.refresh()
    assert mem.cypher(HOW_MANY)["runs"].tolist() == [0]


def test_the_engine_is_filled_once_per_state():
    """Two questions without a write in between use what is there."""
    mem = smemkit.open(":memory:")
    mem.cypher(HOW_MANY)
    filled = mem._engine._graph
    mem.cypher(HOW_MANY)
    assert mem._engine._graph is filled
    mem.observe_execution("e1", session_id="s1", status="succeeded")
    mem.cypher(HOW_MANY)
    assert mem._engine._graph is not filled


def test_questions_of_several_threads_do_not_disturb_each_other(local):
    """Each gets the answer to its own question."""
    expected = {name: table(asked(local, name)) for name in list(QUESTIONS)[:12]}
    wrong: list[str] = []

    def ask() -> None:
        for name, answer in expected.items():
            if table(asked(local, name)) != answer:
                wrong.append(name)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_question_prints_nothing(local, capfd):
    """The engine's remarks on labels and properties it lacks stay its own."""
    local.cypher("MATCH (n:SearchCell) WHERE n.nothing = 1 RETURN n.nowhere")
    assert capfd.readouterr() == ("", "")


def test_odd_values_of_old_files_are_text_in_answers():
    """What neither engine can hold, a nested list or a huge number, is not lost."""
    mem = smemkit.open(":memory:")
    odd = Node(
        "n1", ("Code",), {"deep": [[1], {"a": 2}], "huge": 2**70, "map": {"a": 1}}
    )
    with mem.reading() as graph:
        graph.put_node(odd)
    found = mem.cypher("MATCH (n:Code) RETURN n.deep, n.huge, n.map").iloc[0].tolist()
    assert found == ['[[1], {"a": 2}]', str(2**70), '{"a": 1}']
