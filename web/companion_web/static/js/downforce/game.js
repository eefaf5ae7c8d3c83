/** The page's parts for Downforce: the auction, the six cars, the players, the score sheet. */

import { byId, setChildren, setText } from "../dom.js";
import { inWords, nameOf } from "../race.js";
import { say } from "../words.js";
import { playedCard } from "./card.js";
import { showCars } from "./cars.js";
import { showPlayers } from "./players.js";
import { showSheet } from "./sheet.js";
import { showCarTower } from "./tower.js";
import { CARS, carName, money } from "./words.js";

const PHASES = {
  auction: say("Auction"), powers: say("Powers"), race: say("Race"), finished: say("Finished"),
};
const VARIANTS = {
  "beginners": say("beginners"),
  "dealt": say("dealt cars"),
  "hands-of-three": say("hands of three"),
  "first-wins": say("first car wins"),
  "no-powers": say("no powers"),
  "no-bets": say("no bets"),
  "two-players": say("two players"),
  "long-distance": say("long distance"),
  "championship": say("championship"),
};
const SECRETS = {
  bid: say("Everybody bids in secret. Still to come: {n}"),
  hand: say("The hand of a bot is entered, face down for all others"),
  bet: say("Everybody bets in secret. Still to come: {n}"),
};
/** What the table is asked, by the kind of the ask. */
const NOW = {
  pole: say("The cars go to the grid"),
  lot: say("The next lot is turned up"),
  card: say("A card is turned up"),
  standing: say("How do the cars on the road stand?"),
  award: say("Whose car is it?"),
  keep: say("Everybody keeps one power"),
  played: say("A line crossed? A car home?"),
  end: say("How far have the cars come?"),
};

/** The line that opens the next bet, and what that pays for the cars that come 1st, 2nd, 3rd. */
const nextBet = (outlook) => (outlook?.bet
  ? say("line {n} opens a bet: {pays}", { n: outlook.bet.line, pays: outlook.bet.pays.join(" · ") }) : null);

/** What the next car over the line earns, once no bet is to come: before the last line none is home. */
function nextHome({ state, outlook }) {
  const car = CARS.find((each) => !state.cars[each].place);
  const pays = outlook?.earns[car] ?? null;
  return state.phase !== "race" || outlook?.bet || pays === null ? null : say("next car home: {n} M$", { n: money(pays) });
}

/** What stands beside the title: phase, race of a championship, lines crossed, what is to come, variants. */
export function facts(table) {
  const { race, state, outlook } = table;
  const rules = race?.rules ?? [];
  const next = nextHome(table); // which says that all betting lines are crossed, too
  return [
    PHASES[state.phase],
    state.leg ? say("race {leg} of 2", { leg: state.leg }) : null,
    state.phase === "race" && !outlook?.bet && !next && !rules.includes("no-bets") ? say("betting lines crossed: {n}", { n: state.lines }) : null,
    nextBet(outlook),
    next,
    ...Object.entries(VARIANTS).filter(([rule]) => rules.includes(rule)).map(([, text]) => text),
  ];
}

/** What is said large: a secret round, whose card it is, or what the table is asked. */
export function headline(table) {
  const { secret, asks } = table;
  if (secret) {
    return { seat: null, text: say(SECRETS[secret.kind], { n: secret.open.length }) };
  }
  const card = asks.find((ask) => ask.kind === "played" || ask.kind === "card");
  if (card?.seat === 0) return { seat: null, text: NOW.played };
  if (card) return { seat: card.seat, text: say("{name} plays", { name: nameOf(table, card.seat) }) };
  const kind = asks[0]?.kind;
  return { seat: null, text: NOW[kind] ?? say("Nobody is asked for anything.") };
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
  figures: () => [["owner", say("owner (seat)")], ["price", say("price")], ["place", say("place")]],
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
  setText(byId("standings-title"), say("Players"));
  showPlayers(table, byId("standings"), byId("cars"));
}
