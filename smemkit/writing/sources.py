# SPDX-License-Identifier: Apache-2.0
"""What a piece of evidence was taken from, and whether it may be cited so.

The codes, and which come with an instruction, are those of contract/http.md
§4.1; every source must be known in the evidence's own session (design §5.7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from smemkit.errors import DeclareError, short
from smemkit.records import Node
from smemkit.writing import arguments, pages
from smemkit.writing.draft import Draft

PDF = "application/pdf"
"""What is cited through evidence; any other uploaded file is cited directly."""


class Source(NamedTuple):
    """Which parameter named the source, and what it said."""

    parameter: str
    name: str

    def find(self, draft: Draft, session_id: str) -> Node:
        """Return the source, or refuse the evidence."""
        return _FINDERS[self.parameter](draft, session_id, self.name)

    def stored(self, node: Node) -> str:
        """Return the text the evidence keeps of its source."""
        # A page another program wrote may be known by its identifier alone.
        return str(node.props.get(_KEYS[self.parameter], self.name))


def one_source(given: Mapping[str, object]) -> Source:
    """Return the one source that is named.

    Raises
    ------
    DeclareError
        ``no_source`` or ``ambiguous_source``.
    """
    named = [
        Source(name, text)
        for name, value in given.items()
        if (text := arguments.optional_text(name, value))
    ]
    if not named:
        raise DeclareError(
            "no_source",
            "the evidence names no source",
            "give source_paper_link, source_file_id or source_webpage_link",
        )
    if len(named) > 1:
        raise DeclareError(
            "ambiguous_source",
            f"the evidence names {len(named)} sources: "
            + ", ".join(source.parameter for source in named),
            "give exactly one, and declare the other as evidence of its own",
        )
    return named[0]


def _paper(draft: Draft, session_id: str, link: str) -> Node:
    node = pages.find_paper(draft, session_id, link)
    if node is None:
        raise DeclareError(
            "source_paper_not_found",
            "no Paper with that link",
            hint=f"record {link[:200]!r} in session {short(session_id)} first, "
            "with observe_tool_call(products=[…])",
        )
    return node


def _file(draft: Draft, session_id: str, file_id: str) -> Node:
    node = draft.find("SourceFile", file_id)
    if node is None or node.session_id != session_id:
        raise DeclareError(
            "source_file_not_found",
            f"no uploaded file {short(file_id)} in session {short(session_id)}",
            "cite a file that was uploaded in this session",
        )
    if node.props.get("media_type") != PDF:
        raise DeclareError(
            "source_file_not_pdf",
            f"the uploaded file {short(file_id)} is "
            f"{node.props.get('media_type') or 'of unknown type'}, not {PDF}",
            "cite it in the claim itself, with cites_source_file_aliases",
        )
    return node


def _page(draft: Draft, session_id: str, text: str) -> Node:
    node = pages.find_page(draft, session_id, text)
    if node is None:
        raise DeclareError(
            "source_webpage_not_found",
            f"no web page {short(text)} in session {short(session_id)}",
            "cite a page that a tool call of this session found",
        )
    if not node.props.get("content_hash"):
        raise DeclareError(
            "source_webpage_no_content",
            f"of the web page {short(text)} only a snippet is known",
            "fetch the page, then declare the evidence again",
        )
    return node


_FINDERS: Mapping[str, Callable[[Draft, str, str], Node]] = {
    "source_paper_link": _paper,
    "source_file_id": _file,
    "source_webpage_link": _page,
}

_KEYS = {
    "source_paper_link": "link",
    "source_file_id": "file_id",
    "source_webpage_link": "url",
}
