# SPDX-License-Identifier: Apache-2.0
"""The kind of file that a name suggests."""

from __future__ import annotations

import mimetypes

import pytest

from smemkit.writing.media import media_type_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("raw.csv", "text/csv"),
        ("a.b/Table.TSV", "text/tab-separated-values"),
        ("report.md", "text/markdown"),
        ("a.Parquet", "application/vnd.apache.parquet"),
        ("paper.PDF", "application/pdf"),
        ("fig.svg", "image/svg+xml"),
        ("fig.jpeg", "image/jpeg"),
        ("x.ipynb", "application/x-ipynb+json"),
        ("Makefile", None),
        (".csv", None),
        ("a.csv/raw", None),
        ("x.no-such-kind", None),
        ("", None),
    ],
)
def test_a_name_suggests_its_kind(path: str, kind: str | None) -> None:
    """By the suffix of its last part, in any case; unknown is None."""
    assert media_type_of(path) == kind


def test_our_kinds_do_not_depend_on_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a system registers for a suffix does not change what is stored."""
    monkeypatch.setattr(mimetypes, "guess_type", lambda *_, **__: ("odd/odd", None))

    assert media_type_of("raw.csv") == "text/csv"
    assert media_type_of("x.pkl") == "application/octet-stream"
