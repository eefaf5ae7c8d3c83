/** The six cars: whose each is, for how much, its place; in the auction the lot on the table. */

import { make, setChildren } from "../dom.js";
import { nameOf } from "../race.js";
import { say } from "../words.js";
import { carName, inOrder, money, powerName } from "./words.js";

/** The lot that is bid on, or whose winner the table still has to name; null: none. */
function lotOf(state) {
  const step = state.pending?.[0];
  return ["bids", "award", "deal"].includes(step?.step) ? step : null;
}

function fate(table, car, told) {
  const { state } = table;
  if (told.owner) return `${nameOf(table, told.owner)} · ${told.price} M$`;
  if (state.aside?.some((lot) => lot.car === car)) return say("set aside");
  const isGone = state.lots?.some((lot) => lot.car === car) && lotOf(state)?.car !== car;
  return isGone || state.phase !== "auction" ? say("nobody's") : say("to be sold");
}

const upText = (lot) => (lot.again ? say("once more up for auction") : say("up for auction"));

/** What a car has earned, once it is home. */
function earned(table, car) {
  const paid = table.outlook?.earns[car];
  if (!table.state.cars[car].place || paid === null || paid === undefined) return null;
  return make("span", { className: "df-earns" }, say("{n} M$ earned", { n: money(paid) }));
}

function card(table, car) {
  const { state } = table;
  const told = state.cars[car];
  const lot = lotOf(state);
  const isUp = lot?.car === car;
  const start = state.grid?.indexOf(car) ?? -1;
  return make("li", { className: `df-card df-${car}${isUp ? " is-up" : ""}` },
    make("strong", { className: "df-name" }, carName(car)),
    start >= 0 && !told.place ? make("span", { className: "df-start" }, say("grid {n}", { n: start + 1 })) : null,
    told.place ? make("span", { className: "df-place" }, String(told.place)) : null,
    make("span", { className: "df-fate" },
      isUp ? upText(lot) : fate(table, car, told)),
    state.phase === "race" ? earned(table, car) : null,
    isUp && lot.power ? make("span", { className: "df-lot-power" }, powerName(lot.power)) : null);
}

/** Show the six cars of the game. */
export function showCars(table, section, list) {
  section.hidden = !table.state;
  if (table.state) setChildren(list, inOrder(table.state).map((car) => card(table, car)));
}
