# SPDX-License-Identifier: Apache-2.0
"""What is done to a store: every writing verb with good and bad arguments, drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

Args = dict[str, object]

SESSIONS = st.sampled_from(["s1", "s2"])
EXECUTIONS = st.sampled_from(["e1", "e2", "e3"])
SUBAGENTS = st.sampled_from(["sa1", "sa2"])
ARTIFACTS = st.sampled_from(["fig", "report", "data"])
LINKS = st.sampled_from(["https://doi.org/10.5555/a", "10.5555/B", "https://e.org/p"])
FILES = st.sampled_from(["up1", "up2"])
STATUSES = st.sampled_from(["running", "succeeded", "failed", "completed"])
MOMENTS = st.sampled_from(
    ["2026-10-02T08:00:00Z", "2026-10-02T10:30:00+02:00", "2026-10-03T00:00:00.500Z"]
)
TEXTS = st.sampled_from(["Bills grow.", "锌 `x` \\ 'y'", "a\nb", "<b>&amp;", "Depth"])
BAD = st.sampled_from([None, "", 7, 1.5, float("nan"), ["x"], {"a": 1}, "\ud800"])
"""What no parameter of a verb takes, or few do."""


@dataclass(frozen=True)
class Made:
    """Stands for the id an earlier step was given back; `nth` counts from the last."""

    what: str
    nth: int


@dataclass(frozen=True)
class Step:
    """One call of one verb."""

    verb: str
    args: Args


def made(what: str) -> st.SearchStrategy[Made]:
    """Draw one of the last ids of claims or of evidence."""
    return st.builds(Made, st.just(what), st.integers(0, 2))


def _maybe(**optional: st.SearchStrategy[object]) -> st.SearchStrategy[Args]:
    return st.fixed_dictionaries({}, optional=optional)


ARTIFACT = st.fixed_dictionaries(
    {"artifact_id": ARTIFACTS},
    optional={
        "version": st.integers(1, 2),
        "path": TEXTS,
        "media_type": st.just("text/markdown"),
        "content_hash": st.sampled_from(["h1", "h2"]),
    },
)
PRODUCT = st.fixed_dictionaries(
    {"product_type": st.sampled_from(["paper", "web_page", "db_record"])},
    optional={
        "link": LINKS,
        "url": LINKS,
        "title": TEXTS,
        "source": st.just("pdb"),
        "identifier": st.sampled_from(["1ABC", "2DEF"]),
        "year": st.integers(1990, 2026),
    },
)
RECORD = st.fixed_dictionaries({}, optional={"url": LINKS, "title": TEXTS})
SOURCE_FILE = st.fixed_dictionaries({"file_id": FILES})
REFERENCE = st.fixed_dictionaries(
    {
        "label": st.sampled_from(["claim1", "artifact1", "evidence1"]),
        "kind": st.sampled_from(["claim", "artifact", "evidence"]),
        "id": st.one_of(ARTIFACTS, made("claim"), made("evidence")),
    },
    optional={"version": st.integers(1, 2), "claim_id": made("claim")},
)


def _aliases(
    name: str, target: st.SearchStrategy[object]
) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(
        st.sampled_from([f"{name}1", f"{name}2"]), target, max_size=2
    )


NEEDED: Mapping[str, Mapping[str, st.SearchStrategy[object]]] = {
    "observe_session_first_message": {"session_id": SESSIONS, "core_objective": TEXTS},
    "observe_upload_file": {
        "file_id": FILES,
        "session_id": SESSIONS,
        "path": st.sampled_from(["raw.csv", "in/b.csv"]),
    },
    "observe_execution": {"execution_id": EXECUTIONS, "session_id": SESSIONS},
    "observe_tool_call": {
        "task_id": st.sampled_from(["subtask:mcp:1", "subtask:web:2", "loose"]),
        "session_id": SESSIONS,
        "tool_name": st.just("search"),
    },
    "observe_mcp_search": {
        "invocation_id": st.sampled_from(["i1", "i2"]),
        "session_id": SESSIONS,
        "source": st.sampled_from(["arxiv", "pdb"]),
        "tool_type": st.just("search"),
    },
    "observe_subagent": {"subagent_id": SUBAGENTS, "session_id": SESSIONS},
    "declare_evidence": {"content": TEXTS, "session_id": SESSIONS},
    "declare_claim": {"content": TEXTS, "session_id": SESSIONS},
    "declare_artifact": {
        "path": st.sampled_from(["fig.png", "report.md"]),
        "session_id": SESSIONS,
    },
    "link_claims_to_report": {
        "artifact_id": st.one_of(ARTIFACTS, st.just("report#v1")),
        "session_id": SESSIONS,
    },
    "cleanup_session": {"session_id": SESSIONS},
    "cleanup_project": {"project_id": st.sampled_from(["p1", "p2"])},
}
"""What each writing verb cannot do without."""

OPTIONS: Mapping[str, Mapping[str, st.SearchStrategy[object]]] = {
    "observe_session_first_message": {
        "domain": TEXTS,
        "topic_scope": st.lists(TEXTS, max_size=2),
        "created_at": MOMENTS,
    },
    "observe_upload_file": {
        "size": st.integers(0, 9),
        "content_hash": st.just("h"),
        "created_at": MOMENTS,
    },
    "observe_execution": {
        "status": STATUSES,
        "exit_code": st.integers(0, 1),
        "tool": st.just("run_python"),
        "turn_id": st.sampled_from(["t1", "t2"]),
        "parent_subagent_id": SUBAGENTS,
        "produced_artifacts": st.lists(ARTIFACT, min_size=1, max_size=2),
        "input_source_files": st.lists(SOURCE_FILE, max_size=1),
        "created_at": MOMENTS,
        "started_at": MOMENTS,
        "finished_at": MOMENTS,
    },
    "observe_tool_call": {
        "status": STATUSES,
        "result_count": st.integers(0, 3),
        "products": st.lists(PRODUCT, max_size=3),
        "parent_subagent_id": SUBAGENTS,
        "created_at": MOMENTS,
        "finished_at": MOMENTS,
    },
    "observe_mcp_search": {
        "records": st.lists(RECORD, max_size=3),
        "parent_subagent_id": SUBAGENTS,
        "retrieved_at": MOMENTS,
    },
    "observe_subagent": {
        "status": STATUSES,
        "objective": TEXTS,
        "created_at": MOMENTS,
        "finished_at": MOMENTS,
        "summary": TEXTS,
    },
    "declare_evidence": {
        "locator": TEXTS,
        "created_at": MOMENTS,
    },
    "declare_claim": {
        "cites_evidence_aliases": _aliases("evidence", made("evidence")),
        "cites_artifact_aliases": _aliases("artifact", ARTIFACTS),
        "cites_artifact_versions": _aliases("artifact", st.integers(1, 3)),
        "cites_source_file_aliases": _aliases("file", FILES),
        "artifact_id": ARTIFACTS,
        "artifact_version": st.integers(1, 2),
        "created_at": MOMENTS,
    },
    "declare_artifact": {
        "artifact_id": ARTIFACTS,
        "version": st.integers(1, 3),
        "code_id": EXECUTIONS,
        "project_id": st.just("p1"),
        "media_type": st.just("text/markdown"),
        "content_hash": st.sampled_from(["h1", "h2"]),
        "created_at": MOMENTS,
    },
    "link_claims_to_report": {
        "artifact_version": st.integers(1, 2),
        "claim_ids": st.lists(made("claim"), max_size=2),
        "references": st.lists(REFERENCE, max_size=2),
    },
    "cleanup_project": {"session_ids": st.lists(SESSIONS, max_size=2)},
}
"""What each may be given besides."""

SOURCES: Mapping[str, st.SearchStrategy[object]] = {
    "source_paper_link": LINKS,
    "source_file_id": FILES,
    "source_webpage_link": LINKS,
}
"""Evidence names one of these."""

OFTEN = ("observe_execution", "declare_claim", "declare_artifact")
RARE = ("cleanup_session", "cleanup_project")


@st.composite
def step(draw: st.DrawFn) -> Step:
    """Draw one call; one in eight has an argument that is wrong."""
    common = [verb for verb in NEEDED if verb not in RARE]
    verb = draw(st.sampled_from([*OFTEN, *common, *OFTEN, *common, *RARE]))
    args: Args = dict(draw(st.fixed_dictionaries(dict(NEEDED[verb]))))
    args |= draw(_maybe(**OPTIONS.get(verb, {})))
    if verb == "declare_evidence":
        name = draw(st.sampled_from(sorted(SOURCES)))
        args[name] = draw(SOURCES[name])
    if draw(st.integers(0, 7)) == 7:
        args[draw(st.sampled_from(sorted(args)))] = draw(BAD)
    return Step(verb, args)


def _step(verb: str, **args: object) -> Step:
    return Step(verb, {"session_id": "s1", **args})


STORY: Sequence[Step] = [
    _step("observe_session_first_message", core_objective="Do bills grow?"),
    _step("observe_upload_file", file_id="up1", path="raw.csv"),
    _step("observe_subagent", subagent_id="sa1", status="running"),
    _step(
        "observe_mcp_search",
        invocation_id="i1",
        source="arxiv",
        tool_type="search",
        records=[{"url": "10.5555/a", "title": "A"}],
        parent_subagent_id="sa1",
    ),
    *(
        _step(
            "observe_execution",
            execution_id=f"e{version}",
            status="succeeded",
            turn_id="t1",
            input_source_files=[{"file_id": "up1"}],
            produced_artifacts=[
                {"artifact_id": "fig", "version": version, "path": "fig.png"}
            ],
        )
        for version in (1, 2)
    ),
    _step("observe_subagent", subagent_id="sa1", status="completed", summary="Done."),
    _step(
        "declare_evidence",
        content="Bills grow.",
        source_paper_link="https://doi.org/10.5555/a",
    ),
    _step(
        "declare_claim",
        content="They do.",
        cites_evidence_aliases={"evidence1": Made("evidence", 0)},
        cites_artifact_aliases={"artifact1": "fig"},
    ),
    _step("declare_claim", content="No.", cites_evidence_aliases={"evidence1": 7}),
    _step("declare_artifact", path="report.md", artifact_id="report", code_id="e2"),
    _step(
        "link_claims_to_report",
        artifact_id="report",
        artifact_version=1,
        claim_ids=[Made("claim", 0)],
        references=[{"label": "claim1", "kind": "claim", "id": Made("claim", 0)}],
    ),
    Step("cleanup_session", {"session_id": "s2"}),
]
"""A session in which every kind of thing happens once."""

HISTORIES: st.SearchStrategy[Sequence[Step]] = st.builds(
    lambda told, drawn: [*STORY[:told], *drawn],
    st.integers(0, len(STORY)),
    st.lists(step(), min_size=1, max_size=10),
)
"""The story up to some point, and then whatever happens."""
