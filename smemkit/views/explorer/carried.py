# SPDX-License-Identifier: Apache-2.0
"""What a session's page carries: the whole session as compact plain data.

Words that come again and again (labels, edge types, names of properties, times)
are written once and pointed at by number. Long texts are cut as far as needed
to keep the page small; a live notebook has them whole in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from smemkit import instants, schema
from smemkit.display import plain
from smemkit.graph import Graph
from smemkit.reading.chains import kinds_for
from smemkit.views import looks
from smemkit.views.captions import NAMED_BY
from smemkit.views.explorer import places
from smemkit.views.explorer.lanes import LANES
from smemkit.views.explorer.session import Session, Spot
from smemkit.views.explorer.walks import (
    MOST_WALKS,
    Walk,
    chains_of,
    runs,
    trace_of,
)
from smemkit.views.fold import MOST
from smemkit.views.html import clean
from smemkit.views.layout import STEP_X, STEP_Y
from smemkit.views.scene import SHOWN_FIELD

CUTS = (SHOWN_FIELD, 6_000, 2_000, 1_000, 600, 360, 240, 120)
"""Characters of one property, tried from the left until all texts fit."""

TEXTS = 100_000
PER_NODE = 380
"""Bytes that all properties of a page may have: so many, and so many a node."""

NAMED = 110
"""Characters of a caption; the property it comes from has more."""


class Words:
    """Texts that are written once, and the number of each."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.numbers: dict[str, int] = {}
        for text in first:
            self(text)

    def __call__(self, text: str) -> int:
        """Return the number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def texts(self) -> list[str]:
        """Return what was said, fit to be shown."""
        return [shown(text) for text in self.numbers]


def shown(text: str) -> str:
    """Return a text in which nothing acts on the text around it."""
    return clean(plain(text))


def carried(
    graph: Graph,
    made: Session,
    focus: int | None = None,
    *,
    words: Mapping[str, str],
) -> dict[str, object]:
    """Return a session as its page carries it.

    Parameters
    ----------
    graph : Graph
        The memory's records, for chains and traces.
    made : Session
        The session.
    focus : int, optional
        The node whose walks travel in any case.
    words : Mapping
        The captions.

    Examples
    --------
    >>> import smemkit
    >>> from smemkit.views.explorer.session import session
    >>> from smemkit.views.strings import strings
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> with mem.reading() as graph:
    ...     data = carried(graph, session(graph, "s"), words=strings("en"))
    >>> data["labels"], data["total"], data["nodes"][0]["caption"]
    (['ResearchGoal'], 1, 'Why?')
    """
    labels, types, names = Words(), Words(), Words()
    times = _times(made.spots)
    cut = _cut(made.spots)
    nodes = [_node(spot, labels, names, times, cut) for spot in made.spots]
    edges = [
        [src, dst, types(kind), int(inferred)]
        for src, dst, kind, inferred in made.edges
    ]
    walks = _walks(graph, made, focus, types, words)
    return {
        "title": shown(made.title),
        "session": shown(made.session_id),
        "total": len(made.spots),
        "nodes": nodes,
        "edges": edges,
        "folds": [_fold(made, key) for key in made.folds],
        "labels": labels.texts(),
        "types": types.texts(),
        "names": names.texts(),
        "times": [shown(time) for time in times],
        "kinds": [list(kinds_for(label)) for label in labels.numbers],
        "looks": [_look(label) for label in labels.numbers],
        "lines": [_line(kind) for kind in types.numbers],
        **walks,
        "lanes": list(LANES),
        "grid": {
            "x": STEP_X,
            "y": STEP_Y,
            "rows": places.ROWS,
            "least": places.LEAST,
            "slender": places.SLENDER,
            "lane": places.LANE_GAP,
            "band": places.BAND_GAP,
            "most": MOST,
        },
    }


def _node(
    spot: Spot, labels: Words, names: Words, times: Mapping[str, int], cut: int
) -> dict[str, object]:
    box = spot.box
    data: dict[str, object] = {
        "label": labels(box.label),
        "caption": clean(_named(box.caption)),
        "at": [spot.column, LANES.index(spot.lane)],
        "fields": [
            [names(name), shown(_shortened(value, cut))] for name, value in box.fields
        ],
    }
    extra: dict[str, object] = {
        "id": shown(box.id or ""),
        "state": "" if box.state == "done" else box.state,
        "fold": spot.fold,
        "time": times.get(spot.moment, -1) + 1,
        "main": _main(spot) + 1,
        "foreign": int(spot.foreign),
    }
    return data | {name: value for name, value in extra.items() if value}


def _main(spot: Spot) -> int:
    """Return which property says most of a node: the one it is named by; -1 for none."""
    fields = spot.box.fields
    for name in NAMED_BY.get(spot.box.label, ()):
        for n, (field, value) in enumerate(fields):
            if field == name and value.strip():
                return n
    return next((n for n, (_, v) in enumerate(fields) if v == spot.box.text), -1)


def _shortened(value: str, cut: int) -> str:
    left = len(value) - cut
    return value if left <= 0 else f"{value[:cut]}… ({left:,} more characters)"


def _named(caption: str) -> str:
    return caption if len(caption) <= NAMED else caption[: NAMED - 1] + "…"


def _cut(spots: tuple[Spot, ...]) -> int:
    """Return how many characters of a property a page of this size can carry."""
    texts = [value for spot in spots for _, value in spot.box.fields]
    room = TEXTS + PER_NODE * len(spots)
    for cut in CUTS:
        if sum(len(text[:cut].encode("utf-8", "replace")) for text in texts) <= room:
            return cut
    return CUTS[-1]


def _times(spots: tuple[Spot, ...]) -> dict[str, int]:
    """Return the times in their order as instants, and the number of each."""
    found = {spot.moment: instants.parse(spot.moment) for spot in spots if spot.moment}
    known = sorted((at, text) for text, at in found.items() if at is not None)
    return {text: n for n, (_, text) in enumerate(known)}


def _fold(made: Session, key: str) -> dict[str, object]:
    fold = made.folds[key]
    data: dict[str, object] = {
        "key": key,
        "kind": fold.kind,
        "at": [fold.column, LANES.index(fold.lane)],
    }
    extra = {"label": fold.label, "within": fold.within, "last": fold.last}
    return data | {
        name: shown(str(value)) if name == "label" else value
        for name, value in extra.items()
        if value
    }


def _look(label: str) -> dict[str, str]:
    look = looks.look(label)
    return {"shape": look.shape, "fill": look.fill, "rim": look.rim}


def _line(kind: str) -> dict[str, object]:
    line = looks.line(kind, {})
    return {"colour": line.colour, "dashes": list(line.dashes)}


def _walks(
    graph: Graph,
    made: Session,
    focus: int | None,
    types: Words,
    words: Mapping[str, str],
) -> dict[str, object]:
    """Return chains and traces by node number; of a very long session, the focus's."""
    if len(made.spots) <= MOST_WALKS:
        numbers = list(range(len(made.spots)))
    else:
        numbers = [] if focus is None else [focus]
    chains: dict[str, list[list[int]]] = {}
    traces: dict[str, list[object]] = {}
    for n in numbers:
        found = chains_of(graph, made, n)
        if any(found.values()):
            chains[str(n)] = [runs(found[kind]) for kind in found]
        walk = trace_of(graph, made, n)
        if walk is not None:
            traces[str(n)] = _trace(walk, types, words)
    whole = len(made.spots) <= MOST_WALKS
    return {"chains": chains, "traces": traces, "whole": whole}


def _trace(walk: Walk, types: Words, words: Mapping[str, str]) -> list[object]:
    layers = [
        [[types(via), origin, runs(met)] for via, origin, met in layer]
        for layer in walk.layers
    ]
    verdict = ("complete", "broken", "truncated").index(walk.verdict)
    return [verdict, "" if verdict == 0 else shown(walk.why.said(words)), layers]


def label_order(label: str) -> tuple[int, str]:
    """Return where a label stands among the filters: the schema's first."""
    known = (*schema.LABELS, *schema.OTHER_LABELS)
    return (known.index(label) if label in known else len(known), label)
