"""The pictures of the pages, made by the tool itself: `make pictures`. They are committed, so that pages show them.

It needs Chromium with its driver (`make machine`) and the Standard Library 4.1.0.
"""

# ruff: noqa: INP001  (the folder of the documentation is not a package)

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Final

from PIL import Image

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
PICTURES: Final = DOCS / "pictures"
sys.path.insert(0, str(ROOT / "tests"))  # the tests know how to start a browser

from motion.browser import open_browser, open_page  # noqa: E402
from pages import blocks  # noqa: E402

_COMMAND: Final = "modelica-patch edit Arm.mo -e 'set Arm.m 1.65' -e 'rename Arm.body load'"
_LINE_HEIGHT: Final = 19
_CHARACTER: Final = 8.1
BLANK: Final = "\N{NO-BREAK SPACE}"  # readers of SVG put others together
_COLOURS: Final = {"-": "#b3261e", "+": "#146c2e", "@": "#5b5f97", "$": "#1d4ed8"}


def run(command: str, folder: Path) -> str:
    """What a command prints, as a shell shows it."""
    seen = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=seen, capture_output=True, text=True, check=True)  # noqa: S603, S607
    return ran.stdout


def screen(lines: list[str]) -> str:
    """Lines of a terminal as SVG; those of a diff have their colours."""
    width = round(max(map(len, lines)) * _CHARACTER) + 32
    height = len(lines) * _LINE_HEIGHT + 28
    rows = []
    for number, line in enumerate(lines):
        text, colour = escape(line, quote=False).replace(" ", BLANK), _COLOURS.get(line[:1], "#1f2328")
        rows.append(f'<text x="16" y="{32 + number * _LINE_HEIGHT}" fill="{colour}">{text}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6" fill="#f6f8fa" stroke="#d0d7de"/>',
            '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13.4">',
            *rows,
            "</g>",
            "</svg>\n",
        ]
    )


def diff(folder: Path) -> None:
    """What an edit of the README's file shows before it writes."""
    readme = blocks((ROOT / "README.md").read_text(encoding="utf-8"))
    arm = next(block for block in readme if block.about.get("file") == "Arm.mo")
    (folder / "Arm.mo").write_text(arm.text, encoding="utf-8", newline="")
    shown = [f"$ {_COMMAND}", *run(_COMMAND, folder).splitlines()]
    (PICTURES / "diff.svg").write_text(screen(shown), encoding="utf-8", newline="\n")


def robot(folder: Path) -> None:
    """The page that shows a robot, in the middle of its motion."""
    shutil.copytree(ROOT / "fixtures" / "robots", folder / "robots")
    run("modelica-patch urdf animate robots/arm.urdf -o arm.html", folder)
    with open_browser(folder) as browser:
        browser.set_window_size(860, 600)
        open_page(browser, folder / "arm.html")
        browser.execute_async_script("viewer.setTime(2.7); requestAnimationFrame(() => setTimeout(arguments[0], 300))")
        shot = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    shot.quantize(64).save(PICTURES / "robot.png", optimize=True)


def diagram(folder: Path) -> None:
    """A diagram of the Standard Library."""
    run(f"modelica-patch draw Modelica.Blocks.Continuous.PID -o '{PICTURES / 'pid.svg'}'", folder)


def main() -> None:
    """Make all of them again."""
    PICTURES.mkdir(exist_ok=True)
    for make in (diff, robot, diagram):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder))
    for path in sorted(PICTURES.iterdir()):
        sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.1f} kB\n")


if __name__ == "__main__":
    main()
