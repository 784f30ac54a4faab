"""Random small packages about names: so few of them that one hides another often."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

TOP = "P"
CLASSES = ("A", "B", "C")
COMPONENTS = ("x", "y")
_DEEPEST = 3


@dataclass(eq=False)
class _Plan:
    """A class that there should be: first all of them are made up, then each is written with names of the others."""

    name: str
    around: _Plan | None
    depth: int
    classes: list[_Plan] = field(default_factory=list)
    components: dict[str, _Plan | None] = field(default_factory=dict)  # None is for Real
    bases: list[_Plan] = field(default_factory=list)
    is_replaceable: bool = False
    is_short: bool = False
    kind: str = "model"

    @property
    def path(self) -> list[str]:
        return [*(self.around.path if self.around else ()), self.name]

    @property
    def enclosing(self) -> list[_Plan]:
        return [self, *(self.around.enclosing if self.around else ())]

    @property
    def is_fickle(self) -> bool:
        """Is it replaceable, or something around it? Then 7.1.4 forbids to inherit from it."""
        return any(one.is_replaceable for one in self.enclosing)

    def all_classes(self) -> list[_Plan]:
        """Its classes, its own first; a base may have one of the same name."""
        return [*self.classes, *(one for base in self.bases for one in base.all_classes())]

    def all_components(self) -> dict[str, _Plan | None]:
        found: dict[str, _Plan | None] = {}
        for base in self.bases:
            found.update(base.all_components())
        return found | self.components


@st.composite
def packages(draw: st.DrawFn) -> str:
    """The text of a package P. Its names lead somewhere mostly, though not always where they were meant to."""
    top = _Plan(TOP, None, 0, kind="package")
    plans: list[_Plan] = []
    _plan_classes(draw, top, plans)
    for number, plan in enumerate(plans):
        earlier = [one for one in plans[:number] if one not in plan.enclosing and not one.is_fickle]
        if earlier and _often(draw):
            plan.bases.append(draw(st.sampled_from(earlier)))
            plan.is_short = not plan.classes and _often(draw)
        apart = [one for one in plans if one not in plan.enclosing and plan not in one.enclosing]
        if not plan.is_short:
            for name in draw(st.lists(st.sampled_from(COMPONENTS), unique=True)):
                plan.components[name] = draw(st.sampled_from([None, *apart]))
    return f"{_Writer(draw, plans).text(top, '')};\n"


def _often(draw: st.DrawFn) -> bool:
    return draw(st.booleans())


def _plan_classes(draw: st.DrawFn, around: _Plan, plans: list[_Plan]) -> None:
    least = 2 if around.depth == 0 else 0
    for name in draw(st.lists(st.sampled_from(CLASSES), unique=True, min_size=least)):
        plan = _Plan(name, around, around.depth + 1, kind=draw(st.sampled_from(("model", "package"))))
        plan.is_replaceable = _often(draw)
        around.classes.append(plan)
        plans.append(plan)
        if plan.depth < _DEEPEST:
            _plan_classes(draw, plan, plans)


@dataclass
class _Writer:
    """Writes planned classes."""

    draw: st.DrawFn
    plans: list[_Plan]

    def often(self) -> bool:
        return _often(self.draw)

    def seldom(self) -> bool:
        return self.draw(st.integers(0, 4)) == 4

    def one(self, items: list[_Plan]) -> _Plan:
        return self.draw(st.sampled_from(items))

    def name_of(self, plan: _Plan, here: _Plan) -> str:
        """A name of a class: from the top, from the innermost class around both, or cut at random."""
        path = plan.path
        common = next(one for one in here.enclosing if one in plan.enclosing)
        cut = self.draw(st.sampled_from((len(common.path), len(common.path), 0, -1, len(path) - 1)))
        if cut == -1:
            return "." + ".".join(path)
        return ".".join(path[min(cut, len(path) - 1) :])

    def text(self, plan: _Plan, prefix: str) -> str:
        """The definition of a class, without its semicolon."""
        if plan.is_short:
            base = plan.bases[0]
            around = plan.around or plan
            start = f"{prefix}{plan.kind} {plan.name} = {self.name_of(base, around)}{self.modifiers(base, around)}"
            is_constrained = "replaceable" in prefix and self.often()
            return f"{start} constrainedby {self.name_of(base, plan)}" if is_constrained else start
        encapsulated = "encapsulated " if plan.around and self.seldom() else ""
        lines = [f"{prefix}{encapsulated}{plan.kind} {plan.name}", *self.inside(plan)]
        return "\n".join([*lines, "  " * plan.depth + f"end {plan.name}"])

    def inside(self, plan: _Plan) -> list[str]:
        """The elements and equations of a class."""
        elements = [self.import_(self.one(self.plans))] if self.seldom() else []
        elements += [f"extends {self.name_of(base, plan)}{self.modifiers(base, plan)}" for base in plan.bases]
        for one in plan.classes:
            elements.append(self.text(one, "replaceable " if one.is_replaceable else ""))
        for name, type_ in plan.components.items():
            value = f" = {self.reference(plan)}" if self.often() else ""
            value = "" if value == f" = {name}" else value
            constant = "constant " if plan.kind == "package" else ""
            of = "Real" if type_ is None else self.name_of(type_, plan)
            elements.append(f"{constant}{of} {name}{self.modifiers(type_, plan)}{value}")
        elements += self.redeclarations(plan)
        lines = ["  " * (plan.depth + 1) + element + ";" for element in elements]
        if plan.kind == "model" and self.often():
            lines.append("  " * plan.depth + "equation")
            lines.append("  " * (plan.depth + 1) + f"{self.reference(plan)} = {self.reference(plan)};")
        return lines

    def redeclarations(self, plan: _Plan) -> list[str]:
        """Elements that redeclare inherited classes."""
        found = []
        own = {one.name for one in plan.classes}
        for inherited in [one for base in plan.bases for one in base.all_classes() if one.is_replaceable]:
            if inherited.name in own or not self.often():
                continue
            own.add(inherited.name)
            form = self.draw(st.sampled_from(("short", "long", "extends")))
            if form == "short":
                other = self.one(self.plans)
                found.append(
                    f"redeclare model {inherited.name} = {self.name_of(other, plan)}{self.modifiers(other, plan)}"
                )
                continue
            start = f"redeclare model extends {inherited.name}{self.modifiers(inherited, plan)}"
            start = start if form == "extends" else f"redeclare model {inherited.name}"
            member = self.draw(st.sampled_from(COMPONENTS))
            found.append(f"{start} Real {member} = {self.reference(plan)}; end {inherited.name}")
        return found

    def import_(self, plan: _Plan) -> str:
        """One of the four kinds of import."""
        path, alias = ".".join(plan.path), self.draw(st.sampled_from(CLASSES))
        package = ".".join(plan.path[:-1])
        kinds = (f"{path}", f"{alias} = {path}", f"{package}.*", f"{path}.*", f"{package}.{{{plan.name}}}")
        return f"import {self.draw(st.sampled_from(kinds))}"

    def reference(self, plan: _Plan) -> str:
        """A component of this class, of one of its components, or of another class."""
        if self.seldom():
            other = self.one(self.plans)
            return f"{self.name_of(other, plan)}.{self.draw(st.sampled_from(COMPONENTS))}"
        name = self.draw(st.sampled_from(COMPONENTS))
        type_ = plan.all_components().get(name)
        if type_ is None or not type_.all_components() or not self.often():
            return name
        return f"{name}.{self.draw(st.sampled_from(sorted(type_.all_components())))}"

    def modifiers(self, plan: _Plan | None, here: _Plan, *, deep: bool = False) -> str:
        """A list of modifiers of a class, or nothing: values, nested and dotted ones, redeclarations."""
        if plan is None or not self.often():
            return ""
        arguments = []
        for name, type_ in plan.all_components().items():
            if not self.often():
                continue
            inner = sorted(type_.all_components()) if type_ is not None else ["start"]
            if inner and self.often():
                member = self.draw(st.sampled_from(inner))
                arguments.append(
                    f"{name}.{member} = 1" if self.often() else f"{name}({member} = {self.reference(here)})"
                )
            else:
                arguments.append(f"{name} = {self.reference(here)}")
        for one in plan.all_classes():
            if one.is_replaceable and self.often() and not any(f"model {one.name} " in text for text in arguments):
                other = self.one(self.plans)
                inside = "" if deep else self.modifiers(other, here, deep=True)
                arguments.append(f"redeclare model {one.name} = {self.name_of(other, here)}{inside}")
        return f"({', '.join(arguments)})" if arguments else ""
