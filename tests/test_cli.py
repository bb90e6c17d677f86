# SPDX-License-Identifier: Apache-2.0
"""The command line: answers, exit codes, errors of one line."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import smemkit
from smemkit import cli


@pytest.fixture
def store(cases: Path, tmp_path: Path) -> Path:
    """Return a copy of the app's store."""
    return Path(shutil.copytree(cases / "app-store", tmp_path / "store"))


def run(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def test_open_says_what_is_there(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sessions with their goals, counts per label."""
    assert run("open", store) == cli.OK

    shown = capsys.readouterr().out
    assert "Does bill length predict body mass" in shown
    assert "锌指结合环在哪里" in shown


def test_open_answers_as_json(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object, counts that a count of the lines confirms."""
    assert run("open", store, "--json") == cli.OK

    answer = json.loads(capsys.readouterr().out)
    lines = (store / "nodes.jsonl").read_text().splitlines()
    live = {json.loads(line)["id"] for line in lines}
    assert sum(answer["labels"].values()) == len(live)
    assert [s["id"] for s in answer["sessions"]] == ["S-7", "S-8"]


@pytest.mark.parametrize(
    ("node", "code"),
    [("fig#v2", cli.OK), ("orphan#v1", cli.FINDING), ("nobody", cli.FAILED)],
)
def test_trace_exits_by_what_it_found(store: Path, node: str, code: int) -> None:
    """0 whole, 1 broken, 2 no such node."""
    assert run("trace", store, node, "--session", "S-7") == code


def test_a_truncated_trace_is_a_finding(store: Path) -> None:
    """What was not walked to its end is not whole."""
    assert run("trace", store, "fig#v2", "--max-hops", 1) == cli.FINDING


def test_trace_answers_in_the_wire_form(
    store: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--json gives what the HTTP route gives; the chain is the known one."""
    run("trace", store, "fig#v2", "--session", "S-7", "--json")

    answer = json.loads(capsys.readouterr().out)
    known = json.loads((cases / "app-store.expected.json").read_text())["fig#v2"]
    expected = next(k["answer"] for k in known if set(k) == {"session_id", "answer"})
    assert [e["node"]["id"] for e in answer["chain"]] == [
        e["id"] for e in expected["chain"]
    ]
    assert answer["reason"] == expected["reason"]


def test_audit_reads_text_and_references_from_files_and_standard_input(
    store: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the sentences carry is judged, and so are the claims that they do not."""
    references = tmp_path / "references.json"
    references.write_text(
        json.dumps(
            [
                {"label": "artifact1", "kind": "artifact", "id": "fig", "version": 2},
                {
                    "label": "artifact2",
                    "kind": "artifact",
                    "id": "orphan",
                    "version": 1,
                },
            ]
        )
    )
    arguments = ("audit", store, "report", "--text", "-", "--references", references)

    monkeypatch.setattr(
        sys, "stdin", io.StringIO("Length and mass go together. [artifact1]\n")
    )
    assert run(*arguments, "--json") == cli.FINDING
    answer = json.loads(capsys.readouterr().out)
    assert [row["verdict"] for row in answer["rows"]] == ["complete"]
    said = [fault.partition(":")[0] for fault in answer["faults"]]
    assert said == [
        "cl-5 is in no sentence, and superseded",
        "cl-6 is in no sentence, and broken",
    ]

    monkeypatch.setattr(sys, "stdin", io.StringIO("The colony. [artifact2]\n"))
    assert run(*arguments, "--json") == cli.FINDING
    answer = json.loads(capsys.readouterr().out)
    assert answer["rows"][0]["verdict"] == "broken"


@pytest.fixture
def whole(tmp_path: Path) -> tuple[Path, Path]:
    """Return a memory whose report has no fault, and its workspace."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "fig.svg").write_text("<svg/>")
    (work / "report.md").write_text("It fits [artifact1]. No chip.\n")
    with smemkit.open(tmp_path / "memory") as mem:
        mem.observe_session_first_message("s", core_objective="Do bills grow?")
        mem.observe_execution("e1", status="completed")
        for name in ("fig.svg", "report.md"):
            key = name.partition(".")[0]
            mem.declare_artifact(name, artifact_id=key, code_id="e1", file=work / name)
        claim = mem.declare_claim("So.", cites_artifact_aliases={"artifact1": "fig"})
        chips = [{"label": "artifact1", "kind": "artifact", "id": "fig"}]
        mem.link_claims_to_report(
            "report#v1", claim_ids=[claim.claim_id], references=chips
        )
    return tmp_path / "memory", work


def test_an_audit_exits_by_what_it_found(whole: tuple[Path, Path]) -> None:
    """0 whole, 1 nothing to audit, a file that changed, a wrong text; 2 no folder."""
    memory, work = whole

    assert run("audit", memory, "report", "--files", work) == cli.OK
    assert run("audit", memory, "report.md", "--text", work / "report.md") == cli.OK
    assert run("audit", memory, "report", "--max-hops", 1) == cli.FINDING
    assert run("audit", memory, "fig", "--files", work) == cli.FINDING
    assert run("audit", memory, "report", "--text", work / "fig.svg") == cli.FINDING
    assert run("audit", memory, "report", "--files", work / "fig.svg") == cli.FAILED
    assert run("audit", memory, "report", "--max-hops", 33) == cli.FAILED
    (work / "fig.svg").unlink()
    assert run("audit", memory, "report", "--files", work) == cli.FINDING


def test_audit_answers_as_csv(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line per sentence under a heading, for a spreadsheet; a list is one cell."""
    assert run("audit", store, "report", "--csv") == cli.FINDING

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    with smemkit.open(store) as mem:
        found = mem.audit("report")
    assert list(rows[0]) == list(found.to_frame())
    assert len(rows) == len(found) == 6
    for told, row in zip(rows, found, strict=True):
        assert told["claims"] == row.claims[0]
        assert told["line"] == ""
        assert told["reasons"].split("; ") == "; ".join(row.reasons).split("; ")
        assert "[" not in told["claims"] + told["supports"]


def test_audit_answers_with_its_faults_alone(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In each form; the counts are those of the whole."""
    run("audit", store, "report", "--faults")
    head, *shown = capsys.readouterr().out.splitlines()
    assert "4 complete" in head
    assert [line[:4].strip() for line in shown if line[:3] != "   "][:2] == ["5,", "6,"]
    assert not any(line.startswith("  1") for line in shown)
    run("audit", store, "report", "--faults", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert [row["n"] for row in answer["rows"]] == [5, 6]
    assert answer["counts"]["complete"] == 4
    run("audit", store, "report", "--faults", "--csv")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_one_form_of_an_answer_excludes_the_other(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither wins in silence."""
    with pytest.raises(SystemExit, match="2"):
        run("audit", store, "report", "--csv", "--json")
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("trace", "nobody"), "NodeNotFound"),
        (("audit", "nobody"), "NodeNotFound"),
        (("trace", "fig", "--session", "S-0"), "SessionNotFound"),
        (("trace", "fig", "--max-hops", "0"), "BadRequest"),
    ],
)
def test_with_json_an_error_is_json_too(
    store: Path, capsys: pytest.CaptureFixture[str], arguments: tuple, kind: str
) -> None:
    """A script reads one stream; a person the other."""
    command, *rest = arguments
    assert run(command, store, *rest, "--json") == cli.FAILED

    out, err = capsys.readouterr()
    told = json.loads(out)["error"]
    assert told["kind"] == kind
    assert err == f"smemkit: {told['message']}\n"
    assert told["message"].startswith(f"{told['asked']}: {told['found']}")
    assert run(command, store, *rest) == cli.FAILED
    assert capsys.readouterr() == ("", err)


def test_an_error_names_no_verb_that_a_shell_does_not_have(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no `mem` in a shell."""
    for arguments in (("nobody",), ("fig", "--session", "S-0")):
        run("trace", store, *arguments)
        shown = capsys.readouterr().err
        assert "mem." not in shown
        assert "`smemkit open STORE` lists" in shown


def test_check_of_a_whole_store_is_well(store: Path) -> None:
    """The app's own store has nothing to mend."""
    assert run("check", store) == cli.OK


def test_check_finds_and_repair_mends(cases: Path, tmp_path: Path) -> None:
    """A number as id keeps the app from opening; after the repair nothing does."""
    broken = Path(
        shutil.copytree(cases / "damaged" / "numeric-id", tmp_path / "broken")
    )

    assert run("check", broken) == cli.FINDING
    run("check", broken, "--repair")
    assert run("check", broken) == cli.OK


def test_check_repairs_and_compacts_at_once(
    cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was mended is listed, and one line is left for each live record."""
    broken = tmp_path / "broken"
    shutil.copytree(cases / "damaged" / "numeric-id", broken)

    assert run("check", broken, "--repair", "--compact", "--json") == cli.OK

    answer = json.loads(capsys.readouterr().out)
    assert answer["compacted"] is True
    assert [m["kind"] for m in answer["mended"]] == ["id-not-text"]
    files = [broken / "nodes.jsonl", broken / "edges.jsonl"]
    records = [json.loads(x) for f in files for x in f.read_text().splitlines()]
    live = [record for record in records if "deleted" not in record]
    assert len(live) == answer["nodes"] + answer["edges"] > 0
    assert not any("b" in record for record in records)
    assert run("check", broken) == cli.OK


def test_check_without_a_word_changes_no_byte(cases: Path, tmp_path: Path) -> None:
    """A damaged store is looked at, not touched."""
    broken = tmp_path / "broken"
    shutil.copytree(cases / "damaged" / "numeric-id", broken)
    before = {p.name: p.read_bytes() for p in broken.iterdir()}

    assert run("check", broken) == cli.FINDING
    assert {p.name: p.read_bytes() for p in broken.iterdir()} == before


@pytest.mark.parametrize("target", [":memory:", "http://localhost:1"])
def test_only_a_folder_can_be_checked(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal is one line."""
    assert run("check", target, "--repair", "--compact") == cli.FAILED
    assert "folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["open", "check"])
def test_a_store_that_is_not_there_is_one_line_of_error(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading commands never make one."""
    missing = tmp_path / "none"

    assert run(command, missing) == cli.FAILED

    shown = capsys.readouterr().err
    assert shown.startswith("smemkit: ")
    assert shown.count("\n") == 1
    assert not missing.exists()


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"{}", b"[1]"])
def test_references_that_are_no_list_of_objects_are_refused(
    store: Path, tmp_path: Path, content: bytes
) -> None:
    """Not JSON, not UTF-8, not a list: three times exit 2."""
    file = tmp_path / "references.json"
    file.write_bytes(content)

    assert run("audit", store, "report", "--references", file) == cli.FAILED


def test_wrong_use_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    """As argparse has it."""
    with pytest.raises(SystemExit, match="2"):
        run("trace")


def test_every_command_ends_its_help_with_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line to paste, and the exit codes before it."""
    for command in ("open", "trace", "audit", "check", "copy"):
        with pytest.raises(SystemExit):
            run(command, "--help")
        shown = " ".join(capsys.readouterr().out.split())
        assert f"example: smemkit {command} " in shown
        assert "exit codes: 0 " in shown
        assert "2 not answered" in shown


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("trace", "the label to look for (default: ResearchGoal)"),
        ("trace", "1 to 32 (default: 8)"),
        ("audit", "1 to 32 (default: 8)"),
        ("audit", "(default: those the memory keeps)"),
    ],
)
def test_a_default_is_told(
    command: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody has to read the code for it."""
    with pytest.raises(SystemExit):
        run(command, "--help")
    assert told in " ".join(capsys.readouterr().out.split())


def test_the_module_runs_as_a_program(store: Path) -> None:
    """`python -m smemkit` is the same command, with its exit codes."""
    done = subprocess.run(
        [sys.executable, "-m", "smemkit", "trace", store, "orphan#v1"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == cli.FINDING
    assert "no upstream of Artifact #orphan#v1" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(store: Path) -> None:
    """As with `smemkit open … | head -1`."""
    pipe = subprocess.run(
        f'"{sys.executable}" -m smemkit open "{store}" --json | head -c 1',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Traceback" not in pipe.stderr
