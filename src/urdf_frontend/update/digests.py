"""Digests of generated files. How lines end does not count in texts: git may change that on the way."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import Final

_TEXTS: Final = frozenset({".mo", ".order", ".svg", ".urdf", ".names"})


def is_modelica(path: str) -> bool:
    """Is this a file that is merged as Modelica, or a package.order?"""
    return PurePosixPath(path).suffix in {".mo", ".order"}


def digest(path: str, data: bytes) -> str:
    """The SHA-256 of a file."""
    if PurePosixPath(path).suffix in _TEXTS:
        data = data.replace(b"\r\n", b"\n")
    return hashlib.sha256(data).hexdigest()
