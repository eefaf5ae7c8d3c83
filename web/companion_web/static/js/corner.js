/**
 * A corner on the board's own drawing: its spaces to touch, its arrows and pairs on top.
 *
 * Spaces go by their whole names here (`T1.l3`); a track file leaves the corner's own out.
 */

import { draw } from "./dom.js";

const ROOM_UNITS = 14; // around the corner: the last spaces before it and the first after
const HEAD_UNITS = 2.2;
const REACH_UNITS = 30; // two spaces side by side are no farther apart than this

/** `l3` of T1 as `T1.l3`, and back. */
export const whole = (section, name) => (name.includes(".") ? name : `${section}.${name}`);
export const short = (section, name) =>
  name.startsWith(`${section}.`) ? name.slice(section.length + 1) : name;

const lane = (space) => space.split(".")[1][0];
const sectionOf = (space) => space.split(".")[0];

export class CornerPicture {
  /** `onPick(from, to)` is called with two neighbours that were touched one after the other. */
  constructor(frame, lanes, onPick) {
    this.frame = frame;
    this.lanes = lanes;
    this.onPick = onPick;
    this.picked = null;
    frame.addEventListener("click", (event) => this.touch(event.target.dataset?.space));
    frame.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.touch(event.target.dataset?.space);
    });
  }

  /** Take the drawing of a board. */
  load(text) {
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml");
    this.svg = document.importNode(drawn.documentElement, true);
    this.frame.replaceChildren(this.svg);
    this.cells = new Map(); // space → its cell and the middle of it
    for (const cell of this.svg.querySelectorAll("[data-space]")) {
      const { space, x, y } = cell.dataset;
      if (space.includes(".")) this.cells.set(space, { cell, at: [Number(x), Number(y)] });
    }
  }

  /** Show one corner, its neighbours before and after it; `around` are the three sections. */
  show(corner, around, mode) {
    this.corner = corner;
    this.around = around;
    this.mode = mode;
    this.frame.classList.toggle("is-beside", mode === "beside");
    this.own = [...this.cells.keys()].filter((space) => sectionOf(space) === corner.section);
    this.ours = new Set([...this.cells.keys()].filter((space) => this.isOurs(space)));
    for (const space of this.cells.keys()) this.look(space);
    this.svg.querySelectorAll(".links").forEach((old) => old.remove());
    this.svg.querySelector(".marks").before(this.links());
    this.zoom();
  }

  /** A space of the corner, or one of its neighbours' that a pair may reach. */
  isOurs(space) {
    if (sectionOf(space) === this.corner.section) return true;
    return this.around.includes(sectionOf(space)) && this.own.some((own) => this.isNear(own, space));
  }

  isNear(one, other) {
    const [[x, y], [a, b]] = [this.at(one), this.at(other)];
    return Math.hypot(a - x, b - y) < REACH_UNITS;
  }

  at(space) {
    return this.cells.get(space).at;
  }

  look(space) {
    const { cell } = this.cells.get(space);
    const isOurs = this.ours.has(space);
    cell.classList.toggle("ours", isOurs);
    cell.classList.toggle("picked", space === this.picked);
    cell.classList.toggle("can", Boolean(this.picked) && isOurs && this.canEnd(space));
    if (isOurs) {
      cell.setAttribute("tabindex", "0");
      cell.setAttribute("role", "button");
      cell.setAttribute("aria-label", space);
    } else {
      cell.removeAttribute("tabindex");
    }
  }

  /** Whether the space picked first could lead to, or lie beside, this one. */
  canEnd(space) {
    const apart = this.lanes.indexOf(lane(space)) - this.lanes.indexOf(lane(this.picked));
    const isNear = this.isNear(this.picked, space);
    const sections = [sectionOf(this.picked), sectionOf(space)];
    const touches = sections.includes(this.corner.section);
    if (this.mode === "beside") return Math.abs(apart) === 1 && isNear && touches;
    const leads = sections[0] === this.corner.section && sections[1] !== this.around[0];
    return Math.abs(apart) === 1 && isNear && leads;
  }

  touch(space) {
    if (!this.ours.has(space)) return;
    const from = this.picked;
    const isPair = from && from !== space && this.canEnd(space);
    this.picked = isPair || from === space ? null : space;
    for (const other of this.ours) this.look(other);
    if (isPair) this.onPick(from, space);
    else this.onPick(this.picked, null);
  }

  links() {
    const pairs = this.corner.beside.map((pair) => this.line(pair.split("|"), false));
    const arrows = this.corner.changes.map((arrow) => this.line(arrow.split(">"), true));
    return draw("g", { class: "links" },
      draw("path", { class: "pairs-drawn", d: pairs.join("") }),
      draw("path", { class: "arrows-drawn", d: arrows.join("") }),
      draw("g", { class: "numbers" }, ...this.numbers()));
  }

  line(names, hasHead) {
    const ends = names.map((name) => whole(this.corner.section, name));
    if (!ends.every((space) => this.cells.has(space))) return "";
    const [[x, y], [a, b]] = ends.map((space) => this.at(space));
    const heading = Math.atan2(b - y, a - x);
    const point = (part) => [x + (a - x) * part, y + (b - y) * part];
    const [from, to] = [point(0.22), point(0.78)];
    const shaft = `M${from}L${to}`;
    if (!hasHead) return shaft;
    const barb = (turn) => [
      to[0] - HEAD_UNITS * Math.cos(heading + turn), to[1] - HEAD_UNITS * Math.sin(heading + turn),
    ];
    return `${shaft}M${barb(0.5)}L${to}L${barb(-0.5)}`;
  }

  numbers() {
    return this.own.map((space) => {
      const [x, y] = this.at(space);
      return draw("text", { x, y: y + 1 }, short(this.corner.section, space));
    });
  }

  zoom() {
    const places = this.own.map((space) => this.at(space));
    const [xs, ys] = [places.map((at) => at[0]), places.map((at) => at[1])];
    const [left, top] = [Math.min(...xs) - ROOM_UNITS, Math.min(...ys) - ROOM_UNITS];
    const [right, bottom] = [Math.max(...xs) + ROOM_UNITS, Math.max(...ys) + ROOM_UNITS];
    this.svg.setAttribute("viewBox", [left, top, right - left, bottom - top].join(" "));
  }
}
