# SPDX-License-Identifier: Apache-2.0
"""What is in a memory, as frames: fixed columns and types, also when empty.

Each function takes a Graph and returns a pandas frame. Times are UTC instants;
a text no calendar knows is NaT. Ids are public ids.
"""

from smemkit.tables.artifacts import artifacts, is_report, reports, versions
from smemkit.tables.asked import asked
from smemkit.tables.citations import citations, papers
from smemkit.tables.frames import frame
from smemkit.tables.listings import edges, nodes, problems
from smemkit.tables.sessions import sessions
from smemkit.tables.timeline import timeline

__all__ = [
    "artifacts",
    "asked",
    "citations",
    "edges",
    "frame",
    "is_report",
    "nodes",
    "papers",
    "problems",
    "reports",
    "sessions",
    "timeline",
    "versions",
]
