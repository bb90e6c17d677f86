# SPDX-License-Identifier: Apache-2.0
"""Which node an id means."""

from __future__ import annotations

import pytest

import smemkit
from smemkit.errors import BadRequest, NodeNotFound
from smemkit.reading.resolve import find, resolve
from smemkit.tables import versions as versions_of
from tests.reading_graphs import Built

DOI = "https://doi.org/10.1/x"


@pytest.fixture
def versions():
    """Versions created out of order, so that age and number tell apart."""
    return Built().artifact("fig#v2").artifact("fig#v10").artifact("fig#v1").graph


@pytest.mark.parametrize(
    ("text", "version", "found"),
    [
        ("fig", None, "fig#v10"),
        ("fig#v1", None, "fig#v1"),
        ("fig", 2, "fig#v2"),
        ("fig#v1", 2, "fig#v2"),
        ("fig#v 1", None, "fig#v1"),
        ("fig#v+1", None, "fig#v1"),
        ("fig#v01", None, "fig#v1"),
        ("fig#v1_0 ", None, "fig#v10"),
        ("fig#v٢", None, "fig#v2"),
        ("fig#v+1", 2, "fig#v2"),
    ],
)
def test_versions_are_named_in_three_ways(versions, text, version, found):
    """A bare id is the highest version; an explicit version wins (design §5.2).

    What Python reads as a whole number is a version (contract/query.md §6.1).
    """
    assert resolve(versions, text, version=version).public_id == found


@pytest.mark.parametrize(
    ("text", "version"),
    [
        *(("fig#v3", None), ("fig", 3), ("fig#v-1", None), ("fig#v1.0", None)),
        *(("fig#v" + "9" * 5_000, None), ("fig#v", None), ("fig#v1x", 1)),
    ],
)
def test_a_version_that_is_not_there_is_not_found(versions, text, version):
    """The error lists the versions there are."""
    with pytest.raises(NodeNotFound, match="fig#v10"):
        resolve(versions, text, version=version)


@pytest.mark.parametrize(("text", "version"), [("e-1#v7", None), ("e-1", 7)])
def test_a_version_is_not_read_of_other_nodes(text, version):
    """The id before it names them (contract/query.md §6.1)."""
    assert resolve(Built().code("e-1").graph, text, version=version).label == "Code"


def test_an_id_is_taken_as_given_before_it_is_split():
    """A claim whose id looks like a version is itself, not an artifact."""
    graph = Built().artifact("fig#v1").node("Claim", "fig#v1").graph
    assert resolve(graph, "fig#v1").label == "Claim"
    assert resolve(graph, "fig").label == "Artifact"


def test_an_exact_id_is_meant_before_a_bare_one():
    """An artifact may be called as another's version is; each version has its id."""
    graph = Built().artifact("a#v2#v1").artifact("a#v1").artifact("a#v2").graph
    assert resolve(graph, "a#v2").props["artifact_id"] == "a"
    assert resolve(graph, "a#v2#v1").props["artifact_id"] == "a#v2"
    assert resolve(graph, "a#v2", version=1).props["artifact_id"] == "a#v2"
    assert list(versions_of(graph, "a#v2")["id"]) == ["a#v1", "a#v2"]
    alone = Built().artifact("a#v2#v1").graph
    assert resolve(alone, "a#v2").public_id == "a#v2#v1"
    assert list(versions_of(alone, "a#v2")["id"]) == ["a#v2#v1"]


@pytest.mark.parametrize("version", [0, None])
def test_odd_versions_are_found_by_their_public_id(version):
    """Version 0 and no version at all: what is shown as id is understood."""
    built = Built().node("Artifact", "odd", version=version)
    public_id = built.graph.node("n1").public_id
    assert resolve(built.graph, public_id).id == "n1"


def test_the_own_session_wins_and_papers_are_shared():
    """A session's own Paper is meant; another's only where it has none."""
    built = Built().node("Paper", DOI, session_id="s2").node("Paper", DOI)
    assert resolve(built.graph, DOI, session_id="s1").id == "n2"
    assert resolve(built.graph, DOI, session_id="s2").id == "n1"
    assert resolve(built.graph, DOI, session_id="s3").id == "n1"
    assert resolve(built.graph, DOI).id == "n1"


def test_nothing_but_papers_is_shared():
    """A claim of another session is not found, and the error says where it is."""
    graph = Built().node("Claim", "cl", session_id="s2").graph
    with pytest.raises(NodeNotFound, match="'s2'"):
        resolve(graph, "cl", session_id="s1")


def test_a_paper_is_found_by_its_identifier():
    """An identifier names a Paper as its link does (contract/query.md §6.1)."""
    graph = Built().node("Paper", DOI, identifier="PMID:7").graph
    assert resolve(graph, "PMID:7").public_id == DOI


def test_a_web_page_is_found_by_its_url():
    """A WebPage without identifier has the id `url:<url>`."""
    graph = Built().node("WebPage", "x", identifier=None, url="https://a.org/").graph
    assert resolve(graph, "url:https://a.org/").label == "WebPage"


def test_an_uploaded_file_can_be_meant():
    """A SourceFile may be a start (design §5.2)."""
    graph = Built().node("SourceFile", "source_file:session:s1:a.csv").graph
    assert resolve(graph, "source_file:session:s1:a.csv").label == "SourceFile"


def test_nodes_of_a_search_are_found_by_their_composite_ids():
    """The ids that answers show for search nodes are understood."""
    graph = Built().node("SearchNode", "run", node_index=4).graph
    assert resolve(graph, "run#n4").label == "SearchNode"
    assert find(graph, "run") is None


@pytest.mark.parametrize("form", ["10.1/X", "doi:10.1/x", "http://dx.doi.org/10.1/X"])
def test_links_are_looked_up_normalised(form):
    """Every form of a DOI finds the Paper (design §5.9)."""
    assert resolve(Built().node("Paper", DOI).graph, form).public_id == DOI


def test_the_id_as_given_goes_before_a_normalised_one():
    """A Paper the app stored under a plain link is found by that very link."""
    built = Built().node("Paper", DOI).node("Paper", "10.1/x")
    assert resolve(built.graph, "10.1/x").id == "n2"


@pytest.mark.parametrize("text", ["", "  ", None, 7])
def test_what_is_no_id_is_refused(text):
    """A blank or a number is a bad request, not a missing node."""
    with pytest.raises(BadRequest):
        resolve(Built().graph, text)


def test_a_label_narrows_the_look_up():
    """With a label only its nodes are meant."""
    graph = Built().code("x").node("Claim", "x").graph
    assert resolve(graph, "x", label="Claim").label == "Claim"
    assert find(graph, "x", label="Paper") is None


def test_a_path_given_as_an_id_is_told_with_the_id_that_is_meant() -> None:
    """Of an artifact all its versions, of an upload its file id; in its session."""
    mem = smemkit.open(":memory:")
    for _ in range(2):
        mem.declare_artifact("out/report.md", session_id="s", artifact_id="report-1")
    file = "source_file:session:s:raw.csv"
    mem.observe_upload_file(file, path="raw.csv")
    mem.observe_session_first_message("t", core_objective="Why?")

    with pytest.raises(NodeNotFound, match=r"path and no id.*report-1#v1, report-1#v2"):
        mem.trace_provenance("out/report.md")
    with pytest.raises(NodeNotFound, match=f"path and no id: that of {file}"):
        mem.node("raw.csv")
    with pytest.raises(NodeNotFound, match="no node has this id"):
        mem.node("raw.csv", session_id="t")
