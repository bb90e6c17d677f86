# SPDX-License-Identifier: Apache-2.0
"""A connection to Neo4j that breaks at the commit, where nobody knows what became of it."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

import smemkit
from smemkit.errors import StoreUnreachable
from smemkit.graph import Graph
from smemkit.records import Batch
from tests.neo4j_server import Address
from tests.store_plans import call

pytestmark = pytest.mark.neo4j

COMMIT = bytes.fromhex("0002b0120000")
"""How a client says COMMIT in Bolt: a chunk of two bytes, and the end of the message."""


@dataclass
class Wire:
    """A relay to a server that can cut the connection over which a commit is sent."""

    server: tuple[str, int]
    cuts: list[str] = field(default_factory=list)
    """What to do at each commit to come: pass, lose it, or lose the answer to it."""
    down: bool = False

    def __post_init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"bolt://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                if self.down:
                    client.close()
                    continue
                server = socket.create_connection(self.server)
                for run in (self._up, self._back):
                    threading.Thread(
                        target=run, args=(client, server), daemon=True
                    ).start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError), client, server:
            while data := client.recv(65_536):
                cut = self.cuts.pop(0) if COMMIT in data and self.cuts else "pass"
                if cut == "lose it":
                    # Closing alone would not tell the server: another thread reads.
                    server.shutdown(socket.SHUT_RDWR)
                    break
                if cut.startswith("lose the answer"):
                    self.down = cut.endswith("and stay away")
                    client.shutdown(socket.SHUT_RDWR)
                    server.sendall(data)
                    server.recv(1)  # the server has answered: it has committed
                    break
                server.sendall(data)

    def _back(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65_536):
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(neo4j_empty: Address) -> Iterator[Wire]:
    """Yield a relay to the empty server."""
    parts = urlsplit(neo4j_empty.url)
    relay = Wire((str(parts.hostname), int(parts.port or 7687)))
    yield relay
    relay.listening.close()


@pytest.mark.parametrize(("cut", "tries"), [("lose it", 2), ("lose the answer", 1)])
def test_a_write_cut_at_its_commit_is_kept_once(wire, neo4j_empty, cut, tries):
    """Kept or not, the store finds out: the plan runs again only if it was not."""
    planned: list[int] = []

    def plan(graph: Graph) -> Batch:
        planned.append(len(graph))
        return call("b")(graph)

    with smemkit.open(wire.url, auth=neo4j_empty.auth) as memory:
        memory.store.write(call("a"))
        wire.cuts = [cut]
        batch = memory.store.write(plan)
        assert wire.cuts == []
        assert planned == [2] * tries
        with neo4j_empty.open() as fresh:
            for store in (memory.store, fresh.store):
                graph = store.graph()
                assert [n.props["task_id"] for n in graph.nodes("ToolCall")] == [
                    "a",
                    "b",
                ]
                assert list(graph.nodes())[2:] == list(batch.nodes)
        memory.store.write(call("c"))
        assert len(memory.store.graph()) == 6


def test_a_write_of_which_nothing_is_known_says_so(wire, neo4j_empty):
    """The answer to the commit is lost and the server stays away: the error says that."""
    with smemkit.open(wire.url, auth=neo4j_empty.auth) as memory:
        memory.store.write(call("a"))
        wire.cuts = ["lose the answer and stay away"]
        with pytest.raises(StoreUnreachable, match="whether it was kept is not known"):
            memory.store.write(call("b"))
        with pytest.raises(StoreUnreachable):
            memory.store.graph()
        wire.down = False
        assert len(memory.store.graph()) == 4
