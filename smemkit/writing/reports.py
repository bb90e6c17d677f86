# SPDX-License-Identifier: Apache-2.0
"""Which report version states which claims, and what its aliases stand for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from smemkit.errors import DeclareError, short
from smemkit.records import Node, Scalar
from smemkit.writing import arguments
from smemkit.writing.cites import highest
from smemkit.writing.draft import Draft, Writable, compose
from smemkit.writing.results import LinkedClaims

REFERENCES = "references"
"""The Artifact property that holds a report's alias map, one JSON text an entry."""

_ENTRY = ("label", "kind", "id", "version", "claim_id")


def link_claims_to_report(
    store: Writable,
    artifact_id: str,
    *,
    session_id: str,
    artifact_version: int | None = None,
    claim_ids: Sequence[str] = (),
    references: Sequence[Mapping[str, object]]
    | Mapping[str, Mapping[str, object]]
    | None = None,
) -> LinkedClaims:
    """Link claims to the report version that states them.

    Parameters
    ----------
    store : Writable
        Where to write.
    artifact_id : str
        The report; ``report#v1`` names the version too.
    session_id : str
        The session of the report and the claims.
    artifact_version : int, optional
        The version, unless `artifact_id` names it; by default the highest of the
        session.
    claim_ids : sequence of str
        The claims. All are linked or none.
    references : sequence of mapping, or mapping, optional
        What the aliases of the report stand for: ``label``, ``kind``, ``id``,
        and ``version`` and ``claim_id`` where known; or the ``chip_map`` that
        `declare_claim` returned. Kept on the report next to those that are
        there, each once.

    Raises
    ------
    DeclareError
        ``artifact_not_found``, ``claim_not_found``.
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> fig = mem.declare_artifact("fig.png", session_id="s1", artifact_id="fig")
    >>> claim = mem.declare_claim("Bills grow.", cites_artifact_aliases={"figure1": "fig"})
    >>> report = mem.declare_artifact("report.md", artifact_id="report")
    >>> done = mem.link_claims_to_report(
    ...     "report", claim_ids=[claim.claim_id], references=claim.chip_map
    ... )
    >>> done.to_dict()
    {'status': 'ok', 'artifact_id': 'report', 'linked': 1}
    """
    session = arguments.ident("session_id", session_id)
    bare, named = arguments.artifact(
        "artifact_id", artifact_id, "artifact_version", artifact_version
    )
    claims = [
        arguments.ident(f"claim_ids[{i}]", each)
        for i, each in enumerate(arguments.several("claim_ids", claim_ids))
    ]
    entries = [] if references is None else _entries(references)

    def how(draft: Draft) -> LinkedClaims:
        version = highest(draft, session, bare) if named is None else named
        report = None if version is None else draft.find("Artifact", bare, version)
        if version is None or report is None or report.session_id != session:
            asked = bare if version is None else f"{bare}#v{version}"
            raise DeclareError(
                "artifact_not_found",
                "Artifact version not found",
                hint=f"declare {short(asked)} in session {short(session)} first, "
                "with declare_artifact",
            )
        for node in [_claim(draft, session, each) for each in claims]:
            draft.merge_edge("stated_in", node, report)
        count = _keep(draft, report, entries)
        return LinkedClaims(bare, version, len(claims), count)

    return compose(store, (session,), how)


def _claim(draft: Draft, session_id: str, claim_id: str) -> Node:
    node = draft.find("Claim", claim_id)
    if node is None or node.session_id != session_id:
        raise DeclareError(
            "claim_not_found",
            f"Claim {claim_id} not found",
            hint=f"give the claim_id that declare_claim returned in session {short(session_id)}",
        )
    return node


def _entries(value: object) -> list[str]:
    found = []
    if isinstance(value, Mapping):  # alias: chip, as a declared claim has it
        value = [
            {
                "label": alias,
                **arguments.fields(f"references[{short(alias)}]", chip, _ENTRY),
            }
            for alias, chip in value.items()
        ]
    for i, each in enumerate(arguments.several("references", value)):
        where = f"references[{i}]"
        item = arguments.fields(where, each, _ENTRY)
        entry: dict[str, object] = {
            name: arguments.ident(f"{where}.{name}", item.get(name))
            for name in ("label", "kind", "id")
        }
        if item.get("version") is not None:
            entry["version"] = arguments.version(f"{where}.version", item["version"])
        if item.get("claim_id") is not None:
            entry["claim_id"] = arguments.ident(f"{where}.claim_id", item["claim_id"])
        found.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    return found


def _keep(draft: Draft, report: Node, entries: Sequence[str]) -> int:
    """Add entries to the report's alias map; return how many it has."""
    listed = report.props.get(REFERENCES)
    known: list[Scalar] = listed if isinstance(listed, list) else []
    merged = list(dict.fromkeys([*known, *entries]))
    if merged != known:
        draft.set(report, {REFERENCES: merged})
    return len(merged)
