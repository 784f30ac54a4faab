"""A robot on one page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement
from selenium.webdriver import Chrome

from conftest import FIXTURES
from modelica_ast.cli import main
from motion.browser import console_errors, network_requests, open_browser, open_page
from urdf_frontend import BuildOptions, PackageError, read
from urdf_frontend.motion import gather, page, view_built, view_package

ROBOTS = FIXTURES / "robots"
ARM = ROBOTS / "arm.urdf"
DESK_ARM = ROBOTS / "packages" / "DeskArm"
EVIL = "</title><script>alert(1)</script>&amp;\"'"
BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def parsed(data: bytes) -> HtmlElement:
    return html.document_fromstring(data)


def words(element: HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).split())


def section(document: HtmlElement, name: str) -> str:
    return words(document.get_element_by_id(name))


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The package of the arm with another mass and another axis."""
    folder = tmp_path / "DeskArm"
    shutil.copytree(DESK_ARM, folder)
    for file, old, new in (
        ("Links/baseParams.mo", "mass=4.50", "mass=2*2.5"),
        ("Joints/elbowParams.mo", "axis={0,1,0}", "axis={0,0,1}"),
    ):
        path = folder / file
        text = path.read_bytes()
        assert old.encode() in text
        path.write_bytes(text.replace(old.encode(), new.encode()))
    return folder


def test_a_page_says_what_was_read() -> None:
    urdf = read(ARM)
    document = parsed(page(gather(ARM, urdf, package=view_built(urdf, BuildOptions(urdf=ARM)))))
    assert "links 7 joints 6 degrees of freedom 12 total mass 8.35 kg links with mass 6 root base" in section(
        document, "summary"
    )
    assert "continuous 1 revolute 1 prismatic 1 fixed 1 planar 1 floating 1" in section(document, "summary")
    assert "Invalid geometric tag: capsule" in section(document, "diagnostics")
    assert "The package as it would be built: desk_arm.desk_arm" in section(document, "modelica")
    assert "elbow revolute upper.arm fore-arm" in section(document, "parameters")
    assert {each.get("id") for each in document.iter("section")} == {
        "summary",
        "diagnostics",
        "tree",
        "modelica",
        "parameters",
    }


def test_a_large_robot_has_a_tree_that_can_be_folded() -> None:
    links = [f"link{n}" for n in range(60)]
    ends = [(0, 1), (1, 2), (2, 3), *((1, n) for n in range(4, 10)), *((n % 7, n) for n in range(10, 60))]
    joints = [
        f'<joint name="j{n}" type="continuous"><parent link="link{one}"/><child link="link{n}"/></joint>'
        for one, n in ends
    ]
    text = "".join([*(f'<link name="{name}"/>' for name in links), *joints])
    urdf = read(f'<robot name="large">{text}</robot>')
    (tree,) = parsed(page(gather(ARM, urdf))).find_class("tree")
    assert sorted(each.text or "" for each in tree.iter("strong")) == sorted(links)
    (limb,) = tree
    assert limb.get("open") is not None
    assert words(limb[0]) == "link0 … link10 5 links, 4 joints that move"
    assert not [each for each in limb[1].iter("details") if each.get("open") is not None]
    folded = [words(each[0]).partition(":")[0] for each in limb[1].iter("details")]
    assert [each for each in folded if "leaves" in each][:2] == ["7 leaves", "10 leaves"]  # of link0 and of link1
    small = parsed(page(gather(ARM, read(ARM))))
    assert not small.find_class("tree")


def test_the_modelica_of_a_package_is_drawn() -> None:
    urdf = read(ARM)
    document = parsed(page(gather(ARM, urdf, package=view_package(DESK_ARM, urdf))))
    drawn = {each.get("data-component") for each in document.iter("g")}
    assert {"base", "elbow", "wrist_joint", "frame_a"} <= drawn
    ids = [each.get("id") for each in document.iter() if isinstance(each.tag, str) and each.get("id")]
    assert len(ids) == len(set(ids))


def test_a_package_as_it_was_built_has_the_values_of_the_file() -> None:
    urdf = read(ARM)
    package = view_package(DESK_ARM, urdf)
    assert package.differing == []
    assert len(package.values) > 90
    assert "values of DeskArm are those of the URDF file" in section(
        parsed(page(gather(ARM, urdf, package=package))), "parameters"
    )


def test_values_that_were_edited_are_marked(edited: Path) -> None:
    urdf = read(ARM)
    package = view_package(edited, urdf)
    assert {key: (value.urdf, value.package) for key, value in package.differing} == {
        ("link", "base", "inertial.mass"): ("4.50", "5.0"),
        ("joint", "elbow", "axis"): ("0 1 0", "0 0 1"),
    }
    document = parsed(page(gather(ARM, urdf, package=package)))
    assert [words(each) for each in document.find_class("differs")] == ["4.50 5.0", "0 1 0 0 0 1"]
    assert "2 of 97 values of DeskArm are not those of the URDF file" in section(document, "parameters")


def test_no_name_becomes_markup() -> None:
    name = EVIL.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    links = f'<link name="{name}">{BODY}</link><link name="b">{BODY}</link>'
    joint = f'<joint name="{name}" type="fixed"><parent link="{name}"/><child link="b"/></joint>'
    urdf = read(f'<robot name="{name}">{links}{joint}</robot>')
    assert urdf.robot is not None
    assert urdf.robot.name == EVIL
    document = parsed(page(gather(Path("evil.urdf"), urdf, package=view_built(urdf, BuildOptions(name="Evil")))))
    assert list(document.iter("script")) == []
    assert document.findtext(".//h1") == EVIL
    assert EVIL in [cell.text for cell in document.iter("td")]


def test_a_page_needs_nothing_else(edited: Path) -> None:
    urdf = read(ARM)
    document = parsed(page(gather(ARM, urdf, package=view_package(edited, urdf))))
    assert list(document.iter("script", "link", "iframe", "object")) == []
    places = [value for each in document.iter() for key, value in each.items() if key in ("src", "href")]
    assert places
    assert all(place.startswith(("data:", "#")) for place in places)
    assert "default-src 'none'" in document.xpath("//meta[@http-equiv]/@content")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no XML <", "No robot could be read from this file."),
        ("<robot name='r'/>", "errors 1"),
    ],
)
def test_a_file_with_errors_gets_a_page_too(text: str, expected: str) -> None:
    document = parsed(page(gather(Path("bad.urdf"), read(text), package_problem="a robot with errors is not built.")))
    assert expected in section(document, "summary")
    assert "error" in section(document, "diagnostics")
    assert "There is no Modelica to show" in section(document, "modelica")


def test_the_package_of_another_robot_is_not_compared() -> None:
    urdf = read(ROBOTS / "rover.urdf")
    package = view_package(DESK_ARM, urdf)
    assert package.values == {}
    document = parsed(page(gather(ROBOTS / "rover.urdf", urdf, package=package)))
    assert "DeskArm does not have the links and joints of this file" in section(document, "parameters")


def test_a_folder_that_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="can't be read"):
        view_package(tmp_path, read(ARM))
    (tmp_path / "package.mo").write_text("package P end P;", encoding="utf-8")
    with pytest.raises(PackageError, match="has no side-car: what was generated last is not known"):
        view_package(tmp_path, read(ARM))


@pytest.mark.parametrize("is_right", [True, False])
def test_a_verification_is_a_table(*, is_right: bool) -> None:
    pytest.importorskip("numpy", reason="pip install 'modelica-ast[verify]'")
    from urdf_frontend.motion import Difference, Kind, Verification  # noqa: PLC0415  (it needs NumPy)

    differences = (
        Difference(Kind.LINK_MASS, "base", 1e-12 if is_right else 0.5),
        Difference(Kind.TOTAL_MASS, "all", 1e-12),
    )
    result = Verification("DeskArm", 7, 12, 3, 1.0, differences, ("a note",))
    text = section(parsed(page(gather(ARM, read(ARM), verification=result))), "verification")
    assert "mass of a link" in text
    assert "a note" in text
    assert ("All differences are rounding errors." in text) is is_right
    assert ("What is wrong mass of a link: base, 5.0e-01" in text) is not is_right


# ---------------------------------------------------------------- the command


def test_the_command_writes_a_page(edited: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.html"
    assert main(["urdf", "report", str(ARM), "--package", str(edited), "-o", str(out)]) == 0
    assert capsys.readouterr().err == f"{out}: desk-arm, 0 errors, 2 values differ\n"
    assert out.read_bytes().startswith(b"<!DOCTYPE html>")


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "report.html")
    assert main(["urdf", "report", str(ARM), "--verify", "-o", out]) == 2
    assert "--verify compares a package: name it with --package" in capsys.readouterr().err
    assert main(["urdf", "report", str(ARM), "--package", "No.Such", "-o", out]) == 4
    assert "there is no library 'No'" in capsys.readouterr().err
    assert main(["urdf", "report", "nowhere.urdf", "-o", out]) == 4
    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot name='r'/>", encoding="utf-8")
    assert main(["urdf", "report", str(bad), "-o", out]) == 1
    assert main(["urdf", "report", str(bad), "-o", str(tmp_path / "no" / "report.html")]) == 4


def test_what_can_not_be_compared_is_on_the_page(
    edited: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page is what somebody has asked for. Without a compiler there is nothing to wait for, and no page."""
    pytest.importorskip("pinocchio", reason="pip install 'modelica-ast[verify]'")
    out = tmp_path / "report.html"
    other = tmp_path / "other.urdf"
    other.write_text(ARM.read_text(encoding="utf-8").replace('"elbow"', '"knee"'), encoding="utf-8")
    call = ["urdf", "report", str(other), "--package", str(edited), "--verify", "-o", str(out)]
    assert main(call) == 1
    reason = "has no joint 'knee': bring it up to date with modelica-patch urdf update"
    told = capsys.readouterr().err
    assert reason in told
    assert f"{out}: desk-arm" in told
    assert reason in section(parsed(out.read_bytes()), "verification")
    out.unlink()
    if shutil.which("omc") is None:
        assert main(["urdf", "report", str(ARM), *call[3:], "--backend", "omc"]) == 2
        assert "OpenModelica's compiler 'omc' is not on the PATH" in capsys.readouterr().err
        assert not out.exists()


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with open_browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found


def test_a_browser_shows_the_page_and_asks_for_nothing(driver: Chrome, edited: Path, tmp_path: Path) -> None:
    urdf = read(ARM)
    file = tmp_path / "report.html"
    file.write_bytes(page(gather(ARM, urdf, package=view_package(edited, urdf))))
    open_page(driver, file)
    assert console_errors(driver) == []
    assert network_requests(driver) == []
    seen = driver.execute_script(
        "return [...document.querySelectorAll('.picture > *')].map(each => each.getBoundingClientRect().width)"
    )
    assert len(seen) == 3
    assert all(width > 100 for width in seen)
    assert driver.execute_script("return document.querySelector('[data-component=elbow]') instanceof SVGGElement")


def test_a_page_has_a_name_where_nobody_gives_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["urdf", "report", str(ARM)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("arm-report.html: desk-arm, 0 errors")
    assert (tmp_path / "arm-report.html").read_bytes().startswith(b"<!DOCTYPE html>")
