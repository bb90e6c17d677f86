# SPDX-License-Identifier: Apache-2.0
"""Every import in both packages follows the arrows, and each library has one owner."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ARROWS = {
    "errors": (),
    "schema": ("errors",),
    "instants": ("schema",),
    "records": ("instants", "schema"),
    "_adjacency": ("records",),
    "_aside": ("records",),
    "_names": ("records",),
    "graph": ("_adjacency", "_aside", "_names", "records"),
    "cypher": ("graph",),
    "settings": ("errors",),
    "display": ("errors",),
    "answers": ("display", "graph"),
    "links": ("schema",),
    "reading": ("answers", "links"),
    "tables": ("reading",),
    "_flat": ("errors",),
    "convert": ("_flat", "graph"),
    "_bulk": ("graph",),
    "stores": ("_bulk", "cypher", "graph"),
    "writing": ("answers", "links"),
    "views": ("report",),
    "report": ("reading",),
    "tracing": ("convert", "reading"),
    "_verb_text": ("errors",),
    "_verbs": ("_verb_text", "stores"),
    "summary": ("display", "tables"),
    "_showing": ("_verbs", "views"),
    "memory": (
        "_showing",
        "cypher",
        "_verbs",
        "convert",
        "reading",
        "report",
        "settings",
        "stores",
        "summary",
        "tables",
        "tracing",
        "views",
        "writing",
    ),
    "figures": ("views",),
    "_matching": ("stores",),
    "copying": ("_matching", "_verbs", "memory"),
    "smemkit": ("copying", "figures", "memory"),
    "testing": ("smemkit",),
    "server": ("smemkit",),
    "cli": ("server", "smemkit"),
    "tools": ("smemkit",),
    "recorder": ("smemkit",),
    "smemkit_widgets": ("smemkit",),
}
"""Who may import whom. What an arrow reaches in several steps is allowed too."""

LATE = {"display", "tables"}
"""Answers may ask these when to_frame() is called or a notebook shows them."""

OWNERS = {
    "IPython": "smemkit/recorder/",
    "anywidget": "widgets/",
    "fastapi": "smemkit/server/",
    "httpx": "smemkit/stores/",
    "hypothesis": "smemkit/testing/",
    "ipywidgets": "widgets/",
    "jinja2": "smemkit/views/template.py",
    "kglite": "smemkit/cypher/engine.py",
    "markdown_it": "smemkit/report/markdown",
    "matplotlib": "smemkit/views/figure/",
    "neo4j": "smemkit/stores/_bolt.py",
    "networkx": "smemkit/convert.py",
    "orjson": "smemkit/stores/_lines.py",
    "pandas": "smemkit/tables/frames.py",
    "pydantic": "smemkit/server/",
    "pyvis": "smemkit/views/html.py",
    "starlette": "smemkit/server/",
    "traitlets": "widgets/",
    "uvicorn": "smemkit/server/",
}
"""The one place where each third-party library is imported."""

LOADED_ON_DEMAND = (
    "smemkit/server/",
    "smemkit/recorder/",
    "smemkit/testing/",
    "widgets/",
)
"""Packages that nothing imports by itself: they may import at their top."""


@dataclass(frozen=True)
class Import:
    """One imported module: where, and whether it happens on import."""

    file: str
    line: int
    module: str
    at_top: bool
    for_types: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


class Collector(ast.NodeVisitor):
    """Gathers the imports of one file."""

    def __init__(self, file: str, package: str) -> None:
        self.file = file
        self.package = package
        self.depth = 0
        self.type_blocks = 0
        self.found: list[Import] = []

    def add(self, node: ast.stmt | ast.expr, module: str) -> None:
        at_top = not self.depth and not self.type_blocks
        self.found.append(
            Import(self.file, node.lineno, module, at_top, bool(self.type_blocks))
        )

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.add(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = node.module or ""
        if node.level:
            above = self.package.split(".")
            kept = above[: len(above) - node.level + 1]
            base = ".".join([*kept, base]).rstrip(".")
        for alias in node.names:
            # `from smemkit import schema` names a module, or a name of the package.
            self.add(node, f"{base}.{alias.name}" if base == "smemkit" else base)

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in {"import_module", "__import__"} and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and first.value != "smemkit_widgets":
                self.add(node, str(first.value))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_If(self, node: ast.If) -> None:
        for_types = "TYPE_CHECKING" in ast.unparse(node.test)
        self.type_blocks += for_types
        for child in node.body:
            self.visit(child)
        self.type_blocks -= for_types
        for child in node.orelse:
            self.visit(child)


def sources(root: Path) -> list[Path]:
    found = [*root.glob("smemkit/**/*.py"), *root.glob("widgets/**/*.py")]
    return sorted(found)


def module_name(path: Path, root: Path) -> str:
    parts = list(path.relative_to(root).with_suffix("").parts)
    parts = parts[1:] if parts[0] == "widgets" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, file: str, package: str) -> list[Import]:
    collector = Collector(file, package)
    collector.visit(ast.parse(source))
    return collector.found


def every_import(root: Path) -> Iterator[tuple[str, Import]]:
    """Yield the importing module's name with each import."""
    for path in sources(root):
        name = module_name(path, root)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        file = path.relative_to(root).as_posix()
        for found in imports_of(path.read_text(encoding="utf-8"), file, package):
            yield name, found


def layer_of(module: str) -> str:
    """Return the row of ARROWS that a module belongs to."""
    parts = module.split(".")
    if parts[0] == "smemkit_widgets" or len(parts) == 1:
        return parts[0]
    if parts[1] == "__main__":
        return "cli"
    # A name of the package that is no module, such as smemkit.open.
    return parts[1] if parts[1] in ARROWS else "smemkit"


def reach(layer: str) -> set[str]:
    below = set(ARROWS[layer])
    return below.union(*(reach(each) for each in below)) if below else below


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in {"smemkit", "smemkit_widgets"}


def third_party(root: Path) -> Iterator[tuple[str, Import]]:
    for _, found in every_import(root):
        library = found.module.partition(".")[0]
        if not is_ours(library) and library not in sys.stdlib_module_names:
            yield library, found


def against_the_arrows(name: str, found: Import) -> bool:
    here, there = layer_of(name), layer_of(found.module)
    if here == there or (there in LATE and not found.at_top):
        return False
    return there not in reach(here)


def test_every_file_has_a_layer(root):
    """Each file of smemkit/ belongs to a row of the table, so none escapes it."""
    names = {module_name(path, root) for path in sources(root)}
    inner = {name.split(".")[1] for name in names if name.startswith("smemkit.")}
    assert inner - set(ARROWS) - {"__main__"} == set(), "give it a row in ARROWS"


def test_the_arrows_make_no_circle():
    """No layer reaches itself."""
    assert [layer for layer in ARROWS if layer in reach(layer)] == []


def test_imports_follow_the_arrows(root):
    """No module imports one that lies beside or above it."""
    ours = [(n, found) for n, found in every_import(root) if is_ours(found.module)]
    assert ours
    assert [str(found) for n, found in ours if against_the_arrows(n, found)] == []


def test_each_library_is_imported_in_its_place(root):
    """A third-party library is imported by its owner alone; types may be named."""
    strays = [
        str(found)
        for library, found in third_party(root)
        if not found.for_types
        and not found.file.startswith(OWNERS.get(library, "(no owner)"))
    ]
    assert strays == []


def test_orjson_has_one_file(root):
    """One file turns lines into records and back."""
    files = {f.file for library, f in third_party(root) if library == "orjson"}
    assert len(files) <= 1, files


def test_libraries_are_imported_when_they_are_used(root):
    """Outside the packages that load on demand no library is imported on import."""
    early = [
        str(found)
        for _, found in third_party(root)
        if found.at_top and not found.file.startswith(LOADED_ON_DEMAND)
    ]
    assert early == []


def test_only_settings_reads_the_environment(root):
    """No other file of the packages names os.environ or os.getenv."""
    readers = []
    for path in sources(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
        }
        names |= {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "os"
            for alias in node.names
        }
        if names & {"environ", "environb", "getenv"} and path.name != "settings.py":
            readers.append(path.relative_to(root).as_posix())
    assert readers == []


@pytest.mark.parametrize(
    ("source", "module", "at_top", "for_types"),
    [
        ("import pandas.core", "pandas.core", True, False),
        ("def f():\n import pandas", "pandas", False, False),
        ("if TYPE_CHECKING:\n import pandas", "pandas", False, True),
        ("class A:\n import pandas", "pandas", True, False),
        ("from smemkit import schema", "smemkit.schema", True, False),
        ("from . import jsonl", "smemkit.stores", True, False),
        ("from ..graph import Graph", "smemkit.graph", True, False),
        ("def f():\n importlib.import_module('pyvis')", "pyvis", False, False),
    ],
)
def test_every_form_of_import_is_seen(source, module, at_top, for_types):
    """The reader of imports sees each form, and whether it runs on import."""
    (found,) = imports_of(source, "x.py", "smemkit.stores")
    assert (found.module, found.at_top, found.for_types) == (module, at_top, for_types)


@pytest.mark.parametrize(
    ("importer", "module", "at_top", "wrong"),
    [
        ("smemkit.graph", "smemkit.stores", True, True),
        ("smemkit.reading.trace", "smemkit.stores.jsonl", True, True),
        ("smemkit.writing.observe", "smemkit.stores", True, True),
        ("smemkit.cli", "smemkit.records", True, False),
        ("smemkit.memory", "smemkit.open", True, True),
        ("smemkit.reading.trace", "smemkit.tables", True, True),
        ("smemkit.reading.trace", "smemkit.tables", False, False),
        ("smemkit_widgets.explorer", "smemkit.views.scene", True, False),
        ("smemkit.views.html", "smemkit_widgets", False, True),
    ],
)
def test_the_rule_tells_right_from_wrong(importer, module, at_top, wrong):
    """A few imports whose verdict is known."""
    found = Import("x.py", 1, module, at_top, False)
    assert against_the_arrows(importer, found) is wrong
