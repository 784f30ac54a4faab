"""What a name of a user's library stands for, if that may be something of the library that is converted.

The old library need not be there, and the new one has other names, so neither is looked into: a name that leads
out of the user's libraries, to a root that the rules know, is a full name by itself (`Outside`). What a class
inherits from outside, or imports from there with `.*`, is known only as far as the rules speak of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from modelica_ast.edit.index import composition_path
from modelica_ast.edit.surgery import at
from modelica_ast.green import Node
from modelica_ast.lexer import token_text
from modelica_ast.library.class_files import LibraryFiles, trees_of
from modelica_ast.library.conversion.rules import FullName, Rules
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics.clauses import clauses_of, import_words, imported_name, type_parts
from modelica_ast.semantics.definitions import NOT_OPEN, Absence, Definition, Target
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.tables import KINDS


class Outside(NamedTuple):
    """Something of the old library, by its full name: a class, an element of one, or an instance of one."""

    name: FullName


Meaning = Target | Outside | None


class First(NamedTuple):
    """What the first part of a written name stands for.

    The written name goes on from `anchor`, a full name of the old library that is not written: the base class that
    it is inherited from, the package of a `.*`, nothing for a full name. Or (`is_alias`) the first part itself is
    a name for the anchor, and stays one when its import has been converted.
    """

    meaning: Meaning
    anchor: FullName = ()
    is_alias: bool = False


class UserFiles(LibraryFiles):
    """The files of all libraries but those that the rules are about."""

    def __init__(self, libraries: Libraries, roots: frozenset[str], changed: dict[Path, Node]) -> None:
        super().__init__(libraries, trees_of(changed))
        self._outside = roots

    def top(self, name: str) -> Definition | Absence:
        """The top class of a library."""
        return NOT_OPEN if name in self._outside else super().top(name)


class Names:
    """Lookup in the libraries of users."""

    def __init__(self, lookup: Lookup, rules: Rules, new: Lookup | None = None) -> None:
        self.lookup = lookup
        self.rules = rules
        self._new = new  # lookup in the new library, if it is there
        self._inherited: dict[Target, list[FullName]] = {}
        # PERF: the same names stand in many places.
        self._firsts: dict[tuple[tuple[Target, ...], str], First] = {}
        self._definitions: dict[Target, Target | None] = {}
        self._members: dict[tuple[Target, str], Target | None] = {}
        self._types: dict[Target, Meaning] = {}

    def is_gone(self, name: FullName) -> bool:
        """Is a name certainly not in the new library?"""
        if self._new is None or self._new.resolve_places((), name[:1], is_global=True)[0] is None:
            return False
        return self._new.resolve_places((), name, is_global=True)[-1] is None

    # ------------------------------------------------------------ names

    def first(self, around: Sequence[Target], name: str) -> First:
        """What a simple name stands for, written inside the classes `around`."""
        key = (tuple(around), name)
        known = self._firsts.get(key)
        if known is None:
            known = self._first(around, name)
            self._firsts[key] = known
        return known

    def _first(self, around: Sequence[Target], name: str) -> First:
        for definition in reversed(around):
            found = self._in_class(definition, name)
            if found is not None:
                return found
            first = self.lookup.node(definition)[1]
            if type(first) is str and token_text(first) == "encapsulated":
                break
        return self.top(name)

    def top(self, name: str) -> First:
        """The first part of a full name."""
        if name in self.rules.roots:
            return First(Outside((name,)))
        return First(self.lookup.resolve_places((), [name], is_global=True)[0])

    def _in_class(self, definition: Target, name: str) -> First | None:
        member = self.member(definition, name)
        if member is not None:
            return First(member)
        for base in self.inherited(definition):
            if self.rules.know((*base, name)):
                return First(Outside((*base, name)), base)
        return self._imported(definition, name)

    def _imported(self, definition: Target, name: str) -> First | None:
        # A qualified import goes before `import P.*`, wherever they stand.
        for clause in sorted(self._imports(definition), key=_brings_all_names):
            parts = imported_name(clause, name)
            if parts is None:
                continue
            meaning = self.resolve((), parts, is_global=True)[-1]
            if not isinstance(meaning, Outside):
                if meaning is not None:
                    return First(meaning)
            elif not _brings_all_names(clause):
                return First(meaning, meaning.name, is_alias=True)
            elif self.rules.know(meaning.name):
                return First(meaning, meaning.name[:-1])
        return None

    def _imports(self, definition: Target) -> list[Node]:
        root = self.lookup.classes.files.root(definition.tree)
        body = composition_path(root, definition.path)
        return [] if body is None else clauses_of(at(root, body), "import_clause")

    def resolve(self, around: Sequence[Target], parts: Sequence[str], *, is_global: bool = False) -> list[Meaning]:
        """What each part of a dotted name stands for."""
        first = self.top(parts[0]) if is_global else self.first(around, parts[0])
        found = [first.meaning]
        for part in parts[1:]:
            found.append(self.step(found[-1], part))
        return found

    def step(self, meaning: Meaning, part: str) -> Meaning:
        """The member of something."""
        if meaning is None:
            return None
        if isinstance(meaning, Outside):
            return Outside((*meaning.name, part))
        member = self.member(meaning, part)
        if member is not None:
            return member
        known = (Outside((*base, part)) for base in self.outside_of(meaning) if self.rules.know((*base, part)))
        return next(known, None)

    def member(self, target: Target, name: str) -> Target | None:
        """A member of a class or component that is a user's own."""
        if target not in self._definitions:
            self._definitions[target] = self.lookup.class_place(target)
        definition = self._definitions[target]
        if definition is None:
            return None
        key = (definition, name)
        if key not in self._members:
            found = self.lookup.member_place(definition, name)
            self._members[key] = None if found is not None and self._replaces_renamed(found, name) else found
        return self._members[key]

    def _replaces_renamed(self, found: Target, name: str) -> bool:
        """Is it a redeclaration of something of the old library that has another name now? Then it gets that name."""
        if not self.lookup.is_redeclared(found):
            return False
        around = self.lookup.classes_around(found)
        bases = self.inherited(around[-1]) if around else []
        return any(self.rules.convert((*base, name)).new != (*self.rules.convert(base).new, name) for base in bases)

    # ------------------------------------------------------------ classes

    def outside_of(self, meaning: Meaning) -> list[FullName]:
        """The classes of the old library that something has its members from."""
        if isinstance(meaning, Outside):
            return [meaning.name]
        if meaning is None:
            return []
        if self._is_class(meaning):
            return self.inherited(meaning)
        return self.outside_of(self.type_of(meaning))

    def type_of(self, component: Target) -> Meaning:
        """The class of a component."""
        if component not in self._types:
            parts, is_global = type_parts(self.lookup.node(Target(component.tree, component.path[:-1])))
            found = self.resolve(self.lookup.classes_around(component), parts, is_global=is_global)[-1]
            is_class = isinstance(found, Outside) or (found is not None and self._is_class(found))
            self._types[component] = found if is_class else None
        return self._types[component]

    def _is_class(self, target: Target) -> bool:
        kind: str = KINDS[self.lookup.node(target)[0]]
        return kind == "class_definition"

    def inherited(self, definition: Target) -> list[FullName]:
        """The classes of the old library that a class extends, at first or second hand."""
        known = self._inherited.get(definition)
        if known is not None:
            return known
        self._inherited[definition] = []  # while they are looked up: a class does not inherit from itself
        found: dict[FullName, None] = {}
        for base in self._bases(definition):
            found |= dict.fromkeys(self.outside_of(base))
        self._inherited[definition] = list(found)
        self._firsts.clear()  # what was found meanwhile did not know these
        self._types.clear()
        self._members.clear()
        return self._inherited[definition]

    def _bases(self, definition: Target) -> list[Meaning]:
        root = self.lookup.classes.files.root(definition.tree)
        around = [*self.lookup.classes_around(definition), definition]
        specifier = at(root, definition.path)[-1]
        if KINDS[specifier[0]] == "short_class_specifier":
            parts, is_global = type_parts(specifier)
            return self.resolve(around, parts, is_global=is_global)[-1:]
        body = composition_path(root, definition.path)
        if body is None:
            return []
        names = [type_parts(clause) for clause in clauses_of(at(root, body), "extends_clause")]
        found = [self.resolve(around, parts, is_global=is_global)[-1] for parts, is_global in names]
        if token_text(specifier[1]) == "extends" and len(around) > 1:  # `model extends M`: the inherited M
            name = token_text(specifier[2])
            outside = [Outside((*base, name)) for base in self.inherited(around[-2])]
            found += [each for each in outside if self.rules.know(each.name)]
        return found


def _brings_all_names(clause: Node) -> bool:
    return import_words(clause)[-1] in (".*", "*")
