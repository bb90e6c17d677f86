# SPDX-License-Identifier: Apache-2.0
"""A report with its verdicts: the Markdown, its chips and the cards behind them."""
