# SPDX-License-Identifier: Apache-2.0
"""What can be said where the store did not tell everything? Only: truncated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from smemkit.answers import Reason, Trace
from smemkit.records import Problems
from smemkit.report.verdicts import Audit, AuditRow

UNSURE = frozenset({"unlinked claim", "broken", "superseded", "complete"})
"""Verdicts that rest on nothing having been left out."""


def admitted_trace(trace: Trace, problems: Problems) -> Trace:
    """Return the trace, truncated instead of broken if it touches a session that was cut.

    A trace that met its target stays complete: nothing that was left out undoes it.

    Parameters
    ----------
    trace : Trace
        As it follows from what the store told.
    problems : callable
        Lists the store's; those of kind ``truncated`` that name a session count.

    Examples
    --------
    >>> import smemkit
    >>> from smemkit.records import Problem
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_execution("run-1", session_id="s")
    >>> cut = Problem("", None, "cut at 500 rows", "truncated", "s")
    >>> admitted_trace(mem.trace_provenance("run-1"), lambda: [cut]).verdict
    'truncated'
    """
    reasons = _touched(_cut(problems), [None], [trace]) if trace.broken else ()
    if not reasons:
        return trace
    why = Reason("cut.trace", why=trace.why, reasons=reasons)
    return replace(trace, broken=False, truncated=True, why=why)


def admitted_audit(audit: Audit, problems: Problems) -> Audit:
    """Return the audit with `truncated` wherever it touches a session that was cut.

    Parameters
    ----------
    audit : Audit
        As it follows from what the store told.
    problems : callable
        Lists the store's; those of kind ``truncated`` that name a session count.

    Examples
    --------
    >>> import smemkit
    >>> from smemkit.records import Problem
    >>> mem = smemkit.open(":memory:")
    >>> fig = mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    >>> claim = mem.declare_claim("It fits.", cites_artifact_aliases={"artifact1": "fig"})
    >>> made = mem.declare_artifact("report.md", artifact_id="report")
    >>> done = mem.link_claims_to_report("report", artifact_version=1, claim_ids=[claim.claim_id])
    >>> cut = Problem("", None, "cut at 500 rows", "truncated", "s")
    >>> [row.verdict for row in admitted_audit(mem.audit("report"), lambda: [cut])]
    ['truncated']
    """
    cut = _cut(problems)
    if not cut:
        return audit
    return replace(audit, rows=tuple(_row(audit, row, cut) for row in audit.rows))


def _cut(problems: Problems) -> dict[str, list[str]]:
    """Return the sessions that were cut, and what says so."""
    cut: dict[str, list[str]] = {}
    for problem in problems():
        if problem.kind == "truncated" and problem.session_id is not None:
            cut.setdefault(problem.session_id, []).append(problem.reason)
    return cut


def _row(audit: Audit, row: AuditRow, cut: dict[str, list[str]]) -> AuditRow:
    if row.verdict not in UNSURE:
        return row
    reasons = _touched(cut, [audit.report.session_id], row.traces)
    if not reasons:
        return row
    return replace(row, verdict="truncated", why=(*row.why, *reasons))


def _touched(
    cut: dict[str, list[str]], sessions: Iterable[str | None], traces: Iterable[Trace]
) -> tuple[Reason, ...]:
    """Return what was cut of these sessions and of those the traces pass through."""
    touched = dict.fromkeys(sessions)
    for trace in traces:
        touched.update(dict.fromkeys([trace.start.session_id, trace.session_id]))
        touched.update(dict.fromkeys(hop.node.session_id for hop in trace.chain))
    return tuple(
        Reason("cut", said=said)
        for session in touched
        if session is not None
        for said in cut.get(session, ())
    )
