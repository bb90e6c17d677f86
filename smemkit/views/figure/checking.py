# SPDX-License-Identifier: Apache-2.0
"""Whether a memory still yields what a figure shows: its question, asked again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from smemkit.display import plain
from smemkit.errors import BadRequest, SmemError, short
from smemkit.graph import Graph
from smemkit.reading.resolve import resolve
from smemkit.reading.trace import trace_from
from smemkit.report.audit import audit
from smemkit.views.figure.files import proof_in
from smemkit.views.figure.plans import chain_again, plan
from smemkit.views.figure.proof import Proof

NAMED = 8
"""Hops that a reason names."""


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """Whether a memory still yields a figure, and if not, what differs.

    Attributes
    ----------
    path : Path
        The figure's file.
    ok : bool
        True if the memory yields the same nodes, edges and trace.
    expected : Proof or None
        What the file says it shows; None if it says nothing.
    found : Proof or None
        What the memory yields now; None if it yields nothing.
    reasons : tuple of str
        What differs, in words.
    """

    path: Path
    ok: bool
    expected: Proof | None
    found: Proof | None
    reasons: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.expected is None:
            return f"{self.path.name}: {self.reasons[0]}"
        word = "the memory still yields this" if self.ok else "the memory has changed"
        head = f"{self.path.name}: {word} {self.expected.what}"
        return "\n".join([head, *(f"  {reason}" for reason in self.reasons)])

    def _repr_html_(self) -> str:
        from smemkit.display import safe

        return f"<pre>{safe(str(self))}</pre>"


def check(path: Path, graph: Graph) -> FigureCheck:
    """Compare what a figure's file says it shows with what a memory yields.

    Parameters
    ----------
    path : Path
        A file that `Figure.save` wrote.
    graph : Graph
        The memory's records.
    """
    expected = proof_in(path)
    if expected is None:
        said = "the file does not say what it shows; smemkit did not write it"
        return FigureCheck(path, False, None, None, (said,))
    try:
        found = _again(expected, graph)
    except SmemError as error:
        return FigureCheck(path, False, expected, None, (plain(str(error)),))
    ok = found.sha256 == expected.sha256 and found.trace == expected.trace
    reasons = () if ok else tuple(_reasons(expected, found))
    return FigureCheck(path, ok, expected, found, reasons)


def _again(proof: Proof, graph: Graph) -> Proof:
    """Ask the memory the figure's question again."""
    of = proof.of
    session_id = _text(of.get("session_id"))
    if proof.what == "session":
        if session_id is None or not graph.has_session(session_id):
            raise BadRequest(
                f"session {short(session_id)}", found="the memory has no such session"
            )
        return plan(None, graph, session_id=session_id).proof
    if proof.what == "chain":
        return plan(chain_again(graph, of), graph).proof
    name = _text(of.get("id")) or ""
    if proof.what == "audit":
        return plan(audit(graph, name), graph).proof
    if proof.what != "trace":
        raise BadRequest(f"a figure of {short(proof.what)}", found="no such kind here")
    start = resolve(
        graph,
        name,
        session_id=_text(of.get("start_session")),
        label=_text(of.get("label")) or None,
    )
    hops = of.get("max_hops")
    trace = trace_from(
        graph,
        start,
        name=name,
        target=_text(of.get("target_label")) or "ResearchGoal",
        max_hops=hops if isinstance(hops, int) else 8,
        session_id=session_id,
    )
    return plan(trace, graph).proof


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _reasons(expected: Proof, found: Proof) -> list[str]:
    reasons = []
    for name in ("nodes", "edges"):
        was, now = getattr(expected, name), getattr(found, name)
        if was != now:
            reasons.append(f"{now:,} {name}, the figure has {was:,}")
    reasons += _hops("not in the memory's trace now", expected.trace, found.trace)
    reasons += _hops("not in the figure", found.trace, expected.trace)
    if not reasons:
        reasons.append(
            "the same counts, but a node, an edge, a text or a state differs"
        )
    return reasons


def _hops(
    said: str, ours: tuple[tuple[int, str], ...], theirs: tuple[tuple[int, str], ...]
) -> list[str]:
    only = sorted(set(ours) - set(theirs))
    named = [f"hop {hop}: {plain(node)} is {said}" for hop, node in only[:NAMED]]
    if len(only) > NAMED:
        named.append(f"{len(only) - NAMED:,} more hops are {said}")
    return named
