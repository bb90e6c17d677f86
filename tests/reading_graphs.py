# SPDX-License-Identifier: Apache-2.0
"""Small graphs to read: built by hand, or from a folder of known answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from smemkit import schema
from smemkit.graph import Graph
from smemkit.records import Edge, Node

CASES = ("app-store", "corners", "random-1", "random-2", "random-3")


class Built:
    """A graph under construction; nodes are named by their public ids.

    >>> built = Built().code("e1").artifact("fig#v1").edges("e1 produces fig#v1")
    >>> built.graph.named("fig")[0].public_id
    'fig#v1'
    """

    def __init__(self, session_id: str = "s1") -> None:
        self.graph = Graph()
        self.session_id = session_id
        self.ids: dict[str, str] = {}
        self.count = 0

    def node(self, label: str, public_id: str, **props: Any) -> Built:
        """Add a node; its key properties come from its public id."""
        self.count += 1
        given = {"session_id": self.session_id, **_key(label, public_id), **props}
        kept = {name: value for name, value in given.items() if value is not None}
        node = Node(f"n{self.count}", (label,), kept, self.count)
        self.graph.put_node(node)
        self.ids.setdefault(public_id, node.id)
        self.ids[f"{node.session_id}/{public_id}"] = node.id
        return self

    def goal(self, **props: Any) -> Built:
        return self.node("ResearchGoal", f"goal:session:{self.session_id}", **props)

    def call(self, public_id: str, **props: Any) -> Built:
        return self.node("ToolCall", public_id, **{"tool_type": "execution", **props})

    def code(self, public_id: str, **props: Any) -> Built:
        return self.node("Code", public_id, **{"tool": "run_python", **props})

    def artifact(self, public_id: str, **props: Any) -> Built:
        return self.node("Artifact", public_id, **props)

    def edges(self, *lines: str, **props: Any) -> Built:
        """Add edges, written ``source type target``; ``goal`` means the session's."""
        for line in lines:
            src, kind, dst = line.split()
            self.count += 1
            ends = self.ids[self._name(src)], self.ids[self._name(dst)]
            self.graph.put_edge(
                Edge(f"r{self.count}", kind, *ends, dict(props), self.count)
            )
        return self

    def _name(self, text: str) -> str:
        return f"goal:session:{self.session_id}" if text == "goal" else text


def _key(label: str, public_id: str) -> dict[str, Any]:
    if label == "Artifact":
        artifact_id, version = schema.split_version(public_id)
        return {"artifact_id": artifact_id, "version": version}
    names = schema.NAMES.get(schema.canonical_label(label))
    return {names[0]: public_id} if names else {}


def g1() -> Built:
    """Return the graph G1 of contract/query.md §8.4."""
    return (
        Built()
        .goal(core_objective="does X help")
        .call("subtask:e1")
        .call("subtask:e2")
        .code("e1", code_hash="ch1")
        .code("e2", code_hash="ch2")
        .artifact("data#v1", path="data.csv", content_hash="h-data-1")
        .artifact(
            "fig#v1",
            path="fig.svg",
            content_hash="h-fig-1",
            created_at="2026-07-30T00:00:01.120Z",
        )
        .edges(
            "goal next subtask:e1",
            "subtask:e1 next subtask:e2",
            "subtask:e1 produces e1",
            "e1 produces data#v1",
            "subtask:e2 produces e2",
            "e2 produces fig#v1",
            "data#v1 input e2",
        )
    )


def load(folder: Path) -> Graph:
    """Read a folder of known answers line by line, without any store."""
    graph = Graph()
    for n, line in _last_states(folder / "nodes.jsonl"):
        graph.put_node(Node(line["id"], tuple(line["labels"]), line["props"], n))
    for n, line in _last_states(folder / "edges.jsonl"):
        ends = line["src"], line["dst"]
        graph.put_edge(Edge(line["id"], line["type"], *ends, line["props"], n))
    return graph


def _last_states(path: Path) -> list[tuple[int, dict[str, Any]]]:
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for n, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = json.loads(text)
        if line.get("deleted"):
            found.pop(line["id"], None)
        else:
            found[line["id"]] = (found.get(line["id"], (n,))[0], line)
    return list(found.values())


def questions(folder: Path) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return the traces a case asks for: node id, options, right answer."""
    text = folder.with_name(f"{folder.name}.expected.json").read_text(encoding="utf-8")
    found = []
    for node_id, asked in json.loads(text).items():
        for each in asked:
            options = {
                "session_id": each.get("session_id"),
                "max_hops": each.get("max_hops", 8),
                "target_label": each.get("target", "ResearchGoal"),
            }
            found.append((node_id, options, each["answer"]))
    return found
