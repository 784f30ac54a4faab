"""What can be chosen about the layout."""

from __future__ import annotations

import attrs

from modelica_ast.errors import ModelicaError


@attrs.frozen
class Options:
    """`width`: where lines are broken, in characters; `indent`: blanks for each level."""

    width: int = 100
    indent: int = 2

    def __attrs_post_init__(self) -> None:
        for name, value in (("width", self.width), ("indent", self.indent)):
            if value < 1:
                raise ModelicaError(f"{name} is {value}; it must be 1 or more")
