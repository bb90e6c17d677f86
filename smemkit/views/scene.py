# SPDX-License-Identifier: Apache-2.0
"""What is drawn: boxes with places and captions, arrows between them; plain data.

The page, the picture, the figure and the outline are made from the same scene,
so they show the same nodes. Nothing here knows of a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from smemkit.answers import NodeView, Reason
from smemkit.views import looks
from smemkit.views.captions import caption

SHOWN_FIELD = 20_000
"""Characters of one property that a page carries; the rest is counted."""

HIDDEN_FIELDS = frozenset({"embedding"})


@dataclass(frozen=True, slots=True)
class Box:
    """One node of a scene, or a stack of nodes that are not drawn one by one.

    Attributes
    ----------
    key : str
        Unique in the scene, and the same in each run.
    label, id, session_id : str
        Those of the node; a stack has the id of none.
    caption : str
        Its short name in one line.
    text : str
        The line that stands for it, uncut.
    layer : int
        The column, counted from the start of the walk.
    mark : str
        ``start``, ``goal`` for what was looked for, else empty.
    state : str
        ``done``, ``failed``, ``cancelled``, ``open`` or empty.
    fields : tuple of (name, value)
        Every property, as text.
    via, origin : str
        Of a trace: the type of the edge the walk came over, and the key of the
        box it came from; empty at the start.
    several : bool
        Of a trace: the `next` it came over stands for several.
    verdict : str
        Of an audit: the word of what was found; else empty.
    stands_for : int
        How many nodes: 1, or those of a stack.
    x, y : float
        Its place, in pixels at scale 1; `layout` sets it.
    """

    key: str
    label: str
    id: str | None = None
    session_id: str | None = None
    caption: str = ""
    text: str = ""
    layer: int = 0
    mark: str = ""
    state: str = ""
    fields: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    via: str = ""
    origin: str = ""
    verdict: str = ""
    stands_for: int = 1
    x: float = 0.0
    y: float = 0.0
    several: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """One edge of a scene, from what came first to what followed.

    Attributes
    ----------
    source, target : str
        Keys of boxes.
    type : str
        The edge's type.
    walked : bool
        True if the answer rests on it; False for context.
    inferred : bool
        True if it was inferred, not observed.
    """

    source: str
    target: str
    type: str
    walked: bool = True
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a walk ended before the goal: at which boxes, why, and its place."""

    kind: str
    why: Reason
    at: tuple[str, ...]
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything one view shows.

    Attributes
    ----------
    title : str
        What is shown, in one line.
    verdict : str
        ``complete``, ``broken`` or ``truncated`` for a trace, else empty.
    reason : str
        Why, in words.
    boxes, arrows
        What is drawn.
    stop : Stop or None
        Where the chain breaks.
    total : int
        How many nodes the answer has.
    leftwards : bool
        True if the walk goes from right to left (a trace: the goal is at the left).
    """

    title: str
    verdict: str
    reason: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    stop: Stop | None
    total: int
    leftwards: bool = False

    @property
    def ids(self) -> frozenset[str]:
        """The public ids of the nodes drawn."""
        return frozenset(box.id for box in self.boxes if box.id is not None)

    @property
    def shown(self) -> int:
        """How many nodes are drawn one by one."""
        return sum(box.stands_for == 1 for box in self.boxes)

    def labels(self) -> dict[str, int]:
        """Return how many nodes of each label the scene stands for."""
        found: dict[str, int] = {}
        for box in self.boxes:
            found[box.label] = found.get(box.label, 0) + box.stands_for
        return found

    def types(self) -> tuple[str, ...]:
        """Return the edge types drawn, in the order in which they appear."""
        return tuple(dict.fromkeys(arrow.type for arrow in self.arrows))


def box_of(
    view: NodeView,
    key: str,
    *,
    layer: int = 0,
    mark: str = "",
    via: str = "",
    origin: str = "",
) -> Box:
    """Return the box of a node.

    Examples
    --------
    >>> box_of(NodeView("Claim", "c", "s", {"content": "It fits."}), "k").caption
    'It fits.'
    """
    return Box(
        key,
        view.label,
        view.id,
        view.session_id,
        caption(view.label, view.props),
        view.text[:SHOWN_FIELD],
        layer,
        mark,
        looks.state(view.props),
        fields(view.props),
        via,
        origin,
    )


def stack(key: str, boxes: Iterable[Box]) -> Box:
    """Return one box for several that are not drawn one by one."""
    kept = list(boxes)
    labels = {box.label for box in kept}
    label = labels.pop() if len(labels) == 1 else ""
    count = sum(box.stands_for for box in kept)
    name = f"{count:,} more {label or 'nodes'}"
    return Box(
        key, label, caption=name, text=name, layer=kept[0].layer, stands_for=count
    )


def fields(props: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return every property as text, long ones cut with the count of what is left.

    Examples
    --------
    >>> fields({"year": 2020, "authors": ["Gorman", "Williams"]})
    (('year', '2020'), ('authors', 'Gorman; Williams'))
    """
    return tuple(
        (name, _as_text(value))
        for name, value in props.items()
        if name not in HIDDEN_FIELDS and value is not None
    )


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    text = str(value)
    left = len(text) - SHOWN_FIELD
    return text if left <= 0 else f"{text[:SHOWN_FIELD]}… ({left:,} more characters)"
