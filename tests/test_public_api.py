# SPDX-License-Identifier: Apache-2.0
"""What `import smemkit` promises, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata

import smemkit

PROMISED = {"SmemError", "open", "trace_provenance", "verify_figure"}
"""The names of design §2 that a user reaches without naming a module."""

LOADED = """
import json, sys
before = set(sys.modules)
import {package}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def modules_loaded_by(package: str) -> list[str]:
    # -I: neither the caller's environment nor their folder decides what is loaded.
    done = subprocess.run(
        [sys.executable, "-I", "-c", LOADED.format(package=package)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def third_party(modules: list[str]) -> set[str]:
    roots = {name.partition(".")[0] for name in modules}
    return roots - set(sys.stdlib_module_names) - {"smemkit", "smemkit_widgets"}


def test_importing_smemkit_loads_nothing_third_party():
    """`import smemkit` in a fresh interpreter loads the standard library at most."""
    loaded = modules_loaded_by("smemkit")
    assert "smemkit" in loaded
    assert third_party(loaded) == set()


def test_importing_the_widgets_loads_no_heavy_library():
    """`import smemkit_widgets` leaves pandas, networkx and pyvis alone."""
    heavy = {"pandas", "numpy", "networkx", "pyvis", "matplotlib"}
    assert third_party(modules_loaded_by("smemkit_widgets")) & heavy == set()


def test_the_promised_names_are_there():
    """Each promised name is listed in __all__ and has a docstring."""
    listed = set(smemkit.__all__)
    assert listed >= PROMISED
    assert all(getattr(smemkit, name).__doc__ for name in PROMISED)


def test_every_listed_name_exists_and_the_list_is_sorted():
    """__all__ names only what is there, once, in order."""
    names = list(smemkit.__all__)
    assert names == sorted(set(names))
    assert all(hasattr(smemkit, name) for name in names)


def test_nothing_public_is_unlisted():
    """A public name of the package is in __all__ or is one of its modules."""
    listed = set(smemkit.__all__)
    modules = {name for name in vars(smemkit) if f"smemkit.{name}" in sys.modules}
    names = {name for name in vars(smemkit) if not name.startswith("_")}
    assert names - listed - modules - {"annotations"} == set()


def test_the_version_is_the_installed_one():
    """smemkit.__version__ is what pip says is installed."""
    assert smemkit.__version__ == metadata.version("smemkit")
