# SPDX-License-Identifier: Apache-2.0
"""Which way does each chain kind go? The hop table: one row per kind.

The kinds, their start labels and their order are contract/query.md §6.3; the
labels a hop may reach are design §5.3, which checks them for every kind.
"""

from __future__ import annotations

from dataclasses import dataclass

from smemkit.errors import UnknownKind, short

STEPS = frozenset({"Task", "ToolCall"})
SOURCES = frozenset({"Paper", "WebPage", "SourceFile"})
OUT, IN = "out", "in"


@dataclass(frozen=True, slots=True)
class Step:
    """One hop: an edge type, the way it is followed, and what it may reach.

    Attributes
    ----------
    edge : str
        The edge type.
    way : str
        ``out`` along the arrow, ``in`` against it.
    labels : frozenset of str
        What is kept of what it reaches.
    oldest : bool
        Keep what the oldest fitting edge reaches, and nothing else.
    to_goal : bool
        Follow it over any length up to the research goal, which must be met;
        a subagent's child goes on through `contains`.
    """

    edge: str
    way: str
    labels: frozenset[str]
    oldest: bool = False
    to_goal: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table: the label whose button it is, its name, its hops."""

    label: str
    name: str
    steps: tuple[Step, ...]


def _to(label: str) -> frozenset[str]:
    return frozenset({label})


_TO_EVIDENCE = Step("extracts", OUT, _to("Evidence"))
_TO_CLAIM = Step("supports", OUT, _to("Claim"))
_TO_REPORT = Step("stated_in", OUT, _to("Artifact"))
_FROM_CLAIM = Step("stated_in", IN, _to("Claim"))
_FROM_EVIDENCE = Step("supports", IN, _to("Evidence"))
_FROM_CALL = Step("produces", IN, _to("ToolCall"), oldest=True)
_FROM_GOAL = Step("next", IN, STEPS | {"ResearchGoal"}, to_goal=True)

ROWS: tuple[Kind, ...] = (
    Kind("Task", "viewPrevTask", (Step("next", IN, STEPS, oldest=True),)),
    Kind("Task", "viewNextTask", (Step("next", OUT, STEPS, oldest=True),)),
    Kind("Task", "viewGoal", (_FROM_GOAL,)),
    Kind("Code", "viewInput", (Step("input", IN, _to("Artifact")),)),
    Kind("Code", "viewOutput", (Step("produces", OUT, _to("Artifact")),)),
    Kind("Code", "viewProducingTask", (Step("produces", IN, _to("ToolCall")),)),
    Kind("Paper", "viewExtractedEvidence", (_TO_EVIDENCE,)),
    Kind("Paper", "viewCitingClaim", (_TO_EVIDENCE, _TO_CLAIM)),
    Kind("Paper", "viewCitingArtifact", (_TO_EVIDENCE, _TO_CLAIM, _TO_REPORT)),
    Kind("Paper", "viewSearchingTask", (_FROM_CALL,)),
    Kind("Evidence", "viewSourcePaper", (Step("extracts", IN, SOURCES, oldest=True),)),
    Kind("Evidence", "viewCitingClaimForEvidence", (_TO_CLAIM,)),
    Kind("Evidence", "viewCitingArtifactForEvidence", (_TO_CLAIM, _TO_REPORT)),
    Kind("Claim", "viewCitingEvidenceForClaim", (_FROM_EVIDENCE,)),
    Kind(
        "Claim", "viewCitingDbRecordForClaim", (Step("supports", IN, _to("DbRecord")),)
    ),
    Kind(
        "Claim",
        "viewCitingSourceFileForClaim",
        (Step("supports", IN, _to("SourceFile")),),
    ),
    Kind(
        "Claim",
        "viewContainingArtifact",
        (Step("stated_in", OUT, _to("Artifact"), oldest=True),),
    ),
    Kind("Artifact", "viewContainedClaims", (_FROM_CLAIM,)),
    Kind("Artifact", "viewCitingClaimForArtifact", (_TO_CLAIM,)),
    Kind(
        "Artifact",
        "viewProducingCode",
        (Step("produces", IN, _to("Code"), oldest=True),),
    ),
    Kind("Artifact", "viewCitingEvidenceForArtifact", (_FROM_CLAIM, _FROM_EVIDENCE)),
    Kind(
        "Artifact",
        "viewCitedPaper",
        (_FROM_CLAIM, _FROM_EVIDENCE, Step("extracts", IN, _to("Paper"))),
    ),
    Kind(
        "Artifact",
        "viewRelatedTask",
        (
            Step("produces", IN, _to("Code")),
            Step("produces", IN, _to("ToolCall")),
            _FROM_GOAL,
        ),
    ),
    Kind("DbRecord", "viewCitingClaimForDbRecord", (_TO_CLAIM,)),
    Kind("DbRecord", "viewSearchingTaskForDbRecord", (_FROM_CALL,)),
    Kind("WebPage", "viewExtractedEvidenceForWebPage", (_TO_EVIDENCE,)),
    Kind("WebPage", "viewCitingClaimForWebPage", (_TO_EVIDENCE, _TO_CLAIM)),
    Kind(
        "WebPage", "viewCitingArtifactForWebPage", (_TO_EVIDENCE, _TO_CLAIM, _TO_REPORT)
    ),
    Kind("WebPage", "viewSearchingTaskForWebPage", (_FROM_CALL,)),
)
"""The whole table, in the order of the buttons."""

KINDS: dict[str, Kind] = {row.name: row for row in ROWS}
"""The rows by name."""

OLDER_KINDS = ("full", "task", "artifact")
"""The `chain_kind` words of older clients."""


def kinds_for(label: str) -> tuple[str, ...]:
    """Return the kinds that a label's buttons offer, in their order.

    Examples
    --------
    >>> kinds_for("Code")
    ('viewInput', 'viewOutput', 'viewProducingTask')
    >>> kinds_for("ResearchGoal")
    ()
    """
    return tuple(row.name for row in ROWS if row.label == label)


def require_kind(kind: str, label: str | None = None) -> Kind:
    """Return the row of a kind.

    Raises
    ------
    UnknownKind
        The table has no such row; the message lists those of the start's label,
        or all of them.
    """
    row = KINDS.get(kind) if isinstance(kind, str) else None
    if row is not None:
        return row
    names = kinds_for(label) if label else ()
    raise UnknownKind(
        f"chain kind {short(kind)}",
        found=f"{label} has no such kind" if names else "no kind has this name",
        do="use one of " + ", ".join(names or KINDS),
    )
