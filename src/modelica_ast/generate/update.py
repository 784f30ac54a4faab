"""The update of a generated package: the data have changed, the package follows, and what its user wrote stays.

Whoever generates packages says in a `Plan` what was generated last, what is generated now, and what belongs together.
`work_out` does the rest, the same for all of them, and writes nothing; `Update.save` writes all files, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from modelica_ast.compare import Change, compare
from modelica_ast.edit import Document
from modelica_ast.generate.comments import retyped
from modelica_ast.generate.conflicts import Places, Reconciliation, Side, order_with
from modelica_ast.generate.departures import Part, depart
from modelica_ast.generate.numbers import Renumbering, with_new_numbers
from modelica_ast.generate.outcome import Decisions, Edit, FileUpdate, Report, Taken, Update, short
from modelica_ast.generate.packages import (
    ORDER_FILE,
    UserPackage,
    class_chain,
    class_inside,
    file_of_class,
    name_inside,
    shown_class,
    without_classes,
)
from modelica_ast.generate.side_car import KeptPart, RememberedConflict, SideCar, digest, is_modelica, same_content
from modelica_ast.generate.templates import Generated
from modelica_ast.generate.usage import Around, Outside, Question, is_generated, overlaid
from modelica_ast.generate.versions import Versions


@frozen
class Memory:
    """What the side-car of the next time has to have of this one."""

    conflicts: tuple[RememberedConflict, ...]
    kept: tuple[KeptPart, ...]
    before: Mapping[str, str]
    after: UserPackage  # the package as it will be


@frozen(kw_only=True)
class Plan:
    """What an update has to bring about.

    `user` is the package that is merged, `disk` what is on the disk: they differ after renames, `outside` then has
    files of the library around. `models` are the generated files of the classes that have the parts as components,
    `gone` are those that the data have no more. `remember` gives the files that the next update needs. `word` is what
    the data are called in sentences, `side` in options and in JSON, `source` what has their values.
    """

    user: UserPackage
    disk: UserPackage
    side_car: SideCar
    versions: Versions
    generated: Generated
    places: Places
    remember: Callable[[Memory], Mapping[str, bytes | None]]
    word: str
    side: Side
    source: str | None = None  # as the word, if it is not said
    models: tuple[str, ...] = ()
    numbered: tuple[str, ...] | None = None
    gone: tuple[Part, ...] = ()
    outside: Outside = field(factory=dict)
    questions: tuple[Question, ...] = ()
    attention: tuple[str, ...] = ()
    former: Callable[[], Versions] | None = None  # what was generated last and the user's, of every edited file
    suggestions: tuple[str, ...] = ()


def work_out(plan: Plan, decisions: Decisions) -> Update:
    """What has to be written for the package to follow its data."""
    strange, files = plan.versions.strange, plan.side_car.files
    if strange:
        plan = evolve(
            plan, side_car=evolve(plan.side_car, files={path: files[path] for path in files.keys() - strange})
        )
    return _Updating(plan, decisions).update()


class _Updating:
    """One update, step after step."""

    def __init__(self, plan: Plan, decisions: Decisions) -> None:
        self.plan = plan
        self.decisions = decisions
        self.attention = list(plan.attention)
        self.kept: list[str] = []
        self.pruned: list[Taken] = []  # classes in files with others
        self.changes: dict[str, list[Change]] = {}  # of the user, in files that have several classes

    def update(self) -> Update:
        for model in self.plan.models if self.plan.numbered is None else self.plan.numbered:
            self._renumber(model)
        plan = self.plan
        departure = depart(plan.versions, self._gone_from, plan.word)
        versions = departure.versions
        self.attention += departure.attention
        staying = self._staying(versions)
        merge = self._merge(self._without(versions, staying), self.decisions)
        new = {place: None if text is None else plan.user.encoded(place, text) for place, text in merge.texts.items()}
        new |= self._written_before_merge(versions, merge)
        new |= self._other_files(staying)
        kept = self._kept_parts(staying, new)
        if self.decisions.prune:
            new |= self._pruned(new)
        self._tell_dangling(versions, new)
        after = evolve(plan.user, files=overlaid(plan.user.files, new))
        memory = Memory(tuple(merge.still_open), kept, self._digests_before(), after)
        remembered = plan.remember(memory)
        new |= {path: data for path, data in remembered.items() if not self._has(path, data)}
        files = tuple(self._file_updates(new))
        return Update(plan.user.folder, files, self._report(merge, kept), plan.questions)

    def _renumber(self, model: str) -> None:
        """Other classes keep the elements of the model that they are connected with, whatever their numbers are now."""
        plan = self.plan
        found = Renumbering(plan.user, plan.outside, plan.versions, model, plan.word)
        found.run()
        user, versions = with_new_numbers(plan.user, plan.versions, found.files, found.notes)
        self.plan = evolve(plan, user=user, versions=versions, outside={**plan.outside, **found.around})
        self.attention += found.attention

    # ------------------------------------------------------------ parts that are gone

    @cached_property
    def _gone_from(self) -> Mapping[str, Sequence[Part]]:
        """The models with what each of them has no more."""
        first = self.plan.models[:1]
        return {
            model: [p for p in self.plan.gone if (p.model or "".join(first)) == model] for model in self.plan.models
        }

    def _staying(self, versions: Versions) -> list[Part]:
        """The parts whose classes stay: the user has written into them, or uses them."""
        plan = self.plan
        there = {part: [path for path in part.classes if file_of_class(plan.user, path)] for part in plan.gone}
        why: dict[Part, str] = {}
        for part, files in there.items():
            edited = next((path for path in files if self._is_edited(versions, path)), None)
            if edited is not None:
                why[part] = f"you have changed {shown_class(plan.user, edited)}"
            elif files and part.doubt is not None:
                why[part] = part.doubt
        why |= self._used({part: files for part, files in there.items() if files and part not in why}, versions)
        staying = [part for part in plan.gone if part in why]
        for part in staying:
            self.attention.append(
                f"{part} is no longer in the {plan.word} and has left the model; "
                f"{self._fate(len(there[part]))}{why[part]}{'' if self.decisions.prune else ': --prune removes them'}"
            )
        return staying

    def _is_edited(self, versions: Versions, path: str) -> bool:
        """Has the user written something into the class of a generated file, wherever it is?"""
        user = self.plan.user
        if path not in self.plan.side_car.files and path not in versions.base:
            return True
        place = path if path in user.files else file_of_class(user, path)
        if place is None or place == path or place not in versions.base or place not in versions.ours:
            return versions.is_edited(path)
        name = name_inside(user, path, place)
        if place not in self.changes:
            self.changes[place] = list(compare(versions.base[place], versions.ours[place]))
        return any(change.path[: len(name)] == name for change in self.changes[place])

    def _fate(self, number: int) -> str:
        """What becomes of the classes of a part that is gone, and that the user wrote into or uses."""
        classes = "its class" if number == 1 else "its classes"
        if self.decisions.prune:
            return f"{classes} {'goes' if number == 1 else 'go'} too, although "
        return f"{classes} {'stays' if number == 1 else 'stay'}, because "

    def _used(self, parts: Mapping[Part, Sequence[str]], versions: Versions) -> dict[Part, str]:
        """Those of some parts, with their files, that something uses which does not go; and what does."""
        why: dict[Part, str] = {}
        left = dict(parts)
        around = self._around(versions) if left else Around(self.plan.user)
        while left:
            going = {path for part in left for path in part.classes}
            places = {part: next(_users(around, files, going), None) for part, files in left.items()}
            why |= {part: f"{where} uses it" for part, where in places.items() if where is not None}
            if why.keys().isdisjoint(left):
                break
            left = {part: files for part, files in left.items() if part not in why}  # what stays may use others
        return why

    def _around(self, versions: Versions) -> Around:
        """The library without what was generated for the parts that are gone, but for their own classes."""
        plan = self.plan
        files = dict(plan.user.files)
        for model in (versions.hosts.get(model, model) for model in plan.models):
            if model in versions.ours and versions.place(model) in files:
                files[versions.place(model)] = versions.ours[model].encode()
        return Around(evolve(plan.user, files=files), plan.outside)

    def _without(self, versions: Versions, staying: Sequence[Part]) -> Versions:
        """The versions as if the classes that stay had never been generated: so they are the user's own."""
        user = self.plan.user
        paths = {path for part in staying for path in part.classes}
        places = {path: file_of_class(user, path) for path in sorted(paths)}
        names = {path: name_inside(user, path, place) for path, place in places.items() if place is not None}
        paths |= {place for path, place in places.items() if place is not None and len(names[path]) == 1}
        base, ours, theirs = (
            {path: text for path, text in each.items() if path not in paths}
            for each in (versions.base, versions.ours, versions.theirs)
        )
        # Where only the layout is the user's, nothing keeps a file that is not generated any more.
        ours |= {path: base[path] for path in base.keys() & ours.keys() - theirs.keys() if not versions.is_edited(path)}
        for path, name in names.items():
            place = places[path]
            if place in base:
                base[place] = without_classes(base[place], [name])
        for order, inside in _orders(paths).items():
            if order in theirs:
                theirs[order] = order_with(theirs[order], base.get(order, ""), inside)
        return evolve(versions, base=base, ours=ours, theirs=theirs)

    def _kept_parts(self, staying: Sequence[Part], new: Mapping[str, bytes | None]) -> tuple[KeptPart, ...]:
        """All parts whose classes stayed, now or earlier, and are still there."""
        if self.decisions.prune:
            return ()
        after = evolve(self.plan.user, files=overlaid(self.plan.user.files, new))
        generated = self.plan.generated.files
        every = [*self.plan.side_car.kept, *(KeptPart(part.what, part.name, part.classes) for part in staying)]
        left = []
        for part in dict.fromkeys(every):
            classes = tuple(path for path in part.classes if path not in generated and file_of_class(after, path))
            if classes:
                left.append(evolve(part, classes=classes))
        return tuple(left)

    def _pruned(self, new: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
        """The classes that stayed go, out of package.order too."""
        user, generated = self.plan.user, self.plan.generated.files
        parts = [*self.plan.side_car.kept, *(KeptPart(each.what, each.name, each.classes) for each in self.plan.gone)]
        paths = {path for part in parts for path in part.classes if path not in generated}
        # The side-car may be a stranger's: what is nowhere near generated classes did not stay of a part.
        folders = {path.rpartition("/")[0] for path in generated} - {""}
        paths = {path for path in paths if is_modelica(path) and any(path.startswith(f"{each}/") for each in folders)}
        paths -= self._strangers(paths)
        self._tell_used(paths, new)
        found: dict[str, bytes | None] = {path: None for path in paths if path in user.files}
        after = evolve(user, files=overlaid(user.files, {**new, **found}))
        folded: dict[str, list[tuple[str, ...]]] = {}
        for path in sorted(paths - user.files.keys()):
            place = file_of_class(after, path)
            if place is not None:
                folded.setdefault(place, []).append(name_inside(user, path, place))
        for place, names in folded.items():
            outer = [name for name in names if not any(name[:size] in names for size in range(1, len(name)))]
            self.pruned += [Taken(place, _removed(name)) for name in outer]
            is_alone = any(len(name) == 1 for name in names)
            found[place] = None if is_alone else user.encoded(place, without_classes(after.text(place), names))
        for order, gone in _orders(paths).items():
            data = new.get(order, user.files.get(order))
            if data is not None and order not in paths:
                lines = data.decode("utf-8", "replace").splitlines(keepends=True)
                found[order] = "".join(line for line in lines if line.strip() not in gone).encode()
        return found

    def _tell_used(self, going: Collection[str], new: Mapping[str, bytes | None]) -> None:
        """Say who uses what stayed of parts that were gone before, and goes now."""
        around = Around(evolve(self.plan.user, files=overlaid(self.plan.user.files, new)), self.plan.outside)
        now = {(part.what, part.name) for part in self.plan.gone}  # it was told why these would stay
        for part in dict.fromkeys(self.plan.side_car.kept):
            files = [path for path in part.classes if path in going]
            where = next(_users(around, files, set(going)), None)
            if where is not None and (part.what, part.name) not in now:
                self.attention.append(f"{where} uses the {part.what} '{part.name}', whose classes go now")

    def _strangers(self, paths: Iterable[str]) -> set[str]:
        """Those of some classes that extend nothing which a generated class beside them extends, now or before."""
        plan = self.plan
        generated: dict[str, set[str]] = {}
        for path, data in plan.generated.files.items():
            if path.endswith(".mo"):
                generated.setdefault(path.rpartition("/")[0], set()).update(_bases(data.decode(), None))
        gone = {path for part in plan.gone for path in part.classes}
        found: set[str] = set()
        for path in sorted(set(paths) - gone):
            place = file_of_class(plan.user, path)
            beside = generated.get(path.rpartition("/")[0])
            if place is None or not path.endswith(".mo") or not beside:
                continue
            if beside.isdisjoint(_bases(plan.user.text(place), name_inside(plan.user, path, place))):
                found.add(path)
                self.kept.append(f"{path}: it is not like what is generated beside it; so it is yours, and stays")
        return found

    # ------------------------------------------------------------ the merge

    def _merge(self, versions: Versions, decisions: Decisions) -> Reconciliation:
        plan, prefer = self.plan, decisions.prefer
        merge = Reconciliation(
            versions,
            plan.places,
            plan.side,
            plan.source or plan.word,
            decisions.decide or (lambda _: prefer),
            plan.side_car.conflicts,
            prefer,
        )
        merge.run()
        return merge

    def _written_before_merge(self, versions: Versions, merge: Reconciliation) -> dict[str, bytes | None]:
        """Files in which something was commented out, and nothing else has changed."""
        found: dict[str, bytes | None] = {}
        for path, text in versions.ours.items():
            place = versions.place(path)
            if text != self.plan.versions.ours.get(path) and place not in merge.texts:
                found[place] = self.plan.user.encoded(place, text)
        return found

    def _other_files(self, staying: Sequence[Part]) -> dict[str, bytes | None]:
        """Drawings and meshes can't be merged: the user's stays if it was changed, or else the new one comes."""
        found: dict[str, bytes | None] = {}
        side_car, user, new = self.plan.side_car, self.plan.user, self.plan.generated.files
        stays = {path for part in staying for path in part.classes}
        for path in sorted({*side_car.files, *new} - stays):
            if is_modelica(path):
                continue
            before = side_car.files.get(path)
            here = digest(path, user.files[path]) if path in user.files else None
            there = digest(path, new[path]) if path in new else None
            if there in (here, before):
                continue
            if here == before:
                found[path] = new.get(path)
            elif here is None:
                self.kept.append(f"{path}: you removed it, so the new one is left out")
            else:
                self.kept.append(f"{path}: you changed it, so it stays as it is")
        return found

    # ------------------------------------------------------------ results

    def _tell_dangling(self, versions: Versions, new: Mapping[str, bytes | None]) -> None:
        """Say where the user names components that are gone, or have another type now."""
        plan = self.plan
        if not plan.models:
            return
        here, hosts = plan.user.files, versions.hosts
        gone: dict[str, str] = {}

        def tell(names: Mapping[str, str], models: Iterable[str]) -> None:
            """The classes of the models are as they were: or else the names would lead nowhere."""
            places = {versions.place(model) for model in models}
            files = {path: data for path, data in new.items() if path not in places and data is not None}
            skipped = {model if model in hosts else versions.place(model) for model in models}
            skipped |= {model for model in self.plan.models if hosts.get(model) in places}  # what is in it was told
            self._tell_uses(overlaid(here, files), names, skipped)

        for model, parts in self._gone_from.items():
            names = {f"{'.'.join(class_chain(model))}.{part.component}": str(part) for part in parts if part.component}
            if names:
                tell(names, [model])
            gone |= names
        changed = retyped(versions)
        others = {f"{'.'.join(class_chain(path))}.{name}": name for path, names in changed.items() for name in names}
        others = {name: what for name, what in others.items() if name not in gone}
        if others:
            tell(others, changed)

    def _tell_uses(self, files: Mapping[str, bytes], names: Mapping[str, str], skipped: set[str]) -> None:
        around = Around(evolve(self.plan.user, files=files), self.plan.outside)
        versions = self.plan.versions
        # It fits what it names, as that is generated now. Beside classes in one file it may be as it was generated.
        generated = [*versions.theirs.values(), *(versions.base.get(host, "") for host in versions.hosts.values())]
        for name, where, text in around.uses(names, skipped):
            if is_generated(text, generated):
                continue
            what = names[name] if names[name].startswith("the ") else f"{name}, which is gone or has another type now"
            self.attention.append(f"{where}: {short(text)} names {what}")

    def _digests_before(self) -> dict[str, str]:
        """What the files had in the last generation that this one has changed."""
        old, new = self.plan.side_car, self.plan.generated
        before = {path: found for path, found in old.before.items() if path in new.files}
        for path, data in new.files.items():
            recorded = old.files.get(path)
            now = new.as_before.get(path) or digest(path, data)
            if is_modelica(path) and recorded != now:
                before[path] = recorded or ""
        return before

    def _has(self, path: str, data: bytes | None) -> bool:
        """Is this file there? How lines end in it is nothing that an update changes."""
        here = self.plan.user.files.get(path)
        return same_content("side_car.json", here, data)

    def _file_updates(self, new: Mapping[str, bytes | None]) -> Iterator[FileUpdate]:
        """What is different at the end from what is on the disk, renamed files too."""
        before, after = self.plan.disk.files, overlaid(self.plan.user.files, new)
        folder = self.plan.user.folder
        for path in sorted({*before, *after}):
            if before.get(path) != after.get(path):
                yield FileUpdate(folder / path, before.get(path), after.get(path))
        for file, (old, data) in sorted(self.plan.outside.items()):
            yield FileUpdate(file, old, data)

    def _report(self, merge: Reconciliation, kept: tuple[KeptPart, ...]) -> Report:
        plan, versions = self.plan, self.plan.versions
        return Report(
            plan.user.full_name,
            (*merge.taken(versions.ours), *self.pruned),  # what was commented out is gone too
            tuple(merge.conflicts),
            (*versions.notes, *merge.kept, *self.kept),
            plan.generated.left_out,
            plan.suggestions,
            tuple(each for each in plan.side_car.conflicts if each in merge.still_open),
            tuple(sorted(versions.place(path) for path in versions.changed)),
            tuple(self.attention),
            kept,
            plan.side,
            lambda: tuple(_edits(versions if plan.former is None else plan.former())),
        )


def _bases(text: str, name: tuple[str, ...] | None) -> list[str]:
    """What a class extends: that of a name, or the first of a file."""
    document = Document(text)
    found = document.classes[0] if name is None else class_inside(document, name)
    return [] if found is None else found.extends


def _users(around: Around, files: Sequence[str], going: set[str]) -> Iterator[str]:
    """The places that use the classes in some files, other than what is `going`."""
    chains = [class_chain(path) for path in files if path.endswith(".mo")]
    # Whatever uses a class in a package uses the package.
    tops = [chain for chain in chains if not any(chain[: len(each)] == each for each in chains if each != chain)]
    return (where for _, where, _ in around.uses(map(".".join, tops), going))


def _orders(paths: Iterable[str]) -> dict[str, set[str]]:
    """The names that each package.order has for the classes in some files."""
    found: dict[str, set[str]] = {}
    for path in paths:
        *around, name = class_chain(path)
        if path.endswith(".mo"):
            found.setdefault("/".join((*around, ORDER_FILE)), set()).add(name)
    return found


def _removed(name: tuple[str, ...]) -> Change:
    """A class is gone."""
    return Change("removed", "class", name, "\0".join(name))


def _edits(versions: Versions) -> Iterator[Edit]:
    """What the user has written into generated files."""
    for path in sorted(versions.changed):
        if path in versions.base and path not in versions.ours and path.endswith(".mo"):
            chain = class_chain(path)
            yield Edit(path, _removed(chain[-1:]))
        elif path in versions.base and path in versions.ours and path.endswith(".mo"):
            for change in compare(versions.base[path], versions.ours[path]):
                yield Edit(versions.place(path), change)
