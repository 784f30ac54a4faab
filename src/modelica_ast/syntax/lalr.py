"""The parse loop: runs an LALR table over leaves and builds the green tree as it goes.

Everything here is shaped by speed (10 MB/s of Modelica in plain Python); `tables.py` prepares its input.
It knows no Modelica but the two places where the next token alone can't tell what a word means.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from operator import length_hint
from typing import Any, Final, TypeAlias

from modelica_ast.foundation import Record

# A green tree: a node is (production number, child, ...), a leaf is the blanks and comments before a
# token and the token, as one string.
Leaf = str
Node: TypeAlias = "tuple[int, *tuple[Green, ...]]"
Green: TypeAlias = "Node | Leaf"
Token = tuple[Leaf, int]  # and the number of its terminal


class Mode(IntEnum):
    """What a reduction does with the values on the stack."""

    PASS = 0  # a unit rule: the value stays as it is
    NODE = 1  # all values become one node
    NODE_WITH_LIST = 2  # the same, one of the values is a list that is spliced in
    NODE_WITH_LISTS = 3  # the same, any of them may be a list
    NEW_LIST = 4  # the values become a list
    APPEND = 5  # list, item
    EXTEND = 6  # a list, and items or lists
    APPEND2 = 7  # list, comma, item
    NEW_PAIR = 8  # two items become a list
    NODE2 = 9  # PERF: nodes of two, three and four children are most of all nodes, none has a list
    NODE3 = 10
    NODE4 = 11
    CHECKED_NODE = 12  # like NODE_WITH_LISTS, and `checks` looks at the node


_PASS: Final = 0
_NODE: Final = 1
_NODE_WITH_LIST: Final = 2
_NODE_WITH_LISTS: Final = 3
_NEW_LIST: Final = 4
_APPEND: Final = 5
_EXTEND: Final = 6
_APPEND2: Final = 7
_NEW_PAIR: Final = 8
_NODE2: Final = 9
_NODE3: Final = 10
_NODE4: Final = 11
_CHECKED_NODE: Final = 12

# length, symbol, mode, production, place of the list counted from the end
Reduction = tuple[int, int, int, int, int]


# symbol number -> Shift, Goto or Reduction. PERF: a plain dict, which Python subscripts faster than any subclass.
State = dict[int, Any]


class Goto(dict[int, State]):
    """Next token -> the state after this symbol and after every unit reduction that the token brings.

    PERF: an expression goes through ten unit rules (`expression -> simple_expression -> …`); this memo
    walks them once per (state, symbol, next token), which is exactly what LALR would do each time.
    """

    __slots__ = ("origin", "states", "target")
    origin: State
    target: int
    states: Callable[[int], State]

    def __missing__(self, token: int) -> State:
        target = self.states(self.target)
        while True:
            action = target.get(token)
            if type(action) is tuple and action[2] == 0:  # Mode.PASS
                target = self.states(self.origin[action[1]].target)
            else:
                break
        self[token] = target
        return target


class Shift(Goto):
    """A Goto for a terminal; a class of its own so that the loop tells it by its type."""

    __slots__ = ()


# production -> text of a phrase -> its node. Concurrent threads can at worst make a node twice.
_NODES: Final[dict[int, dict[str, Node]]] = {}


class Phrase(dict[int, "tuple[int, dict[str, Node], State] | None"]):
    """An action for several tokens that the lexer left in one leaf: next token -> what they become together.

    PERF: a dotted name would take a shift for each part and a reduction for each dot. Whatever its text, from one
    state and before one next token it always becomes the same kind of node; so this memo lets the table read
    `a.b` once, and keeps the nodes by their text: names repeat. The same is true of arrays of numbers, for which the
    table reads `{1}`.

    `kinds` are the tokens of that sample, `modes` the reductions whose nodes the language can make on its own.
    """

    __slots__ = ("kinds", "modes", "origin")

    def __init__(self, origin: State, kinds: tuple[int, ...], modes: frozenset[int]) -> None:
        super().__init__()
        self.origin = origin
        self.kinds = kinds
        self.modes = modes

    def __missing__(self, next_token: int) -> tuple[int, dict[str, Node], State] | None:
        self[next_token] = found = self._read(next_token)
        return found

    def _read(self, next_token: int) -> tuple[int, dict[str, Node], State] | None:
        """The production, its nodes and the state after it; None if the tokens are not a node of their own here."""
        found = last_reduction(self.origin, self.kinds, next_token)
        if found is None:
            return None
        (_, _, mode, production, _), state = found
        return (production, _NODES.setdefault(production, {}), state) if mode in self.modes else None


def last_reduction(origin: State, kinds: tuple[int, ...], next_token: int) -> tuple[Reduction, State] | None:
    """The reduction that makes one value of some tokens, and the state after it; None if they do not become one."""
    stack = [origin]
    tokens = [*kinds, next_token]
    at = 0
    while (action := stack[-1].get(tokens[at])) is not None:
        if type(action) is not tuple:
            at += 1
            if at == len(tokens):
                return None
            stack.append(action[tokens[at]])
            continue
        length, symbol, *_ = action
        if length >= len(stack):  # they would become a part of what comes before them
            return None
        del stack[len(stack) - length :]
        stack.append(stack[-1][symbol][tokens[at]])
        if at == len(kinds) and len(stack) == 2:  # noqa: PLR2004  (the origin, and what the tokens became)
            return action, stack[-1]
    return None


class Special(Record):
    """Numbers of the terminals that the loop itself has to know."""

    eof: int
    end: int
    end_subscript: int
    initial: int
    initial_section: int
    initial_word: int
    first_phrase: int  # this kind and those above it are several tokens in one leaf
    sections: frozenset[int]
    resumed_equations: int
    resumed_statements: int
    resumed_elements: int


class Complaint(Record):
    """A node that the grammar takes and the language does not."""

    before: int  # number of the first token after the node
    node: Node
    path: tuple[int, ...]  # to the part of it to point at
    message: str
    hint: str = ""


class Refused(Exception):  # noqa: N818  (a state of the machine, not an error for users)
    """No action for the token at `at`; the stacks are as they were, so the caller may mend and go on."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Language(Record):
    """What the loop asks about the language, only where no action of the table fits."""

    special: Special
    checks: dict[int, Callable[[Node], tuple[tuple[int, ...], str, str] | None]]
    # The virtual terminal that continues the section before a class annotation, or -1, by the values so far.
    resumes: Callable[[list[Any]], int]
    # Kind of a phrase -> what makes its node, or its leaves where it begins a list (which has no production, -1).
    phrases: dict[int, Callable[[int, Leaf], Node | list[Leaf]]]


class Machine:
    """One run of the loop: where it is and what it has built.

    Both stacks are as long as the text may need and `top` is their last place that counts; no value is under the first
    state. They belong to the machine, so a run that goes on after a refusal copies nothing.
    """

    __slots__ = ("at", "complaints", "end_state", "language", "stack", "tokens", "top", "values")

    def __init__(self, language: Language, tokens: list[Token], first: State, end_state: State) -> None:
        self.language = language
        self.tokens = tokens
        self.end_state = end_state
        self.stack: list[Any] = [first]
        self.values: list[Any] = [None]
        self.top = 0
        self.at = 0
        self.complaints: list[Complaint] = []

    def at_start(self) -> Machine:
        """Another machine before the first of the same tokens."""
        return Machine(self.language, self.tokens, self.stack[0], self.end_state)


_BEHIND_EOF: Final = ("", -1)
_REMEMBERED_PHRASES: Final = 1 << 16
_REMEMBERED_LENGTH: Final = 100


def run(machine: Machine) -> Green:
    """Parse from `machine.at` to the end; raise Refused where no action fits."""
    # Every token is shifted once, so this many places are enough; what else takes a place appends one.
    missing = machine.top + 1 + len(machine.tokens) - machine.at - len(machine.stack)
    machine.stack += [None] * missing
    machine.values += [None] * missing
    machine.tokens.append(_BEHIND_EOF)
    try:
        return _run(machine)
    finally:
        machine.tokens.pop()


def _run(machine: Machine) -> Green:  # noqa: C901, PLR0912, PLR0915  (PERF: one loop without calls)
    tokens, end_state, checks = machine.tokens, machine.end_state, machine.language.checks
    # PERF: no pushing and popping: `top` is the last place of both stacks that counts.
    stack, values, top = machine.stack, machine.values, machine.top
    state = stack[top]
    first_phrase = machine.language.special.first_phrase
    end_at = len(tokens) - 2
    ahead = iter(tokens)
    # PERF: a slice would copy the rest of the text at every refusal. (Typeshed does not know the method.)
    ahead.__setstate__(machine.at)  # type: ignore[attr-defined]
    leaf, token = next(ahead)
    for next_leaf, next_token in ahead:
        while True:
            try:
                action = state[token]
            except KeyError:
                found = _without_action(machine, state, token, next_token, values, top)
                if found is None:
                    machine.at = end_at - length_hint(ahead)
                    machine.top = top
                    if state is end_state and token == machine.language.special.eof:
                        return values[top]  # type: ignore[no-any-return]
                    raise Refused(machine.at) from None
                token, resumed = found
                if resumed is not None:
                    stack.append(None)
                    values.append(None)
                    top += 1
                    values[top] = ""
                    stack[top] = state = resumed
                continue
            if type(action) is not tuple:
                break
            length, symbol, mode, production, place = action
            if mode == _NODE2:
                top -= 1
                values[top] = (production, values[top], values[top + 1])
            elif mode == _APPEND2:
                top -= 2
                values[top] += (values[top + 1], values[top + 2])
            elif mode == _NODE3:
                top -= 2
                values[top] = (production, values[top], values[top + 1], values[top + 2])
            elif mode == _NEW_PAIR:
                top -= 1
                values[top] = [values[top], values[top + 1]]
            elif mode == _APPEND:
                top -= 1
                values[top].append(values[top + 1])
            elif mode == _NODE:
                behind = top + 1
                top -= length - 1
                if not length:
                    stack.append(None)
                    values.append(None)
                values[top] = (production, *values[top:behind])
            elif mode == _NODE_WITH_LIST:
                last = top
                top -= length - 1
                if place == -1:
                    values[top] = (production, *values[top:last], *values[last])
                elif place == -2:  # noqa: PLR2004
                    values[top] = (production, *values[top : last - 1], *values[last - 1], values[last])
                else:
                    place += last + 1
                    values[top] = (production, *values[top:place], *values[place], *values[place + 1 : last + 1])
            elif mode == _NODE4:
                top -= 3
                values[top] = (production, *values[top : top + 4])
            elif mode == _EXTEND:
                behind = top + 1
                top -= length - 1
                items = values[top]
                if type(items) is not list:
                    items = [items]
                for value in values[top + 1 : behind]:
                    if type(value) is list:
                        items += value
                    else:
                        items.append(value)
                values[top] = items
            elif mode != _PASS:  # _NODE_WITH_LISTS, _NEW_LIST or _CHECKED_NODE
                behind = top + 1
                top -= length - 1
                if not length:
                    stack.append(None)
                    values.append(None)
                items = [production] if mode != _NEW_LIST else []
                for value in values[top:behind]:
                    if type(value) is list:
                        items += value
                    else:
                        items.append(value)
                values[top] = items if mode == _NEW_LIST else tuple(items)
                if mode == _CHECKED_NODE and (complaint := checks[production](values[top])):
                    at = end_at - length_hint(ahead)
                    machine.complaints.append(Complaint(at, values[top], *complaint))
            stack[top] = state = stack[top - 1][symbol][token]
        top += 1
        if token < first_phrase:
            values[top] = leaf
            stack[top] = state = action[next_token]
        else:
            phrase = action[next_token]
            if phrase is None:
                raise Refused(end_at - length_hint(ahead))
            production, nodes, state = phrase
            stack[top] = state
            values[top] = nodes.get(leaf) or _value_of_phrase(machine, token, leaf, production, nodes)
        leaf, token = next_leaf, next_token
    raise AssertionError("the end of the text was shifted")


def _value_of_phrase(
    machine: Machine, kind: int, leaf: Leaf, production: int, nodes: dict[str, Node]
) -> Node | list[Leaf]:
    """A node, kept for the next time, or the beginning of a list."""
    value = machine.language.phrases[kind](production, leaf)
    # A longer name has a comment before it, which hardly repeats; nor do long arrays.
    if type(value) is tuple and len(leaf) < _REMEMBERED_LENGTH:
        if len(nodes) > _REMEMBERED_PHRASES:
            nodes.clear()
        nodes[leaf] = value
    return value


def _without_action(
    machine: Machine, state: State, token: int, next_token: int, values: list[Any], top: int
) -> tuple[int, State | None] | None:
    """What else a token may mean where the table has no action for it, and the state before it if that is another."""
    special = machine.language.special
    if token == special.initial_word:
        return (special.initial_section if next_token in special.sections else special.initial), None
    if token == special.end and special.end_subscript in state and _in_brackets(values, top):
        return special.end_subscript, None
    if token >= 0 and special.resumed_equations in state:
        virtual = machine.language.resumes(values[max(top - 2, 1) : top + 1])
        if virtual >= 0:
            return token, state[virtual][token]
    return None


def _in_brackets(values: list[Any], top: int) -> bool:
    """Is a bracket open? Only there can `end` be an index."""
    return any(type(values[at]) is str and values[at][-1:] in ("[", "{", "(") for at in range(top, 0, -1))
