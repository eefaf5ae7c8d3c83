/** A race again: a slider over its answers, the board as it stood after each. */

import { showBoard } from "./js/board.js";
import { byId, make } from "./js/dom.js";
import { paint } from "./js/paint.js";
import { say } from "./js/words.js";
import { withRules } from "./js/rules.js";

const PLAY_MS = 700;
const section = byId("replay");
const slider = byId("step");
let steps = [];
let states = []; // the state after each step; cars that stand still are shared
let playing = 0;

/** Lay every step over the one before. */
function layOver(told) {
  let state = { cars: {}, laps: told.laps };
  return told.steps.map(({ cars, told: _, at: __, ...about }) => {
    state = { ...state, ...about, cars: { ...state.cars, ...cars } };
    return state;
  });
}

function show(at) {
  const last = steps.length - 1;
  const here = Math.min(Math.max(at, 0), last);
  slider.value = String(here);
  const { circuit } = section.dataset; // a game without a board has its sentences only
  const race = { track: circuit ? section.dataset.race : null, circuit };
  showBoard({ state: states[here], race, asks: [] }, byId("board"));
  byId("where").textContent = say("{n} of {all}", { n: here, all: last });
  byId("told").replaceChildren(...steps[here].told.map((one) =>
    make("li", { className: one.seat ? `car-${one.seat}` : "" }, one.text,
      " ", ...withRules(one.rule ?? ""))));
  if (here === last) stop();
}

const here = () => Number(slider.value);

function stop() {
  clearInterval(playing);
  playing = 0;
  byId("play").textContent = say("Play");
}

function toggle() {
  if (playing) return stop();
  if (here() === steps.length - 1) show(0);
  byId("play").textContent = say("Stop");
  playing = setInterval(() => show(here() + 1), PLAY_MS);
  return null;
}

async function load() {
  const response = await fetch(section.dataset.replay).catch(() => null);
  section.hidden = !response?.ok;
  if (section.hidden) return;
  const told = await response.json();
  steps = told.steps;
  states = layOver(told);
  slider.max = String(steps.length - 1);
  show(steps.length - 1);
}

slider.addEventListener("input", () => show(here()));
byId("back").addEventListener("click", () => show(here() - 1));
byId("on").addEventListener("click", () => show(here() + 1));
byId("play").addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.target === slider || !steps.length) return;
  if (event.key === "ArrowLeft") show(here() - 1);
  if (event.key === "ArrowRight") show(here() + 1);
});
// Chips and cars have the colors that they raced in, not those of their seats.
paint(Object.entries(JSON.parse(section.dataset.colors)).map(([seat, color]) => ({ seat, color })));
load();
