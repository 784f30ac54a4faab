"""Pieces of a text of Modelica as comments, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelica_ast.compare import compare
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.generate.outcome import short
from modelica_ast.generate.packages import class_chain, class_in
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
    documents: dict[str, Document] = {}  # several classes may be in one
    found: dict[str, frozenset[str]] = {}
    for path in dict.fromkeys((*versions.base, *versions.hosts)):
        key = versions.hosts.get(path, path)
        base, theirs = versions.base.get(key), versions.theirs.get(key)
        if base is None or theirs is None or base == theirs or not path.endswith(".mo"):
            continue
        for text in (base, theirs):
            if text not in documents:
                documents[text] = Document(text)
        before, now = (_class_of(documents[text], key, path) for text in (base, theirs))
        if before is not None and now is not None:
            types = _types(now)
            names = frozenset(name for name, type_ in _types(before).items() if types.get(name) != type_)
            if names:
                found[path] = names
    return found


def _class_of(document: Document, key: str, path: str) -> ClassHandle | None:
    """The class of a generated file, in the file that it is in."""
    return class_in(document, key, class_chain(path)) if len(document.classes) == 1 else None


def _types(model: ClassHandle) -> dict[str, str]:
    return {each.name: str(each.type) for each in model.components}


def own_types(versions: Versions, path: str, names: frozenset[str], found: list[str]) -> Iterator[Piece]:
    """Values in the user's file with a class that were given for another type: they are comments."""
    key = versions.hosts.get(path, path)
    base, text, theirs = versions.base[key], versions.ours.get(key), versions.theirs[key]
    if key not in versions.changed or text is None or text == base:
        return
    former, own, new = (_class_of(Document(each), key, path) for each in (base, text, theirs))
    if former is None or own is None or new is None:
        return
    now = _types(new)
    inside = (Document(text).classes[0].name, *class_chain(path)[len(class_chain(key)) :])
    edited = {
        change.path[len(inside)]
        for change in compare(base, text)
        if len(change.path) > len(inside) and change.path[: len(inside)] == inside and change.what == "value"
    }
    for component in own.view.components:
        element, before = component.element, former.get_component(component.name)
        if component.name not in names & edited or component.name not in now or before is None or element is None:
            continue
        original = before.view.element
        assert original is not None, "it was generated on its own"
        yield *span(element), f"{commented(element)}\n{indent(element)}{original.text}"
        found.append(
            f"{versions.place(path)}:{element.position.line}: {component.name} was a {component.type}, "
            f"and is a {now[component.name]} now: your {short(element.text)} is commented out"
        )
