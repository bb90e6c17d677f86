# SPDX-License-Identifier: Apache-2.0
"""The interactive page of a scene, drawn by pyvis with a template of our own.

One file, no request: the drawing library is written into the page, and its
policy forbids everything else. What comes from the memory is handed over as
JSON in a script element of a type that no browser runs, and is put on the page
as text only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from smemkit.display import plain
from smemkit.errors import MissingExtra
from smemkit.views import looks
from smemkit.views.captions import wrap
from smemkit.views.outline import counted, headline, in_order
from smemkit.views.picture import shape
from smemkit.views.scene import Arrow, Box, Scene
from smemkit.views.template import POLICY, environment, file

if TYPE_CHECKING:
    from pyvis.network import Network

SIZE = 17

OPTIONS: Mapping[str, object] = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "edges": {
        "smooth": False,
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.55}},
    },
    "nodes": {"borderWidth": 2, "borderWidthSelected": 4, "size": SIZE},
    "interaction": {
        "dragNodes": False,
        "hover": True,
        "tooltipDelay": 120,
        "keyboard": {"enabled": False},
    },
}


def page(scene: Scene, words: Mapping[str, str], lang: str = "en") -> str:
    """Return the page as HTML.

    Parameters
    ----------
    scene : Scene
        What is drawn; every box has its place.
    words : Mapping
        The captions, of `smemkit.views.strings`.
    lang : str
        The language of the captions, for a screen reader.

    Examples
    --------
    >>> from smemkit.views.scene import Box, Scene
    >>> from smemkit.views.strings import strings
    >>> box = Box("b0", "Claim", "c1", caption="<b>fits</b>", mark="start")
    >>> made = page(Scene("t", "", "", (box,), (), None, 1), strings("en"))
    >>> "<b>fits" in made
    False
    """
    nodes = [_node(box) for box in scene.boxes]
    columns = {box.key: box.x for box in scene.boxes}
    edges = []
    for n, arrow in enumerate(scene.arrows):
        edge = _edge(f"e{n}", arrow)
        if columns[arrow.source] == columns[arrow.target]:
            edge["smooth"] = {"enabled": True, "type": "curvedCW", "roundness": 0.25}
        edges.append(edge)
    if scene.stop is not None:
        nodes.append(_stop_node(scene, words))
        edges += _stop_edges(scene)
    return render(
        "page.html.j2",
        nodes,
        edges,
        lang=lang,
        words=dict(words),
        scene=_data(scene, words),
        shapes=[_mark(label) for label in scene.labels()],
        shape_of={clean(plain(label)): n for n, label in enumerate(scene.labels())},
        style=file("page.css"),
        script=file("link.js") + file("page.js"),
    )


def render(
    template: str,
    nodes: list[dict[str, object]],
    edges: list[dict[str, object]],
    **variables: object,
) -> str:
    """Return a page made from one of our templates.

    Parameters
    ----------
    template : str
        Its file's name in ``views/page``.
    nodes, edges : list of dict
        What vis-network draws at first.
    **variables
        What else the template uses.
    """
    network = _network(template)
    network.nodes += nodes
    network.edges += edges
    network.templateEnv.globals.update(
        policy=POLICY,
        network_options=OPTIONS,
        drawing_library=_drawing_library(),
        **variables,
    )
    made = network.generate_html()
    return str(made)


def _network(template: str) -> Network:
    try:
        from pyvis.network import Network
    except ImportError as error:
        raise MissingExtra("pyvis", "lab") from error
    network = Network(directed=True, cdn_resources="in_line")
    network.templateEnv = environment()
    network.path = template
    return network


@cache
def _drawing_library() -> str:
    """Return vis-network's JavaScript, from the files that pyvis installs."""
    folder = resources.files("pyvis") / "lib" / "vis-9.1.2"
    return (folder / "vis-network.min.js").read_text(encoding="utf-8")


def _node(box: Box) -> dict[str, object]:
    """Return one node as vis-network takes it; colours and tooltip come in the page."""
    look = looks.look(box.label)
    failed = box.state == "failed"
    node: dict[str, object] = {
        "id": box.key,
        "label": clean("\n".join(wrap(("✕ " if failed else "") + box.caption))) or " ",
        "shape": look.shape,
        "x": box.x,
        "y": box.y,
        "fill": look.fill if box.state in ("", "done") else "#ffffff",
        "rim": looks.BREAK if failed else look.rim,
    }
    if box.state in ("open", "cancelled"):
        node["shapeProperties"] = {"borderDashes": [4, 3]}
    if box.mark or box.stands_for > 1:
        node["borderWidth"] = 5
        node["size"] = SIZE + 5
    return node


def _edge(key: str, arrow: Arrow) -> dict[str, object]:
    line = looks.line(arrow.type, {"inferred": arrow.inferred})
    edge: dict[str, object] = {
        "id": key,
        "from": arrow.source,
        "to": arrow.target,
        "label": clean(plain(arrow.type)),
        "rim": line.colour,
    }
    if not arrow.walked:
        edge["context"] = True
    if arrow.inferred:
        edge["inferred"] = True
    if line.dashes:
        edge["dashes"] = list(line.dashes)
    return edge


def _stop_node(scene: Scene, words: Mapping[str, str]) -> dict[str, object]:
    stop = scene.stop
    if stop is None:  # the caller has looked; mypy has not
        return {}
    broken = stop.kind == "broken"
    name = words["break" if broken else "stopped"]
    return {
        "id": "stop",
        "label": f"{'✕' if broken else '…'} {name}",
        "title": clean(plain(stop.why.said(words))),
        "shape": "box",
        "x": stop.x,
        "y": stop.y,
        "fill": "#ffffff",
        "rim": looks.BREAK,
        "font": {"color": looks.BREAK, "size": 15, "strokeWidth": 0},
        "shapeProperties": {"borderDashes": [4, 4]},
        "margin": 10,
    }


def _stop_edges(scene: Scene) -> list[dict[str, object]]:
    return [
        {
            "id": f"stop{n}",
            "from": "stop",
            "to": key,
            "dashes": [3, 5],
            "rim": looks.BREAK,
            "arrows": {"to": {"enabled": False}},
        }
        for n, key in enumerate(scene.stop.at if scene.stop else ())
    ]


def _data(scene: Scene, words: Mapping[str, str]) -> dict[str, object]:
    """Return what the panel beside the picture shows."""
    return {
        "title": clean(plain(scene.title)),
        "verdict": scene.verdict,
        "headline": clean(headline(scene, words)),
        "counted": counted(scene, words) if scene.shown < scene.total else "",
        "leftwards": scene.leftwards,
        "boxes": [_box_data(box) for box in in_order(scene)],
        "legend": [
            {"label": clean(plain(label)), "count": count}
            for label, count in scene.labels().items()
        ],
    }


def _box_data(box: Box) -> dict[str, object]:
    """Return what the panel says of a box; what would be said twice is left out."""
    data: dict[str, object] = {
        "key": box.key,
        "label": clean(plain(box.label)),
        "caption": clean(box.caption),
        "layer": box.layer,
        "fields": [[clean(plain(n)), clean(plain(v))] for n, v in box.fields],
    }
    texts = {
        "id": plain(box.id or ""),
        "text": "" if box.text in (box.caption, box.id) else plain(box.text),
        "mark": box.mark,
        "state": box.state,
        "via": plain(box.via),
        "origin": box.origin,
    }
    return data | {name: clean(text) for name, text in texts.items() if text}


def _mark(label: str) -> str:
    """Return the shape of a label, for the legend and the list."""
    return shape(looks.look(label), 12, 12, r=9)


def clean(text: str) -> str:
    """Return a text that UTF-8 can carry: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
