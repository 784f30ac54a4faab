"""What the data take away from under the user's text: parts that are gone, ends that are led elsewhere, other types.

What was generated follows the data. What the user wrote about it can't stay as it is: it would connect what is not
there, or give a length where there was an angle. It is commented out, line by line, and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, field, frozen

from modelica_ast.compare import Change, compare
from modelica_ast.edit import ClassHandle, ComponentHandle, Document
from modelica_ast.generate.comments import Piece, commented, indent, own_types, replaced, retyped, span
from modelica_ast.generate.conflicts import is_drawing
from modelica_ast.generate.numbers import Ends, Numbers, Turns, single_ends, turns_of, whole_numbers
from modelica_ast.generate.outcome import short
from modelica_ast.generate.packages import class_chain, class_in
from modelica_ast.generate.versions import Versions
from modelica_ast.tree import (
    Annotation,
    Arguments,
    Component,
    ComponentReference,
    ConnectEquation,
    Element,
    ElementModification,
    ElseEquation,
    ElseifEquation,
    Equation,
    ForEquation,
    IfEquation,
    Statement,
    View,
    find_all,
)


@frozen
class Part:
    """Something that the data describe: what it is, its name there, the files of its classes, and its component.

    In place of a component it may be something in one: `elbow.flange_a`. `model` is the generated file of the class
    that has it, if that is not the first model of the plan. `doubt` says why nobody can tell whether the user has
    changed its classes, where that is so: then they stay.
    """

    what: str
    name: str
    classes: tuple[str, ...]
    component: str | None = None
    model: str | None = None
    doubt: str | None = None

    def __str__(self) -> str:
        return f"the {self.what} '{self.name}'"


@frozen
class Departure:
    """The versions with what the user wrote about it commented out, and a sentence for each."""

    versions: Versions
    attention: tuple[str, ...]


def depart(versions: Versions, models: Mapping[str, Sequence[Part]], word: str) -> Departure:
    """Prepare versions for the merge; `models` are the parts that are gone by the generated files of their classes."""
    found: list[str] = []
    base, ours = dict(versions.base), dict(versions.ours)
    changed = retyped(versions)
    pieces: dict[str, list[Piece]] = {}
    for path, names in changed.items():
        pieces.setdefault(versions.hosts.get(path, path), []).extend(own_types(versions, path, names, found))
    for model, gone in models.items():
        key = versions.hosts.get(model, model)
        is_there = key in versions.base and key in versions.ours and key in versions.theirs
        if is_there and (gone or changed or versions.base[key] != versions.theirs[key]):
            before = evolve(versions, base=base, ours=ours)
            departing = _Model(before, key, class_chain(model), gone, word, found, pieces.pop(key, []))
            base[key], ours[key] = departing.departed(changed)
    for key, values in pieces.items():
        if values:
            ours[key] = replaced(ours[key], values)
    return Departure(evolve(versions, base=base, ours=ours), tuple(found))


# ---------------------------------------------------------------- the model that has the parts


@define(slots=False)
class _Model:
    versions: Versions
    path: str
    chain: tuple[str, ...]
    gone: Sequence[Part]
    word: str
    found: list[str]
    others: Sequence[Piece]  # of the text, besides those about this class
    base: str = field(init=False)
    text: str = field(init=False)
    over: dict[str, str] = field(factory=dict)  # names that lead nowhere now, and why
    cut: set[str] = field(factory=set)  # ends of connections that were commented out

    def __attrs_post_init__(self) -> None:
        self.base, self.text = self.versions.base[self.path], self.versions.ours[self.path]

    def departed(self, retyped: Mapping[str, frozenset[str]]) -> tuple[str, str]:
        """The base and the user's text of the model."""
        if self._class(self.text) is None or self._class(self.base) is None:
            return self.base, replaced(self.text, self.others)
        self._find_what_is_over()
        own = [*self._equations(), *self._declarations(), *self._forgotten(retyped), *self.others]
        restored = list(self._restored())
        self.base = replaced(self.base, [*self._new_base(), *self._counts(self.base, is_base=True)])
        self.text = replaced(self.text, _outermost(own))
        self.text = replaced(self.text, self._counts(self.text, is_base=False))
        self._restore(restored)
        self._remove_generated()
        return self.base, self.text

    def _class(self, text: str) -> ClassHandle | None:
        return class_in(Document(text), self.path, self.chain)

    def _must(self, text: str | Document) -> ClassHandle:
        found = class_in(Document(text) if isinstance(text, str) else text, self.path, self.chain)
        assert found is not None, "it was there"
        return found

    @cached_property
    def _base(self) -> ClassHandle:
        return self._must(self.versions.base[self.path])

    @cached_property
    def _theirs(self) -> ClassHandle | None:
        return self._class(self.versions.theirs[self.path])

    @cached_property
    def _now(self) -> frozenset[Ends]:
        return frozenset() if self._theirs is None else frozenset(map(self._ends, self._theirs.connections))

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers.between(map(self._ends, self._base.connections), self._now, self._own)

    @cached_property
    def _own(self) -> frozenset[Ends]:
        """All connections that the user has, but for those in loops and in branches."""
        return frozenset(map(frozenset, self._must(self.versions.ours[self.path]).connections))

    @cached_property
    def _changes(self) -> list[Change]:
        """What the user has written into the file."""
        return list(compare(self.versions.base[self.path], self.versions.ours[self.path]))

    @property
    def _depth(self) -> int:
        """How many names lead to the class in its file, and to elements of it."""
        return len(self.chain[len(class_chain(self.path)) :]) + 1

    @cached_property
    def _noted(self) -> set[str]:
        """The elements with a comment of the user's inside of them; one before or behind it stays without them."""
        inside = (each for each in self._changes if len(each.path) > self._depth)
        notes = (each for each in inside if each.what == "comment" and len(each.path) > self._depth + 1)
        ends = (each for each in self._changes if each.what == "connection" and each.kind == "changed")
        return {each.path[self._depth] for each in (*notes, *ends)}

    @cached_property
    def _names(self) -> dict[str, str]:
        """What the user calls the generated components: one that is missing may be there under another name."""
        own = {each.name: str(each.type) for each in self._must(self.text).components}
        generated = {each.name: str(each.type) for each in self._base.components}
        names = {}
        for name, type_ in generated.items():
            others = [other for other, found in own.items() if found == type_ and other not in generated]
            names[name] = name if name in own or len(others) != 1 else others[0]
        return names

    @cached_property
    def _parts(self) -> dict[str, Part]:
        """The parts that are gone, by what the user calls their components."""
        return {self._end(part.component): part for part in self.gone if part.component}

    @cached_property
    def _generated(self) -> Counter[Ends]:
        """The generated connections, with the user's names."""
        return Counter(self._ends(pair) for pair in self._base.connections)

    def _ends(self, pair: Iterable[str]) -> Ends:
        return frozenset(self._end(end) for end in pair)

    def _end(self, end: str) -> str:
        component, dot, rest = end.partition(".")
        return f"{self._names.get(component, component)}{dot}{rest}"

    # ------------------------------------------------------------ what the user wrote

    def _find_what_is_over(self) -> None:
        """Parts that are gone, and what the user declares by means of them, or of that."""
        self.over |= {name: f"{part} is no longer in the {self.word}" for name, part in self._parts.items()}
        left = [each for each in self._must(self.text).view.components if each.name not in self._names.values()]
        while found := [each for each in left if self._why(each) or self._why_clause(each)]:
            for each in found:
                self.over[each.name] = f"what it uses, {each.name}, uses what is gone"
            left = [each for each in left if each.name not in self.over]

    def _why(self, view: View, turns: Turns | None = None) -> str | None:
        """Why something of the user's can't stay as it is; None if it can."""
        for each in find_all(view, ComponentReference):
            why = self._why_over(each)
            if why is not None:
                return why
            why = self._numbers.why_not(each, turns or {}, is_connected=isinstance(view, ConnectEquation))
            if why is not None:
                return f"{why} in the {self.word}"
        return None

    def _why_over(self, reference: ComponentReference) -> str | None:
        """Why a component leads nowhere, or what is named in it: `elbow`, `elbow.flange_a`."""
        names = (".".join(reference.parts[:size]) for size in range(1, min(len(reference.parts), 2) + 1))
        return next((self.over[name] for name in names if name in self.over), None)

    def _over_inside(self, arguments: Arguments | None, condition: View | None = None) -> dict[View, str]:
        """What is set at a component or base class, or keeps a component out, by means of what is gone; and why."""
        every: list[View] = [] if arguments is None else list(arguments.items)
        found: dict[View, str] = {}
        for each in every if condition is None else [*every, condition]:
            why = next(
                (why for why in map(self._why_over, find_all(each, ComponentReference)) if why is not None), None
            )
            if why is not None:
                found[each] = why
        return found

    def _why_clause(self, component: Component) -> str | None:
        """Why the type of a component can't stay: its dimensions use what is gone."""
        subscripts = component.clause.subscripts
        return None if subscripts is None else self._why(subscripts)

    def _equations(self) -> Iterator[Piece]:
        """The user's connections, equations and statements about what is gone or led elsewhere."""
        view = self._must(self.text).view
        every: list[Equation | Statement] = [*view.equations, *view.initial_equations]
        every += [*view.statements, *view.initial_statements]
        for each in every:
            yield from self._equation(each, {})

    def _equation(self, view: View, turns: Turns) -> Iterator[Piece]:
        if isinstance(view, ConnectEquation):
            yield from self._connection(view, turns)
        elif isinstance(view, ForEquation) and self._why(view.indices) is None:
            for each in view.equations:
                yield from self._equation(each, {**turns, **turns_of(view.indices)})
        elif isinstance(view, IfEquation) and all(map(self._is_branch_kept, _branches(view))):
            for branch in _branches(view):
                if not isinstance(branch, ElseEquation):
                    yield from self._with_new_numbers([branch.condition])
                for each in branch.equations:
                    yield from self._equation(each, turns)
        elif (why := self._why(view, turns)) is not None:
            self.cut |= {end for each in find_all(view, ConnectEquation) for end in self._both_expanded(each, turns)}
            yield self._taken_out(view, why)
        else:
            yield from self._with_new_numbers([view])

    def _is_branch_kept(self, branch: IfEquation | ElseifEquation | ElseEquation) -> bool:
        """All branches have to have as many equations: only connections and loops can be taken out one by one."""
        condition = None if isinstance(branch, ElseEquation) else self._why(branch.condition)
        every = find_all(branch, Equation)
        single = [each for each in every if not isinstance(each, ConnectEquation | ForEquation | IfEquation)]
        return condition is None and not any(map(self._why, single))

    def _connection(self, view: ConnectEquation, turns: Turns) -> Iterator[Piece]:
        ends = _both(view)
        is_generated = self._ends(ends) in self._generated or ends in self._generated
        if not is_generated and self._ends(ends) in self._now:
            return  # as it is generated now
        moved = None if is_generated else next((end for end in ends if end in self._led_elsewhere), None)
        why = None if is_generated else self._why(view, turns)
        if not is_generated and why is None:
            moved = moved or next(iter(sorted(self._both_expanded(view, turns) & self._taken.keys())), None)
        if is_generated and self._is_noted(view) and not self._is_still_there(ends):
            why = self._why(view, turns) or f"this connection is no longer in the {self.word}"
        if moved is not None:
            why = f"the {self.word} leads {moved} {({**self._taken, **self._led_elsewhere})[moved]} now"
        if why is None:
            yield from self._with_new_numbers([view])
        else:
            self.cut |= self._both_expanded(view, turns)
            yield self._taken_out(view, why)

    def _is_noted(self, view: ConnectEquation) -> bool:
        one, other = view.left, view.right
        return not self._noted.isdisjoint({f"connect({one}, {other})", f"connect({other}, {one})"})

    def _is_still_there(self, ends: Ends) -> bool:
        """Is a connection generated, maybe with another number?"""
        return (
            self._ends(ends) in self._now or frozenset(self._numbers.now.get(end) or end for end in ends) in self._now
        )

    def _both_expanded(self, view: ConnectEquation, turns: Turns) -> set[str]:
        """The ends of a connection, in all turns of the loops around it."""
        every = (self._numbers.elements(end, turns) or {str(end)} for end in (view.left, view.right))
        return {end for found in every for end in found}

    @cached_property
    def _led_elsewhere(self) -> dict[str, str]:
        """Ends that had one generated connection, which the user has replaced, and have another one now, or none."""
        if self._theirs is None:
            return {}
        own = {frozenset(pair) for pair in self._must(self.text).connections}
        before = single_ends(map(self._ends, self._base.connections))
        now = single_ends(self._now)
        replaced = {end: other for end, other in before.items() if frozenset({end, other}) not in own}
        renumbered = {end: self._numbers.now.get(other) or other for end, other in replaced.items()}
        alone = {end: other for end, other in renumbered.items() if end not in self._numbers.now}
        elsewhere = {end: f"to {now[end]}" for end, other in alone.items() if now.get(end, other) != other}
        there = {end for pair in self._now for end in pair}
        nowhere = {end for end in replaced if "." not in end and "[" not in end and end not in there}
        nowhere |= {end for ends in self._generated for end in ends if end not in there and self._is_other(end)}
        return elsewhere | dict.fromkeys(nowhere, "nowhere")

    @cached_property
    def _taken(self) -> dict[str, str]:
        """The elements of the model's arrays that have a part now, and had none."""
        before, now = single_ends(map(self._ends, self._base.connections)), single_ends(self._now)
        every = {end: f"to {other}" for end, other in now.items() if "[" in end and "." not in end}
        return {end: to for end, to in every.items() if end not in before and end not in self._numbers.now}

    def _is_other(self, end: str) -> bool:
        """Is it an end of a component whose class is generated in another way now, which may have left it out?"""
        component = self._must(self.text).get_component(end.partition(".")[0]) if "." in end else None
        path = "" if component is None else f"{str(component.type).replace('.', '/')}.mo"
        folder = f"{'/'.join(self.chain[:-1])}/" if len(self.chain) > 1 else ""
        files = [each for each in (f"{folder}{path}", path) if each in self.versions.theirs]
        return any(self.versions.base.get(each) != self.versions.theirs[each] for each in files)

    def _with_new_numbers(self, views: Iterable[View]) -> Iterator[Piece]:
        """The elements of the model's arrays as they are called now."""
        for view in views:
            for each in find_all(view, ComponentReference):
                number, new = self._numbers.literal(each)
                if number is not None and new is not None and number.text != new:
                    yield (*span(number), new)

    def _counts(self, text: str, *, is_base: bool) -> Iterator[Piece]:
        """How many elements there are, where the user has added some: theirs come to those that are generated now.

        The base gets what is generated now, so that only the user has changed it.
        """
        numbers, added = self._numbers, self._numbers.added(map(self._ends, self._base.connections))
        sizes = {numbers.sizes.get(array) for array in added}
        texts = (each[self.path] for each in (self.versions.base, self.versions.ours, self.versions.theirs))
        before, ours, now = (whole_numbers(self._class(each)) for each in texts)
        for key, view in whole_numbers(self._class(text)).items():
            if not all(key in each for each in (before, ours, now)):
                continue
            old, own, new = (int(each[key].text) for each in (before, ours, now))
            if new != old and own > old and (own != new or (old, new) in sizes):
                yield (*span(view), str(new if is_base else own + new - old))

    def _restored(self) -> Iterator[tuple[str, str]]:
        """Generated connections that the user has replaced by what is commented out now: they come back."""
        own = {frozenset(pair) for pair in self._must(self.text).connections}
        single = single_ends(map(self._ends, self._base.connections))
        for one, other in self._base.connections:
            ends = self._ends((one, other))
            if ends not in own and any(end in self.cut and end in single for end in ends):
                yield self._numbers.now.get(one) or one, self._numbers.now.get(other) or other

    def _restore(self, pairs: Iterable[tuple[str, str]]) -> None:
        """What the base does not have comes from the new version."""
        document = Document(self.base)
        model = self._must(document)
        for one, other in pairs:
            model.disconnect(one, other)
        self.base = document.text

    def _new_base(self) -> Iterator[Piece]:
        """New numbers in the base. What the user has taken out is drawn as it is drawn now: that is not a change."""
        own = {frozenset(pair) for pair in self._must(self.text).connections}
        drawn = {} if self._theirs is None else {_both(each): each.text for each in _connections(self._theirs)}
        for each in _connections(self._base):
            now = frozenset(self._numbers.now.get(end) or end for end in _both(each))
            if self._ends(_both(each)) not in own and now in drawn:
                yield (*span(each), drawn[now])
            else:
                yield from self._with_new_numbers([each])

    def _declarations(self) -> Iterator[Piece]:
        """The declarations of gone parts, if the user has written something into them, and of what uses such."""
        depth = self._depth
        edited = {
            change.path[depth]
            for change in self._changes
            if len(change.path) > depth
            and not is_drawing(change)
            and change.what not in {"comment", "component", "section"}
        }
        edited |= self._noted
        clauses: dict[Element, list[Component]] = {}
        for component in self._must(self.text).view.components:
            if component.element is not None:
                clauses.setdefault(component.element, []).append(component)
        for clause in clauses.values():
            over = [each for each in clause if each.name in self.over]
            over = [each for each in over if each.name in edited or each.name not in self._parts]
            if over:
                yield self._split(clause, over)
            else:
                yield from self._with_new_numbers(each for each in clause if each.name not in self._parts)

    def _split(self, clause: Sequence[Component], over: Sequence[Component]) -> Piece:
        """Some declarations of a clause are commented out, the others stay."""
        element = clause[0].element
        assert element is not None, "the others are skipped"
        name = over[0].name
        why = self.over[name] if name in self._parts else self._why(over[0]) or self._why_clause(over[0]) or ""
        if len(over) == len(clause):
            return self._taken_out(element, why)
        names = {each.name for each in over}
        others = {each.name for each in clause} - names
        gone, stays = self._without(others, name), self._without(names, min(others))
        self._tell(over[0], why, gone.text)
        return (*span(element), f"{stays.text}\n{indent(element)}{commented(gone)}")

    def _without(self, names: Iterable[str], other: str) -> View:
        """The clause of a component without some of those that are declared with it."""
        document = Document(self.text)
        model = self._must(document)
        for name in names:
            model.find_component(name).remove(comments="keep")
        element = model.find_component(other).view.element
        assert element is not None, "it is where it was"
        return element

    def _taken_out(self, view: View, why: str) -> Piece:
        self._tell(view, why, view.text)
        return (*span(view), commented(view))

    def _tell(self, place: View, why: str, what: str) -> None:
        where = f"{self.versions.place(self.path)}:{place.position.line}"
        self.found.append(f"{where}: {why}: your {short(what)} is commented out")

    # ------------------------------------------------------------ what was generated

    def _remove_generated(self) -> None:
        """Take out connections that are generated no more, and parts that are gone; comments there are the user's."""
        document = Document(self.text)
        model = self._must(document)
        generated = frozenset(map(self._ends, self._must(self.base).connections))
        with document.transaction():
            for one, other in model.connections:
                ends = frozenset({one, other})
                is_over = self._theirs is not None and ends in generated and ends not in self._now
                if is_over or any(end.partition(".")[0] in self._parts for end in ends):
                    model.disconnect(one, other, comments="keep")
            for component in model.components:
                if component.name in self._parts:
                    component.remove(comments="keep")
        self.text = document.text

    def _forgotten(self, retyped: Mapping[str, frozenset[str]]) -> Iterator[Piece]:
        """What the user set at components and base classes by means of what is gone, or for what has another type."""
        types = {".".join(class_chain(path)): names for path, names in retyped.items()}
        model = self._must(self.text)
        inside: dict[Element, dict[View, str]] = {}
        for clause in model.view.extends:
            inside[_element_around(clause)] = self._over_inside(clause.arguments)
        for component in model.components:
            view, former = component.view, self._base.get_component(component.name)
            if component.name in self.over:
                continue
            why = self._over_inside(view.arguments, view.condition)
            generated = {} if former is None else modifiers_of(former)
            names = types.get(str(component.type), frozenset()) | self._gone_from(component.name)
            for each in () if view.arguments is None else view.arguments.items:
                if isinstance(each, ElementModification) and each.name.text in names - generated.keys():
                    why.setdefault(each, f"the {self.word} has another type for {component.name}")
            inside.setdefault(_element_around(view), {}).update(why)
        return (self._without_inside(why) for why in inside.values() if why)

    def _without_inside(self, why: Mapping[View, str]) -> Piece:
        """An element as a comment, and below it without what can't stay inside of it."""
        going = sorted(why, key=span)
        element, document = _element_around(going[0]), Document(self.text)
        with document.transaction() as edit:
            for each in reversed(going):
                edit.remove(next(found for found in find_all(document.tree, type(each)) if span(found) == span(each)))
        kept = next(each for each in find_all(document.tree, Element) if span(each)[0] == span(element)[0])
        self._tell(element, why[going[0]], ", ".join(each.text for each in going))
        return *span(element), f"{commented(element)}\n{indent(element)}{kept.text}"

    def _gone_from(self, component: str) -> frozenset[str]:
        """What a component has no more that is still there itself."""
        return frozenset(each.removeprefix(f"{component}.") for each in self._parts if each.startswith(f"{component}."))


def modifiers_of(component: ComponentHandle) -> dict[str, str]:
    """What is set at a component, by its name there."""
    every = find_all(component.view, ElementModification)
    return {
        each.name.text: each.text
        for each in every
        if not any(isinstance(around, ElementModification | Annotation) for around in each.ancestors)
    }


def _outermost(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Those that are not inside of others, for these have all of it."""
    end = 0
    for piece in sorted(pieces, key=lambda each: (each[0], -each[1])):
        if piece[1] > end:
            end = piece[1]
            yield piece


def _element_around(view: View) -> Element:
    return next(each for each in view.ancestors if isinstance(each, Element))


def _connections(model: ClassHandle) -> Iterator[ConnectEquation]:
    return (each for each in model.view.equations if isinstance(each, ConnectEquation))


def _both(connection: ConnectEquation) -> Ends:
    return frozenset({str(connection.left), str(connection.right)})


def _branches(view: IfEquation) -> list[IfEquation | ElseifEquation | ElseEquation]:
    return [view, *view.elseifs, *([] if view.otherwise is None else [view.otherwise])]
