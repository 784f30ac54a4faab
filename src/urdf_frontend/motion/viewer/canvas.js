"use strict";
// The same picture on a plain canvas, where there is no WebGL 2: triangles from far to near, each with one colour.

class CanvasRenderer {
  constructor(canvas) {
    this.name = "Canvas";
    this.isBusy = false;
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  draw(picture) {
    const { camera, theme, solids, marks, floor, bounds } = picture;
    const context = this.context;
    this.camera = camera.matrix;
    context.fillStyle = CanvasRenderer.css(theme.sky);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.drawGrid(picture);
    this.drawShadows(solids, theme, floor);
    for (const triangle of this.triangles(solids, theme, camera.eye)) {
      context.fillStyle = triangle.colour;
      context.strokeStyle = triangle.colour;
      this.path(triangle.corners);
      context.fill();
      if (triangle.isOpaque) context.stroke(); // or the background shines through between two of them
    }
    const scale = (this.canvas.height * 0.9) / (camera.distance || bounds.radius);
    for (const mark of marks) this.drawMark(mark, scale);
  }

  static css(colour, alpha = 1) {
    const [red, green, blue] = colour.map((part) => Math.round(255 * Math.min(Math.max(part, 0), 1)));
    return `rgba(${red},${green},${blue},${alpha})`;
  }

  onScreen(point) {
    const [x, y, , w] = Mat.project(this.camera, point);
    return w > 0 ? [((x + 1) / 2) * this.canvas.width, ((1 - y) / 2) * this.canvas.height, w] : null;
  }

  path(corners) {
    this.context.beginPath();
    corners.forEach(([x, y], i) => (i ? this.context.lineTo(x, y) : this.context.moveTo(x, y)));
    this.context.closePath();
  }

  line(from, to, width, colour) {
    const [a, b] = [this.onScreen(from), this.onScreen(to)];
    if (a === null || b === null) return;
    this.context.lineWidth = width;
    this.context.lineCap = "round";
    this.context.strokeStyle = colour;
    this.context.beginPath();
    this.context.moveTo(a[0], a[1]);
    this.context.lineTo(b[0], b[1]);
    this.context.stroke();
    this.context.lineWidth = 1;
  }

  drawGrid({ bounds, theme, floor, cell }) {
    const lines = 12;
    const [x, y] = [0, 1].map((i) => Math.round(bounds.centre[i] / cell) * cell);
    for (let i = -lines; i <= lines; i += 1) {
      const [d, end] = [i * cell, lines * cell];
      this.line([x + d, y - end, floor], [x + d, y + end, floor], 1, CanvasRenderer.css(theme.line, 0.5));
      this.line([x - end, y + d, floor], [x + end, y + d, floor], 1, CanvasRenderer.css(theme.line, 0.5));
    }
  }

  // All shadows are one path with all triangles in one sense of turning, so that none is darker than the others.
  drawShadows(solids, theme, floor) {
    const context = this.context;
    context.beginPath();
    for (const solid of solids) {
      CanvasRenderer.eachTriangle(solid, (corners) => {
        const flat = corners.map((p) => this.onScreen(Vec.sub(p, Vec.scale(theme.sun, (p[2] - floor) / theme.sun[2]))));
        if (flat.includes(null)) return;
        const [a, b, c] = flat;
        const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        for (const [i, p] of (turn > 0 ? [a, b, c] : [a, c, b]).entries()) {
          if (i) context.lineTo(p[0], p[1]);
          else context.moveTo(p[0], p[1]);
        }
        context.closePath();
      });
    }
    context.fillStyle = "rgba(0,0,0,0.22)";
    context.fill("nonzero");
  }

  static eachTriangle({ geometry, matrix }, action) {
    const p = geometry.positions;
    for (let i = 0; i < p.length; i += 9) {
      action([0, 3, 6].map((k) => Mat.point(matrix, [p[i + k], p[i + k + 1], p[i + k + 2]])));
    }
  }

  triangles(solids, theme, eye) {
    const found = [];
    for (const solid of solids) {
      CanvasRenderer.eachTriangle(solid, (world) => {
        const corners = world.map((point) => this.onScreen(point));
        if (corners.includes(null)) return;
        const normal = Vec.unit(Vec.cross(Vec.sub(world[1], world[0]), Vec.sub(world[2], world[0])));
        const isAway = Vec.dot(normal, Vec.sub(eye, world[0])) < 0;
        const facing = Math.max(Vec.dot(isAway ? Vec.scale(normal, -1) : normal, theme.sun), 0);
        const brightness = 0.5 + 0.5 * facing;
        const base = solid.isHighlighted ? [1, 0.7, 0.3] : solid.colour.slice(0, 3);
        found.push({
          corners,
          depth: corners[0][2] + corners[1][2] + corners[2][2],
          colour: CanvasRenderer.css(Vec.scale(base, brightness), solid.colour[3]),
          isOpaque: solid.colour[3] >= 1,
        });
      });
    }
    return found.sort((a, b) => b.depth - a.depth);
  }

  drawMark(mark, scale) {
    const colour = CanvasRenderer.css(mark.colour);
    if (mark.kind === "ball") {
      const at = this.onScreen(mark.from);
      if (at === null) return;
      this.context.fillStyle = colour;
      this.context.beginPath();
      this.context.arc(at[0], at[1], Math.max(mark.radius * scale, 2), 0, 2 * Math.PI);
      this.context.fill();
    } else {
      this.line(mark.from, mark.to, Math.max(mark.radius * scale, 1.5), colour);
    }
  }
}
