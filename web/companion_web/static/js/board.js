/** The circuit with every car, the debris, and where the car on turn may end. */

import { draw, make } from "./dom.js";
import { nameOf } from "./race.js";
import { nameCorners, streetSigns } from "./signs.js";
import { say } from "./words.js";

const CAR_PX = 7; // the least radius of a car on a phone; a little more on larger screens
const PX_PER_CAR_PX = 640;
const CAR_UNITS = [4.6, 9]; // and what it may be in units of the drawing

let loaded = null; // the track whose drawing is in the page
let svg = null;
let latest = null;
const cars = new Map(); // seat → its group in the drawing

const CLOSE_UNITS = 190; // the width of the close view
const NARROW_PX = 600; // a board narrower than this begins with the close view
const PAN_MS = 500;
let whole = null; // the whole drawing's viewBox
let isClose = null; // null until somebody or the width of the screen has chosen
let panning = 0;

async function load(track, section, address) {
  loaded = track;
  svg = null;
  cancelAnimationFrame(panning);
  cars.clear();
  section.replaceChildren();
  const response = await fetch(address).catch(() => null);
  if (!response?.ok || loaded !== track) return;
  const drawn = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  svg = document.importNode(drawn.documentElement, true);
  whole = { ...boxOf(svg) };
  nameCorners(svg);
  section.append(...[svg, zoomButton(), streetSigns(svg)].filter(Boolean));
  section.hidden = false;
  isClose ??= section.clientWidth < NARROW_PX;
  new ResizeObserver(look).observe(svg);
  place();
}

const cellOf = (space) => svg.querySelector(`[data-space="${CSS.escape(space)}"]`);
const marks = () => svg.querySelector(".marks");

function boxOf(element) {
  const { x, y, width, height } = element.viewBox.baseVal;
  return { x, y, width, height };
}

function zoomButton() {
  const button = make("button", { type: "button", className: "zoom" });
  const show = () => { button.textContent = say(isClose ? "whole" : "follow"); };
  button.addEventListener("click", () => {
    isClose = !isClose;
    show();
    look();
  });
  queueMicrotask(show);
  return button;
}

/** What of the circuit is in sight: all of it, or what lies around the car on turn. */
function wantedBox() {
  const car = latest?.state?.cars?.[latest.state.turn];
  const cell = isClose && car?.space ? cellOf(car.space) : null;
  if (!cell) return isClose && latest?.state?.turn ? boxOf(svg) : whole;
  const width = CLOSE_UNITS;
  const height = width * ((svg.clientHeight || 1) / (svg.clientWidth || 1));
  return { x: cell.dataset.x - width / 2, y: cell.dataset.y - height / 2, width, height };
}

function look() {
  if (!svg) return; // another board is on its way
  const from = boxOf(svg);
  const to = wantedBox();
  const began = performance.now();
  cancelAnimationFrame(panning);
  const step = (now) => {
    // A frame's time may lie a little before the moment that asked for it.
    const part = Math.min(Math.max((now - began) / PAN_MS, 0), 1);
    const eased = 1 - (1 - part) ** 3;
    const box = Object.keys(to).map((name) => from[name] + (to[name] - from[name]) * eased);
    svg.setAttribute("viewBox", box.join(" "));
    resize();
    if (part < 1) panning = requestAnimationFrame(step);
  };
  panning = requestAnimationFrame(step);
}

/** Numbers stay legible on a small screen: there a car is drawn larger than its space. */
function resize() {
  const box = svg.viewBox.baseVal;
  const scale = Math.max(box.width / (svg.clientWidth || 1), box.height / (svg.clientHeight || 1));
  const radius = Math.min(Math.max((CAR_PX + innerWidth / PX_PER_CAR_PX) * scale, CAR_UNITS[0]), CAR_UNITS[1]);
  svg.style.setProperty("--car", String(radius / 10));
}

function makeCar(table, car) {
  const group = draw("g", { class: `token car-${car.seat}` },
    draw("title"),
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
  if (!cell) {
    cars.get(car.seat)?.remove();
    cars.delete(car.seat);
    return;
  }
  const { x, y, heading } = cell.dataset;
  if (!cars.has(car.seat)) cars.set(car.seat, makeCar(table, car));
  const group = cars.get(car.seat);
  group.style.transform = `translate(${x}px, ${y}px)`;
  group.querySelector(".nose").setAttribute("transform", `rotate(${heading})`);
  group.classList.toggle("on-turn", table.state.turn === car.seat);
  group.classList.toggle("is-spun", car.status === "spun");
  group.classList.toggle("is-wreck", car.status === "out");
}

function placeDebris(spaces) {
  for (const old of svg.querySelectorAll(".debris-mark")) old.remove();
  for (const space of spaces) {
    const cell = cellOf(space);
    if (!cell) continue;
    const { x, y } = cell.dataset;
    const mark = draw("path", {
      class: "debris-mark",
      d: "M -3 -3 L 3 3 M 3 -3 L -3 3 M 0 -4 L 0 4 M -4 0 L 4 0",
      transform: `translate(${x} ${y})`,
    });
    marks().prepend(mark);
  }
}

const isFree = (option) =>
  !option.out && !option.spin && Object.keys(option.cost ?? {}).length === 0;

/** Where the open moves may end, told apart by whether it costs anything. */
function placeEnds(asks) {
  for (const cell of svg.querySelectorAll(".end")) cell.classList.remove("end", "end-costly");
  const moves = asks.filter((ask) => ask.kind === "move" || ask.kind === "slipstream");
  const options = moves.flatMap((ask) => ask.options).filter(Boolean);
  for (const option of options) cellOf(option.to)?.classList.add("end", "end-costly");
  for (const option of options.filter(isFree)) cellOf(option.to)?.classList.remove("end-costly");
}

function place() {
  if (!svg || !latest?.state) return;
  look();
  const all = Object.values(latest.state.cars ?? {});
  for (const car of all) placeCar(latest, car);
  for (const seat of cars.keys()) if (!latest.state.cars[seat]) placeCar(latest, { seat });
  // The car on turn lies on top.
  const onTurn = cars.get(latest.state.turn);
  if (onTurn && onTurn !== marks().lastElementChild) marks().append(onTurn);
  placeDebris(latest.state.debris ?? []);
  placeEnds(latest.asks ?? []);
}

/** Show where everything is; the drawing is fetched once a track, from `race.circuit` if named. */
export function showBoard(table, section) {
  latest = table;
  const track = table.state ? table.race?.track : null;
  section.hidden = !track || !svg;
  const address = table.race?.circuit ?? `/circuit/${encodeURIComponent(track)}.svg`;
  if (track && track !== loaded) load(track, section, address);
  else place();
}
