# SPDX-License-Identifier: Apache-2.0
"""One node of a figure as a card: its shape, its label, its name in lines that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from smemkit.views import looks
from smemkit.views.figure.drawing import (
    INK,
    PAPER,
    QUIET,
    Frame,
    Item,
    Mark,
    Text,
)
from smemkit.views.figure.typeset import Pen, broken, one_line
from smemkit.views.scene import Box

BODY = 6.0
"""Points of a node's name: the smallest most journals print."""

SMALL = 5.0
PITCH = 2.65
"""Millimetres from one line of a name to the next."""

TIGHT = 2.2
PAD = 1.0
ICON = 1.2

VERDICTS: Mapping[str, tuple[str, str]] = {
    "unknown alias": ("?", looks.BREAK),
    "unlinked claim": ("⚠", looks.BREAK),
    "broken": ("✗", looks.BREAK),
    "truncated": ("…", "#8a4b00"),
    "superseded": ("↻", "#7a5c00"),
    "complete": ("✓", "#00664a"),
    "uncited": ("·", QUIET),
}
"""Sign and colour of each verdict of an audit."""


@dataclass(frozen=True, slots=True)
class Card:
    """A box with its texts broken into lines, and its size in millimetres."""

    box: Box
    width: float
    height: float
    title: tuple[str, ...]
    beside: tuple[tuple[float, str, str], ...]
    tags: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]

    def draw(self, x: float, y: float) -> list[Item]:
        """Return the card with its upper left corner at a place."""
        box, look = self.box, looks.look(self.box.label)
        hollow = box.state in ("failed", "cancelled", "open")
        rim = looks.BREAK if box.state == "failed" else look.rim
        dashes = (2.0, 1.6) if box.state in ("open", "cancelled") else ()
        width = 1.5 if box.mark in ("start", "goal") else 0.7
        items: list[Item] = []
        if box.stands_for > 1:
            items.append(Frame(x + 0.8, y - 0.8, self.width, self.height, rim))
        items.append(
            Frame(x, y, self.width, self.height, rim, PAPER, width, dashes, box.key)
        )
        icon = PAPER if hollow else look.fill
        items.append(Mark(look.shape, x + PAD + ICON, y + PAD + ICON, ICON, icon, rim))
        for n, line in enumerate(self.title):
            base = y + PAD + 1.75 + n * TIGHT
            items.append(Text(x + PAD + 2 * ICON + 0.8, base, line, SMALL, QUIET))
        return items + self._texts(x, y)

    def _texts(self, x: float, y: float) -> list[Item]:
        """Return what is written below and beside the label."""
        base = y + PAD + 1.75
        items: list[Item] = [
            Text(x + indent, base, line, SMALL, colour)
            for indent, line, colour in self.beside
        ]
        base += TIGHT * len(self.title) + 0.1
        for line, colour in self.tags:
            items.append(Text(x + PAD, base, line, SMALL, colour))
            base += TIGHT
        base += PITCH - TIGHT + 0.05
        for line in self.lines:
            items.append(Text(x + PAD, base, line, BODY, INK))
            base += PITCH
        return items


def card(
    box: Box, width: float, pen: Pen, words: Mapping[str, str], *, lines: int = 4
) -> Card:
    """Return the card of a box.

    Parameters
    ----------
    box : Box
        What it shows.
    width : float
        Millimetres.
    pen : Pen
        What measures.
    words : Mapping
        The captions.
    lines : int, default 4
        The most lines of its name.
    """
    room = width - 2 * PAD - 0.2
    stack = box.stands_for > 1
    name = name_of(box.label, words)
    if stack:
        key = "figure.more" if box.mark == "more" else "figure.many"
        name = words[key].format(count=f"{box.stands_for:,}", label=name)
    title = broken(name, room - 2 * ICON - 0.8, SMALL, pen, most=2) or [""]
    row, left = _beside(title, _tags(box, words), width, pen)
    tags = [
        (line, colour)
        for text, colour in left
        for line in broken(text, room, SMALL, pen, most=3)
    ]
    named: list[str] = []
    if not stack or box.text:
        named = broken(box.caption, room, BODY, pen, most=lines)
    height = PAD * 2 + TIGHT * (len(title) + len(tags)) + PITCH * len(named)
    height += 0.5 if named else 0.2
    return Card(box, width, height, tuple(title), tuple(row), tuple(tags), tuple(named))


def _beside(
    title: list[str], tags: list[tuple[str, str]], width: float, pen: Pen
) -> tuple[list[tuple[float, str, str]], list[tuple[str, str]]]:
    """Put tags beside the label while there is room, which keeps the card low."""
    row: list[tuple[float, str, str]] = []
    indent = PAD + 2 * ICON + 0.8 + pen.width(title[0], SMALL) + 1.6
    for n, (text, colour) in enumerate(tags):
        wide = pen.width(text, SMALL)
        if len(title) > 1 or indent + wide > width - PAD - 0.2:
            return row, tags[n:]
        row.append((indent, text, colour))
        indent += wide + 1.6
    return row, []


def name_of(label: str, words: Mapping[str, str]) -> str:
    """Return what a label is called in the figure's language.

    Examples
    --------
    >>> name_of("Claim", {"label.Claim": "声明"}), name_of("Odd", {})
    ('声明', 'Odd')
    """
    return words.get(f"label.{label}", label) or words.get("figure.node", "node")


def _tags(box: Box, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what is said about a node besides its name, with its colour."""
    found = []
    if box.verdict:
        sign, colour = VERDICTS[box.verdict]
        found.append((f"{sign} {words[f'verdict.{box.verdict}']}", colour))
    if box.mark in ("start", "goal"):
        found.append((words[box.mark], INK))
    if box.state == "failed":
        found.append((f"✕ {words['state.failed']}", looks.BREAK))
    elif box.state in ("cancelled", "open"):
        found.append((words[f"state.{box.state}"], QUIET))
    return found


def stop_card(
    kind: str, reason: str, width: float, pen: Pen, words: Mapping[str, str]
) -> Card:
    """Return the card that stands where a walk ended before the goal."""
    is_break = kind == "broken"
    word = words["break" if is_break else "stopped"]
    sign = "✕" if is_break else "…"
    room = width - 2 * PAD - 0.2
    tags = broken(f"{sign} {word}", room, SMALL, pen, most=4)
    lines = broken(reason, room, BODY, pen, most=6)
    height = PAD * 2 + TIGHT * len(tags) + PITCH * len(lines) + 0.5
    box = Box("stop", "", caption=one_line(reason, pen))
    red = tuple((tag, looks.BREAK) for tag in tags)
    return StopCard(box, width, height, (), (), red, tuple(lines))


class StopCard(Card):
    """The card of a break: no node, so it has no shape and a dashed red rim."""

    __slots__ = ()

    def draw(self, x: float, y: float) -> list[Item]:
        """Return the card with its upper left corner at a place."""
        rim = Frame(
            x, y, self.width, self.height, looks.BREAK, PAPER, 0.9, (1.6, 1.6), "stop"
        )
        return [rim, *self._texts(x, y)]
