"use strict";
// The eye: it turns around a point that it looks at. Mouse, touch and wheel move it.

const VIEW_ANGLE = 0.62; // radians, from bottom to top

class Camera {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.pointers = new Map();
    this.home = { target: [0, 0, 0], radius: 1 };
    this.reset();
    canvas.addEventListener("pointerdown", (event) => this.pressed(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.released(event));
    canvas.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get isDragging() {
    return this.pointers.size > 0;
  }

  setHome(target, radius) {
    this.home = { target, radius };
    this.reset();
  }

  reset() {
    this.look(-0.9, 0.36);
  }

  look(yaw, pitch) {
    Object.assign(this, { yaw, pitch, target: [...this.home.target], distance: this.fittingDistance() });
    this.changed();
  }

  fittingDistance() {
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    const angle = aspect < 1 ? VIEW_ANGLE * aspect : VIEW_ANGLE;
    return (1.04 * this.home.radius) / Math.sin(angle / 2);
  }

  get outward() {
    const level = Math.cos(this.pitch);
    return [level * Math.cos(this.yaw), level * Math.sin(this.yaw), Math.sin(this.pitch)];
  }

  state() {
    const eye = Vec.add(this.target, Vec.scale(this.outward, this.distance));
    const far = this.distance * 4 + this.home.radius * 80;
    const aspect = this.canvas.width / Math.max(this.canvas.height, 1);
    const view = Mat.lookAt(eye, this.target, [0, 0, 1]);
    const matrix = Mat.multiply(Mat.perspective(VIEW_ANGLE, aspect, this.distance / 60, far), view);
    return { eye, view, matrix, distance: this.distance };
  }

  // The direction from the eye through a place on the screen, from -1 to 1.
  ray(x, y) {
    const { view } = this.state();
    const height = Math.tan(VIEW_ANGLE / 2);
    const aspect = this.canvas.width / Math.max(this.canvas.height, 1);
    return Vec.unit(Mat.directionBack(view, [x * height * aspect, y * height, -1]));
  }

  turn(dx, dy) {
    this.yaw -= dx * 0.008;
    this.pitch = Math.min(Math.max(this.pitch + dy * 0.008, -1.55), 1.55);
    this.changed();
  }

  pan(dx, dy) {
    const { view } = this.state();
    const step = (2 * this.distance * Math.tan(VIEW_ANGLE / 2)) / Math.max(this.canvas.clientHeight, 1);
    const way = Mat.directionBack(view, [-dx * step, dy * step, 0]);
    this.target = Vec.add(this.target, way);
    this.changed();
  }

  zoom(factor) {
    const limit = this.home.radius;
    this.distance = Math.min(Math.max(this.distance * factor, limit * 0.05), limit * 60);
    this.changed();
  }

  pressed(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const isPan = event.button > 0 || event.shiftKey;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, isPan });
  }

  moved(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (pointer === undefined) return;
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    const before = this.spread();
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) {
      const after = this.spread();
      if (before > 0 && after > 0) this.zoom(before / after);
      this.pan(dx / this.pointers.size, dy / this.pointers.size);
    } else if (pointer.isPan) {
      this.pan(dx, dy);
    } else {
      this.turn(dx, dy);
    }
  }

  released(event) {
    this.pointers.delete(event.pointerId);
  }

  // How far two fingers are apart.
  spread() {
    const [a, b] = [...this.pointers.values()];
    return b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  }

  wheeled(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    this.zoom(Math.exp(Math.min(Math.max(lines, -200), 200) * 0.0012));
  }
}
