# SPDX-License-Identifier: Apache-2.0
"""Texts that would run, load, break out or break the layout if one were careless."""

from __future__ import annotations

import smemkit
from smemkit.memory import Memory

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror='window.hacked=1'>",
    "javascript:window.hacked=1",
    "{{7*7}}{% raw %}${7*7}",
    "a\u2028b\u2029c\u0000d\u0007e",
    "<!-- --> ]]> &lt; &amp; \"'`",
    "\u202egnp.exe \u2067rtl",
    "__proto__",
)
"""Each is to be shown once, as the characters it is made of."""


def hostile_memory() -> Memory:
    """Return a memory with a hostile text in every place that is shown."""
    mem = smemkit.open(":memory:")
    session = "s"
    mem.observe_session_first_message(session, core_objective=HOSTILE[0])
    fig = mem.declare_artifact(
        f"dir/{HOSTILE[1]}", session_id=session, artifact_id=HOSTILE[7]
    )
    claims = [
        mem.declare_claim(
            text, session_id=session, cites_artifact_aliases={"a1": fig.artifact_id}
        )
        for text in HOSTILE
    ]
    mem.declare_artifact("report.md", session_id=session, artifact_id="report")
    mem.link_claims_to_report(
        "report",
        session_id=session,
        artifact_version=1,
        claim_ids=[claim.claim_id for claim in claims],
    )
    return mem
