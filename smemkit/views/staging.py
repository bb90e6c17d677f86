# SPDX-License-Identifier: Apache-2.0
"""Which scene shows an answer: a trace or a chain becomes boxes and arrows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from smemkit.answers import Chain, NodeView, Reason, Trace
from smemkit.answers.hops import FORWARD
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.report.verdicts import Audit
from smemkit.views import layout
from smemkit.views.fold import fold
from smemkit.views.scene import Arrow, Box, Scene, Stop, box_of


def scene_of(answer: Trace | Chain, graph: Graph | None = None) -> Scene:
    """Return the scene of a trace or a chain, every box at its place.

    Parameters
    ----------
    answer : Trace or Chain
        What is to be drawn.
    graph : Graph, optional
        The records it came from: every edge between two of its nodes is drawn
        too, and a step of the session's line leads to its real neighbour.

    Raises
    ------
    BadRequest
        The answer is no trace and no chain.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> made = mem.declare_artifact("fig.png", artifact_id="fig")
    >>> scene = scene_of(mem.trace_provenance("fig"))
    >>> scene.verdict, [box.mark for box in scene.boxes]
    ('broken', ['start'])
    """
    scene = staged(answer, graph)
    if isinstance(answer, Trace):
        return layout.by_layer(fold(scene))
    return layout.in_rows(fold(layout.ranked(scene)))


def staged(answer: Trace | Chain, graph: Graph | None = None) -> Scene:
    """Return the scene of a trace or a chain, whole and without places.

    Parameters
    ----------
    answer, graph
        As for `scene_of`.

    Raises
    ------
    BadRequest
        The answer is no trace and no chain.
    """
    if isinstance(answer, Trace):
        return _of_trace(answer, graph)
    if isinstance(answer, Chain):
        return _of_chain(answer, graph)
    if isinstance(answer, Audit):
        raise BadRequest(
            "a picture of an answer",
            found="an Audit",
            do="mem.figure(audit) draws it, smemkit_widgets.ReportView shows the report",
        )
    raise BadRequest(
        "a picture of an answer",
        found=f"{type(answer).__name__}",
        do="give what mem.trace_provenance(…) or mem.chain(…) returned",
    )


def _of_trace(trace: Trace, graph: Graph | None) -> Scene:
    boxes = [box_of(trace.start, "b0", mark="start")]
    here: dict[str | None, str] = {trace.start.id: "b0"}
    before = here
    arrows: list[Arrow] = []
    for n, hop in enumerate(trace.chain, 1):
        if hop.hop != boxes[-1].layer:
            before, here = here, {}
        mark = "goal" if hop.is_terminal else ""
        ends = (f"b{n}", before[hop.from_id])
        box = box_of(
            hop.node,
            ends[0],
            layer=hop.hop,
            mark=mark,
            via=hop.via_edge,
            origin=ends[1],
        )
        boxes.append(replace(box, several=True) if hop.several else box)
        here.setdefault(hop.node.id, ends[0])
        forward = hop.via_edge in FORWARD
        arrows.append(Arrow(*(ends[::-1] if forward else ends), hop.via_edge))
    last = tuple(box.key for box in boxes if box.layer == boxes[-1].layer)
    return Scene(
        f"{trace.start.label} {trace.start.id}",
        trace.verdict,
        trace.reason,
        tuple(boxes),
        _with_context(arrows, boxes, trace.nodes, graph),
        None if trace.reached else Stop(trace.verdict, trace.why, last),
        len(boxes),
        leftwards=True,
    )


def _of_chain(chain: Chain, graph: Graph | None) -> Scene:
    start = chain.start
    views = chain.nodes or ((start,) if start is not None else ())
    views = tuple(sorted(views, key=lambda view: (view.n, view.storage_id)))
    boxes = [
        box_of(view, f"b{n}", mark="start" if _same(view, start) else "")
        for n, view in enumerate(views)
    ]
    keys: dict[str | None, str] = {}
    for box in boxes:
        keys.setdefault(box.id, box.key)
    arrows = [
        Arrow(keys[e.source], keys[e.target], e.type, True, _inferred(e.props))
        for e in chain.edges
        if e.source in keys and e.target in keys
    ]
    return Scene(
        chain.title(),
        "",
        "" if chain.nodes else str(Reason("chain.empty")),
        tuple(boxes),
        _with_context(list(dict.fromkeys(arrows)), boxes, views, graph),
        None,
        len(boxes),
    )


def _same(view: NodeView, start: NodeView | None) -> bool:
    return start is not None and (view.label, view.id) == (start.label, start.id)


def _with_context(
    arrows: list[Arrow],
    boxes: list[Box],
    views: Iterable[NodeView],
    graph: Graph | None,
) -> tuple[Arrow, ...]:
    """Add every stored edge between two boxes; real `next` steps replace long ones."""
    if graph is None:
        return tuple(arrows)
    keys = {
        v.storage_id: box.key
        for v, box in zip(views, boxes, strict=True)
        if v.storage_id
    }
    stored: dict[tuple[str, str, str], bool] = {}
    for storage_id, key in keys.items():
        for edge in graph.out(storage_id):
            if edge.dst in keys:
                ends = (key, keys[edge.dst], edge.type)
                stored[ends] = stored.get(ends, True) and _inferred(edge.props)
    drawn: dict[tuple[str, str, str], Arrow] = {}
    led = {source for source, _, type_ in stored if type_ == "next"}
    for arrow in arrows:
        ends = (arrow.source, arrow.target, arrow.type)
        if arrow.type == "next" and ends not in stored and arrow.source in led:
            continue  # the line itself is drawn, step by step
        drawn[ends] = Arrow(*ends, True, stored.get(ends, False))
    for ends, inferred in stored.items():
        on_line = ends[2] == "next"
        drawn.setdefault(ends, Arrow(*ends, on_line, inferred))
    return tuple(drawn.values())


def _inferred(props: Mapping[str, object]) -> bool:
    return props.get("inferred") is True
