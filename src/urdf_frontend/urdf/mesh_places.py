"""What a file is by its content: a mesh, an image, or neither. Names say nothing, for a stranger has written them."""

from __future__ import annotations

import enum
import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, TypeVar
from urllib.parse import unquote

from attrs import frozen
from lxml import etree

from modelica_ast.drawing import image_format
from modelica_ast.foundation import open_regular, read_regular
from urdf_frontend.urdf.diagnostics import quoted, reason_of

# ---------------------------------------------------------------- formats


LARGEST_MESH: Final = 200_000_000  # bytes of a mesh or texture; larger ones are neither copied nor looked into
HEAD: Final = 65_536  # bytes that tell what a file is
_STL_HEADER: Final = 84
_STL_FACET: Final = 50
_STL_LINE: Final = re.compile(rb"^[ \t]*+(?:facet[ \t]|endsolid\b)", re.IGNORECASE | re.MULTILINE)
_POINT: Final = 4  # `v`, x, y, z
_OBJ_WORDS: Final = frozenset(
    b"v vt vn vp f fo l p o g s mg mtllib usemtl maplib usemap cstype deg bmat step curv curv2 surf parm trim hole "
    b"scrv sp end con bevel c_interp d_interp lod shadow_obj trace_obj ctech stech call csh".split()
)


def open_mesh(path: Path) -> BinaryIO:
    """An ordinary file that is not too large, open for reading; OSError, without waiting, for any other."""
    file = os.fdopen(open_regular(path), "rb")
    if os.fstat(file.fileno()).st_size > LARGEST_MESH:
        file.close()
        raise OSError(errno.EFBIG, f"has more than {LARGEST_MESH // 1_000_000} MB", str(path))
    return file


def mesh_format(head: bytes, size: int) -> str | None:
    """`binary STL`, `ASCII STL`, `OBJ` or `DAE` by the first bytes of a file and its size; None for all else."""
    if _is_binary_stl(head, size):
        return "binary STL"
    if _has_collada(head):
        return "DAE"
    if b"\0" in head:
        return None
    if head.lstrip()[:5].lower() == b"solid" and _STL_LINE.search(head):
        return "ASCII STL"
    return "OBJ" if _is_obj(head, size) else None


def is_image(head: bytes, size: int) -> bool:
    """Can the file be a texture?"""
    return image_format(head, size) is not None


def _is_binary_stl(head: bytes, size: int) -> bool:
    """Does the size fit the number of facets? Some programs write a few bytes after the last one."""
    count = int.from_bytes(head[80:_STL_HEADER], "little")
    surplus = size - _STL_HEADER - count * _STL_FACET
    return surplus == 0 or (count > 0 and 0 < surplus < _STL_FACET)


def _has_collada(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", errors="replace").encode()
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<COLLADA" in head


def _is_obj(head: bytes, size: int) -> bool:
    """Is each line a statement of OBJ, and is one of them a point?"""
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(head) < size:
        lines = lines[:-1]  # it is cut off
    has_point = goes_on = False
    for line in lines:
        words = line.partition(b"#")[0].split()
        if words and not goes_on:
            if words[0] not in _OBJ_WORDS:
                return False
            has_point = has_point or (words[0] == b"v" and _are_numbers(words[1:_POINT]))
        goes_on = line.rstrip().endswith(b"\\")
    return has_point


def _are_numbers(words: list[bytes]) -> bool:
    try:
        return len([float(word) for word in words]) == _POINT - 1
    except ValueError:
        return False


# ---------------------------------------------------------------- places
# From what a URDF file calls a mesh to a file.


# ---------------------------------------------------------------- packages
# Where the packages of ROS are: `package://arm_description/…` names one and not a folder.

MANIFEST: Final = "package.xml"
_LARGEST_MANIFEST: Final = 1_000_000  # bytes


class Packages:
    """Finds packages by name.

    First in the folders that were given: each is a package, or has packages in it. Then upwards of the URDF file, in
    each folder and beside it. Then in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and GAZEBO_MODEL_PATH.

    `allow_outside` lets the robot name files that are in none of its folders; see `meshes.trusted`.
    """

    def __init__(
        self,
        folders: Iterable[str | os.PathLike[str]] = (),
        *,
        near: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
        allow_outside: bool = False,
    ) -> None:
        self.allow_outside = allow_outside
        self._folders = [Path(folder) for folder in folders]
        self._near = None if near is None else Path(near)
        self._environment = os.environ if environment is None else environment
        self._found: dict[str, Path | None] = {}

    def get_folder(self, name: str) -> Path | None:
        """The folder of a package."""
        if name not in self._found:
            self._found[name] = next(self._candidates(name), None)
        return self._found[name]

    def given_folders(self) -> list[Path]:
        """The folders that the user has named, in the call or in the environment."""
        return [*self._folders, *self._listed("ROS_PACKAGE_PATH"), *self._shares(), *self._listed("GAZEBO_MODEL_PATH")]

    def is_given(self, package: Path) -> bool:
        """Is a package one of these folders, or directly in one?"""
        return any(folder in (package, package.parent) for folder in self.given_folders())

    def _candidates(self, name: str) -> Iterator[Path]:
        if not name or name in {".", ".."}:
            return
        for folder in self._folders:
            yield from _in_folder(folder, name)
        if self._near is not None:
            for folder in self._near.absolute().parents:
                yield from _in_folder(folder, name)
        for folder in self._listed("ROS_PACKAGE_PATH"):
            yield from _in_folder(folder, name)
        for folder in self._shares():
            yield from _in_folder(folder, name)
        for folder in self._listed("GAZEBO_MODEL_PATH"):
            yield from _in_folder(folder, name)

    def _shares(self) -> list[Path]:
        return [folder / "share" for folder in self._listed("AMENT_PREFIX_PATH")]

    def _listed(self, variable: str) -> list[Path]:
        return [Path(folder) for folder in self._environment.get(variable, "").split(os.pathsep) if folder]


def _in_folder(folder: Path, name: str) -> Iterator[Path]:
    """The folder itself if it is the package, or the one in it."""
    known = package_name(folder)
    if known == name or (known is None and folder.name == name and _may_be_package(folder)):
        yield folder
    inner = folder / name
    if _may_be_package(inner):
        yield inner


def _may_be_package(folder: Path) -> bool:
    """Is it a folder, and not one of Modelica? A robot's package of that is often beside its URDF file."""
    return folder.is_dir() and ((folder / MANIFEST).is_file() or not (folder / "package.mo").is_file())


def package_name(folder: Path) -> str | None:
    """What the manifest of a folder says that the package is called; None without a manifest that can be read."""
    manifest = folder / MANIFEST
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        name = etree.fromstring(read_regular(manifest, limit=_LARGEST_MANIFEST), parser).findtext("name")
    except (OSError, etree.XMLSyntaxError):
        return None  # then the folder's own name counts
    return name.strip() if name else None


# ---------------------------------------------------------------- trusted
# Where files may be that a robot names. A URDF file is a stranger's, and must not reach for everything on the disk.
#
# Its own are the files below
#
# - the folder of the URDF file, and the nearest folder above it that has a package.xml; - the folder around that of
# the URDF file, if the path goes up exactly once, as `../meshes/hand.stl` does; - folders that the user has given,
# with `--package-dir` or in the variables of ROS and Gazebo; - a package that `package://` finds near the URDF file:
# one with a package.xml, or one that `../` would reach as well.
#
# What counts is where a file is after all links have been followed.

OUTSIDE: Final = "it is outside the robot's folder and packages; --allow-outside takes it anyway"


def is_trusted(path: Path, packages: Packages, urdf: Path | None, *, relative: str = "", package: str = "") -> bool:
    """May a file be read for a robot? It was named by a path, which may be relative, or by a file of a package."""
    if packages.allow_outside:
        return True
    found = path.resolve()
    return any(found.is_relative_to(folder) for folder in _folders(packages, urdf, relative, package))


def _folders(packages: Packages, urdf: Path | None, relative: str, package: str) -> Iterator[Path]:
    for folder in packages.given_folders():
        yield folder.resolve()
        if (folder / MANIFEST).is_file():
            # `colcon build --symlink-install` leaves a folder of links to the package's files.
            yield (folder / MANIFEST).resolve().parent
    if urdf is not None:
        for folder in _folders_of(urdf):
            yield folder
            yield from _package_around(folder)
            if _goes_up_once(relative):
                yield folder.parent
    near = packages.get_folder(package) if package else None
    if near is not None:
        if (near / MANIFEST).is_file() or _is_within_reach(near.resolve(), urdf):
            yield near.resolve()
        if packages.is_given(near) and (near / MANIFEST).is_file():
            yield (near / MANIFEST).resolve().parent


def _folders_of(urdf: Path) -> Iterator[Path]:
    """The folder of a file, and that of the file that it is a link to."""
    yield from dict.fromkeys((urdf.absolute().parent.resolve(), urdf.resolve().parent))


def _package_around(folder: Path) -> Iterator[Path]:
    yield from [each for each in (folder, *folder.parents) if (each / MANIFEST).is_file()][:1]


def _goes_up_once(path: str) -> bool:
    parts = PurePosixPath(path.replace("\\", "/")).parts
    return parts[:1] == ("..",) and ".." not in parts[1:]


def _is_within_reach(folder: Path, urdf: Path | None) -> bool:
    """Is it the URDF's folder or the one around that, or directly in one of these?"""
    if urdf is None:
        return False
    reached = {near for own in _folders_of(urdf) for near in (own, own.parent)}
    return folder in reached or folder.parent in reached


# ---------------------------------------------------------------- paths

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{0,2}")


@frozen
class Resolved:
    """A file, which may not exist, or why there is none; `home` is what such files are told of together."""

    path: Path | None
    problem: str = ""
    hint: str = ""
    home: str = ""


def resolve(filename: str, packages: Packages, urdf: Path | None) -> Resolved:
    """Find the file of a mesh: `package://`, `model://`, `file://`, or a path relative to the URDF file.

    A file that is not the robot's own is not found; `meshes.trusted` says which are.
    """
    if "\0" in filename:
        return Resolved(None, "the path has a NUL character in it")
    scheme = _SCHEME.match(filename)
    if scheme is None:
        return _beside(filename, packages, urdf)
    rest = filename[scheme.end() :]
    match scheme[1].lower():
        case "package" | "model":
            return _in_package(rest, packages, urdf)
        case "file":
            # `file:///home/…` and `file://localhost/home/…`; `file://meshes/…` is wrong, and means a relative path.
            return _beside(unquote(rest.removeprefix("localhost")), packages, urdf)
        case "http" | "https":
            return Resolved(None, f"{quoted(filename)} is on the network, and nothing is fetched from there")
    return Resolved(None, f"'{scheme[1]}:' is not a known kind of path", "use package://, file:// or a path")


def _in_package(rest: str, packages: Packages, urdf: Path | None) -> Resolved:
    name, _, path = rest.partition("/")
    folder = packages.get_folder(name)
    home = f"the package {quoted(name)}"
    if folder is None:
        return Resolved(None, f"{home} is not found", "name its folder with --package-dir", home)
    found = _existing(folder, path)
    is_own = not found.exists() or is_trusted(found, packages, urdf, package=name)
    return Resolved(found, home=home) if is_own else Resolved(None, OUTSIDE)


def _beside(path: str, packages: Packages, urdf: Path | None) -> Resolved:
    if urdf is None and not Path(path).is_absolute():
        return Resolved(None, f"{quoted(path)} is relative, and it is not known where the URDF file is")
    found = _existing(Path() if urdf is None else urdf.parent, path)
    is_own = not found.exists() or is_trusted(found, packages, urdf, relative=path)
    home = f"the folder {quoted(str(PurePosixPath(path).parent))}"
    return Resolved(found, home=home) if is_own else Resolved(None, OUTSIDE)


def _existing(folder: Path, path: str) -> Path:
    r"""The first spelling that exists: as written, with `%20` as a blank, with `\\` as `/`; else as written."""
    for spelling in dict.fromkeys((path, unquote(path), path.replace("\\", "/"))):
        if "\0" not in spelling and (folder / spelling).exists():
            return folder / spelling
    return folder / path


# ---------------------------------------------------------------- sources
# The files of a robot that are copied: meshes and textures that are its own, by their places and by their content.


class RefusedFileError(Exception):
    """A file that is not copied; the words say why. `home` is what such files are told of together, if they are."""

    home: str = ""


class MissingFileError(RefusedFileError):
    """A file that is not there; its copy from an earlier time can stand for it."""

    def __init__(self, reason: str, home: str = "") -> None:
        self.home = home
        super().__init__(reason)


def not_copied(refused: Iterable[tuple[str, RefusedFileError]]) -> Iterator[str]:
    """A sentence for each file that was left out, and one for all that are missing in a package or folder."""
    for group in by_home(refused, lambda each: each[1].home):
        name, error = group[0]
        what = f"{' '.join(name.split())} was" if len(group) == 1 else f"{len(group)} files of {error.home} were"
        yield f"{what} not copied: {error}"


Told = TypeVar("Told")


def by_home(items: Iterable[Told], home_of: Callable[[Told], str]) -> list[list[Told]]:
    """Items in their order, those of one home together; one without a home is alone."""
    found: dict[object, list[Told]] = {}
    for item in items:
        found.setdefault(home_of(item) or object(), []).append(item)
    return list(found.values())


class FileKind(enum.Enum):
    """What a robot names a file as."""

    MESH = "a mesh: STL, OBJ and DAE are known"
    TEXTURE = "an image"


def find_source(filename: str, kind: FileKind, packages: Packages, urdf: Path | None) -> Path:
    """The file that is copied for a name in a URDF file, links followed; RefusedFileError if there is none."""
    path = find_file(filename, packages, urdf)
    try:
        with open_mesh(path) as file:
            _refuse_other_content(file.read(HEAD), os.fstat(file.fileno()).st_size, kind)
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None
    return path


def find_file(filename: str, packages: Packages, urdf: Path | None) -> Path:
    """The same, whatever is in it: for those who know more formats."""
    found = resolve(filename, packages, urdf)
    if found.path is None:
        if found.problem == OUTSIDE:
            raise RefusedFileError(found.problem)
        hint = f"; {found.hint}" if found.hint else ""
        raise MissingFileError(f"{found.problem}{hint}", found.home)
    try:
        open_mesh(found.path).close()
        return found.path.resolve()
    except FileNotFoundError:
        raise MissingFileError("no such file", found.home) from None
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None


def read_source(path: Path, kind: FileKind) -> bytes:
    """The bytes of such a file; it is looked at once more, because it may be another one by now."""
    try:
        data = read_regular(path, limit=LARGEST_MESH)
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None
    _refuse_other_content(data[:HEAD], len(data), kind)
    return data


def _refuse_other_content(head: bytes, size: int, kind: FileKind) -> None:
    is_kind = mesh_format(head, size) is not None if kind is FileKind.MESH else is_image(head, size)
    if not is_kind:
        raise RefusedFileError(f"by its content it is not {kind.value}")
