# SPDX-License-Identifier: Apache-2.0
"""Our templates, and the rules by which what comes from a memory gets into them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from smemkit.errors import MissingExtra

if TYPE_CHECKING:
    from jinja2 import Environment

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""A page's Content-Security-Policy: its own scripts and styles, nothing else."""


def environment() -> Environment:
    """Return what renders a template of ours: every text escaped, no name undefined.

    Raises
    ------
    MissingExtra
        jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtra("jinja2", "lab") from error
    made = Environment(
        loader=PackageLoader("smemkit.views", "page"),
        undefined=StrictUndefined,
        autoescape=True,
    )
    made.policies["json.dumps_kwargs"] = {
        "sort_keys": True,
        "separators": (",", ":"),
        "ensure_ascii": False,
    }
    return made


def render(template: str, **variables: object) -> str:
    """Return a page without a drawing, made from one of our templates.

    Parameters
    ----------
    template : str
        Its file's name in ``views/page``.
    **variables
        What the template uses besides the policy.
    """
    made = environment().get_template(template)
    return made.render(policy=POLICY, **variables)


@cache
def file(name: str) -> str:
    """Return one of our own files of a page: a style sheet or a script."""
    return (resources.files("smemkit.views") / "page" / name).read_text("utf-8")
