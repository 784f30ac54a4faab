"""How much memory the trees of the whole library take."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus import SourceFile, total_size

from modelica_ast import parse

_STATUS = Path("/proc/self/status")


def measure(files: Sequence[SourceFile], *, eager: bool) -> float | None:
    """Bytes for each byte of source: keep all trees, look how the process has grown; None where there is no /proc.

    To be called in a fresh process. Counted is what the process gains from before the first parse (package
    imported, all texts read) to after the last (all trees kept, garbage collected): green trees and root views,
    leaves, the memo of leaves, the parse states in use, and whatever the allocator can't give back. The texts
    are there before and after, and so do not count: a tree keeps none, it renders its text when asked for it.
    """
    if not _STATUS.exists():
        return None
    texts = [file.text() for file in files]
    size = total_size(files)
    gc.collect()
    before = _resident_bytes()
    trees = [parse(text, strict=eager) for text in texts]
    gc.collect()
    grown = _resident_bytes() - before
    assert len(trees) == len(files)  # they are alive up to here
    return grown / size


def _resident_bytes() -> int:
    for line in _STATUS.read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no VmRSS in {_STATUS}")
