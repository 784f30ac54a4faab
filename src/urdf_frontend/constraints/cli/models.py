"""The model that a call is about: a file or a library, and the name of a class in it."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.searches import settle
from modelica_ast.cli.session import Session
from modelica_ast.edit import Document, NotFoundError
from modelica_ast.library import Libraries, LibraryError
from urdf_frontend.constraints.opening import used_libraries


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add FILE, --model and --library."""
    parser.add_argument("file", metavar="FILE", help="a Modelica file, or the folder of a library")
    parser.add_argument("--model", metavar="NAME", help="the model; without it, the class that the file is named after")
    parser.add_argument(
        "--library", action="append", default=[], metavar="DIR", help="another library that the model uses; repeatable"
    )


def open_model(session: Session, options: argparse.Namespace) -> tuple[Libraries, str]:
    """The libraries with the model's own among them, and the full name of the model."""
    place = options.file
    if place == "-":
        raise CommandError("standard input is no library: name a file or a folder")
    if not Path(place).exists():
        raise CommandError(f"{place}: no such file or folder", EXIT_UNREADABLE)
    around = None if Path(place).is_dir() else session.library_around(place)
    root = str(place if around is None else around)
    _refuse_other_files(Path(place), is_alone=around is None)
    try:
        used = used_libraries(root, options.library)
        if settle(used):
            used = used_libraries(root, options.library)
        libraries = session.libraries(root, read_only=used)
    except LibraryError as error:
        raise CommandError(str(error), EXIT_UNREADABLE) from None
    for problem in libraries.problems:
        if Path(problem.path).is_relative_to(Path(root).resolve()):
            raise CommandError(f"{problem.path}: {problem.message}", EXIT_UNREADABLE)
    return libraries, _full_name(libraries, options, Path(place), is_part=around is not None)


def _refuse_other_files(place: Path, *, is_alone: bool) -> None:
    """A file is one class, and one that is in no library is found by the name of its class."""
    if not place.is_file():
        return
    names = [each.name for each in Document.open(place).classes]
    if len(names) != 1:
        raise CommandError(
            f"{place} has {len(names)} classes side by side: put them into a package, and name the model by --model"
        )
    if is_alone and place.stem != names[0]:
        raise CommandError(
            f"{place} has the class '{names[0]}': a file that is in no library has the name of its class"
        )


def _full_name(libraries: Libraries, options: argparse.Namespace, place: Path, *, is_part: bool) -> str:
    library = next(iter(libraries))
    own = library.name
    if is_part:
        found = [entry.full_name for entry in library.files() if entry.path == place.resolve()]
        own = found[0] if found else own
    if options.model is None:
        return own
    for name in (options.model, f"{own}.{options.model}", f"{own.rpartition('.')[0]}.{options.model}".lstrip(".")):
        try:
            libraries.find_class(name)
        except NotFoundError:
            continue
        return str(name)
    libraries.find_class(options.model)  # says what there is instead
    raise CommandError(f"there is no class '{options.model}' in {options.file}")
