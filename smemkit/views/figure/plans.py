# SPDX-License-Identifier: Apache-2.0
"""Which picture shows what was asked, and how much of it one page can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from smemkit.answers import Chain, Subgraph, Trace
from smemkit.display import plain
from smemkit.errors import BadRequest, SmemError
from smemkit.graph import Graph
from smemkit.reading.chains import chain
from smemkit.report.verdicts import Audit
from smemkit.views import layout
from smemkit.views.explorer.session import Session, session
from smemkit.views.figure.auditing import audit_scene, memory_scene
from smemkit.views.figure.canon import canonical
from smemkit.views.figure.cells import DENSITIES
from smemkit.views.figure.drawing import Drawing
from smemkit.views.figure.layered import layered
from smemkit.views.figure.proof import Proof, proof_of
from smemkit.views.figure.sheet import Caption, sheet
from smemkit.views.figure.shorten import shortened
from smemkit.views.figure.timeline import timeline
from smemkit.views.figure.typeset import Pen
from smemkit.views.outline import headline
from smemkit.views.scene import Arrow, Scene
from smemkit.views.staging import staged

PAGE = 1.45
"""A page's height by its width: above it a figure is folded."""

FOLDS = ((4, 0), (3, 0), (2, 0), (3, 30), (2, 24), (2, 18), (2, 14), (2, 10), (2, 7), (2, 5), (2, 3))  # fmt: skip
"""Lines of a name and cards of a layer (0: all), from the finest on."""


NAMED = 400
"""Characters of a name that a card can show."""


@dataclass(frozen=True)
class Plan:
    """What is to be drawn: the whole scene, and the proof of what it shows."""

    scene: Scene
    proof: Proof
    session: Session | None = None

    def title(self, words: Mapping[str, str]) -> str:
        """Return the figure's heading."""
        if self.session is not None:
            return words["figure.session"].format(id=self.session.session_id)
        return self.scene.title


def plan(x: object, graph: Graph, *, session_id: str | None = None) -> Plan:
    """Return the plan of a figure.

    Raises
    ------
    BadRequest
        `x` is nothing a figure shows.
    """
    if x is None or isinstance(x, Subgraph):
        name = session_id if x is None else x.session_id
        return _of_session(graph, str(name))
    if isinstance(x, Trace):
        scene = canonical(staged(x, graph))
        of = {
            "id": x.start.id,
            "label": x.start.label,
            "start_session": x.start.session_id,
            "target_label": x.target_label,
            "max_hops": x.max_hops,
            "session_id": x.session_id,
        }
        return Plan(scene, proof_of("trace", of, scene, x))
    if isinstance(x, Chain):
        scene = canonical(layout.ranked(canonical(staged(x, graph))))
        return Plan(scene, proof_of("chain", _asked(x, graph), scene))
    if isinstance(x, Audit):
        scene = canonical(audit_scene(x, graph))
        known = canonical(memory_scene(x, graph))
        of = {"id": x.report.id, "session_id": x.report.session_id}
        return Plan(scene, proof_of("audit", of, known))
    raise BadRequest(
        "a figure",
        found=f"{type(x).__name__}",
        do="give a trace, a chain or an audit, or session_id= for a session",
    )


def _of_session(graph: Graph, session_id: str) -> Plan:
    made = session(graph, session_id)
    boxes = tuple(spot.box for spot in made.spots)
    arrows = tuple(
        Arrow(f"k{src}", f"k{dst}", kind, True, inferred)
        for src, dst, kind, inferred in made.edges
    )
    scene = canonical(Scene(made.title, "", "", boxes, arrows, None, len(boxes)))
    return Plan(scene, proof_of("session", {"session_id": session_id}, scene), made)


def _asked(found: Chain, graph: Graph) -> dict[str, str | int | None]:
    """Return the question a chain answers; whether it kept to a session is tried out."""
    start = found.start
    own = None if start is None else start.session_id
    of: dict[str, str | int | None] = {
        "id": None if start is None else start.id,
        "kind": found.kind,
        "session_id": own,
        "limit": found.limit,
        "offset": found.offset,
    }
    for session_id in (None, own):
        try:
            again = chain_again(graph, {**of, "session_id": session_id})
        except SmemError:
            continue
        if again.nodes == found.nodes:
            return {**of, "session_id": session_id}
    return of


def chain_again(graph: Graph, of: Mapping[str, object]) -> Chain:
    """Ask for a chain as a figure's proof says it was asked for."""
    name, kind = str(of.get("id")), str(of.get("kind"))
    within, limit = of.get("session_id"), of.get("limit")
    offset = of.get("offset")
    older = kind in ("full", "task", "artifact")
    return chain(
        graph,
        name,
        None if older else kind,
        chain_kind=kind if older else None,
        session_id=within if isinstance(within, str) else None,
        limit=limit if isinstance(limit, int) else None,
        offset=offset if isinstance(offset, int) else 0,
    )


def draw(made: Plan, width: float, pen: Pen, words: Mapping[str, str]) -> Drawing:
    """Return the drawing of a plan, folded until it fits a page.

    Parameters
    ----------
    made : Plan
        What is to be drawn.
    width : float
        Millimetres.
    pen, words
        The font and the captions.
    """
    if made.session is not None:
        return _draw_session(made, made.session, width, pen, words)
    return _draw_layers(made, width, pen, words)


def _draw_session(
    made: Plan, whole: Session, width: float, pen: Pen, words: Mapping[str, str]
) -> Drawing:
    tail = _tail(made, pen, words)
    for density in DENSITIES:
        body, arrows, alone = timeline(whole, width, pen, words, density=density)
        counts = {
            "nodes": f"{made.proof.nodes:,}",
            "edges": f"{made.proof.edges:,}",
        }
        undrawn = Counter(a.type for a in made.scene.arrows)
        for arrow in arrows:
            undrawn.pop(arrow.type, None)
        notes = [words["figure.rail"]]
        if undrawn:
            listed = ", ".join(f"{n:,} {kind}" for kind, n in sorted(undrawn.items()))
            notes.append(words["figure.undrawn"].format(edges=listed))
        lead = words["figure.counts"].format(**counts)
        goal = made.scene.title
        if goal != whole.session_id:
            lead = f"{goal} · {lead}"
        caption = Caption(
            made.title(words), lead, False, made.scene.labels(), arrows,
            notes + _folded(alone, made.scene, words) + tail,
        )  # fmt: skip
        done = sheet(body, caption, pen, words)
        if done.height <= width * PAGE:
            break
    return done


def _draw_layers(
    made: Plan, width: float, pen: Pen, words: Mapping[str, str]
) -> Drawing:
    audited = made.proof.what == "audit"
    tail = _tail(made, pen, words)
    for lines, most in FOLDS:
        scene = shortened(made.scene, most) if most else made.scene
        body, numbered = layered(scene, width, pen, words, lines=lines, fixed=audited)
        notes = _folded(scene.shown, made.scene, words) + tail
        lead = made.scene.reason if audited else headline(made.scene, words)
        if numbered:
            notes.insert(0, words["figure.goes_on"])
        caption = Caption(
            made.scene.title, lead, made.scene.verdict == "broken",
            _labels(scene), scene.arrows, notes,
        )  # fmt: skip
        done = sheet(body, caption, pen, words)
        if done.height <= width * PAGE:
            break
    return done


def _labels(scene: Scene) -> dict[str, int]:
    """Return the labels in an order that the language and the layers do not change."""
    return dict(sorted(scene.labels().items()))


def _folded(alone: int, scene: Scene, words: Mapping[str, str]) -> list[str]:
    total = sum(box.stands_for for box in scene.boxes)
    if alone >= scene.shown:
        return []
    return [words["figure.folded"].format(shown=f"{alone:,}", total=f"{total:,}")]


def _tail(made: Plan, pen: Pen, words: Mapping[str, str]) -> list[str]:
    """Return the last notes: signs without a font, and the hash."""
    said = (plain(box.caption[:NAMED]) for box in made.scene.boxes)
    boxed = any("□" in pen.known(text) and "□" not in text for text in said)
    missing = [words["figure.no_font"]] if boxed else []
    return [*missing, f"smemkit · SHA-256 {made.proof.sha256[:16]}…"]
