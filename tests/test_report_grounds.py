# SPDX-License-Identifier: Apache-2.0
"""What is told about the inputs, runs and files behind a support, and what is not."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.graph import Graph
from smemkit.report.files import folder_of
from smemkit.report.grounds import LOOKED_AT, MOST, Grounds, differs
from smemkit.report.walks import Walks
from tests.reading_graphs import Built


def line() -> Built:
    """Return fig ← e2 ← clean ← e1 ← raw; each call is on the session's line."""
    built = Built().goal().call("t1").call("t2").code("e1").code("e2")
    built.artifact("clean#v1").artifact("fig#v1").node("SourceFile", "raw")
    return built.edges(
        *("goal next t1", "t1 next t2", "t1 produces e1", "t2 produces e2"),
        *("e1 produces clean#v1", "e2 produces fig#v1", "clean#v1 input e2"),
        *("raw input e1", "raw feeds goal"),
    )


def doubts(graph: Graph, name: str = "fig", folder=None, hops: int = 8) -> list[str]:
    where = None if folder is None else folder_of(folder)
    grounds = Grounds(graph, Walks(graph, hops), where)
    return list(map(str, grounds.doubts(graph.named(name)[0])))


def test_a_chain_on_good_grounds_gives_no_doubt():
    assert doubts(line().graph) == []


def test_an_input_from_nowhere_is_told_with_its_run():
    """Of the run itself, and of a run before it."""
    near = line().artifact("mystery#v1").edges("mystery#v1 input e2")
    deep = line().artifact("mystery#v1").edges("mystery#v1 input e1")
    said = (
        "mystery#v1, which does not reach the goal: "
        "mystery#v1 ← nothing (no upstream of Artifact #mystery#v1)"
    )

    assert doubts(near.graph) == [f"e2 read {said}"]
    assert doubts(deep.graph) == [f"e1 read {said}"]


def test_an_input_that_was_superseded_is_told():
    """By a later version, whoever made it."""
    built = line().artifact("clean#v2").edges("clean#v2 supersedes clean#v1")
    assert doubts(built.graph) == ["e2 read clean#v1, superseded by clean#v2"]


def test_a_run_that_read_a_version_to_make_the_next_is_no_fault():
    """An update in place reads what it replaces."""
    built = line().code("e3").artifact("fig#v2").artifact("fig#v3")
    built.edges("t2 produces e3", "e3 produces fig#v2", "fig#v1 input e3")
    second = next(n for n in built.graph.named("fig") if n.public_id == "fig#v2")

    assert list(Grounds(built.graph, Walks(built.graph)).doubts(second)) == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("failed", "failed (e2: failed)"),
        ("error", "failed (e2: error)"),
        ("timed_out", "failed (e2: timed_out)"),
        ("cancelled", "was cancelled (e2: cancelled)"),
        ("running", "has not ended (e2: running)"),
        ("queued", "has not ended (e2: queued)"),
        ("completed", ""),
        ("succeeded", ""),
        ("Done", ""),
        (None, ""),
        ("", ""),
        (5, ""),
    ],
)
@pytest.mark.parametrize("where", ["code", "call"])
def test_a_run_that_did_not_go_well_is_told(status, said, where):
    """In its own words, else in those of its call."""
    built = Built().goal()
    built.call("t2", status=status if where == "call" else None)
    built.code("e2", status=status if where == "code" else None)
    built.artifact("fig#v1").edges("goal next t2", "t2 produces e2")
    built.edges("e2 produces fig#v1")

    expected = [f"fig#v1 was made by a run that {said}"] if said else []
    assert doubts(built.graph) == expected


def test_one_run_that_went_well_is_enough():
    """A repeat of a run that failed made the same version."""
    built = Built().code("e1", status="failed").code("e2", status="completed")
    built.artifact("fig#v1").edges("e1 produces fig#v1", "e2 produces fig#v1")
    assert doubts(built.graph) == []

    built = Built().code("e1", status="failed").code("e2", status="running")
    built.artifact("fig#v1").edges("e1 produces fig#v1", "e2 produces fig#v1")
    (said,) = doubts(built.graph)
    assert "failed (e1: failed) and a run that has not ended (e2: running)" in said


def test_the_run_that_made_an_input_counts_too():
    built = line().code("e0", status="failed").artifact("raw2#v1")
    built.edges("e0 produces raw2#v1", "raw2#v1 input e2", "t1 produces e0")
    assert doubts(built.graph) == ["raw2#v1 was made by a run that failed (e0: failed)"]


def test_a_run_as_support_is_named_for_what_it_is():
    assert doubts(Built().code("e", status="failed").graph, "e") == [
        "e is a run that failed (e: failed)"
    ]


def test_what_a_cut_chain_could_not_show_is_not_repeated():
    """Each input of a chain that was cut is cut as well."""
    assert doubts(line().graph, hops=1) == []
    assert (
        "does not reach"
        in doubts(line().artifact("lost#v1").edges("lost#v1 input e2").graph, hops=1)[0]
    )


# -- files ------------------------------------------------------------------------


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def filed(tmp_path) -> Built:
    """Return raw → clean → fig with their files in a folder."""
    for name in ("raw", "clean", "fig"):
        (tmp_path / name).write_bytes(name.encode())
    built = Built().goal().call("t").code("e1").code("e2")
    built.node("SourceFile", "raw", path="raw", content_hash=sha(b"raw"))
    for name in ("clean", "fig"):
        built.artifact(f"{name}#v1", path=name, content_hash=sha(name.encode()))
    return built.edges(
        *("goal next t", "t produces e1", "t produces e2", "raw input e1"),
        *("e1 produces clean#v1", "clean#v1 input e2", "e2 produces fig#v1"),
        *("raw feeds goal",),
    )


def test_files_as_declared_give_no_doubt(tmp_path):
    assert doubts(filed(tmp_path).graph, folder=tmp_path) == []


@pytest.mark.parametrize("name", ["raw", "clean", "fig"])
@pytest.mark.parametrize("gone", [True, False])
def test_a_file_that_changed_is_told_wherever_it_stands(tmp_path, name, gone):
    """The support's own, an input's, an upload's; without a folder none is looked at."""
    graph = filed(tmp_path).graph
    (tmp_path / name).unlink() if gone else (tmp_path / name).write_bytes(b"else")
    (found,) = doubts(graph, folder=tmp_path)

    what = "is not there" if gone else "differs from the declared version"
    assert found.endswith(f": the file '{name}' {what}")
    assert doubts(graph) == []


def test_what_differs_is_kept_once_by_its_id(tmp_path):
    """Two supports on the same input."""
    built = filed(tmp_path).artifact("fig2#v1").edges("e2 produces fig2#v1")
    (tmp_path / "clean").unlink()
    grounds = Grounds(built.graph, Walks(built.graph), folder_of(tmp_path))
    told = [list(grounds.doubts(built.graph.named(n)[0])) for n in ("fig", "fig2")]

    (reason,) = told[0]
    assert told[1] == [reason]
    assert str(reason) == "clean#v1: the file 'clean' is not there"
    assert grounds.differing == {"clean#v1": reason}


def test_the_file_of_another_version_is_named(tmp_path):
    """A path that a later version was written over."""
    built = filed(tmp_path)
    built.artifact("fig#v2", path="fig", content_hash=sha(b"new"))
    (tmp_path / "fig").write_bytes(b"new")

    (found,) = doubts(built.graph, folder=tmp_path)
    assert found.endswith("differs from the declared version; it is that of fig#v2")


def test_the_source_of_an_evidence_is_compared(tmp_path):
    built = filed(tmp_path).node("Evidence", "ev").edges("raw extracts ev")
    (tmp_path / "raw").unlink()
    (found,) = doubts(built.graph, "ev", folder=tmp_path)
    assert found == "raw: the file 'raw' is not there"


def test_a_file_without_hash_or_path_is_not_judged(tmp_path):
    """Nothing says which file it was."""
    built = Built().artifact("a#v1", path="a").artifact("b#v1", content_hash="0" * 64)
    assert doubts(built.graph, "a", folder=tmp_path) == []
    assert doubts(built.graph, "b", folder=tmp_path) == []


def test_a_file_too_large_to_compare_is_told_and_no_fault(tmp_path):
    """It may well be the declared one."""
    with (tmp_path / "big").open("wb") as file:
        file.truncate(MOST + 1)
    built = Built().artifact("big#v1", path="big", content_hash="0" * 64)
    grounds = Grounds(built.graph, Walks(built.graph), folder_of(tmp_path))

    (found,) = grounds.doubts(built.graph.named("big")[0])
    assert str(found) == "big#v1: 'big' is larger than 256 MiB and was not compared"
    assert grounds.differing == {}


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("unreadable", "cannot be read"),
        ("no_name", "not there"),
        ("no_path", ""),
        ("", ""),
    ],
)
def test_each_cause_has_its_words(why, said):
    graph = Built().artifact("a#v1", path="a").graph
    found = differs(graph, graph.named("a")[0], why, "")
    assert (said in str(found)) if said else found is None


# -- any graph --------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14))
def test_every_input_that_does_not_reach_the_goal_is_told_and_no_other(read):
    """Counted from the edges alone; runs may read what they made, in circles too."""
    built = Built().goal().call("t").edges("goal next t")
    for k in range(6):
        built.code(f"e{k}").artifact(f"a{k}#v1").edges(f"e{k} produces a{k}#v1")
    built.edges("t produces e0", "t produces e1")
    built.edges(*(f"a{a}#v1 input e{e}" for a, e in read))

    good = {0, 1}
    while more := {e for a, e in read if a in good} - good:
        good |= more
    behind, queue = {0}, [0]
    for here in queue:
        for made in {a for a, e in read if e == here} - behind:
            behind.add(made)
            queue.append(made)
    found = doubts(built.graph, "a0", hops=32)

    lost = {f"a{k}#v1" for k in behind - good - {0}}
    assert {said.split(" read ")[1].partition(",")[0] for said in found} == lost
    assert len(found) == len(lost)


def test_a_long_history_is_looked_at_up_to_a_limit_that_is_told():
    built = Built().goal().call("t").edges("goal next t")
    for k in range(LOOKED_AT + 20):
        built.code(f"e{k}").artifact(f"a{k}#v1").edges(f"e{k} produces a{k}#v1")
        built.edges(f"t produces e{k}")
        if k:
            built.edges(f"a{k - 1}#v1 input e{k}")
    last = f"a{LOOKED_AT + 19}"

    (found,) = doubts(built.graph, last)
    assert found.startswith(f"more than {LOOKED_AT} nodes stand behind {last}#v1")
    assert doubts(built.graph, f"a{LOOKED_AT - 10}") == []
