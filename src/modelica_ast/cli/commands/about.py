"""`modelica-patch help` and `completion`: what the commands are, for people and for their shells."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from modelica_ast.cli.catalogue import Command, load, nearest_command, parser_of, plugins
from modelica_ast.cli.exits import EXIT_OK, CommandError
from modelica_ast.foundation import ModelicaError

# ---------------------------------------------------------------- help

_OPERATIONS: Final = "operations"
_FOLDER: Final = Path(__file__).parent / "topics"


class Help:
    """`modelica-patch help`: topics, with worked examples, and the operations of patches, from the verbs."""

    DESCRIPTION = """
Explain a topic with worked examples, a command, or an operation of a patch. Without a topic, list them all.
"""
    EXAMPLES = """
  modelica-patch help                  the topics
  modelica-patch help addresses        how to name what you mean
  modelica-patch help set              the same as modelica-patch set --help
  modelica-patch help operations       every operation that a patch can hold
  modelica-patch help set_modifier     what an operation takes, in a patch and in Python
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `help` takes."""
        parser.add_argument("topic", nargs="?", metavar="TOPIC", help="a topic, a command or an operation")

    @staticmethod
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
        from modelica_ast.edit import VERBS  # noqa: PLC0415  (PERF: other topics do without)

        is_command = name in OWN_COMMANDS and not hasattr(load(OWN_COMMANDS[name]), "COMMANDS")
        if is_command:
            sys.stdout.write(parser_of(load(OWN_COMMANDS[name]), f"modelica-patch {name}").format_help())
        if name == _OPERATIONS or name in VERBS:
            text = _operations() if name == _OPERATIONS else _operation(name)
            sys.stdout.write(f"\nAs an operation of a patch, {text}" if is_command else text)
        if is_command or name == _OPERATIONS or name in VERBS:
            return EXIT_OK
        near = nearest_command(name, [*known, *OWN_COMMANDS, _OPERATIONS, *VERBS])
        raise CommandError(f"there is no topic '{name}'{near or '; there is ' + ', '.join(known)}")


def topics() -> dict[str, str]:
    """The texts by their topics; the first line of each is its title."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.txt"))}


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
    import inspect  # noqa: PLC0415  (PERF: completion does without)

    return inspect.getdoc(verb) or ""


# ---------------------------------------------------------------- completion

_SHELLS: Final = Path(__file__).parent / "shells"
_CASES: Final = {
    "bash": "            {}) known=({}) ;;",
    "zsh": "        ({}) known=({}) ;;",
    "fish": "        case {}\n            printf '%s\\n' {}",
}
_DOT: Final = re.compile(r"'(?:[^'\\]|\\.)*'?|\.")  # a dot, past what is quoted


class Completion:
    """`modelica-patch completion`: commands, options and addresses, completed by the shell."""

    DESCRIPTION = """
Print a script that lets the shell complete commands, options, files, and the names of addresses on the tab key.
"""
    EXAMPLES = """
  source <(modelica-patch completion bash)                      for this shell; put it into ~/.bashrc to keep it
  source <(modelica-patch completion zsh)                       in ~/.zshrc, after compinit
  modelica-patch completion fish > ~/.config/fish/completions/modelica-patch.fish
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `completion` takes."""
        parser.add_argument(
            "shell", choices=["bash", "zsh", "fish", "names"], help="names: the addresses that start like this"
        )
        parser.add_argument("start", nargs="?", default="", help="for names: how the address starts")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Print the script, or the names."""
        if options.shell == "names":
            # A shell reads lines, and shows them: what has line ends or escape sequences in it is not offered.
            found = (name for name in _addresses(options.start.strip()) if name.isprintable())
            sys.stdout.writelines(f"{name}\n" for name in found)
            return EXIT_OK
        sys.stdout.write(_script(options.shell))
        return EXIT_OK


def _script(shell: str) -> str:
    """The script of a shell, with what can follow each command, and the commands that have commands of their own."""
    following = dict(_following((), {**_own_commands(), **plugins()}))
    groups = [path for path, words in following.items() if not words[0].startswith("-")]
    between = " " if shell == "fish" else "|"
    text = (_SHELLS / f"complete.{shell}").read_text(encoding="utf-8")
    text = text.replace("@GROUPS@", between.join(map(_pattern, groups)))
    cases = [_CASES[shell].format(_pattern(path), " ".join(words)) for path, words in following.items()]
    return text.replace("@CASES@", "\n".join(cases))


def _pattern(path: tuple[str, ...]) -> str:
    """`' urdf build'`: in each shell a text without a special meaning, with a blank before each word."""
    return "'" + "".join(f" {name}" for name in path) + "'"


def _following(path: tuple[str, ...], commands: Mapping[str, Command]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """What can follow each command: the names of its own commands, or its long options."""
    yield path, list(commands)
    for name, command in commands.items():
        module = load(command)
        if hasattr(module, "COMMANDS"):
            yield from _following((*path, name), module.COMMANDS)
            continue
        parser = parser_of(module, name)
        shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]  # noqa: SLF001
        strings = [option for action in shown for option in action.option_strings]
        yield (*path, name), [option for option in strings if option.startswith("--")]


def _own_commands() -> Mapping[str, Command]:
    from modelica_ast.cli.catalogue import OWN_COMMANDS  # noqa: PLC0415  (the table names this module)

    return OWN_COMMANDS


def _addresses(start: str) -> Iterator[str]:
    """The addresses that go on from what is written: classes and components of the class before the last dot."""
    from modelica_ast.cli.address import STANDARD_STREAM, place_of  # noqa: PLC0415  (only for names)
    from modelica_ast.cli.exits import CommandError  # noqa: PLC0415

    place = place_of(start)
    if place == STANDARD_STREAM or (place is not None and not Path(place).exists()):
        return
    prefix = "" if place is None else f"{place}::"
    name = start[len(prefix) :]
    start_of_last = max((dot.end() for dot in _DOT.finditer(name) if dot[0] == "."), default=0)
    around, last = name[:start_of_last].removesuffix("."), name[start_of_last:]
    try:
        names = _members(place, around) if around else _tops(place)
    except (CommandError, ModelicaError):
        return
    for each in names:
        if each.startswith(last):
            yield f"{prefix}{name[:start_of_last]}{each}"


def _tops(place: str | None) -> list[str]:
    """What a name can start with: the classes of a file, or the libraries of a folder or of this machine."""
    from modelica_ast.cli.session import Session  # noqa: PLC0415  (only for names)
    from modelica_ast.library import Shelf  # noqa: PLC0415

    if place is None:
        return Shelf(around=[Path()]).names()
    if Path(place).is_dir():
        return Shelf([place], search=False).names()
    return [found.name for found in Session().document(place).classes]


def _members(place: str | None, name: str) -> list[str]:
    """The classes and components of a class."""
    from modelica_ast.cli.address import Address, resolved  # noqa: PLC0415  (only for names)
    from modelica_ast.cli.session import Session  # noqa: PLC0415  (only for names)

    session = Session()
    address = resolved(Address(place or "", name, None, is_bare=place is None))
    found = session.find(address)
    if found.component is not None:
        return []
    view = found.handle.view
    names = [inner.name for inner in view.classes] + [component.name for component in view.components]
    if Path(address.place).is_dir():
        names += list(session.libraries(address.place).entry_of(address.name)[1].children)
    return names
