# SPDX-License-Identifier: Apache-2.0
"""Panel: choose session, report and sentence; an explorer follows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import traitlets

from smemkit import Memory
from smemkit._verbs import only_session
from smemkit.errors import BadRequest, short
from smemkit.report.verdicts import MARKS, VERDICTS, Audit, AuditRow
from smemkit.settings import live_notebook
from smemkit.views.strings import language, strings
from smemkit_widgets.explorer import Explorer
from smemkit_widgets.pickers import NAMES, Pickers

if TYPE_CHECKING:
    import pandas as pd


class Panel(traitlets.HasTraits):
    """Choose a session, a report, a verdict and a sentence; the explorer follows.

    Made for a live kernel. Each choice is an attribute that can be set as well;
    where no kernel lives, the table of sentences it stood at is shown.

    Parameters
    ----------
    mem : Memory
        What `smemkit.open` returned.
    session_id : str, optional
        The session to begin with; default: that of the newest report.
    files : path, optional
        The folder in which the reports lie, as for `Memory.audit`.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Attributes
    ----------
    session_id, report, verdict : str or None
        The session, the report version, the verdict to keep to (None: all).
    sentence : int or None
        The number of the chosen sentence.
    support : str or None
        What it rests on that is selected in the explorer.
    audit : Audit or None
        The audit of the report.
    explorer : Explorer
        The page below the pickers.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> panel = Panel(mem, lang="en")
    >>> panel.session_id, panel.report, len(panel.rows)
    ('s', None, 0)
    """

    session_id = traitlets.Unicode(None, allow_none=True)
    report = traitlets.Unicode(None, allow_none=True)
    verdict = traitlets.Unicode(None, allow_none=True)
    sentence = traitlets.Int(None, allow_none=True)
    support = traitlets.Unicode(None, allow_none=True)

    audit: Audit | None = None
    explorer: Explorer

    def __init__(
        self,
        mem: Memory,
        session_id: str | None = None,
        *,
        files: str | os.PathLike[str] | None = None,
        lang: str | None = None,
    ) -> None:
        super().__init__()
        self._mem = mem
        self._files = files
        self._lang = language(lang)
        self._words = strings(self._lang)
        self._pickers = Pickers(self._words, self._picked, self.light)
        self._reports = mem.reports()
        with mem.reading() as graph:
            ids = graph.sessions() or (only_session(graph),)
        if session_id is None:
            newest = self._reports["session_id"].dropna()
            session_id = str(newest.iloc[-1]) if len(newest) else ids[-1]
        self._pickers.offer("session_id", [(each, each) for each in ids], None)
        self.session_id = session_id

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """The sentences that have the chosen verdict."""
        kept = self.audit or ()
        return tuple(row for row in kept if self.verdict in (None, row.verdict))

    @property
    def row(self) -> AuditRow | None:
        """The chosen sentence."""
        return next((row for row in self.rows if row.n == self.sentence), None)

    @property
    def frame(self) -> pd.DataFrame:
        """What is selected in the explorer, as a frame of one row."""
        return self.explorer.frame

    @property
    def widget(self) -> Any:
        """The pickers and the page as one ipywidgets box; made when first asked for."""
        return self._pickers.widget()

    def light(self, kind: str) -> None:
        """Light a walk of what is selected: a chain kind, or ``trace``."""
        self.explorer.light(kind)

    # -- one choice leads to the next ----------------------------------------------

    def _picked(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    @traitlets.validate(*NAMES)
    def _offered(self, proposal: Mapping[str, Any]) -> Any:
        """Refuse what the picker does not offer, and say what it does."""
        name, value = proposal["trait"].name, proposal["value"]
        offered = self._pickers.offered(name)
        if value is None or value in offered:
            return value
        raise BadRequest(
            f"{name}={short(value)}",
            found="not offered here",
            do="use " + (", ".join(map(repr, offered[:12])) or "nothing"),
        )

    @traitlets.observe(*NAMES)
    def _chosen(self, change: Mapping[str, Any]) -> None:
        name = change["name"]
        self._pickers.choose(name, change["new"])
        {
            "session_id": self._open_session,
            "report": self._open_report,
            "verdict": self._list_sentences,
            "sentence": self._list_supports,
            "support": self._select,
        }[name]()

    def _open_session(self) -> None:
        if self.session_id is None:
            return
        self._pickers.progress(1, self.session_id)
        self.explorer = Explorer(self._mem, self.session_id, lang=self._lang)
        self._pickers.show(self.explorer)
        own = self._reports[self._reports["session_id"] == self.session_id]
        ids = [str(each) for each in own["id"]][::-1]
        options = [(each, each) for each in ids]
        self._pickers.offer(
            "report", options or [(self._words["panel.no_report"], None)], None
        )
        self._set("report", ids[0] if ids else None, self._open_report)

    def _open_report(self) -> None:
        self.audit = None
        if self.report is not None:
            told = self._words["panel.working"].format(name=self.report)
            self._pickers.progress(2, told)
            self.audit = self._mem.audit(self.report, files=self._files)
        counts = self.audit.counts if self.audit is not None else {}
        kept = [word for word in VERDICTS if counts.get(word)]
        options = [(f"{MARKS[word]} {word} ({counts[word]})", word) for word in kept]
        self._pickers.offer(
            "verdict", [(self._words["panel.any"], None), *options], None
        )
        rows = self.audit or ()
        faults = sum(row.verdict not in ("complete", "uncited") for row in rows)
        told = self._words["panel.audited"].format(n=len(rows), faults=faults)
        self._pickers.progress(0, told if self.audit is not None else "")
        self._set("verdict", None, self._list_sentences)

    def _list_sentences(self) -> None:
        # The number keeps two sentences apart that read alike.
        options = [(f"{MARKS[r.verdict]} {r.n} · {r.shown}", r.n) for r in self.rows]
        self._pickers.offer("sentence", options, None)
        first = options[0][1] if options else None
        self._set("sentence", first, self._list_supports)

    def _list_supports(self) -> None:
        row = self.row
        ids = dict.fromkeys([*row.supports, *row.claims] if row is not None else [])
        known = [each for each in ids if self.explorer.session.number(each) is not None]
        options = [(self.explorer.title(each), each) for each in known]
        self._pickers.offer("support", options, None)
        self._set("support", known[0] if known else None, self._select)

    def _select(self) -> None:
        self.explorer.selected = self.support
        empty = self._words["chain.empty"]
        made = []
        for kind, holds in self.explorer.walks(self.support):
            caption = self._words[kind]
            made.append((kind, caption, not holds, caption if holds else empty))
        self._pickers.walks(made)

    def _set(self, name: str, value: Any, follow: Any) -> None:
        """Make a choice; what follows from it is done also if it is the old one."""
        if getattr(self, name) == value:
            self._pickers.choose(name, value)
            follow()
        else:
            setattr(self, name, value)

    # -- display -----------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Panel session {self.session_id}, report {self.report}>"

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> Mapping[str, Any]:
        """Return the pickers where a kernel lives, else the table and the page."""
        if live_notebook():
            return dict(self.widget._repr_mimebundle_()) | self._still()
        return self._still()

    def _still(self) -> dict[str, Any]:
        """Return the sentences as a table: what no kernel is needed for."""
        kept = self.audit
        if kept is None:
            return {"text/plain": str(self.explorer)}
        shown = replace(
            kept, rows=tuple(self.rows), unused_claims=(), unused_references=()
        )
        return {"text/plain": str(shown), "text/html": shown._repr_html_()}
