# SPDX-License-Identifier: Apache-2.0
"""An audit as a scene: the report, its sentences, their claims, and what those rest on."""

from __future__ import annotations

from collections.abc import Iterable

from smemkit.answers import NodeView, Trace
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.report.audit import audit
from smemkit.report.verdicts import Audit, AuditRow
from smemkit.views.scene import Arrow, Box, Scene, box_of, stack


def audit_scene(found: Audit, graph: Graph) -> Scene:
    """Return the scene of an audit: four layers, or three where there is no text.

    Parameters
    ----------
    found : Audit
        What `audit` returned.
    graph : Graph
        The records it came from.
    """
    made = _Made(found, graph)
    for row in found.rows:
        if found.has_text:
            made.sentence(row)
        else:
            made.claims(row.claims, "report", row.verdict)
    made.claims(found.unused_claims, "report", "")
    made.uncited(row for row in found.rows if row.verdict == "uncited")
    return Scene(
        found.report.id or "",
        "",
        found.summary,
        tuple(made.boxes.values()),
        tuple(made.arrows.values()),
        None,
        len(made.boxes),
    )


def memory_scene(found: Audit, graph: Graph) -> Scene:
    """Return what of an audit the memory alone holds, whatever text was given.

    It is what `smemkit.verify_figure` can compare: the report, its claims with
    their verdicts, and what they rest on.
    """
    report = found.report
    again = audit(graph, str(report.id))
    return audit_scene(again, graph)


class _Made:
    """A scene under way."""

    def __init__(self, found: Audit, graph: Graph) -> None:
        self.graph = graph
        self.text = found.has_text
        self.boxes = {"report": box_of(found.report, "report")}
        self.arrows: dict[tuple[str, str, str], Arrow] = {}
        self.report = graph.node(found.report.storage_id)
        near = () if self.report is None else graph.into(self.report.id, "stated_in")
        nodes = (graph.node(edge.src) for edge in near)
        self.stated = {n.public_id: n for n in nodes if n is not None}
        self.traces: dict[str, Trace] = {
            trace.start.storage_id: trace for row in found.rows for trace in row.traces
        }
        self.newer = self._superseded(found)

    def _superseded(self, found: Audit) -> set[str]:
        """Return the ids of supporters of which an audit says that they are old."""
        why = (reason for row in found.rows for reason in row.why)
        return {str(each.values["old"]) for each in why if each.code == "superseded"}

    def sentence(self, row: AuditRow) -> None:
        """Add a sentence that carries a chip, and its claims."""
        if row.verdict == "uncited":
            return
        key = f"row{row.n}"
        said = f"{row.n}. {row.sentence}"
        self.boxes[key] = Box(
            key,
            "Sentence",
            str(row.n),
            caption=said,
            text=said,
            layer=1,
            verdict=row.verdict,
        )
        self._join(key, "report", "")
        self.claims(row.claims, key, "")

    def uncited(self, rows: Iterable[AuditRow]) -> None:
        """Add one stack for the sentences without a chip."""
        boxes = [Box("u", "Sentence", layer=1) for _ in rows] if self.text else []
        if boxes:
            whole = stack("uncited", boxes)
            self.boxes["uncited"] = Box(
                "uncited",
                "Sentence",
                layer=1,
                verdict="uncited",
                stands_for=whole.stands_for,
            )
            self._join("uncited", "report", "")

    def claims(self, ids: Iterable[str], under: str, verdict: str) -> None:
        """Add claims below a sentence or the report, and what supports them."""
        for each in ids:
            node = self.stated.get(each)
            if node is None:
                continue
            key = f"node{node.id}"
            layer = 2 if self.text else 1
            if key not in self.boxes:
                self.boxes[key] = self._box(node, key, layer, verdict)
            self._join(key, under, "stated_in")
            self._supporters(node, key, layer + 1)

    def _supporters(self, claim: Node, key: str, layer: int) -> None:
        for edge in self.graph.into(claim.id, "supports"):
            node = self.graph.node(edge.src)
            if node is None:
                continue
            own = f"support{node.id}"
            if own not in self.boxes:
                trace = self.traces.get(node.id)
                verdict = "" if trace is None else trace.verdict
                if verdict == "complete" and node.public_id in self.newer:
                    verdict = "superseded"
                self.boxes[own] = self._box(node, own, layer, verdict)
            self._join(own, key, "supports")

    def _box(self, node: Node, key: str, layer: int, verdict: str) -> Box:
        made = box_of(NodeView.of(node), key, layer=layer)
        return Box(
            key,
            made.label,
            made.id,
            made.session_id,
            made.caption,
            made.text,
            layer,
            "",
            made.state,
            made.fields,
            verdict=verdict,
        )

    def _join(self, source: str, target: str, kind: str) -> None:
        self.arrows.setdefault((source, target, kind), Arrow(source, target, kind))
