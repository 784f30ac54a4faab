"""Where the tests find their inputs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
MODELICA_FIXTURES = sorted((FIXTURES / "modelica").glob("*.mo"))

# The same examples on every machine: a failure in CI is a failure here. No deadline: other work shares the cores.
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")


def needs(command: str) -> str:
    """Where a command of the machine is. A test skips without it, and fails in CI, where `make machine` has run."""
    found = shutil.which(command)
    if found is None:
        message = f"{command} is not on the PATH: 'make machine' installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    return found


def library_folders() -> Iterator[Path]:
    """Where Modelica tools look for libraries."""
    for folder in os.environ.get("MODELICAPATH", "").split(os.pathsep):
        if folder:
            yield Path(folder)
    yield Path.home() / ".openmodelica" / "libraries"


def standard_library() -> Path | None:
    """The folder of the Modelica Standard Library 4.1.0, if it is installed."""
    for folder in library_folders():
        for name in ("Modelica 4.1.0", "Modelica"):
            if (folder / name / "package.mo").is_file():
                return folder / name
    return None


@pytest.fixture(scope="session")
def msl() -> Path:
    found = standard_library()
    if found is None:
        pytest.skip("Modelica Standard Library 4.1.0 not found in MODELICAPATH or ~/.openmodelica/libraries")
    return found
