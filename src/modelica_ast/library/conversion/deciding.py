"""The walk over one file: every node that a rule may speak of is decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from modelica_ast.green import symbol
from modelica_ast.lexer import kind_of, token_text
from modelica_ast.library.conversion.called_things import convert_arguments
from modelica_ast.library.conversion.file_work import DOTTED, FileWork, Place
from modelica_ast.library.conversion.imported_names import convert_import
from modelica_ast.library.conversion.modified_things import ModifiedThings
from modelica_ast.library.conversion.names import Meaning
from modelica_ast.library.conversion.writing import is_global, names_of
from modelica_ast.library.conversion.written_names import WrittenNames
from modelica_ast.shape import accepted, child, leaf_rule, place_code, symbols_at
from modelica_ast.tables import KINDS, NUMBER

_IDENT: Final = "IDENT"
# What hands the owner of modifiers on to what is inside.
_PASSING: Final = frozenset({"modification", "class_modification"})


def decide(work: FileWork) -> None:
    """Find everything in a file that the rules speak of."""
    _Walk(work).run()


class _Walk:
    """From the root to the leaves."""

    def __init__(self, work: FileWork) -> None:
        self._work = work
        self._names = work.names
        self._written = WrittenNames(work)
        self._modified = ModifiedThings(work)
        modified = self._modified
        self._handlers: dict[str, Callable[[Place], Meaning | None]] = {
            "class_definition": self._class,
            "component_clause": modified.clause,
            "component_clause1": modified.clause,
            "component_declaration": self._declaration,
            "component_declaration1": modified.redeclared_component,
            "constraining_clause": modified.typed,
            "element_modification": modified.modifier,
            "element_redeclaration": self._redeclaration,
            "element_replaceable": self._redeclaration,
            "extends_clause": modified.typed,
            "function_call": self._call,
            "function_partial_application": self._partial_application,
            "import_clause": lambda place: convert_import(work, place),
            "inheritance_modification": self._break,
            "short_class_specifier": modified.typed,
        }

    def run(self) -> None:
        """Visit all nodes, outer ones first: what they decide about modifiers counts for those inside."""
        around = self._names.lookup.classes_around(self._work.target(()))
        todo = [Place((), self._work.root, tuple(around))]
        while todo:
            todo += reversed(self._visit(todo.pop()))

    def _visit(self, place: Place) -> list[Place]:
        """Decide about a node, its leaves included; the nodes inside it come back."""
        path, node, around, owner = place
        kind = KINDS[node[0]]
        handle = self._handlers.get(kind)
        inside = handle(place) if handle is not None else (owner if kind in _PASSING else None)
        if kind == "class_definition":
            around = (*around, self._work.target(path))
        found = []
        for index in range(1, len(node)):
            green = node[index]
            here = Place((*path, index), green, around, inside)
            if type(green) is tuple:
                if KINDS[green[0]] in DOTTED:
                    self._dotted(here._replace(owner=owner), KINDS[green[0]], kind)
                found.append(here)
            elif token_text(green)[:1] == '"':
                if "modelica://" in green.lower():
                    self._written.link(here)
                elif "%" in green:
                    self._written.macros(here)
            elif kind not in DOTTED and kind_of(green) == NUMBER[_IDENT]:
                rule = _lone_rule(node[0], place_code(node[0], index, len(node)))
                if rule in DOTTED:
                    self._dotted(here._replace(owner=owner), rule, kind)
        return found

    def _dotted(self, place: Place, kind: str, parent: str) -> None:
        if kind != "name":
            self._written.reference(place, kind)
        elif parent == "element_modification":
            self._written.modifier_name(place)
        elif parent == "import_clause":
            self._written.full_name(place)

    # ------------------------------------------------------------ names that are mere tokens

    def _declaration(self, place: Place) -> Meaning:
        if self._names.lookup.is_redeclared(self._work.target(place.path)):
            self._written.inherited_name((*place.path, 1), place.around)
        return self._modified.declaration(place)

    def _class(self, place: Place) -> None:
        """`redeclare model M …` and `model extends M` have the name of what they replace."""
        self._clashes(place)
        specifier = place.green[-1]
        is_extension = token_text(specifier[1]) == "extends"
        if is_extension or self._names.lookup.is_redeclared(self._work.target(place.path)):
            where = (*place.path, len(place.green) - 1)
            self._written.inherited_name((*where, 2 if is_extension else 1), place.around)
            if KINDS[specifier[0]] == "long_class_specifier":
                self._written.inherited_name((*where, len(specifier) - 1), place.around)

    def _clashes(self, place: Place) -> None:
        """A class may declare a name of its own that something inherited gets now."""
        target = self._work.target(place.path)
        for base in self._names.outside_of(target):
            for rule in self._work.rules.elements.get(base, ()):
                own = self._names.lookup.member_place(target, rule.new[0])
                if own is not None and rule.new != rule.old and not self._names.lookup.is_redeclared(own):
                    text = f"'{rule.old[0]}' of '{'.'.join(base)}' becomes '{rule.new[0]}', which is declared here too"
                    self._work.note(place, text, rule, base)

    def _redeclaration(self, place: Place) -> None:
        found = child(place.green, "_redeclared")
        assert found is not None
        index, declared = found
        if place.path not in self._work.spent:
            self._written.member_token((*place.path, index, len(declared) - 1, 1), place.owner, place.around)

    def _break(self, place: Place) -> None:
        if child(place.green, _IDENT) is not None:
            self._written.member_token((*place.path, 2), place.owner, place.around)

    def _call(self, place: Place) -> None:
        """The names of arguments are members of the function or record."""
        function, arguments = place.green[1], place.green[2]
        if symbol(function) not in (_IDENT, "component_reference") or KINDS[arguments[0]] != "function_call_args":
            return
        meaning = self._names.resolve(place.around, names_of(function), is_global=is_global(function))[-1]
        self._named_arguments(place._replace(path=(*place.path, 2), green=arguments), meaning)

    def _partial_application(self, place: Place) -> None:
        self._named_arguments(place, self._work.type_of(place.green, place.around))

    def _named_arguments(self, place: Place, function: Meaning) -> None:
        gone = convert_arguments(self._work, place, function)
        for index, item in enumerate(place.green):
            if type(item) is tuple and KINDS[item[0]] == "named_argument" and token_text(item[1]) not in gone:
                self._written.member_token((*place.path, index, 1), function, place.around)


@cache
def _lone_rule(number: int, place: int) -> str:
    """The rule that a lone identifier stands for in a place, or '' for a mere token."""
    rules = {leaf_rule(name, _IDENT) for name in symbols_at(number, place) if _IDENT in accepted(name)}
    return next(iter(rules - {""}), "")
