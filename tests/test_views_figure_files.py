# SPDX-License-Identifier: Apache-2.0
"""Metadata of figures: other programs read what we wrote, and we read what they rewrote."""

from __future__ import annotations

import io
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

import smemkit
from smemkit.views.figure.files import proof_in
from smemkit.views.figure.proof import Proof

ODD = r"a(b\c)d))((\\ ü 企 <&>"


@pytest.fixture(scope="module")
def made():
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Why?")
    mem.declare_artifact("fig.png", artifact_id=ODD, session_id="s")
    return mem.figure(mem.trace_provenance(ODD), lang="en")


def test_pillow_reads_the_proof_of_a_png(made):
    """Another reader of PNG finds the same text."""
    text = Image.open(io.BytesIO(made.render("png"))).info["Description"]
    assert Proof.from_json(text) == made.proof


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_ids_of_any_characters_come_back(made, tmp_path, kind):
    """Brackets, backslashes, umlauts and Chinese survive each format."""
    found = proof_in(made.save(tmp_path / f"a.{kind}"))
    assert found == made.proof
    assert found.of["id"] == f"{ODD}#v1"


@pytest.mark.parametrize("packed", [False, True])
def test_a_png_that_another_program_saved_again_is_read(made, tmp_path, packed):
    """Compressed and international text chunks hold the same."""
    picture = Image.open(io.BytesIO(made.render("png")))
    for add in ("add_text", "add_itxt"):
        info = PngImagePlugin.PngInfo()
        options = {"zip": packed}
        getattr(info, add)("Description", picture.info["Description"], **options)
        picture.save(tmp_path / "again.png", pnginfo=info)
        assert proof_in(tmp_path / "again.png") == made.proof


def test_an_svg_that_declares_entities_is_not_read(made, tmp_path):
    """A file that would grow a billion times when it is read is left alone."""
    text = made.render("svg").decode()
    bomb = text.replace("<svg", '<!DOCTYPE s [<!ENTITY a "aaaa">]><svg', 1)
    (tmp_path / "a.svg").write_text(bomb, encoding="utf-8")
    assert proof_in(tmp_path / "a.svg") is None


@given(st.binary(max_size=200), st.integers(0, 2), st.integers(0, 10_000))
def test_a_damaged_file_says_something_or_nothing(tmp_path_factory, junk, kind, place):
    """Whatever is cut or written over, reading ends without an error."""
    base = _bytes()[kind]
    at = place % len(base)
    file = tmp_path_factory.mktemp("d") / "a"
    for data in (base[:at] + junk, base[:at] + junk + base[at + len(junk) :]):
        file.write_bytes(data)
        found = proof_in(file)
        assert found is None or found.what


_kept: list[bytes] = []


def _bytes() -> list[bytes]:
    if not _kept:
        mem = smemkit.open(":memory:")
        mem.observe_session_first_message("s", core_objective="Why?")
        figure = mem.figure(lang="en")
        _kept.extend(figure.render(kind) for kind in ("svg", "pdf", "png"))
    return _kept


def test_a_bomb_in_a_chunk_is_not_unpacked_beyond_reason(tmp_path):
    """A chunk of a few hundred kilobytes that holds gigabytes is read in part."""
    body = b"Description\0\0" + zlib.compress(b"[" * 3_000_000)
    chunk = len(body).to_bytes(4, "big") + b"zTXt" + body
    chunk += zlib.crc32(b"zTXt" + body).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk)
    assert proof_in(tmp_path / "a.png") is None


@pytest.mark.parametrize(
    "change",
    [
        {"smemkit_figure": 2},
        {"sha256": 3},
        {"nodes": "4"},
        {"of": []},
        {"trace": [[1]]},
        {"trace": {}},
        {"what": None},
    ],
)
def test_a_proof_of_another_shape_is_none(made, change):
    """A field of a wrong type makes no proof."""
    form = json.loads(made.proof.to_json())
    assert Proof.from_json(json.dumps(form)) == made.proof
    assert Proof.from_json(json.dumps({**form, **change})) is None
