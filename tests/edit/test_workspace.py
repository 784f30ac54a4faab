"""Workspaces: several files edited and saved as one, by processes that may be killed at any moment."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, mostly_slow
from modelica_ast.edit import Document, Workspace
from modelica_ast.files import Recovery, recover
from modelica_ast.files.interrupted import JOURNAL, PLAN
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError

A = "model A\n  Real x;\nend A;\n"
B = "model B\r\n  Real x;\r\nend B;\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "A.mo").write_bytes(A.encode())
    (tmp_path / "Sub").mkdir()
    (tmp_path / "Sub" / "B.mo").write_bytes(B.encode())
    return tmp_path


def set_x(document: Document, value: float | str = 1) -> None:
    document.classes[0].find_component("x").set("", value)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# ---------------------------------------------------------------- editing


def test_a_document_is_opened_once(folder: Path) -> None:
    workspace = Workspace(folder)
    a = workspace.open("A.mo")
    assert workspace.open(folder / "A.mo") is a
    assert workspace.open("Sub/../A.mo") is a
    (folder / "Link.mo").symlink_to("A.mo")
    assert workspace.open("Link.mo") is a
    assert workspace.documents == [a]
    with pytest.raises(EditError, match="outside the workspace"):
        workspace.open("../A.mo")
    with pytest.raises(FileNotFoundError):
        workspace.open("Nothing.mo")
    with pytest.raises(EditError, match="is not a folder"):
        Workspace(folder / "A.mo")


def test_a_transaction_covers_all_documents(folder: Path) -> None:
    workspace = Workspace(folder)
    a, b = workspace.open("A.mo"), workspace.open("Sub/B.mo")
    with workspace.transaction():
        set_x(a)
        set_x(b)
        workspace.create("C.mo", "model C end C;")
        workspace.delete("A.mo")
    assert [d.path for d in workspace.documents] == [folder / "C.mo", folder / "Sub" / "B.mo"]
    workspace.undo()
    assert not workspace.is_changed
    assert workspace.documents == [a, b]
    workspace.redo()
    assert workspace.deleted == [folder / "A.mo"]
    b.undo()  # a document's steps are the workspace's
    assert (a.text, b.text) == (A, B)
    with pytest.raises(NotFoundError):
        edit_both_and_fail(workspace)
    assert not workspace.is_changed
    with pytest.raises(EditError, match="nothing to undo"):
        workspace.undo()


def edit_both_and_fail(workspace: Workspace) -> None:
    with workspace.transaction():
        set_x(workspace.open("A.mo"))
        set_x(workspace.open("Sub/B.mo"))
        workspace.delete("A.mo")
        workspace.open("Sub/B.mo").find_class("Nothing")


def test_a_refused_edit_inside_a_transaction_takes_back_itself_alone(folder: Path) -> None:
    workspace = Workspace(folder)
    a = workspace.open("A.mo")
    with workspace.transaction():
        set_x(a)
        with pytest.raises(NotFoundError):
            a.apply([*x_patch("A", 2), {"op": "remove_component", "class": "A", "component": "y"}])
        set_x(workspace.open("Sub/B.mo"), 3)
        with pytest.raises(EditError, match="no undo inside a transaction"):
            workspace.undo()
    assert a.text == A.replace("x", "x=1")
    workspace.undo()
    assert not workspace.is_changed


def test_one_step_at_a_time(folder: Path) -> None:
    workspace = Workspace(folder)
    a, b = workspace.open("A.mo"), workspace.open("Sub/B.mo")
    set_x(a)
    set_x(b)
    workspace.undo()
    assert (a.is_changed, b.is_changed) == (True, False)
    workspace.undo()
    workspace.redo()
    assert (a.is_changed, b.is_changed) == (True, False)


def x_patch(class_: str, value: Any = 1) -> list[dict[str, Any]]:
    return [{"op": "set_modifier", "class": class_, "component": "x", "path": "", "value": value}]


def test_patches_of_several_files_are_one(folder: Path) -> None:
    workspace = Workspace(folder)
    inverse = workspace.apply({"A.mo": x_patch("A"), "Sub/B.mo": x_patch("B")})
    changes = workspace.changes()
    assert changes.keys() == inverse.keys() == {"A.mo", "Sub/B.mo"}
    workspace.apply(json.loads(json.dumps(inverse)))
    assert not workspace.is_changed
    other = Workspace(folder)
    other.apply(changes)
    assert other.open("Sub/B.mo").text == B.replace("x", "x=1")
    with pytest.raises(NotFoundError, match=r"Sub/B.mo: no class 'A'"):
        other.apply({"A.mo": x_patch("A", 5), "Sub/B.mo": x_patch("A")})
    assert other.open("A.mo").text == A.replace("x", "x=1")
    with pytest.raises(EditError, match=r"C.mo: No such file"):
        other.apply({"C.mo": []})
    assert not issubclass(AmbiguousError, NotFoundError)


def test_a_file_under_two_names_is_restored(folder: Path) -> None:
    workspace = Workspace(folder)
    inverse = workspace.apply({"A.mo": x_patch("A", 1), "./A.mo": x_patch("A", 2)})
    assert workspace.open("A.mo").text == A.replace("x", "x=2")
    workspace.apply(inverse)
    assert workspace.open("A.mo").text == A


def test_diff_of_all(folder: Path) -> None:
    workspace = Workspace(folder)
    set_x(workspace.open("Sub/B.mo"))
    workspace.create("New.mo", "model N\f end N;")
    workspace.delete("A.mo")
    diff = workspace.diff()
    subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=diff.encode(), check=True, cwd=folder)
    applied = contents(folder)
    fresh = folder / "fresh"
    shutil.copytree(folder / "Sub", fresh / "Sub")
    assert applied == {"New.mo": b"model N\f end N;", "Sub/B.mo": B.replace("x", "x=1").encode()}
    with pytest.raises(EditError, match=r"A.mo is deleted"):
        workspace.changes()
    workspace.undo()
    with pytest.raises(EditError, match=r"New.mo does not exist yet"):
        workspace.changes()


def test_what_is_deleted_is_out_of_reach(folder: Path) -> None:
    workspace = Workspace(folder)
    a = workspace.open("A.mo")
    handle = a.find_class("A").find_component("x")
    workspace.delete("A.mo")
    for attempt in (lambda: handle.set("", 1), lambda: workspace.open("A.mo"), lambda: workspace.delete("A.mo")):
        with pytest.raises(EditError, match="has been deleted from the workspace"):
            attempt()
    assert workspace.create("A.mo", "model A2 end A2;") is a
    assert a.text == "model A2 end A2;"
    assert workspace.deleted == []
    with pytest.raises(EditError, match=r"A.mo already exists"):
        workspace.create("A.mo", "")
    with pytest.raises(EditError, match=r"Sub/B.mo already exists"):
        workspace.create("Sub/B.mo", "")
    workspace.undo()
    workspace.undo()
    assert a.text == A
    (folder / "Link.mo").symlink_to("A.mo")
    with pytest.raises(EditError, match="is a link"):
        workspace.delete("Link.mo")


# ---------------------------------------------------------------- saving


def test_save_writes_all_and_leaves_nothing_else(folder: Path) -> None:
    (folder / "A.mo").chmod(0o640)
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    workspace.delete("Sub/B.mo")
    workspace.create("New/Deep/C.mo", "\ufeffmodel C\r\nend C;")
    workspace.save()
    new = {"A.mo": A.replace("x", "x=1").encode(), "New/Deep/C.mo": "\ufeffmodel C\r\nend C;".encode()}
    assert contents(folder) == new
    assert stat.S_IMODE((folder / "A.mo").stat().st_mode) == 0o640
    assert not workspace.is_changed
    assert workspace.recovered is None
    workspace.undo()
    workspace.undo()
    workspace.undo()
    assert workspace.deleted == [folder / "New" / "Deep" / "C.mo"]
    workspace.save()
    assert contents(folder) == {"A.mo": A.encode(), "Sub/B.mo": B.encode()}
    workspace.save()  # of nothing


def test_files_that_are_no_modelica_are_saved_with_the_rest(folder: Path) -> None:
    (folder / "package.order").write_bytes(b"A\n")
    workspace = Workspace(folder)
    with workspace.transaction():
        set_x(workspace.open("A.mo"))
        workspace.others.write(folder / "package.order", b"A\nB\n")
    workspace.save()
    assert (folder / "package.order").read_bytes() == b"A\nB\n"
    workspace.others.write(folder / "package.order", None)
    workspace.save()  # of nothing else
    assert not (folder / "package.order").exists()
    assert not workspace.is_changed


def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    old = os.umask(0o027)
    try:
        workspace = Workspace(folder)
        workspace.create("C.mo", "model C end C;")
        workspace.save()
        Document("model D end D;", path=folder / "D.mo").save()
    finally:
        os.umask(old)
    for name in ("C.mo", "D.mo"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o640


def test_links_are_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(folder / "A.mo", elsewhere / "Real.mo")
    (folder / "L.mo").symlink_to(elsewhere / "Real.mo")
    workspace = Workspace(folder)
    set_x(workspace.open("L.mo"))
    workspace.save()
    document = Document.open(folder / "L.mo")
    set_x(document, 2)
    document.save()
    assert (folder / "L.mo").is_symlink()
    assert contents(elsewhere) == {"Real.mo": A.replace("x", "x=2").encode()}
    (folder / "Loop.mo").symlink_to("Loop.mo")
    with pytest.raises(EditError, match=r"Loop.mo"):
        document.save(folder / "Loop.mo")


def test_other_peoples_changes_are_not_overwritten(folder: Path) -> None:
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    set_x(workspace.open("Sub/B.mo"))
    alone = Document.open(folder / "Sub" / "B.mo")
    set_x(alone)
    (folder / "Sub" / "B.mo").write_text("model B end B;")
    before = contents(folder)
    for save in (workspace.save, alone.save):
        with pytest.raises(EditError, match=r"B.mo has been changed by somebody else since it was read; save\(force=T"):
            save()
    assert contents(folder) == before
    assert workspace.is_changed
    workspace.save(force=True)
    new = contents(folder)
    assert new == {"A.mo": A.replace("x", "x=1").encode(), "Sub/B.mo": B.replace("x", "x=1").encode()}
    alone.save()  # somebody else has written the same
    set_x(alone, 2)
    (folder / "Sub" / "B.mo").unlink()
    with pytest.raises(EditError, match=r"B.mo has been removed since it was read"):
        alone.save()
    alone.save(force=True)
    assert (folder / "Sub" / "B.mo").read_bytes() == B.replace("x", "x=2").encode()


def test_a_file_that_nobody_has_read_is_not_overwritten(folder: Path) -> None:
    workspace = Workspace(folder)
    workspace.create("C.mo", "model C end C;")
    (folder / "C.mo").write_text("model Other end Other;")
    with pytest.raises(EditError, match=r"C.mo already exists; save\(force=True\) overwrites it"):
        workspace.save()
    document = Document("model C end C;", path=folder / "C.mo")
    with pytest.raises(EditError, match=r"C.mo already exists"):
        document.save()
    document.save(folder / "A.mo")  # a path of another file is an order
    assert (folder / "A.mo").read_text() == "model C end C;"


def test_a_document_stays_in_its_workspace(folder: Path) -> None:
    workspace = Workspace(folder)
    a = workspace.open("A.mo")
    set_x(a)
    with pytest.raises(EditError, match="can't be saved elsewhere"):
        a.save(folder / "Other.mo")
    a.save()
    assert not workspace.is_changed
    assert sorted(contents(folder)) == ["A.mo", "Sub/B.mo"]


@pytest.fixture
def nobody() -> Iterator[None]:
    """Without the rights of root, which may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody can reach."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        (folder / "A.mo").write_text(A)
        (folder / "Closed").mkdir()
        (folder / "Closed" / "B.mo").write_text(A)
        (folder / "Closed").chmod(0o555)
        yield folder
        (folder / "Closed").chmod(0o755)


def test_a_closed_folder_is_one_clear_error(public_folder: Path, request: pytest.FixtureRequest) -> None:
    public_folder.chmod(0o777)
    before = contents(public_folder)
    (public_folder / "A.mo").chmod(0o444)
    request.getfixturevalue("nobody")
    workspace = Workspace(public_folder)
    set_x(workspace.open("A.mo"))
    with pytest.raises(EditError, match=r"A.mo is read-only; save\(force=True\) replaces it"):
        workspace.save()
    assert contents(public_folder) == before
    workspace.save(force=True)
    before["A.mo"] = A.replace("x", "x=1").encode()
    workspace.create("Closed/N.mo", "model N end N;")
    with pytest.raises(EditError, match=r"Closed.* can't be saved: Permission denied; nothing has changed"):
        workspace.save()
    inner = Workspace(public_folder / "Closed")
    inner.create("N.mo", "model N end N;")
    with pytest.raises(EditError, match=r"Closed can't be saved: Permission denied; nothing has changed"):
        inner.save()
    with pytest.raises(EditError, match=r"N.mo can't be saved: Permission denied; nothing has changed"):
        Document("model N end N;", path=public_folder / "Closed" / "N.mo").save()
    assert contents(public_folder) == before


def test_a_character_that_an_encoding_lacks_stops_all(folder: Path) -> None:
    (folder / "Old.mo").write_bytes('model Old "°" String x; end Old;'.encode("latin-1"))
    before = contents(folder)
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    set_x(workspace.open("Old.mo"), "日")
    with pytest.raises(EditError, match="the file is latin-1, which has no character '日'"):
        workspace.save()
    assert contents(folder) == before
    set_x(workspace.open("Old.mo"), "ü")
    workspace.save()
    assert (folder / "Old.mo").read_bytes() == 'model Old "°" String x="ü"; end Old;'.encode("latin-1")


HOLDER = """
import fcntl, os, sys
handle = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(handle, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


def test_two_who_save_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    before = contents(folder)
    monkeypatch.setenv("MODELICA_PATCH_WAIT", "0.1")
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(EditError, match=rf"process {holder.pid} \(.*\) is saving in .*; nothing has changed after"):
            workspace.save()
        with pytest.raises(EditError, match="is saving in"):
            workspace.open("A.mo").save()
        holder.kill()
    assert contents(folder) == before
    workspace.save()
    assert contents(folder) == {**before, "A.mo": A.replace("x", "x=1").encode()}


# ---------------------------------------------------------------- killed at every moment

FILES = 50


def library(folder: Path) -> None:
    """Files to save: most of them here, some one level down, one that will go; one more will be made."""
    (folder / "Sub").mkdir(parents=True)
    for number in range(FILES):
        (folder / ("Sub" if number % 5 == 0 else ".") / f"M{number}.mo").write_text(
            f"model M{number} Real x; end M{number};"
        )
    (folder / "Gone.mo").write_text("model Gone end Gone;")


def edited(folder: Path, value: int = 1) -> Workspace:
    workspace = Workspace(folder)
    for number in range(FILES):
        set_x(workspace.open(("Sub/" if number % 5 == 0 else "") + f"M{number}.mo"), value)
    return workspace


def edited_with_more(folder: Path) -> Workspace:
    workspace = edited(folder)
    workspace.delete("Gone.mo")
    workspace.create("New/Made.mo", "model Made end Made;")
    return workspace


CALLS = "open fsync link replace rename unlink remove mkdir rmdir".split()


def kill_at(moment: int) -> None:
    """Let this process be killed just before the n-th of its system calls that change files.

    What the n-th call leaves is what the next one finds; but after `open` comes a `write`, which nobody sees here.
    """
    left = [moment]

    def passed() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            if name == "open" and not arguments[1] & os.O_CREAT:  # who reads changes nothing
                return call(*arguments, **options)
            passed()
            # A killed process loses nothing that it has written, synchronised or not: that is for power cuts.
            found = None if name == "fsync" else call(*arguments, **options)
            if name == "open":
                passed()
            return found

        return wrapper

    for name in CALLS:
        setattr(os, name, watched(getattr(os, name), name))


def in_a_process_of_its_own(work: Callable[[], None]) -> int:
    """Fork, work, and tell by which signal it ended, 0 if by none."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:  # noqa: BLE001  (nothing may leave a forked process)
            os.write(2, repr(error).encode())
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert not (os.WIFEXITED(status) and os.WEXITSTATUS(status))
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def save_killed_at(workspace: Workspace, moment: int) -> None:
    kill_at(moment)
    workspace.save()


def recover_and_tell(folder: Path, report: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = Workspace(folder).recovered
    assert [str(warning.message) for warning in caught] == ([] if found is None else [str(found)])
    told = None if found is None else {"finished": found.finished, "files": len(found.files), "text": str(found)}
    report.write_text(json.dumps(told))


def without_orphans(folder: Path) -> dict[str, bytes]:
    """The files but for a plan that was never in its place: the next save removes it."""
    found = contents(folder)
    orphans = [name for name in found if ".modelica-save-" in name]
    assert len(orphans) <= 1
    return {name: data for name, data in found.items() if name not in orphans}


def kill_at_every_moment(scratch: Path, step: int) -> None:
    """What the test below runs in an interpreter of its own, which forks: a thread of the test runner must not."""
    library(scratch / "old")
    library(scratch / "new")
    edited_with_more(scratch / "new").save()
    old, new = contents(scratch / "old"), contents(scratch / "new")
    assert new.keys() - old.keys() == {"New/Made.mo"}
    assert old.keys() - new.keys() == {"Gone.mo"}
    told: dict[str, int] = {}
    moment = 1 - step
    folder, report = scratch / "lib", scratch / "report.json"
    shutil.copytree(scratch / "old", folder)
    workspace = edited_with_more(folder)
    while True:
        moment += step
        killed_by = in_a_process_of_its_own(lambda: save_killed_at(workspace, moment))  # noqa: B023
        found = contents(folder)
        if not {PLAN, JOURNAL} & found.keys():
            found = without_orphans(folder)
        for name in old.keys() | new.keys():
            assert found.get(name) in (old.get(name), new.get(name)), (moment, name)
        assert in_a_process_of_its_own(lambda: recover_and_tell(folder, report)) == 0
        after = without_orphans(folder)
        assert after in (old, new), moment
        assert {p.name for p in folder.iterdir() if p.is_dir()} == ({"Sub"} if after == old else {"Sub", "New"})
        recovery = json.loads(report.read_text())
        if killed_by == 0:
            break
        # All that is not as it was, and all that was left over, is told.
        if recovery is None:  # but for what was written before the plan, which the next save removes
            assert found == after, moment
        else:
            assert recovery["finished"] == (after == new), moment
            assert recovery["files"] == FILES + 2
        key = "nothing" if recovery is None else f"{recovery['finished']} {recovery['files']}"
        told[key] = told.get(key, 0) + 1
        if after == new:
            shutil.rmtree(folder)
            shutil.copytree(scratch / "old", folder)
    assert recovery is None
    assert after == new
    shutil.rmtree(folder)
    for moment_of_save, expected in ((120, old), (240, new)):
        kill_the_recovery_too(scratch, moment_of_save, expected, 3 * step)
    os.write(1, json.dumps({"moments": (moment - 1) // step + 1, "told": told}).encode())


def kill_the_recovery_too(scratch: Path, moment_of_save: int, expected: dict[str, bytes], step: int) -> None:
    """Who puts an interrupted save in order may be killed as well; the next one does the rest."""
    folder, interrupted = scratch / "lib", scratch / f"interrupted{moment_of_save}"
    shutil.copytree(scratch / "old", interrupted)
    workspace = edited_with_more(interrupted)
    assert in_a_process_of_its_own(lambda: save_killed_at(workspace, moment_of_save)) == signal.SIGKILL
    old, new = contents(scratch / "old"), contents(scratch / "new")
    for moment in range(1, 1000, step):
        shutil.copytree(interrupted, folder)
        killed_by = in_a_process_of_its_own(lambda: recover_killed_at(folder, moment))  # noqa: B023
        found = contents(folder)
        assert all(found.get(name) in (old.get(name), new.get(name)) for name in old.keys() | new.keys())
        recover(folder)
        assert contents(folder) == expected
        shutil.rmtree(folder)
        if killed_by == 0:
            assert moment > step
            return
    raise AssertionError("the recovery has no end")


def recover_killed_at(folder: Path, moment: int) -> None:
    kill_at(moment)
    recover(folder)


@pytest.mark.parametrize("step", mostly_slow([1, 6], 6))
def test_killed_at_every_moment_all_files_are_old_or_all_are_new(step: int) -> None:
    # In memory where there is such a place: a disk takes longer, and a kill is the same there.
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as scratch:
        command = [sys.executable, "-m", "edit.test_workspace", scratch, str(step)]
        ran = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    # Before the decision, after it, and with nothing to put in order: each is met.
    assert found["told"][f"False {FILES + 2}"] > 2 * FILES // step
    assert found["told"][f"True {FILES + 2}"] > FILES // step
    assert found["told"]["nothing"] > (1 if step == 1 else 0)
    assert found["moments"] == 1 + sum(found["told"].values())


SAVER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from edit.test_workspace import edited
folder = Path(sys.argv[2])
print("ready", flush=True)
for value in range(int(sys.argv[3]), 10**9):
    edited(folder, value).save()
"""
RECOVERER = "import sys; from modelica_ast.edit import recover; print(recover(sys.argv[1]))"


@pytest.mark.slow
def test_killed_by_a_timer(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    library(folder)
    random_ = random.Random(1)  # noqa: S311
    value = 1
    for _ in range(8):
        command = [sys.executable, "-c", SAVER, str(ROOT / "tests"), str(folder), str(value)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(random_.uniform(0.0, 0.4))
            child.kill()
        values = {value_in(text) for name, text in contents(folder).items() if name.endswith(".mo")}
        assert len(values) <= 3
        left = [name for name in contents(folder) if not name.endswith(".mo")]
        ran = subprocess.run([sys.executable, "-c", RECOVERER, str(folder)], capture_output=True, text=True, check=True)
        assert ("interrupted" in ran.stdout) == bool({PLAN, JOURNAL} & set(left))
        after = without_orphans(folder)
        assert all(name.endswith(".mo") for name in after)
        (value,) = {value_in(text) for name, text in after.items() if "Gone" not in name}
        value += 1


def value_in(text: bytes) -> int:
    return int(text.partition(b"=")[2].partition(b";")[0] or b"0")


# ---------------------------------------------------------------- recovery in detail


def killed(folder: Path, name: str) -> None:
    """Save in a process that is killed before it removes (or renames) the file of this name."""
    script = (
        "import os, signal, sys, pathlib\n"
        "from modelica_ast.edit import Workspace\n"
        "workspace = Workspace(sys.argv[1])\n"
        "for path in ('A.mo', 'Sub/B.mo'):\n"
        "    workspace.open(path).classes[0].find_component('x').set('', 1)\n"
        "def watched(call):\n"
        "    def wrapper(path, *rest, **options):\n"
        "        if pathlib.Path(path).name == sys.argv[2]:\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return call(path, *rest, **options)\n"
        "    return wrapper\n"
        "os.replace, os.unlink = watched(os.replace), watched(os.unlink)\n"
        "workspace.save()\n"
    )
    ran = subprocess.run([sys.executable, "-c", script, str(folder), name], check=False)
    assert ran.returncode == -signal.SIGKILL


def new_contents() -> dict[str, bytes]:
    return {"A.mo": A.replace("x", "x=1").encode(), "Sub/B.mo": B.replace("x", "x=1").encode()}


def test_before_the_decision_a_save_is_taken_back(folder: Path) -> None:
    before = contents(folder)
    killed(folder, PLAN)
    assert len(contents(folder)) == 2 + 5  # new contents, old contents, plan
    found = recover(folder)
    files = (folder / "A.mo", folder / "Sub" / "B.mo")
    assert found == Recovery(folder, files, finished=False)
    assert str(found) == (
        f"a save of 2 files in {folder} was interrupted and has been taken back; as before are: A.mo, Sub/B.mo"
    )
    assert contents(folder) == before
    assert recover(folder) is None


def test_after_the_decision_a_save_is_finished_also_elsewhere(folder: Path, tmp_path_factory: Any) -> None:
    killed(folder, JOURNAL)
    moved = tmp_path_factory.mktemp("elsewhere") / "moved"
    shutil.copytree(folder, moved)
    with pytest.warns(UserWarning, match="was interrupted and has been finished; new are: A.mo, Sub/B.mo"):
        workspace = Workspace(moved)
    assert workspace.recovered is not None
    assert workspace.recovered.finished
    assert contents(moved) == new_contents()


def test_a_save_begins_with_recovery(folder: Path) -> None:
    workspace = Workspace(folder)
    workspace.create("C.mo", "model C end C;")
    killed(folder, JOURNAL)
    with pytest.warns(UserWarning, match="has been finished"):
        workspace.save()
    assert contents(folder) == {**new_contents(), "C.mo": b"model C end C;"}


def test_a_change_after_the_interruption_is_not_overwritten(folder: Path) -> None:
    killed(folder, JOURNAL)
    journal = json.loads((folder / JOURNAL).read_bytes())
    assert [entry["file"] for entry in journal["files"]] == ["A.mo", "Sub/B.mo"]
    (folder / "A.mo").write_text("model Other end Other;")
    before = contents(folder)
    for attempt in (lambda: recover(folder), lambda: Workspace(folder)):
        with pytest.raises(EditError, match=r"A.mo was changed after a save in .* was interrupted; .*recover --force"):
            attempt()
    assert contents(folder) == before
    assert (folder / "A.mo").read_text() == "model Other end Other;"
    assert recover(folder, force=True) is not None
    assert sorted(contents(folder)) == ["A.mo", "Sub/B.mo"]


def test_a_journal_of_another_version_is_left_alone(folder: Path) -> None:
    (folder / JOURNAL).write_text('{"modelica_save": 3}')
    with pytest.raises(EditError, match=r"is not a journal that this program writes .*no known version"):
        Workspace(folder)
    assert (folder / JOURNAL).exists()


def test_a_half_written_plan_is_removed(folder: Path) -> None:
    before = contents(folder)
    (folder / ".modelica-save-0123456789ab.tmp").write_text('{"modelica_save": 1, "fil')
    assert recover(folder) is None
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    workspace.save()
    assert contents(folder).keys() == before.keys()


def test_a_save_that_stops_halfway_is_finished_by_the_next(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    set_x(workspace.open("Sub/B.mo"))
    real = os.replace

    def refusing(source: Any, target: Any) -> None:
        if Path(target).name == "B.mo":
            raise PermissionError(13, "Permission denied", str(target))
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refusing)
        with pytest.raises(EditError, match=r"stopped halfway at .*B.mo: Permission denied; once the cause is gone"):
            workspace.save()
    assert workspace.is_changed
    with pytest.warns(UserWarning, match="has been finished"):
        workspace.save()
    assert contents(folder) == new_contents()
    assert not workspace.is_changed


def test_a_full_disk_leaves_all_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(folder)
    set_x(workspace.open("A.mo"))
    set_x(workspace.open("Sub/B.mo"))
    workspace.create("New/C.mo", "model C end C;")
    before = contents(folder)
    real = os.fsync
    calls = 0

    def failing(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == stop:
            raise OSError(28, "No space left on device")
        real(handle)

    for stop in range(1, 6):  # noqa: B007  (what fails next reads it)
        calls = 0
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", failing)
            with pytest.raises(EditError, match="can't be saved: No space left on device; nothing has changed"):
                workspace.save()
        assert contents(folder) == before
        assert not (folder / "New").exists()
    workspace.save()
    assert contents(folder) == {**new_contents(), "New/C.mo": b"model C end C;"}


if __name__ == "__main__":
    kill_at_every_moment(Path(sys.argv[1]), int(sys.argv[2]))


def test_a_new_file_takes_the_tree_of_a_document(tmp_path: Path) -> None:
    workspace, model = Workspace(tmp_path), Document("model M\n  Real x; // one\nend M;\n")
    new = workspace.create("M.mo", model)
    assert new.tree.green is model.tree.green
    assert new.is_changed
    new.find_class("M").rename("N")
    assert model.text == "model M\n  Real x; // one\nend M;\n"
    workspace.save()
    assert (tmp_path / "M.mo").read_text() == "model N\n  Real x; // one\nend N;\n"
