# SPDX-License-Identifier: Apache-2.0
"""What was found and what is claimed: evidence with its source, claims with theirs.

A declaration cites only what its own session knows (design §5.7). What it cites
is looked for in the same write that keeps it, so that nothing can vanish in
between.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping

from smemkit import instants
from smemkit.writing import arguments
from smemkit.writing.arguments import Moment
from smemkit.writing.cites import Cites, target
from smemkit.writing.draft import Draft, Fields, Writable, compose
from smemkit.writing.results import DeclaredClaim, DeclaredEvidence
from smemkit.writing.sources import one_source


def declare_evidence(
    store: Writable,
    content: str,
    *,
    session_id: str,
    source_paper_link: str | None = None,
    source_file_id: str | None = None,
    source_webpage_link: str | None = None,
    locator: str | None = None,
    evidence_type: str | None = None,
    confidence: str | None = None,
    strength: str | None = None,
    created_at: Moment | None = None,
) -> DeclaredEvidence:
    """Keep a piece of evidence and the one source it was taken from.

    Parameters
    ----------
    store : Writable
        Where to write.
    content : str
        What the source says.
    session_id : str
        The session; the source must be known in it.
    source_paper_link, source_file_id, source_webpage_link : str, optional
        The source, exactly one: a paper's link in any form, an uploaded PDF, a
        web page's link or identifier. An empty text counts as none.
    locator, evidence_type, confidence, strength : str, optional
        Where in the source, and how it is judged; free text.
    created_at : str or datetime, optional
        By default now.

    Raises
    ------
    DeclareError
        ``no_source``, ``ambiguous_source``, ``source_paper_not_found``,
        ``source_file_not_found``, ``source_file_not_pdf``,
        ``source_webpage_not_found``, ``source_webpage_no_content``.
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> paper = {"product_type": "paper", "link": "10.1000/X"}
    >>> _ = mem.observe_tool_call(
    ...     "subtask:mcp:1", session_id="s1", tool_name="search", products=[paper]
    ... )
    >>> mem.declare_evidence("Bills grow.", source_paper_link="10.1000/X").source
    'https://doi.org/10.1000/x'
    >>> mem.declare_evidence("Bills grow.")
    Traceback (most recent call last):
        ...
    smemkit.errors.DeclareError: the evidence names no source; give source_paper_link, \
source_file_id or source_webpage_link
    """
    session = arguments.ident("session_id", session_id)
    said = arguments.text("content", content)
    judged: Fields = {
        "locator": arguments.optional_text("locator", locator),
        "evidence_type": arguments.optional_text("evidence_type", evidence_type),
        "confidence": arguments.optional_text("confidence", confidence),
        "strength": arguments.optional_text("strength", strength),
        "session_id": session,
        "created_at": arguments.optional_moment("created_at", created_at)
        or instants.now(),
    }
    named = one_source(
        {
            "source_paper_link": source_paper_link,
            "source_file_id": source_file_id,
            "source_webpage_link": source_webpage_link,
        }
    )
    evidence_id = str(uuid.uuid4())

    def how(draft: Draft) -> DeclaredEvidence:
        source = named.find(draft, session)
        first: Fields = {
            "evidence_id": evidence_id,
            "content": said,
            named.parameter: named.stored(source),
        }
        node = draft.make_node("Evidence", {**first, **judged})
        draft.merge_edge("extracts", source, node)
        return DeclaredEvidence(evidence_id, str(source.public_id))

    return compose(store, (session,), how)


def declare_claim(
    store: Writable,
    content: str,
    *,
    session_id: str,
    cites_evidence_aliases: Mapping[str, str] | None = None,
    cites_artifact_aliases: Mapping[str, str] | None = None,
    cites_source_file_aliases: Mapping[str, str] | None = None,
    cites_dbrecord_aliases: Mapping[str, str] | None = None,
    cites_artifact_versions: Mapping[str, int] | None = None,
    artifact_id: str | None = None,
    artifact_version: int | None = None,
    claim_type: str | None = None,
    confidence: str | None = None,
    locator: str | None = None,
    created_at: Moment | None = None,
) -> DeclaredClaim:
    """Keep a claim and everything it cites.

    Parameters
    ----------
    store : Writable
        Where to write.
    content : str
        The sentence.
    session_id : str
        The session; what is cited must be known in it.
    cites_evidence_aliases, cites_artifact_aliases, cites_source_file_aliases, \
cites_dbrecord_aliases : mapping of str to str, optional
        What each alias of the report stands for. An artifact may be ``fig`` or
        ``fig#v2``, a record ``<source>:<identifier>`` or an identifier that is
        unique in the session. Empty ids are passed over.
    cites_artifact_versions : mapping of str to int, optional
        The version an alias means, by default the highest.
    artifact_id, artifact_version : optional
        The report version the claim is stated in, if it is there already; see
        `link_claims_to_report`.
    claim_type, confidence, locator : str, optional
        Free text.
    created_at : str or datetime, optional
        By default now.

    Raises
    ------
    DeclareError
        ``no_cites_target``, ``evidence_not_found``,
        ``artifact_version_not_found``, ``source_file_not_found``,
        ``source_file_is_pdf``, ``db_record_not_found``; the first that fails.
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> fig = mem.declare_artifact("fig.png", session_id="s1", artifact_id="fig")
    >>> claim = mem.declare_claim(
    ...     "Bills grow.", cites_artifact_aliases={"figure1": "fig"}
    ... )
    >>> claim.chip_map
    {'figure1': {'kind': 'artifact', 'id': 'fig', 'label': 'figure1', 'version': 1}}
    """
    session = arguments.ident("session_id", session_id)
    said = arguments.text("content", content)
    cites = Cites.of(
        {
            "cites_evidence_aliases": cites_evidence_aliases,
            "cites_artifact_aliases": cites_artifact_aliases,
            "cites_source_file_aliases": cites_source_file_aliases,
            "cites_dbrecord_aliases": cites_dbrecord_aliases,
            "cites_artifact_versions": cites_artifact_versions,
        }
    )
    report, number = _report(artifact_id, artifact_version)
    props: Fields = {
        "claim_id": str(uuid.uuid4()),
        "content": said,
        "claim_type": arguments.optional_text("claim_type", claim_type),
        "confidence": arguments.optional_text("confidence", confidence),
        "locator": arguments.optional_text("locator", locator),
        "content_hash": hashlib.sha256(said.encode()).hexdigest(),
        "session_id": session,
        "created_at": arguments.optional_moment("created_at", created_at)
        or instants.now(),
    }

    def how(draft: Draft) -> DeclaredClaim:
        cited = cites.resolve(draft, session)
        targets = {node.id: node for _, _, node in cited}
        claim = draft.make_node("Claim", props)
        for node in targets.values():
            draft.merge_edge("supports", node, claim)
        stated = draft.find("Artifact", report, number) if number is not None else None
        if stated is not None and stated.session_id != session:
            stated = None
        if stated is not None:
            draft.merge_edge("stated_in", claim, stated)
        return DeclaredClaim(
            str(props["claim_id"]),
            {alias: chip for alias, chip, _ in cited},
            tuple(target(node) for node in targets.values()),
            None if stated is None else stated.public_id,
        )

    return compose(store, (session,), how)


def _report(artifact_id: object, version: object) -> tuple[str, int | None]:
    """Return the report version a claim is stated in; an empty id means none."""
    given = arguments.optional_text("artifact_id", artifact_id) or ""
    if not given.strip():
        arguments.optional_whole("artifact_version", version)
        return "", None
    return arguments.artifact("artifact_id", given, "artifact_version", version)
