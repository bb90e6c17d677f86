# SPDX-License-Identifier: Apache-2.0
"""A report's page in a real browser: chips, cards, files, verdicts, keyboard, language."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import smemkit
from smemkit.errors import BadRequest, NodeNotFound
from smemkit.views.report.page import ReportPage
from smemkit.views.strings import strings
from tests.hostile import HOSTILE, hostile_memory
from tests.report_pages import READY, card, chip, story, watched

DEMO = "notebooks/data/memory"
WORKSPACE = "notebooks/data/workspace"


@pytest.fixture
def told(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    return story(folder)


@pytest.fixture
def opened(browser_page, tmp_path):
    with watched(browser_page, tmp_path) as open_page:
        yield open_page


def demo_page(root, lang="en") -> ReportPage:
    with smemkit.open(root / DEMO, must_exist=True) as mem:
        files = root / WORKSPACE
        audit = mem.audit("report-1", files=files)
        with mem.reading() as graph:
            return ReportPage(graph, audit, files=files, lang=lang)


def test_an_unknown_alias_is_seen_to_be_unknown(opened, told):
    shown = opened(told.page())
    lost = chip(shown, "evidence9")
    assert lost.get_attribute("aria-label") == "[evidence9]: unknown alias"
    assert lost.inner_text() == "[evidence9] ?"
    lost.click()
    assert "stands for nothing" in card(shown)


def test_each_sentence_has_its_verdict_as_a_sign_and_a_word(opened, told):
    page = told.page()
    shown = opened(page)
    marks = shown.locator("#text .m")
    signs = [marks.nth(n).inner_text() for n in range(marks.count())]
    words = [marks.nth(n).get_attribute("title") for n in range(marks.count())]
    assert words == [row.verdict for row in page.audit.rows]
    table = {"complete": "✓", "broken": "✗", "superseded": "↻", "uncited": "·",
             "unknown alias": "?", "unlinked claim": "⚠"}  # fmt: skip
    assert signs == [table[word] for word in words]
    assert (
        shown.inner_text("#summary")
        == "Sentences: 7 · with a chip: 5 · with a fault: 3"
    )


def test_a_mark_opens_why(opened, told):
    shown = opened(told.page())
    shown.click("#text .m.broken")
    said = card(shown)
    assert "Sentence 4, line 5" in said
    assert "no upstream of Artifact #table#v1" in said
    assert "It was uploaded." in said
    shown.click("#card .go")
    assert "table#v1" in card(shown)


def test_a_verdict_filters_the_sentences(opened, told):
    shown = opened(told.page())
    shown.click("[data-v=broken]")
    lit = shown.locator("#text .s.lit").all_inner_texts()
    assert "".join(lit) == "The table holds two rows ; the upload is older ."
    assert shown.inner_text("#found") == "1 of 1"
    shown.click("[data-v=uncited]")
    assert shown.inner_text("#found") == "1 of 3"
    shown.click("#next")
    assert shown.inner_text("#found") == "2 of 3"
    shown.click("#clear")
    assert shown.locator("#text.filtered").count() == 0


def test_the_keyboard_alone_opens_a_card_and_comes_back(opened, told):
    shown = opened(told.page())
    for _ in range(40):
        shown.keyboard.press("Tab")
        if shown.evaluate("() => document.activeElement.matches('.c')"):
            break
    shown.keyboard.press("Enter")
    assert shown.evaluate("() => document.activeElement.textContent") == "[evidence1]"
    assert "On bills" in card(shown)
    shown.keyboard.press("Escape")
    assert shown.evaluate("() => document.activeElement.matches('.c')")
    assert "On bills" not in card(shown)


def test_every_tab_stop_and_picture_has_a_name(opened, told):
    shown = opened(told.page())
    chip(shown, "artifact1").click()
    unnamed = shown.evaluate("""() => [...document.querySelectorAll('*')]
      .filter((e) => (e.tabIndex >= 0 || e.tagName === 'IMG')
        && !(e.innerText || e.title || e.ariaLabel || e.alt || '').trim())
      .map((e) => e.outerHTML.slice(0, 80))""")
    assert unnamed == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, told, scheme):
    from axe_playwright_python.sync_playwright import Axe

    shown = opened(told.page())
    shown.emulate_media(color_scheme=scheme)
    for alias in ("evidence1", "artifact2"):
        chip(shown, alias).click()
        found = Axe().run(shown).response["violations"]
        assert [
            (each["id"], each["nodes"][0]["html"][:120])
            for each in found
            if each["impact"] in ("serious", "critical")
        ] == []
        shown.click("#card .go")
    shown.click("[data-v=broken]")
    found = Axe().run(shown).response["violations"]
    assert [each["id"] for each in found if each["impact"] == "serious"] == []


def test_pictures_come_from_declared_files_and_never_from_an_address(opened, told):
    shown = opened(told.page())
    assert shown.locator("#text img").count() == 1
    assert shown.get_attribute("#text img", "src").startswith("data:image/png;base64,")
    assert "https://tracker.example/a.png" in shown.inner_text(".nopic")


def test_without_files_no_file_is_read(opened, told):
    shown = opened(told.page(files=None))
    chip(shown, "artifact1").click()
    assert "give files=" in card(shown)
    assert shown.locator("img").count() == 0


def test_without_a_text_the_claims_stand_for_it(opened, told):
    page = told.page(text=None)
    shown = opened(page)
    assert shown.locator("#text li .s").count() == 5
    shown.locator("#text .c").first.click()
    assert "On bills" in card(shown)


def test_a_chinese_page_is_chinese(opened, told):
    shown = opened(told.page(lang="zh"))
    assert shown.get_attribute("html", "lang") == "zh"
    chip(shown, "evidence1").click()
    assert "在科学记忆中查看此证据" in card(shown)
    chip(shown, "artifact1").click()
    assert "在科学记忆中查看此产物" in card(shown)
    assert (
        shown.get_attribute("#text .m.broken", "title")
        == strings("zh")["verdict.broken"]
    )


def test_a_chinese_page_says_the_reasons_in_chinese_and_the_audit_in_english(
    opened, told
):
    (told.folder / "table.csv").write_bytes(b"else")
    page = told.page(lang="zh")
    shown = opened(page)
    shown.locator("#text .m.broken").click()
    said = card(shown)

    assert "table#v1 ← 无（Artifact #table#v1 没有上游）" in said
    assert "table#v1：文件 'table.csv' 与声明的版本不同" in said
    assert "链路断开：Artifact #table#v1 没有上游。" in said
    assert "与声明的版本不同" in shown.locator("details li").first.text_content()
    english = "table#v1 ← nothing (no upstream of Artifact #table#v1)"
    assert english in page.audit[3].reasons
    assert english in page.outline()


def test_in_a_sandboxed_frame_everything_works_and_links_show_their_address(
    browser_page, told, tmp_path
):
    told.text += "\n[A link](https://a.org/x)."
    outer = told.page()._repr_mimebundle_()["text/html"]
    (tmp_path / "outer.html").write_text(outer, encoding="utf-8")
    browser_page.goto((tmp_path / "outer.html").as_uri())
    inner = browser_page.frames[1]
    inner.wait_for_function(READY)
    inner.locator(".c").first.click()
    assert "On bills" in inner.inner_text("#card")
    inner.click("text=A link")
    assert "https://a.org/x" in inner.inner_text("#card pre")
    assert browser_page.locator("img").is_hidden()


def test_what_stands_in_for_the_page_says_the_same_in_a_picture_and_in_text(told):
    page = told.page()
    bundle = page._repr_mimebundle_()
    assert bundle["text/plain"] == str(page.audit)
    picture = page.svg()
    assert not re.search("<script|href|onload|<style|<image", picture)
    for row in page.audit.rows:
        assert page._words[f"verdict.{row.verdict}"] in picture
    assert "The table holds two rows" in picture


def test_hostile_text_is_shown_and_nothing_of_it_runs(opened):
    mem = hostile_memory()
    text = "\n\n".join(f"{each} [a1] [{each}](x) ![{each}](y)" for each in HOSTILE)
    chips = [{"label": "a1", "kind": "artifact", "id": HOSTILE[7]}]
    given = {"text": text, "references": chips}
    audit = mem.audit("report", **given)
    with mem.reading() as graph:
        page = ReportPage(graph, audit, lang="en", **given)
    shown = opened(page)
    body = shown.inner_text("#text")
    for each in (HOSTILE[0], HOSTILE[1], HOSTILE[3]):
        assert each in body
    for each in shown.locator("#text .c").all()[:3]:
        each.click()
        shown.click("#card .go")
        for step in shown.locator("#card .steps button").all():
            step.click()
    assert shown.evaluate("() => window.hacked") is None
    assert "\u202e" not in shown.inner_text("body")
    assert shown.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_ten_thousand_chips_and_titles_of_a_megabyte_fit_the_page(opened):
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="x" * 1_000_000)
    papers = [
        {"product_type": "paper", "link": f"https://a.org/{n}", "title": f"{n}" + "t" * 100_000}
        for n in range(10)
    ]  # fmt: skip
    mem.observe_tool_call("subtask:1", session_id="s", tool_name="x", products=papers)
    made = [
        mem.declare_evidence(f"E{n} " + "e" * 9_000, source_paper_link=f"https://a.org/{n % 10}")
        for n in range(100)
    ]  # fmt: skip
    aliases = {f"evidence{n}": each.evidence_id for n, each in enumerate(made)}
    claim = mem.declare_claim("It is so.", cites_evidence_aliases=aliases)
    mem.declare_artifact("report.md", artifact_id="report")
    mem.link_claims_to_report("report", artifact_version=1, claim_ids=[claim.claim_id])
    chips = [{"label": a, "kind": "evidence", "id": i} for a, i in aliases.items()]
    text = (
        "So [evidence1]. "
        + " ".join(f"[evidence{n % 100}]" for n in range(10_000))
        + "."
    )
    audit = mem.audit("report", text=text, references=chips)
    with mem.reading() as graph:
        page = ReportPage(graph, audit, text=text, references=chips, lang="en")
    assert len(page.html().encode()) <= 1_000_000
    shown = opened(page)
    assert shown.locator("#text .c").count() == 10_001
    shown.evaluate("() => document.querySelectorAll('.c')[9000].click()")
    assert card(shown)


def test_the_demo_report_is_small_and_has_the_same_bytes_with_every_hash_seed(root):
    code = (
        "import hashlib, tests.test_views_report_page as t; from pathlib import Path;"
        f"print(hashlib.sha256(t.demo_page(Path({str(root)!r})).html().encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(digests) == 1
    assert "at 0x" not in demo_page(root).html()
    assert len(demo_page(root).html().encode()) <= 1_000_000


def test_a_node_is_found_by_its_key_and_its_id(told):
    page = told.page()
    assert page.node(page.key("fig#v1")).id == "fig#v1"
    assert page.node("k999999999999") is page.node("") is page.node("x0") is None
    with pytest.raises(NodeNotFound, match="no chip"):
        page.key("fig#v2")


def test_a_wrong_report_folder_or_language_is_refused(told):
    with pytest.raises(NodeNotFound, match="reports are"):
        told.mem.audit("nope")
    with pytest.raises(BadRequest, match="no such folder"):
        told.page(files=told.folder / "nope")
    with pytest.raises(BadRequest, match="'en' or 'zh'"):
        told.page(lang="fr")
