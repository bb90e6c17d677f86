# SPDX-License-Identifier: Apache-2.0
"""ChainView: the page of a trace or chain, with one selection in Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from smemkit_widgets import ChainView

import smemkit
from smemkit.errors import BadRequest, NodeNotFound
from smemkit.reading.trace import trace_from
from smemkit.views.show import show
from tests.strategies import graphs


@pytest.fixture
def app_store(cases):
    with smemkit.open(cases / "app-store", must_exist=True) as mem:
        yield mem


def test_mem_show_gives_a_chain_view(app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"), lang="en")
    assert isinstance(view, ChainView)


def test_its_page_is_that_of_the_plain_view(app_store):
    trace = app_store.trace_provenance("report#v1")
    with app_store.reading() as graph:
        plain = show(trace, graph, lang="en")
    assert app_store.show(trace, lang="en").html() == plain.html()


def test_its_selection_has_its_row_in_the_frame(app_store):
    view = app_store.show(app_store.trace_provenance("report#v1"), lang="en")
    view.selected = "cl-2"
    assert view.frame["label"].tolist() == ["Claim"]
    with pytest.raises(NodeNotFound):
        view.selected = "nobody"


def test_every_node_of_a_chain_can_be_selected(app_store):
    chain = app_store.chain("report#v1", "viewCitedPaper", session_id="S-7")
    view = app_store.show(chain, lang="en")
    for node in chain:
        view.selected = node.id
        assert view.frame["id"].item() == node.id


def test_an_answer_of_another_kind_is_refused(app_store):
    with pytest.raises(BadRequest):
        app_store.show(app_store.node("cl-2"))


@given(graphs())
def test_a_key_means_the_node_its_box_was_made_of(graph):
    for node in graph.nodes():
        if node.public_id is not None:
            view = ChainView(trace_from(graph, node), graph, lang="en")
            for box in view.scene.boxes:
                found = view.node(box.key)
                assert (found.label, found.id) == (box.label, box.id)
