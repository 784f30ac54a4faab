"use strict";
// The list of joints, the notes and the labels. Names are set as text and never as markup.

const KINDS = {
  revolute: "#1b7fc4",
  continuous: "#0e9a76",
  prismatic: "#d2691e",
  planar: "#8a5cc0",
  floating: "#c04a7e",
  fixed: "#8b95a1",
  unknown: "#d03030",
};

const Page = {
  find: (id) => document.getElementById(id),

  element(tag, className, text = "") {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  },

  colour: (kind) => [1, 3, 5].map((at) => parseInt(KINDS[kind].slice(at, at + 2), 16) / 255),
};

class JointPanel {
  constructor(robot, hovered, moved) {
    this.rows = new Map();
    this.moved = robot.isCell ? null : moved; // tools would stay where they are
    const box = Page.find("joint-rows");
    for (const joint of robot.joints) {
      if (!joint.freedoms || joint.shadows !== null) continue;
      const row = Page.element("div", joint.freedoms > 1 ? "joint wide" : "joint");
      row.style.setProperty("--kind", KINDS[joint.type]);
      row.dataset.joint = joint.name;
      const line = row.appendChild(Page.element("div", "joint-line"));
      const name = line.appendChild(Page.element("span", "joint-name", joint.name));
      name.title = `${joint.name} (${JointPanel.about(joint)})`;
      const value = line.appendChild(Page.element("span", "joint-value"));
      const number = value.appendChild(Page.element("span", "joint-number"));
      const degrees = value.appendChild(Page.element("span", "joint-degrees"));
      const compared = joint.shadow === null ? null : row.appendChild(Page.element("div", "joint-shadow"));
      const sliders = joint.ranges.map((range, index) => this.slider(row, joint, index));
      row.addEventListener("pointerenter", () => hovered(joint));
      row.addEventListener("pointerleave", () => hovered(null));
      box.append(row);
      this.rows.set(joint, { row, number, degrees, compared, sliders });
    }
    if (!this.rows.size) box.append(Page.element("div", "joint", "None of them moves."));
  }

  // It shows a value between its ends, and is moved by hand. What follows other joints moves with them only.
  slider(row, joint, index) {
    const slider = row.appendChild(Page.element("input", "joint-slider"));
    const [low, high] = joint.ranges[index];
    const isTurn = Robot.isTurning(joint) || index >= (joint.type === "planar" ? 2 : 3);
    Object.assign(slider, { type: "range", min: low, max: high, step: "any", name: "joint" });
    slider.disabled = this.moved === null || joint.follows !== null || low === high;
    slider.title = `from ${low.toPrecision(4)} to ${high.toPrecision(4)} ${isTurn ? "rad" : "m"}`;
    slider.setAttribute("aria-label", joint.freedoms > 1 ? `${joint.name} ${index + 1}` : joint.name);
    slider.addEventListener("input", () => this.moved(joint, index, Number(slider.value)));
    return slider;
  }

  static about(joint) {
    return joint.follows === null ? joint.type : `${joint.type}, follows ${joint.follows.name}`;
  }

  // The value in the other run, and how much more it is.
  static comparison({ type, value, shadow, freedoms }) {
    const text = Robot.valueText(shadow);
    if (freedoms > 1) return text;
    const more = shadow.value[0] - value[0];
    return `${text}  (${more < 0 ? "−" : "+"}${Math.abs(more).toFixed(type === "prismatic" ? 4 : 3)})`;
  }

  // A turn without ends is shown between half a turn back and half a turn on.
  static shownValue(joint, index) {
    const value = joint.value[index];
    return joint.type === "continuous" ? value - 2 * Math.PI * Math.round(value / (2 * Math.PI)) : value;
  }

  show(highlighted) {
    for (const [joint, { row, number, degrees, compared, sliders }] of this.rows) {
      number.textContent = Robot.valueText(joint);
      degrees.textContent = Robot.isTurning(joint) ? `  ${Robot.degreesText(joint)}` : "";
      if (compared !== null) compared.textContent = JointPanel.comparison(joint);
      row.classList.toggle("violated", Robot.isViolated(joint));
      row.classList.toggle("moving", joint.isMoving);
      row.classList.toggle("shown", joint === highlighted);
      sliders.forEach((slider, index) => { slider.value = JointPanel.shownValue(joint, index); });
    }
  }
}

// What is held, and by whom, in the list of joints; each with the colour of who holds it.
class HoldingPanel {
  constructor(robot, hovered) {
    this.robot = robot;
    if (robot.held.length) Page.find("joints").querySelector("h2 span").textContent = "Joints and tools";
    this.rows = robot.held.map(({ link }) => {
      const row = Page.find("joint-rows").appendChild(Page.element("div", "joint held"));
      row.dataset.held = link.name;
      const line = row.appendChild(Page.element("div", "joint-line"));
      line.appendChild(Page.element("span", "joint-name", link.name));
      const value = line.appendChild(Page.element("span", "joint-value"));
      row.addEventListener("pointerenter", () => hovered(link));
      row.addEventListener("pointerleave", () => hovered(null));
      return { link, row, value };
    });
  }

  static about(robot, link) {
    if (robot.held.some((each) => each.link === link)) return link.holder ? `held by ${link.holder.name}` : "free";
    const held = robot.held.filter((each) => each.link.holder === link).map((each) => each.link.name);
    return held.length ? `holds ${held.join(", ")}` : "";
  }

  show(highlighted) {
    for (const { link, row, value } of this.rows) {
      value.textContent = HoldingPanel.about(this.robot, link);
      const [red, green, blue] = this.robot.colourOf(link.parts[0]).map((part) => Math.round(255 * part));
      row.style.setProperty("--kind", `rgb(${red}, ${green}, ${blue})`);
      row.classList.toggle("shown", link === highlighted);
    }
  }
}

class Labels {
  constructor(robot) {
    this.box = Page.find("labels");
    this.spans = robot.joints.filter((joint) => joint.freedoms && joint.shadows === null).map((joint) => {
      const span = this.box.appendChild(Page.element("span", "", joint.name));
      return { joint, span };
    });
  }

  show(isOn, placeOf) {
    this.box.hidden = !isOn;
    if (!isOn) return;
    for (const { joint, span } of this.spans) {
      const at = placeOf(joint);
      span.hidden = at === null;
      if (at !== null) span.style.transform = `translate(${at[0] + 8}px, ${at[1] - 22}px)`;
    }
  }
}

const Notes = {
  fill(notes, missing) {
    const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    Page.find("notes").hidden = notes.length === 0;
    const about = missing ? `${counted(missing, "shape")} can't be shown · ` : "";
    Page.find("notes-count").textContent = about + counted(notes.length, "note");
    for (const note of notes) Page.find("notes-list").append(Page.element("li", "", note));
  },
};
