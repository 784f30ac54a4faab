"""The names of one robot: a class and a component for each link and joint, and no two of them in each other's way."""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set as AbstractSet
from functools import partial
from itertools import count
from typing import Final

from attrs import define, field, frozen

# ---------------------------------------------------------------- reserved
# Names that mean something else already where the classes and components of a robot stand.

KEYWORDS: Final = frozenset(
    """algorithm and annotation block break class connect connector constant constrainedby der discrete each else
    elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function
    if import impure in initial inner input loop model not operator or outer output package parameter partial
    protected public pure record redeclare replaceable return stream then true type when while within""".split()
)
# Section 4.9 of the specification, and what is known everywhere without being declared.
PREDEFINED: Final = frozenset(
    """Real Integer Boolean String Clock StateSelect ExternalObject AssertionLevel Connections time
    abs sign sqrt div mod rem ceil floor integer sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10
    assert terminate initial terminal sample pre edge change reinit delay cardinality homotopy semiLinear inStream
    actualStream spatialDistribution getInstanceName ndims size scalar vector matrix identity diagonal zeros ones
    fill linspace min max sum product transpose outerProduct symmetric cross skew cat promote smooth noEvent
    rooted hold previous subSample superSample shiftSample backSample noClock firstTick interval""".split()
)
LIBRARY_ROOTS: Final = frozenset(
    """Modelica ModelicaServices Complex UrdfRobots DynamicConstraints FmiExamples URDFModelica Visualization
    Visualization2 VehicleInterfaces""".split()
)
# Files of these names can't be made on some systems, whatever their ending; nor beside package.mo, in any case.
FILE_NAMES: Final = frozenset(
    ["package", "con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
# The components of the link and joint templates: a class should not have a component of its own name.
_TEMPLATE_COMPONENTS: Final = frozenset(
    """frame_a frame_b world linkParams jointParams trafo trafoInertial body trafoVisual trafoCollision
    visualBox visualCylinder visualSphere visualCapsule visualCapsuleEnd1 visualCapsuleEnd2 visualMesh
    collisionBox collisionCylinder collisionSphere collisionCapsule collisionCapsuleEnd1 collisionCapsuleEnd2
    collisionMesh revolute prismatic planar floating flange_a flange_b friction endStop q_start qd_start
    s_start v_start phi_start w_start r_start rpy_start startFixed useEndStops endStopStiffness endStopDamping
    showCollision enableCollision enableInertial""".split()
)
# The components of the robot templates, and the packages that the robot's own classes name.
_ROBOT_COMPONENTS: Final = frozenset(
    """frame_a frame_b world robot Links Joints Resources startFixed showCollision enableCollision numLinks
    numCollisionLinks numNonCollisionLinks numLeafLinks numJoints numRotationalJoints numTranslationalJoints
    numMimicJoints numOtherJoints
    rotational_flange_a rotational_flange_b translational_flange_a translational_flange_b""".split()
)
# The components of the run templates: there the robot's own class is a type.
_RUN_COMPONENTS: Final = frozenset("world robot freeMotion ground r_start rpy_start".split())
_EVERYWHERE: Final = KEYWORDS | PREDEFINED | LIBRARY_ROOTS

PARAMETERS: Final = "Params"  # after the name of a class: the record with its parameters


def with_stems(words: AbstractSet[str]) -> frozenset[str]:
    """Names for no class: these, and those whose records would be called so: `link`, for `linkParams`."""
    return frozenset(words) | {word.removesuffix(PARAMETERS) for word in words} - {""}


FOR_CLASSES: Final = with_stems(_EVERYWHERE | _TEMPLATE_COMPONENTS)
FOR_COMPONENTS: Final = _EVERYWHERE | _ROBOT_COMPONENTS
FOR_ROBOTS: Final = _EVERYWHERE | _RUN_COMPONENTS | {"Links", "Joints", "Resources", "frame_a", "frame_b"}

# ---------------------------------------------------------------- identifiers
# From a name of URDF, which may be any text, to an identifier of Modelica: the simple one, which is as plain as can be,
# and the plain one, which no two names share.

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# `.` becomes `_x2e_`. An underscore that would look like the start of such a piece is written as one: `_x5f_`.
_ESCAPED: Final = re.compile(r"[^A-Za-z0-9_]|_(?=x[0-9a-f]+[^A-Za-z0-9])")
_DIGIT_FIRST: Final = re.compile(r"_*[0-9]")
_NO_WORD: Final = re.compile(r"\W+")  # neither letters, of whatever alphabet, nor digits
_OUTSIDE: Final = re.compile(r"\A\W+|\W+\Z")
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_]")
_EMPTY: Final = "_x0_"  # no name in XML has the character 0
# Section 2.3.1 of the specification: what may be between the quotes of a quoted identifier.
_QUOTABLE: Final = re.compile(r"[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ \"'\\]+")
_LAST_NAME: Final = re.compile(r"('(?:\\.|[^'\\])*'|[^.']+)\Z", re.DOTALL)
_LONGEST: Final = 120  # with `Params.mo` after it, and a path before it, a file system still takes it
_KEPT: Final = 100


class NameStyle(enum.Enum):
    """How components are called. Classes always have plain identifiers: not every tool finds quoted ones.

    AS_IS keeps names that are identifiers, and writes `_` for what no identifier has, `fl_hip`; ESCAPED writes the
    number of each such character, `fl_x2e_hip`, as all packages had it once. QUOTED writes those in quotes, `'fl.hip'`,
    and DLR writes class names with one capital and component names without, as URDFModelica does.
    """

    AS_IS = "as-is"
    ESCAPED = "escaped"
    QUOTED = "quoted"
    DLR = "dlr"


def is_plain_identifier(name: str) -> bool:
    """Is it an identifier without quotes? Keywords are not looked at."""
    return _PLAIN.fullmatch(name) is not None


def simple_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """The plainest identifier for a name, which others may share: `desk_arm` for `desk-arm` and for `desk arm`.

    Letters of other alphabets are escaped, as in `plain_identifier`, for they tell names apart.
    """
    words = _NO_WORD.sub("_", _OUTSIDE.sub("", name))
    if not words.strip("_"):
        return plain_identifier(name, reserved)
    escaped = _FOREIGN.sub(_escape, words)
    free = f"_{escaped}" if escaped[0].isdigit() else escaped
    while free in reserved or free.lower() in FILE_NAMES:
        free += "_"
    return free if len(free) <= _LONGEST else plain_identifier(name, reserved)


def plain_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """The identifier for a name: itself where it is one. It depends on the name alone, and no two names share it."""
    escaped = _ESCAPED.sub(_escape, name) if name else _EMPTY
    started = f"_{escaped}" if _DIGIT_FIRST.match(escaped) else escaped
    # `model` becomes `model_`, and so `model_` becomes `model__`.
    free = started + "_" * _underscores(started.rstrip("_"), reserved)
    if len(free) <= _LONGEST:
        return free
    short = f"{free[:_KEPT]}_h{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return f"{short}_" if short in reserved else short


def _escape(found: re.Match[str]) -> str:
    return f"_x{ord(found[0]):x}_"


def _underscores(bare: str, reserved: AbstractSet[str]) -> int:
    """How many underscores lead past all reserved words that are this one but for underscores at the end.

    The number is the same for all names that differ by such underscores alone, so they stay different.
    """
    ends = [len(word) - len(bare) for word in reserved if word.startswith(bare) and word.rstrip("_") == bare]
    return max([end + 1 for end in ends] + [int(bare.lower() in FILE_NAMES)])


def quoted_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """The name itself where it is an identifier, else in quotes, else (no quotes can hold it) escaped."""
    if simple_identifier(name, reserved) == name:
        return name
    if not _QUOTABLE.fullmatch(name) or len(name) > _LONGEST:
        return plain_identifier(name, reserved)
    inside = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inside}'"


def dlr_class_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """One capital and the rest small, `-` as `_`, a digit after a keyword: `left-Arm` is `Left_arm`.

    Other than `plain_identifier` this can give one identifier for two names; the table tells them apart.
    """
    marked = f"{name}0" if name in reserved else name
    return plain_identifier(plain_identifier(marked.replace("-", "_")).capitalize(), reserved)


def last_name(full_name: str) -> str:
    """`Arm` of `Robots.Arm`."""
    found = _LAST_NAME.search(full_name)
    return full_name if found is None else found[1]


# ---------------------------------------------------------------- table

UNNAMED_ROBOT: Final = "Robot"


@frozen
class Named:
    """What one name of the URDF file is called: its class, and its component as it is written in Modelica."""

    urdf: str
    class_name: str
    component: str
    # What is inside of its class and called otherwise than in the template: names by those there.
    inside: Mapping[str, str] = field(factory=dict, repr=False, hash=False)

    def path(self, inside: str) -> str:
        """The path of what the templates call `revolute.phi` or `body.m`, from the robot's model."""
        first, _, rest = inside.partition(".")
        return ".".join(filter(None, (self.component, self.inside.get(first, first), rest)))

    @property
    def parameters(self) -> str:
        """The class of its parameters."""
        return self.class_name + PARAMETERS


@frozen
class NameTable:
    """All names of a robot. Those of links and joints are by their names in the URDF file, in its order.

    `followers` are the components that make joints follow others, by the names of those joints.
    """

    robot: str
    links: Mapping[str, Named]
    joints: Mapping[str, Named]
    followers: Mapping[str, str] = field(factory=dict)

    def link(self, name: str) -> Named:
        """The names of a link."""
        return self.links[name]

    def joint(self, name: str) -> Named:
        """The names of a joint."""
        return self.joints[name]


def robot_class(name: str | None) -> str:
    """The class of a robot by its name in the URDF file; one that has no name is a Robot."""
    return simple_identifier(name, FOR_ROBOTS) if name else UNNAMED_ROBOT


def make_names(
    robot: str,
    links: Iterable[str],
    joints: Iterable[str],
    *,
    style: NameStyle = NameStyle.AS_IS,
    known: NameTable | None = None,
    reserved: AbstractSet[str] = frozenset(),
    reserved_classes: AbstractSet[str] = frozenset(),
) -> NameTable:
    """Name the links and joints of a robot whose class is called `robot`.

    Each gets the plainest name that is free. Names that are identifiers come first, for they stay as they are, and
    then the others in the order of the file; of two that would clash, the later one gets a longer name. Names of a
    `known` table stay, whatever is added or taken away. `reserved` are further names that no class and no component
    may have, `reserved_classes` those that mean something else in the models of links and joints.
    """
    todo_links, todo_joints = list(dict.fromkeys(links)), list(dict.fromkeys(joints))
    components: set[str] = {robot, *(known.followers.values() if known is not None else ())}
    classes, others = FOR_CLASSES | with_stems(reserved | reserved_classes), FOR_COMPONENTS | reserved
    link_side = _Side("link", _forms(style, classes), _component_forms(style, classes, others), components)
    joint_side = _Side("joint", link_side.class_forms, link_side.component_forms, components)
    if known is not None:
        link_side.keep(known.links, todo_links)
        joint_side.keep(known.joints, todo_joints)
    link_side.name(todo_links)
    joint_side.name(todo_joints)
    return NameTable(robot, link_side.in_order(todo_links), joint_side.in_order(todo_joints))


# The identifiers that a name can get, the plainest first.
_Forms = tuple[Callable[[str], str], ...]


def _forms(style: NameStyle, reserved: AbstractSet[str]) -> _Forms:
    """Those of classes."""
    if style is NameStyle.DLR:
        return (lambda name: dlr_class_identifier(name, reserved),)
    unique = partial(plain_identifier, reserved=reserved)
    return (unique,) if style is NameStyle.ESCAPED else (partial(simple_identifier, reserved=reserved), unique)


def _component_forms(style: NameStyle, classes: AbstractSet[str], reserved: AbstractSet[str]) -> _Forms:
    """Those of components; `classes` are reserved for no class."""
    if style is NameStyle.DLR:
        return (lambda name: plain_identifier(dlr_class_identifier(name, classes).lower(), reserved),)
    if style is NameStyle.QUOTED:
        return (partial(quoted_identifier, reserved=reserved),)
    return _forms(style, reserved)


@define
class _Side:
    """The links, or the joints: their classes are in one package, their components together with all others."""

    kind: str
    class_forms: _Forms
    component_forms: _Forms
    components: set[str]  # shared by both sides
    classes: set[str] = field(factory=set)  # in small letters: files of some systems do not tell them apart
    named: dict[str, Named] = field(factory=dict)

    def keep(self, known: Mapping[str, Named], names: list[str]) -> None:
        """Take over what is named already."""
        for name in names:
            if name in known:
                self._take(known[name])

    def name(self, names: list[str]) -> None:
        """Name what has no name yet: first those that stay as they are."""
        todo = [name for name in names if name not in self.named]
        for name in sorted(todo, key=lambda name: self.class_forms[0](name) != name):
            class_name = next(filter(self._is_free_class, _variants(name, [""], self.class_forms)))
            # Who has the plainest name among the links, or among the joints, needs none that is longer than with its
            # kind: `arm_joint`.
            forms = self.component_forms if class_name == self.class_forms[0](name) else self.component_forms[-1:]
            components = _variants(name, ["", f"_{self.kind}"], forms)
            self._take(Named(name, class_name, next(filter(self._is_free_component, components))))

    def in_order(self, names: list[str]) -> dict[str, Named]:
        return {name: self.named[name] for name in names}

    def _take(self, named: Named) -> None:
        self.named[named.urdf] = named
        self.classes |= {named.class_name.lower(), named.parameters.lower()}
        self.components.add(named.component)

    def _is_free_class(self, name: str) -> bool:
        return self.classes.isdisjoint({name.lower(), f"{name}{PARAMETERS}".lower()})

    def _is_free_component(self, name: str) -> bool:
        return name not in self.components


def _variants(name: str, endings: list[str], forms: _Forms) -> Iterator[str]:
    """What a name becomes, the plainest first: `arm`, `arm_joint`, the same by the next form, `arm_joint_2`, …"""
    for form in forms:
        for ending in endings:
            yield form(f"{name}{ending}")
    for number in count(2):
        yield forms[-1](f"{name}{endings[-1]}_{number}")
