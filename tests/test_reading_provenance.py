# SPDX-License-Identifier: Apache-2.0
"""The run behind an artifact version."""

from __future__ import annotations

import pytest

from smemkit.errors import BadRequest, NodeNotFound
from smemkit.reading.provenance import artifact_provenance
from tests.reading_graphs import Built

KEYS = [
    "artifact_id",
    "version",
    "logical_name",
    "media_type",
    "content_hash",
    "turn_id",
    "code_hash",
    "stdout_hash",
    "stderr_hash",
    "env_hash",
    "exit_code",
    "status",
    "finished_at",
    "started_at",
    "code_id",
    "language",
    "tool",
    "messages_turn_id",
    "dependencies",
]


@pytest.fixture
def lab():
    """The example of contract/http.md §5.3."""
    built = Built().call("t", turn_id="r1")
    built.code(
        "e-2",
        code_hash="ab",
        exit_code=0,
        status="completed",
        language="python",
        started_at="2026-10-01T08:00:00Z",
        finished_at="2026-10-01T08:01:00Z",
    )
    built.artifact("a-2#v1", logical_name="fig.png", media_type="image/png")
    built.artifact(
        "a-1#v1", logical_name="ldl.csv", media_type="text/csv", path="ldl.csv"
    )
    built.node("SourceFile", "f", name="raw.csv", path="raw.csv", media_type="text/csv")
    return built.edges(
        "t produces e-2", "e-2 produces a-2#v1", "f input e-2", "a-1#v1 input e-2"
    )


def test_the_wire_form_has_19_keys_in_order(lab):
    """contract/query.md §9, with inputs by name."""
    wire = artifact_provenance(lab.graph, "a-2", version=1).to_dict()
    assert list(wire) == KEYS
    assert wire["dependencies"] == [
        {
            "kind": "artifact",
            "artifact_id": "a-1",
            "version": 1,
            "logical_name": "ldl.csv",
            "media_type": "text/csv",
            "path": "ldl.csv",
        },
        {
            "kind": "source_file",
            "file_id": "f",
            "name": "raw.csv",
            "path": "raw.csv",
            "media_type": "text/csv",
        },
    ]
    assert (wire["code_id"], wire["messages_turn_id"]) == ("e-2", "r1")
    assert (wire["finished_at"], wire["env_hash"]) == ("2026-10-01T08:01:00Z", None)


def test_the_version_may_be_written_into_the_id(lab):
    """`id#vN` is one version, the bare id the highest."""
    lab.artifact("a-2#v2")
    assert artifact_provenance(lab.graph, "a-2#v1").code.id == "e-2"
    assert artifact_provenance(lab.graph, "a-2").artifact.id == "a-2#v2"
    assert artifact_provenance(lab.graph, "a-2").code is None


def test_without_producer_the_fields_are_null(lab):
    """Success all the same (contract/query.md §9)."""
    wire = artifact_provenance(lab.graph, "a-1").to_dict()
    assert list(wire) == KEYS
    assert [wire[name] for name in KEYS[6:-1]] == [None] * 12
    assert wire["dependencies"] == []


def test_of_several_producers_the_first_created_is_shown(lab):
    """Whatever the order of the edges and the names of the inputs."""
    lab.code("e-0").code("e-1")
    lab.edges(*(f"{code} produces a-1#v1" for code in ("e-0", "e-2", "e-1")))
    assert artifact_provenance(lab.graph, "a-1").code.id == "e-2"


def test_inputs_of_other_sessions_are_shown_without_a_session_only(lab):
    """A session keeps to its own inputs, as the contract has it."""
    lab.artifact("b#v1", session_id="s2", logical_name="a.csv").edges("b#v1 input e-2")
    all_inputs = artifact_provenance(lab.graph, "a-2").inputs
    assert [view.id for view in all_inputs] == ["b#v1", "a-1#v1", "f"]
    own = artifact_provenance(lab.graph, "a-2", session_id="s1").inputs
    assert [view.id for view in own] == ["a-1#v1", "f"]


def test_an_input_read_twice_is_shown_once(lab):
    """Parallel edges are one input."""
    lab.edges("f input e-2")
    assert len(artifact_provenance(lab.graph, "a-2").inputs) == 2


def test_a_deleted_artifact_still_tells_where_it_came_from():
    """Soft deletion hides nothing here (contract/query.md §1.5)."""
    graph = Built().artifact("a#v1", deleted_session=True).graph
    assert artifact_provenance(graph, "a").artifact.deleted


@pytest.mark.parametrize("version", [0, -1, True, "1"])
def test_a_version_is_a_number_from_1(lab, version):
    """Anything else is refused."""
    with pytest.raises(BadRequest, match="version"):
        artifact_provenance(lab.graph, "a-2", version=version)


@pytest.mark.parametrize("asked", [{"version": 9}, {"session_id": "s2"}])
def test_a_version_that_is_not_there_is_not_found(lab, asked):
    """Also in another session."""
    with pytest.raises(NodeNotFound):
        artifact_provenance(lab.graph, "a-2", **asked)


def test_only_artifacts_have_a_provenance(lab):
    """A code id is no artifact."""
    with pytest.raises(NodeNotFound):
        artifact_provenance(lab.graph, "e-2")
