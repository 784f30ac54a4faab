"""The walk over one file: every node that a rule may speak of is decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from modelica_ast.edit.surgery import node_of
from modelica_ast.green import child_at
from modelica_ast.lexer import kind_of, token_text
from modelica_ast.library.conversion.called_things import convert_arguments
from modelica_ast.library.conversion.file_work import DOTTED, FileWork, Visit
from modelica_ast.library.conversion.imported_names import convert_import
from modelica_ast.library.conversion.modified_things import ModifiedThings
from modelica_ast.library.conversion.names import Meaning
from modelica_ast.library.conversion.writing import is_global, names_of
from modelica_ast.library.conversion.written_names import WrittenNames
from modelica_ast.shape import accepted, leaf_rule, place_code, symbols_at
from modelica_ast.tables import KINDS, NUMBER
from modelica_ast.views.base import child_view
from modelica_ast.views.classes import ClassDefinition, LongClassSpecifier, ShortClassDefinition
from modelica_ast.views.components import Component
from modelica_ast.views.expressions import Call, CallArguments, NamedArgument
from modelica_ast.views.modifications import ElementRedeclaration, ElementReplaceable, InheritanceModification
from modelica_ast.views.names import ComponentReference

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
        self._handlers: dict[str, Callable[[Visit], Meaning | None]] = {
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
            "import_clause": lambda visit: convert_import(work, visit),
            "inheritance_modification": self._break,
            "short_class_specifier": modified.typed,
        }

    def run(self) -> None:
        """Visit all nodes, outer ones first: what they decide about modifiers counts for those inside."""
        around = self._names.lookup.classes_around(self._work.target(()))
        todo = [Visit(self._work.tree, tuple(around))]
        while todo:
            todo += reversed(self._visit(todo.pop()))

    def _visit(self, visit: Visit) -> list[Visit]:
        """Decide about a node, its leaves included; the nodes inside it come back."""
        view, around, owner = visit
        node, kind = node_of(view), view.kind
        handle = self._handlers.get(kind)
        inside = handle(visit) if handle is not None else (owner if kind in _PASSING else None)
        if kind == "class_definition":
            around = (*around, self._work.target(view.path))
        found = []
        for index in range(1, len(node)):
            green = child_at(node, index)
            if isinstance(green, tuple):
                here = Visit(child_view(view, node, index), around, inside)
                if KINDS[green[0]] in DOTTED:
                    self._dotted(here._replace(owner=owner), KINDS[green[0]], kind)
                found.append(here)
            elif token_text(green)[:1] == '"':
                here = Visit(child_view(view, node, index), around, inside)
                if "modelica://" in green.lower():
                    self._written.link(here)
                elif "%" in green:
                    self._written.macros(here)
            elif kind not in DOTTED and kind_of(green) == NUMBER[_IDENT]:
                rule = _lone_rule(node[0], place_code(node[0], index, len(node)))
                if rule in DOTTED:
                    self._dotted(Visit(child_view(view, node, index), around, owner), rule, kind)
        return found

    def _dotted(self, visit: Visit, kind: str, parent: str) -> None:
        if kind != "name":
            self._written.reference(visit, kind)
        elif parent == "element_modification":
            self._written.modifier_name(visit)
        elif parent == "import_clause":
            self._written.full_name(visit)

    # ------------------------------------------------------------ names that are mere tokens

    def _declaration(self, visit: Visit) -> Meaning:
        if self._names.lookup.is_redeclared(self._work.target(visit.view.path)):
            component = visit.view
            assert isinstance(component, Component)
            self._written.inherited_name(component.identifier, visit.around)
        return self._modified.declaration(visit)

    def _class(self, visit: Visit) -> None:
        """`redeclare model M …` and `model extends M` have the name of what they replace."""
        self._clashes(visit)
        definition = visit.view
        assert isinstance(definition, ClassDefinition)
        specifier = definition.specifier
        body = specifier if isinstance(specifier, LongClassSpecifier) else None
        is_extension = body is not None and body.extends is not None
        if is_extension or self._names.lookup.is_redeclared(self._work.target(definition.path)):
            self._written.inherited_name(specifier.identifier, visit.around)
            if body is not None:
                self._written.inherited_name(body.end_identifier, visit.around)

    def _clashes(self, visit: Visit) -> None:
        """A class may declare a name of its own that something inherited gets now."""
        target = self._work.target(visit.view.path)
        for base in self._names.outside_of(target):
            for rule in self._work.rules.elements.get(base, ()):
                own = self._names.lookup.member_place(target, rule.new[0])
                if own is not None and rule.new != rule.old and not self._names.lookup.is_redeclared(own):
                    text = f"'{rule.old[0]}' of '{'.'.join(base)}' becomes '{rule.new[0]}', which is declared here too"
                    self._work.note(visit, text, rule, base)

    def _redeclaration(self, visit: Visit) -> None:
        assert isinstance(visit.view, ElementRedeclaration | ElementReplaceable)
        if visit.view.path not in self._work.spent:
            declared = visit.view.declared
            named = declared.specifier if isinstance(declared, ShortClassDefinition) else declared.declaration
            self._written.member_token(visit._replace(view=named.identifier))

    def _break(self, visit: Visit) -> None:
        assert isinstance(visit.view, InheritanceModification)
        if visit.view.identifier is not None:
            self._written.member_token(visit._replace(view=visit.view.identifier))

    def _call(self, visit: Visit) -> None:
        """The names of arguments are members of the function or record."""
        assert isinstance(visit.view, Call)
        function, arguments = visit.view.function, visit.view.arguments
        if isinstance(function, ComponentReference) and isinstance(arguments, CallArguments):
            names, from_root = names_of(function.green), is_global(function.green)
            meaning = self._names.resolve(visit.around, names, is_global=from_root)[-1]
            self._named_arguments(visit._replace(view=arguments), meaning)

    def _partial_application(self, visit: Visit) -> None:
        self._named_arguments(visit, self._work.type_of(visit.view.green, visit.around))

    def _named_arguments(self, visit: Visit, function: Meaning) -> None:
        gone = convert_arguments(self._work, visit, function)
        for item in visit.view.children:
            if isinstance(item, NamedArgument) and item.name not in gone:
                self._written.member_token(Visit(item.identifier, visit.around, function))


@cache
def _lone_rule(number: int, place: int) -> str:
    """The rule that a lone identifier stands for in a place, or '' for a mere token."""
    rules = {leaf_rule(name, _IDENT) for name in symbols_at(number, place) if _IDENT in accepted(name)}
    return next(iter(rules - {""}), "")
