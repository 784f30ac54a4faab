"use strict";
// Shapes as triangles: three corners after each other, each with its normal.

const Shapes = {
  // A builder of triangles; `done` adds the ball around all of them.
  start() {
    const positions = [];
    const normals = [];
    return {
      corner(position, normal) {
        positions.push(position[0], position[1], position[2]);
        normals.push(normal[0], normal[1], normal[2]);
      },
      quad(a, b, c, d, na, nb, nc, nd) {
        for (const [p, n] of [[a, na], [b, nb], [c, nc], [a, na], [c, nc], [d, nd]]) this.corner(p, n);
      },
      done: () => Shapes.measured(new Float32Array(positions), new Float32Array(normals)),
    };
  },

  measured(positions, normals) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 1) {
      const axis = i % 3;
      if (positions[i] < low[axis]) low[axis] = positions[i];
      if (positions[i] > high[axis]) high[axis] = positions[i];
    }
    const centre = Vec.scale(Vec.add(low, high), 0.5);
    const radius = Vec.length(Vec.sub(high, centre));
    return { positions, normals, low, high, centre, radius };
  },

  box([x, y, z]) {
    const shape = Shapes.start();
    for (let axis = 0; axis < 3; axis += 1) {
      for (const side of [-1, 1]) {
        const normal = [0, 0, 0];
        normal[axis] = side;
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
          const p = [0, 0, 0];
          p[axis] = side;
          p[(axis + 1) % 3] = u * side;
          p[(axis + 2) % 3] = v;
          return [(p[0] * x) / 2, (p[1] * y) / 2, (p[2] * z) / 2];
        });
        shape.quad(...corners, normal, normal, normal, normal);
      }
    }
    return shape.done();
  },

  // A profile of [radius, z, normal outwards, normal along z], turned about z; edges are where a profile ends.
  turned(profiles, steps) {
    const shape = Shapes.start();
    for (const profile of profiles) {
      for (let i = 0; i + 1 < profile.length; i += 1) {
        for (let step = 0; step < steps; step += 1) {
          const [at, next] = [step, step + 1].map((s) => (2 * Math.PI * s) / steps);
          const place = ([r, z], angle) => [r * Math.cos(angle), r * Math.sin(angle), z];
          const normal = ([, , out, up], angle) => [out * Math.cos(angle), out * Math.sin(angle), up];
          const [low, high] = [profile[i], profile[i + 1]];
          shape.quad(
            place(low, at), place(low, next), place(high, next), place(high, at),
            normal(low, at), normal(low, next), normal(high, next), normal(high, at),
          );
        }
      }
    }
    return shape.done();
  },

  cylinder(radius, length, bottom = -length / 2, steps = 48) {
    const top = bottom + length;
    return Shapes.turned([
      [[0, bottom, 0, -1], [radius, bottom, 0, -1]],
      [[radius, bottom, 1, 0], [radius, top, 1, 0]],
      [[radius, top, 0, 1], [0, top, 0, 1]],
    ], steps);
  },

  cone: (steps = 24) => Shapes.turned([[[0, 0, 0, -1], [1, 0, 0, -1]], [[1, 0, 0.9, 0.4], [0, 1, 0.9, 0.4]]], steps),

  // Half circles around two middles; a sphere has both in one place.
  capsule(radius, length, rings = 10, steps = 40) {
    const profile = [];
    for (let i = 0; i <= 2 * rings + 1; i += 1) {
      const isTop = i > rings;
      const angle = -Math.PI / 2 + ((isTop ? i - 1 : i) * Math.PI) / (2 * rings);
      const [out, up] = [Math.cos(angle), Math.sin(angle)];
      profile.push([radius * out, radius * up + (isTop ? length / 2 : -length / 2), out, up]);
    }
    return Shapes.turned([profile], steps);
  },

  sphere: (radius, rings = 10, steps = 40) => Shapes.capsule(radius, 0, rings, steps),

  // Normals of a mesh file are often wrong, so they are computed: smooth, except over edges sharper than 37 degrees.
  mesh(points, indices) {
    const facets = indices.length / 3;
    const flat = new Float32Array(3 * facets); // as long as twice the area
    const unit = new Float32Array(3 * facets);
    const starts = new Uint32Array(points.length / 3 + 1);
    const corner = (index) => [points[3 * index], points[3 * index + 1], points[3 * index + 2]];
    for (let f = 0; f < facets; f += 1) {
      const [a, b, c] = [0, 1, 2].map((k) => corner(indices[3 * f + k]));
      const normal = Vec.cross(Vec.sub(b, a), Vec.sub(c, a));
      flat.set(normal, 3 * f);
      unit.set(Vec.unit(normal), 3 * f);
      for (let k = 0; k < 3; k += 1) starts[indices[3 * f + k] + 1] += 1;
    }
    for (let i = 1; i < starts.length; i += 1) starts[i] += starts[i - 1];
    const next = starts.slice();
    const around = new Uint32Array(indices.length); // the facets of each point
    for (let i = 0; i < indices.length; i += 1) {
      around[next[indices[i]]] = Math.floor(i / 3);
      next[indices[i]] += 1;
    }
    const positions = new Float32Array(9 * facets);
    const normals = new Float32Array(9 * facets);
    for (let i = 0; i < indices.length; i += 1) {
      const f = Math.floor(i / 3);
      const [from, to] = [starts[indices[i]], starts[indices[i] + 1]];
      let normal = [unit[3 * f], unit[3 * f + 1], unit[3 * f + 2]];
      if (to - from < 100) {
        let sum = [0, 0, 0];
        for (let n = from; n < to; n += 1) {
          const g = 3 * around[n];
          if (unit[g] * normal[0] + unit[g + 1] * normal[1] + unit[g + 2] * normal[2] > 0.8) {
            sum = [sum[0] + flat[g], sum[1] + flat[g + 1], sum[2] + flat[g + 2]];
          }
        }
        normal = Vec.length(sum) > 0 ? Vec.unit(sum) : normal;
      }
      positions.set(corner(indices[i]), 3 * i);
      normals.set(normal, 3 * i);
    }
    return Shapes.measured(positions, normals);
  },

  ofPart(part, meshes) {
    switch (part.shape) {
      case "box": return Shapes.box(part.size);
      case "cylinder": return Shapes.cylinder(part.radius, part.length);
      case "capsule": return Shapes.capsule(part.radius, part.length);
      case "sphere": return Shapes.sphere(part.radius);
      default: return meshes[part.mesh];
    }
  },
};
