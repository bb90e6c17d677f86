# SPDX-License-Identifier: Apache-2.0
"""What the reading verbs answer: small frozen objects that show themselves.

Each has ``to_dict()``, the wire form of contract/query.md with its keys in
order; ``to_frame()``, a pandas frame with fixed columns; and a display of its
own in a notebook. In Python nothing is cut: excerpts are cut to 240 characters
by the wire form alone, rows only where the caller gave a ``limit``.

Of an answer with rows, `available` is how many there are in all, `total` how
many are returned, and `truncated` says whether rows are missing behind the
last one. On the wire a page that is exactly full says truncated too, as the
contract has it.
"""

from smemkit.answers.base import Answer, NodeAnswer
from smemkit.answers.graphs import (
    WIRE_LIMIT,
    Chain,
    EdgeHits,
    Expansion,
    Hits,
    Subgraph,
)
from smemkit.answers.hops import Hop, Hops
from smemkit.answers.nodes import EdgeView, NodeView, Wire
from smemkit.answers.provenance import Provenance
from smemkit.answers.reasons import Reason
from smemkit.answers.trace import Trace

__all__ = [
    "WIRE_LIMIT",
    "Answer",
    "Chain",
    "EdgeHits",
    "EdgeView",
    "Expansion",
    "Hits",
    "Hop",
    "Hops",
    "NodeAnswer",
    "NodeView",
    "Provenance",
    "Reason",
    "Subgraph",
    "Trace",
    "Wire",
]
