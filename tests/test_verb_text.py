# SPDX-License-Identifier: Apache-2.0
"""The text of a method: that of its function, without what the method has."""

from __future__ import annotations

from smemkit._verb_text import as_method

TEXT = """Say what holds.

    First paragraph.

    Parameters
    ----------
    graph : Graph
        The records,
        in two lines.
    node_id : str
        Which one; see graph : Graph.
    session_id : str
        Keep to it.

    Returns
    -------
    graph : Graph
        Another one.
    """


def test_the_first_parameter_and_its_lines_are_gone_and_nothing_else() -> None:
    """The entry of the same name under Returns stays, and so do all other lines."""
    lost = [
        line
        for line in TEXT.splitlines()
        if line.strip() and line.strip() not in as_method(TEXT, "graph")
    ]

    assert [line.strip() for line in lost] == ["The records,", "in two lines."]
    assert as_method(TEXT, "graph").count("graph : Graph") == 2
    assert "----------\nnode_id : str" in as_method(TEXT, "graph")


def test_a_parameter_that_may_be_left_out_says_so() -> None:
    """Once, also where it is listed with others or said already."""
    assert "session_id : str, optional\n" in as_method(
        TEXT, "graph", optional="session_id"
    )
    told = "Parameters\n----------\na, session_id : str\n    It.\n"
    assert "a, session_id : str, optional\n" in as_method(
        told, "", optional="session_id"
    )
    for known in ("session_id : str, optional", "session_id : int, default 1"):
        told = f"Parameters\n----------\n{known}\n    It."
        assert as_method(told, "", optional="session_id") == told


def test_a_section_with_no_other_parameter_goes_whole() -> None:
    """So that no heading stands over nothing; a text without one stays."""
    text = "Count.\n\nParameters\n----------\ngraph : Graph\n    It.\n\nReturns\n-------\nint"

    assert as_method(text, "graph") == "Count.\n\nReturns\n-------\nint"
    assert as_method("Count.", "graph") == "Count."
