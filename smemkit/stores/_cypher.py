# SPDX-License-Identifier: Apache-2.0
"""What is said to Neo4j: every line of Cypher that smemkit writes itself.

Labels, edge types and names of properties are quoted; values are parameters.
Nodes and edges that exist are named by the server's element ids, as a record
without label has no index and one written by the app has no id of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from smemkit import instants, schema
from smemkit.records import Value

PREFIX = "_smemkit_"
"""How the names of the properties begin that no answer shows."""

ID, AGE, ORDER = "_smemkit_id", "_smemkit_n", "_smemkit_labels"
LOCK, LOG = "_SmemkitLock", "_SmemkitLog"
INDEXED = (*schema.LABELS, *schema.OTHER_LABELS)

LOOK = "RETURN 1"

NODES = f"""
MATCH (n) WHERE NOT n:{LOG}
RETURN elementId(n), labels(n), properties(n)"""
"""With the lock, whose counters belong to the state that was read."""

EDGES = """
MATCH (a)-[e]->(b)
RETURN elementId(e), type(e), elementId(a), elementId(b), properties(e)"""

SCHEMA = "SHOW INDEXES YIELD name RETURN name"
"""Each constraint of ours has an index of its name."""

TAKE = f"""
MERGE (lock:{LOCK} {{for: ''}}) SET lock.held = true
WITH lock SET lock.writes = coalesce(lock.writes, 0) + 1
RETURN properties(lock)"""
"""The first SET waits for other writers, so that the second reads what they left."""

NOTE = f"""
MATCH (lock:{LOCK} {{for: ''}}) SET lock += $marks
CREATE (:{LOG} {{write: $write, token: $token, nodes: $nodes, edges: $edges,
  gone_nodes: $gone_nodes, gone_edges: $gone_edges, whole: $whole}})
WITH $write - $kept AS old
MATCH (log:{LOG}) WHERE log.write <= old DELETE log"""

NEWS = f"""
MATCH (lock:{LOCK} {{for: ''}})
OPTIONAL MATCH (log:{LOG}) WHERE log.write > $write
WITH lock, log ORDER BY log.write
RETURN properties(lock), collect(properties(log))"""

KEPT = f"MATCH (log:{LOG}) WHERE log.write > $write AND log.token = $token RETURN count(log)"

THESE_NODES = """
MATCH (n) WHERE elementId(n) IN $ids
RETURN elementId(n), labels(n), properties(n)"""

THESE_EDGES = f"""
MATCH (a)-[e]->(b) WHERE elementId(e) IN $ids
RETURN elementId(e), type(e), coalesce(a.{ID}, elementId(a)),
  coalesce(b.{ID}, elementId(b)), properties(e)"""

DROP_NODES = "UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id DETACH DELETE n"
DROP_EDGES = "UNWIND $ids AS id MATCH ()-[e]->() WHERE elementId(e) = id DELETE e"

CHANGE_NODES = """
UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.at SET n += row.props"""

CHANGE_EDGES = """
UNWIND $rows AS row MATCH ()-[e]->() WHERE elementId(e) = row.at SET e += row.props"""


def quoted(name: str) -> str:
    """Return a label, edge type or property name as Cypher takes it.

    Examples
    --------
    >>> print(quoted("Claim"), quoted("a`b"))
    `Claim` `a``b`
    """
    # Cypher reads a unicode escape even inside the quotes.
    safe = name.replace("\\", "\\u005C").replace("`", "``")
    return f"`{safe}`"


def bootstrap() -> dict[str, str]:
    """Return what a database needs before the first write, by name.

    Nothing is declared about the app's own keys: a plain index would keep the
    app from declaring them unique, and a store that holds a key twice must still
    find room.
    """
    found = {
        f"{PREFIX}lock": f"CREATE CONSTRAINT {PREFIX}lock IF NOT EXISTS FOR (n:{LOCK}) REQUIRE n.for IS UNIQUE",
        f"{PREFIX}log": f"CREATE INDEX {PREFIX}log IF NOT EXISTS FOR (n:{LOG}) ON (n.write)",
    }
    for label in INDEXED:
        name = f"{PREFIX}id_{label}"
        found[name] = (
            f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{ID} IS UNIQUE"
        )
        name = f"{PREFIX}session_{label}"
        found[name] = (
            f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.session_id)"
        )
    return found


def put_nodes(labels: Sequence[str]) -> str:
    """Return how rows `id`, `props` become nodes of these labels.

    It gives the id of each, its place, and whether it was there before: then two
    programs drew one id, and neither may overwrite the other.
    """
    # Only an indexed label is merged: elsewhere each row would read them all, and
    # under the lock it is known that the node is not there.
    indexed = next((label for label in labels if label in INDEXED), None)
    named = "".join(f":{quoted(label)}" for label in labels)
    if indexed is None:
        return (
            f"UNWIND $rows AS row CREATE (n{named}) SET n = row.props "
            "RETURN row.id, elementId(n), false"
        )
    return (
        f"UNWIND $rows AS row MERGE (n:{quoted(indexed)} {{{ID}: row.id}}) "
        f"WITH row, n, n.{AGE} IS NOT NULL AS there "
        f"SET n{named}, n = row.props RETURN row.id, elementId(n), there"
    )


def put_edges(edge_type: str) -> str:
    """Return how rows `id`, `src`, `dst`, `props` become edges of a type.

    It gives the same as `put_nodes`.
    """
    return (
        "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.src "
        "MATCH (b) WHERE elementId(b) = row.dst "
        f"MERGE (a)-[e:{quoted(edge_type)} {{{ID}: row.id}}]->(b) "
        f"WITH row, e, e.{AGE} IS NOT NULL AS there "
        "SET e = row.props RETURN row.id, elementId(e), there"
    )


def relabel(old: Iterable[str], new: Iterable[str]) -> str:
    """Return how the nodes of `rows` come to other labels."""
    before, after = set(old), set(new)
    gone = "".join(f" REMOVE n:{quoted(x)}" for x in sorted(before - after))
    come = "".join(f" SET n:{quoted(x)}" for x in sorted(after - before))
    return f"UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.at{gone}{come}"


def find_nodes(
    label: str | None,
    where: Mapping[str, Value],
    *,
    in_session: bool,
    limited: bool,
) -> str:
    """Return the question for nodes; `$w0`, `$w1`, … are the values of `where`."""
    tests = [f"NOT n:{LOCK}", f"NOT n:{LOG}"]
    if label == "":
        tests.append("size(labels(n)) = 0")
    elif label is not None:
        forms = (label, *(k for k, v in schema.READS_AS.items() if v == label))
        tests.append(f"n:{'|'.join(map(quoted, forms))}")
    if in_session:
        tests.append("n.session_id = $session_id")
    tests += [_equal(f"n.{quoted(k)}", f"$w{i}", v) for i, (k, v) in _numbered(where)]
    return (
        f"MATCH (n) WHERE {' AND '.join(tests)} "
        "RETURN elementId(n), labels(n), properties(n)" + _youngest_last("n", limited)
    )


def find_edges(edge_type: str | None, *, in_session: bool, limited: bool) -> str:
    """Return the question for edges, with the ids of both ends."""
    named = f":{quoted(edge_type)}" if edge_type is not None else ""
    tests = (
        " WHERE a.session_id = $session_id AND b.session_id = $session_id"
        if in_session
        else ""
    )
    return (
        f"MATCH (a)-[e{named}]->(b){tests} RETURN elementId(e), type(e), "
        f"coalesce(a.{ID}, elementId(a)), coalesce(b.{ID}, elementId(b)), properties(e)"
        + _youngest_last("e", limited)
    )


def _numbered(where: Mapping[str, Value]) -> Iterable[tuple[int, tuple[str, Value]]]:
    return enumerate(where.items())


def _equal(name: str, parameter: str, value: Value) -> str:
    # Wider than equality as Python knows it, which the caller then applies: a
    # native date-time reads as text, and 1 equals true.
    if isinstance(value, str) and instants.parse(value) is not None:
        return f"({name} = {parameter} OR NOT {name} IS :: STRING)"
    if isinstance(value, list) or value in {0, 1}:
        # Not `IS NOT NULL`: beside it, and a choice of labels, 5.26 returns true
        # for the property's value in properties(n).
        return f"NOT {name} IS :: NULL"
    return f"{name} = {parameter}"


def _youngest_last(name: str, limited: bool) -> str:
    # Those without an age are the app's: few of them may be asked for, but which
    # ones come first only their times tell, so none of them is cut off here.
    order = f" ORDER BY {name}.{AGE} IS NOT NULL, {name}.{AGE}"
    return order + (" LIMIT $limit" if limited else "")
