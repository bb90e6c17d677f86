# SPDX-License-Identifier: Apache-2.0
"""The command line: ``smemkit open|trace|audit|check|copy STORE …``.

Exit codes, for scripts: 0 all is well, 1 there is a finding (a broken or
unfinished chain, a sentence that does not hold, nothing to audit, a damaged record,
a record that was not copied), 2 the question could not be answered (wrong use, no
such store, no such node). With ``--json`` an error is a JSON object as well.

The way into a server comes from the environment, so that no password stands in a
list of processes: ``SCIENCE_AGENT_MEMORY_GRAPH_NEO4J_USER`` and ``…_NEO4J_PASSWORD``,
for HTTP ``SCIENCE_AGENT_MEMORY_GRAPH_INTERNAL_TOKEN``.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import smemkit
from smemkit import copying
from smemkit.display import line
from smemkit.errors import BadRequest, SmemError
from smemkit.report.verdicts import COLUMNS
from smemkit.server import serve
from smemkit.settings import Settings, internal_token

OK, FINDING, FAILED, INTERRUPTED = 0, 1, 2, 130

_VERB = re.compile(r"see mem\.\w+\(\)(?: for the ids)?")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; those of the process if None.

    Returns
    -------
    int
        0 well, 1 a finding, 2 not answered, 130 interrupted.
    """
    try:
        return _answer(_parser().parse_args(argv))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return OK


def _answer(options: argparse.Namespace) -> int:
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except SmemError as error:
        _refuse(options, error)
        return FAILED


def _refuse(options: argparse.Namespace, error: SmemError) -> None:
    """Say what went wrong, with no verb in it that a shell does not have."""
    instead = "`smemkit open STORE` lists its sessions and reports"
    message = _VERB.sub(instead, error.message)
    if options.json:
        told = {
            "kind": type(error).__name__,
            "message": message,
            "asked": error.asked,
            "found": error.found,
            "do": _VERB.sub(instead, error.do),
        }
        sys.stdout.write(json.dumps({"error": told}, ensure_ascii=False) + "\n")
    sys.stderr.write(f"smemkit: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="smemkit",
        description="Open a science memory, trace it, audit its report.",
        epilog="exit codes: 0 well, 1 a finding, 2 not answered\n"
        "example: smemkit audit ~/.science-agent/memory-graph report-1 --files workspace/",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"smemkit {smemkit.__version__}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_open(commands)
    _add_trace(commands)
    _add_audit(commands)
    _add_check(commands)
    _add_copy(commands)
    serve.add_parser(commands)
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help_text: str,
    *,
    finding: str,
    example: str,
) -> argparse.ArgumentParser:
    codes = f"0 {'well' if finding else 'answered'}, "
    codes += f"1 {finding}, " if finding else ""
    codes += "2 not answered: wrong use, no such store or id"
    parser = commands.add_parser(
        name,
        help=help_text.partition(". ")[0].rstrip(".") + ".",
        description=textwrap.fill(help_text, 79),
        epilog=textwrap.fill(f"exit codes: {codes}", 79) + f"\nexample: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "store", metavar="STORE", help="a memory: a folder, or a server's address"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="answer as one JSON object, an error too"
    )
    if name == "audit":
        form.add_argument(
            "--csv",
            action="store_true",
            help="answer as a table with commas; lists are joined with '; '",
        )
    return parser


def _add_open(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands,
        "open",
        "Say what a memory holds: sessions, reports, counts.",
        finding="",
        example="smemkit open ~/.science-agent/memory-graph",
    )
    parser.set_defaults(command=_open)


def _add_trace(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands,
        "trace",
        "Walk from a node to the research goal and say whether the chain holds.",
        finding="broken or truncated",
        example="smemkit trace memory/ fig#v2",
    )
    parser.add_argument("node", metavar="NODE", help="a node's id, such as fig#v2")
    parser.add_argument(
        "--session", metavar="ID", help="the session to stay in (default: any)"
    )
    parser.add_argument(
        "--target",
        metavar="LABEL",
        default="ResearchGoal",
        help="the label to look for (default: %(default)s)",
    )
    _add_hops(parser)
    parser.set_defaults(command=_trace)


def _add_hops(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-hops",
        metavar="N",
        type=int,
        default=8,
        help="layers of a chain to walk, 1 to 32 (default: %(default)s)",
    )


def _add_audit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands,
        "audit",
        "Say for each sentence of a report whether what it rests on holds.",
        finding="a sentence, a claim or a file at fault, or nothing to audit",
        example="smemkit audit memory/ report --files workspace/",
    )
    parser.add_argument(
        "report", metavar="REPORT", help="the report's id, such as report#v1, or path"
    )
    parser.add_argument(
        "--text",
        metavar="FILE",
        help="the report's Markdown; - is standard input (default: its file in --files)",
    )
    parser.add_argument(
        "--references",
        metavar="FILE",
        help="its references as a JSON list (default: those the memory keeps)",
    )
    parser.add_argument(
        "--files",
        metavar="DIR",
        help="the folder that holds the report's file and those it rests on, which are "
        "compared (default: none, one row per claim)",
    )
    parser.add_argument(
        "--faults", action="store_true", help="list only what is at fault"
    )
    _add_hops(parser)
    parser.set_defaults(command=_audit)


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands,
        "check",
        "List what is damaged in a store's files; mend it if asked.",
        finding="something is damaged still",
        example="smemkit check memory/ --repair",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what keeps the app from opening the store; the old bytes are kept beside it",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="rewrite the files with live records only",
    )
    parser.set_defaults(command=_check)


def _add_copy(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands,
        "copy",
        "Copy a memory into another: a folder or a server, in either direction. "
        "Cut off, it goes on when run again; what is there is never removed.",
        finding="a record was not copied",
        example="smemkit copy memory/ neo4j://localhost:7687",
    )
    parser.add_argument(
        "destination", metavar="DST", help="where to: a folder or a Neo4j server"
    )
    parser.add_argument(
        "--session", metavar="ID", help="copy only this session (default: all)"
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="give records that differ at DST the state of STORE; else they are listed",
    )
    parser.set_defaults(command=_copy)


def _opened(options: argparse.Namespace) -> smemkit.Memory:
    return smemkit.open(options.store, must_exist=True, **_login(options.store))


def _login(target: str) -> dict[str, object]:
    """Return what the environment says about the way in; nothing for a folder."""
    scheme = target.partition("://")[0] if "://" in target else ""
    if scheme.startswith(("neo4j", "bolt")):
        known = Settings.from_environment()
        user, password = known.neo4j_user, known.neo4j_password
        return {"auth": (user, password)} if password else {}
    token = internal_token()
    return {"token": token} if scheme.startswith("http") and token else {}


def _open(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        _say(options, memory.summary().to_dict(), str(memory.summary()))
    return OK


def _trace(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        trace = memory.trace_provenance(
            options.node,
            target_label=options.target,
            max_hops=options.max_hops,
            session_id=options.session,
        )
        _say(options, trace.to_dict(), str(trace))
    return FINDING if trace.broken or trace.truncated else OK


def _audit(options: argparse.Namespace) -> int:
    text = None if options.text is None else _read(options.text)
    references = None if options.references is None else _read_list(options.references)
    with _opened(options) as memory:
        audit = memory.audit(
            options.report,
            text=text,
            references=references,
            files=options.files,
            max_hops=options.max_hops,
        )
    rows = audit.at_fault if options.faults else audit.rows
    listed = [row.to_dict() for row in rows]
    if options.csv:
        _write_csv(listed)
        for fault in audit.faults:
            sys.stderr.write(f"smemkit: {line(fault)}\n")
    else:
        told = audit.to_dict() | {"rows": listed}
        _say(options, told, audit.text(faults=options.faults))
    return OK if audit.ok else FINDING


def _write_csv(rows: Sequence[dict[str, object]]) -> None:
    """Write rows of an audit for a spreadsheet: a list is one cell."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(
            "; ".join(map(str, cell)) if isinstance(cell, list) else cell
            for cell in row.values()
        )


def _check(options: argparse.Namespace) -> int:
    from smemkit.stores import repair

    report = repair.check(options.store, repair=options.repair, compact=options.compact)
    _say(options, report.to_dict(), str(report))
    return FINDING if report.problems else OK


def _copy(options: argparse.Namespace) -> int:
    def progress(done: int, total: int) -> None:
        sys.stderr.write(f"smemkit: {done:,} of {total:,} records\n")

    copied = copying.between(
        copying.opener(options.store, must_exist=True, **_login(options.store)),
        copying.opener(options.destination, **_login(options.destination)),
        session_id=options.session,
        replace=options.replace,
        progress=progress,
    )
    _say(options, copied.to_dict(), str(copied))
    return OK if copied.ok else FINDING


def _say(options: argparse.Namespace, answer: object, text: str) -> None:
    if options.json:
        text = json.dumps(answer, ensure_ascii=False, indent=2)
    sys.stdout.write(text.rstrip("\n") + "\n")


def _read(name: str) -> str:
    try:
        return (
            sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        )
    except UnicodeDecodeError as error:
        raise BadRequest(
            f"the text of {name!r}",
            found=f"byte {error.start} is not UTF-8",
            do="save it as UTF-8",
        ) from None
    except OSError as error:
        raise BadRequest(
            f"the file {name!r}", found=error.strerror or "not readable"
        ) from None


def _read_list(name: str) -> list[dict[str, object]]:
    try:
        found = json.loads(_read(name))
    except json.JSONDecodeError as error:
        raise BadRequest(
            f"the references in {name!r}", found=f"not JSON: {error}"
        ) from None
    if not isinstance(found, list) or not all(
        isinstance(entry, dict) for entry in found
    ):
        raise BadRequest(f"the references in {name!r}", found="not a list of objects")
    return found
