"""git uses this merge and this diff: what to configure, and what git calls.

`install` sets a merge driver and a diff command and names them in `.gitattributes`. It can be run again or taken back.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from modelica_ast.compare.three_way.folders import merge_order
from modelica_ast.compare.three_way.merge import merge
from modelica_ast.compare.three_way.versions import Labels, Merged, MergeError
from modelica_ast.foundation import ModelicaError, Record, Source, read_regular

Scope = Literal["local", "global"]
_CLEAN: Final = 0
_CONFLICTS: Final = 1  # git takes 1 to 127 for conflicts, and 128 and more for a driver that has failed
_MOST_CONFLICTS: Final = 127
_PROGRAM: Final = "modelica-patch"
_ATTRIBUTES: Final = ("*.mo merge=modelica diff=modelica", "package.order merge=modelica")
_ATTRIBUTES_WITHOUT_DIFF: Final = ("*.mo merge=modelica", "package.order merge=modelica")
_LABELS: Final = Labels()
# The line that git shows above a piece of a diff: the class that it is in.
_CLASS_LINE: Final = (
    r"^[ \t]*((partial|encapsulated|final|replaceable|redeclare|inner|outer|expandable|operator|pure|impure)[ \t]+)*"
    r"(class|model|record|block|connector|type|package|function)[ \t]+.*$"
)


class GitError(ModelicaError):
    """git is not there, or refused something; the message says what."""


class Step(Record):
    """Something that an installation does: a setting of git, or a line of a file."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def install(
    scope: Scope = "local", repo: str | os.PathLike[str] = ".", *, diff: bool = True, dry_run: bool = False
) -> list[Step]:
    """Let git merge and compare Modelica with this package; what was done, nothing if all was done before.

    `local` is for one repository, `global` for all of a user. Without `diff`, `git diff` stays as it is. GitError if
    there is no git, or no repository.
    """
    folder = _repository(scope, repo)
    steps: list[Step] = []
    for key, value in _settings(_program(), diff=diff).items():
        if _git(["config", f"--{scope}", "--get", key], folder, may_fail=True) != value:
            steps.append(Step(f"git config --{scope}", f"{key} = {value}"))
            if not dry_run:
                _git(["config", f"--{scope}", key, value], folder)
    file = _attributes_file(scope, folder)
    old = _read(file)
    lines = _ATTRIBUTES if diff else _ATTRIBUTES_WITHOUT_DIFF
    missing = [line for line in lines if line not in old.splitlines()]
    if missing:
        steps += [Step(str(file), line) for line in missing]
        if not dry_run:
            start = old if not old or old.endswith("\n") else old + "\n"
            _write(file, start + "".join(line + "\n" for line in missing))
    return steps


def uninstall(scope: Scope = "local", repo: str | os.PathLike[str] = ".", *, dry_run: bool = False) -> list[Step]:
    """Take back what `install` did; what was done, nothing if there was nothing to take back."""
    folder = _repository(scope, repo)
    steps: list[Step] = []
    for section in ("merge.modelica", "diff.modelica"):
        pattern = f"^{section.replace('.', '[.]')}[.]"
        if _git(["config", f"--{scope}", "--get-regexp", pattern], folder, may_fail=True):
            steps.append(Step(f"git config --{scope}", f"remove {section}"))
            if not dry_run:
                _git(["config", f"--{scope}", "--remove-section", section], folder)
    file = _attributes_file(scope, folder)
    old = _read(file)
    ours = {*_ATTRIBUTES, *_ATTRIBUTES_WITHOUT_DIFF}
    kept = [line for line in old.splitlines(keepends=True) if line.strip() not in ours]
    if "".join(kept) != old:
        steps += [Step(str(file), f"remove {line.strip()}") for line in old.splitlines() if line.strip() in ours]
        if not dry_run:
            if kept:
                _write(file, "".join(kept))
            else:
                file.unlink()
    return steps


def _program() -> str:
    """The command as git must call it: git runs a shell, which may not know the environment of this process."""
    found = shutil.which(_PROGRAM)
    return _PROGRAM if found is None else "'" + Path(found).as_posix().replace("'", "'\\''") + "'"


def _settings(program: str, *, diff: bool) -> dict[str, str]:
    settings = {
        "merge.modelica.name": "merge of Modelica by meaning",
        "merge.modelica.driver": f"{program} merge --git %O %A %B --path %P -L %X -L %S -L %Y",
    }
    if diff:
        settings["diff.modelica.command"] = f"{program} diff --git"
        settings["diff.modelica.xfuncname"] = _CLASS_LINE
    return settings


# ---------------------------------------------------------------- calling git


def _repository(scope: Scope, repo: str | os.PathLike[str]) -> Path:
    folder = Path(repo)
    if not folder.is_dir():
        raise GitError(f"{folder} is not a folder")
    if scope == "global":
        return folder
    found = _git(["rev-parse", "--show-toplevel"], folder, may_fail=True)
    if not found:
        raise GitError(f"{folder} is not in a git repository: run 'git init' there, or install globally")
    return Path(found)


def _git(arguments: Sequence[str], folder: Path, *, may_fail: bool = False) -> str:
    program = shutil.which("git")
    if program is None:
        raise GitError("git was not found on the PATH")
    # The arguments are a list, so no shell reads them.
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode and not may_fail:
        raise GitError(f"git {' '.join(arguments)}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip() if done.returncode == 0 else ""


def _attributes_file(scope: Scope, folder: Path) -> Path:
    if scope == "local":
        return folder / ".gitattributes"
    known = _git(["config", "--global", "--type=path", "--get", "core.attributesFile"], folder, may_fail=True)
    if known:
        return Path(known)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "git" / "attributes"


def _read(file: Path) -> str:
    return read_regular(file).decode("utf-8") if file.is_file() else ""


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8"))


# ---------------------------------------------------------------- called by git


class Driven(Record):
    """What a merge driver has done: the exit code for git, and what to tell the user."""

    code: int
    messages: tuple[str, ...] = ()


def drive(base: Path, ours: Path, theirs: Path, name: str, labels: Labels = _LABELS) -> Driven:
    """Merge as git asks for it: the result goes to `ours`; `name` is the path of the file in the repository.

    What is not Modelica is merged by git's own text merge, and the messages say so.
    """
    try:
        merged, encode = _merged(base, ours, theirs, name, labels)
        data = encode.encode(merged.text)
    except (MergeError, UnicodeEncodeError) as error:
        reason = str(error) if isinstance(error, MergeError) else "a character has no place in the file's encoding"
        code = _text_merge(base, ours, theirs, labels)
        return Driven(code, (f"{name}: {reason}", f"{name}: merged as plain text instead"))
    ours.write_bytes(data)
    messages = tuple(f"{name}: {conflict}" for conflict in merged.conflicts)
    return Driven(_CONFLICTS if merged.conflicts else _CLEAN, messages)


def labels_from_git(given: Sequence[str], environment: Mapping[str, str]) -> Labels:
    """How the versions are called: as git says, ours first, then base and theirs.

    Before 2.44 git leaves `%X` as it is. What it merges is then in its environment: `GITHEAD_` and the commit.
    """
    heads = [name for key, name in environment.items() if key.startswith("GITHEAD_")]
    known = ("HEAD", _LABELS.base, heads[0]) if len(heads) == 1 else (_LABELS.ours, _LABELS.base, _LABELS.theirs)
    given = [*given, *known[len(given) :]]
    ours, base, theirs = (
        name if name and not name.startswith("%") else other for name, other in zip(given, known, strict=True)
    )
    return Labels(base, ours, theirs)


def _merged(base: Path, ours: Path, theirs: Path, name: str, labels: Labels) -> tuple[Merged, Source]:
    sources = [Source.read(path) for path in (base, ours, theirs)]
    texts = [source.text for source in sources]
    if Path(name).name == "package.order":
        return merge_order(*texts), sources[1]
    if not texts[0] and texts[1] and texts[2]:
        # Both branches added the file: there is no base, and an empty one is Modelica.
        return merge("", texts[1], texts[2], labels=labels), sources[1]
    return merge(*texts, labels=labels), sources[1]


def _text_merge(base: Path, ours: Path, theirs: Path, labels: Labels) -> int:
    program = shutil.which("git")
    if program is None:
        return _CONFLICTS
    names = [word for label in (labels.ours, labels.base, labels.theirs) for word in ("-L", label)]
    # The arguments are a list, so no shell reads them.
    done = subprocess.run([program, "merge-file", *names, str(ours), str(base), str(theirs)], check=False)  # noqa: S603
    return done.returncode if 0 <= done.returncode <= _MOST_CONFLICTS else _CONFLICTS
