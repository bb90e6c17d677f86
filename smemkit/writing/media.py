# SPDX-License-Identifier: Apache-2.0
"""What kind of file a name suggests."""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath

# What the standard library knows differs between machines and releases.
_TYPES = {
    ".csv": "text/csv",
    ".geojson": "application/geo+json",
    ".h5": "application/x-hdf5",
    ".html": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".npy": "application/x-npy",
    ".npz": "application/x-npz",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".pkl": "application/octet-stream",
    ".png": "image/png",
    ".py": "text/x-python",
    ".r": "text/x-r",
    ".rds": "application/x-rds",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def media_type_of(path: str) -> str | None:
    """Return the media type a file's name suggests, or None.

    Examples
    --------
    >>> media_type_of("report.md"), media_type_of("a/b.PARQUET"), media_type_of("x")
    ('text/markdown', 'application/vnd.apache.parquet', None)
    """
    suffix = PurePosixPath(path).suffix.lower()
    return _TYPES.get(suffix) or mimetypes.guess_type("x" + suffix, strict=False)[0]
