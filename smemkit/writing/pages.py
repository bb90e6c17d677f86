# SPDX-License-Identifier: Apache-2.0
"""Which stored paper or page a link means (design §5.9)."""

from __future__ import annotations

from smemkit import links
from smemkit.records import Node
from smemkit.writing.draft import Draft


def key_to_write(draft: Draft, label: str, session_id: str, link: str) -> str:
    """Return the key to store a link under, an empty text if it has none.

    Our own key; or that of a node the app stored under another one, unless the
    link has a query, which the app's key has lost.
    """
    ours = links.link_key(link)
    if "?" in ours or draft.find(label, session_id, ours) is not None:
        return ours
    for each in links.candidates(link):
        if draft.find(label, session_id, each) is not None:
            return each
    return ours


def find_paper(draft: Draft, session_id: str, link: str) -> Node | None:
    """Return the session's Paper that a link means, or None."""
    for each in links.candidates(link):
        node = draft.find("Paper", session_id, each)
        if node is not None:
            return node
    return None


def find_page(draft: Draft, session_id: str, text: str) -> Node | None:
    """Return the session's WebPage of this link or identifier, or None."""
    for each in dict.fromkeys((text, *links.candidates(text.removeprefix("url:")))):
        for node in draft.graph.named(each):
            if node.label == "WebPage" and node.session_id == session_id:
                return node
    return None
