# SPDX-License-Identifier: Apache-2.0
"""Figure: a trace, chain, session or audit as SVG, PDF or PNG, for a paper or a slide.

What is drawn where is decided in `plans`, as plain data in millimetres; only the
files named `figure` call matplotlib.
"""

from __future__ import annotations

import os
from pathlib import Path

from smemkit.errors import BadRequest, short
from smemkit.graph import Graph
from smemkit.views.figure import plans
from smemkit.views.figure.canvas import rendered
from smemkit.views.figure.drawing import Drawing
from smemkit.views.figure.font import Font, pen, settings
from smemkit.views.figure.proof import Proof
from smemkit.views.saving import place, save
from smemkit.views.strings import language, strings

DPI = 300
SCREEN_DPI = 160
FORMATS = ("svg", "pdf", "png")
NARROWEST, WIDEST = 80.0, 600.0


class Figure:
    """A picture of a fixed width that gives the same bytes each time.

    Attributes
    ----------
    drawing : Drawing
        What is drawn where, as plain data in millimetres.
    proof : Proof
        What the picture shows, as its files carry it.
    lang : str
        ``en`` or ``zh``.
    """

    def __init__(self, drawing: Drawing, proof: Proof, title: str, lang: str) -> None:
        self.drawing = drawing
        self.proof = proof
        self.title = title
        self.lang = lang

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        return self.drawing.width, self.drawing.height

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure; the ending says the format: .svg, .pdf or .png.

        The same memory gives the same bytes. The file's metadata says what the
        picture shows; `smemkit.verify_figure` compares it with a memory.

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        BadRequest
            Another ending, no such folder, or no path.
        WriteFailed
            The system refuses to write there.
        """
        target = place(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind not in FORMATS:
            raise BadRequest(
                f"save {short(target.name)}",
                found="no such format here",
                do="end the name with .svg, .pdf or .png",
            )
        return save(target, self.render(kind))

    def render(self, kind: str, *, dpi: float = DPI) -> bytes:
        """Return the bytes of a file of one format: svg, pdf or png."""
        return rendered(self.drawing, kind, self._metadata(kind), dpi=dpi)

    def _metadata(self, kind: str) -> dict[str, str | None]:
        title = pen().known(self.title)[:300]
        text = self.proof.to_json()
        if kind == "png":
            return {"Software": "smemkit", "Title": title, "Description": text}
        if kind == "svg":
            return {
                "Date": None,
                "Creator": "smemkit",
                "Title": title,
                "Description": text,
            }
        return {
            "CreationDate": None,
            "Creator": "smemkit",
            "Title": title,
            "Keywords": text,
        }

    def _repr_png_(self) -> bytes:
        return self.render("png", dpi=SCREEN_DPI)

    def _repr_svg_(self) -> str:
        return self.render("svg").decode()

    def __repr__(self) -> str:
        width, height = self.size_mm
        return f"<Figure {self.proof.what}: {width:g} × {height:.0f} mm>"


def figure(
    x: object,
    graph: Graph,
    *,
    session_id: str | None = None,
    width_mm: float = 170.0,
    lang: str | None = None,
) -> Figure:
    """Draw a trace, a chain, an audit, or, without any, a session.

    Parameters
    ----------
    x : Trace, Chain, Audit, Subgraph or None
        What `trace_provenance`, `chain`, `audit` or `subgraph` returned.
    graph : Graph
        The memory's records.
    session_id : str, optional
        The session to draw if `x` is None.
    width_mm : float, default 170
        Width in millimetres, 80 to 600; the height follows from the content.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Returns
    -------
    Figure
        Displays itself in a notebook; ``save(path)`` writes .svg, .pdf or .png.

    Raises
    ------
    BadRequest
        `x` is none of these, or the width or the language cannot be used.
    MissingExtra
        matplotlib is not installed.
    """
    if (
        isinstance(width_mm, bool)
        or not isinstance(width_mm, int | float)
        or not NARROWEST <= width_mm <= WIDEST
    ):
        raise BadRequest(
            f"width_mm={short(width_mm)}", found="not a number from 80 to 600"
        )
    chosen = language(lang)
    font = pen()
    with settings():
        return _made(x, graph, font, chosen, session_id, float(width_mm))


def _made(
    x: object,
    graph: Graph,
    font: Font,
    lang: str,
    session_id: str | None,
    width: float,
) -> Figure:
    if lang == "zh" and not font.has_chinese:
        lang = "en"  # a note in the figure says that characters are missing
    made = plans.plan(x, graph, session_id=session_id)
    drawing = plans.draw(made, width, font, strings(lang))
    return Figure(drawing, made.proof, made.title(strings(lang)), lang)
