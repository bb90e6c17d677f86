# SPDX-License-Identifier: Apache-2.0
"""Which links are the same page: the key of a Paper or WebPage (design §5.9).

Our key keeps what tells two pages apart, the query string and the case of the
path, and drops what does not: the ways to write one DOI, ``http``, user
information, default ports, trailing slashes, the fragment. The app's key drops
the query and lower-cases all; it is computed here to find what the app stored.

No text raises: one that is no link is its own key, trimmed.
"""

from __future__ import annotations

import re
from urllib.parse import uses_netloc

DOI = "https://doi.org/"
DOI_HOSTS = ("doi.org", "dx.doi.org", "www.doi.org")

_BARE_DOI = re.compile(r"(?s)10\.[^/\s]+/.*\S")
_DOI_SCHEMES = re.compile(r"\A(?:[Dd][Oo][Ii]:/*\s*)+")
_SCHEME = re.compile(r"(?s)([A-Za-z][A-Za-z0-9+.-]*):(.*)\Z")
_PORT = re.compile(r"[0-9]{1,5}(?:[/?#]|\Z)")
_BRACKETED = re.compile(r"\[[^\[\]\s]+\](?::[0-9]*)?\Z")
_SLASH = re.compile("%2f", re.IGNORECASE)
_CONTROLS = "".join(map(chr, range(33)))
_LINE_ENDS = str.maketrans("", "", "\t\r\n")
_PASSES = 8


def link_key(text: str) -> str:
    """Return the key under which a link is stored.

    Parameters
    ----------
    text : str
        A URL, with or without scheme, or a DOI in any of its forms.

    Returns
    -------
    str
        Applying this again changes nothing. A text that is no link comes back
        trimmed.

    Examples
    --------
    >>> link_key("10.1/X") == link_key("http://dx.doi.org/10.1/x/") == link_key("doi:10.1/X")
    True
    >>> link_key("HTTP://me@A.org.:80/View/?id=B#top"), link_key("a.org/x")
    ('https://a.org/View?id=B', 'https://a.org/x')
    """
    key = given = text.strip()
    for _ in range(_PASSES):
        better = _simpler(key)
        if better is None:
            return given
        if better == key:
            return key
        key = better
    return given


def has_query(text: str) -> bool:
    """Return whether a link says more than its path, which the app's key drops."""
    return "?" in link_key(text)


def candidates(text: str) -> tuple[str, ...]:
    """Return the keys under which a link may be stored, the likeliest first.

    The text as given, our key, the two forms the app gives a link without
    scheme, the app's key, and for a DOI the app's second host.

    Examples
    --------
    >>> candidates("A.org/x")
    ('A.org/x', 'https://a.org/x', 'https:///a.org/x', 'https:a.org/x')
    """
    key = link_key(text)
    found = [text, text.strip(), key]
    plain = app_link_key(key)
    if plain.startswith("https://"):
        bare = plain.removeprefix("https://").lstrip("/")
        found += [f"https:///{bare}", f"https:{bare}"]
    found += [*app_link_keys(text), plain]
    if key.startswith(DOI):
        found.append("https://dx.doi.org/" + plain.removeprefix(DOI))
    return tuple(dict.fromkeys(each for each in found if each))


def app_link_key(text: str) -> str:
    """Return the key the app gives a link (contract/writes.md §5).

    Examples
    --------
    >>> app_link_key("HTTP://A.org/X/?q=1"), app_link_key("10.1/X")
    ('https://a.org/x', 'https://doi.org/10.1/x')
    """
    return app_link_keys(text)[0]


def app_link_keys(text: str) -> tuple[str, ...]:
    """Return the app's key, for a link without scheme both forms there are.

    Which one the app wrote depends on the Python it ran on: up to 3.12.5 the
    first, later the second.

    Examples
    --------
    >>> app_link_keys("a.org/x")
    ('https:///a.org/x', 'https:a.org/x')
    """
    trimmed = text.strip()
    lowered = trimmed.lower()
    for prefix in ("doi:", "doi.org/"):
        if lowered.startswith(prefix):
            return (DOI + trimmed[len(prefix) :].strip().lower(),)
    if lowered.startswith("10.") and "/" in lowered:
        return (DOI + lowered,)
    return _app_url_keys(trimmed) if trimmed else ("",)


def _app_url_keys(text: str) -> tuple[str, ...]:
    rest = text.lstrip(_CONTROLS).translate(_LINE_ENDS)
    found = _SCHEME.match(rest)
    scheme, rest = (found[1].lower(), found[2]) if found else ("", rest)
    scheme = "https" if scheme in ("", "http") else scheme
    authority, has_authority = "", rest.startswith("//")
    if has_authority:
        authority = re.split("[/?#]", rest[2:], maxsplit=1)[0]
        rest = rest[2 + len(authority) :]
    path = rest.partition("#")[0].partition("?")[0].rstrip("/")
    host = authority.rpartition("@")[2].rstrip(".")
    name, colon, port = host.rpartition(":")
    if colon and _is_port(port, "443") and scheme == "https":
        host = name
    if host:
        path = path if not path or path.startswith("/") else f"/{path}"
        return (f"{scheme}://{host}{path}".lower(),)
    later = f"{scheme}:{path}".lower()
    if scheme not in uses_netloc or path.startswith("//"):
        return (later,)
    if not path or path.startswith("/"):
        return (f"{scheme}://{path}".lower(),)
    return (f"{scheme}:///{path}".lower(), later)


def _is_port(text: str, number: str) -> bool:
    return text.isascii() and text.isdigit() and text.lstrip("0") == number


def _simpler(text: str) -> str | None:
    """Take one step towards the key; None for what is no link."""
    text = text.translate(_LINE_ENDS).lstrip(_CONTROLS).strip()
    text = _DOI_SCHEMES.sub("", text, count=1)
    if _BARE_DOI.fullmatch(text):
        text = DOI + text
    scheme, rest = _split_scheme(text)
    rest, _, _ = rest.partition("#")
    if scheme in ("http", "https"):
        return _web_key(rest.lstrip("/"), was_http=scheme == "http")
    rest, question, query = rest.partition("?")
    tail = question + query if query else ""
    if scheme and not rest.startswith("//"):
        rest = rest.rstrip("/")
        return f"{scheme}:{rest}{tail}" if rest else None
    if not scheme and not rest.startswith("//") and not _may_be_a_host(rest):
        return None
    if not scheme:
        return _web_key(rest.lstrip("/") + tail, was_http=False)
    authority, slash, path = rest[2:].partition("/")
    host = _host(authority, ())
    path = (slash + path).rstrip("/")
    return None if host is None else f"{scheme}://{host}{path}{tail}"


def _split_scheme(text: str) -> tuple[str, str]:
    found = _SCHEME.match(text)
    if found is None:
        return "", text
    scheme, rest = found[1].lower(), found[2]
    # A host with a port looks like a scheme: localhost:8888/tree, a.org:8080.
    if ("." in scheme or scheme == "localhost") and _PORT.match(rest):
        return "", text
    return scheme, rest


def _may_be_a_host(text: str) -> bool:
    first, slash, _ = text.partition("/")
    return bool(first) and bool(slash or "." in first or ":" in first)


def _web_key(rest: str, *, was_http: bool) -> str | None:
    """Return the key of what follows ``https://``."""
    rest, _, query = rest.partition("?")
    authority, slash, path = rest.partition("/")
    host = _host(authority, ("80", "443") if was_http else ("443",))
    if host is None:
        return None
    path = (slash + path).rstrip("/")
    if host in DOI_HOSTS:
        name = _SLASH.sub("/", path.lstrip("/"))
        if _BARE_DOI.fullmatch(name):
            host, path = "doi.org", "/" + name.lower()
    return f"https://{host}{path}" + (f"?{query}" if query else "")


def _host(authority: str, default_ports: tuple[str, ...]) -> str | None:
    """Return a host as it is compared; None if there is none."""
    host = authority.rpartition("@")[2].strip().lower()
    if ("[" in host or "]" in host) and not _BRACKETED.match(host):
        return None
    name, colon, port = host.rpartition(":")
    if colon and not port.endswith("]"):
        kept = port and not any(_is_port(port, each) for each in default_ports)
        host = name.rstrip(".") + (f":{port}" if kept else "")
    host = host.rstrip(".")
    return host if host and not any(map(str.isspace, host)) else None
