/** Reading /api/table: names and places in words. */

import { get } from "./net.js";
import { language, say } from "./words.js";

/** What the table knows of a seat beside its car: who sits there, how it stands in the race. */
export const seatOf = (table, seat) =>
  ({ ...table.seats?.find((one) => one.seat === seat), ...table.standing?.[seat] });

/** The name that a car goes by; seat 0 is the table. */
export function nameOf(table, seat) {
  if (seat === 0) return say("the table");
  return table.state?.cars?.[seat]?.name || seatOf(table, seat).name || say("Seat {seat}", { seat });
}

/** The text in this page's language of what is told in several. */
export const inWords = (told) => told?.[language] ?? told?.en ?? "";

/** Whether an ask is for a die that the companion throws, as soon as its seat taps. */
export const isThrown = (table, ask) =>
  (ask.kind === "roll" || ask.kind === "black")
    && Boolean(table.race?.dice?.seats.some((seat) => seat === 0 || seat === ask.seat));

/** Whose a thrown die is, and which: what stands beside its face. */
export const ofThrow = (table, { seat, gear }) =>
  ({ who: nameOf(table, seat), what: gear ? `${say("Gear")} ${gear}` : "" });

/** The cars as a table reads them: home by place, running as they lie on the road, out last. */
export function carsInOrder(table) {
  const cars = table.state?.cars ?? {};
  const classified = (table.state?.classification ?? []).map((row) => row.seat);
  const home = classified.filter((seat) => cars[seat]?.status === "finished");
  const running = (table.running ?? []).filter((seat) => !home.includes(seat));
  const out = classified.filter((seat) => cars[seat]?.status === "out");
  const known = [...home, ...running, ...out];
  const rest = Object.values(cars).map((car) => car.seat).filter((seat) => !known.includes(seat));
  return [...home, ...running, ...rest, ...out].map((seat) => cars[seat]).filter(Boolean);
}

/** Why a car is out, where there is something to touch with the rule: "no body left, FD-BUMP-2"; nothing for all others. */
export function whyOut(table, car) {
  const rule = document.body.matches(".tv, .overlay") ? null : car.out?.rule;
  const told = [inWords(seatOf(table, car.seat).why_out), rule];
  return car.out ? told.filter(Boolean).join(", ") : "";
}

/* -- names of spaces -------------------------------------------------------- */

const places = new Map(); // track → names of its spaces

/** Fetch the names of a board's spaces, once: before somebody reads one. */
export function fetchPlaces(table) {
  const track = table.race?.track;
  if (!track || places.has(track)) return;
  places.set(track, {});
  get(`/circuit/${encodeURIComponent(track)}.${language}.json`)
    .then((response) => (response.ok ? response.json() : {}))
    .then((names) => {
      places.set(track, names);
      document.dispatchEvent(new Event("places"));
    })
    .catch(() => places.delete(track));
}

/** The name of a space for people; until the names are here, nothing. */
export function placeOf(table, space) {
  if (!table.race?.track || !space) return "";
  fetchPlaces(table);
  return places.get(table.race.track)[space] ?? "";
}

/** By what the league has this race; a race that nobody drove is not kept. */
export const keptAs = ({ id, driven }) => (driven === false ? null : id);
