# SPDX-License-Identifier: Apache-2.0
"""What a request may hold: fields, types and defaults of contract/http.md §2–§7.

Unknown fields are ignored. A field that is nullable in the contract has the
default None; a text is at most 1 MB and a list at most 10,000 long.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from smemkit.records import MAX_LIST, MAX_TEXT_BYTES

MANY = Field(max_length=MAX_LIST, fail_fast=True)
"""How a list ends. The first entry that is wrong refuses it: a body of 8 MB has room
for millions of wrong ones, and to tell them all would keep the server for minutes."""

Text = Annotated[str, Field(max_length=MAX_TEXT_BYTES)]
Texts = Annotated[list[Text], MANY]
Aliases = Annotated[dict[Text, Text], Field(max_length=MAX_LIST)]
Versions = Annotated[dict[Text, int], Field(max_length=MAX_LIST)]
Objects = Annotated[list[dict[str, object]], MANY]
Limit = Annotated[int, Field(ge=1, le=MAX_LIST)]
Offset = Annotated[int, Field(ge=0, lt=1 << 63)]

PAGE = 500
"""Rows of an answer where the request does not say (contract/http.md §5)."""


class BackendChoice(BaseModel):
    """POST /internal/backend."""

    backend: Literal["local", "neo4j"]


class Neo4jPassword(BaseModel):
    """POST /internal/neo4j-password; the key `password` must be there, null clears."""

    password: Annotated[str, Field(max_length=16_384)] | None
    http_uri: Annotated[str, Field(max_length=8_192)] | None = None
    user: Annotated[str, Field(max_length=512)] | None = None


class FirstMessage(BaseModel):
    """POST /observe/session-first-message."""

    session_id: Text
    goal_id: Text
    core_objective: Text
    created_at: Text
    domain: Text | None = None
    topic_scope: Texts = []


class UploadFile(BaseModel):
    """POST /observe/upload-file."""

    session_id: Text
    file_id: Text
    name: Text
    path: Text
    created_at: Text
    media_type: Text | None = None
    size: int | None = None
    content_hash: Text | None = None


class InputArtifact(BaseModel):
    """An artifact version that an execution read."""

    artifact_id: Text
    version: int


class InputFile(BaseModel):
    """An uploaded file that an execution read."""

    file_id: Text = ""


class ProducedArtifact(BaseModel):
    """A file that an execution wrote."""

    artifact_id: Text
    path: Text | None = None
    version: int | None = None
    media_type: Text | None = None
    logical_name: Text | None = None
    project_id: Text | None = None
    turn_id: Text | None = None
    content_hash: Text | None = None
    input_artifact_versions: Annotated[list[InputArtifact], MANY] | None = None


class Execution(BaseModel):
    """POST /observe/execution; `task_type` is the older name of `tool_type`."""

    execution_id: Text
    session_id: Text
    turn_id: Text
    tool: Text
    code_hash: Text
    status: Text
    started_at: Text
    finished_at: Text
    language: Text | None = None
    stdout_hash: Text | None = None
    stderr_hash: Text | None = None
    env_hash: Text | None = None
    tool_name: Text | None = None
    parent_subagent_id: Text | None = None
    exit_code: int | None = None
    tool_type: Text = "execution"
    task_type: Text | None = None
    produced_artifacts: Annotated[list[ProducedArtifact], MANY] = []
    input_source_files: Annotated[list[InputFile], MANY] | None = None


class Product(BaseModel):
    """Something a tool call found."""

    product_type: Literal["paper", "web_page", "db_record"]
    link: Text | None = None
    title: Text | None = None
    identifier: Text | None = None
    identifier_type: Text | None = None
    year: Text | None = None
    authors: Texts | None = None
    abstract: Text | None = None
    source: Text | None = None
    url: Text | None = None
    snippet: Text | None = None
    source_refs: Texts | None = None
    content_hash: Text | None = None


class ToolCall(BaseModel):
    """POST /observe/tool-call."""

    task_id: Text
    session_id: Text
    turn_id: Text
    tool_name: Text
    tool_type: Text
    source: Text | None = None
    parent_subagent_id: Text | None = None
    status: Text = "completed"
    result_count: int = 0
    products: Annotated[list[Product], MANY] = []


class FoundPaper(BaseModel):
    """One record of the older search mirror; both spellings of the type count."""

    url: Text
    title: Text | None = None
    identifier: Text | None = None
    identifier_type: Text | None = None
    identifierType: Text | None = None
    year: Text | None = None
    authors: Texts | None = None
    abstract: Text | None = None
    source: Text | None = None


class McpSearch(BaseModel):
    """POST /observe/mcp-search (the app's older generation)."""

    invocation_id: Text
    session_id: Text
    turn_id: Text
    source: Text
    tool_type: Text
    retrieved_at: Text
    parent_subagent_id: Text | None = None
    records: Annotated[list[FoundPaper], MANY] = []


class PlanStep(BaseModel):
    """One step of a plan; read and not kept."""

    id: Text | None = None
    description: Text | None = None


class SessionPlan(BaseModel):
    """POST /observe/session-plan (the app's older generation)."""

    session_id: Text
    goal_id: Text
    plan_id: Text
    scope: Text
    domain: Text | None = None
    steps: Annotated[list[PlanStep], MANY] = []


class Subagent(BaseModel):
    """POST /observe/subagent."""

    subagent_id: Text
    session_id: Text
    turn_id: Text
    objective: Text
    created_at: Text
    status: Text
    task_type: Text = "subagent"
    subagent_type: Text | None = None
    finished_at: Text | None = None
    summary: Text | None = None


class SearchProgress(BaseModel):
    """POST /observe/search-progress: understood, answered, not stored."""

    search_id: Text
    session_id: Text
    records: Objects
    task_id: Text | None = None


class SearchArtifact(BaseModel):
    """A file of an evolve search."""

    artifact_id: Text
    version: int
    logical_name: Text
    media_type: Text
    role: Text


class SearchArtifacts(BaseModel):
    """POST /observe/search-artifacts: understood, answered, not stored."""

    search_id: Text
    session_id: Text
    artifacts: Annotated[list[SearchArtifact], MANY] = []


class Evidence(BaseModel):
    """POST /persist/evidence."""

    content: Text
    locator: Text
    evidence_type: Text
    confidence: Text
    strength: Text
    session_id: Text
    source_paper_link: Text | None = None
    source_file_id: Text | None = None
    source_webpage_link: Text | None = None


class Claim(BaseModel):
    """POST /persist/claim."""

    content: Text
    claim_type: Text
    confidence: Text
    locator: Text
    session_id: Text
    cites_evidence_aliases: Aliases = {}
    cites_artifact_aliases: Aliases = {}
    cites_source_file_aliases: Aliases = {}
    cites_dbrecord_aliases: Aliases = {}
    cites_artifact_versions: Versions = {}
    artifact_id: Text | None = None
    artifact_version: int | None = None


class StatedIn(BaseModel):
    """POST /persist/stated_in."""

    artifact_id: Text
    artifact_version: int
    session_id: Text
    claim_ids: Texts = []


class Page(BaseModel):
    """The part of a long answer that is wanted (design §2)."""

    limit: Limit = PAGE
    offset: Offset = 0


class Match(Page):
    """POST /query/match."""

    query: Text
    session_id: Text | None = None
    mode: Text = "any_term"


class ByNodeType(Page):
    """POST /query/by-node-type."""

    node_types: Texts = []
    session_id: Text | None = None


class ByEdgeType(Page):
    """POST /query/by-edge-type."""

    edge_types: Texts = []
    session_id: Text | None = None


class Chain(Page):
    """POST /query/chain; `chain_kind` is the older generation's word."""

    node_id: Text
    session_id: Text | None = None
    version: int | None = None
    kind: Text | None = None
    chain_kind: Text | None = None


class ChainExists(BaseModel):
    """POST /query/chain-exists."""

    node_id: Text
    kinds: Texts
    session_id: Text | None = None
    version: int | None = None


class ScopeExpansion(BaseModel):
    """POST /query/scope-expansion."""

    scope_task_id: Text
    session_id: Text


class GroupExpansion(BaseModel):
    """POST /query/group-expansion."""

    group_id: Text
    session_id: Text


class Trace(BaseModel):
    """POST /trace/provenance."""

    node_id: Text
    target_label: Text | None = None
    max_hops: int = 8
    session_id: Text | None = None


class SearchGraph(BaseModel):
    """POST /query/search-graph."""

    search_id: Text
    max_nodes: int | None = None


class CleanSession(BaseModel):
    """POST /cleanup/session."""

    session_id: Text


class CleanProject(BaseModel):
    """POST /cleanup/project."""

    project_id: Text
    session_ids: Texts = []
