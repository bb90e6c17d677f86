# SPDX-License-Identifier: Apache-2.0
"""Pickers: the ipywidgets of a panel, made when they are first shown.

A widget that exists is written into the notebook and makes its HTML export ask for
a script on the network; so none is made where nobody can use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import ipywidgets

NAMES = ("session_id", "report", "verdict", "sentence", "support")
"""The choices, from the outside in."""

ROWS = 9
"""Sentences the list shows at once."""

Option = tuple[str, Any]
Walk = tuple[str, str, bool, str]


class Shown(Protocol):
    """What displays itself in a notebook."""

    def _repr_mimebundle_(self) -> Mapping[str, str]: ...


class Pickers:
    """The choices of a panel: what is offered, what is chosen, and the widgets.

    Parameters
    ----------
    words : Mapping
        The captions, of `smemkit.views.strings`.
    picked : callable
        Told the name of a choice and its value when a person made it.
    pressed : callable
        Told the kind of walk whose button a person pressed.
    """

    def __init__(
        self,
        words: Mapping[str, str],
        picked: Callable[[str, Any], None],
        pressed: Callable[[str], None],
    ) -> None:
        self._words = words
        self._picked = picked
        self._pressed = pressed
        self._muted = False
        self._options: dict[str, list[Option]] = {name: [] for name in NAMES}
        self._values: dict[str, Any] = dict.fromkeys(NAMES)
        self._walks: list[Walk] = []
        self._step = (0, "")
        self._page: Shown | None = None
        self.of: dict[str, Any] = {}

    def offered(self, name: str) -> list[Any]:
        """Return the values that can be chosen."""
        return [value for _, value in self._options[name]]

    def offer(self, name: str, options: Sequence[Option], value: Any) -> None:
        """Give a picker its options, and show which one is chosen."""
        self._options[name] = list(options)
        self._values[name] = value
        self._paint(name)

    def choose(self, name: str, value: Any) -> None:
        """Show another choice."""
        self._values[name] = value
        self._paint(name)

    def walks(self, made: Sequence[Walk]) -> None:
        """Offer walks: the kind, caption, whether empty, and a hint for each."""
        self._walks = list(made)
        self._paint_walks()

    def progress(self, step: int, told: str) -> None:
        """Say what is under way; step 0 means that nothing is."""
        self._step = (step, told)
        self._paint_progress()

    def show(self, page: Shown) -> None:
        """Put a page below the pickers, in place of the one before."""
        self._page = page
        self._paint_page()

    # -- the widgets -----------------------------------------------------------------

    def widget(self) -> Any:
        """Return the widgets in one box; made when first asked for."""
        if not self.of:
            self._build()
        return self._box

    def _build(self) -> None:
        layout = ipywidgets.Layout(flex="1 1 240px", width="auto")
        style = {"description_width": "initial"}
        captions = ("session", "report", "verdict", "sentences", "rests_on")
        for name, caption in zip(NAMES, captions, strict=True):
            text = self._words[f"panel.{caption}"]
            if name == "sentence":
                made = ipywidgets.Select(
                    rows=ROWS, layout=ipywidgets.Layout(width="100%"), tooltip=text
                )
            else:
                made = ipywidgets.Dropdown(description=text, layout=layout, style=style)
            made.observe(self._teller(name), "value")
            self.of[name] = made
        wrap = ipywidgets.Layout(flex_flow="row wrap")
        self._buttons = ipywidgets.HBox(layout=wrap)
        self._bar = ipywidgets.IntProgress(max=3)
        self._bar.layout = ipywidgets.Layout(width="140px", display="none")
        self._told = ipywidgets.Label()
        self._output = ipywidgets.Output()
        self._box = ipywidgets.VBox(
            [
                ipywidgets.HBox([self.of[n] for n in NAMES[:3]], layout=wrap),
                ipywidgets.HBox([self._bar, self._told]),
                self.of["sentence"],
                ipywidgets.HBox([self.of["support"], self._buttons], layout=wrap),
                self._output,
            ]
        )
        for name in NAMES:
            self._paint(name)
        self._paint_walks()
        self._paint_progress()
        self._paint_page()

    def _teller(self, name: str) -> Callable[[Mapping[str, Any]], None]:
        def tell(change: Mapping[str, Any]) -> None:
            if not self._muted:
                self._picked(name, change["new"])

        return tell

    def _paint(self, name: str) -> None:
        if name in self.of:
            self._muted = True
            self.of[name].options = self._options[name]
            self.of[name].value = self._values[name]
            self._muted = False

    def _paint_walks(self) -> None:
        if not self.of:
            return
        found = []
        for kind, caption, empty, hint in self._walks:
            button = ipywidgets.Button(
                description=caption,
                disabled=empty,
                tooltip=hint,
                layout=ipywidgets.Layout(width="auto"),
            )
            button.on_click(lambda _, kind=kind: self._pressed(kind))
            found.append(button)
        self._buttons.children = found

    def _paint_progress(self) -> None:
        if self.of:
            step, told = self._step
            self._bar.value = step
            self._bar.layout.display = None if step else "none"
            self._told.value = told

    def _paint_page(self) -> None:
        if self.of and self._page is not None:
            shown = {
                "output_type": "display_data",
                "data": dict(self._page._repr_mimebundle_()),
                "metadata": {},
            }
            self._output.outputs = (shown,)
