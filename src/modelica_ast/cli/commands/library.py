"""`modelica-patch library`: the libraries that come along, put where OMEdit and Dymola find them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.cli.catalogue import Command
from modelica_ast.cli.exits import EXIT_OK
from modelica_ast.cli.terminal import count, tell, write_json, write_line
from modelica_ast.foundation import shown

if TYPE_CHECKING:
    from modelica_ast.library import Copy

_MODULE: Final = "modelica_ast.cli.commands.library"
COMMANDS: Final = {
    "install": Command(f"{_MODULE}:Install", "copy them to where OMEdit and Dymola look"),
    "list": Command(f"{_MODULE}:List", "which there are, and which of them are installed"),
    "uninstall": Command(f"{_MODULE}:Uninstall", "remove the copies again"),
}
_STATES: Final = {"absent": "not installed", "same": "installed", "other": "another one"}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("libraries", nargs="*", metavar="NAME", help="these libraries; without it, all of them")
    parser.add_argument(
        "--into", metavar="DIR", help="a folder of MODELICAPATH, or any other; without it, OpenModelica's own"
    )
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def _folder(options: argparse.Namespace) -> Path:
    from modelica_ast.library import openmodelica_folder  # noqa: PLC0415  (PERF: not for --help)

    return openmodelica_folder() if options.into is None else Path(options.into)


def _copies(names: Sequence[str], folder: Path) -> list[Copy]:
    from modelica_ast.cli.places import prepare  # noqa: PLC0415  (PERF: not for --help)
    from modelica_ast.library import brought_libraries, copy_in  # noqa: PLC0415

    prepare([folder] if folder.is_dir() else [])
    return [copy_in(library, folder) for library in brought_libraries(names)]


def _title(copy: Copy) -> str:
    return f"{copy.library.name} {copy.library.version}".rstrip()


def _data(copy: Copy) -> dict[str, str]:
    library = copy.library
    return {"name": library.name, "version": library.version, "path": shown(copy.place), "was": copy.state}


class Install:
    """`modelica-patch library install`: copies where OMEdit and Dymola look."""

    DESCRIPTION: Final = """
Copy the Modelica libraries that this program and other Python packages bring, UrdfRobots for one, to where Modelica
tools look for libraries. Each goes to a folder with its version, `UrdfRobots 1.0.0`. Without --into that is the folder
that OpenModelica looks in. Dymola looks in the folders of the environment variable MODELICAPATH: name one of them, or
add the folder to it. `modelica-patch` itself finds these libraries without that.

A tool that opens a package with `uses(UrdfRobots(version="1.0.0"))` then loads the library by itself. A copy that is
there already stays; where something else is in its place, nothing is written. All files are written, or none.
"""
    EXAMPLES: Final = """
  modelica-patch library install                           for OpenModelica and OMEdit
  modelica-patch library install --into ~/Modelica         a folder of MODELICAPATH, for Dymola
  modelica-patch library install UrdfRobots --dry-run      one of them; what would be written
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        _add_arguments(parser)

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Copy them, and say how to open them."""
        from modelica_ast.library import install, refuse_others  # noqa: PLC0415  (PERF: not for --help)

        folder = _folder(options)
        copies = _copies(options.libraries, folder)
        if options.dry_run:
            refuse_others(copies, "remove it or move it away, or name another folder")
        else:
            install(copies, folder)
        if options.json:
            write_json({"folder": shown(folder), "written": not options.dry_run, "libraries": [*map(_data, copies)]})
            return EXIT_OK
        done = "would be installed" if options.dry_run else "installed"
        said = [f"{shown(copy.place)}: {done if copy.state == 'absent' else 'is there already'}" for copy in copies]
        for line in () if options.quiet else said:
            write_line(line)
        for line in _how_to_open(copies, folder):
            tell(line, quiet=options.quiet)
        return EXIT_OK


def _how_to_open(copies: Sequence[Copy], folder: Path) -> list[str]:
    """How a user gets at them: OpenModelica looks in its own folder, Dymola in the folders of the environment."""
    from modelica_ast.library import openmodelica_folder  # noqa: PLC0415  (PERF: not for --help)

    if not copies:
        return ["no Python package brings a library"]
    first = copies[0].place
    file = shown(first if first.suffix == ".mo" else first / "package.mo")
    omedit = f"add {folder.absolute()} to MODELICAPATH in Tools > Options > Libraries, or open {file}"
    if folder.resolve() == openmodelica_folder().resolve():
        omedit = "from its next start on under File > System Libraries, and loaded with what uses them"
    named = [Path(part).resolve() for part in os.environ.get("MODELICAPATH", "").split(os.pathsep) if part]
    dymola = f"add {folder.absolute()} to the environment variable MODELICAPATH, or open {file}"
    if folder.resolve() in named:
        dymola = "loaded with what uses them, for the folder is in MODELICAPATH"
    return [f"  OMEdit: {omedit}", f"  Dymola: {dymola}"]


class List:
    """`modelica-patch library list`: which libraries there are, and which of them are installed."""

    DESCRIPTION: Final = """
List the Modelica libraries that this program and other Python packages bring, and whether there is a copy of each in
the folder that OpenModelica looks in and in the folders of MODELICAPATH. "Another one" has the name and the version of
a library that is brought and is not the same: it was changed, or it is of another version of the Python package.
"""
    EXAMPLES: Final = """
  modelica-patch library list
  modelica-patch library list --into ~/Modelica            and in another folder
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("--into", metavar="DIR", help="a folder to look into, beside those")
        parser.add_argument("--json", action="store_true", help="the list as JSON on standard output")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """List them."""
        from modelica_ast.library import library_folders, openmodelica_folder  # noqa: PLC0415  (PERF: not for --help)

        own = [] if options.into is None else [Path(options.into)]
        folders = dict.fromkeys([*own, *library_folders(), openmodelica_folder()])
        copies = [copy for folder in folders for copy in _copies((), folder)]
        if options.json:
            write_json({"libraries": [*map(_data, copies)]})
            return EXIT_OK
        for copy in copies:
            write_line(f"{_title(copy)}: {_STATES[copy.state]} in {shown(copy.place.parent)}")
        return EXIT_OK


class Uninstall:
    """`modelica-patch library uninstall`: the copies go again."""

    DESCRIPTION: Final = """
Remove the copies that `modelica-patch library install` has made. Only what is as it was brought is removed: a copy with
files that were changed or added is left to you, and then nothing is removed. All files go, or none.
"""
    EXAMPLES: Final = """
  modelica-patch library uninstall                         all of them, from OpenModelica's folder
  modelica-patch library uninstall --into ~/Modelica       from another one
  modelica-patch library uninstall UrdfRobots --dry-run    what would be removed
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        _add_arguments(parser)

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Remove them."""
        from modelica_ast.library import refuse_others, uninstall  # noqa: PLC0415  (PERF: not for --help)

        folder = _folder(options)
        copies = _copies(options.libraries, folder)
        there = [copy for copy in copies if copy.state != "absent"]
        if options.dry_run:
            refuse_others(there, "if you do not need it, remove it yourself")
        else:
            uninstall(there, folder)
        if options.json:
            write_json({"folder": shown(folder), "written": not options.dry_run, "libraries": [*map(_data, there)]})
            return EXIT_OK
        for copy in () if options.quiet else there:
            write_line(f"{shown(copy.place)}: {'would be removed' if options.dry_run else 'removed'}")
        tell(f"{count(len(there), 'library', 'libraries')} of {len(copies)} in {shown(folder)}", quiet=options.quiet)
        return EXIT_OK
