# SPDX-License-Identifier: Apache-2.0
"""What a memory on Neo4j costs, against the app's own sidecar on the same kind of server.

``python -m tests.benchmarks.neo4j`` starts a server of its own (or takes the one
that SMEMKIT_NEO4J_URL names) and prints the table; the exit code is 1 if an aim
was missed. A session of N executions is told call by call, each reading the
artifact before it. The figures of the sidecar were taken on a machine with two
cores that did nothing else.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import smemkit
from tests.benchmarks.measure import Row, median, table
from tests.neo4j_server import Address, NoServer, serving

RUNS = 5
SESSION = "bench"


@dataclass(frozen=True)
class Sidecar:
    """Milliseconds of the app's sidecar (August 2026) for one N."""

    first: float
    last: float
    chain: float
    trace: float
    subgraph: float


SIDECAR = {
    200: Sidecar(38, 37, 73, 66, 104),
    1_000: Sidecar(31, 49, 130, 75, 223),
    2_500: Sidecar(32, 94, 169, 113, 387),
}
FLAT = 1.3
"""How much dearer the last tenth of the writes may be than the first."""


def rows() -> list[Row]:
    """Measure all sizes and return their rows; one row says why if there is no server."""
    found = []
    with tempfile.TemporaryDirectory(prefix="smemkit-bench-") as name:
        named = {k: v for k, v in os.environ.items() if k.startswith("SMEMKIT_NEO4J_")}
        try:
            with serving(Path(name) / "home", named) as address:
                warm(address)
                for size, sidecar in SIDECAR.items():
                    found += measure(address, size, sidecar)
        except NoServer as missing:
            found.append(Row(str(missing), "not measured", "", None, "", True))
    return found


def main() -> int:
    """Print the table of Neo4j alone and return the exit code."""
    found = rows()
    sys.stdout.write(table(found) + "\n")
    return 0 if all(row.met for row in found) else 1


def warm(address: Address) -> None:
    """Let the server compile what it is going to be asked, as a running one has."""
    with address.open() as memory:
        for i in range(1_000):
            tell(memory, i)
        ask(memory, 1_000)
    address.wipe()


def tell(memory: smemkit.Memory, i: int) -> float:
    """Write one execution and return the milliseconds it took."""
    artifact: dict[str, object] = {"artifact_id": f"a{i}", "version": 1}
    artifact |= {"path": f"out/{i}.csv", "logical_name": f"table {i}"}
    if i:
        read = {"artifact_id": f"a{i - 1}", "version": 1}
        artifact["input_artifact_versions"] = [read]
    start = time.perf_counter()
    memory.observe_execution(
        session_id=SESSION,
        execution_id=f"e{i}",
        status="succeeded",
        produced_artifacts=[artifact],
    )
    return 1_000 * (time.perf_counter() - start)


def middle(action: Callable[[], object]) -> float:
    """Return the median of five runs, in milliseconds."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        action()
        taken.append(1_000 * (time.perf_counter() - start))
    return median(taken)


def ask(memory: smemkit.Memory, size: int) -> dict[str, float]:
    """Return the milliseconds of each question; each is asked of the server anew."""
    middle_call, last = f"subtask:e{size // 2}", f"a{size - 1}#v1"
    chain = memory.chain(middle_call, chain_kind="task", session_id=SESSION)
    trace = memory.trace_provenance(last, session_id=SESSION)
    part = memory.subgraph(SESSION, limit=500)
    # The start, the line both ways and what its calls produced: nothing is cut.
    if len(chain.to_dict()["nodes"]) < size or trace.broken:
        raise AssertionError("an answer was cut")
    if len(part.to_dict()["edges"]) < len(part.to_dict()["nodes"]) - 1:
        raise AssertionError("a page lost its edges")
    return {
        "chain": middle(
            lambda: memory.chain(
                middle_call, chain_kind="task", session_id=SESSION
            ).to_dict()
        ),
        "trace": middle(
            lambda: memory.trace_provenance(last, session_id=SESSION).to_dict()
        ),
        "subgraph": middle(lambda: memory.subgraph(SESSION, limit=500).to_dict()),
    }


def measure(address: Address, size: int, sidecar: Sidecar) -> list[Row]:
    """Return the rows of one session of `size` executions."""
    # The sidecar's figures are those of a process of its own: what earlier benchmarks
    # loaded is not to be searched by Python's collector in this one's time.
    gc.collect()
    gc.freeze()
    with address.open() as memory:
        memory.observe_session_first_message(SESSION, core_objective="What holds?")
        taken = [tell(memory, i) for i in range(size)]
        warm_times = ask(memory, size)
    with address.open() as memory:
        start = time.perf_counter()
        memory.trace_provenance(f"a{size - 1}#v1", session_id=SESSION)
        cold = 1_000 * (time.perf_counter() - start)
    address.wipe()
    tenth = size // 10
    first, last = median(taken[:tenth]), median(taken[-tenth:])
    found = [
        row(f"Neo4j, N = {size:,}: a write, first tenth", first, sidecar.first),
        row(f"Neo4j, N = {size:,}: a write, last tenth", last, sidecar.last),
        Row(
            f"Neo4j, N = {size:,}: last tenth against first",
            f"{last:.1f} ms",
            f"{first:.1f} ms",
            last / first,
            f"≤ {FLAT} ×",
            last / first <= FLAT,
        ),
    ]
    for name, milliseconds in warm_times.items():
        found.append(
            row(f"Neo4j, N = {size:,}: {name}", milliseconds, getattr(sidecar, name))
        )
    found.append(row(f"Neo4j, N = {size:,}: trace, store just opened", cold, None))
    return found


def row(what: str, measured: float, sidecar: float | None) -> Row:
    """Return a line against the sidecar's figure."""
    if sidecar is None:
        return Row(what, f"{measured:.1f} ms", "", None, "", True)
    aim = f"< {sidecar:g} ms"
    ratio = measured / sidecar
    return Row(
        what, f"{measured:.1f} ms", f"sidecar {sidecar:g} ms", ratio, aim, ratio < 1
    )


if __name__ == "__main__":
    sys.exit(main())
