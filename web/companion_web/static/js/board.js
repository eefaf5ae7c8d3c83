/** The circuit with every car, the debris, and where the car on turn may end. */

import { boxOf, closeBox, panTo, scaleOf, stopPanning } from "./camera.js";
import { draw, make } from "./dom.js";
import { fanOut } from "./fan.js";
import { placeKeys } from "./keycaps.js";
import { fetchDrawn } from "./net.js";
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
const NARROW_PX = 600; // a board narrower than this begins with the close view
const FOLLOW_MS = 6000; // how long a television stays with a car that has moved

let loaded = null; // the track whose drawing is in the page
let svg = null;
let latest = null;
let whole = null; // the whole drawing's viewBox
let isClose = null; // null until somebody or the width of the screen has chosen
let isTelevision = false;
let followed = { key: "", until: 0 }; // what a television looks at, and for how long
let came = null; // { seat, space }: where the last move came from
const cars = new Map(); // seat → its group in the drawing
const spaces = new Map(); // seat → the space it was last seen on

async function load(track, section, address) {
  loaded = track;
  svg = null;
  came = null;
  stopPanning();
  cars.clear();
  spaces.clear();
  section.replaceChildren();
  section.hidden = false; // its room is kept: nothing jumps when the drawing comes
  const response = await fetchDrawn(address).catch(() => null);
  if (loaded !== track) return;
  section.hidden = !response?.ok;
  if (!response?.ok) return;
  const drawn = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  svg = document.importNode(drawn.documentElement, true);
  whole = { ...boxOf(svg) };
  nameCorners(svg);
  section.append(...[svg, isTelevision ? null : zoomButton(), streetSigns(svg)].filter(Boolean));
  isClose ??= section.clientWidth < NARROW_PX;
  new ResizeObserver(look).observe(svg);
  place();
}

const cellOf = (space) => svg.querySelector(`[data-space="${CSS.escape(space)}"]`);
const marks = () => svg.querySelector(".marks");

const pointOf = (cell) =>
  ({ x: Number(cell.dataset.x), y: Number(cell.dataset.y), heading: Number(cell.dataset.heading) });

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

/** A television stays with a car while it is asked where it ended, and a while after it moved. */
function isFollowing(car) {
  const key = `${car.seat} ${car.space}`;
  if (key !== followed.key) {
    followed = { key, until: performance.now() + FOLLOW_MS };
    setTimeout(look, FOLLOW_MS + 50);
  }
  return performance.now() < followed.until
    || openMoves().some((ask) => ask.seat === car.seat);
}

function wantedBox() {
  const { state } = latest ?? {};
  const car = state?.cars?.[state.turn];
  const cell = car?.space ? cellOf(car.space) : null;
  if (!isTelevision && !isClose) return whole;
  if (!cell) return isTelevision || !state?.turn ? whole : boxOf(svg);
  if (isTelevision && !isFollowing(car)) return whole;
  const ends = openMoves().filter((ask) => ask.seat === car.seat).flatMap((ask) => ask.options)
    .concat(latest.keyed ?? []).map((option) => option && cellOf(option.to)).filter(Boolean);
  return closeBox(svg, pointOf(cell), ends.map(pointOf));
}

function look() {
  if (svg) panTo(svg, wantedBox(), resize); // else another board is on its way
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
  const names = NAME_PX * (isTelevision ? Math.max(innerWidth / 1920, 0.5) * 1.2 : 1) * scale;
  svg.style.setProperty("--car", String(radius / 10));
  svg.style.setProperty("--name", `${Math.min(names, NAME_UNITS)}px`);
  spread(radius);
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
  marks().append(group);
  return group;
}

/** Where a car takes up room: a wreck of Formule Dé does so until its next turn. */
const groundOf = (car) => car.space ?? (car.out?.stands ? car.out.space : null);

function placeCar(table, car) {
  const space = groundOf(car);
  const cell = space ? cellOf(space) : null;
  const was = spaces.get(car.seat);
  if (!cell) {
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
  group.classList.toggle("on-turn", table.state.turn === car.seat);
  group.classList.toggle("is-spun", car.status === "spun");
  group.classList.toggle("is-wreck", car.status === "out");
}

/** Put every car where it can be seen whole, with a line to its space where that is not on it. */
function spread(radius) {
  const groups = [...cars.values()].sort((one, other) => one.dataset.seat - other.dataset.seat);
  const places = fanOut(groups.map((group) => group.home), (2 * DISC * radius) / 10);
  groups.forEach((group, at) => {
    const [{ x, y }, { home }] = [places[at], group];
    const isAway = Math.hypot(x - home.x, y - home.y) > radius / 2;
    group.style.transform = `translate(${x}px, ${y}px)`;
    group.classList.toggle("is-away", isAway);
    const [leader, dot] = [group.querySelector(".leader"), group.querySelector(".home-dot")];
    leader.setAttribute("x2", home.x - x);
    leader.setAttribute("y2", home.y - y);
    dot.setAttribute("cx", home.x - x);
    dot.setAttribute("cy", home.y - y);
  });
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

/** Where the open moves may end, told apart by whether it costs anything. */
function placeEnds() {
  for (const cell of svg.querySelectorAll(".end")) cell.classList.remove("end", "end-costly");
  const options = openMoves().flatMap((ask) => ask.options).filter(Boolean);
  for (const option of options) cellOf(option.to)?.classList.add("end", "end-costly");
  for (const option of options.filter(isFree)) cellOf(option.to)?.classList.remove("end-costly");
}

function place() {
  if (!svg || !latest?.state) return;
  const all = Object.values(latest.state.cars ?? {});
  for (const car of all) placeCar(latest, car);
  for (const seat of cars.keys()) if (!latest.state.cars[seat]) placeCar(latest, { seat });
  // The car on turn lies on top.
  const onTurn = cars.get(latest.state.turn);
  if (onTurn && onTurn !== marks().lastElementChild) marks().append(onTurn);
  placeMarks(latest);
  placeEnds();
  placeKeys(marks(), latest, cellOf);
  look();
}

/** Show where everything is; the drawing is fetched once a track, from `race.circuit` if named. */
export function showBoard(table, section, traits = {}) {
  latest = table;
  isTelevision = Boolean(traits.isTelevision);
  const track = table.state ? table.race?.track : null;
  if (!track) section.hidden = true;
  if (!track || track === loaded) {
    if (track && svg) section.hidden = false;
    place();
    return;
  }
  load(track, section, table.race?.circuit ?? `/circuit/${encodeURIComponent(track)}.svg`);
}
