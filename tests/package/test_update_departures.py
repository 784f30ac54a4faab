"""What the user has written about parts that go, ends that are led elsewhere, names and numbers that the URDF takes."""

from __future__ import annotations

import re

import pytest

from package.robot_structure import misfits
from package.test_survival import cut, fold, read_text, without_comments, write_text
from package.test_update import ARM, LAMP, MASS, built_in, edit, without_tool
from package.test_update_cases import Place, arm, commented, retyped

__all__ = ["arm"]

SENSOR = "Modelica.Mechanics.MultiBody.Sensors.CutForce sensor;\n"
FOLLOWER = ARM.replace(
    'effort="50" velocity="3"/>', 'effort="50" velocity="3"/>\n    <mimic joint="shoulder" multiplier="-1"/>'
)


def without(link: str, joint: str, urdf: str = ARM) -> str:
    return cut(cut(urdf, f'  <link name="{link}"', "/>\n"), f'  <joint name="{joint}"', "</joint>\n")


NO_CAMERA = without("camera", "mount")


def in_model(place: Place, declarations: str, equations: str = "") -> None:
    edit(place.model, ("equation\n", f"{declarations}equation\n{equations}"))


# ---------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("clause", "stays", "goes"),
    [
        ("Real a, b = camera.q;", "Real a;", "// Real b = camera.q;"),
        ('Real a, b = camera.q "of it", c(start = 1);', "Real a, c(start = 1);", '// Real b = camera.q "of it";'),
        ("Real a = camera.q, b = time;", "Real b = time;", "// Real a = camera.q;"),
        ("Real b = camera.q;", "", "// Real b = camera.q;"),
        ("Real a = camera.q, b = 2*camera.q;", "", "// Real a = camera.q, b = 2*camera.q;"),
        ("parameter Real k = 1, b[2](each start = camera.q);", "parameter Real k = 1;",
         "// parameter Real b[2](each start = camera.q);"),
        ("Real a, b if camera.q > 0;", "Real a;", "// Real b if camera.q > 0;"),
    ],
)  # fmt: skip
def test_a_declaration_that_uses_what_is_gone_is_a_comment(arm: Place, clause: str, stays: str, goes: str) -> None:
    in_model(arm, f"  {clause}\n")
    said = arm.update(NO_CAMERA.replace(*MASS))
    assert said.code == 3
    assert said.about("arm.mo", "camera", "commented out")
    text = read_text(arm.model)
    assert f"  {goes}\n" in text
    assert not stays or f"  {stays}\n" in text
    assert not re.search(r"\bcamera\b", without_comments(text))
    arm.check(NO_CAMERA.replace(*MASS))


def test_what_uses_a_declaration_that_is_a_comment_is_one_too(arm: Place) -> None:
    in_model(arm, "  Real a, b = camera.q;\n  Real c = 2*b;\n", "  a = c + 1;\n  der(work) = a;\n")
    edit(arm.model, ("equation\n", "  Real work;\nequation\n"))
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert commented(arm.model, "  Real c = 2*b;\n")
    assert commented(arm.model, "  a = c + 1;\n")
    assert "  der(work) = a;\n" in without_comments(read_text(arm.model))
    arm.check(NO_CAMERA)


def test_a_modifier_that_uses_what_is_gone_is_a_comment(arm: Place) -> None:
    edit(arm.model, ("Joints.elbow elbow(", "Joints.elbow elbow(q_start=camera.q, "))
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert said.about("q_start", "camera")
    text = without_comments(read_text(arm.model))
    assert "Joints.elbow elbow(startFixed=startFixed)" in text
    assert "q_start=camera.q" in read_text(arm.model)
    arm.check(NO_CAMERA)


def test_where_a_comment_is_made_is_said_as_the_file_was(arm: Place) -> None:
    """It was counted after the link had left the file."""
    edit(arm.model, ("Joints.elbow elbow(", "Joints.elbow elbow(q_start=camera.q, "))
    (line,) = [number for number, text in enumerate(read_text(arm.model).splitlines(), 1) if "camera.q" in text]
    assert arm.update(NO_CAMERA).about(f"arm.mo:{line}:", "q_start=camera.q")


def test_a_base_class_whose_modifier_uses_what_is_gone_stays_without_it(arm: Place) -> None:
    """It was a conflict of the whole clause, and what stayed did not compile."""
    write_text(arm.package / "Paint.mo", "within arm;\nmodel Paint\n  Real a=1;\n  Real b(start=2);\nend Paint;\n")
    edit(arm.package / "package.order", ("armTest\n", "armTest\nPaint\n"))
    clause = "  extends Paint(a=camera.q, b(start=3)); // two coats\n"
    edit(arm.model, ("  Links.base base\n", f"{clause}  Links.base base\n"))
    edit(arm.model, ("numOtherJoints=1);", "numOtherJoints=1, showCollision=camera.q > 0);"))
    edit(arm.model, ("  Links.tool tool\n", "  Links.tool tool if camera.q > 0\n"))
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert not said.about("conflict")
    assert all(said.about("arm.mo:", "'camera'", what) for what in ("a=camera.q", "showCollision=", "if camera.q > 0"))
    text = read_text(arm.model)
    assert "  // extends Paint(a=camera.q, b(start=3));\n  extends Paint(b(start=3)); // two coats\n" in text
    assert "  // Links.tool tool if camera.q > 0\n" in text
    assert "    numOtherJoints=0);\n" in text
    assert not re.search(r"\bcamera\b", without_comments(text))
    arm.check(NO_CAMERA)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("new", ["elbow_mimic", "lamp", "hook"])
def test_what_is_generated_keeps_out_of_the_way_of_a_component(arm: Place, new: str) -> None:
    own = f"  parameter Real {new} = 2;\n"
    in_model(arm, own)
    urdf = FOLLOWER.replace("</robot>", LAMP)
    assert arm.update(urdf).code == 0
    assert own in read_text(arm.model)
    assert f"{new}_" in arm.components
    arm.check(urdf)
    before = read_text(arm.model)
    heavier = urdf.replace(*MASS)
    assert arm.update(heavier).code == 0
    assert read_text(arm.model) == before
    edit(arm.model, (own, ""))
    arm.update(urdf)
    assert f"{new}_" in arm.components
    assert arm.update(ARM.replace("</robot>", LAMP)).code == 0
    assert "mimic" not in read_text(arm.model)
    arm.check(ARM.replace("</robot>", LAMP))


def test_a_new_link_keeps_out_of_the_way_of_a_follower(arm: Place) -> None:
    assert arm.update(FOLLOWER).code == 0
    edit(arm.model, ("elbow_mimic(", "elbow_mimic(offset=0.1, "))
    urdf = FOLLOWER.replace("</robot>", LAMP.replace('"lamp"', '"elbow_mimic"'))
    assert arm.update(urdf).code == 0
    assert "elbow_mimic" in arm.components
    assert re.search(r"Mimic\w+ elbow_mimic\(offset=0.1,", read_text(arm.model))
    arm.check(urdf)


# ---------------------------------------------------------------- for and if

LOOPS = {
    "if": "  if true then\n{}  end if;\n",
    "else": "  if false then\n  else\n{}  end if;\n",
    "for": "  for i in 1:1 loop\n{}  end for;\n",
    "for in if": "  if true then\n    for i in 1:1 loop\n{}    end for;\n  end if;\n",
}


@pytest.mark.parametrize("around", LOOPS)
def test_a_connection_in_place_of_a_generated_one_is_a_comment_inside_of_others(arm: Place, around: str) -> None:
    own = "    connect(sensor.frame_b, slide.frame_a);\n"
    text = cut(read_text(arm.model), "  connect(fore.frame_a, slide.frame_a)", ";\n")
    write_text(arm.model, text)
    in_model(arm, f"  {SENSOR}", LOOPS[around].format(f"    connect(fore.frame_a, sensor.frame_a);\n{own}"))
    assert misfits(arm.package, ARM) == []
    new = ARM.replace(
        '<parent link="fore"/>\n    <child link="tool"/>', '<parent link="upper"/>\n    <child link="tool"/>'
    )
    assert new != ARM
    said = arm.update(new)
    assert said.code == 3
    assert said.about("slide.frame_a")
    assert commented(arm.model, own)
    assert "connect(fore.frame_a, sensor.frame_a)" in without_comments(read_text(arm.model))
    arm.check(new)


@pytest.mark.parametrize("around", LOOPS)
def test_a_connection_with_what_is_gone_is_a_comment_inside_of_others(arm: Place, around: str) -> None:
    own, other = "    connect(tool.frame_a, sensor.frame_a);\n", "    connect(sensor.frame_b, more.frame_a);\n"
    in_model(arm, f"  {SENSOR}  {SENSOR.replace('sensor', 'more')}", LOOPS[around].format(own + other))
    said = arm.update(without_tool())
    assert said.code == 3
    assert commented(arm.model, own)
    assert other in without_comments(read_text(arm.model))
    arm.check(without_tool())


def test_a_loop_in_place_of_generated_connections_gives_them_back(arm: Place) -> None:
    """Its first turn is about what is gone, its second would be about another part."""
    text = cut(read_text(arm.model), "  connect(camera.frame_a, frame_b[1])", ";\n")
    write_text(arm.model, cut(text, "  connect(tool.frame_a, frame_b[2])", ";\n"))
    loop = "  for i in 1:2 loop\n    connect(ends[i].frame_b, frame_b[i]);\n  end for;\n"
    others = "  connect(camera.frame_a, ends[1].frame_a);\n  connect(tool.frame_a, ends[2].frame_a);\n"
    in_model(arm, f"  {SENSOR.replace('sensor', 'ends[2]')}", others + loop)
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert "connect(tool.frame_a, frame_b[1])" in read_text(arm.model)
    assert commented(arm.model, "    connect(ends[i].frame_b, frame_b[i]);\n")
    arm.check(NO_CAMERA)


def test_comments_inside_of_what_goes_are_kept_with_it(arm: Place) -> None:
    """They went without a word: only those before and behind stayed."""
    text = read_text(arm.model)
    text = text.replace("  Links.camera camera\n", "  Links.camera camera // borrowed\n", 1)
    text = text.replace(
        "connect(mount.frame_b, camera.frame_a)", "connect(mount.frame_b, /* glued */ camera.frame_a)", 1
    )
    text = text.replace("connect(camera.frame_a, frame_b[1])", "connect(camera.frame_a, frame_b[1]) /* open */", 1)
    text = text.replace("connect(tool.frame_a, frame_b[2])", "connect(tool.frame_a, /* tip */ frame_b[2])", 1)
    write_text(arm.model, text)
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert len(said.about("arm.mo:", "is commented out")) == 3
    after = read_text(arm.model)
    assert all(note in after for note in ("// borrowed", "/* glued */", "/* open */"))
    assert "  connect(tool.frame_a, /* tip */ frame_b[1])" in after
    assert not re.search(r"\bcamera\b", without_comments(after))
    arm.check(NO_CAMERA)


# ---------------------------------------------------------------- numbers

MASS_AT = "  Modelica.Mechanics.MultiBody.Parts.PointMass load(m=1);\n"
NO_SHOULDER_FLANGE = retyped("shoulder", "fixed")


def test_a_connection_of_the_robot_keeps_its_part(arm: Place) -> None:
    in_model(arm, MASS_AT, "  connect(load.frame_a, frame_b[2]); // weight\n")
    said = arm.update(NO_CAMERA)
    assert said.code == 0
    assert "  connect(load.frame_a, frame_b[1]); // weight\n" in read_text(arm.model)
    assert arm.update(ARM).code == 0
    assert "  connect(load.frame_a, frame_b[2]); // weight\n" in read_text(arm.model)
    arm.check(ARM)


def test_a_sensor_before_a_frame_keeps_its_part(arm: Place) -> None:
    text = cut(read_text(arm.model), "  connect(tool.frame_a, frame_b[2])", ";\n")
    write_text(arm.model, text)
    in_model(arm, f"  {SENSOR}", "  connect(tool.frame_a, sensor.frame_a);\n  connect(sensor.frame_b, frame_b[2]);\n")
    assert arm.update(NO_CAMERA).code == 0
    assert "  connect(sensor.frame_b, frame_b[1]);\n" in without_comments(read_text(arm.model))
    arm.check(NO_CAMERA)


def in_run_model(place: Place, own: str) -> None:
    edit(place.package / "armRun.mo", ("equation\n", f"{MASS_AT}equation\n  {own}\n"))


@pytest.mark.parametrize(
    ("own", "urdf", "new"),
    [
        ("connect(load.frame_a, robot.frame_b[2]);", NO_CAMERA, "connect(load.frame_a, robot.frame_b[1]);"),
        ("connect(load.frame_a, robot.frame_b[ 2 ]);", NO_CAMERA, "connect(load.frame_a, robot.frame_b[ 1 ]);"),
        (
            "connect(robot.rotational_flange_a[2], robot.rotational_flange_b[2]);",
            NO_SHOULDER_FLANGE,
            "connect(robot.rotational_flange_a[1], robot.rotational_flange_b[1]);",
        ),
    ],
)
def test_a_connection_of_the_run_model_keeps_its_part(arm: Place, own: str, urdf: str, new: str) -> None:
    in_run_model(arm, own)
    assert arm.update(urdf).code == 0
    assert f"  {new}\n" in read_text(arm.package / "armRun.mo")
    arm.check(urdf)


@pytest.mark.parametrize(
    "own",
    [
        "connect(load.frame_a, robot.frame_b[1]);",
        "for i in 1:1 loop connect(load.frame_a, robot.frame_b[i]); end for;",
    ],
)
def test_a_connection_whose_number_is_of_another_part_now_is_told(arm: Place, own: str) -> None:
    in_run_model(arm, own)
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    assert said.about("armRun.mo:", "frame_b")
    assert own in read_text(arm.package / "armRun.mo")


@pytest.mark.parametrize("form", ["files", "all"])
def test_numbers_in_the_same_file_follow_too(arm: Place, form: str) -> None:
    """Where all classes are in one file, nothing in it followed the model, and nobody was told."""
    in_run_model(arm, "connect(load.frame_a, robot.frame_b[2]);")
    one = "connect(load.frame_a, robot.frame_b[1]);"
    edit(arm.package / "armTest.mo", ("equation\n", f"equation\n  {one} // camera\n"))
    own = "within arm;\nmodel armOwn\n  extends arm;\nequation\n  connect(frame_b[2], tool.frame_a);\nend armOwn;\n"
    write_text(arm.package / "armOwn.mo", own)
    edit(arm.package / "package.order", ("armTest\n", "armTest\narmOwn\n"))
    if form == "all":
        fold(arm.package, form)
    text = "".join(map(read_text, arm.package.rglob("*.mo")))
    said = arm.update(NO_CAMERA)
    assert said.code == 3
    told = [line for line in said.lines if "belonged to" in line]
    assert len(told) == 1
    file, number = re.findall(r"(\w+\.mo):(\d+):", told[0])[0]
    assert one in text if form == "files" else one in text.splitlines()[int(number) - 1], file
    assert len(said.about("kept:", "frame_b[2] is frame_b[1] now")) == 2
    text = "".join(map(read_text, arm.package.rglob("*.mo")))
    assert "  connect(frame_b[1], tool.frame_a);" in text
    assert "  connect(load.frame_a, robot.frame_b[1]);" in text
    assert "frame_b[2]" not in text
    arm.check(NO_CAMERA)


@pytest.fixture
def cell(tmp_path: pytest.TempPathFactory) -> Place:
    """A library with the arm in it, and models beside it that use the arm."""
    library = tmp_path / "Cell"  # type: ignore[operator]
    library.mkdir()
    write_text(library / "package.mo", "package Cell\nend Cell;\n")
    write_text(library / "package.order", "Desk\nTwo\nLong\narm\n")
    for name, text in CELL.items():
        write_text(library / f"{name}.mo", f"within Cell;\nmodel {name}\n{text}end {name};\n")
    return Place(tmp_path, built_in(library, ARM))  # type: ignore[arg-type]


CELL = {
    "Desk": "  arm.arm robot;\n" + MASS_AT + "equation\n  connect(load.frame_a, robot.frame_b[2]);\n",
    "Two": "  extends Desk;\n  Desk left, right;\nequation\n"
    "  connect(left.robot.frame_b[2], robot.frame_b[2]);\n  connect(right.robot.frame_b[1], left.load.frame_a);\n",
    "Long": "  extends arm.arm;\nequation\n  connect(elbow.flange_a, rotational_flange_a[2]);\n"
    "  connect(frame_b[2], tool.frame_a);\n",
}


def test_connections_of_the_library_around_keep_their_parts(cell: Place) -> None:
    said = cell.update(NO_CAMERA)
    assert said.code == 3
    library = cell.root / "Cell"
    assert "connect(load.frame_a, robot.frame_b[1]);" in read_text(library / "Desk.mo")
    assert "connect(left.robot.frame_b[1], robot.frame_b[1]);" in read_text(library / "Two.mo")
    assert "connect(frame_b[1], tool.frame_a);" in read_text(library / "Long.mo")
    assert "rotational_flange_a[2]" in read_text(library / "Long.mo")
    (line,) = said.about("Two.mo:7", "frame_b[1]")
    assert "camera" in line
    assert not said.about("Desk.mo", "belonged")
    cell.check(NO_CAMERA)


def test_numbers_that_stay_are_not_told(cell: Place) -> None:
    assert cell.update(ARM.replace("</robot>", LAMP)).code == 0
    assert all(text in read_text(cell.root / "Cell" / f"{name}.mo") for name, text in CELL.items())


# ---------------------------------------------------------------- elements of the user's own

OWN_FRAME = "  connect(fore.frame_a, frame_b[3]); // camera mount\n"


def counts_in(place: Place) -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(r"(num\w+)=(\d+)", read_text(place.model))}


@pytest.fixture
def longer(arm: Place) -> Place:
    """The arm with a frame of the user's own, which the run model and a loop use."""
    edit(arm.model, ("numLeafLinks=2", "numLeafLinks=3"))
    in_model(arm, "", OWN_FRAME)
    in_run_model(arm, "connect(load.frame_a, robot.frame_b[3]);")
    return arm


@pytest.mark.parametrize(
    ("urdf", "number"), [(ARM.replace("</robot>", LAMP), 4), (NO_CAMERA, 2)], ids=["a link comes", "a link goes"]
)
def test_a_frame_of_the_users_own_stays_after_the_generated_ones(longer: Place, urdf: str, number: int) -> None:
    """It had the number of the new link, and the robot a loop."""
    assert longer.update(urdf).code == 0
    assert OWN_FRAME.replace("[3]", f"[{number}]") in read_text(longer.model)
    assert f"connect(load.frame_a, robot.frame_b[{number}]);" in read_text(longer.package / "armRun.mo")
    assert counts_in(longer)["numLeafLinks"] == number
    assert misfits(longer.package, urdf) == [
        f"numLeafLinks is {number}, and should be {number - 1}",
        f"fore.frame_a is connected with frame_b[{number}]",
    ]
    assert longer.update(urdf).about("0 files written")
    assert longer.update(ARM).code == 0
    assert OWN_FRAME in read_text(longer.model)
    assert counts_in(longer)["numLeafLinks"] == 3


def test_a_flange_of_the_users_own_stays_after_the_generated_ones(arm: Place) -> None:
    own = "  connect(motor.flange_{0}, rotational_flange_{0}[{1}]);\n"
    edit(arm.model, ("numRotationalJoints=2", "numRotationalJoints=3"))
    motor = "  Modelica.Mechanics.Rotational.Components.Inertia motor;\n"
    in_model(arm, motor, own.format("a", 3) + own.format("b", 3))
    assert arm.update(retyped("mount", "continuous")).code == 0
    assert own.format("a", 4) + own.format("b", 4) in read_text(arm.model)
    assert counts_in(arm)["numRotationalJoints"] == 4


def test_a_loop_over_frames_of_the_users_own_is_no_second_way_to_a_part(arm: Place) -> None:
    edit(arm.model, ("numLeafLinks=2", "numLeafLinks=3"))
    own = "    connect(fore.frame_a, frame_b[i]);\n"
    in_model(arm, "", f"  for i in 3:3 loop\n{own}  end for;\n")
    urdf = ARM.replace("</robot>", LAMP)
    said = arm.update(urdf)
    assert said.code == 3
    assert said.about("frame_b[3]", "lamp.frame_a", "commented out")
    assert commented(arm.model, own)
    arm.check(urdf)


def test_a_greater_number_of_frames_stays_greater(arm: Place) -> None:
    """It was a conflict, and the new link led to a frame that was not there."""
    edit(arm.model, ("numLeafLinks=2", "numLeafLinks=5"))
    assert arm.update(ARM.replace("</robot>", LAMP)).code == 0
    assert counts_in(arm)["numLeafLinks"] == 6
    assert arm.update(NO_CAMERA, "--no-rename").code == 0
    assert counts_in(arm)["numLeafLinks"] == 4


def without_in_model(place: Place, *components: str) -> None:
    text = read_text(place.model)
    for name in components:
        text = re.sub(rf"  \w+\.{name} {name}\b[^;]*;\n", "", text)
        text = re.sub(rf"  connect\([^;]*\b{name}\.[^;]*;\n", "", text)
    write_text(place.model, text)


def test_what_the_user_has_numbered_as_it_is_generated_now_stays(arm: Place) -> None:
    """Their connection was commented out, for its frame had been that of the camera."""
    without_in_model(arm, "camera", "mount")
    edit(
        arm.model,
        ("frame_b[2]", "frame_b[1]"),
        ("numLinks=5", "numLinks=4"),
        ("numLeafLinks=2", "numLeafLinks=1"),
        ("numOtherJoints=1", "numOtherJoints=0"),
    )
    assert misfits(arm.package, NO_CAMERA) == []
    assert arm.update(NO_CAMERA).code == 0
    assert "connect(tool.frame_a, frame_b[1])" in without_comments(read_text(arm.model))
    arm.check(NO_CAMERA)


def test_what_the_user_has_removed_and_is_drawn_elsewhere_is_no_question(arm: Place) -> None:
    without_in_model(arm, "camera", "mount")
    lamp = '<link name="lamp"/><joint name="hook" type="fixed"><parent link="base"/><child link="lamp"/></joint>'
    said = arm.update(ARM.replace('<joint name="mount"', f'{lamp}<joint name="mount"'))
    assert said.code == 0, said.text
    assert said.about("kept", "camera", "removed")
    assert not arm.components & {"camera", "mount"}
    assert {"lamp", "hook"} <= arm.components


# ---------------------------------------------------------------- sections


@pytest.mark.parametrize("section", ["protected\n", "protected\n  Real own; // mine\n"])
def test_a_part_in_a_section_of_the_users_follows(arm: Place, section: str) -> None:
    """The whole model was one conflict, and stayed as it was."""
    text = read_text(arm.model)
    (part,) = re.findall(r"  Links\.camera camera[^;]*;\n", text)
    write_text(arm.model, text.replace(part, ""))
    in_model(arm, f"{section}{part}")
    urdf = ARM.replace("</robot>", LAMP).replace(*MASS)
    assert arm.update(urdf).code == 0
    after = read_text(arm.model)
    assert after.index("protected") < after.index("Links.camera camera") < after.index("equation")
    assert section in after
    arm.check(urdf)
    assert arm.update(NO_CAMERA).code == 0
    assert "camera" not in arm.components
    arm.check(NO_CAMERA)
