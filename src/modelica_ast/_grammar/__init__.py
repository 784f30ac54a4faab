"""The folder `grammar` of the repository: what is installed has a copy of it here, a checkout has the folder itself."""

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
_IN_CHECKOUT = _FOLDER.parents[2] / "grammar"

if not (_FOLDER / "modelica.lark").is_file():
    __path__ = [str(_IN_CHECKOUT)]
