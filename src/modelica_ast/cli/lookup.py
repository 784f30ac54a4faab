"""The look-up as commands ask it: what a class inherits, where values come from, whether what is named is there.

PERF: it is imported when something is asked that the class itself does not tell. Libraries are opened when a name
leads into them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.address import Found, Inherited
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.places import settle, shortened
from modelica_ast.cli.terminal import tell
from modelica_ast.foundation import NotFoundError, Record, closest, nearest, split_name
from modelica_ast.library import LibraryError, Shelf, Surroundings
from modelica_ast.semantics import ComponentInstance, Environment, Instance, Member, Modifier
from modelica_ast.tree import Component, ComponentClause1, ExtendsClause

if TYPE_CHECKING:
    from modelica_ast.edit import ClassHandle, Document
    from modelica_ast.rules import Finding, Place
    from modelica_ast.tree import StoredDefinition, View


class Origin(Record):
    """Where a value comes from."""

    text: str  # the value as it is written
    kind: str  # `modifier`, `default`, or `inherited` for a default of a base class
    class_name: str  # the class that it is written in
    file: Path | None
    line: int
    is_here: bool  # written in the class that was asked

    def __str__(self) -> str:
        if self.kind == "modifier":
            return "modifier here" if self.is_here else f"modifier in {self.class_name}"
        return f"inherited from {self.class_name}" if self.kind == "inherited" else f"default in {self.class_name}"

    @property
    def sentence(self) -> str:
        """The same for a note."""
        start = {"modifier": "set by a ", "default": "the ", "inherited": ""}[self.kind]
        return f"{self.text} is {start}{self}, {self.place}"

    @property
    def place(self) -> str:
        """File and line."""
        return shortened(f"{'<standard input>' if self.file is None else self.file}:{self.line}")


class Lookup:
    """Documents in their places. PERF: those of one folder share their libraries, in every state of theirs."""

    def __init__(self, named: Iterable[str]) -> None:
        self._named = tuple(named)  # libraries that go before all others
        self._shelves: dict[Path, Shelf] = {}
        self._before: dict[Shelf, Surroundings] = {}

    def of(self, document: Document, others: Iterable[StoredDefinition]) -> Surroundings:
        """A document in its place, with the libraries that names in it lead into; `others` are not saved yet."""
        file = document.tree.file
        shelf = self._shelf(Path() if file is None or not file.parent.is_dir() else file.parent)
        before = self._before.get(shelf)
        found = Surroundings(document.tree, shelf, others=others, opening=_settle, before=before)
        self._before[shelf] = found
        return found

    def _shelf(self, folder: Path) -> Shelf:
        if folder not in self._shelves:
            try:
                self._shelves[folder] = Shelf(self._named, around=[folder])
            except LibraryError as error:
                raise CommandError(f"--library {error}") from None
        return self._shelves[folder]


def _settle(path: Path) -> None:
    settle([path])


def class_of(handle: ClassHandle, surroundings: Surroundings) -> Environment:
    """A class of a document as the look-up sees it."""
    found = surroundings.environment(handle.name)
    assert found is not None, "the class is in the document"
    return found


# ---------------------------------------------------------------- what is inherited


def inherited_in(handle: ClassHandle, names: list[str], surroundings: Surroundings) -> Found | None:
    """Something that a class inherits, with the extends clause that brings it.

    NotFoundError names the nearest if there surely is no such component, None if nobody knows.
    """
    around = class_of(handle, surroundings)
    for base in around.bases:
        clause = base.type.parent
        member = None if base.environment is None else base.environment.member(names[0])
        if member is not None and not member.is_class and isinstance(clause, ExtendsClause):
            declared = f"'{member.owner.full_name}' ({_place_of(member.identifier)})"
            inherited = Inherited(base=str(clause.type), declared=declared)
            return Found(handle, names[0], ".".join(names[1:]), inherited)
    if not around.is_complete:
        return None
    known = {member.name: member for member in around.members() if not member.is_class}
    near = closest(names[0], known)
    where = f" ({_place_of(known[near].identifier)})" if near else ""
    raise NotFoundError(f"no component '{names[0]}' in '{handle.name}'{nearest(names[0], known)}{where}")


def _place_of(view: View) -> str:
    return shortened(f"{view.root.file}:{view.position.line}")


# ---------------------------------------------------------------- values


def value_at(found: Found, surroundings: Surroundings) -> Origin | None:
    """The value that counts of a component or of something in it; None if it has none."""
    assert found.component is not None
    around = class_of(found.handle, surroundings)
    path = [found.component, *(split_name(found.modifier) if found.modifier else [])]
    top = Instance(around)
    part = top.get(".".join(path))
    if part is not None:
        return origin_of(part, part.modifiers.get("="), around)
    holder = top.get(".".join(path[:-1])) if len(path) > 1 else None
    return None if holder is None else origin_of(holder, holder.modifiers.get(path[-1]), around)


def origin_of(part: ComponentInstance, modifier: Modifier[Environment] | None, here: Environment) -> Origin | None:
    """Where the value of a component comes from, seen from a class; None without a value."""
    if modifier is None or modifier.value is None or modifier.is_break:
        return None
    member = part.member
    kind = "modifier"
    if modifier.view == _own_modification(member):
        parent = part.parent.environment
        is_own = parent is not None and parent.written is member.owner.written
        kind = "default" if is_own else "inherited"
    text = " ".join((modifier.value.text + "".join(f".{name}" for name in modifier.member)).split())
    view, scope = modifier.view, modifier.scope
    is_here = scope.written is here.written
    return Origin(text, kind, scope.full_name, view.root.file, view.position.line, is_here)


def _own_modification(member: Member) -> View | None:
    """What follows the name in the declaration that counts."""
    declared = member.current
    if isinstance(declared, ComponentClause1):
        return declared.declaration.modification
    return declared.modification if isinstance(declared, Component) else None


# ---------------------------------------------------------------- what is not there


def judge(surroundings: Surroundings, before: StoredDefinition, *, strict: bool, force: bool, quiet: bool) -> list[str]:
    """What edits of a document name that is not there: CommandError if it is refused, else a warning for each.

    It is refused where the declaration that settles it is in the same file. What is elsewhere may be another
    version on another machine.
    """
    from modelica_ast.rules import check_edits  # noqa: PLC0415  (PERF: who only looks does without)

    found = check_edits(surroundings, before)
    own = surroundings.tree.file
    refused = [finding for finding in found if not force and (strict or _is_settled(finding, own))]
    if refused:
        told = "\n".join(_sentence(finding) for finding in refused)
        raise CommandError(f"{told}\nNothing was written; --force writes it anyway.")
    warnings = [_sentence(finding) for finding in found]
    for warning in warnings:
        tell(f"warning: {warning}", quiet=quiet)
    return warnings


def _is_settled(finding: Finding, own: Path | None) -> bool:
    if finding.severity != "error":
        return False
    about = finding.about
    return about is None or about.path == own or (own is not None and about.path == own.resolve())


def _sentence(finding: Finding) -> str:
    hint = f"; {finding.hint}" if finding.hint else ""
    if finding.near is not None:
        hint = f"{hint} ({_shown(finding.near)})"
    elif finding.about is not None and not hint:
        hint = f" ({_shown(finding.about)})"
    return f"{finding.message}{hint}"


def _shown(place: Place) -> str:
    return shortened(f"{'<standard input>' if place.path is None else place.path}:{place.line}")
