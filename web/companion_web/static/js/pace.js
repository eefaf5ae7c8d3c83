/** The clock of a turn, and the bell: the table tells when they end, and the page counts by itself. */

import { setText } from "./dom.js";
import { say } from "./words.js";

const TICK_MS = 200;
const LOW_S = 5; // so many seconds left are a warning
const COARSE_S = 600; // further away the bell is told in minutes
let told = null; // what the table said
let heard = 0; // and when
let places = {};
let timer = 0;

const clock = (seconds) => {
  const whole = Math.ceil(seconds);
  return whole < 60 ? String(whole) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

/** What is left of the turn, and of the bank behind it. */
function leftNow(passed) {
  const { ends, now, left, bank } = told;
  const then = ends === null ? left : ends - now;
  if (then === null) return null;
  const turn = ends === null ? then : then - passed;
  const over = Math.max(0, -turn) - Math.max(0, -then);
  return { turn, bank: bank === null ? null : bank - over };
}

function drawTurn(passed) {
  const left = leftNow(passed);
  const { turn } = places;
  turn.hidden = left === null;
  if (!left) return;
  const isBank = left.turn <= 0 && left.bank > 0;
  const rest = isBank ? left.bank : left.turn;
  const text = rest > 0 ? clock(rest) : `+${Math.floor(-(left.bank ?? left.turn))}`;
  setText(turn, isBank ? say("bank {time}", { time: text }) : text);
  turn.classList.toggle("is-low", rest > 0 && rest <= LOW_S);
  turn.classList.toggle("is-over", rest <= 0);
  turn.classList.toggle("is-still", told.ends === null);
}

function drawBell(passed) {
  const { bell } = places;
  const left = told.bell === null ? null : told.bell - told.now - (told.runs ? passed : 0);
  bell.hidden = left === null && !told.rung;
  if (bell.hidden) return;
  const time = left > COARSE_S ? `${Math.ceil(left / 60)} min` : clock(Math.max(0, left ?? 0));
  setText(bell, told.rung ? say("last lap") : say("bell in {time}", { time }));
}

function draw() {
  if (!told) {
    places.turn.hidden = places.bell.hidden = true;
    return;
  }
  const passed = (performance.now() - heard) / 1000;
  drawTurn(passed);
  drawBell(passed);
}

/** Show the clocks in two elements, and let them run. */
export function showPace(told_, where) {
  [told, heard, places] = [told_ ?? null, performance.now(), where];
  clearInterval(timer);
  if (told && told.runs && (told.ends !== null || told.bell !== null)) timer = setInterval(draw, TICK_MS);
  draw();
}
