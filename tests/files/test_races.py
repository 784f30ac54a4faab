"""Several processes and threads that save in one place: each waits for the others, and no change is lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from files.kills import leftovers, run_command, snapshot, tree
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are locked by flock")

PROCESSES: Final = 4
EACH: Final = 15
ALL: Final = range(PROCESSES * EACH)

# A process that waits for the others, and then runs a command for each line that it gets, as fast as it can.
WORKER: Final = """
import sys
from modelica_ast.cli import main
print("ready", flush=True)
commands = [line.split() for line in sys.stdin]
print([main(words) for words in commands])
"""
HOLDER: Final = {
    "by the project's own lock": """
import sys
from pathlib import Path
from modelica_ast.files.lock import locked
with locked([Path(sys.argv[1])]):
    print("held", flush=True)
    sys.stdin.read()
""",
    "by flock": """
import fcntl, os, sys
handle = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(handle, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
""",
}


def model(name: str, count: int, *, within: str = "") -> str:
    lines = "".join(f"  parameter Real p{number} = -1;\n" for number in range(count))
    return f"{within}model {name}\n{lines}end {name};\n"


def values(text: str) -> dict[int, int]:
    return {int(name): int(value) for name, value in re.findall(r"Real p(\d+) = (-?\d+);", text)}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "Lib"
    (folder / "Parts").mkdir(parents=True)
    (folder / "package.mo").write_text("package Lib\nend Lib;\n")
    (folder / "package.order").write_text("M\nN\nParts\n")
    for name in "MN":
        (folder / f"{name}.mo").write_text(model(name, len(ALL), within="within Lib;\n"))
    (folder / "Parts" / "package.mo").write_text("within Lib;\npackage Parts\nend Parts;\n")
    (folder / "Parts" / "package.order").write_text("P\n")
    (folder / "Parts" / "P.mo").write_text(model("P", len(ALL), within="within Lib.Parts;\n"))
    return folder


def all_at_once(folder: Path, commands: Callable[[int], list[str]]) -> None:
    """Run the commands of all numbers in some processes at once; each must end with 0, and say so."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        for _ in range(PROCESSES)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    outputs: list[tuple[str, str]] = [("", "")] * PROCESSES

    def feed(which: int) -> None:
        lines = "".join(" ".join(commands(number)) + "\n" for number in ALL if number % PROCESSES == which)
        outputs[which] = started[which].communicate(lines, timeout=120)

    threads = [threading.Thread(target=feed, args=[which]) for which in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for out, err in outputs:
        assert out == f"{[0] * EACH}\n", err
        assert "Traceback" not in err
        assert "Warning" not in err


def test_sixty_values_of_one_file_by_four_processes(tmp_path: Path) -> None:
    (tmp_path / "M.mo").write_text(model("M", len(ALL)))
    all_at_once(tmp_path, lambda number: ["set", f"M.mo::M.p{number}", str(number), "-i", "-q"])
    assert (tmp_path / "M.mo").read_text() == model("M", len(ALL)).replace("-1", "{}").format(*ALL)
    assert list(tree(tmp_path)) == ["M.mo"]


def test_sixty_values_of_one_library_by_four_processes(library: Path) -> None:
    files = ["M", "N", "Parts.P"]
    before = tree(library)
    all_at_once(
        library.parent,
        lambda number: ["set", f"Lib::Lib.{files[number % 3]}.p{number}", str(number), "-i", "-q"],
    )
    for which, name in enumerate(files):
        found = values((library / (name.replace(".", "/") + ".mo")).read_text())
        assert found == {number: number if number % 3 == which else -1 for number in ALL}
    assert tree(library).keys() == before.keys()


def test_files_and_their_library_exclude_each_other(library: Path) -> None:
    before = tree(library)

    def command(number: int) -> list[str]:
        if number % 2:
            return ["set", f"Lib/Parts/P.mo::P.p{number}", str(number), "-i", "-q"]
        # Every other save is of two files, and has a journal.
        one, other = f"Lib::Lib.Parts.P.p{number}", f"Lib::Lib.M.p{number}"
        return ["set", one, str(number), other, str(number), "-i", "-q"]

    all_at_once(library.parent, command)
    assert values((library / "Parts" / "P.mo").read_text()) == {number: number for number in ALL}
    found = values((library / "M.mo").read_text())
    assert found == {number: -1 if number % 2 else number for number in ALL}
    assert tree(library).keys() == before.keys()


def test_no_change_of_a_thread_is_lost_silently(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    threads, each = 4, 12
    path.write_text(model("M", threads * each))
    saved: list[int] = []
    other: list[BaseException] = []
    barrier = threading.Barrier(threads)

    def work(first: int) -> None:
        for number in range(first, threads * each, threads):
            barrier.wait(timeout=300)  # all of them read the same file
            try:
                document = Document.open(path)
                document.classes[0].find_component(f"p{number}").set("", number)
                document.save()
                saved.append(number)
            except EditError as error:
                if "somebody else" not in str(error):
                    other.append(error)
            except BaseException as error:  # noqa: BLE001  (a thread's error would be lost)
                other.append(error)

    started = [threading.Thread(target=work, args=[number]) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert other == []
    assert sorted(number for number, value in values(path.read_text()).items() if value >= 0) == sorted(saved)
    assert len(saved) >= each  # of those who start together one is the first
    assert list(tree(tmp_path)) == ["M.mo"]


def test_a_document_that_another_process_has_changed_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_text(model("M", 2))
    document = Document.open(path)
    document.classes[0].find_component("p0").set("", 5)
    assert run_command(tmp_path, ["set", "M.mo::M.p1", "7", "-i"]).returncode == 0
    with pytest.raises(EditError, match=r"M.mo has been changed by somebody else since it was read"):
        document.save()
    assert values(path.read_text()) == {0: -1, 1: 7}
    assert list(tree(tmp_path)) == ["M.mo"]


# ---------------------------------------------------------------- a lock that is held


@contextmanager
def holding(folder: Path, how: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER[how], str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@pytest.fixture(params=list(HOLDER))
def holder(library: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    with holding(library, request.param) as process:
        yield process


WRITING: Final = {
    "a value of a library": ["set", "Lib::Lib.M.p1", "1", "-i"],
    "a file of a library": ["set", "Lib/Parts/P.mo::P.p1", "1", "-i"],
    "all files": ["rename", "Lib::Lib.M", "Main", "-i"],
    "recovery": ["recover", "Lib"],
}
LOOKING: Final = [
    ["show", "Lib"],
    ["get", "Lib/Parts/P.mo::P.p1"],
    ["set", "Lib::Lib.M.p1", "1"],
    ["rename", "Lib::Lib.M", "Main", "--in-place", "--dry-run"],
]


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING.keys())
def test_who_waits_too_long_is_told_for_whom(
    library: Path, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("MODELICA_PATCH_WAIT", "1")
    (library / ".modelica-save-0123456789ab.tmp").touch()  # as if the holder was writing it
    before = snapshot(library)
    ran = run_command(library.parent, words)
    assert ran.returncode == 4, ran.stderr
    assert re.search(rf"\b{holder.pid}\b", ran.stderr), ran.stderr
    assert "Traceback" not in ran.stderr
    assert snapshot(library) == before


def test_who_looks_does_not_wait(library: Path, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELICA_PATCH_WAIT", "0")
    before = snapshot(library)
    for words in LOOKING:
        ran = run_command(library.parent, words)
        assert ran.returncode == 0, ran.stderr
        assert str(holder.pid) not in ran.stderr
    assert snapshot(library) == before


def test_other_folders_are_not_locked(
    library: Path, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODELICA_PATCH_WAIT", "0")
    (library.parent / "A.mo").write_text(model("A", 1))
    ran = run_command(library.parent, ["set", "A.mo::A.p0", "1", "-i"])
    assert ran.returncode == 0, ran.stderr
    assert holder.poll() is None


def test_a_killed_holder_holds_nothing(library: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait(timeout=300)
    ran = run_command(library.parent, ["set", "Lib::Lib.M.p1", "1", "-i"])
    assert ran.returncode == 0, ran.stderr
    assert leftovers(library) == []


def test_who_waits_goes_on_when_the_lock_is_free(library: Path, holder: subprocess.Popen[str]) -> None:
    command = "import sys; from modelica_ast.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", command, "set", "Lib::Lib.M.p1", "1", "-i"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=library.parent) as waiting:
        time.sleep(1.0)
        assert waiting.poll() is None  # or else the lock would hold nobody
        assert values((library / "M.mo").read_text())[1] == -1
        assert holder.stdin is not None
        holder.stdin.close()
        _, said = waiting.communicate(timeout=300)
    assert waiting.returncode == 0, said
    assert values((library / "M.mo").read_text())[1] == 1
    assert leftovers(library) == []
