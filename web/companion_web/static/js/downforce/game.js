/** The page's parts for Downforce: the auction, the six cars, the players, the score sheet. */

import { byId, setChildren, setText } from "../dom.js";
import { inWords, nameOf } from "../race.js";
import { say } from "../words.js";
import { playedCard } from "./card.js";
import { showCars } from "./cars.js";
import { showPlayers } from "./players.js";
import { showSheet } from "./sheet.js";
import { showCarTower } from "./tower.js";
import { CARS, carName } from "./words.js";

const VARIANTS = ["beginners", "dealt", "hands-of-three", "first-wins", "no-powers", "no-bets", "two-players", "long-distance", "championship"];

/** The line that opens the next bet, and what that pays for the cars that come 1st, 2nd, 3rd. */
const nextBet = (outlook) => (outlook?.bet
  ? say("df.next-bet", { n: outlook.bet.line, pays: outlook.bet.pays.join(" · ") }) : null);

/** What stands beside the title: phase, race of a championship, lines crossed, variants. */
export function facts({ race, state, outlook }) {
  const rules = race?.rules ?? [];
  return [
    say(`df.phase.${state.phase}`),
    state.leg ? say("df.leg", { leg: state.leg }) : null,
    state.phase === "race" && !outlook?.bet && !rules.includes("no-bets") ? say("df.lines", { n: state.lines }) : null,
    nextBet(outlook),
    ...VARIANTS.filter((rule) => rules.includes(rule)).map((rule) => say(`df.rule.${rule}`)),
  ];
}

/** What is said large: a secret round, whose card it is, or what the table is asked. */
export function headline(table) {
  const { secret, asks } = table;
  if (secret) {
    return { seat: null, text: say(`df.secret.${secret.kind}`, { n: secret.open.length }) };
  }
  const card = asks.find((ask) => ask.kind === "played" || ask.kind === "card");
  if (card?.seat === 0) return { seat: null, text: say("df.now.played") };
  if (card) return { seat: card.seat, text: say("turn", { name: nameOf(table, card.seat) }) };
  const kind = asks[0]?.kind;
  return { seat: null, text: kind ? say(`df.now.${kind}`) : say("nobody") };
}

/** Which asks are told under the headline: not what is open all through a race. */
export const told = ({ asks }) =>
  (asks.length === 1 ? asks : asks.filter(({ kind, seat }) => kind !== "end" && (kind !== "played" || seat !== 0)));

/** Everybody in the game: who may leave, and who may come back. */
export const entries = ({ state }) => Object.entries(state.players ?? {}).map(([seat, player]) => ({
  seat: Number(seat),
  isOut: Boolean(player.left),
  isHome: false,
}));

/** What the referee may put right: of which car, its owner, price or place. */
export const corrections = {
  subjects: () => CARS.map((car) => [car, carName(car)]),
  figures: () => ["owner", "price", "place"].map((name) => [name, say(`df.figure.${name}`)]),
  part: (car, figure, text) =>
    ({ cars: { [car]: { [figure]: text.trim() === "" ? null : Number(text) } } }),
};

/** Show the card that a bot plays, large. */
function showCard(table, place) {
  const { card } = table;
  place.hidden = !card;
  setChildren(place, card
    ? playedCard({ name: nameOf(table, card.seat), lines: card.lines, power: inWords(card.power) }) : []);
}

/** Show the game on a television: the players beside the tower of the six cars. */
export function showTelevision(table, section) {
  showCard(table, byId("card"));
  showPlayers(table, section, byId("players"));
  section.hidden = table.state.phase === "finished";
}

/** Show the tower of the game: its six cars. */
export const showTower = showCarTower;

/** Show all that is the game's own; it has no board. */
export function show(table) {
  byId("board").hidden = true;
  showCard(table, byId("card"));
  showSheet(table, byId("result"), byId("result-body"));
  showCars(table, byId("six"), byId("six-cars"));
  setText(byId("standings-title"), say("df.players"));
  showPlayers(table, byId("standings"), byId("cars"));
}
