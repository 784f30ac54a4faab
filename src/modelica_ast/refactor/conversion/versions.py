"""Which version a library is of, which it uses, and how it converts from older ones: what annotations say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from modelica_ast.foundation import Record
from modelica_ast.library import Libraries, Library, LibraryError, find_library
from modelica_ast.refactor.conversion.rules import Rules
from modelica_ast.refactor.conversion.script import read_script, rules_of_changes
from modelica_ast.syntax import unquote
from modelica_ast.tree import Arguments, Array, ElementModification, LiteralError, StringLiteral, View, evaluate


class Conversion(Record):
    """`from(version = …, to = …, script = …)`: how users of some versions come to a newer one."""

    versions: tuple[str, ...]
    to: str  # '' for the version that has this annotation
    script: str  # a `modelica://` link or a path, '' if the rules stand in the annotation
    changes: tuple[View, ...]


class Conversions(Record):
    """All that a library says about conversions from its older versions."""

    version: str
    unchanged_from: tuple[str, ...]
    steps: tuple[Conversion, ...]

    def step_from(self, version: str) -> Conversion | None:
        """The conversion for users of a version."""
        return next((step for step in self.steps if version in step.versions), None)


def version_of(libraries: Libraries, library: Library) -> str:
    """The version that a library says it has, or ''."""
    return _text_at(libraries, library, "version")


def used_version(libraries: Libraries, library: Library, used: str) -> str | None:
    """The version of another library that a library says it uses; None if it does not say."""
    return _text_at(libraries, library, f"uses.{used}.version") or None


def _text_at(libraries: Libraries, library: Library, path: str) -> str:
    found = libraries.document(library.root).find_class(library.name).get_annotation(path)
    return unquote(found.text) if isinstance(found, StringLiteral) else ""


def used_libraries(libraries: Libraries, library: Library) -> list[str]:
    """The libraries that a library says it uses."""
    arguments = _arguments(libraries, library, "uses")
    items = arguments.items if arguments is not None else ()
    return [str(item.name) for item in items if isinstance(item, ElementModification)]


def conversion_arguments(libraries: Libraries, library: Library) -> Arguments | None:
    """What stands in the parentheses of `conversion(…)`, if a library has it."""
    return _arguments(libraries, library, "conversion")


def _arguments(libraries: Libraries, library: Library, name: str) -> Arguments | None:
    classes = libraries.document(library.root).tree.classes
    definition = next((each for each in classes if each.name == library.name), None)
    annotation = definition.annotation if definition is not None else None
    found = annotation.arguments.get(name) if annotation is not None else None
    return found.arguments if found is not None else None


def conversions_of(libraries: Libraries, library: Library) -> Conversions:
    """What a library's `conversion` annotation says."""
    arguments = conversion_arguments(libraries, library)
    unchanged: list[str] = []
    steps: list[Conversion] = []
    for item in arguments.items if arguments is not None else ():
        if not isinstance(item, ElementModification):
            continue
        if str(item.name) == "noneFromVersion":
            unchanged += _texts(item, library)
        elif str(item.name) == "from" and item.arguments is not None:
            steps.append(_step(item.arguments, library))
    return Conversions(version_of(libraries, library), tuple(unchanged), tuple(steps))


def _step(arguments: Arguments, library: Library) -> Conversion:
    texts: dict[str, list[str]] = {}
    changes: tuple[View, ...] = ()
    for item in arguments.items:
        if isinstance(item, ElementModification):
            if str(item.name) == "change" and isinstance(item.value, Array):
                changes = tuple(item.value.items)
            else:
                texts[str(item.name)] = _texts(item, library)
    one = {name: values[0] for name, values in texts.items() if values}
    return Conversion(tuple(texts.get("version", ())), one.get("to", ""), one.get("script", ""), changes)


def _texts(item: ElementModification, library: Library) -> list[str]:
    try:
        value = evaluate(item.value) if item.value is not None else ""
    except LiteralError:
        raise LibraryError(f"{library.root.path}: 'conversion' has no literal in '{item.text.strip()}'") from None
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def rules_of(step: Conversion, library: Library) -> Rules:
    """The rules of a conversion, from its script or from the annotation itself."""
    if step.script:
        return read_script(script_path(step.script, library))
    return rules_of_changes(step.changes, f"{library.root.path}: conversion")


def script_path(script: str, library: Library) -> Path:
    """Where the script is that a library names; LibraryError if it is not there."""
    path = script_place(script, library)
    if not path.is_file():
        raise LibraryError(f"{library.root.path} names the conversion script '{script}', which is not there: {path}")
    return path


def script_place(script: str, library: Library) -> Path:
    """Where a script belongs: by a `modelica://` link, or by a path from the library's folder."""
    scheme = f"modelica://{library.name}/"
    inside = script[len(scheme) :] if script.lower().startswith(scheme.lower()) else script
    return library.root.path.parent / inside


# ---------------------------------------------------------------- migration
# Where the rules for a version come from: from the library of that version, or from a newer one.

_SCRIPTS: Final = Path("Resources", "Scripts", "Conversion")
_VERSION: Final = re.compile(r"\d+(?:\.\d+)*")


class Migration(Record):
    """A version of a library, and how its users get there: by its own annotation, or by scripts of a newer one."""

    used: str
    version: str | None  # None for that of the library
    library: Path
    scripts: tuple[Path, ...]


def migration_to(used: str, version: str | None, *, named: Sequence[str] = ()) -> Migration:
    """How to get to a version of a library, or to the newest that is named or installed.

    A newer version still ships the scripts of the steps before it. LibraryError if there are no rules.
    """
    if version is not None and not _VERSION.fullmatch(version):
        raise LibraryError(f"'{version}' is not a version of {used}, such as 4.0.0")
    try:
        return Migration(used, version, find_library(used, version, named=named), ())
    except LibraryError as wrong:
        reason = str(wrong)
    if version is not None:
        try:
            newest = find_library(used, named=named)
        except LibraryError:
            pass  # the reason is the same
        else:
            scripts = tuple(sorted((newest / _SCRIPTS).glob(f"Convert{used}_from_*_to_{version}.mos")))
            if scripts:
                return Migration(used, version, newest, scripts)
    raise LibraryError(f"{reason}; the conversion rules come with the library")


def refuse_newer(libraries: Libraries, library: Library, migration: Migration) -> None:
    """LibraryError if a library uses a newer version than the one that it is to be brought to."""
    now = used_version(libraries, library, migration.used)
    if now is not None and migration.version is not None and _numbers(now) > _numbers(migration.version):
        what = f"'{library.name}' uses {migration.used} {now} already"
        raise LibraryError(f"{what}, which is newer than {migration.version}")


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(map(int, found[0].split("."))) if found else ()
