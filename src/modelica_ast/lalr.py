"""The parse loop: runs an LALR table over leaves and builds the green tree as it goes.

Everything here is shaped by speed (8 MB/s of Modelica in plain Python); `tables.py` prepares its input.
It knows no Modelica but the two places where the next token alone can't tell what a word means.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final

import attrs

# A green tree: a node is (production number, child, ...), a leaf is the blanks and comments before a
# token and the token, as one string. mypy can't spell the recursive tuple, hence Any for children.
Leaf = str
Node = tuple[Any, ...]
Green = Node | Leaf


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

Reduction = tuple[int, int, int, int, int, int]


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


@attrs.frozen
class Special:
    """Numbers of the terminals that the loop itself has to know."""

    eof: int
    end: int
    end_subscript: int
    resumed_equations: int
    resumed_statements: int
    resumed_elements: int


@attrs.frozen
class Complaint:
    """A node that the grammar takes and the language does not."""

    before: int  # number of the first leaf behind the node
    node: Node
    path: tuple[int, ...]  # to the part of it to point at
    message: str
    hint: str = ""


class Refused(Exception):  # noqa: N818  (a state of the machine, not an error for users)
    """No action for the token at `at`; the stacks are as they were, so the caller may mend and go on."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@attrs.define(repr=False)  # states lead to states: a repr would print the whole table
class Machine:
    """One run of the loop: where it is and what it has built."""

    end_state: State
    stack: list[State]
    values: list[Any]
    kinds: list[int]
    leaves: list[Leaf]
    special: Special
    checks: dict[int, Callable[[Node], tuple[tuple[int, ...], str, str] | None]]
    at: int = 0
    complaints: list[Complaint] = attrs.field(factory=list)
    # Questions about the values so far, asked only where no action fits: which virtual terminal continues the
    # section before a class annotation, and is a bracket open?
    resumes: Callable[[list[Any]], int] = lambda _values: -1
    in_brackets: Callable[[list[Any]], bool] = lambda _values: False


def run(machine: Machine) -> Green:  # noqa: C901, PLR0912, PLR0915  (PERF: one loop without calls)
    """Parse from `machine.at` to the end; raise Refused where no action fits."""
    stack, values, kinds, leaves = machine.stack, machine.values, machine.kinds, machine.leaves
    checks, end_state, eof = machine.checks, machine.end_state, machine.special.eof
    push, push_value, pop, pop_value = stack.append, values.append, stack.pop, values.pop
    shift_type = Shift
    state = stack[-1]
    at = machine.at
    token = kinds[at]
    while True:
        try:
            action = state[token]
        except KeyError:
            if state is end_state and token == eof:
                machine.at = at
                return values[-1]  # type: ignore[no-any-return]
            machine.at = at
            state = _without_action(machine, state, token)
            token = kinds[at]
            continue
        if type(action) is shift_type:
            push_value(leaves[at])
            at += 1
            token = kinds[at]
            state = action[token]
            push(state)
            continue
        length, symbol, mode, production, minus, place = action
        if mode == _NODE2:
            last = pop_value()
            values[-1] = (production, values[-1], last)
            del stack[-2:]
        elif mode == _APPEND2:
            last = pop_value()
            comma = pop_value()
            values[-1] += (comma, last)
            del stack[-3:]
        elif mode == _NODE3:
            last = pop_value()
            middle = pop_value()
            values[-1] = (production, values[-1], middle, last)
            del stack[-3:]
        elif mode == _NODE:
            if length == 1:
                values[-1] = (production, values[-1])
                pop()
            elif length:
                node = (production, *values[minus:])
                del values[minus:]
                push_value(node)
                del stack[minus:]
            else:
                push_value((production,))
        elif mode == _NODE_WITH_LIST:
            if minus == -2 and place == -1:  # noqa: PLR2004  (a dotted name, most often)
                items = pop_value()
                values[-1] = (production, values[-1], *items)
                del stack[-2:]
                state = stack[-1][symbol][token]
                push(state)
                continue
            if place == -1:
                node = (production, *values[minus:-1], *values[-1])
            elif place == -2:  # noqa: PLR2004
                node = (production, *values[minus:-2], *values[-2], values[-1])
            else:
                node = (production, *values[minus:place], *values[place], *values[place + 1 :])
            del values[minus:]
            push_value(node)
            del stack[minus:]
        elif mode == _NEW_PAIR:
            last = pop_value()
            values[-1] = [values[-1], last]
            del stack[-2:]
        elif mode == _APPEND:
            last = pop_value()
            values[-1].append(last)
            del stack[-2:]
        elif mode == _NODE4:
            node = (production, *values[-4:])
            del values[-4:]
            push_value(node)
            del stack[-4:]
        elif mode == _EXTEND:
            items = values[minus]
            if type(items) is not list:
                items = [items]
            for value in values[1 - length :]:
                if type(value) is list:
                    items += value
                else:
                    items.append(value)
            values[minus:] = (items,)
            del stack[minus:]
        elif mode in (_NODE_WITH_LISTS, _NEW_LIST, _CHECKED_NODE):
            if length:
                items = [production] if mode != _NEW_LIST else []
                for value in values[minus:]:
                    if type(value) is list:
                        items += value
                    else:
                        items.append(value)
                if mode != _NEW_LIST:
                    node = tuple(items)
                    if mode == _CHECKED_NODE and (found := checks[production](node)):
                        machine.complaints.append(Complaint(at, node, *found))
                    values[minus:] = (node,)
                else:
                    values[minus:] = (items,)
                del stack[minus:]
            else:
                push_value([] if mode == _NEW_LIST else (production,))
        else:  # a unit rule that the memo did not foresee: nothing on the value stack changes
            pop()
        state = stack[-1][symbol][token]
        push(state)


def _without_action(machine: Machine, state: State, token: int) -> State:
    """The state to go on with where the table has no action for a token, or Refused."""
    special = machine.special
    if token == special.end and special.end_subscript in state and machine.in_brackets(machine.values):
        # `{end for i in 1:2}`: the lexer took it for a closer because a word follows.
        machine.kinds[machine.at] = special.end_subscript
        return state
    virtual = machine.resumes(machine.values) if token >= 0 and special.resumed_equations in state else -1
    if virtual < 0:
        raise Refused(machine.at)
    machine.values.append("")
    resumed: State = state[virtual][token]
    machine.stack.append(resumed)
    return resumed
