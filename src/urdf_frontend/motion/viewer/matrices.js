"use strict";
// Vectors are arrays of three, matrices of sixteen numbers by columns, as WebGL takes them. The z axis points up.

const Vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, s) => [a[0] * s, a[1] * s, a[2] * s],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: (a) => Math.hypot(a[0], a[1], a[2]),
  unit: (a) => {
    const length = Math.hypot(a[0], a[1], a[2]) || 1;
    return [a[0] / length, a[1] / length, a[2] / length];
  },
};

const Mat = {
  identity: () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],

  multiply(a, b) {
    const out = new Array(16);
    for (let column = 0; column < 4; column += 1) {
      for (let row = 0; row < 4; row += 1) {
        let sum = 0;
        for (let k = 0; k < 4; k += 1) sum += a[k * 4 + row] * b[column * 4 + k];
        out[column * 4 + row] = sum;
      }
    }
    return out;
  },

  // Seven numbers: a place, and a quaternion with its scalar part last.
  fromPose(pose, at = 0) {
    const [x, y, z, w] = [pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]];
    return [
      1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
      2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
      2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
      pose[at], pose[at + 1], pose[at + 2], 1,
    ];
  },

  point: (m, p) => [0, 1, 2].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]),
  direction: (m, d) => [0, 1, 2].map((i) => m[i] * d[0] + m[4 + i] * d[1] + m[8 + i] * d[2]),
  place: (m) => [m[12], m[13], m[14]],

  // Back through a matrix that turns and moves and does not stretch.
  pointBack: (m, p) => Mat.directionBack(m, Vec.sub(p, Mat.place(m))),
  directionBack: (m, d) => [0, 4, 8].map((i) => m[i] * d[0] + m[i + 1] * d[1] + m[i + 2] * d[2]),

  move: ([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1],

  // A turn about a unit vector.
  turn(axis, angle) {
    const [s, c] = [Math.sin(angle / 2), Math.cos(angle / 2)];
    return Mat.fromPose([0, 0, 0, axis[0] * s, axis[1] * s, axis[2] * s, c]);
  },

  // A point in the cube that is seen, and how far it is in front of the eye.
  project(m, p) {
    const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    const [x, y, z] = Mat.point(m, p);
    return [x / w, y / w, z / w, w];
  },

  perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(angle / 2);
    const depth = near - far;
    return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0];
  },

  box(halfWidth, near, far) {
    const s = 1 / halfWidth;
    return [s, 0, 0, 0, 0, s, 0, 0, 0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1];
  },

  lookAt(eye, target, up) {
    const z = Vec.unit(Vec.sub(eye, target));
    const x = Vec.unit(Vec.cross(up, z));
    const y = Vec.cross(z, x);
    return [
      x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
      -Vec.dot(x, eye), -Vec.dot(y, eye), -Vec.dot(z, eye), 1,
    ];
  },

  // What is along z from 0 to 1, and as wide as 1, from one point to another, and as wide as `radius`.
  between(from, to, radius) {
    const along = Vec.sub(to, from);
    const z = Vec.unit(along);
    const x = Vec.unit(Vec.cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z));
    const y = Vec.cross(z, x);
    return [...Vec.scale(x, radius), 0, ...Vec.scale(y, radius), 0, ...along, 0, ...from, 1];
  },

  ball: (centre, radius) => [radius, 0, 0, 0, 0, radius, 0, 0, 0, 0, radius, 0, ...centre, 1],
};
