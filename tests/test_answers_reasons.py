# SPDX-License-Identifier: Apache-2.0
"""Every reason that the package can give has its sentence, with the gaps it fills."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from string import Formatter

import pytest

from smemkit.answers import Reason
from smemkit.answers.reasons import REASONS
from smemkit.views.strings import strings


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def codes(call: ast.Call) -> list[str]:
    """Return the codes a call can mean; of an f-string all that fit its fixed parts."""
    code = call.args[0]
    if isinstance(code, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else "*" for p in code.values)
        pattern = "why." + "".join(parts)
        return [key for key in REASONS if fnmatch(key, pattern)]
    return [f"why.{ast.literal_eval(code)}"]


def made(path: Path) -> Iterator[ast.Call]:
    """Yield each place that makes a reason."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
            yield node


def test_every_code_that_is_made_has_a_sentence_and_every_sentence_is_made(root):
    found = [
        (code, {each.arg for each in call.keywords})
        for path in (root / "smemkit").rglob("*.py")
        for call in made(path)
        for code in codes(call) or [ast.unparse(call)]
    ]
    for lang in ("en", "zh"):
        words = strings(lang)
        for code, given in found:
            assert gaps(words.get(code, "")) == given, code
    assert {code for code, _ in found} == {
        key for key in REASONS if not key.startswith("why.join.")
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_value_is_put_in_and_never_is_a_template(lang):
    hostile = "{old} {0.__class__} {{new}} %s"
    said = Reason("superseded", old=hostile, new="b#v2").said(strings(lang))

    assert said.startswith(hostile)
    assert "b#v2" in said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "a is a run that failed (b: {x}) and a run that has not ended (c: on)"),
        ("zh", "a 是失败的运行（b：{x}）和未结束的运行（c：on）"),
    ],
)
def test_reasons_within_a_reason_are_said_in_its_language(lang, said):
    runs = (
        Reason("ended.failed", run="b", status="{x}"),
        Reason("ended.open", run="c", status="on"),
    )
    whole = Reason("run.is", id="a", runs=runs)

    assert whole.said(strings(lang)) == said
    assert (str(whole) == said) is (lang == "en")
