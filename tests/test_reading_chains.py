# SPDX-License-Identifier: Apache-2.0
"""The hop table and its walks: every kind once, the corrections of design §5.3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemkit.errors import BadRequest, NodeNotFound, UnknownKind
from smemkit.reading.chains import KINDS, chain, chain_exists, kinds_for
from tests.reading_graphs import Built, g1
from tests.strategies import graphs

GOAL = "goal:session:s1"


@pytest.fixture(scope="module")
def lab():
    """One session in which every kind reaches something, and some things it must not."""
    built = g1().node("Task", "A", task_type="subagent").node("Paper", "p1")
    built.call("A1", parent_subtask_id="A").call("A2", parent_subtask_id="A")
    built.code("eA").artifact("out#v1").artifact("rep#v1")
    built.node("Evidence", "ev1").node("Claim", "cl1").node("SourceFile", "f1")
    built.node("DbRecord", "db1").node("WebPage", "w1").node("Evidence", "ev2")
    built.node("Claim", "cl2")
    built.edges(
        "subtask:e2 next A",
        "A contains A1",
        "A1 next A2",
        "A2 produces eA",
        "eA produces out#v1",
        "e2 produces rep#v1",
        "A1 produces p1",
        "A1 produces w1",
        "A1 produces db1",
        "f1 input e2",
        "p1 extracts ev1",
        "w1 extracts ev2",
        "ev1 supports cl1",
        "ev2 supports cl2",
        "f1 supports cl1",
        "fig#v1 supports cl1",
        "db1 supports cl1",
        "cl1 stated_in rep#v1",
        "cl2 stated_in rep#v1",
        "f1 feeds goal",
    )
    return built.graph


REACHED = {
    ("A", "viewPrevTask"): {"subtask:e2"},
    ("subtask:e2", "viewNextTask"): {"A"},
    ("A", "viewGoal"): {"subtask:e2", "subtask:e1", GOAL},
    ("e2", "viewInput"): {"data#v1"},  # the file it read is no Artifact
    ("e2", "viewOutput"): {"fig#v1", "rep#v1"},
    ("e2", "viewProducingTask"): {"subtask:e2"},
    ("p1", "viewExtractedEvidence"): {"ev1"},
    ("p1", "viewCitingClaim"): {"ev1", "cl1"},
    ("p1", "viewCitingArtifact"): {"ev1", "cl1", "rep#v1"},
    ("p1", "viewSearchingTask"): {"A1"},
    ("ev1", "viewSourcePaper"): {"p1"},
    ("ev1", "viewCitingClaimForEvidence"): {"cl1"},
    ("ev1", "viewCitingArtifactForEvidence"): {"cl1", "rep#v1"},
    ("cl1", "viewCitingEvidenceForClaim"): {"ev1"},
    ("cl1", "viewCitingDbRecordForClaim"): {"db1"},
    ("cl1", "viewCitingSourceFileForClaim"): {"f1"},
    ("cl1", "viewContainingArtifact"): {"rep#v1"},
    ("rep", "viewContainedClaims"): {"cl1", "cl2"},
    ("fig", "viewCitingClaimForArtifact"): {"cl1"},
    ("fig", "viewProducingCode"): {"e2"},
    ("rep", "viewCitingEvidenceForArtifact"): {"cl1", "cl2", "ev1", "ev2"},
    ("rep", "viewCitedPaper"): {"cl1", "cl2", "ev1", "ev2", "p1"},
    ("fig", "viewRelatedTask"): {"e2", "subtask:e2", "subtask:e1", GOAL},
    ("db1", "viewCitingClaimForDbRecord"): {"cl1"},
    ("db1", "viewSearchingTaskForDbRecord"): {"A1"},
    ("w1", "viewExtractedEvidenceForWebPage"): {"ev2"},
    ("w1", "viewCitingClaimForWebPage"): {"ev2", "cl2"},
    ("w1", "viewCitingArtifactForWebPage"): {"ev2", "cl2", "rep#v1"},
    ("w1", "viewSearchingTaskForWebPage"): {"A1"},
}


def ids(answer) -> set[str]:
    return {view.id for view in answer.nodes}


def test_the_table_has_29_kinds_and_each_is_tried_below():
    """The kinds of contract/query.md §6.3, none forgotten."""
    assert len(KINDS) == 29
    assert {kind for _, kind in REACHED} == set(KINDS)


@pytest.mark.parametrize(("node_id", "kind"), REACHED)
def test_every_kind_reaches_what_it_names(lab, node_id, kind):
    """The start and what is reached, and nothing of another label."""
    found = chain(lab, node_id, kind, session_id="s1")
    assert ids(found) == REACHED[node_id, kind] | {found.start.id}
    assert chain_exists(lab, node_id, [kind], session_id="s1") == {kind: True}


BUTTONS = {"Task": 3, "Code": 3, "Paper": 4, "Evidence": 3, "Claim": 4}
BUTTONS |= {"Artifact": 6, "DbRecord": 2, "WebPage": 4, "ToolCall": 0}


@pytest.mark.parametrize(("label", "count"), BUTTONS.items())
def test_each_label_has_its_buttons(label, count):
    """As many kinds as the table of the contract gives a label."""
    assert len(kinds_for(label)) == count


def test_the_answer_has_the_form_of_the_contract():
    """contract/query.md §6.4: nodes newest first with Code leading, edges with extra."""
    assert chain(g1().graph, "fig#v1", "viewProducingCode").to_dict() == {
        "nodes": [
            {
                "label": "Code",
                "id": "e2",
                "session_id": "s1",
                "session_title": None,
                "excerpt": "run_python",
                "extra": {"code_id": "e2", "tool": "run_python", "code_hash": "ch2"},
                "created_at": None,
            },
            {
                "label": "Artifact",
                "id": "fig#v1",
                "session_id": "s1",
                "session_title": None,
                "excerpt": "fig.svg",
                "extra": {
                    "artifact_id": "fig",
                    "version": 1,
                    "path": "fig.svg",
                    "content_hash": "h-fig-1",
                },
                "created_at": "2026-07-30T00:00:01.120Z",
            },
        ],
        "edges": [
            {"source": "e2", "target": "fig#v1", "type": "produces", "extra": {}}
        ],
        "total": 2,
        "truncated": False,
    }


def test_the_first_step_has_no_previous_task():
    """Corrected by design §5.3: the goal is no task."""
    assert not chain(g1().graph, "subtask:e1", "viewPrevTask")


def test_a_subagents_product_shows_its_way_to_the_goal(lab):
    """Corrected by design §5.3: the walk goes on through `contains`."""
    found = chain(lab, "out", "viewRelatedTask")
    assert ids(found) >= {"A2", "A1", "A", "subtask:e2", "subtask:e1", GOAL}


def test_a_child_that_names_no_parent_is_placed_by_its_edge():
    """`contains` alone leads from a subagent's child to its scope."""
    built = Built().goal().node("Task", "A").call("A1")
    built.edges("goal next A", "A contains A1")
    assert ids(chain(built.graph, "A1", "viewGoal")) == {"A1", "A", GOAL}


def test_a_walk_that_meets_no_goal_is_empty():
    """Corrected by design §5.3: any upstream step is not enough."""
    built = Built().call("t1").call("t2").code("e").artifact("a#v1")
    built.edges("t1 next t2", "t2 produces e", "e produces a#v1")
    assert not chain(built.graph, "a", "viewRelatedTask")
    assert not chain(built.graph, "t2", "viewGoal")


def test_a_goal_of_another_session_is_not_met():
    """The goal must pass the session rule like any end."""
    built = Built().goal(session_id="s2").call("t1").edges("goal next t1")
    assert chain(built.graph, "t1", "viewGoal")
    assert not chain(built.graph, "t1", "viewGoal", session_id="s1")


def test_a_report_that_backs_its_own_claim_is_no_evidence():
    """Corrected by design §5.3: only Evidence is kept, so this chain is empty."""
    built = Built().artifact("rep#v1").node("Claim", "cl")
    built.edges("cl stated_in rep#v1", "rep#v1 supports cl")
    assert not chain(built.graph, "rep", "viewCitingEvidenceForArtifact")


def test_a_hop_that_reaches_known_nodes_only_is_not_empty():
    """Corrected by design §5.3: the report a claim is stated in may be the start."""
    built = Built().artifact("rep#v1").node("Evidence", "ev").node("Claim", "cl")
    built.edges("ev supports cl", "cl stated_in rep#v1", "rep#v1 extracts ev")
    found = chain(built.graph, "rep", "viewCitingArtifact")
    assert ids(found) == {"rep#v1", "ev", "cl"}


def test_one_of_several_is_the_oldest_that_fits():
    """`limit 1` keeps what the oldest edge reaches, labels checked first."""
    built = Built().node("Evidence", "ev").artifact("odd#v1").node("SourceFile", "f")
    built.node("Paper", "p").edges(
        "odd#v1 extracts ev", "f extracts ev", "p extracts ev"
    )
    assert ids(chain(built.graph, "ev", "viewSourcePaper")) == {"ev", "f"}


def test_every_input_is_shown():
    """Corrected by design §5.3: viewInput is not cut to one."""
    built = g1().artifact("more#v1").edges("more#v1 input e2")
    assert ids(chain(built.graph, "e2", "viewInput")) == {"e2", "data#v1", "more#v1"}


def test_a_later_hop_starts_from_the_hop_before_it_only():
    """Corrected by design §5.3: an edge out of the start is not followed later."""
    built = Built().node("Paper", "p").node("Evidence", "ev").node("Claim", "cl")
    built.node("Claim", "other").edges(
        "p extracts ev", "ev supports cl", "p supports other"
    )
    assert ids(chain(built.graph, "p", "viewCitingClaim")) == {"p", "ev", "cl"}


def test_edges_are_all_between_the_nodes_once_per_type():
    """Also edges no hop followed; a parallel edge is shown once."""
    built = g1().edges("e2 produces fig#v1", "fig#v1 odd_edge e2")
    found = chain(built.graph, "fig", "viewProducingCode")
    assert [(e.source, e.type, e.target) for e in found.edges] == [
        ("e2", "produces", "fig#v1"),
        ("fig#v1", "odd_edge", "e2"),
    ]


def test_a_page_of_a_chain_tells_what_there_is():
    """`available` is the real number; edges join the nodes of the page."""
    found = chain(g1().graph, "fig", "viewRelatedTask", limit=2)
    assert (found.total, found.available, found.truncated) == (2, 5, True)
    assert found.to_dict()["truncated"] is True
    assert {e.source for e in found.edges} | {e.target for e in found.edges} <= ids(
        found
    )


def test_the_older_kinds(lab):
    """task: the line and its products; artifact: walks of citation through the start."""
    task = ids(chain(lab, "subtask:e1", chain_kind="task", limit=1))
    assert task == {GOAL, "subtask:e1", "subtask:e2", "A"} | {
        "e1",
        "e2",
        "data#v1",
        "fig#v1",
        "rep#v1",
    }
    cited = ids(chain(lab, "cl1", chain_kind="artifact"))
    assert cited == {"cl1", "rep#v1", "ev1", "p1", "f1", "db1", "fig#v1", "e2"}
    both = ids(chain(lab, "fig", chain_kind="full"))
    assert both == task | ids(chain(lab, "fig", chain_kind="artifact"))
    assert "cl2" not in cited


def test_a_kind_wins_over_an_older_one():
    """Given both, `kind` is walked."""
    found = chain(g1().graph, "fig", "viewProducingCode", chain_kind="full")
    assert found.kind == "viewProducingCode"


@pytest.mark.parametrize(
    ("kwargs", "error", "word"),
    [
        ({"kind": "viewNothing"}, UnknownKind, "viewProducingCode"),
        ({"chain_kind": "half"}, UnknownKind, "full"),
        ({}, BadRequest, "chain_kind"),
        ({"kind": "viewOutput", "limit": -1}, BadRequest, "limit"),
    ],
)
def test_a_wrong_request_says_what_to_do(kwargs, error, word):
    """The message holds the kinds of the start's label, or the words there are."""
    with pytest.raises(error, match=word):
        chain(g1().graph, "fig", **kwargs)


def test_chain_exists_refuses_what_chain_refuses():
    """No kind, an unknown kind, an unknown node: three errors."""
    graph = g1().graph
    with pytest.raises(BadRequest):
        chain_exists(graph, "fig", [])
    with pytest.raises(UnknownKind):
        chain_exists(graph, "fig", ["viewOutput", "viewNothing"])
    with pytest.raises(NodeNotFound):
        chain_exists(graph, "nope", ["viewOutput"])


@given(graphs(), st.data())
def test_chain_and_chain_exists_agree(graph, data):
    """On any graph a kind exists if and only if its chain is not empty."""
    names = sorted({n.public_id for n in graph.nodes() if n.public_id is not None})
    if not names:
        return
    node_id = data.draw(st.sampled_from(names))
    told = chain_exists(graph, node_id, KINDS)
    assert list(told) == list(KINDS)
    for kind, exists in told.items():
        found = chain(graph, node_id, kind)
        assert bool(found) is exists
        assert {e.source for e in found.edges} | {e.target for e in found.edges} <= ids(
            found
        )


def test_without_a_kind_those_of_the_label_are_listed() -> None:
    """So that the next call can name one; a node that is not there is told first."""
    graph = g1().graph
    with pytest.raises(BadRequest) as caught:
        chain(graph, "fig")
    told = str(caught.value)
    assert "a chain of Artifact 'fig': neither kind nor chain_kind" in told
    assert told.endswith(", ".join(kinds_for("Artifact")))
    with pytest.raises(NodeNotFound):
        chain(graph, "nope")
