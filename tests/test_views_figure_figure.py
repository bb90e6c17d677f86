# SPDX-License-Identifier: Apache-2.0
"""Figures: sizes in millimetres, no overlaps, the same bytes, hostile and Chinese text."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smemkit
from smemkit.errors import BadRequest
from smemkit.memory import Memory
from smemkit.reading.trace import trace_provenance
from smemkit.report.audit import audit
from smemkit.views.figure import font as figure_font
from smemkit.views.figure.figure import figure
from smemkit.views.figure.font import pen
from tests.drawn import (
    extents,
    faults,
    long_session,
    measured,
    rewritten,
    texts,
    unnamed,
)
from tests.hostile import HOSTILE, hostile_memory

DEMO = Path(__file__).parent.parent / "notebooks" / "data"


@pytest.fixture(scope="module")
def demo() -> Memory:
    return smemkit.open(DEMO / "memory", must_exist=True)


def pictures(mem: Memory) -> dict[str, object]:
    return {
        "trace": mem.trace_provenance("fig-mass#v2"),
        "report": mem.trace_provenance("report-1#v1"),
        "broken": mem.trace_provenance("fig-islands#v1"),
        "chain": mem.chain("report-1#v1", "viewCitedPaper"),
        "rows": mem.chain("report-1#v1", "viewRelatedTask"),
        "audit": mem.audit("report-1#v1", files=DEMO / "workspace"),
        "session": None,
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "name", ["trace", "report", "broken", "chain", "rows", "audit", "session"]
)
def test_nothing_in_a_figure_overlaps(demo, name, lang):
    """Measured by their ink, no texts touch each other, a shape or a card's rim."""
    for width in (170, 95):
        made = demo.figure(pictures(demo)[name], lang=lang, width_mm=width)
        assert faults(made.drawing, measured(made.drawing)) == []


def test_a_second_way_of_measuring_finds_no_overlap_either(demo):
    """The boxes of matplotlib's own texts on the canvas do not overlap."""
    for name in ("report", "session"):
        drawing = demo.figure(pictures(demo)[name], lang="en").drawing
        assert faults(drawing, extents(drawing)) == []


def test_an_overlap_would_be_found(demo):
    """The measuring test can fail: a text moved onto another one is told."""
    drawing = demo.figure(lang="en").drawing
    last = drawing.texts()[-1]
    drawing.add([last])
    assert len(faults(drawing, measured(drawing))) == 1


def test_the_size_is_in_millimetres_in_each_format(demo, tmp_path):
    """The page of an SVG and a PDF, and the pixels of a PNG, have the size asked for."""
    made = demo.figure(demo.trace_provenance("fig-mass#v2"), width_mm=120, lang="en")
    width, height = made.size_mm
    assert width == 120
    root = ElementTree.parse(made.save(tmp_path / "a.svg")).getroot()
    for side, mm in (("width", width), ("height", height)):
        points = float(root.attrib[side].removesuffix("pt"))
        assert points / 72 * 25.4 == pytest.approx(mm, abs=0.01)
    png = made.save(tmp_path / "a.png").read_bytes()
    pixels = struct.unpack(">II", png[16:24])
    assert pixels == pytest.approx((width / 25.4 * 300, height / 25.4 * 300), abs=1)
    box = re.search(
        rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+)",
        made.save(tmp_path / "a.pdf").read_bytes(),
    )
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx(
        [width, height], abs=0.01
    )


@pytest.mark.parametrize("width", [79, 601, "170", True, float("nan")])
def test_a_width_that_cannot_be_used_is_refused(demo, width):
    """Too narrow, too wide, no number."""
    with pytest.raises(BadRequest, match="80 to 600"):
        demo.figure(width_mm=width)


def test_another_format_or_answer_is_refused(demo, tmp_path):
    """The message says what can be given."""
    with pytest.raises(BadRequest, match=r"\.svg, \.pdf or \.png"):
        demo.figure(lang="en").save(tmp_path / "a.jpg")
    with pytest.raises(BadRequest, match="a trace, a chain or an audit"):
        demo.figure("report-1#v1")


SCRIPT = """
import hashlib, sys, smemkit
mem = smemkit.open(sys.argv[1], must_exist=True)
fig = mem.trace_provenance("fig-mass#v2")
report = mem.trace_provenance("report-1#v1")
for x in (fig, report, mem.chain("report-1#v1", "viewCitedPaper"), mem.audit("report-1#v1"), None):
    made = mem.figure(x, lang="zh")
    found = [made.render(k) for k in ("svg", "pdf", "png")] if x is fig else []
    print([hashlib.sha256(each).hexdigest() for each in found], made.drawing.items)
"""


def test_each_run_and_each_hash_seed_gives_the_same_bytes():
    """Two processes with other hash seeds write the same files."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(DEMO / "memory")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    first, second = (each.communicate()[0] for each in running)
    assert len(first.splitlines()) == 5
    assert first == second


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_the_order_of_writing_leaves_no_trace(random):
    """The demo written down in another order, with other ids, gives the same drawing."""
    mem = smemkit.open(DEMO / "memory", must_exist=True)
    with mem.reading() as graph:
        order = [random.random() for _ in range(200)]
        other = rewritten(graph, order)
        questions = (
            lambda g: trace_provenance(g, "report-1#v1"),
            lambda g: audit(g, "report-1#v1"),
            lambda g: None,
        )
        ask = questions[random.randrange(3)]
        drawn = [
            figure(ask(g), g, session_id="penguins", lang="en") for g in (graph, other)
        ]
    first, second = (unnamed(each.drawing) for each in drawn)
    assert first == second


def test_what_the_user_set_in_matplotlib_changes_nothing(demo):
    """Fonts, colours and dpi of the user's own leave the bytes as they are."""
    import matplotlib as mpl

    made = demo.figure(demo.trace_provenance("fig-mass#v2"), lang="en")
    before = made.render("svg")
    own = {"font.size": 40, "savefig.dpi": 7, "text.color": "red", "text.usetex": False}
    own |= {"savefig.bbox": "tight", "svg.fonttype": "none", "axes.linewidth": 9}
    with mpl.rc_context(own):
        again = demo.figure(demo.trace_provenance("fig-mass#v2"), lang="en")
        assert again.render("svg") == before
        assert mpl.rcParams["font.size"] == 40


def test_hostile_text_is_drawn_as_the_characters_it_is_made_of():
    """Formulas, markup and control characters are shown once and act on nothing."""
    mem = hostile_memory()
    made = mem.figure(mem.trace_provenance("report"), lang="en")
    said = texts(made.drawing).replace("\n", "")
    for text in (*HOSTILE[:4], HOSTILE[5]):
        assert said.replace(" ", "").count(text.replace(" ", "")) >= 1
    assert "⟨U+202E⟩gnp.exe" in said
    assert "⟨U+0000⟩" in said
    assert not re.search("[\u0000-\u0009\u200e\u202e\u2028]", said)
    root = ElementTree.fromstring(made.render("svg"))
    assert not [e for e in root.iter() if e.tag.endswith(("script", "}a", "image"))]
    assert faults(made.drawing, measured(made.drawing)) == []


@pytest.mark.parametrize(
    "text",
    [r"$\frac{1}{0}$ and \alpha", "$x^2$", "$", "a" * 1_000_000, "\ud83d\ude00", "\ufffe\uffff", "שלום عالم", "e\u0301" * 40],
)  # fmt: skip
def test_no_text_stops_a_figure(text):
    """Formulas, a million characters, signs of no font: each gives all formats."""
    mem = smemkit.open(":memory:")
    clean = text.encode("utf-16", "surrogatepass").decode("utf-16")
    mem.observe_session_first_message("s", core_objective=clean)
    mem.observe_execution("e", tool=clean[:50_000], status="succeeded")
    made = mem.figure(mem.trace_provenance("subtask:e"), lang="en")
    for kind in ("svg", "pdf", "png"):
        assert len(made.render(kind)) > 1000
    assert faults(made.drawing, measured(made.drawing)) == []
    ElementTree.fromstring(made.render("svg"))


def test_a_formula_is_drawn_with_its_dollars():
    """On the canvas it is as wide as its characters are, so it is no mathematics."""
    mem = smemkit.open(":memory:")
    formula = r"$\frac{1}{2}$ $x^2$"
    mem.observe_session_first_message("s", core_objective=formula)
    drawing = mem.figure(lang="en").drawing
    boxes = [box for text, box in extents(drawing) if text == formula]
    with figure_font.settings():
        wide = pen().width(formula, 6.0)
    assert boxes
    assert [right - left for left, _, right, _ in boxes] == pytest.approx(
        [wide], abs=0.3
    )


def test_chinese_is_set_in_a_font_that_has_it(demo):
    """With lang="zh" every caption has glyphs, and none is replaced."""
    font = pen()
    assert font.has_chinese
    assert font.known("链路到达研究目标。") == "链路到达研究目标。"
    said = texts(demo.figure(demo.trace_provenance("fig-mass#v2"), lang="zh").drawing)
    assert "研究目标" in said
    assert "□" not in said


def test_without_a_chinese_font_the_figure_says_so(demo, monkeypatch):
    """Captions fall back to English, and □ stands for what cannot be drawn."""
    monkeypatch.setattr(figure_font, "CHINESE", ())
    pen.cache_clear()
    try:
        mem = smemkit.open(":memory:")
        mem.observe_session_first_message("s", core_objective="企鹅 weigh")
        said = texts(mem.figure(lang="zh").drawing)
    finally:
        pen.cache_clear()
    assert "Session s" in said
    assert "□□ weigh" in said
    assert "□: no installed font has this character" in said


def test_a_notebook_shows_a_figure_as_a_picture(demo):
    """As PNG for any viewer, as SVG where it is trusted."""
    made = demo.figure(demo.trace_provenance("fig-mass#v2"), lang="en")
    assert made._repr_png_().startswith(b"\x89PNG")
    assert "<svg" in made._repr_svg_()
    assert repr(made) == "<Figure trace: 170 × 57 mm>"


def test_a_session_of_three_hundred_nodes_fits_a_page():
    """It is folded, says so, names what failed, and nothing overlaps."""
    mem = long_session()
    assert len(mem) > 300
    made = mem.figure(lang="en")
    assert made.size_mm[1] <= 170 * 1.45
    said = texts(made.drawing)
    assert re.search(r"folded: \d+ of 317 nodes drawn one by one", said)
    assert said.count("failed") >= 3
    assert faults(made.drawing, measured(made.drawing)) == []
    assert made.proof.nodes == len(mem)
