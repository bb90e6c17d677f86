# SPDX-License-Identifier: Apache-2.0
"""A figure for paper or slide: laid out in millimetres as plain data, then drawn."""
