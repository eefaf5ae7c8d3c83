/**
 * The road before the car, to touch: driving is up, lanes stand side by side, every end is as large as a finger.
 *
 * With the gear chosen it shows where each face of the die may end: touching a space tells the die too. Three
 * shapes: a white square is free, amber with two cut corners costs, a red octagon spins or puts out. Only what is
 * dear is asked once more. A touch on any other space asks the referee which rule that would break, and offers to
 * ask the table. Where the numbers come from: drawing/road.py.
 */

import { keepFocus } from "../arrows.js";
import { carShape } from "../car.js";
import { byId, draw, make } from "../dom.js";
import { paint } from "../paint.js";
import { withRules } from "../rules.js";
import { say } from "../words.js";
import { die, text } from "./shapes.js";

const section = byId("road");
const sheet = byId("sheet");
const FINGER_PX = 44;
const SPACE = 96; // units of a space of a straight, without the gap
const MOST_PX = 76; // a space is never higher
const TWO_PX = 72; // so wide, an end has room for a price and a face side by side
const NAMES_PX = 24; // beside the lanes, for the names of the corners
const BELOW_PX = 6;

let shown = ""; // the road in the page, as JSON
let acts = {};
let road = null;
let asking = 0;
let scale = { x: 1, y: (y) => y };

const isSpin = ({ short }) => short === "↻";
const isBad = (end) => end.mark === "out" || isSpin(end);

/** What is posted for an end: the move, and before the die is told that too. */
function answerOf(end, asked = road.asked) {
  const move = { to: end.to, brakes: end.brakes };
  return asked === "roll" ? [{ roll: end.roll }, { move }] : { [asked]: move };
}

const told = (answer) => JSON.stringify(answer);

/* -- the picture ------------------------------------------------------------ */

/** The outline of an end by what it costs. */
function outline(end, w, h) {
  const [x, y] = [w / 2, h / 2];
  const cut = Math.min(x, y) * (isBad(end) ? 0.55 : 0.42);
  const corners = isBad(end)
    ? [[-x + cut, -y], [x - cut, -y], [x, -y + cut], [x, y - cut], [x - cut, y], [-x + cut, y], [-x, y - cut], [-x, -y + cut]]
    : [[-x, -y], [x - cut, -y], [x, -y + cut], [x, y], [-x + cut, y], [-x, y - cut]];
  return end.mark === "free"
    ? draw("rect", { class: "cap", x: -x, y: -y, width: w, height: h, rx: 9 })
    : draw("polygon", { class: "cap", points: corners.join(" ") });
}

/** Whether the own car stands there: braked to nothing it stays. Then both have half of the space. */
const isStaying = (end) => Boolean(road.car) && Math.hypot(end.x - road.car.x, end.y - road.car.y) < SPACE / 4;

/** An end: what it costs is the big thing, the face that leads there the small one. Two faces that lead there for
 * the same price have a half each, where both are as wide as a finger. */
function endsOf(ends, height) {
  const [first] = ends;
  const width = 100 * scale.x;
  const other = ends.find(({ roll, says }) => roll !== first.roll && says === first.says);
  if (!other || first.dear || width < 2 * FINGER_PX) return [endOf(ends, height, width, 0)];
  return [first, other].sort((one, two) => one.roll - two.roll).map((end, n) =>
    endOf([end, ...ends.filter((way) => way !== end)], height, width / 2, (n - 0.5) * (width / 2)));
}

function endOf(ends, height, width, aside) {
  const [end] = ends;
  const sign = end.short || (end.roll ?? "✓");
  const hasTwo = end.short && end.roll !== null;
  const besides = isStaying(end) ? width / 6 : 0;
  const isStacked = hasTwo && (aside || besides || width < TWO_PX);
  const faces = [...new Set(ends.map(({ roll }) => roll).filter((roll) => roll !== null))];
  const rolled = faces.length ? `${faces.join(say(" or "))}: ` : "";
  const group = draw("g", {
    class: `end end-${isSpin(end) ? "spin" : end.mark}`, role: "button", tabindex: 0, "data-to": end.to,
    "data-answer": told(answerOf(end)), transform: `translate(${end.x * scale.x + aside} ${scale.y(end.y)})`,
    "aria-label": `${rolled}${end.name}, ${end.says}`, ...(end.dear ? { "aria-haspopup": "true" } : {}),
  },
  draw("rect", { class: "target", x: -width / 2, y: -height / 2, width, height }),
  outline(end, Math.min(width - (aside ? 3 : 8), 92), height - 5),
  text(sign, isStacked ? { class: "sign is-small", x: besides, y: -1 } : { class: "sign", x: hasTwo ? -width / 8 : besides, y: 8 }),
  ...(hasTwo ? [text(end.roll, { class: "face", x: isStacked ? besides : width / 4 + 1, y: isStacked ? 16 : 7 })] : []));
  const touch = (event) => { if (group.isConnected) touchEnd(ends, event.type === "keydown"); };
  group.addEventListener("click", touch);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch(event);
  });
  return group;
}

/** All ways to each space, the cheapest first. */
function bySpace(ends) {
  const found = new Map();
  for (const end of ends) found.set(end.to, [...(found.get(end.to) ?? []), end]);
  return [...found.values()];
}

function plate({ name, stops, turns, y }, width) {
  const at = `translate(${width - 8} ${scale.y(y) + 8}) rotate(-90)`;
  return text(`${turns === "left" ? "↰" : "↱"} ${name} ${"○".repeat(stops)}`, { class: "corner", "text-anchor": "end", transform: at });
}

const token = ({ seat, x, y }, className = "") => draw("g", {
  class: `token car-${seat} ${className}`, "data-seat": seat, transform: `translate(${x * scale.x} ${scale.y(y)})`,
}, carShape(seat, { up: true }));

function pictureOf(width) {
  const lanes = road.width * scale.x;
  const svg = draw("svg", { class: "road-picture", role: "group", width, height: scale.y(road.height) });
  const heights = new Map(road.cells.map(([to, , y, , height]) => [to, scale.y(y + height) - scale.y(y)]));
  const kerb = (name) => road.corners.flatMap(({ y, height }) => [3, lanes - 1].map((x) =>
    draw("path", { class: name, d: `M${x} ${scale.y(y)}V${scale.y(y + height)}` })));
  svg.append(
    ...kerb("kerb-under"), ...kerb("kerb"),
    ...road.cells.map((cell) => {
      const [to, x, y, w, , kind] = cell;
      const element = draw("rect", { class: `cell cell-${kind}`, x: x * scale.x, y: scale.y(y), width: w * scale.x, height: heights.get(to), rx: 6 });
      if (road.asked) element.addEventListener("click", () => touchSpace(cell));
      return element;
    }),
    ...(road.line === null ? [] : [draw("path", { class: "line", d: `M4 ${scale.y(road.line)}H${lanes}` })]),
    ...road.corners.map((corner) => plate(corner, width)),
    ...pitOf(road),
    ...road.debris.map(({ x, y }) => text("✶", { class: "debris", x: x * scale.x, y: scale.y(y) + 10 })),
    ...bySpace(road.ends).flatMap((ends) => endsOf(ends, heights.get(ends[0].to))),
    ...road.cars.map((one) => token(one)),
    ...(road.car ? [token({ seat: road.seat, ...road.car, x: road.car.x - (road.ends.some(isStaying) ? 100 / 6 : 0) }, "own")] : []),
    draw("g", { class: "ghost-place" }));
  return svg;
}

/**
 * How high the road is drawn: so that all ends have room, but no end is ever lower than a finger. Where a bend
 * has short spaces the road is longer there, and nowhere else.
 */
function measure() {
  const width = section.clientWidth || 320;
  const ends = new Set(road.ends.map(({ to }) => to));
  const its = road.cells.filter(([to]) => ends.has(to));
  const [from, until] = [Math.min(...its.map(([, , y]) => y)), Math.max(...its.map(([, , y, , h]) => y + h))];
  const fits = its.length ? (section.clientHeight - 2 * BELOW_PX) / (until - from) : 1;
  const base = Math.min(Math.max(fits, FINGER_PX / SPACE), MOST_PX / SPACE);
  const edges = [...new Set([0, road.height, ...its.flatMap(([, , y, , h]) => [y, y + h])])].sort((a, b) => a - b);
  let at = 0;
  const stops = edges.map((y, n) => {
    const next = edges[n + 1] ?? y;
    const least = its.filter(([, , top, , h]) => top <= y && top + h >= next).map(([, , , , h]) => FINGER_PX / h);
    const stop = { y, at, by: Math.max(base, ...least) };
    at += (next - y) * stop.by;
    return stop;
  });
  const place = (y) => {
    const stop = stops.findLast((one) => one.y <= y) ?? stops[0];
    return stop.at + (y - stop.y) * stop.by;
  };
  scale = { x: (width - NAMES_PX) / road.width, y: place };
  return width;
}

/** The nearest end stands at the lower edge: what does not fit lies ahead; but once the die is told, the cheapest is in sight. */
function scroll() {
  const ends = new Set(road.ends.map(({ to }) => to));
  const lowest = Math.max(...road.cells.filter(([to]) => ends.has(to)).map(([, , y, , h]) => y + h));
  const at = road.ghost ? road.ghost.y + SPACE : ends.size ? lowest : (road.car?.y ?? 0) + SPACE;
  const nearest = scale.y(at) + BELOW_PX - section.clientHeight;
  const best = road.asked !== "roll" && road.ends.length && road.cells.find(([to]) => to === road.ends[0].to);
  section.scrollTop = best ? Math.min(nearest, scale.y(best[2]) - BELOW_PX) : nearest;
}

/* -- the ghost, and what is asked once more ---------------------------------- */

function putGhost(at) {
  section.querySelector(".ghost-place")?.replaceChildren(...(at ? [token({ seat: road.seat, ...at }, "ghost")] : []));
}

/** A sheet takes room from the road: the car that was put there is not to lie behind it, nor the step that breaks. */
function keepInSight() {
  const room = section.getBoundingClientRect();
  const all = [...section.querySelectorAll(".ghost, .broken")].map((one) => one.getBoundingClientRect());
  const behind = Math.max(...all.map(({ bottom }) => bottom)) - room.bottom;
  section.scrollTop += Math.max(0, Math.min(behind, ...all.map(({ top }) => top - room.top)));
}

/** Lay a sheet over the lower edge: what it says, then what may be touched; nothing takes it away. */
export function layOut(mark = "", ...children) {
  sheet.className = `sheet ${mark ? `is-${mark}` : ""}`;
  sheet.replaceChildren(...children);
  sheet.hidden = children.length === 0;
  document.body.classList.toggle("has-sheet", !sheet.hidden);
}

/** A button on the sheet. */
export function sheetButton(label, className, act, traits = {}) {
  const element = make("button", { type: "button", className, ...traits }, ...[label].flat());
  element.addEventListener("click", async () => {
    element.disabled = true;
    await act();
    element.disabled = false;
  });
  return element;
}

const drop = () => { asking += 1; putGhost(null); layOut(); };

const away = (label = say("Not here"), to = "") => sheetButton(label, "quiet", () => {
  drop();
  section.querySelector(`[data-to="${CSS.escape(to)}"]`)?.focus();
});

async function give(end, ways) {
  const [first, ...rest] = [answerOf(end)].flat();
  const { asked, version } = road;
  const body = rest.length ? [{ ...first, version }, ...rest] : { ...first, version };
  layOut();
  const gear = acts.gear();
  const all = ways.map((way) => ({ ...way, answer: answerOf(way, asked) }));
  await acts.answer(body, asked === "roll" ? { end: all[ways.indexOf(end)], gear, ways: all } : null);
}

const YES = { out: () => say("Yes, I am out"), spin: () => say("Yes, I spin"), costly: () => say("It stands here") };
const WARNS = { out: () => say("This puts your car out"), spin: () => say("Here your car spins") };

/** What is dear is asked once more, in its color and words; all ways to pay for a place that has several. */
function ask(ends, isByKey) {
  const [end] = ends;
  const mark = isSpin(end) ? "spin" : end.mark;
  putGhost(end);
  const ways = ends.filter((way, n) => ends.findIndex(({ says, roll }) => says === way.says && roll === way.roll) === n);
  layOut(mark,
    make("h2", {}, WARNS[mark]?.() ?? end.says),
    make("p", {}, [end.name, WARNS[mark] && end.says].filter(Boolean).join(" · ")),
    make("div", { className: "confirm" },
      ...ways.map((way, n) => {
        const which = ways.length > 1 && way.roll !== null ? [die(acts.gear(), way.roll)] : [];
        const words = n ? way.short || way.says : YES[isSpin(way) ? "spin" : way.mark]?.() ?? way.says;
        return sheetButton([...which, words], `${n ? "way" : "go"} is-${isSpin(way) ? "spin" : way.mark}`, () => give(way, [way]),
          { "data-answer": told(answerOf(way)), "aria-label": [way.roll, n ? way.says : words].filter(Boolean).join(": ") });
      }),
      away(undefined, end.to)));
  keepInSight();
  if (isByKey) sheet.querySelector(".go").focus();
}

/** A free end is answered by the touch; where one face can be had in two ways the cheaper is taken. */
function touchEnd(ends, isByKey) {
  asking += 1;
  const isLost = road.asked === "move" && road.ends.every(({ mark }) => mark === "out"); // the die has said so already
  if (ends[0].dear && !isLost) ask(ends, isByKey);
  else give(ends[0], ends);
}

/** What the lane beside the road is, on its first space where no car may end. */
function pitOf({ cells, ends }) {
  const [, x, y, w, height] = cells.find(([to, , , , , kind]) => kind === "p" && ends.every((end) => end.to !== to)) ?? [];
  return w ? [text(say("pit"), { class: "corner pit", "text-anchor": "middle", x: (x + w / 2) * scale.x, y: scale.y(y + height / 2) + 6 })] : [];
}

/** The way that was meant, with the step that breaks, and the one to the nearest end beside it. */
function drawWays({ ways = [], at = [] }) {
  const middle = new Map(road.cells.map(([id, x, y, width, height]) => [id, [(x + width / 2) * scale.x, scale.y(y + height / 2)]]));
  const lines = ways.map((way, nth) => draw("polyline", {
    class: nth ? "way" : "way meant", points: way.map((id) => middle.get(id)).filter(Boolean).join(" ") }));
  const [cx, cy] = (ways.length && middle.get(at[0])) || [];
  const broken = cx === undefined ? [] : [draw("circle", { class: "broken", cx, cy, r: FINGER_PX / 2 })];
  section.querySelector(".ghost-place").prepend(...lines, ...broken);
}

/** A ghost on any other space: which rule it breaks, and whether the table shall agree. */
async function touchSpace([to, x, y, width, height]) {
  if (road.asked === "roll") return acts.facesFirst(say("No roll of this die ends there. What does it show?"));
  const turn = ++asking;
  putGhost({ x: x + width / 2, y: y + height / 2 });
  const found = await acts.explain({ [road.asked]: { to, brakes: 0 } });
  if (turn !== asking || !road) return;
  drawWays(found.explain ?? {});
  layOut("costly",
    make("h2", {}, found.place?.[document.documentElement.lang] ?? to),
    make("p", {}, ...withRules([found.say, found.explain?.rules?.[0]].filter(Boolean).join(" "))),
    make("div", { className: "confirm" }, sheetButton(say("Ask the table"), "go is-costly", () => acts.elsewhere(to)), away(say("Cancel"), to)));
  keepInSight();
}

/* -- the whole -------------------------------------------------------------- */

/** The ends of a die that is told, as a list too. */
function listOf(list) {
  const ways = road && road.asked !== "roll" ? road.ends : [];
  list.hidden = ways.length === 0;
  list.replaceChildren(...ways.map((end) => {
    const button = make("button", { type: "button", "data-answer": told(answerOf(end)), "data-mark": end.mark },
      make("b", {}, end.name), make("span", { className: `price is-${isSpin(end) ? "spin" : end.mark}` }, end.says));
    button.addEventListener("click", () => touchEnd([end], true));
    return make("li", {}, button);
  }));
}

/** Show the road of a view, with what a touch can do; hidden where there is none, or the die comes first. */
export function showRoad(view, actions, isHidden) {
  const fresh = isHidden ? null : view.map;
  acts = actions;
  section.hidden = !fresh;
  document.body.classList.toggle("has-road", Boolean(fresh));
  const now = JSON.stringify(fresh);
  if (now === shown) return;
  shown = now;
  drop();
  road = fresh;
  listOf(byId("ends"));
  if (!road) return section.replaceChildren();
  paint(Object.entries(road.colors).map(([seat, color]) => ({ seat, color })));
  section.replaceChildren(pictureOf(measure()));
  if (road.ghost) putGhost(road.ghost);
  scroll();
}

let size = "";
new ResizeObserver(() => {
  const now = `${section.clientWidth} ${section.clientHeight}`;
  // A sheet over the lower edge leaves the road as it is: what was touched stays where it was.
  if (!road || now === size || !sheet.hidden) return;
  size = now;
  keepFocus(document.body, () => section.replaceChildren(pictureOf(measure())));
  if (road.ghost) putGhost(road.ghost);
  scroll();
}).observe(section);
