# SPDX-License-Identifier: Apache-2.0
"""The house rules of CONTRIBUTING.md that a machine can check."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

MAX_LINES = 400
MAX_BODY = 50
MAX_FILE_BYTES = 1_000_000
SPDX = "# SPDX-License-Identifier: Apache-2.0"

# Put together here, so that this file does not contain them itself.
NOT_OURS = tuple(
    "".join(parts)
    for parts in (
        ("/wo", "rk/"),
        ("/opt/", "wheels"),
        ("--index", "-url"),
        ("--find", "-links"),
        ("PIP_", "INDEX_URL"),
        ("PIP_", "FIND_LINKS"),
        ("before", "-stop"),
    )
)
"""Paths and settings of one machine; nobody else can follow them."""

TEXT = {"", ".css", ".html", ".ini", ".ipynb", ".j2", ".js", ".json", ".jsonl", ".md"}
TEXT |= {".cfg", ".csv", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml"}


@cache
def files(root: Path) -> tuple[Path, ...]:
    """Return what is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    paths = (root / name for name in sorted(listed.split("\0")) if name)
    return tuple(path for path in paths if path.is_file())


def python_files(root: Path) -> list[Path]:
    return [path for path in files(root) if path.suffix == ".py"]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function's body, its docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if not body:
        return 0
    return (function.end_lineno or 0) - body[0].lineno + 1


@pytest.fixture(scope="module")
def cleaner(root) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "clean_notebooks", root / "tools" / "clean_notebooks.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_stop_at_400_lines(root):
    """No Python file is longer than 400 lines."""
    lengths = {
        path.relative_to(root).as_posix(): len(path.read_bytes().splitlines())
        for path in python_files(root)
    }
    assert {name: n for name, n in lengths.items() if n > MAX_LINES} == {}


def test_function_bodies_stop_at_50_lines(root):
    """No function's body is longer than 50 lines."""
    long = [
        f"{path.relative_to(root)}:{function.lineno} {function.name}"
        for path in python_files(root)
        for function in functions(path)
        if body_lines(function) > MAX_BODY
    ]
    assert long == []


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def f(): return 1", 1),
        ("def f():\n    'said'\n    a = 1\n\n    return a", 3),
        ("def f():\n    'said'", 0),
    ],
)
def test_a_body_is_counted_without_its_docstring(source, lines):
    """The count starts behind the docstring and includes blank lines."""
    assert body_lines(ast.parse(source).body[0]) == lines


def test_every_file_names_its_licence_first(root):
    """Each Python file starts with the SPDX line."""
    missing = [
        path.relative_to(root).as_posix()
        for path in python_files(root)
        if not path.read_text(encoding="utf-8").startswith(SPDX + "\n")
    ]
    assert missing == []


def test_every_test_states_its_fact(root):
    """A test says in its name, or in a docstring, what holds: a word is no fact."""
    silent = [
        f"{path.relative_to(root)}:{function.lineno} {function.name}"
        for path in python_files(root)
        if path.name.startswith("test_")
        for function in functions(path)
        if function.name.startswith("test_")
        and function.name.count("_") < 4
        and not ast.get_docstring(function)
    ]
    assert silent == []


def test_no_module_is_called_utils(root):
    """A module is named after the question it answers."""
    vague = {"common", "helpers", "misc", "util", "utils"}
    assert [p for p in python_files(root) if p.stem.strip("_") in vague] == []


def test_nothing_names_one_machine(root):
    """No file holds a path or a setting that exists on one machine only."""
    found = [
        f"{path.relative_to(root)}: {word}"
        for path in files(root)
        if path.suffix in TEXT
        for word in NOT_OURS
        if word.encode() in path.read_bytes()
    ]
    assert found == []


def test_files_are_small(root):
    """No single file is larger than 1 MB, so that a clone stays quick."""
    large = [p for p in files(root) if p.stat().st_size > MAX_FILE_BYTES]
    assert large == []


def test_notebooks_are_committed_clean(root, cleaner):
    """Cleaning changes no notebook: no outputs but those of keep-output cells."""
    dirty = [
        path.relative_to(root).as_posix()
        for path in files(root)
        if path.suffix == ".ipynb" and cleaner.main(["--check", str(path)])
    ]
    assert dirty == [], "run: make notebooks"


def test_notebooks_keep_their_functions_short(root):
    """A function in a notebook has at most ten lines; longer ones move into smemkit."""
    for path in files(root):
        if path.suffix != ".ipynb":
            continue
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code" or cell.source.startswith("%"):
                continue
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.FunctionDef):
                    assert body_lines(node) <= 10, f"{path.name}: {node.name}"


def test_cleaning_drops_outputs_but_those_to_keep(cleaner):
    """Outputs, counts and foreign metadata go; a keep-output cell keeps its output."""
    new = nbformat.v4
    result = new.new_output("execute_result", {"text/plain": "1"}, execution_count=7)
    notebook = new.new_notebook(metadata={"widgets": {"a": 1}})
    for tags in ([], ["keep-output"]):
        cell = new.new_code_cell("1", outputs=[result], execution_count=7)
        cell.metadata = nbformat.from_dict({"tags": tags, "collapsed": True})
        notebook.cells.append(cell)
    before = nbformat.writes(notebook)

    clean = cleaner.cleaned(notebook)

    nbformat.validate(clean)
    assert nbformat.writes(notebook) == before
    assert "widgets" not in clean.metadata
    assert [cell.execution_count for cell in clean.cells] == [None, None]
    assert [len(cell.outputs) for cell in clean.cells] == [0, 1]
    assert clean.cells[1].outputs[0].data == {"text/plain": "1"}
    assert dict(clean.cells[1].metadata) == {"tags": ["keep-output"]}
    assert cleaner.cleaned(clean) == clean


def test_the_makefile_has_at_most_12_targets(root):
    """Twelve targets at most, each listed by `make help`."""
    lines = (root / "Makefile").read_text().splitlines()
    phony = next(line for line in lines if line.startswith(".PHONY:")).split()[1:]
    told = [line.split(":")[0] for line in lines if "  ## " in line]
    assert len(phony) <= 12
    assert sorted(told) == sorted(phony)
