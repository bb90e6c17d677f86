# SPDX-License-Identifier: Apache-2.0
"""Make the demo memory anew: a small real analysis, recorded step by step.

The scripts in demo_analysis/ are run one after another in data/workspace/, and what
they read, printed and wrote is recorded in data/memory/ as a research assistant would.
The data are real (they ship with the package palmerpenguins), so are the papers; the
clock is not: every step carries a fixed time, so that a rebuild with the same
libraries gives the same bytes.

Two faults are left in on purpose, for the reader of notebook 01 to find: one claim
rests on a figure that a newer version has replaced, and one picture was declared
without the run that drew it.

    python notebooks/make_demo.py [--out DIR]
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.resources
import json
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import uuid
from importlib.metadata import version
from pathlib import Path

from demo_analysis import plan, story
from demo_analysis.plan import Product, Run

import smemkit

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE / "demo_analysis"
SESSION = story.SESSION
RAW = "data/penguins.csv"
RAW_ID = f"source_file:session:{SESSION}:{RAW}"
LIBRARIES = ("matplotlib", "numpy", "palmerpenguins", "pandas", "pillow")
RANDOM_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

# A script run in this way names itself in a traceback, not the folder it lies in.
RUN = "import sys; n, p = sys.argv[1:]; exec(compile(open(p, encoding='utf-8').read(), n, 'exec'))"


def at(clock: str) -> str:
    """Return the fixed instant of one step."""
    return f"2026-11-24T{clock}:00Z"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def versions() -> dict[str, str]:
    """Return what the bytes of figures and tables depend on."""
    found = {name: version(name) for name in LIBRARIES}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"platform": sysconfig.get_platform(), "python": python, **found}


def execute(script: str) -> subprocess.CompletedProcess[bytes]:
    """Run a script of demo_analysis/ in the workspace, which is the current folder."""
    command = [sys.executable, "-c", RUN, script, str(SCRIPTS / script)]
    return subprocess.run(command, capture_output=True, check=False)


class Recorder:
    """Runs the analysis in the current folder and records it in `mem`."""

    def __init__(self, mem: smemkit.Memory) -> None:
        self.mem = mem
        self.environment = json.dumps(versions(), indent=2) + "\n"
        self.evidence: dict[str, str] = {}

    def goal(self) -> None:
        self.mem.observe_session_first_message(
            SESSION,
            goal_id=f"goal:session:{SESSION}",
            core_objective=story.GOAL,
            domain="Biology",
            topic_scope=["Pygoscelis", "Simpson's paradox"],
            created_at=at("09:00"),
        )

    def search(self, search_id: str, clock: str, keys: list[str]) -> None:
        papers = [
            {"product_type": "paper", "identifier_type": "doi", "source": "crossref"}
            | story.PAPERS[key]
            for key in keys
        ]
        self.mem.observe_tool_call(
            f"subtask:mcp:{search_id}",
            session_id=SESSION,
            turn_id="turn-1",
            tool_name="mcp__crossref__search",
            tool_type="search",
            source="crossref",
            status="completed",
            result_count=len(papers),
            products=papers,
            created_at=at(clock),
            finished_at=at(clock),
        )

    def upload(self) -> None:
        data = Path(RAW).read_bytes()
        self.mem.observe_upload_file(
            RAW_ID,
            session_id=SESSION,
            name=Path(RAW).name,
            path=RAW,
            media_type="text/csv",
            size=len(data),
            content_hash=sha256(data),
            created_at=at("09:05"),
        )

    def run(self, run: Run, *, exit_code: int = 0) -> None:
        done = execute(run.script)
        if done.returncode != exit_code:
            raise SystemExit(f"{run.script} failed\n{done.stderr.decode()}")
        for stream, data in (("stdout", done.stdout), ("stderr", done.stderr)):
            if data:
                Path("logs", f"{run.id}.{stream}.txt").write_bytes(data)
        self.mem.observe_execution(
            run.id,
            session_id=SESSION,
            turn_id=run.parent or "turn-1",
            tool="run_python",
            tool_name="run_python",
            language="python",
            code_hash=sha256((SCRIPTS / run.script).read_bytes()),
            exit_code=exit_code,
            status="failed" if exit_code else "succeeded",
            started_at=at(run.start),
            finished_at=at(run.finish),
            created_at=at(run.finish),
            stdout_hash=sha256(done.stdout),
            stderr_hash=sha256(done.stderr),
            env_hash=sha256(self.environment.encode()),
            parent_subagent_id=run.parent,
            produced_artifacts=[self.product(item, run) for item in run.writes],
            input_source_files=[{"file_id": RAW_ID}] if run.reads_raw else [],
        )

    def product(self, item: Product, run: Run) -> dict[str, object]:
        return {
            "artifact_id": item.id,
            "version": item.version,
            "path": item.path,
            "media_type": item.media_type,
            "logical_name": item.name,
            "turn_id": run.parent or "turn-1",
            "content_hash": sha256(Path(item.path).read_bytes()),
            "input_artifact_versions": [
                {"artifact_id": read.id, "version": read.version} for read in run.reads
            ],
        }

    def subagent(self, status: str, **finish: str) -> None:
        self.mem.observe_subagent(
            plan.FITTER,
            session_id=SESSION,
            turn_id="turn-1",
            objective="Fit body mass on bill depth within species, and within sex",
            subagent_type="data-analyst",
            created_at=at("09:24"),
            status=status,
            **finish,
        )

    def analysis(self) -> None:
        self.search("search-1", "09:02", ["gorman", "horst"])
        self.upload()
        self.run(plan.CLEANING)
        self.mem.declare_artifact(
            plan.CLEAN.path,
            session_id=SESSION,
            artifact_id=plan.CLEAN.id,
            code_id=plan.CLEANING.id,
            logical_name=plan.CLEAN.name,
            media_type=plan.CLEAN.media_type,
            created_at=at("09:12"),
        )
        self.run(plan.POOLED)
        self.search("search-2", "09:18", ["simpson", "kievit", "bickel"])
        self.run(plan.FAILING, exit_code=1)
        self.subagent("running")
        self.run(plan.SPECIES)
        self.run(plan.SEX)
        self.subagent(
            "completed",
            finished_at=at("09:34"),
            summary="Positive slope in each species, and in each sex of each species",
        )
        self.run(plan.DRAWING)

    def picture_without_producer(self) -> None:
        """Declare a picture as one does who drew it elsewhere: no run is named."""
        execute("unrecorded_islands.py").check_returncode()
        self.mem.declare_artifact(
            "figures/birds_per_island.png",
            session_id=SESSION,
            artifact_id="fig-islands",
            logical_name="birds_per_island.png",
            media_type="image/png",
            created_at=at("09:41"),
        )

    def declare(self) -> tuple[list[str], list[dict[str, object]]]:
        """Declare evidence and claims; return claim ids and the report's alias map."""
        for alias, (paper, content, locator) in story.EVIDENCE.items():
            self.evidence[alias] = self.mem.declare_evidence(
                content,
                session_id=SESSION,
                source_paper_link=story.PAPERS[paper]["link"],
                locator=locator,
                evidence_type="PARAPHRASE",
                confidence="HIGH",
                strength="MODERATE",
                created_at=at("09:45"),
            ).evidence_id
        claim_ids: list[str] = []
        references: list[dict[str, object]] = []
        numbers = story.numbers()
        for content, aliases in story.CLAIMS:
            claim = self.claim(content.format(**numbers), aliases)
            claim_ids.append(claim.claim_id)
            references += [
                {**chip, "claim_id": claim.claim_id} for chip in claim.chip_map.values()
            ]
        return claim_ids, references

    def claim(self, content: str, aliases: list[str]) -> smemkit.DeclaredClaim:
        figures = {a: story.ARTIFACTS[a] for a in aliases if a in story.ARTIFACTS}
        return self.mem.declare_claim(
            content,
            session_id=SESSION,
            claim_type="FINDING",
            confidence="HIGH",
            locator="report.md",
            cites_evidence_aliases={
                a: self.evidence[a] for a in aliases if a in self.evidence
            },
            cites_artifact_aliases={a: name for a, (name, _) in figures.items()},
            cites_artifact_versions={a: number for a, (_, number) in figures.items()},
            cites_source_file_aliases={
                a: RAW_ID for a in aliases if a.startswith("sourcefile")
            },
            created_at=at("09:50"),
        )

    def report(self, claim_ids: list[str], references: list[dict[str, object]]) -> None:
        self.run(plan.WRITING)
        self.mem.link_claims_to_report(
            plan.REPORT.id,
            artifact_version=1,
            claim_ids=claim_ids,
            session_id=SESSION,
            references=references,
        )


def settle(folder: Path) -> None:
    """Replace the random ids of a memory by ids that a rebuild gives again."""
    names: dict[str, str] = {}
    for name in ("nodes.jsonl", "edges.jsonl"):
        path = folder / name
        text = RANDOM_ID.sub(
            lambda hit: names.setdefault(
                hit[0], str(uuid.uuid5(uuid.NAMESPACE_URL, f"{SESSION}:{len(names)}"))
            ),
            path.read_text(encoding="utf-8"),
        )
        path.write_text(text, encoding="utf-8", newline="\n")


def make(out: Path) -> None:
    """Run and record the analysis in `out`, replacing what an earlier run left there."""
    for name in ("memory", "workspace"):
        shutil.rmtree(out / name, ignore_errors=True)
    for name in ("data", "tables", "figures", "logs"):
        (out / "workspace" / name).mkdir(parents=True)
    raw = importlib.resources.files("palmerpenguins") / "data" / "penguins.csv"
    (out / "workspace" / RAW).write_bytes(raw.read_bytes())
    with (
        smemkit.open(out / "memory") as mem,
        contextlib.chdir(out / "workspace"),
    ):
        recorder = Recorder(mem)
        Path("environment.json").write_text(recorder.environment, newline="\n")
        recorder.goal()
        recorder.analysis()
        recorder.picture_without_producer()
        recorder.report(*recorder.declare())
    settle(out / "memory")


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--out", type=Path, default=HERE / "data", metavar="DIR")
    out = parser.parse_args(argv).out.resolve()
    make(out)
    files = [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1000:.0f} kB in {out}")


if __name__ == "__main__":
    main()
