"""What a user can decide about the update of a robot's package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from modelica_ast.generate import Decisions
from urdf_frontend.meshes import Packages

if TYPE_CHECKING:
    from modelica_ast.generate import Decide

WORD: Final = "URDF"  # what the data of these packages are called
SIDE: Final = "urdf"  # in options and in JSON


@frozen(kw_only=True)
class UpdateOptions:
    """What a user can decide.

    `prefer` says who wins where both changed a value, `user` or `urdf`, unless `decide` is asked for each. If nobody
    decides, the user's value stays, and the conflict is remembered. `renames` are links and joints that have another
    name now, by their old one; with `no_renames` no other one has. `prune` lets go of classes that stayed although the
    URDF has their links and joints no more. `templates` are those of the user's own, `packages` finds meshes of
    `package://`.
    """

    prefer: str | None = None
    decide: Decide | None = None
    renames: Mapping[str, str] = field(factory=dict)
    no_renames: bool = False
    prune: bool = False
    templates: Path | None = None
    packages: Packages | None = field(default=None, repr=False)

    @property
    def decisions(self) -> Decisions:
        """Those that the update of any package asks for."""
        return Decisions(prefer=self.prefer, decide=self.decide, prune=self.prune)
