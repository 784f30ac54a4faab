"""New nodes from the fields of a view: the grammar chooses the production, so no tree is made that it does not allow.

Where nobody has written a blank yet, there are those that the Standard Library has: elements and equations are on
lines of their own, two blanks further in. An edit lays out what it puts in as its neighbours are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from modelica_ast.foundation import ModelicaSyntaxError, Record, Source
from modelica_ast.syntax import (
    FRAGMENTS,
    KINDS,
    LISTS,
    TEXTS,
    Blanks,
    Green,
    Node,
    Owned,
    Prefix,
    accepted,
    blanks_around,
    can_be,
    child_at,
    children_of,
    equal,
    find_production,
    first_leaf,
    leaves,
    lex,
    list_items as items_of_list,
    make_node,
    production,
    productions_of,
    read,
    render,
    run_together,
    split_leaf,
    symbol,
    token_text,
    with_prefix,
)
from modelica_ast.tree.base import Child, Field, Items, Token, View, Written

AnyField = Field[object] | Items[object] | Child[object] | Written
# What is on a line of its own, with the blanks that it is further in than what is around it.
_LINES: Final = {
    "_element": 2,
    "_equation": 2,
    "_statement": 2,
    "_section": 0,
    "_stored_class": 0,
    "elseif_equation": 0,
    "else_equation": 0,
    "elsewhen_equation": 0,
    "elseif_statement": 0,
    "else_statement": 0,
    "elsewhen_statement": 0,
}
_STRANGE: Final = frozenset({"ASSIGN", "EXTENDS", "DOT"})  # there is another way to write it that most prefer
_OPERATIONS: Final = frozenset({"binary", "unary", "range"})  # whose operands may need parentheses
_OPERANDS: Final = _OPERATIONS | {"if_expression"}
_FLUSH: Final = frozenset({"composition", "stored_definition"})  # whose items start a line even if they are the first
_FIELDS: Final[dict[type[View], dict[str, AnyField]]] = {}  # a memo of pure facts
# A line end, its indentation, and whether the line is empty; those inside of comments too.
_LINE: Final = re.compile(r"\r?\n([ \t]*)(?=(\r?\n)?)")
_LINE_END: Final = re.compile(r"\r?\n")


_NOTHING: Final = Owned()


class _Misfit(Exception):  # noqa: N818  (the next production may fit)
    """A production has no place for a field, or lacks one."""


class _WrongValue(_Misfit):
    """A production has a place for every field, and one of them is of another kind."""


# A memo of pure facts: kinds, fields and whether these are lists of several -> productions with such fields.
_SUITABLE: Final[dict[tuple[tuple[str, ...], frozenset[tuple[str, int]]], list[int]]] = {}


def made(cls: type[View], fields: Mapping[str, object]) -> Green:
    """The green tree of a view class with these fields; TypeError for wrong ones, ValueError if they don't fit."""
    given = _checked(cls, fields)
    if "text" in given:
        return _of_text(cls, str(given["text"]))
    return _chosen(cls, given, None, "\n")


def changed(view: View, fields: Mapping[str, object]) -> Green:
    """The green tree of a view with some fields changed; what stays keeps its blanks and comments."""
    cls = type(view)
    given = _checked(cls, fields)
    if not given:
        return view.green
    if "text" in given:
        return with_prefix(_of_text(cls, str(given["text"])), view.leading)
    node = view.node
    if isinstance(node, str):
        raise TypeError(f"a {cls.__name__} that is one token has no fields to change")
    before, start = {name: getattr(view, name) for name in fields_of(cls)}, line_start_of(view) or "\n"
    for name, value in given.items():
        old = before[name]
        if isinstance(value, str) and isinstance(old, Token):
            given[name] = _InPlace(old.leading + _token("", value), (), old.index)
        elif isinstance(value, View) and isinstance(old, View) and first_leaf(old.green):
            laid = relined(value.green, indentation_of(value), line_start_of(old) or start)
            given[name] = _InPlace(with_prefix(laid, old.leading), type(value).kinds, old.index)
    green = _chosen(cls, before | given, node, start)
    # A list of modifiers that comes before the `=` is right after the name.
    first = [type(child_at(each, 1)) for each in (node, green)]
    is_first = KINDS[node[0]] == "modification" and first == [str, tuple]
    return green if is_first else with_prefix(green, view.leading)


def fields_of(cls: type[View]) -> dict[str, AnyField]:
    """The fields of a class by their names, those that follow from the others left out."""
    found = _FIELDS.get(cls)
    if found is None:
        found = _FIELDS[cls] = _find_fields(cls)
    return found


def _find_fields(cls: type[View]) -> dict[str, AnyField]:
    every = {name: field for base in reversed(cls.__mro__) for name, field in vars(base).items()}
    kinds = (Field, Items, Child, Written)
    return {name: f for name, f in every.items() if isinstance(f, kinds) and getattr(f, "is_given", True)}


def _checked(cls: type[View], fields: Mapping[str, object]) -> dict[str, object]:
    known = fields_of(cls)
    for name, value in fields.items():
        if name not in known:
            raise TypeError(f"{_named(cls)} has no field '{name}'; it has {', '.join(known) or 'none'}")
        if isinstance(known[name], Written) and not isinstance(value, str):
            raise TypeError(f"'{name}' of {_named(cls)} is a text, not {value!r}")
    return dict(fields)


# ---------------------------------------------------------------- texts


def _of_text(cls: type[View], text: str) -> Green:
    """What has no fields, from its text: names, literals, keywords."""
    starts = [kind for kind in cls.kinds if kind in FRAGMENTS]
    try:
        if starts:  # the last one takes the most: a type may start with a dot, another name may not
            return with_prefix(child_at(read(Source(text), start=starts[-1], lazy=False).green, 1), "")
        if "import_clause" in cls.kinds:
            element = child_at(read(Source(f"{text};"), start="_element", lazy=False).green, 1)
            clause = child_at(element, 1) if isinstance(element, tuple) else ""
            if type(clause) is tuple and KINDS[clause[0]] == "import_clause":
                return with_prefix(clause, "")
    except ModelicaSyntaxError as error:
        raise ValueError(f"{text!r} is not the text of {_named(cls)}: {error.message}") from None
    parts = [leaf for leaf, _ in lex(text, lazy=False)]
    parts = [part for part in parts if token_text(part)]
    if len(parts) == 1 and cls.leaf_rules:
        green: Green = token_text(parts[0])
        allowed = cls.leaf_terminals or frozenset().union(*map(accepted, cls.leaf_rules))
        if symbol(green) in allowed:
            return green
    for kind in cls.kinds:
        number = find_production(kind, tuple(map(symbol, parts)))
        if number is not None:
            return with_prefix((number, *parts), "")
    raise ValueError(f"{text!r} is not the text of {_named(cls)}")


def _named(cls: type[View]) -> str:
    return f"{'an' if cls.__name__[0] in 'AEIOU' else 'a'} {cls.__name__}"


# ---------------------------------------------------------------- fields


def _chosen(cls: type[View], given: Mapping[str, object], old: Node | None, start: str) -> Node:
    """The node of the production that has a place for all that is given, and needs nothing else.

    `start` is how the line starts that it is in.
    """
    fields = fields_of(cls)
    present = {name: value for name, value in given.items() if value is not None and value is not False and value != ()}
    kinds = cls.kinds if old is None else (KINDS[old[0]],)
    for given_ in _with_parentheses(cls, present):
        green = _fitting(kinds, fields, given_, old, start)
        if green is not None and (given_ is not present or not _needs_proof(cls, present) or _reads_back(green)):
            return green
    told = ", ".join(present) or "nothing"
    missing = [name for name in fields if name not in present]
    hint = f"; it may need {' or '.join(missing)}" if missing else ""
    raise ValueError(f"the grammar has no {cls.__name__} of {told}{hint}")


def _fitting(
    kinds: tuple[str, ...], fields: Mapping[str, AnyField], present: Mapping[str, object], old: Node | None, start: str
) -> Node | None:
    found: list[tuple[int, str, list[_Part]]] = []
    bare: dict[int, Green] = {}
    # PERF: most productions have other fields, whatever is in these.
    shape = frozenset((name, min(len(v), 2) if isinstance(v, list | tuple) else 0) for name, v in present.items())
    known = _SUITABLE.get((kinds, shape))
    suitable: list[int] = []
    for number in known if known is not None else [each for kind in kinds for each in productions_of(kind)]:
        try:
            parts = list(_children(number, fields, present, _Tokens(old, bare)))
        except _WrongValue:
            suitable.append(number)
            continue
        except _Misfit:
            continue
        suitable.append(number)
        strange = sum(part.symbol in _STRANGE for part in parts if part.is_new)
        found.append((len(parts) + strange, KINDS[number], parts))
    _SUITABLE.setdefault((kinds, shape), suitable)
    if not found:
        return None
    _, kind, parts = min(found, key=lambda each: each[0])
    return _spaced(kind, parts, old, start)


def _needs_proof(cls: type[View], present: Mapping[str, object]) -> bool:
    """May an operand need parentheses?"""
    return not _OPERATIONS.isdisjoint(cls.kinds) and any(_is_operation(value) for value in present.values())


def _is_operation(value: object) -> bool:
    return isinstance(value, View) and type(value.green) is tuple and KINDS[value.green[0]] in _OPERANDS


def _reads_back(green: Green) -> bool:
    try:
        return equal(child_at(read(Source(render(green)), start="expression", lazy=False).green, 1), green)
    except ModelicaSyntaxError:
        return False


def _with_parentheses(cls: type[View], present: dict[str, object]) -> Iterator[dict[str, object]]:
    """What is given, then with parentheses around one operand, then around all."""
    yield present
    if _needs_proof(cls, present):
        wrapped = {name: _parenthesized(value) for name, value in present.items() if _is_operation(value)}
        tried = [present | {name: value} for name, value in wrapped.items()] if len(wrapped) > 1 else []
        yield from (each for each in tried if _fitting_reads_back(cls, each))
        yield present | wrapped


def _fitting_reads_back(cls: type[View], present: dict[str, object]) -> bool:
    green = _fitting(cls.kinds, fields_of(cls), present, None, "\n")
    return green is not None and _reads_back(green)


def _parenthesized(value: object) -> View:
    assert isinstance(value, View)
    inside = make_node("output_expression_list", without_blanks(value.green))
    green = make_node("parenthesized", "(", inside, ")")
    return View.of(green)


class _Part:
    """A child of the new node: which symbol of the grammar it is, and whether its blanks are the author's.

    `old` is where it was in a node that is changed, `owned` are the comments that something new brings.
    """

    __slots__ = ("green", "is_new", "old", "owned", "symbol")

    def __init__(
        self, symbol_: str, green: Green, *, old: int = 0, is_new: bool = False, owned: Owned = _NOTHING
    ) -> None:
        self.symbol = symbol_
        self.green = green
        self.is_new = is_new
        self.old = old
        self.owned = owned


class _InPlace(Record):
    """Something in place of another one, with the blanks and comments before that."""

    green: Green
    kinds: tuple[str, ...]  # that it can be
    index: int


class _Tokens:
    """The tokens of the node that is changed: they are taken again, with their blanks, in their order."""

    def __init__(self, old: Node | None, bare: dict[int, Green]) -> None:
        self.bare = bare  # PERF: what is given, without its blanks, for all productions that are tried
        self._left: dict[str, list[tuple[str, int]]] = {}
        self.kept: dict[int, int] = {}  # nodes that stay, and where they are
        for index, part in enumerate(children_of(old) if old is not None else (), 1):
            if isinstance(part, str):
                self._left.setdefault(token_text(part), []).append((part, index))
            self.kept[id(part)] = index

    def take(self, name: str) -> _Part:
        text = TEXTS.get(name)
        if text is None:
            raise _Misfit
        left = self._left.get(text)
        if not left:
            return _Part(name, text, is_new=True)
        leaf, index = left.pop(0)
        return _Part(name, leaf, old=index)


def _children(
    number: int,
    fields: Mapping[str, AnyField],
    present: Mapping[str, object],
    tokens: _Tokens,
) -> Iterator[_Part]:
    symbols = production(number).symbols
    places, lists = _places(symbols, fields, present)
    missing = [field for name, field in fields.items() if isinstance(field, Child) and name not in present]
    needed = {
        field.number - 1 if field.number > 0 else len(symbols) + field.number for field in missing if not field.of
    }
    absent = {field.name for name, field in fields.items() if isinstance(field, Field) and name not in present}
    for place, name in enumerate(symbols):
        if place in places:
            value = present[places[place]]
            if isinstance(value, Sequence) and not isinstance(value, str):
                raise TypeError(f"'{places[place]}' is one thing, not several")
            yield _part(name, value, tokens)
        elif name in LISTS or name in lists:
            item, separator = items_of_list(name) if name in LISTS else (name, None)
            queue = lists.get(item)
            if not queue:
                raise _Misfit
            if separator is None and name in LISTS and place and lists.get(symbols[place - 1]):
                raise _Misfit
            count = len(queue) if name in LISTS else 1
            for value in queue[:count]:
                if separator is not None:
                    yield tokens.take(separator)
                yield _part(item, value, tokens)
            del queue[:count]
        elif name in absent or place in needed:
            raise _Misfit
        else:
            yield tokens.take(name)
    if any(lists.values()):
        raise _Misfit


def _places(
    symbols: tuple[str, ...],
    fields: Mapping[str, AnyField],
    present: Mapping[str, object],
) -> tuple[dict[int, str], dict[str, list[object]]]:
    """Place in the production -> field, and item -> what its list has; _Misfit if something given has no place."""
    places: dict[int, str] = {}
    lists: dict[str, list[object]] = {}
    for name, value in present.items():
        field = fields[name]
        if isinstance(field, Items):
            if isinstance(value, str | View) or not isinstance(value, Sequence):
                raise TypeError(f"'{name}' is a list")
            lists[field.name] = list(value)
        elif isinstance(field, Child):
            if field.of not in (0, len(symbols)):
                raise _Misfit
            places[field.number - 1 if field.number > 0 else len(symbols) + field.number] = name
        elif isinstance(field, Field):
            hits = [place for place, each in enumerate(symbols) if each == field.name]
            if len(hits) <= field.nth:
                raise _Misfit
            places[hits[field.nth]] = name
    return places, {name: values for name, values in lists.items() if values}


def _part(name: str, value: object, tokens: _Tokens) -> _Part:
    owned = _NOTHING
    if value is True:
        return tokens.take(name)
    if isinstance(value, _InPlace):
        if isinstance(value.green, str) and name in ("IDENT", "STRING"):
            _token(name, token_text(value.green))
        green = as_kind(value.green, value.kinds, name)
        if not can_be(symbol(green), accepted(name)):
            raise _WrongValue
        return _Part(name, green, old=value.index)
    if isinstance(value, str):
        green = _token(name, value)
    elif isinstance(value, View):
        green = value.green
        if id(green) in tokens.kept:
            return _Part(name, green, old=tokens.kept[id(green)])
        if name in _LINES:
            owned = owned_line(value)
        if name != "composition":  # its first line is a line of its own
            known = tokens.bare.get(id(value))
            if known is None:
                known = relined(green, indentation_of(value), "\n") if name in _LINES else without_blanks(green)
                tokens.bare[id(value)] = known
            green = as_kind(known, type(value).kinds, name)
    else:
        raise TypeError(f"{value!r} is not a view")
    if not can_be(symbol(green), accepted(name)):
        raise _WrongValue
    return _Part(name, green, is_new=True, owned=owned)


def as_kind(green: Green, kinds: tuple[str, ...], name: str) -> Green:
    """The same as the kind that the grammar has where it says `name`: a type and another name look alike."""
    if isinstance(green, str) or can_be(symbol(green), accepted(name)):
        return green
    for kind in kinds:
        if can_be(kind, accepted(name)):
            number = find_production(kind, tuple(map(symbol, green[1:])))
            if number is not None:
                return (number, *green[1:])
    return green


def _token(name: str, text: str) -> str:
    found = [leaf for leaf, _ in lex(text, lazy=False) if token_text(leaf)]
    is_token = len(found) == 1 and found[0] == text
    if name == "IDENT" and not (is_token and symbol(text) == name):
        raise ValueError(f"{text!r} is not a name; a name with other characters is written in single quotes")
    if not is_token:
        raise ValueError(f"{text!r} is not one token")
    return text


# ---------------------------------------------------------------- blanks


def _spaced(kind: str, parts: list[_Part], old: Node | None, outer: str) -> Node:
    children: list[Green] = []
    is_in_lines = any(part.symbol in _LINES for part in parts)
    for number, part in enumerate(parts):
        tail = _tail(parts[number - 1], old) if number else ""
        was_first = part.old == 1 and kind != "modification"
        if (not part.is_new and not (was_first and number)) or part.symbol == "composition":
            children.append(_behind(part, parts[number - 1] if number else None, tail))
            continue
        inner = _LINES.get(part.symbol)
        if inner is not None and (number or kind in _FLUSH):
            start = _start_of_others(parts, part.symbol) or outer + _indented(outer, inner)
            owned = part.owned
            if owned.behind and number == len(parts) - 1:  # there is no line end for it
                owned = Owned((*owned.above, owned.behind), owned.before)
            prefix = tail + owned.prefix(start)
            is_first_of_file = kind == "stored_definition" and not number
            children.append(with_prefix(relined(part.green, "", start), prefix[1:] if is_first_of_file else prefix))
        elif not number:
            children.append(part.green)
        elif (is_in_lines or _has_body(children)) and part.symbol == "END":
            children.append(tail + outer + "end")
        else:
            children.append(with_prefix(part.green, gap(kind, children[-1], part.green, is_second=number == 1)))
    return make_node(kind, *children)


def _tail(part: _Part, old: Node | None) -> str:
    """The comment at the end of the line of a part: that of what it was, or that it brings."""
    if part.owned.behind:
        return f" {part.owned.behind}"
    if old is None or part.symbol not in _LINES or not 0 < part.old < len(old) - 1:
        return ""
    prefix = Prefix.of(split_leaf(first_leaf(child_at(old, part.old + 1)))[0])
    return prefix.head if prefix.starts_line else ""


def _behind(part: _Part, before: _Part | None, tail: str) -> Green:
    """A part that stays, after another one than it was: the comment at the end of the line is that one's."""
    prefix = Prefix.of(split_leaf(first_leaf(part.green))[0])
    if before is None or before.old == part.old - 1 or not prefix.starts_line or not before.old + part.old:
        return part.green
    return with_prefix(part.green, tail + prefix.below)


def _indented(outer: str, inner: int) -> str:
    return "\t" if inner and outer.endswith("\t") else " " * inner


def _start_of_others(parts: list[_Part], name: str) -> str:
    """How those of a kind start their lines that stay where they are; '' if there is none."""
    for part in parts:
        start = Prefix.of(split_leaf(first_leaf(part.green))[0]).line_start
        if start and not part.is_new and part.symbol == name:
            return start
    return ""


def _has_body(children: list[Green]) -> bool:
    return any(type(child) is tuple and KINDS[child[0]] == "composition" for child in children)


def gap(kind: str, before: Green, after: Green, *, is_second: bool = False) -> str:
    """The blanks between two children of a node; `is_second` if nothing comes before the first of them."""
    if kind == "annotation_clause":
        return " "
    end = leaves(before)[-1:] or [""]
    start = first_leaf(after)
    one, other = token_text(end[0]), token_text(start)
    if not one or not other:
        return ""
    wishes = [
        _sides(kind, before, end[0], is_first=is_second)[1] if isinstance(before, str) else None,
        _sides(kind, after, start, is_first=isinstance(after, tuple))[0],
    ]
    if Blanks.NONE in wishes and Blanks.ONE not in wishes:
        return " " if run_together(one, other) else ""
    return " "


def _sides(kind: str, green: Green, leaf: str, *, is_first: bool) -> tuple[Blanks | None, Blanks | None]:
    """What the first token of a child wants around it."""
    around = kind
    while type(green) is tuple:
        around, green = KINDS[green[0]], green[1] if len(green) > 1 else ""
    return blanks_around(symbol(leaf), around, "", is_tight=False, is_first=is_first)


def without_blanks(green: Green) -> Green:
    """The same without the blanks before it; comments stay."""
    prefix = split_leaf(first_leaf(green))[0]
    return with_prefix(green, "") if not prefix.strip() else green


def owned_line(view: View) -> Owned:
    """The comments that belong to something that is on a line of its own."""
    prefix, is_first, following = view.leading, view.parent is None, ""
    around = view
    while around.parent is not None and not following:
        node = around.parent.node
        assert isinstance(node, tuple)
        is_first = around.parent.parent is None and around.index == 1 and not prefix
        later = (first_leaf(part) for part in children_of(node, around.index + 1))
        following = next((leaf for leaf in later if leaf), "")
        around = around.parent
    return Owned.of(prefix, split_leaf(following)[0] if following else "", is_first=is_first)


def indentation_of(view: View) -> str:
    """The blanks that the line starts with in which a view starts; none for something on its own."""
    if "\n" not in view.leading and (view.parent is None or "\n" not in render(view.green)):
        return ""
    return line_start_of(view).lstrip("\r\n")


def line_start_of(view: View) -> str:
    """Line end and indentation of the line in which a view starts; '' in the first one."""
    steps: list[tuple[Node, int]] = []
    found = Prefix.of(view.leading).line_start
    while not found and view.parent is not None:
        node = view.parent.node
        assert isinstance(node, tuple)
        steps.append((node, view.index))
        view = view.parent
    return found or line_start_before(steps)


def line_start_before(steps: Iterable[tuple[Node, int]]) -> str:
    """The line start that comes last before a place, given by the nodes around it, the innermost first."""
    for node, index in steps:
        for place in range(index - 1, 0, -1):
            for leaf in reversed(leaves(child_at(node, place))):
                if "\n" in leaf:
                    found = Prefix.of(split_leaf(leaf)[0]).line_start
                    if found:
                        return found
    return ""


def relined(green: Green, base: str, line_start: str) -> Green:
    """The same with lines that start as `line_start` has it where they started with `base`; the first is left alone.

    The lines of a string get that line end too, and keep their blanks: those are the string's own.
    """
    if not line_start or "\n" not in render(green):
        return green
    end = _line_end(line_start)
    is_first = True

    def of_leaf(leaf: str) -> str:
        nonlocal is_first
        if "\n" not in leaf:
            is_first = False
            return leaf
        prefix, token = split_leaf(leaf)
        before, is_first = is_first, False
        if "\n" in token and token.startswith("annotation"):  # unread: its tokens are in this leaf
            first, *rest = (inner for inner, _ in lex(token, lazy=False))
            token = first + "".join(map(of_leaf, rest))
        else:
            token = _LINE_END.sub(end, token)
        return (prefix if before else relined_blanks(prefix, base, line_start)) + token

    return of_leaf(green) if isinstance(green, str) else relaid(green, of_leaf)


def _line_end(line_start: str) -> str:
    return "\r\n" if "\r\n" in line_start else "\n"


def relined_blanks(text: str, base: str, line_start: str) -> str:
    """The same for blanks and comments."""
    end = _line_end(line_start)
    target = line_start.lstrip("\r\n")

    def moved(found: re.Match[str]) -> str:
        if found[2]:  # an empty line
            return end
        indentation = found[1]
        return end + (target + indentation[len(base) :] if indentation.startswith(base) else indentation)

    return _LINE.sub(moved, text)


def relaid(green: Node, of_leaf: Callable[[str], str]) -> Node:
    """The same tree with every leaf as a function has it."""
    # Without recursion: a tree may be deep.
    stack: list[tuple[Node, list[Green]]] = [(green, [])]
    while True:
        node, done = stack[-1]
        index = len(done) + 1
        if index < len(node):
            child = child_at(node, index)
            if isinstance(child, str):
                done.append(of_leaf(child))
            else:
                stack.append((child, []))
            continue
        stack.pop()
        finished: Node = (node[0], *done)
        if not stack:
            return finished
        stack[-1][1].append(finished)
