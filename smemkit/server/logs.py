# SPDX-License-Identifier: Apache-2.0
"""What the server writes down: which route, how it ended, how long it took.

A line holds no id, no search text, no file name, no report text and no secret:
the route's template stands for the path, an error's type and place for its
message. The file is the app's (contract/http.md §8) and rotates by size.
"""

from __future__ import annotations

import logging
import logging.handlers
import re
import sys
import traceback
from collections.abc import MutableMapping
from datetime import UTC, datetime

from smemkit.settings import Settings

NAME = "smemkit.server"
FILE = "memory-graph.log"
SLOW = 0.25
"""Seconds from which a request is worth a warning."""

_SECRET = re.compile(r"(?i)bearer\s+\S+")
_LINE = "memory_graph_line"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Line(logging.Formatter):
    """``YYYY-MM-DD HH:MM:SS LEVEL [memory-graph]  message``, one line each."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; control characters and bearer tokens never get into it."""
        # A rotating handler asks twice: whether the line still fits, and to write it.
        line: str | None = record.__dict__.get(_LINE)
        if line is None:
            line = record.__dict__[_LINE] = self._line(record)
        return line

    def _line(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        message = _SECRET.sub("Bearer [hidden]", record.getMessage())
        message = _CONTROL.sub("?", message)
        return f"{at:%Y-%m-%d %H:%M:%S} {record.levelname} [memory-graph]  {message}"


class Log:
    """The server's log, for one process.

    Parameters
    ----------
    settings : Settings
        Level, folder and rotation.
    """

    def __init__(self, settings: Settings) -> None:
        self._logger = logging.getLogger(NAME)
        self._logger.propagate = False
        self._logger.setLevel(settings.log_level)
        self.close()
        handler, self.place = _handler(settings)
        handler.setFormatter(Line())
        self._logger.addHandler(handler)

    def say(self, message: str) -> None:
        """Write down something about the server itself."""
        self._logger.info("%s", message)

    def warn(self, message: str) -> None:
        """Write down something that whoever runs the server should change."""
        self._logger.warning("%s", message)

    def done(
        self, scope: MutableMapping[str, object], status: int, seconds: float
    ) -> None:
        """Write down how a request ended."""
        level = logging.WARNING if status >= 500 or seconds > SLOW else logging.INFO
        if self._logger.isEnabledFor(level):
            took = f"{seconds * 1e3:.1f} ms"
            self._logger.log(level, "%s %s %s", _asked(scope), status or "left", took)

    def failed(self, scope: MutableMapping[str, object], error: BaseException) -> None:
        """Write down where an error came from, without its words."""
        self._logger.error(
            "%s failed: %s at %s", _asked(scope), type(error).__name__, _places(error)
        )

    def close(self) -> None:
        """Close the file."""
        for handler in list(self._logger.handlers):
            self._logger.removeHandler(handler)
            handler.close()


def skipped(what: str) -> None:
    """Write down that a write was not even begun: the store is down."""
    logging.getLogger(NAME).warning("%s: the store is down, nothing was written", what)


def lost(what: str, error: BaseException) -> None:
    """Write down that a write was begun and not kept."""
    cause = error.__cause__ or error
    number = getattr(cause, "errno", None)
    logging.getLogger(NAME).error(
        "%s: %s, errno %s, at %s", what, type(error).__name__, number, _places(error)
    )


def _places(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return " < ".join(f"{f.filename}:{f.lineno} {f.name}" for f in reversed(frames))


def _asked(scope: MutableMapping[str, object]) -> str:
    route = scope.get("route")
    path = getattr(route, "path", None) or "(no route)"
    return f"{scope.get('method')} {path}"


def _handler(settings: Settings) -> tuple[logging.Handler, str]:
    path = settings.log_dir / FILE
    try:
        settings.log_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            path,
            maxBytes=settings.log_max_bytes,
            backupCount=settings.log_backups,
            encoding="utf-8",
        )
    except OSError:
        return logging.StreamHandler(sys.stderr), "standard error"
    return handler, str(path)
