# SPDX-License-Identifier: Apache-2.0
"""What can an audit say where the store did not tell everything? Only: truncated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from smemkit.records import Problem
from smemkit.report.verdicts import Audit, AuditRow

UNSURE = frozenset({"unlinked claim", "broken", "superseded", "complete"})
"""Verdicts that rest on nothing having been left out."""


def admit(audit: Audit, problems: Iterable[Problem]) -> Audit:
    """Return the audit with `truncated` wherever it touches a session that was cut.

    Parameters
    ----------
    audit : Audit
        As it follows from what the store told.
    problems : iterable of Problem
        The store's; those of kind ``truncated`` that name a session count.

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
    >>> [row.verdict for row in admit(mem.audit("report"), [cut])]
    ['truncated']
    """
    cut: dict[str, list[str]] = {}
    for problem in problems:
        if problem.kind == "truncated" and problem.session_id is not None:
            cut.setdefault(problem.session_id, []).append(problem.reason)
    if not cut:
        return audit
    return replace(audit, rows=tuple(_row(audit, row, cut) for row in audit.rows))


def _row(audit: Audit, row: AuditRow, cut: dict[str, list[str]]) -> AuditRow:
    if row.verdict not in UNSURE:
        return row
    touched = dict.fromkeys([audit.report.session_id])
    for trace in row.traces:
        touched.update(dict.fromkeys([trace.start.session_id]))
        touched.update(dict.fromkeys(hop.node.session_id for hop in trace.chain))
    reasons = [
        reason
        for session in touched
        if session is not None
        for reason in cut.get(session, ())
    ]
    if not reasons:
        return row
    return replace(row, verdict="truncated", reasons=(*row.reasons, *reasons))
