"""The survival table: each kind of edit that users make meets each kind of change of a URDF file.

`python tests/test_urdf_survival.py --update` writes the table of docs/updates.md anew, from all cells.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast import parse
from modelica_ast.edit import Document
from urdf_frontend import BuildOptions, BuiltPackage, build, read, write
from urdf_frontend.update import Update, update, with_base

UPDATES = FIXTURES / "robots" / "updates"
URDF = (UPDATES / "arm.urdf").read_text(encoding="utf-8")
EDITS: dict[str, dict[str, Any]] = json.loads((UPDATES / "user_edits.json").read_text(encoding="utf-8"))
CHANGES: dict[str, dict[str, Any]] = json.loads((UPDATES / "urdf_changes.json").read_text(encoding="utf-8"))
PAGE = ROOT / "docs" / "updates.md"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

# The connectors that robots, links and joints inherit.
INHERITED = {
    *("frame_a", "frame_b", "rotational_flange_a", "rotational_flange_b"),
    *("translational_flange_a", "translational_flange_b", "robot", "world"),
}
KEPT, CONFLICT = "✓", "C"
CELLS = [(edit, change) for edit in EDITS for change in CHANGES]
# Every edit and every change is in the normal run at least once; `corpus` runs all cells.
DIAGONAL = [(edit, list(CHANGES)[5 * n % len(CHANGES)]) for n, edit in enumerate(EDITS)]


@cache
def built() -> BuiltPackage:
    urdf, options = read(URDF), BuildOptions(into=Path("no such folder"))
    return with_base(build(urdf.usable_robot(), options), urdf, options)


def package_in(folder: Path) -> Path:
    write(built(), folder)
    return folder / built().folder


def changed_urdf(change: str) -> str:
    text, about = URDF, CHANGES[change]
    for old, new in about.get("replace", ()):
        assert text.count(old) == 1, (change, old)
        text = text.replace(old, new)
    for start, end in about.get("cut", ()):
        text = cut(text, start, end)
    if "swap" in about:
        first, second = (text.index(start) for start in about["swap"])
        behind = second + len(about["swap"][1])
        text = text[:first] + text[second:behind] + text[first:second] + text[behind:]
    assert text != URDF
    return text


def cut(text: str, start: str, end: str) -> str:
    at = text.index(start)
    return text[:at] + text[text.index(end, at) + len(end) :]


def edit_package(folder: Path, edit: str) -> list[tuple[str, bytes]]:
    """Do what a user does; (file, bytes) of all that must still be there after an update."""
    about = EDITS[edit]
    for path in about.get("remove", ()):
        (folder / path).unlink()
    if "move" in about:
        source, target = about["move"]
        (folder / source).rename(folder / target)
    for path, old, new in about.get("also", ()):
        text = read_text(folder / path)
        assert old in text, (edit, old)
        write_text(folder / path, text.replace(old, new))
    if "order" in about:
        path, line = about["order"]
        write_text(folder / path, f"{read_text(folder / path)}{line}\n")
    if "file" not in about:
        return []
    file = folder / about["file"]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, edited_text(edit, about, file))
    keep = about.get("keep", [new for _, new in about.get("replace", ())])
    spans = [(about["file"], text.encode()) for text in keep]
    assert all(span in (folder / path).read_bytes() for path, span in spans), edit
    return spans


def edited_text(edit: str, about: dict[str, Any], file: Path) -> str:
    if "text" in about:
        text: str = about["text"]
        return text
    before = text = read_text(file)
    for old, new in about.get("replace", ()):
        assert old in text, (edit, old)
        text = text.replace(old, new)
    for old, new in about.get("pattern", ()):
        text = re.sub(old, new, text, flags=re.DOTALL)
    for start, end in about.get("cut", ()):
        text = cut(text, start, end)
    assert text != before, edit
    return text


def read_text(path: Path) -> str:
    return path.read_bytes().decode()


def write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def wrong_names(folder: Path) -> set[str]:
    """Classes of the package that are named and not there, ends of connections that are no components.

    What leads into other libraries no update changes; `test_urdf_update` looks at those too, which takes long.
    """
    found = {f"{line} is in {path}" for path, line in listed_classes(folder) if not is_there(folder / path, line)}
    for path in folder.rglob("*.mo"):
        document = Document(read_text(path))
        for handle in document.classes:
            declared = {component.name for component in handle.components} | INHERITED
            types = [str(component.type) for component in handle.components]
            for name in [*types, *handle.extends]:
                package, _, last = name.rpartition(".")
                if package in ("Links", "Joints") and not (folder / package / f"{last}.mo").is_file():
                    found.add(f"{path.name} uses {name}")
            pairs = handle.connections if handle.components else []  # a short class has no body
            ends = {re.split(r"[.\[]", end)[0] for pair in pairs for end in pair}
            found |= {f"{path.name} connects {name}" for name in ends - declared}
    return found


def listed_classes(folder: Path) -> Iterator[tuple[str, str]]:
    for order in folder.rglob("package.order"):
        for line in read_text(order).split():
            yield order.parent.relative_to(folder).as_posix(), line


def is_there(folder: Path, name: str) -> bool:
    return (folder / name).is_dir() or (folder / f"{name}.mo").is_file()


@cache
def wrong_after_edit(edit: str) -> frozenset[str]:
    """Some edits of users are wrong before an update."""
    with tempfile.TemporaryDirectory() as place:
        folder = package_in(Path(place))
        edit_package(folder, edit)
        return frozenset(wrong_names(folder))


def run_cell(edit: str, change: str, into: Path) -> str:
    """One cell: the edit, then the change, then the same update again; what the table says of it."""
    folder = package_in(into)
    spans = edit_package(folder, edit)
    removed = EDITS[edit].get("remove", ())
    result = updated(folder, change)
    for path, span in spans:
        assert (folder / path).is_file(), f"{path} is gone"
        assert span in (folder / path).read_bytes(), f"{path} has lost {span!r}"
    assert not any((folder / path).exists() for path in removed), "what was removed is back"
    for file in sorted(folder.rglob("*.mo")):
        parse(read_text(file))
    assert wrong_names(folder) <= wrong_after_edit(edit), "the update broke a name"
    refused = {conflict.file for conflict in result.report.conflicts}
    refused |= {line.partition(":")[0] for line in result.report.kept}
    places = {EDITS[edit]["move"][0]: EDITS[edit]["move"][1]} if "move" in EDITS[edit] else {}
    for generated, generated_text in CHANGES[change]["arrives"]:
        text = generated_text
        place = places.get(generated, generated)
        for old, new in EDITS[edit].get("arrives_as", ()):  # what the user has renamed has that name in new text too
            text = text.replace(old, new)
        assert text in read_text(folder / place) or place in refused, f"{text} did not arrive in {place}"
    assert updated(folder, change).files == (), "the same update twice is no update"
    return CONFLICT if result.report.conflicts else KEPT


def updated(folder: Path, change: str) -> Update:
    result = update(folder, read(changed_urdf(change)))
    result.save()
    return result


@pytest.mark.parametrize(("edit", "change"), DIAGONAL)
def test_an_edit_survives(edit: str, change: str, tmp_path: Path) -> None:
    assert run_cell(edit, change, tmp_path) == listed_table()[edit, change]


@pytest.mark.corpus
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_survives_all_changes(edit: str, tmp_path: Path) -> None:
    found = {}
    for number, change in enumerate(CHANGES):
        found[edit, change] = run_cell(edit, change, tmp_path / str(number))
    assert found == {key: value for key, value in listed_table().items() if key[0] == edit}


def test_the_table_is_large() -> None:
    assert len(EDITS) >= 40
    assert len(CHANGES) >= 15
    assert {change for _, change in DIAGONAL} == set(CHANGES)
    assert set(listed_table()) == set(CELLS)
    assert set(listed_table().values()) == {KEPT, CONFLICT}


# ---------------------------------------------------------------- the table of the page


def table_text(cells: dict[tuple[str, str], str]) -> str:
    numbers = {change: n for n, change in enumerate(CHANGES, 1)}
    lines = [
        "The changes of the URDF file: " + ", ".join(f"{n} {change}" for change, n in numbers.items()) + ".",
        "",
        "| the user's edit | " + " | ".join(map(str, numbers.values())) + " |",
        "|---" * (len(numbers) + 1) + "|",
    ]
    lines += [f"| {edit} | " + " | ".join(cells[edit, change] for change in CHANGES) + " |" for edit in EDITS]
    return "\n".join(lines) + "\n"


@cache
def listed_table() -> dict[tuple[str, str], str]:
    """The cells as the page has them."""
    text = PAGE.read_text(encoding="utf-8")
    rows = [row for row in text[text.index(BEGIN) : text.index(END)].splitlines() if row.startswith("| ")][1:]
    found: dict[tuple[str, str], str] = {}
    for row in rows:
        edit, *cells = (cell.strip() for cell in row.strip("|").split(" | "))
        found |= {(edit.strip(), change): cell for change, cell in zip(CHANGES, cells, strict=True)}
    return found


def write_table() -> None:
    cells = {}
    for edit, change in CELLS:
        place = Path(tempfile.mkdtemp())
        try:
            cells[edit, change] = run_cell(edit, change, place)
        except AssertionError as wrong:
            sys.stdout.write(f"{edit} x {change}: {wrong}\n")
            cells[edit, change] = "✗"
        finally:
            shutil.rmtree(place)
    text = PAGE.read_text(encoding="utf-8")
    start, stop = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:start] + table_text(cells) + text[stop:], encoding="utf-8")


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    write_table()
