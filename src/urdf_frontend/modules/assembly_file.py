"""assembly.yaml: the robot's name and its modules, each with its line."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Final

import yaml
from attrs import frozen

from modelica_ast.foundation import YamlValue, read_regular, read_yaml
from urdf_frontend.modules.module_file import Instance, ModuleError, UnreadableAssemblyError, is_word
from urdf_frontend.urdf import reason_of

_TOP: Final = ("robot", "modules", "attach", "srdf")
_ENTRY: Final = ("use", "as", "parent", "rotate", "prefix", "srdf", "joint")
_DEGREES: Final = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*deg\s*")


@frozen
class AssemblyFile:
    """What an assembly file says."""

    robot: str
    instances: tuple[Instance, ...]
    srdf: str | None = None  # what is said about several modules at once


def read_assembly(path: Path) -> AssemblyFile:
    """Read a file; ModuleError with the line for what is wrong with it."""
    try:
        text = read_regular(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableAssemblyError(f"{path}: it is not UTF-8; save it as UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise UnreadableAssemblyError(f"{path}: the file can't be read: {reason_of(error)}") from None
    return parse_assembly(text, str(path))


def parse_assembly(text: str, file: str) -> AssemblyFile:
    """The same of a text."""
    empty = "the file is empty; it needs 'robot:' and 'modules:'"
    # An assembly has a fixed depth, however much its aliases repeat.
    given = read_yaml(text, file, ModuleError, unreadable=UnreadableAssemblyError, aliases=True, empty=empty)
    fields = given.fields(*_TOP, required=_TOP[:2], about="an assembly")
    modules = fields["modules"]
    if not (modules.is_list and modules.items()):
        raise modules.error("'modules:' is a list with at least one module, such as '- use: base.urdf'")
    instances = [_instance(each, is_attached=False) for each in modules.items()]
    if "attach" in fields:
        attach = fields["attach"]
        instances += [_instance(each, is_attached=True) for each in (attach.items() if attach.is_list else [attach])]
    _check_names(instances, file)
    srdf = fields["srdf"].text() if "srdf" in fields else None
    return AssemblyFile(fields["robot"].text(), tuple(instances), srdf)


def _instance(given: YamlValue, *, is_attached: bool) -> Instance:
    if given.is_text:
        return Instance(use=given.text(), is_attached=is_attached, line=given.line)
    fields = given.fields(*_ENTRY, required=("use",), about="a module")
    texts = {key: value.text(empty=key == "prefix") for key, value in fields.items() if key != "rotate"}
    if "as" in texts and not is_word(texts["as"]):
        problem = f"'as: {texts['as']}' is not a name: letters, digits and '_', and no digit first"
        raise fields["as"].error(problem)
    return Instance(
        use=texts["use"],
        given_name=texts.get("as"),
        parent=texts.get("parent"),
        rotate=_angle(fields["rotate"]) if "rotate" in fields else 0.0,
        prefix=texts.get("prefix"),
        srdf=texts.get("srdf"),
        joint=texts.get("joint"),
        is_attached=is_attached,
        line=given.line,
    )


def _angle(given: YamlValue) -> float:
    text = given.text() if given.is_text else ""
    degrees = _DEGREES.fullmatch(text)
    try:
        number = math.radians(float(degrees[1])) if degrees else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise given.error("'rotate' takes an angle in radians such as 1.5708, or in degrees such as 90 deg")
    return number


def _check_names(instances: list[Instance], file: str) -> None:
    seen: dict[str, Instance] = {}
    for instance in instances:
        name = instance.given_name
        if name is None:
            continue
        if name in seen:
            message = f"'{name}' is the name of the module in line {seen[name].line} already"
            raise ModuleError(f"{file}:{instance.line}: {message}")
        seen[name] = instance


def assembly_yaml(robot: str, instances: tuple[Instance, ...], srdf: str | None = None) -> str:
    """The text of an assembly file that says this."""
    data: dict[str, Any] = {"robot": robot, "modules": [_entry(each) for each in instances if not each.is_attached]}
    attached = [_entry(each) for each in instances if each.is_attached]
    if attached:
        data["attach"] = attached
    if srdf is not None:
        data["srdf"] = srdf
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)


def _entry(instance: Instance) -> dict[str, Any]:
    entry = {
        "use": instance.use,
        "as": instance.given_name,
        "parent": instance.parent,
        "rotate": instance.rotate or None,
        "prefix": instance.prefix,
        "srdf": instance.srdf,
        "joint": instance.joint,
    }
    return {key: value for key, value in entry.items() if value is not None}
