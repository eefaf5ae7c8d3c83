/**
 * The circuit with every car, the debris, and where the car on turn may end.
 *
 * A page that `follows` looks at the car that moves, drawn as a car with its driver's name, and has the
 * whole circuit small in a corner, where cars are discs; the others look at the whole of it, or close.
 */

import { boxOf, closeBox, panTo, scaleOf, stopPanning } from "./camera.js";
import { carShape } from "./car.js";
import { draw, make } from "./dom.js";
import { fanOut } from "./fan.js";
import { keysOf, placeKeys } from "./keycaps.js";
import { get } from "./net.js";
import { nameOf } from "./race.js";
import { nameCorners, streetSigns } from "./signs.js";
import { say } from "./words.js";

const CAR_PX = 7; // the least radius of a car on a phone; a little more on larger screens
const PX_PER_CAR_PX = 640;
const CAR_UNITS = [4.6, 9]; // and what it may be in units of the drawing
const TV_CAR_PX = 19; // the radius on a television, at 1920 pixels of width
const NAME_PX = 22; // a name is no larger in the close view
const NAME_UNITS = 14; // nor in the whole one than its place was made for
const DISC = 11; // of the drawing of a car, with its rim
const WIDE_PX = 1000; // a page so wide follows, too
const NARROW_PX = 600; // a board narrower than this begins with the close view
const FOLLOW_MS = 2500; // how long it stays with a car that has moved before it looks at the next
const CAR_LENGTH = 64; // of the drawing of a car in its own units
const AUTO_UNITS = 9.6; // and on the road, where a space is 10 long
const AUTO_PX = [36, 48]; // but no less than this: of a television with 1920 pixels, of a page
const LABEL_PX = 32;
const DOT_PX = 15; // the radius of a car in the small circuit

let loaded = null; // the track whose drawing is in the page
let svg = null;
let latest = null;
let whole = null; // the whole drawing's viewBox
let isClose = null; // null until somebody or the width of the screen has chosen
let isTelevision = false;
let follows = false; // the close view goes with the car that moves, and the whole circuit is an inset
let inset = null; // the whole circuit, small
let followed = { seat: null, until: 0, asked: null }; // the car that is looked at, and for how long
let came = null; // { seat, space }: where the last move came from
const cars = new Map(); // seat → its group in the drawing
const spaces = new Map(); // seat → the space it was last seen on

async function load(track, section, address) {
  loaded = track;
  svg = inset = null; // the drawing that goes is told of its size once more
  roadPoints = null;
  came = null;
  stopPanning();
  cars.clear();
  spaces.clear();
  section.replaceChildren();
  section.hidden = false; // its room is kept: nothing jumps when the drawing comes
  const response = await get(address);
  const told = response?.ok ? await response.text() : "";
  if (loaded !== track) return;
  section.hidden = !told || !latest.state; // the race may have ended meanwhile
  if (!told) return;
  const drawn = new DOMParser().parseFromString(told, "image/svg+xml");
  svg = document.importNode(drawn.documentElement, true);
  whole = { ...boxOf(svg) };
  nameCorners(svg);
  isClose ??= follows || section.clientWidth < NARROW_PX;
  inset = follows ? makeInset() : null;
  if (inset) svg.append(inset);
  section.append(...[svg, isTelevision ? null : zoomButton(), streetSigns(svg)].filter(Boolean));
  new ResizeObserver(() => { if (inset) placeDots(); look(); }).observe(svg);
  place();
}

const cellOf = (space) => svg.querySelector(`[data-space="${CSS.escape(space)}"]`);
const marks = () => svg.querySelector(".marks");

const pointOf = (cell) =>
  ({ x: Number(cell.dataset.x), y: Number(cell.dataset.y), heading: Number(cell.dataset.heading) });

const MARGIN = 24; // around the small circuit, in its own units
const INSIDE = ({ x, y, width, height }) =>
  ({ x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN });

/** The road alone, with a frame around what the large window shows. */
function makeInset() {
  return draw("g", { class: "inset", "aria-hidden": "true" }, draw("rect", { class: "frame", rx: 20, ...INSIDE(whole) }),
    ...[...svg.querySelectorAll(":scope > .road, :scope > .finish")].map((one) => one.cloneNode(true)),
    draw("rect", { class: "window", rx: 8 }), draw("g", { class: "dots" }));
}

function zoomButton() {
  const button = make("button", { type: "button", className: "zoom" });
  const show = () => { button.textContent = isClose ? say("Whole circuit") : say("Zoom in"); };
  button.addEventListener("click", () => {
    isClose = !isClose;
    show();
    look();
  });
  queueMicrotask(show);
  return button;
}

/* -- what is in sight --------------------------------------------------------- */

const openMoves = () => (latest.asks ?? [])
  .filter((ask) => ask.kind === "move" || ask.kind === "slipstream");

/** The car that is looked at: the one that is asked where it ended or has just moved, else who is on turn. */
function carInSight() {
  const { state } = latest;
  const asked = openMoves()[0]?.seat ?? null;
  if (asked) followed = { seat: asked, until: Infinity, asked };
  else if (followed.asked) { // it has answered: its move is looked at to the end
    followed = { seat: followed.asked, until: performance.now() + FOLLOW_MS, asked: null };
    setTimeout(look, FOLLOW_MS + 50);
  }
  const seat = performance.now() < followed.until ? followed.seat : state.turn;
  return state.cars?.[seat]?.space ? state.cars[seat] : state.cars?.[state.turn] ?? firstCar(state);
}

const firstCar = (state) => (latest.running ?? []).map((seat) => state.cars?.[seat]).find((car) => car?.space);

function wantedBox() {
  const { state } = latest ?? {};
  if (!isClose) return whole;
  const car = state && (follows ? carInSight() : state.cars?.[state.turn]);
  const cell = car?.space ? cellOf(car.space) : null;
  if (!cell) return follows || !state?.turn ? whole : boxOf(svg);
  const ends = openMoves().filter((ask) => ask.seat === car.seat).flatMap((ask) => ask.options)
    .concat(latest.keyed ?? []).map((option) => option && cellOf(option.to)).filter(Boolean);
  return closeBox(svg, pointOf(cell), ends.map(pointOf), isTelevision ? CARD : [0, 0]);
}

const CORNERS = [[0, 1], [1, 1], [0, 0]];
const INSET = [0.37, 0.4]; // of the window, with room around it
const CARD = [0.45, 0.3]; // and of what a television says of the next corner, at the upper right

let roadPoints = null; // the middles of all spaces
let dotsAbove = 0; // how far cars stand out of the small circuit, where many share a space
let insetAt = [0, 1]; // the corner where it is: how far to the right, how low

const allOfRoad = () => (roadPoints ??= [...svg.querySelectorAll(".space")].map(pointOf));

/** The corner of the window with the least road under the small circuit. */
function placeInset(box) {
  const cells = allOfRoad();
  const covered = ([right, low]) => {
    const [left, top] = [box.x + right * (1 - INSET[0]) * box.width, box.y + low * (1 - INSET[1]) * box.height];
    return cells.filter(({ x, y }) => x > left && x < left + INSET[0] * box.width && y > top && y < top + INSET[1] * box.height).length;
  };
  [insetAt] = CORNERS.toSorted((one, other) => covered(one) - covered(other));
}

function look() {
  if (!svg) return; // another board is on its way
  const box = wantedBox();
  if (inset) placeInset(box);
  panTo(svg, box, resize);
  document.dispatchEvent(new Event("window")); // it shows other cars than before
}

/** The radius of a car in units: numbers stay legible on a small screen, and across a room. */
function carUnits(scale) {
  if (isTelevision) return TV_CAR_PX * Math.max(innerWidth / 1920, 0.5) * scale;
  const wanted = (CAR_PX + innerWidth / PX_PER_CAR_PX) * scale;
  return Math.min(Math.max(wanted, CAR_UNITS[0]), CAR_UNITS[1]);
}

function resize() {
  if (!svg) return;
  const scale = scaleOf(svg);
  const radius = carUnits(scale);
  const onScreen = isTelevision ? Math.max(innerWidth / 1920, 0.5) : 1;
  svg.classList.toggle("is-close", isClose);
  svg.style.setProperty("--auto", Math.max(AUTO_UNITS, AUTO_PX[isTelevision ? 0 : 1] * onScreen * scale * (isTelevision ? 1 : 0.5)) / CAR_LENGTH);
  svg.style.setProperty("--label", `${LABEL_PX * (isTelevision ? onScreen : 0.5) * scale}px`);
  const names = NAME_PX * (isTelevision ? Math.max(innerWidth / 1920, 0.5) * 1.2 : 1) * scale;
  svg.style.setProperty("--car", String(radius / 10));
  svg.style.setProperty("--name", `${Math.min(names, NAME_UNITS)}px`);
  spread(isClose ? 0 : radius);
  placeNames();
  placeLabels(scale);
  if (inset) frameInset();
}

/* -- cars ----------------------------------------------------------------------- */

function makeCar(table, car) {
  const group = draw("g", { class: `token car-${car.seat}`, "data-seat": car.seat },
    draw("title"),
    draw("line", { class: "leader" }),
    draw("circle", { class: "home-dot", r: 2 }),
    draw("g", { class: "shape" },
      draw("circle", { class: "halo", r: 15 }),
      draw("path", { class: "nose", d: "M 6 -7 L 15 0 L 6 7 Z" }),
      draw("circle", { class: "disc", r: 10 }),
      draw("text", { "text-anchor": "middle", dy: "0.36em" })));
  group.querySelector("title").textContent = nameOf(table, car.seat);
  group.querySelector("text").textContent = car.seat;
  group.twin = draw("g", { class: `twin car-${car.seat}`, "aria-hidden": "true" },
    draw("g", { class: "drawn" }, draw("circle", { class: "halo", r: 50 }), carShape(car.seat)),
    draw("g", { class: "label" }, draw("rect", {}), draw("text", { "text-anchor": "middle", dy: "0.36em" })));
  group.twin.querySelector(".label text").textContent = nameOf(table, car.seat);
  group.leash = draw("line", { class: `leash car-${car.seat}` });
  marks().prepend(group.leash); // below all cars and names
  marks().append(group, group.twin);
  return group;
}

/** Where a car takes up room: a wreck of Formule Dé does so until its next turn. */
const groundOf = (car) => car.space ?? (car.out?.stands ? car.out.space : null);

function placeCar(table, car) {
  const space = groundOf(car);
  const cell = space ? cellOf(space) : null;
  const was = spaces.get(car.seat);
  if (!cell) {
    cars.get(car.seat)?.leash.remove();
    cars.get(car.seat)?.twin.remove();
    cars.get(car.seat)?.remove();
    cars.delete(car.seat);
    spaces.delete(car.seat);
    return;
  }
  if (was && was !== space) came = { seat: car.seat, space: was };
  spaces.set(car.seat, space);
  if (!cars.has(car.seat)) cars.set(car.seat, makeCar(table, car));
  const group = cars.get(car.seat);
  group.home = pointOf(cell);
  group.querySelector(".nose").setAttribute("transform", `rotate(${group.home.heading})`);
  group.twin.querySelector(".auto").setAttribute("transform", `rotate(${group.home.heading})`);
  group.twin.querySelector(".number").setAttribute("transform", `rotate(${-group.home.heading})`);
  for (const { classList } of [group, group.twin]) {
    classList.toggle("on-turn", table.state.turn === car.seat);
    classList.toggle("is-spun", car.status === "spun");
    classList.toggle("is-wreck", car.status === "out");
  }
}

/** Put every car where it can be seen whole, with a line to its space where that is not on it. */
function spread(radius) {
  const groups = [...cars.values()].sort((one, other) => one.dataset.seat - other.dataset.seat);
  const places = fanOut(groups.map((group) => group.home), (2 * DISC * radius) / 10);
  groups.forEach((group, at) => {
    const [{ x, y }, { home }] = [places[at], group];
    const isAway = Math.hypot(x - home.x, y - home.y) > radius / 2;
    group.style.transform = `translate(${x}px, ${y}px)`;
    group.twin.style.transform = `translate(${home.x}px, ${home.y}px)`;
    group.classList.toggle("is-away", isAway);
    const [leader, dot] = [group.querySelector(".leader"), group.querySelector(".home-dot")];
    leader.setAttribute("x2", home.x - x);
    leader.setAttribute("y2", home.y - y);
    dot.setAttribute("cx", home.x - x);
    dot.setAttribute("cy", home.y - y);
  });
}

/** What lies over the window: the small circuit, and on a television the card of the next corner. */
function overlays({ x, y, width, height }) {
  const [right, low] = insetAt;
  const small = { x: x + right * (1 - INSET[0]) * width, y: y + low * (1 - INSET[1]) * height, width: INSET[0] * width, height: INSET[1] * height };
  const card = { x: x + (1 - CARD[0]) * width, y, width: CARD[0] * width, height: CARD[1] * height };
  return [...(inset ? [small] : []), ...(isTelevision ? [card] : [])];
}

/** Names of corners that the edge of the window would cut, or what lies over it hides, are not written. */
function placeNames() {
  const { x, y, width, height } = svg.viewBox.baseVal;
  const [size, over] = [svg.style.getPropertyValue("--name"), overlays(svg.viewBox.baseVal)];
  for (const name of svg.querySelectorAll(".names text")) {
    if (name.measured !== size) [name.box, name.measured] = [name.getBBox(), size]; // it holds a frame up
    const { box } = name;
    const isWhole = box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height
      && !over.some((one) => box.x < one.x + one.width && one.x < box.x + box.width && box.y < one.y + one.height && one.y < box.y + box.height);
    name.style.visibility = isWhole || !isClose ? "" : "hidden";
  }
}

/** Names beside the cars in the window, on the side of the road where nothing stands yet. */
function placeLabels(scale) {
  if (!isClose) return;
  const [view, road] = [svg.viewBox.baseVal, allOfRoad()];
  const taken = [...cars.values()].map(({ home }) => ({ x: home.x - 6, y: home.y - 6, width: 12, height: 12 }))
    .concat(overlays(view));
  const isFree = (box) => box.x > view.x && box.y > view.y && box.x + box.width < view.x + view.width
    && box.y + box.height < view.y + view.height && !taken.some((one) => box.x < one.x + one.width && one.x < box.x + box.width
    && box.y < one.y + one.height && one.y < box.y + box.height);
  const first = (one, other) => other.classList.contains("on-turn") - one.classList.contains("on-turn");
  const isInSight = ({ x, y }) => x > view.x && y > view.y && x < view.x + view.width && y < view.y + view.height;
  for (const { home, leash, twin } of cars.values()) {
    for (const one of [leash, twin.querySelector(".label")]) one.classList.toggle("is-crowded", !isInSight(home));
  }
  for (const group of [...cars.values()].filter(({ home }) => isInSight(home)).sort(first)) {
    const label = group.twin.querySelector(".label");
    const [rect, text] = label.children;
    const height = LABEL_PX * (isTelevision ? Math.max(innerWidth / 1920, 0.5) : 0.5) * scale;
    group.letters ||= text.getBBox().width / height; // measured once: it holds a frame up
    const width = (group.letters + 0.7) * height;
    const box = ({ x, y }) => ({ x: x - width / 2, y: y - 0.75 * height, width, height: 1.5 * height });
    const { x, y, heading } = group.home;
    const angle = ((heading - 90) * Math.PI) / 180;
    const places = [1, -1, 1.6, -1.6, 2.3, -2.3].map((far) => ({
      x: Math.min(Math.max(x + Math.cos(angle) * far * (14 + Math.abs(Math.cos(angle)) * width / 2),
        view.x + 0.55 * width), view.x + view.width - 0.55 * width),
      y: y + Math.sin(angle) * far * (14 + height / 2) }));
    const onRoad = ({ x: left, y: top, width: w, height: h }) =>
      road.filter((at) => at.x > left - 4 && at.x < left + w + 4 && at.y > top - 4 && at.y < top + h + 4).length;
    const [place] = places.filter((one) => isFree(box(one))).toSorted((one, other) => onRoad(box(one)) - onRoad(box(other)));
    label.classList.toggle("is-crowded", !place);
    group.leash.classList.toggle("is-crowded", !place);
    if (!place) continue;
    taken.push(box(place));
    label.setAttribute("transform", `translate(${place.x - x} ${place.y - y})`);
    for (const [key, value] of Object.entries({ x1: x, y1: y, x2: place.x, y2: place.y })) group.leash.setAttribute(key, value);
    for (const [key, value] of Object.entries({ x: -width / 2, y: -0.75 * height, width, height: 1.5 * height, rx: 0.25 * height })) rect.setAttribute(key, value);
  }
}

/** Keep the small circuit where it is while the window moves, and show what that shows. */
function frameInset() {
  const box = svg.viewBox.baseVal;
  const frame = INSIDE(whole);
  const factor = Math.min(INSET[0] * box.width / frame.width, INSET[1] * box.height / frame.height) * 0.94;
  const [right, low] = insetAt;
  const edge = 0.012 * box.width;
  const left = box.x + (right ? box.width - factor * frame.width - edge : edge);
  const top = box.y + (low ? box.height - factor * frame.height - edge : edge + factor * dotsAbove);
  inset.setAttribute("transform", `translate(${left} ${top}) scale(${factor}) translate(${-frame.x} ${-frame.y})`);
  inset.style.display = isClose ? "" : "none";
  const { x, y, width, height } = box;
  for (const [name, value] of Object.entries({ x, y, width, height })) inset.querySelector(".window").setAttribute(name, value);
}

/** A disc for each car on the small circuit, fanned out; its units do not change with the window. */
function placeDots() {
  const frame = INSIDE(whole);
  const shown = Math.min(INSET[0] * svg.clientWidth / frame.width, INSET[1] * svg.clientHeight / frame.height) * 0.94;
  const scale = 1 / (shown || 1);
  const radius = DOT_PX * (isTelevision ? Math.max(innerWidth / 1920, 0.5) : 0.7) * scale;
  const all = [...cars.values()];
  const places = fanOut(all.map((group) => group.home), 2.1 * radius);
  dotsAbove = Math.max(0, frame.y - Math.min(...places.map(({ y }) => y)) + 1.2 * radius);
  inset.querySelector(".dots").replaceChildren(...all.map((group, at) => {
    const number = draw("text", { "text-anchor": "middle", dy: "0.36em" });
    number.textContent = group.dataset.seat;
    return draw("g", { class: `dot car-${group.dataset.seat}`, transform: `translate(${places[at].x} ${places[at].y})` },
      draw("line", { x2: group.home.x - places[at].x, y2: group.home.y - places[at].y }),
      draw("g", { transform: `scale(${radius / 10})` }, draw("circle", { r: 10 }), number));
  }));
}

/** The cars that the window does not show: whoever follows it is told where they are. */
export function outOfSight() {
  if (!svg || !follows || !isClose) return [];
  const to = wantedBox();
  return [...cars.entries()].filter(([, { home }]) => home.x < to.x || home.y < to.y
    || home.x > to.x + to.width || home.y > to.y + to.height).map(([seat]) => seat);
}

/* -- marks ---------------------------------------------------------------------- */

function mark(className, space, traits) {
  const cell = cellOf(space);
  if (!cell) return;
  const { x, y } = cell.dataset;
  marks().prepend(draw("path", { class: className, transform: `translate(${x} ${y})`, ...traits }));
}

function placeMarks(table) {
  for (const old of svg.querySelectorAll(".debris-mark, .came")) old.remove();
  for (const space of table.state.debris ?? []) {
    mark("debris-mark", space, { d: "M -3 -3 L 3 3 M 3 -3 L -3 3 M 0 -4 L 0 4 M -4 0 L 4 0" });
  }
  if (came && cars.has(came.seat)) {
    mark(`came car-${came.seat}`, came.space, { d: "M -4 0 A 4 4 0 1 1 4 0 A 4 4 0 1 1 -4 0" });
  }
}

const isFree = (option) =>
  !option.out && !option.spin && Object.keys(option.cost ?? {}).length === 0;

const pointsOf = (option) => Object.values(option.cost ?? {}).reduce((sum, n) => sum + n, 0);
const rank = (option) => (option.out ? 1000 : option.spin ? 500 : pointsOf(option) + (option.brakes ?? 0));

/** The sign of an end: white and nothing said, amber and its price, or red and what becomes of the car. */
function sign(option) {
  const { x, y } = cellOf(option.to).dataset;
  const isDear = option.out || option.spin;
  const price = pointsOf(option);
  const says = option.out ? "×" : option.spin ? "↻" : isFree(option) ? "✓" : `−${price}`;
  const text = draw("text", { "text-anchor": "middle", dy: "0.36em" });
  text.textContent = says;
  const d = isDear ? "M-2-4.6H2L4.6-2V2L2 4.6H-2L-4.6 2V-2Z" : "M-4.4-3.6H3L4.4-2.2V3.6H-3L-4.4 2.2Z";
  return draw("g", { class: `price ${isDear ? "is-out" : isFree(option) ? "is-free" : "is-cost"}`, transform: `translate(${x} ${y})` },
    ...(isFree(option) ? [] : [draw("path", { d })]), text);
}

/** Where the open moves may end, each space by the cheapest way to it. */
function placeEnds() {
  for (const cell of svg.querySelectorAll(".end")) cell.classList.remove("end", "end-costly");
  for (const old of svg.querySelectorAll(".price")) old.remove();
  const cheapest = new Map();
  for (const option of openMoves().flatMap((ask) => ask.options).filter((one) => one && cellOf(one.to))) {
    const known = cheapest.get(option.to);
    if (!known || rank(option) < rank(known)) cheapest.set(option.to, option);
  }
  const hasKeys = keysOf(latest).length > 0;
  for (const option of cheapest.values()) {
    cellOf(option.to).classList.add("end");
    cellOf(option.to).classList.toggle("end-costly", !isFree(option));
    if (!hasKeys || !isFree(option)) marks().prepend(sign(option));
  }
}

function place() {
  if (!svg || !latest?.state) return;
  const all = Object.values(latest.state.cars ?? {});
  for (const car of all) placeCar(latest, car);
  for (const seat of cars.keys()) if (!latest.state.cars[seat]) placeCar(latest, { seat });
  // The car on turn lies on top.
  const onTurn = cars.get(latest.state.turn);
  if (onTurn && onTurn.twin !== marks().lastElementChild) marks().append(onTurn, onTurn.twin);
  placeMarks(latest);
  placeEnds();
  placeKeys(marks(), latest, cellOf);
  if (inset) placeDots();
  look();
}

/** Show where everything is; the drawing is fetched once a track, from `race.circuit` if named. */
export function showBoard(table, section, traits = {}) {
  latest = table;
  isTelevision = Boolean(traits.isTelevision);
  follows = isTelevision || (Boolean(traits.follows) && innerWidth >= WIDE_PX);
  const track = table.state ? table.race?.track : null;
  if (!track) section.hidden = true;
  if (!track || track === loaded) {
    if (track && svg) section.hidden = false;
    place();
    return;
  }
  load(track, section, table.race?.circuit ?? `/circuit/${encodeURIComponent(track)}.svg`);
}
