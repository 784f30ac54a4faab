"""Classes that a side has moved to another package of the file."""

from __future__ import annotations

from modelica_ast.compare.moving import classes_inside, find_moved_classes
from modelica_ast.compare.paths import path_of
from modelica_ast.compare.things import Thing
from modelica_ast.merge.matching import Elsewhere


def note_moved_classes(base: Thing, ours: Thing, theirs: Thing) -> Elsewhere:
    """What was moved, with what it is in the other versions."""
    elsewhere = Elsewhere()
    here, there = (find_moved_classes(base, side).new_of for side in (ours, theirs))
    if not here and not there:
        return elsewhere
    paths = [{path_of(thing)[0]: thing for thing in classes_inside(side)} for side in (ours, theirs)]
    for thing in classes_inside(base):
        moved = here.get(id(thing)), there.get(id(thing))
        if moved == (None, None):
            continue
        path = path_of(thing)[0]
        one, other = moved[0] or paths[0].get(path), moved[1] or paths[1].get(path)
        elsewhere.note(thing, one, other, moved_by=(moved[0] is not None, moved[1] is not None))
    return elsewhere
