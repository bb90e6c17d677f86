# SPDX-License-Identifier: Apache-2.0
"""What a picture shows, as a hash: written into its file, compared with a memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from smemkit.answers import Trace
from smemkit.views.scene import Scene

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Proof:
    """What was drawn, with public ids only, so that any copy of the memory can tell.

    Attributes
    ----------
    what : str
        ``trace``, ``chain``, ``session`` or ``audit``.
    of : Mapping of str to str, int or None
        What was asked: the id it starts from and the options.
    sha256 : str
        Over the sorted nodes (label, id, session, text, state, marks) and the
        sorted edges (ends, type, how they are drawn), folded ones included.
    nodes, edges : int
        How many of each.
    trace : tuple of (int, str)
        Of a trace: each hop's layer and id, sorted.
    """

    what: str
    of: Mapping[str, str | int | None]
    sha256: str
    nodes: int
    edges: int
    trace: tuple[tuple[int, str], ...] = ()

    def to_json(self) -> str:
        """Return the proof as ASCII text, the same each time."""
        form: dict[str, object] = {
            "smemkit_figure": FORMAT,
            "what": self.what,
            "of": dict(self.of),
            "sha256": self.sha256,
            "nodes": self.nodes,
            "edges": self.edges,
        }
        if self.what == "trace":
            form["trace"] = [list(entry) for entry in self.trace]
        return json.dumps(form, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Proof | None:
        """Return the proof a text holds, or None if it is no such text.

        Examples
        --------
        >>> Proof.from_json("{}") is None
        True
        """
        try:
            form = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(form, dict) or form.get("smemkit_figure") != FORMAT:
            return None
        trace = form.get("trace", [])
        if not (
            all(isinstance(form.get(name), str) for name in ("what", "sha256"))
            and all(isinstance(form.get(name), int) for name in ("nodes", "edges"))
            and isinstance(form.get("of"), dict)
            and isinstance(trace, list)
            and all(isinstance(entry, list) and len(entry) == 2 for entry in trace)
        ):
            return None
        entries = tuple((int(hop), str(node)) for hop, node in trace if _whole(hop))
        return cls(
            form["what"],
            form["of"],
            form["sha256"],
            form["nodes"],
            form["edges"],
            entries,
        )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def proof_of(
    what: str,
    of: Mapping[str, str | int | None],
    scene: Scene,
    trace: Trace | None = None,
) -> Proof:
    """Return the proof of a whole scene, before anything in it is folded.

    Examples
    --------
    >>> from smemkit.views.scene import Box
    >>> one = Scene("t", "", "", (Box("b0", "Claim", "c"),), (), None, 1)
    >>> proof_of("session", {"session_id": "s"}, one).nodes
    1
    """
    names = {b.key: [b.label, b.id or "", b.session_id or ""] for b in scene.boxes}
    nodes = sorted(
        [*names[b.key], b.text, b.state, b.mark, b.verdict] for b in scene.boxes
    )
    edges = sorted(
        [*names[a.source], *names[a.target], a.type, str(a.walked), str(a.inferred)]
        for a in scene.arrows
    )
    hops = sorted((hop.hop, hop.node.id or "") for hop in trace.chain) if trace else []
    said = [scene.verdict, scene.reason]
    drawn = json.dumps([nodes, edges, hops, said], separators=(",", ":"))
    digest = hashlib.sha256(drawn.encode("ascii")).hexdigest()
    return Proof(what, of, digest, len(nodes), len(edges), tuple(hops))
