"""What the commands about recipes share: values of parameters, and the files of a recipe as a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from modelica_ast.cli.exits import CommandError, writing
from modelica_ast.cli.session import Session

if TYPE_CHECKING:
    from modelica_ast.edit import Document
    from modelica_ast.files import FileWrite
    from modelica_ast.recipes import Target


def parameters_of(texts: Iterable[str]) -> dict[str, str]:
    """`name=value` words as parameters."""
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise CommandError(f"'{text}' is no parameter: write name=value")
        if name in values:
            raise CommandError(f"the parameter '{name}' is given twice")
        values[name] = value
    return values


class TargetSession(Session):
    """The files that a recipe is applied to, for what shows and writes changes."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self._target = target

    @property
    def opened(self) -> list[Document]:
        """The documents that were opened."""
        return list(self._target.workspace.documents)

    def _writes(self) -> Iterator[FileWrite]:
        yield from self._target.workspace.writes()

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        with writing():
            self._target.save(force=force)
