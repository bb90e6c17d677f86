# SPDX-License-Identifier: Apache-2.0
"""The font of all figures: what measures their text, and which characters it has."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smemkit.errors import MissingExtra
from smemkit.views.figure.typeset import POINT

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

LATIN = "DejaVu Sans"
"""Comes with matplotlib: the same everywhere."""

CHINESE = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Noto Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Noto Serif CJK SC",
)
"""Families that hold Chinese, the first one installed is taken."""

UNKNOWN = "□"


class Font:
    """What measures text as it will be drawn, and knows which characters it has."""

    def __init__(self) -> None:
        from matplotlib import font_manager
        from matplotlib.backends.backend_agg import RendererAgg

        self.families = [LATIN, *_chinese_family()]
        self.has_chinese = len(self.families) > 1
        # Hinting and rounding to pixels vanish at ten pixels to the point.
        with settings():
            self._renderer = RendererAgg(8, 8, 720)  # type: ignore[no-untyped-call]
        self._faces = [
            font_manager.get_font(font_manager.findfont(family))
            for family in self.families
        ]
        self._widths: dict[tuple[str, float, bool], float] = {}

    def properties(self, size: float, *, bold: bool) -> FontProperties:
        """Return the font for matplotlib."""
        from matplotlib.font_manager import FontProperties

        return FontProperties(
            family=self.families, size=size, weight="bold" if bold else "normal"
        )

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return how wide a text is in millimetres; call within `settings`."""
        key = (text, size, bold)
        if key not in self._widths:
            if len(self._widths) > 50_000:
                self._widths.clear()
            wide, _, _ = self._renderer.get_text_width_height_descent(  # type: ignore[no-untyped-call]
                text, self.properties(size, bold=bold), False
            )
            self._widths[key] = wide / 10 * POINT
        return self._widths[key]

    def known(self, text: str) -> str:
        """Return the text with □ in place of what no font has."""
        return "".join(c if self._has(c) else _stand_in(c) for c in text)

    def _has(self, character: str) -> bool:
        return any(face.get_char_index(ord(character)) for face in self._faces)


def _stand_in(character: str) -> str:
    """Return a sign for what no font has; a control character's picture by its code."""
    code = ord(character) - 0x2400
    return f"⟨U+{code:04X}⟩" if 0 <= code < 0x20 else UNKNOWN


@cache
def pen() -> Font:
    """Return the font all figures are set in.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    # It would log that it looks for fonts, which takes seconds the first time.
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        from matplotlib import font_manager  # noqa: F401
    except ImportError as error:
        raise MissingExtra("matplotlib", "lab") from error
    finally:
        log.setLevel(level)
    return Font()


def _chinese_family() -> list[str]:
    """Return the first installed family with Chinese; also one installed just now."""
    from matplotlib import font_manager

    known = {entry.name for entry in font_manager.fontManager.ttflist}
    if not known.intersection(CHINESE):
        listed = {entry.fname for entry in font_manager.fontManager.ttflist}
        for path in sorted(font_manager.findSystemFonts()):
            name = Path(path).name.replace(" ", "").lower()
            if path not in listed and any(_stem(f) in name for f in CHINESE):
                font_manager.fontManager.addfont(path)
        known = {entry.name for entry in font_manager.fontManager.ttflist}
    return [family for family in CHINESE if family in known][:1]


def _stem(family: str) -> str:
    """Return what the file of a family has in its name: NotoSansCJK-Regular.ttc."""
    return family.removesuffix(" SC").removesuffix(" JP").replace(" ", "").lower()


@contextmanager
def settings() -> Iterator[None]:
    """Draw as matplotlib comes, whatever the user has set, and alike each time."""
    import matplotlib as mpl

    kept = ("backend", "interactive", "toolbar", "webagg", "tk.", "macosx", "datapath")
    plain: dict[Any, Any] = {
        name: value
        for name, value in mpl.rcParamsDefault.items()
        if not name.startswith(kept)
    }
    own: dict[Any, Any] = {
        "svg.hashsalt": "smemkit",
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "text.hinting": "none",
        "path.simplify": False,
        "text.parse_math": False,
    }
    with mpl.rc_context({**plain, **own}):
        yield
