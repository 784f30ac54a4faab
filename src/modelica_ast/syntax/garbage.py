"""Python's garbage collector, which rests while trees are made.

PERF: a parse makes many objects and no cycles; collecting in between costs 5 to 14 %, and a third for a tree that is
loaded. The collector is one for all threads: the first one that comes switches it off, the last one that leaves puts
it back as it was. Each on its own would find it off, leave it off, or switch it on under the others.
"""

from __future__ import annotations

import gc
import os
from _thread import allocate_lock  # PERF: `threading`, which has the same lock, takes longer to import


class _Rest:
    """`with REST:` the collector is off."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._inside = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._was_on = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._was_on:
                gc.enable()

    def forget_threads(self) -> None:
        """After a fork: the threads that were inside are not in this process, and nobody else would wake it."""
        self._lock = allocate_lock()
        if self._inside and self._was_on:
            gc.enable()
        self._inside = 0


REST = _Rest()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=REST.forget_threads)
