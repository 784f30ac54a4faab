"""What the commands share that compare a URDF file with a package: both, and where meshes and templates are."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.places import prepare
from modelica_ast.cli.session import Session
from modelica_ast.files import open_regular
from urdf_frontend.cli.mesh_arguments import add_mesh_options, packages_of
from urdf_frontend.cli.results import add_reading_options, xacro_arguments
from urdf_frontend.meshes import Packages
from urdf_frontend.reader import ReadResult, read

_PACKAGE_FILE: Final = "package.mo"
PACKAGE_HELP: Final = "the robot's package: its folder, FOLDER::Lib.Arm, or its full name"


def add_robot_arguments(parser: argparse.ArgumentParser) -> None:
    """The URDF file, the package, and where to look for what they need."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    add_package_argument(parser)
    parser.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")
    add_reading_options(parser)
    add_mesh_options(parser)


def add_package_argument(parser: argparse.ArgumentParser) -> None:
    """The package that was built from a URDF file."""
    parser.add_argument("--package", required=True, metavar="ADDRESS", help=PACKAGE_HELP)


def read_robot(options: argparse.Namespace) -> tuple[ReadResult, Packages]:
    """The URDF file, and what finds its meshes."""
    packages = packages_of(options, Path(options.file))
    return read(Path(options.file), packages=packages, xacro_arguments=xacro_arguments(options.arg)), packages


def package_folder(text: str) -> Path:
    """The folder of a package, by its address; locked and in order if the call writes."""
    folder = Path(text)
    folder = folder.parent if folder.name == _PACKAGE_FILE else folder
    if is_package(folder):
        return folder
    if folder.exists():
        raise CommandError(f"{text} is not a package: it has no {_PACKAGE_FILE}", EXIT_UNREADABLE)
    dotted = Path(*text.split("."))
    if is_package(dotted) and not is_package(Path(dotted.parts[0])):
        raise CommandError(f"a package in a folder that is not one is named by its folder: write {dotted}")
    return Session().package_folder(text)


def is_package(folder: Path) -> bool:
    """Is this the folder of a package? It need not be a word of the command line, so it is put in order first."""
    if not folder.is_dir():
        return False
    prepare([folder])
    try:
        os.close(open_regular(folder / _PACKAGE_FILE))  # who only looks may find it waiting for its place
    except OSError as wrong:
        return isinstance(wrong, PermissionError)  # who reads it says so
    return True
