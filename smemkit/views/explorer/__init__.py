# SPDX-License-Identifier: Apache-2.0
"""A whole session to explore: columns in time, lanes by kind, folds, chains, one page."""
