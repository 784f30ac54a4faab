"""Whether a class can be moved: what is bound to its place stays there, and every name means the same afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import node_at
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import token_text
from modelica_ast.library.class_files import classes_of, lookup_of
from modelica_ast.library.derived_classes import derived_classes
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Tally
from modelica_ast.library.references import Uses, declared_as
from modelica_ast.library.relinking import Looker, Name, full_name, names_in, opened_fully
from modelica_ast.semantics.definitions import Target, with_inner
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.lookup import Found, is_called_by_language
from modelica_ast.semantics.meanings import is_replaceable
from modelica_ast.semantics.occurrences import LOCAL, Occurrence
from modelica_ast.tables import KINDS

_BINDING: Final = ("redeclare", "replaceable", "inner", "outer")
_NOWHERE: Final = ""


def refuse_bound(libraries: Libraries, name: str, package: str) -> None:
    """Refuse a class that others redeclare or repeat where it is, or that inherits from the package it shall go to."""
    class_ = _class(declared_as(libraries, name))
    written = class_.written
    assert written is not None
    if is_called_by_language(declared_as(libraries, name)):
        raise LibraryError(f"'{name}' can't be moved: the language looks for it where it is")
    words = [word for word in _BINDING if word in written.prefixes]
    if words or written.is_class_extends:
        how = f"it is declared '{words[0]}'" if words else "it extends the class that is inherited under its name"
        raise LibraryError(f"'{name}' can't be moved: {how}, which has a meaning only where it is")
    around = class_.around
    for derived in derived_classes(libraries, around.written) if around is not None and around.written else ():
        if derived.written is not None and written.name in derived.written.classes:
            raise LibraryError(f"'{name}' can't be moved: '{derived.full_name}', which inherits it, declares it again")
    target: Environment | None = _class(declared_as(libraries, package))
    holders = set()
    while target is not None:
        holders.add(target.written)
        target = target.around
    for inner in with_inner([written]):
        for part in classes_of(libraries).as_written(inner).ancestry():
            if part.written is not None and part.written in holders:
                raise LibraryError(f"'{name}' can't be moved into '{package}': it inherits from '{part.full_name}'")


def refuse_inherited_uses(libraries: Libraries, name: str, foreign: dict[str, list[Name]]) -> None:
    """Refuse a class that uses what classes that inherit it may change: constants, and what is replaceable."""
    parent = ".".join(split_name(name)[:-1])
    around = _class(declared_as(libraries, parent))
    if around.written is None:
        return
    used = {item.stands_for for names in foreign.values() for item in names}
    changeable = [each for each in sorted(used) if _is_changeable(libraries, around, each)]
    derived = derived_classes(libraries, around.written) if changeable else []
    if derived:
        raise LibraryError(
            f"'{name}' can't be moved: it uses '{changeable[0]}', and '{derived[0].full_name}', which inherits both, "
            "may have another one"
        )


def _is_changeable(libraries: Libraries, around: Environment, name: str) -> bool:
    """Is something an element that the class around has, and may it be another one in classes that inherit it?"""
    found = declared_as(libraries, name)
    if not isinstance(found, Member) or around.member(found.name) is None:
        return False
    return around.member(found.name) is found and (not found.is_class or is_replaceable(found))


class Meanings(NamedTuple):
    """How often names stand for what, by full names; '' is nowhere."""

    named: Counter[str]  # everywhere, those that are called like the class and stand for something else
    inside: Counter[str]  # all dotted names in the class itself

    def renamed(self, rename: Callable[[str], str]) -> Meanings:
        """The same after something has got other names."""
        return Meanings(*(Counter({rename(name): count for name, count in each.items()}) for each in self))


def meanings_around(libraries: Libraries, name: str, tally: Tally) -> Meanings:
    """What the names in a class stand for, and everywhere those that are called like it."""
    lookup = lookup_of(libraries)
    named: Counter[str] = Counter()
    uses = Uses(libraries, [split_name(name)[-1]], tally)
    for place, written in uses.opened.items():
        for path in {_last_part(written.root, each) for each in written.places}:
            target = Occurrence(lookup, written.root, Target(place, path)).target()
            if target != LOCAL:
                named[_NOWHERE if target is None else full_name(lookup, target)] += 1
    del named[name]  # a file may say less often where it is
    inside: Counter[str] = Counter()
    _, entry, rest = libraries.entry_of(name)
    for file in list(entry.walk()) if not rest else [entry]:
        document = libraries.document(file)
        definition = document.work.find_class(".".join([file.name, *(rest if file is entry else [])])).path
        opened = opened_fully(document, definition)
        looker = Looker(libraries, {file.path: opened.root})
        for _, kind, parts in names_in(opened.root, definition):
            if kind != "name":
                target = looker.target(file.path, parts[-1])
                inside[_NOWHERE if target is None else full_name(looker.lookup, target)] += 1
    return Meanings(named, inside)


def _last_part(root: Any, path: TreePath) -> TreePath:
    """The last part of the dotted name that an identifier is in: what the name as a whole stands for."""
    parent = node_at(root, path[:-1])
    if KINDS[parent[0]] not in ("name", "type_specifier", "component_reference"):
        return path
    return (*path[:-1], max(i for i, part in enumerate(parent) if type(part) is str and token_text(part) != "."))


def refuse_other_meanings(name: str, new: str, before: Meanings, after: Meanings) -> None:
    """Refuse a move after which a name means something else: it has been made, and is taken back."""
    for one, other in zip(before, after, strict=True):
        if one != other:
            gone = [each or "nothing" for each in one - other] or [new]
            come = [each or "nothing" for each in other - one] or [new]
            raise LibraryError(
                f"'{name}' can't be moved there: a name that stands for {gone[0]} would stand for {come[0]}"
            )


def _class(found: Found) -> Environment:
    class_ = found.environment if isinstance(found, Member) else found
    assert isinstance(class_, Environment)
    return class_
