# SPDX-License-Identifier: Apache-2.0
"""SessionView: a whole session as a page to explore, a picture and an outline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from smemkit.answers import NodeView
from smemkit.errors import BadRequest, NodeNotFound, UnknownKind, short
from smemkit.graph import Graph
from smemkit.reading.chains import kinds_for
from smemkit.reading.kinds import require_kind
from smemkit.reading.resolve import resolve
from smemkit.views import frame, outline, picture
from smemkit.views.explorer.session import session
from smemkit.views.explorer.walks import chains_of, trace_of
from smemkit.views.saving import Page
from smemkit.views.scene import Arrow, Scene
from smemkit.views.strings import language, strings

HEIGHT = 720
STILL = 160
"""Boxes of the still picture and lines of the outline; the page has them all."""

TRACE = "trace"
"""The word that asks for a trace where a chain kind may stand."""


class SessionView(Page):
    """A session to explore: an interactive page, a picture and an outline.

    Attributes
    ----------
    session : Session
        What is drawn, as plain data.
    lang : str
        ``en`` or ``zh``.
    """

    _token = ""  # the name of its frames, where a kernel listens to them

    def __init__(
        self,
        graph: Graph,
        session_id: str,
        *,
        focus: str | None = None,
        kind: str | None = None,
        lang: str | None = None,
    ) -> None:
        from smemkit.views.explorer.carried import carried

        self.lang = language(lang)
        self._words = strings(self.lang)
        self.session = session(graph, session_id)
        self._focus: int | None = None
        self._walk = ""
        self._lit: frozenset[int] = frozenset()
        if focus is not None:
            self._focus = self._number(graph, focus)
            self._walk, self._lit = self._walked(graph, self._focus, kind)
        elif kind is not None:
            raise BadRequest(
                f"kind={short(kind)}", found="no focus", do="name a node too"
            )
        self._data = carried(graph, self.session, self._focus, words=self._words)

    def _number(self, graph: Graph, focus: str) -> int:
        node = resolve(graph, focus, session_id=self.session.session_id)
        if node.id not in self.session.numbers:
            raise NodeNotFound(
                f"node {short(focus)} in the view of session {short(self.session.session_id)}",
                found="it belongs to no session and has no neighbour in this one",
                do="explore the session it belongs to",
            )
        return self.session.numbers[node.id]

    def _walked(
        self, graph: Graph, number: int, kind: str | None
    ) -> tuple[str, frozenset[int]]:
        """Return the walk to light at first: the one asked for, else the first there is."""
        if kind == TRACE:
            walk = trace_of(graph, self.session, number)
            return TRACE, frozenset({number} | (walk.numbers if walk else set()))
        found = chains_of(graph, self.session, number)
        if kind is None:
            kind = next((name for name, reached in found.items() if reached), "")
            return kind, frozenset({number, *found.get(kind, ())})
        label = self.session.spots[number].view.label
        require_kind(kind, label)
        if kind not in kinds_for(label):
            raise UnknownKind(
                f"kind {short(kind)} of a {label}",
                found="its buttons have no such kind",
                do="use one of " + ", ".join((*kinds_for(label), TRACE)),
            )
        return kind, frozenset({number, *found.get(kind, ())})

    # -- nodes -------------------------------------------------------------------

    def node(self, key: str) -> NodeView | None:
        """Return the node behind a key of the page, or None."""
        number = key[1:]
        known = key[:1] == "k" and number.isascii() and number.isdigit()
        if not known or len(number) > 9 or int(number) >= len(self.session.spots):
            return None
        return self.session.spots[int(number)].view

    def key(self, public_id: str) -> str:
        """Return the key of a node on the page.

        Raises
        ------
        NodeNotFound
            The page has no such node.
        """
        number = self.session.number(public_id)
        if number is None:
            raise NodeNotFound(
                f"node {short(public_id)}",
                found=f"not in the view of session {short(self.session.session_id)}",
                do="see mem.nodes() for the ids",
            )
        return f"k{number}"

    def walks(self, public_id: str | None) -> list[tuple[str, bool]]:
        """Return the walks of a node's buttons, and whether each holds anything."""
        number = None if public_id is None else self.session.number(public_id)
        if number is None:
            return []
        kinds = kinds_for(self.session.spots[number].view.label)
        held = self._data["chains"]
        found = held.get(str(number), []) if isinstance(held, dict) else []
        chains = [
            (kind, n < len(found) and bool(found[n])) for n, kind in enumerate(kinds)
        ]
        return [*chains, (TRACE, True)]

    def title(self, public_id: str) -> str:
        """Return a node's label and caption, in one line.

        Raises
        ------
        NodeNotFound
            The page has no such node.
        """
        box = self.session.spots[int(self.key(public_id)[1:])].box
        return f"{box.label}: {box.caption}"

    @property
    def opening_id(self) -> str | None:
        """The public id of the node in focus, or None."""
        return None if self._focus is None else self.session.spots[self._focus].view.id

    # -- what is drawn -------------------------------------------------------------

    def scene(self) -> Scene:
        """Return what shows when the page opens, each box at its place."""
        scene = self.session.scene(self.session.opening(*self._lit))
        if self._focus is None:
            return scene
        keys = {f"k{n}" for n in self._lit}
        boxes = tuple(
            replace(box, mark="start") if box.key == f"k{self._focus}" else box
            for box in scene.boxes
        )
        arrows = tuple(
            Arrow(a.source, a.target, a.type, {a.source, a.target} <= keys, a.inferred)
            for a in scene.arrows
        )
        return replace(scene, boxes=boxes, arrows=arrows)

    def html(self) -> str:
        """Return the page: one file that needs no network and runs nothing foreign."""
        from smemkit.views.explorer.page import page

        opened = sorted(self.session.opening(*self._lit))
        focus = None
        if self._focus is not None:
            focus = {"key": f"k{self._focus}", "walk": self._walk}
        return page(
            self._data | {"opened": opened, "focus": focus},
            self.scene(),
            self._words,
            self.lang,
        )

    def svg(self) -> str:
        """Return the still picture; of a large session, its beginning."""
        return picture.picture(_first(self.scene(), STILL), self._words)

    def outline(self) -> str:
        """Return the session as text; of a large one, its beginning."""
        return outline.outline(_first(self.scene(), STILL), self._words)

    @property
    def name(self) -> str:
        """What the view shows, in one line."""
        told = outline.counted(self.scene(), self._words)
        return f"{self.session.title}. {told}"

    def _bundle(self, token: str) -> dict[str, str]:
        """Return what a notebook shows: the page in a frame, and what stands in for it."""
        shown = frame.frame(
            self.html(),
            self.svg(),
            name=token,
            height=HEIGHT,
            title=self.name,
            sorry=self._words["old_browser"],
        )
        return {"text/html": shown, "text/plain": self.outline()}

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> Mapping[str, str]:
        return self._bundle(self._token or frame.token())

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} session {self.session.session_id}: "
            f"{len(self.session.spots)} nodes>"
        )

    def __str__(self) -> str:
        return self.outline()


def _first(scene: Scene, most: int) -> Scene:
    """Return the scene without the boxes behind the first ones."""
    kept = tuple(sorted(scene.boxes, key=lambda box: box.layer)[:most])
    keys = {box.key for box in kept}
    arrows = (a for a in scene.arrows if a.source in keys and a.target in keys)
    return replace(scene, boxes=kept, arrows=tuple(arrows))
