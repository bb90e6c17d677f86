# SPDX-License-Identifier: Apache-2.0
"""Measure smemkit against floors taken in the same run, and print one table.

``make bench`` runs it. Each figure that can be is a ratio, so that the table
means the same on a slow machine as on a fast one. The exit code is 1 if an aim
was missed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import orjson

import smemkit
from tests.benchmarks import http, load, neo4j, pages, stores
from tests.benchmarks.measure import Row, best, median, resident_mb, table


def main() -> int:
    """Measure everything and return the exit code."""
    with tempfile.TemporaryDirectory(prefix="smemkit-bench-") as name:
        folder = Path(name)
        big = stores.big_store(folder / "big")
        rows = [
            *opening(big),
            *reading(big),
            *walking(folder),
            *writing(folder),
            *http.tracing(big, folder),
            *load.rows(folder / "load"),
            *drawing(big),
            *pages.exploring(folder),
            *neo4j.rows(),
        ]
    sys.stdout.write(table(rows) + "\n")
    return 0 if all(row.met for row in rows) else 1


def opening(big: Path) -> list[Row]:
    """Open 100,000 nodes, against reading the lines and parsing each."""

    def parse() -> int:
        count = 0
        for name in ("nodes.jsonl", "edges.jsonl"):
            for line in (big / name).read_bytes().split(b"\n"):
                if line:
                    orjson.loads(line)
                    count += 1
        return count

    count = parse()
    floor = best(parse)
    opened = best(lambda: smemkit.open(big).close(), runs=3)
    code = f"import smemkit, sys; m = smemkit.open({str(big)!r}); len(m); "
    code += "sys.exit('pandas was loaded') if 'pandas' in sys.modules else None"
    resident = resident_mb(code)
    ratio = opened / floor
    return [
        Row(
            f"open {count:,} records",
            f"{opened:.2f} s",
            f"{floor:.2f} s, read and parse each line",
            ratio,
            "≤ 7 ×",
            ratio <= 7,
        ),
        Row(
            "its resident size",
            f"{resident:.0f} MB",
            "",
            None,
            "≤ 260 MB",
            resident <= 260,
        ),
    ]


def reading(big: Path) -> list[Row]:
    """Trace, subgraph and search in a store of 100,000 nodes."""
    mem = smemkit.open(big)

    def first_search() -> object:
        return mem.match("bill growth island")

    start = time.perf_counter()
    first_search()
    first = time.perf_counter() - start
    again = best(first_search)
    rows = []
    for session, calls in (("short", 200), ("long", 2_500)):
        node = f"{session}-e{calls}-out#v1"
        took = best(
            lambda n=node, s=session: mem.trace_provenance(n, session_id=s), runs=20
        )
        rows.append(_limit(f"trace, session of {calls:,} calls", took, 1e-3))
    took = best(lambda: mem.subgraph("five-hundred"), runs=10)
    rows.append(_limit("session subgraph of 500 nodes", took, 20e-3))
    rows.append(_limit("first search", first, 0.4))
    rows.append(_limit("later searches", again, 0.15))
    mem.close()
    return rows


def walking(folder: Path) -> list[Row]:
    """Trace a very long line, and rejoining branches."""
    line = smemkit.open(stores.line_store(folder / "line", 50_000))
    diamonds = smemkit.open(stores.diamond_store(folder / "diamonds", 40))
    return [
        _limit(
            "trace, line of 50,000 calls",
            best(lambda: line.trace_provenance("line-e50000-out#v1")),
            50e-3,
        ),
        _limit(
            "trace, 40 stacked diamonds",
            best(lambda: diamonds.trace_provenance("subtask:c39", max_hops=32)),
            10e-3,
        ),
    ]


def writing(folder: Path) -> list[Row]:
    """One durable tool call, early and late in a session, and what it writes."""
    mem = smemkit.open(folder / "writes")
    mem.observe_session_first_message("s", core_objective="Measure one call.")
    path = folder / "writes"
    costs: list[float] = []
    sizes: list[int] = []
    for k in range(10_020):
        before = _size(path)
        start = time.perf_counter()
        mem.observe_execution(
            f"e{k}",
            session_id="s",
            turn_id="t1",
            tool="run_python",
            code_hash="ab12",
            status="succeeded",
            started_at=stores.moment(k),
            finished_at=stores.moment(k),
        )
        costs.append(time.perf_counter() - start)
        sizes.append(_size(path) - before)
    early, late = median(costs[10:110]), median(costs[-100:])
    floor = _fsync_floor(folder / "floor", sizes[-1])
    return [
        Row(
            "one tool call, durable, at 10,000",
            f"{late * 1e3:.2f} ms",
            f"{early * 1e3:.2f} ms at call 10",
            late / early,
            "≤ 1.3 ×",
            late / early <= 1.3,
        ),
        Row(
            "the same, against the disk",
            f"{late * 1e3:.2f} ms",
            f"{floor * 1e3:.2f} ms, two appends with fsync",
            late / floor,
            "",
            True,
        ),
        Row(
            "bytes of that call",
            f"{max(sizes[-100:]):,} B",
            f"{max(sizes[10:110]):,} B at call 10",
            None,
            "≤ 4 KB",
            max(sizes[-100:]) <= 4096,
        ),
    ]


def drawing(big: Path) -> list[Row]:
    """The page of a chain of 500 nodes."""
    mem = smemkit.open(big)
    chain = mem.chain(
        "five-hundred-e163-out#v1", chain_kind="full", session_id="five-hundred"
    )
    page = mem.show(chain).html()
    size = len(page.encode())
    took = best(lambda: mem.show(chain).html(), runs=3)
    return [
        Row(
            f"page of {len(chain.nodes)} nodes",
            f"{size / 1e6:.2f} MB, built in {took:.2f} s",
            "",
            None,
            "≤ 1 MB",
            size <= 1_000_000,
        )
    ]


def _limit(what: str, took: float, limit: float) -> Row:
    shown = f"{limit * 1e3:.0f} ms"
    return Row(what, f"{took * 1e3:.2f} ms", "", None, f"≤ {shown}", took <= limit)


def _size(folder: Path) -> int:
    return sum(
        (folder / name).stat().st_size
        for name in ("nodes.jsonl", "edges.jsonl")
        if (folder / name).exists()
    )


def _fsync_floor(path: Path, size: int) -> float:
    half = b"x" * (size // 2)

    def twice() -> None:
        for name in ("a", "b"):
            with path.with_suffix(f".{name}").open("ab") as file:
                file.write(half)
                file.flush()
                os.fsync(file.fileno())

    return best(twice, runs=50)


if __name__ == "__main__":
    sys.exit(main())
