# SPDX-License-Identifier: Apache-2.0
"""A memory full of names that the embedded engine uses itself, and questions about it."""

from __future__ import annotations

from smemkit.records import Batch, Edge, Node

ODD = Batch(
    nodes=(
        Node(
            "n1",
            ("P",),
            {"k": 1, "title": "Alpha", "name": "a", "type": "t", "tags": ["x"]},
        ),
        Node(
            "n2",
            ("Q",),
            {"k": 2, "id": "own", "label": "l", "text": "straße 😀", "flag": True},
        ),
        Node("n3", ("P",), {"k": 3, "node_type": "n", "nodes": 4, "relationships": 5}),
        Node("n4", ("A", "B"), {"k": 4, "flag": False, "tags": []}),
        Node("n5", (), {"k": 5, "text": 'it\'s "q" \\ back\nnext'}),
    ),
    edges=(
        Edge("r1", "e", "n1", "n2", {"w": 1, "type": "tt", "id": "e1"}),
        Edge("r2", "e", "n1", "n2", {"w": 2}),
        Edge("r3", "e", "n2", "n3", {}),
        Edge("r4", "e", "n3", "n1", {}),
        Edge("r5", "f", "n4", "n4", {"w": 3}),
        Edge("r6", "f", "n5", "n1", {}),
    ),
)
"""Names that the engine uses itself, parallel edges, loops, a node without label."""

ODD_QUESTIONS = [
    "MATCH (n) RETURN n",
    "MATCH (n) RETURN n.k, n.title, n.name, n.type, n.id, n.label, n.node_type, n.nodes",
    "MATCH (n) RETURN properties(n) AS p, n {.*} AS m, n {.title, .id} AS s",
    "MATCH (n) UNWIND keys(n) AS key RETURN key, count(*)",
    "MATCH (n) RETURN labels(n) AS labels, n.k",
    "MATCH (n) WHERE n.title IS NULL RETURN n.k",
    "MATCH (n {title: 'Alpha', name: 'a'}) RETURN n.k",
    "MATCH (n) WHERE n['type'] = 't' OR n.id = 'own' RETURN n.k",
    "UNWIND ['id', 'title', 'name', 'k'] AS key MATCH (n) RETURN key, count(n[key])",
    "MATCH (n) WITH n.title AS title, n RETURN n {title, .k} AS m",
    "WITH {title: 'x', id: 3, nodes: [1], relationships: [2]} AS m RETURN m, m.id, m['title']",
    "RETURN {nodes: [], relationships: []} AS not_a_path, {id: 1, labels: [], properties: {}} AS not_a_node",
    "MATCH (n) RETURN max(n.title), count(n.type), count(DISTINCT n.name)",
    "MATCH ()-[e]->() RETURN e, e.type, e.id, type(e), e.w",
    "MATCH (a)-[e:e]->(b) RETURN a.k, b.k, count(e)",
    "MATCH (a)-[:e*1..4]->(b) RETURN a.k, b.k",
    "MATCH (a)-[:e*0..2]-(b) RETURN a.k, count(*)",
    "MATCH (a)-->(a) RETURN a.k",
    "MATCH (n:A) RETURN n.k UNION MATCH (n:B) RETURN n.k",
    "MATCH (n:P|Q) RETURN n.k, n:P",
    "MATCH (n) WHERE n.flag RETURN n.k",
    "MATCH (n) WHERE NOT n.flag RETURN n.k",
    "MATCH (n) RETURN n.text, size(n.text), reverse(n.text), toUpper(n.text)",
    "MATCH (n) WHERE n.text = 'it\\'s \"q\" \\\\ back\\nnext' RETURN n.k",
    "MATCH p = (a)-[:e*1..2]->(b) RETURN p",
    "MATCH (n) RETURN n.k /* a comment */ AS k // another",
    "MATCH (call) RETURN call.k AS k, 1 AS call ORDER BY k",
    "MATCH (n) RETURN n.title AS t, count(*) AS c ORDER BY count(*), n.title",
    "MATCH (n) RETURN toFloat(' ' + n.k + ' ') AS x",
    "MATCH (n) WHERE 'x' IN [t IN n.tags WHERE t <> 'y' | t] RETURN n.k",
    "RETURN 1.0 / 0 AS a, 0.0 / 0 AS b, 7 / 2 AS c, -7 % 3 AS d, 2 ^ 3 AS e",
]
