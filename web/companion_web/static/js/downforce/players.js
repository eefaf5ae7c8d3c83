/** A card for each player: cars, power, money so far, bets made, and whether it has answered. */

import { make, setChildren } from "../dom.js";
import { nameOf, seatOf } from "../race.js";
import { BOTS } from "../terms.js";
import { say } from "../words.js";
import { carLabel, money, powerName } from "./words.js";

const LINES = 3;
const HAS = { bid: say("has bid"), hand: say("hand entered"), bet: say("has bet") };

/** Of a secret that is asked now: whether this player has answered. What, nobody is told. */
function answered(table, seat) {
  const { secret } = table;
  if (secret?.answered.includes(seat)) return make("span", { className: "chip done" }, `✓ ${HAS[secret.kind]}`);
  if (secret?.open.includes(seat)) return make("span", { className: "chip" }, secret.kind === "hand" ? say("hand is being entered") : say("is thinking"));
  return null;
}

function bets(table, player) {
  if (table.race?.rules?.includes("no-bets")) return null;
  const made = player.bets.filter((bet) => bet !== "none").length;
  const dots = Array.from({ length: LINES }, (_, n) =>
    make("i", { className: n < made ? "pip" : "pip gone" }));
  return make("span", { className: "chip", "aria-label": say("bets made: {n}", { n: made }) },
    say("Bets"), " ", make("span", { className: "dots", "aria-hidden": "true" }, ...dots));
}

function card(table, seat, player) {
  const { state } = table;
  const isOnTurn = state.turn === seat && state.phase === "race";
  const bot = table.race?.seats.find((one) => one.seat === seat)?.bot;
  const powers = player.powers ?? (player.power ? [player.power] : []);
  const prices = player.cars.map((car) => carLabel(car, ` ${state.cars[car].price}`));
  return make("li", {
    className: `car car-${seat}${isOnTurn ? " on-turn" : ""}${player.left ? " is-out" : ""}`,
    "aria-current": isOnTurn ? "true" : null,
  },
  make("span", { className: "badge" }, String(seat)),
  make("strong", { className: "driver" }, nameOf(table, seat)),
  seatOf(table, seat).alive === false
    ? make("span", { className: "chip warn" }, say("cannot be reached")) : null,
  make("p", { className: "df-own" }, ...(prices.length ? prices : [say("no car yet")])),
  make("p", { className: "chips" },
    bot ? make("span", { className: "chip" }, BOTS[bot]) : null,
    powers.length ? make("span", { className: "chip" }, powers.map(powerName).join(", ")) : null,
    make("span", { className: "chip" },
      say("won {won}, paid {paid} M$", { won: money(player.race), paid: money(player.spent) })),
    player.hand === undefined || state.phase !== "race" ? null
      : make("span", { className: "chip" }, say("cards left: {n}", { n: player.hand })),
    bets(table, player), answered(table, seat),
    player.left ? make("span", { className: "chip warn" }, say("has left")) : null));
}

/** Show every player of the game. */
export function showPlayers(table, section, list) {
  const players = Object.entries(table.state?.players ?? {});
  section.hidden = players.length === 0;
  list.classList.add("df-players");
  setChildren(list, players.map(([seat, player]) => card(table, Number(seat), player)));
}
