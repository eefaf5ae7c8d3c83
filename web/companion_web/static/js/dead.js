/**
 * Seats that cannot be reached: each one's number, why, and, where the page has the PIN, the
 * code to take it over on a phone. The code is a key, so nobody else is shown it here; the seat's
 * neighbours have it on their screens.
 */

import { make } from "./dom.js";
import { linkCards } from "./links.js";
import { currentPin } from "./pin.js";
import { inWords } from "./race.js";
import { say } from "./words.js";

let drawn = "";

export function showDead(table, section) {
  const dead = (table.seats ?? []).filter((one) => one.alive === false);
  section.hidden = dead.length === 0;
  const told = dead.map((one) => [one.seat, one.name, one.trouble]);
  const now = JSON.stringify([told, Boolean(currentPin())]);
  if (now === drawn) return;
  drawn = now;
  const names = Object.fromEntries(dead.map((one) => [one.seat, one.name]));
  const rows = dead.map((one) => make("p", {},
    make("span", { className: `badge car-${one.seat}` }, String(one.seat)),
    ` ${one.name} ${say("cannot be reached")}`,
    one.trouble ? make("small", { className: "why" }, ` ${inWords(one.trouble)}`) : null));
  const how = make("p", { className: "hint" }, currentPin()
    ? say("Scan the code to go on with this seat on a phone.")
    : say("Its neighbours' screens have the code to go on with it on a phone."));
  section.replaceChildren(...rows, how,
    ...(currentPin() && dead.length ? [linkCards(dead.map((one) => one.seat), names)] : []));
}
