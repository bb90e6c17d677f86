# SPDX-License-Identifier: Apache-2.0
"""The command line: answers, exit codes, errors of one line."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
    """A whole sentence exits 0, one on a picture without a producer exits 1."""
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
    assert run(*arguments) == cli.OK
    monkeypatch.setattr(sys, "stdin", io.StringIO("The colony. [artifact2]\n"))
    assert run(*arguments, "--json") == cli.FINDING

    answer = json.loads(capsys.readouterr().out.partition("{")[2].join(["{", ""]))
    assert answer["rows"][0]["verdict"] == "broken"


def test_audit_answers_as_csv(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line per sentence under a heading, for a spreadsheet."""
    run("audit", store, "report", "--csv")

    heading, *lines = capsys.readouterr().out.splitlines()
    assert "verdict" in heading.split(",")
    assert len(lines) >= 6


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
    """A line to paste."""
    for command in ("open", "trace", "audit", "check"):
        with pytest.raises(SystemExit):
            run(command, "--help")
        assert f"example: smemkit {command} " in " ".join(
            capsys.readouterr().out.split()
        )


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
