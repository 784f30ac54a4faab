"""What can happen to a process: interrupted, its reader gone, files that can't be written. Nothing is ever lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from modelica_ast import parse_file
from served_command import INSTALLED

FILES = 150


def modelica_patch(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [INSTALLED, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=cwd, timeout=300
    )


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library in which every file uses one class."""
    folder = tmp_path / "Lib"
    folder.mkdir()
    names = [f"Robot{number}" for number in range(FILES)]
    (folder / "package.mo").write_text("package Lib\nend Lib;\n")
    (folder / "package.order").write_text("".join(f"{name}\n" for name in ("Motor", *names)))
    (folder / "Motor.mo").write_text("within Lib;\nmodel Motor\n  parameter Real k = 1;\nend Motor;\n")
    for name in names:
        (folder / f"{name}.mo").write_text(f"within Lib;\nmodel {name}\n  Motor m(k=2); // kept\nend {name};\n")
    return folder


def states(library: Path) -> set[str]:
    """Which names the files use; one if all of them are old, or all new."""
    found = set()
    for number in range(FILES):
        (component,) = parse_file(library / f"Robot{number}.mo").classes[0].components
        found.add(str(component.type))
    return found


# An interrupt while Python itself still starts is not ours: a busy machine takes long for that.
LISTENING = "import sys; from modelica_ast.cli import main; print('listening', flush=True); sys.exit(main())"


@pytest.mark.parametrize("delay", [0.05, 0.1, 0.2, 0.4, 0.8, 1.2])
def test_ctrl_c_in_the_middle_of_a_batch(library: Path, delay: float) -> None:
    words = ["rename", f"{library}::Lib.Motor", "Drive", "--in-place"]
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "listening\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert "Traceback" not in said
    assert process.returncode in {0, 130, -signal.SIGINT}  # done, told to stop, stopped before Python listened
    if process.returncode == 130:
        assert "interrupted" in said
    # What was decided is done before the command ends, what was not is taken back.
    after = modelica_patch("get", f"{library}::Lib.Robot7.m.k", cwd=library)
    assert after.returncode == 0, after.stderr
    assert len(states(library)) == 1
    assert sorted(path.name for path in library.iterdir() if path.name.startswith(".")) == []


def test_a_killed_save_is_completed_or_taken_back_by_the_next_call(library: Path) -> None:
    for delay in (0.4, 0.5, 0.6, 0.7, 0.8):
        process = subprocess.Popen(
            [INSTALLED, "rename", f"{library}::Lib.Motor", "Drive", "--in-place"], stderr=subprocess.DEVNULL
        )
        time.sleep(delay)
        process.kill()
        process.wait()
        assert modelica_patch("get", f"{library}::Lib.Robot7.m.k", cwd=library).returncode == 0
        assert modelica_patch("recover", str(library), cwd=library).returncode == 0
        used = states(library)
        assert len(used) == 1
        if used == {"Drive"}:
            assert modelica_patch("rename", f"{library}::Lib.Drive", "Motor", "-i", cwd=library).returncode == 0


def test_a_reader_that_leaves_is_no_error(library: Path) -> None:
    command = f'"{INSTALLED}" rename "{library}::Lib.Motor" Drive | head -n 1'
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=300)
    assert len(ran.stdout.splitlines()) == 1
    assert "Traceback" not in ran.stderr
    assert "Broken" not in ran.stderr


def test_a_read_only_file_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "A.mo"
    path.write_text("model A\n  Real x = 1;\nend A;\n")
    path.chmod(0o444)
    ran = modelica_patch("set", "A.mo::A.x", "2", "--in-place", cwd=tmp_path)
    assert ran.returncode == 4
    assert "A.mo is read-only; --force replaces it anyway" in ran.stderr
    assert path.read_text() == "model A\n  Real x = 1;\nend A;\n"


def test_one_file_that_cannot_be_written_stops_all(library: Path) -> None:
    locked = library / "Robot77.mo"
    locked.chmod(0o444)
    ran = modelica_patch("rename", f"{library}::Lib.Motor", "Drive", "--in-place", cwd=library)
    assert ran.returncode == 4
    assert "Robot77.mo is read-only" in ran.stderr
    assert states(library) == {"Motor"}
    assert (library / "Motor.mo").exists()


def test_a_file_that_somebody_else_changed_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "A.mo"
    path.write_text("model A\n  Real x = 1;\nend A;\n")
    script = tmp_path / "slow.py"
    # The session of the command line, stopped between reading and writing.
    script.write_text(
        "import sys\nfrom modelica_ast.cli import main, session\nfrom pathlib import Path\n"
        "save = session.Session.save\n"
        "def late(self, **options):\n"
        "    Path('A.mo').write_text('model A end A;')\n"
        "    save(self, **options)\n"
        "session.Session.save = late\n"
        "sys.exit(main(['set', 'A.mo::A.x', '2', '--in-place']))\n"
    )
    ran = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300
    )
    assert ran.returncode == 4
    assert "A.mo has been changed by somebody else since it was read; --force overwrites it" in ran.stderr
    assert path.read_text() == "model A end A;"


@pytest.mark.skipif(os.name != "posix", reason="a device that is full")
def test_a_full_disk_is_one_line() -> None:
    ran = subprocess.run(
        ["bash", "-c", f'"{INSTALLED}" --help > /dev/full'], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 4
    assert "No space left on device" in ran.stderr
    assert "Traceback" not in ran.stderr


# ---------------------------------------------------------------- a disk that can't be written

# Permissions do not bind root, but a mount that is read-only does. It is seen by the one process and ends with it.
_READ_ONLY = (
    'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && ! touch written 2>/dev/null && exec "$@"'
)


def read_only(folder: Path) -> list[str]:
    """How a command begins for which nothing in a folder can be written."""
    if os.geteuid() != 0:
        for path in (*folder.rglob("*"), folder):
            path.chmod(path.stat().st_mode & ~0o222)
        return []
    begin = ["unshare", "--mount", "sh", "-c", _READ_ONLY, str(folder)]
    if subprocess.run([*begin, "true"], capture_output=True, check=False, timeout=300).returncode != 0:
        pytest.skip("a read-only mount can't be made here")
    return begin


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mounts of one process are a matter of Linux")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["get", "Lib::Lib.Robot7.m.k"], "2\n"),
        (["get", "Lib/Robot7.mo::Robot7.m.k"], "2\n"),
        (["check", "Lib"], f"{FILES + 2} files, 0 errors, 0 warnings\n"),
        (["check", "Lib/Robot1.mo", "Lib/Robot2.mo", "--jobs", "2"], "2 files, 0 errors, 0 warnings\n"),
        (["completion", "names", "Lib::Lib.Mo"], "Lib::Lib.Motor\n"),
    ],
    ids=["get", "get from a file", "check", "check in processes", "completion"],
)
def test_looking_needs_no_disk_to_write_on(library: Path, words: list[str], said: str) -> None:
    folder = library.parent
    for name in ("home", "temporary"):
        (folder / name).mkdir()
    environment = {
        **os.environ,
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "home" / "cache"),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder / "temporary")),
    }
    command = [*read_only(folder), INSTALLED, *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment, timeout=120)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, said, "")
