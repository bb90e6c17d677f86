# SPDX-License-Identifier: Apache-2.0
"""Both languages are complete, and one is chosen."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from smemkit.errors import BadRequest
from smemkit.views import strings as words


def _fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_captions_with_the_same_gaps():
    assert words.ENGLISH.keys() == words.CHINESE.keys()
    for key, text in words.ENGLISH.items():
        assert text.strip()
        assert words.CHINESE[key].strip()
        assert _fields(text) == _fields(words.CHINESE[key]), key


def test_the_chinese_captions_are_chinese():
    letter_or_sign = re.compile(r"[\u4e00-\u9fff\uff00-\uffef]")
    assert [t for t in words.CHINESE.values() if not letter_or_sign.search(t)] == []


@pytest.mark.parametrize(
    ("asked", "got"), [("en", "en"), ("zh", "zh"), ("zh_CN.UTF-8", "zh"), ("en-GB", "en")]
)  # fmt: skip
def test_a_language_may_be_named_with_its_region(asked, got):
    assert words.language(asked) == got


def test_the_locale_chooses_when_nobody_does(monkeypatch):
    monkeypatch.setattr(words.locale, "getlocale", lambda: ("zh_CN", "UTF-8"))
    assert words.language(None) == "zh"
    monkeypatch.setattr(words.locale, "getlocale", lambda: (None, None))
    assert words.language(None) == "en"


def test_another_language_is_refused_with_those_there_are():
    with pytest.raises(BadRequest, match="'en' or 'zh'"):
        words.language("fr")
