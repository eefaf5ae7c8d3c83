/** The six cars: whose each is, for how much, its place; in the auction the lot on the table. */

import { make, setChildren } from "../dom.js";
import { nameOf } from "../race.js";
import { say } from "../words.js";
import { CARS, carName, powerName } from "./words.js";

/** The lot that is bid on, or whose winner the table still has to name; null: none. */
function lotOf(state) {
  const step = state.pending?.[0];
  return ["bids", "award", "deal"].includes(step?.step) ? step : null;
}

function fate(table, car, told) {
  const { state } = table;
  if (told.owner) return `${nameOf(table, told.owner)} · ${told.price} M$`;
  if (state.aside?.some((lot) => lot.car === car)) return say("df.aside");
  const isGone = state.lots?.some((lot) => lot.car === car) && lotOf(state)?.car !== car;
  return isGone || state.phase !== "auction" ? say("df.nobodys") : say("df.to-come");
}

function card(table, car) {
  const { state } = table;
  const told = state.cars[car];
  const lot = lotOf(state);
  const isUp = lot?.car === car;
  const start = state.grid?.indexOf(car) ?? -1;
  return make("li", { className: `df-card df-${car}${isUp ? " is-up" : ""}` },
    make("strong", { className: "df-name" }, carName(car)),
    start >= 0 && !told.place ? make("span", { className: "df-start" }, say("df.grid", { n: start + 1 })) : null,
    told.place ? make("span", { className: "df-place" }, String(told.place)) : null,
    make("span", { className: "df-fate" },
      isUp ? say(lot.again ? "df.up-again" : "df.up") : fate(table, car, told)),
    isUp && lot.power ? make("span", { className: "df-lot-power" }, powerName(lot.power)) : null);
}

/** Home first by their places, all others as they stood on the grid. */
function inOrder(state) {
  const rank = (car) => state.cars[car].place ?? 10 + (state.grid?.indexOf(car) ?? 0);
  return [...CARS].sort((one, other) => rank(one) - rank(other));
}

/** Show the six cars of the game. */
export function showCars(table, section, list) {
  section.hidden = !table.state;
  if (table.state) setChildren(list, inOrder(table.state).map((car) => card(table, car)));
}
