"""Several processes that start at once, and several threads over one table that is unpacked on the way."""

from __future__ import annotations

import subprocess
import sys

from conftest import FIXTURES

CODE = """
import sys, threading, pathlib, modelica_ast
files = sorted(pathlib.Path(sys.argv[1]).glob("*.mo"))
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


def test_processes_and_threads_at_once() -> None:
    command = [sys.executable, "-X", "dev", "-c", CODE, str(FIXTURES / "modelica")]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for process in started:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert output == "failed []\n"
