# SPDX-License-Identifier: Apache-2.0
"""Programs that write to and read from one store at the same time as others.

Run as ``python -m tests.store_processes ROLE FOLDER …``. Each waits for a line on
its standard input before it begins, so that all of them begin together.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter

import smemkit
from smemkit.graph import Graph
from smemkit.records import Batch, Edge, Node
from smemkit.stores.jsonl import JsonlStore

SESSION = "s"


def by_verbs(mem: smemkit.Memory, name: str, k: int) -> list[list[object]]:
    """Write once; return the keys that this answer promises to be in the store."""
    if k % 5 == 0:
        code, made = f"{name}-{k}", f"a-{name}"
        product = {"artifact_id": made, "version": k + 1, "path": "a.png"}
        mem.observe_execution(code, session_id=SESSION, produced_artifacts=[product])
        keys: list[list[object]] = [["Code", code], ["Artifact", made, k + 1]]
        return [*keys, ["ToolCall", f"subtask:{code}"]]
    if k % 5 == 1:  # every process tells of the same call
        mem.observe_execution(f"same-{k}", session_id=SESSION, tool="run_python")
        return [["Code", f"same-{k}"], ["ToolCall", f"subtask:same-{k}"]]
    if k % 5 == 2:  # one paper, found by all
        papers = [{"product_type": "paper", "link": f"10.1/{k}"}]
        task = f"subtask:mcp:{name}-{k}"
        call = mem.observe_tool_call(
            task, session_id=SESSION, tool_name="search", products=papers
        )
        return [["ToolCall", task], ["Paper", SESSION, call.found[0]]]
    if k % 5 == 3:  # the next version of a file that all of them make
        done = mem.declare_artifact(
            "shared.png", session_id=SESSION, artifact_id="shared", content_hash="0"
        )
        return [["Artifact", "shared", done.version]]
    mem.observe_subagent(f"{name}-{k}", session_id=SESSION, status="running")
    return [["Task", f"subtask:subagent:{name}-{k}"]]


def write_by_verbs(folder: str, name: str, count: str) -> None:
    """Write through the verbs, and print what was acknowledged."""
    acknowledged: list[list[object]] = []
    with smemkit.open(folder, lock_timeout=300) as mem:
        for k in range(int(count)):
            acknowledged += by_verbs(mem, name, k)
    sys.stdout.write(json.dumps(acknowledged))


def star(graph: Graph, k: int) -> Batch:
    """Plan a batch that says of itself how large it is: nodes, each with an edge.

    Every third one also changes the nodes of the one before and removes its edges,
    every fourth has no edges.
    """
    first, edge = graph.node_mark + 1, graph.edge_mark + 1
    size = 1 + k * 37 % 150
    joined = size if k % 4 else 0
    props = {"batch": k, "size": size, "joined": joined, "text": "锌" * (k % 70)}
    nodes = [Node(f"n{first + i}", ("Claim",), props) for i in range(size)]
    edges = [
        Edge(f"r{edge + i}", "supports", node.id, nodes[0].id, {"batch": k})
        for i, node in enumerate(nodes[:joined])
    ]
    old = [n for n in graph.nodes("Claim") if k % 3 == 0 and n.props["batch"] == k - 1]
    nodes += [Node(n.id, n.labels, {**n.props, "joined": 0}) for n in old]
    gone = [e.id for e in graph.edges() if k % 3 == 0 and e.props["batch"] == k - 1]
    return Batch(tuple(nodes), tuple(edges), (), tuple(gone))


def halves(graph: Graph) -> list[str]:
    """Name each batch of `star` of which a part is visible."""
    nodes = Counter(n.props["batch"] for n in graph.nodes("Claim"))
    edges = Counter(e.props["batch"] for e in graph.edges())
    told = {
        (n.props["batch"], n.props["size"], n.props["joined"])
        for n in graph.nodes("Claim")
    }
    return [
        f"batch {batch}: {nodes[batch]} nodes of {size}, {edges[batch]} edges of {joined}"
        for batch, size, joined in sorted(told)
        if (nodes[batch], edges[batch]) != (size, joined)
    ]


def write_stars(folder: str, count: str) -> None:
    """Write batches of `star`."""
    store = JsonlStore(folder)
    for k in range(int(count)):
        store.write(lambda graph, k=k: star(graph, k))


def follow(folder: str, count: str) -> None:
    """Refresh until the last batch is there; print what was seen."""
    store = JsonlStore(folder)
    states, seen = 0, -1
    while seen < int(count) - 1:
        if not store.refresh():
            time.sleep(0.0005)  # leave the writer some of the machine
            continue
        states += 1
        if found := halves(store.graph()):
            sys.exit(f"half a batch: {found[:3]}")
        seen = max((n.props["batch"] for n in store.graph().nodes("Claim")), default=-1)
    answer = {"states": states, "problems": len(store.problems())}
    sys.stdout.write(json.dumps(answer))


ROLES = {"verbs": write_by_verbs, "stars": write_stars, "follow": follow}

if __name__ == "__main__":
    role, *arguments = sys.argv[1:]
    sys.stdin.readline()
    ROLES[role](*arguments)
