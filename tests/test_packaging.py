# SPDX-License-Identifier: Apache-2.0
"""What is installed is what pyproject.toml says, and nothing else disagrees."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml

CONDA_NAMES = {"neo4j": "neo4j-python-driver"}
"""Where conda-forge calls a library otherwise than PyPI."""


@pytest.fixture(scope="module")
def project(root) -> dict[str, object]:
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=root,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def name_of(requirement: str) -> str:
    return re.split(r"[<>=~!\[; ]", requirement, maxsplit=1)[0]


def requirements(project, *extras: str) -> set[str]:
    """Return the requirements of the base and of extras, our own name left out."""
    listed = list(project["dependencies"])
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    return {each for each in listed if name_of(each) != "smemkit"}


def conda_requirements(root) -> tuple[set[str], list[str]]:
    """Return what environment.yml takes from conda-forge and pip, and pip's rest."""
    listed = yaml.safe_load((root / "environment.yml").read_text())["dependencies"]
    (by_pip,) = (each["pip"] for each in listed if isinstance(each, dict))
    plain = {each for each in listed if isinstance(each, str)}
    return (
        plain | {each for each in by_pip if not each.startswith("-")},
        [each for each in by_pip if each.startswith("-")],
    )


def test_environment_yml_asks_for_what_pyproject_asks(root, project):
    """Base, cypher, lab, neo4j and server have the same names and bounds for conda."""
    wanted = {
        CONDA_NAMES.get(name_of(each), name_of(each)) + each[len(name_of(each)) :]
        for each in requirements(project, "cypher", "lab", "neo4j", "server")
    }
    wanted |= {"pip", f"python{project['requires-python']}"}
    found, rest = conda_requirements(root)
    assert found == wanted
    assert rest == ["-e ."]


def test_every_dependency_has_a_lower_bound_and_a_reason(root, project):
    """docs/dependencies.md explains each library once, and no other."""
    every = requirements(project, *project["optional-dependencies"])
    assert [each for each in every if ">=" not in each] == []
    page = (root / "docs" / "dependencies.md").read_text()
    explained = re.findall(r"^\| ([a-z0-9-]+) \| \S", page, flags=re.MULTILINE)
    named = [name for name in explained if name not in {"library", "---"}]
    assert sorted(named) == sorted(name_of(each) for each in every)


def test_dev_brings_every_extra(project):
    """Whoever works on smemkit has all that its files import."""
    (ours,) = (
        each
        for each in project["optional-dependencies"]["dev"]
        if name_of(each) == "smemkit"
    )
    extras = set(ours[len("smemkit[") : -1].split(","))
    assert extras | {"dev"} == set(project["optional-dependencies"])


def test_the_wheel_holds_both_packages_and_their_types(wheel):
    """The wheel has smemkit and smemkit_widgets at its top, typed, with the licence."""
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"smemkit", "smemkit_widgets", "smemkit-0.1.0.dist-info"}
    assert {"smemkit/py.typed", "smemkit_widgets/py.typed"} <= names
    assert {"smemkit/errors.py", "smemkit_widgets/__init__.py"} <= names
    assert "smemkit-0.1.0.dist-info/licenses/LICENSE" in names


def test_the_wheel_holds_every_file_of_the_packages(wheel, root):
    """No module, template or script of either package is left out."""
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        path.relative_to(base).as_posix()
        for base, package in ((root, "smemkit"), (root / "widgets", "smemkit_widgets"))
        for path in (base / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted - names == set()


def test_both_packages_work_from_the_wheel_alone(wheel, tmp_path):
    """Unpacked without a repository around it, the wheel's packages import."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import smemkit, smemkit_widgets\n"
        "print(smemkit.__file__); print(smemkit_widgets.__file__)"
    )
    done = subprocess.run(
        # -S leaves out site-packages, and with it the editable installation.
        [sys.executable, "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == [
        str(tmp_path / "smemkit" / "__init__.py"),
        str(tmp_path / "smemkit_widgets" / "__init__.py"),
    ]


def test_the_console_script_is_the_command_line(project):
    """`smemkit` on the command line calls smemkit.cli:main."""
    assert project["scripts"] == {"smemkit": "smemkit.cli:main"}


def test_one_version_everywhere(root, project):
    """Package data, widgets and changelog speak of the same version."""
    import smemkit_widgets

    version = project["version"]
    assert metadata.version("smemkit") == version
    assert smemkit_widgets.__version__ == version
    released = re.findall(
        r"^## \[([\d.]+)\]", (root / "CHANGELOG.md").read_text(), re.M
    )
    assert not released or released[0] == version
