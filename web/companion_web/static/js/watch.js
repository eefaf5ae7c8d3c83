/** The stopwatch of a trial: the table tells it at each change, and the page lets it run on. */

import { setText } from "./dom.js";

const TICK_MS = 200;
let told = null; // what the table said, and when it was heard
let element = null;
let timer = 0;

/** The seconds that the watch shows now. */
export function secondsNow() {
  if (!told) return 0;
  const since = told.running ? (performance.now() - told.heard) / 1000 : 0;
  return Math.floor(told.seconds + since);
}

const minutes = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function draw() {
  element.hidden = !told;
  if (told) setText(element, minutes(secondsNow()));
}

/** Show the table's watch, and let it run. */
export function showWatch(table, where) {
  element = where;
  told = table.watch ? { ...table.watch, heard: performance.now() } : null;
  clearInterval(timer);
  if (told?.running) timer = setInterval(draw, TICK_MS);
  draw();
}
