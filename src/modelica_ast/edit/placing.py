"""Where new elements and sections stand in the body of a class, and how their lines start."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.lists import item_places
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    insert_after,
    insert_before,
    next_leaf_path,
    prefix_of,
    remove,
    replaced,
    with_prefix,
)
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node, child_leaf, child_node, tokens
from modelica_ast.lexer import token_text
from modelica_ast.record import Record
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix, is_blank

_DECLARING: Final = frozenset({"element", "unparsed", "public_section", "protected_section"})
_CLOSING: Final = frozenset({"class_annotation", "external_clause"})
_VARIABILITY: Final = frozenset({"parameter", "constant", "discrete"})
_SECTION_KINDS: Final = frozenset(f"{name}_section" for name in ("public", "protected", "equation", "algorithm"))
_PLACES: Final = ("first", "last", "sorted")
_SECTIONS: Final = ("public", "protected")


class Place(Record):
    """Where a new element goes: beside a named one, or at a place of a section."""

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
            raise EditError(f"'{given[0]}' says the section already; leave out 'section'")

    @property
    def neighbour(self) -> str | None:
        """The element that it names."""
        return self.before if self.before is not None else self.after


def line_starts(root: Any, body: Path) -> tuple[str, str]:
    """How the lines of a class start: its `end` and sections, and what is inside; '' if all is on one line."""
    end = at(root, (*body[:-1], body[-1] + 1))
    outer = Prefix.of(prefix_of(end)).line_start
    if not outer:
        return "", ""
    return outer, outer + ("\t" if outer.endswith("\t") else "  ")


def put_in_body(work: Working, body: Path, index: int, node: Green, start: str) -> Path:
    """Put an element or a section into a body as its child number `index`; `start` is how its line starts."""
    composition = at(work.root, body)
    if index > 1:
        root = insert_after(work.root, (*body, index - 1), node, start)
    elif len(composition) > 1:
        root = insert_before(work.root, (*body, 1), node, start)
    else:
        root = _first_in_body(work.root, body, node, start)
    # A section by itself may read well and still take away what continues the one before it.
    work.changed(root, (*body, index) if KINDS[at(root, (*body, index))[0]] == "element" else body)
    return (*body, index)


def _first_in_body(root: Any, body: Path, node: Green, start: str) -> Any:
    following = next_leaf_path(root, (*body, 0))
    assert following is not None  # a class has its `end`
    prefix = Prefix.of(prefix_of(at(root, following)))
    on_own_line = prefix.starts_line and bool(start)
    root = change_prefix(root, following, lambda old: prefix.below if on_own_line else old or " ")
    return replaced(
        root, body, make_node("composition", with_prefix(node, prefix.head + start if on_own_line else " "))
    )


def end_of_declarations(composition: Node) -> int:
    """The index behind the last declaration of a body."""
    places = range(1, len(composition))
    return next((i for i in places if KINDS[child_node(composition, i)[0]] not in _DECLARING), len(composition))


def end_of_sections(composition: Node) -> int:
    """The index behind the last section of a body: before its annotation and `external`."""
    stop = len(composition)
    while stop > 1 and _closes(child_node(composition, stop - 1)):
        stop -= 1
    return stop


def _closes(section: Node) -> bool:
    """Does nothing but the end of the class follow it? In old files equations go on behind an annotation."""
    is_resumed = KINDS[section[0]] == "class_annotation" and len(section) > 3  # noqa: PLR2004
    return KINDS[section[0]] in _CLOSING and not is_resumed


# ---------------------------------------------------------------- elements


def put_element(work: Working, class_: str, element: Node, place: Place) -> Path:
    """Put an element where it belongs; a section that is missing is made."""
    new = _put_element(work, class_, element, place)
    if KINDS[_declared(element)[0]] == "class_definition":
        _set_off(work, new)
    return new


def _set_off(work: Working, new: Path) -> None:
    """Blank lines around a class, where the classes beside it have them."""
    parent = at(work.root, new[:-1])
    others = [i for i in range(1, len(parent)) if i != new[-1] and type(parent[i]) is tuple and _is_class(parent[i])]
    if not any(Prefix.of(prefix_of(parent[i])).has_blank_line for i in others):
        return
    root = work.root
    for index in (new[-1], new[-1] + 1):
        if index > 1 and (index == new[-1] or index in others):
            root = with_blank_line(root, (*new[:-1], index))
    work.changed(root, new[:-1])


def _is_class(element: Node) -> bool:
    return KINDS[element[0]] in ("element", "stored_class") and KINDS[_declared(element)[0]] == "class_definition"


def with_blank_line(root: Any, path: Path) -> Any:
    """The tree with an empty line above what stands at a path and its comments; the same tree if there is one."""
    prefix = Prefix.of(prefix_of(at(root, path)))
    if not prefix.starts_line or prefix.has_blank_line:
        return root
    end = "\r\n" if prefix.lines[0].startswith("\r\n") else "\n"
    return replaced(root, path, with_prefix(at(root, path), prefix.head + end + prefix.below))


def _put_element(work: Working, class_: str, element: Node, place: Place) -> Path:
    body = work.body_path(class_)
    if place.neighbour is not None:
        beside = named_element(work, class_, place.neighbour)
        return put_beside(work, beside, element, before=place.before is not None)
    found = elements_of_section(work, body, place.section)
    neighbour, before = _beside(work, element, found, place.place)
    if neighbour is not None:
        return put_beside(work, neighbour, element, before=before)
    return _put_first_of_section(work, body, element, place.section)


def put_beside(work: Working, beside: Path, element: Green, *, before: bool) -> Path:
    """Put an element before or behind another, with a line start like it."""
    start = Prefix.of(prefix_of(at(work.root, beside))).line_start
    if before:
        work.changed(insert_before(work.root, beside, element, start), beside)
        return beside
    new = (*beside[:-1], beside[-1] + 1)
    work.changed(insert_after(work.root, beside, element, start), new)
    return new


def named_element(work: Working, class_: str, name: str) -> Path:
    """The element that declares a component or a class of this name."""
    body = work.body_path(class_)
    scope = work.index.scope(at(work.root, body))
    path = body + work.one(scope.components | scope.classes, name, "component or class", f"'{class_}'")
    return work.element_path(path)


def elements_of_section(work: Working, body: Path, section: str | None) -> list[Path]:
    """The elements among which a new one goes: the first public ones, or the last protected section's."""
    composition = at(work.root, body)
    leading = [(*body, i) for i in range(1, len(composition)) if KINDS[composition[i][0]] == "element"]
    if section != "protected" and (leading or section is None):
        return leading
    kind = f"{section or 'public'}_section"
    sections = [i for i in range(1, len(composition)) if KINDS[composition[i][0]] == kind]
    if not sections:
        return []
    index = sections[-1]
    return [
        (*body, index, i) for i in range(2, len(composition[index])) if KINDS[composition[index][i][0]] == "element"
    ]


def _put_first_of_section(work: Working, body: Path, element: Node, section: str | None) -> Path:
    composition = at(work.root, body)
    outer, inner = line_starts(work.root, body)
    sections = [i for i in range(1, len(composition)) if KINDS[composition[i][0]] == f"{section}_section"]
    if sections:
        new = (*body, sections[-1], 2)
        work.changed(insert_after(work.root, (*body, sections[-1], 1), element, inner), new)
        return new
    if section == "protected":
        whole = make_node("protected_section", "protected", with_prefix(element, inner or " "))
        return (*put_in_body(work, body, end_of_declarations(composition), whole, outer), 2)
    return put_in_body(work, body, 1, element, inner)


def _beside(work: Working, element: Node, found: list[Path], place: str | None) -> tuple[Path | None, bool]:
    """(the element to stand beside, before it?)."""
    if not found:
        return None, False
    declared = [path for path in found if KINDS[_declared(at(work.root, path))[0]] == "component_clause"]
    if place == "first":
        return (declared[0], True) if declared else (found[-1], False)
    if place == "sorted" and KINDS[_declared(element)[0]] == "component_clause":
        return _sorted_place(work, element, declared, found)
    return found[-1], False


def _sorted_place(work: Working, element: Node, declared: list[Path], found: list[Path]) -> tuple[Path, bool]:
    """With those of its type, else with those of its variability; in the order of the names if they are in it."""
    variability, type_, name = _traits(element)
    traits = [(path, *_traits(at(work.root, path))) for path in declared]
    like = [(path, n) for path, v, t, n in traits if (v, t) == (variability, type_)]
    like = like or [(path, n) for path, v, _, n in traits if v == variability]
    if not like:
        # Parameters stand before variables.
        behind = [path for path, v, *_ in traits if v not in _VARIABILITY] if variability in _VARIABILITY else []
        return (behind[0], True) if behind else (found[-1], False)
    names = [n for _, n in like]
    if names == sorted(names):
        later = [path for path, n in like if n > name]
        if later:
            return later[0], True
    return like[-1][0], False


def _declared(element: Node) -> Node:
    """What an element declares: the clause or class definition in it."""
    found: Node = next(part for part in element[1:] if type(part) is tuple)
    return found


def _traits(element: Node) -> tuple[str, str, str]:
    """(variability, type, first name) of a component clause."""
    clause = _declared(element)
    prefix = child(clause, "type_prefix")
    words = tokens(prefix[1]) if prefix else []
    type_ = child(clause, "type_specifier")
    assert type_ is not None
    first = child_node(clause, item_places(clause)[0])
    variability = next((w for w in words if w in _VARIABILITY), "")
    return variability, "".join(tokens(type_[1])), token_text(child_leaf(first, 1))


# ---------------------------------------------------------------- taking out


def take_out(work: Working, path: Path) -> None:
    """Remove an element, equation or statement; a section that it leaves empty goes too, unless a comment is in it."""
    path = holder_or_section(work.root, path)
    work.changed(remove(work.root, path), path[:-1])


def holder_or_section(root: Any, path: Path) -> Path:
    """What goes when an element, equation or statement goes: itself, or the section that it leaves empty."""
    holder = at(root, path[:-1])
    words = [part for part in holder[1:] if type(part) is str]
    is_alone = KINDS[holder[0]] in _SECTION_KINDS and len(holder) == len(words) + 2
    texts = [prefix_of(at(root, path)), *(prefix_of(word) for word in words[1:])]
    following = next_leaf_path(root, path)
    is_followed = following is not None and not is_blank(Prefix.of(prefix_of(at(root, following))).head)
    return path[:-1] if is_alone and all(map(is_blank, texts)) and not is_followed else path
