"""What the grammar accepts and the language does not, found while the tree is built.

Each check sees one new node and answers None, or the child to point at, a sentence and a hint. The grammar is
wider than the language in these places because a sentence about the slip helps more than "unexpected token".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from modelica_ast.syntax.green import iter_leaves
from modelica_ast.syntax.lalr import Complaint, Green, Node
from modelica_ast.syntax.lexer import token_text
from modelica_ast.syntax.tables import KINDS

Finding = tuple[tuple[int, ...], str, str]  # path of the part to point at, sentence, hint

_ELEMENT_PREFIXES: Final = ("redeclare", "final", "inner", "outer", "replaceable")
_TYPE_PREFIXES: Final = {
    "flow": (0, "'flow' or 'stream'"),
    "stream": (0, "'flow' or 'stream'"),
    "discrete": (1, "'discrete', 'parameter' or 'constant'"),
    "parameter": (1, "'discrete', 'parameter' or 'constant'"),
    "constant": (1, "'discrete', 'parameter' or 'constant'"),
    "input": (2, "'input' or 'output'"),
    "output": (2, "'input' or 'output'"),
}
_EMPTY_ARRAY: Final = "an empty array '{}' has no type; write for example fill(0.0, 0) or zeros(0)"


def kind(green: Green) -> str:
    """The kind of a node, or '' for a leaf."""
    return KINDS[green[0]] if type(green) is tuple else ""


def end_name(node: Node) -> Finding | None:
    """`model A … end B;`."""
    opened = token_text(node[1])  # type: ignore[misc]  # a name, or `extends` and a name
    if opened == "extends":
        opened = token_text(node[2])  # type: ignore[misc]  # the same
    closed = token_text(node[-1])  # type: ignore[arg-type]  # a name
    if opened == closed:
        return None
    hint = f"write 'end {opened};', or add the missing 'end {opened};' if '{closed}' is a class around it"
    return (len(node) - 1,), f"class '{opened}' is closed by 'end {closed}'", hint


def element_prefixes(node: Node) -> Finding | None:
    """`outer inner`, `final final`, and `constrainedby` without `replaceable`."""
    last = -1
    for place, child in enumerate(node[1:-1], 1):  # type: ignore[misc]  # there is a last child
        if type(child) is not str:
            break
        text = token_text(child)
        rank = _ELEMENT_PREFIXES.index(text)
        if rank == last:
            return (place,), f"'{text}' is written twice", "remove one of them"
        if rank < last:
            hint = "the order is: redeclare final inner outer replaceable"
            return (place,), f"'{text}' must come before '{_ELEMENT_PREFIXES[last]}'", hint
        last = rank
    return _constraint(node, replaceable=last == len(_ELEMENT_PREFIXES) - 1)


def redeclaration(node: Node) -> Finding | None:
    """`redeclare R r constrainedby T` without `replaceable`."""
    prefixes = {token_text(child) for child in node[1:] if type(child) is str}
    return _constraint(node, replaceable="replaceable" in prefixes)


def _constraint(node: Node, *, replaceable: bool) -> Finding | None:
    if replaceable:
        return None
    for place, child in enumerate(node[1:], 1):
        if kind(child) == "constraining_clause":
            word = token_text(child[1])  # type: ignore[misc]  # a word
            return (
                (place,),
                f"'{word}' constrains only what is 'replaceable'",
                "add 'replaceable', or remove the constraint",
            )
    return None


def type_prefixes(node: Node) -> Finding | None:
    """`parameter flow`, `discrete constant`, `input input`."""
    last, last_text = -1, ""
    for place, child in enumerate(node[1:], 1):
        text = token_text(child)  # type: ignore[arg-type]  # they are words
        rank, group = _TYPE_PREFIXES[text]
        if text == last_text:
            return (place,), f"'{text}' is written twice", "remove one of them"
        if rank == last:
            return (place,), f"'{last_text}' and '{text}' exclude each other", f"keep one of {group}"
        if rank < last:
            hint = "the order is: flow or stream; discrete, parameter or constant; input or output"
            return (place,), f"'{text}' must come before '{last_text}'", hint
        last, last_text = rank, text
    return None


def positional_after_named(node: Node) -> Finding | None:
    """`f(a=1, 2)`."""
    named = ""
    for place, child in enumerate(node[2:-1], 2):  # type: ignore[misc]  # brackets are around
        if type(child) is tuple and KINDS[child[0]] == "named_argument":
            named = token_text(child[1])
        elif named and not (type(child) is str and token_text(child) == ","):
            return (
                (place,),
                f"a positional argument can't follow the named argument '{named}'",
                "name it, or move it to the front",
            )
    return None


def section_order(node: Node) -> Finding | None:
    """`external` before something else than the class annotation."""
    external = False
    for place, child in enumerate(node[1:], 1):
        section = kind(child)
        if external and section != "class_annotation":
            return (
                (place,),
                "only the class annotation can follow 'external …;'",
                "'external' comes last in a function",
            )
        external = external or section == "external_clause"
    return None


def redeclared_dimensions(node: Node) -> Finding | None:
    """`redeclare B[2] x`: only a component clause has dimensions at its type."""
    for place, child in enumerate(node[1:], 1):
        if kind(child) == "array_subscripts":
            name = token_text(node[-1][1])  # type: ignore[index,misc]  # a declaration begins with its name
            dimensions = "".join(map(token_text, iter_leaves(child)))
            return (
                (place,),
                "the type of a component in a modification has no dimensions",
                f"write them after its name: {name}{dimensions}",
            )
    return None


def within_clauses(node: Node) -> Finding | None:
    """Two `within` in one file."""
    found = [place for place, child in enumerate(node) if type(child) is tuple and kind(child) == "within_clause"]
    if len(found) > 1:
        return (found[1],), "a file has at most one 'within'", "remove the second, or split the file"
    return None


def empty_array(node: Node) -> Finding | None:
    """`{}`; `complaints_that_count` forgives it inside annotations, where tools write it (`graphics={}`)."""
    if len(node) == 3:  # noqa: PLR2004  (the number and two braces)
        return (1,), _EMPTY_ARRAY, ""
    return None


def inheritance_break(_node: Node) -> Finding | None:
    """`A a(break x)`; `complaints_that_count` forgives it in extends clauses, where it belongs."""
    return (1,), "only an 'extends' clause can leave something out with 'break'", ""


def initial_connect(node: Node) -> Finding | None:
    """`connect` in an `initial equation`."""
    if token_text(node[1]) != "initial":  # type: ignore[misc]  # a word
        return None
    todo: list[tuple[tuple[int, ...], Any]] = [((place,), child) for place, child in enumerate(node[1:], 1)]
    while todo:
        path, part = todo.pop()
        if kind(part) == "connect_equation":
            return path, "'connect' can't be in an 'initial equation' section", "move it to an 'equation' section"
        if kind(part).endswith("_equation"):
            todo += [((*path, place), child) for place, child in enumerate(part[1:], 1)]
    return None


def subscripted_tuple(node: Node) -> Finding | None:
    """`(1, 2, 3)[2]`."""
    # The last child and the list of outputs.
    if kind(node[-1]) == "array_subscripts" and len(node[2]) != 2:  # type: ignore[arg-type,misc]  # noqa: PLR2004
        return (len(node) - 1,), "a list of outputs can't be indexed", "index an array instead: ({1, 2, 3})[2]"
    return None


_BY_KIND: Final[dict[str, Callable[[Node], Finding | None]]] = {
    "array": empty_array,
    "base_prefix": type_prefixes,
    "component_clause1": redeclared_dimensions,
    "composition": section_order,
    "element": element_prefixes,
    "element_redeclaration": redeclaration,
    "equation_section": initial_connect,
    "function_call_args": positional_after_named,
    "inheritance_modification": inheritance_break,
    "long_class_specifier": end_name,
    "parenthesized": subscripted_tuple,
    "stored_definition": within_clauses,
    "type_prefix": type_prefixes,
}
BY_PRODUCTION: Final = {number: _BY_KIND[name] for number, name in enumerate(KINDS) if name in _BY_KIND}


# Whether these are wrong shows only when what is around them is complete.
UNDECIDED: Final = frozenset({"array", "inheritance_modification"})


def complaints_that_count(complaints: Iterable[Complaint], root: Green) -> list[Complaint]:
    """All but empty arrays inside annotations and what an extends clause leaves out."""
    found = list(complaints)
    if not any(KINDS[complaint.node[0]] in UNDECIDED for complaint in found):
        return found
    forgiven = set()
    todo: list[tuple[Any, bool]] = [(root, False)]
    while todo:
        green, annotated = todo.pop()
        if type(green) is not tuple:
            continue
        annotated = annotated or kind(green) == "annotation_clause"
        if annotated and kind(green) == "array":
            forgiven.add(id(green))
        if kind(green) == "extends_clause":
            forgiven |= {id(item) for part in green[1:] if kind(part) == "class_modification" for item in part[1:]}
        todo.extend((child, annotated) for child in green[1:])
    return [c for c in found if KINDS[c.node[0]] not in UNDECIDED or id(c.node) not in forgiven]
