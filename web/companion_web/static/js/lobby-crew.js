/** Before a race: several people who drive the car of one seat, and who is on the entry list. */

import { make } from "./dom.js";
import { choice, field } from "./lobby-rules.js";
import { say } from "./words.js";

let entered = null; // the entry list, once somebody has asked for it

const namesIn = (text) => text.split(",").map((name) => name.trim()).filter(Boolean);

async function askForEntries() {
  const reply = await fetch("/api/league/entries").catch(() => null);
  return reply?.ok ? (await reply.json()).entries : []; // a table without a league has none
}

const called = ({ name, crew }) => (crew.length ? `${name}: ${crew.join(", ")}` : name);

/** A car of the entry list, which gives the seat its name and its crew. */
function entryField(seat, ofSeat) {
  if (!entered?.length) return "";
  const entries = [[null, "–"], ...entered.map((one) => [one, called(one)])];
  const take = async (one) => {
    if (!one) return;
    const reply = await ofSeat("name", seat, one.name);
    if (reply.ok) await ofSeat("crew", seat, one.crew.length ? one.crew : null);
  };
  const label = say("From the entry list");
  return field(label, choice(null, entries, take,
    { "aria-label": `${label}, ${say("Seat {seat}", { seat })}` }));
}

/** The crew of a seat: closed until somebody wants one, as most cars have one driver. */
export function crewOf(lobby, seat, ofSeat) {
  if (!lobby.crews || seat in lobby.bots) return null;
  const crew = lobby.crews[seat] ?? [];
  const names = make("input", { value: crew.join(", "), maxLength: 340, autocomplete: "off",
    "aria-label": `${say("Crew")}, ${say("Seat {seat}", { seat })}` });
  names.addEventListener("change", () => ofSeat("crew", seat, namesIn(names.value)));
  const list = make("div", {}, entryField(seat, ofSeat));
  const details = make("details", { className: "crew", "data-fold": `crew ${seat}` },
    make("summary", {}, crew.length ? `${say("Crew")}: ${crew.join(", ")}` : say("Crew")),
    field(say("Several drivers of one car, with commas: the race counts for each"), names), list);
  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    entered ??= await askForEntries();
    list.replaceChildren(entryField(seat, ofSeat));
  });
  return details;
}
