# SPDX-License-Identifier: Apache-2.0
"""The app's loader and writer, as contract/local-store.md describes them.

Written from its §1.2, §1.5, §1.6 and §2 alone, so that it agrees with smemkit's
reader only where both are right. It crashes where the app crashes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Live = tuple[dict[str, tuple[Any, ...]], dict[str, tuple[Any, ...]]]


def records(path: Path) -> dict[str, dict[str, Any]]:
    """Replay one file: states overwrite, tombstones remove, the rest is skipped."""
    found: dict[str, dict[str, Any]] = {}
    if not path.exists():
        return found
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            text = line.strip()
            if not text:
                continue
            try:
                record = json.loads(text)
            except ValueError:
                continue
            if not isinstance(record, dict) or "id" not in record:
                continue
            if not isinstance(record["id"], str):
                raise TypeError(f"id {record['id']!r}")
            if record.get("deleted"):
                found.pop(record["id"], None)
            else:
                found[record["id"]] = record
    return found


def load(folder: Path) -> Live:
    """Return live nodes (labels, props) and live edges (type, src, dst, props)."""
    nodes = {
        node_id: (tuple(record.get("labels", [])), record.get("props", {}))
        for node_id, record in records(folder / "nodes.jsonl").items()
    }
    edges = {}
    for edge_id, record in records(folder / "edges.jsonl").items():
        kind, src, dst = record["type"], record["src"], record["dst"]
        if src in nodes and dst in nodes:
            edges[edge_id] = (kind, src, dst, record.get("props", {}))
    return nodes, edges


def compact(folder: Path) -> None:
    """Rewrite both files with live records in the app's own words."""
    nodes, edges = load(folder)
    lines = {
        "nodes.jsonl": [
            {"id": i, "labels": list(labels), "props": props}
            for i, (labels, props) in nodes.items()
        ],
        "edges.jsonl": [
            {"id": i, "type": kind, "src": src, "dst": dst, "props": props}
            for i, (kind, src, dst, props) in edges.items()
        ],
    }
    for name, objects in lines.items():
        temp = folder / f"{name}.tmp"
        temp.write_text("".join(map(line, objects)), encoding="utf-8")
        temp.replace(folder / name)


def line(record: dict[str, Any]) -> str:
    """Return a record as the app writes it: compact, text raw."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def append(folder: Path, name: str, *objects: dict[str, Any]) -> None:
    """Append as the app does: without a look at how the file ends."""
    with (folder / name).open("a", encoding="utf-8") as file:
        file.writelines(map(line, objects))
