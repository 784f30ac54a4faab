"""Packages as they kept their base before they had a side-car in JSON."""

from __future__ import annotations

import json
from pathlib import Path

from modelica_ast.generate import SideCar, read_side_car
from urdf_frontend.package.builder.side_car import names_of


def make_older(folder: Path, name: str) -> None:
    """Put NAME.base and NAME.names in place of NAME.json, as they were written before."""
    path = folder / f"{name}.json"
    side_car = read_side_car(path.read_text(encoding="utf-8"), path.name)
    path.unlink()
    (folder / f"{name}.base").write_bytes("".join(f"{line}\n" for line in base_lines(side_car, name)).encode())
    (folder / f"{name}.names").write_bytes("".join(f"{line}\n" for line in names_lines(side_car)).encode())


def base_lines(side_car: SideCar, name: str) -> list[str]:
    """The lines of a .base file."""
    lines = ["# What was generated last", "urdf-base 1", f"generator {side_car.generator}"]
    lines += [f"templates {side_car.templates}", f"package {json.dumps(side_car.package)}"]
    lines.append(f"urdf {side_car.sources[f'{name}.urdf']}")
    lines += [f"option {key} {value}" for key, value in sorted(side_car.options.items())]
    resources = sorted(side_car.resources.items())
    lines += [f"resource {json.dumps(key)} {json.dumps(value)}" for key, value in resources]
    lines += [f"file {found} {path}" for path, found in sorted(side_car.files.items())]
    for conflict in side_car.conflicts:
        data = conflict.as_json()
        data["urdf"] = data.pop("data")
        lines.append(f"conflict {json.dumps(data)}")
    return lines


def names_lines(side_car: SideCar) -> list[str]:
    """The lines of a .names file."""
    names = names_of(side_car.names)
    lines = ["# What things are called", "urdf-names 1", f"robot {json.dumps(side_car.names['urdf'])} {names.robot}"]
    lines += [f"option {key} {side_car.options[key]}" for key in ("stationary", "visualisation", "collisions", "names")]
    for kind, table in (("link", names.links), ("joint", names.joints)):
        lines += [f"{kind} {json.dumps(each.urdf)} {each.class_name} {each.component}" for each in table.values()]
    return lines
