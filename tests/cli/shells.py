"""What tests of completion share: a real interactive shell behind a pseudo-terminal, typed into like by a person."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from served_command import program

_PATIENCE: Final = 60.0  # seconds: only a test that fails waits so long
_CONTROL: Final = re.compile(
    r"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()][0-9A-B]|\x1b[=>78c]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\r"
)

# Shells without anybody's settings.
_COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "bash": ("bash", "--noprofile", "--norc", "-i"),
    "zsh": ("zsh", "-f", "-i"),
    "fish": ("fish", "--no-config", "--interactive"),
}
_SHOW: Final = "\x18\x10"  # Ctrl-X Ctrl-P
_DISCARD: Final = "\x18\x0b"  # Ctrl-X Ctrl-K
# One key prints the line as the shell has it, because what is seen of a line that is edited depends on how the shell
# draws it; a key that is pressed after Tab is read when the completion is done. Another key empties the line: Ctrl-C
# would take away what is typed after it, too.
_SETTINGS: Final[Mapping[str, Sequence[str]]] = {
    "bash": (
        "bind 'set enable-bracketed-paste off'; bind 'set bell-style none'",
        """show() { printf '\\n[[[%s]]]\\n' "$READLINE_LINE"; }; bind -x '"\\C-x\\C-p": show'""",
        """bind '"\\C-x\\C-k": kill-whole-line'""",
    ),
    "zsh": (
        "unsetopt zle_bracketed_paste prompt_sp beep; autoload -Uz compinit && compinit -D",
        """show() { zle -I; print -r -- "[[[$BUFFER]]]"; }; zle -N show; bindkey '^X^P' show""",
        "bindkey '^X^K' kill-buffer",
    ),
    "fish": (
        "set -g fish_autosuggestion_enabled 0",
        """function show; printf '\\n[[[%s]]]\\n' (commandline | string collect); end; bind \\cx\\cp show""",
        """bind \\cx\\ck 'commandline -f cancel; commandline ""'""",
    ),
}


class Terminal:
    """A shell that waits for keys."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._seen = ""
        self._lines = 0

    def type(self, keys: str) -> None:
        """Press keys; what was shown until now is forgotten."""
        self._seen = ""
        os.write(self._master, keys.encode())

    def wait_for(self, text: str) -> str:
        """Read until a text is shown; all that was shown since the last key. AssertionError if it never comes."""
        end = time.monotonic() + _PATIENCE
        while text not in (shown := _CONTROL.sub("", self._seen)):
            ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
            try:
                data = os.read(self._master, 65536) if ready else b""
            except OSError:  # the shell has ended
                data = b""
            if not data:
                raise AssertionError(f"{text!r} was not shown, but {shown!r}")
            self._seen += data.decode(errors="replace")
        return shown

    def complete(self, line: str, *, tabs: int = 1) -> str:
        """Type the beginning of a line and press Tab; the line as it is then, and still can be edited."""
        self.type(line + "\t" * tabs + _SHOW)
        shown = self.wait_for("]]]")
        return shown.rpartition("[[[")[2].partition("]]]")[0]

    def offered(self, line: str) -> str:
        """All that is shown when Tab is pressed twice after a line; it is discarded then."""
        self.type(line + "\t\t" + _SHOW)
        shown = self.wait_for("]]]").rpartition("[[[")[0]
        self.discard()
        return shown

    def discard(self) -> None:
        """Empty the line without running it."""
        self.type(_DISCARD)
        self.run("")

    def run(self, line: str) -> list[str]:
        """Finish a line and wait until it has run; the words that were shown."""
        self._lines += 1
        # The mark is put together by the shell, so that it is not found in what was typed.
        self.type(f"{line}\nprintf '%s%s\\n' run- {self._lines}.\n")
        return self.wait_for(f"run-{self._lines}.").split()


@contextmanager
def open_shell(shell: str, folder: Path) -> Iterator[Terminal]:
    """A shell that is in a folder, with the commands of this Python first on its PATH and nobody's settings."""
    home = folder / ".home"
    home.mkdir(exist_ok=True)
    environment = {
        "PATH": os.pathsep.join([*map(str, (Path(program()).parent, Path(sys.executable).parent)), os.environ["PATH"]]),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        **{name: os.environ[name] for name in ("PYTHONPATH", "TMPDIR") if name in os.environ},
    }
    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 300, 0, 0))  # nothing is wrapped or paged
    process = subprocess.Popen(
        _COMMANDS[shell],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  (a shell controls its terminal)
    )
    os.close(slave)
    try:
        terminal = Terminal(master)
        for line in _SETTINGS[shell]:
            terminal.run(line)
        yield terminal
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(master)
