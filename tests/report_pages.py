# SPDX-License-Identifier: Apache-2.0
"""A small memory with one report whose chips lead to each kind of thing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import smemkit
from smemkit.memory import Memory
from smemkit.views.report.page import ReportPage

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

READY = "() => document.documentElement.dataset.ready === '1'"

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63f8cfc0f01f0005000180e5ec8e5a0000000049454e44ae426082"
)

TEXT = """# Bills

Bills grow with mass [evidence1]. The figure shows it [artifact1]. Nobody asked.

The table holds two rows [artifact2]; the upload is older [sourcefile1].
An entry says so [dbrecord1]. This is made up [evidence9]. `[evidence1]` is code.

![The figure](figs/fig.png) and ![far away](https://tracker.example/a.png)
"""


@dataclass
class Story:
    """The memory, its report's text and chips, and the folder with the files."""

    mem: Memory
    text: str
    chips: list[dict[str, object]]
    folder: Path

    def page(self, **options) -> ReportPage:
        """Return the page of the report; options win over what the story holds."""
        given = {"text": self.text, "references": self.chips, "files": self.folder}
        lang = options.pop("lang", "en")
        given |= options
        audit = self.mem.audit("report", **given)
        with self.mem.reading() as graph:
            return ReportPage(graph, audit, lang=lang, **given)


def story(folder: Path) -> Story:
    """Return a memory whose figure has two versions; the chip pins the first."""
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Do bills grow?")
    paper = "https://doi.org/10.1/bills"
    found = [
        {"product_type": "paper", "link": paper, "title": "On bills", "year": "2014",
         "authors": ["A. Gorman"]},
        {"product_type": "db_record", "source": "gbif", "identifier": "G1",
         "title": "A penguin", "url": "https://gbif.org/G1"},
    ]  # fmt: skip
    mem.observe_tool_call("subtask:1", session_id="s", tool_name="x", products=found)
    evidence = mem.declare_evidence(
        "Bills grow with mass.", source_paper_link=paper, locator="p. 3"
    ).evidence_id
    (folder / "figs").mkdir()
    (folder / "figs" / "fig.png").write_bytes(PIXEL)
    (folder / "table.csv").write_bytes(b"species,mass\nAdelie,3700\nGentoo,5076\n")
    (folder / "raw.txt").write_bytes(b"raw <b>notes</b>\n")
    raw = hashlib.sha256((folder / "raw.txt").read_bytes()).hexdigest()
    mem.observe_upload_file("raw", session_id="s", path="raw.txt", content_hash=raw)
    mem.observe_execution("run", session_id="s", status="succeeded")
    fig = {"artifact_id": "fig", "code_id": "run"}
    mem.declare_artifact("figs/fig.png", **fig, file=folder / "figs" / "fig.png")
    mem.declare_artifact("figs/fig.png", **fig, content_hash="0" * 64)
    mem.declare_artifact("table.csv", artifact_id="table", file=folder / "table.csv")
    uses = (
        ("Bills grow.", {"cites_evidence_aliases": {"evidence1": evidence}}),
        ("A figure shows it.", {"cites_artifact_aliases": {"artifact1": "fig"},
                                "cites_artifact_versions": {"artifact1": 1}}),
        ("There are rows.", {"cites_artifact_aliases": {"artifact2": "table"}}),
        ("It was uploaded.", {"cites_source_file_aliases": {"sourcefile1": "raw"}}),
        ("It is in a database.", {"cites_dbrecord_aliases": {"dbrecord1": "G1"}}),
    )  # fmt: skip
    claims = [mem.declare_claim(content, **cites) for content, cites in uses]
    mem.declare_artifact("report.md", artifact_id="report")
    mem.link_claims_to_report(
        "report", artifact_version=1, claim_ids=[claim.claim_id for claim in claims]
    )
    chips: list[dict[str, object]] = [
        {"label": "evidence1", "kind": "evidence", "id": evidence},
        {"label": "artifact1", "kind": "artifact", "id": "fig", "version": 1},
        {"label": "artifact2", "kind": "artifact", "id": "table"},
        {"label": "sourcefile1", "kind": "sourcefile", "id": "raw"},
        {"label": "dbrecord1", "kind": "dbrecord", "id": "G1"},
    ]
    return Story(mem, TEXT, chips, folder)


@contextmanager
def watched(page: Page, folder: Path) -> Iterator[Callable[[ReportPage], Page]]:
    """Yield what opens a page with the network off; no request and no fault may come."""
    asked: list[str] = []
    faults: list[str] = []
    page.context.set_offline(True)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)

    def open_page(made: ReportPage) -> Page:
        page.goto(made.save_html(folder / "report.html").as_uri())
        page.wait_for_function(READY)
        return page

    yield open_page
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert faults == []


def chip(shown: Page, alias: str) -> Locator:
    """Return the first chip of an alias."""
    return shown.locator(".c", has_text=f"[{alias}]").first


def card(shown: Page) -> str:
    """Return what the card says."""
    return shown.inner_text("#card")
