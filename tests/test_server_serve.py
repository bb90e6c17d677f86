# SPDX-License-Identifier: Apache-2.0
"""The command ``smemkit serve``: what it says, where it listens, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from smemkit.errors import BadRequest
from smemkit.server.serve import is_loopback, settings_of
from smemkit.settings import DEFAULT_TOKEN
from tests.serving import TOKEN, TOKEN_NAME, free_port, started

HOST_NAME = "SCIENCE_AGENT_MEMORY_GRAPH_HOST"


def smemkit(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "smemkit", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def options(*arguments: str):
    import argparse

    from smemkit.server.serve import add_parser

    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(["serve", *arguments])


def test_the_help_has_a_line_to_paste():
    """In one piece, so that the token is the server's; the shell shows the token."""
    done = smemkit("serve", "--help")
    assert done.returncode == 0
    made = f"{TOKEN_NAME}=$(openssl rand -hex 16 | tee /dev/stderr)"
    line = f"example: {made} smemkit serve ~/.science-agent/memory-graph"
    assert line in done.stdout.splitlines()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_listens_and_ends_cleanly(tmp_path, how):
    """Address, store, log, how to stop; a signal ends it, the log says so."""
    with started(tmp_path) as server:
        assert server.client.get("/health").json()["status"] == "healthy"
        code = server.stop(how)
        said = server.process.stdout.read()
    assert code == 0
    assert f"smemkit serves {tmp_path / 'memory'}" in said
    assert f"listening on {server.url}" in said
    assert "stop it with Ctrl-C" in said
    assert "no token" in said
    assert said.endswith("stopped\n")
    log = (tmp_path / "logs" / "memory-graph.log").read_text()
    assert "GET /health 200" in log
    assert log.rstrip().endswith("stopped")


def test_a_script_is_told_where_it_listens_as_json(tmp_path):
    """One line: address, store, log, process."""
    with started(tmp_path, "--json") as server:
        server.stop()
        (line,) = server.process.stdout.read().splitlines()
    assert json.loads(line) == {
        "url": server.url,
        "store": str(tmp_path / "memory"),
        "log": str(tmp_path / "logs" / "memory-graph.log"),
        "pid": server.process.pid,
    }


def test_serving_makes_no_store_until_something_is_written(tmp_path):
    """A directory that is not there is an empty memory."""
    with started(tmp_path) as server:
        body = {"node_types": ["Claim"]}
        assert server.client.post("/query/by-node-type", json=body).json()["hits"] == []
    assert not (tmp_path / "memory").exists()


def test_a_second_server_on_the_same_port_says_so(tmp_path):
    """One line on standard error, exit code 2, the first one keeps serving."""
    with started(tmp_path) as server:
        port = server.url.rpartition(":")[2]
        done = smemkit("serve", str(tmp_path / "other"), "--port", port)
        assert done.returncode == 2
        assert f"listening on 127.0.0.1:{port}: the port is taken" in done.stderr
        assert done.stderr.count("\n") == 1
        assert server.client.get("/health").status_code == 200


def test_a_store_that_is_none_is_told_at_the_start(tmp_path, monkeypatch):
    """A STORE that was named must be one; nothing is served instead."""
    monkeypatch.setenv("SCIENCE_AGENT_LOG_DIR", str(tmp_path / "logs"))
    (tmp_path / "memory").write_text("a file")
    done = smemkit("serve", str(tmp_path / "memory"), "--port", "0")
    assert done.returncode == 2
    assert done.stderr.startswith("smemkit: ")
    assert done.stderr.count("\n") == 1


def test_a_mistyped_folder_is_not_served(tmp_path, monkeypatch):
    """One line and exit code 2, and nothing is made; --create serves it."""
    monkeypatch.setenv("SCIENCE_AGENT_LOG_DIR", str(tmp_path / "logs"))
    done = smemkit("serve", str(tmp_path / "typo"), "--port", "0")
    assert done.returncode == 2
    assert f"serve '{tmp_path / 'typo'}': this folder does not exist yet" in done.stderr
    assert "--create" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "typo").exists()


def test_a_connection_in_use_does_not_keep_it_from_ending(tmp_path):
    """A client that stays connected is left behind."""
    with started(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as idle:
            idle.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            assert server.stop() == 0


def test_a_second_ctrl_c_leaves_a_request_behind_without_a_word(tmp_path):
    """Its body does not come; nothing is printed but that the server stopped."""
    with started(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as waiting:
            waiting.sendall(
                b"POST /query/match HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            server.process.send_signal(signal.SIGINT)
            while listens(port):
                time.sleep(0.02)
            assert server.stop() == 0
        said = server.process.stdout.read()
    assert said.partition("stop it with Ctrl-C\n")[2] == "stopped\n"


def listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def test_the_app_s_default_token_is_warned_about_once(tmp_path):
    """It works on loopback, and the start says that everyone knows it."""
    with started(tmp_path, env={TOKEN_NAME: DEFAULT_TOKEN}) as server:
        for _ in range(3):
            answer = server.client.post("/query/match", json={"query": "x"})
            assert answer.status_code == 200
        server.stop()
        said = server.process.stdout.read()
    assert said.count("which everyone knows") == 1
    log = (tmp_path / "logs" / "memory-graph.log").read_text()
    assert log.count("WARNING") == 1


@pytest.mark.parametrize(
    ("arguments", "env", "found"),
    [
        (["--host", "0.0.0.0"], {}, "no token"),
        (["--host", "0.0.0.0"], {TOKEN_NAME: DEFAULT_TOKEN}, "everyone knows"),
        ([], {HOST_NAME: "0.0.0.0", TOKEN_NAME: TOKEN}, "only .*HOST says so"),
        (["--host", "example.org"], {}, "no token"),
        (["--port", "70000"], {}, "not a port"),
    ],
)
def test_it_does_not_leave_this_machine_by_itself(monkeypatch, arguments, env, found):
    """Beyond loopback needs --host and a token of one's own."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(BadRequest, match=found):
        settings_of(options(*arguments))


def test_it_listens_everywhere_when_asked_with_a_token(monkeypatch):
    """Both together are enough."""
    monkeypatch.setenv(TOKEN_NAME, TOKEN)
    assert settings_of(options("--host", "0.0.0.0")).host == "0.0.0.0"


def test_the_command_line_overrules_the_environment(monkeypatch, tmp_path):
    """Store, port and pages; what it does not say comes from the environment."""
    monkeypatch.setenv("SCIENCE_AGENT_MEMORY_GRAPH_PORT", "1")
    monkeypatch.setenv("SCIENCE_AGENT_MEMORY_GRAPH_BACKEND", "neo4j")
    found = settings_of(options())
    assert (found.port, found.backend, found.browser) == (1, "neo4j", False)
    found = settings_of(options(str(tmp_path), "--port", "0", "--origin", "http://p"))
    assert (found.port, found.backend, found.browser) == (0, "local", True)
    assert (found.store, found.origins) == (str(tmp_path), ("http://p",))


def test_a_neo4j_address_is_a_store_too():
    """It selects that backend with the address given."""
    found = settings_of(options("neo4j://localhost:7687"))
    assert (found.backend, found.neo4j_bolt) == ("neo4j", "neo4j://localhost:7687")


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("localhost.example", False),
        ("10.0.0.1", False),
    ],
)
def test_loopback_is_told_from_the_rest(host, own):
    """Only numbers of the loopback net and the name localhost."""
    assert is_loopback(host) is own


def test_help_of_serve_loads_no_web_library():
    """The command line stays quick: only a server that starts loads FastAPI."""
    code = "import sys, smemkit.server.serve as s; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_free_port_is_free():
    """The tests' own way to find a port gives one that can be taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port()))
