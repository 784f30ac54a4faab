"""`modelica-patch help`: subjects, with worked examples, and the operations of patches, from the verbs themselves."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from modelica_ast.cli.catalogue import load, nearest_command, parser_of
from modelica_ast.cli.exits import EXIT_OK, CommandError

DESCRIPTION = """
Explain a subject with worked examples, a command, or an operation of a patch. Without a subject, list them.
"""
EXAMPLES = """
  modelica-patch help                  the subjects
  modelica-patch help addresses        how to name what you mean
  modelica-patch help set              the same as modelica-patch set --help
  modelica-patch help operations       every operation that a patch can hold
  modelica-patch help set_modifier     what an operation takes, in a patch and in Python
"""
_OPERATIONS: Final = "operations"
_FOLDER: Final = Path(__file__).parent / "topics"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `help` takes."""
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="a subject, a command or an operation")


def topics() -> dict[str, str]:
    """The texts by their subjects; the first line of each is its title."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.txt"))}


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    from modelica_ast.cli.catalogue import OWN_COMMANDS  # noqa: PLC0415  (the table names this module)

    known = topics()
    name = options.topic
    if name is None:
        width = max(map(len, [*known, _OPERATIONS]))
        titles = {topic: text.splitlines()[0] for topic, text in known.items()}
        for topic, title in sorted({**titles, _OPERATIONS: "what a patch can hold, one line each"}.items()):
            sys.stdout.write(f"  {topic:<{width}}  {title}\n")
        return EXIT_OK
    if name in known:
        sys.stdout.write(known[name])
        return EXIT_OK
    from modelica_ast.edit import VERBS  # noqa: PLC0415  (PERF: other subjects do without)

    is_command = name in OWN_COMMANDS and not hasattr(load(OWN_COMMANDS[name]), "COMMANDS")
    if is_command:
        sys.stdout.write(parser_of(load(OWN_COMMANDS[name]), f"modelica-patch {name}").format_help())
    if name == _OPERATIONS or name in VERBS:
        text = _operations() if name == _OPERATIONS else _operation(name)
        sys.stdout.write(f"\nAs an operation of a patch, {text}" if is_command else text)
    if is_command or name == _OPERATIONS or name in VERBS:
        return EXIT_OK
    near = nearest_command(name, [*known, *OWN_COMMANDS, _OPERATIONS, *VERBS])
    raise CommandError(f"there is no subject '{name}'{near or '; there is ' + ', '.join(known)}")


def _operations() -> str:
    """Every operation with the first line of what its verb says of itself."""
    from modelica_ast.edit import VERBS  # noqa: PLC0415  (PERF: as above)

    width = max(map(len, VERBS))
    lines = [f"  {name:<{width}}  {_doc(verb).splitlines()[0]}" for name, verb in VERBS.items()]
    return "\n".join(["Operations of a patch; `modelica-patch help NAME` says what one takes.", "", *lines, ""])


def _operation(name: str) -> str:
    """What an operation does and takes, from the signature and the docstring of its verb."""
    from modelica_ast.edit import (  # noqa: PLC0415
        VERBS,
        described,
        methods_of,
        parameters,
    )

    verb = VERBS[name]
    taken = parameters(verb)
    width = max((len(each.key) for each in taken), default=0)
    lines = [f"{name}: {_doc(verb)}", "", "In a patch:"]
    example = ", ".join(f'"{each.key}": …' for each in taken if each.required)
    lines += [f'  {{"op": "{name}"{", " if example else ""}{example}}}', ""]
    for each in taken:
        lines.append(f"  {each.key:<{width}}  {described(each.hint)}{'' if each.required else ' (may be left out)'}")
    lines += ["", "In Python:", *(f"  {method}" for method in methods_of(verb) or ["document.apply([operation])"])]
    return "\n".join([*lines, ""])


def _doc(verb: Callable[..., object]) -> str:
    return inspect.getdoc(verb) or ""
