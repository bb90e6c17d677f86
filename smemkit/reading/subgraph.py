# SPDX-License-Identifier: Apache-2.0
"""What is in a session, and how it hangs together (contract/query.md §3).

Rows come as design §5.4 orders them: the goal, the line of steps, then the
newest; so that a page of a long session keeps what gives it sense.
"""

from __future__ import annotations

from smemkit.answers import EdgeView, NodeView, Subgraph
from smemkit.graph import Graph
from smemkit.reading.folding import drawn
from smemkit.reading.order import edges_among, newest_first, page, visible
from smemkit.records import Node

HIDDEN = frozenset({"SearchNode", "SearchCell"})
"""Labels with a view of their own, of which there are too many to show."""

GOAL = "ResearchGoal"


def subgraph(
    graph: Graph,
    session_id: str,
    *,
    limit: int | None = None,
    offset: int = 0,
) -> Subgraph:
    """Return a session's nodes, the edges between them, and folded products.

    Parameters
    ----------
    graph : Graph
        The memory's records.
    session_id : str
        The session; one that is not there is empty.
    limit, offset : int, optional
        A page of the nodes. Every page also holds each ResearchGoal.

    Returns
    -------
    Subgraph
        `available` counts all nodes of the session that can be shown.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s", core_objective="Do bills grow?")
    >>> [view.id for view in mem.subgraph()]
    ['goal:session:s']
    """
    rows = ordered(graph, session_id)
    shown = list(page(rows, limit, offset))
    present = {node.id for node in shown}
    goals = [n for n in rows if n.label == GOAL and n.id not in present]
    repeated = goals if shown else []
    shown = [*repeated, *shown]
    views = {node.id: NodeView.of(node) for node in shown}
    edges = [
        EdgeView(views[edge.src].id, views[edge.dst].id, edge.type, edge.props)
        for edge in edges_among(graph, views)
    ]
    stacks, lines = drawn(graph, shown, edges)
    return Subgraph(
        nodes=(*views.values(), *stacks),
        edges=(*edges, *lines),
        available=len(rows),
        offset=offset,
        limit=limit,
        session_id=session_id,
        drawn=len(stacks) + len(repeated),
    )


def ordered(graph: Graph, session_id: str) -> list[Node]:
    """Return the nodes of a session that can be shown: goal, line, then newest."""
    rows = {
        node.id: node
        for node in graph.nodes(session_id=session_id)
        if node.label not in HIDDEN and node.id not in graph.nameless and visible(node)
    }
    goals = [node for node in rows.values() if node.label == GOAL]
    calls = [
        node
        for node in rows.values()
        if node.label in ("Task", "ToolCall") and "parent_subtask_id" not in node.props
    ]
    heads = [node for node in calls if not graph.into(node.id, "next")]
    line = _line(graph, [*goals, *heads, *calls], {node.id: node for node in calls})
    first = {node.id: node for node in (*goals, *line)}
    rest = [node for node in rows.values() if node.id not in first]
    return [*first.values(), *newest_first(rest)]


def _line(graph: Graph, begins: list[Node], calls: dict[str, Node]) -> list[Node]:
    """Return the calls along `next`, from each begin on, every one once."""
    seen: dict[str, Node] = {}
    for begin in begins:
        queue = [begin] if begin.id not in seen else []
        for node in queue:
            seen[node.id] = node
            for edge in graph.out(node.id, "next"):
                if edge.dst in calls and edge.dst not in seen:
                    seen[edge.dst] = calls[edge.dst]
                    queue.append(calls[edge.dst])
    return [node for node in seen.values() if node.id in calls]
