# SPDX-License-Identifier: Apache-2.0
"""Random graphs and random questions about them, for the comparison of two engines."""

from __future__ import annotations

from random import Random

from smemkit.records import Batch, Edge, Node

WORDS = ("alpha", "Beta", "gamma x", "", "ä", "alp")


def graph(random: Random) -> Batch:
    """Return a small graph of mostly missing properties, loops and parallel edges."""
    nodes = [Node(f"n{i}", (random.choice("ABC"),), _props(random)) for i in range(14)]
    edges = [
        Edge(
            f"r{i}",
            random.choice("xyz"),
            random.choice(nodes).id,
            random.choice(nodes).id,
            {"w": random.randrange(3)} if random.random() < 0.6 else {},
        )
        for i in range(22)
    ]
    return Batch(nodes=tuple(nodes), edges=tuple(edges))


def _props(random: Random) -> dict[str, object]:
    every = {
        "s": random.choice(WORDS),
        "i": random.randrange(-3, 6),
        "f": random.choice((0.5, -1.25, 2.0, 3.75)),
        "b": random.random() < 0.5,
        "l": [random.choice(WORDS) for _ in range(random.randrange(4))],
        "title": random.choice(WORDS),
        "name": random.choice(WORDS),
        "type": random.choice(WORDS),
    }
    kept = {key: value for key, value in every.items() if random.random() < 0.5}
    return {"k": random.randrange(9), **kept}


class Questions:
    """Makes questions; each kind of expression may hold the others, some levels deep."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def any(self, *texts: str) -> str:
        return self.random.choice(texts)

    def number(self, v: str, depth: int = 2) -> str:
        if not depth or self.random.random() < 0.4:
            return self.any(f"{v}.i", f"{v}.k", f"{v}.f", "2", "1.5", f"size({v}.l)")
        a, b = self.number(v, depth - 1), self.number(v, depth - 1)
        return self.any(
            f"({a} {self.any('+', '-', '*')} {b})",
            f"abs({a})",
            f"coalesce({a}, {b})",
            f"CASE WHEN {self.truth(v, depth - 1)} THEN {a} ELSE {b} END",
        )

    def text(self, v: str, depth: int = 2) -> str:
        if not depth or self.random.random() < 0.5:
            return self.any(
                f"{v}.s", f"{v}.title", f"{v}.name", f"{v}.type", "'alpha'", "'a'",
                f"head({v}.l)", f"{v}.l[1]", f"labels({v})[0]",
            )  # fmt: skip
        a, b = self.text(v, depth - 1), self.text(v, depth - 1)
        return self.any(
            f"({a} + {b})",
            f"{self.any('toUpper', 'toLower', 'trim', 'reverse')}({a})",
            f"substring({a}, 1, 2)",
            f"replace({a}, 'a', 'bb')",
            f"coalesce({a}, {b})",
        )

    def list(self, v: str) -> str:
        a, b = self.text(v, 0), self.text(v, 0)
        return self.any(
            f"{v}.l", f"[{a}, {b}]", f"[q IN {v}.l WHERE q > {a} | q + {b}]",
            f"{v}.l[..-1]", f"split({a}, 'a')", f"tail({v}.l)",
        )  # fmt: skip

    def truth(self, v: str, depth: int = 2) -> str:
        if not depth or self.random.random() < 0.2:
            return self.any(
                f"{v}.b", f"{v}:A", f"{v}.s IS NULL", f"{v}.title IS NOT NULL"
            )
        a, b = self.text(v, depth - 1), self.text(v, depth - 1)
        compares = self.any("=", "<>", "<", ">", "<=", ">=")
        holds = self.any("CONTAINS", "STARTS WITH", "ENDS WITH")
        some = self.any("any", "all", "none", "single")
        return self.any(
            f"{self.number(v, depth - 1)} {compares} {self.number(v, depth - 1)}",
            f"{a} {compares} {b}",
            f"{a} {holds} {b}",
            f"({self.truth(v, depth - 1)} {self.any('AND', 'OR', 'XOR')} {self.truth(v, depth - 1)})",
            f"NOT ({self.truth(v, depth - 1)})",
            f"{a} IN {self.list(v)}",
            f"{some}(q IN {self.list(v)} WHERE q {compares} {a})",
            f"EXISTS {{ ({v})-[:{self.any(*'xyz')}]->(:{self.any(*'ABC')}) }}",
            f"({v})-[:y|z]-()",
            f"COUNT {{ ({v})--() }} > 2",
        )

    def where(self, *names: str) -> str:
        return (
            f" WHERE {self.truth(self.any(*names))}"
            if self.random.random() < 0.6
            else ""
        )

    def node(self, v: str) -> str:
        return f"({v}{self.any('', ':A', ':B|C')}{self.any('', '', ' {k: 3}')})"

    def hop(self) -> str:
        return self.any(
            "-->", "--", "-[:x*1..3]->", "-[*0..2]-", "-[:y|z*2]->", "-[:x]->"
        )

    def question(self) -> str:
        """Return a question; its columns all have names."""
        number, text, where = self.number, self.text, self.where
        groups = (
            f"{text('a', 1)} AS g, count(*) AS c, count({number('b')}) AS d, "
            f"sum({number('a')}) AS s, min({text('b')}) AS m, max({number('b')}) AS x"
        )
        return self.any(
            f"MATCH (a){where('a')} RETURN a.k AS k, {number('a')} AS n, {text('a')} AS s, {self.list('a')} AS l",
            f"MATCH {self.node('a')}{self.hop()}{self.node('b')}{where('a', 'b')} RETURN a.k AS a, b.k AS b, {text('b')} AS s",
            f"MATCH {self.node('a')}{self.hop()}(b){self.hop()}{self.node('c')}{where('a', 'c')} RETURN a.k AS a, b.k AS b, c.k AS c",
            f"MATCH (a){where('a')} OPTIONAL MATCH (a)-[e:x|z]->{self.node('b')}{where('b', 'a')} RETURN a.k AS a, b.k AS b, type(e) AS t, e.w AS w",
            f"MATCH (a)-[e]->(b){where('a', 'b')} RETURN {groups} ORDER BY c DESC, g, s, m, x, d",
            f"MATCH (a){where('a')} WITH a, {number('a')} AS n, {text('a')} AS s WHERE n > 0 OR s IS NULL RETURN DISTINCT a.k AS k, n, s ORDER BY s DESC, n, k LIMIT 6",
            f"MATCH (a)-[es*1..2]->(b){where('a')} WITH a, size(es) AS h, b RETURN a.k AS k, h, count(DISTINCT b) AS c",
            f"MATCH (a){where('a')} UNWIND {self.list('a')} AS v RETURN v, count(*) AS c, min({number('a')}) AS m",
        )
