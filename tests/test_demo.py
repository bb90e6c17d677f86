# SPDX-License-Identifier: Apache-2.0
"""The demo memory: it is whole, its files are the recorded ones, its faults are two."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import smemkit
from tests import app_loader

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "notebooks" / "data"
WORKSPACE = DATA / "workspace"
MAX_BYTES = 2_000_000

# The report's chips behind which something is wrong.
FAULTS = {"artifact2": "broken", "artifact3": "superseded"}

# These follow from the versions of Python and of the libraries that draw and print.
BYTES = ("content_hash", "stdout_hash", "stderr_hash", "env_hash", "size")


@pytest.fixture(scope="module")
def demo():
    """Open the committed memory, as the notebook does."""
    with smemkit.open(DATA / "memory", must_exist=True) as mem:
        yield mem


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory):
    """Return the folder of a demo made anew."""
    out = tmp_path_factory.mktemp("demo")
    command = [sys.executable, str(ROOT / "notebooks" / "make_demo.py")]
    done = subprocess.run(
        [*command, "--out", str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def records(folder: Path) -> list[object]:
    """Return a memory's records in order, free of what depends on library versions."""
    found = []
    for name in ("nodes.jsonl", "edges.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for key in BYTES:
                record.get("props", {}).pop(key, None)
            found.append(record)
    return found


def test_the_demo_has_no_problems(demo):
    """Every line of the committed memory is read."""
    assert demo.problems().empty


def test_the_demo_is_small():
    """Memory and workspace together stay below two megabytes."""
    sizes = [path.stat().st_size for path in DATA.rglob("*") if path.is_file()]

    assert 0 < sum(sizes) <= MAX_BYTES


def test_every_recorded_file_is_the_one_in_the_workspace(demo):
    """Artifacts and uploads lie at their paths with the recorded hash."""
    for label in ("Artifact", "SourceFile"):
        for row in demo.nodes(label).itertuples():
            assert digest(WORKSPACE / row.props["path"]) == row.props["content_hash"]


def test_every_recorded_run_is_a_script_and_its_output_is_kept(demo):
    """The hashes of code, standard output and standard error are those of files."""
    scripts = {digest(path) for path in (ROOT / "notebooks/demo_analysis").glob("*.py")}
    kept = {digest(path) for path in (WORKSPACE / "logs").iterdir()}
    kept.add(hashlib.sha256(b"").hexdigest())

    for row in demo.nodes("Code").itertuples():
        assert row.props["code_hash"] in scripts
        assert {row.props["stdout_hash"], row.props["stderr_hash"]} <= kept
        assert row.props["env_hash"] == digest(WORKSPACE / "environment.json")


def test_the_app_reads_the_demo(demo):
    """The app's loader finds every node and edge that smemkit finds."""
    nodes, edges = app_loader.load(DATA / "memory")

    assert len(nodes) == len(demo.nodes()) > 0
    assert len(edges) == len(demo.edges()) > 0


def test_the_audit_finds_the_two_faults_and_no_other(demo):
    """One sentence is broken, one superseded; those without a chip are uncited."""
    audit = demo.audit("report-1", files=WORKSPACE)
    expected = []
    for row in audit.rows:
        chips = re.findall(r"\[([a-z]+\d+)\]", row.sentence)
        fault = FAULTS.get(chips[0], "complete") if chips else "uncited"
        expected.append((row.n, fault))

    assert [(row.n, row.verdict) for row in audit.rows] == expected
    verdicts = Counter(row.verdict for row in audit.rows)
    assert verdicts["broken"] == verdicts["superseded"] == 1
    assert verdicts["complete"] > 10
    assert audit.notes == audit.unused_claims == audit.unused_references == ()


def test_the_audit_shows_why_the_two_are_faults(demo):
    """Reasons are unfolded where something is wrong, and only there."""
    shown = demo.audit("report-1", files=WORKSPACE)._repr_html_()
    unfolded = re.findall(r"<details open.*?</details>", shown)

    assert shown.count("<details") == 14
    assert len(unfolded) == 2
    assert "no upstream of Artifact #fig-islands#v1" in unfolded[0]
    assert "fig-mass#v1 is superseded by fig-mass#v2" in unfolded[1]


def test_each_citation_names_what_it_rests_on(demo):
    """A file is named by its path, evidence by its text."""
    texts = demo.citations().groupby("support_label")["support_text"].agg(set)

    assert texts["SourceFile"] == {"data/penguins.csv"}
    assert "tables/clean.csv" in texts["Artifact"]
    assert texts["Evidence"] == {
        row.props["content"] for row in demo.nodes("Evidence").itertuples()
    }


def test_only_the_picture_and_its_claim_do_not_reach_the_goal(demo):
    """Everything else in the memory traces back to the question."""
    lost = {
        (row.label, row.id)
        for row in demo.nodes().itertuples()
        if not demo.trace_provenance(row.id).reached
    }
    rests_on_it = demo.edges("supports").query("source == 'fig-islands#v1'")

    assert len(rests_on_it) == 1
    assert lost == {
        ("Artifact", "fig-islands#v1"),
        ("Claim", rests_on_it.iloc[0].target),
    }


def test_the_papers_link_to_their_dois(demo):
    """The link of a paper is its DOI at doi.org."""
    papers = demo.nodes("Paper")

    assert len(papers) == 5
    for row in papers.itertuples():
        assert row.id == f"https://doi.org/{row.props['identifier'].lower()}"


def test_a_rebuild_tells_the_same_story(rebuilt):
    """Made anew, the memory holds the same records in the same order."""
    assert records(rebuilt / "memory") == records(DATA / "memory")


def test_a_rebuild_makes_the_same_files(rebuilt):
    """Files have the same names, and under the recorded versions the same bytes."""
    again = {
        path.relative_to(rebuilt): digest(path)
        for path in rebuilt.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    kept = {path: digest(DATA / path) for path in again if (DATA / path).is_file()}
    environment = Path("workspace", "environment.json")

    assert again.keys() == kept.keys()
    if again[environment] == kept[environment]:
        assert again == kept


def test_the_tables_say_what_the_report_says():
    """The numbers of the report, computed a second way from the shipped data."""
    from statistics import correlation, linear_regression

    from palmerpenguins import load_penguins

    birds = load_penguins().dropna(subset=["bill_depth_mm", "body_mass_g"])
    depth, mass = list(birds.bill_depth_mm), list(birds.body_mass_g)
    text = (WORKSPACE / "report.md").read_text(encoding="utf-8").replace("−", "-")

    assert f"We kept the {len(birds)} of them" in text
    slope = linear_regression(depth, mass).slope
    assert f"{slope:.0f} g per millimetre, r = {correlation(depth, mass):.2f}" in text
    for species, group in birds.groupby("species"):
        slope = linear_regression(
            list(group.bill_depth_mm), list(group.body_mass_g)
        ).slope
        name = species.replace("Adelie", "Adélie")
        assert f"**{name}**: {slope:+.0f} g per millimetre" in text
