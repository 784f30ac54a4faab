"""Classes: add, remove, move, and what is in their first line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modelica_ast.edit.draft import body_of, one
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted, line_end, owned_by, with_last_line_ended, with_owned
from modelica_ast.edit.placement import (
    Insertion,
    class_of,
    is_class,
    line_starts,
    move_element,
    put_element,
    with_blank_line,
)
from modelica_ast.edit.removals import Comments, with_comments_kept
from modelica_ast.edit.surgery import change_prefix, next_leaf_path, node_of, prefix_of, remove, with_child
from modelica_ast.edit.values import Given, identifier, parsed, written
from modelica_ast.edit.verbs.components import (
    ELEMENT_WORDS,
    checked,
    describe,
    set_prefixes,
    subscripts_green,
    with_comments_of_words,
    with_element_words,
)
from modelica_ast.edit.verbs.renames import refuse_captures, rename_thing, text_around, uses_of
from modelica_ast.foundation import EditError, NotFoundError, nearest, quoted
from modelica_ast.syntax import Green, Node, Prefix, children_of, make_node, quote, tokens, with_prefix
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    Description,
    Element,
    EnumerationClassSpecifier,
    EnumerationLiteral,
    EnumList,
    Name,
    ShortClassSpecifier,
    StoredClass,
    StoredDefinition,
    View,
    indentation_of,
    relined,
    view_at,
)

Around = StoredDefinition | ClassDefinition  # what classes are in
Prefixed = Component | ClassDefinition

_USERS_SHOWN: Final = 3

# ---------------------------------------------------------------- adding


def add_class(  # noqa: PLR0913  (name, kind and place)
    edit: ExactEditor,
    owner: Around,
    name: str,
    kind: str = "model",
    *,
    description: str | None = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> str:
    """Add an empty class inside a class, or with an empty `class` to the file."""
    where = Insertion(before, after, place, section)
    written = identifier(name)
    _refuse_captures(edit, owner, written)
    parts: list[Green] = [" " + written, *([] if description is None else [" " + quote(description)])]
    end = (_line_start(owner) or " ") + "end"
    specifier = make_node("long_class_specifier", *parts, make_node("composition"), end, " " + written)
    definition = make_node("class_definition", _class_prefixes(kind.split()), specifier)
    _put(edit, owner, Element.of(make_node("element", definition, ";")), where)
    return name


def insert_class(
    edit: ExactEditor,
    owner: Around,
    definition: str,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> str:
    """Add a class, given as Modelica, inside a class, or with an empty `class` to the file.

    It gets the indentation and line ends of its place; comments above it and after it come along.
    """
    name = name_of(definition)
    _refuse_captures(edit, owner, name)
    put_class(edit, owner, definition, Insertion(before, after, place, section))
    return name


def put_class(edit: ExactEditor, owner: Around, definition: str, where: Insertion) -> None:
    """Add a class, given as Modelica, whatever other names come to mean."""
    element = _element(definition)
    _put(edit, owner, element, where, comments=element)


def name_of(definition: str) -> str:
    """The name of a class that is given as Modelica."""
    return _defined(_element(definition)).name


def _element(text: str) -> Element:
    """A class that is given as Modelica."""
    found = written(text, "_element", "a class")
    if not isinstance(found, Element) or found.class_definition is None:
        raise EditError(f"'{' '.join(found.text.split())[:60]}' is not a class")
    return found


def _defined(element: Element) -> ClassDefinition:
    assert element.class_definition is not None
    return element.class_definition


def _refuse_captures(edit: ExactEditor, owner: Around, name: str) -> None:
    if isinstance(owner, ClassDefinition):
        refuse_captures(edit, owner, {name: ()})


def _put(edit: ExactEditor, owner: Around, element: Element, where: Insertion, *, comments: View | None = None) -> None:
    definition = _defined(element)
    scope = edit.scope(owner if isinstance(owner, StoredDefinition) else body_of(owner))
    if definition.name in scope.classes or definition.name in scope.components:
        around = "the file" if isinstance(owner, StoredDefinition) else f"'{owner.name_in_file}'"
        raise EditError(f"'{definition.name}' is already declared in {around}")
    if isinstance(owner, ClassDefinition):
        put_element(edit, owner, node_of(element), where, comments=comments)
    elif element.prefixes or element.constraint is not None:
        raise EditError("a class at the top of a file has no prefixes but 'encapsulated' and 'partial'")
    else:
        _put_in_file(edit, make_node("stored_class", *children_of(node_of(element), 1)), where, comments)


def _line_start(owner: Around) -> str:
    """How the lines of a new class start."""
    if isinstance(owner, ClassDefinition):
        return line_starts(body_of(owner))[1]
    ends = [each.leading for each in owner.children if "\n" in each.leading]
    return line_end(node_of(owner)) if not ends else "\r\n" if "\r\n" in ends[-1] else "\n"


def _put_in_file(edit: ExactEditor, stored: Node, where: Insertion, comments: View | None) -> None:
    """Beside another class of the file, a blank line between them."""
    if where.section is not None:
        raise EditError("a file has no sections")
    file = edit.tree
    found, end = _stored_classes(file), _line_start(file)
    if not found:  # after `within`, or at the start; the tail of the file stays
        *before, tail = children_of(node_of(file), 1)
        laid = stored if comments is None else relined(stored, indentation_of(comments), end)
        whole = make_node("stored_definition", *before, with_prefix(laid, end), tail or end)
        if comments is not None:
            whole = with_owned(whole, (len(before) + 1,), owned_by(comments))
        edit.take(whole if before else change_prefix(whole, next_leaf_path(whole, (0,)), lambda old: old[len(end) :]))
        return
    beside = found[0] if where.place == "first" else found[-1]
    if where.neighbour is not None:
        beside = _stored(edit, where.neighbour)
    is_before = where.before is not None or (where.neighbour is None and where.place == "first")
    *_, tail = children_of(node_of(file), 1)
    is_open = not is_before and beside.index == len(node_of(file)) - 2 and not tail  # the last line has no end
    if is_before and not Prefix.of(beside.leading).starts_line:  # the first line of the file
        edit.write(beside, with_prefix(beside.green, end + beside.leading))
        new = edit.put_line(beside, stored, before=True, start=end, comments=comments)
        edit.write(new, with_prefix(new.green, new.leading[len(end) :]))
    else:
        if is_open:
            edit.take(with_last_line_ended(node_of(file), beside.path, end))
        there = edit.tree.children[beside.index - 1]
        new = edit.put_line(there, stored, before=is_before, start=end, comments=comments)
    for each in edit.tree.children[new.index - 1 : new.index + 1]:
        if is_class(each) and each.index > found[0].index:
            edit.write(each, with_blank_line(each))
    if is_open:
        edit.take(change_prefix(node_of(edit.tree), (len(edit.tree.children),), lambda old: old[: -len(end)]))


def _stored_classes(file: StoredDefinition) -> list[StoredClass]:
    return [each for each in file.stored_classes if isinstance(each, StoredClass)]


def _stored(edit: ExactEditor, name: str) -> StoredClass:
    file = edit.tree
    found = view_at(file, one(edit.scope(file).classes, name, "class", "the file")[:1])
    assert isinstance(found, StoredClass)
    return found


# ---------------------------------------------------------------- removing and moving


def remove_class(edit: ExactEditor, owner: ClassDefinition, *, comments: Comments = "drop") -> None:
    """Remove a class with its comments; refused while something else in the document uses it."""
    root, users = uses_of(edit.tree, owner)
    if users:
        shown = "; ".join(dict.fromkeys(text_around(root, path) for path in users[:_USERS_SHOWN]))
        more = f" and {len(users) - _USERS_SHOWN} more" if len(users) > _USERS_SHOWN else ""
        raise EditError(f"'{owner.name_in_file}' is in use: {shown}{more}")
    _take_out(edit, _holder(owner), comments)


def _holder(owner: ClassDefinition) -> Element | StoredClass:
    """The class with its semicolon."""
    assert isinstance(owner.parent, Element | StoredClass)
    return owner.parent


def _take_out(edit: ExactEditor, holder: View, comments: Comments = "drop") -> None:
    """Remove an element, or a class of the file; what comes first in a file then has no empty line above it."""
    assert holder.parent is not None
    root, path, later = node_of(edit.tree), holder.path, holder.parent.children[holder.index :]
    is_last = not later or not isinstance(later[0], Element | StoredClass)
    new = remove(root, path, is_last=is_last and comments == "drop")
    if path == (1,):
        new = change_prefix(new, next_leaf_path(new, (0,)), lambda old: old.lstrip("\r\n"))
    if comments == "keep":
        new = with_comments_kept(root, new, [path], path)
    edit.take(new, holder.parent)


def move_class(
    edit: ExactEditor,
    owner: ClassDefinition,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Move a class with its comments to another place among its siblings."""
    target = Insertion(before, after, place, section)
    if target.neighbour == owner.name:
        raise EditError(f"'{owner.name}' can't be placed beside itself")
    holder = _holder(owner)
    if isinstance(holder, Element):
        move_element(edit, class_of(holder), holder, target)
    elif not _stands_in_file(edit, holder, target):
        with edit.all_or_none():
            _take_out(edit, holder)
            _put_in_file(edit, node_of(holder), target, holder)


def _stands_in_file(edit: ExactEditor, holder: StoredClass, target: Insertion) -> bool:
    """Is a class of the file where it should go already?"""
    if target.neighbour is not None:
        step = 1 if target.before is not None else -1
        return _stored(edit, target.neighbour).index == holder.index + step
    found = _stored_classes(edit.tree)
    return holder == (found[0] if target.place == "first" else found[-1])


# ---------------------------------------------------------------- the first line


def set_class_kind(edit: ExactEditor, owner: ClassDefinition, kind: str) -> None:
    """Make a class another kind of class: `model`, `block`, `operator record`, `expandable connector`, …"""
    new = _class_prefixes(kind.split(), is_partial=owner.is_partial)
    if tokens(new) != tokens(owner.prefixes.green):
        edit.write(owner.prefixes, with_prefix(new, owner.prefixes.leading))


def _class_prefixes(words: list[str], *, is_partial: bool = False) -> Node:
    parts = ["partial", *words] if is_partial else words
    try:
        return make_node("class_prefixes", *(word if i == 0 else " " + word for i, word in enumerate(parts)))
    except ValueError:
        raise EditError(f"'{' '.join(words)}' is not a kind of class") from None


def get_class_prefixes(owner: ClassDefinition) -> list[str]:
    """The words before a class: `encapsulated`, `partial`, `final`, `replaceable`, …"""
    holder = _holder(owner)
    words = [*holder.prefixes] if isinstance(holder, Element) else ["final"] if holder.final is not None else []
    words += ["encapsulated"] if owner.encapsulated is not None else []
    return words + (["partial"] if owner.is_partial else [])


def set_class_prefixes(edit: ExactEditor, owner: ClassDefinition, prefixes: Sequence[str]) -> None:
    """Set all words before a class; its kind (`model`, `operator record`) is not among them."""
    wanted = checked(prefixes, (*ELEMENT_WORDS, "encapsulated", "partial"))
    if sorted(get_class_prefixes(owner)) == sorted(wanted):
        return
    holder = _holder(owner)
    outer = [word for word in ELEMENT_WORDS if word in wanted]
    inner = ["encapsulated"] if "encapsulated" in wanted else []
    kind = with_prefix(_class_prefixes(owner.class_kind.split(), is_partial="partial" in wanted), " " if inner else "")
    new = make_node("class_definition", *inner, kind, owner.specifier.green)
    new = with_prefix(new, " ") if outer else new
    if isinstance(holder, Element):
        edit.write(holder, with_element_words(holder, owner, new, outer))
    elif set(outer) <= {"final"}:
        *_, end = children_of(node_of(holder))
        whole = with_prefix(make_node("stored_class", *outer, new, end), holder.leading)
        edit.write(holder, with_comments_of_words(node_of(holder), whole))
    else:
        raise EditError("a class at the top of a file has no prefixes but 'final', 'encapsulated' and 'partial'")


def set_class_description(edit: ExactEditor, owner: ClassDefinition, text: str | None) -> None:
    """Set or (None) remove the description of a class."""
    describe(edit, owner.specifier, owner.description, text)


def add_prefix(edit: ExactEditor, owner: Prefixed, prefix: str) -> None:
    """Put one more word before a component's type, or before a class: `final`, `replaceable`, `partial`, …"""
    there = _prefixes(owner)
    if prefix not in there:
        _set_prefixes(edit, owner, [*there, prefix])


def remove_prefix(edit: ExactEditor, owner: Prefixed, prefix: str) -> None:
    """Take one word away from before a component's type, or from before a class."""
    there = _prefixes(owner)
    if prefix not in there:
        raise NotFoundError(f"there is no '{prefix}' before it{nearest(prefix, there)}")
    _set_prefixes(edit, owner, [each for each in there if each != prefix])


def _prefixes(owner: Prefixed) -> list[str]:
    return [*owner.prefixes] if isinstance(owner, Component) else get_class_prefixes(owner)


def _set_prefixes(edit: ExactEditor, owner: Prefixed, prefixes: list[str]) -> None:
    if isinstance(owner, Component):
        set_prefixes(edit, owner, prefixes)
    else:
        set_class_prefixes(edit, owner, prefixes)


# ---------------------------------------------------------------- short classes


def short_class(owner: ClassDefinition) -> ShortClassSpecifier:
    """What follows the name of `type Length = Real(unit="m")`; EditError if a class is written otherwise."""
    if not isinstance(owner.specifier, ShortClassSpecifier):
        raise EditError(f"'{owner.name_in_file}' is not a short class, 'type Length = Real'")
    return owner.specifier


def set_class_base(edit: ExactEditor, owner: ClassDefinition, type: str) -> None:  # noqa: A002  (its name in Modelica)
    """Let a short class be another one: `type Length = Real` becomes `type Length = SI.Length`; modifiers stay."""
    new, specifier = Name.of(parsed(type, "type_specifier", "a type")), short_class(owner)
    if str(new) != str(specifier.type):
        edit.replace(specifier.type, new)


def set_class_dimensions(edit: ExactEditor, owner: ClassDefinition, dimensions: Sequence[Given]) -> None:
    """Set the array dimensions of a short class: numbers, `":"`, or expressions; none makes it a scalar."""
    new, specifier = subscripts_green(dimensions), short_class(owner)
    written = [[] if each is None else tokens(each) for each in (getattr(specifier.subscripts, "green", None), new)]
    if written[0] != written[1]:
        edit.write(specifier, with_child(node_of(specifier), "array_subscripts", new))


# ---------------------------------------------------------------- within


def set_within(edit: ExactEditor, file: StoredDefinition, within: str | None) -> None:
    """Say which package the file is in; '' is `within;`, None takes the clause out."""
    old = file.within_clause
    name = [] if not within else [with_prefix(parsed(within, "name", "a name"), " ")]
    new = make_node("within_clause", "within", *name, ";")
    if old is not None and within is not None:
        if tokens(old.green) != tokens(new):
            # PERF: a name that was parsed, between two words that stay, reads back.
            edit.take(grafted(old, with_prefix(new, old.leading)), is_proved=True)
    elif old is not None:
        _take_out(edit, old)
    elif within is not None:
        edit.take(_with_within(file, new))


def _with_within(file: StoredDefinition, clause: Node) -> Node:
    """The file with a within clause at its start, after a byte order mark."""
    root, end = node_of(file), _line_start(file)
    first, *rest = children_of(root, 1)
    mark = [first] if isinstance(first, str) and first.startswith("\ufeff") and rest else []
    following = rest if mark else [first, *rest]
    if len(following) == 1:  # nothing but the end of the file
        return make_node("stored_definition", *mark, clause, following[0] or end)
    old = prefix_of(following[0])
    moved = following[0] if old.startswith(("\n", "\r\n")) else with_prefix(following[0], end + old)
    return make_node("stored_definition", *mark, clause, moved, *following[1:])


# ---------------------------------------------------------------- enumerations
# Literals of enumerations.


def literals_of(owner: ClassDefinition) -> list[EnumerationLiteral]:
    """The literals of an enumeration; EditError if a class is not one, or an open one."""
    specifier = owner.specifier
    if not isinstance(specifier, EnumerationClassSpecifier):
        raise EditError(f"'{owner.name_in_file}' is not an enumeration")
    if specifier.colon is not None:
        raise EditError(f"'{owner.name_in_file}' is an open enumeration, 'enumeration(:)': it has no literals")
    return specifier.enum_list.items if specifier.enum_list is not None else []


def find_literal(owner: ClassDefinition, name: str) -> EnumerationLiteral:
    """The literal of a name; NotFoundError names the nearest."""
    known = {each.name: each for each in literals_of(owner)}
    found = known.get(name) or known.get(quoted(name))
    if found is None:
        raise NotFoundError(f"no literal '{name}' in '{owner.name_in_file}'{nearest(name, known)}")
    return found


def add_literal(
    edit: ExactEditor,
    owner: ClassDefinition,
    name: str,
    *,
    description: str | None = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
) -> str:
    """Add a literal to an enumeration: last, unless `before`, `after` or `place` (first, last) say where."""
    there, where = literals_of(owner), Insertion(before, after, place)
    if where.place == "sorted":
        raise EditError("literals keep their own order: the place of a new one is 'first' or 'last'")
    _refuse_known(owner, name)
    text = None if description is None else Description(text=quote(description))
    new = EnumerationLiteral(identifier=identifier(name), description=text)
    if not there:
        edit.change(owner.specifier, enum_list=EnumList(items=[new]))
    elif where.before is not None or where.place == "first":
        edit.insert_before(there[0] if where.before is None else find_literal(owner, where.before), new)
    else:
        edit.insert_after(there[-1] if where.after is None else find_literal(owner, where.after), new)
    return name


def _refuse_known(owner: ClassDefinition, name: str) -> None:
    if any(each.name == identifier(name) for each in literals_of(owner)):
        raise EditError(f"'{name}' is a literal of '{owner.name_in_file}' already")


def remove_literal(edit: ExactEditor, literal: EnumerationLiteral, *, comments: Comments = "drop") -> None:
    """Remove a literal of an enumeration; its uses elsewhere stay."""
    edit.remove(literal, comments=comments)


def rename_literal(edit: ExactEditor, literal: EnumerationLiteral, name: str) -> str:
    """Rename a literal and all its uses in the document; refused where the meaning of a name would change."""
    literal = edit.now(literal)
    if identifier(name) != literal.name:
        _refuse_known(class_of(literal), name)
        rename_thing(edit, literal, literal.name, identifier(name))
    return name


def set_literal_description(edit: ExactEditor, literal: EnumerationLiteral, text: str | None) -> None:
    """Set or (None) remove the description of a literal."""
    describe(edit, literal, literal.description, text)
