"""The version of this package. PERF: `importlib.metadata` takes longer to import than all of it."""

from typing import Final

VERSION: Final = "0.1.0"
