# SPDX-License-Identifier: Apache-2.0
"""Answers to questions of the Cypher corpus, computed without Cypher, for its tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx

ATTRIBUTES: set[str] = {"id", "label", "labels"}
"""What `to_networkx` adds to the properties of a node."""


def by_label(graph: nx.MultiDiGraph, label: str) -> list[str]:
    return [key for key, data in graph.nodes(data=True) if data.get("label") == label]


def ends(graph: nx.MultiDiGraph, key: str, edge_type: str) -> list[str]:
    return [b for _, b, t in graph.out_edges(key, data="type") if t == edge_type]


def starts(graph: nx.MultiDiGraph, key: str, edge_type: str) -> list[str]:
    return [a for a, _, t in graph.in_edges(key, data="type") if t == edge_type]


def props(graph: nx.MultiDiGraph, key: str) -> dict[str, Any]:
    return own(graph.nodes[key])


def own(data: dict[str, Any]) -> dict[str, Any]:
    """Return the properties among the attributes of a node."""
    return {k: v for k, v in data.items() if k not in ATTRIBUTES and k[0] != "_"}


def per_label(g):
    found = Counter(label for _, label in g.nodes(data="label") if label)
    return sorted(found.items())


def per_type(g):
    found = Counter(t for *_, t in g.edges(data="type"))
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def most_cited(g):
    cited: dict[tuple[Any, str], set[str]] = {}
    for paper in by_label(g, "Paper"):
        # A paper that two sessions found is two nodes of one title and link.
        key = props(g, paper).get("title"), props(g, paper)["link"]
        claims = {c for e in ends(g, paper, "extracts") for c in ends(g, e, "supports")}
        cited.setdefault(key, set()).update(claims)
    rows = [(title, link, len(claims)) for (title, link), claims in cited.items()]
    return sorted(rows, key=lambda r: (-r[2], r[0] is None, r[0], r[1]))[:3]


def without_evidence(g):
    return sorted(
        (props(g, c)["claim_id"], props(g, c)["content"])
        for c in by_label(g, "Claim")
        if not any(g.nodes[s]["label"] == "Evidence" for s in starts(g, c, "supports"))
    )


def what_it_rests_on(g):
    return [
        (props(g, c)["claim_id"], label, times)
        for c in by_label(g, "Claim")
        for label, times in Counter(
            g.nodes[s]["label"] for s in starts(g, c, "supports")
        ).items()
    ]


def four_links(g):
    return [
        (
            props(g, p).get("title"),
            props(g, e).get("locator"),
            props(g, c)["claim_id"],
            props(g, r)["artifact_id"],
            props(g, r)["version"],
        )
        for p in by_label(g, "Paper")
        for e in ends(g, p, "extracts")
        for c in ends(g, e, "supports")
        for r in ends(g, c, "stated_in")
    ]


def inputs(g):
    rows = [
        (props(g, k)["code_id"], len(starts(g, k, "input")))
        for k in by_label(g, "Code")
    ]
    return sorted(rows, key=lambda r: (-r[1], r[0]))


def newest(g):
    found: dict[str, list[int]] = {}
    for a in by_label(g, "Artifact"):
        found.setdefault(props(g, a)["artifact_id"], []).append(props(g, a)["version"])
    return sorted((name, max(v), len(v)) for name, v in found.items())


def no_producer(g):
    return [
        (props(g, a)["artifact_id"], props(g, a)["version"])
        for a in by_label(g, "Artifact")
        if not starts(g, a, "produces")
    ]


def ten_steps(g):
    rows = []
    for goal in by_label(g, "ResearchGoal"):
        walks = [(goal, ())]
        for _ in range(10):
            walks = [
                (b, (*used, k))
                for at, used in walks
                for _, b, k, t in g.out_edges(at, keys=True, data="type")
                if t == "next" and k not in used
            ]
            rows += [
                (g.nodes[at]["label"], props(g, at)["task_id"], props(g, at).get("seq"))
                for at, _ in walks
            ]
    return rows


def shortest(g):
    line = nx.DiGraph((a, b) for a, b, t in g.edges(data="type") if t == "next")
    goals = by_label(g, "ResearchGoal")
    return sorted(
        (props(g, t)["task_id"], nx.shortest_path_length(line, goal, t))
        for goal in goals
        for t in by_label(g, "ToolCall")
        if props(g, t)["session_id"] == props(g, goal)["session_id"]
        and {t, goal} <= set(line)
        and nx.has_path(line, goal, t)
    )


def sure(g):
    words = [props(g, c).get("confidence") for c in by_label(g, "Claim")]
    return [(100.0 * words.count("HIGH") / len(words),)]


def per_day(g):
    found = Counter(
        (data.get("created_at") or "")[:10] or None for _, data in g.nodes(data=True)
    )
    return sorted(found.items(), key=lambda item: (item[0] is None, item[0]))


def authors(g):
    found = Counter(
        a for p in by_label(g, "Paper") for a in props(g, p).get("authors", [])
    )
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:5]


def keys_in_use(g):
    return sorted(
        Counter(
            (data.get("label"), key)
            for _, data in g.nodes(data=True)
            for key in own(data)
        ).items(),
        key=lambda item: (item[0][0] is None, item[0]),
    )


def degrees(g):
    found: dict[str | None, list[int]] = {}
    for key, data in g.nodes(data=True):
        loops = g.number_of_edges(key, key)
        if degree := g.degree(key) - loops:
            found.setdefault(data.get("label"), []).append(degree)
    return [(label, max(d), sum(d) / len(d)) for label, d in found.items()]


def what_between(g):
    found = Counter(
        (g.nodes[a].get("label"), t, g.nodes[b].get("label"))
        for a, b, t in g.edges(data="type")
    )
    return [(*key, n) for key, n in found.items()]


def upstream(g):
    rows = []
    both = g.to_undirected()
    for c in by_label(g, "Claim"):
        near = {x for _, x, _ in both.edges(c, keys=True)}
        far = {
            y
            for _, x, k in both.edges(c, keys=True)
            for _, y, m in both.edges(x, keys=True)
            if k != m
        }
        rows.append((props(g, c)["claim_id"], len(near | far)))
    return rows


def means(g):
    counts = [n for c in by_label(g, "Claim") if (n := len(starts(g, c, "supports")))]
    return [
        (
            len(counts),
            max(counts),
            math.floor(sum(counts) / len(counts) * 100 + 0.5) / 100,
        )
    ]


def reports(g):
    return [
        (props(g, r)["artifact_id"], props(g, r)["version"], sorted(ids), min(ids))
        for r in by_label(g, "Artifact")
        if (ids := [props(g, c)["claim_id"] for c in starts(g, r, "stated_in")])
    ]


COMPUTED: dict[str, Callable[[nx.MultiDiGraph], list[tuple[Any, ...]]]] = {
    "count per label": per_label,
    "count per edge type": per_type,
    "most cited papers": most_cited,
    "claims without evidence": without_evidence,
    "what a claim rests on": what_it_rests_on,
    "chain of four from paper to report": four_links,
    "inputs of each run": inputs,
    "newest version of each artifact": newest,
    "products without a producer": no_producer,
    "the line of work, ten steps": ten_steps,
    "shortest way to the goal": shortest,
    "share of sure claims": sure,
    "per day": per_day,
    "authors, one a row": authors,
    "degrees": degrees,
    "what runs between two things": what_between,
    "upstream in either way": upstream,
    "with, twice": means,
    "collected and sorted": reports,
    "properties in use": lambda g: [(*key, n) for key, n in keys_in_use(g)],
}
"""Answers computed from the networkx graph, without any Cypher."""
