"""The API reference, a page for each public module, made from its signatures and docstrings: `make docs`.

A public module is one whose `__all__` is a promise. What a class has from a base that is not public itself is listed
with the class.
"""

# ruff: noqa: INP001  (the folder of the documentation is not a package)

from __future__ import annotations

import enum
import functools
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final, get_origin, get_type_hints

from modelica_ast.edit.methods import Method
from modelica_ast.tree.base import View

MODULES: Final = (
    "modelica_ast",
    "modelica_ast.tree",
    "modelica_ast.edit",
    "modelica_ast.files",
    "modelica_ast.graphics",
    "modelica_ast.library",
    "modelica_ast.refactor",
    "modelica_ast.rules",
    "modelica_ast.patterns",
    "modelica_ast.recipes",
    "modelica_ast.compare",
    "modelica_ast.generate",
    "modelica_ast.format",
    "modelica_ast.drawing",
    "modelica_ast.simulation",
    "modelica_ast.testing",
    "urdf_frontend",
    "urdf_frontend.robot",
    "urdf_frontend.package",
    "urdf_frontend.motion",
    "urdf_frontend.typed",
    "urdf_frontend.typed_modules",
    "urdf_frontend.modules",
    "urdf_frontend.constraints",
    "urdf_frontend.constraints.cells",
    "urdf_frontend.fmi",
)
_HEAD: Final = """\
# API reference

Every public name, by module. Made from the docstrings. The [guide](../guide.md#what-is-public) says what is promised
about these names, and [verbs](../verbs.md) shows each edit on an example.
"""
# The descriptors of views stand for what they give.
_DESCRIPTOR: Final = re.compile(r"^(Field|Items|Child)\[(.*)\]$")
_FORWARD: Final = re.compile(r"ForwardRef\('([^']*)'\)")
_NO_FIELD: Final = re.compile(r"^(ClassVar|Final)\b")


def pages() -> dict[str, str]:
    """The texts of the pages, by their names in the folder of the reference."""
    modules = [importlib.import_module(name) for name in MODULES]
    homes: dict[int, str] = {}  # where a public thing has its entry; the first module that exports it counts
    for module in modules:
        for name in module.__all__:
            homes.setdefault(id(getattr(module, name)), f"{module.__name__}.md#{name.lower()}")
    parts = [f"- [{module.__name__}]({module.__name__}.md): {_first(module)}" for module in modules]
    return {
        "index.md": "\n".join([_HEAD, *parts, ""]),
        **{f"{module.__name__}.md": _page(module, homes) for module in modules},
    }


def _page(module: ModuleType, homes: Mapping[int, str]) -> str:
    entries = [_entry(name, getattr(module, name), homes) for name in module.__all__]
    return "\n".join([f"# {module.__name__}\n\n{_doc(module)}\n", *entries])


def _entry(name: str, thing: Any, homes: Mapping[int, str]) -> str:
    """One name of a module: its heading, its signature, its docstring, its members."""
    lines = [f"## {name}", ""]
    if inspect.isclass(thing):
        lines += _class_head(name, thing, homes)
        members = list(_members(thing, homes))
    elif get_origin(thing) is not None:
        lines += [f"The type `{_plain(thing)}`.", ""]
        members = []
    elif not callable(thing):
        lines += [f"A constant, a `{type(thing).__name__}`.", ""]
        members = []
    else:
        lines += [f"`{name}{_signature(thing)}`", "", _doc(thing), ""]
        members = []
    return "\n".join([*lines, *members, *([""] if members else [])])


# ---------------------------------------------------------------- classes


def _class_head(name: str, cls: type, homes: Mapping[int, str]) -> list[str]:
    lines = []
    # Views are made by the tree, and enumerations by their members: nobody calls these.
    if "__init__" in vars(cls) and not issubclass(cls, View | enum.Enum) and not hasattr(cls, "__attrs_attrs__"):
        lines += [f"`{name}{_signature(cls.__init__, skip=1, returns=False)}`", ""]
    lines += [_doc(cls), ""]
    bases = [base for base in cls.__mro__[1:] if id(base) in homes]
    if bases:
        lines += [f"Has all that [{bases[0].__name__}]({homes[id(bases[0])]}) has.", ""]
    return lines


def _members(cls: type, homes: Mapping[int, str]) -> Iterator[str]:
    """The public members that a class has of its own, or from a base that has no entry."""
    if issubclass(cls, enum.Enum):
        yield "Members: " + ", ".join(f"`{member.name}`" for member in cls) + "."
        return
    seen: set[str] = set()
    for base in cls.__mro__:
        if base is not cls and (id(base) in homes or not base.__module__.startswith("modelica_ast")):
            continue
        for name, type_ in _fields(base):
            if name not in seen:
                seen.add(name)
                yield f"- `{name}: {type_}`" if type_ else f"- `{name}`"
        for name, member in vars(base).items():
            line = None if name.startswith("_") or name in seen else _member(cls, name, member)
            if line is not None:
                seen.add(name)
                yield line


def _fields(cls: type) -> Iterator[tuple[str, str]]:
    for name, annotation in inspect.get_annotations(cls).items():
        type_ = _plain(annotation)
        if name.startswith("_") or _NO_FIELD.match(type_):
            continue
        descriptor = _DESCRIPTOR.match(type_)
        if descriptor is not None:
            type_ = f"list[{descriptor[2]}]" if descriptor[1] == "Items" else descriptor[2]
        yield name, type_
    if "__init__" in vars(cls) and not issubclass(cls, View):
        yield from _set_by_init(vars(cls)["__init__"])


def _set_by_init(init: Any) -> Iterator[tuple[str, str]]:
    """The attributes that nobody has declared in the class, with the types of the parameters they are set to, or ''."""
    types = inspect.get_annotations(init)
    try:
        source = inspect.getsource(init)
    except OSError:  # attrs writes its own, and declares every field
        return
    for name, declared, value in re.findall(r"^ +self\.([a-z]\w*)(?:: (.+?))? = (.+)$", source, re.MULTILINE):
        yield name, declared or _plain(types.get(value, ""))


def _member(cls: type, name: str, member: Any) -> str | None:
    """A property or a method as one line of a list; None for anything else."""
    if isinstance(member, property | functools.cached_property):
        getter: Any = member.fget if isinstance(member, property) else member.func
        return f"- `{name}: {_plain(inspect.get_annotations(getter).get('return', 'Any'))}`. {_first(getter)}"
    function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
    if not inspect.isfunction(function) and not isinstance(function, Method):
        return None
    skip = 0 if isinstance(member, staticmethod) else 1
    called_on = "" if function is member else f"{cls.__name__}."
    return f"- `{called_on}{name}{_signature(function, skip=skip)}`. {_first(function)}"


# ---------------------------------------------------------------- signatures and docstrings


def _signature(function: Any, *, skip: int = 0, returns: bool = True) -> str:
    """The parameters and the result, as the source has them."""
    found = inspect.signature(function)
    written = []
    star_seen = False
    for parameter in list(found.parameters.values())[skip:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not star_seen:
            written.append("*")
        star_seen = star_seen or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        written += _parameter(function, parameter)
    result = "" if not returns or found.return_annotation is found.empty else f" -> {_plain(found.return_annotation)}"
    return f"({', '.join(written)}){result}"


def _parameter(function: Any, parameter: inspect.Parameter) -> list[str]:
    """One parameter; `**where: Unpack[Where]` as the keywords that it stands for."""
    type_ = "" if parameter.annotation is parameter.empty else _plain(parameter.annotation)
    unpacked = re.match(r"Unpack\[(\w+)\]$", type_)
    if unpacked is not None:
        return [f"{key}=…" for key in get_type_hints(function.__globals__[unpacked[1]])]
    stars = {parameter.VAR_POSITIONAL.name: "*", parameter.VAR_KEYWORD.name: "**"}
    text = stars.get(parameter.kind.name, "") + parameter.name
    text += f": {type_}" if type_ else ""
    if parameter.default is not parameter.empty:
        shown = "…" if callable(parameter.default) else repr(parameter.default)
        text += f" = {shown}" if type_ else f"={shown}"
    return [text]


def _plain(annotation: Any) -> str:
    """A type as the source writes it, also where a decorator has evaluated it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _FORWARD.sub(r"\1", text).replace("hypothesis.strategies.", "st.")


def _doc(thing: Any) -> str:
    """The docstring; whoever exports a name describes it."""
    found = inspect.getdoc(thing)
    if not found:
        raise ValueError(f"{thing!r} is public and has no docstring")
    return found


def _first(thing: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(_doc(thing).split("\n\n")[0].split())
