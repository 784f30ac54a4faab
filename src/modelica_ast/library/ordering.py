"""Where a class stands among the others of its package: in package.order, or in the text of the package."""

from __future__ import annotations

from collections.abc import Sequence

from modelica_ast.edit.errors import NotFoundError
from modelica_ast.identifiers import nearest, split_name
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.record import Record


class Position(Record):
    """Before or after another element of the package; at the end if neither is said."""

    before: str | None = None
    after: str | None = None

    def refuse_both(self) -> None:
        """LibraryError if two places are named."""
        if self.before is not None and self.after is not None:
            raise LibraryError(f"a class can't stand before '{self.before}' and after '{self.after}': name one of them")

    @property
    def neighbour(self) -> str | None:
        """The element that is named."""
        return self.before if self.before is not None else self.after


def put_in_order(libraries: Libraries, holder: FileEntry, name: str, position: Position) -> None:
    """Name a class in the package.order of its package, if there is one; inside a transaction."""
    if holder.order is not None:
        libraries.set_order(holder, _with_name(holder, holder.order, name, position))
    elif position.neighbour is not None:
        raise LibraryError(f"'{holder.full_name}' has no package.order: its classes have no order to stand in")


def _with_name(holder: FileEntry, order: Sequence[str], name: str, position: Position) -> list[str]:
    rest = [each for each in order if each != name]
    neighbour = position.neighbour
    if neighbour is None:
        return [*rest, name]
    if neighbour not in rest:
        where = f"package.order of '{holder.full_name}'"
        raise NotFoundError(f"there is no '{neighbour}' in the {where}{nearest(neighbour, rest)}")
    place = rest.index(neighbour) + (position.before is None)
    return [*rest[:place], name, *rest[place:]]


def reorder(libraries: Libraries, name: str, position: Position) -> None:
    """Put a class into another place of the package that it is in; inside a transaction."""
    if position.neighbour is None:
        return
    library, entry, rest = libraries.entry_of(name)
    own, parent = split_name(name)[-1], ".".join(split_name(name)[:-1])
    holder = library.file_of(parent)
    if holder is not None and holder.folder is not None and (not rest or holder.order is not None):
        put_in_order(libraries, holder, own, position)
    else:
        handle = libraries.document(entry).find_class(".".join([entry.name, *rest]))
        handle.move(before=position.before, after=position.after)
