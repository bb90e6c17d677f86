# SPDX-License-Identifier: Apache-2.0
"""ReportPage: a report to read and to question, as a page, a picture and a text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from smemkit.answers import NodeView
from smemkit.errors import NodeNotFound, short
from smemkit.graph import Graph
from smemkit.report.catalog import references_of, report_node, report_text
from smemkit.report.files import folder_of
from smemkit.report.verdicts import MARKS, VERDICTS, Audit
from smemkit.views import frame, looks
from smemkit.views.explorer.carried import shown
from smemkit.views.picture import shape
from smemkit.views.report.body import Body
from smemkit.views.report.cards import Cards
from smemkit.views.report.picture import report_picture
from smemkit.views.saving import Page
from smemkit.views.strings import language, strings
from smemkit.views.template import file, render

HEIGHT = 760


class ReportPage(Page):
    """A report with its chips, and the verdict of an audit behind each sentence.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    audit : Audit
        What was found about the report, with the same text, references, files.
    text, references, files
        As for `smemkit.report.audit.audit`. Files are shown if `files` is given.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Attributes
    ----------
    audit : Audit
        The audit that is shown.
    lang : str
        ``en`` or ``zh``.
    """

    def __init__(
        self,
        graph: Graph,
        audit: Audit,
        *,
        text: str | None = None,
        references: Iterable[Mapping[str, object]] | None = None,
        files: str | os.PathLike[str] | None = None,
        lang: str | None = None,
    ) -> None:
        self.audit = audit
        self.lang = language(lang)
        self._words = strings(self.lang)
        self._token = ""
        report = report_node(graph, str(audit.report.id))
        chips = references_of(report, references)
        folder = None if files is None else folder_of(files)
        expected = sum(map(len, chips.values()))
        cards = Cards(graph, report, dict(self._words), folder, expected)
        body = Body(audit, cards, chips, self._words)
        self._body = body.written(report_text(report, text, files).text)
        self._targets = cards.targets
        self._data = self._carried(body, cards)

    def _carried(self, body: Body, cards: Cards) -> dict[str, object]:
        labels = list(dict.fromkeys(str(node["label"]) for node in cards.nodes))
        self._left = [str(f["name"]) for f in cards.files if f["kind"] == "left"]
        self._uncarried = cards.uncarried
        return {
            "title": shown(self.title),
            "chips": body.chips,
            "rows": body.rows,
            "cards": cards.cards,
            "nodes": cards.nodes,
            "files": cards.files,
            "labels": labels,
            "verdicts": self.audit.counts,
        }

    # -- nodes -----------------------------------------------------------------------

    def node(self, key: str) -> NodeView | None:
        """Return the node behind a key of the page, or None."""
        number = key[1:]
        known = key[:1] in ("k", "v") and number.isascii() and number.isdigit()
        if not known or len(number) > 9 or int(number) >= len(self._targets):
            return None
        return self._targets[int(number)]

    def key(self, public_id: str) -> str:
        """Return the key of a node on the page.

        Raises
        ------
        NodeNotFound
            No chip of the report leads to it.
        """
        for number, view in enumerate(self._targets):
            if view.id == public_id:
                return f"k{number}"
        raise NodeNotFound(
            f"node {short(public_id)} in the view of {short(self.audit.report.id)}",
            found="no chip and no claim of this report leads to it",
            do="use one of: " + ", ".join(repr(v.id) for v in self._targets[:8]),
        )

    # -- what is drawn ---------------------------------------------------------------

    @property
    def title(self) -> str:
        """The report's path and version, else its id."""
        view = self.audit.report
        path = view.props.get("path")
        return f"{path if isinstance(path, str) and path else 'report'} · {view.id}"

    @property
    def name(self) -> str:
        """What the view shows, in one line."""
        return f"{self.title}. {self._counted()}"

    def _counted(self) -> str:
        rows = self.audit.rows
        cited = sum(row.verdict != "uncited" for row in rows)
        faults = sum(row.verdict not in ("complete", "uncited") for row in rows)
        key = "report.counted" if self.audit.has_text else "report.counted_claims"
        return self._words[key].format(n=len(rows), cited=cited, faults=faults)

    def html(self) -> str:
        """Return the page: one file that needs no network and runs nothing foreign."""
        found = self.audit
        labels = self._data["labels"]
        names = labels if isinstance(labels, list) else []
        return render(
            "report.html.j2",
            lang=self.lang,
            title=shown(self.title),
            counted=self._counted(),
            verdicts=[
                {
                    "word": word,
                    "look": word.replace(" ", "-"),
                    "sign": MARKS[word],
                    "name": self._words[f"verdict.{word}"],
                    "count": found.counts[word],
                }
                for word in VERDICTS
                if found.counts[word]
            ],
            body=self._body,
            notes=[shown(note) for note in self._notes()],
            has_text=found.has_text,
            data=self._data,
            words=_own(self._words),
            shapes=[shape(looks.look(name), 12, 12, r=9) for name in names],
            style=file("page.css") + file("report.css"),
            script=file("link.js") + file("report_cards.js") + file("report.js"),
        )

    def _notes(self) -> list[str]:
        """Return what has to be known about the audit, and what the page left out."""
        said = [
            ("report.unused_claims", self.audit.unused_claims),
            ("report.unused_chips", self.audit.unused_references),
            ("report.left_out", self._left),
        ]
        notes = [
            self._words[key].format(names=", ".join(names))
            for key, names in said
            if names
        ]
        if self._uncarried:
            notes.append(self._words["report.no_room"].format(n=self._uncarried))
        told = [each.said(self._words) for each in self.audit.remarks]
        return [*told, *notes]

    def svg(self) -> str:
        """Return the still picture: the verdicts, counted, and the sentences at fault."""
        return report_picture(self.audit, self.title, self._counted(), self._words)

    def outline(self) -> str:
        """Return the audit as text."""
        return str(self.audit)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> Mapping[str, str]:
        made = frame.frame(
            self.html(),
            self.svg(),
            name=self._token or frame.token(),
            height=HEIGHT,
            title=shown(self.name),
            sorry=self._words["old_browser"],
        )
        return {"text/html": made, "text/plain": self.outline()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title}: {len(self.audit)} sentences>"

    def __str__(self) -> str:
        return self.outline()


def _own(words: Mapping[str, str]) -> dict[str, str]:
    """Return the captions that this page uses: without those of the other views."""
    theirs = ("figure.", "lane.", "panel.", "view", "fold.", "why.")
    return {key: text for key, text in words.items() if not key.startswith(theirs)}
