# SPDX-License-Identifier: Apache-2.0
"""Which tool was called, and what it found: papers, pages, database records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smemkit import instants, schema
from smemkit.errors import InvalidRecord, short
from smemkit.records import Node, Value
from smemkit.writing import arguments, pages
from smemkit.writing.arguments import Item, Moment
from smemkit.writing.draft import Draft, Fields, Writable, compose
from smemkit.writing.results import ObservedCall, ObservedSearch
from smemkit.writing.steps import merge_step

PRODUCTS = ("paper", "web_page", "db_record")
"""The kinds of product a tool call may have."""

_LISTS = ("authors", "source_refs")
_TEXTS = (
    "link",
    "title",
    "identifier",
    "identifier_type",
    "year",
    "abstract",
    "source",
    "url",
    "snippet",
    "content_hash",
)
_RECORD = (
    "url",
    "title",
    "identifier",
    "identifier_type",
    "identifierType",
    "year",
    "authors",
    "abstract",
    "source",
)


def observe_tool_call(
    store: Writable,
    task_id: str,
    *,
    session_id: str,
    tool_name: str,
    tool_type: str = "search",
    source: str | None = None,
    status: str | None = None,
    result_count: int = 0,
    products: Sequence[Mapping[str, object]] = (),
    turn_id: str | None = None,
    parent_subagent_id: str | None = None,
    created_at: Moment | None = None,
    finished_at: Moment | None = None,
) -> ObservedCall:
    """Keep that a tool was called, and what it found.

    Sent again, a call takes over the new count, and each product counts one
    retrieval more.

    Parameters
    ----------
    store : Writable
        Where to write.
    task_id : str
        The call, such as ``subtask:mcp:<invocation>``; an id that does not
        begin with ``subtask:`` stands on no line.
    session_id : str
        The session.
    tool_name, tool_type : str
        Which tool, and its kind.
    source : str, optional
        Which service answered.
    status : str, optional
        By default ``completed`` for a new call, and a repeat keeps what it was.
    result_count : int, default 0
        How many results there were.
    products : sequence of mapping
        Each with ``product_type``, one of `PRODUCTS`, and what is known of
        ``link``, ``url``, ``title``, ``identifier``, ``identifier_type``,
        ``year``, ``authors``, ``abstract``, ``source``, ``snippet``,
        ``source_refs``, ``content_hash``. One without a key is counted and not
        kept: a paper or page needs a link, a record source and identifier.
    turn_id : str, optional
        Kept for a call inside a scope.
    parent_subagent_id : str, optional
        The subagent that called; the call then stands in its scope.
    created_at, finished_at : str or datetime, optional
        By default now.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> call = mem.observe_tool_call(
    ...     "subtask:mcp:1", session_id="s1", tool_name="search",
    ...     products=[{"product_type": "paper", "link": "10.1000/X"}],
    ... )
    >>> call.found, call.to_dict()
    (('https://doi.org/10.1000/x',), {'status': 'healthy', 'written': 2, 'products': 1})
    """
    session = arguments.ident("session_id", session_id)
    given = arguments.ident("task_id", task_id)
    parent = arguments.optional_ident("parent_subagent_id", parent_subagent_id)
    turn = arguments.optional_text("turn_id", turn_id)
    call: Fields = {
        "session_id": session,
        "status": arguments.optional_text("status", status),
        "tool_type": arguments.text("tool_type", tool_type),
        "tool_name": arguments.text("tool_name", tool_name),
        "source": arguments.optional_text("source", source),
        "created_at": arguments.optional_moment("created_at", created_at),
        "finished_at": arguments.optional_moment("finished_at", finished_at),
        "result_count": arguments.whole("result_count", result_count),
        # The app keeps no turn of a call on the main line (contract/writes.md §2.3).
        "turn_id": None if parent is None else turn,
    }
    found = _products(products)
    scope = None if parent is None else schema.scope_id(parent)
    own_id = given if parent is None else schema.child_call_id(given, parent)

    def how(draft: Draft) -> ObservedCall:
        step = merge_step(draft, own_id, call, scope=scope, always=("result_count",))
        created = str(call["created_at"] or instants.now())
        moment = str(call["finished_at"] or created)
        kept: dict[str, None] = {}
        for kind, fields in found:
            node = _KINDS[kind](draft, session, fields, created, moment)
            if node is not None:
                draft.merge_edge("produces", step, node)
                kept[str(node.public_id)] = None
        return ObservedCall(own_id, len(found), tuple(kept))

    return compose(store, (session,), how)


def observe_mcp_search(
    store: Writable,
    invocation_id: str,
    *,
    session_id: str,
    source: str,
    tool_type: str,
    records: Sequence[Mapping[str, object]] = (),
    turn_id: str | None = None,
    retrieved_at: Moment | None = None,
    parent_subagent_id: str | None = None,
) -> ObservedSearch:
    """Keep a literature search as the app's older generation tells it.

    It is stored as today's generation stores it: see `observe_tool_call`.

    Parameters
    ----------
    store : Writable
        Where to write.
    invocation_id : str
        The call becomes ``subtask:mcp:<invocation_id>``.
    session_id : str
        The session.
    source : str
        Which service answered.
    tool_type : str
        The id of the tool, today's `tool_name`.
    records : sequence of mapping
        Papers with ``url`` and what is known of ``title``, ``identifier``,
        ``identifier_type`` (or ``identifierType``), ``year``, ``authors``,
        ``abstract``, ``source``.
    turn_id : str, optional
        Kept for a call inside a scope.
    retrieved_at : str or datetime, optional
        By default now.
    parent_subagent_id : str, optional
        The subagent that searched.

    Raises
    ------
    InvalidRecord
        A parameter no memory can hold; it is named.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> mem.observe_mcp_search(
    ...     "5d1e", session_id="s1", source="arxiv", tool_type="search",
    ...     records=[{"url": "10.1/x"}, {"url": "10.1/y"}],
    ... ).to_dict()
    {'status': 'healthy', 'written': 3, 'papers': 2}
    """
    products = [
        _as_product(f"records[{i}]", each)
        for i, each in enumerate(arguments.several("records", records))
    ]
    papers = sum(bool(str(each["url"] or "").strip()) for each in products)
    call = observe_tool_call(
        store,
        f"subtask:mcp:{arguments.ident('invocation_id', invocation_id)}",
        session_id=session_id,
        tool_name=arguments.text("tool_type", tool_type),
        source=arguments.text("source", source),
        result_count=papers,
        products=products,
        turn_id=turn_id,
        parent_subagent_id=parent_subagent_id,
        created_at=arguments.optional_moment("retrieved_at", retrieved_at),
        finished_at=arguments.optional_moment("retrieved_at", retrieved_at),
    )
    return ObservedSearch(call.task_id, papers, call.found)


def _as_product(where: str, value: object) -> dict[str, object]:
    item = dict(arguments.fields(where, value, _RECORD))
    older = item.pop("identifierType", None)
    item["identifier_type"] = item.get("identifier_type") or older
    item["url"] = arguments.text(f"{where}.url", item.get("url"))
    # Checked here, so that what is refused is named as the caller knows it.
    return {"product_type": "paper", **_product_fields(where, item)}


def _products(value: object) -> list[tuple[str, dict[str, Value | None]]]:
    found = []
    for i, each in enumerate(arguments.several("products", value)):
        where = f"products[{i}]"
        item = arguments.fields(where, each, ("product_type", *_TEXTS, *_LISTS))
        kind = item.get("product_type")
        if not isinstance(kind, str) or kind not in PRODUCTS:
            raise InvalidRecord(
                f"{where}.product_type={short(kind)}"[:200],
                found="an unknown kind of product",
                do=f"give one of {', '.join(PRODUCTS)}",
            )
        found.append((kind, _product_fields(where, item)))
    return found


def _product_fields(where: str, item: Item) -> dict[str, Value | None]:
    fields: dict[str, Value | None] = {}
    for name in _TEXTS:
        value = item.get(name)
        if name == "year" and type(value) is int:
            value = str(value)  # a year is text in the app's schema
        fields[name] = arguments.optional_text(f"{where}.{name}", value)
    for name in _LISTS:
        value = item.get(name)
        fields[name] = (
            None if value is None else arguments.texts(f"{where}.{name}", value)
        )
    return fields


def _again(node: Node | None, moment: str) -> dict[str, Value | None]:
    """Return the counters of something found once more."""
    count = None if node is None else node.props.get("retrieval_count")
    known = count if isinstance(count, int) and not isinstance(count, bool) else 0
    return {"retrieved_at": moment, "retrieval_count": known + 1}


def _some(fields: Fields, *names: str) -> dict[str, Value | None]:
    return {name: fields[name] for name in names}


def _merge_paper(
    draft: Draft, session: str, fields: Fields, created: str, moment: str
) -> Node | None:
    link = pages.key_to_write(
        draft, "Paper", session, str(fields["url"] or fields["link"] or "")
    )
    if not link:
        return None
    described = _some(
        fields,
        "title",
        "identifier",
        "identifier_type",
        "year",
        "authors",
        "abstract",
        "source",
    )
    node, _ = draft.merge_node(
        "Paper",
        {"session_id": session, "link": link},
        created={**described, "retrieval_count": 1, "created_at": created},
        always=_again(draft.find("Paper", session, link), moment),
    )
    return node


def _merge_page(
    draft: Draft, session: str, fields: Fields, created: str, moment: str
) -> Node | None:
    url = pages.key_to_write(draft, "WebPage", session, str(fields["url"] or ""))
    if not url:
        return None
    described = _some(
        fields, "identifier", "identifier_type", "title", "snippet", "source_refs"
    )
    digest = fields["content_hash"]
    first = {
        **described,
        "content_hash": digest,
        "has_full_content": digest is not None,
        "retrieval_count": 1,
        "created_at": created,
    }
    node, _ = draft.merge_node(
        "WebPage",
        {"session_id": session, "url": url},
        created=first,
        always=_again(draft.find("WebPage", session, url), moment),
        given={"content_hash": digest, "has_full_content": digest is not None or None},
        gaps=described,
    )
    return node


def _merge_record(
    draft: Draft, session: str, fields: Fields, created: str, moment: str
) -> Node | None:
    source, identifier = fields["source"], fields["identifier"]
    if not source or not identifier:
        return None
    described = _some(fields, "identifier_type", "url", "title", "snippet")
    node, _ = draft.merge_node(
        "DbRecord",
        {"session_id": session, "source": source, "identifier": identifier},
        created={**described, "retrieval_count": 1, "created_at": created},
        always=_again(draft.find("DbRecord", session, source, identifier), moment),
    )
    return node


_KINDS = {"paper": _merge_paper, "web_page": _merge_page, "db_record": _merge_record}
