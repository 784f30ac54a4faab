"""An assembly into a library: a new package, or the one that is there brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from attrs import evolve, frozen

from urdf_frontend.building import BuildError, BuildOptions, BuiltPackage, build
from urdf_frontend.building.settings import MODULAR, STYLE
from urdf_frontend.modular.building import build_modular, modular_name
from urdf_frontend.modular.keeping import with_modular_base
from urdf_frontend.modular.updating import Reassembly, ReassemblyOptions, update_modular
from urdf_frontend.modules import Assembly
from urdf_frontend.package.memory import find_side_car
from urdf_frontend.reader import ReadResult, read
from urdf_frontend.update import UpdateError, UpdateOptions, update, with_base

Style = Literal["modular", "flat"]
_FLAT: Final = "flat"


@frozen
class Assembling:
    """What becomes of an assembly: a new package or an update of one, the other is None."""

    style: Style
    new: BuiltPackage | None
    again: Reassembly | None


def assemble_into(
    assembly: Assembly,
    into: Path,
    *,
    style: Style | None = None,
    build_options: BuildOptions | None = None,
    options: ReassemblyOptions | None = None,
) -> Assembling:
    """Work out the package of an assembly in a folder; nothing is written.

    `style` is that of the package if it is there already, or else `modular`. The name and what else a build is told are
    in `build_options`; a package that is there keeps what it was built with.
    """
    wanted = evolve(build_options or BuildOptions(), into=into)
    options = ReassemblyOptions() if options is None else options
    name = modular_name(assembly, wanted.name)
    folder = into / name
    if not (folder / "package.mo").is_file():
        return _new(assembly, style or MODULAR, wanted, options)
    _, side_car = find_side_car(folder)
    there: Style = MODULAR if side_car.options.get(STYLE) == MODULAR else _FLAT
    if style is not None and style != there:
        raise UpdateError(f"{folder} is there in the style '{there}': take it away, or choose another name with --name")
    if there == MODULAR:
        return Assembling(there, None, update_modular(folder, assembly, options))
    return Assembling(there, None, _update_flat(folder, assembly, options))


def _new(assembly: Assembly, style: Style, wanted: BuildOptions, options: ReassemblyOptions) -> Assembling:
    if options.reroutes:
        raise BuildError("--reroute is for a package that is there already, and there is none")
    if style == MODULAR:
        built, made = build_modular(assembly, wanted)
        return Assembling(style, with_modular_base(built, made, assembly, wanted), None)
    urdf = assembled_urdf(assembly)
    own = evolve(wanted, urdf=_urdf_path(assembly))
    return Assembling(style, with_base(build(urdf.usable_robot(), own), urdf, own), None)


def _update_flat(folder: Path, assembly: Assembly, options: ReassemblyOptions) -> Reassembly:
    if options.reroutes:
        raise UpdateError("--reroute is for the style 'modular'; a flat package keeps what you have used")
    wanted = UpdateOptions(
        prefer=options.prefer,
        decide=options.decide,
        no_renames=True,  # the assembly says what its modules are called
        prune=options.prune,
        templates=options.templates,
    )
    return Reassembly(update(folder, assembled_urdf(assembly), wanted), (), ())


def assembled_urdf(assembly: Assembly) -> ReadResult:
    """The assembled robot as if it were a file beside the assembly: its paths count from there."""
    return read(assembly.to_urdf().data, path=_urdf_path(assembly))


def _urdf_path(assembly: Assembly) -> Path:
    return assembly.folder / f"{Path(assembly.file).stem}.urdf"
