# SPDX-License-Identifier: Apache-2.0
"""smemkit: open a science memory, trace it, audit its report.

>>> import smemkit
>>> mem = smemkit.open(":memory:")
>>> mem.sessions().empty
True
"""

from importlib import metadata as _metadata

from smemkit.copying import copy
from smemkit.errors import (
    AmbiguousSession,
    BadRequest,
    DeclareError,
    InvalidRecord,
    MissingExtra,
    NodeNotFound,
    NotAMemory,
    NotFound,
    SessionNotFound,
    SmemError,
    StoreError,
    StoreNotFound,
    StoreUnreachable,
    UnknownEdgeType,
    UnknownKind,
    UnknownLabel,
    WrongToken,
)
from smemkit.figures import verify_figure
from smemkit.memory import Memory, open
from smemkit.tracing import trace_provenance

__version__ = _metadata.version("smemkit")

__all__ = [
    "AmbiguousSession",
    "BadRequest",
    "DeclareError",
    "InvalidRecord",
    "Memory",
    "MissingExtra",
    "NodeNotFound",
    "NotAMemory",
    "NotFound",
    "SessionNotFound",
    "SmemError",
    "StoreError",
    "StoreNotFound",
    "StoreUnreachable",
    "UnknownEdgeType",
    "UnknownKind",
    "UnknownLabel",
    "WrongToken",
    "copy",
    "open",
    "trace_provenance",
    "verify_figure",
]
