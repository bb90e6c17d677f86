# SPDX-License-Identifier: Apache-2.0
"""The suite a store is held to: ours pass it, stores that are wrong do not."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import settings

import smemkit
from smemkit.errors import MissingExtra, StoreDiffers
from smemkit.graph import Graph
from smemkit.memory import Memory
from smemkit.records import Batch
from smemkit.stores.memory import MemoryStore
from smemkit.testing import check_store
from smemkit.testing.steps import STORY

FULL = settings().max_examples > 100
"""With HYPOTHESIS_PROFILE=full: some hundred histories instead of a few."""


def in_one_object(kind=MemoryStore):
    """Return what makes a store of a kind that lives in one object."""

    @contextmanager
    def fresh():
        memory = Memory(kind())
        yield lambda: memory

    return fresh


def test_main_memory_conforms():
    """The right store agrees with itself, so that no answer is left to chance."""
    check_store(in_one_object(), examples=300 if FULL else 15, reopens=False)


def test_a_folder_conforms(tmp_path_factory):
    """The JSONL store, opened anew after each history."""

    @contextmanager
    def fresh():
        folder = tmp_path_factory.mktemp("store")
        yield lambda: smemkit.open(folder)

    check_store(fresh, examples=200 if FULL else 12)


@pytest.mark.neo4j
def test_neo4j_conforms(neo4j_server):
    """The store on a real server, which is emptied before each history."""

    @contextmanager
    def fresh():
        neo4j_server.wipe()
        yield neo4j_server.open

    check_store(fresh, examples=60 if FULL else 4)


class LosesParallelEdges(MemoryStore):
    """Keeps one edge of a type between two nodes, as a table with a key would."""

    def write(self, plan, sessions=()):
        def fewer(graph: Graph) -> Batch:
            batch = plan(graph)
            kept = {}
            for edge in batch.edges:
                if graph.edge(edge.id) or not graph.between(
                    edge.src, edge.dst, edge.type
                ):
                    kept.setdefault((edge.src, edge.dst, edge.type), edge)
            return replace(batch, edges=tuple(kept.values()))

        return super().write(fewer, sessions)


class LosesOrder(MemoryStore):
    """Gives new nodes back with the last one first, as a set would."""

    def write(self, plan, sessions=()):
        def turned(graph: Graph) -> Batch:
            batch = plan(graph)
            return replace(batch, nodes=batch.nodes[::-1])

        return super().write(turned, sessions)


class SwapsVersions(MemoryStore):
    """Stores the second version of an artifact as the first."""

    def write(self, plan, sessions=()):
        def swapped(graph: Graph) -> Batch:
            batch = plan(graph)
            nodes = [
                replace(node, props={**node.props, "version": 1})
                if node.props.get("version") == 2
                else node
                for node in batch.nodes
            ]
            return replace(batch, nodes=tuple(nodes))

        return super().write(swapped, sessions)


class KeepsHalf(MemoryStore):
    """Has no transactions: what a failed plan would have written is in part there."""

    def write(self, plan, sessions=()):
        def part(graph: Graph) -> Batch:
            batch = plan(graph)
            graph.apply(Batch(nodes=batch.nodes[:1]))
            return batch

        return super().write(part, sessions)


class StandsStill(MemoryStore):
    """Never says that something changed."""

    def revision(self):
        return 1


class AnswersForEver(MemoryStore):
    """Goes on answering after it was closed."""

    def close(self):
        """Do nothing."""


class ForgetsLimits(MemoryStore):
    """Looks up more than was asked for."""

    def find(self, label=None, *, session_id=None, where=None, limit=None):
        return super().find(label, session_id=session_id, where=where)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (LosesParallelEdges, "store.write"),
        (LosesOrder, "the records"),
        (SwapsVersions, "step 9, declare_claim"),
        (KeepsHalf, "the records"),
        (StandsStill, "a revision after a write"),
        (AnswersForEver, "a closed store"),
        (ForgetsLimits, r"store.find\(None, where={}, limit=1\)"),
    ],
)
def test_a_store_that_is_wrong_is_found_out(kind, call):
    """Each of these faults ends the suite, and the message names a call."""
    with pytest.raises(StoreDiffers, match=call):
        check_store(in_one_object(kind), examples=1, reopens=False)


def test_the_story_has_every_label_and_a_whole_chain():
    """What is run before anything random is not refused step by step."""
    with smemkit.open(":memory:") as memory:
        for step in STORY:
            if step.verb not in {"declare_claim", "link_claims_to_report"}:
                getattr(memory, step.verb)(**step.args)
        assert {
            "Artifact",
            "Code",
            "Evidence",
            "Paper",
            "SourceFile",
            "ToolCall",
        } <= set(memory.nodes()["label"])
        assert not memory.trace_provenance("fig#v2").broken


def test_a_store_that_forgets_when_it_is_closed_is_found_out():
    """What a second opening reads must be what the first one wrote."""

    @contextmanager
    def fresh():
        yield lambda: smemkit.open(":memory:")

    with pytest.raises(StoreDiffers, match="second opening"):
        check_store(fresh, examples=1)


def test_without_hypothesis_the_error_names_the_extra(monkeypatch):
    """It is needed only by those who test a store."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)

    with pytest.raises(MissingExtra, match=r"smemkit\[testing\]"):
        check_store(in_one_object(), reopens=False)
