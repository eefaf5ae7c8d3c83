/** The page's parts for the Formula games: a board, cars with wear points, a classification. */

import { showBoard } from "./board.js";
import { showCars } from "./cars.js";
import { byId } from "./dom.js";
import { showFinish } from "./finish.js";
import { tellOdds } from "./odds.js";
import { fetchPlaces, nameOf, seatOf } from "./race.js";
import { WEATHER } from "./terms.js";
import { named, say } from "./words.js";

/** Formule Dé has fuel where Formula D has a gearbox, the basic game one pool. */
const WEAR = ["tires", "brakes", "gearbox", "fuel", "body", "engine", "handling", "points"];

/** The categories that the cars of this race have; a plain Formule Dé has no handling. */
function categoriesOf(table) {
  const cars = Object.values(table.state.cars ?? {});
  return WEAR.filter((name) =>
    cars.some((car) => name in (seatOf(table, car.seat).full ?? car.wear)));
}

/** How long a race will last yet: a span, where it is not sure. */
function timeLeft(n, [low, high]) {
  return low < high ? say("about {low} to {high} min left", { low, high }) : say("some {n} min left", { n });
}

/** What stands beside the title: lap, round, weather. */
export function facts({ race, state, minutes_left, minutes_span }) {
  const lap = Math.max(1, ...Object.values(state.cars ?? {}).map((car) => car.lap));
  return [
    say("Lap {lap} of {laps}", { lap: Math.min(lap, state.laps), laps: state.laps }),
    state.round ? say("Round {round}", { round: state.round }) : null,
    minutes_left && state.phase === "race" ? timeLeft(minutes_left, minutes_span) : null,
    race?.rules?.includes("weather") && state.weather
      ? `${state.raining ? "☂ " : ""}${WEATHER[state.weather]}` : null,
  ];
}

/** What is said large, and whose color it has. */
export function headline(table) {
  const { state, asks } = table;
  // Before the first turn all are asked at once: nobody "plays" then.
  const asked = [...new Set(asks.map((ask) => ask.seat))];
  const seat = state.turn ?? (asked.length === 1 ? asked[0] : null);
  if (seat) return { seat, text: say("{name} plays", { name: nameOf(table, seat) }) };
  if (!asked.length) return { seat: null, text: say("Nobody is asked for anything.") };
  const isBlack = asks.every((ask) => ask.kind === "black");
  return { seat: null, text: isBlack ? say("Roll the black die") : say("Answer on your screens") };
}

/** Which asks are told under the headline: all. */
export const told = (table) => table.asks;

/** Everybody in the race: who may retire, and who may come back. */
export const entries = ({ state }) => Object.values(state.cars ?? {}).map((car) => ({
  seat: car.seat,
  isOut: car.status === "out",
  isHome: car.status === "finished",
}));

/** Somebody may come in while a race runs. */
export const takesLate = true;
export const rollsDice = true;

/** What the referee may put right: of which car, which figure, and the part of the state. */
export const corrections = {
  subjects: (table) =>
    entries(table).map(({ seat }) => [seat, `${seat} · ${nameOf(table, seat)}`]),
  figures: (table) => [...categoriesOf(table).map((name) => [name, named("wear", name)]),
    ["gear", say("Gear")], ["lap", say("Laps")], ["space", say("space")]],
  part: (seat, figure, text) => {
    const value = figure === "space" ? text : Number(text);
    const told = WEAR.includes(figure) ? { wear: { [figure]: value } } : { [figure]: value };
    return { cars: { [seat]: told } };
  },
};

/** Who asks is told the odds. */
function offerOdds(table) {
  const ask = table.asks.find(({ kind }) => kind === "gear" || kind === "roll");
  const button = byId("ask-odds");
  button.hidden = !ask || !table.race?.track || table.race.advice === false || table.state.phase !== "race";
  button.onclick = () => tellOdds(ask.seat, byId("odds"));
  byId("odds").hidden = true;
}

/** Show all that is the game's own. */
export function show(table) {
  offerOdds(table);
  if (table.proposal || !byId("referee").hidden) fetchPlaces(table); // nobody else reads them
  showFinish(table, byId("result"), byId("result-body"));
  showBoard(table, byId("board"), { follows: true });
  showCars(table, byId("standings"), byId("cars"));
}
