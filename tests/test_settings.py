# SPDX-License-Identifier: Apache-2.0
"""The environment is read in one place, under the names of contract/http.md §8."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemkit.errors import BadRequest
from smemkit.settings import Settings, internal_token

GRAPH = "SCIENCE_AGENT_MEMORY_GRAPH_"


def test_an_empty_environment_gives_the_contract_s_defaults():
    """Host, port, store, Neo4j, level, log folder and rotation as in §8."""
    found = Settings.from_environment({})
    assert (found.host, found.port, found.backend) == ("127.0.0.1", 17674, "local")
    assert found.store == "~/.science-agent/memory-graph"
    assert (found.neo4j_http, found.neo4j_user) == ("http://127.0.0.1:7474", "neo4j")
    assert (found.log_level, found.log_dir) == ("INFO", Path("data/logs"))
    assert (found.log_max_bytes, found.log_backups) == (10_485_760, 5)
    assert found.stated_in_interval == 0.3


@pytest.mark.parametrize(
    ("text", "backend"),
    [("neo4j", "neo4j"), (" Neo4J ", "neo4j"), ("neo4", "local"), ("", "local")],
)
def test_only_the_word_neo4j_selects_neo4j(text, backend):
    """Trimmed and in any case; a typing error means local."""
    assert Settings.from_environment({f"{GRAPH}BACKEND": text}).backend == backend


@pytest.mark.parametrize(
    ("env", "level"),
    [
        ({f"{GRAPH}LOG_LEVEL": "debug", "SCIENCE_AGENT_LOG_LEVEL": "ERROR"}, "DEBUG"),
        ({"SCIENCE_AGENT_LOG_LEVEL": "ERROR"}, "ERROR"),
        ({f"{GRAPH}LOG_LEVEL": "loud"}, "INFO"),
    ],
)
def test_the_log_level_is_its_own_then_the_app_s(env, level):
    """An unknown name is INFO."""
    assert Settings.from_environment(env).log_level == level


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"SCIENCE_AGENT_LOG_DIR": "/l", "SCIENCE_AGENT_DATA_DIR": "/d"}, "/l"),
        ({"SCIENCE_AGENT_DATA_DIR": "/d"}, "/d/logs"),
        ({}, "data/logs"),
    ],
)
def test_the_log_folder_follows_the_contract_s_order(env, folder):
    """Its own variable, then the data folder's, then ./data/logs."""
    assert Settings.from_environment(env).log_dir == Path(folder)


@pytest.mark.parametrize("text", ["", "0", "-1", "many"])
def test_a_bad_rotation_size_is_the_default(text):
    """Bad and non-positive numbers are the default, as in the app."""
    env = {"SCIENCE_AGENT_LOG_MAX_BYTES": text, "SCIENCE_AGENT_LOG_BACKUP_COUNT": text}
    found = Settings.from_environment(env)
    assert (found.log_max_bytes, found.log_backups) == (10_485_760, 5)


@pytest.mark.parametrize("text", ["x", "-1", "65536", "1.5", "١٢"])
def test_a_bad_port_is_named(text):
    """The error says which variable is wrong and what stands in it."""
    with pytest.raises(BadRequest, match=f"{GRAPH}PORT") as error:
        Settings.from_environment({f"{GRAPH}PORT": text})
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "61"])
def test_a_bad_interval_is_named(text):
    """The interval is a number of seconds from 0 to 60."""
    with pytest.raises(BadRequest, match="SMEMKIT_STATED_IN_INTERVAL"):
        Settings.from_environment({"SMEMKIT_STATED_IN_INTERVAL": text})


def test_lists_are_split_at_commas_and_blanks():
    """Hosts and origins may be separated either way."""
    found = Settings.from_environment(
        {"SMEMKIT_ALLOWED_HOSTS": "a,b c", "SMEMKIT_ALLOWED_ORIGINS": "http://x"}
    )
    assert (found.hosts, found.origins) == (("a", "b", "c"), ("http://x",))


def test_no_display_of_settings_shows_the_password():
    """The Neo4j password is left out of the repr."""
    found = Settings.from_environment({f"{GRAPH}NEO4J_PASSWORD": "s3cret"})
    assert found.neo4j_password == "s3cret"
    assert "s3cret" not in repr(found)


def test_the_token_is_read_when_it_is_asked_for(monkeypatch):
    """A token changed while the server runs counts at once; an empty one is none."""
    assert internal_token() is None
    monkeypatch.setenv(f"{GRAPH}INTERNAL_TOKEN", "one")
    assert internal_token() == "one"
    monkeypatch.setenv(f"{GRAPH}INTERNAL_TOKEN", "")
    assert internal_token() is None
