"""What a robot keeps of its file: texts, places, comments, unknown elements, the difference of absent and zero."""

from __future__ import annotations

import pickle

import attrs
import pytest
from lxml import etree

from conftest import FIXTURES
from urdf_frontend import ReadResult, Robot, UrdfError, read
from urdf_frontend.robot import Joint, JointType, Link, Mesh, Number, Span, Vector


def fixture(case: str) -> ReadResult:
    return read(FIXTURES / "urdf" / f"{case}.urdf")


def robot_of(case: str) -> Robot:
    robot = fixture(case).robot
    assert robot is not None
    return robot


def test_a_value_is_written_back_into_the_very_bytes() -> None:
    path = FIXTURES / "urdf" / "xml_crlf.urdf"
    result = read(path)
    assert result.robot is not None
    assert result.document is not None
    axis = result.robot.joints[0].axis
    assert axis is not None
    assert axis.xyz is not None
    span = axis.xyz.numbers[1].span
    assert span is not None
    text = result.document.text
    changed = result.document.encode(text[: span.start] + "5.0" + text[span.end :])
    assert changed == path.read_bytes().replace(b'"0 3 4"', b'"0 5.0 4"')


@pytest.mark.parametrize("case", ["xml_bom", "xml_latin_1", "xml_utf_16", "xml_encoding_wrong", "xml_crlf", "comments"])
def test_the_text_of_a_file_is_its_bytes(case: str) -> None:
    document = fixture(case).document
    assert document is not None
    assert document.encode() == (FIXTURES / "urdf" / f"{case}.urdf").read_bytes()


def test_names_are_read_in_any_encoding() -> None:
    assert robot_of("xml_latin_1").links == robot_of("xml_utf_16").links


def test_numbers_keep_their_text() -> None:
    origin = robot_of("numbers_of_all_spellings").joints[0].origin
    assert origin is not None
    assert origin.xyz == Vector((Number("+1.", 1.0), Number(".5", 0.5), Number("-0.10", -0.1)))
    assert origin.rpy is not None
    assert origin.rpy.text == "1e-3 1E+2 00.5"


def test_a_number_of_character_references_has_no_span() -> None:
    result = fixture("xml_character_references")
    assert result.robot is not None
    assert result.robot.links[0].name == "a&b"
    inertial = result.robot.links[0].inertial
    assert inertial is not None
    assert inertial.mass == Number("1.5", 1.5)
    assert inertial.mass.span is None


def test_absent_is_not_zero() -> None:
    zero, empty = robot_of("dynamics_with_zero").joints[0], robot_of("dynamics_empty").joints[0]
    assert zero.dynamics is not None
    assert (zero.dynamics.damping, zero.dynamics.friction) == (Number("0", 0.0), None)
    assert empty.dynamics is not None
    assert (empty.dynamics.damping, empty.limit, empty.mimic) == (None, None, None)
    follower = robot_of("mimic_multiplier_zero").joints[1].mimic
    assert follower is not None
    assert (follower.factor, follower.shift) == (0.0, 0.5)
    other = robot_of("mimic_multiplier_only").joints[1].mimic
    assert other is not None
    assert (other.factor, other.offset, other.shift) == (2.0, None, 0.0)


def test_calibration_and_safety_are_kept() -> None:
    joint = robot_of("calibration_and_safety").joints[0]
    assert joint.calibration is not None
    assert joint.calibration.reference_position == Number("0.2", 0.2)
    assert joint.safety is not None
    assert (joint.safety.soft_lower_limit, joint.safety.k_position) == (Number("-0.5", -0.5), None)


def test_limits_of_newer_versions_are_read() -> None:
    limit = robot_of("version_1_2").joints[0].limit
    assert limit is not None
    assert [number and number.text for number in (limit.acceleration, limit.deceleration, limit.jerk)] == [
        "2",
        "3",
        "4",
    ]


def test_what_counts_of_a_limit() -> None:
    """As ROS tools read it: an end that is left out is 0. What contradicts itself does not count."""
    counted = {
        "limit_empty": ("0", "0", "1", "1"),
        "limit_of_zero": ("0", "0", "1", "1"),
        "limit_with_one_end": ("0", "1.5", "1", "1"),
        "limit_with_one_end_below_zero": (None, None, "1", "1"),
        "limit_order": (None, None, "1", "1"),
        "limit_negative": ("-1", "1", None, None),
        "limit_of_a_continuous_joint": ("-1", "1", "1", "1"),
    }
    for case, texts in counted.items():
        joint = robot_of(case).joints[0]
        limit = joint.effective_limit
        assert limit is not None
        numbers = (limit.lower, limit.upper, limit.effort, limit.velocity)
        assert tuple(number and number.text for number in numbers) == texts, case
        has_ends = joint.type is not JointType.CONTINUOUS and texts[0] is not None
        assert joint.bounds == ((float(texts[0] or 0), float(texts[1] or 0)) if has_ends else None), case
    missing = robot_of("limit_missing").joints[0]
    assert (missing.effective_limit, missing.bounds) == (None, None)


def test_a_literal_limit_counts_as_it_is_written() -> None:
    for case in ("limit_empty", "limit_with_one_end", "limit_order", "limit_negative"):
        joint = robot_of(case).joints[0]
        literal = joint.as_written
        assert literal != joint
        assert literal.effective_limit == literal.limit
        assert attrs.evolve(literal, limit=joint.limit) == joint
    complete = robot_of("limit_of_zero").joints[0]
    assert complete.as_written is complete


def test_all_visuals_and_collisions_have_their_names() -> None:
    link = robot_of("shapes_of_all_kinds").links[0]
    assert [visual.name for visual in link.visuals] == ["one", "two", "three", None]
    assert [type(part.geometry).__name__ for part in link.parts] == [
        *("Box", "Cylinder", "Sphere", "Mesh"),
        *("Capsule", "Mesh"),
    ]
    mesh = link.visuals[3].geometry
    assert isinstance(mesh, Mesh)
    assert mesh.scales == (0.001, 0.001, -0.001)


def test_materials_are_found_in_the_whole_file() -> None:
    robot = robot_of("material_used_before_it_is_defined")
    looks = [visual.look for visual in robot.links[0].visuals]
    assert [look and look.colour and look.colour.clamped for look in looks] == [
        (1, 0, 0, 1),
        (0, 0, 1, 1),
        (1, 0, 0, 1),
    ]
    assert set(robot.looks) == {"red", "blue"}
    assert [material.name for material in robot.materials] == ["blue"]
    wood = robot_of("texture").links[0].visuals[0].look
    assert wood is not None
    assert wood.texture is not None
    assert wood.texture.filename == "package://arm/wood.png"


def test_colours_are_clamped_and_kept() -> None:
    look = robot_of("rgba_in_bytes").links[0].visuals[0].look
    assert look is not None
    assert look.colour is not None
    assert list(look.colour.clamped) == [1, 1, 0, 1]
    assert look.colour.rgba.text == "255 128 0 1"


def test_unknown_elements_are_kept_as_they_are_written() -> None:
    robot = robot_of("extensions")
    (gazebo,) = robot.extensions_named("gazebo")
    assert gazebo.text == '<gazebo reference="base">\n    <mu1>0.5</mu1>\n    <!-- kept too -->\n  </gazebo>'
    assert gazebo.place.line == 9
    assert [extension.tag for extension in robot.extensions] == ["gazebo", "sensor", "ros2_control", "frame"]
    link = robot.links[0]
    assert [extension.tag for extension in link.extensions] == ["contact_coefficients"]
    assert [(other.name, other.value) for other in link.other_attributes] == [("type", "laser")]
    assert [extension.text for extension in link.collisions[0].extensions] == ["<drake:proximity_properties/>"]


def test_what_does_not_count_is_kept() -> None:
    (visual,) = robot_of("geometry_several").links[0].visuals
    assert [extension.text for extension in visual.extensions] == ['<sphere radius="1"/>']
    assert [extension.tag for extension in robot_of("inertial_twice").links[0].extensions] == ["inertial"]
    heavy = read('<robot name="r"><link name="a"><inertial><mass value="1" unit="kg"/></inertial></link></robot>').robot
    assert heavy is not None
    assert heavy.links[0].inertial is not None
    assert [other.name for other in heavy.links[0].inertial.other_attributes] == ["unit"]


def test_transmissions_of_two_dialects() -> None:
    one, two, three = robot_of("transmissions").transmissions
    assert one.type == "transmission_interface/SimpleTransmission"
    assert one.joints[0].hardware_interfaces == ("hardware_interface/EffortJointInterface",)
    assert one.actuators[0].mechanical_reduction == Number("100.0", 100.0)
    assert (two.type, two.mechanical_reduction) == ("pr2_mechanism_model/SimpleTransmission", Number("79.5", 79.5))
    assert three.mechanical_reduction is None
    assert three.text.startswith('<transmission name="three">')


def test_the_number_inside_an_element_has_its_span() -> None:
    result = fixture("transmissions")
    assert result.robot is not None
    assert result.document is not None
    reduction = result.robot.transmissions[0].actuators[0].mechanical_reduction
    assert reduction is not None
    assert reduction.span is not None
    assert reduction.span.of(result.document.text) == "100.0"


def test_comments_know_where_they_belong() -> None:
    found = [(comment.text.strip(), comment.inside, comment.before) for comment in robot_of("comments").comments]
    assert found == [
        ("before all", "/", "/robot"),
        ("about the base", "/robot", "/robot/link[@name='base']"),
        ("last inside", "/robot/link[@name='base']", None),
        ("last of all", "/robot", None),
        ("behind all", "/", None),
    ]


@pytest.mark.parametrize("case", ["names_that_modelica_has_to_mangle", "shapes_of_all_kinds", "duplicate_names"])
def test_xpaths_lead_back_to_their_elements(case: str) -> None:
    result = fixture(case)
    assert result.robot is not None
    assert result.document is not None
    tree = etree.fromstring(result.document.text.encode())
    items: list[Link | Joint] = [*result.robot.links, *result.robot.joints]
    for item in items:
        found = tree.xpath(item.place.xpath)
        assert isinstance(found, list)
        assert len(found) == 1
        assert found[0].get("name") == item.name
        assert found[0].sourceline == item.place.line


def test_errors_come_all_at_once() -> None:
    result = fixture("numbers_that_are_none")
    assert not result.is_usable
    with pytest.raises(UrdfError) as raised:
        result.usable_robot()
    assert raised.value.diagnostics == result.errors
    assert str(raised.value).count("\n") >= len(result.errors) - 1
    assert pickle.loads(pickle.dumps(raised.value)).diagnostics == result.errors  # noqa: S301  (made here)


def test_errors_can_be_allowed() -> None:
    result = fixture("inertia_negative")
    assert result.usable_robot(allowed={"urdf-inertia-negative"}) is result.robot
    with pytest.raises(UrdfError):
        result.usable_robot(allowed={"urdf-axis-zero"})


def test_a_file_that_is_no_robot_can_not_be_allowed() -> None:
    with pytest.raises(UrdfError):
        fixture("xml_entities").usable_robot(allowed={"urdf-entity"})


def test_a_diagnostic_as_json() -> None:
    (found,) = fixture("axis_zero").diagnostics
    assert found.as_json() == {
        "severity": "error",
        "code": "urdf-axis-zero",
        "file": str(FIXTURES / "urdf" / "axis_zero.urdf"),
        "line": 7,
        "column": 16,
        "xpath": "/robot/joint[@name='turn']/axis/@xyz",
        "message": "the axis 0 0 0 has no direction",
        "hint": "write the direction, such as 0 0 1",
    }


def test_a_text_a_path_and_bytes_are_one_robot() -> None:
    path = FIXTURES / "urdf" / "comments.urdf"
    robots = [read(source).robot for source in (path, str(path), path.read_bytes(), path.read_text(encoding="utf-8"))]
    assert robots == [robots[0]] * 4


def test_values_are_immutable_and_compare_without_their_places() -> None:
    first, second = Number("1", 1.0, Span(0, 1)), Number("1", 1.0, Span(5, 6))
    assert first == second
    assert hash(first) == hash(second)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        first.value = 2.0  # type: ignore[misc]
    assert hash(robot_of("extensions"))
