# SPDX-License-Identifier: Apache-2.0
"""``python -m smemkit`` is the command line."""

from __future__ import annotations

import sys

from smemkit.cli import main

sys.exit(main())
