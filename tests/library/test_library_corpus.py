"""Names, renames and moves on a copy of the Standard Library. `make test-corpus`."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest

from modelica_ast import parse, parse_file, render_bytes
from modelica_ast.foundation import EditError
from modelica_ast.library import Libraries, Library, references
from modelica_ast.library.links import linked_files
from modelica_ast.refactor import move_class, rename

pytestmark = pytest.mark.corpus

RENAMES = 100


def say(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")


@pytest.fixture(scope="module")
def copy(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library and its tests, to be written."""
    folder = tmp_path_factory.mktemp("libraries")
    for path in msl.parent.iterdir():
        if path.name.startswith(("Modelica", "Complex")):
            (shutil.copytree if path.is_dir() else shutil.copy2)(path, folder / path.name)
    return folder


def opened(copy: Path) -> Libraries:
    return Libraries(sorted(path for path in copy.iterdir() if not path.name.startswith(".")))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_every_class_is_listed_and_one_is_read_alone(msl: Path) -> None:
    start = process_time()
    library = Library(msl)
    names = list(library.classes())
    say(f"{len(names)} classes in {len(library.files())} files, {process_time() - start:.2f} s of CPU")
    assert len(names) > 6_000
    assert len(set(names)) == len(names)
    libraries = Libraries([], read_only=[msl])
    start = process_time()
    body = libraries.find_class("Modelica.Mechanics.MultiBody.Parts.Body")
    say(f"Body found and its file parsed: {(process_time() - start) * 1e3:.0f} ms of CPU")
    assert body.get_component("r_CM") is not None


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("Modelica.Blocks.Continuous.PID", "PIDController"),
        ("Modelica.Mechanics.MultiBody.Parts.Body", "RigidBody"),
        ("Modelica.Units.SI.Length", "Metres"),
        ("Modelica.Mechanics.MultiBody.Parts.Body.m", "mass"),
        ("Modelica.Mechanics.MultiBody.Parts", "Bodies"),
    ],
)
def test_rename_and_back(copy: Path, name: str, new: str) -> None:
    before = contents(copy)
    libraries = opened(copy)
    count = len(references(libraries, name))
    start = process_time()
    rename(libraries, name, new)
    seconds = process_time() - start
    libraries.save()
    renamed = f"{name.rpartition('.')[0]}.{new}"
    fresh = opened(copy)
    assert len(references(fresh, renamed)) == count
    after = contents(copy)
    changed = [file for file in after if after[file] != before.get(file) and file.endswith(".mo")]
    for file in changed:
        assert render_bytes(parse_file(copy / file, strict=True)) == after[file]
    rename(fresh, renamed, name.rpartition(".")[2])
    fresh.save()
    assert contents(copy) == before
    say(f"{name}: {count} references, {len(changed)} files written, {seconds:.1f} s of CPU; and back to the bytes")


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("Modelica.Blocks.Continuous.PID", "Modelica.Blocks.Math"),
        ("Modelica.Mechanics.MultiBody.Parts.Body", "Modelica.Mechanics.MultiBody.Forces"),
        ("Modelica.Units.SI.Length", "Modelica.Blocks"),
        ("Modelica.Mechanics.MultiBody.Visualizers", "Modelica.Mechanics"),
        ("Modelica.Blocks.Interfaces.RealInput", "Modelica.Icons"),
    ],
)
def test_move(copy: Path, name: str, package: str) -> None:
    libraries = opened(copy)
    count = len(references(libraries, name))
    start = process_time()
    move_class(libraries, name, package)
    seconds = process_time() - start
    moved = f"{package}.{name.rpartition('.')[2]}"
    assert len(references(libraries, moved)) == count
    assert libraries.workspace is not None
    for document in libraries.workspace.documents:
        if document.is_changed:
            parse(document.text, strict=True)
    libraries.undo()
    assert libraries.diff() == ""
    say(f"{name} to {package}: {count} references, {seconds:.1f} s of CPU")


@pytest.fixture
def illustrated(copy: Path) -> Iterator[Path]:
    """The library with a file for every link that leads to one: not everybody installs its pictures."""
    libraries = opened(copy)
    made = []
    for path in sorted({path for path in every_linked_file(libraries) if not path.exists()}):
        if path.suffix and path.is_relative_to(copy):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + path.name.encode())
            made.append(path)
    yield copy
    for path in made:
        path.unlink()
        while not any(path.parent.iterdir()):
            path = path.parent  # noqa: PLW2901  (upwards, as long as we made it)
            path.rmdir()


def every_linked_file(libraries: Libraries) -> list[Path]:
    return [path for _, entry in libraries.files() for path in linked_files(libraries, libraries.text_of(entry))]


def links_that_lead_somewhere(libraries: Libraries) -> int:
    """Files that are not saved yet count."""
    return sum(libraries.others.is_there(path) or path.is_dir() for path in every_linked_file(libraries))


@pytest.mark.parametrize(
    ("name", "package", "picture"),
    [
        (
            "Modelica.Mechanics.MultiBody.Parts.BodyShape",
            "Modelica.Mechanics.MultiBody.Forces",
            "Mechanics/MultiBody/Parts/BodyShape.png",
        ),
        (
            "Modelica.Mechanics.MultiBody.Joints",
            "Modelica.Mechanics.Rotational",
            "Mechanics/MultiBody/Joints/Revolute.png",
        ),
        ("Modelica.Blocks.Sources", "Modelica.Math", "Blocks/Sources/Ramp.png"),
    ],
)
def test_every_link_to_a_file_still_leads_there(illustrated: Path, name: str, package: str, picture: str) -> None:
    libraries = opened(illustrated)
    folder = libraries["Modelica"].root.folder
    assert folder is not None
    there = folder / "Resources" / "Images" / picture
    assert there.exists()
    every, count = len(every_linked_file(libraries)), links_that_lead_somewhere(libraries)
    move_class(libraries, name, package)
    assert not libraries.others.is_there(there)
    assert len(every_linked_file(libraries)) == every
    assert links_that_lead_somewhere(libraries) == count
    moved = [path for path, data in libraries.others.changed.items() if data is not None and path.suffix == ".png"]
    libraries.undo()
    assert libraries.diff() == ""
    assert links_that_lead_somewhere(libraries) == count
    say(f"{name} to {package}: {len(moved)} pictures moved, {count} of {every} links to files lead somewhere")


STRUCTURE = """
import sys, rumoca
source = '''model Wrapper
  import Modelica.Constants;
  extends Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum;
end Wrapper;
'''
print(rumoca.Session(roots=[sys.argv[1]]).loads(source, model="Wrapper").structure())
"""


def structure(folder: Path) -> str:
    """What the compiler makes of the double pendulum; in a process of its own, because it may panic."""
    command = [sys.executable, "-c", STRUCTURE, str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout.strip()


def test_the_compiler_sees_the_same_model(copy: Path) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    before, original = structure(copy), contents(copy)
    libraries = opened(copy)
    rename(libraries, "Modelica.Mechanics.MultiBody.Parts.Body", "RigidBody")
    rename(libraries, "Modelica.Mechanics.MultiBody.Joints.Revolute.phi", "rotation")
    move_class(libraries, "Modelica.Mechanics.MultiBody.Parts.BodyBox", "Modelica.Mechanics.MultiBody.Forces")
    rename(libraries, "Modelica.Mechanics.MultiBody.Interfaces", "Connectors")
    libraries.save()
    assert structure(copy) == before
    for _ in range(4):
        libraries.undo()
    libraries.save()
    assert contents(copy) == original
    say(f"the double pendulum after three renames and a move: {before}")


def test_a_hundred_renames_at_random(copy: Path) -> None:
    libraries = opened(copy)
    names = [name for library in libraries if not library.read_only for name in library.classes() if "." in name]
    chosen = random.Random(1).sample(sorted(names), RENAMES)  # noqa: S311  (no secret)
    refused: dict[str, int] = {}
    total = 0
    for name in chosen:
        count = len(references(libraries, name))
        if not tried(lambda name=name: rename(libraries, name, "BrandNewName"), refused):  # type: ignore[misc]
            continue
        assert len(references(libraries, f"{name.rpartition('.')[0]}.BrandNewName")) == count, name
        libraries.undo()
        total += count
    assert libraries.diff() == ""
    assert sum(refused.values()) < RENAMES // 10
    say(f"{RENAMES} renames at random, {total} references followed, {sum(refused.values())} refused: {refused}")


def tried(verb: Callable[[], None], refused: dict[str, int]) -> bool:
    try:
        verb()
    except EditError as error:
        reason = str(error)[:80]
        refused[reason] = refused.get(reason, 0) + 1
        return False
    return True
