# SPDX-License-Identifier: Apache-2.0
"""What a page carries stays small, keeps every field, and says what it cut."""

from __future__ import annotations

import json

import smemkit
from smemkit.views.explorer.carried import carried
from smemkit.views.explorer.session import session
from smemkit.views.explorer.view import SessionView
from smemkit.views.strings import strings
from tests.hostile import HOSTILE, hostile_memory
from tests.test_views_explorer_walks import unrun


def data_of(mem, session_id: str, **options: object) -> dict:
    with mem.reading(session_id) as graph:
        made = session(graph, session_id)
        return carried(graph, made, words=strings("en"), **options)


def test_every_property_of_every_node_travels(cases):
    with smemkit.open(cases / "app-store") as mem:
        page = data_of(mem, "S-7")
        rows = mem.nodes()
    stored = rows[rows["session_id"] == "S-7"].set_index("id")["props"]
    for node in page["nodes"]:
        if "id" in node:
            names = {page["names"][name] for name, _ in node["fields"]}
            props = {k for k, v in stored[node["id"]].items() if v is not None}
            assert names == props - {"embedding"}


def test_long_texts_are_cut_until_a_page_of_500_nodes_fits():
    mem = smemkit.open(":memory:")
    mem.observe_session_first_message("s", core_objective="Many long texts")
    mem.declare_artifact("f", session_id="s", artifact_id="f")
    for n in range(498):
        mem.declare_claim(
            f"{n} " + "word " * 700, session_id="s", cites_artifact_aliases={"a": "f"}
        )
    page = data_of(mem, "s")
    assert "more characters" in json.dumps(page)
    with mem.reading("s") as graph:
        made = SessionView(graph, "s", lang="en").html()
    assert len(made.encode()) <= 1_000_000


def test_the_panel_begins_with_what_says_most(cases):
    with smemkit.open(cases / "app-store") as mem:
        page = data_of(mem, "S-7")
    named = {}
    for node in page["nodes"]:
        name, _ = node["fields"][node["main"] - 1]
        named[page["labels"][node["label"]]] = page["names"][name]
    assert named["Task"] == "objective"
    assert named["Claim"] == named["Evidence"] == "content"
    assert named["Artifact"] == "path"


def test_a_short_text_is_never_cut(cases):
    with smemkit.open(cases / "app-store") as mem:
        assert "more characters" not in json.dumps(data_of(mem, "S-7"))


def test_times_are_in_the_order_of_their_instants():
    mem = smemkit.open(":memory:")
    for n, time in enumerate(
        ("2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00Z", "2026-01-01T08:30:00Z")
    ):
        mem.declare_artifact(
            f"f{n}", session_id="s", artifact_id=f"f{n}", created_at=time
        )
    times = data_of(mem, "s")["times"]
    assert [time[11:16] for time in times] == ["10:00", "08:30", "09:00"]


def test_hostile_text_is_carried_as_text_that_acts_on_nothing():
    page = json.dumps(data_of(hostile_memory(), "s"), ensure_ascii=False)
    for sign in ("\u2028", "\u202e", "\u0000"):
        assert sign not in page
    assert HOSTILE[1] in page


def test_the_reason_of_a_trace_is_carried_in_the_language_of_the_page():
    mem = smemkit.open(":memory:")
    mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    with mem.reading("s") as graph:
        made = session(graph, "s")
        said = [
            carried(graph, made, words=strings(lang))["traces"]["0"][1]
            for lang in ("en", "zh")
        ]
    assert said == ["no upstream of Artifact #fig#v1", "Artifact #fig#v1 没有上游"]


def test_a_very_long_session_carries_the_walks_of_its_focus_only(monkeypatch, cases):
    from smemkit.views.explorer import carried as module

    monkeypatch.setattr(module, "MOST_WALKS", 10)
    with smemkit.open(cases / "app-store") as mem, mem.reading("S-7") as graph:
        made = session(graph, "S-7")
        focus = made.number("report#v1")
        page = carried(graph, made, focus, words=strings("en"))
    assert list(page["traces"]) == [str(made.number("report#v1"))]
    assert page["whole"] is False


def test_another_order_of_insertion_gives_the_same_page(cases, tmp_path):
    """All but which of two ways into one layer came first: that is by creation."""
    pages = []
    for name, key in (("as-it-is", None), ("backwards", -1)):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("nodes.jsonl", "edges.jsonl"):
            lines = (cases / "app-store" / file).read_text("utf-8").splitlines()
            last = {json.loads(line)["id"]: line for line in lines}
            ordered = list(last.values())[::key] if key else list(last.values())
            (folder / file).write_text("\n".join(ordered) + "\n", "utf-8")
        with smemkit.open(folder) as mem:
            page = data_of(mem, "S-7")
        for trace in page["traces"].values():
            trace[2] = [
                sorted(n for *_, met in layer for n in unrun(met)) for layer in trace[2]
            ]
        pages.append(page)
    assert pages[0] == pages[1]
