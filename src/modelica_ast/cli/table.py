"""All commands of modelica-patch itself, in the order in which the help lists them."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli.commands import Command

GROUPS: Final[dict[str, dict[str, Command]]] = {
    "look": {
        "show": Command("modelica_ast.cli.show", "what is in a file, a class or a library"),
        "get": Command("modelica_ast.cli.get", "the value of a parameter, a modifier, an annotation"),
        "references": Command("modelica_ast.cli.references", "where a class or a component is used"),
        "grep": Command("modelica_ast.cli.grep", "find code by a pattern: connect($A.flange_a, $B)"),
        "check": Command("modelica_ast.cli.check", "syntax and static rules of files and libraries"),
        "draw": Command("modelica_ast.cli.draw", "the icon or the diagram of a class as SVG"),
        "simulate": Command("modelica_ast.cli.simulate", "run a model, keep and plot what it computes"),
        "diff": Command("modelica_ast.cli.diff", "what changed between two files or libraries, by meaning"),
    },
    "change": {
        "set": Command("modelica_ast.cli.set", "set parameters, modifiers and other properties"),
        "add": Command("modelica_ast.cli.add", "add a component, a class, an equation, an extends, an import"),
        "remove": Command("modelica_ast.cli.remove", "remove what an address names"),
        "rename": Command("modelica_ast.cli.rename", "rename a class or a component with all its uses"),
        "move": Command("modelica_ast.cli.move", "move a class to another package, or anything in its order"),
        "copy": Command("modelica_ast.cli.copy", "copy a class to a package"),
        "connect": Command("modelica_ast.cli.connect", "add connect equations"),
        "disconnect": Command("modelica_ast.cli.disconnect", "remove connect equations"),
        "annotate": Command("modelica_ast.cli.annotate", "set and remove annotations"),
        "edit": Command("modelica_ast.cli.edit", "several of these commands as one step"),
        "patch": Command("modelica_ast.cli.patch", "carry out a patch: edits as JSON"),
    },
    "change by pattern or recipe": {
        "rewrite": Command("modelica_ast.cli.rewrite", "replace code by a pattern"),
        "apply": Command("modelica_ast.cli.apply", "carry out recipes"),
        "recipe": Command("modelica_ast.cli.recipe", "test recipes"),
        "convert": Command("modelica_ast.cli.convert", "run a library's conversion scripts on your files"),
        "format": Command("modelica_ast.cli.format", "lay out files, comments untouched"),
    },
    "merge": {
        "merge": Command("modelica_ast.cli.merge", "merge two changed versions of a file"),
        "git-setup": Command("modelica_ast.cli.git_setup", "let git use this merge and this diff"),
    },
    "put in order": {
        "recover": Command("modelica_ast.cli.recover", "finish or take back what a killed command has left"),
    },
    "about": {
        "help": Command("modelica_ast.cli.help", "explain a subject: addresses, values, patterns, recipes, …"),
        "completion": Command("modelica_ast.cli.completion", "completion for bash, zsh and fish"),
    },
}

OWN_COMMANDS: Final = {name: command for commands in GROUPS.values() for name, command in commands.items()}
