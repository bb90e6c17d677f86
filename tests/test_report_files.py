# SPDX-License-Identifier: Apache-2.0
"""A declared file is read only where it may lie, and only if it is the declared one."""

from __future__ import annotations

import hashlib
import os

import pytest

from smemkit.errors import BadRequest
from smemkit.records import Node
from smemkit.report.files import declared_file, folder_of


def node(**props) -> Node:
    return Node("n1", ("Artifact",), props, 1)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.txt").write_bytes(b"a")
    (tmp_path / "secret.txt").write_bytes(b"s")
    (inside / "way_out").symlink_to(tmp_path / "secret.txt")
    (inside / "round").symlink_to(inside / "round")
    os.mkfifo(inside / "pipe")
    return folder_of(inside)


def test_the_declared_file_is_read(folder):
    found = declared_file(node(path="a.txt", content_hash=sha(b"a")), folder, 1)
    assert (found.data, found.why) == (b"a", "")


@pytest.mark.parametrize(
    ("props", "why"),
    [
        ({}, "no_path"),
        ({"path": ""}, "no_path"),
        ({"path": 7}, "no_path"),
        ({"path": "a\x00"}, "no_path"),
        ({"path": "b.txt"}, "missing"),
        ({"path": "."}, "missing"),
        ({"path": "pipe"}, "missing"),
        ({"path": "../secret.txt", "content_hash": sha(b"s")}, "missing"),
        ({"path": "way_out", "content_hash": sha(b"s")}, "missing"),
        ({"path": "/etc/passwd"}, "missing"),
        ({"path": "a.txt"}, "no_hash"),
        ({"path": "a.txt", "content_hash": sha(b"b")}, "other"),
        ({"path": "\ud800"}, "no_name"),
        ({"path": "x" * 5_000}, "unreadable"),
    ],
)
def test_any_other_path_gives_no_byte(folder, props, why):
    found = declared_file(node(**props), folder, 9)
    assert (found.data, found.why) == (None, why)
    assert found.note


def test_links_in_a_circle_give_no_byte(folder):
    assert declared_file(node(path="round"), folder, 9).data is None


def test_a_file_over_the_limit_is_not_taken(folder):
    found = declared_file(node(path="a.txt", content_hash=sha(b"a")), folder, 0)
    assert (found.data, found.why) == (None, "too_large")


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (2 << 20) + 5])
def test_a_file_is_compared_without_being_kept(folder, size):
    """Whatever its size against the pieces it is read in, the limit included."""
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    (folder / "b.bin").write_bytes(data)
    right = node(path="b.bin", content_hash=sha(data))
    wrong = node(path="b.bin", content_hash=sha(data + b"x"))

    assert declared_file(right, folder, size).data == data
    same = declared_file(right, folder, size, keep=False)
    assert (same.data, same.why, same.sha256) == (b"", "", sha(data))
    other = declared_file(wrong, folder, size, keep=False)
    assert (other.data, other.why, other.sha256) == (None, "other", sha(data))
    if size:
        assert declared_file(right, folder, size - 1, keep=False).why == "too_large"


def test_a_file_where_its_folder_belongs_is_refused_with_its_folder(folder):
    with pytest.raises(BadRequest, match=r"it is a file; give its folder.*inside"):
        folder_of(folder / "a.txt")


@pytest.mark.parametrize("files", ["nowhere", 7, "a\x00", "~nobody_here/x"])
def test_what_is_no_folder_is_refused(files):
    with pytest.raises(BadRequest, match="name the workspace"):
        folder_of(files)
