"""assembly.yaml: the robot's name and its modules, each with its line."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Final

import yaml
from attrs import define, frozen

from modelica_ast.foundation import compose, did_you_mean, read_regular
from urdf_frontend.modules.instances import Instance, ModuleError, UnreadableAssemblyError, is_word
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
    return _Reader(file).assembly(_compose(text, file))


def _compose(text: str, file: str) -> yaml.Node:
    node = compose(text, file, "an assembly", UnreadableAssemblyError)
    if node is None:
        raise ModuleError(f"{file}:1: the file is empty; it needs 'robot:' and 'modules:'")
    return node


@define
class _Reader:
    """Takes the nodes of YAML apart. An assembly has a fixed depth, so nothing here recurses."""

    file: str

    def assembly(self, root: yaml.Node) -> AssemblyFile:
        entries = self.mapping(root, _TOP, "an assembly")
        if "modules" not in entries:
            raise self.error(root, "there is no 'modules:', the list of modules from the base on")
        if "robot" not in entries:
            raise self.error(root, "there is no 'robot:', the robot's name")
        modules = entries["modules"]
        if not isinstance(modules, yaml.SequenceNode) or not modules.value:
            raise self.error(modules, "'modules:' is a list with at least one module, such as '- use: base.urdf'")
        instances = [self.instance(node, is_attached=False) for node in modules.value]
        if "attach" in entries:
            attach = entries["attach"]
            nodes = attach.value if isinstance(attach, yaml.SequenceNode) else [attach]
            instances += [self.instance(node, is_attached=True) for node in nodes]
        self.unique_names(instances)
        srdf = self.text(entries["srdf"], "srdf") if "srdf" in entries else None
        return AssemblyFile(self.text(entries["robot"], "robot"), tuple(instances), srdf)

    def instance(self, node: yaml.Node, *, is_attached: bool) -> Instance:
        line = node.start_mark.line + 1
        if isinstance(node, yaml.ScalarNode):
            return Instance(use=self.text(node, "use"), is_attached=is_attached, line=line)
        entries = self.mapping(node, _ENTRY, "a module")
        if "use" not in entries:
            raise self.error(node, "a module needs 'use:', its URDF file")
        texts = {key: self.text(entries[key], key) for key in _ENTRY if key in entries and key != "rotate"}
        if "as" in texts and not is_word(texts["as"]):
            raise self.error(entries["as"], f"'as: {texts['as']}' is no name: letters, digits and '_', no digit first")
        return Instance(
            use=texts["use"],
            given_name=texts.get("as"),
            parent=texts.get("parent"),
            rotate=self.angle(entries["rotate"]) if "rotate" in entries else 0.0,
            prefix=texts.get("prefix"),
            srdf=texts.get("srdf"),
            joint=texts.get("joint"),
            is_attached=is_attached,
            line=line,
        )

    def mapping(self, node: yaml.Node, known: tuple[str, ...], what: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.error(node, f"{what} is written with the keys {', '.join(known)}")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name not in known:
                instead = did_you_mean(name, known) or f"it has {', '.join(known)}"
                raise self.error(key, f"{what} has no '{name}'; {instead}")
            if name in found:
                raise self.error(key, f"'{name}' is there twice")
            found[name] = value
        return found

    def text(self, node: yaml.Node, key: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or (not node.value.strip() and key != "prefix"):
            raise self.error(node, f"'{key}' takes a text")
        if not node.value.isprintable():
            raise self.error(node, f"'{key}' has characters in it that names and XML do not take")
        return str(node.value)

    def angle(self, node: yaml.Node) -> float:
        value: Any = node.value if isinstance(node, yaml.ScalarNode) else ""
        degrees = _DEGREES.fullmatch(value)
        try:
            number = math.radians(float(degrees[1])) if degrees else float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(node, "'rotate' takes an angle in radians such as 1.5708, or in degrees such as 90 deg")
        return number

    def unique_names(self, instances: list[Instance]) -> None:
        seen: dict[str, Instance] = {}
        for instance in instances:
            name = instance.given_name
            if name is None:
                continue
            if name in seen:
                message = f"'{name}' is the name of the module in line {seen[name].line} already"
                raise ModuleError(f"{self.file}:{instance.line}: {message}")
            seen[name] = instance

    def error(self, node: yaml.Node, message: str) -> ModuleError:
        return ModuleError(f"{self.file}:{node.start_mark.line + 1}: {message}")


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
