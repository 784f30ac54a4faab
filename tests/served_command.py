"""`modelica-patch` for tests that run it often: a process that has imported all of it forks for each call.

`program()` is a program that does what the installed one does, in a process of its own, with the caller's folder,
environment and streams, but does not spend a third of a second on starting. With HYPOTHESIS_PROFILE=slow it is the
installed one. Tests that kill, trace or count processes take `INSTALLED`.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import pkgutil
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

import modelica_ast.cli

INSTALLED: Final = shutil.which("modelica-patch", path=str(Path(sys.executable).parent)) or "modelica-patch is missing"

# What a process has read of its environment when it starts. Callers that want it otherwise get the installed one.
_START: Final = """[
    *((s and s.encoding, s and s.errors) for s in (sys.stdin, sys.stdout, sys.stderr)),
    sys.getfilesystemencoding(), os.environ.get("PYTHONPATH"), os.umask(umask) if (umask := os.umask(0)) >= 0 else 0,
]"""
_CLIENT: Final = """\
#!{python} -S
import _socket, os, sys
if {start} != {wanted!r}:
    os.execv({installed!r}, [{installed!r}, *sys.argv[1:]])
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({place!r})
words = [os.fsencode(word) for word in sys.argv[1:]]
names = [name + b"=" + value for name, value in os.environb.items()]
data = b"\\0".join([os.getcwdb(), b"%d" % len(words), *words, *names])
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([len(data).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(data)
code = server.recv(1)
os._exit(code[0] if code else 141)  # what a shell says of a process that SIGPIPE has ended
"""


_running: Final[list[tuple[subprocess.Popen[str], Path]]] = []


@cache
def program() -> str:
    """The program; it is gone when the session of tests ends."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "slow":
        return INSTALLED
    folder = Path(tempfile.mkdtemp(prefix="served-"))
    server = subprocess.Popen(
        [sys.executable, __file__, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    _running.append((server, folder))
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    return str(folder / "modelica-patch")


def end() -> None:
    while _running:
        server, folder = _running.pop()
        with server:  # its input ends, and it with it
            pass
        shutil.rmtree(folder, ignore_errors=True)


def main(folder: Path) -> None:
    """Serve until standard input ends."""
    for package in ("modelica_ast", "urdf_frontend"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if ".testing" not in module.name:
                with contextlib.suppress(ImportError):  # an extra that is not installed
                    importlib.import_module(module.name)
    # PERF: a quarter of a second for each command that builds a robot: its templates are read once, and kept.
    from urdf_frontend import build, read  # noqa: PLC0415  (the tests themselves do not need it)

    build(read("<robot name='smallest'><link name='base'/></robot>").usable_robot())
    place = folder / "socket"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(place))
    listening.listen(64)
    text = _CLIENT.format(
        python=sys.executable,
        start=_START,
        wanted=eval(_START),  # noqa: S307  (what the client says of itself)
        installed=INSTALLED,
        place=str(place),
    )
    (folder / "modelica-patch").write_text(text, encoding="utf-8")
    (folder / "modelica-patch").chmod(0o755)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    gc.freeze()
    children = 0
    while listening in select.select([listening, sys.stdin], [], [])[0]:
        caller, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            serve(caller)
        caller.close()
        children += 1
        while children and os.waitpid(-1, os.WNOHANG)[0]:
            children -= 1
    while children and os.waitpid(-1, os.WNOHANG)[0]:  # what they have used counts for the tests
        children -= 1


def serve(caller: socket.socket) -> NoReturn:
    """Run one command, and tell the caller how it has ended."""
    size, streams, _, _ = socket.recv_fds(caller, 4, 3)
    with caller.makefile("rb") as arriving:
        folder, count, *words = arriving.read(int.from_bytes(size)).split(b"\0")
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = (open(n, "rw"[n], errors=sys.stdout.errors, closefd=False) for n in (0, 1))  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors=sys.stderr.errors, closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environb.clear()
    os.environb.update((name, value) for name, _, value in (word.partition(b"=") for word in words[int(count) :]))
    sys.argv[1:] = [os.fsdecode(word) for word in words[: int(count)]]
    sys.argv[0] = INSTALLED
    try:
        code = modelica_ast.cli.main()
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    except SystemExit as done:
        code = int(str(done.code))
    except BaseException:  # noqa: BLE001  (as Python does)
        traceback.print_exc()
        code = 1
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    with contextlib.suppress(BrokenPipeError):
        caller.sendall(bytes([code]))
    os._exit(code)  # PERF: nothing is taken apart, which takes longer than all else


if __name__ == "__main__":
    main(Path(sys.argv[1]))
