# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a page: a sandboxed frame, and a picture in its stead.

A live or trusted notebook shows the frame; one that is not trusted loses the
frame and its style sheet, and the picture behind it appears; a viewer without
HTML shows the outline.

JupyterLab says on the page whether its theme is light. The style sheet hands that
to the frame as its color-scheme, and the page inside sees it as the system's
setting: no script takes part, and where nothing is said it is the system's.
"""

from __future__ import annotations

import base64
import gzip
import html
import itertools

_TOKENS = itertools.count(1)
"""A counter, not a random number: the same notebook run again has the same bytes."""

_OPENER = (
    "<!doctype html><meta charset=utf-8>"
    # Without it a dark frame is white until the page is unpacked.
    '<meta name=color-scheme content="light dark">'
    "<p id=m></p><script>(async()=>{{try{{"
    'const b=Uint8Array.from(atob("{packed}"),c=>c.charCodeAt(0));'
    "const t=await new Response(new Blob([b]).stream().pipeThrough("
    'new DecompressionStream("gzip"))).text();'
    "document.open();document.write(t);document.close()"
    '}}catch(e){{document.getElementById("m").textContent={sorry}}}}})()</script>'
)
"""A page that unpacks the page: a third of the bytes in the notebook file."""


def token() -> str:
    """Return a name for the next frame of this process."""
    return f"smemkit-{next(_TOKENS)}"


def frame(
    page: str, picture: str, *, name: str, height: int, title: str, sorry: str
) -> str:
    """Return the HTML of one output cell.

    Parameters
    ----------
    page, picture : str
        The interactive page and the still SVG.
    name : str
        Tells this frame from the others of the notebook.
    height : int
        Pixels.
    title : str
        What the frame shows, for a screen reader and as the picture's text.
    sorry : str
        What a browser shows that cannot unpack the page.
    """
    packed = base64.b64encode(gzip.compress(page.encode(), 9, mtime=0)).decode()
    quoted = '"' + sorry.replace("\\", "").replace('"', "") + '"'
    opener = html.escape(_OPENER.format(packed=packed, sorry=quoted))
    still = base64.b64encode(picture.encode()).decode()
    text = html.escape(title)
    return (
        f'<style>iframe[data-x="{name}"]+img{{display:none}}'
        f'[data-jp-theme-light="true"] iframe[data-x="{name}"]{{color-scheme:light}}'
        f'[data-jp-theme-light="false"] iframe[data-x="{name}"]{{color-scheme:dark}}'
        f"</style>"
        f'<iframe data-x="{name}" sandbox="allow-scripts" title="{text}" '
        f'style="width:100%;height:{height}px;border:1px solid rgba(128,128,128,.4);'
        f'border-radius:6px" srcdoc="{opener}"></iframe>'
        f'<img alt="{text}" style="max-width:100%" src="data:image/svg+xml;base64,{still}">'
    )
