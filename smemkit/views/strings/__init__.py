# SPDX-License-Identifier: Apache-2.0
"""Every word that a view shows of itself, in English and Chinese."""

from __future__ import annotations

import locale
from collections.abc import Mapping

from smemkit.errors import BadRequest, short
from smemkit.views.strings.chinese import CHINESE
from smemkit.views.strings.english import ENGLISH

LANGUAGES = ("en", "zh")

_TABLES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "zh": CHINESE}


def language(lang: str | None) -> str:
    """Return ``en`` or ``zh``: the one asked for, else that of the locale.

    Raises
    ------
    BadRequest
        Another language was asked for.

    Examples
    --------
    >>> language("zh-CN"), language("en")
    ('zh', 'en')
    """
    if lang is None:
        found = locale.getlocale()[0] or ""
        return "zh" if found.lower().startswith(("zh", "chinese")) else "en"
    if isinstance(lang, str):
        first = lang.lower().replace("_", "-").split("-")[0]
        if first in _TABLES:
            return first
    raise BadRequest(
        f"lang={short(lang)}", found="no such language here", do="use 'en' or 'zh'"
    )


def strings(lang: str | None = None) -> Mapping[str, str]:
    """Return all captions of one language.

    Examples
    --------
    >>> strings("zh")["legend"]
    '图例'
    """
    return _TABLES[language(lang)]
