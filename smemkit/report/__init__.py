# SPDX-License-Identifier: Apache-2.0
"""The report: its chips, its sentences, and what each of them rests on."""
