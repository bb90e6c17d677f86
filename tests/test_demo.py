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

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "notebooks" / "data"
WORKSPACE = DATA / "workspace"
MAX_BYTES = 2_000_000
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

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


def story(folder: Path, *, without: tuple[str, ...] = ()) -> list[str]:
    """Return a memory's records in order, free of random ids and of `without`."""
    lines = []
    for name in ("nodes.jsonl", "edges.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for key in without:
                record.get("props", {}).pop(key, None)
            lines.append(json.dumps(record, sort_keys=True))
    names: dict[str, str] = {}
    return [
        UUID.sub(lambda hit: names.setdefault(hit[0], f"uuid{len(names)}"), line)
        for line in lines
    ]


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
            assert digest(WORKSPACE / row.path) == row.content_hash


def test_every_recorded_run_is_a_script_and_its_output_is_kept(demo):
    """The hashes of code, standard output and standard error are those of files."""
    scripts = {digest(path) for path in (ROOT / "notebooks/demo_analysis").glob("*.py")}
    kept = {digest(path) for path in (WORKSPACE / "logs").iterdir()}
    kept.add(hashlib.sha256(b"").hexdigest())

    for row in demo.nodes("Code").itertuples():
        assert row.code_hash in scripts
        assert {row.stdout_hash, row.stderr_hash} <= kept
        assert row.env_hash == digest(WORKSPACE / "environment.json")


def test_a_rebuild_tells_the_same_story(rebuilt):
    """Made anew, the memory holds the same records in the same order."""
    memory, again = DATA / "memory", rebuilt / "memory"

    assert story(again, without=BYTES) == story(memory, without=BYTES)


def test_a_rebuild_writes_the_same_files(rebuilt):
    """Under the recorded versions of the libraries every byte is the same."""
    workspace = rebuilt / "workspace"
    if digest(workspace / "environment.json") != digest(WORKSPACE / "environment.json"):
        names = {path.relative_to(workspace) for path in workspace.rglob("*")}
        assert names == {path.relative_to(WORKSPACE) for path in WORKSPACE.rglob("*")}
        return
    files = [path for path in workspace.rglob("*") if path.is_file()]
    changed = [
        path.name
        for path in files
        if digest(path) != digest(WORKSPACE / path.relative_to(workspace))
    ]

    assert changed == []
    assert story(rebuilt / "memory") == story(DATA / "memory")


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
