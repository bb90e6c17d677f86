# SPDX-License-Identifier: Apache-2.0
"""smemkit: open a science memory, trace it, audit its report."""
