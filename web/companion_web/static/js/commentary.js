/** One sentence across the room: what has happened last that is worth a word; and who is out of sight. */

import { outOfSight } from "./board.js";
import { carPicture } from "./car.js";
import { make, setChildren } from "./dom.js";
import { percents } from "./odds.js";
import { inWords, nameOf, seatOf } from "./race.js";
import { say } from "./words.js";

const SMALL = 0.02; // whoever wins less often than this is one of the others

let said = { race: null, text: "", seat: null };
let last = null; // the newest of the news

/** The sentence of now: a moment before all, else the newest of the news that are not for ears alone. */
export function newsOf(table, moment) {
  if (said.race !== table.id) said = { race: table.id, text: "", seat: null };
  const news = (table.news ?? []).filter(({ heard }) => !heard).at(-1);
  const text = inWords(news);
  if (moment) said = { race: table.id, text: moment.text, seat: moment.seat };
  else if (news && (text !== last || !said.text)) said = { race: table.id, text, seat: news.seat };
  last = text;
  return said;
}

const stops = ({ made, needed }) => make("span", { className: "stops", role: "img", "aria-label": say("{made} of {needed} stops", { made, needed }) },
  ...Array.from({ length: needed }, (_, n) => make("i", { className: n < made ? "made" : "" })));

/** The corner before the car that is looked at, and how far the cars are that the window does not show. */
export function showAhead(table, place) {
  const { state } = table;
  const seat = state?.turn;
  const corner = seat ? seatOf(table, seat).corner : null;
  const own = seat ? seatOf(table, seat).gap : null;
  const far = own === null || own === undefined ? [] : outOfSight().filter((other) => other !== seat && Number.isFinite(seatOf(table, other).gap))
    .map((other) => ({ seat: other, by: own - seatOf(table, other).gap })).toSorted((one, other) => other.by - one.by);
  place.hidden = !state || state.phase === "finished" || !corner?.needed || !table.race?.track;
  if (place.hidden) return;
  setChildren(place, [
    make("h2", {}, inWords(corner.name), " ", stops(corner)),
    far.length ? make("p", {}, say("out of sight")) : null,
    make("ul", { className: far.length > 4 ? "is-many" : "" }, ...far.map((one) => make("li", { className: `car-${one.seat}` }, carPicture(one.seat),
      make("bdi", {}, nameOf(table, one.seat)), make("b", {}, one.by > 0 ? `+${one.by}` : one.by < 0 ? `−${-one.by}` : "=")))),
  ].filter(Boolean));
}

/** Who wins how often from here, one bar and one row; nothing where nobody knows. */
export function showChances(table, place) {
  const all = Object.entries(table.chances ?? {}).toSorted((one, other) => other[1] - one[1]);
  place.hidden = !all.length || table.state?.phase !== "race";
  if (place.hidden) return;
  const shares = percents(all.map(([, part]) => part));
  const told = all.filter(([, part]) => part >= SMALL);
  const bar = make("div", { className: "bar", "aria-hidden": "true" }, ...all.map(([seat, part]) => {
    const one = make("i", { className: `car-${seat}` });
    one.style.flexGrow = String(part);
    return one;
  }));
  setChildren(place, [bar, make("p", {}, say("chance to win")),
    make("ul", {}, ...told.slice(0, 6).map(([seat], at) => make("li", { className: `car-${seat}` }, carPicture(seat),
      make("span", { className: "unseen" }, nameOf(table, Number(seat))), make("b", {}, say("{n} %", { n: shares[at] })))))]);
}
