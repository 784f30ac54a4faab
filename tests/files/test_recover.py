"""What becomes of saves that were interrupted, where somebody has been at work in between."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from modelica_ast.cli import main
from modelica_ast.edit import Document, Workspace
from modelica_ast.files import recover
from modelica_ast.foundation import EditError

JOURNAL = ".modelica-save.journal"
A = b"within Lib;\nmodel A\n  Real x;\nend A;\n"
Q = b"within Lib;\nmodel Q\n  Real x;\nend Q;\n"
B = b"within Lib;\nmodel B\n  A a;\nend B;\n"
NEW_B = b"within Lib;\nmodel B\n  Q a;\nend B;\n"


def digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rename of A to Q that was decided and then killed, before anything was in its place."""
    folder = tmp_path / "Lib"
    folder.mkdir()
    (folder / "package.mo").write_bytes(b"package Lib\nend Lib;\n")
    (folder / "A.mo").write_bytes(A)
    (folder / "B.mo").write_bytes(B)
    files = []
    for number, (name, old, new) in enumerate((("A.mo", A, None), ("B.mo", B, NEW_B), ("Q.mo", None, Q))):
        temporary = backup = None
        if new is not None:
            temporary = f".modelica-save-{number:012}.tmp"
            (folder / temporary).write_bytes(new)
        if old is not None:
            backup = f".modelica-save-{number:012}.old"
            (folder / backup).write_bytes(old)
        files.append({"file": name, "temporary": temporary, "backup": backup, "old": digest(old), "new": digest(new)})
    (folder / JOURNAL).write_text(json.dumps({"modelica_save": 2, "folders": [], "emptied": [], "files": files}))
    monkeypatch.chdir(tmp_path)
    return folder


def half_done(folder: Path) -> None:
    """As if it had been killed later: Q is there, A is gone, B is old."""
    (folder / ".modelica-save-000000000002.tmp").replace(folder / "Q.mo")
    (folder / "A.mo").unlink()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_it_is_finished_or_taken_back(library: Path) -> None:
    assert main(["recover", "Lib", "--take-back"]) == 0
    assert contents(library) == {"package.mo": b"package Lib\nend Lib;\n", "A.mo": A, "B.mo": B}


@pytest.mark.parametrize("words", [["recover", "Lib"], ["set", "Lib/package.mo::Lib", "--description", "x", "-i"]])
def test_new_contents_that_are_gone_delete_nothing(
    library: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for path in library.glob("*.tmp"):
        path.unlink()
    before = contents(library)
    assert main(words) == 4
    assert "is gone; 'modelica-patch recover --take-back Lib' may go the other way" in capsys.readouterr().err
    assert contents(library) == before
    assert main(["recover", "Lib", "--force"]) == 0
    assert "has been forgotten; they are left: A.mo, B.mo, Q.mo" in capsys.readouterr().out
    assert (library / "A.mo").read_bytes() == A
    assert (library / "B.mo").read_bytes() == B
    assert not (library / JOURNAL).exists()


def test_old_contents_that_are_gone_delete_nothing(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half_done(library)
    for path in library.glob("*.old"):
        path.unlink()
    before = contents(library)
    assert main(["recover", "Lib", "--take-back"]) == 4
    assert "the old content of" in capsys.readouterr().err
    assert contents(library) == before
    assert main(["recover", "Lib", "--take-back", "--force"]) == 0
    assert (library / "Q.mo").read_bytes() == Q


def test_a_take_back_that_was_killed_deletes_nothing_either(library: Path) -> None:
    half_done(library)
    (library / JOURNAL).replace(library / ".modelica-save.plan")
    for path in library.glob("*.old"):
        path.unlink()
    before = contents(library)
    with pytest.raises(EditError, match=r"the old content of .* is gone"):
        recover(library)
    assert main(["set", "Lib/package.mo::Lib", "--description", "x", "-i"]) == 4
    assert contents(library) == before


def test_force_is_about_the_file_that_is_saved(library: Path) -> None:
    mine = B.replace(b"A a;", b"A a;\n  Real hours_of_work;")
    (library / "B.mo").write_bytes(mine)
    document = Document.open(library / "package.mo")
    document.find_class("Lib").set_description("hi")
    with pytest.raises(EditError, match=r"B\.mo was changed after a save in .* was interrupted"):
        document.save(force=True)
    assert (library / "B.mo").read_bytes() == mine
    assert (library / "package.mo").read_bytes() == b"package Lib\nend Lib;\n"


def test_a_value_is_not_a_place(library: Path, tmp_path: Path) -> None:
    before = contents(library)
    (tmp_path / "Other.mo").write_text("model Other\n  parameter Real x = 1;\nend Other;\n")
    assert main(["set", "Other.mo::Other.x", "Lib", "--in-place"]) == 0
    assert contents(library) == before


def test_a_place_that_is_not_there_yet_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".modelica-save.plan").write_text(
        '{"modelica_save": 2, "folders": ["arm"], "emptied": [], "files": []}'
    )
    monkeypatch.chdir(tmp_path)
    assert main(["show", "arm"]) == 4
    assert "a save in" in capsys.readouterr().err


def test_several_folders_need_one_above_that_can_be_written(tmp_path: Path) -> None:
    for name in ("p", "q"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "A.mo").write_bytes(b"model A\n  Real x;\nend A;\n")
    workspace = Workspace(tmp_path)
    for name in ("p", "q"):
        workspace.open(f"{name}/A.mo").find_class("A").set_description("hi")
    (tmp_path / ".modelica-save.plan").mkdir()  # even root can't write a plan now
    with pytest.raises(EditError, match="is not an ordinary file"):
        workspace.save()
    assert (tmp_path / "p" / "A.mo").read_bytes() == b"model A\n  Real x;\nend A;\n"


def test_output_to_the_file_itself_is_a_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "A.mo"
    file.write_text("model A\n  parameter Real x = 1;\nend A;\n")
    file.chmod(0o444)
    words = ["set", f"{file}::A.x", "2", "--output", str(file)]
    assert main(words) == 4
    assert "is read-only; --force replaces it" in capsys.readouterr().err
    assert main([*words, "--force"]) == 0
    assert "x = 2" in file.read_text()


def test_the_way_back_is_written_first_and_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "A.mo"
    text = "model A\n  parameter Real x = 1;\nend A;\n"
    file.write_text(text)
    operation = '{"op": "rename_class", "class": "A", "name": "Robot"}'
    words = ["patch", str(file), "--operation", operation, "--in-place", "--inverse"]
    assert main([*words, str(tmp_path / "none" / "undo.json")]) == 4
    assert file.read_text() == text
    assert main([*words, str(file)]) == 2
    assert "would overwrite the model" in capsys.readouterr().err
    assert file.read_text() == text
    assert main([*words, str(tmp_path / "undo.json")]) == 0
    assert main(["patch", str(file), str(tmp_path / "undo.json"), "--in-place"]) == 0
    assert file.read_text() == text


def test_a_drawing_does_not_replace_its_model(tmp_path: Path) -> None:
    file = tmp_path / "B.mo"
    text = "model B\nend B;\n"
    file.write_text(text)
    assert main(["draw", f"{file}::B", "--output", str(file)]) == 2
    assert file.read_text() == text
