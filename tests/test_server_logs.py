# SPDX-License-Identifier: Apache-2.0
"""What the log holds, and what it never does (contract/http.md §8)."""

from __future__ import annotations

import logging
import re

from smemkit.server.logs import Line, Log
from smemkit.settings import Settings
from tests import server_story as story
from tests.serving import TOKEN, TOKEN_NAME, serving

LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (INFO|WARNING|ERROR|DEBUG) \[memory-graph\]  .+"
)
SECRETS = (TOKEN, "s3cret", "LDL", "raw.csv", "drug X", "e-1", "s1 ", "10.1000")


def text_of(folder) -> str:
    return (folder / "logs" / "memory-graph.log").read_text(encoding="utf-8")


def test_the_log_holds_routes_and_no_word_of_the_memory(tmp_path, monkeypatch):
    """One line per request; no token, password, id, file name or sentence."""
    monkeypatch.setenv(TOKEN_NAME, TOKEN)
    with serving(tmp_path, log_level="DEBUG") as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        story.tell(client)
        client.post("/internal/neo4j-password", json={"password": "s3cret"})
        client.post("/query/match", json={"query": "LDL drug X"})
        client.get("/nodes/Code/e-1")
        client.get("/nowhere/raw.csv")
        client.get("/subgraph", params={"session_id": "s1"})
        client.post("/trace/provenance", json={"node_id": "LDL"})
    text = text_of(tmp_path)
    lines = text.splitlines()
    assert all(LINE.fullmatch(line) for line in lines)
    assert [word for word in SECRETS if word in text] == []
    assert "POST /query/match 200" in text
    assert "GET /nodes/{label}/{node_id:path} 200" in text
    assert "GET (no route) 404" in text


def test_an_error_leaves_its_type_and_place_and_not_its_words(tmp_path, monkeypatch):
    """Its message may be a sentence of the report."""
    with serving(tmp_path) as client:

        def fail():
            raise RuntimeError("s3cret sentence")

        monkeypatch.setattr(client.stores, "memory", fail)
        client.post("/query/match", json={"query": "x"})
    text = text_of(tmp_path)
    assert "s3cret" not in text
    assert re.search(
        r"ERROR .* POST /query/match failed: RuntimeError at \S+:\d+ fail", text
    )


def test_a_write_that_could_not_begin_is_warned_about(tmp_path, monkeypatch):
    """The app takes a degraded 200 for delivered: the log is where it shows."""
    with serving(tmp_path, backend="neo4j") as client:
        client.post("/observe/upload-file", json=story.UPLOAD)
    assert "WARNING [memory-graph]  upsert failed: the store is down" in text_of(
        tmp_path
    )


def test_a_line_cannot_be_forged():
    """Line breaks and escapes become question marks, bearer tokens are hidden."""
    message = "a\nb\x1b[31m\u2028c Bearer abc.def"
    record = logging.LogRecord("n", logging.INFO, "f", 1, message, (), None)
    line = Line().format(record)
    assert line.endswith("  a?b?[31m?c Bearer [hidden]")
    assert LINE.fullmatch(line)


def test_the_log_rotates_by_size(tmp_path):
    """So many files of so many bytes, no more."""
    settings = Settings(log_dir=tmp_path / "logs", log_max_bytes=2_000, log_backups=2)
    log = Log(settings)
    for k in range(200):
        log.say(f"line {k}")
    log.close()
    files = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert files == ["memory-graph.log", "memory-graph.log.1", "memory-graph.log.2"]
    assert all(path.stat().st_size <= 2_000 for path in (tmp_path / "logs").iterdir())


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, capsys):
    """Then lines go to standard error."""
    (tmp_path / "logs").write_text("a file")
    log = Log(Settings(log_dir=tmp_path / "logs"))
    log.say("here")
    log.close()
    assert log.place == "standard error"
    assert "here" in capsys.readouterr().err


def test_the_level_hides_what_is_below_it(tmp_path):
    """At WARNING a request that went well leaves no line."""
    with serving(tmp_path, log_level="WARNING") as client:
        client.get("/health")
    assert text_of(tmp_path) == ""
