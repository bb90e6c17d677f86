# SPDX-License-Identifier: Apache-2.0
"""What stands behind a report's chips, as plain data: nodes, sources, files, chains."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from smemkit.answers import NodeView, Trace
from smemkit.graph import Graph
from smemkit.reading.trace import trace_from
from smemkit.records import Node
from smemkit.report.files import declared_file
from smemkit.report.walks import newer_version
from smemkit.views.explorer.carried import shown
from smemkit.views.outline import headline, in_order
from smemkit.views.picture import picture
from smemkit.views.report.embedded import MAX_READ, Room, embedded
from smemkit.views.scene import Box, box_of
from smemkit.views.staging import scene_of

FIELD, LONG = (120, 600), (400, 4_000)
"""Characters of a property that a page carries at least and at most; of the texts a
reader came for, more."""

LONG_FIELDS = frozenset({"content", "source_excerpt", "abstract", "core_objective"})

CARDS = 280_000
PICTURES = 150_000
"""Characters that all cards may take, and the pictures of all chains."""

FILES = frozenset({"Artifact", "SourceFile"})


@dataclass
class Cards:
    """The cards of one report, made one after the other while there is room.

    Attributes
    ----------
    graph : Graph
        The memory's records.
    report : Node
        The report version.
    words : dict
        The captions.
    folder : Path or None
        Where declared files are.
    expected : int
        How many cards there will be, about: the more, the shorter their texts.
    nodes, cards, files : list
        What the page carries.
    targets : list
        The node of each card, for Python.
    """

    graph: Graph
    report: Node
    words: dict[str, str]
    folder: Path | None = None
    expected: int = 1
    room: Room = field(default_factory=Room)
    nodes: list[dict[str, object]] = field(default_factory=list)
    cards: list[dict[str, object]] = field(default_factory=list)
    files: list[dict[str, object]] = field(default_factory=list)
    targets: list[NodeView] = field(default_factory=list)
    uncarried: int = 0

    def __post_init__(self) -> None:
        self._left, self._drawn = CARDS, PICTURES
        share = CARDS // (3 * max(1, self.expected))
        self._field = min(max(share // 3, FIELD[0]), FIELD[1])
        self._long = min(max(share, LONG[0]), LONG[1])
        self._card_of: dict[str, int] = {}
        self._node_of: dict[tuple[str, str | None, str | None], int] = {}
        self._file_of: dict[str, int] = {}
        self._by_path: dict[str, list[Node]] = {}
        near = self.graph.into(self.report.id, "stated_in")
        self._stated = {edge.src for edge in near}

    def card(self, node: Node, trace: Trace | None = None) -> int:
        """Return the number of a node's card; -1 if the page has no room for it."""
        if node.id in self._card_of:
            return self._card_of[node.id]
        if self._left <= 0:
            self.uncarried += 1
            self._card_of[node.id] = -1
            return -1
        before = len(self.nodes)
        made: dict[str, object] = {"node": self.node(box_of(NodeView.of(node), ""))}
        made["sources"] = [self.view(each) for each in self._sources(node)]
        made["claims"] = [self.view(each) for each in self._claims(node)]
        made["newer"] = shown(newer_version(self.graph, node) or "")
        made["chain"] = self._chain(
            trace
            or trace_from(
                self.graph,
                node,
                name=node.public_id or "",
                session_id=node.session_id,
            )
        )
        if node.label in FILES:
            made["file"], made["note"] = self._file(node)
        number = len(self.cards)
        self._card_of[node.id] = number
        self.cards.append(made)
        self.targets.append(NodeView.of(node))
        self._left -= len(json.dumps([made, self.nodes[before:]]))
        return number

    def view(self, node: Node) -> int:
        """Return the number of a node that a card speaks of."""
        return self.node(box_of(NodeView.of(node), ""))

    def node(self, box: Box) -> int:
        """Return the number of what is said of a node; said once."""
        key = (box.label, box.id or box.caption, box.session_id)
        if key not in self._node_of:
            self._node_of[key] = len(self.nodes)
            data: dict[str, object] = {
                "label": shown(box.label),
                "id": shown(box.id or ""),
                "caption": shown(box.caption),
                "fields": [[shown(n), shown(self._cut(n, v))] for n, v in box.fields],
            }
            if box.state in ("failed", "cancelled", "open"):
                data["state"] = box.state
            if box.stands_for > 1:
                data["stack"] = box.stands_for
            self.nodes.append(data)
        return self._node_of[key]

    def picture_of(self, path: str) -> int:
        """Return the file of a declared picture at a path of the workspace, else -1."""
        if self.folder is None:
            return -1
        for node in self._at_path().get(path, ()):
            number, _ = self._file(node)
            if number >= 0:
                return number
        return -1

    def _at_path(self) -> dict[str, list[Node]]:
        """Return the artifacts of the report's session by path; looked up once."""
        if not self._by_path:
            for node in self.graph.nodes("Artifact"):
                if node.session_id == self.report.session_id:
                    path = str(node.props.get("path"))
                    self._by_path.setdefault(path, []).append(node)
        return self._by_path

    def _sources(self, node: Node) -> Iterable[Node]:
        """Yield what an evidence was taken from."""
        if node.label == "Evidence":
            for edge in self.graph.into(node.id, "extracts"):
                source = self.graph.node(edge.src)
                if source is not None:
                    yield source

    def _claims(self, node: Node) -> Iterable[Node]:
        """Yield the claims of this report that rest on a node."""
        seen = set()
        for edge in self.graph.out(node.id, "supports"):
            if edge.dst in self._stated and edge.dst not in seen:
                seen.add(edge.dst)
                claim = self.graph.node(edge.dst)
                if claim is not None:
                    yield claim

    def _file(self, node: Node) -> tuple[int, str]:
        """Return the number of a node's file, or -1 and the word for why there is none."""
        if self.folder is None:
            return -1, "no_folder"
        found = declared_file(node, self.folder, MAX_READ)
        if found.data is None:
            return -1, found.why
        name = str(node.props.get("path"))
        key = f"{node.props.get('content_hash')} {name}"
        if key not in self._file_of:
            self._file_of[key] = len(self.files)
            data = embedded(name, found.data, self.room)
            self.files.append({"name": shown(name)} | data)
        return self._file_of[key], ""

    def _chain(self, trace: Trace) -> dict[str, object]:
        scene = scene_of(trace, self.graph)
        boxes = in_order(scene)
        places = {box.key: n for n, box in enumerate(boxes)}
        made: dict[str, object] = {
            "verdict": scene.verdict,
            "headline": shown(headline(scene, self.words)),
            "steps": [
                [
                    self.node(box),
                    box.layer,
                    shown(box.via),
                    places.get(box.origin, -1),
                    box.mark,
                ]
                for box in boxes
            ],
        }
        if scene.stop is not None:
            why = scene.stop.why.said(self.words)
            made["stop"] = [scene.stop.kind, shown(why)]
        drawn = picture(scene, self.words)
        if len(drawn) <= self._drawn:
            self._drawn -= len(drawn)
            made["picture"] = drawn
        return made

    def _cut(self, name: str, value: str) -> str:
        most = self._long if name in LONG_FIELDS else self._field
        left = len(value) - most
        return value if left <= 0 else f"{value[:most]}… ({left:,} more characters)"
