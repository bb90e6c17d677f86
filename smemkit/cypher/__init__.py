# SPDX-License-Identifier: Apache-2.0
"""What may be asked in Cypher, and how local stores answer; see `Memory.cypher`."""
