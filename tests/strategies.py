# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for what a memory may hold."""

from __future__ import annotations

from hypothesis import strategies as st

from smemkit import schema
from smemkit.graph import Graph
from smemkit.records import Edge, Node, Value

TEXT = st.text(
    st.characters(exclude_categories=("Cs",)), max_size=12
)  # no lone surrogates: a store refuses them
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
LISTS = st.one_of(
    st.lists(st.booleans(), max_size=3),
    st.lists(st.integers(-9, 9), max_size=3),
    st.lists(TEXT, max_size=3),
)
VALUES: st.SearchStrategy[Value] = st.one_of(SCALARS, LISTS)  # type: ignore[assignment]
NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
PROPS = st.dictionaries(NAMES, VALUES, max_size=4)
SESSIONS = st.sampled_from(["s1", "s2"])
LABELS = st.sampled_from([*schema.LABELS, "SubTask", "WebPage", "Odd"])
EDGE_TYPES = st.sampled_from([*schema.EDGE_TYPES, "odd_edge"])


@st.composite
def nodes(draw: st.DrawFn, number: int) -> Node:
    """Draw a node with the key its label needs, now and then without."""
    label = draw(LABELS)
    props: dict[str, Value] = {"session_id": draw(SESSIONS), **draw(PROPS)}
    for name in schema.KEYS.get(schema.canonical_label(label), ()):
        if name == "version":
            props[name] = draw(st.integers(1, 3))
        elif name != "session_id":
            props[name] = f"{label.lower()}-{draw(st.integers(0, 6))}"
    if draw(st.integers(0, 19)) == 0:
        props = draw(PROPS)
    return Node(f"n{number}", (label,), props, number)


@st.composite
def graphs(draw: st.DrawFn, *, max_nodes: int = 14, max_edges: int = 24) -> Graph:
    """Draw a graph in which anything may point at anything."""
    graph = Graph()
    count = draw(st.integers(0, max_nodes))
    for number in range(1, count + 1):
        graph.put_node(draw(nodes(number)))
    if count:
        ends = st.integers(1, count)
        for number in range(1, draw(st.integers(0, max_edges)) + 1):
            src, dst = f"n{draw(ends)}", f"n{draw(ends)}"
            edge = Edge(f"r{number}", draw(EDGE_TYPES), src, dst, draw(PROPS), number)
            graph.put_edge(edge)
    return graph
