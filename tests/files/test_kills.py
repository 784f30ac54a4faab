"""Commands that save several files, killed at every moment: the next command finds all files old, or all new.

`make test` tries few moments, `make test-slow` some more, always the same; `make test-corpus` tries all of them and
prints how many there are.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from conftest import mostly_slow
from files.kills import (
    JOURNAL,
    KILLED,
    MARK,
    PLAN,
    Call,
    Ran,
    Runner,
    decision,
    differences,
    killed_by_strace,
    leftovers,
    run_command,
    runner,
    snapshot,
    some_moments,
    tree,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="descriptors are followed by /proc")

Tree = dict[str, bytes | str | None]

LIBRARY: Final = {
    "Lib/package.mo": "package Lib\nend Lib;\n",
    "Lib/package.order": "Motor\nRobot\nUnused\nParts\n",
    "Lib/Motor.mo": "within Lib;\nmodel Motor\n    parameter Real k = 1 ;\nend Motor;\n",
    "Lib/Robot.mo": "within Lib;\nmodel Robot // mine\n    Motor m(k = 2);\nend Robot;\n",
    "Lib/Unused.mo": "within Lib;\nmodel Unused end Unused;\n",
    "Lib/Parts/package.mo": "within Lib;\npackage Parts\nend Parts;\n",
    "Lib/Parts/package.order": "Arm\n",
    "Lib/Parts/Arm.mo": 'within Lib.Parts;\nmodel Arm "see modelica://Lib.Motor"\n    Lib.Motor motor;\nend Arm;\n',
    "Lib/Resources/Scripts/run.mos": 'simulateModel("Lib.Motor");\n',
    "recipe.yaml": (
        "name: levels\nsteps:\n  - library:\n"
        "      - {op: add_class, package: Lib.Parts, name: Extra, description: a new one}\n"
        "      - {op: remove_class, name: Lib.Unused}\n"
        '  - classes: {name: "Lib.*", kind: model}\n'
        "    do:\n      - {op: add_component, type: Real, name: level}\n"
    ),
}
ALONE: Final = {
    "A.mo": "model A\n  parameter Real k = 1;\nend A;\n",
    "B.mo": "model B\nend B;\n",
}
URDF: Final = """\
<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <inertial><mass value="4.0"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.12"/></inertial>
  </link>
  <link name="upper">
    <inertial><mass value="2.50"/><inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.01"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="100" velocity="2"/>
  </joint>
</robot>
"""
MORE: Final = """\
  <link name="hand">
    <inertial><mass value="0.3"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <joint name="wrist" type="fixed"><parent link="upper"/><child link="hand"/></joint>
</robot>
"""


class Scene(NamedTuple):
    """A command, the files that it finds, and how to look at what it has made."""

    command: str
    files: dict[str, str]
    library: str  # where the journal is, or above it: what `recover` is told
    package: str  # what is looked at
    value: str  # of which `get` tells the value, and `set` changes it
    prepare: tuple[str, ...] = ()  # commands that run before
    edit: tuple[str, str, str] | None = None  # a file, and what its user has replaced by what
    refusal: str | None = None  # what a second run may say with exit code 2, if all had been done

    @property
    def words(self) -> list[str]:
        return self.command.split()

    @property
    def looks(self) -> list[list[str]]:
        return [["show", self.package], ["check", "--no-library", self.package], ["get", self.value]]


_LIB: Final = ("Lib", "Lib", "Lib::Lib.Robot.m.k")
_ROBOTS: Final = {"Robots/package.mo": "package Robots\nend Robots;\n", "Robots/package.order": ""}
_LATER_URDF: Final = URDF.replace("2.50", "2.75").replace("</robot>\n", MORE)
SCENES: Final = {
    "rename": Scene("rename Lib::Lib.Motor Drive -i", LIBRARY, *_LIB, refusal="Motor"),
    "rename_package": Scene("rename Lib::Lib.Parts Pieces -i", LIBRARY, *_LIB, refusal="Parts"),
    "format": Scene("format Lib -i", LIBRARY, *_LIB),
    "apply": Scene("apply recipe.yaml Lib -i", LIBRARY, *_LIB),
    "set": Scene("set A.mo::A.k 2 -i", ALONE, ".", "A.mo", "A.mo::A.k"),
    "urdf_build": Scene(
        "urdf build arm.urdf",
        {"arm.urdf": URDF},
        ".",
        "arm",
        "arm::arm.Links.upperParams@Documentation.info",
    ),
    "urdf_build_into": Scene(
        "urdf build arm.urdf --into Robots --name Arm",
        {"arm.urdf": URDF, **_ROBOTS},
        "Robots",
        "Robots",
        "Robots::Robots@Documentation.info",
    ),
    "urdf_update": Scene(
        "urdf update later.urdf --package arm",
        {"arm.urdf": URDF, "later.urdf": _LATER_URDF},
        "arm",
        "arm",
        "arm::arm.Links.upper.mine",
        prepare=("urdf build arm.urdf",),
        edit=("arm/Links/upper.mo", "\nequation", "\n  parameter Real mine = 1; // by hand\nequation"),
    ),
}


class Stage:
    """A scene with its undisturbed run, and any number of folders in which it goes wrong."""

    def __init__(self, name: str, run: Runner, folder: Path) -> None:
        self.name, self.scene, self._run, self._folder = name, SCENES[name], run, folder
        self._folders = 0
        warm, self._start, done = folder / "warm", folder / "start", folder / "done"
        for place in (warm, self._start):
            for file, text in self.scene.files.items():
                (place / file).parent.mkdir(parents=True, exist_ok=True)
                (place / file).write_text(text)
            for command in self.scene.prepare:
                assert self.run(place, command.split()).code == 0
            if self.scene.edit is not None:
                file, old, new = self.scene.edit
                text = (place / file).read_text()
                assert old in text
                (place / file).write_text(text.replace(old, new, 1))
        # All is imported before the first fork, without a file that the tests look at.
        for words in (self.scene.words, *self.scene.looks, self.setting):
            run.run(warm, words, warm_up=True)
        shutil.copytree(self._start, done)
        self.old, self.old_looks = tree(self._start), self.looks(self._start)
        ran = self.run(done, self.scene.words)
        assert ran.code == 0, ran
        assert ran.calls[-1].what == "end"
        self.calls: tuple[Call, ...] = ran.calls
        self.new, self.new_looks = tree(done), self.looks(done)
        assert self.old != self.new
        assert self.old_looks != self.new_looks or name == "format"
        assert self.run(done, self.setting).code == 0
        self.final = tree(done)
        assert self.final != self.new

    @property
    def setting(self) -> list[str]:
        return ["set", self.scene.value, "7", "-i"]

    def run(self, folder: Path, words: list[str], die_at: int | None = None) -> Ran:
        return self._run.run(folder, words, die_at=die_at)

    def looks(self, folder: Path) -> list[tuple[int, str]]:
        return [(ran.code, ran.out) for ran in (self.run(folder, words) for words in self.scene.looks)]

    def copy(self, of: Path | None = None) -> Path:
        """A fresh folder, with the times of the other one."""
        self._folders += 1
        return Path(shutil.copytree(of or self._start, self._folder / f"{self._folders}", symlinks=True))

    def killed_at(self, moment: int) -> Path:
        folder = self.copy()
        ran = self.run(folder, self.scene.words, die_at=moment)
        assert ran.code == KILLED, (moment, str(ran))
        assert len(ran.calls) == moment
        return folder


@pytest.fixture(scope="module")
def running() -> Iterator[Runner]:
    with runner() as found:
        yield found


@pytest.fixture(scope="module", params=list(SCENES))
def stage(request: pytest.FixtureRequest, running: Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp(request.param).resolve()
    yield Stage(request.param, running, folder)
    shutil.rmtree(folder)


# ---------------------------------------------------------------- what must be true after a kill


def state(folder: Path) -> str:
    """How far a save had come: planned, decided, or neither."""
    names = {Path(name).name for name in tree(folder)}
    return "decided" if JOURNAL in names else "planned" if PLAN in names else "neither"


def wrong_with_looking(stage: Stage, folder: Path) -> Iterator[str]:
    """Who looks changes nothing, and sees one state: the old one before the decision, then the new one."""
    before, was = snapshot(folder), state(folder)
    seen = []
    for words in stage.scene.looks:
        ran = stage.run(folder, words)
        if not ran.is_clean:
            yield f"{words} says what is for programmers: {ran.err}"
        if was != "neither" and "save" not in ran.err:
            yield f"{words} says nothing about the interrupted save: {ran.err!r}"
        changed = differences(snapshot(folder), before)
        if changed:
            yield f"{words} has written: {changed}"
            before = snapshot(folder)
        seen.append((ran.code, ran.out))
    allowed = {"planned": [stage.old_looks], "decided": [stage.new_looks]}.get(was, [stage.old_looks, stage.new_looks])
    if seen not in allowed:
        yield f"neither the old state nor the new one is seen ({was}): {seen}"


def wrong_with_repeating(stage: Stage, folder: Path) -> Iterator[str]:
    """The same command again does what the killed one had not; then the package is as if nothing had happened."""
    was = state(folder)
    again = stage.run(folder, stage.scene.words)
    if not again.is_clean:
        yield f"the repeated command says what is for programmers: {again.err}"
    refusal = stage.scene.refusal
    if again.code == 2 and refusal is not None:
        # The killed command's work is done, and can't be done twice: then it is said.
        if refusal not in again.err:
            yield f"the repeated command is refused, and does not say '{refusal}': {again.err}"
        if was == "decided" and "save" not in again.err:
            yield f"the repeated command has finished a save, and says nothing: {again.err}"
    elif again.code != 0:
        yield f"the repeated command ends with {again}"
    left = differences(tree(folder), stage.new)
    if left:
        yield f"after the repeated command {left}"
    if stage.looks(folder) != stage.new_looks:
        yield "after the repeated command the package looks different"
    ran = stage.run(folder, stage.setting)
    if ran.code != 0:
        yield f"set ends with {ran}"
    left = differences(tree(folder), stage.final)
    if left:
        yield f"at the end {left}"


def wrong_with_recovering(stage: Stage, folder: Path, *options: str) -> Iterator[str]:
    """`recover` leaves all files as they were or all as they should be, and nothing else."""
    was = state(folder)
    ran = stage.run(folder, ["recover", stage.scene.library, *options])
    if ran.code != 0 or not ran.is_clean:
        yield f"recover ends with {ran}"
    if was != "neither" and not ran.out + ran.err:
        yield "recover does not say what it did"
    after = tree(folder)
    allowed = {"planned": [stage.old], "decided": [stage.old if options else stage.new]}
    if after not in allowed.get(was, [stage.old, stage.new]):
        to_old, to_new = differences(after, stage.old), differences(after, stage.new)
        yield f"recover leaves neither the old state ({to_old}) nor the new one ({to_new}); it was {was}"


def wrong_with_taking_back(stage: Stage, folder: Path) -> Iterator[str]:
    """`recover --take-back` leads back from every state, as long as all that was there is still kept."""
    if all_is_kept(folder):
        yield from wrong_with_recovering(stage, folder, "--take-back")
        return
    before = tree(folder)
    ran = stage.run(folder, ["recover", stage.scene.library, "--take-back"])
    if ran.code != 4 or not ran.is_clean:
        yield f"what is not kept any more is taken back with {ran}"
    if tree(folder) != before:
        yield f"a refused recovery has written: {differences(tree(folder), before)}"
    yield from wrong_with_recovering(stage, folder)


def all_is_kept(folder: Path) -> bool:
    """Can a decided save still be taken back? Not when it has begun to remove what it had kept for that."""
    for path in folder.rglob(JOURNAL):
        backups = [entry["backup"] for entry in json.loads(path.read_bytes())["files"]]
        return all((path.parent / backup).exists() for backup in backups if backup is not None)
    return True


Check = Callable[[Stage, Path], Iterator[str]]
# And at how many moments `make test-slow` tries it; `make test` at a third of them.
CHECKS: Final[dict[Check, int]] = {
    wrong_with_repeating: 6,
    wrong_with_looking: 6,
    wrong_with_recovering: 3,
    wrong_with_taking_back: 4,
}


def wrong_at(stage: Stage, moment: int, checks: Iterable[Check], found: Counter[str] | None = None) -> Iterator[str]:
    """Kill a command at a moment, and tell what is wrong then; the state in which it was is counted."""
    killed = stage.killed_at(moment)
    if found is not None:
        found[state(killed)] += 1
    for check in checks:
        folder = stage.copy(killed)
        for problem in check(stage, folder):
            yield f"killed at {moment} of {len(stage.calls)}, before {' '.join(stage.calls[moment - 1])}: {problem}"
        shutil.rmtree(folder)
    shutil.rmtree(killed)


@pytest.mark.parametrize("part", mostly_slow([1, 3], 3))
@pytest.mark.parametrize("check", CHECKS)
def test_killed_at_some_moments(stage: Stage, check: Check, part: int) -> None:
    moments = some_moments(stage.calls, CHECKS[check] // part)
    problems = [problem for moment in moments for problem in wrong_at(stage, moment, [check])]
    assert not problems, "\n".join(problems)


@pytest.mark.corpus
def test_killed_at_every_moment(stage: Stage) -> None:
    found: Counter[str] = Counter()
    moments = range(1, len(stage.calls) + 1)
    problems = [problem for moment in moments for problem in wrong_at(stage, moment, CHECKS, found)]
    sys.stdout.write(
        f"\n{stage.name}: {len(moments)} moments, the decision at {decision(stage.calls)}; as many kills: "
        f"{found['planned']} saves to be taken back, {found['decided']} to be finished, {found['neither']} without a "
        f"plan; {len(problems)} problems\n"
    )
    assert not problems, "\n".join(problems)


# ---------------------------------------------------------------- the steps of a save


def test_a_save_of_several_files_plans_decides_and_cleans_up(stage: Stage) -> None:
    if stage.name == "set":
        whats = [call.what for call in stage.calls if call.what in {"open", "rename", "remove", "link"}]
        assert whats == ["open", "rename"]
        return
    decided = decision(stage.calls)
    assert decided is not None
    before, after = stage.calls[: decided - 1], stage.calls[decided:]
    in_place = [call for call in stage.calls if MARK not in call.path and call.what in {"rename", "remove"}]
    assert in_place
    assert not set(in_place) & set(before), "a file was touched before the decision"
    journals = [call.path for call in stage.calls if Path(call.path).name == JOURNAL]
    where = {"urdf_build": ".", "rename": "Lib"}.get(stage.name, stage.scene.library)
    assert {os.path.normpath(Path(path).parent) for path in journals} == {where}
    assert [call.what for call in after if Path(call.path).name == JOURNAL] == ["remove"]
    assert not [call for call in stage.calls if Path(call.path).name == f"{MARK}.lock"]


def test_the_journal_tells_all_of_a_save(stage: Stage) -> None:
    decided = decision(stage.calls)
    if decided is None:
        pytest.skip("one file needs no journal")
    folder = stage.killed_at(decided + 1)
    (path,) = folder.rglob(JOURNAL)
    data = json.loads(path.read_bytes())
    assert set(data) == {"modelica_save", "folders", "emptied", "files"}
    assert data["modelica_save"] == 2
    changed = {name for name in stage.old.keys() | stage.new.keys() if stage.old.get(name) != stage.new.get(name)}
    files = {os.path.relpath(path.parent / entry["file"], folder) for entry in data["files"]}
    assert files == {name for name in changed if stage.old.get(name, stage.new.get(name)) is not None}
    for entry in data["files"]:
        assert set(entry) == {"file", "temporary", "backup", "old", "new"}
        for place, ending in ((entry["temporary"], "tmp"), (entry["backup"], "old")):
            if place is not None:
                assert re.fullmatch(rf"\.modelica-save-[0-9a-f]{{12}}\.{ending}", Path(place).name)
                assert Path(place).parent == Path(entry["file"]).parent
                assert (path.parent / place).is_file()
        assert (entry["temporary"] is None) == (entry["new"] is None)
        assert (entry["backup"] is None) == (entry["old"] is None)
    made = {os.path.relpath(path.parent / name, folder) for name in data["folders"]}
    assert made == {name for name in stage.new.keys() - stage.old.keys() if stage.new[name] is None}
    emptied = {os.path.relpath(path.parent / name, folder) for name in data["emptied"]}
    assert emptied == {name for name in stage.old.keys() - stage.new.keys() if stage.old[name] is None}


# ---------------------------------------------------------------- who recovers may be killed, too


@pytest.mark.parametrize("count", mostly_slow([1, 4], 1))
@pytest.mark.parametrize("options", [(), ("--take-back",)])
def test_a_killed_recovery_is_done_by_the_next(stage: Stage, options: tuple[str, ...], count: int) -> None:
    if stage.name not in {"rename_package", "set", "urdf_update"}:
        pytest.skip("the other commands save as these do")
    in_place = [number for number, call in enumerate(stage.calls, start=1) if call.what == "rename"]
    problems = []
    # Nothing in place and a plan, all but one in place and a journal.
    for moment in (decision(stage.calls) or 1, in_place[-1]):
        interrupted = stage.killed_at(moment)
        was = state(interrupted)
        words = ["recover", stage.scene.library, *options]
        ran = stage.run(stage.copy(interrupted), words)
        assert ran.code == 0, ran
        for at in some_moments(ran.calls, count):
            folder = stage.copy(interrupted)
            assert stage.run(folder, words, die_at=at).code == KILLED
            found = [*wrong_with_looking(stage, folder)]
            stage.run(folder, words)
            after = tree(folder)
            expected = stage.new if was == "decided" and not options else stage.old
            if was == "neither" and after == stage.new:
                expected = stage.new
            found += differences(after, expected)
            problems += [f"killed at {moment}, the recovery at {at}: {problem}" for problem in found]
    assert not problems, "\n".join(problems)


# ---------------------------------------------------------------- from outside


@pytest.mark.parametrize(
    ("call", "number"),
    mostly_slow(
        [
            ("?rename,?renameat,?renameat2", 1),
            ("?rename,?renameat,?renameat2", 2),
            ("fsync", 2),
            ("?unlink,?unlinkat", 1),
        ],
        ("?rename,?renameat,?renameat2", 2),
    ),
)
def test_killed_by_strace(tmp_path: Path, call: str, number: int) -> None:
    """The same with a kill that no code of this project knows of."""
    scene = SCENES["rename"]
    folders = [tmp_path / name for name in ("undisturbed", "killed")]
    for folder in folders:
        for file, text in scene.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
    undisturbed, folder = folders
    old = tree(folder)
    ran = run_command(undisturbed, scene.words)
    assert ran.returncode == 0, ran.stderr
    assert killed_by_strace(folder, scene.words, call, number)
    was = state(folder)
    again = run_command(folder, scene.words)
    assert again.returncode == 0 or (again.returncode == 2 and "Motor" in again.stderr), again.stderr
    assert "Traceback" not in again.stderr
    assert "Warning" not in again.stderr
    assert differences(tree(folder), tree(undisturbed)) == []
    assert leftovers(folder) == []
    assert was in {"planned", "decided"} or old != tree(folder)
