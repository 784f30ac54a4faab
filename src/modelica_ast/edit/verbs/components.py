"""Components: add, move, copy, and what belongs to one declaration: type, prefixes, dimensions, condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from modelica_ast.edit.draft import body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted, start_for
from modelica_ast.edit.placement import (
    Insertion,
    class_of,
    elements_of_section,
    line_starts,
    move_element,
    named_element,
    put_element,
)
from modelica_ast.edit.surgery import (
    Path,
    change_prefix,
    first_leaf_path,
    leaf_at,
    next_leaf_path,
    node_of,
    prefix_of,
    remade,
    replaced,
    with_child,
)
from modelica_ast.edit.values import Given, expression_green, identifier, names, parsed, parsed_node, value_green
from modelica_ast.edit.verbs.annotations import set_annotation
from modelica_ast.edit.verbs.modifiers import Names, with_value, without
from modelica_ast.edit.verbs.renames import refuse_captures
from modelica_ast.foundation import EditError, NotFoundError, nearest, split_name
from modelica_ast.semantics import Target
from modelica_ast.syntax import (
    BLANK_CHARACTERS,
    Green,
    Node,
    Prefix,
    child_leaf,
    children_of,
    first_leaf,
    is_blank,
    make_node,
    quote,
    render,
    split_leaf,
    token_text,
    tokens,
    with_prefix,
)
from modelica_ast.tree import (
    Arguments,
    ClassDefinition,
    Component,
    ComponentClause,
    ComponentReference,
    ConstrainingClause,
    Description,
    Element,
    Expression,
    Name,
    Subscripts,
    Token,
    View,
    relined,
    walk,
)

# ---------------------------------------------------------------- prefixes
# The words before a declaration, in the order that the grammar wants.

ELEMENT_WORDS: Final = ("redeclare", "final", "inner", "outer", "replaceable")
# In each group one of the words at most.
_TYPE_GROUPS: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))
_ALL_WORDS: Final = frozenset(
    """redeclare final inner outer replaceable flow stream discrete parameter constant input output encapsulated
    partial""".split()
)
TYPE_WORDS: Final = tuple(word for group in _TYPE_GROUPS for word in group)


def with_component_words(element: Element, words: Iterable[str]) -> Node:
    """The element of a component clause with other prefixes; the first word takes the place of what was first."""
    wanted = checked(words, (*ELEMENT_WORDS, *TYPE_WORDS))
    for group in _TYPE_GROUPS:
        both = [word for word in group if word in wanted]
        if len(both) > 1:
            raise EditError(f"'{both[0]}' and '{both[1]}' exclude each other")
    clause = element.component_clause
    assert clause is not None
    bare = with_child(node_of(clause), "type_prefix", None)
    # A comment between the words and the type stays before the type.
    had_words = bool(element.prefixes) or clause.prefix is not None
    bare = with_prefix(bare, (prefix_of(bare) if had_words else "") or " ")
    inner = [" " + word for word in TYPE_WORDS if word in wanted]
    if inner:
        bare = make_node("component_clause", make_node("type_prefix", *inner), *children_of(bare, 1))
    return with_element_words(element, clause, bare, wanted)


def with_element_words(element: Element, declared: View, new: Node, words: Iterable[str]) -> Node:
    """An element with other prefixes before what it declares, and that as it is given."""
    outer = [" " + word for word in ELEMENT_WORDS if word in words]
    parts: list[Green] = [*outer, new, *children_of(node_of(element), declared.index + 1)]
    return with_comments_of_words(node_of(element), with_prefix(make_node("element", *parts), element.leading))


def with_comments_of_words(old: Node, new: Node) -> Node:
    """A declaration with other words before it, and the comments between them that the old one has.

    A comment stays before its word. One before a word that is gone stays before what follows.
    """
    if token_text(first_leaf(old)) not in _ALL_WORDS:  # PERF: most have no words, and new ones never
        return new
    there, now = [leaf_at(old, path) for path in _head(old)], _head(new)
    pending = ""
    kept: dict[str, str] = {}
    for number, leaf in enumerate(there):
        prefix, token = split_leaf(leaf)
        text = pending + (prefix if number and not is_blank(prefix) else "")
        pending = "" if token in now.values() else text
        if text and not pending:
            kept[token] = text
    for path, token in now.items():
        if token in kept:
            is_first = path == first_leaf_path(new)
            text = kept[token] if kept[token][-1:].isspace() else kept[token] + " "
            before = prefix_of(new) + text.lstrip() if is_first else text
            new = change_prefix(new, path, lambda _, before=before: before)  # type: ignore[misc]
    return new


def _head(declaration: Node) -> dict[Path, str]:
    """The words before a declaration and the token after them, by their paths."""
    found: dict[Path, str] = {}
    path = first_leaf_path(declaration)
    while path is not None:
        found[path] = token_text(leaf_at(declaration, path))
        if found[path] not in _ALL_WORDS:
            break
        path = next_leaf_path(declaration, path)
    return found


def checked(words: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """The words, if all are known and none appears twice."""
    found = list(words)
    for word in found:
        if word not in known:
            raise EditError(f"'{word}' is not a prefix here{nearest(str(word), known)}")
    if len(set(found)) < len(found):
        raise EditError(f"a prefix is given twice: {' '.join(found)}")
    return found


# ---------------------------------------------------------------- components

# ---------------------------------------------------------------- adding


def add_component(  # noqa: PLR0913  (all that a declaration can have)
    edit: ExactEditor,
    owner: ClassDefinition,
    type: str,  # noqa: A002  (its name in Modelica)
    name: str,
    modifiers: Mapping[str, Given] | None = None,
    *,
    description: str | None = None,
    prefixes: Sequence[str] = (),
    dimensions: Sequence[Given] = (),
    condition: Given = None,
    annotation: Mapping[str, Given] | None = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> str:
    """Declare a component, after the last public one unless `before`, `after`, `place` or `section` say where.

    `add_component("Modelica…Body", "link1", {"m": 1.5}, after="link0")` is `Modelica…Body link1(m=1.5);`. An annotation
    is given by paths, as modifiers are: `{"Dialog.group": "Mass"}`.
    """
    where = Insertion(before, after, place, section)
    refuse_known_names(edit, owner, [name])
    if names(type)[:1] == (identifier(name),):
        raise EditError(f"'{name}' would hide its own type '{type}': take another name")
    near, start = near_place(edit, owner, where), line_starts(body_of(owner))[1]
    element = component_element(type, name, modifiers, description, prefixes, dimensions, condition, near, start=start)
    with edit.all_or_none():
        put_element(edit, owner, element, where)
        for path, value in (annotation or {}).items():
            set_annotation(edit, edit.find_component(edit.now(owner), name), path, value)
    return name


def component_element(  # noqa: PLR0913  (all that a declaration can have)
    type_: str,
    name: str,
    modifiers: Mapping[str, Given] | None,
    description: str | None,
    prefixes: Sequence[str],
    dimensions: Sequence[Given],
    condition: Given,
    near: tuple[Green, ...],
    *,
    start: str = "",
) -> Node:
    """The element that declares a component, written like what is near; `start` is how its line starts."""
    subscripts = subscripts_green(dimensions, start)
    bare = make_node("component_declaration", " " + identifier(name), *([] if subscripts is None else [subscripts]))
    declaration = with_modifiers(bare, modifiers or {}, near, start)
    if condition is not None:
        declaration = with_child(declaration, "condition_attribute", _condition_green(condition, start))
    if description is not None:
        declaration = with_child(declaration, "description_string", relined(" " + quote(description), "", start))
    clause = make_node("component_clause", parsed(type_, "type_specifier", "a type"), declaration)
    return with_component_words(Element.of(make_node("element", clause, ";")), prefixes)


def with_modifiers(declaration: Node, modifiers: Mapping[str, Given], near: tuple[Green, ...], start: str) -> Node:
    """A declaration that stands alone with modifiers set."""
    for path, value in modifiers.items():
        place, new = with_value(Component.of(declaration), names(path), value_green(value, near, start), near)
        declaration = grafted(place, new)
    return declaration


def near_place(edit: ExactEditor, owner: ClassDefinition, where: Insertion) -> tuple[Green, ...]:
    """The element beside a place, and the body: they show how a new one is written."""
    body = body_of(owner)
    if where.neighbour is not None:
        beside = [named_element(edit, owner, where.neighbour)]
    else:
        beside = elements_of_section(body, where.section)[-1:]
    return (*(each.green for each in beside), body.green)


def refuse_known_names(edit: ExactEditor, owner: ClassDefinition, new: Iterable[str]) -> None:
    """EditError if a class declares one of some new names already, or uses it for something else."""
    scope = edit.scope(body_of(owner))
    written: dict[str, str] = {}
    for name in new:
        own = identifier(name)
        if own in scope.components or own in scope.classes or own in written:
            raise EditError(f"'{name}' is already declared in '{owner.name_in_file}'")
        written[own] = name
    refuse_captures(edit, owner, dict.fromkeys(written, ()))
    if edit.is_in_libraries and owner.extends:
        environment = edit.lookup().environment_at(Target(edit.tree.file, edit.now(owner).path))
        for own, name in written.items():
            found = None if environment is None else environment.member(own)
            if found is not None and found.owner is not environment:
                raise EditError(
                    f"'{name}' is inherited by '{owner.name_in_file}' from '{found.owner.full_name}': take another name"
                )


# ---------------------------------------------------------------- moving


def move_component(
    edit: ExactEditor,
    component: Component,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Move a component with its comments to another place of its class; one of `a, b, c` leaves the others."""
    target = Insertion(before, after, place, section)
    if target.neighbour == component.name:
        raise EditError(f"'{component.name}' can't be placed beside itself")
    owner, element = class_of(component), _element(component)
    if len(component.clause.declarations) == 1:
        move_element(edit, owner, element, target)
        return
    own = _with_clause(element, [with_prefix(component.green, " ")])
    own = replaced(own, (len(own) - 1,), ";")
    with edit.all_or_none():
        edit.remove(component)
        edit.bring_comments(put_element(edit, edit.now(owner), own, target), component)


def _element(component: Component) -> Element:
    assert component.element is not None
    return component.element


def _with_clause(element: Element, declarations: Sequence[Green]) -> Node:
    """The element of a clause with other declarations in it."""
    clause = _clause(element)
    head = children_of(node_of(clause), 1, clause.declarations[0].index)
    own = make_node("component_clause", *head, *declarations)
    return replaced(node_of(element), (clause.index,), own)


def _clause(element: Element) -> ComponentClause:
    assert element.component_clause is not None
    return element.component_clause


# ---------------------------------------------------------------- type and description


def set_type(edit: ExactEditor, component: Component, type: str) -> None:  # noqa: A002  (its name in Modelica)
    """Give a component another type; one of `a, b, c` gets a declaration of its own."""
    new = parsed(type, "type_specifier", "a type")
    if str(component.type) != "".join(tokens(new)):
        edit.replace(split_declaration(edit, component).type, Name.of(new))


def set_description(edit: ExactEditor, component: Component, text: str | None) -> None:
    """Set or (None) remove the description of a component."""
    describe(edit, component, component.description, text)


def describe(edit: ExactEditor, holder: View, old: Description | None, text: str | None) -> None:
    """Set or (None) remove the description that a declaration or a class has."""
    if text is not None:
        before = " " if old is None else old.leading
        new = relined(before + quote(text), "", start_for(holder))
        edit.write(holder, with_child(node_of(holder), "description_string", new))
    elif old is not None:
        edit.remove(old)


# ---------------------------------------------------------------- prefixes


def set_prefixes(edit: ExactEditor, component: Component, prefixes: Sequence[str]) -> None:
    """Set all words before a component's type; one of `a, b, c` gets a declaration of its own."""
    element = _element(component)
    new = Element.of(with_component_words(element, prefixes))
    if _clause(new).declarations[0].prefixes != component.prefixes:
        alone = _element(split_declaration(edit, component))
        edit.write(alone, with_component_words(alone, prefixes))


# ---------------------------------------------------------------- dimensions and condition


def get_dimensions(component: Component) -> list[Expression | Token]:
    """The array dimensions of a component, those of its type (`Real[3] x[2]`) last, as in the specification."""
    found = [each for each in (component.subscripts, component.clause.subscripts) if each is not None]
    return [item for subscripts in found for item in subscripts.items]


def set_dimensions(edit: ExactEditor, component: Component, dimensions: Sequence[Given]) -> None:
    """Set the array dimensions of a component: numbers, `":"`, or expressions; none makes it a scalar."""
    subscripts = subscripts_green(dimensions, start_for(component))
    there = [tokens(each.green) for each in get_dimensions(component)]
    wanted = [] if subscripts is None else [tokens(each.green) for each in Subscripts.of(subscripts).items]
    if there == wanted:
        return
    if component.clause.subscripts is None:
        edit.write(component, with_child(node_of(component), "array_subscripts", subscripts))
        return
    clause = split_declaration(edit, component).clause
    own = clause.declarations[0]
    in_type = own.subscripts is None and subscripts is not None
    changed = with_child(node_of(own), "array_subscripts", None if in_type else subscripts)
    whole = replaced(node_of(clause), (own.index,), changed)
    edit.write(clause, with_child(whole, "array_subscripts", subscripts if in_type else None))


def subscripts_green(dimensions: Sequence[Given], start: str = "") -> Node | None:
    """`[3, n, :]`; None for no dimension."""
    if isinstance(dimensions, str) or not isinstance(dimensions, Sequence):
        raise EditError('dimensions are a list: [3], [2, ":"]')
    parts = [":" if d == ":" else render(expression_green(d, start)) for d in dimensions]
    return parsed_node(f"[{', '.join(parts)}]", "array_subscripts", "a list of dimensions") if parts else None


def set_condition(edit: ExactEditor, component: Component, condition: Given) -> None:
    """Set or (None) remove a component's condition, an expression: `use_support`."""
    old = component.condition
    if condition is None:
        if old is not None:
            edit.remove(old)
        return
    start = start_for(component)
    new = expression_green(condition, start)
    if old is None:
        edit.write(component, with_child(node_of(component), "condition_attribute", _condition_green(condition, start)))
    elif tokens(old.expression.green) != tokens(new):
        edit.write(old.expression, with_prefix(new, old.expression.leading))


def _condition_green(condition: Given, start: str) -> Node:
    return make_node("condition_attribute", " if", with_prefix(expression_green(condition, start), " "))


# ---------------------------------------------------------------- constraint of what is replaceable


def get_constraint(component: Component) -> str | None:
    """The type that a component is `constrainedby`, or None."""
    found = _element(component).constraint
    return None if found is None else str(found.type)


def find_constraint(owner: Component | ClassDefinition) -> ConstrainingClause:
    """`constrainedby …` of a component or a class inside of another; NotFoundError if it has none."""
    element = owner.element if isinstance(owner, Component) else owner.parent
    found = element.constraint if isinstance(element, Element) else None
    if found is None:
        raise NotFoundError(f"'{owner.name}' has no 'constrainedby'")
    return found


def set_constraint(
    edit: ExactEditor,
    component: Component,
    type: str | None,  # noqa: A002  (its name in Modelica)
    modifiers: Mapping[str, Given] | None = None,
) -> None:
    """Set or (None) remove `constrainedby` of a replaceable component; modifiers that are there stay."""
    if type is None and modifiers:
        raise EditError("a constraint that is removed has no modifiers")
    if type is not None and "replaceable" not in component.prefixes:
        raise EditError(f"'{component.name}' is not replaceable: only a replaceable component can be constrained")
    alone = split_declaration(edit, component)
    element = _element(alone)
    old = element.constraint
    if type is None:
        kept = alone.green if old is None else _with_comment_of(alone, old)
        bare = _with_clause(element, [kept])
        edit.write(element, with_child(bare, "constraining_clause", None))
        return
    wanted = parsed(type, "type_specifier", "a type")
    if old is None:
        new = make_node("constraining_clause", " constrainedby", with_prefix(wanted, " "))
    else:
        new = grafted(ConstrainingClause.of(old.green).type, with_prefix(wanted, old.type.leading))
    for path, value in (modifiers or {}).items():
        new = _with_modifier(ConstrainingClause.of(new), names(path), value)
    edit.write(element, with_child(node_of(element), "constraining_clause", new))


def _with_comment_of(component: Component, clause: ConstrainingClause) -> Node:
    """Description and annotation after a constraint are the component's: they stay when the constraint goes."""
    declaration = node_of(component)
    for name, own, behind in (
        ("description_string", component.description, clause.description),
        ("annotation_clause", component.annotation, clause.annotation),
    ):
        if own is None and behind is not None:
            declaration = with_child(declaration, name, behind.green)
    return declaration


def _with_modifier(clause: ConstrainingClause, path: Names, value: Given) -> Node:
    """The clause with a modifier set, or (None) without it."""
    if value is not None:
        return grafted(*with_value(clause, path, value_green(value), ()))
    arguments = clause.arguments
    green = make_node("class_modification", "(", ")") if arguments is None else arguments.green
    return with_child(node_of(clause), "class_modification", without(Arguments.of(green), path))


# ---------------------------------------------------------------- one out of `a, b, c`


def split_declaration(edit: ExactEditor, component: Component) -> Component:
    """The component with a clause of its own: one element becomes up to three, before it, it, and after it."""
    clause = component.clause
    declarations = clause.declarations
    if len(declarations) == 1:
        return component
    element = _element(component)
    assert element.parent is not None
    start = Prefix.of(element.leading).line_start
    number = next(i for i, each in enumerate(declarations) if each.index == component.index)
    groups = [g for g in (declarations[:number], declarations[number : number + 1], declarations[number + 1 :]) if g]
    new: list[Green] = []
    for group in groups:
        first, last = group[0], group[-1]
        items = children_of(node_of(clause), first.index, last.index + 1)
        if new:
            items = (with_prefix(items[0], " "), *items[1:])
        whole = _with_clause(element, items)
        if group is not groups[-1]:
            comma = child_leaf(node_of(clause), last.index + 1)
            whole = replaced(whole, (len(whole) - 1,), split_leaf(comma)[0] + ";")
        new.append(with_prefix(whole, _own_line(Prefix.of(first.leading), start)) if new else whole)
    parent = element.parent
    place, at = element.index, groups.index([component])
    children = [*children_of(node_of(parent), 1, place), *new, *children_of(node_of(parent), place + 1)]
    edit.write(parent, remade(node_of(parent), children))
    alone = edit.now(parent).children[place - 1 + at]
    assert isinstance(alone, Element)
    return _clause(alone).declarations[0]


def _own_line(before: Prefix, start: str) -> str:
    """The prefix of an item of a list, when it gets a line of its own."""
    if before.starts_line:
        start = start or before.line_start
        above = [start + line.strip(BLANK_CHARACTERS) if not is_blank(line) else line for line in before.lines[:-1]]
        return before.head + "".join(above) + start
    return (start or " ") if is_blank(before.head) else (start or " ") + before.head.strip() + " "


# ---------------------------------------------------------------- copying


def copy_component(
    edit: ExactEditor, component: Component, name: str, references: Mapping[str, str] | None = None
) -> str:
    """Declare a copy of a component after it, with its description and annotation; comments are not copied.

    `references` says which names are others in the copy: with `{"p.left": "p.right"}` a modifier `m = p.left.mass`
    becomes `m = p.right.mass`. Both names of a pair have as many parts, two at least.
    """
    component = edit.now(component)
    refuse_known_names(edit, class_of(component), [name])
    element, copy = copied_element(component, name, references)
    edit.put_line(element, copy)
    return name


def copied_element(
    component: Component, name: str, references: Mapping[str, str] | None = None
) -> tuple[Element, Node]:
    """The declaration of a component, and a copy of it under another name and with other references in it."""
    element = component.element
    if element is None or len(component.clause.declarations) != 1:
        raise EditError(f"'{component.name}' is declared together with others: give it a declaration of its own first")
    copy = Element.of(element.green)
    assert copy.component_clause is not None
    own = copy.component_clause.declarations[0].identifier
    green = grafted(own, own.leading + identifier(name))
    for old, new in (references or {}).items():
        parts, others = split_name(old), split_name(new)
        if len(parts) != len(others) or len(parts) == 1:
            raise EditError(f"'{old}' and '{new}' do not have the same number of parts, two or more")
        green = _with_other_names(green, parts, others)
    return element, green


def _with_other_names(element: Node, old: list[str], new: list[str]) -> Node:
    """The element with other first parts in the references that start like that."""
    for reference in walk(Element.of(element), annotations=False):
        if not isinstance(reference, ComponentReference):
            continue
        # A part with an index is followed by a node, and the parts after it belong to what the index has chosen.
        first = reference.children[: 2 * len(old) - 1]
        parts = [each for each in first[::2] if isinstance(each, Token)]
        if len(first) == 2 * len(old) - 1 and [each.text for each in parts] == old:
            for part, token in zip(parts, new, strict=True):
                element = replaced(element, part.path, part.leading + token)
    return element
