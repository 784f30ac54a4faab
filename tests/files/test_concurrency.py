"""Several processes that start at once, and several threads over one table that is unpacked on the way."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from conftest import FIXTURES, mostly_slow
from modelica_ast import parse
from modelica_ast.library import Libraries, ParseCache, instance, references
from modelica_ast.syntax import reader

CODE = """
import sys, threading, pathlib, modelica_ast
files = sorted(pathlib.Path(sys.argv[1]).glob("*.mo"))[:: int(sys.argv[2])]
failed = []
barrier = threading.Barrier(8)
def work():
    barrier.wait()
    for path in files:
        tree = modelica_ast.parse_file(path)
        views = sum(1 for _ in modelica_ast.walk(tree))
        if modelica_ast.render_bytes(tree) != path.read_bytes() or not views:
            failed.append(path)
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("failed", failed)
"""


@pytest.mark.parametrize(("processes", "every"), mostly_slow([(2, 16), (4, 4)], (2, 16)))
def test_processes_and_threads_at_once(processes: int, every: int) -> None:
    command = [sys.executable, "-X", "dev", "-c", CODE, str(FIXTURES / "modelica"), str(every)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    for process in started:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert output == "failed []\n"


def test_threads_ask_one_library_about_names(tmp_path: Path) -> None:
    classes = "".join(
        f"model A{i} extends A{i + 1}(x{i + 1} = {i}); Real x{i} = x{(i * 7) % 40}; end A{i};\n" for i in range(40)
    )
    (tmp_path / "P.mo").write_text(f"package P\n{classes}model A40 Real x40; end A40;\nend P;\n", encoding="utf-8")
    libraries = Libraries([tmp_path / "P.mo"])
    names = [f"P.A{i}.x{i}" for i in range(41)]
    barrier = threading.Barrier(6)
    found: list[list[object]] = []

    def work(number: int) -> None:
        barrier.wait()
        order = [*names[number * 5 :], *names[: number * 5]]
        answers: dict[str, object] = {name: len(references(libraries, name)) for name in order}
        answers |= {name: sorted(instance(libraries, name.rpartition(".")[0]).components) for name in order}
        found.append([answers[name] for name in names])

    threads = [threading.Thread(target=work, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert all(each == found[0] for each in found)
    assert found[0][0] == [f"x{i}" for i in sorted(range(41), key=str)]


@pytest.mark.parametrize("is_on", [True, False])
def test_the_garbage_collector_is_as_it_was_when_all_threads_have_parsed(
    is_on: bool,  # noqa: FBT001  (a parameter)
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disable, read = gc.disable, reader._read
    found_on: list[bool] = []

    def slowly() -> None:
        time.sleep(0.001)  # another thread may come or leave just before
        disable()

    def watched(*args: object, **options: object) -> object:
        found_on.append(gc.isenabled())
        time.sleep(0.0001)  # others come and leave meanwhile
        result = read(*args, **options)  # type: ignore[arg-type]
        found_on.append(gc.isenabled())
        return result

    monkeypatch.setattr(gc, "disable", slowly)
    monkeypatch.setattr(reader, "_read", watched)
    cache = ParseCache(tmp_path)

    def work() -> None:
        for number in range(20):
            parse(f"model M{number} end M{number};")
            cache.parse("model M end M;")

    threads = [threading.Thread(target=work) for _ in range(16)]
    was_on = gc.isenabled()
    (gc.enable if is_on else disable)()
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert gc.isenabled() == is_on
    finally:
        (gc.enable if was_on else disable)()
    assert len(found_on) > 16 * 40
    assert not any(found_on)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_that_was_forked_while_others_parsed_collects_garbage() -> None:
    code = """
import gc, os, threading
from modelica_ast.syntax import reader as garbage
inside, done = threading.Event(), threading.Event()
def work():
    with garbage.REST:
        inside.set()
        done.wait()
thread = threading.Thread(target=work)
thread.start()
inside.wait()
child = os.fork()
if not child:
    with garbage.REST:
        off = not gc.isenabled()
    os._exit(0 if off and gc.isenabled() else 1)
done.set()
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), gc.isenabled())
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "0 True\n"
