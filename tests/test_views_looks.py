# SPDX-License-Identifier: Apache-2.0
"""Looks: every label has one, told apart without colour as far as shapes go."""

from __future__ import annotations

import pytest

from smemkit import schema
from smemkit.views import looks
from smemkit.views.picture import shape


def test_every_label_and_edge_type_of_the_seed_has_a_look():
    assert set(schema.LABELS) <= set(looks.LOOKS)
    assert set(schema.EDGE_TYPES) <= set(looks.LINES)


def test_no_two_labels_look_alike():
    pairs = [(look.fill, look.shape) for look in looks.LOOKS.values()]
    assert len(set(pairs)) == len(pairs)


def _luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("label", [*looks.LOOKS, "Odd"])
def test_a_rim_stands_out_from_the_page(label):
    # WCAG 2.2, 1.4.11: graphics need 3:1 against what is beside them.
    assert contrast(looks.look(label).rim, "#ffffff") >= 3


@pytest.mark.parametrize("edge_type", [*looks.LINES, "odd"])
def test_a_line_stands_out_from_the_page(edge_type):
    assert contrast(looks.line(edge_type, {}).colour, "#ffffff") >= 3


def test_an_inferred_edge_is_dashed_and_a_superseding_one_dotted():
    assert looks.line("produces", {"inferred": True}).dashes == looks.INFERRED
    assert looks.line("supersedes", {}).dashes
    assert not looks.line("produces", {"inferred": "true"}).dashes


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("completed", "done"),
        ("ok", "done"),
        ("failed", "failed"),
        ("timed_out", "failed"),
        ("cancelled", "cancelled"),
        ("queued", "open"),
        ("", "open"),
        (None, ""),
        (7, ""),
    ],
)
def test_a_status_word_means_one_of_four_states(status, state):
    assert looks.state({"status": status}) == state


def test_what_failed_is_drawn_hollow():
    look = looks.look("ToolCall")
    assert look.fill in shape(look, 0, 0, state="done")
    assert look.fill not in shape(look, 0, 0, state="failed")
