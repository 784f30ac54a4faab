"""The survival table: each kind of edit that users make meets each kind of change of a URDF file.

`pytest --update-expected -m corpus tests/package/test_survival.py` writes the table of docs/updates.md again, from all
cells.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES, ROOT, Expected, mostly_slow
from modelica_ast import parse
from modelica_ast.edit import Document
from modelica_ast.generate import Update
from package.robot_structure import misfits
from urdf_frontend import BuildOptions, BuiltPackage, build, read, write
from urdf_frontend.package import UpdateOptions, update, with_base

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
PREDEFINED = {"Real", "Integer", "Boolean", "String"}
# `–`: what the user changed is gone from the URDF, and was drawing or layout, which goes with it.
KEPT, CONFLICT, GONE = "✓", "C", "–"
CELLS = [(edit, change) for edit in EDITS for change in CHANGES]


def hits(edit: str) -> list[tuple[str, str]]:
    """A cell in which the edited part goes, and one in which its motion becomes another, if there are such."""
    of = EDITS[edit].get("of")
    found = []
    for what in ("gone", "retyped"):
        found += [(edit, change) for change, about in CHANGES.items() if of in about.get(what, ())][:1]
    return found


# Every edit and every change is here at least once, and every edit of a part that goes: a fifth of these cells in
# `make test`, all of them in `make test-slow`, the whole table in `make test-corpus`.
DIAGONAL = [(edit, list(CHANGES)[5 * n % len(CHANGES)]) for n, edit in enumerate(EDITS)]
NORMAL = list(dict.fromkeys([*DIAGONAL, *(cell for edit in EDITS for cell in hits(edit))]))


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
    if about.get("fold"):
        fold(folder, "all")
        spans = [("package.mo", span) for _, span in spans]
    assert all(span in (folder / path).read_bytes() for path, span in spans), edit
    return spans


def inside(file: Path) -> str:
    """The classes of a file without the line that says where they are."""
    return re.sub(r"\Awithin [^;]*;\n", "", read_text(file))


def in_one_text(folder: Path, text: str) -> str:
    """The text of a package with the classes of its folder put into it."""
    classes = "".join(
        inside(folder / f"{name}.mo") if (folder / f"{name}.mo").is_file() else in_one_package(folder / name)
        for name in read_text(folder / "package.order").split()
    )
    head = "  extends Modelica.Icons.Package;\n"
    assert head in text
    return text.replace(head, head + classes)


def in_one_package(folder: Path) -> str:
    return in_one_text(folder, inside(folder / "package.mo"))


def fold(package: Path, into: str) -> None:
    """As an editor stores it: the links in Links.mo, or in package.mo, or all in package.mo."""
    text = read_text(package / "package.mo")
    if into == "Links.mo":
        write_text(package / "Links.mo", f"within arm;\n{in_one_package(package / 'Links')}")
    elif into == "package.mo":
        head = "  extends Modelica.Icons.Package;\n"
        write_text(package / "package.mo", text.replace(head, head + in_one_package(package / "Links")))
    else:
        write_text(package / "package.mo", in_one_text(package, text))
        shutil.rmtree(package / "Joints")
        for file in [*package.glob("arm*.mo"), package / "package.order"]:
            file.unlink()
    shutil.rmtree(package / "Links")


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
    """Classes of the package that are named and not there, ends of connections that are not components.

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
                if not package and last not in PREDEFINED and path.parent != folder:
                    package = path.parent.name  # beside it
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
    result = updated(folder, change)
    check_edit(folder, edit, change, spans, result)
    for file in sorted(folder.rglob("*.mo")):
        parse(read_text(file))
    assert wrong_names(folder) <= wrong_after_edit(edit), "the update broke a name"
    wrong = misfits(folder, changed_urdf(change), EDITS[edit].get("removed", ()))
    assert not wrong, f"the robot does not fit: {wrong}"
    check_arrivals(folder, edit, change, result)
    assert update(folder, read(changed_urdf(change))).files == (), "the same update twice is not an update"
    if result.report.conflicts:
        return CONFLICT
    return GONE if is_gone(edit, change) and EDITS[edit].get("may_go") else KEPT


def updated(folder: Path, change: str) -> Update:
    about = CHANGES[change]
    options = {name: about[name] for name in ("renames", "no_renames") if name in about}
    result = update(folder, read(changed_urdf(change)), UpdateOptions(**options))
    result.save()
    return result


def is_gone(edit: str, change: str) -> bool:
    """Does the change take away what the user has edited?"""
    return EDITS[edit].get("of") in CHANGES[change].get("gone", ())


def check_edit(folder: Path, edit: str, change: str, spans: list[tuple[str, bytes]], result: Update) -> None:
    """What the user wrote is there, or may be gone, or is told."""
    about = EDITS[edit]
    assert not any((folder / path).exists() for path in about.get("remove", ())), "what was removed is back"
    if about.get("start") and about["of"] in CHANGES[change].get("retyped", ()):
        check_start_value(folder, spans, result)
        return
    if about.get("may_go") and is_gone(edit, change):
        return
    renames = CHANGES[change].get("renames", {})
    for path, span in spans:
        place = folder / in_new_names(path, renames)
        assert place.is_file(), f"{path} is gone"
        assert any(each in place.read_bytes() for each in (span, in_new_names(span.decode(), renames).encode())), (
            f"{path} has lost {span!r}"
        )
    if is_gone(edit, change):
        assert any(about["of"] in line for line in result.report.attention), f"nothing is said about {about['of']}"
    elif "class" in about and about["of"] in CHANGES[change].get("retyped", ()):
        assert any(about["class"] in line for line in result.report.attention), (
            f"nothing is said about {about['class']}"
        )


def in_new_names(text: str, renames: dict[str, str]) -> str:
    for old, new in renames.items():
        text = re.sub(rf"\b{old}(?=Params\b|\b)", new, text)
    return text


def check_start_value(folder: Path, spans: list[tuple[str, bytes]], result: Update) -> None:
    """A number of radians is not a number of metres: it does not count any more, and that is said."""
    told = [*result.report.attention, *map(str, result.report.conflicts)]
    for path, span in spans:
        assert span.decode() not in without_comments(read_text(folder / path)), f"{span!r} of {path} still counts"
        assert any("q_start" in line for line in told), "nothing is said about the start value"


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def check_arrivals(folder: Path, edit: str, change: str, result: Update) -> None:
    """What the URDF changed is there, or refused with a word in the report."""
    refused = {conflict.file for conflict in result.report.conflicts}
    refused |= {line.partition(":")[0] for line in result.report.kept}
    places = {EDITS[edit]["move"][0]: EDITS[edit]["move"][1]} if "move" in EDITS[edit] else {}
    for generated, generated_text in CHANGES[change]["arrives"]:
        text = generated_text
        place = "package.mo" if EDITS[edit].get("fold") else places.get(generated, generated)
        for old, new in EDITS[edit].get("arrives_as", ()):  # what the user has renamed has that name in new text too
            text = text.replace(old, new)
        assert text in read_text(folder / place) or place in refused, f"{text} did not arrive in {place}"


@pytest.mark.parametrize(("edit", "change"), mostly_slow(NORMAL, *NORMAL[::5]))
def test_an_edit_survives(edit: str, change: str, tmp_path: Path) -> None:
    assert run_cell(edit, change, tmp_path) == listed_table()[edit, change]


@pytest.mark.parametrize("edit", mostly_slow(EDITS, *list(EDITS)[::5]))
def test_an_edit_leaves_a_robot_that_fits(edit: str, tmp_path: Path) -> None:
    """Else a cell would say nothing about the update."""
    folder = package_in(tmp_path)
    edit_package(folder, edit)
    assert misfits(folder, URDF, EDITS[edit].get("removed", ())) == []


@pytest.mark.corpus
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_survives_all_changes(edit: str, tmp_path: Path, expected: Expected) -> None:
    found = {}
    for number, change in enumerate(CHANGES):
        found[edit, change] = run_cell(edit, change, tmp_path / str(number))
    row = row_text(edit, found)
    if expected.is_written:
        write_row(edit, row)
    assert row in PAGE.read_text(encoding="utf-8").splitlines()


def test_the_table_is_large() -> None:
    assert len(EDITS) >= 40
    assert len(CHANGES) >= 15
    assert {change for _, change in DIAGONAL} == set(CHANGES)
    assert head_text() in PAGE.read_text(encoding="utf-8")
    assert set(listed_table()) == set(CELLS)
    assert set(listed_table().values()) == {KEPT, CONFLICT, GONE}


# ---------------------------------------------------------------- the table of the page


def head_text() -> str:
    numbers = {change: n for n, change in enumerate(CHANGES, 1)}
    return "\n".join(
        [
            "The changes of the URDF file: " + ", ".join(f"{n} {change}" for change, n in numbers.items()) + ".",
            "",
            "| the user's edit | " + " | ".join(map(str, numbers.values())) + " |",
            "|---" * (len(numbers) + 1) + "|\n",
        ]
    )


def row_text(edit: str, cells: dict[tuple[str, str], str]) -> str:
    return f"| {edit} | " + " | ".join(cells[edit, change] for change in CHANGES) + " |"


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


def write_row(edit: str, row: str) -> None:
    """Put a row in its place; the others stay as they are until their tests have run."""
    text = PAGE.read_text(encoding="utf-8")
    start, stop = text.index(BEGIN) + len(BEGIN), text.index(END)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in text[start:stop].splitlines()} | {edit: row}
    table = head_text() + "".join(f"{rows[each]}\n" for each in EDITS if each in rows)
    PAGE.write_text(text[:start] + table + text[stop:], encoding="utf-8")
