"""What a rule gets: a class, a way to look names up, and a place for what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final, TypeVar

from modelica_ast.foundation import closest, suggestion
from modelica_ast.library import DerivedClasses
from modelica_ast.rules.class_text import ClassText, tool_hint
from modelica_ast.rules.table import Finding, Place
from modelica_ast.semantics import (
    ENUMERATION_ATTRIBUTES,
    MISSING,
    NOT_OPEN,
    Classes,
    Definition,
    Environment,
    Meaning,
    Meanings,
    Member,
    ancestry,
    attributes_of,
    component_name,
    with_inner,
)
from modelica_ast.tree import Component, Name, View

T = TypeVar("T")
_HINT_WORK: Final = 50_000  # names that are compared for hints in one check


class Findings:
    """Collects what is found; each missing library once."""

    def __init__(self) -> None:
        self.found: list[Finding] = []
        self._missing_libraries: set[str] = set()
        self._hint_work_left = _HINT_WORK

    def add(
        self,
        code: str,
        view: View,
        message: str,
        hint: str = "",
        *,
        about: Environment | Member | None = None,
        near: Environment | Member | None = None,
    ) -> None:
        """Something that a rule found at a view; what it is about, and what the hint proposes, are elsewhere."""
        root = view.root
        position = view.position
        start, end = position.offset, position.offset + len(view.text)
        places = _place(about), _place(near)
        self.found.append(Finding(code, root.file, position.line, position.column, message, hint, start, end, *places))

    def closest(self, name: str, known: Iterable[str]) -> str:
        """The name that was meant, '' if there is none like it. Where much is wrong, hints would take longest."""
        if self._hint_work_left <= 0:
            return ""
        names = list(known)
        self._hint_work_left -= len(names)
        return closest(name, names)

    def add_missing_library(self, name: str, view: View) -> None:
        """A name that leads into a library which is not open."""
        if name not in self._missing_libraries:
            self._missing_libraries.add(name)
            message = f"the library '{name}' is not open: what leads into it is not judged"
            hint = tool_hint(name) or "name it in annotation(uses(…)), or give its folder"
            self.add("library-not-open", view, message, hint)


def _place(declared: Environment | Member | None) -> Place | None:
    """Where something is declared; None for what no file declares."""
    view: View | None = declared.identifier if isinstance(declared, Member) else None
    if isinstance(declared, Environment):
        view = declared.definition
    return None if view is None else Place(view.root.file, view.position.line)


class Known:
    """What is known about everything outside of a class."""

    def __init__(
        self,
        lookup: Meanings,
        findings: Findings,
        *,
        is_root_complete: bool,
        are_libraries_open: bool,
        is_expected: Callable[[str], bool],
        is_extended: Callable[[Definition], bool],
    ) -> None:
        self.lookup = lookup
        self.findings = findings
        self.is_root_complete = is_root_complete  # all libraries that may be used are open, or `is_expected`
        self.are_libraries_open = are_libraries_open  # all that are used; a name that starts with another is not found
        self.is_expected = is_expected  # is it the name of a library that is used and not open?
        self.is_extended = is_extended  # does another class inherit from it?
        self._memory: dict[object, Any] = {}

    def remembered(self, make: Callable[[], T]) -> T:
        """What a rule keeps from class to class."""
        if make not in self._memory:
            self._memory[make] = make()
        found: T = self._memory[make]
        return found


class ClassCheck:
    """One class in a check."""

    def __init__(self, definition: Definition, known: Known) -> None:
        self.definition = definition
        self.name = definition.name
        self.known = known
        self.lookup = known.lookup
        self.environment = known.lookup.classes.as_written(definition)

    @cached_property
    def text(self) -> ClassText:
        """What is written in the class itself."""
        return ClassText(self.definition)

    @cached_property
    def components(self) -> list[Member]:
        """All components of the body, in source order."""
        return [self._own(part, component_name(part)) for part in self.definition.parts if isinstance(part, Component)]

    def _own(self, part: Component, name: str) -> Member:
        known = self.environment.member(name)
        return known if known is not None and known.origin is part else Member(name, part, self.environment)

    @property
    def scope(self) -> Environment:
        """The class in which the names of its text are looked up: for a short class the one around it."""
        return self.environment.scope or self.environment

    @property
    def has_files(self) -> bool:
        """Are there classes of this package in other files?"""
        return self.definition.may_have_files and bool(self.lookup.classes.files.classes_in(self.definition))

    def add(
        self, code: str, view: View, message: str, hint: str = "", *, about: Environment | Member | None = None
    ) -> None:
        """Something that a rule found."""
        self.known.findings.add(code, view, message, hint, about=about)

    def add_lack(self, code: str, view: View, message: str, lacking: tuple[Environment, str]) -> None:
        """A name that a class does not have; the hint is the nearest one that it has.

        What a type with a value has is for the language to say, and not for a declaration.
        """
        environment, name = lacking
        end = environment.end
        attributes = () if end is None else attributes_of(end) if end.written is None else ENUMERATION_ATTRIBUTES
        near = self.known.findings.closest(name, [*sorted(attributes), *self.names_in(environment)])
        hint = suggestion(near)
        meant = environment.member(near) if near else None
        about = environment if end is None else None
        self.known.findings.add(code, view, message, hint, about=about, near=meant)

    def add_nowhere(self, code: str, view: View, meaning: Meaning, parts: tuple[str, ...]) -> None:
        """A dotted name that leads nowhere."""
        inside = None if meaning.before is None else self.lookup.class_of(meaning.before).symbol
        if not isinstance(inside, Environment):
            self.add(code, view, *self.where(meaning, parts))
            return
        part, before = parts[meaning.part], ".".join(parts[: meaning.part])
        self.add_lack(code, view, f"there is no '{part}' in '{before}'", (inside, part))

    def type_named(self, name: Name) -> Meaning:
        """What a type in this text stands for."""
        return self.lookup.type_named(self.scope, name)

    def is_nowhere(self, meaning: Meaning, parts: tuple[str, ...], view: View) -> bool:
        """Is a class surely not there? What leads into a library that is not open is noted."""
        if meaning.absence is not NOT_OPEN:
            return meaning.absence is MISSING
        name = parts[0]
        if self.known.is_expected(name) or (len(parts) > 1 and not self.known.are_libraries_open):
            self.known.findings.add_missing_library(name, view)
            return False
        return self.known.is_root_complete

    def names_in(self, environment: Environment) -> Iterable[str]:
        """The names of all members of a class, for hints."""
        for part in ancestry(environment):
            written = part.written
            if written is not None:
                yield from (*written.components, *written.classes, *written.literals)
                if written.may_have_files:
                    yield from self.lookup.classes.files.classes_in(written)

    def names_around(self) -> Iterable[str]:
        """The names that can be seen from the class, for hints."""
        current: Environment | None = self.environment
        while current is not None:
            yield from self.names_in(current)
            is_closed = current.written is not None and current.written.is_encapsulated
            current = None if is_closed else current.around

    def where(self, meaning: Meaning, parts: tuple[str, ...]) -> tuple[str, str]:
        """A sentence about what is not found, and a hint."""
        part = parts[meaning.part]
        if meaning.before is None:
            return f"'{part}' is not found", self.near(part, self.names_around())
        inside = self.lookup.class_of(meaning.before).symbol
        known = self.names_in(inside) if isinstance(inside, Environment) else ()
        return f"there is no '{part}' in '{'.'.join(parts[: meaning.part])}'", self.near(part, known)

    def near(self, name: str, known: Iterable[str]) -> str:
        """`did you mean 'mass'?` if there is a name like it."""
        return suggestion(self.known.findings.closest(name, known))


# ---------------------------------------------------------------- extended
# Which classes others inherit from: those may use what is protected.


class Extended:
    """The classes that some classes, and those inside them, inherit from."""

    def __init__(self, classes: Classes, tops: Iterable[Definition]) -> None:
        self._classes = classes
        self._tops = tops

    @cached_property
    def _found(self) -> set[Definition]:
        return {
            base.environment.written
            for definition in with_inner(self._tops)
            for base in self._classes.as_written(definition).bases
            if base.environment is not None and base.environment.written is not None
        }

    def __contains__(self, definition: Definition) -> bool:
        return definition in self._found


class ExtendedAnywhere:
    """The classes that any class of the libraries that are judged inherits from."""

    def __init__(self, classes: Classes) -> None:
        self._derived = DerivedClasses(classes, judged_only=True)
        self._known: dict[Definition, bool] = {}

    def __contains__(self, definition: Definition) -> bool:
        found = self._known.get(definition)
        if found is None:
            self._known[definition] = found = next(self._derived.direct(definition), None) is not None
        return found
