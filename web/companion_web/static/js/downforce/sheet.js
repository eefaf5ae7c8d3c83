/** The score sheet, once the game is over: race, bets, auction and total, the winner first. */

import { make } from "../dom.js";
import { currentPin } from "../pin.js";
import { nameOf } from "../race.js";
import { actions } from "../finish.js";
import { say } from "../words.js";
import { carLabel, money } from "./words.js";

let drawn = "";

/** "green 4, place 5": what a car has cost and where it came. */
function carCell(state, car) {
  const { price, place } = state.cars[car];
  const text = place ? say("df.at", { price, place }) : String(price);
  return carLabel(car, ` ${text}`);
}

function betCell(bet) {
  return bet === null || bet === "none" ? make("span", {}, "–") : carLabel(bet);
}

function row(state, table, { place, seat }) {
  const player = state.players[seat];
  const bets = [...(player.legs ?? []).flatMap((leg) => leg.bets), ...player.bets];
  return make("tr", { className: `car-${seat}` },
    make("td", { className: "place" }, String(place)),
    make("td", {}, make("span", { className: "badge" }, String(seat))),
    make("td", {}, nameOf(table, seat)),
    make("td", { className: "figure" }, money(player.race)),
    make("td", { className: "figure" }, money(player.bets_won)),
    make("td", { className: "figure" }, money(-player.spent)),
    make("td", { className: "figure total" }, money(player.total)),
    make("td", { className: "df-cells" }, ...player.cars.map((car) => carCell(state, car))),
    make("td", { className: "df-cells" }, ...bets.map(betCell)));
}

/** Show the sheets of a finished game. */
export function showSheet(table, section, body) {
  const { state } = table;
  const rows = state?.phase === "finished" ? state.classification ?? [] : [];
  section.hidden = rows.length === 0;
  const now = JSON.stringify([rows, state?.players, Boolean(currentPin())]);
  if (section.hidden || now === drawn) return;
  drawn = now;
  const heads = [["place"], [""], ["name"], ["df.sheet.race", "figure"],
    ["df.sheet.bets", "figure"], ["df.sheet.auction", "figure"], ["df.sheet.total", "figure"],
    ["df.cars"], ["df.bets"]];
  const head = make("tr", {}, ...heads.map(([key, className = ""]) =>
    make("th", { scope: "col", className }, key && say(key))));
  const sheets = make("table", { className: "df-sheet" }, make("thead", {}, head),
    make("tbody", {}, ...rows.map((one) => row(state, table, one))));
  body.replaceChildren(make("div", { className: "df-scroll" }, sheets),
    actions(table));
}
