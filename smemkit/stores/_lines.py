# SPDX-License-Identifier: Apache-2.0
"""What one line of a memory's files says, and how a record becomes a line.

The four shapes are those of contract/local-store.md §1.2. A line is whole when
it is one object and nothing else; that is what the app reads. `recover` takes
what else can be had from a line: several objects, objects behind a torn one,
objects behind a byte order mark or padding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from smemkit.errors import short
from smemkit.records import NO_PROPS, Edge, Node, Value

NODES, EDGES = "nodes.jsonl", "edges.jsonl"

OURS = b'{"b":'
"""How every line that smemkit writes begins (design §4); a number follows."""

END = b'"end":1}'
"""How the last line of a batch ends."""

NodeRow = tuple[str, tuple[str, ...] | None, Mapping[str, Value]]
"""Id, labels, properties; labels None: the node is gone."""

EdgeRow = tuple[str, str | None, str, str, Mapping[str, Value]]
"""Id, type, source, target, properties; type None: the edge is gone."""

MAX_TRIES = 1_000
"""Starts of an object tried on one damaged line; a hostile line has millions."""

MAX_DEPTH = 400
"""Lists and objects within each other in one property; Python cannot write back
what is nested much deeper, nor compare it."""

_BATCH = re.compile(rb'\{"b":([1-9][0-9]{0,17}),')
_START = re.compile(r'\{"(?:id|b)":')
_MARK = "\ufeff"
_INT64 = 1 << 63
_DECODER = json.JSONDecoder()
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Malformed(ValueError):
    """An object that is no record; `kind` is the word for scripts."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def fast_loads() -> Callable[[bytes], Any]:
    """Return the parser for lines in which nothing is unusual."""
    import orjson

    return orjson.loads


def fast_dumps() -> Callable[[object], bytes]:
    """Return the encoder for answers in which nothing is unusual."""
    import orjson

    return orjson.dumps


def batch_of(line: bytes, start: int = 0) -> int:
    """Return the batch whose line begins here, 0 if it is none of ours."""
    found = _BATCH.match(line, start)
    return int(found[1]) if found else 0


# -- from an object to a row ----------------------------------------------------


def node_rows(*, exact: bool = False) -> Callable[[Any], NodeRow]:
    """Return what makes a row of a node object, or raises.

    Parameters
    ----------
    exact : bool
        The object comes from `json`, which rounds no whole number.

    Raises
    ------
    Malformed, KeyError, TypeError
        The object is no node record. `why` puts it in words.
    """
    known: dict[tuple[str, ...], tuple[str, ...]] = {}

    def row(record: Any) -> NodeRow:
        node_id = record["id"]
        if type(node_id) is not str:
            raise _no_text("id", node_id)
        if record.get("deleted"):
            return node_id, None, NO_PROPS
        props = record.get("props", NO_PROPS)
        if type(props) is not dict:
            raise _bad_props(props)
        labels = tuple(record.get("labels", ()))
        same = known.get(labels)
        if same is None:
            if isinstance(record.get("labels"), str | dict) or not all(
                type(label) is str for label in labels
            ):
                raise Malformed("bad-labels", "its labels are no list of texts")
            same = known.setdefault(labels, labels)
        kinds = set(map(type, props.values()))
        if float in kinds or list in kinds or dict in kinds:
            _check_values(props, exact=exact)
        return node_id, same, props

    return row


def edge_rows(*, exact: bool = False) -> Callable[[Any], EdgeRow]:
    """Return what makes a row of an edge object, or raises, as `node_rows` says."""
    known: dict[str, str] = {}

    def row(record: Any) -> EdgeRow:
        edge_id = record["id"]
        if type(edge_id) is not str:
            raise _no_text("id", edge_id)
        if record.get("deleted"):
            return edge_id, None, "", "", NO_PROPS
        edge_type, src, dst = record["type"], record["src"], record["dst"]
        if not type(edge_type) is type(src) is type(dst) is str:
            raise _no_text("type, src or dst", (edge_type, src, dst))
        props = record.get("props", NO_PROPS)
        if type(props) is not dict:
            raise _bad_props(props)
        if not props:
            props = NO_PROPS
        else:
            _check_values(props, exact=exact)
        return edge_id, known.setdefault(edge_type, edge_type), src, dst, props

    return row


def _no_text(name: str, value: object) -> Malformed:
    return Malformed("id-not-text", f"its {name} is {short(value)[:60]}, not text")


def _bad_props(value: object) -> Malformed:
    return Malformed("bad-props", f"its props are {short(value)[:60]}, not an object")


def _check_values(props: Mapping[str, object], *, exact: bool) -> None:
    """Refuse what orjson may have rounded, and what is nested too deep for us."""
    level: list[Any] = [props.values()]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for values in level:
            for value in values:
                kind = type(value)
                if kind is list:
                    deeper.append(value)
                elif kind is dict:
                    deeper.append(value.values())
                elif kind is float and not exact:
                    _check_float(value)
        if not deeper:
            return
        level = deeper
    raise Malformed("too-deep", f"a property nested deeper than {MAX_DEPTH} levels")


def _check_float(value: float) -> None:
    # A whole number of more than 64 bits comes from orjson as a float.
    if abs(value) >= _INT64 and value.is_integer():
        raise Malformed("big-number", "a number only json can carry")


def is_mark(record: object) -> bool:
    """Tell whether an object only ends a batch: what repair leaves of a bad line."""
    return isinstance(record, dict) and {"b"} < record.keys() <= {"b", "end"}


def why(error: Exception, record: object) -> Malformed:
    """Put in words why an object is no record."""
    if isinstance(error, Malformed):
        return error
    if not isinstance(record, dict):
        return Malformed(
            "not-an-object", f"a JSON value but no object: {short(record)[:60]}"
        )
    if "id" not in record:
        return Malformed("no-id", "an object without an id")
    missing = [name for name in ("type", "src", "dst") if name not in record]
    if isinstance(error, KeyError):
        return Malformed("no-ends", f"an edge without {', '.join(missing)}")
    return Malformed("bad-labels", "its labels are no list of texts")


# -- from a line to objects ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """One object on a line: where it lies in it, whose it is, what it says."""

    start: int
    stop: int
    batch: int
    ends: bool
    record: object


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a line holds beside what the fast way reads.

    Attributes
    ----------
    pieces : tuple of Piece
        Every whole object, in order.
    damage : Malformed or None
        What keeps the app from reading the line; None if it reads it too.
    torn : int
        Where the bytes begin that belong to no whole object and end the line;
        the line's length if there are none.
    """

    pieces: tuple[Piece, ...]
    damage: Malformed | None
    torn: int


def recover(line: bytes) -> Recovered:
    """Take all that can be had from one line, its newline included or not."""
    body = line.rstrip()
    if not body:
        return Recovered((), None, len(line))
    text = body.decode("utf-8", "surrogateescape")
    clean = _is_utf8(text)
    left = text.lstrip()
    if clean:
        try:
            record = json.loads(left)
        except (ValueError, RecursionError):
            pass
        else:
            start = _size(text[: len(text) - len(left)])
            piece = Piece(start, len(body), *_of_batch(body, start, record), record)
            return Recovered((piece,), None, len(line))
    pieces = tuple(_objects(text, body))
    return Recovered(
        pieces, _damage(text, pieces, clean=clean), _torn(body, pieces, line)
    )


def _objects(text: str, body: bytes) -> Iterator[Piece]:
    done = 0
    for tries, found in enumerate(_START.finditer(text)):
        if tries >= MAX_TRIES:
            return
        if found.start() < done:
            continue
        try:
            record, stop = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if not _is_utf8(text[found.start() : stop]) or not _complete(record):
            continue
        done = stop
        start = _size(text[: found.start()])
        end = start + _size(text[found.start() : stop])
        yield Piece(start, end, *_of_batch(body, start, record), record)


def _complete(record: dict[str, object]) -> bool:
    # An object inside a torn record may look like one; both writers name all keys.
    if is_mark(record) or record.get("deleted"):
        return True
    return "props" in record and ("labels" in record or "type" in record)


def _of_batch(body: bytes, start: int, record: object) -> tuple[int, bool]:
    batch = batch_of(body, start)
    return batch, bool(batch and isinstance(record, dict) and record.get("end"))


def _damage(text: str, pieces: tuple[Piece, ...], *, clean: bool) -> Malformed:
    if not clean:
        return Malformed("not-utf8", "bytes that are not UTF-8")
    if text.startswith(_MARK) and len(pieces) == 1:
        return Malformed("byte-order-mark", "a byte order mark before the record")
    if not text.strip("\x00"):
        return Malformed("null-bytes", f"{len(text)} null bytes")
    if pieces:
        count = "one whole record" if len(pieces) == 1 else f"{len(pieces)} records"
        return Malformed("several-on-a-line", f"{count} on one line with other text")
    return Malformed("not-json", f"not JSON: {text[:60]!r}")


def _torn(body: bytes, pieces: tuple[Piece, ...], line: bytes) -> int:
    done = pieces[-1].stop if pieces else 0
    rest = body[done:].lstrip()
    return len(body) - len(rest) if rest else len(line)


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a byte that surrogateescape carried through
        return False
    return True


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


# -- from a record to a line -----------------------------------------------------


def node_object(node: Node) -> dict[str, object]:
    """Return a node's state as it stands on disk."""
    return {"id": node.id, "labels": list(node.labels), "props": dict(node.props)}


def edge_object(edge: Edge) -> dict[str, object]:
    """Return an edge's state as it stands on disk."""
    ends = {"id": edge.id, "type": edge.type, "src": edge.src, "dst": edge.dst}
    return {**ends, "props": dict(edge.props)}


def gone(record_id: str) -> dict[str, object]:
    """Return a tombstone."""
    return {"id": record_id, "deleted": True}


def line(record: Mapping[str, object], batch: int = 0, *, ends: bool = False) -> bytes:
    r"""Return one line, ASCII only, so that no cut of it can split a character.

    Examples
    --------
    >>> line({"id": "n1", "deleted": True}, 7, ends=True)
    b'{"b":7,"id":"n1","deleted":true,"end":1}\n'
    """
    text = _encode(record)
    if batch:
        text = f'{{"b":{batch},{text[1:]}' if record else f'{{"b":{batch}}}'
    if ends:
        text = f'{text[:-1]},"end":1}}'
    return text.encode("ascii") + b"\n"


def lines(
    records: list[dict[str, object]], batch: int = 0, *, ends: bool = False
) -> bytes:
    """Return the lines of records; with `ends` the last one ends the batch."""
    last = len(records) - 1
    return b"".join(
        line(record, batch, ends=ends and k == last) for k, record in enumerate(records)
    )
