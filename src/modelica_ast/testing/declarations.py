"""Operations on classes, imports and annotations."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.testing.subjects import (
    COMMENTS,
    DESCRIPTIONS,
    DIMENSIONS,
    TYPES,
    ClassFacts,
    ComponentFacts,
    Generator,
    Operations,
    dotted_names,
    fields,
    for_any,
    in_class,
    json_values,
    modifiers,
    names,
    new_name,
    one_of,
    some_path,
)

_KINDS: Final = ("model", "package", "record", "block", "operator record", "pure function")
_PREFIXES: Final[tuple[list[str], ...]] = ([], ["partial"], ["encapsulated"], ["final"], ["replaceable", "partial"])
_DEFINITIONS: Final = (
    "model New\n  Real x; // about x\nequation\n  x = 1;\nend New",
    'type New = Real(unit="m");',
    'partial package New "described" end New;',
)
_ANNOTATION_PATHS: Final = ("Documentation.info", "experiment.StopTime", "Placement.visible", "Evaluate", "__V_x.y")
_REWRITES: Final = (
    ("connect($a, $b)", "connect($b, $a)"),
    ("$a + $b", "plus($b, $a)"),
    ("$f($$r)", "$f($$r, 1)"),
    ("parameter $T $x", "final parameter $T $x"),
    ("$x = $y", "$y = $x"),
)


def _on_class(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb that needs a class, and else only what is given here."""
    return lambda _: fields(**given)


def _in_body_or_file(facts: ClassFacts, found: Operations) -> Operations | None:
    """A verb that adds to a class with a body, or to the file."""
    to_file = found.map(lambda drawn: {**drawn, "class": ""})
    return one_of(in_class(found, facts) if facts.has_body else None, to_file)


def _add_class(facts: ClassFacts) -> Operations | None:
    required = {"name": new_name((*facts.declared, *facts.siblings))}
    options = {"kind": st.sampled_from(_KINDS), "description": st.sampled_from(DESCRIPTIONS)}
    return _in_body_or_file(facts, st.fixed_dictionaries(required, optional=options))


def _insert_class(facts: ClassFacts) -> Operations | None:
    return _in_body_or_file(facts, fields(definition=st.sampled_from(_DEFINITIONS)))


def _move_class(facts: ClassFacts) -> Operations | None:
    return one_of(
        fields(place=st.sampled_from(("first", "last"))),
        for_any(("before", "after") if facts.siblings else (), lambda key: fields(**{key: _sibling(facts)})),
    )


def _sibling(facts: ClassFacts) -> st.SearchStrategy[str]:
    return st.sampled_from(facts.siblings)


def _rename_class(facts: ClassFacts) -> Operations | None:
    return fields(name=new_name((*facts.declared, *facts.siblings)))


# ---------------------------------------------------------------- what a class imports


def _add_import(facts: ClassFacts) -> Operations | None:
    if not facts.has_body:
        return None
    name, member = dotted_names(), names()
    return one_of(
        fields(name=name),
        fields(name=name, alias=member),
        fields(name=name, wildcard=st.just(value=True)),
        fields(name=name, members=st.lists(member, min_size=1, max_size=3, unique=True)),
    )


def _remove_import(facts: ClassFacts) -> Operations | None:
    return st.sampled_from(facts.imports) if facts.imports else None


def _import_member(facts: ClassFacts, *, is_new: bool) -> Operations | None:
    def of(found: dict[str, Any]) -> Operations:
        members = found["members"]
        member = new_name(members) if is_new else st.sampled_from(members)
        return fields(name=st.just(found["name"]), member=member)

    return for_any([found for found in facts.imports if "members" in found], of)


# ---------------------------------------------------------------- short classes and enumerations


def _on_short_class(**given: st.SearchStrategy[Any]) -> Generator:
    return lambda facts: None if facts.short_modifiers is None else fields(**given)


def _add_literal(facts: ClassFacts) -> Operations | None:
    if facts.literals is None:
        return None
    there = facts.literals
    name = new_name(there)
    option = {"description": st.sampled_from(DESCRIPTIONS), "place": st.sampled_from(("first", "last"))}
    return one_of(
        st.fixed_dictionaries({"name": name}, optional=option),
        for_any(("before", "after"), lambda key: fields(name=name, **{key: st.sampled_from(there)})) if there else None,
    )


def _on_literal(**given: st.SearchStrategy[Any]) -> Generator:
    return lambda facts: fields(literal=st.sampled_from(facts.literals), **given) if facts.literals else None


def _rename_literal(facts: ClassFacts) -> Operations | None:
    return _on_literal(name=new_name(facts.literals or ()))(facts)


# ---------------------------------------------------------------- words before classes and components


def _add_prefix(facts: ClassFacts) -> Operations | None:
    word = st.sampled_from(("final", "parameter", "inner"))
    return one_of(
        fields(prefix=st.sampled_from(("partial", "encapsulated", "final"))),
        for_any(facts.components, lambda found: fields(component=st.just(found.name), prefix=word)),
    )


def _remove_prefix(facts: ClassFacts) -> Operations | None:
    return one_of(
        fields(prefix=st.sampled_from(facts.prefixes)) if facts.prefixes else None,
        for_any(
            [found for found in facts.components if found.prefixes],
            lambda found: fields(component=st.just(found.name), prefix=st.sampled_from(found.prefixes)),
        ),
    )


# ---------------------------------------------------------------- annotations


def _set_annotation(facts: ClassFacts) -> Operations | None:
    def at(there: tuple[str, ...], **owner: Any) -> Operations:
        path = st.sampled_from(_ANNOTATION_PATHS) | some_path(there)
        return fields(path=path, value=json_values(), **{key: st.just(value) for key, value in owner.items()})

    return one_of(
        at(facts.annotations),
        for_any(facts.components, lambda component: at(component.annotations, component=component.name)),
        for_any(facts.connections, lambda ends: at((), connection=list(ends))),
        for_any(facts.extends, lambda found: at((), base=found[0])),
    )


def _remove_annotation(facts: ClassFacts) -> Operations | None:
    def at(there: tuple[str, ...], **owner: Any) -> Operations | None:
        path = st.sampled_from([*there, ""])
        return fields(path=path, **{key: st.just(value) for key, value in owner.items()}) if there else None

    return one_of(
        at(facts.annotations),
        for_any(facts.components, lambda component: at(component.annotations, component=component.name)),
        for_any(facts.connection_annotations, lambda found: at(found[2:], connection=[found[0], found[1]])),
    )


def _rewrite(facts: ClassFacts) -> Operations | None:
    """Patterns of what is there, and some that may be there."""
    declared = [
        (pattern, replacement)
        for component in facts.components
        for pattern, replacement in (
            (f"$T {component.name}($$m)", f"New.$T {component.name}(new_1=1, $$m)"),
            (f"$T {component.name}($$m)", f"$T {component.name}($$m, new_1=1)"),
            (f"$T {component.name}", ""),
        )
    ]
    replaced = [(text.rstrip(), "new_1 = 1; new_2 = 2;") for text in facts.equations]
    known = [*declared, *replaced, *(_REWRITES if facts.has_body else ())]
    return for_any(known, lambda pair: fields(pattern=st.just(pair[0]), replacement=st.just(pair[1])))


CLASS_EDITS: Final[dict[str, Generator]] = {
    "add_class": _add_class,
    "insert_class": _insert_class,
    "remove_class": _on_class(comments=COMMENTS),
    "move_class": _move_class,
    "rename_class": _rename_class,
    "set_class_kind": _on_class(kind=st.sampled_from(_KINDS)),
    "set_class_prefixes": _on_class(prefixes=st.sampled_from(_PREFIXES)),
    "set_class_description": _on_class(text=st.none() | st.sampled_from(DESCRIPTIONS)),
    "add_prefix": _add_prefix,
    "remove_prefix": _remove_prefix,
    "set_class_base": _on_short_class(type_=st.sampled_from(TYPES)),
    "set_class_dimensions": _on_short_class(dimensions=st.sampled_from(DIMENSIONS)),
    "add_literal": _add_literal,
    "remove_literal": _on_literal(comments=COMMENTS),
    "rename_literal": _rename_literal,
    "set_literal_description": _on_literal(text=st.none() | st.sampled_from(DESCRIPTIONS)),
    "add_import_member": lambda facts: _import_member(facts, is_new=True),
    "remove_import_member": lambda facts: _import_member(facts, is_new=False),
    "add_import": _add_import,
    "remove_import": _remove_import,
    "set_annotation": _set_annotation,
    "remove_annotation": _remove_annotation,
    "rewrite": _rewrite,
}

# ---------------------------------------------------------------- component edits
# Operations on components and their modifiers, and on those of extends clauses.

_COMPONENT_EDITS_PREFIXES: Final[tuple[list[str], ...]] = (
    [],
    ["parameter"],
    ["inner"],
    ["final", "constant"],
    ["replaceable", "input"],
    ["flow"],
)
_CONDITIONS: Final = ({"expression": "use_it"}, {"reference": "b"}, {"expression": "n > 1"})
_BASES: Final = ("NewBase", "A.B.C")
_COMPONENT_EDITS_KINDS: Final = ("model", "package", "record")


def _any_component(facts: ClassFacts) -> st.SearchStrategy[str]:
    return st.sampled_from([component.name for component in facts.components])


def _on_component(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb that needs a component, and else only what is given here."""
    return lambda facts: fields(component=_any_component(facts), **given) if facts.components else None


def _remove_component(facts: ClassFacts) -> Operations | None:
    if not facts.components:
        return None
    options = {"connections": st.booleans(), "comments": COMMENTS}
    return st.fixed_dictionaries({"component": _any_component(facts)}, optional=options)


def _add_component(facts: ClassFacts) -> Operations | None:
    if not facts.has_body:
        return None
    options = {
        "modifiers": modifiers(),
        "description": st.sampled_from(DESCRIPTIONS),
        "prefixes": st.sampled_from(_COMPONENT_EDITS_PREFIXES),
        "dimensions": st.sampled_from(DIMENSIONS),
        "condition": st.sampled_from(_CONDITIONS),
        "annotation": st.dictionaries(st.sampled_from(("Evaluate", "Dialog.group")), json_values(), max_size=2),
    }
    required = {"type": st.sampled_from(TYPES), "name": new_name(facts.declared)}
    return in_class(st.fixed_dictionaries(required, optional=options), facts)


def _move_component(facts: ClassFacts) -> Operations | None:
    found = _on_component()(facts)
    return in_class(found, facts) if found is not None else None


def _rename_component(facts: ClassFacts) -> Operations | None:
    return _on_component(name=new_name(facts.declared))(facts)


def _set_constraint(facts: ClassFacts) -> Operations | None:
    found = one_of(
        _on_component(type_=st.sampled_from(TYPES), modifiers=modifiers())(facts),
        _on_component(type_=st.none())(facts),
    )
    return found if facts.components else None


# ---------------------------------------------------------------- modifiers


def _set_modifier(facts: ClassFacts) -> Operations | None:
    def of(component: ComponentFacts) -> Operations:
        path = st.just("") | some_path(component.modifiers)
        required = {"component": st.just(component.name), "path": path, "value": json_values()}
        return st.fixed_dictionaries(required, optional={"each": st.booleans(), "final": st.booleans()})

    def of_constraint(component: ComponentFacts) -> Operations:
        path = some_path(component.constraint or ())
        return fields(
            component=st.just(component.name), constrainedby=st.just(value=True), path=path, value=json_values()
        )

    short = (
        None if facts.short_modifiers is None else fields(path=some_path(facts.short_modifiers), value=json_values())
    )
    constrained = [found for found in facts.components if found.constraint is not None]
    return one_of(for_any(facts.components, of), for_any(constrained, of_constraint), short)


def _on_modifier(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb on a modifier of a component that is there."""

    def generate(facts: ClassFacts) -> Operations | None:
        there = [component for component in facts.components if component.modifiers]
        return for_any(
            there, lambda found: fields(component=st.just(found.name), path=st.sampled_from(found.modifiers), **given)
        )

    return generate


def _remove_modifier(facts: ClassFacts) -> Operations | None:
    there = facts.short_modifiers
    return one_of(_on_modifier(comments=COMMENTS)(facts), fields(path=st.sampled_from(there)) if there else None)


def _on_any_modifier(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb on a modifier of a component or an extends clause, there or new."""

    def generate(facts: ClassFacts) -> Operations | None:
        return one_of(
            for_any(
                facts.components,
                lambda found: fields(component=st.just(found.name), path=some_path(found.modifiers), **given),
            ),
            for_any(facts.extends, lambda found: fields(base=st.just(found[0]), path=some_path(found[1]), **given)),
        )

    return generate


def _set_modifier_prefixes(facts: ClassFacts) -> Operations | None:
    on_component = _on_modifier(each=st.booleans(), final=st.booleans())(facts)
    there = [found for found in facts.extends if found[1]]
    on_base = for_any(
        there, lambda found: fields(base=st.just(found[0]), path=st.sampled_from(found[1]), final=st.booleans())
    )
    return one_of(on_component, on_base)


def _redeclare(facts: ClassFacts) -> Operations | None:
    type_ = st.sampled_from(TYPES)
    return one_of(
        _on_any_modifier(type_=type_)(facts),
        _on_any_modifier(type_=type_, kind=st.sampled_from(_COMPONENT_EDITS_KINDS))(facts),
        _on_any_modifier(type_=type_, replaceable=st.just(value=True), constraint=names())(facts),
    )


# ---------------------------------------------------------------- extends


def _add_extends(facts: ClassFacts) -> Operations | None:
    if not facts.has_body:
        return None
    return st.fixed_dictionaries({"base": st.sampled_from(_BASES)}, optional={"modifiers": modifiers()})


def _remove_extends(facts: ClassFacts) -> Operations | None:
    return fields(base=st.sampled_from([base for base, _ in facts.extends])) if facts.extends else None


def _set_extends_base(facts: ClassFacts) -> Operations | None:
    bases = [base for base, _ in facts.extends]
    return fields(base=st.sampled_from(bases), new=st.sampled_from(_BASES)) if bases else None


def _set_extends_modifier(facts: ClassFacts) -> Operations | None:
    return for_any(
        facts.extends, lambda found: fields(base=st.just(found[0]), path=some_path(found[1]), value=json_values())
    )


def _remove_extends_modifier(facts: ClassFacts) -> Operations | None:
    there = [found for found in facts.extends if found[1]]
    return for_any(there, lambda found: fields(base=st.just(found[0]), path=st.sampled_from(found[1])))


COMPONENT_EDITS: Final[dict[str, Generator]] = {
    "add_component": _add_component,
    "remove_component": _remove_component,
    "move_component": _move_component,
    "rename_component": _rename_component,
    "set_component_type": _on_component(type_=st.sampled_from(TYPES)),
    "set_component_description": _on_component(text=st.none() | st.sampled_from(DESCRIPTIONS)),
    "set_component_prefixes": _on_component(prefixes=st.sampled_from(_COMPONENT_EDITS_PREFIXES)),
    "set_component_dimensions": _on_component(dimensions=st.sampled_from(DIMENSIONS)),
    "set_component_condition": _on_component(condition=st.none() | st.sampled_from(_CONDITIONS)),
    "set_component_constraint": _set_constraint,
    "set_modifier": _set_modifier,
    "remove_modifier": _remove_modifier,
    "set_modifier_prefixes": _set_modifier_prefixes,
    "redeclare": _redeclare,
    "add_extends": _add_extends,
    "remove_extends": _remove_extends,
    "set_extends_base": _set_extends_base,
    "set_extends_modifier": _set_extends_modifier,
    "remove_extends_modifier": _remove_extends_modifier,
}
