"""Where new elements and sections are in the body of a class, and how their lines start."""

from __future__ import annotations

from itertools import dropwhile
from typing import Final, TypedDict

from modelica_ast.edit.draft import body_of, one
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.surgery import node_of, prefix_of
from modelica_ast.foundation import EditError, Record
from modelica_ast.syntax import Green, Node, Prefix, child_at, is_blank, make_node, with_prefix
from modelica_ast.tree import (
    ClassAnnotation,
    ClassDefinition,
    Composition,
    Element,
    ElementSection,
    StoredClass,
    Unparsed,
    View,
    view_at,
)

_VARIABILITY: Final = frozenset({"parameter", "constant", "discrete"})
_PLACES: Final = ("first", "last", "sorted")
_SECTIONS: Final = ("public", "protected")


class Where(TypedDict, total=False):
    """Where an element goes: before or after a named one, or at a place (first, last, sorted) of a section."""

    before: str | None
    after: str | None
    place: str | None
    section: str | None


class Insertion(Record):
    """Where a new element goes, checked."""

    before: str | None = None
    after: str | None = None
    place: str | None = None  # first, last or sorted
    section: str | None = None  # public or protected

    def __init__(
        self,
        before: str | None = None,
        after: str | None = None,
        place: str | None = None,
        section: str | None = None,
    ) -> None:
        super().__init__(before, after, place, section)
        given = [name for name in ("before", "after", "place") if getattr(self, name) is not None]
        if len(given) > 1:
            raise EditError(f"give '{given[0]}' or '{given[1]}', not both")
        if self.place is not None and self.place not in _PLACES:
            raise EditError(f"there is no place '{self.place}'; there is {', '.join(_PLACES)}")
        if self.section is not None and self.section not in _SECTIONS:
            raise EditError(f"there is no section '{self.section}'; there is {', '.join(_SECTIONS)}")
        if self.section is not None and given and given[0] != "place":
            raise EditError(f"'{given[0]}' already says the section; leave out 'section'")

    @property
    def neighbour(self) -> str | None:
        """The element that it names."""
        return self.before if self.before is not None else self.after


def class_of(view: View) -> ClassDefinition:
    """The class that something is in."""
    found = next((each for each in view.ancestors if isinstance(each, ClassDefinition)), None)
    if found is None:
        raise EditError("it is not in a class")
    return found


def line_starts(body: Composition) -> tuple[str, str]:
    """How the lines of a class start: its `end` and sections, and what is inside; '' if all is on one line."""
    assert body.parent is not None
    outer = Prefix.of(prefix_of(child_at(node_of(body.parent), body.index + 1))).line_start
    if not outer:
        return "", ""
    return outer, outer + ("\t" if outer.endswith("\t") else "  ")


def put_in_body(
    edit: ExactEditor, body: Composition, number: int, node: Node, start: str, comments: View | None = None
) -> View:
    """Put an element or a section into a body as its child number `number`; `start` is how its line starts."""
    there = body.children
    if not there:
        return edit.put_first(body, node, start, comments)
    if number > 1:
        return edit.put_line(there[number - 2], node, start=start, comments=comments)
    return edit.put_line(there[0], node, before=True, start=start, comments=comments)


# ---------------------------------------------------------------- elements


def put_element(
    edit: ExactEditor,
    owner: ClassDefinition,
    element: Node,
    place: Insertion,
    *,
    comments: View | None = None,
    is_set_off: bool = False,
) -> View:
    """Put an element where it belongs; a section that is missing is made. The comments of what it was come along.

    Blank lines are put around a class as around the others, and around what `is_set_off` by them.
    """
    beside, before = _beside(edit, owner, Element.of(element), place)
    if beside is not None:
        new = edit.put_line(beside, element, before=before, comments=comments)
    else:
        new = _put_first_of_section(edit, body_of(owner), element, place.section, comments)
    assert new.parent is not None
    siblings = new.parent.children
    others = [each for each in siblings if each.index != new.index and is_class(each)]
    if is_class(new) and any(Prefix.of(each.leading).has_blank_line for each in others):
        _set_off(edit, new, others)
    elif is_set_off:
        _set_off(edit, new, siblings)
    return new


def is_class(element: View) -> bool:
    """Is it a class with its semicolon?"""
    return isinstance(element, StoredClass) or (isinstance(element, Element) and element.class_definition is not None)


def _set_off(edit: ExactEditor, new: View, others: list[View]) -> None:
    """Blank lines around a new element, before the one of the others that follows it."""
    assert new.parent is not None
    for each in new.parent.children[new.index - 1 : new.index + 1]:
        if _is_inner(each) and (each.index == new.index or each in others):
            edit.write(each, with_blank_line(each))


def _is_inner(view: View) -> bool:
    """Is it an element with another before it in its section?"""
    assert view.parent is not None
    before = view.parent.children[view.index - 2] if view.index > 1 else None
    return isinstance(view, Element | Unparsed) and isinstance(before, Element | Unparsed)


def with_blank_line(view: View) -> Green:
    """What a view shows with an empty line above it and its comments, if it starts a line and has none."""
    prefix = Prefix.of(view.leading)
    if not prefix.starts_line or prefix.has_blank_line:
        return view.green
    end = "\r\n" if prefix.lines[0].startswith("\r\n") else "\n"
    return with_prefix(view.green, prefix.head + end + prefix.below)


def named_element(edit: ExactEditor, owner: ClassDefinition, name: str) -> Element:
    """The element that declares a component or a class of this name."""
    body = body_of(owner)
    scope = edit.scope(body)
    path = one(scope.components | scope.classes, name, "component or class", f"'{owner.name_in_file}'")
    found = view_at(body, path)
    return next(each for each in (found, *found.ancestors) if isinstance(each, Element))


def elements_of_section(body: Composition, section: str | None) -> list[Element]:
    """The elements among which a new one goes: the first public ones, or the last protected section's."""
    leading = _elements(body)
    if section != "protected" and (leading or section is None):
        return leading
    found = _section(body, section or "public")
    return [] if found is None else _elements(found)


def _elements(holder: Composition | ElementSection) -> list[Element]:
    return [each for each in holder.elements if isinstance(each, Element)]


def _section(body: Composition, name: str) -> ElementSection | None:
    """The last section of a name."""
    found = [each for each in body.sections if isinstance(each, ElementSection) and each.kind == f"{name}_section"]
    return found[-1] if found else None


def _put_first_of_section(
    edit: ExactEditor, body: Composition, element: Node, section: str | None, comments: View | None
) -> View:
    outer, inner = line_starts(body)
    there = _section(body, section) if section is not None else None
    if there is not None:
        edit.keep(there)
        return edit.put_line(there.children[0], element, start=inner, comments=comments)
    if section != "protected":
        return put_in_body(edit, body, 1, element, inner, comments)
    # Behind all that is declared, what goes on after a class annotation included: or else that is protected, too.
    last = max((each.index for each in body.children if _declares(each)), default=0)
    new = put_in_body(edit, body, last + 1, make_node("protected_section", "protected"), outer)
    return edit.put_line(new.children[0], element, start=inner, comments=comments)


def _declares(part: View) -> bool:
    is_resumed = isinstance(part, ClassAnnotation) and bool(part.elements)
    return is_resumed or isinstance(part, Element | Unparsed | ElementSection)


def _beside(
    edit: ExactEditor, owner: ClassDefinition, element: Element, place: Insertion
) -> tuple[Element | None, bool]:
    """(the element to be beside, before it?)."""
    if place.neighbour is not None:
        return named_element(edit, owner, place.neighbour), place.before is not None
    found = elements_of_section(body_of(owner), place.section)
    if place.place in ("first", "sorted"):
        declared = [each for each in found if each.component_clause is not None]
        if place.place == "first":
            classes = [each for each in found if is_class(each)]
            first = [*classes, *declared] if is_class(element) else [*declared, *classes]
            return (first[0], True) if first else (found[-1] if found else None, False)
        if place.place == "sorted" and found and element.component_clause is not None:
            return _sorted_place(element, declared, found)
    return (found[-1], False) if found else (None, False)


def _sorted_place(element: Element, declared: list[Element], found: list[Element]) -> tuple[Element, bool]:
    """With those of its type, else with those of its variability; in the order of the names if they are in it."""
    variability, type_, name = _traits(element)
    traits = [(each, *_traits(each)) for each in declared]
    like = [(each, n) for each, v, t, n in traits if (v, t) == (variability, type_)]
    like = like or [(each, n) for each, v, _, n in traits if v == variability]
    if not like:
        # Parameters come before variables.
        behind = [each for each, v, *_ in traits if v not in _VARIABILITY] if variability in _VARIABILITY else []
        return (behind[0], True) if behind else (found[-1], False)
    names = [n for _, n in like]
    if names == sorted(names):
        later = [each for each, n in like if n > name]
        if later:
            return later[0], True
    return like[-1][0], False


def _traits(element: Element) -> tuple[str, str, str]:
    """(variability, type, first name) of what an element declares."""
    clause = element.component_clause
    assert clause is not None
    words = clause.prefix.words if clause.prefix is not None else ()
    variability = next((word for word in words if word in _VARIABILITY), "")
    return variability, str(clause.type), clause.declarations[0].name


# ---------------------------------------------------------------- moving


def move_element(edit: ExactEditor, owner: ClassDefinition, element: Element, target: Insertion) -> None:
    """Take an element out with its comments and put it at its new place."""
    if _stands_there(edit, owner, element, target):
        return
    assert element.parent is not None
    later = element.parent.children[element.index :][:1]
    # A blank line above it, and it is all that this sets off; or it is the first, and a blank line below.
    has_blank = [Prefix.of(each.leading).has_blank_line for each in (element, *later)]
    is_set_off = has_blank[0] if not later or not _is_inner(later[0]) else has_blank[1]
    is_set_off = is_set_off and (has_blank[0] or not _is_inner(element))
    with edit.all_or_none():
        edit.remove(element)
        first = body_of(edit.now(owner)).children[:1]
        if element.index == 1 and isinstance(element.parent, Composition) and first:
            edit.write(first[0], _without_blank_line(first[0]))
        put_element(edit, edit.now(owner), node_of(element), target, comments=element, is_set_off=is_set_off)


def _without_blank_line(view: View) -> Green:
    """What a view shows without empty lines between it and the line before."""
    prefix = Prefix.of(view.leading)
    lines = dropwhile(is_blank, prefix.lines[:-1])
    return with_prefix(view.green, prefix.head + "".join([*lines, *prefix.lines[-1:]]))


def _stands_there(edit: ExactEditor, owner: ClassDefinition, element: Element, target: Insertion) -> bool:
    """Is it where it should go already?"""
    if target.neighbour is not None:
        beside = named_element(edit, owner, target.neighbour)
        step = 1 if target.before is not None else -1
        return beside.parent == element.parent and beside.index == element.index + step
    if target.place in ("sorted", "first"):
        return False
    found = elements_of_section(body_of(owner), target.section)
    return bool(found) and found[-1] == element
