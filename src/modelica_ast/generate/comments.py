"""Pieces of a text of Modelica as comments, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from modelica_ast.compare import compare
from modelica_ast.edit import Document
from modelica_ast.generate.outcome import short
from modelica_ast.generate.versions import Versions
from modelica_ast.tree import View

Piece = tuple[int, int, str]  # (start, end, text) of a stretch of a text that gets another text


def span(view: View) -> tuple[int, int]:
    """Where a view is in its text."""
    return view.span.start.offset, view.span.end.offset


def indent(view: View) -> str:
    """The blanks before a view that begins a line."""
    return " " * (view.span.start.column - 1)


def commented(view: View) -> str:
    """The lines of a piece of Modelica as comments. It begins where the piece began."""
    return "\n".join(f"// {line.rstrip()}" if at == 0 else _as_comment(line) for at, line in enumerate(_lines(view)))


def _lines(view: View) -> list[str]:
    return view.text.replace("\r\n", "\n").split("\n")


def _as_comment(line: str) -> str:
    blank = len(line) - len(line.lstrip())
    return f"{line[:blank]}// {line[blank:].rstrip()}"


def replaced(text: str, pieces: Iterable[Piece]) -> str:
    """The text with other stretches; what follows a comment on its line goes to the next."""
    end = "\r\n" if "\r\n" in text else "\n"
    for start, stop, new in sorted(pieces, reverse=True):
        rest = text[stop:]
        line = rest.split("\n", 1)[0].strip()
        gap = end if new.rpartition("\n")[2].lstrip().startswith("//") and line and not line.startswith("//") else ""
        text = text[:start] + new.replace("\n", end) + gap + rest
    return text


# ---------------------------------------------------------------- retyping
# Components that have another type now: what the user has set for the old one is commented out, and reported.


def retyped(versions: Versions) -> dict[str, frozenset[str]]:
    """The names of components that have another type now or are gone, by the generated files of their classes."""
    found: dict[str, frozenset[str]] = {}
    for path, base in versions.base.items():
        theirs = versions.theirs.get(path)
        if theirs is None or theirs == base or not path.endswith(".mo"):
            continue
        before, now = _types(base), _types(theirs)
        names = frozenset(name for name, type_ in before.items() if now.get(name) != type_)
        if names:
            found[path] = names
    return found


def _types(text: str) -> dict[str, str]:
    classes = Document(text).classes
    is_long = len(classes) == 1 and classes[0].view.components
    return {each.name: str(each.type) for each in classes[0].components} if is_long else {}


def with_own_types(versions: Versions, path: str, names: frozenset[str], found: list[str]) -> str:
    """The user's file of a class; a value that was given for another type is a comment in it."""
    text = versions.ours[path]
    base, now = versions.base[path], _types(versions.theirs[path])
    if path not in versions.changed or text == base:
        return text
    edited = {change.path[1] for change in compare(base, text) if len(change.path) > 1 and change.what == "value"}
    document, before = Document(text), Document(base)
    pieces: list[Piece] = []
    for component in document.classes[0].view.components:
        former = before.classes[0].get_component(component.name)
        element = component.element
        if component.name not in names & edited or component.name not in now or former is None or element is None:
            continue
        original = former.view.element
        assert original is not None, "it was generated on its own"
        pieces.append((*span(element), f"{commented(element)}\n{indent(element)}{original.text}"))
        found.append(
            f"{versions.place(path)}:{element.position.line}: {component.name} was a {component.type}, "
            f"and is a {now[component.name]} now: your {short(element.text)} is commented out"
        )
    return replaced(text, pieces)
