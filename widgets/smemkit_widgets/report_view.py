# SPDX-License-Identifier: Apache-2.0
"""ReportView: a report to read and to question, joined to Python while a kernel lives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from smemkit import Memory
from smemkit.views.report.page import ReportPage
from smemkit_widgets.explorer import Explorer
from smemkit_widgets.selecting import Selecting


class ReportView(ReportPage, Selecting):
    """A report with its chips, what they stand for, and a verdict behind each sentence.

    A chip opens a card: of an evidence its text and its source, of a product or an
    uploaded file the file itself, and for each the chain to the goal. The page works
    without a kernel. While one lives, `selected` follows the chips, and the link
    "View … in ScienceMemory" moves `explorer` too, if there is one.

    Parameters
    ----------
    mem : Memory
        What `smemkit.open` returned.
    report : str
        The report's id; ``#v<n>`` means that version, else the highest.
    text : str, optional
        The report's Markdown.
    references : list of dict, optional
        What its chips stand for: ``label``, ``kind``, ``id`` and where they apply
        ``version``, ``claim_id``. Default: those the memory keeps.
    files : path, optional
        The folder that holds the report and the files it speaks of. A file is shown
        if its SHA-256 is the declared one.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Attributes
    ----------
    explorer : Explorer or None
        Set it to have the link of a card select the node there.

    Raises
    ------
    NodeNotFound
        No artifact has this id; lists the reports.
    BadRequest
        A reference, the folder or the language is not what it should be.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> fig = mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    >>> claim = mem.declare_claim("It fits.", cites_artifact_aliases={"artifact1": "fig"})
    >>> made = mem.declare_artifact("report.md", artifact_id="report")
    >>> done = mem.link_claims_to_report("report", artifact_version=1, claim_ids=[claim.claim_id])
    >>> chips = [{"label": "artifact1", "kind": "artifact", "id": "fig"}]
    >>> view = ReportView(mem, "report", text="It fits [artifact1].", references=chips)
    >>> view.audit[0].verdict
    'broken'
    >>> view.selected = "fig#v1"
    >>> view.frame["label"].item()
    'Artifact'
    """

    def __init__(
        self,
        mem: Memory,
        report: str,
        *,
        text: str | None = None,
        references: Iterable[Mapping[str, object]] | None = None,
        files: str | os.PathLike[str] | None = None,
        lang: str | None = None,
    ) -> None:
        Selecting.__init__(self)
        self.explorer: Explorer | None = None
        if isinstance(references, Iterator):
            references = list(references)
        found = mem.audit(report, text=text, references=references, files=files)
        with mem.reading() as graph:
            ReportPage.__init__(
                self,
                graph,
                found,
                text=text,
                references=references,
                files=files,
                lang=lang,
            )
        self._connect()

    def _heard(self, change: Mapping[str, Any]) -> None:
        """Take over what was chosen in a frame; a card's link moves the explorer too."""
        super()._heard(change)
        view = self.node(str(change["new"]))
        if self.explorer is None or view is None or view.id is None:
            return
        # A node of another session may have no place on the explorer's page.
        here = self.explorer.session.number(view.id) is not None
        if here and str(change["new"]).startswith("v"):
            self.explorer.selected = view.id
