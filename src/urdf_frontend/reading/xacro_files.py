"""xacro files, expanded by the package `xacro`, which is an extra."""

from __future__ import annotations

import contextlib
import importlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from urdf_frontend.diagnostics import Findings
from urdf_frontend.model.places import NOWHERE

FindPackage = Callable[[str], Path | None]

# xacro keeps its files and arguments in module variables.
_LOCK: Final = threading.Lock()


def expand(path: Path, arguments: Mapping[str, str], find_package: FindPackage, findings: Findings) -> str | None:
    """The URDF text of a xacro file; None if that can't be had, and the findings say why.

    Expressions in xacro files are Python: expand only files that you trust.
    """
    try:
        xacro: Any = importlib.import_module("xacro")
        substitution: Any = importlib.import_module("xacro.substitution_args")
    except ImportError:
        message = "this is a xacro file, and the package xacro, which expands it, is not installed"
        findings.report("urdf-xacro-missing", NOWHERE, message, "pip install 'modelica-ast[xacro]'")
        return None
    noise = io.StringIO()
    with _LOCK, _finding(substitution, find_package):
        try:
            with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
                expanded = xacro.process_file(str(path), mappings=dict(arguments))
                return str(expanded.toprettyxml(indent="  "))
        except (Exception, SystemExit) as wrong:  # noqa: BLE001  (the expressions in the file may raise anything)
            reason = " ".join(str(wrong).split()) or type(wrong).__name__
            findings.report("urdf-xacro-failed", NOWHERE, f"xacro can't expand it: {reason[:300]}")
            return None


@contextlib.contextmanager
def _finding(substitution: Any, find_package: FindPackage) -> Iterator[None]:
    """Let `$(find arm_description)` find packages as meshes do; xacro alone needs an installed ROS for that."""
    own = substitution._eval_find  # noqa: SLF001  (xacro has no other way)

    def find(name: str) -> str:
        folder = find_package(name)
        if folder is None:
            raise ValueError(f"the package '{name}' is not found")
        return str(folder)

    substitution._eval_find = find  # noqa: SLF001
    try:
        yield
    finally:
        substitution._eval_find = own  # noqa: SLF001
