"""Plugins of gazebo-fmi in URDF and SDF files, and models brought to a newer Standard Library."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from modelica_ast.cli import main
from modelica_ast.edit import Document
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, FmiError
from urdf_frontend.fmi.sdf import ACTUATOR, FLUID, Plugin, element_text, plugin_element, read_robot_file, with_plugins

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures" / "fmi" / "sdf"
ARM = (FOLDER / "arm.urdf").read_bytes()
BOAT = (FOLDER / "boat.sdf").read_bytes()
ROBOTS = sorted((ROOT / "fixtures" / "robots").glob("*.urdf"))


# ------------------------------------------------------------ the XML


def test_an_actuator_with_all_that_it_can_have() -> None:
    names = {wanted.name: f"my_{wanted.name}" for wanted in GAZEBO_ACTUATOR.required}
    plugin = Plugin(ACTUATOR, "elbow", "Motor.fmu", True, False, True, names)  # noqa: FBT003  (fields)
    element = etree.fromstring(element_text(plugin_element(plugin)))
    assert element.tag == "plugin"
    assert dict(element.attrib) == {"name": "fmi_actuator_elbow", "filename": "libFMIActuatorPlugin.so"}
    assert [child.tag for child in element] == ["verbose", "actuator"]
    assert element.findtext("verbose") == "true"
    about = element[1]
    assert [(child.tag, (child.text or "").strip()) for child in about] == [
        ("name", "fmi_actuator_elbow"),
        ("joint", "elbow"),
        ("fmu", "Motor.fmu"),
        ("enabled", "false"),
        ("disable_velocity_effort_limits", "true"),
        ("variable_names", ""),
    ]
    assert {child.tag: child.get("name") for child in about[-1]} == names


def test_a_fluid_with_least() -> None:
    element = plugin_element(Plugin(FLUID, "hull", "Water.fmu"))
    assert element.get("filename") == "libFMISingleBodyFluidDynamicsPlugin.so"
    (about,) = element
    assert about.tag == "single_body_fluid_dynamics"
    assert [(child.tag, child.text) for child in about] == [
        ("name", "fmi_fluid_hull"),
        ("link", "hull"),
        ("fmu", "Water.fmu"),
    ]
    assert GAZEBO_FLUID.get("relativeVelocity_x") is not None


def test_what_no_plugin_has() -> None:
    with pytest.raises(FmiError, match="has no variable 'jointTork'; did you mean 'jointTorque'"):
        Plugin(ACTUATOR, "elbow", "M.fmu", variable_names={"jointTork": "u"})
    with pytest.raises(FmiError, match="options of actuators"):
        Plugin(FLUID, "hull", "M.fmu", enabled=False)
    with pytest.raises(FmiError, match="characters that XML does not take"):
        plugin_element(Plugin(ACTUATOR, "el\x01bow", "M.fmu"))


def test_names_are_escaped() -> None:
    plugin = Plugin(ACTUATOR, "shoulder", 'a&b<"c">.fmu', variable_names={"jointTorque": 'x"&<y'})
    once = with_plugins(ARM, [plugin], "arm.urdf")
    assert with_plugins(once, [plugin], "arm.urdf") == once
    about = etree.fromstring(once).find(".//actuator")
    assert about is not None
    assert about.findtext("fmu") == 'a&b<"c">.fmu'
    torque = about.find("variable_names/jointTorque")
    assert torque is not None
    assert torque.get("name") == 'x"&<y'


# ------------------------------------------------------------ robots


@pytest.mark.parametrize(
    ("data", "plugin", "message"),
    [
        (ARM, Plugin(ACTUATOR, "sholder", "M.fmu"), "has no joint 'sholder'; did you mean 'shoulder'"),
        (ARM, Plugin(ACTUATOR, "camera_mount", "M.fmu"), "the joint 'camera_mount' is fixed"),
        (ARM, Plugin(FLUID, "hul", "M.fmu"), "has no link 'hul'"),
        (BOAT, Plugin(ACTUATOR, "hull", "M.fmu"), r"has no joint 'hull' \(there is front::rudder\)"),
        (b"<sdf/>", Plugin(FLUID, "hull", "M.fmu"), "has 0 models"),
        (b"<world/>", Plugin(FLUID, "hull", "M.fmu"), "its root is <world>"),
        (b"<robot", Plugin(FLUID, "hull", "M.fmu"), "r:1:7: this is not well-formed XML"),
        (b'<!DOCTYPE r [<!ENTITY a "b">]><robot/>', Plugin(FLUID, "hull", "M.fmu"), "declares entities"),
    ],
)
def test_what_is_not_there(data: bytes, plugin: Plugin, message: str) -> None:
    with pytest.raises(FmiError, match=message):
        read_robot_file(data, "r").check(plugin, "r")


def test_what_gazebo_does_not_say() -> None:
    arm = read_robot_file(ARM, "arm.urdf")
    assert arm.check(Plugin(ACTUATOR, "elbow", "M.fmu"), "arm.urdf") == []
    assert "no acceleration" in arm.check(Plugin(ACTUATOR, "slide", "M.fmu"), "arm.urdf")[0]
    assert "is attached to a fixed joint" in arm.check(Plugin(FLUID, "camera", "M.fmu"), "arm.urdf")[0]


def test_joints_of_models_in_models() -> None:
    two = BOAT.replace(
        b'<link name="hull"/>', b'<link name="hull"/><model name="back"><joint name="rudder" type="revolute"/></model>'
    )
    boat = read_robot_file(two, "boat.sdf")
    with pytest.raises(FmiError, match="several joints 'rudder': name one of"):
        boat.check(Plugin(ACTUATOR, "rudder", "M.fmu"), "boat.sdf")
    assert boat.check(Plugin(ACTUATOR, "back::rudder", "M.fmu"), "boat.sdf") == []
    plugins = [Plugin(ACTUATOR, f"{model}::rudder", f"{model}.fmu") for model in ("front", "back")]
    new = with_plugins(with_plugins(two, plugins[:1], "boat.sdf"), plugins[1:], "boat.sdf")
    found = {each.findtext("joint"): each.findtext("fmu") for each in etree.fromstring(new).iter("actuator")}
    assert found == {"front::rudder": "front.fmu", "back::rudder": "back.fmu"}


# ------------------------------------------------------------ into a file


def without_inserted(old: bytes, new: bytes) -> bool:
    """Is the new file the old one with something put in at one place?"""
    start = 0
    while start < len(old) and old[start] == new[start]:
        start += 1
    rest = len(old) - start
    return new.endswith(old[start:]) and len(new) >= start + rest


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_every_other_byte_stays(path: Path, newline: bytes) -> None:
    data = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", newline)
    robot = read_robot_file(data, path.name)
    joints = [name for name, type_ in robot.joints.items() if type_ in ("revolute", "continuous")]
    plugins = [Plugin(ACTUATOR, joint, "M.fmu") for joint in joints]
    plugins += [Plugin(FLUID, link, "F.fmu") for link in sorted(robot.links)]
    assert plugins
    new = with_plugins(data, plugins, path.name)
    assert without_inserted(data, new)
    assert with_plugins(new, plugins, path.name) == new
    assert new.count(b"\r\n") == (new.count(b"\n") if newline == b"\r\n" else 0)
    found = [element.text for element in etree.fromstring(new).findall("gazebo/plugin/actuator/joint")]
    assert found == joints


def test_the_layout_of_the_file_is_taken_over() -> None:
    new = with_plugins(ARM, [Plugin(ACTUATOR, "elbow", "M.fmu")], "arm.urdf").decode()
    assert '\n\t<gazebo>\n\t\t<plugin name="fmi_actuator_elbow" ' in new
    assert new.endswith("\n\t</gazebo>\n</robot>\n")


def test_a_plugin_that_is_there_gets_the_values_and_keeps_the_rest() -> None:
    plugin = Plugin(FLUID, "hull", "New.fmu", variable_names={"relativeVelocity_x": "vx"})
    expected = BOAT.replace(
        b"<fmu>Old.fmu</fmu>\n",
        b"<fmu>New.fmu</fmu>\n"
        b"          <variable_names>\n"
        b'            <relativeVelocity_x name="vx"/>\n'
        b"          </variable_names>\n",
    )
    once = with_plugins(BOAT, [plugin], "boat.sdf")
    assert once == expected
    assert with_plugins(once, [plugin], "boat.sdf") == once
    other = Plugin(FLUID, "hull", "New.fmu", variable_names={"relativeVelocity_x": "v1", "relativeVelocity_y": "v2"})
    twice = with_plugins(once, [other], "boat.sdf")
    line = b'            <relativeVelocity_x name="v1"/>\n            <relativeVelocity_y name="v2"/>\n'
    assert twice == expected.replace(b'            <relativeVelocity_x name="vx"/>\n', line)


def test_options_of_an_actuator_that_is_there() -> None:
    once = with_plugins(ARM, [Plugin(ACTUATOR, "elbow", "M.fmu", enabled=True)], "arm.urdf")
    more = Plugin(ACTUATOR, "elbow", "N.fmu", verbose=True, enabled=False, disable_limits=True)
    twice = with_plugins(once, [more], "arm.urdf")
    about = etree.fromstring(twice).find("gazebo/plugin/actuator")
    assert about is not None
    assert {child.tag: child.text for child in about} == more.values
    parent = about.getparent()
    assert parent is not None
    assert parent.findtext("verbose") == "true"
    assert with_plugins(twice, [more], "arm.urdf") == twice
    # Nothing is said of options that are not given.
    assert with_plugins(twice, [Plugin(ACTUATOR, "elbow", "N.fmu")], "arm.urdf") == twice


def test_actuators_that_share_a_plugin() -> None:
    shared = ARM.replace(
        b"</robot>",
        b"""\t<gazebo>
\t\t<plugin name="all" filename="libFMIActuatorPlugin.so">
\t\t\t<actuator><joint>elbow</joint><fmu>E.fmu</fmu></actuator>
\t\t\t<actuator><joint>shoulder</joint><fmu></fmu></actuator>
\t\t</plugin>
\t</gazebo>
</robot>""",
    )
    plugins = [Plugin(ACTUATOR, joint, "M.fmu", verbose=True) for joint in ("elbow", "shoulder")]
    new = with_plugins(shared, plugins, "arm.urdf")
    assert new == shared.replace(b"E.fmu", b"M.fmu").replace(b"<fmu></fmu>", b"<fmu>M.fmu</fmu>").replace(
        b"\t\t</plugin>", b"\t\t\t<verbose>true</verbose>\n\t\t</plugin>"
    )
    assert with_plugins(new, plugins, "arm.urdf") == new
    twice = [Plugin(ACTUATOR, "elbow", "A.fmu"), Plugin(ACTUATOR, "arm::elbow", "B.fmu")]
    with pytest.raises(FmiError, match="are for one joint or link, and differ"):
        with_plugins(shared, twice, "arm.urdf")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"<fmu>Old.fmu</fmu>", b"<fmu><a/></fmu>", "boat.sdf:15: <fmu> has elements in it"),
        (b"</single_body_fluid_dynamics>\n", None, "boat.sdf:17: 'hull' has two plugins"),
    ],
)
def test_what_can_not_be_changed(old: bytes, new: bytes | None, message: str) -> None:
    again = old + b"<single_body_fluid_dynamics><link>hull</link></single_body_fluid_dynamics>\n"
    data = BOAT.replace(old, again if new is None else new)
    with pytest.raises(FmiError, match=message):
        with_plugins(data, [Plugin(FLUID, "hull", "New.fmu")], "boat.sdf")


def test_odd_places() -> None:
    one_line = b'<robot name="r"><link name="a"/><joint name="j" type="revolute"/></robot>'
    new = with_plugins(one_line, [Plugin(ACTUATOR, "j", "M.fmu")], "r.urdf")
    assert new.startswith(one_line.removesuffix(b"</robot>"))
    assert etree.fromstring(new).findtext("gazebo/plugin/actuator/fmu") == "M.fmu"
    empty = BOAT.replace(b"<fmu>Old.fmu</fmu>", b"<fmu/>")
    assert b"<fmu>N.fmu</fmu>" in with_plugins(empty, [Plugin(FLUID, "hull", "N.fmu")], "boat.sdf")
    latin = b'<?xml version="1.0" encoding="iso-8859-1"?>\n<robot name="\xe4">\n  <link name="\xfc"/>\n</robot>\n'
    plugin = Plugin(FLUID, "ü", "M.fmu")
    assert b"<link>\xfc</link>" in with_plugins(latin, [plugin], "r.urdf")
    with pytest.raises(FmiError, match="iso8859-1, which does not have all characters"):
        with_plugins(latin, [Plugin(FLUID, "ü", "€.fmu")], "r.urdf")


def test_the_command_writes_only_with_i(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(ARM)
    words = ["fmi", "sdf", str(path), "--map", "elbow=M.fmu", "--variable-name", "elbow:jointTorque=tau"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert etree.fromstring(shown).findtext("plugin/actuator/joint") == "elbow"
    assert main([*words, "-n", "-i"]) == 0
    assert path.read_bytes() == ARM
    assert main([*words, "-i"]) == 0
    assert path.read_bytes() == with_plugins(
        ARM, [Plugin(ACTUATOR, "elbow", "M.fmu", variable_names={"jointTorque": "tau"})], "arm.urdf"
    )
    assert main([*words, "-i"]) == 0
    assert "nothing to change" in capsys.readouterr().err


# ------------------------------------------------------------ migration

OLD = """model Old "an actuator of yesterday"
  Modelica.Electrical.Analog.Basic.EMF emf(k = 1e-3); // motor
  Modelica.SIunits.Voltage v;
  annotation(
    uses(Modelica(version = "3.2.2")));
end Old;
"""
NEW = (
    OLD.replace("Basic.EMF", "Basic.RotationalEMF")
    .replace("Modelica.SIunits", "Modelica.Units.SI")
    .replace("3.2.2", "4.0.0")
)


@pytest.mark.usefixtures("msl")
def test_a_model_of_yesterday(tmp_path: Path) -> None:
    path = tmp_path / "Old.mo"
    path.write_text(OLD, encoding="utf-8")
    assert main(["fmi", "migrate", "--msl", "4.0.0", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == OLD
    assert main(["fmi", "migrate", "--msl", "4.0.0", str(path), "-i", "-q"]) == 0
    assert path.read_text(encoding="utf-8") == NEW
    assert main(["fmi", "migrate", "--msl", "4.0.0", str(path), "-i", "-q"]) == 0
    assert path.read_text(encoding="utf-8") == NEW
    assert main(["fmi", "migrate", str(path), "-i", "-q"]) == 0
    document = Document.open(path)
    assert 'version = "4.1.0"' in document.text
    assert main(["fmi", "migrate", "--msl", "4.0.0", str(path)]) == 2
