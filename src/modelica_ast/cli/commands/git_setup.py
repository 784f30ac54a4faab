"""`modelica-patch git-setup`: let git merge and compare Modelica by meaning."""

from __future__ import annotations

import argparse
import sys

from modelica_ast.cli.exits import EXIT_OK
from modelica_ast.cli.terminal import tell

DESCRIPTION = """
Let git use 'modelica-patch merge' for .mo files and package.order, and 'modelica-patch diff' for 'git diff'.
It sets a merge driver and a diff command in the configuration of the repository (or with --global, of the
user) and names them in .gitattributes, which you commit. Run again, it changes nothing; --remove takes it back.

'git diff --no-ext-diff' shows the lines, 'git merge -s …' and all other commands of git stay as they are.
"""
EXAMPLES = """
  modelica-patch git-setup                for the repository around this folder
  modelica-patch git-setup --dry-run      only say what it would do
  modelica-patch git-setup --no-diff      merge by meaning, leave 'git diff' alone
  modelica-patch git-setup --global       for all your repositories
  modelica-patch git-setup --remove       take it back
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `git-setup` takes."""
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="a folder of the repository")
    parser.add_argument("--global", dest="is_global", action="store_true", help="for all repositories of the user")
    parser.add_argument("--no-diff", action="store_true", help="leave 'git diff' as it is")
    parser.add_argument("--remove", action="store_true", help="take back what this command did")
    parser.add_argument("-n", "--dry-run", action="store_true", help="change nothing, say what would be done")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")


def run(options: argparse.Namespace) -> int:
    """Set git up, or take that back."""
    from modelica_ast.compare import Scope, install, uninstall  # noqa: PLC0415  (PERF: not for --help)

    scope: Scope = "global" if options.is_global else "local"
    if options.remove:
        steps = uninstall(scope, options.folder, dry_run=options.dry_run)
    else:
        steps = install(scope, options.folder, diff=not options.no_diff, dry_run=options.dry_run)
    if not options.quiet:
        sys.stdout.writelines(f"{step}\n" for step in steps)
    if not steps:
        tell("nothing to do", quiet=options.quiet)
    elif options.dry_run:
        tell("nothing was changed", quiet=options.quiet)
    return EXIT_OK
