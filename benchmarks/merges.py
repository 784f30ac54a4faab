"""Every merge of a git history once more: by git alone, and with this merge driver.

    python benchmarks/merges.py path/to/ModelicaStandardLibrary
    python benchmarks/merges.py REPO --jobs 2
    python benchmarks/merges.py REPO --limit 50    # the newest only

REPO is a clone or a bare repository; nothing is written to it. git merges the parents of every merge commit again
(`git merge-tree`), first as it is and then with a driver that keeps the three versions of each Modelica file that both
sides changed. These are what `modelica-patch merge --git` would get, renamed files and criss-cross merges included. The
results are compared by meaning with what was committed. Who resolved a conflict by hand may have changed more, so a
difference is listed with its reason and its first changes, to be judged by a reader.

Exit code 1 if a conflict is here only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import field, frozen

from modelica_ast.compare import Changes, compare, drive, text_of
from modelica_ast.foundation import ModelicaSyntaxError, Source

_OUTCOMES: Final = {
    (True, True): "merged by both",
    (False, True): "conflict here only",
    (True, False): "conflict in git only",
    (False, False): "conflict in both",
}
_SHOWN: Final = 6  # changes of a result that differs
_MISSING: Final = ("unable to read", "could not read", "missing blob", "bad object", "not a valid object")
# What git runs instead of a merge of lines: it keeps what it was given, and merges as git does.
_DRIVER: Final = """\
kept=$(mktemp -d "$1/kept.XXXXXXXX")
cp "$2" "$kept/base"; cp "$3" "$kept/ours"; cp "$4" "$kept/theirs"; printf %s "$5" > "$kept/name"
git merge-file -q "$3" "$2" "$4"
"""


def main() -> int:
    """Merge all again; 1 if there is a conflict that git does not have."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", metavar="REPO", type=Path, help="a git repository, with a work tree or without")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes (default: %(default)s)")
    parser.add_argument("--limit", type=int, metavar="N", help="the newest N merges only")
    parser.add_argument("--commit", action="append", metavar="SHA", help="this merge only; can be repeated")
    options = parser.parse_args()
    repository = Repository.at(options.repo)
    commits = options.commit or repository.merges()[: options.limit]
    again = partial(_merged_again, repository)
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(again, commits) if options.jobs > 1 else map(again, commits))
    files = [file for each in found for file in each.files]
    print(f"{len(found)} merges, {sum(bool(each.files) for each in found)} with Modelica files that both sides changed")
    for reason, count in Counter(each.skipped for each in found if each.skipped).items():
        print(f"{count} left out: {reason}")
    _print_table(files)
    for heading, listed in _sections(files):
        print(f"\n{heading}: {len(listed)}")
        for file in listed:
            print(f"  {file.commit[:12]} {file.name}: {file.reason or file.verdict}")
            print("".join(f"      {line}\n" for line in file.details), end="")
    return 1 if any(file.outcome == "conflict here only" for file in files) else 0


def _print_table(files: Sequence[MergedFile]) -> None:
    outcomes = Counter(file.outcome for file in files)
    print(f"\n{'files':34}{len(files):6}")
    for outcome in _OUTCOMES.values():
        print(f"{outcome:34}{outcomes[outcome]:6}")
    resolved, in_git = outcomes["conflict in git only"], outcomes["conflict in both"]
    if resolved + in_git:
        print(f"{'of the conflicts of git, resolved':34}{resolved / (resolved + in_git):6.0%}")
    verdicts = Counter(file.verdict for file in files if file.verdict)
    for verdict, count in sorted(verdicts.items(), key=lambda item: -item[1]):
        print(f"resolved here, {verdict:19}{count:6}")
    print(f"{'CPU seconds':34}{sum(file.seconds for file in files):6.0f}")


def _sections(files: Sequence[MergedFile]) -> Iterator[tuple[str, list[MergedFile]]]:
    for outcome in ("conflict here only", "conflict in both"):
        yield outcome, [file for file in files if file.outcome == outcome]
    yield "resolved and different from the commit", [file for file in files if file.verdict == "different"]
    yield "not compared", [file for file in files if file.verdict == "not compared"]


# ---------------------------------------------------------------- a merge


@frozen
class MergedFile:
    """A file that both sides changed, merged by git and here."""

    commit: str
    name: str
    outcome: str
    seconds: float
    verdict: str = ""  # of what is resolved here: is it what was committed?
    reason: str = ""
    details: list[str] = field(factory=list)


@frozen
class MergedCommit:
    """A merge commit with the files that a merge driver would get, or the reason why it was left out."""

    files: list[MergedFile] = field(factory=list)
    skipped: str = ""


def _merged_again(repository: Repository, commit: str) -> MergedCommit:
    parents = repository.git("rev-list", "--parents", "-n1", commit).split()[1:]
    if len(parents) != 2:
        return MergedCommit(skipped=f"{len(parents)} parents")
    with TemporaryDirectory() as folder:
        try:
            plain = repository.merge(parents, Path(folder, "plain"), None)
            if plain is None:
                return MergedCommit()
            repository.merge(parents, Path(folder, "kept"), _DRIVER)
        except GitError as error:
            lost = any(sign in str(error) for sign in _MISSING)
            return MergedCommit(skipped="an object is missing" if lost else str(error))
        sides = [repository.blobs(parent) for parent in parents]
        files = []
        for kept in sorted(Path(folder, "kept").glob("kept.*")):
            versions = [Path(kept, name).read_bytes() for name in ("base", "ours", "theirs")]
            # The merge of several bases comes by here as well.
            if all(_blob(text) in side for text, side in zip(versions[1:], sides, strict=True)):
                name = Path(kept, "name").read_text(encoding="utf-8")
                files.append(_merged_file(repository, commit, name, kept, plain))
        return MergedCommit(sorted(files, key=lambda file: file.name))


def _blob(data: bytes) -> str:
    """The name that git has for a content."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _merged_file(repository: Repository, commit: str, name: str, kept: Path, plain: PlainMerge) -> MergedFile:
    start = time.process_time()
    done = drive(Path(kept, "base"), Path(kept, "ours"), Path(kept, "theirs"), name)
    seconds = time.process_time() - start
    is_clean_in_git = name not in plain.conflicts
    outcome = _OUTCOMES[done.code == 0, is_clean_in_git]
    reasons = [message.removeprefix(f"{name}: ") for message in done.messages]
    if done.code:
        return MergedFile(commit, name, outcome, seconds, reason=reasons[0], details=reasons[1:])
    committed = repository.content(commit, name)
    if committed is None:
        return MergedFile(commit, name, outcome, seconds, "not compared", "the commit does not have it")
    merged = Path(kept, "ours").read_bytes()
    changes = _compared(committed, merged)
    if changes is None:
        return MergedFile(commit, name, outcome, seconds, "not compared", "one of the two is not Modelica")
    if not changes:
        return MergedFile(commit, name, outcome, seconds, "as committed")
    reason = _reason(committed, merged, plain.content(name)) if is_clean_in_git else "resolved by hand"
    lines = text_of(changes).splitlines()
    more = [f"… {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return MergedFile(commit, name, outcome, seconds, "different", reason, [*reasons, *lines[:_SHOWN], *more])


def _reason(committed: bytes, merged: bytes, by_git: bytes) -> str:
    """Why a result is not what was committed, as far as git's own merge tells."""
    if (here := _compared(by_git, merged)) is None:
        return "git's merge is not Modelica"
    if not here:
        return "the same as git's merge: more was changed in the commit"
    there = _compared(committed, by_git)
    return "git's merge is different, too" if there else "git's merge is what was committed"


def _compared(old: bytes, new: bytes) -> Changes | None:
    try:
        return compare(*(Source.from_bytes(data).text for data in (old, new)))
    except ModelicaSyntaxError:
        return None


# ---------------------------------------------------------------- git


class GitError(Exception):
    """git refused something."""


@frozen
class Repository:
    """A git repository that is only read: what git has to write goes elsewhere."""

    folder: Path  # the git directory

    @classmethod
    def at(cls, path: Path) -> Repository:
        """The repository around a folder."""
        found = subprocess.run(
            ["git", "-C", str(path), "rev-parse", "--absolute-git-dir"],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        if found.returncode:
            sys.exit(f"merges.py: {found.stderr.strip()}")
        return cls(Path(found.stdout.strip()))

    def merges(self) -> list[str]:
        """The merge commits of the history, the newest first."""
        return self.git("rev-list", "--merges", "HEAD").split()

    def git(self, *arguments: str, at: Path | None = None) -> str:
        """What a command of git prints."""
        return self._run(arguments, at)[1].decode("utf-8", "replace")

    def _run(self, arguments: Iterable[str], at: Path | None, may_be: Sequence[int] = (0,)) -> tuple[int, bytes]:
        own: Mapping[str, str] = {"GIT_DIR": str(self.folder), "LC_ALL": "C"}
        if at is not None:
            here = str(self.folder / "objects")
            own = {**own, "GIT_OBJECT_DIRECTORY": str(at), "GIT_ALTERNATE_OBJECT_DIRECTORIES": here}
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=at, env={**os.environ, **own}, capture_output=True, check=False)
        if done.returncode not in may_be:
            raise GitError(done.stderr.decode("utf-8", "replace").strip())
        return done.returncode, done.stdout

    def merge(self, parents: Sequence[str], at: Path, driver: str | None) -> PlainMerge | None:
        """Merge two commits, new objects in a folder; None if they are one line of history."""
        at.mkdir()
        settings: list[str] = []
        if driver is not None:
            (at / "driver.sh").write_text(driver, encoding="utf-8")
            (at / "attributes").write_text("*.mo merge=kept\n", encoding="utf-8")
            call = f"sh '{at}/driver.sh' '{at}' %O %A %B %P"
            settings = ["-c", f"merge.kept.driver={call}", "-c", f"core.attributesFile={at}/attributes"]
        elif self.git("merge-base", *parents).strip() in parents:
            return None
        arguments = [*settings, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", *parents]
        _, out = self._run(arguments, at, (0, 1))
        tree, *names = [part.decode("utf-8", "replace") for part in out.split(b"\0") if part]
        return PlainMerge(self, at, tree.strip(), frozenset(names))

    def blobs(self, commit: str) -> frozenset[str]:
        """The contents of the Modelica files of a commit, by the names that git has for them."""
        lines = self.git("ls-tree", "-r", commit).splitlines()
        return frozenset(line.split()[2] for line in lines if line.endswith(".mo"))

    def content(self, tree: str, name: str, at: Path | None = None) -> bytes | None:
        """A file of a commit or tree; None if it is not there."""
        try:
            return self._run(["cat-file", "blob", f"{tree}:{name}"], at)[1]
        except GitError:
            return None


@frozen
class PlainMerge:
    """What git makes of two commits by itself."""

    _repository: Repository
    _at: Path
    _tree: str
    conflicts: frozenset[str]  # names of files

    def content(self, name: str) -> bytes:
        """A merged file."""
        return self._repository.content(self._tree, name, self._at) or b""


if __name__ == "__main__":
    sys.exit(main())
