/** The banner of a television: the player's name, what is asked with which die, who is next. */

import { whatIsAsked } from "./asks.js";
import { byId, setText } from "./dom.js";
import { gameOf } from "./games.js";
import { isThrown, nameOf } from "./race.js";
import { named, say } from "./words.js";

/** What an ask wants to know, without the name before it. */
function callOf(table, ask) {
  const gear = table.state.cars?.[ask.seat]?.gear;
  if (ask.kind === "roll" && gear) {
    const faces = `${ask.options[0]}–${ask.options.at(-1)}`;
    const places = { die: named("die", gear), faces };
    return isThrown(table, ask) ? say("throw the {die} die ({faces})", places) : say("roll the {die} die ({faces})", places);
  }
  const [asked, name] = [whatIsAsked(table, ask), nameOf(table, ask.seat)];
  return asked.startsWith(name) ? asked.slice(name.length).replace(/^[\s\u00a0:,]+/, "") : asked;
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

function showDie(table) {
  const { die, state } = table;
  const place = byId("die");
  place.hidden = !die || state?.phase === "finished";
  if (place.hidden) return;
  setText(place, die.shows);
  place.className = `die${die.gear ? ` die-${die.gear}` : ""}${die.shows.length > 2 ? " is-wide" : ""}`;
  place.setAttribute("aria-label", say("The last die, {name}: {n}", { name: nameOf(table, die.seat), n: die.shows }));
  place.setAttribute("role", "img");
}

/** Show who is asked what. */
export function showBanner(table) {
  const banner = byId("banner");
  const { seat, who, call } = said(table);
  banner.className = `banner${seat ? ` car-${seat}` : ""}`;
  setText(byId("who"), who);
  setText(byId("call"), call);
  showDie(table);
  const next = byId("next");
  next.hidden = !table.next || table.state?.phase === "finished";
  if (!next.hidden) setText(next.lastElementChild, nameOf(table, table.next));
  const line = banner.querySelector(".said");
  banner.classList.toggle("is-long", line.scrollWidth > line.clientWidth);
}
