"""Where the Modelica libraries are that this package brings; other packages find them by an entry point."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
