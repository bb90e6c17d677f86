# SPDX-License-Identifier: Apache-2.0
"""Why an answer is what it is: a code with its values, and the sentence of each code.

Data say a reason in English, as the contract has it; a view says it in its own language.
Values come from the memory: they are put into a template and never are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

REASONS: Mapping[str, str] = {
    "why.trace.complete": "reached terminal node {label}",
    "why.trace.broken": "no upstream of {label} #{id}",
    "why.trace.truncated": "truncated at max_hops={hops}",
    "why.chain.complete": "{chain} (reaches the goal)",
    "why.chain.broken": "{chain} ← nothing ({why})",
    "why.chain.truncated": "{chain} ← … ({why})",
    "why.chain.short": "{chain} ← … ({why}); raise max_hops",
    "why.chain.empty": "nothing was reached",
    "why.chip.like": "{found} looks like a chip and is none: a chip is [alias]",
    "why.chip.unknown": "[{alias}] stands for nothing in the report's references",
    "why.chip.absent": "[{alias}] stands for {what}, which is not in the memory",
    "why.chip.idle": "[{alias}] stands for {what}, but no claim stated in {report} rests on it",
    "why.chip.elsewhere": "[{alias}] stands for {what} in the claim {claim}, which is not stated in {report} or does not rest on it",
    "why.chip.version": "{said}: without a version it means {meant}, and the claim rests on {others}",
    "why.claim.bare": "nothing supports the claim {claim}",
    "why.superseded": "{old} is superseded by {new}",
    "why.too_many": "more than {most} nodes stand behind {id}; the rest was not looked at",
    "why.read.broken": "{run} read {read}, which does not reach the goal: {chain}",
    "why.read.superseded": "{run} read {read}, superseded by {new}",
    "why.run.is": "{id} is {runs}",
    "why.run.by": "{id} was made by {runs}",
    "why.ended.failed": "a run that failed ({run}: {status})",
    "why.ended.cancelled": "a run that was cancelled ({run}: {status})",
    "why.ended.open": "a run that has not ended ({run}: {status})",
    "why.join.runs": " and ",
    "why.differs": "the file {name} differs from the declared version",
    "why.differs.as": "the file {name} differs from the declared version; it is that of {other}",
    "why.differs.gone": "the file {name} is not there",
    "why.differs.unreadable": "the file {name} cannot be read",
    "why.differs.of": "{id}: {said}",
    "why.differs.large": "{id}: {said} and was not compared",
    "why.differs.more": "{n} more files differ or are gone",
    "why.file.no_path": "the report has no path in the memory",
    "why.file.missing": "no file {name} under the given folder",
    "why.file.unreadable": "{name} cannot be read ({error})",
    "why.file.no_name": "{name} is no name of a file",
    "why.file.too_large": "{name} is larger than {most} MiB",
    "why.file.no_hash": "the memory keeps no hash of {name} to know it by",
    "why.file.other": "{name} is not the declared version: its hash differs",
    "why.text.none": "no text was given; one row per claim",
    "why.text.no_file": "{said}; one row per claim",
    "why.text.not_utf8": "{name} is not UTF-8 text; one row per claim",
    "why.text.other": "the text given is not that of {report} as declared: its hash differs",
    "why.text.deep": "what is nested more than 40 lists deep was not read",
    "why.report.unlinked": "no claim is linked to {report}, so nothing was audited",
    "why.report.others": "no claim is linked to {report}, so nothing was audited; reports with claims: {others}",
    "why.report.uncited": "no sentence carries a chip: is this the text of {report}?",
    "why.unseen.broken": "{claim} is in no sentence, and broken: {reasons}",
    "why.unseen.truncated": "{claim} is in no sentence, and truncated: {reasons}",
    "why.unseen.superseded": "{claim} is in no sentence, and superseded: {reasons}",
    "why.unseen.complete": "{claim} is in no sentence, and complete: {reasons}",
    "why.join.reasons": "; ",
    "why.cut": "{said}",
    "why.cut.trace": "{why}; {reasons}",
}
"""The sentence of each code; ``why.join`` stands between the values of a gap of that name."""


Value: TypeAlias = "str | Reason | tuple[Reason, ...]"


@dataclass(frozen=True, slots=True, init=False)
class Reason:
    """One reason, to be said in any language.

    Attributes
    ----------
    code : str
        Which sentence of `REASONS`, without ``why.``.
    values : Mapping of str to str, Reason or tuple of Reason
        What stands in its gaps; given by name.

    Examples
    --------
    >>> str(Reason("superseded", old="fig#v1", new="fig#v2"))
    'fig#v1 is superseded by fig#v2'
    """

    code: str
    values: Mapping[str, Value]

    def __init__(self, code: str, /, **values: Value) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "values", values)

    def said(self, words: Mapping[str, str]) -> str:
        """Return the reason in the language of these captions."""
        gaps = {
            name: words[f"why.join.{name}"].join(each.said(words) for each in value)
            if isinstance(value, tuple)
            else value.said(words)
            if isinstance(value, Reason)
            else value
            for name, value in self.values.items()
        }
        return words[f"why.{self.code}"].format(**gaps)

    def __str__(self) -> str:
        return self.said(REASONS)
