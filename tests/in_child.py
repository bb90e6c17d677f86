# SPDX-License-Identifier: Apache-2.0
"""Runs a function in a child process that may lose rights or limits for good."""

from __future__ import annotations

import os
from collections.abc import Callable


def in_child(action: Callable[[], str]) -> str:
    """Return what the action returned in a child; fail as it failed there."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.close(here)
        try:
            os.write(there, action().encode())
            os._exit(0)
        finally:  # an error must not run the rest of the tests a second time
            import traceback

            traceback.print_exc()
            os._exit(1)
    os.close(there)
    with os.fdopen(here, encoding="utf-8") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, "the child failed; its traceback stands above"
    return text
