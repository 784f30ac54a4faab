"""Classes whose names no file can have: they live in the file of their package, or the operation is refused."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from conftest import crossed, examples
from modelica_ast.cli.program import main
from modelica_ast.edit.values import identifier
from modelica_ast.foundation import EditError, shown
from modelica_ast.foundation.regular import fault_of_file_name, folded
from modelica_ast.library import Libraries
from modelica_ast.library.inspection import check_library
from modelica_ast.refactor import add_class, copy_class, move_class, rename

LIBRARY: Mapping[str, str] = {
    "Lib/package.mo": "within;\npackage Lib\n  constant Real c = 1;\nend Lib;\n",
    "Lib/package.order": "A\nUser\nSub\nOther\nc\n",
    "Lib/A.mo": "// licence\nwithin Lib;\n// about A\nmodel A\n  Real x = Sub.B.k;\nend A;\n// the end\n",
    "Lib/User.mo": "within Lib;\nmodel User\n  A first;\n  Sub.B second;\n  Sub.In.C third;\nend User;\n",
    "Lib/Sub/package.mo": "within Lib;\npackage Sub\nend Sub;\n",
    "Lib/Sub/package.order": "B\nIn\n",
    "Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\n  constant Real k = 1;\nend B;\n",
    "Lib/Sub/In/package.mo": "within Lib.Sub;\npackage In\nend In;\n",
    "Lib/Sub/In/package.order": "C\n",
    "Lib/Sub/In/C.mo": "within Lib.Sub.In;\nmodel C\n  B b;\nend C;\n",
    "Lib/Other/package.mo": "within Lib;\npackage Other\nend Other;\n",
    "Lib/Other/package.order": "",
    "Lib/Resources/Images/A.png": "a picture",
}
# Names as identifiers, so that the class is found by them afterwards; and whether a file may have them.
NAMES: Mapping[str, bool] = {
    "'a/b'": False,
    "'/../../../outside'": False,
    "'../outside'": False,
    "'..'": False,
    "'.'": False,
    "CON": False,
    "'con'": False,
    "nul": False,
    "COM1": False,
    "'aux.x'": False,
    "'a\x07b'": False,
    "'a\tb'": False,
    "'a\x7fb'": False,
    "'a\x85b'": False,
    "'a\u2028b'": False,
    "'a.'": False,
    "'a '": False,
    "'a:b'": False,
    "'a*'": False,
    "'a?'": False,
    "'\"a\"'": False,
    "'<a>'": False,
    "'a|b'": False,
    r"'a\\b'": False,
    r"'it\'s'": False,
    f"'{'x' * 251}'": False,
    f"'{'ü' * 126}'": False,
    "y" * 300: False,
    "'package'": False,
    "USER": False,  # beside User
    "other": False,  # beside the folder Other
    "'cafe\u0301'": False,  # some file systems put the two characters together
    "'caf\u00e9'": True,
    "'my class'": True,
    "'v1.2'": True,
    "'.hidden'": True,
    "z" * 252: True,
}
NO_NAMES = ("'a\0b'", "'a\udc80b'", "a\udc80", "'a\nb'", "'a\rb'", "a\nb", "")


@pytest.fixture(autouse=True)
def _no_libraries_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MODELICAPATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the library, deep enough that something could be written outside of it."""
    place = tmp_path / "some" / "where"
    write(place, LIBRARY)
    return place


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, empty folders too."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
        elif not any(path.iterdir()):
            found[str(path.relative_to(folder))] = b"an empty folder"
    return found


def new_files(folder: Path) -> set[str]:
    return {name for name in files(folder) if name not in LIBRARY}


def short(name: str) -> str:
    return ascii(name if len(name) < 20 else f"{name[:4]}{len(name)}")


by_name = pytest.mark.parametrize("name", NAMES, ids=short)

# What is done, and the full name of the class afterwards.
OPERATIONS: Mapping[str, Callable[[str], tuple[list[str], str]]] = {
    "add": lambda new: (["add", f"Lib::Lib.{new}", "--kind", "model"], f"Lib.{new}"),
    "rename": lambda new: (["rename", "Lib::Lib.A", new], f"Lib.{new}"),
    "rename a package": lambda new: (["rename", "Lib::Lib.Sub", new], f"Lib.{new}"),
    "rename an inner package": lambda new: (["rename", "Lib::Lib.Sub.In", new], f"Lib.Sub.{new}"),
    "copy": lambda new: (["copy", "Lib::Lib.A", "--as", new], f"Lib.{new}"),
    "copy a package": lambda new: (["copy", "Lib::Lib.Sub", "--as", new], f"Lib.{new}"),
    "copy to a package": lambda new: (["copy", "Lib::Lib.A", "--to", "Lib.Other", "--as", new], f"Lib.Other.{new}"),
}


@pytest.mark.parametrize(("operation", "name"), crossed(OPERATIONS, NAMES), ids=short)
def test_a_class_with_any_name_is_found_again(
    folder: Path, name: str, operation: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    words, full_name = OPERATIONS[operation](name)
    assert main([*words, "--in-place"]) == 0, capsys.readouterr().err
    assert_good(folder, full_name)
    beside_others = name in {"USER", "other"} and full_name != f"Lib.{name}"
    own_file = NAMES[name] or beside_others
    assert any(name in new for new in new_files(folder) if new.endswith(".mo")) == own_file
    assert {path.name for path in folder.parent.iterdir()} == {"where"}
    assert {path.name for path in folder.iterdir()} == {"Lib"}
    if operation.startswith("rename"):
        old = "A" if operation == "rename" else "Sub" if operation == "rename a package" else "In"
        assert main(["rename", f"Lib::{full_name}", old, "--in-place"]) == 0, capsys.readouterr().err
        assert_good(folder, f"{full_name.removesuffix(name)}{old}")
        if own_file:
            assert {path: data.decode() for path, data in files(folder).items()} == LIBRARY
    capsys.readouterr()
    assert main(["check", "Lib"]) == 0, capsys.readouterr().out


def assert_good(folder: Path, full_name: str) -> None:
    libraries = Libraries([folder / "Lib"])
    assert libraries.find_class(full_name)
    assert [str(problem) for problem in check_library(libraries)] == []
    for entry in libraries["Lib"].files():
        assert entry.path.is_relative_to(folder / "Lib")


@by_name
def test_a_class_is_moved_with_its_name(folder: Path, name: str) -> None:
    libraries = Libraries([folder / "Lib"])
    add_class(libraries, "Lib.Sub", name)
    move_class(libraries, f"Lib.Sub.{name}", "Lib")
    libraries.save()
    assert_good(folder, f"Lib.{name}")
    move_class(libraries, f"Lib.{name}", "Lib.Other")
    libraries.save()
    assert_good(folder, f"Lib.Other.{name}")


@by_name
def test_undo_gives_the_files_back(folder: Path, name: str) -> None:
    libraries = Libraries([folder / "Lib"])
    for old in ("A", "Sub"):
        rename(libraries, f"Lib.{old}", name)
        libraries.save()
        libraries.undo()
        libraries.save()
        assert {path: data.decode() for path, data in files(folder).items()} == LIBRARY


@pytest.mark.parametrize("name", NO_NAMES, ids=ascii)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_no_file_can_hold_is_no_name(
    folder: Path, name: str, operation: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    words, _ = OPERATIONS[operation](name)
    assert main([*words, "--in-place"]) == 2, capsys.readouterr().err
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith("modelica-patch: ")
    assert message.isprintable()
    assert new_files(folder) == set()


def test_a_renamed_class_keeps_its_comments_and_its_place_in_the_order(folder: Path) -> None:
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.A", "a/b")
    libraries.save()
    assert (folder / "Lib/package.order").read_text() == "'a/b'\nUser\nSub\nOther\nc\n"
    assert (folder / "Lib/package.mo").read_text() == (
        "within;\npackage Lib\n  constant Real c = 1;\n"
        "  // licence\n  // about A\n  // the end\n"
        "  model 'a/b'\n    Real x = Sub.B.k;\n  end 'a/b';\nend Lib;\n"
    )
    assert "  'a/b' first;\n" in (folder / "Lib/User.mo").read_text()
    assert not (folder / "Lib/A.mo").exists()


def test_comments_are_not_repeated_and_byte_order_marks_go(folder: Path) -> None:
    write(
        folder, {"Lib/A.mo": "\ufeff// licence\r\nwithin Lib;\r\nmodel A // one\r\n  /* two */\r\nend A; // three\r\n"}
    )
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.A", "a/b")
    libraries.save()
    text = (folder / "Lib/package.mo").read_bytes().decode()
    assert text.endswith("\n  // licence\n  // three\n  model 'a/b' // one\n    /* two */\n  end 'a/b';\nend Lib;\n")
    assert "\ufeff" not in text


def test_a_second_class_in_a_file_is_not_lost(folder: Path) -> None:
    write(folder, {"Lib/A.mo": LIBRARY["Lib/A.mo"] + "model Second\nend Second;\n"})
    with pytest.raises(EditError, match="second class"):
        rename(Libraries([folder / "Lib"]), "Lib.A", "a/b")


def test_a_package_with_line_ends_of_windows_keeps_them(folder: Path) -> None:
    for name in ("Lib/package.mo", "Lib/package.order"):
        write(folder, {name: LIBRARY[name].replace("\n", "\r\n")})
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.Sub", "a/b")
    libraries.save()
    for name in ("Lib/package.mo", "Lib/package.order"):
        data = (folder / name).read_bytes()
        assert b"'a/b'" in data
        assert data.count(b"\n") == data.count(b"\r\n")
    assert_good(folder, "Lib.'a/b'.In.C")


def test_a_package_in_latin_1_holds_what_it_can(folder: Path) -> None:
    (folder / "Lib/package.mo").write_bytes(
        'within;\npackage Lib "é"\n  constant Real c = 1;\nend Lib;\n'.encode("latin-1")
    )
    before = files(folder)
    libraries = Libraries([folder / "Lib"])
    add_class(libraries, "Lib", "a/\u0436")
    with pytest.raises(EditError, match=r"latin|iso|Latin"):
        libraries.save()
    assert files(folder) == before


def test_a_package_without_an_order_has_places_in_its_text(folder: Path) -> None:
    (folder / "Lib/package.order").unlink()
    libraries = Libraries([folder / "Lib"])
    add_class(libraries, "Lib", "a/b")
    add_class(libraries, "Lib", "c/d", before="'a/b'")
    rename(libraries, "Lib.A", "e/f")
    libraries.save()
    text = (folder / "Lib/package.mo").read_text()
    assert text.index("model 'c/d'") < text.index("model 'a/b'") < text.index("model 'e/f'")
    assert_good(folder, "Lib.'e/f'")


def test_a_place_among_others_is_a_place_in_the_order(folder: Path) -> None:
    libraries = Libraries([folder / "Lib"])
    add_class(libraries, "Lib", "a/b", before="User")
    add_class(libraries, "Lib", "c/d", after="'a/b'")
    libraries.save()
    assert (folder / "Lib/package.order").read_text().split("\n")[:4] == ["A", "'a/b'", "'c/d'", "User"]


def test_other_files_in_a_folder_have_no_place_in_a_file(folder: Path) -> None:
    write(folder, {"Lib/Sub/notes.txt": "notes"})
    before = files(folder)
    for operation in (rename, lambda libraries, old, new: copy_class(libraries, old, "Lib", new)):
        libraries = Libraries([folder / "Lib"])
        with pytest.raises(EditError, match=r"no folder can be called 'a/b'.* notes\.txt"):
            operation(libraries, "Lib.Sub", "a/b")
        libraries.save()
        assert files(folder) == before


def test_a_folder_that_is_not_a_package_is_not_taken(folder: Path) -> None:
    before = files(folder)
    for name in ("Resources", "resources"):
        libraries = Libraries([folder / "Lib"])
        rename(libraries, "Lib.Sub", name)
        libraries.save()
        assert {path for path in files(folder) if path.startswith("Lib/R")} == {"Lib/Resources/Images/A.png"}
        assert_good(folder, f"Lib.{name}")
        libraries.undo()
        libraries.save()
        assert files(folder) == before


LINKS = r"""within Lib;
model User "See modelica://Lib.A, and modelica://Lib/Resources/Images/A.png."
  A a;
  annotation(Documentation(info="<a href=\"modelica://Lib.A#info\">A</a> <img src=\"modelica://Lib/Resources/Images/A.png\">"));
end User;
"""


@by_name
def test_links_lead_to_a_class_of_any_name_and_back(folder: Path, name: str) -> None:
    write(folder, {"Lib/User.mo": LINKS})
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.A", name)
    libraries.save()
    assert_good(folder, f"Lib.{name}")
    assert (folder / "Lib/User.mo").read_text().count("Lib.A") == 0
    rename(libraries, f"Lib.{name}", "A")
    libraries.save()
    assert (folder / "Lib/User.mo").read_text() == LINKS


def test_resources_stay_where_they_are_if_they_can_not_have_the_name(folder: Path) -> None:
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.A", "'my class'")
    libraries.save()
    assert "Lib/Resources/Images/'my class'.png" in files(folder)
    rename(libraries, "Lib.'my class'", "a/b")
    libraries.save()
    assert "Lib/Resources/Images/'my class'.png" in files(folder)


def test_resources_stay_where_they_are_if_their_names_would_be_too_long(folder: Path) -> None:
    write(folder, {"Lib/Resources/ReferenceResults/Lib_A.txt": "1"})
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.A", "z" * 252)
    libraries.save()
    assert "Lib/Resources/ReferenceResults/Lib_A.txt" in files(folder)


def test_a_class_may_change_the_case_of_its_name(folder: Path) -> None:
    libraries = Libraries([folder / "Lib"])
    rename(libraries, "Lib.Sub.B", "b_")
    rename(libraries, "Lib.Sub.b_", "B_")
    libraries.save()
    assert new_files(folder) == {"Lib/Sub/B_.mo"}


def test_a_library_of_one_file_takes_every_name(tmp_path: Path) -> None:
    (tmp_path / "One.mo").write_text("package One\n  model A\n  end A;\nend One;\n")
    for name in NAMES:
        libraries = Libraries([tmp_path / "One.mo"])
        add_class(libraries, "One", name)
        rename(libraries, f"One.{name}", "B")
        rename(libraries, "One.B", name)
        assert libraries.find_class(f"One.{name}")


_TEXTS = st.text(st.characters() | st.sampled_from("/\\.'\" :*?<>|\0\r\n\x85\u2028\udc80"), max_size=12)


@settings(max_examples=examples(60))
@given(_TEXTS, _TEXTS)
def test_random_names(first: str, second: str) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place, "a", "b")
        write(folder, LIBRARY)
        old = "Lib.A"
        for name, operation in ((first, "add"), (second, "rename")):
            libraries = Libraries([folder / "Lib"])
            try:
                written = identifier(name)
                if operation == "add":
                    add_class(libraries, "Lib", name)
                else:
                    rename(libraries, old, name)
                libraries.save()
            except EditError as error:
                assert str(error).isprintable()  # noqa: PT017
                continue
            old = f"Lib.{written}"
            assert_good(folder, old)
        assert {path.name for path in folder.parent.iterdir()} == {"b"}
        assert {path.name for path in folder.iterdir()} == {"Lib"}


# ---------------------------------------------------------------- names of files


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("a/b", "it has a '/'"),
        ("a\x07", "it has the character U+0007"),
        ("a\udc80", "it has the character U+DC80"),
        ("..", "it names a folder that already exists"),
        ("", "it is empty"),
        ("a ", "it ends with a blank"),
        ("a.", "it ends with a dot"),
        ("Lpt9.txt", "Windows has a device with this name"),
        ("cafe\u0301", "some systems would store it as other characters"),
        ("x" * 256, "it has more than 255 bytes"),
        ("console", None),
        ("COM10", None),
        ("Grüße.mo", None),
    ],
)
def test_faults_of_file_names(name: str, fault: str | None) -> None:
    assert fault_of_file_name(name) == fault


def test_names_that_some_file_systems_do_not_tell_apart() -> None:
    assert folded("Stra\u00dfe") == folded("STRASSE")
    assert folded("caf\u00e9") == folded("cafe\u0301")
    assert folded("a") != folded("'a'")


# ---------------------------------------------------------------- reading

READERS = (
    ["show", "Lib"],
    ["show", "Lib::Lib.A"],
    ["check", "Lib"],
    ["references", "Lib::Lib.A"],
    ["rename", "Lib::Lib.A", "New"],
    ["rename", "Lib::Lib.Sub", "New"],
    ["rename", "Lib::Lib.A", "New", "--in-place"],
)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not take these names")
@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize(
    "name",
    [b"\xff.mo", b"a\nb.mo", b"'a\nb'.mo", b"a\x1b[31m.mo", b"a.b.mo", b"'.mo", b"'a.mo", b"..mo", b"...mo", b"a b.mo"],
    ids=ascii,
)
def test_files_with_strange_names_are_noted(
    folder: Path, name: bytes, words: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    strange = os.fsencode(folder) + b"/Lib/" + name
    Path(os.fsdecode(strange)).write_bytes(b"within Lib;\nmodel X\nend X;\n")
    inner = os.fsencode(folder) + b"/Lib/Sub/" + name
    Path(os.fsdecode(inner)).mkdir()
    Path(os.fsdecode(inner), "package.mo").write_bytes(b"within Lib.Sub;\npackage X\nend X;\n")
    code = main(words)
    output = capfd.readouterr()
    assert code == (1 if words[0] in {"check", "references"} and code else 0), output.err
    if words[0] == "check":
        assert "\x1b" not in output.out
        assert "Lib" in output.out
    assert Path(os.fsdecode(strange)).exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not take these names")
@pytest.mark.parametrize("words", [*READERS, ["grep", "Real", "Lib"]], ids=" ".join)
def test_a_library_in_a_folder_with_a_strange_name(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    strange = Path(os.fsdecode(os.fsencode(folder) + b"/\xff\n"))
    strange.mkdir()
    (folder / "Lib").rename(strange / "Lib")
    monkeypatch.chdir(folder)
    given = [word.replace("Lib", str(strange / "Lib"), 1) if word.startswith("Lib") else word for word in words]
    assert main(given) == 0
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize(
    "order",
    [b"\xff\nA", b"A\0\nUser\n", b"\r\rA\r\n\nUser", b"'a\x85b'\nA\n", b"..\n/etc/passwd\nA\n", b"'\nA\n", b"A\n" * 3],
    ids=ascii,
)
def test_strange_lines_of_package_order_are_noted(
    folder: Path, order: bytes, words: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    (folder / "Lib/package.order").write_bytes(order)
    code = main(words)
    output = capfd.readouterr()
    assert code == (1 if words[0] in {"check", "references"} and code else 0), output.err
    if words[0] == "check":
        assert "package.order" in output.out


def test_a_path_is_shown_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "Lib" / "Arm.mo") == "Lib/Arm.mo"
    assert shown(Path("Lib/Arm.mo")) == "Lib/Arm.mo"
    assert shown(tmp_path.parent / "Arm.mo") == str(tmp_path.parent / "Arm.mo")
    assert shown(Path("link/../Arm.mo")) == "link/../Arm.mo"  # which is not ./Arm.mo where `link` is a link


def test_a_path_is_shown_whole_where_the_working_folder_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert shown(gone / "Arm.mo") == str(gone / "Arm.mo")
