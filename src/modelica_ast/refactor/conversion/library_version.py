"""Which version a library is of, how it converts from older ones, and its own changes written down for its users."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import ExactEditor, at, item_places, leaf_paths, node_of, parsed, reach, replaced, with_argument
from modelica_ast.foundation import Record, Source, split_name
from modelica_ast.library import Libraries, Library, LibraryError, conversion_items, find_library
from modelica_ast.refactor.conversion.rules import ConvertClass, ConvertElement, Rule, Rules
from modelica_ast.refactor.conversion.script import call_in, parse_script, rules_of_changes, shipped_rules, statements
from modelica_ast.semantics import FullName
from modelica_ast.syntax import quote, render, split_leaf, token_text, tokens, unquote
from modelica_ast.tree import (
    Arguments,
    Array,
    ClassDefinition,
    ElementModification,
    LiteralError,
    StringLiteral,
    View,
    evaluate,
)


class Conversion(Record):
    """`from(version = …, to = …, script = …)`: how users of some versions come to a newer one."""

    versions: tuple[str, ...]
    to: str  # '' for the version that has this annotation
    script: str  # a `modelica://` link or a path, '' if the rules are in the annotation
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
    """What is in the parentheses of `conversion(…)`, if a library has it."""
    return _arguments(libraries, library, "conversion")


def _arguments(libraries: Libraries, library: Library, name: str) -> Arguments | None:
    definition = _top(libraries, library)
    annotation = definition.annotation if definition is not None else None
    found = annotation.arguments.get(name) if annotation is not None else None
    return found.arguments if found is not None else None


def _top(libraries: Libraries, library: Library) -> ClassDefinition | None:
    classes = libraries.document(library.root).tree.classes
    return next((each for each in classes if each.name == library.name), None)


def conversions_of(libraries: Libraries, library: Library) -> Conversions:
    """What a library's `conversion` annotation says."""
    definition = _top(libraries, library)
    unchanged: list[str] = []
    steps: list[Conversion] = []
    for item in conversion_items(definition) if definition is not None else ():
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
            if str(item.name) == "change" and item.value is not None:
                changes = tuple(item.value.items) if isinstance(item.value, Array) else (item.value,)
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
        return shipped_rules(script_path(step.script, library))
    return rules_of_changes(step.changes, str(library.root.path))


def script_path(script: str, library: Library) -> Path:
    """Where the script is that a library names; LibraryError if it is not there."""
    path = script_place(script, library)
    if not path.is_file():
        raise LibraryError(f"{library.root.path} names the conversion script '{script}', which does not exist: {path}")
    return path


def script_place(script: str, library: Library) -> Path:
    """Where a script belongs: by a `modelica://` link, or by a path from the library's folder."""
    scheme = f"modelica://{library.name}/"
    inside = script[len(scheme) :] if script.lower().startswith(scheme.lower()) else script
    return library.root.path.parent / inside


# ---------------------------------------------------------------- records of changes
# Renames and moves of a library written down, so that its users can follow: in a script, named in an annotation.

# ---------------------------------------------------------------- script edits
# Entries put into a conversion script. Rules are carried out once, so what was renamed twice must be one rule.

_NEW_ARGUMENT: Final = {"convertClass": 1, "convertElement": 2}  # which argument of a call says the new name


def with_entries(text: str, name: str, entries: Iterable[ConvertClass | ConvertElement]) -> str:
    """The text of a script with some more entries, each in a line of its own; `name` is for messages."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    for entry in entries:
        text = _with_entry(text, name, entry)
    return mark + text


def _with_entry(text: str, name: str, entry: ConvertClass | ConvertElement) -> str:
    known = parse_script(text, name).all
    classes = [rule for rule in known if isinstance(rule, ConvertClass)]
    if isinstance(entry, ConvertElement):
        return _with_element(text, name, known, classes, entry)
    first = next((rule for rule in classes if rule.new == entry.old), None)
    text = _with_new_names(text, "convertClass", entry.old, entry.new)
    if first is not None:
        return text  # the class did not have this name before: that rule leads to the new one now
    return _appended(text, name, ConvertClass(0, _name_before(classes, entry.old), entry.new))


def _with_element(
    text: str, name: str, known: Iterable[Rule], classes: list[ConvertClass], entry: ConvertElement
) -> str:
    class_ = _name_before(classes, entry.class_)
    for rule in known:
        if isinstance(rule, ConvertElement) and rule.class_ == class_ and rule.new == entry.old:
            return _with_new_names(text, "convertElement", entry.old, entry.new, class_)
    return _appended(text, name, ConvertElement(0, class_, entry.old, entry.new))


def _name_before(classes: list[ConvertClass], name: FullName) -> FullName:
    """The name that a class had before the rules that are there."""
    fitting = [rule for rule in classes if name[: len(rule.new)] == rule.new]
    if not fitting:
        return name
    longest = max(fitting, key=lambda rule: len(rule.new))
    return longest.old + name[len(longest.new) :]


def _appended(text: str, name: str, rule: Rule) -> str:
    line = f"{rule};"
    if any(str(known) == str(rule) for known in parse_script(text, name).all):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if not text or text.endswith("\n") else end) + line + end


def _with_new_names(text: str, function: str, old: FullName, new: FullName, class_: FullName | None = None) -> str:
    """The script with another new name wherever a call leads to the old one, or to something inside it."""
    pieces = []
    number = _NEW_ARGUMENT[function]
    for statement in statements(text):
        call = call_in(statement) if statement.text.startswith(function) else None
        if call is not None and call.name == function:
            root: Any = node_of(call)
            places = item_places(root[2])
            is_meant = class_ is None or (places and quote(".".join(class_)) in tokens(root[2][places[0]]))
            if is_meant and len(places) > number:
                root = _renamed(root, (2, places[number]), old, new)
                pieces.append(statement._replace(text=render(root)).whole)
                continue
        pieces.append(statement.whole)
    return "".join(pieces)


def _renamed(root: Any, path: tuple[int, ...], old: FullName, new: FullName) -> Any:
    argument = at(root, path)
    inner = [((), argument)] if isinstance(argument, str) else list(leaf_paths(argument))
    for place, leaf in inner:
        prefix, token = split_leaf(leaf)
        written = tuple(split_name(unquote(token))) if token_text(leaf).startswith('"') else ()
        if written[: len(old)] == old:
            root = replaced(root, (*path, *place), prefix + quote(".".join(new + written[len(old) :])))
    return root


# ---------------------------------------------------------------- recording

_FOLDER: Final = "Resources/Scripts/Conversion"


def conversion_entry(old: str, new: str) -> ConvertClass:
    """A class was renamed or moved; both are full names."""
    return ConvertClass(0, _full(old), _full(new))


def element_entry(class_: str, old: str, new: str) -> ConvertElement:
    """An element of a class was renamed; the class goes by its full name."""
    return ConvertElement(0, _full(class_), _full(old), _full(new))


def _full(name: str) -> FullName:
    return tuple(split_name(name))


def write_conversion(
    libraries: Libraries, library_name: str, from_version: str, entries: Iterable[ConvertClass | ConvertElement]
) -> Path:
    """Write down what has changed in a library since a version; the script comes back.

    The script is the one that the library's `conversion` annotation names for users of that version; where it names
    none, one is made. What was renamed twice since that version becomes one rule.
    """
    library = libraries[library_name]
    if library.read_only or library.root.folder is None:
        why = "is read-only" if library.read_only else "is a single file and has no folder for a script"
        raise LibraryError(f"'{library_name}' {why}: its conversion can't be written")
    version = version_of(libraries, library)
    if version == from_version:
        raise LibraryError(
            f"'{library_name}' still has version {version}: give it a new one before its conversion is written"
        )
    step = conversions_of(libraries, library).step_from(from_version)
    if step is not None and not step.script:
        raise LibraryError(
            f"the rules for users of {library_name} {from_version} are in its annotation: put them into a script"
        )
    workspace = libraries.workspace
    assert workspace is not None  # the library can be written
    with libraries.transaction():
        script = step.script if step is not None else _new_script(library, from_version, version)
        if step is None:
            _name_script(libraries, library, from_version, script)
        path = script_place(script, library)
        data = workspace.others.read(path)
        source = Source.from_bytes(data or b"", path)
        if data is None:
            since = f"// From {library_name} {from_version}" + (f" to {version}" if version else "")
            source = Source(since + "\n", path)
        workspace.others.write(path, source.encode(with_entries(source.text, str(path), entries)))
    return path


def _new_script(library: Library, from_version: str, version: str) -> str:
    to = f"_to_{version}" if version else ""
    return f"modelica://{library.name}/{_FOLDER}/Convert{library.name}_from_{from_version}{to}.mos"


def _name_script(libraries: Libraries, library: Library, from_version: str, script: str) -> None:
    document = libraries.document(library.root)
    if conversion_arguments(libraries, library) is None:
        handle = document.find_class(library.name)
        with document.transaction():
            handle.set_annotation("conversion.from.version", from_version)
            handle.set_annotation("conversion.from.script", script)
    else:
        document.edit(_add_step, library.name, f"from(version={quote(from_version)}, script={quote(script)})")


def _add_step(edit: ExactEditor, name: str, step: str) -> None:
    """One more `from(…)` in the `conversion(…)` that is there. A path can't name it: there may be several."""
    annotation = edit.find_class(name).annotation
    assert annotation is not None
    edit.write(*with_argument(reach(annotation, ("conversion",)).holder, parsed(step, "_argument", "a modifier")))


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


def migration_to(
    used: str, version: str | None, *, named: Sequence[str] = (), around: Sequence[Path] = ()
) -> Migration:
    """How to get to a version of a library, or to the newest that is named, beside what is `around`, or installed.

    A newer version still ships the scripts of the steps before it. LibraryError if there are no rules.
    """
    if version is not None and not _VERSION.fullmatch(version):
        raise LibraryError(f"'{version}' is not a version of {used}, such as 4.0.0")
    try:
        return Migration(used, version, find_library(used, version, named=named, around=around), ())
    except LibraryError as wrong:
        reason = str(wrong)
    if version is not None:
        try:
            newest = find_library(used, named=named, around=around)
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
