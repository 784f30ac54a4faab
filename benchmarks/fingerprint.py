"""Which code was measured: numbers of a package that somebody edits meanwhile belong to no version of it."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path


def folder_of(package: str) -> Path:
    """Where an installed package is."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"{package} is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def fingerprint() -> str:
    """The version of our package and a checksum of its files, the grammar included."""
    checksum = hashlib.sha256()
    for package in ("modelica_ast", "modelica_ast._grammar"):
        folder = folder_of(package)
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.lark")]):
            checksum.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return f"modelica_ast {version('modelica-ast')}, files {checksum.hexdigest()[:12]}"
