# SPDX-License-Identifier: Apache-2.0
"""verify_figure: yes for the same memory, no for a changed one, and why."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import BadRequest, NotFound
from smemkit.memory import Memory

DEMO = Path(__file__).parent.parent / "notebooks" / "data"
KINDS = ["svg", "pdf", "png"]


@pytest.fixture
def demo(tmp_path) -> Memory:
    """Return a copy of the demo memory that may be written to."""
    shutil.copytree(DEMO / "memory", tmp_path / "memory")
    return smemkit.open(tmp_path / "memory")


def asked(mem: Memory) -> dict[str, object]:
    return {
        "trace": mem.trace_provenance("report-1#v1"),
        "narrow": mem.trace_provenance(
            "fig-mass#v2", target_label="Code", max_hops=3, session_id="penguins"
        ),
        "broken": mem.trace_provenance("fig-islands#v1"),
        "chain": mem.chain("report-1#v1", "viewCitedPaper"),
        "older": mem.chain("report-1#v1", chain_kind="artifact", session_id="penguins"),
        "audit": mem.audit("report-1#v1", files=DEMO / "workspace"),
        "session": None,
    }


@pytest.mark.parametrize(
    "name", ["trace", "narrow", "broken", "chain", "older", "audit", "session"]
)
def test_the_memory_it_came_from_yields_a_figure(demo, tmp_path, name):
    """Also when the memory is opened anew, and in the other language."""
    file = demo.figure(asked(demo)[name], lang="zh").save(tmp_path / "a.svg")
    again = smemkit.open(tmp_path / "memory")
    done = smemkit.verify_figure(file, again)
    assert done.ok, done.reasons
    assert done.reasons == ()
    assert done.expected == done.found


@pytest.mark.parametrize("kind", KINDS)
def test_each_format_says_the_same_of_itself(demo, tmp_path, kind):
    """The proof read back from a file is the figure's own."""
    made = demo.figure(demo.trace_provenance("fig-mass#v2"), lang="en")
    done = smemkit.verify_figure(made.save(tmp_path / f"a.{kind}"), demo)
    assert done.ok
    assert done.expected == made.proof


def test_a_trace_names_its_hops_by_layer_and_id(demo):
    """As the trace itself lists them."""
    trace = demo.trace_provenance("report-1#v1")
    proof = demo.figure(trace, lang="en").proof
    assert proof.trace == tuple(sorted((hop.hop, hop.node.id) for hop in trace.chain))


def test_the_hash_holds_no_storage_id(demo):
    """A memory that was written anew has other storage ids and the same figures."""
    fresh = smemkit.open(":memory:")
    fresh.observe_session_first_message(
        "s", core_objective="Why?", created_at="2026-11-24T09:00:00Z"
    )
    other = smemkit.open(":memory:")
    other.observe_session_first_message("zero", core_objective="Gone")
    other.observe_session_first_message(
        "s", core_objective="Why?", created_at="2026-11-24T09:00:00Z"
    )
    proofs = [m.figure(session_id="s", lang="en").proof for m in (fresh, other)]
    assert proofs[0] == proofs[1]


def test_a_session_that_goes_on_is_another_picture(demo, tmp_path):
    """A new call is told by the count of nodes."""
    file = demo.figure(lang="en").save(tmp_path / "a.pdf")
    demo.observe_execution("e9", session_id="penguins", status="running")
    done = smemkit.verify_figure(file, demo)
    assert not done
    assert "the figure has 50" in done.reasons[0]
    assert "the memory has changed" in str(done)


def test_a_trace_that_leads_elsewhere_names_the_hops(demo, tmp_path):
    """A claim that is stated later is in the trace and not in the figure."""
    trace = demo.trace_provenance("report-1#v1")
    file = demo.figure(trace, lang="en").save(tmp_path / "a.png")
    claim = demo.declare_claim("It is so.", cites_artifact_aliases={"a": "table-clean"})
    demo.link_claims_to_report(
        "report-1", artifact_version=1, claim_ids=[claim.claim_id]
    )
    done = smemkit.verify_figure(file, demo)
    assert not done.ok
    assert f"hop 1: {claim.claim_id} is not in the figure" in done.reasons


def test_a_state_that_changed_is_told_though_the_counts_are_the_same(tmp_path):
    """A run that failed later is not what was drawn."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    mem.observe_execution("e", status="running")
    file = mem.figure(mem.trace_provenance("e"), lang="en").save(tmp_path / "a.svg")
    assert smemkit.verify_figure(file, mem)
    mem.observe_execution("e", status="failed")
    assert smemkit.verify_figure(file, mem).reasons == (
        "the same counts, but a node, an edge, a text or a state differs",
    )


def test_an_audit_whose_support_was_superseded_is_another_picture(demo, tmp_path):
    """A verdict that changed is no longer what the figure shows."""
    found = demo.audit("report-1#v1", files=DEMO / "workspace")
    file = demo.figure(found, lang="en").save(tmp_path / "a.svg")
    demo.declare_artifact("tables/clean.csv", artifact_id="table-clean", version=2)
    assert not smemkit.verify_figure(file, demo)


def test_another_memory_does_not_yield_it(demo, tmp_path):
    """A memory without the session says so."""
    file = demo.figure(lang="en").save(tmp_path / "a.svg")
    done = smemkit.verify_figure(file, smemkit.open(":memory:"))
    assert (done.ok, done.found) == (False, None)
    assert "no such session" in done.reasons[0]


@pytest.mark.parametrize("content", [b"", b"<svg/>", b"%PDF-1.4 /Keywords (x", b"\x89PNG\r\n\x1a\n123"])  # fmt: skip
def test_a_file_of_another_origin_says_nothing(demo, tmp_path, content):
    """Nothing is compared where the file names no question."""
    file = tmp_path / "a.svg"
    file.write_bytes(content)
    done = smemkit.verify_figure(file, demo)
    assert (done.ok, done.expected) == (False, None)
    assert "smemkit did not write it" in str(done)


def test_a_missing_file_is_an_error(demo, tmp_path):
    """A wrong path is no verdict."""
    with pytest.raises(NotFound, match="no such file"):
        smemkit.verify_figure(tmp_path / "none.svg", demo)


def test_swapped_arguments_are_refused_with_the_right_order(demo) -> None:
    """One sentence instead of an error from inside."""
    for arguments in ((demo, "a.svg"), ("a.svg", None), (None, demo)):
        with pytest.raises(BadRequest, match="file first, then the memory"):
            smemkit.verify_figure(*arguments)
