# SPDX-License-Identifier: Apache-2.0
"""Reading a memory: every answer is computed from a Graph."""
