# SPDX-License-Identifier: Apache-2.0
"""What else a chain rests on: what its runs read, how they ended, the files of today.

A chain to the goal is one way. What a run on that way read may come from nowhere,
be replaced or have changed on disk; none of it changes a verdict, all of it is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smemkit import schema
from smemkit.answers import Reason
from smemkit.graph import Graph
from smemkit.records import Node
from smemkit.report.files import declared_file
from smemkit.report.walks import Walks, id_of, newer_version

MOST = 256 << 20
"""The largest file that is compared, in bytes."""

LOOKED_AT = 500
"""How many nodes behind one support are looked at."""

_FILES = ("Artifact", "SourceFile")


@dataclass(frozen=True, slots=True)
class Ground:
    """What is to be said about one node, and what it was made from.

    Attributes
    ----------
    reasons : tuple of Reason
        What is not as it should be.
    inputs : tuple of (Node, Node)
        A run, and what it read.
    sources : tuple of Node
        What an Evidence was taken from.
    """

    reasons: tuple[Reason, ...]
    inputs: tuple[tuple[Node, Node], ...]
    sources: tuple[Node, ...]


class Grounds:
    """What stands behind the supports of one audit; each node is looked at once.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    walks : Walks
        The chains of this audit.
    folder : Path, optional
        Where the files are, as `folder_of` returned it; without it none is compared.

    Attributes
    ----------
    differing : dict
        What to say about each file that is not the declared one, by the node's id.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> run = mem.observe_execution("e1", session_id="s", status="failed")
    >>> made = mem.declare_artifact("fig.svg", artifact_id="fig", code_id="e1")
    >>> with mem.reading() as graph:
    ...     fig = graph.named("fig")[0]
    ...     for doubt in Grounds(graph, Walks(graph)).doubts(fig):
    ...         str(doubt)
    'fig#v1 was made by a run that failed (e1: failed)'
    """

    def __init__(self, graph: Graph, walks: Walks, folder: Path | None = None) -> None:
        self.graph = graph
        self.walks = walks
        self.folder = folder
        self.differing: dict[str, Reason] = {}
        self._known: dict[str, Ground] = {}

    def doubts(self, support: Node) -> Iterator[Reason]:
        """Yield what is not as it should be behind a support, the nearest first."""
        met, queue = {support.id}, [support]
        reached = self.walks.of(support)[0]
        for node in queue:
            if len(met) > LOOKED_AT:
                most = str(LOOKED_AT)
                yield Reason("too_many", most=most, id=id_of(support))
                return
            ground = self._ground(node)
            yield from ground.reasons
            for run, read in ground.inputs:
                if read.id not in met:
                    met.add(read.id)
                    queue.append(read)
                    yield from self._read(run, read, is_cut=reached.truncated)
            for source in ground.sources:
                if source.id not in met:
                    met.add(source.id)
                    queue.append(source)

    def _read(self, run: Node, read: Node, *, is_cut: bool) -> Iterator[Reason]:
        """Say what is wrong with the chain of what a run read."""
        trace, chain = self.walks.of(read)
        if trace.broken or (trace.truncated and not is_cut):
            yield Reason("read.broken", run=id_of(run), read=id_of(read), chain=chain)
        newer = newer_version(self.graph, read)
        if newer is not None and not self._made_next(run, read):
            yield Reason("read.superseded", run=id_of(run), read=id_of(read), new=newer)

    def _made_next(self, run: Node, read: Node) -> bool:
        """Return whether the run itself made a later version of what it read."""
        name = read.props.get("artifact_id")
        made = (
            self.graph.node(edge.dst) for edge in self.graph.out(run.id, "produces")
        )
        return any(
            each is not None and each.props.get("artifact_id") == name for each in made
        )

    def _ground(self, node: Node) -> Ground:
        if node.id not in self._known:
            runs = [node] if node.label == "Code" else self._makers(node)
            reasons = [*self._file(node), *self._runs(node, runs)]
            inputs = [
                (run, read)
                for run in runs
                if run.label == "Code"
                for read in self._starts(run, "input")
            ]
            sources = self._starts(node, "extracts") if node.label == "Evidence" else ()
            self._known[node.id] = Ground(tuple(reasons), tuple(inputs), tuple(sources))
        return self._known[node.id]

    def _makers(self, node: Node) -> list[Node]:
        made = node.label == "Artifact"
        return list(self._starts(node, "produces")) if made else []

    def _runs(self, node: Node, runs: list[Node]) -> Iterator[Reason]:
        """Say how the runs ended that made a node, if none of them went well."""
        told = []
        for run in runs:
            word = self._status(run)
            ended = _ended(word)
            if not ended:
                return
            told.append(Reason(f"ended.{ended}", run=id_of(run), status=word))
        if told:
            verb = "is" if node.label == "Code" else "by"
            yield Reason(f"run.{verb}", id=id_of(node), runs=tuple(told))

    def _status(self, run: Node) -> str:
        """Return how a run ended: in its own words, else in those of its call."""
        for each in (run, *self._starts(run, "produces")):
            status = each.props.get("status")
            if isinstance(status, str) and status:
                return status
        return ""

    def _file(self, node: Node) -> Iterator[Reason]:
        """Compare the file of today with the declared one."""
        if self.folder is None or node.label not in _FILES:
            return
        if not node.props.get("content_hash"):  # nothing says which file it was
            return
        found = declared_file(node, self.folder, MOST, keep=False)
        said = differs(self.graph, node, found.why, found.sha256)
        if said is not None:
            told = Reason("differs.of", id=id_of(node), said=said)
            self.differing[id_of(node)] = told
            yield told
        elif found.note is not None and found.why == "too_large":
            yield Reason("differs.large", id=id_of(node), said=found.note)

    def _starts(self, node: Node, edge_type: str) -> Iterator[Node]:
        edges = self.graph.into(node.id, edge_type)
        return (n for e in edges if (n := self.graph.node(e.src)) is not None)


def differs(graph: Graph, node: Node, why: str, sha256: str) -> Reason | None:
    """Say that a file is not the declared one; None if nothing shows it.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    node : Node
        What declares the file.
    why, sha256 : str
        As `declared_file` found them.
    """
    name = repr(node.props.get("path"))
    if why == "other":
        others = graph.named(str(node.props.get("artifact_id")))
        same = [o for o in others if o.props.get("content_hash") == sha256]
        if same:
            return Reason("differs.as", name=name, other=id_of(same[-1]))
        return Reason("differs", name=name)
    if why in ("missing", "no_name"):
        return Reason("differs.gone", name=name)
    return Reason("differs.unreadable", name=name) if why == "unreadable" else None


def _ended(status: str) -> str:
    """Return how a run ended, in a word; empty if well or unknown."""
    word = status.lower()
    if not word or word in schema.DONE_STATUSES:
        return ""
    if word in schema.FAILED_STATUSES:
        return "failed"
    return "cancelled" if word == "cancelled" else "open"
