# SPDX-License-Identifier: Apache-2.0
"""ChainView: a trace or a chain, joined to Python while a kernel lives."""

from __future__ import annotations

from smemkit.answers import Chain, NodeView, Trace
from smemkit.errors import NodeNotFound, short
from smemkit.graph import Graph
from smemkit.views.show import View
from smemkit.views.staging import scene_of
from smemkit_widgets.selecting import Selecting


class ChainView(View, Selecting):
    """A drawn trace or chain; what `Memory.show` returns in a notebook.

    Parameters
    ----------
    answer : Trace or Chain
        What `trace_provenance` or `chain` returned.
    graph : Graph, optional
        The records it came from; adds the stored edges between its nodes.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Why?")
    >>> view = ChainView(mem.trace_provenance("goal:session:s"), lang="en")
    >>> view.selected = "goal:session:s"
    >>> view.frame["label"].item()
    'ResearchGoal'
    """

    def __init__(
        self,
        answer: Trace | Chain,
        graph: Graph | None = None,
        *,
        lang: str | None = None,
    ) -> None:
        Selecting.__init__(self)
        View.__init__(self, scene_of(answer, graph), lang)
        shown = {(view.label, view.id): view for view in answer.nodes}
        self._nodes = {
            box.key: shown[box.label, box.id]
            for box in self.scene.boxes
            if (box.label, box.id) in shown
        }
        self._connect()

    def node(self, key: str) -> NodeView | None:
        """Return the node behind a key of the page, or None."""
        return self._nodes.get(key)

    def key(self, public_id: str) -> str:
        """Return the key of a node on the page.

        Raises
        ------
        NodeNotFound
            The chain does not hold it, or it is folded.
        """
        for key, view in self._nodes.items():
            if view.id == public_id:
                return key
        raise NodeNotFound(
            f"node {short(public_id)} in {self.scene.title}",
            found="this chain does not show it",
            do="use one of its nodes",
        )
