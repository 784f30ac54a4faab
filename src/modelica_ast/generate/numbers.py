"""The elements of a model's arrays of connectors: their numbers change when a part before theirs goes or comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import Source
from modelica_ast.generate.comments import Piece, replaced, span
from modelica_ast.generate.outcome import short
from modelica_ast.generate.packages import UserPackage, class_chain, class_in
from modelica_ast.generate.usage import Around, Outside, is_generated, overlaid
from modelica_ast.generate.versions import Versions
from modelica_ast.library import Reference
from modelica_ast.tree import (
    ComponentReference,
    ElementModification,
    Expression,
    ForIndices,
    Range,
    Subscripts,
    Token,
    View,
    find_all,
)

Ends = frozenset[str]
_MANY: Final = 10_000
Turns = Mapping[str, frozenset[str] | None]  # what the variables of loops are, if it is written there


@frozen
class Numbers:
    """What became of each element: `frame_b[2]` is `frame_b[1]` now, or has no part any more.

    An element is known by the end that it is connected with.
    """

    now: Mapping[str, str | None]
    of: Mapping[str, str]
    sizes: Mapping[str, tuple[int, int]] = field(factory=dict)  # how many elements arrays had, and have

    @classmethod
    def between(cls, before: Iterable[Ends], now: Iterable[Ends], own: Iterable[Ends] = ()) -> Numbers:
        """Compare the generated connections of a model; `own` are all that its user has.

        Elements that the user has added stay after the generated ones.
        """
        connections = frozenset(now)
        old, new = _elements(before), _elements(connections)
        found: dict[str, str | None] = {}
        of = {element: ", ".join(sorted(ends)) for element, ends in old.items()}
        for element, ends in old.items():
            array = _array(element)
            same = [each for each, others in new.items() if _array(each) == array and others == ends]
            found[element] = same[0] if len(same) == 1 else None
        counts = [Counter(map(_array, elements)) for elements in (old, new)]
        sizes = {array: (counts[0][array], counts[1][array]) for array in {**counts[0], **counts[1]}}
        for element, ends in _elements(each for each in own if each not in connections).items():
            array, number = _array(element), element.partition("[")[2][:-1]
            if element not in old and array in sizes and number.isdigit():
                found[element] = f"{array}[{int(number) + sizes[array][1] - sizes[array][0]}]"
                of[element] = ", ".join(sorted(ends))
        return cls(found, of, sizes)

    @property
    def resized(self) -> frozenset[str]:
        """The arrays that had elements, and have more or less of them now."""
        return frozenset(array for array, (before, now) in self.sizes.items() if before and before != now)

    def added(self, before: Iterable[Ends]) -> frozenset[str]:
        """The arrays that have elements of the user's own, beside those of the generated connections."""
        return frozenset(map(_array, self.now.keys() - _elements(before).keys()))

    @property
    def arrays(self) -> frozenset[str]:
        """All that the model had."""
        return frozenset(map(_array, self.now))

    @property
    def changed(self) -> frozenset[str]:
        """The arrays that have an element with another number now, or without a part."""
        return frozenset(_array(old) for old, new in self.now.items() if new != old)

    def literal(self, reference: ComponentReference) -> tuple[View | None, str | None]:
        """The number in a reference to an element, and the one that it has now."""
        number = _number(reference)
        new = None if number is None else self.now.get(f"{reference.parts[0]}[{number.text}]")
        return number, None if new is None else new.partition("[")[2][:-1]

    def elements(self, reference: ComponentReference, turns: Turns) -> frozenset[str]:
        """The elements that a reference can stand for; none if it is about something else."""
        name = reference.parts[0] if reference.parts else ""
        if name not in self.arrays:
            return frozenset()
        subscripts = reference.subscripts[0]
        written = "" if subscripts is None else str(subscripts)[1:-1]
        numbers = frozenset({written}) if written.isdigit() else turns.get(written)
        if numbers is None:
            return frozenset(each for each in self.now if _array(each) == name)
        return frozenset(f"{name}[{number}]" for number in numbers)

    def why_not(self, reference: ComponentReference, turns: Turns, *, is_connected: bool) -> str | None:
        """Why a reference can't stay, with another number where it has one; None if it can."""
        elements = self.elements(reference, turns)
        if not elements:
            return None
        array, subscripts = reference.parts[0], reference.subscripts[0]
        if _number(reference) is not None:
            element = min(elements)
            is_gone = element in self.now and self.now[element] is None
            return f"{element} belonged to {self.of[element]}, which has none" if is_gone else None
        if subscripts is None and not is_connected:
            return None  # all of them, whatever their numbers
        is_open = subscripts is None or str(subscripts)[1:-1] not in turns or turns[str(subscripts)[1:-1]] is None
        is_other = any(self.now.get(each, each) != each for each in elements)
        return (
            f"the elements of {array} have other numbers" if is_other or (is_open and array in self.resized) else None
        )


def single_ends(connections: Iterable[Ends]) -> dict[str, str]:
    """The other ends of ends that have exactly one connection."""
    pairs = [tuple(ends) for ends in connections if len(ends) == 2]  # noqa: PLR2004  (an end and another)
    number = Counter(end for pair in pairs for end in pair)
    return {end: pair[1 - at] for pair in pairs for at, end in enumerate(pair) if number[end] == 1}


def turns_of(indices: ForIndices) -> Turns:
    """The numbers that the variables of a loop go through, where they are written as `1:3`."""
    return {each.name: _range(each.range) for each in indices.items}


def _number(reference: ComponentReference) -> View | None:
    """The number of an element of the model's own."""
    subscripts = reference.subscripts[0]
    return subscripts.items[0] if subscripts is not None and str(subscripts)[1:-1].isdigit() else None


def _range(view: Expression | None) -> frozenset[str] | None:
    if not isinstance(view, Range) or view.step is not None:
        return None
    start, stop = view.start.text, view.stop.text
    if not (start.isdigit() and stop.isdigit()) or int(stop) - int(start) > _MANY:
        return None
    return frozenset(map(str, range(int(start), int(stop) + 1)))


def _elements(connections: Iterable[Ends]) -> dict[str, frozenset[str]]:
    """What the elements of the model's own arrays are connected with."""
    found: dict[str, frozenset[str]] = {}
    for ends in connections:
        for end in ends:
            if "[" in end and "." not in end:
                found[end] = found.get(end, frozenset()) | (ends - {end})
    return found


def _array(element: str) -> str:
    return element.partition("[")[0]


def whole_numbers(model: ClassHandle | None) -> dict[tuple[str, str], View]:
    """The whole numbers that a class sets in what it extends: (base, parameter)."""
    found: dict[tuple[str, str], View] = {}
    for clause in () if model is None else model.view.extends:
        for each in () if clause.arguments is None else clause.arguments.items:
            value = each.value if isinstance(each, ElementModification) else None
            if isinstance(each, ElementModification) and value is not None and value.text.strip().isdigit():
                found[str(clause.type), str(each.name)] = value
    return found


# ---------------------------------------------------------------- renumbering
# Uses of a model's elements in other classes, brought to the numbers that these have now, or reported.

_Place = tuple[int, int]  # line, column


@define
class Renumbering:
    """Finds them in the package and around it. `model` is the generated file of the class that has the elements."""

    user: UserPackage
    outside: Outside
    versions: Versions
    model: str
    word: str
    files: dict[str, bytes] = field(factory=dict)  # of the package, with other numbers
    around: dict[Path, tuple[bytes | None, bytes | None]] = field(factory=dict)
    notes: list[str] = field(factory=list)
    attention: list[str] = field(factory=list)

    def run(self) -> None:
        """Fill the lists."""
        versions = self.versions
        key = versions.hosts.get(self.model, self.model)
        chain = class_chain(self.model)
        texts = [each.get(key) for each in (versions.base, versions.theirs, versions.ours)]
        if None in texts or texts[0] == texts[1]:
            return
        base, theirs, ours = (Document(text or "") for text in texts)
        found = [class_in(each, key, chain) for each in (base, theirs)]
        model = class_in(ours, key, chain)
        if model is None or None in found:
            return
        before, now = (map(frozenset, each.connections) for each in found if each is not None)
        numbers = Numbers.between(before, now, map(frozenset, model.connections))
        changed = sorted(numbers.changed | numbers.resized)
        if not changed:
            return
        # They come from a library that need not be here: declared in the model itself they are found by its uses.
        place = versions.place(self.model)
        text = ours.text
        with ours.transaction():
            for array in changed:
                if model.get_component(array) is None:
                    model.add_component("Real", array)
        declared = _Declared.between(place, text, ours.text)
        files = overlaid(self.user.files, {place: self.user.encoded(place, ours.text)})
        around = Around(evolve(self.user, files=files), self.outside)
        own = [self.model if self.model in versions.hosts else place]
        uses: dict[Path, list[Reference]] = {}
        for array in changed:
            for use in around.references(".".join((*chain, array))):
                if not around.is_in(use, own):
                    uses.setdefault(use.file, []).append(use)
        for file, those in uses.items():
            self._renumber(file, those, _Uses(numbers, around, declared))

    def _renumber(self, file: Path, uses: Collection[Reference], known: _Uses) -> None:
        folder = self.user.folder.resolve()
        inside = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else None
        old, data = self._content(file, inside)
        source, numbers, declared = Source.from_bytes(data), known.numbers, known.declared
        pieces: list[Piece] = []
        text = source.text
        if inside == declared.place:
            text = declared.text
            pieces.append((declared.start, declared.start + len(declared.added), ""))
        places = dict(_subscripts(text))
        for use in uses:
            array, subscripts = places[use.line, use.column]
            written = "" if subscripts is None else str(subscripts)[1:-1]
            element = f"{array}[{written}]"
            new = numbers.now.get(element, element)
            if not written.isdigit():
                self._tell_open(use, array, known, is_whole=written in {"", ":"})
            elif new is None:
                why = f"{element} belonged to {numbers.of[element]}, which has none in the {self.word} now"
                self.attention.append(f"{known.shown(use)}: {_shown(use)}: {why}")
            elif new != element and subscripts is not None:
                pieces.append((*span(subscripts.items[0]), new.partition("[")[2][:-1]))
                self.notes.append(f"{known.shown(use)}: {element} is {new} now")
        new_text = replaced(text, pieces)
        if new_text != source.text and inside is not None:
            self.files[inside] = source.encode(new_text)
        elif new_text != source.text:
            self.around[file] = (old, source.encode(new_text))

    def _content(self, file: Path, inside: str | None) -> tuple[bytes | None, bytes]:
        """What is on the disk, and what will be before the numbers change."""
        if inside is not None:
            return None, self.user.files[inside]
        if file in self.outside:
            old, new = self.outside[file]
            assert new is not None, "it has uses"
            return old, new
        data = file.read_bytes()
        return data, data

    def _tell_open(self, use: Reference, array: str, known: _Uses, *, is_whole: bool) -> None:
        """Which elements are meant can't be said. What is generated is right, and what was generated is merged."""
        numbers = known.numbers
        is_other = array in numbers.changed and not is_whole
        is_other |= is_whole and use.around.startswith("connect") and array in numbers.resized | numbers.changed
        generated = (*self.versions.base.values(), *self.versions.theirs.values())
        if is_other and not is_generated(use.around, generated):
            what = f"the elements of {array} have other numbers in the {self.word} now"
            self.attention.append(f"{known.shown(use)}: {_shown(use)}: {what}")


@frozen
class _Declared:
    """A file of the package with declarations in it that were added."""

    place: str
    text: str
    start: int
    added: str

    @classmethod
    def between(cls, place: str, before: str, now: str) -> _Declared:
        """What was added in one piece."""
        start = next((at for at, pair in enumerate(zip(before, now, strict=False)) if pair[0] != pair[1]), len(before))
        return cls(place, now, start, now[start : start + len(now) - len(before)])

    def line(self, line: int) -> int:
        """Where a line was."""
        return line - self.added.count("\n") if line > self.text.count("\n", 0, self.start) + 1 else line


@frozen
class _Uses:
    """What is known of the uses of elements: their numbers, the library that has them, and what was declared for it."""

    numbers: Numbers
    around: Around
    declared: _Declared

    def shown(self, use: Reference) -> str:
        """Where a use is."""
        place = self.around.user.folder.resolve() / self.declared.place
        return self.around.shown(use, self.declared.line(use.line) if use.file == place else None)


def _shown(use: Reference) -> str:
    return short(use.around.rstrip("; "))


def _subscripts(text: str) -> Iterator[tuple[_Place, tuple[str, Subscripts | None]]]:
    """The names in all references of a text, by where they are, with their subscripts."""
    for reference in find_all(Document(text).tree, ComponentReference):
        if isinstance(reference.green, str):
            place = reference.position
            yield (place.line, place.column), (reference.parts[0], None)
            continue
        children = list(reference.children)
        for at, child in enumerate(children):
            if isinstance(child, Token) and child.text != ".":
                behind = children[at + 1] if at + 1 < len(children) else None
                place = child.position
                found = behind if isinstance(behind, Subscripts) else None
                yield (place.line, place.column), (child.text, found)


def with_new_numbers(
    user: UserPackage, versions: Versions, files: Mapping[str, bytes], notes: Collection[str]
) -> tuple[UserPackage, Versions]:
    """A package and its versions with the files that have other numbers."""
    user = evolve(user, files=overlaid(user.files, files))
    ours = {
        path: user.text(versions.place(path)) if versions.place(path) in files else text
        for path, text in versions.ours.items()
    }
    return user, evolve(versions, ours=ours, notes=(*versions.notes, *notes))
