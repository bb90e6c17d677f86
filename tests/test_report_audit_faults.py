# SPDX-License-Identifier: Apache-2.0
"""When an audit is not ok though no sentence is: no verdict is changed by any of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import smemkit
from smemkit.errors import BadRequest
from smemkit.report.verdicts import Audit
from smemkit.views.report.page import ReportPage

TEXT = "# Bills\n\nNo chip here.\n\nIt fits [artifact1]. It lasts [artifact2].\n"


class Story:
    """A memory whose two figures rest on one table, with their files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("clean.csv", "fig.svg", "late.svg"):
            (folder / name).write_text(name)
        (folder / "report.md").write_text(TEXT)
        mem = self.mem = smemkit.open(":memory:")
        mem.observe_session_first_message("s", core_objective="Do bills grow?")
        self.run("e0", "clean")
        self.claims = []
        for k, name in enumerate(("fig", "late"), 1):
            self.run(f"e{k}", name, reads="clean")
            cites = {f"artifact{k}": name}
            made = mem.declare_claim(f"{name}.", cites_artifact_aliases=cites)
            self.claims.append(made.claim_id)
        mem.declare_artifact(
            "report.md", artifact_id="report", file=folder / "report.md"
        )
        chips = [
            {"label": f"artifact{k}", "kind": "artifact", "id": name, "version": 1}
            for k, name in enumerate(("fig", "late"), 1)
        ]
        mem.link_claims_to_report("report#v1", claim_ids=self.claims, references=chips)

    def run(self, code: str, name: str, *, reads: str = "") -> None:
        path = f"{name}.{'csv' if name == 'clean' else 'svg'}"
        digest = hashlib.sha256((self.folder / path).read_bytes()).hexdigest()
        made = {"artifact_id": name, "version": 1, "path": path, "content_hash": digest}
        made["input_artifact_versions"] = [f"{reads}#v1"] if reads else []
        self.mem.observe_execution(code, session_id="s", produced_artifacts=[made])

    def audit(self, **given: object) -> Audit:
        return self.mem.audit("report", **{"files": self.folder, **given})


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


def words(found: Audit) -> list[str]:
    return [row.verdict for row in found]


def test_a_whole_report_is_ok(story: Story) -> None:
    """The fixture has no fault of its own."""
    found = story.audit()

    assert words(found) == ["uncited", "complete", "complete"]
    assert (found.ok, found.notes, found.faults, found.at_fault) == (True, (), (), ())


@pytest.mark.parametrize("name", ["clean.csv", "fig.svg"])
@pytest.mark.parametrize("gone", [True, False])
def test_a_file_that_is_not_the_declared_one_makes_an_audit_not_ok(
    story: Story, name: str, gone: bool
) -> None:
    """Said in each row that rests on it, and on top; the verdicts stay."""
    place = story.folder / name
    place.unlink() if gone else place.write_text("else")
    found = story.audit()

    what = "is not there" if gone else "differs from the declared version"
    assert words(found) == ["uncited", "complete", "complete"]
    assert not found.ok
    assert [row.n for row in found.at_fault] == ([2, 3] if name[0] == "c" else [2])
    for row in found.at_fault:
        assert row.doubts[0].endswith(what)
        assert set(row.doubts) < set(row.reasons)
    assert len(found.faults) == 1
    assert found.faults[0].endswith(what)
    assert story.audit(files=None).ok


def test_many_files_that_are_gone_are_counted(tmp_path: Path) -> None:
    """Twenty are named on top."""
    story = Story(tmp_path)
    for k in range(30):
        (tmp_path / "x.csv").write_text(str(k))
        made = story.mem.declare_artifact(tmp_path / "x.csv", artifact_id=f"x{k}")
        claim = story.mem.declare_claim(
            "So.", cites_artifact_aliases={"artifact1": made.artifact_id}
        )
        story.mem.link_claims_to_report("report#v1", claim_ids=[claim.claim_id])
    (tmp_path / "x.csv").unlink()

    faults = story.audit().faults
    assert sum(" is not there" in fault for fault in faults) >= 20
    assert faults[-1] == "10 more files differ or are gone"


def test_a_report_that_was_changed_makes_an_audit_not_ok(story: Story) -> None:
    """It is said in the second line, above the claims that stand in for the text."""
    (story.folder / "report.md").write_text(TEXT + "More.\n")
    found = story.audit()

    assert words(found) == ["complete", "complete"]
    assert not found.ok
    second = str(found).split("\n")[1]
    assert second.startswith("! 'report.md' is not the declared version: its hash")
    assert second[2:] in found._repr_html_().replace("&#x27;", "'").split("<table")[0]


def test_a_text_that_is_not_the_declared_one_is_noted_and_audited(story: Story) -> None:
    """A draft may well be audited before it is declared."""
    found = story.audit(text=TEXT.replace("No chip", "Nothing"))

    assert found.ok
    assert "its hash differs" in found.notes[0]
    assert story.audit(text=TEXT).notes == ()


def test_an_artifact_that_states_nothing_is_not_ok(story: Story) -> None:
    """A figure, a table read as a text: nothing was audited, and it is said."""
    for name in ("fig", "clean"):
        found = story.mem.audit(name, files=story.folder)
        assert not found.ok
        assert found.faults == (
            f"no claim is linked to {name}#v1, so nothing was audited; "
            "reports with claims: report#v1",
        )


def test_a_text_without_a_chip_is_not_ok(story: Story) -> None:
    """It is the wrong text, or nobody put the chips in."""
    found = story.audit(text="Some other text. With two sentences.")

    assert words(found) == ["uncited", "uncited"]
    assert not found.ok
    assert "is this the text of report#v1?" in found.faults[0]


def test_a_claim_in_no_sentence_that_does_not_hold_is_not_ok(story: Story) -> None:
    """One that holds is no fault."""
    text = "It fits [artifact1]."
    before = story.audit(text=text)
    assert (before.ok, before.unused_claims) == (True, (story.claims[1],))

    (story.folder / "late.svg").write_text("new")
    story.mem.declare_artifact(
        story.folder / "late.svg", artifact_id="late", code_id="e2"
    )
    after = story.audit(text=text, files=None)
    assert words(after) == ["complete"]
    assert not after.ok
    (fault,) = after.faults
    assert fault.startswith(f"{story.claims[1]} is in no sentence, and superseded: ")


def test_what_is_told_besides_does_not_make_an_audit_not_ok(story: Story) -> None:
    """An input that a later version replaced, a run that failed."""
    (story.folder / "new.csv").write_text("new")
    story.mem.declare_artifact(
        story.folder / "new.csv", artifact_id="clean", code_id="e0"
    )
    story.mem.observe_execution("e1", session_id="s", status="failed")
    found = story.audit()

    assert words(found) == ["uncited", "complete", "complete"]
    assert found.ok
    assert found[1].doubts == (
        "fig#v1 was made by a run that failed (e1: failed)",
        "e1 read clean#v1, superseded by clean#v2",
    )
    assert found[2].doubts == ("e2 read clean#v1, superseded by clean#v2",)


def test_doubts_are_printed_unfolded_and_in_the_table(story: Story) -> None:
    """What holds but for something is not hidden among what holds."""
    (story.folder / "fig.svg").unlink()
    found = story.audit()

    shown = str(found)
    assert "✓ complete, but  It fits" in shown
    assert "\n  2, line 5, complete, but: It fits [artifact1].\n" in shown
    assert "\n    fig#v1: the file 'fig.svg' is not there" in shown
    assert found._repr_html_().count("<details open") == 1
    assert found.to_frame()["doubts"].tolist() == [list(r.doubts) for r in found]
    assert list(found.to_frame())[-1] == "doubts"


def test_only_the_faults_can_be_printed(story: Story) -> None:
    """Each with its sentence and its line, and nothing of the others."""
    (story.folder / "fig.svg").unlink()
    shown = story.audit().text(faults=True)

    assert shown.split("\n")[2:] == [
        "  2, line 5, complete, but: It fits [artifact1].",
        "    fig#v1: the file 'fig.svg' is not there",
    ]
    assert "It lasts" not in shown


def test_a_short_walk_says_what_to_do(story: Story) -> None:
    """`truncated` is a verdict; `max_hops` is its remedy."""
    short, long = story.audit(max_hops=1), story.audit(max_hops=32)

    assert words(short) == ["uncited", "truncated", "truncated"]
    assert "raise max_hops" in short[1].reasons[0]
    assert long.ok
    for wrong in (0, 33, "8", None):
        with pytest.raises(BadRequest, match="from 1 to 32"):
            story.audit(max_hops=wrong)


def test_a_name_in_place_of_the_text_is_refused(story: Story) -> None:
    """It was audited as a sentence."""
    for name in (str(story.folder / "report.md"), "report.md"):
        with pytest.raises(BadRequest, match="read_text"):
            story.audit(text=name)


def test_a_report_is_audited_by_its_path(story: Story) -> None:
    """As `mem` shows it."""
    (line,) = story.mem.summary().reports
    assert story.mem.audit(line.path).report.id == line.id == "report#v1"


def test_a_text_nested_too_deep_to_be_read_is_a_fault():
    mem = smemkit.open(":memory:")
    mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    text = "".join(f"{'  ' * n}- item {n}.\n" for n in range(60))
    found = mem.audit("report", text=text)
    assert any("nested" in note for note in found.faults)
    assert not any("nested" in note for note in mem.audit("report", text="- a.").faults)


def test_a_byte_order_mark_before_a_text_is_no_part_of_it():
    mem = smemkit.open(":memory:")
    mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    marked, bare = (
        mem.audit("report", text=t) for t in ("\ufeff# H\n\nOne.\n", "# H\n\nOne.\n")
    )
    assert (
        [row.sentence for row in marked] == [row.sentence for row in bare] == ["One."]
    )


@pytest.mark.parametrize("text", ["[" * 40_000, "\\[" * 40_000, "【" * 40_000])
def test_brackets_without_end_are_read_once(text):
    """Time that grew with the square of the text would not end here."""
    mem = smemkit.open(":memory:")
    mem.declare_artifact("report.md", session_id="s", artifact_id="report")
    assert len(mem.audit("report", text=f"It fits. {text}")) >= 1


def test_the_page_of_a_report_tells_a_doubt_where_it_tells_reasons(
    story: Story,
) -> None:
    """Behind a sentence that holds nothing else is told; the fault is a note."""
    (story.folder / "fig.svg").unlink()
    found = story.audit()
    with story.mem.reading() as graph:
        page = ReportPage(graph, found, files=story.folder, lang="en")
    html = page.html()

    rows = page._data["rows"]
    assert [rows[str(n)]["reasons"] for n in (2, 3)] == [list(found[1].doubts), []]
    assert "fig#v1: the file &#39;fig.svg&#39; is not there" in html
