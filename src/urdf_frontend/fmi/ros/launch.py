"""A launch file for ROS 2, made as a tree of Python: the node with its parameters, configured and activated.

The node of fmi_adapter is a managed one: it does nothing until somebody configures it and then activates it.
"""

from __future__ import annotations

import ast
from typing import Final

from urdf_frontend.typed_modules import text_of

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
