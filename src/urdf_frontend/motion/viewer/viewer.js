"use strict";
// Puts it all together: time, camera, picture, and what the user does.

const ALPHA = { collision: 0.35, "stand-in": 0.8, reach: 0.3, shadow: 0.4 };
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];
const BUTTONS = {
  skeleton: "Skeleton", visual: "Visuals", collision: "Collisions", shadow: "Other run", labels: "Names", follow: "Follow",
};
const KEYS = { labels: "L", shadow: "O" }; // of the other buttons it is their first letter
const FOR_CONTROLS = [" ", "Enter", "ArrowLeft", "ArrowRight", "Home", "End"]; // keys that controls take
const NEAR = 11; // pixels around a joint in which the pointer is on it

class Viewer {
  constructor(data) {
    this.robot = new Robot(data);
    this.canvas = Page.find("canvas");
    this.renderer = WebglRenderer.create(this.canvas) ?? new CanvasRenderer(this.canvas);
    this.bone = this.robot.boneLength();
    this.shows = {
      visual: true,
      collision: false,
      skeleton: true,
      shadow: true,
      labels: false,
      follow: this.robot.isTravelling(),
    };
    this.hover = null; // {joint} or {link}
    this.pointer = null;
    this.isPlaying = false;
    this.speed = 1;
    this.camera = new Camera(this.canvas, () => this.redraw());
    const reach = this.shows.follow ? this.robot.bounds : this.robot.reach();
    this.camera.setHome(reach.centre, reach.radius);
    this.followed = this.rootPlace();
    this.panel = new JointPanel(
      this.robot,
      (joint) => this.setHover(joint === null ? null : { joint }),
      (...move) => this.moveJoint(...move),
    );
    this.holding = new HoldingPanel(this.robot, (link) => this.setHover(link === null ? null : { link }));
    this.labels = new Labels(this.robot);
    this.tooltip = new Tooltip(this.robot);
    this.fillPage();
    this.listen();
    const prefersDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.setTheme(prefersDark ? "dark" : "light");
    this.setTime(this.robot.start);
    if (window.innerWidth < 720) this.foldJoints();
  }

  fillPage() {
    Page.find("robot-name").textContent = this.robot.name;
    Page.find("motion-name").textContent = this.robot.motion;
    Notes.fill(this.robot.notes, this.robot.missing);
    const slider = Page.find("time");
    [slider.min, slider.max] = [this.robot.start, this.robot.end];
    const isStill = this.robot.end <= this.robot.start;
    slider.disabled = isStill;
    Page.find("play").disabled = isStill;
    const speed = Page.find("speed");
    for (const factor of SPEEDS) speed.append(new Option(`${factor}×`, factor, factor === 1, factor === 1));
    this.buttons = {};
    for (const [key, name] of Object.entries(BUTTONS)) {
      const button = Page.element("button", "", name);
      button.type = "button";
      button.id = `show-${key}`;
      button.title = `${name} (${KEYS[key] ?? name[0]})`;
      button.addEventListener("click", () => this.toggle(key));
      Page.find("toggles").append(button);
      this.buttons[key] = button;
    }
    this.buttons.collision.hidden = !this.robot.parts.some((part) => part.role === "collision");
    this.buttons.shadow.hidden = !this.robot.joints.some((joint) => joint.shadows !== null);
    this.buttons.follow.hidden = this.robot.isCell || !this.robot.links.some((link) => link.joint === null && link.poses.length > POSE);
    this.markButtons();
  }

  listen() {
    Page.find("play").addEventListener("click", () => this.setPlaying(!this.isPlaying));
    Page.find("time").addEventListener("input", (event) => {
      this.setPlaying(false);
      this.setTime(Number(event.target.value));
    });
    Page.find("speed").addEventListener("change", (event) => { this.speed = Number(event.target.value); });
    Page.find("reset").addEventListener("click", () => this.resetView());
    Page.find("theme").addEventListener("click", () => this.flipTheme());
    Page.find("ask").addEventListener("click", () => this.flipHelp());
    Page.find("release").addEventListener("click", () => this.setTime(this.robot.time));
    Page.find("fold").addEventListener("click", () => this.foldJoints());
    this.canvas.addEventListener("pointermove", (event) => this.pointed(event));
    this.canvas.addEventListener("pointerleave", () => this.pointed(null));
    this.canvas.addEventListener("dblclick", (event) => this.lookThere(event));
    document.addEventListener("keydown", (event) => this.typed(event));
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  // ---------------------------------------------------------------- time

  setTime(time) {
    this.robot.hand = null;
    Page.find("release").hidden = true;
    this.robot.setTime(time);
    if (this.shows.follow) {
      const place = this.rootPlace();
      this.camera.target = Vec.add(this.camera.target, Vec.sub(place, this.followed));
      this.followed = place;
    }
    Page.find("time").value = this.robot.time;
    Page.find("clock").textContent = `${this.robot.time.toFixed(2)} of ${this.robot.end.toFixed(2)} s`;
    this.redraw();
  }

  moveJoint(joint, index, value) {
    this.setPlaying(false);
    this.robot.moveJoint(joint, index, value);
    Page.find("release").hidden = false;
    Page.find("clock").textContent = "by hand";
    this.redraw();
  }

  setPlaying(isPlaying) {
    if (this.isPlaying === isPlaying) return;
    this.isPlaying = isPlaying;
    Page.find("play").textContent = isPlaying ? "❚❚" : "▶";
    Page.find("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    if (!isPlaying) return;
    if (this.robot.time >= this.robot.end) this.setTime(this.robot.start);
    let last = performance.now();
    const tick = (now) => {
      if (!this.isPlaying) return;
      const time = this.robot.time + (Math.max(now - last, 0) / 1000) * this.speed;
      last = now;
      this.setTime(time > this.robot.end ? this.robot.start : time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  step(count) {
    this.setPlaying(false);
    const { row, share } = Robot.at(this.robot.times, this.robot.time);
    const from = share > 0 && count < 0 ? row + 1 : row;
    const to = Math.min(Math.max(from + count, 0), this.robot.times.length - 1);
    this.setTime(this.robot.times[to]);
  }

  setSpeed(step) {
    const at = Math.min(Math.max(SPEEDS.indexOf(this.speed) + step, 0), SPEEDS.length - 1);
    this.speed = SPEEDS[at];
    Page.find("speed").value = this.speed;
  }

  // ---------------------------------------------------------------- what is shown

  toggle(key) {
    if (this.buttons[key].hidden) return;
    this.shows[key] = !this.shows[key];
    if (key === "follow") this.followed = this.rootPlace();
    this.markButtons();
    this.redraw();
  }

  markButtons() {
    for (const [key, button] of Object.entries(this.buttons)) {
      button.setAttribute("aria-pressed", String(this.shows[key]));
    }
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.redraw();
  }

  flipTheme() {
    this.setTheme(this.theme === "dark" ? "light" : "dark");
  }

  flipHelp(isHidden = !Page.find("help").hidden) {
    Page.find("help").hidden = isHidden;
  }

  foldJoints() {
    const isFolded = Page.find("joints").classList.toggle("folded");
    Page.find("fold").textContent = isFolded ? "+" : "–";
    Page.find("fold").setAttribute("aria-expanded", String(!isFolded));
  }

  resetView() {
    this.camera.reset();
    this.comeAlong();
  }

  look(yaw, pitch) {
    this.camera.look(yaw, pitch);
    this.comeAlong();
  }

  // The home of a view that follows is where the robot was at first.
  comeAlong() {
    if (!this.shows.follow) return;
    const root = this.robot.links.find((link) => link.joint === null);
    const way = Vec.sub(this.rootPlace(), [...root.poses.slice(0, 3)]);
    this.camera.target = Vec.add(this.camera.target, way);
    this.followed = this.rootPlace();
    this.redraw();
  }

  rootPlace() {
    return Mat.place(this.robot.links.find((link) => link.joint === null).matrix);
  }

  isShown(part) {
    const link = this.robot.links[part.link];
    if (part.role === "shadow") return this.shows.visual && this.shows.shadow && this.robot.isElsewhere(link);
    return part.role === "collision" ? this.shows.collision : this.shows.visual;
  }

  // ---------------------------------------------------------------- the pointer

  pointed(event) {
    this.pointer = event === null || this.camera.isDragging ? null : [event.offsetX, event.offsetY];
    if (this.isPicking) return;
    this.isPicking = true;
    requestAnimationFrame(() => {
      this.isPicking = false;
      this.setHover(this.pointer === null ? null : this.pick(this.pointer));
    });
  }

  pick([x, y]) {
    if (this.shows.skeleton) {
      let best = { distance: NEAR };
      for (const joint of this.robot.joints) {
        const at = joint.freedoms && joint.shadows === null ? this.onScreen(this.jointPlace(joint)) : null;
        const distance = at === null ? Infinity : Math.hypot(at[0] - x, at[1] - y);
        if (distance < best.distance) best = { distance, joint };
      }
      if (best.joint !== undefined) return { joint: best.joint };
    }
    const found = this.partAt(x, y);
    return found === null ? null : { link: this.robot.links[found.part.link] };
  }

  partAt(x, y) {
    const [u, v] = [(2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight];
    const parts = this.robot.parts.filter((part) => this.isShown(part));
    return Picking.nearest(parts, this.camera.state().eye, this.camera.ray(u, v));
  }

  lookThere(event) {
    const found = this.partAt(event.offsetX, event.offsetY);
    if (found === null) return;
    this.camera.target = Mat.point(found.part.matrix, found.part.geometry.centre);
    this.redraw();
  }

  setHover(hover) {
    this.hover = hover;
    this.tooltip.show(this.hover, this.pointer);
    this.redraw();
  }

  // ---------------------------------------------------------------- keys

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isControl = ["INPUT", "SELECT", "BUTTON", "SUMMARY"].includes(event.target.tagName);
    if (isControl && FOR_CONTROLS.includes(event.key) && event.target.id !== "time") return;
    const many = event.shiftKey ? 10 : 1;
    const actions = {
      " ": () => this.setPlaying(!this.isPlaying),
      ArrowLeft: () => this.step(-many),
      ArrowRight: () => this.step(many),
      Home: () => this.setTime(this.robot.start),
      End: () => { this.setPlaying(false); this.setTime(this.robot.end); },
      "+": () => this.setSpeed(1),
      "-": () => this.setSpeed(-1),
      r: () => this.resetView(),
      1: () => this.look(0, 0.05),
      2: () => this.look(-Math.PI / 2, 0.05),
      3: () => this.look(-Math.PI / 2, 1.55),
      s: () => this.toggle("skeleton"),
      v: () => this.toggle("visual"),
      c: () => this.toggle("collision"),
      o: () => this.toggle("shadow"),
      l: () => this.toggle("labels"),
      f: () => this.toggle("follow"),
      j: () => this.foldJoints(),
      m: () => this.setTime(this.robot.time),
      t: () => this.flipTheme(),
      "?": () => this.flipHelp(),
      Escape: () => this.flipHelp(true),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  // ---------------------------------------------------------------- the picture

  resized() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const pixels = (size) => Math.max(Math.round(size * ratio), 1);
    const [width, height] = [pixels(this.canvas.clientWidth), pixels(this.canvas.clientHeight)];
    if (this.canvas.width === width && this.canvas.height === height) return;
    Object.assign(this.canvas, { width, height });
    if (!this.hasSize) this.camera.reset(); // only now it is known how far the eye must be
    this.hasSize = true;
    this.redraw();
  }

  jointPlace(joint) {
    return Mat.place(this.robot.links[joint.child].matrix);
  }

  // Pixels of the page, or null behind the eye.
  onScreen(point) {
    const [x, y, , w] = Mat.project(this.camera.state().matrix, point);
    return w > 0 ? [((x + 1) / 2) * this.canvas.clientWidth, ((1 - y) / 2) * this.canvas.clientHeight] : null;
  }

  redraw() {
    if (this.isWaiting || !this.robot) return;
    this.isWaiting = true;
    const attempt = () => {
      if (this.renderer.isBusy) {
        requestAnimationFrame(attempt);
        return;
      }
      this.isWaiting = false;
      this.draw();
    };
    requestAnimationFrame(attempt);
  }

  draw() {
    const theme = THEMES[this.theme];
    const bounds = this.robot.boundsNow();
    const { joint, link } = this.hover ?? {};
    const highlighted = link ? link.number : joint?.child;
    const solids = this.robot.parts.filter((part) => this.isShown(part)).map((part) => ({
      geometry: part.geometry,
      matrix: part.matrix,
      colour: part.role === "visual" ? this.robot.colourOf(part) : [...part.colour.slice(0, 3), ALPHA[part.role]],
      isHighlighted: part.link === highlighted,
    }));
    const skeleton = this.shows.skeleton ? Marks.skeleton(this.robot, this.bone, theme, joint, this.shows.shadow) : [];
    const marks = [...Marks.axes(this.robot, this.bone), ...skeleton];
    const cell = Marks.cell(this.camera.home.radius);
    this.renderer.draw({ camera: this.camera.state(), theme, solids, marks, bounds, floor: this.robot.floor, cell });
    this.panel.show(joint ?? link?.joint);
    this.holding.show(link);
    this.labels.show(this.shows.labels, (each) => this.onScreen(this.jointPlace(each)));
    if (this.isPlaying) this.tooltip.show(this.hover, this.pointer);
    document.documentElement.dataset.drawn = this.renderer.name;
  }
}

window.viewer = new Viewer(JSON.parse(Page.find("robot-data").textContent));
