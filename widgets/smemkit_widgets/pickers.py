# SPDX-License-Identifier: Apache-2.0
"""Pickers: the ipywidgets of a panel, and no more than that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import ipywidgets

NAMES = ("session_id", "report", "verdict", "sentence", "support")
"""The choices, from the outside in."""

ROWS = 9
"""Sentences the list shows at once."""

Option = tuple[str, Any]


class Pickers:
    """The widgets of a panel.

    Parameters
    ----------
    words : Mapping
        The captions, of `smemkit.views.strings`.
    picked : callable
        Told the name of a choice and its value when a person made it.
    """

    def __init__(
        self, words: Mapping[str, str], picked: Callable[[str, Any], None]
    ) -> None:
        self._muted = False
        layout = ipywidgets.Layout(flex="1 1 240px", width="auto")
        style = {"description_width": "initial"}
        captions = ("session", "report", "verdict", "sentences", "rests_on")
        self.of: dict[str, Any] = {}
        for name, caption in zip(NAMES, captions, strict=True):
            text = words[f"panel.{caption}"]
            if name == "sentence":
                made = ipywidgets.Select(
                    rows=ROWS, layout=ipywidgets.Layout(width="100%"), tooltip=text
                )
            else:
                made = ipywidgets.Dropdown(description=text, layout=layout, style=style)
            made.observe(self._teller(name, picked), "value")
            self.of[name] = made
        self._buttons = ipywidgets.HBox(layout=ipywidgets.Layout(flex_flow="row wrap"))
        self._progress = ipywidgets.IntProgress(
            max=3, layout=ipywidgets.Layout(width="140px", display="none")
        )
        self._told = ipywidgets.Label()
        self._page = ipywidgets.Output()
        wrap = ipywidgets.Layout(flex_flow="row wrap")
        self.widget = ipywidgets.VBox(
            [
                ipywidgets.HBox([self.of[n] for n in NAMES[:3]], layout=wrap),
                ipywidgets.HBox([self._progress, self._told]),
                self.of["sentence"],
                ipywidgets.HBox([self.of["support"], self._buttons], layout=wrap),
                self._page,
            ]
        )

    def _teller(
        self, name: str, picked: Callable[[str, Any], None]
    ) -> Callable[[Mapping[str, Any]], None]:
        def tell(change: Mapping[str, Any]) -> None:
            if not self._muted:
                picked(name, change["new"])

        return tell

    def offered(self, name: str) -> list[Any]:
        """Return the values that can be chosen."""
        return [value for _, value in self.of[name].options]

    def offer(self, name: str, options: Sequence[Option], value: Any) -> None:
        """Give a picker its options, and show which one is chosen."""
        self._muted = True
        self.of[name].options = list(options)
        self.of[name].value = value
        self._muted = False

    def choose(self, name: str, value: Any) -> None:
        """Show another choice."""
        self._muted = True
        self.of[name].value = value
        self._muted = False

    def buttons(
        self,
        made: Iterable[tuple[str, str, bool, str]],
        pressed: Callable[[str], None],
    ) -> None:
        """Show a button for each walk: its kind, caption, whether empty, and a hint."""
        found = []
        for kind, caption, empty, hint in made:
            button = ipywidgets.Button(
                description=caption,
                disabled=empty,
                tooltip=hint,
                layout=ipywidgets.Layout(width="auto"),
            )
            button.on_click(lambda _, kind=kind: pressed(kind))
            found.append(button)
        self._buttons.children = found

    def progress(self, step: int, told: str) -> None:
        """Say what is under way; step 0 means that nothing is."""
        self._progress.value = step
        self._progress.layout.display = None if step else "none"
        self._told.value = told

    def show(self, page: object) -> None:
        """Put a page below the pickers, in place of the one before."""
        self._page.outputs = ()
        self._page.append_display_data(page)
