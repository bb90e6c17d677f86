# SPDX-License-Identifier: Apache-2.0
"""What an audit says: words, counts, frames, displays; recomputed in a second way."""

from __future__ import annotations

import itertools
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemkit
from smemkit.answers import NodeView, Reason
from smemkit.records import Node
from smemkit.report.audit import audit
from smemkit.report.verdicts import COLUMNS, MARKS, VERDICTS, Audit, AuditRow
from tests.reading_graphs import Built

# -- a second way of judging ---------------------------------------------------

SUPPORTERS = ("fig#v1", "fig#v2", "tab#v1", "ev1", "ev2", "file")
CLAIMS = ("c1", "c2", "c3")
KINDS = {"fig": "artifact", "tab": "artifact", "ev1": "evidence", "ev2": "evidence"}


@st.composite
def memories(draw: st.DrawFn) -> Built:
    """Draw a memory in which any part of a report's chain may be missing."""
    built = Built().goal().call("t1").code("e1").node("Paper", "https://x.org/p")
    built.artifact("report#v1").artifact("report#v2")
    for name in SUPPORTERS:
        label = {"e": "Evidence", "f": "SourceFile"}.get(name[0], "Artifact")
        built.node("Artifact" if "#" in name else label, name)
    for name in CLAIMS:
        built.node("Claim", name, content=f"Claim {name}.")
    long = [f"k{k}" for k in range(draw(st.sampled_from([0, 1, 4, 4])))]
    for name in long:
        built.code(name).artifact(f"{name}-out#v1").edges(
            f"{name} produces {name}-out#v1"
        )
    line = [f"{b}-out#v1 input {a}" for a, b in itertools.pairwise(long)]
    possible = [
        *("goal next t1", "t1 produces e1", "e1 produces fig#v1", "e1 produces fig#v2"),
        *("https://x.org/p extracts ev1", "t1 produces https://x.org/p"),
        *("file feeds goal", "file extracts ev2", "fig#v2 supersedes fig#v1"),
        *(f"{c} stated_in report#v1" for c in CLAIMS),
    ]
    if long:
        line += [f"{long[0]} produces tab#v1", f"t1 produces {long[-1]}"]
    taken = [edge for edge in possible if draw(st.integers(0, 9))]
    for name in CLAIMS:
        some = draw(st.sets(st.sampled_from(SUPPORTERS), max_size=3))
        line += [f"{each} supports {name}" for each in sorted(some)]
    return built.edges(*taken, *line)


@st.composite
def references(draw: st.DrawFn) -> list[dict[str, object]]:
    """Draw what the chips stand for, some of it unknown or narrowed to a claim."""
    found = []
    for k in range(draw(st.integers(2, 6))):
        name = draw(st.sampled_from([*SUPPORTERS, *SUPPORTERS, "lost"]))
        base, _, version = name.partition("#v")
        entry: dict[str, object] = {
            "label": f"evidence{k % 3 + 1}",
            "id": base,
        }
        entry["kind"] = KINDS.get(base, "sourcefile")
        if version:
            entry["version"] = int(version)
        if draw(st.booleans()) and k % 2:
            entry["claim_id"] = draw(st.sampled_from(CLAIMS))
        found.append(entry)
    return found


def again(built: Built, tokens: list[str], refs: list[dict[str, object]]) -> str:
    """Judge a sentence from lists of edges and single traces alone."""
    edges = [
        (built.graph.node(e.src).public_id, e.type, built.graph.node(e.dst).public_id)
        for e in built.graph.edges()
    ]
    stated = [c for c in CLAIMS if (c, "stated_in", "report#v1") in edges]
    words, claims = [], set()
    for token in tokens:
        meant = [r for r in refs if r["label"] == token]
        if not meant:
            words.append("unknown alias")
            continue
        own = set()
        for r in meant:
            target = f"{r['id']}#v{r['version']}" if "version" in r else r["id"]
            own |= {
                c
                for c in stated
                if (target, "supports", c) in edges and r.get("claim_id", c) == c
            }
        claims |= own
        words += [] if own else ["unlinked claim"]
    for claim in claims:
        for supporter in (s for s, t, c in edges if (t, c) == ("supports", claim)):
            trace = smemkit.trace_provenance(built.graph, supporter, session_id="s1")
            ends = {hop.node.label for hop in trace.chain if hop.is_terminal}
            broken = trace.reason.startswith("no upstream")
            words.append(
                "broken"
                if broken
                else "complete"
                if "ResearchGoal" in ends
                else "truncated"
            )
            if supporter == "fig#v1":
                words.append("superseded")
    return min(words, key=VERDICTS.index)


@given(memories(), references(), st.sets(st.integers(1, 3), min_size=1, max_size=2))
def test_the_verdict_is_the_worst_of_what_single_traces_say(built, refs, numbers):
    """Counted from edge triples and one trace per supporter, nothing shared with the code."""
    tokens = [f"evidence{n}" for n in numbers]
    text = "It is so" + "".join(f" [{t}]" for t in tokens) + "."
    (row,) = audit(built.graph, "report#v1", text=text, references=refs)

    assert row.verdict == again(built, tokens, refs)
    assert row.reasons
    verdicts = {trace.verdict for trace in row.traces}
    assert row.verdict in VERDICTS[:2] or not verdicts - set(
        VERDICTS[VERDICTS.index(row.verdict) :]
    )


# -- what it displays ----------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)></script>\u202e\x1b[2J\x00&amp;\u2028"


def reason(said: str) -> Reason:
    """Return a reason that says just this."""
    return Reason("cut", said=said)


def an_audit(*verdicts: str, said: str = "It fits.", **rest: object) -> Audit:
    report = NodeView.of(Node("n1", ("Artifact",), {"artifact_id": said, "version": 1}))
    rows = tuple(
        AuditRow(n, said, n, said, (said,), (said,), (said,), word, (reason(said),))
        for n, word in enumerate(verdicts, 1)
    )
    return Audit(report, rows, **rest)


def test_a_summary_counts_each_word_worst_first():
    """Every word is there, those without a sentence too."""
    found = an_audit("complete", "broken", "complete", "uncited", unused_claims=("c",))

    assert list(found.counts) == list(VERDICTS)
    assert sum(found.counts.values()) == len(found) == 4
    assert found.summary == (
        "It fits.#v1: 4 sentences (1 broken, 2 complete, 1 uncited); 3 of 4 carry a chip; "
        "1 stated claim is in no sentence"
    )
    assert (
        an_audit("complete", has_text=False).summary
        == "It fits.#v1: 1 claim (1 complete)"
    )


@pytest.mark.parametrize("word", VERDICTS)
def test_all_is_well_only_if_every_cited_sentence_is_complete(word):
    """What carries no chip is no fault of the chains."""
    assert an_audit("complete", word).ok == (word in ("complete", "uncited"))


def test_an_audit_is_a_sequence_of_its_rows():
    """Places, slices, truth."""
    found = an_audit("complete", "broken")

    assert [row.n for row in found] == [1, 2]
    assert found[1].verdict == "broken"
    assert found[:1] == (found[0],)
    assert found
    assert not an_audit()


def test_the_frame_has_the_same_columns_when_empty():
    """Fixed names and types."""
    full, empty = an_audit("complete").to_frame(), an_audit().to_frame()

    assert list(full) == list(empty) == list(COLUMNS)
    pd.testing.assert_series_equal(full.dtypes, empty.dtypes)
    assert full.loc[0, "reasons"] == ["It fits."]


def test_plain_data_says_the_same():
    """As the command line writes it."""
    found = an_audit("broken", remarks=(reason("a note"),), unused_references=("e2",))
    data = json.loads(json.dumps(found.to_dict()))

    assert data["rows"][0]["verdict"] == "broken"
    assert data["ok"] is False
    assert (data["notes"], data["unused_references"]) == (["a note"], ["e2"])
    assert [row["n"] for row in data["rows"]] == found.to_frame()["n"].tolist()


def test_hostile_text_is_shown_once_and_runs_nothing():
    """In sentences, reasons, ids and notes; in the notebook and on a terminal."""
    told = {"remarks": (reason(HOSTILE),), "unused_claims": (HOSTILE,)}
    found = an_audit("broken", said=HOSTILE, **told)

    html = found._repr_html_()
    for bad in ("<img", "</script", "\u202e", "\x1b", "\x00", "\u2028"):
        assert bad not in html
        assert bad not in str(found).replace(HOSTILE[:36], "")
        assert bad not in repr(found).replace(HOSTILE[:36], "")
    assert html.count("&amp;amp;") == 5  # report, sentence, reason, note, claim
    assert "⟨U+202E⟩␛[2J␀" in str(found)


def test_every_verdict_has_a_mark_of_its_own():
    """None is told by colour alone."""
    assert set(MARKS) == set(VERDICTS)
    assert len(set(MARKS.values())) == len(MARKS)
    for word in VERDICTS:
        assert f"<b>{MARKS[word]}</b> {word}" in an_audit(word)._repr_html_()
        assert f"{MARKS[word]} {word}" in str(an_audit(word))


def test_reasons_of_what_does_not_hold_are_printed():
    """Those of what holds are not: they would hide the others."""
    assert "\n    It fits." in str(an_audit("broken"))
    assert "\n    It fits." not in str(an_audit("complete"))
