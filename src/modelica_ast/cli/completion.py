"""`modelica-patch completion`: commands, options and addresses, completed by the shell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from modelica_ast.cli.commands import load, parser_of
from modelica_ast.cli.exits import EXIT_OK
from modelica_ast.edit.errors import NotFoundError

DESCRIPTION = """
Print a script that lets the shell complete commands, options, files, and the names behind FILE.mo:: on the tab key.
"""
EXAMPLES = """
  source <(modelica-patch completion bash)                      for this shell; put it into ~/.bashrc to keep it
  source <(modelica-patch completion zsh)                       in ~/.zshrc, behind compinit
  modelica-patch completion fish > ~/.config/fish/completions/modelica-patch.fish
"""
_BASH: Final = r"""
COMP_WORDBREAKS=${COMP_WORDBREAKS//:}
_modelica_patch() {
    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="@COMMANDS@"
    elif [[ $cur == *::* ]]; then
        words=$(modelica-patch completion names "$cur" 2>/dev/null)
        compopt -o nospace
    elif [[ $cur == -* ]]; then
        case $command in
@CASES@
        esac
    else
        compopt -o default; COMPREPLY=(); return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _modelica_patch modelica-patch
"""
_ZSH: Final = r"""
_modelica_patch() {
    local cur=${words[CURRENT]} command=${words[2]}
    if (( CURRENT == 2 )); then
        compadd -- @COMMANDS@
    elif [[ $cur == *::* ]]; then
        compadd -S '' -- ${(f)"$(modelica-patch completion names "$cur" 2>/dev/null)"}
    elif [[ $cur == -* ]]; then
        local -a found
        case $command in
@ZSH_CASES@
        esac
        compadd -- $found
    else
        _files
    fi
}
compdef _modelica_patch modelica-patch
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `completion` takes."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish", "names"], help="names: the addresses that start so")
    parser.add_argument("start", nargs="?", default="", help="for names: how the address starts")


def run(options: argparse.Namespace) -> int:
    """Print the script, or the names."""
    if options.shell == "names":
        sys.stdout.writelines(f"{name}\n" for name in _addresses(options.start.strip()))
        return EXIT_OK
    known = _options()
    commands = " ".join(known)
    if options.shell == "fish":
        sys.stdout.writelines(_fish(known))
        return EXIT_OK
    template = _BASH if options.shell == "bash" else _ZSH
    cases = "\n".join(f'        {name}) words="{" ".join(words)}" ;;' for name, words in known.items())
    zsh_cases = "\n".join(f"        {name}) found=({' '.join(words)}) ;;" for name, words in known.items())
    script = template.replace("@COMMANDS@", commands).replace("@CASES@", cases).replace("@ZSH_CASES@", zsh_cases)
    sys.stdout.write(script.lstrip("\n"))
    return EXIT_OK


def _options() -> dict[str, list[str]]:
    """The long options of each command."""
    from modelica_ast.cli.plugins import plugins  # noqa: PLC0415  (only for the scripts)
    from modelica_ast.cli.table import OWN_COMMANDS  # noqa: PLC0415  (the table names this module)

    found: dict[str, list[str]] = {}
    for name, command in {**OWN_COMMANDS, **plugins()}.items():
        module = load(command)
        if hasattr(module, "COMMANDS"):
            found[name] = list(module.COMMANDS)
            continue
        parser = parser_of(module, name)
        strings = [option for action in parser._actions for option in action.option_strings]  # noqa: SLF001
        found[name] = [option for option in strings if option.startswith("--")]
    return found


def _fish(known: dict[str, list[str]]) -> Iterator[str]:
    yield "complete -c modelica-patch -n __fish_use_subcommand -f -a '" + " ".join(known) + "'\n"
    for name, words in known.items():
        for word in words:
            seen = f"__fish_seen_subcommand_from {name}"
            yield (
                f"complete -c modelica-patch -n '{seen}' -l {word.removeprefix('--')}\n"
                if word.startswith("--")
                else (f"complete -c modelica-patch -n '{seen}' -f -a {word}\n")
            )
    yield "complete -c modelica-patch -a '(modelica-patch completion names (commandline -ct) 2>/dev/null)'\n"


def _addresses(start: str) -> Iterator[str]:
    """The addresses that go on from what is written: classes and components of the class before the last dot."""
    from modelica_ast.cli.address import Address  # noqa: PLC0415  (only for names)
    from modelica_ast.cli.session import Session  # noqa: PLC0415  (only for names)

    place, separator, name = start.partition("::")
    if not separator or not Path(place).exists():
        return
    around, dot, last = name.rpartition(".")
    session = Session()
    if not around:
        if Path(place).is_dir():
            names = [library.name for library in session.libraries(place)]
        else:
            names = [found.name for found in session.document(place).classes]
    else:
        try:
            found = session.find(Address(place, around, None))
        except NotFoundError:
            return
        if found.component is not None:
            return
        view = found.handle.view
        names = [inner.name for inner in view.classes] + [component.name for component in view.components]
        if Path(place).is_dir():
            entry = session.libraries(place).entry_of(around)[1]
            names += list(entry.children)
    for each in names:
        if each.startswith(last):
            yield f"{place}::{around}{dot}{each}"
