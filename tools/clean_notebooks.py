# SPDX-License-Identifier: Apache-2.0
"""Bring notebooks into the form in which they are committed.

Outputs go, except in cells tagged ``keep-output``; so do execution counts, widget
state and what editors leave behind. With ``--run`` each notebook is executed first,
top to bottom; with ``--check`` nothing is changed and the exit code says whether
anything would be.
"""

from __future__ import annotations

import argparse
import copy
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

KEEP = "keep-output"
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
CELL_METADATA = ("tags", "jupyter", "slideshow")


def cleaned(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a copy of the notebook without what does not belong in a commit."""
    clean = copy.deepcopy(notebook)
    clean.metadata = nbformat.from_dict(METADATA)
    for cell in clean.cells:
        kept = {k: v for k, v in cell.metadata.items() if k in CELL_METADATA}
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type != "code":
            continue
        cell.execution_count = None
        if KEEP not in kept.get("tags", ()):
            cell.outputs = []
        for output in cell.outputs:
            output.pop("execution_count", None)
            if output.output_type == "execute_result":
                # Without its number a result is what display() makes.
                output.output_type = "display_data"
    return clean


def executed(path: Path, *, timeout: int = 600) -> nbformat.NotebookNode:
    """Return the notebook with its outputs; the file stays as it is."""
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=timeout, resources=where).execute()
    return notebook


def text_of(notebook: nbformat.NotebookNode) -> str:
    """Return the notebook as it stands in a file."""
    return nbformat.writes(notebook) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Clean, check or run the notebooks named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--run", action="store_true", help="execute each one first")
    parser.add_argument("--check", action="store_true", help="change nothing")
    args = parser.parse_args(argv)
    found = 0
    for path in args.notebooks:
        before = path.read_text(encoding="utf-8")
        try:
            notebook = (
                executed(path) if args.run else nbformat.reads(before, as_version=4)
            )
        except CellExecutionError as error:
            print(f"{path}: a cell failed\n{error}", file=sys.stderr)
            return 2
        after = text_of(cleaned(notebook))
        if after == before:
            continue
        found += 1
        print(f"{path}: {'needs cleaning' if args.check else 'cleaned'}")
        if not args.check:
            path.write_text(after, encoding="utf-8")
    return 1 if found and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
