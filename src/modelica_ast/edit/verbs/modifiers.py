"""Modifiers by path: what `frame_a.r_0.start` reaches from a component, an extends clause or an annotation."""

from __future__ import annotations

from typing import Final

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import start_for
from modelica_ast.edit.lists import with_item
from modelica_ast.edit.removals import Comments, taken_out
from modelica_ast.edit.surgery import node_of, with_child
from modelica_ast.edit.values import Given, identifier, names, parsed, value_green, with_content
from modelica_ast.foundation import EditError, NotFoundError, Record, nearest
from modelica_ast.syntax import (
    KINDS,
    NUMBER,
    Green,
    Node,
    child,
    child_leaf,
    child_node,
    children_of,
    kind_of,
    make_node,
    token_text,
    tokens,
    with_prefix,
)
from modelica_ast.tree import (
    Argument,
    Arguments,
    Call,
    CallArguments,
    CallMember,
    ClassPrefixes,
    Component,
    ComponentClause1,
    ComponentDeclaration1,
    ComponentReference,
    ConstrainingClause,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    Expression,
    ExtendsClause,
    IfExpression,
    Modification,
    Name,
    NamedArgument,
    ShortClassDefinition,
    ShortClassSpecifier,
    Token,
    View,
    binding_style,
    modifier_style,
)

Names = tuple[str, ...]
Modified = Component | ExtendsClause | ConstrainingClause | ShortClassSpecifier
_Redeclared = ElementRedeclaration | ElementReplaceable

# The attributes of the predefined types (section 4.9 of the specification).
_ATTRIBUTES: Final = frozenset("quantity unit displayUnit min max start fixed nominal unbounded stateSelect".split())
# Values that a path may lead into.
_ENTERED: Final = (ComponentReference, Call, IfExpression, CallMember)

# ---------------------------------------------------------------- finding


class Reached(Record):
    """How far a path leads: to what has the arguments or the value that are meant, and what is left of it there."""

    holder: View
    rest: Names
    item: Argument | NamedArgument | None  # the last argument on the way
    near: tuple[Green, ...]  # the lists of arguments on the way, the innermost first


def reach(holder: View, path: Names, *, into_values: bool = True) -> Reached:
    """Follow a path from what can be modified, as far as something is there."""
    item: Argument | NamedArgument | None = None
    near: tuple[Green, ...] = ()
    while path:
        arguments = arguments_of(holder)
        if arguments is not None:
            near = (arguments.green, *near)
        found: Argument | NamedArgument | None = None
        for each in arguments.items if arguments is not None else ():
            name = argument_name(each.green)
            if name and path[: len(name)] == name:
                found, path = each, path[len(name) :]
                break
        constructor = _constructor(value_of(holder)) if found is None and into_values else None
        for given in constructor.items if constructor is not None else ():
            if isinstance(given, NamedArgument) and given.name == path[0]:
                found, path = given, path[1:]
                break
        if found is None:
            break
        item, holder = found, found if isinstance(found, NamedArgument) else inside(found)
    return Reached(holder, path, item, near)


def arguments_of(holder: View) -> Arguments | None:
    """The arguments in parentheses, or None."""
    found = holder if isinstance(holder, Arguments) else getattr(holder, "arguments", None)
    return found if isinstance(found, Arguments) else None


def value_of(holder: View) -> View | None:
    """What follows the `=`, or None."""
    if isinstance(holder, Component | ComponentDeclaration1):
        return holder.binding
    return holder.value if isinstance(holder, ElementModification | NamedArgument) else None


def inside(argument: Argument) -> View:
    """What a path goes on through: a modifier itself, or what a redeclaration declares."""
    if not isinstance(argument, _Redeclared):
        return argument
    declared = argument.declared
    return declared.declaration if isinstance(declared, ComponentClause1) else declared.specifier


def argument_name(item: Green) -> Names:
    """The name of an argument, in its parts: of the modifier, or of what is redeclared."""
    assert isinstance(item, tuple)
    kind = KINDS[item[0]]
    if kind == "element_modification":
        name = child(item, "name")
        assert name is not None
        return tuple(text for text in tokens(name[1]) if text != ".")
    if kind in ("element_redeclaration", "element_replaceable"):
        declared = child(item, "_redeclared")
        assert declared is not None
        # The last child is the declaration of a component, or the specifier of a class: its name comes first.
        return (token_text(child_leaf(child_node(declared[1], -1), 1)),)
    return ()


def _constructor(value: View | None) -> CallArguments | None:
    """The arguments of `Record(a=1)`; None for anything else."""
    found = value.arguments if isinstance(value, Call) else None
    return found if isinstance(found, CallArguments) else None


def get_value(holder: View, path: Names) -> Expression | Token | None:
    """The value that a path reaches, or None; the token is `break`."""
    found = reach(holder, path)
    value = None if found.rest else value_of(found.holder)
    return value if isinstance(value, Expression | Token) else None


def get_modifier(owner: Modified, path: str = "") -> Expression | None:
    """The value of a modifier (or, with an empty path, of the component itself), or None."""
    value = get_value(owner, names(path))
    return value if isinstance(value, Expression) else None


# ---------------------------------------------------------------- setting


def set_modifier(
    edit: ExactEditor,
    owner: Modified,
    path: str,
    value: Given,
    *,
    each: bool | None = None,
    final: bool | None = None,
) -> None:
    """Set a modifier, or with an empty path the value of the component; `each` and `final` are words before it.

    A text is a string. For an expression, give one: `parse_expression("2*m")`, `{"expression": "2*m"}`.
    """
    with edit.all_or_none():
        set_value(edit, owner, names(path), value, _around(owner))
        if each is not None or final is not None:
            set_modifier_prefixes(edit, edit.now(owner), path, each=each, final=final)


def _around(owner: View) -> tuple[Green, ...]:
    """The element that something is or is in, and the body around that: they show how others are written."""
    kinds = ("element", "composition") if isinstance(owner, Component) else ("composition",)
    return tuple(each.green for each in owner.ancestors if each.kind in kinds)[: len(kinds)]


def set_extends_modifier(
    edit: ExactEditor,
    clause: ExtendsClause,
    path: str,
    value: Given,
    *,
    each: bool | None = None,
    final: bool | None = None,
) -> None:
    """Set a modifier of an extends clause."""
    set_modifier(edit, clause, path, value, each=each, final=final)


def set_value(edit: ExactEditor, holder: View, path: Names, value: Given, near: tuple[Green, ...]) -> None:
    """Set what a path reaches, unless it has this value; `near` shows how a new one is written."""
    old, found = get_value(holder, path), reach(holder, path)
    # PERF: a number has one line.
    start = "" if isinstance(value, int | float) else start_for(found.holder if old is None else old)
    new = value_green(value, (*found.near, *near), start)
    if old is None:
        edit.write(*with_value(holder, path, new, near))
    elif (changed := with_content(old.green, new)) is not old.green:
        edit.write(old, changed)


def with_value(holder: View, path: Names, value: Green, near: tuple[Green, ...]) -> tuple[View, Green]:
    """Where the value of a path is written, and what is written there; what is missing on the way is made."""
    found = reach(holder, path)
    holder, rest, near = found.holder, found.rest, (*found.near, *near)
    if not rest:
        return _with_own_value(found, value, near)
    old = value_of(holder)
    # `k = 2` has a value of a simple type, and so has everything with a `start` or a `unit`.
    is_attribute = len(rest) == 1 and rest[0] in _ATTRIBUTES and not isinstance(holder, NamedArgument)
    if isinstance(old, _ENTERED) and not is_attribute:
        return _with_argument_of_call(old, rest, value, near)
    return with_argument(holder, nested(rest[:-1], _modifier(rest[-1], value, modifier_style(*near))))


def _with_own_value(found: Reached, value: Green, near: tuple[Green, ...]) -> tuple[View, Green]:
    holder = found.holder
    old = value_of(holder)
    if old is not None:
        return old, with_prefix(value, old.leading)
    if not isinstance(holder, Component | ComponentDeclaration1 | ElementModification):
        name = "" if found.item is None else ".".join(argument_name(found.item.green))
        raise EditError(f"'{name}' is a class; a class has no value" if name else "say which modifier: 'm', 'body.m'")
    before, behind = (modifier_style if isinstance(holder, ElementModification) else binding_style)(*near)
    there = () if holder.modification is None else children_of(node_of(holder.modification), 1)
    modification = make_node("modification", *there, before + "=", with_prefix(value, behind))
    return holder, with_child(node_of(holder), "modification", modification)


def _with_argument_of_call(value: View, path: Names, new: Green, near: tuple[Green, ...]) -> tuple[View, Green]:
    """Reach into a record constructor."""
    constructor, text = _constructor(value), value.text
    if constructor is None:
        raise EditError(f"'{'.'.join(path)}' can't be reached: the value is '{text}', not a constructor with names")
    if not all(isinstance(each, NamedArgument) for each in constructor.items):
        raise EditError(f"'{path[0]}' can't be reached: '{text}' has positional arguments")
    if len(path) > 1:
        raise EditError(f"'{path[0]}' is not an argument of '{text}'")
    before, behind = modifier_style(constructor.green, *near)
    item = make_node("named_argument", _new_name(path[0]), before + "=", with_prefix(new, behind))
    return constructor, with_item(node_of(constructor), item)


def with_argument(holder: View, item: Green) -> tuple[View, Green]:
    """Where one more argument of a holder is written, and what is written there."""
    arguments = arguments_of(holder)
    if arguments is not None:
        return arguments, with_item(node_of(arguments), item)
    new = make_node("class_modification", "(", item, ")")
    if not isinstance(holder, Component | ComponentDeclaration1 | ElementModification):
        return holder, with_child(node_of(holder), "class_modification", new)
    there = () if holder.modification is None else children_of(node_of(holder.modification), 1)
    return holder, with_child(node_of(holder), "modification", make_node("modification", new, *there))


def nested(path: Names, item: Green) -> Green:
    """An argument inside of others: `a(b(item))`."""
    for name in reversed(path):
        arguments = make_node("class_modification", "(", item, ")")
        item = make_node("element_modification", _new_name(name), make_node("modification", arguments))
    return item


def _modifier(name: str, value: Green, style: tuple[str, str]) -> Node:
    before, behind = style
    modification = make_node("modification", before + "=", with_prefix(value, behind))
    return make_node("element_modification", _new_name(name), modification)


def _new_name(name: str) -> str:
    if kind_of(name) == NUMBER["IDENT"]:
        return name
    why = "a keyword of Modelica" if name.isalpha() else "not an identifier"
    raise EditError(
        f"a modifier can't be called '{name}', which is {why}: put it in single quotes if it is meant as a name"
    )


# ---------------------------------------------------------------- removing


def remove_modifier(edit: ExactEditor, owner: Modified, path: str, *, comments: Comments = "drop") -> None:
    """Remove a modifier; parentheses that become empty go too."""
    edit.remove(removed(owner, names(path)), comments=comments)


def remove_extends_modifier(
    edit: ExactEditor, clause: ExtendsClause, path: str, *, comments: Comments = "drop"
) -> None:
    """Remove a modifier of an extends clause."""
    remove_modifier(edit, clause, path, comments=comments)


def removed(holder: View, path: Names) -> View:
    """What goes when what a path reaches goes: an argument, or the value of one that has others inside."""
    found = reach(holder, path)
    value = value_of(found.holder)
    if not path:
        if value is None:
            raise EditError("there is no value")
        return value
    if found.rest or found.item is None:
        raise NotFoundError(f"there is no modifier '{'.'.join(path)}'{_nearest(found)}")
    has_more = isinstance(found.holder, ElementModification) and found.holder.arguments is not None
    return value if has_more and value is not None else found.item


def _nearest(found: Reached) -> str:
    """The modifiers that there are where a path ends, for a message."""
    arguments = arguments_of(found.holder)
    known = [".".join(argument_name(each.green)) for each in arguments.items] if arguments is not None else []
    return nearest(found.rest[0], [each for each in known if each]) if found.rest and known else ""


def without(arguments: Arguments, path: Names) -> Node | None:
    """Arguments that are by themselves without what a path reaches; None if nothing is left of them."""
    gone = removed(arguments, path)
    if len(arguments.items) == 1 and gone.parent == arguments:
        return None
    return taken_out(node_of(arguments), gone.path, gone).root


# ---------------------------------------------------------------- redeclarations and words


def redeclare(
    edit: ExactEditor,
    owner: Modified,
    path: str,
    type: str,  # noqa: A002  (its name in Modelica)
    *,
    kind: str | None = None,
    replaceable: bool | None = None,
    constraint: str | None = None,
) -> None:
    """Redeclare what a path reaches: the `motor` of `a` to `Motor2` is `a(redeclare Motor2 motor)`.

    With a `kind` it is a class, `redeclare package Medium = Water`; without, a component. Modifiers that are there
    stay.
    """
    parts = names(path)
    if not parts:
        raise EditError("say what to redeclare: a path like 'motor' or 'pump.Medium'")
    found = reach(owner, parts, into_values=False)
    old = found.item if isinstance(found.item, Argument) and not found.rest else None
    was = old if isinstance(old, ElementModification | ElementRedeclaration | ElementReplaceable) else None
    is_replaceable = bool(getattr(was, "replaceable", None)) if replaceable is None else replaceable
    clause = None if constraint is None else ConstrainingClause(type=_type(constraint))
    if clause is None and isinstance(was, _Redeclared) and is_replaceable:
        clause = was.constraint
    new = ElementRedeclaration(
        each=was is not None and was.each is not None,
        final=was is not None and was.final is not None,
        replaceable=is_replaceable,
        declared=_declared(was, identifier(parts[-1]), _type(type), kind),
        constraint=clause,
    )
    if old is not None:  # of `a.b = 3` only `b` is redeclared
        edit.write(old, with_prefix(nested(argument_name(old.green)[:-1], new.green), old.leading))
    else:
        edit.write(*with_argument(found.holder, nested(found.rest[:-1], new.green)))


def _declared(
    old: ElementModification | _Redeclared | None, name: str, type_: Name, kind: str | None
) -> ShortClassDefinition | ComponentClause1:
    """What is redeclared, with the modifiers that the old one has."""
    before = None if old is None else inside(old)
    arguments = None if before is None else arguments_of(before)
    arguments = arguments if arguments is not None and arguments.items else None
    if kind is not None:
        specifier = ShortClassSpecifier(identifier=name, type=type_)
        if arguments is not None:  # as they are written, a comment before them too
            specifier = ShortClassSpecifier.of(with_child(node_of(specifier), "class_modification", arguments.green))
        return ShortClassDefinition(prefixes=_kind(kind), specifier=specifier)
    modification = getattr(before, "modification", None)
    if modification is None and arguments is not None:
        modification = Modification(arguments=arguments)
    declaration = ComponentDeclaration1(identifier=name)
    if modification is not None:  # as it is written, its blanks and comments too
        declaration = ComponentDeclaration1.of(with_child(node_of(declaration), "modification", modification.green))
    return ComponentClause1(type=type_, declaration=declaration)


def _kind(kind: str) -> ClassPrefixes:
    try:
        return ClassPrefixes(text=kind)
    except ValueError:
        raise EditError(f"'{kind}' is not a kind of class") from None


def _type(text: str) -> Name:
    return Name.of(parsed(text, "type_specifier", "a type"))


def get_redeclaration(owner: Modified, path: str) -> str | None:
    """The type that a path is redeclared to, or None."""
    found = reach(owner, names(path), into_values=False)
    if found.rest or not isinstance(found.item, _Redeclared):
        return None
    declared = found.item.declared
    type_ = getattr(declared if isinstance(declared, ComponentClause1) else declared.specifier, "type", None)
    return None if type_ is None else str(type_)


def get_modifier_prefixes(owner: Modified, path: str) -> list[str]:
    """The words before a modifier: `each`, `final`, `redeclare`, `replaceable`."""
    item = _argument(owner, path)
    words = ("redeclare", "each", "final", "replaceable")
    return [word for word in words if getattr(item, word, None) is not None]


def set_modifier_prefixes(
    edit: ExactEditor, owner: Modified, path: str, *, each: bool | None = None, final: bool | None = None
) -> None:
    """Put `each` and `final` before a modifier, or remove them; what is not given stays."""
    item = _argument(owner, path)
    wanted = {name: given for name, given in (("each", each), ("final", final)) if given is not None}
    changed = {name: given for name, given in wanted.items() if given is not (getattr(item, name) is not None)}
    if changed:
        edit.change(item, **changed)


def _argument(owner: Modified, path: str) -> ElementModification | _Redeclared:
    found = reach(owner, names(path), into_values=False)
    if not path:
        raise EditError("'each' and 'final' come before a modifier: say which, 'm' or 'body.m'")
    if found.rest or not isinstance(found.item, ElementModification | ElementRedeclaration | ElementReplaceable):
        raise NotFoundError(f"there is no modifier '{path}'{_nearest(found)}")
    return found.item
