/**
 * The road before the car, to touch: driving is up, every space is as large as a finger.
 *
 * A touch on an end puts a ghost there and asks once; held, it confirms as it is let go. A touch on any other
 * space asks the referee which rule that would break, and offers to ask the table. Where the numbers come from: drawing/road.py.
 */

import { byId, draw, make } from "../dom.js";
import { paint } from "../paint.js";
import { say } from "../words.js";
import { withRules } from "../rules.js";

const section = byId("road");
const bar = byId("ghost");
const LEAST_PX = 48; // a space is never lower than a finger is wide
const HOLD_MS = 600;
const ABOVE_PX = 44; // left free above the farthest end

let shown = ""; // the road in the page, as JSON
let acts = {};
let ghost = null;
let asking = 0;
let talkedOf = ""; // the space of the end that is touched

const box = ([, x, y, width, height, kind]) =>
  draw("rect", { class: `cell cell-${kind}`, x, y, width, height, rx: 14 });

function token({ seat, x, y }, className = "") {
  return draw("g", { class: `token car-${seat} ${className}`, "data-seat": seat, transform: `translate(${x} ${y})` },
    draw("path", { d: "M -26 -20 L 0 -48 L 26 -20 Z" }),
    draw("circle", { r: 34 }),
    text(seat, { y: 13 }));
}

function text(content, attributes) {
  const element = draw("text", { "text-anchor": "middle", ...attributes });
  element.textContent = content;
  return element;
}

/** The cheapest of the ends on each space: what a touch there means first. */
function firstOf(ends) {
  const best = new Map();
  const price = ({ mark, cost, brakes }) =>
    (mark === "out" ? 1000 : 0) + Object.values(cost).reduce((sum, n) => sum + n, 0) * 10 + brakes;
  for (const end of ends) {
    if (!best.has(end.to) || price(end) < price(best.get(end.to))) best.set(end.to, end);
  }
  return [...best.values()];
}

/** An end as the cap of a key: its color is its price, its number the button that gives it. */
function cap(end, ends) {
  const here = ends.filter((one) => one.to === end.to);
  const group = draw("g", {
    class: `end end-${end.mark}`, role: "button", tabindex: 0, "data-to": end.to,
    transform: `translate(${end.x} ${end.y})`,
    "aria-label": `${end.name}, ${end.says}${end.button ? `, ${say("button {n}", { n: end.button })}` : ""}`,
  },
  draw("rect", { class: "target", x: -50, y: -50, width: 100, height: 100 }),
  draw("rect", { class: "cap", x: -42, y: -40, width: 84, height: 80, rx: 18 }),
  ...(end.button ? [text(end.button, { class: "number", y: end.short ? 2 : 16 })] : []),
  text(end.short, { class: end.button ? "price" : "number", y: end.button ? 32 : 16 }));
  const touch = (isByKey) => { if (group.isConnected) touchEnd(here, isByKey); };
  let since = 0;
  let arming = 0;
  const letGo = () => { clearTimeout(arming); group.classList.remove("armed"); };
  group.addEventListener("pointerdown", (event) => {
    since = event.timeStamp;
    touch(false);
    arming = setTimeout(() => group.classList.add("armed"), HOLD_MS);
  });
  group.addEventListener("pointerup", (event) => {
    letGo();
    if (since && event.timeStamp - since >= HOLD_MS) confirm(end);
  });
  group.addEventListener("pointercancel", () => { letGo(); since = 0; });
  group.addEventListener("pointerleave", () => { letGo(); since = 0; });
  group.addEventListener("contextmenu", (event) => event.preventDefault());
  group.addEventListener("click", (event) => { if (!event.pointerType) touch(true); });
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch(true);
  });
  return group;
}

function plate({ name, stops, turns, y, height }, width) {
  const arrow = turns === "left" ? "↰" : "↱";
  const label = draw("text", { class: "corner", transform: `translate(${width - 14} ${y + height / 2}) rotate(-90)`, "text-anchor": "middle" });
  label.textContent = `${arrow} ${name} · ${stops}`;
  return label;
}

function pictureOf(road) {
  const margin = 70; // beside the lanes, for the names of the corners
  const width = road.width + margin;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${road.height}`, class: "road-picture", role: "group" });
  const cells = road.cells.map((cell) => {
    const element = box(cell);
    if (road.asked) element.addEventListener("click", () => touchSpace(cell));
    return element;
  });
  const line = road.line === null ? []
    : [draw("path", { class: "finish", d: `M 8 ${road.line} H ${road.width}` })];
  svg.append(
    ...cells, ...line,
    ...road.corners.map((corner) => plate(corner, width)),
    ...road.debris.map(({ x, y }) => draw("path", { class: "debris", transform: `translate(${x} ${y})`, d: "M -20 -20 L 20 20 M 20 -20 L -20 20 M 0 -28 V 28 M -28 0 H 28" })),
    ...road.cars.map((car) => token(car)),
    ...(road.car ? [token({ seat: road.seat, ...road.car }, "own")] : []),
    ...firstOf(road.ends).map((end) => cap(end, road.ends)),
    draw("g", { class: "ghost-place" }),
  );
  return { svg, width };
}

/* -- the ghost -------------------------------------------------------------- */

function putGhost(at) {
  const place = section.querySelector(".ghost-place");
  if (!place) return;
  place.replaceChildren(...(at ? [token({ seat: ghost.seat, ...at }, "ghost")] : []));
}

function tell(...children) {
  bar.replaceChildren(...children);
  document.body.classList.toggle("has-ghost", children.length > 0);
  bar.hidden = children.length === 0;
}

function button(label, className, act) {
  const element = make("button", { type: "button", className }, label);
  element.addEventListener("click", async () => {
    element.disabled = true;
    await act();
    element.disabled = false;
  });
  return element;
}

const drop = () => { asking += 1; putGhost(null); tell(); };

/** The ghost is taken away again; the focus goes back to the end it stood on. */
function leave() {
  drop();
  section.querySelector(`[data-to="${CSS.escape(talkedOf)}"]`)?.focus();
}

function cancel() {
  const element = button("✕", "quiet", leave);
  element.ariaLabel = say("Cancel");
  return element;
}

const confirm = (end) =>
  acts.answer({ [ghost.asked]: { to: end.to, brakes: end.brakes }, version: ghost.version });

/** One way to pay for the place that is talked of; its name tells both to who cannot see the ghost. */
function confirmButton(end, isOnly) {
  const element = button(isOnly ? say("Here") : end.says, `go end-${end.mark}`, () => confirm(end));
  element.ariaLabel = `${say("Here")}, ${end.says}`;
  return element;
}

/** A ghost on an end: its name, its price, and one confirm for each way to pay; without a finger the focus goes there. */
function touchEnd(ends, isByKey = false) {
  asking += 1;
  talkedOf = ends[0].to;
  putGhost(ends[0]);
  const sorted = [...ends].sort((a, b) => a.brakes - b.brakes);
  tell(
    make("p", {}, make("strong", {}, ends[0].name), ` ${sorted.length === 1 ? sorted[0].says : ""}`,
      make("small", {}, ` ${say("(hold the space: at once)")}`)),
    make("div", { className: "confirm" },
      ...sorted.map((end) => confirmButton(end, sorted.length === 1)),
      cancel()));
  if (isByKey) bar.querySelector(".go").focus();
}

/** The way that was meant, with the step that breaks, and the one to the nearest end beside it. */
function drawWays({ ways = [], at = [] }) {
  const middle = new Map(ghost.cells.map(([id, x, y, width, height]) => [id, [x + width / 2, y + height / 2]]));
  const lines = ways.map((way, nth) => draw("polyline", {
    class: nth ? "way" : "way meant", points: way.map((id) => middle.get(id)).filter(Boolean).join(" ") }));
  const [cx, cy] = (ways.length && middle.get(at[0])) || [];
  const broken = cx === undefined ? [] : [draw("circle", { class: "broken", cx, cy, r: 44 })];
  section.querySelector(".ghost-place").prepend(...lines, ...broken);
}

/** A ghost on any other space: which rule it breaks, and whether the table shall agree. */
async function touchSpace([to, x, y, width, height]) {
  const turn = ++asking;
  talkedOf = to;
  putGhost({ x: x + width / 2, y: y + height / 2 });
  tell(make("p", {}, "…"));
  const told = await acts.explain({ [ghost.asked]: { to, brakes: 0 } });
  if (turn !== asking) return;
  const name = told.place?.[document.documentElement.lang] ?? to;
  const rule = told.explain?.rules?.[0];
  const why = told.say ?? "";
  drawWays(told.explain ?? {});
  tell(
    make("p", {}, make("strong", {}, name), ` ${why}`, " ", ...withRules(rule ?? "")),
    make("div", { className: "confirm" },
      button(say("Ask the table"), "go end-costly", () => acts.elsewhere(to)), cancel()));
}

/* -- the whole -------------------------------------------------------------- */

/** Bring the ends into sight, or the place that is talked of. */
function scroll(road, scale) {
  const wanted = road.ghost ? [road.ghost] : road.ends.length ? road.ends : [road.car];
  const ys = wanted.filter(Boolean).map(({ y }) => y * scale);
  if (!ys.length) return;
  const top = Math.min(...ys);
  const middle = (top + Math.max(...ys)) / 2;
  // Ends without brakes are the farthest: those are in sight, whatever else is.
  section.scrollTop = Math.min(middle - section.clientHeight / 2, top - ABOVE_PX);
}

/** Show the road of a view, with what a touch can do; hidden where there is none. */
export function showRoad(view, actions) {
  const road = view.map;
  acts = actions;
  section.hidden = !road;
  document.body.classList.toggle("has-road", Boolean(road));
  const told = JSON.stringify(road);
  if (told === shown) return;
  shown = told;
  drop();
  if (!road) return section.replaceChildren();
  ghost = road;
  paint(Object.entries(road.colors).map(([seat, color]) => ({ seat, color })));
  const { svg, width } = pictureOf(road);
  section.replaceChildren(svg);
  const scale = Math.max(section.clientWidth / width, LEAST_PX / 100);
  const px = Math.min(scale, 0.9);
  svg.style.width = `${width * px}px`;
  svg.style.height = `${road.height * px}px`;
  if (road.ghost) putGhost(road.ghost);
  scroll(road, px);
}
