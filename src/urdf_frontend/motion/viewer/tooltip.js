"use strict";
// What is said about the joint or link under the pointer.

class Tooltip {
  constructor(robot) {
    this.robot = robot;
    this.box = Page.find("tooltip");
  }

  show(hover, pointer) {
    const tooltip = this.box;
    tooltip.hidden = hover === null || pointer === null;
    if (tooltip.hidden) return;
    const { joint, link } = hover;
    const [title, ...lines] = joint ? this.jointLines(joint) : this.linkLines(link);
    tooltip.replaceChildren(Page.element("b", "", title), ...lines.map((line) => Page.element("small", "", line)));
    const [x, y] = pointer;
    const { clientWidth, clientHeight } = tooltip.parentElement;
    tooltip.style.left = `${Math.min(x + 14, clientWidth - tooltip.offsetWidth - 8)}px`;
    tooltip.style.top = `${Math.max(Math.min(y + 14, clientHeight - tooltip.offsetHeight - 8), 8)}px`;
  }

  jointLines(joint) {
    const { links } = this.robot;
    const value = [Robot.valueText(joint), Robot.degreesText(joint)].filter(Boolean).join("  ");
    const ends = `${links[joint.parent].name} → ${links[joint.child].name}`;
    return [`joint ${joint.name}`, JointPanel.about(joint), ends, value].filter(Boolean);
  }

  linkLines(link) {
    const { joint, kind } = link;
    if (kind !== null) return [`${kind} ${link.name}`, HoldingPanel.about(this.robot, link)].filter(Boolean);
    if (joint === null) return [`link ${link.name}`, "root of the robot"];
    const value = joint.freedoms ? `: ${Robot.valueText(joint)}` : "";
    return [`link ${link.name}`, `on joint ${joint.name} (${JointPanel.about(joint)})${value}`];
  }
}
