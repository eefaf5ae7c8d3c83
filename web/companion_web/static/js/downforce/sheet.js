/** The score sheet, once the game is over: race, bets, auction and total, the winner first. */

import { make } from "../dom.js";
import { currentPin } from "../pin.js";
import { nameOf } from "../race.js";
import { actions } from "../finish.js";
import { say } from "../words.js";
import { carLabel, money } from "./words.js";

let drawn = "";

/** "green 4, place 5": what a car has cost and where it came. */
function carCell({ state, outlook }, car) {
  const { price, place } = state.cars[car];
  const text = place ? say("{price}, place {place}", { price, place }) : String(price);
  const earned = place ? ` +${outlook?.earns[car] ?? 0}` : "";
  return carLabel(car, ` ${text}${earned}`);
}

/** The car of a bet, with what that brought where it is known (of the last race). */
function betCell(bet, brought) {
  const won = brought === undefined ? "" : ` +${brought}`;
  return bet === null || bet === "none" ? make("span", {}, "–") : carLabel(bet, won);
}

function row(state, table, { place, seat }) {
  const player = state.players[seat];
  const before = (player.legs ?? []).flatMap((leg) => leg.bets);
  const brought = table.outlook?.brought?.[seat] ?? [];
  return make("tr", { className: `car-${seat}` },
    make("td", { className: "place" }, String(place)),
    make("td", {}, make("span", { className: "badge" }, String(seat))),
    make("td", {}, nameOf(table, seat)),
    make("td", { className: "figure" }, money(player.race)),
    make("td", { className: "figure" }, money(player.bets_won)),
    make("td", { className: "figure" }, money(-player.spent)),
    make("td", { className: "figure total" }, money(player.total)),
    make("td", { className: "df-cells" }, ...player.cars.map((car) => carCell(table, car))),
    make("td", { className: "df-cells" }, ...before.map((bet) => betCell(bet)),
      ...player.bets.map((bet, at) => betCell(bet, brought[at]))));
}

/** Show the sheets of a finished game. */
export function showSheet(table, section, body) {
  const { state } = table;
  const rows = state?.phase === "finished" ? state.classification ?? [] : [];
  section.hidden = rows.length === 0;
  const now = JSON.stringify([rows, state?.players, Boolean(currentPin())]);
  if (section.hidden || now === drawn) return;
  drawn = now;
  const heads = [[say("Place")], [""], [say("Name")], [say("Race"), "figure"],
    [say("Bets"), "figure"], [say("Auction"), "figure"], [say("Total"), "figure"],
    [say("Cars")], [say("Bets")]];
  const head = make("tr", {}, ...heads.map(([text, className = ""]) =>
    make("th", { scope: "col", className }, text)));
  const sheets = make("table", { className: "df-sheet" }, make("thead", {}, head),
    make("tbody", {}, ...rows.map((one) => row(state, table, one))));
  const why = table.outlook?.disagrees ? [make("p", { className: "hint" }, say("The first car home has won: the money only orders the others."))] : [];
  body.replaceChildren(...why, make("div", { className: "df-scroll" }, sheets),
    actions(table));
}
