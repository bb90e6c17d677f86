# SPDX-License-Identifier: Apache-2.0
"""The page of a session: our template, our scripts, the session as data."""

from __future__ import annotations

from collections.abc import Mapping

from smemkit.views import looks
from smemkit.views.explorer.carried import label_order
from smemkit.views.html import render
from smemkit.views.picture import shape
from smemkit.views.scene import Scene
from smemkit.views.template import file

SCRIPTS = (
    "link.js",
    "places.js",
    "explorer.js",
    "walks.js",
    "panel.js",
    "wiring.js",
)
STYLES = ("page.css", "explorer.css")


def page(
    data: Mapping[str, object], scene: Scene, words: Mapping[str, str], lang: str
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    data : Mapping
        What `smemkit.views.explorer.carried.carried` returned, what is open, the focus.
    scene : Scene
        What shows at first.
    words : Mapping
        The captions, of `smemkit.views.strings`.
    lang : str
        Their language, for a screen reader.
    """
    labels = data["labels"]
    names = [str(label) for label in labels] if isinstance(labels, list) else []
    ranks = sorted(range(len(names)), key=lambda n: label_order(names[n]))
    nodes: list[dict[str, object]] = [
        {"id": box.key, "x": box.x, "y": box.y, "label": " "} for box in scene.boxes
    ]
    return render(
        "explorer.html.j2",
        nodes,
        [],
        lang=lang,
        words=dict(words),
        session={**data, "rank": [ranks.index(n) for n in range(len(names))]},
        shapes=[shape(looks.look(name), 12, 12, r=9) for name in names],
        style="\n".join(map(file, STYLES)),
        script="\n".join(map(file, SCRIPTS)),
    )
