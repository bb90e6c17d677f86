# SPDX-License-Identifier: Apache-2.0
"""The command that copies, and copies that die in the middle."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import smemkit
from smemkit import cli
from smemkit.records import Edge, Node
from tests.copies import claim, contents, filled


def run(*arguments: object) -> int:
    return cli.main([str(each) for each in arguments])


def test_the_command_says_what_it_did(cases, tmp_path, capsys):
    """Exit 0 and one JSON object; progress goes to standard error."""
    assert run("copy", cases / "app-store", tmp_path / "c", "--json") == cli.OK

    out, err = capsys.readouterr()
    answer = json.loads(out)
    with smemkit.open(cases / "app-store") as first:
        nodes, edges = contents(first)
    assert (answer["added_nodes"], answer["added_edges"]) == (len(nodes), len(edges))
    assert answer["ok"] is True
    total = f"{len(nodes) + len(edges):,}"
    assert f"{total} of {total} records" in err


def test_the_command_lists_conflicts_and_exits_1(tmp_path, capsys):
    """Until `--replace` is given; then it exits 0."""
    for name, text in (("a", "one"), ("b", "two")):
        smemkit.copy(filled(claim(1, "c", content=text)), tmp_path / name)

    assert run("copy", tmp_path / "a", tmp_path / "b") == cli.FINDING
    assert "conflict  Claim 'c': differs in content" in capsys.readouterr().out
    assert run("copy", tmp_path / "a", tmp_path / "b", "--replace") == cli.OK
    assert (
        run("copy", tmp_path / "a", tmp_path / "b", "--session", "none") == cli.FAILED
    )


CHILD = """
import sys
from smemkit import copying
copying.BATCH = 40
copying.copy(sys.argv[1], sys.argv[2], progress=lambda *at: print(*at, flush=True))
"""


@pytest.fixture(scope="module")
def long_store(tmp_path_factory):
    """Return a folder with a line of calls, parallel edges and blank nodes."""
    nodes, edges = [], []
    for i in range(1, 401):
        label, key = [("ToolCall", "task_id"), ("Odd", "x")][i % 2]
        nodes.append(
            Node(f"n{i}", (label,), {key: f"k{i % 300}", "session_id": "s"}, i)
        )
        for method in ("temporal_chain", "scope_chain")[: i > 1 and 2]:
            props = {"method": method}
            edges.append(
                Edge(f"r{len(edges) + 1}", "next", f"n{i - 1}", f"n{i}", props)
            )
    folder = tmp_path_factory.mktemp("long") / "store"
    smemkit.copy(filled(*nodes, edges=tuple(edges)), folder)
    return folder


@pytest.mark.parametrize("batches", [1, 5, 12, 20])
def test_a_copy_killed_in_the_middle_goes_on_when_run_again(
    long_store, tmp_path, batches
):
    """Kill -9 after some batches: what is there is whole, the next run adds the rest."""
    there = tmp_path / "copy"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(long_store), str(there)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    for _ in range(batches):
        child.stdout.readline()
    child.kill()
    child.communicate()

    with smemkit.open(there) as half:
        nodes, edges = contents(half)
    done = smemkit.copy(long_store, there)

    assert done.ok
    assert done.added_nodes == done.nodes - len(nodes)
    assert done.added_edges == done.edges - len(edges)
    assert (len(nodes) + len(edges)) % 40 == 0 or done.added_nodes == 0
    with smemkit.open(long_store) as first, smemkit.open(there) as last:
        assert contents(last) == contents(first)
