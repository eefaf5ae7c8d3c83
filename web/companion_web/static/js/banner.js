/** The banner of a television: whose car, what is asked with which die, what is left of it, who is next. */

import { whatIsAsked } from "./asks.js";
import { carPicture } from "./car.js";
import { byId, make, setChildren, setText } from "./dom.js";
import { gameOf } from "./games.js";
import { isThrown, nameOf, seatOf } from "./race.js";
import { named, say } from "./words.js";

/** What an ask wants to know, without the name before it. */
export function callOf(table, ask) {
  const gear = table.state.cars?.[ask.seat]?.gear;
  if (ask.kind === "roll" && gear) {
    const faces = `${ask.options[0]}–${ask.options.at(-1)}`;
    const places = { die: named("die", gear), faces };
    return isThrown(table, ask) ? say("throw the {die} die ({faces})", places) : say("roll the {die} die ({faces})", places);
  }
  const [asked, name] = [whatIsAsked(table, ask), nameOf(table, ask.seat)];
  return asked.toLowerCase().startsWith(name.toLowerCase()) ? asked.slice(name.length).replace(/^[\s\u00a0:,]+/, "") : asked;
}

/** Whose color the banner has, the name, and what is said beside it. */
function said(table) {
  const { state, paused, lobby } = table;
  if (!state) return { seat: null, who: "", call: lobby ? say("Who plays?") : say("Race companion") };
  if (paused) return { seat: null, who: "", call: say("Paused") };
  if (state.phase === "finished") {
    const [first] = state.classification ?? [];
    const seat = first && first.status !== "out" && table.driven !== false ? first.seat : null;
    const over = table.driven === false ? say("No race was driven")
      : first ? say("Nobody comes home") : say("The race is over");
    const call = seat ? say("wins!") : over;
    return { seat, who: seat ? nameOf(table, seat) : "", call };
  }
  const asks = gameOf(table).told(table);
  const seats = [...new Set(asks.map((ask) => ask.seat))];
  if (seats.length !== 1) {
    const { seat, text } = gameOf(table).headline(table);
    const names = seats.filter(Boolean).map((one) => nameOf(table, one)).join(", ");
    return { seat, who: "", call: names ? `${text}: ${names}` : text };
  }
  const [seat] = seats;
  return { seat, who: say("{name}:", { name: nameOf(table, seat) }), call: callOf(table, asks[0]) };
}

/** The last die; by whom, where the banner is another's. */
function showDie(table, asked) {
  const { die, state } = table;
  const [place, last] = [byId("die"), byId("last")];
  last.hidden = !die || state?.phase === "finished";
  if (last.hidden) return;
  setText(last.lastElementChild, die.seat === asked ? "" : nameOf(table, die.seat));
  setText(place, die.shows);
  place.className = `die${die.gear ? ` die-${die.gear} shape-${die.gear}` : ""}${die.shows.length > 2 ? " is-wide" : ""}`;
  place.setAttribute("aria-label", say("The last die, {name}: {n}", { name: nameOf(table, die.seat), n: die.shows }));
  place.setAttribute("role", "img");
}

/** What is left of the car, a pip a point; the last one is a warning. */
function left(table, seat) {
  const car = table.state?.cars?.[seat];
  if (!car?.wear) return [];
  const { full = {} } = seatOf(table, seat);
  return Object.entries(car.wear).filter(([name]) => full[name]).map(([name, n]) => make("li", {
    className: n <= 1 ? "few" : "", "aria-label": say("{name}: {left} of {full}", { name: named("wear", name), left: n, full: full[name] }),
  }, make("span", { "aria-hidden": "true" }, named("wear", name)),
  make("span", { className: "pips", "aria-hidden": "true" }, ...Array.from({ length: full[name] }, (_, at) => make("i", { className: at < n ? "" : "gone" })))));
}

/** Show who is asked what. */
export function showBanner(table) {
  const banner = byId("banner");
  const { seat, who, call } = said(table);
  banner.className = `banner${seat ? ` car-${seat}` : ""}${who ? " has-name" : ""}`;
  setText(byId("who"), who.replace(/[\s\u00a0]*:$/, ""));
  setChildren(byId("mover"), seat && table.state?.cars?.[seat]?.wear ? [carPicture(seat)] : []);
  setChildren(byId("left"), who && table.state?.phase !== "finished" ? left(table, seat) : []);
  setText(byId("call"), call);
  showDie(table, seat);
  const next = byId("next");
  next.hidden = !table.next || table.state?.phase === "finished";
  if (!next.hidden) setText(next.lastElementChild, nameOf(table, table.next));
  const line = banner.querySelector(".said");
  for (const name of ["is-long", "is-very-long"]) {
    const isTooLong = [line, byId("who")].some((one) => one.scrollWidth > one.clientWidth + 1);
    banner.classList.toggle(name, isTooLong);
  }
}
