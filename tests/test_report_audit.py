# SPDX-License-Identifier: Apache-2.0
"""Whether each sentence of a report holds: the rules of the verdict, one by one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.report.audit import audit
from smemkit.report.verdicts import VERDICTS, Audit
from tests.reading_graphs import Built


def story() -> Built:
    """Return a report on a good and an old figure, a paper, a picture from nowhere.

    ``far`` lies ten layers from the goal, more than a trace walks.
    """
    built = Built().goal().call("t1").code("e1").code("e2")
    for name in ("fig#v1", "fig#v2", "orphan#v1", "far#v1", "report#v1", "report#v2"):
        built.artifact(name, path=f"{name.partition('#')[0]}.md")
    built.call("lit").node("Paper", "https://doi.org/10.1/x").node("Evidence", "ev")
    built.node("SourceFile", "file")
    for k in range(5):
        built.code(f"d{k}").artifact(f"step{k}#v1")
        built.edges(f"step{k}#v1 input d{k}")
        after = "far#v1" if k == 0 else f"step{k - 1}#v1"
        built.edges(f"d{k} produces {after}")
    for k in range(1, 8):
        built.node("Claim", f"c{k}", content=f"Claim {k}.")
        built.edges(f"c{k} stated_in report#v1")
    built.node("Claim", "elsewhere").edges("elsewhere stated_in report#v2")
    return built.edges(
        *("goal next t1", "t1 produces e1", "e1 produces fig#v1", "t1 produces e2"),
        *("e2 produces fig#v2", "fig#v2 supersedes fig#v1", "goal next lit"),
        *("lit produces https://doi.org/10.1/x", "https://doi.org/10.1/x extracts ev"),
        *("t1 produces step4#v1", "file feeds goal"),
        *("fig#v2 supports c1", "ev supports c2", "orphan#v1 supports c3"),
        *("far#v1 supports c4", "fig#v1 supports c5", "file supports c7"),
        *("ev supports elsewhere", "fig#v2 supports c3"),
    )


def chips(**meanings: str) -> list[dict[str, object]]:
    """Return references, written ``alias="kind id"`` or ``"kind id claim"``."""
    found = []
    for label, meaning in meanings.items():
        kind, name, *claim = meaning.split()
        artifact, _, version = name.partition("#v")
        entry = {"label": label.rstrip("_"), "kind": kind, "id": artifact}
        entry |= {"version": int(version)} if version else {}
        found.append(entry | ({"claim_id": claim[0]} if claim else {}))
    return found


ALL = chips(
    a1="artifact fig#v2 c1",
    e1="evidence ev",
    a2="artifact orphan#v1",
    a3="artifact far#v1",
    a4="artifact fig#v1",
    s1="sourcefile file",
    gone="evidence lost",
    idle="artifact step0#v1",
)


def judged(text: str, references: list[dict[str, object]] = ALL) -> Audit:
    return audit(story().graph, "report#v1", text=text, references=references)


@pytest.mark.parametrize(
    ("text", "verdict", "claims", "supports"),
    [
        ("It fits [a1].", "complete", ["c1"], ["fig#v2"]),
        ("It was read [e1].", "complete", ["c2"], ["ev"]),
        ("It was given [s1].", "complete", ["c7"], ["file"]),
        ("An old picture [a4].", "superseded", ["c5"], ["fig#v1"]),
        ("Far away [a3].", "truncated", ["c4"], ["far#v1"]),
        ("From nowhere [a2].", "broken", ["c3"], ["orphan#v1", "fig#v2"]),
        ("Rests on nothing stated [idle].", "unlinked claim", [], []),
        ("Stands for nothing here [gone].", "unlinked claim", [], []),
        ("Never declared [evidence9].", "unknown alias", [], []),
        ("No chip at all.", "uncited", [], []),
        ("A year [2014] and a word [sic].", "uncited", [], []),
        ("In code `[a1]` only.", "uncited", [], []),
        ("By its id [fig].", "complete", ["c1", "c5"], ["fig#v2", "fig#v1"]),
    ],
)
def test_each_verdict_has_its_cause(text, verdict, claims, supports):
    """One fault at a time; a good source hides no bad one of the same claim."""
    (row,) = judged(text)

    if text.startswith("By its id"):
        verdict = "superseded"
    assert row.verdict == verdict
    assert list(row.claims) == claims
    assert list(row.supports) == supports


ORDER = [
    "unknown alias",
    "unlinked claim",
    "broken",
    "truncated",
    "superseded",
    "complete",
]
CAUSES = dict(zip(ORDER, ["evidence9", "idle", "a2", "a3", "a4", "e1"], strict=True))


@given(st.sets(st.sampled_from(ORDER), min_size=1), st.randoms())
def test_the_worst_is_the_verdict_and_all_are_told(words, random):
    """Worst first, as the issue lists them; the order of the chips does not matter."""
    chosen = [CAUSES[word] for word in words]
    random.shuffle(chosen)
    (row,) = judged("It is so " + " ".join(f"[{a}]" for a in chosen) + ".")

    assert row.verdict == next(word for word in ORDER if word in words)
    assert row.aliases == tuple(chosen)
    told = " | ".join(row.reasons)
    signs = {
        "unknown alias": "[evidence9] stands for nothing",
        "unlinked claim": "[idle] stands for artifact step0#v1, but no claim",
        "broken": "orphan#v1 ← nothing (no upstream of Artifact #orphan#v1)",
        "truncated": "(truncated at max_hops=8)",
        "superseded": "fig#v1 is superseded by fig#v2",
        "complete": "ev ← https://doi.org/10.1/x ← lit ← goal:session:s1 (reaches the goal)",
    }
    for word in words:
        assert signs[word] in told


def test_a_claim_that_nothing_supports_is_broken():
    """Without a text it has a row like the others."""
    row = audit(story().graph, "report#v1").rows[5]

    assert (row.claims, row.verdict) == (("c6",), "broken")
    assert row.reasons == ("nothing supports the claim c6",)


def test_claims_of_another_version_are_no_claims_of_this_one():
    """Evidence ev supports `elsewhere` too, which only report#v2 states."""
    assert judged("It was read [e1].")[0].claims == ("c2",)
    assert [r.claims for r in audit(story().graph, "report")] == [("elsewhere",)]


def test_claim_id_narrows_where_it_is_known():
    """fig#v2 supports c1 and c3; the reference is one of c1."""
    wide = judged("It fits [a1].", chips(a1="artifact fig#v2"))[0]
    narrow = judged("It fits [a1].", chips(a1="artifact fig#v2 c1"))[0]
    wrong = judged("It fits [a1].", chips(a1="artifact fig#v2 c2"))[0]

    assert (wide.claims, wide.verdict) == (("c1", "c3"), "broken")
    assert (narrow.claims, narrow.verdict) == (("c1",), "complete")
    assert (wrong.claims, wrong.verdict) == ((), "unlinked claim")
    assert "the claim c2, which is not stated in report#v1" in wrong.reasons[0]


def test_an_alias_that_means_two_things_is_judged_by_both():
    """What one of them lacks is told."""
    two = [*chips(e1="evidence ev"), *chips(e1="artifact fig#v1")]
    lost = [*chips(e1="evidence ev"), *chips(e1="evidence lost")]

    assert judged("So [e1].", two)[0].verdict == "superseded"
    assert judged("So [e1].", two)[0].claims == ("c2", "c5")
    row = judged("So [e1].", lost)[0]
    assert (row.verdict, row.claims) == ("complete", ("c2",))
    assert any("evidence lost, which is not in the memory" in r for r in row.reasons)


def test_an_id_in_brackets_means_the_references_of_that_id_alone():
    """Not what else their alias stands for."""
    two = [*chips(e1="evidence ev"), *chips(e1="artifact orphan#v1")]

    assert judged("So [ev].", two)[0].claims == ("c2",)


def test_an_artifact_without_version_means_the_highest_and_it_is_said():
    """The claim rests on the older one: the reader learns which."""
    built = story().artifact("fig#v3").edges("fig#v3 supersedes fig#v2")
    (row,) = audit(
        built.graph,
        "report#v1",
        text="So [a1].",
        references=chips(a1="artifact fig c1"),
    )

    assert row.verdict == "unlinked claim"
    assert "it means fig#v3, and the claim rests on fig#v2" in row.reasons[0]


def test_superseded_is_what_has_a_later_version_or_a_successor():
    """A duplicate of the same version is none; of several the highest is named."""
    built = story().artifact("fig#v4").artifact("fig#v3").artifact("new#v1")
    built.artifact("fig#v4", note="a second record").edges(
        "new#v1 supersedes orphan#v1"
    )
    built.edges("fig#v4 supports c6")
    rows = {r.claims[0]: r for r in audit(built.graph, "report#v1")}

    assert "fig#v1 is superseded by fig#v4" in rows["c5"].reasons
    assert "orphan#v1 is superseded by new#v1" in rows["c3"].reasons
    assert not any("superseded" in reason for reason in rows["c6"].reasons)


def test_a_supporter_is_traced_itself_not_its_namesake():
    """Two records with one id: the first reaches the goal, the second does not."""
    built = (
        story().node("Evidence", "twin").edges("https://doi.org/10.1/x extracts twin")
    )
    first = built.ids["twin"]
    built.ids.pop("twin")
    built.node("Evidence", "twin").edges("twin supports c6")
    row = audit(built.graph, "report#v1").rows[5]

    assert first != built.ids["twin"]
    assert row.verdict == "broken"


def test_a_supporter_without_id_is_judged_too():
    """Nothing a store may hold stops an audit."""
    built = (
        story().node("Evidence", "blank", evidence_id=None).edges("blank supports c6")
    )
    row = audit(built.graph, "report#v1").rows[5]

    assert row.verdict == "broken"
    assert row.supports == ("Evidence without id",)


def test_headings_and_table_rows_count_when_they_carry_a_chip():
    """A heading without one says nothing."""
    text = "# Title\n\n## Part [a1]\n\n| a | b |\n|---|---|\n| x | [e1] |\n| y | z |\n"

    assert [(r.sentence, r.verdict, r.line) for r in judged(text)] == [
        ("Part [a1]", "complete", 3),
        ("x | [e1]", "complete", 7),
    ]


def test_what_only_looks_like_a_chip_is_pointed_out():
    """The sentence stays uncited, and the reader learns why."""
    for mistake in (
        "[[evidence1]]",
        "【evidence1】",
        "[evidence1, artifact2]",
        "[artifact1, artifact 2]",
        "[ ev1 ]",
        "[artifact 1]",
        "[Evidence-1]",
        "[artifact #1]",
    ):
        (row,) = judged(f"It holds {mistake}.")
        assert row.verdict == "uncited"
        assert row.reasons == (
            f"{mistake} looks like a chip and is none: a chip is [alias]",
        )
        assert row.reasons[0] in str(judged(f"It holds {mistake}."))
    for fine in ("[a1][evidence1]", "[Fig. 1]", "[artifact]", "[an artifact 1]"):
        assert "looks like" not in str(judged(f"It fits {fine}."))


def test_what_no_sentence_carries_is_listed_with_its_fault():
    """Claims that are stated and references that are kept, but unused."""
    found = judged("It fits [a1]. It was read [e1].")

    assert found.unused_claims == ("c3", "c4", "c5", "c6", "c7")
    assert found.unused_references == ("a2", "a3", "a4", "s1", "gone", "idle")
    notes = " | ".join(found.notes)
    assert "c3 is in no sentence, and broken: orphan#v1 ← nothing" in notes
    assert "c7" not in notes


def test_a_chinese_report_is_audited_sentence_by_sentence():
    """Each chip goes to the sentence it closes."""
    rows = judged("# 结果\n\n喙长与体重相关[a1]。图来历不明。[a2]没有引用。")

    assert [(r.sentence, r.verdict, r.section) for r in rows] == [
        ("喙长与体重相关[a1]。", "complete", "结果"),
        ("图来历不明。[a2]", "broken", "结果"),
        ("没有引用。", "uncited", "结果"),
    ]


def test_ten_thousand_chips_are_judged():
    """A huge report; each chain is walked once."""
    found = judged("It fits [a1]. From nowhere [a2]. " * 5_000)

    assert found.counts["complete"] == found.counts["broken"] == 5_000
    assert len({id(t) for row in found for t in row.traces}) == 2


# -- text and references of the memory itself ----------------------------------


def kept(folder: Path, text: str) -> smemkit.Memory:
    """Return a memory whose report lies in a folder, with the references it keeps."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Do bills grow?")
    mem.observe_execution("e1", session_id="s", status="completed")
    mem.declare_artifact("fig.svg", artifact_id="fig", code_id="e1")
    claim = mem.declare_claim("It fits.", cites_artifact_aliases={"artifact1": "fig"})
    (folder / "report.md").write_text(text, encoding="utf-8")
    mem.declare_artifact(folder / "report.md", artifact_id="report")
    mem.link_claims_to_report(
        "report#v1",
        claim_ids=[claim.claim_id],
        references=[
            {**chips(artifact1="artifact fig#v1")[0], "claim_id": claim.claim_id}
        ],
    )
    return mem


def test_text_and_references_are_taken_from_where_they_are_kept(tmp_path):
    """The file under `files=`, the property `references`; an argument wins."""
    mem = kept(tmp_path, "It fits [artifact1].")

    found = mem.audit("report", files=tmp_path)
    assert [(r.sentence, r.verdict) for r in found] == [
        ("It fits [artifact1].", "complete")
    ]
    assert found.has_text
    assert found.ok
    assert (
        mem.audit("report", text="Else [artifact1].")[0].sentence == "Else [artifact1]."
    )
    assert (
        mem.audit("report", text="x [artifact1].", references=[])[0].verdict
        == "unknown alias"
    )


def test_a_file_that_was_changed_gives_one_row_per_claim(tmp_path):
    """The verdict is about the declared version, and the note says so."""
    mem = kept(tmp_path, "It fits [artifact1].")
    (tmp_path / "report.md").write_text("It does not [artifact1].")

    found = mem.audit("report", files=tmp_path)

    assert not found.has_text
    assert [(r.sentence, r.verdict, r.line) for r in found] == [("", "complete", None)]
    assert found[0].shown.endswith(": It fits.")
    assert "hash differs" in found.notes[0]


def test_the_known_store_is_audited(cases):
    """tests/data/cases: six claims of report#v1; traces as the expected answers say."""
    expected = json.loads((cases / "app-store.expected.json").read_text())
    with smemkit.open(cases / "app-store") as mem:
        found = mem.audit("report")

    assert [r.claims for r in found] == [(f"cl-{k}",) for k in range(1, 7)]
    for row in found:
        for name in row.supports:
            answer = next(
                a["answer"] for a in expected[name] if {*a} == {"session_id", "answer"}
            )
            bad = answer["broken"] or answer["truncated"]
            assert any(
                r.startswith(name) and ("reaches" in r) != bad for r in row.reasons
            )
    words = ["complete"] * 4 + ["superseded", "broken"]
    assert [r.verdict for r in found] == words
    assert not found.ok


def test_the_declared_hash_is_that_of_the_bytes(tmp_path):
    """A second way: hashlib over the file."""
    mem = kept(tmp_path, "It fits [artifact1].")
    digest = hashlib.sha256((tmp_path / "report.md").read_bytes()).hexdigest()

    assert mem.node("report#v1").props["content_hash"] == digest
    assert VERDICTS[:-1] == tuple(ORDER)
