"""The values of expressions, where they can be decided: literals, parameters, arithmetic, `if`, arrays, functions.

None means that the value is not known. It is never guessed: a parameter without a value has none.

A component inside an array of components has a value for each item of that array. If all items have the same, that is
its value; if a modifier gives each item its own, as in `A a[2](n={1, 2})`, its value has the dimensions of the array
before its own, and what depends on it is evaluated for one item after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from modelica_ast.semantics import arithmetic, arrays
from modelica_ast.semantics.arrays import Index, Value
from modelica_ast.semantics.definitions import PREDEFINED_LITERALS
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.functions import Frame, Result, Signature, Undecided, frozen, run, signature_of
from modelica_ast.semantics.modifiers import Modifier, Names
from modelica_ast.tree import (
    Array,
    ArrayComprehension,
    Binary,
    BooleanLiteral,
    Call,
    CallMember,
    Component,
    ComponentClause1,
    ComponentReference,
    EndIndex,
    EnumerationClassSpecifier,
    Expression,
    ForIndex,
    IfExpression,
    LiteralError,
    Matrix,
    NamedArgument,
    NumberLiteral,
    Parenthesized,
    Range,
    ReductionArguments,
    Reference,
    ShortClassSpecifier,
    StringLiteral,
    Subscripts,
    Token,
    Unary,
    View,
    evaluate,
)

_DEEPEST: Final = 80  # of expressions and of parameters that depend on parameters; deeper ones are not decided
_MOST_ITEMS: Final = 1000  # of arrays of components that are looked at one by one
_MOST_STEPS: Final = 10_000  # expressions inside of functions and loops: what needs more is not an answer to wait for
_MOST_RESULTS: Final = 100  # of one function that are kept
Sized = tuple[Expression | Token, Environment]  # a subscript of a declaration, and where it is to be read
# A value, and the arrays of components whose dimensions it has before its own; None if it is unclear which these are.
_Found = tuple[Value, tuple[Member, ...] | None]
_UNKNOWN: Final[_Found] = (None, ())


class _DependsOnItem(Exception):  # noqa: N818  (it says what to look at one by one)
    """Each item of an array of components has a value of its own."""

    def __init__(self, holder: Member) -> None:
        super().__init__(holder)
        self.holder = holder


class Evaluation:
    """One look at values. What is being evaluated is not asked again, so circles end."""

    def __init__(self) -> None:
        self._depth = 0
        self._deepest = 0  # that was reached
        self._steps = 0
        self._asked: set[object] = set()
        self._known: dict[object, tuple[Member, _Found]] = {}  # the member is kept, or its number could be another's
        self._chosen: dict[Member, tuple[int, ...]] = {}  # the items of arrays of components that are looked at
        self._written: dict[Member, list[Sized]] = {}
        self._around: dict[Environment, tuple[Member, ...]] = {}
        self._frames: dict[Environment, Frame] = {}  # the functions that run, by the classes of their texts
        self._iterators: Mapping[str, Value] = {}  # of the loops around the expression
        self._end: int | None = None  # what `end` stands for
        self._calls = 0

    # ------------------------------------------------------------ what can be asked

    def of_member(self, member: Member) -> Value:
        """The value of a component; None for one with components."""
        environment = member.environment
        if environment is not None and environment.end is None:
            return None
        return self._decided(lambda: self.member(member))

    def of_modifier(self, modifier: Modifier[Environment]) -> Value:
        """The value that a modifier gives."""
        return self._decided(lambda: self._given(modifier))

    def of(self, expression: Expression, scope: Environment) -> Value:
        """The value of an expression that is written in a class."""
        return self._decided(lambda: self.value(expression, scope))

    def sizes(self, member: Member) -> list[int | None]:
        """The sizes of an array, None where it is not known."""
        written = self._subscripts(member)
        return [self._decided(partial(self._size, member, number)) for number in range(len(written))]

    @staticmethod
    def _decided(question: Callable[[], Value]) -> Value:
        try:
            value = question()
        except _DependsOnItem:
            return None
        is_known = all(item is not None and not isinstance(item, dict) for item in arrays.flat([value]))
        return arrays.copied(value) if is_known else None  # what is kept is nobody's to change

    # ------------------------------------------------------------ components

    def member(self, member: Member) -> Value:
        """The value of a component, for those items of the arrays around it that are looked at."""
        return self._found(member)[0]

    def _found(self, member: Member) -> _Found:
        found = inner_of(member)
        if found is None:
            return _UNKNOWN
        around = self._arrays_around(found.owner)
        items = tuple(self._chosen.get(holder) for holder in around)
        frame = self._frame_of(found)
        key = (id(found), items, 0 if frame is None else frame.number)
        if key in self._known:
            return self._known[key][1]
        if key in self._asked or self._depth > _DEEPEST:
            return _UNKNOWN
        self._asked.add(key)
        try:
            with self._elsewhere(), self.deeper():
                answer = self._by_item(found, [holder for holder in around if holder not in self._chosen])
        finally:
            self._asked.discard(key)
        self._known[key] = (found, answer)
        return answer

    def _by_item(self, member: Member, holders: list[Member]) -> _Found:
        """Its value; where the items of arrays around it have their own, an array of them."""
        needed: list[Member] = []
        while True:
            inside: list[_Found] = []
            try:
                value = self._for_each_item(needed, partial(self._kept, member, inside))
            except _DependsOnItem as split:
                if split.holder not in holders or split.holder in needed:
                    raise
                needed = [holder for holder in holders if holder in needed or holder is split.holder]
                continue
            rest = {answer[1] for answer in inside}
            own = rest.pop() if len(rest) == 1 else () if not rest else None
            return value, None if own is None else (*needed, *own)

    def _kept(self, member: Member, inside: list[_Found]) -> Value:
        inside.append(self._bound(member))
        return inside[-1][0]

    def _for_each_item(self, holders: Sequence[Member], question: Callable[[], Value]) -> Value:
        """The answers for all items of some arrays."""
        if not holders:
            return question()
        ranges: list[Index] = []
        sizes = self._sizes(holders[0])
        for size in sizes:
            if size is None:
                return None
            ranges.append(list(range(1, size + 1)))
        return self._for_items(holders[0], ranges, lambda: self._for_each_item(holders[1:], question))

    def _for_items(self, holder: Member, ranges: Sequence[Index], question: Callable[[], Value]) -> Value:
        """The answers for some items of an array of components: an array, with no dimension for a single index."""
        count = 1
        for each in ranges:
            count *= len(each) if isinstance(each, list) else 1
        if count > _MOST_ITEMS:
            return None
        before = self._chosen.get(holder)

        def answers(done: tuple[int, ...]) -> Value:
            if len(done) == len(ranges):
                self._chosen[holder] = done
                return question()
            here = ranges[len(done)]
            if isinstance(here, list):
                return arrays.of_all([answers((*done, item)) for item in here])
            return answers((*done, here))

        try:
            with self.deeper():
                return answers(())
        finally:
            self._chosen.pop(holder, None)
            if before is not None:
                self._chosen[holder] = before

    def _bound(self, member: Member) -> _Found:
        """What the binding of a component gives it, or those of its fields."""
        binding = member.binding
        value = None if binding is None else self._given(binding)
        if binding is None or value is None:
            return (self._fields(member), ()) if _is_record(member.environment) else _UNKNOWN
        more = len(arrays.shape(value)) - len(self._subscripts(member))
        if more <= 0:
            return value, ()
        # The binding is written outside of some of the arrays: one value for each of their items.
        inside = self._arrays_around(binding.scope)
        crossed = [holder for holder in self._arrays_around(member.owner) if holder not in inside]
        chosen = [holder in self._chosen for holder in crossed]
        if more != sum(len(self._subscripts(holder)) for holder in crossed):
            return _UNKNOWN if any(chosen) else (value, None)
        if any(chosen) and not chosen[0]:
            raise _DependsOnItem(crossed[0])
        value = arrays.selected(value, [item for holder in crossed for item in self._chosen.get(holder, ())])
        return value, tuple(holder for holder in crossed if holder not in self._chosen)

    def _given(self, modifier: Modifier[Environment]) -> Value:
        if not isinstance(modifier.value, Expression):
            return None
        return self._part(modifier.value, modifier.member, modifier.scope)

    def _fields(self, member: Member) -> Value:
        """The value of a record, by its fields."""
        environment = member.environment
        assert environment is not None
        fields = [field for field in environment.members() if not field.is_class]
        own = [member] if self._subscripts(member) else []
        return self._for_each_item(own, lambda: {field.name: self._of_one(field) for field in fields})

    def _of_one(self, member: Member) -> Value:
        """The value of a component of what is looked at; not that of several items of an array."""
        value, split = self._found(member)
        if split:
            raise _DependsOnItem(split[0])
        return None if split is None else value

    def _arrays_around(self, environment: Environment) -> tuple[Member, ...]:
        """The arrays of components that a class in one use is in, the outermost first."""
        whole = environment.whole
        known = self._around.get(whole)
        if known is None:
            found: list[Member] = []
            holder = whole.holder
            while holder is not None:
                found += [holder] if self._subscripts(holder) else []
                holder = holder.owner.whole.holder
            known = self._around[whole] = tuple(reversed(found))
        return known

    def _frame_of(self, member: Member) -> Frame | None:
        """The function that runs and whose variable a component is, or is inside of."""
        if not self._frames:
            return None
        owner = member.owner
        while owner.whole.holder is not None:
            owner = owner.whole.holder.owner
        return self._frames.get(owner) or self._frames.get(owner.whole)

    def _subscripts(self, member: Member) -> list[Sized]:
        found = self._written.get(member)
        if found is None:
            found = self._written[member] = subscripts_of(member)
        return found

    def _sizes(self, member: Member) -> list[int | None]:
        return [self._size(member, number) for number in range(len(self._subscripts(member)))]

    def _size(self, member: Member, number: int) -> int | None:
        written = self._subscripts(member)
        subscript, scope = written[number]
        if isinstance(subscript, Token):  # `:` takes the size of the value
            return self._size_of_value(member, number - len(written))
        if isinstance(subscript, ComponentReference):  # `x[Boolean]`, `x[Colour]`
            found = scope.find_class(subscript.parts, is_global=subscript.is_global)
            end = found.end if found is not None else None
            if end is not None:
                return 2 if end.predefined == "Boolean" else len(literals_of(end)) or None
        with self._elsewhere():
            size = self.value(subscript, scope)
        return size if arrays.is_whole(size) else None

    def _size_of_value(self, member: Member, number: int) -> int | None:
        """A size of the value of a component, counted from the last one."""
        sizes = arrays.shape(self.member(member))
        dimensions = len(self._subscripts(member))
        if len(sizes) <= dimensions:  # that of an array without items has forgotten the rest
            number += dimensions
            return sizes[number] if number < len(sizes) else None
        exact = arrays.exact_shape(self.member(member))
        return None if exact is None else exact[number]

    @contextmanager
    def _elsewhere(self) -> Iterator[None]:
        """Another text: the loops around this one don't count there."""
        before = self._iterators, self._end
        self._iterators, self._end = {}, None
        try:
            yield
        finally:
            self._iterators, self._end = before

    # ------------------------------------------------------------ expressions

    def _part(self, expression: Expression, member: Names, scope: Environment) -> Value:
        """The value of an expression, or of a member of it."""
        if not member:
            return self.value(expression, scope)
        if isinstance(expression, ComponentReference):
            return self._reference(expression, scope, member)
        if isinstance(expression, IfExpression):
            chosen = self._branch(expression, scope)
            return None if chosen is None else self._part(chosen, member, scope)
        if isinstance(expression, Array):
            return arrays.of_all([self._part(item, member, scope) for item in expression.items])
        return fields_of(self.value(expression, scope), member)

    def value(self, expression: Expression, scope: Environment) -> Value:
        """The value of an expression that is written in a class, for the items that are looked at."""
        if self._frames or self._iterators:
            self._steps += 1
        self._deepest = max(self._deepest, self._depth)
        if self._depth > _DEEPEST or self._steps > _MOST_STEPS:
            return None
        with self.deeper():
            return self._value(expression, scope)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One question inside of another: they wait on Python's stack, which is short."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @property
    def is_deep(self) -> bool:
        """Do too many questions wait?"""
        return self._depth > _DEEPEST

    def _value(self, expression: Expression, scope: Environment) -> Value:  # noqa: PLR0911  (one for each kind)
        match expression:
            case NumberLiteral() | StringLiteral() | BooleanLiteral():
                return _literal(expression)
            case ComponentReference():
                return self._reference(expression, scope, ())
            case Unary():
                return arithmetic.unary(expression.operator.text, self.value(expression.operand, scope))
            case Binary():
                return self._binary(expression, scope)
            case Parenthesized():
                return self._in_parentheses(expression, scope)
            case IfExpression():
                chosen = self._branch(expression, scope)
                return None if chosen is None else self.value(chosen, scope)
            case Array() | Matrix() | Range() | ArrayComprehension():
                return self._array(expression, scope)
            case Call():
                return self._call(expression, scope)
            case CallMember():
                return fields_of(self._call(expression.call, scope), expression.members)
            case EndIndex():
                return self._end
            case _:
                return None

    def _array(self, expression: Array | Matrix | Range | ArrayComprehension, scope: Environment) -> Value:
        match expression:
            case Array():
                return self._all(expression.items, scope)
            case Range():
                step = 1 if expression.step is None else self.value(expression.step, scope)
                return arrays.spread(self.value(expression.start, scope), step, self.value(expression.stop, scope))
            case ArrayComprehension():
                return self._for_iterators(expression.indices.items, expression.value, scope)
            case Matrix():
                rows = [self._all(row.items, scope) for row in expression.rows]
                return None if any(row is None for row in rows) else arrays.matrix([row or [] for row in rows])

    def _for_iterators(self, indices: Sequence[ForIndex], expression: Expression, scope: Environment) -> Value:
        """An array of the values of an expression; the last iterator is that of the outermost dimension (10.4.1)."""
        if not indices:
            return self.value(expression, scope)
        *rest, last = indices
        items = None if last.range is None else self.value(last.range, scope)
        if not isinstance(items, list):
            return None
        found = [self.iterated(last.name, item, lambda: self._for_iterators(rest, expression, scope)) for item in items]
        return arrays.of_all(found)

    def iterated(self, name: str, item: Value, question: Callable[[], Value]) -> Value:
        """An answer while the variable of a loop has a value."""
        before = self._iterators
        self._iterators = {**before, name: item}
        try:
            return question()
        finally:
            self._iterators = before

    def _all(self, items: Sequence[Expression], scope: Environment) -> list[Value] | None:
        values = [self.value(item, scope) for item in items]
        return None if any(value is None for value in values) else values

    def _binary(self, expression: Binary, scope: Environment) -> Value:
        # `a + b + c + …` in a loop: it may be long.
        chain = [expression]
        while isinstance(left := chain[-1].left, Binary):
            chain.append(left)
        value = self.value(left, scope)
        for part in reversed(chain):
            sign = part.operator.text
            if value is (sign == "or") and sign in ("and", "or"):  # one side is enough
                continue
            value = self._joined(sign, value, self.value(part.right, scope))
        return value

    @staticmethod
    def _joined(sign: str, left: Value, right: Value) -> Value:
        if sign in ("and", "or"):
            decides = sign == "or"
            if left is decides or right is decides:
                return decides
        return None if left is None or right is None else arithmetic.binary(sign, left, right)

    def _in_parentheses(self, expression: Parenthesized, scope: Environment) -> Value:
        slots = expression.expressions.slots
        if len(slots) != 1 or slots[0] is None:
            return None
        value = self.value(slots[0], scope)
        if expression.subscripts is not None:
            value = self._indexed(value, expression.subscripts, scope)
        return value if expression.member is None else fields_of(value, (expression.member.text,))

    def _branch(self, expression: IfExpression, scope: Environment) -> Expression | None:
        branches = [(expression.condition, expression.value)]
        branches += [(branch.condition, branch.value) for branch in expression.elseifs]
        for condition, value in branches:
            decided = self.value(condition, scope)
            if decided is True:
                return value
            if decided is not False:
                return None
        return expression.otherwise

    # ------------------------------------------------------------ calls

    def _call(self, expression: Call, scope: Environment) -> Value:
        values = self.results(expression, scope)
        return values[0] if values else None

    def results(self, expression: Call, scope: Environment) -> Sequence[Value]:
        """All that a call returns; empty if it is not known."""
        name = expression.function
        if not isinstance(name, ComponentReference) or any(name.subscripts):
            return ()
        found = scope.find(name.parts, is_global=name.is_global)
        if isinstance(found, Member) and not found.is_class:
            return ()  # a function that a function was given
        function = found.environment if isinstance(found, Member) else found
        if isinstance(expression.arguments, ReductionArguments):
            return [self._reduced(name.parts, expression.arguments, scope)] if found is None else ()
        arguments = expression.arguments.items
        positional = [argument for argument in arguments if isinstance(argument, Expression)]
        if function is None:
            is_predefined = found is None and len(name.parts) == 1 and len(positional) == len(arguments)
            return [self._predefined(name.parts[0], positional, scope)] if is_predefined else ()
        if function.written is None:
            return [self._converted(function.predefined, positional, scope)]
        signature = signature_of(function)
        if not signature.can_run or (signature.has_constructors and positional):
            return ()
        given: dict[str, Value] = {}
        for number, argument in enumerate(arguments):
            if isinstance(argument, NamedArgument) and isinstance(argument.value, Expression):
                given[argument.name] = self.value(argument.value, scope)
            elif isinstance(argument, Expression) and number < len(signature.inputs):
                given[signature.inputs[number].name] = self.value(argument, scope)
            else:
                return ()
        return self._ran(signature, given)

    def _predefined(self, name: str, arguments: Sequence[Expression], scope: Environment) -> Value:
        if name == "size" and arguments:
            return self._size_of(arguments[0], arguments[1:], scope)
        values = self._all(arguments, scope)
        return None if values is None else arithmetic.call(name, values)

    def _reduced(self, name: Names, arguments: ReductionArguments, scope: Environment) -> Value:
        """`sum(x[i] for i in 1:3)`."""
        values = self._for_iterators(arguments.indices.items, arguments.value, scope)
        if name == ("array",) or values is None:
            return values
        is_plain = len(arrays.shape(values)) == len(arguments.indices.items)
        return arithmetic.call(name[0], [values]) if is_plain and name[0] in _REDUCTIONS and len(name) == 1 else None

    def _converted(self, name: str, arguments: Sequence[Expression], scope: Environment) -> Value:
        """`Integer(Colour.red)`: the number of a literal."""
        literal = self.value(arguments[0], scope) if name == "Integer" and len(arguments) == 1 else None
        if not isinstance(literal, Reference):
            return None
        *type_name, last = literal.name.split(".")
        found = scope.find_class(type_name, is_global=True) if type_name else None
        literals = literals_of(found.end) if found is not None and found.end is not None else ()
        return literals.index(last) + 1 if last in literals else None

    def _ran(self, signature: Signature, given: Mapping[str, Value]) -> Sequence[Value]:
        """What a function returns, or the record that its constructor makes; for arrays of arguments an array."""
        lengths: set[int] = set()
        for member in signature.inputs:
            more = len(arrays.shape(given.get(member.name))) - len(self._subscripts(member))
            if more > 0:
                lengths.add(len(given[member.name]))
        if not lengths:
            return self._ran_before(signature, given)
        if len(lengths) > 1 or len(signature.outputs) > 1:
            return ()
        found: list[Value] = []
        for number in range(max(lengths)):
            each = {name: self._item(signature, name, value, number) for name, value in given.items()}
            found += self._ran(signature, each)[:1]
        return [arrays.of_all(found)] if len(found) == max(lengths) else ()

    def _item(self, signature: Signature, name: str, value: Value, number: int) -> Value:
        member = signature.members.get(name)
        is_split = member is not None and len(arrays.shape(value)) > len(self._subscripts(member))
        return value[number] if is_split else value

    def _ran_before(self, signature: Signature, given: Mapping[str, Value]) -> Sequence[Value]:
        """PERF: what a function returned for the same arguments; many parameters depend on the same call.

        It counts as if it ran again, so that no answer depends on what was asked before.
        """
        key = frozen(given)
        known = signature.results.get(key)
        if known is not None:
            self._steps += known.steps
            return known.values if self._steps <= _MOST_STEPS and self._depth + known.height <= _DEEPEST else ()
        steps, deepest = self._steps, self._deepest
        self._deepest = self._depth
        values = self._ran_once(signature, given)
        if self._steps <= _MOST_STEPS and self._deepest <= _DEEPEST and len(signature.results) < _MOST_RESULTS:
            signature.results[key] = Result(values, self._steps - steps, self._deepest - self._depth)
        self._deepest = max(deepest, self._deepest)
        return values

    def _ran_once(self, signature: Signature, given: Mapping[str, Value]) -> Sequence[Value]:
        self._calls += 1
        frame = Frame(signature, self._calls, given)
        before = {scope: self._frames.get(scope) for scope in signature.scopes}
        self._frames.update(dict.fromkeys(signature.scopes, frame))
        try:
            with self._elsewhere(), self.deeper():
                for name in signature.members:
                    self.local(frame, name)
                if signature.is_record:
                    return [dict(frame.values)]
                external = signature.external
                if external is not None:
                    values = self._all(external.arguments, external.scope)
                    return [] if values is None else [arithmetic.call(external.name, values)]
                run(self, frame)
                return [self._result(frame, member) for member in signature.outputs]
        except Undecided:
            return ()
        finally:
            for scope, earlier in before.items():
                if earlier is None:
                    del self._frames[scope]
                else:
                    self._frames[scope] = earlier

    def _result(self, frame: Frame, member: Member) -> Value:
        value = frame.values.get(member.name)
        is_known = all(item is not None for item in arrays.flat([value]))
        return value if is_known and self.fits(member, value) else None

    def fits(self, member: Member, value: Value) -> bool:
        """Has a value as many dimensions as a variable?"""
        items = len(arrays.shape(value))
        return items == len(self._subscripts(member)) or (arrays.exact_shape(value) is None and isinstance(value, list))

    def local(self, frame: Frame, name: str) -> Value:
        """The value of a variable of a function that runs."""
        if name not in frame.values:
            frame.values[name] = None  # what depends on itself is not known
            member = frame.signature.members[name]
            value = self._bound(member)[0]
            frame.values[name] = value if value is None or self.fits(member, value) else None
        return frame.values[name]

    def blank(self, member: Member) -> Value:
        """An array of unknown items for a variable that gets its value by items."""
        with self._elsewhere():
            sizes = self._sizes(member)
        blank = arrays.filled(None, sizes)
        if blank is None and sizes:
            raise Undecided
        return blank

    def _size_of(self, array: Expression, which: Sequence[Expression], scope: Environment) -> Value:
        sizes = self._sizes_of(array, scope)
        if not which:
            return None if sizes is None or None in sizes else sizes
        number = self.value(which[0], scope)
        return sizes[number - 1] if sizes and arrays.is_whole(number) and 1 <= number <= len(sizes) else None

    def _sizes_of(self, array: Expression, scope: Environment) -> list[int | None] | None:
        """The sizes of an array; those of a component may be known where its value is not."""
        if isinstance(array, ComponentReference) and not any(array.subscripts):
            local = self._local_variable(array, scope)
            found = scope.find(array.parts[:1], is_global=array.is_global) if local is None else None
            sizes: list[int | None] = []
            for part in (*array.parts[1:], None):
                if isinstance(found, Member) and not found.is_class:
                    found = inner_of(found)
                    sizes += [] if found is None else self._sizes(found)
                inside = found.environment if isinstance(found, Member) else found
                if part is not None:
                    found = inside.member(part) if inside is not None else None
            if isinstance(found, Member) and not found.is_class:
                return sizes
        value = self.value(array, scope)
        exact = arrays.exact_shape(value)
        return None if value is None or exact is None else list(exact)

    # ------------------------------------------------------------ references

    def _local_variable(self, reference: ComponentReference, scope: Environment) -> tuple[Value] | None:
        """The value of the variable of a loop or of a function that a reference starts with; None for others."""
        name = reference.parts[0]
        if reference.is_global:
            return None
        if name in self._iterators:
            return (self._iterators[name],)
        frame = self._frames.get(scope)
        if frame is not None and name in frame.signature.members and scope.member(name) is not None:
            return (self.local(frame, name),)
        return None

    def _reference(self, reference: ComponentReference, scope: Environment, more: Names) -> Value:
        local = self._local_variable(reference, scope)
        subscripts = (*reference.subscripts, *([None] * len(more)))
        parts = (*reference.parts, *more)
        if local is not None:
            value = self._indexed(local[0], subscripts[0], scope)
            for part, each in zip(parts[1:], subscripts[1:], strict=True):
                value = self._indexed(fields_of(value, (part,)), each, scope)
            return value
        found = scope.find(parts[:1], is_global=reference.is_global)
        ways: list[tuple[Member, list[Index]]] = []  # the items of arrays of components that it goes through
        for number, part in enumerate(parts[1:], 2):
            if isinstance(found, Member):
                found = inner_of(found)
                if found is not None and not found.is_class and self._subscripts(found):
                    items = self._items(found, subscripts[number - 2], scope)
                    if items is None:
                        return None
                    ways.append((found, items))
            inside = found.environment if isinstance(found, Member) else found
            end = inside.end if inside is not None and not (isinstance(found, Member) and not found.is_class) else None
            if end is not None and part in literals_of(end):
                return Reference(f"{end.full_name}.{part}") if number == len(parts) else None
            found = inside.member(part) if inside is not None else None
        if not isinstance(found, Member) or found.is_class:
            return None
        return self._along(ways, found, subscripts[-1], scope)

    def _along(
        self,
        ways: Sequence[tuple[Member, list[Index]]],
        found: Member,
        subscripts: Subscripts | None,
        scope: Environment,
    ) -> Value:
        """The value of a component that is reached through items of arrays of components."""
        value = self._same_for_all(ways, found)
        if value is None:
            value = self._of_items(ways, found)
        if subscripts is None or value is None:
            return value
        sizes = arrays.exact_shape(value)
        before = sum(isinstance(index, list) for _, items in ways for index in items)
        own = None if sizes is None else self.indices(subscripts, sizes[before:], scope)
        if sizes is None or own is None:
            return None
        return arrays.selected(value, [*(list(range(1, size + 1)) for size in sizes[:before]), *own])

    def _of_items(self, ways: Sequence[tuple[Member, list[Index]]], found: Member) -> Value:
        if not ways:
            return self._of_one(found)
        (holder, items), *rest = ways
        return self._for_items(holder, items, lambda: self._of_items(rest, found))

    def _same_for_all(self, ways: Sequence[tuple[Member, list[Index]]], member: Member) -> Value:
        """PERF: what does not depend on the item is evaluated once."""
        if not ways:
            return None
        before = {holder: self._chosen.pop(holder) for holder, _ in ways if holder in self._chosen}
        try:
            value, split = self._found(member)
        finally:
            self._chosen.update(before)
        if value is None or split != ():
            return None
        return arrays.filled(value, [len(index) for _, items in ways for index in items if isinstance(index, list)])

    def _items(self, holder: Member, subscripts: Subscripts | None, scope: Environment) -> list[Index] | None:
        """The items of an array that subscripts choose; all where there are none."""
        sizes = self._sizes(holder)
        if any(size is None for size in sizes):
            return None
        return self.indices(subscripts, [size or 0 for size in sizes], scope)

    def indices(self, subscripts: Subscripts | None, sizes: Sequence[int], scope: Environment) -> list[Index] | None:
        """What subscripts choose of an array of some sizes, all where there are none; None if that is not known."""
        written = subscripts.items if subscripts is not None else []
        if len(written) > len(sizes):
            return None
        found: list[Index] = []
        for number, size in enumerate(sizes):
            item = written[number] if number < len(written) else None
            index: Value = list(range(1, size + 1))
            if isinstance(item, Expression):
                before, self._end = self._end, size
                try:
                    index = self.value(item, scope)
                finally:
                    self._end = before
            chosen = arrays.indices(index, size)
            if chosen is None:
                return None
            found.append(chosen)
        return found

    def _indexed(self, value: Value, subscripts: Subscripts | None, scope: Environment) -> Value:
        if subscripts is None or value is None:
            return value
        chosen = self.indices(subscripts, arrays.shape(value), scope)
        return None if chosen is None else arrays.selected(value, chosen)


_REDUCTIONS: Final = ("sum", "product", "min", "max")


def fields_of(value: Value, names: Names) -> Value:
    """A field of a record, or of each record of an array."""
    for name in names:
        if isinstance(value, list):
            value = arrays.of_all([fields_of(item, (name,)) for item in value])
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _is_record(environment: Environment | None) -> bool:
    return environment is not None and environment.is_record


def _literal(expression: View) -> Value:
    try:
        return evaluate(expression)
    except LiteralError:  # too large for a number
        return None


def inner_of(member: Member) -> Member | None:
    """What stands for an `outer` element, None if there is none around; any other element itself."""
    return member.inner() if "outer" in member.prefixes else member


def literals_of(end: Environment) -> tuple[str, ...]:
    """The literals of an enumeration; empty for other types."""
    specifier = end.definition.specifier if end.definition is not None else None
    if isinstance(specifier, EnumerationClassSpecifier):
        return tuple(literal.name for literal in specifier.literals)
    return PREDEFINED_LITERALS.get(end.predefined, ())


def subscripts_of(member: Member) -> list[Sized]:
    """The dimensions of a component as they are written: after its name, after its type, in its type."""
    found: list[Sized] = []
    for declared, scope in ((member.current, member.scope), (member.declared, member.owner)):
        if isinstance(declared, Component):
            written = [declared.subscripts, declared.clause.subscripts]
        elif isinstance(declared, ComponentClause1):
            written = [declared.declaration.subscripts, declared.subscripts]
        else:
            written = []
        found += [(item, scope) for subscripts in written if subscripts is not None for item in subscripts.items]
        if found:  # a redeclaration keeps the dimensions if it names none
            break
    environment = member.environment
    for part in environment.ancestry() if environment is not None else ():
        specifier = part.definition.specifier if part.definition is not None else None
        if isinstance(specifier, ShortClassSpecifier) and specifier.subscripts is not None and part.around is not None:
            found += [(item, part.around) for item in specifier.subscripts.items]
    return found
