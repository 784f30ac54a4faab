"use strict";
// The robot of the page: its numbers unpacked, and where everything is at a time.

const Unpack = {
  bytes: (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer,
  singles: (text) => new Float32Array(Unpack.bytes(text)),
  doubles: (text) => new Float64Array(Unpack.bytes(text)),
  indices: (text) => new Uint32Array(Unpack.bytes(text)),
};

const POSE = 7; // numbers

class Robot {
  constructor(data) {
    this.name = data.robot;
    this.motion = data.motion;
    this.notes = data.notes;
    this.missing = data.missing;
    // Each robot has times of its own; those of all are the steps of the page.
    this.tracks = data.tracks.map(({ name, times }) => ({ name, times: Unpack.doubles(times) }));
    this.times = [...new Set(this.tracks.flatMap(({ times }) => [...times]))].sort((a, b) => a - b);
    this.start = this.times[0];
    this.end = this.times[this.times.length - 1];
    const meshes = data.meshes.map((mesh) => Shapes.mesh(Unpack.singles(mesh.points), Unpack.indices(mesh.triangles)));
    this.links = data.links.map((link, number) => ({
      name: link.name,
      number,
      track: this.tracks[link.track],
      shadows: link.shadows, // the same link in the first run, if this is one that is compared
      kind: link.kind ?? null, // of what is no robot: gripper, holder, tool
      holder: null,
      poses: Unpack.singles(link.poses),
      rows: link.rows === null ? null : Unpack.indices(link.rows), // which pose counts at each time
      joint: null,
      matrix: Mat.identity(),
      parts: link.parts.map((part) => ({
        role: part.role,
        colour: part.colour,
        pose: Mat.fromPose(part.pose),
        geometry: Shapes.ofPart(part, meshes),
        matrix: Mat.identity(),
        link: number,
      })),
    }));
    this.joints = data.joints.map((joint) => ({
      ...joint,
      track: this.tracks[joint.track],
      values: Unpack.singles(joint.values),
      value: [],
      origin: Mat.fromPose(joint.origin),
      shadow: null, // the same joint in a run that is compared
    }));
    for (const joint of this.joints) if (joint.shadows !== null) this.joints[joint.shadows].shadow = joint;
    this.hand = null; // values by joint, while its user moves the robot
    for (const joint of this.joints) this.links[joint.child].joint = joint;
    this.parts = this.links.flatMap((link) => link.parts);
    // Who holds what at each time: only a page of a cell has it.
    this.isCell = data.held !== undefined;
    this.held = (data.held ?? []).map(({ link, holders, values }) => ({
      link: this.links[link],
      holders: holders.map((number) => this.links[number]),
      values: Unpack.indices(values),
    }));
    this.setTime(this.start);
    this.bounds = this.boundsNow();
    this.floor = data.floor === null ? Math.min(0, this.bounds.low[2]) : data.floor;
  }

  // The row at or before a time, and how far the time is on the way to the next one.
  static at(times, time) {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, times.length - 1);
    const span = times[next] - times[low];
    return { row: low, next, share: span > 0 ? Math.min(Math.max((time - times[low]) / span, 0), 1) : 0 };
  }

  setTime(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const track of this.tracks) track.at = Robot.at(track.times, this.time);
    for (const link of this.links) link.matrix = Mat.fromPose(Robot.blended(link));
    for (const joint of this.joints) {
      const { freedoms: n, track: { at: { row, next, share } } } = joint;
      joint.value = Array.from({ length: n }, (_, i) => {
        const [a, b] = [joint.values[row * n + i], joint.values[next * n + i]];
        return a + (b - a) * share;
      });
      const change = (i) => Math.abs(joint.values[next * n + i] - joint.values[row * n + i]);
      joint.isMoving = joint.value.some((_, i) => change(i) > 1e-7);
    }
    // At an event there are two rows for one time: the later one counts.
    for (const { link, holders, values } of this.held) link.holder = holders[values[link.track.at.row] - 1] ?? null;
    if (this.hand !== null) this.placeByHand();
    for (const part of this.parts) part.matrix = Mat.multiply(this.links[part.link].matrix, part.pose);
  }

  // ---------------------------------------------------------------- by hand

  // From now on joints are where their user wants them, and the tree says where links are; roots stay.
  moveJoint(joint, index, value) {
    this.hand ??= new Map(this.joints.map((each) => [each, [...each.value]]));
    this.hand.get(joint)[index] = value;
    this.setTime(this.time);
  }

  placeByHand() {
    for (const joint of this.joints) {
      if (joint.shadows !== null) continue;
      joint.value = this.valueByHand(joint);
      joint.isMoving = false;
      const { matrix } = this.links[joint.parent]; // joints come after those that they are attached to
      this.links[joint.child].matrix = Mat.multiply(Mat.multiply(matrix, joint.origin), Robot.motion(joint));
    }
  }

  // A joint that follows others takes what they have; a circle follows nobody.
  valueByHand(joint, seen = new Set()) {
    const leader = joint.follows === null ? undefined : this.joints[joint.follows.joint ?? -1];
    if (leader === undefined || seen.has(joint)) return this.hand.get(joint);
    const [value] = this.valueByHand(leader, seen.add(joint));
    return [joint.follows.factor * value + joint.follows.shift];
  }

  // How far a joint has moved its child.
  static motion({ type, axis, plane, value }) {
    switch (type) {
      case "revolute":
      case "continuous": return Mat.turn(axis, value[0]);
      case "prismatic": return Mat.move(Vec.scale(axis, value[0]));
      case "planar": {
        const way = Vec.add(Vec.scale(plane[0], value[0]), Vec.scale(plane[1], value[1]));
        return Mat.multiply(Mat.move(way), Mat.turn(axis, value[2]));
      }
      case "floating": {
        const turns = [[0, 0, 1], [0, 1, 0], [1, 0, 0]].map((about, i) => Mat.turn(about, value[5 - i]));
        return turns.reduce(Mat.multiply, Mat.move(value.slice(0, 3)));
      }
      default: return Mat.identity();
    }
  }

  // Of a run that is compared only what is elsewhere can be told from the first one.
  isElsewhere({ shadows, matrix }) {
    const first = this.links[shadows].matrix;
    return matrix.some((number, i) => Math.abs(number - first[i]) > 1e-4 * Math.max(1, Math.abs(number)));
  }

  // What is held has the colour of who holds it.
  colourOf(part) {
    const holder = this.links[part.link].holder;
    return holder === null ? part.colour : holder.parts[0].colour;
  }

  static blended({ poses, rows, track: { at: { row, next, share } } }) {
    const [a, b] = [row, next].map((at) => POSE * (rows === null ? at : rows[at]));
    let dot = 0;
    for (let i = 3; i < POSE; i += 1) dot += poses[a + i] * poses[b + i];
    const sign = dot < 0 ? -1 : 1; // two quaternions stand for each orientation: the nearer one is taken
    const out = [];
    for (let i = 0; i < POSE; i += 1) out.push(poses[a + i] * (1 - share) + poses[b + i] * share * (i < 3 ? 1 : sign));
    const length = Math.hypot(out[3], out[4], out[5], out[6]);
    return out.map((number, i) => (i < 3 ? number : number / length));
  }

  // The box around all links and shapes as they stand.
  boundsNow() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const grow = (point) => {
      for (let i = 0; i < 3; i += 1) {
        low[i] = Math.min(low[i], point[i]);
        high[i] = Math.max(high[i], point[i]);
      }
    };
    for (const link of this.links) grow(Mat.place(link.matrix));
    for (const part of this.parts) {
      if (part.role === "collision") continue;
      const box = [part.geometry.low, part.geometry.high];
      for (let corner = 0; corner < 8; corner += 1) {
        const inner = [0, 1, 2].map((i) => box[(corner >> i) & 1][i]);
        grow(Mat.point(part.matrix, inner));
      }
    }
    const centre = Vec.scale(Vec.add(low, high), 0.5);
    return { low, high, centre, radius: Math.max(Vec.length(Vec.sub(high, centre)), 1e-3) };
  }

  // Does a root leave the place where the robot stood at first?
  isTravelling() {
    return !this.isCell && this.links.some(({ joint, poses }) => {
      if (joint !== null) return false;
      for (let i = 0; i < poses.length; i += POSE) {
        const way = [0, 1, 2].map((k) => poses[i + k] - poses[k]);
        if (Vec.length(way) > this.bounds.radius) return true;
      }
      return false;
    });
  }

  // A ball around the robot at some of its times, so that it stays in the picture.
  reach() {
    const time = this.time;
    const low = [...this.bounds.low];
    const high = [...this.bounds.high];
    for (let step = 0; step <= 24; step += 1) {
      this.setTime(this.start + ((this.end - this.start) * step) / 24);
      const now = this.boundsNow();
      for (let i = 0; i < 3; i += 1) {
        low[i] = Math.min(low[i], now.low[i]);
        high[i] = Math.max(high[i], now.high[i]);
      }
    }
    this.setTime(time);
    const centre = Vec.scale(Vec.add(low, high), 0.5);
    return { low, high, centre, radius: Math.max(Vec.length(Vec.sub(high, centre)), 1e-3) };
  }

  // The length that joint axes are drawn with: they fit the bones of a hand as well as those of an arm.
  boneLength() {
    const place = (link) => Mat.place(this.links[link].matrix);
    const lengths = this.joints
      .map((joint) => Vec.length(Vec.sub(place(joint.child), place(joint.parent))))
      .filter((length) => length > 1e-6)
      .sort((a, b) => a - b);
    const median = lengths.length ? lengths[Math.floor(lengths.length / 2)] : this.bounds.radius;
    return Math.min(Math.max(median * 0.6, this.bounds.radius * 0.05), this.bounds.radius * 0.2);
  }

  static isTurning(joint) {
    return joint.type === "revolute" || joint.type === "continuous";
  }

  static isViolated(joint) {
    const room = 1e-5 * Math.max(1, Math.abs(joint.lower ?? 0), Math.abs(joint.upper ?? 0));
    const [value] = joint.value;
    if (joint.freedoms !== 1 || joint.type === "continuous") return false;
    return (joint.lower !== null && value < joint.lower - room) || (joint.upper !== null && value > joint.upper + room);
  }

  static valueText(joint) {
    const fixed = (numbers, digits = 3) => numbers.map((number) => number.toFixed(digits)).join("  ");
    switch (joint.type) {
      case "revolute":
      case "continuous": return `${fixed(joint.value)} rad`;
      case "prismatic": return `${fixed(joint.value, 4)} m`;
      case "planar": return `${fixed(joint.value.slice(0, 2))} m, ${fixed(joint.value.slice(2))} rad`;
      case "floating": return `${fixed(joint.value.slice(0, 3), 2)} m, ${fixed(joint.value.slice(3), 2)} rad`;
      default: return "";
    }
  }

  static degreesText(joint) {
    return Robot.isTurning(joint) ? `${((joint.value[0] * 180) / Math.PI).toFixed(1)}°` : "";
  }
}
