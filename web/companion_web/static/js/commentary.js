/** One sentence across the room: what has happened last that is worth a word; and who is out of sight. */

import { outOfSight } from "./board.js";
import { carPicture } from "./car.js";
import { make, setChildren } from "./dom.js";
import { inWords, nameOf, seatOf } from "./race.js";
import { say } from "./words.js";

/** What everybody at the table has just done or seen: the books of a turn, no news. */
const BOOKS = new Set(["GearEngaged", "DieRolled", "Moved", "TurnBegan", "TurnEnded", "RoundBegan", "RoundEnded",
  "LengthChosen", "SlipstreamDeclined", "RollHeld", "StopMade", "Reported", "GridRolled", "DebrisLaid", "DebrisTaken"]);
const SMALL = 0.02; // whoever wins less often than this is one of the others

let said = { race: null, text: "", seat: null };
let last = null; // the sentence that was the story's last one

/** The sentence of now: a moment before all, else the newest of the story that is none of the books. */
export function newsOf(table, moment) {
  const story = table.story ?? [];
  if (said.race !== table.id) said = { race: table.id, text: "", seat: null };
  const from = story.findLastIndex((one) => one.event === last?.event && inWords(one) === inWords(last)) + 1;
  const news = story.slice(from).findLast((one) => !BOOKS.has(one.event));
  last = story.at(-1) ?? null;
  if (moment) said = { race: table.id, text: moment.text, seat: moment.seat };
  else if (news) said = { race: table.id, text: inWords(news), seat: news.seat };
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
  const told = all.filter(([, part]) => part >= SMALL);
  const percent = (part) => say("{n} %", { n: Math.round(part * 100) });
  const bar = make("div", { className: "bar", "aria-hidden": "true" }, ...all.map(([seat, part]) => {
    const one = make("i", { className: `car-${seat}` });
    one.style.flexGrow = String(part);
    return one;
  }));
  setChildren(place, [bar, make("p", {}, say("chance to win")),
    make("ul", {}, ...told.slice(0, 6).map(([seat, part]) => make("li", { className: `car-${seat}` }, carPicture(seat),
      make("span", { className: "unseen" }, nameOf(table, Number(seat))), make("b", {}, percent(part)))))]);
}
