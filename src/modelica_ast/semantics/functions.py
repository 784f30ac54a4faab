"""Functions that are run: their variables, and the statements of their algorithms.

A function runs only on what is known. A condition, an index or an assertion that can't be decided ends it without an
answer; a variable without a value may be one that nothing depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple, Protocol

from modelica_ast.semantics.arrays import Index, Value, is_whole, replaced, shape
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.tree import (
    AlgorithmSection,
    Assignment,
    BreakStatement,
    Call,
    CallArguments,
    CallStatement,
    ClassDefinition,
    ComponentReference,
    Expression,
    ExternalClause,
    ForIndex,
    ForStatement,
    IfStatement,
    MultipleAssignment,
    ReturnStatement,
    Statement,
    Subscripts,
    WhileStatement,
)

_MOST_ROUNDS: Final = 10_000  # of one loop


class Undecided(Exception):  # noqa: N818  (it says why there is no answer)
    """What a function returns can't be decided."""


class External(NamedTuple):
    """A function of the language after a name of a library: `external "builtin" y = sin(u)`."""

    name: str
    arguments: Sequence[Expression]
    scope: Environment


class Result(NamedTuple):
    """What a function returned once, and what that cost."""

    values: Sequence[Value]
    steps: int
    height: int  # of the expressions in expressions


class Signature:
    """The variables of a function, or the fields of a record, and the text that computes them."""

    def __init__(self, environment: Environment) -> None:
        self.results: dict[object, Result] = {}  # by the arguments
        self.is_record = environment.is_record
        self.scopes = list(environment.ancestry())
        self.members = {member.name: member for member in environment.members() if not member.is_class}
        self.outputs = [member for member in self.members.values() if "output" in member.prefixes]
        self.inputs = [member for member in self.members.values() if self._is_input(member)]
        self.external: External | None = None
        self.texts: list[tuple[Sequence[Statement], Environment]] = []
        words = () if environment.definition is None else environment.definition.class_kind.split()
        self.can_run = self.is_record or ("function" in words and "impure" not in words and bool(self.outputs))
        self.has_constructors = environment.member("'constructor'") is not None
        self._find_text()

    def _is_input(self, member: Member) -> bool:
        """Can a call set it? Of a record all that is neither final, protected, nor a constant with a value (12.6)."""
        if not self.is_record:
            return "input" in member.prefixes
        element = member.element
        is_hidden = member.owner.is_protected or (element is not None and element.is_protected)
        is_fixed = "final" in member.prefixes or ("constant" in member.prefixes and member.binding is not None)
        return not is_hidden and not is_fixed

    def _find_text(self) -> None:
        for part in self.scopes:
            definition = part.definition
            for section in definition.sections if isinstance(definition, ClassDefinition) else []:
                if isinstance(section, AlgorithmSection):
                    self.texts.append((section.statements, part))
                elif isinstance(section, ExternalClause):
                    call = section.call
                    is_builtin = section.language is not None and section.language.text == '"builtin"'
                    if call is None or not is_builtin or call.arguments is None:
                        self.can_run = False
                    else:
                        self.external = External(call.name, call.arguments.items, part)
        if len(self.texts) + (self.external is not None) > 1:
            self.can_run = False


def signature_of(function: Environment) -> Signature:
    """The signature of a function or a record; it is kept with the class."""
    found: Signature | None = function.__dict__.get("signature")
    if found is None:
        found = function.__dict__["signature"] = Signature(function)
    return found


def frozen(value: Value) -> object:
    """What tells two arguments apart: `1`, `1.0` and `true` are equal in Python."""
    if isinstance(value, Mapping):
        return tuple((name, frozen(each)) for name, each in sorted(value.items()))
    if isinstance(value, list):
        return tuple(map(frozen, value))
    return type(value), value


class Frame:
    """The variables of a function while it runs."""

    def __init__(self, signature: Signature, number: int, given: Mapping[str, Value]) -> None:
        self.signature = signature
        self.number = number  # of the call
        self.values = dict(given)


class Evaluator(Protocol):
    """What finds the values of expressions."""

    @property
    def is_deep(self) -> bool:
        """Do too many questions wait?"""

    def deeper(self) -> AbstractContextManager[None]:
        """One question inside of another."""

    def value(self, expression: Expression, scope: Environment) -> Value:
        """The value of an expression."""

    def results(self, expression: Call, scope: Environment) -> Sequence[Value]:
        """All that a call returns."""

    def iterated(self, name: str, item: Value, question: Callable[[], Value]) -> Value:
        """An answer while the variable of a loop has a value."""

    def indices(self, subscripts: Subscripts | None, sizes: Sequence[int], scope: Environment) -> list[Index] | None:
        """What subscripts choose."""

    def fits(self, member: Member, value: Value) -> bool:
        """Has a value as many dimensions as a variable?"""

    def blank(self, member: Member) -> Value:
        """An array of unknown items."""


def run(evaluator: Evaluator, frame: Frame) -> None:
    """Run the algorithm of a function."""
    for statements, scope in frame.signature.texts:
        _Run(evaluator, frame, scope).all(statements)


class _Run:
    def __init__(self, evaluator: Evaluator, frame: Frame, scope: Environment) -> None:
        self._evaluator = evaluator
        self._frame = frame
        self._scope = scope

    def all(self, statements: Sequence[Statement]) -> str:
        """Run some statements; why they ended early: `break`, `return`, or ''."""
        if self._evaluator.is_deep:
            raise Undecided
        with self._evaluator.deeper():
            for statement in statements:
                ended = self._one(statement)
                if ended:
                    return ended
            return ""

    def _one(self, statement: Statement) -> str:
        match statement:
            case Assignment():
                self._assign(statement.target, self._evaluator.value(statement.value, self._scope))
            case MultipleAssignment():
                slots = statement.targets.slots
                results = self._evaluator.results(statement.call, self._scope)
                for number, target in enumerate(slots):
                    if isinstance(target, ComponentReference):
                        self._assign(target, results[number] if number < len(results) else None)
                    elif target is not None:
                        raise Undecided
            case CallStatement():
                self._assert(statement.call)
            case IfStatement():
                return self._if(statement)
            case ForStatement():
                return self._for(statement.indices.items, statement.statements)
            case WhileStatement():
                return self._while(statement)
            case BreakStatement():
                return "break"
            case ReturnStatement():
                return "return"
            case _:
                raise Undecided
        return ""

    def _holds(self, condition: Expression) -> bool:
        value = self._evaluator.value(condition, self._scope)
        if not isinstance(value, bool):
            raise Undecided
        return value

    def _if(self, statement: IfStatement) -> str:
        if self._holds(statement.condition):
            return self.all(statement.statements)
        for branch in statement.elseifs:
            if self._holds(branch.condition):
                return self.all(branch.statements)
        return "" if statement.otherwise is None else self.all(statement.otherwise.statements)

    def _for(self, indices: Sequence[ForIndex], statements: Sequence[Statement]) -> str:
        if not indices:
            return self.all(statements)
        first, rest = indices[0], indices[1:]
        items = None if first.range is None else self._evaluator.value(first.range, self._scope)
        if not isinstance(items, list) or len(items) > _MOST_ROUNDS:
            raise Undecided
        for item in items:
            ended = self._evaluator.iterated(first.name, item, lambda: self._for(rest, statements))
            if ended == "break":
                return ""  # of several variables in one loop it is the last one's: they are loops inside of loops
            if ended:
                return str(ended)
        return ""

    def _while(self, statement: WhileStatement) -> str:
        for _ in range(_MOST_ROUNDS):
            if not self._holds(statement.condition):
                return ""
            ended = self.all(statement.statements)
            if ended:
                return "" if ended == "break" else ended
        raise Undecided

    def _assert(self, call: Call) -> None:
        """`assert` is the only call that changes nothing if it holds; a warning never ends a function."""
        arguments = call.arguments.items if isinstance(call.arguments, CallArguments) else []
        if call.name != "assert" or not arguments or not isinstance(arguments[0], Expression):
            raise Undecided
        if len(arguments) > 2 and arguments[2].text.strip().endswith("AssertionLevel.warning"):  # noqa: PLR2004
            return
        if not self._holds(arguments[0]):
            raise Undecided

    # ------------------------------------------------------------ assignments

    def _assign(self, target: ComponentReference, value: Value) -> None:
        member = self._frame.signature.members.get(target.parts[0])
        if member is None or target.is_global:
            raise Undecided
        before = self._frame.values.get(member.name)
        if len(target.parts) == 1 and target.subscripts[0] is None:
            if value is not None and not self._evaluator.fits(member, value):
                raise Undecided
            self._frame.values[member.name] = value
            return
        if before is None:
            before = self._evaluator.blank(member)
        self._frame.values[member.name] = self._with(
            before, list(zip(target.parts, target.subscripts, strict=True)), value
        )

    def _with(self, before: Value, way: Sequence[tuple[str, Subscripts | None]], value: Value) -> Value:
        """A value in which what a way leads to is another one."""
        (_, subscripts), *rest = way
        chosen: list[Index] = []
        if subscripts is not None:
            indices = self._evaluator.indices(subscripts, shape(before), self._scope)
            if indices is None:
                raise Undecided
            chosen = indices
        if rest:
            if not all(is_whole(index) for index in chosen):
                raise Undecided
            inside = before
            for index in chosen:
                inside = inside[index - 1]  # type: ignore[operator]  # a whole number
            record = dict(inside) if isinstance(inside, dict) else {}
            if inside is not None and not isinstance(inside, dict):
                raise Undecided
            name = rest[0][0]
            record[name] = self._with(record.get(name), rest, value)
            value = record
        found = replaced(before, chosen, value)
        if found is None and chosen:
            raise Undecided
        return found
