"""Permissions follow a file: edited in place, renamed, moved to another package, saved as one of several."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from modelica_ast.cli.program import main
from modelica_ast.library import Libraries
from modelica_ast.refactor import add_class, rename

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

LIBRARY: Mapping[str, str] = {
    "Lib/package.mo": "within;\npackage Lib\nend Lib;\n",
    "Lib/package.order": "A\nUser\nSub\n",
    "Lib/A.mo": "within Lib;\nmodel A\n  Real x = 1;\nend A;\n",
    "Lib/User.mo": "within Lib;\nmodel User\n  A a;\n  Sub.B b;\nend User;\n",
    "Lib/Sub/package.mo": "within Lib;\npackage Sub\nend Sub;\n",
    "Lib/Sub/package.order": "B\n",
    "Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\nend B;\n",
    "Lib/Sub/notes.txt": "notes",
    "Lib/Resources/Scripts/A.mos": 'simulateModel("Lib.A");\n',
    "Lib/Resources/Scripts/run.mos": 'simulateModel("Lib.A");\n',
    "Lib/Resources/Images/Sub/B.png": "a picture",
}
SOMEBODY = 12345
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0
only_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give a file to somebody else")
modes = pytest.mark.parametrize("mode", [0o600, 0o640, 0o664], ids=oct)


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in LIBRARY.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        path.chmod(0o644)
    monkeypatch.chdir(tmp_path)


def mode_of(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


def owner_of(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_uid, found.st_gid


def run(*words: str) -> None:
    assert main([*words, "--in-place", "--quiet"]) == 0


# ---------------------------------------------------------------- files that move


@modes
def test_a_renamed_file_keeps_its_mode(mode: int) -> None:
    Path("Lib/A.mo").chmod(mode)
    run("rename", "Lib::Lib.A", "New")
    assert not Path("Lib/A.mo").exists()
    assert mode_of("Lib/New.mo") == mode


@modes
def test_a_moved_file_keeps_its_mode(mode: int) -> None:
    Path("Lib/A.mo").chmod(mode)
    run("move", "Lib::Lib.A", "--to", "Lib.Sub")
    assert not Path("Lib/A.mo").exists()
    assert mode_of("Lib/Sub/A.mo") == mode


@only_root
def test_a_file_that_moves_keeps_its_owner_and_group() -> None:
    for name in ("Lib/A.mo", "Lib/Sub/B.mo"):
        os.chown(name, SOMEBODY, SOMEBODY + 1)
        Path(name).chmod(0o640)
    run("rename", "Lib::Lib.A", "New")
    run("move", "Lib::Lib.Sub.B", "--to", "Lib")
    for name in ("Lib/New.mo", "Lib/B.mo"):
        assert owner_of(name) == (SOMEBODY, SOMEBODY + 1)
        assert mode_of(name) == 0o640


def test_rename_there_and_back_changes_no_mode() -> None:
    for number, name in enumerate(LIBRARY):
        Path(name).chmod((0o600, 0o640, 0o755)[number % 3])
    before = {name: mode_of(name) for name in LIBRARY}
    for old, new in (("A", "New"), ("New", "A"), ("Sub", "Other"), ("Other", "Sub")):
        run("rename", f"Lib::Lib.{old}", new)
    assert {name: mode_of(name) for name in LIBRARY} == before


def test_undo_gives_the_mode_back() -> None:
    Path("Lib/A.mo").chmod(0o600)
    libraries = Libraries(["Lib"])
    rename(libraries, "Lib.A", "New")
    libraries.save()
    assert mode_of("Lib/New.mo") == 0o600
    libraries.undo()
    libraries.save()
    assert not Path("Lib/New.mo").exists()
    assert mode_of("Lib/A.mo") == 0o600


# ---------------------------------------------------------------- packages


def test_the_files_of_a_renamed_package_keep_their_modes() -> None:
    wanted = {"package.mo": 0o640, "package.order": 0o600, "B.mo": 0o664, "notes.txt": 0o755}
    for name, mode in wanted.items():
        Path("Lib/Sub", name).chmod(mode)
    run("rename", "Lib::Lib.Sub", "New")
    assert not Path("Lib/Sub").exists()
    assert {name: mode_of(f"Lib/New/{name}") for name in wanted} == wanted


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o775, 0o2775], ids=oct)
def test_the_folder_of_a_renamed_package_keeps_its_mode(mode: int) -> None:
    Path("Lib/Sub").chmod(mode)
    run("rename", "Lib::Lib.Sub", "New")
    assert mode_of("Lib/New") == mode


def test_the_folder_of_a_moved_package_keeps_its_mode() -> None:
    main(["copy", "Lib::Lib.Sub", "--as", "Outer", "--in-place", "--quiet"])
    Path("Lib/Sub").chmod(0o750)
    run("move", "Lib::Lib.Sub", "--to", "Lib.Outer")
    assert mode_of("Lib/Outer/Sub") == 0o750


# ---------------------------------------------------------------- resources


def test_a_script_that_moves_along_can_still_be_run() -> None:
    Path("Lib/Resources/Scripts/A.mos").chmod(0o755)
    run("rename", "Lib::Lib.A", "New")
    assert not Path("Lib/Resources/Scripts/A.mos").exists()
    assert mode_of("Lib/Resources/Scripts/New.mos") == 0o755
    assert Path("Lib/Resources/Scripts/New.mos").read_text() == 'simulateModel("Lib.New");\n'
    run("move", "Lib::Lib.New", "--to", "Lib.Sub")
    assert mode_of("Lib/Resources/Scripts/Sub/New.mos") == 0o755


def test_a_resource_that_moves_along_stays_secret() -> None:
    Path("Lib/Resources/Images/Sub/B.png").chmod(0o600)
    run("move", "Lib::Lib.Sub.B", "--to", "Lib")
    assert mode_of("Lib/Resources/Images/B.png") == 0o600


@only_root
def test_a_script_that_moves_along_keeps_its_owner_and_group() -> None:
    os.chown("Lib/Resources/Scripts/A.mos", SOMEBODY, SOMEBODY + 1)
    Path("Lib/Resources/Scripts/A.mos").chmod(0o755)
    run("rename", "Lib::Lib.A", "New")
    assert owner_of("Lib/Resources/Scripts/New.mos") == (SOMEBODY, SOMEBODY + 1)
    assert mode_of("Lib/Resources/Scripts/New.mos") == 0o755


# ---------------------------------------------------------------- files that stay


@modes
def test_a_file_that_is_edited_in_place_keeps_its_mode(mode: int) -> None:
    for name in ("Lib/A.mo", "Lib/User.mo", "Lib/package.order", "Lib/Resources/Scripts/run.mos"):
        Path(name).chmod(mode)
    run("set", "Lib/A.mo::A.x", "2")
    assert mode_of("Lib/A.mo") == mode
    run("rename", "Lib::Lib.A", "New")  # all of them name it
    for name in ("Lib/User.mo", "Lib/package.order", "Lib/Resources/Scripts/run.mos"):
        assert "New" in Path(name).read_text()
        assert mode_of(name) == mode


@only_root
def test_a_file_that_is_edited_in_place_keeps_its_owner_and_group() -> None:
    names = ("Lib/User.mo", "Lib/package.order", "Lib/Resources/Scripts/run.mos")
    for name in names:
        os.chown(name, SOMEBODY, SOMEBODY + 1)
    run("rename", "Lib::Lib.A", "New")
    assert {owner_of(name) for name in names} == {(SOMEBODY, SOMEBODY + 1)}


# ---------------------------------------------------------------- files that are new


def test_a_new_file_has_the_mode_that_the_user_wants_for_new_files() -> None:
    old = os.umask(0o027)
    try:
        libraries = Libraries(["Lib"])
        add_class(libraries, "Lib", "New")
        libraries.save()
    finally:
        os.umask(old)
    assert mode_of("Lib/New.mo") == 0o640
