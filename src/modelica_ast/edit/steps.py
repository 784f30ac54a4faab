"""Steps that can be taken back: a transaction over one owner of a state or over many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from modelica_ast.edit.errors import EditError


class Owner(Protocol):
    """Something whose state is one immutable value."""

    @property
    def state(self) -> Any:
        """What it is now."""

    def restore(self, state: Any) -> None:
        """Be what it was."""


_States = dict[Owner, Any]


class Changes:
    """How often something may have changed; what was found out before the last time is out of date."""

    count = 0


class Steps:
    """What was done and what was undone. A document has its own; the documents of a workspace share one."""

    def __init__(self) -> None:
        self.changes = Changes()
        self._undo: list[_States] = []  # the states before each step, of those it changed
        self._redo: list[_States] = []
        self._open: list[_States] = []  # the states before each transaction that is going on, the outermost first

    @contextmanager
    def transaction(self, owner: Owner) -> Iterator[None]:
        """All changes of this owner, and of those that join while it lasts, as one step; none if it fails."""
        before: _States = {owner: owner.state}
        self._open.append(before)
        try:
            yield
        except BaseException:
            for changed, state in before.items():
                changed.restore(state)
            raise
        finally:
            self._open.pop()
            self.changes.count += 1
        changes = {changed: state for changed, state in before.items() if changed.state is not state}
        if self._open:
            self._open[-1].update(
                {changed: state for changed, state in changes.items() if changed not in self._open[-1]}
            )
        elif changes:
            self._undo.append(changes)
            self._redo.clear()

    def undo(self) -> None:
        """Take the last step back."""
        self._step(self._undo, self._redo, "undo")

    def redo(self) -> None:
        """Do again what was undone last."""
        self._step(self._redo, self._undo, "redo")

    def _step(self, source: list[_States], target: list[_States], what: str) -> None:
        if self._open:
            raise EditError(f"there is no {what} inside a transaction: leave it by an exception to take it back")
        if not source:
            raise EditError(f"there is nothing to {what}")
        states = source.pop()
        target.append({owner: owner.state for owner in states})
        self.changes.count += 1
        for owner, state in states.items():
            owner.restore(state)
