"use strict";
// What the picture is made of besides the shapes: colours, the axes of the world, and the skeleton.

const THEMES = {
  light: {
    sky: [0.933, 0.949, 0.965], ground: [0.875, 0.898, 0.922], line: [0.62, 0.67, 0.73],
    sun: Vec.unit([0.45, -0.35, 1]), ambient: 0.5, bone: [0.25, 0.3, 0.36],
  },
  dark: {
    sky: [0.09, 0.106, 0.129], ground: [0.135, 0.155, 0.185], line: [0.3, 0.345, 0.4],
    sun: Vec.unit([0.45, -0.35, 1]), ambient: 0.34, bone: [0.75, 0.8, 0.86],
  },
};
const OTHER_RUN = [0.95, 0.52, 0.14]; // the bones of a run that is compared
const AXES = [[[1, 0, 0], [0.85, 0.22, 0.2]], [[0, 1, 0], [0.2, 0.62, 0.25]], [[0, 0, 1], [0.2, 0.4, 0.85]]];

const Marks = {
  // The grid has cells of 1, 2 or 5 times a power of ten, about a quarter of the robot.
  cell(radius) {
    const wanted = radius / 3;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return power * ([5, 2].find((factor) => factor * power <= wanted) ?? 1);
  },

  axes(robot, bone) {
    const [length, radius] = [bone * 0.8, bone * 0.022];
    const from = [0, 0, robot.floor];
    const end = (axis) => Vec.add(from, Vec.scale(axis, length));
    return AXES.map(([axis, colour]) => ({ kind: "rod", from, to: end(axis), radius, colour }));
  },

  skeleton(robot, bone, theme, highlighted, showsShadow) {
    const marks = [];
    for (const joint of robot.joints) {
      const { matrix } = robot.links[joint.child];
      const [from, to] = [Mat.place(robot.links[joint.parent].matrix), Mat.place(matrix)];
      const isFixed = joint.freedoms === 0;
      if (joint.shadows !== null) {
        const isShown = showsShadow && Vec.length(Vec.sub(to, from)) > 1e-9;
        if (isShown) marks.push({ kind: "rod", from, to, radius: bone * 0.02, colour: OTHER_RUN });
        continue;
      }
      const isHighlighted = joint === highlighted;
      if (Vec.length(Vec.sub(to, from)) > 1e-9) {
        marks.push({ kind: "rod", from, to, radius: bone * (isFixed ? 0.02 : 0.03), colour: theme.bone });
      }
      if (isFixed) continue;
      const colour = isHighlighted ? [1, 0.62, 0.1] : Page.colour(joint.type);
      marks.push({ kind: "ball", from: to, radius: bone * (isHighlighted ? 0.13 : 0.085), colour });
      if (joint.axis === null) continue;
      const axis = Mat.direction(matrix, joint.axis);
      const end = Vec.add(to, Vec.scale(axis, bone * 0.5));
      const radius = bone * 0.035;
      marks.push({ kind: "rod", from: Vec.add(to, Vec.scale(axis, -bone * 0.35)), to: end, radius, colour });
      const tip = Vec.add(end, Vec.scale(axis, bone * 0.2));
      marks.push({ kind: "tip", from: end, to: tip, radius: radius * 2.6, colour });
    }
    return marks;
  },
};
