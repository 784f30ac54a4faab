"""What pyproject.toml can't say: grammar/ is installed inside of the package, as `modelica_ast._grammar`."""

from pathlib import Path
from shutil import copy2

from setuptools import setup
from setuptools.command.build_py import build_py

_INSTALLED = ("modelica.lark", "build_table.py", "README.md")


class BuildWithGrammar(build_py):
    """Copies the grammar. An editable installation needs no copy: `modelica_ast._grammar` finds the folder."""

    def run(self) -> None:
        """Build, and add the grammar to what is built."""
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib, "modelica_ast", "_grammar")
            folder.mkdir(parents=True, exist_ok=True)
            for name in _INSTALLED:
                copy2(Path("grammar", name), folder / name)


setup(cmdclass={"build_py": BuildWithGrammar})
