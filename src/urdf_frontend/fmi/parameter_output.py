"""Parameters of a model written into a file for ROS 2: a new one, or one that somebody has edited already.

In a file that is there, comments, order and all other keys stay. A value that differs from that of the model may have
been tuned, so it is never replaced without being told to.
"""

from __future__ import annotations

import ast
from typing import Final

from attrs import evolve, frozen

from urdf_frontend.fmi.parameter_files import (
    ROS_PARAMETERS,
    Entry,
    NodeParameters,
    get_node,
    nodes_of,
    read_entries,
    yaml_comment,
    yaml_float,
    yaml_key,
    yaml_text,
)
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.ros_parameters import OF_THE_NODE, RosParameter, RosParameters
from urdf_frontend.typed_modules import text_of


@frozen
class Wanted:
    """What is to be in the file."""

    model: str
    node: str
    parameters: RosParameters
    fmu: str | None = None
    step_size: float | None = None
    update_period: float | None = None


@frozen
class Differs:
    """A value in the file that is not that of the model."""

    name: str
    line: int
    there: str
    here: str

    def __str__(self) -> str:
        return f"'{self.name}' is {self.there} there, and {self.here} here"


@frozen
class Written:
    """The new text of a file, what was replaced in it, and the keys in it that are nothing of the model."""

    text: str
    replaced: tuple[Differs, ...]
    unknown: tuple[Entry, ...]


class DiffersError(FmiError):
    """Values in the file differ from those of the model, and nobody said which ones count."""

    def __init__(self, file: str, differences: tuple[Differs, ...]) -> None:
        self.differences = differences
        lines = "".join(f"\n  {file}:{each.line}: {each}" for each in differences)
        ways = "--force takes those of the model, --apply brings those of the file into the model"
        super().__init__(f"{file} has values that the model does not have; {ways}:{lines}")


def new_text(wanted: Wanted) -> str:
    """A new file."""
    head = f"# Parameters of {yaml_comment(wanted.model)} for a node of fmi_adapter.\n"
    return head + _node_text(wanted, "\n")


def updated_text(text: str, wanted: Wanted, file: str, *, force: bool = False) -> Written:
    """A file with the parameters in it; DiffersError if it has other values, unless `force` is true."""
    newline = "\r\n" if "\r\n" in text else "\n"
    nodes = nodes_of(text, file)
    node = get_node(nodes, wanted.node)
    if node is None:
        if nodes:
            _refuse_flow(next(iter(nodes.values())), file)
        elif read_entries(text, file):
            raise FmiError(f"{file} is not a parameter file: there is no {ROS_PARAMETERS} in it")
        gap = "" if not text or text.endswith("\n") else newline
        result = text + gap + _node_text(wanted, newline)
        return Written(_proved(text, result, wanted, file), (), ())
    _refuse_flow(node, file)
    return _Update(text, evolve(wanted, node=node.node), file, node, newline).written(force=force)


class _Update:
    """The edits of one file."""

    def __init__(self, text: str, wanted: Wanted, file: str, node: NodeParameters, newline: str) -> None:
        self._text = text
        self._wanted = wanted
        self._file = file
        self._node = node
        self._newline = newline
        self._edits: list[tuple[int, int, str]] = []
        self._replaced: list[Differs] = []

    def written(self, *, force: bool) -> Written:
        known = self._node.by_name
        missing: list[str] = []
        for key, value, line in _lines(self._wanted):
            if key in known:
                self._compare(known[key], key, value)
            else:
                missing.append(line)
        differing = tuple(self._replaced)
        if differing and not force:
            raise DiffersError(self._file, differing)
        if missing:
            self._insert(missing)
        text = self._text
        for start, end, new in sorted(self._edits, reverse=True):
            text = text[:start] + new + text[end:]
        names = {key for key, _, _ in _lines(self._wanted)} | OF_THE_NODE
        unknown = tuple(each for each in self._node.parameters if each.path[-1] not in names)
        return Written(_proved(self._text, text, self._wanted, self._file), differing, unknown)

    def _compare(self, entry: Entry, key: str, value: str | float) -> None:
        if entry.kind != "scalar":
            raise FmiError(f"{self._file}:{entry.line}: the value of '{key}' is {_article(entry.kind)}: write a number")
        if isinstance(value, str):
            if entry.text != value:
                self._replace(entry, key, entry.text, yaml_text(value))
        elif entry.number is None:
            self._replace(entry, key, self._text[entry.start : entry.end] or "nothing", yaml_float(value))
        elif entry.number != value:
            self._replace(entry, key, entry.text, yaml_float(value))
        elif entry.is_integer:
            self._edits.append((entry.start, entry.end, yaml_float(value)))  # the same, as ROS wants it

    def _replace(self, entry: Entry, key: str, there: str, here: str) -> None:
        self._replaced.append(Differs(key, entry.line, there, here))
        gap = "" if entry.start < entry.end or self._text[entry.start - 1 : entry.start] == " " else " "
        self._edits.append((entry.start, entry.end, gap + here))

    def _insert(self, lines: list[str]) -> None:
        last = max(self._node.inside, key=lambda each: each.end, default=None)
        first = self._node.parameters[0] if self._node.parameters else None
        if last is None or first is None:
            raise FmiError(f"{self._file}:{self._node.around.line}: {ROS_PARAMETERS} is empty: take it out, or fill it")
        end = self._text.find("\n", last.end - 1)
        block = "".join(" " * (first.column - 1) + line + self._newline for line in lines)
        if end < 0:
            self._edits.append((len(self._text), len(self._text), self._newline + block))
        else:
            self._edits.append((end + 1, end + 1, block))


def _lines(wanted: Wanted) -> list[tuple[str, str | float, str]]:
    """Each key with its value and its line."""
    found: list[tuple[str, str | float, str]] = []
    if wanted.fmu is not None:
        found.append(("fmu_path", wanted.fmu, f"fmu_path: {yaml_text(wanted.fmu)}"))
    for key, value in (("step_size", wanted.step_size), ("update_period", wanted.update_period)):
        if value is not None:
            found.append((key, value, f"{key}: {yaml_float(value)}  # s"))
    for parameter in wanted.parameters.written:
        line = f"{yaml_key(parameter.name)}: {yaml_float(parameter.value)}{_remark(parameter)}"
        found.append((parameter.name, parameter.value, line))
    return found


def _remark(parameter: RosParameter) -> str:
    variable = parameter.variable
    unit = f"[{variable.unit}]" if variable.unit else ""
    renamed = f"({parameter.fmi_name})" if parameter.name != parameter.fmi_name else ""
    words = " ".join(part for part in (variable.description, unit, renamed) if part)
    return f"  # {yaml_comment(words)}" if words.strip() else ""


def _node_text(wanted: Wanted, newline: str) -> str:
    lines = [f"{yaml_key(wanted.node)}:", f"  {ROS_PARAMETERS}:"]
    inside = [f"    {line}" for _, _, line in _lines(wanted)]
    if not inside:
        raise FmiError(f"{wanted.model} has no parameter that ROS can set, and there is no --fmu; try --nested")
    lines += inside
    if wanted.parameters.left_out:
        lines.append("    # Parameters that are not set from here:")
        lines += [
            f"    # {yaml_comment(each.name)}: {yaml_comment(each.reason)}" for each in wanted.parameters.left_out
        ]
    return newline.join(lines) + newline


def _refuse_flow(node: NodeParameters, file: str) -> None:
    if node.around.is_flow or node.around.kind != "mapping":
        raise FmiError(
            f"{file}:{node.around.line}: {ROS_PARAMETERS} of '{node.node}' must be a mapping on lines of its own"
        )


def _proved(before: str, after: str, wanted: Wanted, file: str) -> str:
    """The new text, after it was read again: it has what was wanted, and all else that was there."""
    new = nodes_of(after, file)[wanted.node].by_name
    for key, value, _ in _lines(wanted):
        entry = new[key]
        if (entry.text if isinstance(value, str) else entry.number) != value:
            raise FmiError(f"{file}:{entry.line}: '{key}' can't be changed here without changing more")
    names = {key for key, _, _ in _lines(wanted)}
    old = {entry.path: entry.text for entry in read_entries(before, file)}
    now = {entry.path: entry.text for entry in read_entries(after, file)}
    changed = [path for path, text in old.items() if now.get(path) != text and path[-1] not in names]
    if changed:
        raise FmiError(f"{file}: writing the parameters would change '{'/'.join(changed[0])}' too")
    return after


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] == "a" else f"a {kind}"


# ---------------------------------------------------------------- launch file
# Made as a tree of Python: the node with its parameters. The node of fmi_adapter is a managed one: it does nothing
# until somebody configures it and then activates it.

_PACKAGE: Final = "fmi_adapter"
_EXECUTABLE: Final = "fmi_adapter_node"
_IMPORTS: Final = (
    ("launch", "LaunchDescription"),
    ("launch.actions", "EmitEvent", "RegisterEventHandler"),
    ("launch.events.matchers", "matches_action"),
    ("launch_ros.actions", "LifecycleNode"),
    ("launch_ros.event_handlers", "OnStateTransition"),
    ("launch_ros.events.lifecycle", "ChangeState"),
    ("lifecycle_msgs.msg", "Transition"),
)


def launch_text(model: str, node: str, parameters_file: str) -> str:
    """A launch file. `parameters_file` is the path of the YAML file from the folder of the launch file on."""
    statements: list[ast.stmt] = [ast.Expr(ast.Constant(f"Run the FMU of {model} as the node {node}."))]
    statements.append(ast.ImportFrom("pathlib", [ast.alias("Path")], 0))
    statements += [ast.ImportFrom(module, [ast.alias(name) for name in names], 0) for module, *names in _IMPORTS]
    statements.append(_function(node, parameters_file))
    # Read once more, the nodes have all the fields that a comparison looks at.
    module = ast.parse(ast.unparse(ast.fix_missing_locations(ast.Module(statements, []))))
    parts = [text_of(statement) for statement in module.body]
    docstring, path, *imports = parts[:-1]
    return f"{docstring}\n\n{path}\n\n" + "\n".join(imports) + f"\n\n\n{parts[-1]}\n"


def _function(node: str, parameters_file: str) -> ast.FunctionDef:
    namespace, _, name = node.strip("/").rpartition("/")
    here = ast.Attribute(_call("Path", ast.Name("__file__")), "parent")
    file = _call("str", ast.BinOp(here, ast.Div(), ast.Constant(parameters_file)))
    made = _call(
        "LifecycleNode",
        package=ast.Constant(_PACKAGE),
        executable=ast.Constant(_EXECUTABLE),
        name=ast.Constant(name),
        namespace=ast.Constant(namespace),
        output=ast.Constant("screen"),
        parameters=ast.List([file]),
    )
    activate = _call(
        "RegisterEventHandler",
        _call(
            "OnStateTransition",
            target_lifecycle_node=ast.Name("node"),
            goal_state=ast.Constant("inactive"),
            entities=ast.List([_change("TRANSITION_ACTIVATE")]),
        ),
    )
    body: list[ast.stmt] = [
        ast.Expr(ast.Constant("Start the node, configure it, and activate it when it is ready.")),
        _assign("node", made),
        _assign("configure", _change("TRANSITION_CONFIGURE")),
        _assign("activate_when_configured", activate),
        ast.Return(
            _call(
                "LaunchDescription",
                # The handler comes first, so that it sees the node change.
                ast.List([ast.Name("activate_when_configured"), ast.Name("node"), ast.Name("configure")]),
            )
        ),
    ]
    arguments = ast.arguments([], [], None, [], [], None, [])
    return ast.FunctionDef("generate_launch_description", arguments, body, [], ast.Name("LaunchDescription"), None)


def _change(transition: str) -> ast.expr:
    event = _call(
        "ChangeState",
        lifecycle_node_matcher=_call("matches_action", ast.Name("node")),
        transition_id=ast.Attribute(ast.Name("Transition"), transition),
    )
    return _call("EmitEvent", event=event)


def _call(function: str, *arguments: ast.expr, **named: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function), list(arguments), [ast.keyword(name, value) for name, value in named.items()])


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name)], value)
