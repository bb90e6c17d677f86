# SPDX-License-Identifier: Apache-2.0
"""What a figure is made of: texts, shapes, frames and lines, in millimetres.

Plain data, so that a layout can be tested without a drawing library. The
origin is the upper left corner; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

INK = "#1b1f24"
QUIET = "#5b6169"
PAPER = "#ffffff"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text: its base line starts, is centred or ends at a place."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    bold: bool = False
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape of `looks`, or the head of a line; `angle` in degrees, 0 to the right."""

    shape: str
    x: float
    y: float
    r: float
    fill: str
    rim: str
    width: float = 0.6
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle; `key` names the box of the scene whose card it is."""

    x: float
    y: float
    w: float
    h: float
    rim: str = ""
    fill: str = PAPER
    width: float = 0.6
    dashes: tuple[float, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line: straight through two points, or a Bézier curve through four."""

    points: tuple[Point, ...]
    colour: str
    width: float = 0.7
    dashes: tuple[float, ...] = ()


Item = Text | Mark | Frame | Stroke


@dataclass(slots=True)
class Drawing:
    """A picture under way: its items, those behind first, and its height."""

    width: float
    height: float = 0.0
    items: list[Item] = field(default_factory=list)

    def add(self, items: Iterable[Item], *, down: float = 0.0) -> None:
        """Put items in front of what is there, moved down by so many millimetres."""
        self.items += [moved(item, down) for item in items] if down else items

    def texts(self) -> list[Text]:
        """Return the texts."""
        return [item for item in self.items if isinstance(item, Text)]

    def cards(self) -> list[Frame]:
        """Return the frames that are cards of nodes."""
        return [i for i in self.items if isinstance(i, Frame) and i.key]


def moved(item: Item, down: float) -> Item:
    """Return an item further down.

    Examples
    --------
    >>> moved(Mark("dot", 1, 2, 1, "", ""), 3).y
    5
    """
    match item:
        case Text(x, y, text, size, colour, bold, anchor):
            return Text(x, y + down, text, size, colour, bold, anchor)
        case Mark(shape, x, y, r, fill, rim, width, angle):
            return Mark(shape, x, y + down, r, fill, rim, width, angle)
        case Frame(x, y, w, h, rim, fill, width, dashes, key):
            return Frame(x, y + down, w, h, rim, fill, width, dashes, key)
        case Stroke(points, colour, width, dashes):
            lower = tuple((x, y + down) for x, y in points)
            return Stroke(lower, colour, width, dashes)


HEADS: Mapping[str, str] = {
    "next": "open arrow",
    "produces": "arrow",
    "extracts": "ring",
    "supports": "diamond",
    "stated_in": "square",
    "supersedes": "hollow arrow",
    "input": "hollow square",
    "contains": "hollow diamond",
    "feeds": "dot",
}
"""The head of each edge type: they differ in a print without colour, too."""


def head(edge_type: str) -> str:
    """Return the shape that ends an edge of this type.

    Examples
    --------
    >>> head("supports"), head("odd")
    ('diamond', 'bar')
    """
    return HEADS.get(edge_type, "bar")


def pale(colour: str, part: float = 0.55) -> str:
    """Return a colour mixed with white.

    Examples
    --------
    >>> pale("#000000", 0.5)
    '#808080'
    """
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(v + (255 - v) * part):02x}" for v in parts)
