"""Libraries of users converted to a new version of a library that they use: all their files, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from modelica_ast.edit import ExactEditor, Opened, node_of
from modelica_ast.library import Libraries, Library, LibraryError, LibraryFiles, Progress, Tally, lookup_of, trees_of
from modelica_ast.refactor.conversion.library_version import (
    Conversions,
    Migration,
    conversions_of,
    refuse_newer,
    rules_of,
    used_libraries,
    used_version,
)
from modelica_ast.refactor.conversion.modified import ModifiedThings, convert_arguments
from modelica_ast.refactor.conversion.rules import Meaning, Names, Rules
from modelica_ast.refactor.conversion.script import shipped_rules
from modelica_ast.refactor.conversion.work import DOTTED, Change, FileWork, Note, Report, Visit, is_global, names_of
from modelica_ast.refactor.conversion.written_names import WrittenNames, convert_import
from modelica_ast.semantics import Classes, Lookup
from modelica_ast.syntax import (
    KINDS,
    NUMBER,
    Node,
    accepted,
    child_at,
    kind_of,
    leaf_rule,
    place_code,
    symbols_at,
    token_text,
)
from modelica_ast.tree import (
    Call,
    CallArguments,
    ClassDefinition,
    Component,
    ComponentReference,
    ElementRedeclaration,
    ElementReplaceable,
    InheritanceModification,
    LongClassSpecifier,
    NamedArgument,
    ShortClassDefinition,
    child_view,
)

# ---------------------------------------------------------------- deciding
# The walk over one file: every node that a rule may speak of is decided.

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


# ---------------------------------------------------------------- converting

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_USES: Final = re.compile(r"\buses\s*\(")
_NO_LIBRARIES: Final = frozenset({"Real", "Integer", "Boolean", "String", "Complex"})
_PART_OF_THE_STANDARD: Final = frozenset({"Modelica", "ModelicaServices", "Complex"})


class Aim(NamedTuple):
    """The library that is used, and the version that it should be of."""

    used: str
    version: str


def convert(
    libraries: Libraries,
    rules: Rules,
    used: str,
    version: str,
    *,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Convert the libraries that may be written, or `only` some of them, to a version of a library that they use.

    A library that says `uses(…)` of this version already is left as it is; so a second run changes nothing.
    """
    todo = [library for library in _chosen(libraries, rules, only) if used_version(libraries, library, used) != version]
    with libraries.transaction():
        return _converted(libraries, todo, rules, Aim(used, version), Tally(progress))


def upgrade(
    libraries: Libraries, used: str, *, only: Iterable[str] | None = None, progress: Progress | None = None
) -> Report:
    """Convert libraries to the version of `used` that is among the libraries, by what its annotation says.

    Each library starts from the version that it says it uses, and goes on from step to step. LibraryError if there is
    no step from there; a note where there is none later.
    """
    new = libraries[used]
    known = conversions_of(libraries, new)
    if not known.version:
        raise LibraryError(f"'{used}' has no version to convert to: its annotation has no 'version'")
    report = Report()
    tally = Tally(progress)
    with libraries.transaction():
        for library in _chosen(libraries, Rules(()), only):
            if library is not new:
                report += _upgraded(libraries, library, new, known, tally)
    return Report(report.changes, tuple(dict.fromkeys(report.notes)))  # what a script lacks is told once


def migrate(libraries: Libraries, migration: Migration, *, progress: Progress | None = None) -> Report:
    """Convert the libraries that may be written to the version that a migration leads to."""
    if not migration.scripts or migration.version is None:
        return upgrade(libraries, migration.used, progress=progress)
    for library in libraries:
        if not library.read_only:
            refuse_newer(libraries, library, migration)
    rules = sum((shipped_rules(script) for script in migration.scripts), Rules(()))
    return convert(libraries, rules, migration.used, migration.version, progress=progress)


def _upgraded(libraries: Libraries, library: Library, new: Library, known: Conversions, tally: Tally) -> Report:
    report = Report()
    seen: set[str] = set()
    while True:
        version = used_version(libraries, library, new.name)
        if version is None:
            return _without_version(libraries, library, new.name)
        if version == known.version or version in seen:
            return report
        seen.add(version)
        if version in known.unchanged_from:
            return report + _set_used(libraries, library, new.name, known.version)
        step = known.step_from(version)
        if step is None:
            text = (
                f"'{library.name}' uses {new.name} {version}, and {new.name} {known.version} has no conversion from it"
            )
            if len(seen) == 1:
                raise LibraryError(text)
            # What there is a way for is done: libraries forget to name a version that changed nothing.
            return report + Report((), (Note(library.root.path, 1, "", "", f"{text}: it stays there"),))
        aim = Aim(new.name, step.to or known.version)
        report += _converted(libraries, [library], rules_of(step, new), aim, tally)


def _without_version(libraries: Libraries, library: Library, used: str) -> Report:
    """Nobody knows where to start from, if a library uses another one at all."""
    if not any(used in _WORD.findall(libraries.text_of(entry)) for entry in library.root.walk()):
        return Report()
    text = f"it does not say which version of '{used}' it uses: add 'uses(…)', or convert it with a script"
    return Report((), (Note(library.root.path, 1, "", "", text),))


def _chosen(libraries: Libraries, rules: Rules, only: Iterable[str] | None) -> list[Library]:
    if only is not None:
        chosen = [libraries[name] for name in only]
        for library in chosen:
            if library.read_only:
                raise LibraryError(f"'{library.name}' is read-only: it can't be converted")
        return chosen
    return [library for library in libraries if not library.read_only and library.name not in rules.roots]


def _converted(libraries: Libraries, todo: list[Library], rules: Rules, aim: Aim, tally: Tally) -> Report:
    used, version = aim
    opened = _opened(libraries, todo, rules, tally)
    roots: dict[Path, Node] = {path: each.root for path, each in opened.items()}
    users = Lookup(Classes(LibraryFiles(libraries, trees_of(roots)), outside=rules))
    names = Names(users, rules, lookup_of(libraries))
    report = Report((), _left_out(rules) if todo else ())
    tally.expect(len(opened))
    for library in todo:
        found = Report()
        for entry in library.root.walk():
            if entry.path in opened:
                work = FileWork(names, entry.path, opened[entry.path])
                decide(work)
                libraries.document(entry).edit(ExactEditor.take, work.converted())
                found += Report(work.changes, (*work.notes, *_needed(entry.path, work.new_roots)))
                tally.done(entry.path)
        if found.changes or used_version(libraries, library, used) is not None:
            found += _set_used(libraries, library, used, version)
        found += _other_libraries(libraries, library, rules, used)
        report += found
    return report


def _left_out(rules: Rules) -> tuple[Note, ...]:
    """What the scripts have that was not carried out."""
    return tuple(Note(Path(each.script), each.line, "", "", f"left out: {each.reason}") for each in rules.unread)


def _opened(libraries: Libraries, todo: Iterable[Library], rules: Rules, tally: Tally) -> dict[Path, Opened]:
    """The trees of the files that have a word in them of which the rules speak, with the annotations read that do."""
    found = {}
    quoted = [word for word in rules.words if word.startswith("'")]
    for library in todo:
        files = library.files()
        tally.expect(len(files))
        for entry in files:
            text = libraries.text_of(entry)
            # A quote in a text is not a start of a quoted name, so these are looked for one by one.
            words = rules.words.intersection(_WORD.findall(text)) | {word for word in quoted if word in text}
            if words:
                found[entry.path] = Opened(libraries.document(entry).work.root, words, entry.path)
            tally.done(entry.path)
    return found


def _set_used(libraries: Libraries, library: Library, used: str, version: str) -> Report:
    old = used_version(libraries, library, used)
    if old == version:
        return Report()
    document = libraries.document(library.root)
    document.find_class(library.name).set_annotation(f"uses.{used}.version", version)
    written = _USES.search(document.text)
    line = document.text.count("\n", 0, written.start()) + 1 if written else 1
    before = "" if old is None else f'uses({used}(version="{old}"))'
    return Report((Change(library.root.path, line, "", 0, before, f'uses({used}(version="{version}"))'),))


def _needed(file: Path, roots: dict[str, int]) -> Iterable[Note]:
    for root, line in sorted(roots.items()):
        if root not in _NO_LIBRARIES:
            yield Note(file, line, "", "", f"the library '{root}' is needed now: add it to 'uses'")


def _other_libraries(libraries: Libraries, library: Library, rules: Rules, used: str) -> Report:
    """What a person should know about the other libraries that a library uses."""
    texts = []
    for name in used_libraries(libraries, library):
        if name in rules.roots and name != used:
            texts.append(f"'{name}' is part of '{used}' now: take it out of 'uses'")
        elif name not in rules.roots | _PART_OF_THE_STANDARD and libraries.get(name) is None:
            texts.append(f"'{name}' is not among the libraries: what comes from there was not looked into")
    return Report((), tuple(Note(library.root.path, 1, "", "", text) for text in texts))
