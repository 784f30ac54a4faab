"use strict";
// What is under the pointer: a ray from the eye against the triangles of the parts that are shown.

const Picking = {
  nearest(parts, eye, direction) {
    let best = null;
    for (const part of parts) {
      const from = Mat.pointBack(part.matrix, eye);
      const along = Mat.directionBack(part.matrix, direction);
      if (!Picking.meetsBall(from, along, part.geometry)) continue;
      const distance = Picking.triangles(part.geometry.positions, from, along);
      if (distance < (best === null ? Infinity : best.distance)) best = { part, distance };
    }
    return best;
  },

  meetsBall(from, along, { centre, radius }) {
    const way = Vec.sub(centre, from);
    const ahead = Vec.dot(way, along);
    return Vec.dot(way, way) - ahead * ahead <= radius * radius * 1.0001 && ahead > -radius;
  },

  // The distance to the nearest triangle, by Möller and Trumbore.
  triangles(p, from, along) {
    let nearest = Infinity;
    for (let i = 0; i < p.length; i += 9) {
      const e1 = [p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]];
      const e2 = [p[i + 6] - p[i], p[i + 7] - p[i + 1], p[i + 8] - p[i + 2]];
      const h = Vec.cross(along, e2);
      const a = Vec.dot(e1, h);
      if (a === 0) continue;
      const s = [from[0] - p[i], from[1] - p[i + 1], from[2] - p[i + 2]];
      const u = Vec.dot(s, h) / a;
      if (u < 0 || u > 1) continue;
      const q = Vec.cross(s, e1);
      const v = Vec.dot(along, q) / a;
      if (v < 0 || u + v > 1) continue;
      const distance = Vec.dot(e2, q) / a;
      if (distance > 0 && distance < nearest) nearest = distance;
    }
    return nearest;
  },
};
