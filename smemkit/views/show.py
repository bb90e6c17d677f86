# SPDX-License-Identifier: Apache-2.0
"""View: a drawn answer, as a notebook shows it and as a file keeps it."""

from __future__ import annotations

from smemkit.answers import Chain, Trace
from smemkit.graph import Graph
from smemkit.views import frame, outline, picture
from smemkit.views.layout import STEP_Y
from smemkit.views.saving import Page
from smemkit.views.scene import Scene
from smemkit.views.staging import scene_of
from smemkit.views.strings import language, strings


class View(Page):
    """A drawn answer: an interactive page, a picture and an outline of one scene.

    Attributes
    ----------
    scene : Scene
        What is drawn, as plain data.
    lang : str
        ``en`` or ``zh``.
    """

    _token = ""  # the name of its frames, where a kernel listens to them

    def __init__(self, scene: Scene, lang: str | None = None) -> None:
        self.scene = scene
        self.lang = language(lang)
        self._words = strings(self.lang)

    def html(self) -> str:
        """Return the page: one file that needs no network and runs nothing foreign."""
        from smemkit.views.html import page

        return page(self.scene, self._words, self.lang)

    def svg(self) -> str:
        """Return the still picture."""
        return picture.picture(self.scene, self._words)

    def outline(self) -> str:
        """Return the scene as text."""
        return outline.outline(self.scene, self._words)

    @property
    def height(self) -> int:
        """Pixels of the frame in a notebook: what the scene needs, within reason."""
        rows = [box.y for box in self.scene.boxes]
        return round(min(760, max(420, (max(rows) - min(rows)) * 0.75 + 3 * STEP_Y)))

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str]:
        shown = frame.frame(
            self.html(),
            self.svg(),
            name=self._token or frame.token(),
            height=self.height,
            title=f"{self.scene.title}. {outline.headline(self.scene, self._words)}",
            sorry=self._words["old_browser"],
        )
        return {"text/html": shown, "text/plain": self.outline()}

    def __repr__(self) -> str:
        return f"<View {self.scene.title}: {self.scene.shown} nodes>"

    def __str__(self) -> str:
        return self.outline()


def show(
    answer: Trace | Chain, graph: Graph | None = None, *, lang: str | None = None
) -> View:
    """Draw a trace or a chain.

    Parameters
    ----------
    answer : Trace or Chain
        What `trace_provenance` or `chain` returned.
    graph : Graph, optional
        The records it came from; adds the stored edges between its nodes.
    lang : {"en", "zh"}, optional
        Language of the captions; default: that of the locale.

    Returns
    -------
    View
        Displays itself in a notebook; ``save_html(path)`` keeps the page.

    Raises
    ------
    BadRequest
        The answer is no trace and no chain, or the language is not known.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> made = mem.declare_artifact("fig.png", session_id="s", artifact_id="fig")
    >>> print(mem.show(mem.trace_provenance("fig"), lang="en"))
    Artifact fig#v1
    broken: The chain breaks: no upstream of Artifact #fig#v1.
      Artifact fig#v1: fig.png v1 (start)
      ✕ chain breaks here: no upstream of Artifact #fig#v1
    """
    return View(scene_of(answer, graph), lang)
