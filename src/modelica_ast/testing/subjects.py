"""What an edit at random is about: names, values, what a document has, and arguments of verbs that fit there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from modelica_ast.edit import get_class_prefixes
from modelica_ast.foundation import Record
from modelica_ast.tree import (
    Annotation,
    Arguments,
    Call,
    CallArguments,
    ClassDefinition,
    Component,
    ConnectEquation,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    Equation,
    ImportClause,
    LongClassSpecifier,
    Modification,
    NamedArgument,
    Real,
    Reference,
    ShortClassSpecifier,
    Specifier,
    Statement,
    StoredDefinition,
    View,
    walk,
)

# ---------------------------------------------------------------- names and values
# Names, and the values that `literal` and the verbs take.

_PLAIN: Final = ("a", "b1", "k", "m", "frame_a", "R0", "x_y", "_z")
_QUOTED: Final = ("'quoted name'", "'+'", r"'it\'s'", "'a.b'", "'é'")
_TEXTS: Final = ("1.5", "1.50", "2.", "1e3", "1.5E-3", "-0.10", "3.e+2")
_EXPRESSIONS: Final = ("2*a", "-x", "if b then 1 else 2", "f(x, y=1)", "{1, a}", "a.b[2]", "1:3", "not done")
_MOST_DIGITS: Final = 10**12


def names(*, quoted: bool = True) -> st.SearchStrategy[str]:
    """Identifiers; with `quoted` also `'any text'`."""
    return st.sampled_from([*_PLAIN, *(_QUOTED if quoted else ())])


def dotted_names(*, max_parts: int = 3, quoted: bool = True) -> st.SearchStrategy[str]:
    """Names of classes, and paths of modifiers: `A.B.c`."""
    return st.lists(names(quoted=quoted), min_size=1, max_size=max_parts).map(".".join)


def values(*, max_dimensions: int = 2, references: bool = True) -> st.SearchStrategy[Any]:
    """Python values that `literal` can write: numbers, booleans, strings, `Real`, `Reference`, lists of them."""
    scalars: st.SearchStrategy[Any] = st.booleans() | st.integers(-_MOST_DIGITS, _MOST_DIGITS) | st.text(max_size=8)
    scalars |= st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(_TEXTS).map(Real)
    if references:
        scalars |= dotted_names().map(Reference)
    return _nested(scalars, max_dimensions)


def json_values(*, max_dimensions: int = 1, expressions: bool = True) -> st.SearchStrategy[Any]:
    """Values as they are in a patch: JSON, and `{"expression": …}`, `{"reference": …}`, `{"real": …}`."""
    scalars: st.SearchStrategy[Any] = st.integers(-100, 100) | st.booleans() | st.text(max_size=8)
    scalars |= st.floats(allow_nan=False, allow_infinity=False)
    scalars |= st.sampled_from(_TEXTS).map(lambda text: {"real": text})
    scalars |= dotted_names().map(lambda name: {"reference": name})
    if expressions:
        scalars |= st.sampled_from(_EXPRESSIONS).map(lambda text: {"expression": text})
    return _nested(scalars, max_dimensions)


def _nested(scalars: st.SearchStrategy[Any], dimensions: int) -> st.SearchStrategy[Any]:
    found = scalars
    for _ in range(dimensions):
        # Not empty: Modelica has no literal for an array without elements.
        found = scalars | st.lists(found, min_size=1, max_size=3)
    return found


# ---------------------------------------------------------------- trivia
# Legal blanks and comments between two tokens.

# The plainest first: that is where Hypothesis shrinks to.
_BLANKS: Final = ("", " ", "  ", "\t")
_LINE_ENDS: Final = ("\n", "\r\n", "\n\n    ")
_RARE_BLANKS: Final = ("\u00a0", "\f")
_BLOCK_COMMENTS: Final = ("/* c */", "/**/", "/* \" ' ( */")
_LINE_COMMENTS: Final = ("// c\n", "//\n", "// é // /*\r\n", "/* a\n * b */")


def trivia(*, comments: bool = True, line_ends: bool = True, max_pieces: int = 3) -> st.SearchStrategy[str]:
    r"""Blanks and comments as they can come before any token, also none at all.

    Without `line_ends` nothing ends a line, so no `//` comment either.

    >>> trivia(comments=False, line_ends=False).example()  # doctest: +SKIP
    ' \t'
    """
    pieces = [*_BLANKS, *(_LINE_ENDS if line_ends else ()), *_RARE_BLANKS]
    if comments:
        pieces += [*_BLOCK_COMMENTS, *(_LINE_COMMENTS if line_ends else ())]
    # One draw for most tokens and not one for each piece: a tree has many tokens.
    short = st.sampled_from(pieces)
    return short if max_pieces <= 1 else short | st.lists(short, min_size=2, max_size=max_pieces).map("".join)


# ---------------------------------------------------------------- subjects
# What a document has that an edit can be about: classes, components, paths of modifiers, connections.

_V = TypeVar("_V", bound=View)


class ComponentFacts(Record):
    """A component: its name, and the paths that lead to something in its modifiers and its annotation."""

    name: str
    modifiers: tuple[str, ...]
    annotations: tuple[str, ...]
    is_alone: bool  # in its clause
    prefixes: tuple[str, ...]
    constraint: tuple[str, ...] | None  # paths of the modifiers of what it is constrained by


class ClassFacts(Record):
    """A class, and what is declared or written in it directly."""

    name: str
    has_body: bool
    declared: tuple[str, ...]  # components and classes
    siblings: tuple[str, ...]  # what is declared beside it
    components: tuple[ComponentFacts, ...]
    connections: tuple[tuple[str, str], ...]
    connection_annotations: tuple[tuple[str, str, str], ...]  # the ends, a path
    equations: tuple[str, ...]
    statements: tuple[str, ...]
    extends: tuple[tuple[str, tuple[str, ...]], ...]  # base, paths of modifiers
    imports: tuple[dict[str, Any], ...]  # arguments of the verb `add_import`
    annotations: tuple[str, ...]
    prefixes: tuple[str, ...]
    short_modifiers: tuple[str, ...] | None  # of `type Length = Real(unit="m")`, None for other classes
    literals: tuple[str, ...] | None  # of an enumeration, None for other classes


def classes_of(tree: StoredDefinition) -> list[ClassFacts]:
    """The facts about every class of a file, in source order."""
    return [_facts(view) for view in walk(tree, annotations=False) if isinstance(view, ClassDefinition)]


def _facts(definition: ClassDefinition) -> ClassFacts:
    equations = _all_inside([*definition.equations, *definition.initial_equations], Equation)
    statements = _all_inside([*definition.statements, *definition.initial_statements], Statement)
    connects = [(str(found.left), str(found.right), found) for found in equations if isinstance(found, ConnectEquation)]
    specifier = definition.specifier
    return ClassFacts(
        definition.full_name,
        isinstance(definition.specifier, LongClassSpecifier),
        _declared(definition),
        tuple(name for name in _declared(_owner(definition)) if name != definition.name),
        tuple(map(_component, definition.components)),
        tuple((left, right) for left, right, _ in connects),
        tuple((left, right, path) for left, right, found in connects for path in _annotation_paths(found.annotation)),
        tuple(found.text for found in equations if _is_bare(found)),
        tuple(found.text for found in statements if _is_bare(found)),
        tuple((str(found.type), tuple(paths(found.arguments))) for found in definition.extends),
        tuple(arguments for found in definition.imports if (arguments := _import(found)) is not None),
        tuple(_annotation_paths(definition.annotation)),
        tuple(get_class_prefixes(definition)),
        tuple(paths(specifier.arguments)) if isinstance(specifier, ShortClassSpecifier) else None,
        _literals(specifier),
    )


def _literals(specifier: Specifier) -> tuple[str, ...] | None:
    if not isinstance(specifier, EnumerationClassSpecifier) or specifier.colon is not None:
        return None
    return tuple(each.name for each in specifier.enum_list.items) if specifier.enum_list is not None else ()


def _all_inside(views: list[_V], kind: type[_V]) -> list[_V]:
    """These and those inside them: equations inside `for` and `if`."""
    return [found for view in views for found in walk(view, annotations=False) if isinstance(found, kind)]


def _owner(definition: ClassDefinition) -> ClassDefinition | StoredDefinition:
    """The class around it, or the file."""
    for view in definition.ancestors:
        if isinstance(view, ClassDefinition | StoredDefinition):
            return view
    raise AssertionError("a class of a file is in the file")


def _declared(owner: ClassDefinition | StoredDefinition) -> tuple[str, ...]:
    components = [found.name for found in owner.components] if isinstance(owner, ClassDefinition) else []
    return (*components, *(found.name for found in owner.classes))


def _component(view: Component) -> ComponentFacts:
    constraint = None if view.element is None else view.element.constraint
    return ComponentFacts(
        view.name,
        tuple(paths(view.modification)),
        tuple(_annotation_paths(view.annotation)),
        len(view.clause.declarations) == 1,
        tuple(view.prefixes),
        None if constraint is None else tuple(paths(constraint.arguments)),
    )


def _is_bare(equation: Any) -> bool:
    """Is it nothing but the equation? A description and an annotation are not part of what a verb finds it by."""
    return equation.description is None and equation.annotation is None


def _import(clause: ImportClause) -> dict[str, Any] | None:
    """The arguments of the verb for this import; None for a form that the verb does not write."""
    if clause.is_wildcard:
        return {"name": clause.name, "wildcard": True}
    if clause.alias is not None:
        return {"name": clause.name, "alias": clause.alias}
    if any(local != name for local, name in clause.imported):
        return None
    members = [name for _, name in clause.imported]
    return {"name": clause.name, "members": members} if members else {"name": clause.name}


def _annotation_paths(annotation: Annotation | None) -> Iterator[str]:
    return paths(annotation.arguments) if annotation is not None else iter(())


def paths(start: View | None) -> Iterator[str]:
    """Every path that leads to a value or a redeclaration, also through redeclarations and record constructors."""
    todo: list[tuple[str, View | None]] = [("", start)]
    while todo:
        prefix, view = todo.pop()
        match view:
            case Modification():
                if view.value is not None and prefix:
                    yield prefix.removesuffix(".")
                todo += [(prefix, view.arguments), (prefix, view.value)]
            case Arguments():
                todo += [(prefix, item) for item in view.items]
            case ElementModification():
                todo.append((f"{prefix}{view.name}.", view.modification))
            case ElementRedeclaration() | ElementReplaceable():
                declared: Any = view.declared
                name, inner = _redeclared(declared)
                yield prefix + name
                todo.append((f"{prefix}{name}.", inner))
            case Call() if isinstance(view.arguments, CallArguments):
                named = [item for item in view.arguments.items if isinstance(item, NamedArgument)]
                yield from (prefix + item.name for item in named)
                todo += [(f"{prefix}{item.name}.", item.value) for item in named]
            case _:
                continue


def _redeclared(declared: Any) -> tuple[str, View | None]:
    """The name of what is redeclared, and where its modifiers are."""
    if declared.kind == "component_clause1":
        return declared.declaration.name, declared.declaration.modification
    return declared.name, getattr(declared.specifier, "arguments", None)


# ---------------------------------------------------------------- arguments
# What the generators of operations share: arguments that fit a class, and those that are new to it.

Operation = dict[str, Any]
Operations = st.SearchStrategy[Operation]
# From the facts about a class to the arguments of a verb that fit there (`op` and `class` need not be among them); None
# where there is nothing that the verb could be about.
Generator = Callable[[ClassFacts], Operations | None]

TYPES: Final = ("Real", "A.B", ".Modelica.Blocks.Gain")
DESCRIPTIONS: Final = ("", "text", 'a "quoted" word', "two\nlines", "back\\slash", "é")
DIMENSIONS: Final[tuple[list[Any], ...]] = ([], [3], [2, ":"], [{"expression": "n + 1"}])
COMMENTS: Final = st.sampled_from(("drop", "keep"))
_NEW_NAMES: Final = ("new_1", "z", "Another", "'new one'")


def fields(**given: st.SearchStrategy[Any]) -> Operations:
    """Arguments by their keys in a patch; `class_` stands for `class`."""
    return st.fixed_dictionaries({key.rstrip("_"): value for key, value in given.items()})


def one_of(*parts: Operations | None) -> Operations | None:
    """Any of these, without those that are None; None if nothing is left."""
    given = [part for part in parts if part is not None]
    return st.one_of(given) if given else None


def for_any(things: Iterable[Any], make: Callable[[Any], Operations | None]) -> Operations | None:
    """Arguments that are about one of these things, whichever."""
    return one_of(*map(make, things))


def new_name(taken: Iterable[str]) -> st.SearchStrategy[str]:
    """A name that is not among these."""
    known = set(taken)
    return st.sampled_from([name for name in _NEW_NAMES if name not in known])


def modifiers() -> st.SearchStrategy[dict[str, Any]]:
    """Modifiers of something new, by their paths."""
    return st.dictionaries(dotted_names(max_parts=2), json_values(), max_size=2)


def some_path(there: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Paths that are there, longer ones, and others."""
    new = dotted_names()
    if not there:
        return new
    known = st.sampled_from(there)
    return known | new | st.tuples(known, names()).map(".".join)


def beside(found: Operations, neighbours: Iterable[str]) -> Operations:
    """The same arguments, or with a place before or after one of these neighbours."""
    names_ = list(neighbours)
    if not names_:
        return found
    place = st.tuples(st.sampled_from(("before", "after")), st.sampled_from(names_))
    return found | st.tuples(found, place).map(lambda drawn: {**drawn[0], drawn[1][0]: drawn[1][1]})


def in_class(found: Operations, facts: ClassFacts) -> Operations:
    """The same arguments, or with any place in a class that is given by a word or by a neighbour."""
    words = st.fixed_dictionaries(
        {}, optional={"place": st.sampled_from(("first", "last", "sorted")), "section": st.sampled_from(_SECTIONS)}
    )
    by_words = st.tuples(found, words).map(lambda drawn: {**drawn[0], **drawn[1]})
    return beside(found, facts.declared) | by_words


_SECTIONS: Final = ("public", "protected")
