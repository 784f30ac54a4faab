"""How a package is compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import field, frozen

# The time to compile a robot grows with about the cube of its links: a minute for 30, many hours for 200.
LINKS_AT_ONCE: Final = 20


@frozen(kw_only=True)
class VerifyOptions:
    """All options; each has a default.

    `free_base` lets the root link move freely; None does as the package was built. `seconds` is the longest free
    motion, 0 for none. A robot with more links than `links_at_once` is compared in parts of at most so many; 0 is for
    the whole robot, however large. `libraries` are folders in which the package's libraries are looked for first.
    `backend` is the compiler, `rumoca` or `omc`. `timeout` is in seconds, for each compilation and for each run.
    `progress` is called with how many of the steps are done.
    """

    configurations: int = 3
    seed: int = 0
    seconds: float = 1.0
    free_base: bool | None = None
    links_at_once: int = LINKS_AT_ONCE
    libraries: tuple[Path, ...] = ()
    backend: str = "rumoca"
    timeout: float | None = None
    progress: Callable[[int, int], None] | None = field(default=None, repr=False)
