# SPDX-License-Identifier: Apache-2.0
"""A file is shown as what its bytes are, cut to what a reader needs, within a room."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.views.report.embedded import COLUMNS, ROWS, Room, embedded
from tests.report_pages import PIXEL


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.png", PIXEL, "image/png"),
        ("a.txt", PIXEL, "image/png"),
        ("a.jpg", b"\xff\xd8\xff\xe0x", "image/jpeg"),
        ("a.gif", b"GIF89ax", "image/gif"),
        ("a.webp", b"RIFF\x00\x00\x00\x00WEBPx", "image/webp"),
        ("a.svg", b"<?xml version='1.0'?>\n<svg/>", "image/svg+xml"),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(name, data, kind):
    made = embedded(name, data, Room())
    assert made["kind"] == "picture"
    assert made["data"] == f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize("data", [b"<html><script>x</script>", b"plain"])
def test_what_only_calls_itself_a_picture_is_shown_as_text(data):
    assert embedded("a.png", data, Room())["text"] == data.decode()


@pytest.mark.parametrize(
    ("name", "data", "head", "rows"),
    [
        ("a.csv", b"x,y\n1,2\n", ["x", "y"], [["1", "2"]]),
        ("a.csv", b'\xef\xbb\xbfx\n"a, ""b"""\n', ["x"], [['a, "b"']]),
        ("a.tsv", b"x\ty\n1\t2", ["x", "y"], [["1", "2"]]),
        ("a.json", b'[{"x": 1}, {"y": [2]}]', ["x", "y"], [["1", ""], ["", "[2]"]]),
        ("a.json", b'{"x": {"y": null}, "z": "w"}', ["", ""], [["x", '{"y": null}'], ["z", "w"]]),
        ("a.jsonl", b'{"x": 1}\n\n{"x": 2}\n', ["x"], [["1"], ["2"]]),
    ],
)  # fmt: skip
def test_a_table_has_a_head_and_rows(name, data, head, rows):
    made = embedded(name, data, Room())
    assert (made["kind"], made["head"], made["rows"]) == ("table", head, rows)
    assert (made["more"], made["columns"]) == (0, 0)


def test_of_a_large_table_the_rest_is_counted():
    line = ",".join("v" * 15) + "\n"
    made = embedded("a.csv", (line * 101).encode(), Room())
    assert len(made["rows"]) == ROWS
    assert made["more"] == 100 - ROWS
    assert made["columns"] == 15 - COLUMNS
    long = embedded("a.csv", b"x\n" + b"y" * 500, Room())
    assert long["rows"] == [["y" * 79 + "…"]]


@pytest.mark.parametrize(
    ("name", "data"), [("a.json", b"{not"), ("a.json", b"[" * 100_000), ("a.json", b"[1, 2]"), ("a.md", b"# a")]
)  # fmt: skip
def test_what_is_no_table_is_text(name, data):
    made = embedded(name, data, Room())
    assert made["kind"] == "text"
    assert made["text"] == data.decode()[:4_000]
    assert made["more"] == max(len(data) - 4_000, 0)


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"a\x00b", bytes(range(256))])
def test_what_is_no_text_has_no_preview(data):
    assert embedded("a.txt", data, Room()) == {"size": len(data), "kind": "none"}


def test_what_has_no_room_is_left_and_later_smaller_files_still_fit():
    room = Room(each=1_000, total=1_500)
    kinds = [embedded("a.txt", b"x" * n, room)["kind"] for n in (2_000, 900, 800, 300)]
    assert kinds == ["left", "text", "left", "text"]


@given(
    st.binary(max_size=300),
    st.sampled_from(
        ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.svg", "a", ".", "企.png"]
    ),
)
def test_any_file_is_shown_as_something_json_carries(data, name):
    made = embedded(name, data, Room())
    assert made["kind"] in ("picture", "table", "text", "none")
    json.dumps(made, allow_nan=False).encode()


@given(
    st.lists(st.integers(0, 50), max_size=20), st.integers(0, 60), st.integers(0, 200)
)
def test_a_room_never_holds_more_than_it_has(sizes, each, total):
    room = Room(each, total)
    taken = [size for size in sizes if room.take(size)]
    assert sum(taken) + room.left == total
    assert all(size <= each for size in taken)
