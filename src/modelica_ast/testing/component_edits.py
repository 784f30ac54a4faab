"""Operations on components and their modifiers, and on those of extends clauses."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.testing.operations import (
    COMMENTS,
    DESCRIPTIONS,
    DIMENSIONS,
    TYPES,
    Generator,
    Operations,
    fields,
    for_any,
    in_class,
    modifiers,
    new_name,
    one_of,
    paths,
)
from modelica_ast.testing.surroundings import ClassFacts, ComponentFacts
from modelica_ast.testing.values import json_values, names

_PREFIXES: Final[tuple[list[str], ...]] = (
    [],
    ["parameter"],
    ["inner"],
    ["final", "constant"],
    ["replaceable", "input"],
    ["flow"],
)
_CONDITIONS: Final = ({"expression": "use_it"}, {"reference": "b"}, {"expression": "n > 1"})
_BASES: Final = ("NewBase", "A.B.C")
_KINDS: Final = ("model", "package", "record")


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
        "prefixes": st.sampled_from(_PREFIXES),
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
        path = st.just("") | paths(component.modifiers)
        required = {"component": st.just(component.name), "path": path, "value": json_values()}
        return st.fixed_dictionaries(required, optional={"each": st.booleans(), "final": st.booleans()})

    def of_constraint(component: ComponentFacts) -> Operations:
        path = paths(component.constraint or ())
        return fields(
            component=st.just(component.name), constrainedby=st.just(value=True), path=path, value=json_values()
        )

    short = None if facts.short_modifiers is None else fields(path=paths(facts.short_modifiers), value=json_values())
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
                lambda found: fields(component=st.just(found.name), path=paths(found.modifiers), **given),
            ),
            for_any(facts.extends, lambda found: fields(base=st.just(found[0]), path=paths(found[1]), **given)),
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
        _on_any_modifier(type_=type_, kind=st.sampled_from(_KINDS))(facts),
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
        facts.extends, lambda found: fields(base=st.just(found[0]), path=paths(found[1]), value=json_values())
    )


def _remove_extends_modifier(facts: ClassFacts) -> Operations | None:
    there = [found for found in facts.extends if found[1]]
    return for_any(there, lambda found: fields(base=st.just(found[0]), path=st.sampled_from(found[1])))


GENERATORS: Final[dict[str, Generator]] = {
    "add_component": _add_component,
    "remove_component": _remove_component,
    "move_component": _move_component,
    "rename_component": _rename_component,
    "set_component_type": _on_component(type_=st.sampled_from(TYPES)),
    "set_component_description": _on_component(text=st.none() | st.sampled_from(DESCRIPTIONS)),
    "set_component_prefixes": _on_component(prefixes=st.sampled_from(_PREFIXES)),
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
