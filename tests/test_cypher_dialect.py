# SPDX-License-Identifier: Apache-2.0
"""What the embedded engine would cut or answer differently is an error that helps."""

from __future__ import annotations

import pytest

import smemkit
from smemkit.cypher.dialect import FAR, KINDS, LISTS, MIXED, check
from smemkit.cypher.questions import question
from smemkit.errors import BadRequest
from smemkit.records import Batch, Edge, Node

REFUSED = [
    ("MATCH (a)-[*]->(b) RETURN b", r"longest length, such as \*1\.\.20"),
    ("MATCH (a)-[:next*]->(b) RETURN b", "longest length"),
    ("MATCH (a)-[e:next|contains *2..]->(b) RETURN b", "longest length"),
    ("MATCH (a)-[*.. {inferred: true}]->(b) RETURN b", "longest length"),
    ("MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "longest length"),
    ("MATCH (a) WHERE EXISTS { (a)-[*]->() } RETURN a", "longest length"),
    ("MATCH (n) RETURN id(n)", "by its own key"),
    ("MATCH (n) RETURN elementId(n)", "by its own key"),
    ("MATCH (n) RETURN keys(n)", "UNWIND keys"),
    ("RETURN toInteger('3.7')", "floor"),
    ("RETURN round(-2.5)", "floor"),
    ("RETURN round(1.005, 2)", r"frame\.round"),
    ("MATCH (n) RETURN stDev(n.seq)", "std"),
    ("MATCH (n) RETURN percentileCont(n.seq, 0.5)", "quantile"),
    ("RETURN date('2026-10-02')", "times are text"),
    ("MATCH (n) RETURN datetime(n.created_at)", "times are text"),
    ("RETURN date.truncate('day', '2026-10-02')", "times are text"),
    ("RETURN duration('P1D')", "subtract"),
    ("RETURN split('abc', '')", "substring"),
    ("RETURN 'a' || 'b'", r"write \+"),
    ("RETURN isEmpty([])", "size"),
    ("RETURN rand()", "sample"),
    ("RETURN apoc.text.join(['a'], '')", "from the table"),
    ("RETURN kglite.text_jaccard('a', 'b')", "from the table"),
    ("MATCH (n) RETURN median(n.seq)", "from the table"),
    ("MATCH (n) RETURN degree(n)", "from the table"),
    ("MATCH (n:!Claim) RETURN n", "WHERE NOT n:A"),
    ("MATCH (n:A&B) RETURN n", "n:A:B"),
    ("MATCH (n:%) RETURN n", "leave the label out"),
    ("MATCH (n) WHERE n.x IS :: STRING RETURN n", "IS NOT NULL"),
    ("MATCH (n) RETURN n.x OFFSET 1", "SKIP"),
    ("MATCH (n:A) USING SCAN n:A RETURN n", "leave it out"),
    ("MATCH (n) RETURN n.x, count(*) AS c HAVING c > 1", "HAVING"),
    ("MATCH (n) RETURN count(*) HAVING count(*) > 1", "HAVING"),
    ("MATCH (n) FILTER n.x = 1 RETURN n", "FILTER"),
    ("MATCH (n) RETURN n.x ORDER BY n.x NULLS FIRST", "NULLS"),
    ("MATCH (n) RETURN n.x ORDER BY n.x DESC NULLS LAST", "LAST"),
    ("MATCH (n) RETURN n.x FORMAT CSV", "FORMAT"),
    ("MATCH (n:A) RETURN n.x INTERSECT MATCH (n:B) RETURN n.x", "INTERSECT"),
    ("MATCH (n:A) RETURN n.x AS x EXCEPT MATCH (n:B) RETURN n.x AS x", "EXCEPT"),
    ("MATCH (n) RETURN sum(n.x) OVER (ORDER BY n.y) AS s", "OVER"),
    ("MATCH (n) WHERE n.x =~ '\\\\d+' RETURN n", r"\[0-9\]"),
    ("MATCH (n) WHERE n.x =~ '(?<=a)b' RETURN n", r"\[0-9\]"),
    ("MATCH (n) WHERE n.x =~ 'a' + n.y RETURN n", "as a text"),
    ("MATCH (n) WHERE n.x = '[\"a\"]' RETURN n", "CONTAINS"),
    ("MATCH (n) RETURN n['ti' + 'tle']", r"n\[\$name\]"),
    ("MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m }", r"collect\("),
]

ASKED = [
    "MATCH (a)-[:next*1..20]->(b) RETURN b",
    "MATCH (a)-[:next*3]->(b) RETURN b",
    "MATCH (a)-[:next*..5]->(b) RETURN b",
    "RETURN [x IN [1, 2] | x * 2] AS xs",
    "MATCH (n) UNWIND keys(n) AS key RETURN key",
    "MATCH (n) WHERE 'x' IN keys(n) RETURN size(keys(n)) AS n",
    "MATCH (n) WHERE n.x =~ '(?i)a[0-9]+(?:b|c).*' RETURN n",
    "MATCH (n) RETURN n.round, n.date, n.`having` AS x",
    "RETURN count(*) AS c ORDER BY c DESC",
    "MATCH (n) WHERE n:A OR n:B RETURN n",
]


@pytest.mark.parametrize(("text", "advice"), REFUSED)
def test_what_the_engine_would_answer_differently_is_refused(text, advice):
    """The error names it and says how to write it."""
    with pytest.raises(BadRequest, match=advice):
        smemkit.open(":memory:").cypher(text)


@pytest.mark.parametrize("text", ASKED)
def test_what_only_looks_so_is_asked(text):
    """A length with an end, a product, a property named as a function."""
    smemkit.open(":memory:").cypher(text)


@pytest.mark.parametrize(
    ("why", "text"),
    [
        (MIXED, "MATCH (n) RETURN DISTINCT n.x"),
        (MIXED, "MATCH (n) RETURN n.x, count(*)"),
        (MIXED, "MATCH (n) RETURN n.x UNION MATCH (m) RETURN m.x"),
        (MIXED, "MATCH (n) RETURN count(DISTINCT n.x)"),
        (KINDS, "MATCH (n) RETURN min(n.x)"),
        (LISTS, "MATCH (n) WHERE n.x = 'a' RETURN n"),
        (LISTS, "MATCH (n {x: 'a'}) RETURN n"),
        (LISTS, "MATCH (n) WITH n.x AS z WHERE z IN ['a'] RETURN z"),
        (FAR, "MATCH (n) RETURN toString(n.x)"),
        (FAR, "MATCH (n) RETURN 'x' + n.x"),
    ],
)
def test_properties_with_values_that_compare_differently_are_refused_there(why, text):
    """Only such a property, and only where it matters."""
    asked = question(text, {})
    with pytest.raises(BadRequest, match="x, a property with"):
        check(asked, {"x": {why}})
    check(asked, {"y": {why}})
    check(question("MATCH (n) RETURN n.x", {}), {"x": {why}})


def test_sums_of_mixed_numbers_are_asked():
    """1 and 1.0 add up alike on both engines."""
    check(question("MATCH (n) RETURN sum(n.x), avg(n.x)", {}), {"x": {MIXED}})


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1, 1.0], "MATCH (n) RETURN DISTINCT n.x"),
        ([1, "a"], "MATCH (n) RETURN max(n.x)"),
        (['["a"]', "b"], "MATCH (n) WHERE n.x = 'a' RETURN n"),
        ([1e9, 2.5], "MATCH (n) RETURN toString(n.x)"),
    ],
)
def test_such_values_are_found_in_the_memory(values, text):
    """On nodes as on edges; without them the question is answered."""
    for on_edge in (False, True):
        mem = smemkit.open(":memory:")
        nodes = [
            Node(f"n{i}", ("A",), {} if on_edge else {"x": v})
            for i, v in enumerate(values)
        ]
        edges = [
            Edge(f"r{i}", "e", "n0", "n1", {"x": v})
            for i, v in enumerate(values)
            if on_edge
        ]
        mem.store.write(
            lambda _, n=nodes, e=edges: Batch(nodes=tuple(n), edges=tuple(e))
        )
        with pytest.raises(BadRequest, match="compare differently"):
            mem.cypher(text)
    mem = smemkit.open(":memory:")
    mem.store.write(lambda _: Batch(nodes=(Node("n1", ("A",), {"x": 1}),)))
    mem.cypher(text)
